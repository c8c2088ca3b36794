// SPDX-License-Identifier: GPL-2.0-or-later
// Sets of CPU numbers in the kernel's list format: "0-3,8,10-11" (Documentation/admin-guide/
// cputopology.rst). CPU numbers may have holes; a set is kept sorted and without repeats.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace schedlab {

class CpuSet {
public:
    CpuSet() = default;
    CpuSet(std::initializer_list<int> cpus);
    explicit CpuSet(std::vector<int> cpus);

    // Parses "0-3,8" (blanks and a final newline are allowed, empty text is the empty set).
    // Throws a usage error that names the offending piece.
    static CpuSet parse_list(std::string_view text);
    // Parses a kernel mask: hexadecimal words of 32 bits joined by commas, highest first ("ff,0000000f").
    static CpuSet parse_mask(std::string_view text);

    std::string to_list() const;
    bool contains(int cpu) const;
    bool empty() const { return cpus_.empty(); }
    std::size_t size() const { return cpus_.size(); }
    int first() const { return cpus_.front(); }
    int last() const { return cpus_.back(); }
    const std::vector<int> &cpus() const { return cpus_; }
    auto begin() const { return cpus_.begin(); }
    auto end() const { return cpus_.end(); }
    bool operator==(const CpuSet &) const = default;

private:
    std::vector<int> cpus_;
};

} // namespace schedlab
