// SPDX-License-Identifier: GPL-2.0-or-later
// The subcommand table → exit code; nothing else.
#include <cstdio>
#include <iterator>
#include <string_view>

#include "cmd/command.h"
#include "core/error.h"
#include "loads/spawn.h"
#include "sys/interrupt.h"

#ifndef SCHEDLAB_VERSION
#define SCHEDLAB_VERSION "unknown"
#endif

namespace {

struct Subcommand {
    std::string_view name;
    std::string_view summary;
    int (*run)(const schedlab::Args &);
};

constexpr Subcommand subcommands[] = {
    {"ab", "compare two kernels, or one with a feature off and on, on a machine under a load", schedlab::cmd_ab},
    {"bench", "run a load on this machine and print its metrics", schedlab::cmd_bench},
    {"compare", "compare results in files: logs of other tools, exported runs", schedlab::cmd_compare},
    {"doctor", "say what works here and what to do about the rest", schedlab::cmd_doctor},
    {"emulator", "build and check QEMU with modelled time", schedlab::cmd_emulator},
    {"import", "keep results in logs of other tools as runs", schedlab::cmd_import},
    {"gate", "say whether kept runs are no worse than a baseline", schedlab::cmd_gate},
    {"kernel", "fetch, patch, build, list and prune kernels", schedlab::cmd_kernel},
    {"machine", "list, show, check, boot and use emulated machines", schedlab::cmd_machine},
    {"report", "print a kept comparison as text, mail, Markdown, CSV, JSON or HTML", schedlab::cmd_report},
    {"runs", "list, show, compare, tag, export, import and delete kept runs", schedlab::cmd_runs},
    {"selftest", "run the guest tests of the patch series on a machine", schedlab::cmd_selftest},
    {"stress", "change a machine under a load, again and again, and watch what the kernel reports", schedlab::cmd_stress},
    {"trace", "run a command here and print its placement ledger", schedlab::cmd_trace},
};

void print_help(std::FILE *to) {
    std::fputs("usage: schedlab COMMAND [OPTIONS]\n\n"
               "Does a scheduler patch help, on which machine, by how much, and why?\n\n",
               to);
    for (const Subcommand &s : subcommands)
        std::fprintf(to, "  %-10.*s %.*s\n", int(s.name.size()), s.name.data(), int(s.summary.size()),
                     s.summary.data());
    std::fputs("\n'schedlab COMMAND --help' tells a command's options; 'man schedlab' tells all.\n", to);
}

int dispatch(std::string_view name, const schedlab::Args &args) {
    for (const Subcommand &s : subcommands)
        if (s.name == name)
            return s.run(args);
    throw schedlab::usage_error("unknown command '" + std::string(name) + "'",
                                "'schedlab --help' lists the commands");
}

} // namespace

int main(int argc, char **argv) {
    if (const auto status = schedlab::spawned_step(argc, argv))
        return *status;
    schedlab::install_interrupt_handlers();
    const std::string_view first = argc > 1 ? argv[1] : "";
    if (first == "--version") {
        std::puts("schedlab " SCHEDLAB_VERSION);
        return 0;
    }
    if (first.empty() || first == "--help" || first == "-h" || first == "help") {
        print_help(first.empty() ? stderr : stdout);
        return first.empty() ? int(schedlab::Exit::usage) : 0;
    }
    try {
        return dispatch(first, schedlab::Args(argv + 2, argv + argc));
    } catch (const schedlab::Error &e) {
        std::fprintf(stderr, "schedlab: %s\n", e.what());
        if (!e.remedy().empty())
            std::fprintf(stderr, "  %s\n", e.remedy().c_str());
        return int(e.code());
    } catch (const std::exception &e) {
        std::fprintf(stderr, "schedlab: internal error: %s\n", e.what());
        return int(schedlab::Exit::environment);
    }
}
