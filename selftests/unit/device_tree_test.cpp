// SPDX-License-Identifier: GPL-2.0-or-later
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <fmt/format.h>
#include <libfdt.h>

#include "boot/device_tree.h"
#include "core/error.h"
#include "thrown.h"

using namespace schedlab;
using test::thrown;
using Catch::Matchers::ContainsSubstring;

namespace {

// A tree like QEMU's: /cpus/cpu@N and an empty /chosen.
std::string tree_of(int cpus) {
    std::string blob(64 << 10, '\0');
    void *fdt = blob.data();
    fdt_create(fdt, int(blob.size()));
    fdt_finish_reservemap(fdt);
    fdt_begin_node(fdt, "");
    fdt_begin_node(fdt, "chosen");
    fdt_end_node(fdt);
    fdt_begin_node(fdt, "cpus");
    fdt_begin_node(fdt, "cpu-map");
    fdt_end_node(fdt);
    for (int cpu = 0; cpu < cpus; ++cpu) {
        fdt_begin_node(fdt, fmt::format("cpu@{:x}", cpu).c_str());
        fdt_property_u32(fdt, "reg", cpu);
        fdt_end_node(fdt);
    }
    fdt_end_node(fdt);
    fdt_end_node(fdt);
    fdt_finish(fdt);
    blob.resize(fdt_totalsize(fdt));
    return blob;
}

std::string property(const std::string &blob, const std::string &path, const char *name) {
    int length = 0;
    const void *value = fdt_getprop(blob.data(), fdt_path_offset(blob.data(), path.c_str()), name, &length);
    return value ? std::string(static_cast<const char *>(value), std::size_t(length)) : "none";
}

std::uint32_t number(const std::string &blob, const std::string &path, const char *name) {
    const std::string bytes = property(blob, path, name);
    REQUIRE(bytes.size() == 4);
    return fdt32_ld(reinterpret_cast<const fdt32_t *>(bytes.data()));
}

Machine little_big() {
    Machine m;
    m.name = "m";
    m.cpus = 4;
    m.capacities = {{{0, 1}, 462}, {{2, 3}, 1024}};
    m.caches = {{3, {0, 1, 2, 3}}, {2, {0, 1}}, {2, {2, 3}}};
    return m;
}

} // namespace

TEST_CASE("capacities are put on their CPUs", "[device-tree]") {
    const std::string edited = edit_device_tree(tree_of(4), little_big(), 1);
    CHECK(number(edited, "/cpus/cpu@1", "capacity-dmips-mhz") == 462);
    CHECK(number(edited, "/cpus/cpu@2", "capacity-dmips-mhz") == 1024);
    CHECK(number(edited, "/cpus/cpu@2", "reg") == 2);
}

TEST_CASE("a model's cpu-map takes the place of QEMU's", "[device-tree]") {
    Machine m = little_big();
    m.cpu_map = {{{0, 1, 2, 3}}, {{2, 3}}, {{0, 1}}};
    const std::string edited = edit_device_tree(tree_of(4), m, 1);
    const std::string map = "/cpus/cpu-map/socket0/";
    const auto cpu_at = [&](const std::string &node) { return number(edited, map + node, "cpu"); };
    const auto phandle = [&](const std::string &cpu) { return number(edited, "/cpus/" + cpu, "phandle"); };
    CHECK(cpu_at("cluster0/core0") == phandle("cpu@2"));
    CHECK(cpu_at("cluster0/core1") == phandle("cpu@3"));
    CHECK(cpu_at("cluster1/core0/thread0") == phandle("cpu@0"));
    CHECK(cpu_at("cluster1/core0/thread1") == phandle("cpu@1"));

    m.cpu_map = {{{0, 1, 2, 3}}, {}, {{0, 1}}};
    const std::string threads = edit_device_tree(tree_of(4), m, 1);
    CHECK(number(threads, map + "core0/thread1", "cpu") == number(threads, "/cpus/cpu@1", "phandle"));
    CHECK(number(threads, map + "core1", "cpu") == number(threads, "/cpus/cpu@2", "phandle"));
}

TEST_CASE("each CPU reaches its L2, each L2 its L3", "[device-tree]") {
    const std::string edited = edit_device_tree(tree_of(4), little_big(), 1);
    for (const auto &[cpu, cache] : {std::pair{"/cpus/cpu@1", "/cpus/l2-cache0"}, {"/cpus/cpu@3", "/cpus/l2-cache2"}}) {
        CHECK(number(edited, cpu, "next-level-cache") == number(edited, cache, "phandle"));
        CHECK(number(edited, cache, "next-level-cache") == number(edited, "/cpus/l3-cache0", "phandle"));
        CHECK(number(edited, cache, "cache-level") == 2);
        CHECK(property(edited, cache, "compatible") == std::string("cache\0", 6));
        CHECK(property(edited, cache, "cache-unified").empty());
    }
    CHECK(property(edited, "/cpus/l3-cache0", "next-level-cache") == "none");
}

TEST_CASE("without an L2 a CPU reaches the L3 itself", "[device-tree]") {
    Machine m = little_big();
    m.caches = {{3, {0, 1, 2, 3}}};
    const std::string edited = edit_device_tree(tree_of(4), m, 1);
    CHECK(number(edited, "/cpus/cpu@0", "next-level-cache") == number(edited, "/cpus/l3-cache0", "phandle"));
}

TEST_CASE("the seeds come from the seed and from nothing else", "[device-tree]") {
    const std::string once = edit_device_tree(tree_of(4), little_big(), 7);
    CHECK(once == edit_device_tree(tree_of(4), little_big(), 7));
    CHECK(property(once, "/chosen", "rng-seed").size() == 32);
    CHECK(property(once, "/chosen", "kaslr-seed").size() == 8);
    const std::string other = edit_device_tree(tree_of(4), little_big(), 8);
    CHECK(property(once, "/chosen", "rng-seed") != property(other, "/chosen", "rng-seed"));
    CHECK(property(once, "/chosen", "kaslr-seed") != property(other, "/chosen", "kaslr-seed"));
}

TEST_CASE("512 CPUs with caches of their own fit", "[device-tree]") {
    Machine m = little_big();
    m.cpus = 512;
    m.caches.clear();
    for (int cpu = 0; cpu < m.cpus; ++cpu)
        m.caches.push_back({2, {cpu}});
    const std::string edited = edit_device_tree(tree_of(512), m, 1);
    CHECK(number(edited, "/cpus/cpu@1ff", "next-level-cache") == number(edited, "/cpus/l2-cache511", "phandle"));
}

TEST_CASE("a tree of another machine is refused", "[device-tree]") {
    CHECK_THAT(thrown([] { edit_device_tree(tree_of(3), little_big(), 1); }).what(), ContainsSubstring("QEMU built 3"));
    CHECK_THAT(thrown([] { edit_device_tree("no tree", little_big(), 1); }).what(), ContainsSubstring("unreadable"));
    CHECK_THAT(thrown([] { edit_device_tree(std::string(4096, 'x'), little_big(), 1); }).what(),
               ContainsSubstring("unreadable"));
}
