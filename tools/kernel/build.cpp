// SPDX-License-Identifier: GPL-2.0-or-later
#include <fmt/format.h>

#include "core/error.h"
#include "kernel/cache.h"
#include "kernel/config.h"
#include "kernel/image_key.h"
#include "kernel/patch_files.h"
#include "kernel/work_tree.h"
#include "sys/files.h"
#include "sys/hash.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

Image foreign_image(const fs::path &file) {
    if (!fs::is_regular_file(file))
        throw usage_error("no kernel image at '" + file.string() + "'");
    return {.image = fs::canonical(file),
            .config = {},
            .key = sha256_file(file),
            .release = {},
            .title = file.filename().string()};
}

void check(const KernelSpec &spec) {
    if (int(!spec.base.empty()) + int(!spec.tree.empty()) + int(!spec.image.empty()) != 1)
        throw usage_error("a kernel is one of: a base, a tree, an image",
                          "name it with --base, --tree or an image's path");
    if (spec.with_series && spec.base.empty())
        throw usage_error("the series is for a base", "apply patches to a tree with --patches");
    if (!spec.image.empty() && (!spec.patches.empty() || !spec.configs.empty()))
        throw usage_error("a built image takes no patches and no configuration: " + spec.image.string());
}

std::string title_of(const Source &source, const std::string &release, std::size_t patches) {
    std::string title = source.title == release ? release : fmt::format("{}, {}", release, source.title);
    if (patches > 0)
        title += fmt::format(" + {} patch{}", patches, patches > 1 ? "es" : "");
    return title;
}

// Sees the tree as the patches leave it.
std::optional<std::string> patched(const Source &source, const std::map<std::string, FileChange> &changes,
                                   const std::string &path) {
    const auto change = changes.find(path);
    return change == changes.end() ? source.read(path) : change->second.content;
}

} // namespace

Image build_kernel(const KernelSpec &spec, const Progress &progress) try {
    check(spec);
    if (!spec.image.empty())
        return foreign_image(spec.image);
    const KernelArch &arch = find_arch(spec.arch);
    require_tools(arch);
    const Source source = source_of(spec, progress);
    const std::vector<Patch> patches = patches_of(spec);
    const auto changes = apply_patches(patches, source.read);
    const KernelVersion version = kernel_version(patched(source, changes, "Makefile").value_or(""), source.title);
    const ConfigOptions wanted = wanted_options(spec.configs, arch.name, version);
    const std::string tools = toolchain_id(arch);

    Image image;
    image.key = image_key(source.id, changes, wanted, arch.name, tools);
    image.release = version.release;
    image.title = title_of(source, version.release, patches.size());
    if (const auto found = find_image(image.key))
        return *found;

    WorkTree work(source.work_name + "-" + arch.name, progress);
    if (const auto found = find_image(image.key))
        return *found; // another schedlab built it while we waited
    progress("preparing the source of " + image.title, -1);
    work.set(source, changes);
    const Kbuild built =
        work.build(arch, wanted, fmt::format("building {} for {}", image.title, arch.name), progress);
    return store_image(image,
                       {{arch.target, built.image()}, {"config", built.out / ".config"}, {"build.log", built.log}},
                       {{"arch", arch.name}, {"source", source.id}, {"toolchain", tools}});
} catch (const fs::filesystem_error &e) {
    throw environment_error(fmt::format("the cache of kernels: {}: {}", e.path1().string(), e.code().message()),
                            "check the disk's space and permissions");
}

} // namespace schedlab
