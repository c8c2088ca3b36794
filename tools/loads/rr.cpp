// SPDX-License-Identifier: GPL-2.0-or-later
// One operation is a transaction: a client sends its request and waits for the whole response.
#include "loads/rr.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/histogram.h"
#include "loads/affinity.h"
#include "loads/clock.h"
#include "loads/crew.h"
#include "loads/exchange.h"
#include "loads/limits.h"
#include "loads/rates.h"
#include "loads/socket.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view name = "rr";

struct Transport {
    std::string_view name;
    SocketPair (*make)();
    std::size_t largest; // message, in bytes
};
constexpr Transport transports[] = {
    {"tcp", tcp_pair, 1 << 20}, {"udp", udp_pair, 65507}, {"unix", unix_pair, 1 << 20}};

const Transport &transport_named(const std::string &wanted) {
    const auto found = std::ranges::find(transports, wanted, &Transport::name);
    if (found == std::end(transports))
        throw usage_error(fmt::format("load rr: --transport takes tcp, udp or unix, not '{}'", wanted));
    return *found;
}

struct Options {
    const Transport &transport;
    std::string engine;
    std::int64_t pairs, loops, warmup;
    std::optional<std::chrono::nanoseconds> duration;
    std::size_t request, response;
    bool threaded;
    CpuSet clients, servers;

    explicit Options(const Json &json)
        : transport(transport_named(json.at("transport"))), engine(json.at("engine")), pairs(json.at("pairs")),
          loops(json.at("loops")), warmup(json.at("warmup")), request(json.at("request")),
          response(json.at("response")), threaded(json.at("threaded")),
          clients(cpus_here(json.at("clients-on"), "clients-on")),
          servers(cpus_here(json.at("servers-on"), "servers-on")) {
        if (const Json &seconds = json.at("seconds"); !seconds.is_null()) {
            duration = std::chrono::seconds(seconds.get<std::int64_t>());
            loops = INT64_MAX;
        }
        if (engine != "socket" && engine != "io_uring")
            throw usage_error(fmt::format("load rr: --engine takes socket or io_uring, not '{}'", engine));
        if (const std::size_t size = std::max(request, response); size > transport.largest)
            throw usage_error(fmt::format("load rr: a message of {} bytes does not go over {}: {} at most", size,
                                          transport.name, transport.largest));
    }
};

void serve(const Options &options, const Fd &socket) {
    const auto exchange = make_exchange(options.engine, socket.get());
    const std::vector<char> response(options.response);
    std::vector<char> request(options.request);
    bool going = (*exchange)({}, request);
    while (going)
        going = (*exchange)(response, request);
}

class Client {
public:
    Client(const Options &options, const Fd &socket, Histogram &latency)
        : exchange_(make_exchange(options.engine, socket.get())), request_(options.request),
          response_(options.response), latency_(latency) {}

    // Up to `count` transactions, while there is time.
    std::int64_t ask(const CrewTask &self, std::int64_t count, bool counted) {
        std::int64_t asked = 0;
        for (std::int64_t sent = monotonic_ns(); asked < count && self.going(); ++asked) {
            if (!(*exchange_)(request_, response_))
                throw run_error("a server ended early");
            const std::int64_t received = monotonic_ns();
            if (counted)
                latency_.add(std::uint64_t(received - sent));
            sent = received;
        }
        return asked;
    }

private:
    std::unique_ptr<Exchange> exchange_;
    const std::vector<char> request_;
    std::vector<char> response_;
    Histogram &latency_;
};

void add_pair(Crew &crew, const Options &options, Histogram &latency) {
    SocketPair pair = options.transport.make();
    crew.add_server([&options, socket = std::move(pair.server)](CrewTask &) { serve(options, socket); },
                    options.servers);
    crew.add(
        [&options, &latency, socket = std::move(pair.client)](CrewTask &self) {
            Client client(options, socket, latency);
            client.ask(self, options.warmup, false);
            self.start();
            self.finish(std::uint64_t(client.ask(self, options.loops, true)));
        },
        options.clients);
}

void check(const Json &json) {
    const Options options(json);
    const auto tasks = std::uint64_t(2 * options.pairs);
    check_tasks(name, tasks);
    check_descriptors(name, options.threaded ? 2 * tasks : 8); // a socket, and a ring
    check_memory(name, tasks * ((options.threaded ? bytes_per_thread : bytes_per_process) + sizeof(Histogram) +
                                options.request + options.response));
    make_exchange(options.engine, -1);
    options.transport.make();
}

LoadResult run(const Json &json, std::uint64_t, const LoadHooks &hooks) {
    const Options options(json);
    SharedArray<Histogram> latencies(std::size_t(options.pairs));
    Crew crew(std::string(name), options.threaded);
    for (Histogram &latency : latencies)
        add_pair(crew, options, latency);
    const Crew::Outcome outcome = crew.run(hooks, options.duration);

    const auto all = std::make_unique<Histogram>();
    for (const Histogram &latency : latencies)
        all->add(latency);
    const double seconds = double(outcome.elapsed_ns) / 1e9, transactions = double(outcome.operations);
    const auto latency = [&all](double quantile) { return double(all->quantile(quantile)) / 1e3; };
    constexpr auto time = MetricClass::time;
    constexpr auto lower = Direction::lower_is_better;
    return {outcome.operations,
            outcome.elapsed_ns,
            {{"trans_per_sec", "1/s", time, Direction::higher_is_better, MetricKind::value, transactions / seconds},
             usec_per_op(transactions, seconds),
             {"latency_us.p50", "us", time, lower, MetricKind::value, latency(0.5)},
             {"latency_us.p99", "us", time, lower, MetricKind::value, latency(0.99)}}};
}

} // namespace

Load rr_load() {
    return {name,
            "clients and servers, a request and a response at a time (netperf TCP_RR, UDP_RR)",
            {{"transport", 't', OptionType::text, "tcp", 0, 0, "tcp, udp (both over 127.0.0.1) or unix"},
             {"engine", 'e', OptionType::text, "socket", 0, 0, "socket (a system call each) or io_uring"},
             {"pairs", 'n', OptionType::integer, 1, 1, 10000, "clients, each with a server of its own"},
             {"loops", 'l', OptionType::integer, 10000, 1, 1'000'000'000, "counted transactions of a client"},
             {"seconds", 0, OptionType::integer, nullptr, 1, 86400, "count for so long, instead of --loops"},
             {"request", 'q', OptionType::integer, 1, 1, 1 << 20, "bytes of a request"},
             {"response", 'r', OptionType::integer, 1, 1, 1 << 20, "bytes of a response"},
             {"threaded", 'T', OptionType::flag, false, 0, 0, "threads of one process, not processes"},
             {"clients-on", 0, OptionType::place, "", 0, 0, "CPUs of the clients; default: all"},
             {"servers-on", 0, OptionType::place, "", 0, 0, "CPUs of the servers; default: all"},
             {"warmup", 0, OptionType::integer, 100, 1, 1'000'000'000, "transactions before counting begins"}},
            check,
            run,
            {"migrations", "trans_per_sec"},
            {{"tcp_rr", "netperf's TCP_RR; --pairs 1 to 128", {"-t", "tcp", "-q", "1", "-r", "1"}},
             {"udp_rr", "netperf's UDP_RR; --pairs 1 to 128", {"-t", "udp", "-q", "1", "-r", "1"}},
             {"two_nodes",
              "clients on node 0, servers on node 1",
              {"--clients-on", "node:0", "--servers-on", "node:1"}}}};
}

} // namespace schedlab
