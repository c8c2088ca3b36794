// SPDX-License-Identifier: GPL-2.0-or-later
#include "lab/imported_runs.h"

#include <fmt/format.h>
#include <fstream>

#include "core/error.h"
#include "core/printable.h"
#include "import/jankbench.h"
#include "import/open_log.h"
#include "import/trace.h"
#include "store/run_json.h"
#include "sys/files.h"
#include "sys/hash.h"
#include "sys/topology_reader.h"
#include "sys/wall_clock.h"

namespace schedlab {

using Json = nlohmann::ordered_json;

namespace {

constexpr auto source_key = "source"; // in the identity of runs that were imported

bool is_json(const std::filesystem::path &file) {
    std::ifstream in(file);
    char first = 0;
    return in >> first && first == '{';
}

constexpr auto boot_unknown = "imported: a record does not say which boot it is of, and each counts as one of its own; records of one "
                              "boot are more alike than that, and verdicts on them too sure";

// Line and reason, as the parser tells them: "parse error at line 2, column 1: ...".
std::string json_complaint(const std::string &text) {
    try {
        [[maybe_unused]] const Json whole = Json::parse(text);
    } catch (const Json::exception &e) {
        const std::string what = e.what();
        return printable(what.substr(what.find("] ") + 2));
    }
    return "too many brackets within each other";
}

StoredRun imported_run(const Record &record, const std::string &kernel, const ImportChoice &choice, const Json &source) {
    StoredRun run;
    run.identity = {{"kernel", kernel},
                    {"machine", {{"name", choice.machine}}},
                    {"job", {{"load", record.load}, {"options", record.options}}},
                    {source_key, source}};
    run.cell = sha256_hex(run.identity.dump());
    run.record = record;
    run.started_at = utc_now();
    run.environment = {{"schedlab", SCHEDLAB_VERSION}, {"kernel", kernel}};
    return run;
}

// A run per line, as `runs export` writes them.
ImportedFile exported_runs(std::istream &in, const std::string &name) {
    ImportedFile imported{"runs of schedlab", {}, {}};
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        imported.runs.push_back(parse_run(line, fmt::format("{}:{}", name, ++number)));
    }
    return imported;
}

ImportedFile json_runs(const std::filesystem::path &file, const ImportChoice &choice) {
    std::ifstream in(file);
    std::string first;
    std::getline(in, first);
    const Json line = foreign_json(first);
    if (line.is_object() && line.contains("schedlab")) {
        in.clear();
        in.seekg(0);
        return exported_runs(in, file.string());
    }
    const Json whole = foreign_json(read_file(file));
    if (whole.is_discarded())
        throw usage_error(file.string() + ": begins like JSON, and is none: " + json_complaint(read_file(file)),
                          "a file holds one record of 'bench --json', or a run of 'runs export' in each line");
    if (!whole.is_object() || !whole.contains("metrics") || !whole.contains("seed"))
        throw usage_error(file.string() + ": JSON, but no run of schedlab",
                          "'schedlab runs export' and 'bench --json' write what can be read here");
    const Json source = {{"sha256", sha256_file(file)}, {"line", 1}};
    Record record = parse_record(whole, file.string());
    record.warnings.push_back(boot_unknown);
    return {"a record of schedlab", {imported_run(record, choice.kernel, choice, source)}, {}};
}

Imported trace_of(const std::filesystem::path &file, const ImportChoice &choice) {
    Topology topology;
    if (choice.topology.empty()) {
        topology = read_topology();
    } else {
        std::ifstream lines(choice.topology);
        topology = read_topology_lines(lines, choice.topology.string());
    }
    Imported trace = import_trace(*open_log(file), file.string(), topology, choice.commands);
    if (choice.topology.empty())
        trace.results[0].record.warnings.push_back("trace: taken to be of a machine like this one");
    return trace;
}

} // namespace

ImportedFile runs_of_file(const std::filesystem::path &file, const ImportChoice &choice) {
    if (is_json(file) && !is_jankbench_json(file))
        return json_runs(file, choice);
    Imported log = is_trace(file) ? trace_of(file, choice) : import_file(file);
    ImportedFile imported{std::string(log.format), {}, std::move(log.skipped)};
    const std::string hash = sha256_file(file);
    for (std::size_t i = 0; i < log.results.size(); ++i) {
        const ImportedResult &result = log.results[i];
        const Json source = {{"format", log.format}, {"sha256", hash}, {"line", result.line}, {"result", i + 1}};
        imported.runs.push_back(imported_run(result.record, result.kernel.empty() ? choice.kernel : result.kernel, choice, source));
    }
    return imported;
}

std::vector<StoredRun> numbered(std::vector<ImportedFile> files) {
    std::vector<StoredRun> runs;
    std::uint64_t seed = 0;
    std::int64_t id = 0;
    for (ImportedFile &file : files)
        for (StoredRun &run : file.runs) {
            if (run.identity.contains(source_key))
                run.record.seed = ++seed;
            run.id = ++id; // of the same cell, the later one is the newer
            runs.push_back(std::move(run));
        }
    return runs;
}

} // namespace schedlab
