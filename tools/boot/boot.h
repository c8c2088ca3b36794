// SPDX-License-Identifier: GPL-2.0-or-later
// One boot of a kernel on a machine model, from power-on to the guest's last word.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/job.h"
#include "core/machine.h"
#include "core/record.h"

namespace schedlab {

enum class BootEnd {
    done,       // the guest said "end"
    guest_error,// the guest reported an error of its own
    panic,      // kernel panic
    warning,    // WARN, BUG, lockdep, KCSAN, KASAN, RCU stall: the job may have ended, the result cannot be trusted
    hang,       // guest time or wall time ran out
    guest_exit, // init ended or the machine powered off without "end"
    truncated,  // the channel stopped inside a line
    untrue,     // the domains are not the machine's: the truth check failed
    qemu_failed,// the emulator did not run
    out_of_memory // the guest's OOM killer ended something
};
std::string_view to_string(BootEnd);

// A file put into the initramfs beside the guest program (guest tests).
struct GuestFile {
    std::filesystem::path source; // on this machine
    std::string target;           // absolute path in the guest; mode 0755
};

struct BootRequest {
    const Machine *machine = nullptr;
    std::filesystem::path kernel;        // Image or bzImage
    Job job;
    std::vector<GuestFile> files;
    std::chrono::seconds wall_limit{0};  // killed after; 0: by the number of CPUs
    bool check_truth = true;
    std::function<void(const std::string &)> on_console; // each console line as it comes; may be empty
};

struct BootResult {
    BootEnd end = BootEnd::qemu_failed;
    std::string message;                 // one line: what ended it, for people
    std::string remedy;
    Exit code = Exit::failed;            // what it means for our own exit, unless `done`
    int status = 0;                      // the exit status of a selftest or a shell
    nlohmann::ordered_json hello;        // the guest's facts; null if it never spoke
    std::vector<Record> records;
    std::vector<std::string> events;     // lines that probes recorded
    std::vector<std::string> ktap;
    std::vector<std::string> truth;      // differences from the machine's description
    std::vector<std::string> console;    // all console lines
    double wall_seconds = 0;
    std::string note;                    // why begin() booted although a saved state was wanted; else empty

    std::size_t console_at = 0;          // where in the console the reason begins
    std::string console_tail(std::size_t lines = 20) const; // lines from there, indented
};

// Throws what boot() would throw for an emulator or guest program that is not there: asked before a kernel is built.
void require_boot(const Machine &machine);

BootResult boot(const BootRequest &request);
// The same, begun where a boot of this kernel, machine and guest was saved (docs/machines.md, "Boot once, run many"): the
// first one makes the saved state. What cannot be saved is booted, and a note of the result and a warning in its records
// say so. With SCHEDLAB_SAVED_STATES=0 in the environment it is boot().
BootResult begin(const BootRequest &request);
// QEMU's arguments for begin(), without the run's own files.
std::vector<std::string> emulator_arguments(const Machine &machine);
// `result`, or a thrown error (with the console's tail) unless it ended well.
BootResult checked(BootResult result);
// An interactive shell on the console of `machine`; returns when the user leaves.
int boot_shell(const Machine &machine, const std::filesystem::path &kernel);

// What emulates `machine`, by all that decides how it behaves.
std::string emulator_version(const Machine &machine);

// Facts about this system, for doctor. The emulator's version ("10.0.2"; empty: not installed) and the oldest that
// can run the models; whether KVM boots a guest of `arch` within a few seconds; the guest program (throws if it is not there).
std::string qemu_version(const std::string &arch);
inline constexpr int oldest_qemu_major = 10;
bool kvm_boots(const std::string &arch);
std::filesystem::path guest_program(const std::string &arch);

// All models: DATA/tools/machines/*.conf. find_machine also takes a path to a .conf; throws a usage error with the
// nearest name.
std::vector<Machine> all_machines();
Machine find_machine(const std::string &name_or_path);

} // namespace schedlab
