// SPDX-License-Identifier: GPL-2.0-or-later
// On the wire as tbench: a request begins with two numbers, how many bytes follow the first and how many shall
// follow the first of the response. The client has the kernel discard a response's bytes.
#include "loads/tb.h"

#include <algorithm>
#include <arpa/inet.h>
#include <atomic>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <sys/socket.h>

#include "core/error.h"
#include "loads/affinity.h"
#include "loads/crew.h"
#include "loads/limits.h"
#include "loads/rates.h"
#include "loads/socket.h"
#include "loads/tb_script.h"
#include "sys/files.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view name = "tb";
using Number = std::uint32_t; // big endian

struct Options {
    std::int64_t clients, loops, warmup;
    std::optional<std::chrono::nanoseconds> duration;
    bool threaded;
    CpuSet clients_on, servers_on;
    std::vector<TbOperation> script;
    std::size_t largest = 0; // message of it, in bytes

    explicit Options(const Json &json)
        : clients(json.at("clients")), loops(json.at("loops")), warmup(json.at("warmup")),
          threaded(json.at("threaded")), clients_on(cpus_here(json.at("clients-on"), "clients-on")),
          servers_on(cpus_here(json.at("servers-on"), "servers-on")) {
        if (const Json &seconds = json.at("seconds"); !seconds.is_null()) {
            duration = std::chrono::seconds(seconds.get<std::int64_t>());
            loops = INT64_MAX;
        }
        const std::string file = json.at("file");
        script = file.empty() ? parse_tb_script(tb_session, "built in") : parse_tb_script(read_file(file), file);
        for (const TbOperation &operation : script)
            largest = std::max<std::size_t>({largest, operation.request, operation.response});
    }
};

class Server {
public:
    Server(int socket, std::size_t largest) : socket_(socket), message_(largest) {}

    bool answer() {
        Number bytes, wanted;
        if (!receive(0, sizeof(Number)))
            return false;
        std::memcpy(&bytes, message_.data(), sizeof(bytes));
        if (ntohl(bytes) > message_.size() - sizeof(Number) || !receive(sizeof(Number), ntohl(bytes)))
            return false;
        std::memcpy(&wanted, message_.data() + sizeof(Number), sizeof(wanted));
        std::memcpy(message_.data(), &wanted, sizeof(wanted));
        const std::size_t size = ntohl(wanted) + sizeof(Number);
        return size <= message_.size() && ::send(socket_, message_.data(), size, MSG_NOSIGNAL) == ssize_t(size);
    }

private:
    bool receive(std::size_t at, std::size_t size) {
        return ::recv(socket_, message_.data() + at, size, MSG_WAITALL) == ssize_t(size);
    }

    int socket_;
    std::vector<char> message_;
};

class Client {
public:
    Client(int socket, const Options &options)
        : socket_(socket), script_(options.script), message_(options.largest) {}

    // Up to `count` operations, while there is time; the script begins anew after its end.
    std::int64_t replay(const CrewTask &self, std::int64_t count) {
        std::int64_t done = 0;
        for (; done < count && self.going(); ++done) {
            const TbOperation &operation = script_[next_];
            exchange(operation);
            data_ += operation.data;
            next_ = next_ + 1 == script_.size() ? 0 : next_ + 1;
        }
        return done;
    }
    std::uint64_t data() const { return data_; } // bytes, since the last time
    void forget_data() { data_ = 0; }

private:
    void exchange(const TbOperation &operation) {
        const Number numbers[] = {htonl(Number(operation.request - sizeof(Number))),
                                  htonl(Number(operation.response - sizeof(Number)))};
        std::memcpy(message_.data(), numbers, sizeof(numbers));
        Number told = 0;
        if (::send(socket_, message_.data(), operation.request, MSG_NOSIGNAL) != ssize_t(operation.request) ||
            ::recv(socket_, &told, sizeof(told), MSG_WAITALL) != sizeof(told) || told != numbers[1] ||
            ::recv(socket_, message_.data(), ntohl(told), MSG_WAITALL | MSG_TRUNC) != ssize_t(ntohl(told)))
            throw run_error("a server ended early");
    }

    int socket_;
    const std::vector<TbOperation> &script_;
    std::size_t next_ = 0;
    std::vector<char> message_;
    std::uint64_t data_ = 0;
};

using Bytes = std::atomic<std::uint64_t>;

void add_client(Crew &crew, const Options &options, Bytes &moved) {
    SocketPair pair = tcp_pair();
    crew.add_server(
        [&options, socket = std::move(pair.server)](CrewTask &) {
            Server server(socket.get(), options.largest);
            while (server.answer())
                ;
        },
        options.servers_on);
    crew.add(
        [&options, &moved, socket = std::move(pair.client)](CrewTask &self) {
            Client client(socket.get(), options);
            client.replay(self, options.warmup);
            client.forget_data();
            self.start();
            const std::int64_t operations = client.replay(self, options.loops);
            moved += client.data();
            self.finish(std::uint64_t(operations));
        },
        options.clients_on);
}

void check(const Json &json) {
    const Options options(json);
    const auto tasks = std::uint64_t(2 * options.clients);
    check_tasks(name, tasks);
    check_descriptors(name, options.threaded ? tasks + 8 : 8);
    check_memory(name, tasks * ((options.threaded ? bytes_per_thread : bytes_per_process) + options.largest));
    tcp_pair();
}

LoadResult run(const Json &json, std::uint64_t, const LoadHooks &hooks) {
    const Options options(json);
    SharedArray<Bytes> moved(1);
    Crew crew(std::string(name), options.threaded);
    for (std::int64_t i = 0; i < options.clients; ++i)
        add_client(crew, options, moved[0]);
    const Crew::Outcome outcome = crew.run(hooks, options.duration);

    const double seconds = double(outcome.elapsed_ns) / 1e9, operations = double(outcome.operations);
    return {outcome.operations,
            outcome.elapsed_ns,
            {{"mb_per_sec", "MB/s", MetricClass::time, Direction::higher_is_better, MetricKind::value,
              double(moved[0]) / 1e6 / seconds},
             ops_per_sec(operations, seconds),
             usec_per_op(operations, seconds)}};
}

} // namespace

Load tb_load() {
    return {name,
            "clients replay a file server's traffic over TCP (tbench)",
            {{"clients", 'c', OptionType::integer, 1, 1, 10000, "clients, each with a server of its own"},
             {"loops", 'l', OptionType::integer, 10000, 1, 1'000'000'000, "counted operations of a client"},
             {"seconds", 0, OptionType::integer, nullptr, 1, 86400, "count for so long, instead of --loops"},
             {"file", 'f', OptionType::text, "", 0, 0, "dbench load file; default: a short one of our own"},
             {"threaded", 'T', OptionType::flag, false, 0, 0, "threads of one process, not processes"},
             {"clients-on", 0, OptionType::place, "", 0, 0, "CPUs of the clients; default: all"},
             {"servers-on", 0, OptionType::place, "", 0, 0, "CPUs of the servers; default: all"},
             {"warmup", 0, OptionType::integer, 100, 1, 1'000'000'000, "operations before counting begins"}},
            check,
            run,
            {"migrations", "mb_per_sec"}};
}

} // namespace schedlab
