// SPDX-License-Identifier: GPL-2.0-or-later
// schedlab selftest: what the series promises, tested in the guest, printed as KTAP.
#include <cstdio>
#include <fmt/format.h>
#include <set>

#include "boot/boot.h"
#include "cmd/kernel_choice.h"
#include "core/error.h"
#include "core/ktap.h"

namespace schedlab {

namespace fs = std::filesystem;

namespace {

struct Options {
    std::string machine, time = "instructions";
    KernelChoice kernel;
    std::vector<std::string> features, tests;
    std::uint64_t seed = 1;
    bool quiet = false;
};

using Chosen = std::map<std::string, std::vector<std::string>>; // suite → its tests; none: all

// False: help was asked for.
bool parse(const Args &args, Options &o) {
    CLI::App app("Runs the guest tests of the patch series on a machine. A suite is a directory of selftests/guest, named "
                 "after the\ntopic it tests. Exits with 1 if a test fails or a suite does not end as planned.",
                 "schedlab selftest");
    app.add_option("--machine", o.machine, "the model to run on ('schedlab machine list'), or a .conf file")->required();
    add_kernel_choice(app, o.kernel);
    app.add_option("--feature", o.features, "scheduler feature to switch first: F=0 or F=1; repeatable")
        ->allow_extra_args(false)
        ->check(CLI::Validator(
            [](const std::string &text) {
                const bool good = text.size() > 2 && (text.ends_with("=0") || text.ends_with("=1"));
                return good ? std::string{} : "'" + text + "' is not F=0 or F=1";
            },
            "F=0|F=1"));
    add_time_option(app, o.time);
    app.add_option("--seed", o.seed, "of the machine and of what the tests draw")->capture_default_str();
    app.add_flag("--quiet", o.quiet, "no progress");
    app.add_option("TEST", o.tests, "SUITE or SUITE/TEST; all suites if none is named");
    if (!parse_command_line(app, args))
        return false;
    require_kernel(o.kernel, "selftest");
    return true;
}

fs::path suites_of(const std::string &arch) { return guest_program(arch).parent_path() / "selftests"; }

Chosen choose(const std::vector<std::string> &tests, const fs::path &suites) {
    std::set<std::string> known;
    if (fs::is_directory(suites))
        for (const fs::directory_entry &entry : fs::directory_iterator(suites))
            if (entry.is_regular_file() && entry.path().extension().empty())
                known.insert(entry.path().filename());
    if (known.empty())
        throw environment_error(fmt::format("no guest tests in {}", suites.string()), "'make guest' builds them");

    Chosen chosen;
    for (const std::string &text : tests) {
        const std::size_t slash = text.find('/');
        const std::string suite = text.substr(0, slash);
        if (!known.contains(suite))
            throw usage_error(fmt::format("no guest tests '{}'", suite), fmt::format("there are: {}", fmt::join(known, ", ")));
        if (slash != text.npos)
            chosen[suite].push_back(text.substr(slash + 1));
        else
            chosen[suite];
    }
    if (chosen.empty())
        for (const std::string &suite : known)
            chosen[suite];
    return chosen;
}

BootRequest request_for(const std::string &suite, const std::vector<std::string> &tests, const Machine &machine,
                        const Image &kernel, const Options &o) {
    BootRequest request;
    request.machine = &machine;
    request.kernel = kernel.image;
    request.files = {{suites_of(machine.arch) / suite, "/selftests/" + suite}};
    request.wall_limit = std::chrono::seconds(600);
    request.job.action = "selftest";
    request.job.load = "/selftests/" + suite;
    request.job.options["tests"] = tests;
    request.job.seed = o.seed;
    for (const std::string &text : o.features)
        request.job.features[text.substr(0, text.size() - 2)] = text.ends_with('1');
    return request;
}

// A test program ends with 0, 1 (a failure it has reported), 2 (it knows no such test) or 4 (all skipped).
std::string fault_of(const KtapReport &report, int status) {
    if (!report.fault.empty())
        return report.fault;
    const bool said = status == 0 || (status == 1 && !report.good()) || status == 4;
    return said ? "" : fmt::format("it ended with status {}", status);
}

} // namespace

int cmd_selftest(const Args &args) {
    Options o;
    if (!parse(args, o))
        return 0;
    Machine machine = find_machine(o.machine);
    machine.modelled = o.time == "model";
    require_boot(machine);
    const Chosen chosen = choose(o.tests, suites_of(machine.arch));
    ProgressLine progress(stderr, o.quiet);
    const Image kernel = build_choice(o.kernel, machine.arch, {}, progress);

    std::size_t passed = 0, failed = 0, skipped = 0, broken = 0;
    for (const auto &[suite, tests] : chosen) {
        progress.update(fmt::format("{} on {}, {}", suite, machine.name, kernel.title), -1);
        const BootResult result = checked(boot(request_for(suite, tests, machine, kernel, o)));
        const KtapReport report = parse_ktap(result.ktap);
        if (result.status == int(Exit::usage))
            throw usage_error(fmt::format("{}: {}", suite, report.fault));
        for (const std::string &line : result.ktap)
            fmt::print("{}\n", line);
        if (const std::string fault = fault_of(report, result.status); !fault.empty()) {
            fmt::print("# {}: {}\n{}", suite, fault, result.console_tail());
            ++broken;
        }
        passed += report.count(TestOutcome::passed);
        failed += report.count(TestOutcome::failed);
        skipped += report.count(TestOutcome::skipped) + !report.skipped_whole.empty();
    }
    fmt::print("# {}, {}: {} passed, {} failed, {} skipped{}\n", machine.name, kernel.title, passed, failed, skipped,
               broken ? fmt::format(", {} not as planned", broken) : "");
    return int(failed || broken ? Exit::failed : Exit::ok);
}

} // namespace schedlab
