// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/option.h"

#include <catch2/catch_test_macros.hpp>

#include "core/nearest.h"
#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;
using Json = nlohmann::ordered_json;

namespace {

const std::vector<Option> declared = {
    {"loops", 'l', OptionType::integer, 1000, 1, 1'000'000, "round trips"},
    {"threaded", 'T', OptionType::flag, false, 0, 0, "threads, not processes"},
    {"mode", 0, OptionType::text, "plain", 0, 0, "how"},
    {"cpus", 'c', OptionType::cpulist, "", 0, 0, "where"},
    {"delta", 0, OptionType::integer, -1, 0, INT64_MAX, "us, -1: none"},
};

Json parse(const std::vector<std::string> &args) { return parse_options(declared, args, "load pipe"); }
Error refusal(const std::vector<std::string> &args) {
    return thrown([&] { parse(args); });
}
Error json_refusal(const char *text) {
    return thrown([&] { complete_options(declared, Json::parse(text), "load pipe"); });
}

} // namespace

TEST_CASE("option: defaults are filled in, in the order of declaration", "[option]") {
    CHECK(parse({}).dump() == R"({"loops":1000,"threaded":false,"mode":"plain","cpus":"","delta":-1})");
    CHECK(parse({"--cpus", "3,1-2", "--loops", "5"}).dump() ==
          R"({"loops":5,"threaded":false,"mode":"plain","cpus":"1-3","delta":-1})");
}

TEST_CASE("option: every spelling means the same", "[option]") {
    using Args = std::vector<std::string>;
    for (const Args &args :
         {Args{"--loops", "5", "-T"}, {"--loops=5", "--threaded"}, {"-l", "5", "-T"}, {"-T", "-l5"}}) {
        CHECK(parse(args)["loops"] == 5);
        CHECK(parse(args)["threaded"] == true);
    }
    CHECK(parse({"-l", "5", "-l", "6"})["loops"] == 6);
    CHECK(parse({"--mode=a=b"})["mode"] == "a=b");
    CHECK(parse({"--mode="})["mode"] == "");
}

TEST_CASE("option: errors name the option, the value and the range", "[option]") {
    CHECK(refusal({"--loops", "0"}).code() == Exit::usage);
    CHECK(says(refusal({"--loops", "0"}), "load pipe: --loops takes an integer from 1 to 1000000, not 0"));
    CHECK(says(refusal({"-l", "1000001"}), "not 1000001"));
    CHECK(says(refusal({"--loops=5k"}), "not '5k'"));
    CHECK(says(refusal({"--loops="}), "not ''"));
    CHECK(says(refusal({"--loops", "99999999999999999999"}), "not '99999999999999999999'"));
    CHECK(says(refusal({"--delta", "-2"}), "--delta takes an integer of at least 0, not -2"));
    CHECK(says(refusal({"--loops"}), "--loops needs a value"));
    CHECK(says(refusal({"--threaded=1"}), "--threaded takes no value"));
    CHECK(says(refusal({"-Tx"}), "--threaded takes no value"));
    CHECK(says(refusal({"--cpus", "0-x"}), "--cpus takes a CPU list like 0-3,8, not \"0-x\""));
    for (const char *stray : {"5", "", "-", "--"}) {
        CHECK(says(refusal({stray}), "load pipe: unexpected argument '" + std::string(stray) + "'"));
    }
}

TEST_CASE("option: an unknown option gets the nearest name, or all of them", "[option]") {
    CHECK(says(refusal({"--lops=3"}), "load pipe: unknown option '--lops'"));
    CHECK(refusal({"--lops=3"}).remedy() == "did you mean --loops?");
    CHECK(refusal({"--xyzzy"}).remedy() == "it takes --loops, --threaded, --mode, --cpus, --delta");
    CHECK(says(refusal({"-x"}), "unknown option '-x'"));
    const std::vector<std::string> args = {"--a"};
    CHECK(thrown([&] { parse_options({}, args, "load idle"); }).remedy() == "it takes no options");
}

TEST_CASE("option: JSON is checked like the command line", "[option]") {
    const auto complete = [](const Json &given) { return complete_options(declared, given, "load pipe"); };
    CHECK(complete(nullptr) == parse({}));
    CHECK(complete({{"threaded", true}, {"loops", 7}}) == parse({"-T", "-l7"}));
    CHECK(complete(parse({"--cpus=2"})) == parse({"--cpus=2"}));
    CHECK(says(json_refusal("[1]"), "options must be a JSON object"));
    CHECK(says(json_refusal(R"({"loops":"7"})"), "--loops takes an integer from 1 to 1000000, not \"7\""));
    CHECK(says(json_refusal(R"({"loops":7.0})"), "not 7.0"));
    CHECK(says(json_refusal(R"({"loops":18446744073709551615})"), "not 18446744073709551615"));
    CHECK(says(json_refusal(R"({"threaded":1})"), "--threaded takes true or false, not 1"));
    CHECK(says(json_refusal(R"({"mode":null})"), "--mode takes a text, not null"));
    CHECK(says(json_refusal(R"({"cpus":3})"), "--cpus takes a CPU list"));
    CHECK(json_refusal(R"({"lops":1})").remedy() == "did you mean --loops?");
    // 1000.0 equals the default, but what is kept is the integer: the bytes of a record do not depend on it.
    CHECK(complete({{"loops", 1000.0}}).dump() == parse({}).dump());
}

TEST_CASE("option: help is aligned and tells the defaults", "[option]") {
    CHECK(option_help(declared) == "  -l, --loops N    round trips (default 1000)\n"
                                   "  -T, --threaded   threads, not processes\n"
                                   "      --mode TEXT  how (default plain)\n"
                                   "  -c, --cpus CPUS  where\n"
                                   "      --delta N    us, -1: none (default -1)\n");
    CHECK(option_help({}).empty());
}

TEST_CASE("nearest: near misses only", "[nearest]") {
    const std::vector<std::string> names = {"hikey960", "kunpeng920", "pixel2", "smp2", "ASYM_PREV"};
    CHECK(nearest("hikey906", names) == "hikey960");
    CHECK(nearest("hikey", names).empty());
    CHECK(nearest("kunpen920", names) == "kunpeng920");
    CHECK(nearest("spm2", names) == "smp2");
    CHECK(nearest("asym_prev", names) == "ASYM_PREV");
    CHECK(nearest("sm2", names) == "smp2");
    CHECK(nearest("banana", names).empty());
    CHECK(nearest("", names).empty());
    CHECK(nearest("x", {}).empty());
    CHECK(nearest("smp3", std::vector<std::string>{"smp1", "smp2"}) == "smp1");
}
