// SPDX-License-Identifier: GPL-2.0-or-later
#include "lab/arms.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

#include "core/error.h"

namespace schedlab {

namespace {

constexpr auto forms = "--base B --feature F, or --a X --b Y, or --base B --patches P";

void check(const ArmChoice &choice) {
    if (choice.base.empty() && choice.a.empty())
        throw usage_error("nothing to compare", std::string("name the two sides: ") + forms);
    if (!choice.base.empty() && !choice.a.empty())
        throw usage_error("--base and --a both name the first kernel", std::string("use one: ") + forms);
    if (!choice.base.empty() && !choice.tree.empty())
        throw usage_error("--tree goes with revs of it, and --base names a release", "use --a REV and --b REV");
    if (!choice.features.empty() && !choice.b.empty())
        throw usage_error("--feature compares one kernel with itself, and --b names a second",
                          "leave out --b, or --feature");
    if (choice.features.empty() && choice.b.empty() && choice.patches.empty())
        throw usage_error("only one side is named", std::string("name the other too: ") + forms);
}

std::pair<std::string, bool> parse_feature(const std::string &text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const std::string value = equals == std::string::npos ? "1" : text.substr(equals + 1);
    const bool well_named = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
        return std::isupper(c) || std::isdigit(c) || c == '_';
    });
    if (!well_named || (value != "0" && value != "1"))
        throw usage_error("--feature '" + text + "': not a scheduler feature",
                          "features are written as in kernel/sched/features.h: ASYM_PREV, or ASYM_PREV=0 to have "
                          "it off in b");
    return {name, value == "1"};
}

std::string kernel_title(const Image &image) {
    return image.title.empty() ? image.image.filename().string() : image.title;
}

nlohmann::ordered_json environment_of(const KernelSpec &spec, const Image &image) {
    return {{"schedlab", SCHEDLAB_VERSION}, {"kernel", kernel_title(image)}, {"base", spec.base}};
}

KernelSpec first_kernel(const ArmChoice &choice, const std::string &arch) {
    KernelSpec spec;
    if (choice.base.empty()) {
        spec = parse_kernel_spec(choice.a, choice.tree, arch);
    } else {
        spec.base = find_base(choice.base).name;
        spec.with_series = !choice.features.empty();
        spec.arch = arch;
    }
    spec.configs = choice.configs;
    return spec;
}

} // namespace

ArmSpecs choose_arms(const ArmChoice &choice, const std::string &arch) {
    check(choice);
    ArmSpecs specs;
    specs.a = first_kernel(choice, arch);
    for (const std::string &text : choice.features) {
        const auto [name, on_in_b] = parse_feature(text);
        specs.features_a[name] = !on_in_b;
        specs.features_b[name] = on_in_b;
    }
    if (!choice.features.empty()) {
        specs.a.patches = choice.patches;
        return specs;
    }
    specs.b = specs.a;
    if (!choice.b.empty()) {
        specs.b = parse_kernel_spec(choice.b, choice.tree, arch);
        specs.b->configs = choice.configs;
    }
    specs.b->patches = choice.patches;
    return specs;
}

std::string arm_title(const std::string &kernel, const std::map<std::string, bool> &features) {
    std::string title = kernel;
    for (const auto &[name, on] : features)
        title += fmt::format(", {} {}", name, on ? "on" : "off");
    return title;
}

Arms build_arms(const ArmSpecs &specs, const BuildKernel &build) {
    Arms arms;
    arms.a = {build(specs.a), specs.features_a, {}};
    arms.b = {specs.b ? build(*specs.b) : arms.a.kernel, specs.features_b, {}};
    if (specs.b && arms.a.kernel.key == arms.b.kernel.key)
        arms.warnings.push_back("a and b are the same kernel");
    for (Arm *arm : {&arms.a, &arms.b})
        arm->title = arm_title(kernel_title(arm->kernel), arm->features);
    arms.a.environment = environment_of(specs.a, arms.a.kernel);
    arms.b.environment = environment_of(specs.b ? *specs.b : specs.a, arms.b.kernel);
    return arms;
}

} // namespace schedlab
