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

BootDir::BootDir() : dir_("boot") {
    files.console = dir_.path() / "console";
    files.channel = dir_.path() / "channel";
}

BootDir::BootDir(const Machine &machine, const Job &job) : BootDir() {
    put_timing(machine);
    put(job);
}

BootDir::BootDir(const Machine &machine, const fs::path &kernel, const Job *job, std::vector<GuestFile> guest_files)
    : BootDir() {
    if (!fs::is_regular_file(kernel))
        throw usage_error(fmt::format("no kernel image in '{}'", kernel.string()));
    files.kernel = kernel;
    files.initramfs = dir_.path() / "initramfs";
    guest_files.push_back({guest_program(machine.arch), "/init"});
    write_initramfs(files.initramfs, guest_files);
    if (machine.arch == "arm64") {
        files.device_tree = dir_.path() / "device-tree";
        const std::uint64_t seed = job ? job->seed : state_seed;
        write_file_atomically(files.device_tree, edit_device_tree(dump_device_tree(machine), machine, seed));
    }
    put_timing(machine);
    if (job)
        put(*job);
}

void BootDir::put_timing(const Machine &machine) {
    if (!machine.modelled)
        return;
    files.timing = dir_.path() / "timing";
    write_file_atomically(files.timing, timing_file(*machine.timing));
}

void BootDir::put(const Job &job) {
    files.job = dir_.path() / "job";
    write_file_atomically(files.job, padded(nlohmann::ordered_json(job).dump()));
}

} // namespace schedlab
