// SPDX-License-Identifier: GPL-2.0-or-later
// Jankbench's frames, as a table in text, from its database and from JSON. An iteration of all tests is a result.
#pragma once

#include <filesystem>
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "import/format.h"
#include "import/sample.h"

namespace schedlab {

class Jankbench : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override;
    void end() override;
    void add(std::size_t row, std::string_view test, double iteration, double ms, bool jank);

private:
    struct Frames {
        Sample sample; // ms
        std::size_t janks = 0;
    };
    struct Iteration {
        std::size_t line = 0;
        std::map<std::string, Frames> frames; // by test
    };
    void take_titles(std::size_t number, std::string_view line);

    char separator_ = ',';
    std::vector<std::size_t> columns_; // of name, iteration, total_duration, jank_frame
    std::map<double, Iteration> iterations_;
};

bool is_sqlite(const std::filesystem::path &file); // told by its first bytes

// The database that the application keeps. Throws a usage error if it is another one, or broken.
std::unique_ptr<LogParser> read_jankbench_db(const std::filesystem::path &file);

bool is_jankbench_json(const std::filesystem::path &file); // told by the names in its beginning

// `name` stands for the text in errors. Throws a usage error if it is no whole JSON.
std::unique_ptr<LogParser> read_jankbench_json(std::istream &text, const std::string &name);

} // namespace schedlab
