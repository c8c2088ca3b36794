// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/record.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>

#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;
using Json = nlohmann::ordered_json;

namespace {

Record sample() {
    Record record;
    record.load = "pipe";
    record.options = {{"loops", 3000}, {"threaded", true}};
    record.seed = 18446744073709551615u;
    record.emulated = true;
    record.metrics = {
        {"migrations", "1", MetricClass::placement, Direction::lower_is_better, MetricKind::count, 5999},
        {"ops_per_sec", "1/s", MetricClass::time, Direction::higher_is_better, MetricKind::value, 0.1}};
    record.losses = {{"placement.map_full", 0, Severity::data_loss}};
    record.warnings = {"few boots"};
    return record;
}

} // namespace

TEST_CASE("record: its JSON is these very bytes", "[record]") {
    CHECK(Json(sample()).dump() ==
          R"({"load":"pipe","options":{"loops":3000,"threaded":true},"seed":18446744073709551615,)"
          R"("emulated":true,"metrics":[{"name":"migrations","unit":"1","class":"placement",)"
          R"("direction":"lower","kind":"count","value":5999},{"name":"ops_per_sec","unit":"1/s",)"
          R"("class":"time","direction":"higher","kind":"value","value":0.1}],)"
          R"("losses":[{"source":"placement.map_full","count":0,"severity":"data_loss"}],)"
          R"("warnings":["few boots"]})");
}

TEST_CASE("record: JSON text reads back to the same bytes", "[record]") {
    Record record = sample();
    for (const double value : {0.0, -0.0, 1e-9, 1.0 / 3, 299811.0, 1e300, -2.5, 9007199254740993.0})
        record.metrics.push_back({"m", "us", MetricClass::path, Direction::neutral, MetricKind::share, value});
    const std::string text = Json(record).dump();
    const Record read = Json::parse(text).get<Record>();
    CHECK(Json(read).dump() == text);
    REQUIRE(read.metrics.size() == record.metrics.size());
    for (std::size_t i = 0; i < read.metrics.size(); ++i)
        CHECK(read.metrics[i].value == record.metrics[i].value);
}

TEST_CASE("record: frames are rows, and none where there are none", "[record]") {
    Record record = sample();
    CHECK(Json(record).dump().find("frames") == std::string::npos);
    record.frames = {{"", 1, 16, 20, 24, 30}, {"ui", 2, 32, 33, 40, 51}};
    const Json json = record;
    CHECK(json.at("frames").dump() == R"([["",1,16,20,24,30],["ui",2,32,33,40,51]])");
    CHECK(json.get<Record>().frames == record.frames);
    for (const char *wrong : {"7", "[7]", R"([["",1,2,3,4]])", R"([["",1,2,3,4,5.5]])", R"([[0,1,2,3,4,5]])"}) {
        INFO(wrong);
        Json bad = json;
        bad["frames"] = Json::parse(wrong);
        CHECK(thrown([&] { bad.get<Record>(); }).code() == Exit::usage);
    }
}

TEST_CASE("record: numbers that JSON lacks are an error, not null", "[record]") {
    using Limits = std::numeric_limits<double>;
    for (const double value : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
        Record record = sample();
        record.metrics[0].value = value;
        CHECK(thrown([&] { Json json = record; }).code() == Exit::failed);
    }
}

TEST_CASE("record: metrics are found by name", "[record]") {
    const Record record = sample();
    REQUIRE(record.find("migrations"));
    CHECK(record.find("migrations")->value == 5999);
    CHECK(record.find("migration") == nullptr);
}

TEST_CASE("record: only a loss of data that happened forbids comparing", "[record]") {
    Record record = sample();
    CHECK(record.comparable());
    record.losses.push_back({"placement.untracked", 7, Severity::info});
    CHECK(record.comparable());
    record.losses[0].count = 1;
    CHECK_FALSE(record.comparable());
}

TEST_CASE("record: a wrong shape is a usage error that names the place", "[record]") {
    const auto refusal = [](auto &&spoil) {
        Json json = sample();
        spoil(json);
        return thrown([&] { json.get<Record>(); });
    };
    CHECK(refusal([](Json &j) { j = nullptr; }).code() == Exit::usage);
    CHECK(says(refusal([](Json &j) { j = "x"; }), "record must be a JSON object, not \"x\""));
    for (const char *key : {"load", "options", "seed", "emulated", "losses", "warnings"}) {
        INFO(key);
        CHECK(says(refusal([&](Json &j) { j.erase(key); }), "record: '" + std::string(key) + "' is missing"));
    }
    CHECK(says(refusal([](Json &j) { j["seed"] = -1; }), "'seed' must be an integer of at least 0, not -1"));
    CHECK(says(refusal([](Json &j) { j["seed"] = 1.5; }), "not 1.5"));
    CHECK(says(refusal([](Json &j) { j["emulated"] = 1; }), "'emulated' must be true or false, not 1"));
    CHECK(says(refusal([](Json &j) { j["metrics"][1]["value"] = nullptr; }),
               "record.metrics[1]: 'value' must be a number, not null"));
    CHECK(says(refusal([](Json &j) { j["metrics"][0]["class"] = "tme"; }),
               "record.metrics[0]: 'class' is wrong: 'tme'"));
    CHECK(says(refusal([](Json &j) { j["metrics"][0]["class"] = "tme"; }),
               "placement, path, time, modelled"));
    CHECK(says(refusal([](Json &j) { j["losses"][0]["severity"] = 2; }),
               "record.losses[0]: 'severity' must be a string"));
    CHECK(says(refusal([](Json &j) { j["warnings"] = Json::array({1}); }),
               "'warnings' must be an array of strings, not [1]"));
}

TEST_CASE("metric: names of classes, directions, kinds and severities read back", "[metric]") {
    for (const auto cls : {MetricClass::placement, MetricClass::path, MetricClass::time, MetricClass::modelled})
        CHECK(parse_metric_class(to_string(cls)) == cls);
    for (const auto direction : {Direction::higher_is_better, Direction::lower_is_better, Direction::neutral})
        CHECK(parse_direction(to_string(direction)) == direction);
    for (const auto kind : {MetricKind::count, MetricKind::share, MetricKind::value})
        CHECK(parse_metric_kind(to_string(kind)) == kind);
    for (const auto severity : {Severity::info, Severity::data_loss})
        CHECK(parse_severity(to_string(severity)) == severity);
    CHECK(to_string(Direction::higher_is_better) == "higher");
    CHECK(says(thrown([] { parse_direction("up"); }),
               "'up' is no direction: it must be one of higher, lower, neutral"));
}
