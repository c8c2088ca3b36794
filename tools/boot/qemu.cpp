// SPDX-License-Identifier: GPL-2.0-or-later
#include "boot/qemu.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <mutex>
#include <stdexcept>

#include "boot/boot.h"
#include "core/emulator.h"
#include "core/error.h"
#include "emulator/emulator.h"
#include "sys/files.h"

namespace schedlab {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

// What differs between architectures in the way a guest is booted.
struct Architecture {
    std::string_view name, emulator, package;
    std::string_view console, channel; // the serial ports as Linux names them
    std::string_view command_line;
};

constexpr Architecture architectures[] = {
    {"arm64", "qemu-system-aarch64", "qemu-system-arm", "ttyAMA0", "ttyAMA1", ""},
    {"x86_64", "qemu-system-x86_64", "qemu-system-x86", "ttyS0", "ttyS1", "tsc=reliable reboot=t"},
};

const Architecture &architecture(const std::string &name) {
    for (const Architecture &arch : architectures)
        if (arch.name == name)
            return arch;
    throw std::logic_error("no architecture " + name);
}

// A comma ends an option's value in QEMU; two stand for one.
std::string escaped(const fs::path &path) {
    std::string text;
    for (char c : path.string())
        text += c == ',' ? ",," : std::string(1, c);
    return text;
}

void append(Words &words, const Words &more) { words.insert(words.end(), more.begin(), more.end()); }

// The machine itself: no default devices, no configuration of the user's, no display.
Words machine_words(const Machine &machine) {
    Words words = {machine.modelled ? require_emulator(machine.arch).program.string()
                                    : std::string(architecture(machine.arch).emulator)};
    append(words, {"-no-user-config", "-nodefaults", "-display", "none"});
    append(words, {"-no-reboot"});
    append(words, machine.qemu_args);
    append(words, {"-m", fmt::format("{}M", machine.memory_mib)});
    return words;
}

// Each instruction advances the virtual clock by 2^icount_shift ns.
constexpr int icount_shift = 0;

// nokaslr, seeds trusted at once: the same boot, instruction by instruction. panic=-1: a panic ends the emulator
// (-no-reboot) rather than the wall limit. sched_verbose: the kernel tells its domains.
std::string kernel_command_line(const Machine &machine) {
    const Architecture &arch = architecture(machine.arch);
    const std::string time = machine.modelled ? "SCHEDLAB_TIME=modelled"
                                              : fmt::format("SCHEDLAB_NS_PER_INSTRUCTION={}", 1 << icount_shift);
    std::string line = fmt::format("console={} SCHEDLAB_CHANNEL=/dev/{} {} panic=-1 "
                                   "nokaslr sched_verbose random.trust_cpu=on random.trust_bootloader=on",
                                   arch.console, arch.channel, time);
    for (const std::string_view more : {arch.command_line, std::string_view(machine.command_line)})
        if (!more.empty())
            line.append(" ").append(more);
    return line;
}

Words guest_words(const Machine &machine, const BootFiles &files) {
    Words words = {"-kernel", files.kernel, "-initrd", files.initramfs, "-append", kernel_command_line(machine)};
    if (!files.device_tree.empty())
        append(words, {"-dtb", files.device_tree});
    return words;
}

Words job_words(const BootFiles &files) {
    if (files.job.empty())
        return {};
    return {"-fw_cfg", fmt::format("name={},file={}", job_item, escaped(files.job))};
}

// Regular files never make a writer wait, so the host's speed cannot reach the guest.
Words to_file(const char *port, const fs::path &file) {
    return {"-chardev", fmt::format("file,id={},path={}", port, escaped(file)),
            "-serial", fmt::format("chardev:{}", port)};
}

// Each virtual CPU has a clock of its own if time is modelled; else all take turns on one.
std::string clock_option(const Machine &machine, const BootFiles &files) {
    std::string option = fmt::format("shift={},sleep=off", icount_shift);
    if (machine.modelled)
        option += fmt::format(",parallel=on,quantum={},timing={}", machine.timing->quantum_ns, escaped(files.timing));
    return option;
}

// A machine that is a function of its files and `seed`.
Words exact_words(const Machine &machine, const BootFiles &files, std::uint64_t seed) {
    Words words = machine_words(machine);
    append(words, to_file("console", files.console));
    append(words, to_file("channel", files.channel));
    append(words, job_words(files));
    append(words, {"-accel", "tcg,thread=single", "-icount", clock_option(machine, files),
                   "-rtc", "base=2020-01-01T00:00:00,clock=vm", "-seed", std::to_string(seed)});
    return words;
}

// The watchdog bites in the emulator's main loop, between two instructions that are always the same: a command of ours
// would come between any two.
Words saving_words() {
    return {"-device", fmt::format("i6300esb,addr={:#x}", watchdog_slot), "-action", "watchdog=pause",
            "-chardev", fmt::format("socket,id=control,fd={}", control_fd), "-mon", "chardev=control,mode=control"};
}

} // namespace

