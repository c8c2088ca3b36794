// SPDX-License-Identifier: GPL-2.0-or-later
// A record: what one run leaves. Its JSON form (to_json) is stable and deterministic: same run, same bytes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/frame_times.h"
#include "core/metric.h"

namespace schedlab {

struct Record {
    std::string load;
    nlohmann::ordered_json options;
    std::uint64_t seed = 0;
    bool emulated = false;
    std::vector<Metric> metrics;
    std::vector<FrameTimes> frames; // of load `frames`; the others have none
    std::vector<Loss> losses;
    std::vector<std::string> warnings;

    const Metric *find(std::string_view name) const;
    bool comparable() const; // no loss of severity data_loss
};

// {load, options, seed, emulated, metrics:[{name,unit,class,direction,kind,value}], losses:[{source,count,severity}], warnings:[]},
// and frames:[[part,number,vsync,start,drawn,completed]] where there are any.
void to_json(nlohmann::ordered_json &, const Record &);
void from_json(const nlohmann::ordered_json &, Record &);

} // namespace schedlab
