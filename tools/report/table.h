// SPDX-License-Identifier: GPL-2.0-or-later
// Aligned columns and wrapped lines for terminals. Text is UTF-8 without characters that are two columns wide.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/terminal.h"

namespace schedlab {

enum class Color { none, red, green, yellow };

struct Field {
    std::string text;
    Color color = Color::none;
};

// The first and the last column are aligned left, those between them right.
class Table {
public:
    explicit Table(std::vector<std::string> titles);
    void add(std::vector<Field> row);            // as many fields as there are titles
    void section(const std::string &title);      // a line of its own between rows; left out if no row follows
    // `dispensable`: columns that are left out, in this order, for as long as lines are too long for the terminal.
    std::string render(const Terminal &terminal, const std::vector<std::size_t> &dispensable) const;

private:
    struct Line {
        std::string section; // or a row
        std::vector<Field> row;
    };
    std::vector<std::size_t> widths() const;
    std::string render_row(const std::vector<Field> &row, const std::vector<std::size_t> &widths,
                           const std::vector<bool> &shown, const Terminal &terminal) const;
    std::vector<Field> titles_;
    std::vector<Line> lines_;
};

// `text` broken at blanks into lines of at most `columns`, each indented; ends with a newline unless empty.
std::string wrap(std::string_view text, std::size_t indent, int columns);

std::string paint(const std::string &text, Color color, const Terminal &terminal);

} // namespace schedlab