std::string qemu_version(const std::string &arch) {
    static std::mutex mutex;
    static std::map<std::string, std::string> known; // an installation does not change under a run
    const std::lock_guard lock(mutex);
    const std::string emulator(architecture(arch).emulator);
    if (const auto at = known.find(emulator); at != known.end())
        return at->second;
    if (!find_program(emulator))
        return {};
    // "QEMU emulator version 10.0.2 (Debian 1:10.0.2+ds-2)"
    const std::string text = run_checked({.argv = {emulator, "--version"}});
    const std::size_t from = text.find("version ") + 8;
    return known[emulator] = from < 8 ? text : text.substr(from, text.find_first_of(" \n", from) - from);
}

std::string emulator_version(const Machine &machine) {
    if (!machine.modelled)
        return qemu_version(machine.arch);
    const Emulator emulator = require_emulator(machine.arch);
    return fmt::format("{} {}", emulator.version, emulator.key);
}

void require_qemu(const Machine &machine) {
    if (machine.modelled && !machine.timing)
        throw usage_error(fmt::format("the model of {} does not say what things take: it has no [timing]", machine.name),
                          "docs/timing.md tells how to find it out");
    if (machine.modelled) {
        require_emulator(machine.arch);
        return;
    }
    const std::string &arch = machine.arch;
    const Architecture &facts = architecture(arch);
    const std::string remedy = fmt::format("install {} {} or newer; 'make setup' does (Debian 12: from backports)",
                                           facts.package, oldest_qemu_major);
    const std::string version = qemu_version(arch);
    if (version.empty())
        throw environment_error(fmt::format("{} is not installed", facts.emulator), remedy);
    if (std::atoi(version.c_str()) < oldest_qemu_major)
        throw environment_error(fmt::format("{} is version {}, which is too old", facts.emulator, version), remedy);
}

Command boot_command(const Machine &machine, const BootFiles &files, std::uint64_t seed) {
    Words words = exact_words(machine, files, seed);
    append(words, guest_words(machine, files));
    return {.argv = std::move(words)};
}

Command save_command(const Machine &machine, const BootFiles &files) {
    Words words = exact_words(machine, files, state_seed);
    append(words, guest_words(machine, files));
    append(words, saving_words());
    return {.argv = std::move(words)};
}

// Kernel, initramfs and device tree are in the state's memory.
Command resume_command(const Machine &machine, const BootFiles &files, std::uint64_t seed) {
    Words words = exact_words(machine, files, seed);
    append(words, saving_words());
    append(words, {"-incoming", "defer"});
    return {.argv = std::move(words)};
}

Command shell_command(const Machine &machine, const BootFiles &files) {
    Words words = machine_words(machine);
    append(words, guest_words(machine, files));
    append(words, job_words(files));
    append(words, {"-chardev", "stdio,id=console,mux=on,signal=off", "-serial", "chardev:console", "-mon", "console"});
    append(words, to_file("channel", files.channel));
    append(words, {"-accel", "tcg,thread=multi"});
    return {.argv = std::move(words), .inherit_terminal = true};
}

std::string dump_device_tree(const Machine &machine) {
    static std::mutex mutex;
    static std::map<Words, std::string> known;
    Words words = machine_words(machine);
    const std::lock_guard lock(mutex);
    std::string &tree = known[words];
    if (tree.empty()) {
        const TempDir dir("device-tree");
        const fs::path file = dir.path() / "dtb";
        Words dump = words;
        // The serial ports of a boot, so that the tree has both.
        append(dump, {"-serial", "null", "-serial", "null", "-machine", "dumpdtb=" + escaped(file)});
        // A big machine on a busy host has been seen to need 40 s.
        run_checked({.argv = dump, .timeout = 300s}, fmt::format("check 'qemu' in the model of {}", machine.name));
        tree = read_file(file);
    }
    return tree;
}

bool kvm_boots(const std::string &arch) {
    if (!find_program(std::string(architecture(arch).emulator)))
        return false;
    const TempDir dir("kvm");
    const fs::path firmware = dir.path() / "firmware";
    Words words = {std::string(architecture(arch).emulator), "-nodefaults", "-display", "none", "-no-reboot",
                   "-accel", "kvm", "-cpu", "host"};
    int success = 0;
    if (arch == "x86_64") {
        // At the reset vector: mov al, 16; out 0xf4, al; hlt. The exit device makes 2 * 16 + 1 of it.
        std::string rom(64 << 10, '\0');
        rom.replace(rom.size() - 16, 5, "\xb0\x10\xe6\xf4\xf4");
        write_file_atomically(firmware, rom);
        append(words, {"-M", "q35", "-device", "isa-debug-exit,iobase=0xf4,iosize=4", "-bios", firmware});
        success = 33;
    } else {
        // mov w0, #8; movk w0, #0x8400, lsl #16; hvc #0: PSCI's SYSTEM_OFF.
        write_file_atomically(firmware, std::string("\x00\x01\x80\x52\x00\x80\xb0\x72\x02\x00\x00\xd4", 12));
        append(words, {"-M", "virt,gic-version=max", "-kernel", firmware});
    }
    const Finished guest = run({.argv = words, .timeout = 5s});
    return !guest.timed_out && guest.status == success;
}

} // namespace schedlab
