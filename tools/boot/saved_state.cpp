// SPDX-License-Identifier: GPL-2.0-or-later
#include "boot/saved_state.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

#include "boot/boot_dir.h"
#include "boot/qmp.h"
#include "boot/watch.h"
#include "sys/hash.h"
#include "sys/places.h"

namespace schedlab {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

// Raised when a guest in the same state would be another.
constexpr int recipe = 1;

// All that the state depends on. No seed: what a run draws from its seed, it draws later.
std::string state_key(const BootRequest &request) {
    const Machine &machine = *request.machine;
    Json key = {recipe, emulator_version(machine), save_command(machine, {}).argv, sha256_file(request.kernel),
                sha256_file(guest_program(machine.arch))};
    if (machine.modelled)
        key.push_back(timing_file(*machine.timing));
    for (const GuestFile &file : request.files)
        key.push_back({file.target, sha256_file(file.source)});
    for (const CapacityEdit &edit : machine.capacities)
        key.push_back({edit.cpus.to_list(), edit.dmips_mhz});
    for (const CacheEdit &edit : machine.caches)
        key.push_back({"cache", edit.level, edit.cpus.to_list()});
    return sha256_hex(key.dump());
}

// Of a file that is mostly holes: each piece of data with its place. A hole and written zeros are the same.
std::string digest(const fs::path &file) {
    constexpr off_t piece = 64 << 10;
    const std::string zeros(piece, '\0');
    const Fd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
    std::string digests, bytes(piece, '\0');
    off_t at = 0;
    while (fd && (at = ::lseek(fd.get(), at, SEEK_DATA)) >= 0) {
        at -= at % piece;
        const ssize_t n = ::pread(fd.get(), bytes.data(), piece, at);
        if (n <= 0)
            throw file_error("read", file, errno);
        if (const std::string_view data(bytes.data(), std::size_t(n)); data != std::string_view(zeros).substr(0, data.size()))
            digests += fmt::format("{} {}\n", at, sha256_hex(data));
        at += piece;
    }
    return sha256_hex(fmt::format("{}{}", digests, fs::file_size(file)));
}

std::vector<std::string> lines_of(const fs::path &file) {
    std::vector<std::string> lines;
    std::istringstream text(read_file(file));
    for (std::string line; std::getline(text, line);)
        lines.push_back(line);
    return lines;
}

// If it is there, and whole. Counts as a use.
std::optional<SavedState> find_state(const fs::path &dir) {
    const Json manifest = Json::parse(read_file_or(dir / "manifest.json"), nullptr, false);
    if (!manifest.is_object() || !fs::exists(dir / "state") ||
        digest(dir / "state") != manifest.value("sha256", ""))
        return std::nullopt;
    std::error_code read_only; // then it does not grow old either
    fs::last_write_time(dir / "manifest.json", fs::file_time_type::clock::now(), read_only);
    return SavedState{dir, manifest.at("hello"), lines_of(dir / "console")};
}

SavedState store_state(const fs::path &made, const fs::path &dir, const Machine &machine, const BootResult &boot) {
    const std::string release = boot.hello.value("release", "");
    write_file_atomically(made / "console", fmt::format("{}\n", fmt::join(boot.console, "\n")));
    write_file_atomically(made / "manifest.json", Json{{"title", fmt::format("{}, Linux {}", machine.name, release)},
                                                       {"arch", machine.arch},
                                                       {"sha256", digest(made / "state")},
                                                       {"hello", boot.hello}}
                                                      .dump(2));
    fs::remove_all(dir); // a damaged one
    fs::rename(made, dir);
    return {dir, boot.hello, boot.console};
}

std::variant<SavedState, BootResult> make_state(const BootRequest &request, const fs::path &dir) {
    const BootDir files(*request.machine, request.kernel, nullptr, request.files);
    TempDir work("state", dir.parent_path());
    Qmp qmp;
    Command command = save_command(*request.machine, files.files);
    command.log = files.log();
    command.pass_fds = {{qmp.emulators_end(), control_fd}};
    Watch watch(request, files.files);
    {
        Child emulator(command);
        bool greeted = false;
        const auto stopped = [&] {
            try {
                if (!std::exchange(greeted, true))
                    qmp.greet();
                return qmp.stopped();
            } catch (const Error &) {
                if (!emulator.wait_for(std::chrono::seconds(1)))
                    throw;
                return false; // an emulator that has ended has said why
            }
        };
        if (watch.follow(emulator, stopped))
            qmp.save(work.path() / "state");
    }
    BootResult boot = watch.result(files.log());
    if (!fs::exists(work.path() / "state"))
        return boot;
    return store_state(work.release(), dir, *request.machine, boot);
}

} // namespace

std::variant<SavedState, BootResult> find_or_make_state(const BootRequest &request) {
    if (!fs::is_regular_file(request.kernel))
        throw usage_error(fmt::format("no kernel image in '{}'", request.kernel.string()));
    const fs::path states = cache_root() / "states";
    fs::create_directories(states);
    const std::string key = state_key(request);
    const FileLock lock(states / (key + ".lock"));
    if (auto found = find_state(states / key))
        return *found;
    return make_state(request, states / key);
}

void remove_state(const SavedState &state) {
    const TempDir bin("removed", state.dir.parent_path());
    std::error_code gone; // somebody else was first
    fs::rename(state.dir, bin.path() / "state", gone);
}

} // namespace schedlab
