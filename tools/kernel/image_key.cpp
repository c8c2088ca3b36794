// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/image_key.h"

#include <nlohmann/json.hpp>

#include "sys/hash.h"

namespace schedlab {

namespace {

// Raised when schedlab builds the same input in another way.
constexpr int build_recipe = 1;

} // namespace

std::string image_key(const std::string &source_id, const std::map<std::string, FileChange> &changes,
                      const ConfigOptions &wanted, const std::string &arch, const std::string &toolchain) {
    nlohmann::ordered_json files = nlohmann::ordered_json::object();
    for (const auto &[path, change] : changes)
        files[path] = {change.content ? sha256_hex(*change.content) : "deleted", change.mode.value_or(0)};
    // JSON as the canonical form: its quoting keeps neighbouring fields apart.
    return sha256_hex(nlohmann::ordered_json{build_recipe, source_id, files, wanted, arch, toolchain}.dump());
}

} // namespace schedlab
