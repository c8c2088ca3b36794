// SPDX-License-Identifier: GPL-2.0-or-later
// What a guest, a board or this machine is asked to do in one run, and what it says back.
//
// Host → guest: one Job as JSON. Guest → host: JSON lines, each with a "type":
//   hello     version, release, arch, topology, domains, features (names): sent first (the truth check reads it)
//   progress  text
//   event     line: one line that a probe recorded
//   record    record: one Record (core/record.h)
//   ktap      line: one line of a selftest's output
//   error     message, remedy, code: the guest could not do the job
//   timeout   seconds: the job took more guest time than it may
//   end       status; nothing follows. A stream without it was truncated.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace schedlab {

struct Job {
    // What to do: "load" runs `load` under `probes`; "check" says hello and ends; "shell" gives an
    // interactive shell on the console; "selftest" runs the guest test at the path `load`, with the arguments in
    // the option "tests".
    std::string action = "load";
    std::string load;                            // name in the load registry
    nlohmann::ordered_json options;              // the load's options by name, complete (defaults filled in)
    std::vector<std::string> probes;             // names in the probe registry
    std::map<std::string, bool> features;        // scheduler features to switch before the load
    std::uint64_t seed = 1;                      // of everything random in the run
    std::uint64_t start_delay_us = 0;            // idle time before the load, drawn from the seed by the host
    std::uint64_t virtual_limit_s = 600;         // the guest gives up after this much guest time
};

void to_json(nlohmann::ordered_json &, const Job &);
void from_json(const nlohmann::ordered_json &, Job &);

} // namespace schedlab
