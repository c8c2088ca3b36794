// SPDX-License-Identifier: GPL-2.0-or-later
// messaging, rr and tb: that they do what was asked for, and refuse what cannot be.
#include <catch2/catch_test_macros.hpp>

#include "loads/exchange.h"
#include "loads/load.h"
#include "loads/socket.h"
#include "thrown.h"

using namespace schedlab;
using test::says;
using test::thrown;
using Args = std::vector<std::string>;

namespace {

nlohmann::ordered_json options(const std::string &load, const Args &args) {
    return parse_options(find_load(load).options, expand_presets(find_load(load), args), "load " + load);
}

LoadResult result_of(const std::string &load, const Args &args) {
    return run_load(find_load(load), options(load, args), 1, {});
}

Error refusal(const std::string &load, const Args &args) {
    return thrown([&] { check_load(find_load(load), options(load, args)); });
}

double value(const LoadResult &result, std::string_view name) {
    for (const Metric &metric : result.metrics)
        if (metric.name == name)
            return metric.value;
    FAIL("no metric " << name);
    return 0;
}

// Containers and hardened kernels forbid io_uring.
std::vector<const char *> engines_here() {
    try {
        make_exchange("io_uring", -1);
        return {"socket", "io_uring"};
    } catch (const Error &) {
        WARN("no io_uring here: not tested");
        return {"socket"};
    }
}

Args with(Args args, const Args &more) {
    args.insert(args.end(), more.begin(), more.end());
    return args;
}

} // namespace

TEST_CASE("messaging: every sender's messages reach every receiver of its group", "[load]") {
    for (const Args &how : {Args{}, {"-p"}, {"-T"}, {"-p", "-T"}}) {
        const Args what = {"-g", "2", "-f", "3", "-l", "5", "-s", "70000"};
        const LoadResult result = result_of("messaging", with(how, what));
        CHECK(result.operations == 2 * 3 * 3 * 5);
        CHECK(value(result, "seconds") > 0);
    }
}

TEST_CASE("messaging: understands hackbench's letters, and a preset gives way to what is said", "[load]") {
    const auto given = options("messaging", {"--preset", "one-per-cpu", "-l", "7", "-s", "3"});
    CHECK(given.at("groups") == 0);
    CHECK(given.at("fds") == 1);
    CHECK(given.at("pipe") == true);
    CHECK(given.at("loops") == 7);
    CHECK(given.at("datasize") == 3);
    CHECK(options("messaging", {"--preset=jacobsville"}).at("groups") == 12);
    const Error error = thrown([] { options("messaging", {"--preset", "jacobsvile"}); });
    CHECK(says(error, "unknown preset 'jacobsvile'"));
    CHECK(error.remedy() == "presets: one-per-cpu, jacobsville");
}

TEST_CASE("messaging: refuses more than the system grants", "[load]") {
    CHECK(says(refusal("messaging", {"-g", "10000", "-f", "1000"}), "it needs 20000000 tasks"));
    CHECK(refusal("messaging", {"-g", "10000", "-f", "1000"}).code() == Exit::environment);
}

TEST_CASE("rr: each transport under each engine, each client to the last transaction", "[load]") {
    for (const char *transport : {"tcp", "udp", "unix"})
        for (const char *engine : engines_here())
            for (const Args &how : {Args{}, {"-T"}}) {
                INFO(transport << " by " << engine);
                const Args what = {"-t", transport, "-e", engine, "-n", "2", "-l", "30", "-q", "5000", "-r", "3"};
                const LoadResult result = result_of("rr", with(how, what));
                CHECK(result.operations == 60);
                CHECK(value(result, "trans_per_sec") > 0);
                CHECK(value(result, "latency_us.p99") >= value(result, "latency_us.p50"));
            }
}

TEST_CASE("rr: a duration replaces the count", "[load]") {
    const LoadResult result = result_of("rr", {"--seconds", "1", "-l", "1", "-T"});
    CHECK(result.elapsed_ns >= 1'000'000'000);
    CHECK(result.operations > 1);
}

TEST_CASE("rr: refuses what cannot be", "[load]") {
    CHECK(says(refusal("rr", {"-t", "sctp"}), "--transport takes tcp, udp or unix, not 'sctp'"));
    CHECK(says(refusal("rr", {"-e", "aio"}), "--engine takes socket or io_uring, not 'aio'"));
    CHECK(says(refusal("rr", {"-t", "udp", "-q", "65508"}), "does not go over udp"));
    CHECK(says(refusal("rr", {"--clients-on", "100000"}), "--clients-on"));
}

TEST_CASE("tb: clients replay the session from its start again", "[load]") {
    const LoadResult one = result_of("tb", {"-l", "100", "--warmup", "1"});
    CHECK(one.operations == 100);
    CHECK(value(one, "mb_per_sec") > 0);
    CHECK(result_of("tb", {"-l", "100", "-c", "3", "-T"}).operations == 300);
}

TEST_CASE("tb: a load file that is not there is refused", "[load]") {
    CHECK(says(refusal("tb", {"--file", "/nonexistent"}), "/nonexistent"));
}

TEST_CASE("sockets: a message arrives whole, and the end is told", "[load]") {
    for (const auto make : {unix_pair, tcp_pair}) {
        SocketPair pair = make();
        const std::string sent(3000, 'x');
        write_all(pair.client.get(), sent);
        pair.client.reset();
        std::string received(3000, ' ');
        CHECK(read_all(pair.server.get(), received));
        CHECK(received == sent);
        CHECK_FALSE(read_all(pair.server.get(), received));
    }
}
