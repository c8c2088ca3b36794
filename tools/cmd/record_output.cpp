// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/record_output.h"

#include <cstdio>

#include "report/record_text.h"
#include "sys/files.h"

namespace schedlab {

void write_record(const Record &record, const std::string &json, const std::string &title) {
    const std::string text = nlohmann::ordered_json(record).dump(2) + "\n";
    if (json == "-") {
        std::fputs(text.c_str(), stdout);
        return;
    }
    std::fputs((title + "\n" + record_text(record)).c_str(), stdout);
    if (!json.empty())
        write_file_atomically(json, text);
}

} // namespace schedlab
