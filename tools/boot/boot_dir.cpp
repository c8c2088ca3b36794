// SPDX-License-Identifier: GPL-2.0-or-later
#include "boot/boot_dir.h"

#include <fmt/format.h>

#include "boot/device_tree.h"
#include "boot/initramfs.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

// The job is padded to a multiple of this (bytes; a page), so that what the guest reads takes the same path
// whatever the job.
constexpr std::size_t job_block = 4096;

std::string padded(std::string job) {
    job.resize((job.size() / job_block + 1) * job_block, ' ');
    return job;
}

} // namespace

BootDir::BootDir(const Machine &machine, const fs::path &kernel, const Job &job, std::vector<GuestFile> guest_files)
    : dir_("boot") {
    if (!fs::is_regular_file(kernel))
        throw usage_error(fmt::format("no kernel image in '{}'", kernel.string()));
    const auto in_dir = [this](const char *name) { return dir_.path() / name; };
    files = {kernel, in_dir("initramfs"), in_dir("job"), {}, in_dir("console"), in_dir("channel")};
    guest_files.push_back({guest_program(machine.arch), "/init"});
    write_initramfs(files.initramfs, guest_files);
    write_file_atomically(files.job, padded(nlohmann::ordered_json(job).dump()));
    if (machine.arch == "arm64") {
        files.device_tree = in_dir("device-tree");
        write_file_atomically(files.device_tree, edit_device_tree(dump_device_tree(machine), machine, job.seed));
    }
}

} // namespace schedlab
