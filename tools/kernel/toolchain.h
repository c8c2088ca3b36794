// SPDX-License-Identifier: GPL-2.0-or-later
// What compiles a kernel: the architecture's facts, the tools, and Kbuild run with them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sys/process.h"

namespace schedlab {

struct KernelArch {
    std::string name;        // "arm64", "x86_64": what --arch takes, and make's ARCH
    std::string source_arch; // directory under arch/
    std::string triplet;     // GNU's name: aarch64-linux-gnu
    std::string target;      // make's: Image, bzImage
};
const KernelArch &find_arch(const std::string &name); // throws a usage error with the names there are
std::string host_arch(); // of this machine, in the same words; as uname spells it if unknown

// One kernel's build: an out-of-tree Kbuild that gives the same image for the same input, whenever, wherever and
// by whomever it is run.
struct Kbuild {
    const KernelArch *arch = nullptr;
    std::filesystem::path source, out;
    std::filesystem::path ccache; // its directory; empty = no ccache
    std::filesystem::path log;    // what make prints
    int lock = -1;                // a descriptor that all processes of make hold, should we be killed

    std::filesystem::path image() const; // in `out`
    std::string cross_compile() const;   // "aarch64-linux-gnu-"; empty for this machine's own
    // The make invocation for `targets`; with its output in the log.
    Command command(const std::vector<std::string> &targets) const;
    // Runs it to the end. Throws a run error with the last line of the log.
    void make(const std::vector<std::string> &targets) const;
};

// Throws an environment error that names each program missing for building for `arch`.
void require_tools(const KernelArch &arch);
// What decides over the generated code, one line each: compiler, linker, pahole, with versions.
std::string toolchain_id(const KernelArch &arch);

} // namespace schedlab
