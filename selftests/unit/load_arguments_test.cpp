// SPDX-License-Identifier: GPL-2.0-or-later
#include "lab/load_arguments.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "core/error.h"
#include "sys/files.h"
#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;
using Json = nlohmann::ordered_json;

namespace {

struct File {
    explicit File(const std::string &text) : path((dir.path() / "a.conf").string()) {
        write_file_atomically(path, text);
    }
    TempDir dir{"load-arguments"};
    std::string path;
};

Json options(const char *name, std::vector<std::string> args) {
    const Load &load = find_load(name);
    return parse_options(load.options, expand_arguments(load, std::move(args)), std::string("load ") + name);
}

Json job(const std::string &text) {
    const File file(text);
    return Json::parse(options("mix", {"--job", file.path}).at("job").get<std::string>());
}

Error refused(const std::string &text) {
    return thrown([&] { job(text); });
}

} // namespace

TEST_CASE("a frame test brings its values, and options given have the last word", "[load]") {
    const File file("layout = 1234 # us\ndraw = 500\n");
    const Json json = options("frames", {"--draw", "9", "--test=" + file.path});
    CHECK(json.at("layout") == 1234);
    CHECK(json.at("draw") == 9);
}

TEST_CASE("every frame test that comes with schedlab is accepted", "[load]") {
    for (const char *name : {"list_view", "image_list_view", "shadow_grid", "low_hitrate_text", "high_hitrate_text",
                             "edit_text"}) {
        const Json json = options("frames", {"-t", name});
        CHECK(json.at("layout") > 0);
        find_load("frames").check(json);
    }
    CHECK(options("frames", {}) == options("frames", {"--test", "list_view"}));
}

TEST_CASE("a wrong frame test is refused with its place", "[load]") {
    const Error unknown = thrown([] { options("frames", {"--test", "list_wiew"}); });
    CHECK(unknown.code() == Exit::usage);
    CHECK(unknown.remedy().find("list_view") != std::string::npos);
    for (const auto &[text, part] : {std::pair("layout = \"x\"\n", "--layout"), std::pair("layuot = 1\n", "layuot"),
                                     std::pair("layout = \n", ":1:"), std::pair("\nlayout = 1.5\n", ":2:")}) {
        const File file(text);
        const Error error = thrown([&] { options("frames", {"--test", file.path}); });
        CHECK(error.code() == Exit::usage);
        CHECK(says(error, part));
        CHECK(says(error, file.path));
    }
    CHECK(thrown([] { options("frames", {"--test", "/no/such.conf"}); }).code() == Exit::usage);
}

TEST_CASE("a job keeps the order of its loads; [global] gives each what it has an option for", "[load]") {
    const Json loads = job("# two of a kind\n[global]\nloops = 7\nduration = 20\n\n[writer]\nload = \"pipe\"\n"
                           "threaded = true\n[hogs]\ntasks = 3\n[a]\nload = \"pipe\"\nloops = 9\n");
    REQUIRE(loads.size() == 3);
    CHECK(loads[0].at("name") == "writer");
    CHECK(loads[0].at("load") == "pipe");
    CHECK(loads[0].at("options").at("loops") == 7);
    CHECK(loads[0].at("options").at("threaded") == true);
    CHECK(loads[1].at("options").at("duration") == 20);
    CHECK(loads[1].at("options").at("tasks") == 3);
    CHECK(loads[2].at("options").at("loops") == 9);
    CHECK(loads[2].at("options").at("warmup") == 100); // pipe's default
}

TEST_CASE("a job's frames bring their test's values", "[load]") {
    CHECK(job("[frames]\ntest = \"edit_text\"\n")[0].at("options").at("every") == 6);
}

TEST_CASE("a wrong job is refused with file and line", "[load]") {
    for (const auto &[text, part] :
         {std::pair("loops = 1\n", "a.conf:1: 'loops' stands outside a section"),
          std::pair("\n[pip]\n", "a.conf:2: [pip] unknown load 'pip'"),
          std::pair("[pipe]\nlops = 1\n", "[pipe] load pipe: unknown option '--lops'"),
          std::pair("[pipe]\nloops = [1]\n", "a.conf:2: 'loops' is no number"),
          std::pair("[global]\ndepth = 2\n[pipe]\n", "a.conf:2: [global] no load here has an option 'depth'"),
          std::pair("[mix]\n", "a mix in a mix"), std::pair("[global]\n", "no load in it"),
          std::pair("[pipe]\n[pipe]\n", "a.conf:2:")}) {
        INFO(text);
        const Error error = refused(text);
        CHECK(error.code() == Exit::usage);
        CHECK(says(error, part));
    }
}
