// SPDX-License-Identifier: GPL-2.0-or-later
// An interactive shell on a machine: a static busybox of its architecture, from this system's Debian mirror.
#include <fmt/format.h>

#include "boot/boot_dir.h"
#include "boot/transcript.h"
#include "sys/places.h"
#include "sys/process.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

fs::path busybox(const std::string &arch) {
    const fs::path kept = cache_root() / "busybox" / arch / "busybox";
    if (fs::exists(kept))
        return kept;
    const TempDir work("busybox", cache_root());
    run_checked({.argv = {data_root() / "tools/setup/apt-isolated", "own", arch == "x86_64" ? "amd64" : arch,
                          work.path() / "debs", "busybox-static"}});
    for (const fs::directory_entry &deb : fs::directory_iterator(work.path() / "debs"))
        run_checked({.argv = {"dpkg-deb", "-x", deb.path(), work.path() / "root"}});
    write_file_atomically(kept, read_file(work.path() / "root/bin/busybox"));
    return kept;
}

} // namespace

int boot_shell(const Machine &machine, const fs::path &kernel) {
    require_qemu(machine);
    Job job;
    job.action = "shell";
    const BootDir dir(machine, kernel, &job, {{busybox(machine.arch), "/bin/busybox"}});
    const int status = Child(shell_command(machine, dir.files)).wait();
    Transcript said;
    said.feed(read_file_or(dir.files.channel));
    if (said.error)
        throw *said.error;
    if (!said.end_status)
        throw run_error(fmt::format("{}: the machine went off before the shell had ended", machine.name),
                        status == 0 ? "" : fmt::format("QEMU ended with status {}", status));
    return *said.end_status;
}

} // namespace schedlab
