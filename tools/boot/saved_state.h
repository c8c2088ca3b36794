// SPDX-License-Identifier: GPL-2.0-or-later
// Machines that were stopped and saved once their guest had said hello, in the cache:
//
//   states/KEY/{state,console,manifest.json}, states/KEY.lock
//
// made beside their final name and renamed when they are complete, as kernel images are (kernel/cache.h).
#pragma once

#include <optional>
#include <variant>

#include "boot/boot.h"

namespace schedlab {

struct SavedState {
    std::filesystem::path dir;
    nlohmann::ordered_json hello;
    std::vector<std::string> console; // what it had said until then

    std::filesystem::path file() const { return dir / "state"; }
};

// The state from which `request` can begin, found or made; or, if that boot ended before it could be saved, how. Throws
// what keeps a state from being saved: QEMU's refusal, a full disk.
std::variant<SavedState, BootResult> find_or_make_state(const BootRequest &request);

// It was not what it seemed: out of the way.
void remove_state(const SavedState &state);

} // namespace schedlab
