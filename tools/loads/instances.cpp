// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/instances.h"

#include <algorithm>
#include <cerrno>
#include <unistd.h>

#include "core/error.h"
#include "core/record.h"
#include "loads/crew.h"
#include "sys/fd.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

// A result goes through a pipe as JSON: far less than a pipe holds, so nobody waits for a reader.
void send_result(const Fd &out, const LoadResult &result) {
    Record record;
    record.metrics = result.metrics;
    const std::string text = Json{{"operations", result.operations}, {"record", record}}.dump();
    if (::write(out.get(), text.data(), text.size()) != ssize_t(text.size()))
        throw run_error("cannot pass an instance's result on: " + errno_text(errno));
}

LoadResult receive_result(const Fd &in) {
    std::string text;
    char block[4096];
    for (ssize_t n; (n = ::read(in.get(), block, sizeof(block))) > 0 || (n < 0 && errno == EINTR);)
        text.append(block, n > 0 ? std::size_t(n) : 0);
    const Json json = Json::parse(text);
    return {json.at("operations"), 0, json.at("record").get<Record>().metrics};
}

bool adds_up(const Metric &metric) { return metric.kind == MetricKind::count || metric.unit.ends_with("/s"); }

// All instances have the same metrics in the same order.
LoadResult together(const std::vector<LoadResult> &results, std::int64_t elapsed_ns) {
    LoadResult all = results.front();
    all.elapsed_ns = elapsed_ns;
    for (std::size_t i = 1; i < results.size(); ++i) {
        all.operations += results[i].operations;
        for (std::size_t m = 0; m < all.metrics.size(); ++m)
            all.metrics[m].value += results[i].metrics.at(m).value;
    }
    for (Metric &metric : all.metrics)
        if (!adds_up(metric))
            metric.value /= double(results.size());
    return all;
}

} // namespace

SideBySide run_side_by_side(const std::string &load, const std::vector<Part> &parts, const LoadHooks &hooks) {
    std::vector<Fd> pipes;
    Crew crew(load, false);
    for (const Part &part : parts) {
        Pipe pipe = make_pipe();
        pipes.push_back(std::move(pipe.read));
        crew.add([&part, out = std::move(pipe.write)](CrewTask &self) {
            LoadHooks own;
            own.begin = [&self] { self.start(); };
            own.end = [&self] { self.finish(0); };
            send_result(out, part(own));
        });
    }
    SideBySide all;
    all.elapsed_ns = crew.run(hooks).elapsed_ns;
    for (const Fd &pipe : pipes)
        all.results.push_back(receive_result(pipe));
    return all;
}

LoadResult run_instances(const Load &load, int count, const Json &options, std::uint64_t seed,
                         const LoadHooks &hooks) {
    std::vector<Part> parts;
    for (int i = 0; i < count; ++i)
        parts.push_back([&load, &options, own_seed = seed + std::uint64_t(i)](const LoadHooks &own) {
            return load.run(options, own_seed, own);
        });
    const SideBySide all = run_side_by_side(std::string(load.name), parts, hooks);
    return together(all.results, all.elapsed_ns);
}

} // namespace schedlab
