// SPDX-License-Identifier: GPL-2.0-or-later
// Every parser of text that others wrote, fed by libFuzzer. Which one: the environment's FUZZ_PARSER; a name that is none
// prints all. A parser may refuse by schedlab::Error; whatever else it does wrong is a finding.
#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "../unit/lines.h"
#include "boot/transcript.h"
#include "core/cpulist.h"
#include "core/error.h"
#include "core/gate.h"
#include "core/job.h"
#include "core/ktap.h"
#include "core/machine.h"
#include "core/record.h"
#include "core/series.h"
#include "import/format.h"
#include "import/jankbench.h"
#include "import/open_log.h"
#include "import/trace.h"
#include "kernel/base.h"
#include "loads/tb_script.h"
#include "report/format.h"
#include "report/perfetto.h"
#include "store/run_json.h"
#include "store/run_query.h"
#include "sys/files.h"

using namespace schedlab;
using schedlab::test::lines_of;

namespace {

nlohmann::ordered_json json_of(const std::string &text) {
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (json.is_discarded())
        throw usage_error("no JSON");
    return json;
}

// A log as if it had been recognized: mutations seldom leave the telling line whole.
void parse_log(const LogFormat &format, const std::string &text) {
    const std::unique_ptr<LogParser> parser = format.parser();
    std::size_t number = 0;
    for (const std::string &line : lines_of(text)) {
        format.recognizes(line);
        parser->take(++number, line);
    }
    parser->end();
    for (const ImportedResult &result : parser->results) // what is kept must be valid JSON
        nlohmann::ordered_json(result.record).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

void parse_trace(const std::string &text) {
    static const Topology machine{{{0, 0, 0, 0, 0, 512}, {1, 1, 0, 0, 0, 512}, {2, 2, 2, 2, 1, 1024}, {5, 5, 2, 2, 1, 1024}}};
    std::istringstream in(text);
    import_trace(in, "trace", machine, {});
}

// What was read is also written in every form.
void parse_report(const std::string &text) {
    const ComparisonReport report = parse_comparison(json_of(text));
    for (const Format format : {Format::text, Format::lkml, Format::markdown, Format::csv, Format::html})
        comparison_in(format, report, {});
}

void parse_jankbench_json(const std::string &text) {
    std::istringstream in(text);
    read_jankbench_json(in, "results")->end();
}

// Files, as they are opened: packed or not.
void parse_packed(const std::string &text) {
    static const TempDir dir("fuzz-packed");
    const std::filesystem::path file = dir.path() / "log";
    std::ofstream(file, std::ios::binary) << text;
    is_trace(file);
    const std::unique_ptr<std::istream> in = open_log(file);
    for (char buffer[4096]; in->read(buffer, sizeof buffer);)
        ;
}

struct Parser {
    std::string_view name;
    void (*parse)(const std::string &text);
};

const Parser parsers[] = {
    {"cyclictest", [](const std::string &text) { parse_log(cyclictest_format, text); }},
    {"gfxinfo", [](const std::string &text) { parse_log(gfxinfo_format, text); }},
    {"hackbench", [](const std::string &text) { parse_log(hackbench_format, text); }},
    {"jankbench", [](const std::string &text) { parse_log(jankbench_format, text); }},
    {"jankbench_json", parse_jankbench_json},
    {"mmtests", [](const std::string &text) { parse_log(mmtests_format, text); }},
    {"netperf", [](const std::string &text) { parse_log(netperf_format, text); }},
    {"perf_bench", [](const std::string &text) { parse_log(perf_bench_format, text); }},
    {"perf_bench_simple", [](const std::string &text) { parse_log(perf_bench_simple_format, text); }},
    {"perf_stat", [](const std::string &text) { parse_log(perf_stat_format, text); }},
    {"perf_stat_csv", [](const std::string &text) { parse_log(perf_stat_csv_format, text); }},
    {"rt_app", [](const std::string &text) { parse_log(rt_app_format, text); }},
    {"schbench", [](const std::string &text) { parse_log(schbench_format, text); }},
    {"schedstat", [](const std::string &text) { parse_log(schedstat_format, text); }},
    {"stress_ng", [](const std::string &text) { parse_log(stress_ng_format, text); }},
    {"surfaceflinger", [](const std::string &text) { parse_log(surfaceflinger_format, text); }},
    {"sysbench", [](const std::string &text) { parse_log(sysbench_format, text); }},
    {"tbench", [](const std::string &text) { parse_log(tbench_format, text); }},
    {"unixbench", [](const std::string &text) { parse_log(unixbench_format, text); }},
    {"trace", parse_trace},
    {"packed", parse_packed},
    {"topology", [](const std::string &text) { std::istringstream in(text); read_topology_lines(in, "topology"); }},
    {"events", [](const std::string &text) { perfetto_trace(lines_of(text)); }},
    {"comparison", parse_report},
    {"run", [](const std::string &text) { parse_run(json_of(text), "run"); }},
    {"record", [](const std::string &text) { json_of(text).get<Record>(); }},
    {"job", [](const std::string &text) { json_of(text).get<Job>(); }},
    {"channel", [](const std::string &text) { Transcript().feed(text); }},
    {"ktap", [](const std::string &text) { parse_ktap(lines_of(text)); }},
    {"machine", [](const std::string &text) { parse_machine(text, "model", "model"); }},
    {"bases", [](const std::string &text) { parse_bases(text, "bases"); }},
    {"series", [](const std::string &text) { parse_series(text, "series"); }},
    {"patches", [](const std::string &text) { parse_patches(text, "patches"); }},
    {"tb_script", [](const std::string &text) { parse_tb_script(text, "script"); }},
    {"cpu_list", [](const std::string &text) { CpuSet::parse_list(text); }},
    {"cpu_mask", [](const std::string &text) { CpuSet::parse_mask(text); }},
    {"run_query", [](const std::string &text) { parse_run_query(text); }},
    {"gate_rule", [](const std::string &text) { parse_gate_rule(text, 0.01); }},
};

const Parser *chosen = nullptr;

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
    const char *name = std::getenv("FUZZ_PARSER");
    const auto at = std::ranges::find(parsers, std::string_view(name ? name : ""), &Parser::name);
    if (at != std::end(parsers)) {
        chosen = at;
        return 0;
    }
    for (const Parser &parser : parsers)
        fmt::print("{}\n", parser.name);
    std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    try {
        chosen->parse({reinterpret_cast<const char *>(data), size});
    } catch (const Error &) {
    }
    return 0;
}
