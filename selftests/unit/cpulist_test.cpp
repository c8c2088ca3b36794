// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/cpulist.h"

#include <catch2/catch_test_macros.hpp>

#include "thrown.h"

using namespace schedlab;
using test::thrown;

TEST_CASE("cpulist: lists are read in the kernel's format", "[cpulist]") {
    CHECK(CpuSet::parse_list("0-3,8,10-11") == CpuSet{0, 1, 2, 3, 8, 10, 11});
    CHECK(CpuSet::parse_list("5\n") == CpuSet{5});
    CHECK(CpuSet::parse_list(" 1 , 3 ") == CpuSet{1, 3});
    CHECK(CpuSet::parse_list("7,0-1,1") == CpuSet{0, 1, 7});
    CHECK(CpuSet::parse_list("").empty());
    CHECK(CpuSet::parse_list("\n").empty());
}

TEST_CASE("cpulist: a bad list names the bad piece", "[cpulist]") {
    for (const auto &[text, piece] : {std::pair{"0-3,x", "'x'"},
                                      {"1,,2", "''"},
                                      {"1,", "''"},
                                      {",1", "''"},
                                      {"3-1", "'3-1'"},
                                      {"-1", "'-1'"},
                                      {"1-", "'1-'"},
                                      {"1-2-3", "'1-2-3'"},
                                      {"0x3", "'0x3'"},
                                      {"+1", "'+1'"},
                                      {"1 2", "'1 2'"},
                                      {"0-4294967295", "'0-4294967295'"},
                                      {"99999999999", "'99999999999'"}}) {
        const Error error = thrown([&] { CpuSet::parse_list(text); });
        INFO(text << ": " << error.what());
        CHECK(error.code() == Exit::usage);
        CHECK(test::says(error, piece));
    }
}

TEST_CASE("cpulist: what is printed reads back", "[cpulist]") {
    for (const char *text : {"", "0", "0-1", "0,2", "0-3,8,10-11", "127", "0-127", "65535"}) {
        CHECK(CpuSet::parse_list(text).to_list() == text);
    }
    CHECK(CpuSet({3, 2, 1, 2}).to_list() == "1-3");
}

TEST_CASE("cpulist: masks are words of 32 bits, highest first", "[cpulist]") {
    CHECK(CpuSet::parse_mask("ff,0000000f\n") == CpuSet::parse_list("0-3,32-39"));
    CHECK(CpuSet::parse_mask("1") == CpuSet{0});
    CHECK(CpuSet::parse_mask("80000000,00000000,00000000") == CpuSet{95});
    CHECK(CpuSet::parse_mask("1,00000000,00000000,00000000,00000000") == CpuSet{128});
    CHECK(CpuSet::parse_mask("00000000").empty());
    CHECK(CpuSet::parse_mask("").empty());
    for (const char *text : {"g", "0x1", "123456789", "1,,2", "-1"}) {
        INFO(text);
        CHECK(thrown([&] { CpuSet::parse_mask(text); }).code() == Exit::usage);
    }
}

TEST_CASE("cpulist: a set knows its members", "[cpulist]") {
    const CpuSet set{9, 4, 4, 5};
    CHECK(set.size() == 3);
    CHECK(set.first() == 4);
    CHECK(set.last() == 9);
    CHECK(set.contains(5));
    CHECK_FALSE(set.contains(6));
    CHECK(std::vector<int>(set.begin(), set.end()) == set.cpus());
}
