// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/kernel_choice.h"

#include "core/error.h"

namespace schedlab {

void add_kernel_choice(CLI::App &app, KernelChoice &choice) {
    auto *base = app.add_option("--base", choice.base, "kernel base, with the project's series");
    app.add_option("--kernel", choice.kernel, "another kernel: BASE (as released), BASE+series, or an image")->excludes(base);
}

void require_kernel(const KernelChoice &choice, const std::string &command) {
    if (choice.base.empty() && choice.kernel.empty())
        throw usage_error(command + ": which kernel?", "--base 6.12, or --kernel with an image");
}

Image build_choice(const KernelChoice &choice, const std::string &arch, const std::vector<std::filesystem::path> &configs,
                   ProgressLine &progress) {
    KernelSpec spec = parse_kernel_spec(choice.kernel.empty() ? find_base(choice.base).name : choice.kernel, {}, arch);
    if (choice.kernel.empty())
        spec.with_series = true;
    spec.configs = configs;
    return build_kernel(spec, [&](const std::string &phase, double fraction) { progress.update(phase, fraction); });
}

} // namespace schedlab
