// SPDX-License-Identifier: GPL-2.0-or-later
// mmtests' compare tables. Two lines of titles name the kernels; in a row, each kernel has a value and, in parentheses or
// stars, its gain over the first: positive is better, whatever the unit. The stars are mmtests' own idea of significance
// and are not looked at. Every column becomes a result of the kernel it is headed with.
//
//                               5.10                   5.10
//                            vanilla                cluster
//   Amean     1      0.3677 (   0.00%)      0.3626 *   1.37%*
#include <algorithm>

#include "import/format.h"
#include "import/scan.h"

namespace schedlab {

namespace {

struct Row {
    std::string name;
    std::vector<double> values, gains;
};

// Empty unless the whole line has the shape of a row.
Row row_of(std::string_view line) {
    std::string plain(line);
    std::ranges::replace_if(plain, [](char c) { return c == '(' || c == ')' || c == '*'; }, ' ');
    Row row;
    const std::vector<std::string_view> words = words_of(plain);
    std::size_t at = words.size();
    while (at >= 2 && words[at - 1].ends_with('%')) {
        const auto gain = number_in(words[at - 1].substr(0, words[at - 1].size() - 1));
        const auto value = number_in(words[at - 2]);
        if (!gain || !value)
            return {};
        row.gains.insert(row.gains.begin(), *gain);
        row.values.insert(row.values.begin(), *value);
        at -= 2;
    }
    if (at == 0 || row.values.empty())
        return {};
    for (std::size_t i = 0; i < at; ++i)
        row.name += (i ? "." : "") + std::string(words[i]);
    return row;
}

bool is_row(std::string_view line) {
    constexpr std::string_view means[] = {"Amean", "Hmean", "Gmean", "Min", "Max", "Stddev", "CoeffVar", "BAmean", "BHmean"};
    const std::string_view text = trimmed(line);
    return std::ranges::any_of(means, [&](std::string_view mean) { return text.starts_with(mean); }) && !row_of(line).values.empty();
}

Direction direction_of(const Row &row) {
    for (std::size_t i = 1; i < row.values.size(); ++i)
        if (row.values[i] != row.values[0] && row.gains[i] != 0)
            return (row.values[i] > row.values[0]) == (row.gains[i] > 0) ? Direction::higher_is_better : Direction::lower_is_better;
    return Direction::neutral;
}

class Mmtests : public LogParser {
public:
    void take(std::size_t number, std::string_view line) override {
        Row row = row_of(line);
        if (row.values.empty()) {
            const std::vector<std::string_view> words = words_of(line);
            titles_.emplace_back(words.begin(), words.end());
            if (titles_.size() > 2)
                titles_.erase(titles_.begin());
        } else if (!results.empty() && row.values.size() != results.size()) {
            skip(number, "not as many columns as the rows above");
        } else {
            if (results.empty())
                begin_columns(number, row.values.size());
            for (std::size_t i = 0; i < row.values.size(); ++i)
                results[i].record.metrics.push_back(imported_time(row.name, "1", direction_of(row), row.values[i]));
        }
    }

private:
    void begin_columns(std::size_t number, std::size_t columns) {
        for (std::size_t i = 0; i < columns; ++i) {
            begin(number, "mmtests");
            for (const std::vector<std::string> &line : titles_)
                if (line.size() == columns)
                    results.back().kernel += (results.back().kernel.empty() ? "" : "-") + line[i];
            results.back().record.warnings.push_back("mmtests: each value is a mean of runs that the table does not tell");
        }
    }

    std::vector<std::vector<std::string>> titles_; // the last two lines that were no row
};

} // namespace

const LogFormat mmtests_format = {"mmtests", "mmtests' compare tables", is_row,
                                  [] { return std::unique_ptr<LogParser>(std::make_unique<Mmtests>()); }};

} // namespace schedlab
