// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/table.h"

#include <algorithm>
#include <fmt/format.h>

namespace schedlab {

namespace {

constexpr std::size_t gap = 2; // blanks between columns, and before the first

// ECMA-48, "select graphic rendition".
std::string_view escape(Color color) {
    switch (color) {
    case Color::red: return "\033[31m";
    case Color::green: return "\033[32m";
    case Color::yellow: return "\033[33m";
    case Color::none: break;
    }
    return "";
}

std::size_t columns_of(std::string_view utf8) {
    return std::size_t(std::ranges::count_if(utf8, [](char c) { return (c & 0xc0) != 0x80; }));
}

} // namespace

std::string paint(const std::string &text, Color color, const Terminal &terminal) {
    if (!terminal.color || color == Color::none)
        return text;
    return fmt::format("{}{}\033[0m", escape(color), text);
}

Table::Table(std::vector<std::string> titles) {
    for (std::string &title : titles)
        titles_.push_back({std::move(title)});
}

void Table::add(std::vector<Field> row) { lines_.push_back({{}, std::move(row)}); }

void Table::section(const std::string &title) { lines_.push_back({title, {}}); }

std::vector<std::size_t> Table::widths() const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < titles_.size(); ++i) {
        std::size_t width = columns_of(titles_[i].text);
        for (const Line &line : lines_)
            if (!line.row.empty())
                width = std::max(width, columns_of(line.row[i].text));
        widths.push_back(width);
    }
    return widths;
}

std::string Table::render_row(const std::vector<Field> &row, const std::vector<std::size_t> &widths,
                              const std::vector<bool> &shown, const Terminal &terminal) const {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (!shown[i])
            continue;
        const std::string padding(widths[i] - columns_of(row[i].text), ' ');
        const std::string text = paint(row[i].text, row[i].color, terminal);
        line += std::string(gap, ' ');
        if (i + 1 == row.size())
            line += text;
        else
            line += i == 0 ? text + padding : padding + text;
    }
    return line + "\n";
}

std::string Table::render(const Terminal &terminal, const std::vector<std::size_t> &dispensable) const {
    const std::vector<std::size_t> width = widths();
    std::vector<bool> shown(titles_.size(), true);
    std::size_t total = 0;
    for (std::size_t w : width)
        total += gap + w;
    for (std::size_t column : dispensable)
        if (total > std::size_t(terminal.columns)) {
            shown[column] = false;
            total -= gap + width[column];
        }
    std::string text = render_row(titles_, width, shown, terminal);
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const Line &line = lines_[i];
        if (!line.row.empty())
            text += render_row(line.row, width, shown, terminal);
        else if (i + 1 < lines_.size() && !lines_[i + 1].row.empty())
            text += "\n" + std::string(gap, ' ') + line.section + "\n";
    }
    return text;
}

std::string wrap(std::string_view text, std::size_t indent, int columns) {
    const std::size_t room = std::max<std::size_t>(20, std::size_t(columns)) - indent;
    std::string wrapped;
    while (!text.empty()) {
        std::size_t end = text.size();
        if (end > room) {
            end = text.rfind(' ', room);
            if (end == std::string_view::npos)
                end = std::min(text.find(' '), text.size()); // a word longer than a line
        }
        wrapped += std::string(indent, ' ') + std::string(text.substr(0, end)) + "\n";
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return wrapped;
}

} // namespace schedlab
