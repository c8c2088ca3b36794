// SPDX-License-Identifier: GPL-2.0-or-later
#include "loads/instances.h"

#include <algorithm>
#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"
#include "core/record.h"
#include "loads/crew.h"
#include "sys/fd.h"

namespace schedlab {
namespace {

using Json = nlohmann::ordered_json;

// A result is left as JSON in memory that both processes have open: nobody waits for a reader.
Fd make_letter() {
    Fd letter(::memfd_create("result", MFD_CLOEXEC));
    if (!letter)
        throw environment_error("cannot make memory for an instance's result: " + errno_text(errno));
    return letter;
}

void write_result(const Fd &letter, const LoadResult &result) {
    Record record;
    record.metrics = result.metrics;
    record.frames = result.frames;
    const std::string text = Json{{"operations", result.operations}, {"record", record}}.dump();
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(letter.get(), text.data() + done, text.size() - done);
        if (n < 0 && errno != EINTR)
            throw run_error("cannot pass an instance's result on: " + errno_text(errno));
        done += n > 0 ? std::size_t(n) : 0;
    }
}

LoadResult read_result(const Fd &letter) {
    std::string text;
    char block[4096];
    for (ssize_t n; (n = ::pread(letter.get(), block, sizeof(block), off_t(text.size()))) > 0 || (n < 0 && errno == EINTR);)
        text.append(block, n > 0 ? std::size_t(n) : 0);
    const Json json = Json::parse(text);
    const Record record = json.at("record");
    return {json.at("operations"), 0, record.metrics, record.frames};
}

bool adds_up(const Metric &metric) { return metric.kind == MetricKind::count || metric.unit.ends_with("/s"); }

// All instances have the same metrics in the same order.
LoadResult together(const std::vector<LoadResult> &results, std::int64_t elapsed_ns) {
    LoadResult all = results.front();
    all.elapsed_ns = elapsed_ns;
    all.frames.clear();
    for (std::size_t i = 0; i < results.size(); ++i)
        for (FrameTimes frame : results[i].frames) {
            frame.part = std::to_string(i);
            all.frames.push_back(std::move(frame));
        }
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
    std::vector<Fd> letters;
    for (std::size_t i = 0; i < parts.size(); ++i)
        letters.push_back(make_letter());
    Crew crew(load, false);
    for (std::size_t i = 0; i < parts.size(); ++i)
        crew.add([&part = parts[i], &letter = letters[i]](CrewTask &self) {
            LoadHooks own;
            own.begin = [&self] { self.start(); };
            own.end = [&self] { self.finish(0); };
            write_result(letter, part(own));
        });
    SideBySide all;
    all.elapsed_ns = crew.run(hooks).elapsed_ns;
    for (const Fd &letter : letters)
        all.results.push_back(read_result(letter));
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
