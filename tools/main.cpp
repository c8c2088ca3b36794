// SPDX-License-Identifier: GPL-2.0-or-later
// The subcommand table → exit code, and that all output was written; nothing else.
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <system_error>

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

// A reader that has enough (| head) ends a program without a word, as the signal would that is ignored here.
[[noreturn]] void end_by_closed_pipe() {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
    std::_Exit(128 + SIGPIPE);
}

// What is printed, is printed whole.
void finish_output() {
    errno = 0;
    const bool failed = std::fflush(stdout) != 0;
    if (!failed && !std::ferror(stdout))
        return;
    if (errno == EPIPE)
        end_by_closed_pipe();
    throw schedlab::environment_error("cannot write the output" + (failed ? ": " + schedlab::errno_text(errno) : std::string()),
                                      "some of it is missing; run it again with room for all of it");
}

int run(int argc, char **argv) {
    const std::string_view first = argc > 1 ? argv[1] : "";
    int status = 0;
    if (first == "--version") {
        std::puts("schedlab " SCHEDLAB_VERSION);
    } else if (first.empty() || first == "--help" || first == "-h" || first == "help") {
        print_help(first.empty() ? stderr : stdout);
        status = first.empty() ? int(schedlab::Exit::usage) : 0;
    } else {
        status = dispatch(first, schedlab::Args(argv + 2, argv + argc));
    }
    finish_output();
    return status;
}

} // namespace

int main(int argc, char **argv) {
    if (const auto status = schedlab::spawned_step(argc, argv))
        return *status;
    schedlab::install_interrupt_handlers();
    try {
        return run(argc, argv);
    } catch (const schedlab::Error &e) {
        std::fprintf(stderr, "schedlab: %s\n", e.what());
        if (!e.remedy().empty())
            std::fprintf(stderr, "  %s\n", e.remedy().c_str());
        return int(e.code());
    } catch (const std::system_error &e) {
        if (e.code().value() == EPIPE)
            end_by_closed_pipe();
        std::fprintf(stderr, "schedlab: %s\n", e.what()); // fmt tells so that it cannot write
        return int(schedlab::Exit::environment);
    } catch (const std::exception &e) {
        std::fprintf(stderr, "schedlab: internal error: %s\n", e.what());
        return int(schedlab::Exit::environment);
    }
}
