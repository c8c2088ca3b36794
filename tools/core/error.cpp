// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/error.h"

#include <system_error>

namespace schedlab {

Error usage_error(const std::string &what, std::string remedy) {
    return {Exit::usage, what, std::move(remedy)};
}

Error environment_error(const std::string &what, std::string remedy) {
    return {Exit::environment, what, std::move(remedy)};
}

Error run_error(const std::string &what, std::string remedy) {
    return {Exit::failed, what, std::move(remedy)};
}

std::string errno_text(int err) { return std::generic_category().message(err); }

} // namespace schedlab
