// SPDX-License-Identifier: GPL-2.0-or-later
// What a test program said in KTAP (kernel: Documentation/dev-tools/ktap.rst): the results at the top level and
// whether the output can be trusted to be whole. Subtests (indented) count through their parent's line.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace schedlab {

enum class TestOutcome { passed, failed, skipped };

struct TestResult {
    std::string name;
    TestOutcome outcome = TestOutcome::failed;
    std::string reason; // of a skip
};

struct KtapReport {
    std::vector<TestResult> results;
    std::string fault; // why the output is not whole ("no plan", "3 of 14 results", ...); empty if it is
    std::string skipped_whole; // the reason of a plan "1..0 # SKIP reason"

    std::size_t count(TestOutcome) const;
    bool good() const { return fault.empty() && count(TestOutcome::failed) == 0; }
};

KtapReport parse_ktap(std::span<const std::string> lines);

} // namespace schedlab
