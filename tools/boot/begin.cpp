// SPDX-License-Identifier: GPL-2.0-or-later
// Runs that begin in a saved state.
#include <cstdlib>
#include <fmt/format.h>
#include <map>
#include <mutex>

#include "boot/boot_dir.h"
#include "boot/qmp.h"
#include "boot/saved_state.h"
#include "boot/watch.h"
#include "sys/threads.h"

namespace schedlab {

namespace {

struct NoState {
    std::string why;
};
using Beginning = std::variant<SavedState, BootResult, NoState>;

// What this process knows of a state; looked for, and its content verified, once.
struct Place {
    std::mutex mutex;
    std::optional<SavedState> state;
    std::optional<NoState> none;
};

Place &place_for(const BootRequest &request) {
    static std::mutex mutex;
    static std::map<std::vector<std::string>, Place> places;
    std::vector<std::string> key = save_command(*request.machine, {.kernel = request.kernel}).argv;
    key.push_back(request.machine->name);
    if (request.machine->modelled)
        key.push_back(timing_file(*request.machine->timing));
    for (const GuestFile &file : request.files)
        key.insert(key.end(), {file.source.string(), file.target});
    const std::lock_guard lock(mutex);
    return places[key];
}

Beginning look_in(Place &place, const BootRequest &request) {
    const std::lock_guard lock(place.mutex);
    if (place.none)
        return *place.none;
    if (!place.state) {
        try {
            auto found = find_or_make_state(request);
            const auto *boot = std::get_if<BootResult>(&found);
            if (boot && boot->end != BootEnd::qemu_failed)
                return *boot;
            if (boot) // perhaps it refuses the watchdog
                return *(place.none = NoState{boot->message});
            place.state = std::get<SavedState>(found);
        } catch (const Error &e) {
            if (e.code() == Exit::interrupted || e.code() == Exit::usage)
                throw;
            return *(place.none = NoState{e.what()});
        }
    }
    return *place.state;
}

// A state that could not be begun in.
void forget(Place &place, const SavedState &state, const std::string &why, bool for_good) {
    const std::lock_guard lock(place.mutex);
    remove_state(state);
    place.state.reset();
    if (for_good)
        place.none = NoState{why};
}

// The job is in place before the machine goes on, so its arrival takes no time that differs. Loading leaves work to the
// thread of the virtual CPUs (flushing TLBs). It has to be done before that: else, on a busy host, this thread starts its
// timers before QEMU's main thread has moved the clock to the first deadline, or after, as it happens.
// Throws what keeps the state from being begun in.
BootResult run_in(const SavedState &state, const BootRequest &request) {
    const BootDir dir(*request.machine, request.job);
    Qmp qmp;
    Command command = resume_command(*request.machine, dir.files, request.job.seed);
    command.log = dir.log();
    command.pass_fds = {{qmp.emulators_end(), control_fd}};
    Watch watch(request, dir.files);
    watch.said_before(state.hello, state.console);
    {
        Child emulator(command);
        qmp.greet();
        qmp.load(state.file());
        wait_until_asleep(emulator.pid(), std::chrono::minutes(1));
        qmp.go_on();
        watch.follow(emulator);
    }
    return watch.result(dir.log());
}

BootResult booted_whole(const BootRequest &request, const std::string &why) {
    BootResult result = boot(request);
    result.note = fmt::format("{} was booted for each run, not begun in a saved state: {}", request.machine->name, why);
    for (Record &record : result.records)
        record.warnings.push_back(result.note);
    return result;
}

bool states_are_wanted() {
    const char *wanted = std::getenv("SCHEDLAB_SAVED_STATES");
    return !wanted || std::string_view(wanted) != "0";
}

} // namespace

std::vector<std::string> emulator_arguments(const Machine &machine) {
    return (states_are_wanted() ? resume_command(machine, {}, 0) : boot_command(machine, {}, 0)).argv;
}

BootResult begin(const BootRequest &request) {
    if (!states_are_wanted())
        return boot(request);
    require_qemu(*request.machine);
    Place &place = place_for(request);
    for (int tries = 2;;) {
        const Beginning beginning = look_in(place, request);
        if (const auto *boot = std::get_if<BootResult>(&beginning))
            return *boot;
        if (const auto *none = std::get_if<NoState>(&beginning))
            return booted_whole(request, none->why);
        const auto &state = std::get<SavedState>(beginning);
        try {
            return run_in(state, request);
        } catch (const Error &e) {
            if (e.code() != Exit::failed)
                throw;
            forget(place, state, e.what(), --tries == 0);
        }
    }
}

} // namespace schedlab
