// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/job.h"

#include <catch2/catch_test_macros.hpp>

#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;
using Json = nlohmann::ordered_json;

namespace {

Job sample() {
    Job job;
    job.load = "pipe";
    job.options = {{"loops", 3000}};
    job.probes = {"placement"};
    job.features = {{"TTWU_QUEUE", false}, {"ASYM_PREV", true}};
    job.seed = 3;
    job.start_delay_us = 417;
    return job;
}

} // namespace

TEST_CASE("job: its JSON is these very bytes", "[job]") {
    CHECK(Json(sample()).dump() ==
          R"({"action":"load","load":"pipe","options":{"loops":3000},"probes":["placement"],)"
          R"("features":{"ASYM_PREV":true,"TTWU_QUEUE":false},"seed":3,)"
          R"("start_delay_us":417,"virtual_limit_s":600})");
}

TEST_CASE("job: JSON reads back, the empty job too", "[job]") {
    for (const Job &job : {sample(), Job()}) {
        const std::string text = Json(job).dump();
        CHECK(Json(Json::parse(text).get<Job>()).dump() == text);
    }
}

TEST_CASE("job: a wrong shape is a usage error that names the key", "[job]") {
    const auto refusal = [](const char *key, const Json &value) {
        Json json = sample();
        json[key] = value;
        return thrown([&] { json.get<Job>(); });
    };
    CHECK(refusal("seed", "1").code() == Exit::usage);
    CHECK(says(refusal("seed", "1"), "job: 'seed' must be an integer of at least 0, not \"1\""));
    CHECK(says(refusal("load", 1), "job: 'load' must be a string, not 1"));
    CHECK(says(refusal("options", Json::array({1})), "job: 'options' must be an object, not [1]"));
    CHECK(says(refusal("probes", "placement"), "job: 'probes' must be an array of strings"));
    CHECK(says(refusal("features", Json::array()), "job.features must be a JSON object"));
    CHECK(says(refusal("features", {{"ASYM_PREV", 1}}),
               "job.features: 'ASYM_PREV' must be true or false, not 1"));
    CHECK(says(refusal("virtual_limit_s", 0), "'virtual_limit_s' must be an integer from 1 to 1000000, not 0"));
    CHECK(says(refusal("start_delay_us", UINT64_MAX), "not 18446744073709551615"));
    for (const char *key : {"action", "load", "options", "probes", "features", "seed", "start_delay_us",
                            "virtual_limit_s"}) {
        Json json = sample();
        json.erase(key);
        INFO(key);
        CHECK(says(thrown([&] { json.get<Job>(); }), "job: '" + std::string(key) + "' is missing"));
    }
}

TEST_CASE("job: a long wrong value is quoted in short and as ASCII", "[job]") {
    Json json = sample();
    json["seed"] = std::string(1000, 'x') + "\xff";
    CHECK(std::string(thrown([&] { json.get<Job>(); }).what()).size() < 150);
    json["seed"] = "\xff\xfe";
    CHECK(says(thrown([&] { json.get<Job>(); }), "\\ufffd"));
}
