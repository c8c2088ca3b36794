// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/gate_report.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/ktap.h"
#include "lines.h"

using namespace schedlab;
using schedlab::test::lines_of;
using Catch::Matchers::ContainsSubstring;

namespace {

GateReport example() {
    return {"stock -> <patched>, pipe",
            {{{"ops_per_sec", 0.02}, GateOutcome::passed, "changed by +1 %"},
             {{"migrations", 0.02}, GateOutcome::failed, "changed by +900"},
             {{"missed.prev", 0.02}, GateOutcome::undecided, "fewer than 4 boots"}},
            false,
            {"only 4 boots per arm"}};
}

KtapReport parsed(const std::string &ktap) { return parse_ktap(lines_of(ktap)); }

} // namespace

TEST_CASE("gate report: KTAP that schedlab's own parser takes", "[gate]") {
    const KtapReport strict = parsed(gate_ktap(example()));
    CHECK(strict.fault.empty());
    REQUIRE(strict.results.size() == 3);
    CHECK(strict.results[0].name == "ops_per_sec");
    CHECK(strict.results[0].outcome == TestOutcome::passed);
    CHECK(strict.results[1].outcome == TestOutcome::failed);
    CHECK(strict.results[2].outcome == TestOutcome::failed);
    GateReport lenient = example();
    lenient.lenient = true;
    CHECK(parsed(gate_ktap(lenient)).results[2].outcome == TestOutcome::skipped);
}

TEST_CASE("gate report: what passes", "[gate]") {
    GateReport report = example();
    CHECK_FALSE(report.passed());
    report.results.erase(report.results.begin() + 1);
    CHECK_FALSE(report.passed()); // undecided is not passed
    report.lenient = true;
    CHECK(report.passed());
    report.results.pop_back();
    report.lenient = false;
    CHECK(report.passed());
}

TEST_CASE("gate report: JUnit", "[gate]") {
    const std::string xml = gate_junit(example());
    CHECK_THAT(xml, ContainsSubstring("name=\"schedlab gate: stock -&gt; &lt;patched&gt;, pipe\" tests=\"3\" failures=\"2\""));
    CHECK_THAT(xml, ContainsSubstring("<testcase classname=\"schedlab.gate\" name=\"migrations\">"
                                      "<failure message=\"failed: changed by +900\"/></testcase>"));
    CHECK_THAT(xml, ContainsSubstring("<system-err>only 4 boots per arm</system-err>"));
    GateReport lenient = example();
    lenient.lenient = true;
    CHECK_THAT(gate_junit(lenient), ContainsSubstring("failures=\"1\" skipped=\"1\""));
}

TEST_CASE("gate report: text", "[gate]") {
    const std::string text = gate_text(example(), {false, false, 100});
    CHECK_THAT(text, ContainsSubstring("passed    ops_per_sec\n          changed by +1 %\n"));
    CHECK_THAT(text, ContainsSubstring("warning: only 4 boots per arm\n"));
    CHECK_THAT(text, ContainsSubstring("The gate is not passed.\n"));
}
