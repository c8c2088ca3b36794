// SPDX-License-Identifier: GPL-2.0-or-later
#include "guest/hello.h"

#include <nlohmann/json.hpp>
#include <sys/utsname.h>

#include "sys/environment.h"
#include "sys/sched_features.h"
#include "sys/topology_reader.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

void say_hello(Channel &channel) {
    utsname kernel{};
    ::uname(&kernel);
    Json features = Json::array();
    for (const auto &[name, on] : read_sched_features())
        features.push_back(name);
    channel.say({{"type", "hello"},
                 {"version", SCHEDLAB_VERSION},
                 {"release", kernel.release},
                 {"arch", kernel.machine},
                 {"topology", Json(read_topology())},
                 {"domains", Json(read_domains())},
                 {"features", std::move(features)},
                 {"environment", read_environment()}});
}

} // namespace schedlab
