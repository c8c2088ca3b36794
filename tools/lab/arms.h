// SPDX-License-Identifier: GPL-2.0-or-later
// What a comparison compares: two kernels, or one with scheduler features off and on.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace schedlab {

// As it stands on a command line: {base or a, features}: one kernel, features off in a and on in b; {a, b}: two
// kernels; {base or a, patches}: the kernel without and with them.
struct ArmChoice {
    std::string base;                            // a base's name
    std::vector<std::string> features;           // "F" or "F=1": on in b; "F=0": on in a
    std::string a, b;                            // what parse_kernel_spec() takes
    std::filesystem::path tree;                  // what revs in a and b are of
    std::vector<std::filesystem::path> patches;  // of arm b; of both when features are compared
    std::vector<std::filesystem::path> configs;  // of both
};

// The same, understood.
struct ArmSpecs {
    KernelSpec a;
    std::optional<KernelSpec> b; // none: one kernel, with other features
    std::map<std::string, bool> features_a, features_b;
};

// Throws usage errors for choices that say nothing or contradict themselves, and for unknown bases.
ArmSpecs choose_arms(const ArmChoice &choice, const std::string &arch);

struct Arm {
    Image kernel;
    std::map<std::string, bool> features;
    std::string title; // "6.12.117 + 4 patches, ASYM_PREV off"
    nlohmann::ordered_json environment = {}; // of its runs, as far as it is the kernel's (docs/store.md)
};

struct Arms {
    Arm a, b;
    std::vector<std::string> warnings;
};

// "6.12.117 + 4 patches, ASYM_PREV off"
std::string arm_title(const std::string &kernel, const std::map<std::string, bool> &features);

using BuildKernel = std::function<Image(const KernelSpec &)>;

Arms build_arms(const ArmSpecs &specs, const BuildKernel &build);

} // namespace schedlab
