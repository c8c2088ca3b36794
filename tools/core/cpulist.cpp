// SPDX-License-Identifier: GPL-2.0-or-later
#include "core/cpulist.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "core/error.h"

namespace schedlab {

namespace {

// Far above the kernel's largest NR_CPUS (8192), so that a typing error does not fill memory.
constexpr int max_cpu = 65535;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const auto from = text.find_first_not_of(blanks);
    if (from == text.npos)
        return {};
    return text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

// The pieces between commas; none for blank text.
std::vector<std::string_view> pieces(std::string_view text) {
    std::vector<std::string_view> out;
    text = trimmed(text);
    while (!text.empty()) {
        const auto comma = text.find(',');
        out.push_back(trimmed(text.substr(0, comma)));
        if (comma == text.npos)
            break;
        text.remove_prefix(comma + 1);
        if (text.empty())
            out.push_back({}); // "1,": refused like any empty piece
    }
    return out;
}

bool parse_number(std::string_view text, int base, std::uint32_t &value) {
    const auto [end, err] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return err == std::errc() && end == text.data() + text.size();
}

Error bad_piece(std::string_view piece, std::string_view text, const char *what) {
    return usage_error(fmt::format("'{}' in '{}' is not {}", piece, trimmed(text), what));
}

} // namespace

CpuSet::CpuSet(std::initializer_list<int> cpus) : CpuSet(std::vector<int>(cpus)) {}

CpuSet::CpuSet(std::vector<int> cpus) : cpus_(std::move(cpus)) {
    std::sort(cpus_.begin(), cpus_.end());
    cpus_.erase(std::unique(cpus_.begin(), cpus_.end()), cpus_.end());
}

CpuSet CpuSet::parse_list(std::string_view text) {
    std::vector<int> cpus;
    for (const std::string_view piece : pieces(text)) {
        const auto dash = piece.find('-');
        std::uint32_t from = 0, to = 0;
        if (!parse_number(piece.substr(0, dash), 10, from))
            throw bad_piece(piece, text, "a CPU number or a range like 0-3");
        if (dash == piece.npos)
            to = from;
        else if (!parse_number(piece.substr(dash + 1), 10, to))
            throw bad_piece(piece, text, "a CPU number or a range like 0-3");
        if (from > to)
            throw bad_piece(piece, text, "a range: it ends before it begins");
        if (to > std::uint32_t(max_cpu))
            throw bad_piece(piece, text, "possible: CPU numbers end at 65535");
        for (int cpu = int(from); cpu <= int(to); ++cpu)
            cpus.push_back(cpu);
    }
    return CpuSet(std::move(cpus));
}

CpuSet CpuSet::parse_mask(std::string_view text) {
    const std::vector<std::string_view> words = pieces(text);
    if (words.size() > (max_cpu + 1) / 32)
        throw usage_error("a CPU mask of more than 65536 bits is not possible");
    std::vector<int> cpus;
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::uint32_t bits = 0;
        if (words[i].size() > 8 || !parse_number(words[i], 16, bits))
            throw bad_piece(words[i], text, "a hexadecimal word of 32 bits");
        const int lowest = int(words.size() - 1 - i) * 32;
        for (int bit = 0; bit < 32; ++bit)
            if (bits >> bit & 1)
                cpus.push_back(lowest + bit);
    }
    return CpuSet(std::move(cpus));
}

std::string CpuSet::to_list() const {
    std::string list;
    for (std::size_t i = 0; i < cpus_.size();) {
        std::size_t end = i;
        while (end + 1 < cpus_.size() && cpus_[end + 1] == cpus_[end] + 1)
            ++end;
        if (!list.empty())
            list += ',';
        list += std::to_string(cpus_[i]);
        if (end > i)
            list += '-' + std::to_string(cpus_[end]);
        i = end + 1;
    }
    return list;
}

bool CpuSet::contains(int cpu) const { return std::binary_search(cpus_.begin(), cpus_.end(), cpu); }

} // namespace schedlab
