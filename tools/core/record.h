// SPDX-License-Identifier: GPL-2.0-or-later
// A record: what one run leaves. Its JSON form (to_json) is stable and deterministic: same run, same bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/metric.h"

namespace schedlab {

struct Record {
    std::string load;
    nlohmann::ordered_json options;
    std::uint64_t seed = 0;
    bool emulated = false;
    std::vector<Metric> metrics;
    std::vector<Loss> losses;
    std::vector<std::string> warnings;

    const Metric *find(std::string_view name) const;
    bool comparable() const; // no loss of severity data_loss
};

// {load, options, seed, emulated, metrics:[{name,unit,class,direction,kind,value}], losses:[{source,count,severity}], warnings:[]}
void to_json(nlohmann::ordered_json &, const Record &);
void from_json(const nlohmann::ordered_json &, Record &);

} // namespace schedlab
