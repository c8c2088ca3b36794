// SPDX-License-Identifier: GPL-2.0-or-later
// A subcommand is a row of main.cpp's table. Its function parses its own options (CLI11) and makes one call.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace schedlab {

using Args = std::vector<std::string>; // what follows the subcommand's name

int cmd_ab(const Args &);
int cmd_bench(const Args &);
int cmd_compare(const Args &);
int cmd_doctor(const Args &);
int cmd_emulator(const Args &);
int cmd_import(const Args &);
int cmd_gate(const Args &);
int cmd_kernel(const Args &);
int cmd_machine(const Args &);
int cmd_report(const Args &);
int cmd_runs(const Args &);
int cmd_selftest(const Args &);
int cmd_stress(const Args &);
int cmd_trace(const Args &);

} // namespace schedlab
