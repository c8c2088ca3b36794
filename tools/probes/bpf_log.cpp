// SPDX-License-Identifier: GPL-2.0-or-later
#include "probes/bpf_log.h"

#include <algorithm>
#include <bpf/libbpf.h>
#include <cerrno>
#include <cstdio>
#include <sstream>
#include <vector>

namespace schedlab {
namespace {

constexpr std::size_t lines_shown = 8; // of a verifier's log the end tells what it did not like

std::string said; // libbpf's callback takes no context
libbpf_print_fn_t previous;

int keep(libbpf_print_level level, const char *format, va_list arguments) {
    if (level == LIBBPF_DEBUG)
        return 0;
    va_list again;
    va_copy(again, arguments);
    std::string text(std::vsnprintf(nullptr, 0, format, again), '\0');
    va_end(again);
    std::vsnprintf(text.data(), text.size() + 1, format, arguments);
    said += text;
    return int(text.size());
}

std::string last_lines(const std::string &text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        if (!line.empty())
            lines.push_back(line);
    const std::size_t first = lines.size() - std::min(lines.size(), lines_shown);
    std::string shown;
    for (std::size_t i = first; i < lines.size(); ++i)
        shown += (shown.empty() ? "" : "\n  ") + lines[i];
    return shown;
}

} // namespace

BpfLog::BpfLog() {
    said.clear();
    previous = libbpf_set_print(keep);
}

BpfLog::~BpfLog() { libbpf_set_print(previous); }

Error BpfLog::error(const std::string &what, int err) const {
    const std::string message = "cannot " + what + ": " + errno_text(err);
    if (err == EPERM || err == EACCES) {
        if (said.find("verifier") == std::string::npos && said.find("LOG") == std::string::npos)
            return environment_error(message, "run as root, or with CAP_BPF and CAP_PERFMON");
    }
    if (err == ENOSYS)
        return environment_error(message, "this kernel was built without BPF_SYSCALL");
    return environment_error(message, last_lines(said));
}

} // namespace schedlab
