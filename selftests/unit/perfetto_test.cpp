// SPDX-License-Identifier: GPL-2.0-or-later
// Traces for Perfetto, read by a reader of protobuf's wire format of the test's own.
#include "report/perfetto.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <map>
#include <sstream>
#include <vector>

#include "core/error.h"
#include "lines.h"
#include "source_dir.h"
#include "sys/files.h"
#include "thrown.h"

using namespace schedlab;
using schedlab::test::lines_of;
using schedlab::test::thrown;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Field {
    std::uint64_t number = 0;
    std::string bytes;
};
using Fields = std::multimap<unsigned, Field>;

Fields decode(const std::string &message) {
    std::size_t at = 0;
    const auto varint = [&] {
        std::uint64_t value = 0;
        for (int shift = 0;; shift += 7) {
            REQUIRE(at < message.size());
            const auto byte = static_cast<unsigned char>(message[at++]);
            value |= std::uint64_t(byte & 0x7f) << shift;
            if (byte < 0x80)
                return value;
        }
    };
    Fields fields;
    while (at < message.size()) {
        const std::uint64_t key = varint();
        Field field;
        if ((key & 7) == 0) {
            field.number = varint();
        } else {
            REQUIRE((key & 7) == 2);
            const std::uint64_t size = varint();
            REQUIRE(at + size <= message.size());
            field.bytes = message.substr(at, size);
            at += size;
        }
        fields.emplace(unsigned(key >> 3), field);
    }
    return fields;
}

const Field &only(const Fields &fields, unsigned field) {
    INFO("field " << field);
    REQUIRE(fields.count(field) == 1);
    return fields.find(field)->second;
}

struct Decoded {
    std::uint64_t cpu, time_ns, pid;
    unsigned kind; // the field that the event is
    Fields fields; // of it
};

std::vector<Decoded> events_of(const std::string &trace) {
    std::vector<Decoded> events;
    for (const auto &[one, packet] : decode(trace)) {
        REQUIRE(one == 1);
        const Fields bundle = decode(only(decode(packet.bytes), 1).bytes);
        const auto [first, last] = bundle.equal_range(2);
        for (auto at = first; at != last; ++at) {
            const Fields event = decode(at->second.bytes);
            REQUIRE(event.size() == 3);
            const auto kind = std::prev(event.end());
            events.push_back({only(bundle, 1).number, only(event, 1).number, only(event, 2).number, kind->first, decode(kind->second.bytes)});
        }
    }
    return events;
}

} // namespace

TEST_CASE("perfetto: who ran, who was woken and where it went", "[perfetto]") {
    const std::vector<std::string> lines = {
        "cpu 0 core 0 cluster 0 llc 0 node 0 capacity 1024 apart 0",
        "100 switch f0 10 on 0 from 0 to 0 flags csq util 0 allowed 0-1",
        "150 switch e0 0 on 1 from 1 to 1 flags q util 0 allowed 1",
        "200 waking f1 11 on 0 from 1 to 1 flags cs util 0 allowed 0-1",
        "210 migrate f1 11 on 0 from 1 to 0 flags csw util 0 allowed 0-1",
        "220 wakeup f1 11 on 0 from 0 to 0 flags csq util 0 allowed 0-1",
        "300 switch f1 11 on 0 from 0 to 0 flags csq util 0 allowed 0-1", // 10 is preempted: it runs again, unwoken
        "400 switch f0 10 on 0 from 0 to 0 flags csq util 0 allowed 0-1", // 11 sleeps: it is woken
        "500 waking f1 11 on 1 from 0 to 0 flags cs util 0 allowed 0-1",
        "600 switch e1 0 on 0 from 0 to 0 flags q util 0 allowed 0",      // of 10 nothing more is known
        "700 fork f2 12 on 0 from 1 to 1 flags sq util 0 allowed 0-1",
        "800 hotplug 0 0 on 0 from 1 to 1 flags - util 0 allowed -"};
    const std::vector<Decoded> events = events_of(perfetto_trace(lines));
    REQUIRE(events.size() == 11);
    std::map<std::uint64_t, const Decoded *> at;
    for (const Decoded &e : events)
        at[e.time_ns] = &e;
    const auto text = [&](int time, unsigned field) { return only(at.at(time)->fields, field).bytes; };
    const auto number = [&](int time, unsigned field) { return only(at.at(time)->fields, field).number; };

    CHECK(at.at(100)->kind == 4);
    CHECK(at.at(100)->cpu == 0);
    CHECK(at.at(100)->fields.size() == 2); // who ran before is not known
    CHECK(text(100, 5) == "load:10");
    CHECK(text(150, 5) == "swapper/1");
    CHECK(at.at(150)->cpu == 1);
    CHECK(at.at(200)->kind == 20);
    CHECK(at.at(200)->pid == 10); // who woke it
    CHECK(number(200, 2) == 11);
    CHECK(number(200, 5) == 1);
    CHECK(at.at(210)->kind == 3);
    CHECK(at.at(210)->pid == 11);
    CHECK(text(210, 2) == "I|11|migrate 1 -> 0\n");
    CHECK(at.at(220)->kind == 17);
    CHECK(number(300, 2) == 10);
    CHECK(number(300, 4) == 0);
    CHECK(number(400, 2) == 11);
    CHECK(number(400, 4) == 1);
    CHECK(number(600, 2) == 10);
    CHECK(at.at(600)->fields.count(4) == 0);
    CHECK(at.at(700)->kind == 114);
    CHECK(at.at(800)->kind == 19);
    CHECK(number(800, 3) == 0);
}

TEST_CASE("perfetto: every event of a live run, in order on each CPU", "[perfetto]") {
    const std::vector<std::string> lines = lines_of(read_file(SCHEDLAB_SOURCE_DIR "/selftests/data/placement_asym.events"));
    std::map<std::string, std::size_t> wanted;
    for (const std::string &line : lines)
        if (!line.starts_with("cpu ")) {
            std::string time, kind;
            std::istringstream(line) >> time >> kind;
            ++wanted[kind];
        }
    std::map<unsigned, std::size_t> seen;
    std::map<std::uint64_t, std::uint64_t> last, runs; // by CPU: time, pid
    for (const Decoded &e : events_of(perfetto_trace(lines))) {
        ++seen[e.kind];
        CHECK(e.time_ns >= last[e.cpu]);
        last[e.cpu] = e.time_ns;
        if (e.kind != 4)
            continue;
        if (runs.contains(e.cpu))
            CHECK(only(e.fields, 2).number == runs[e.cpu]);
        runs[e.cpu] = only(e.fields, 6).number;
    }
    CHECK(wanted["switch"] > 0);
    CHECK(seen[4] == wanted["switch"]);
    CHECK(seen[20] == wanted["waking"]);
    CHECK(seen[17] == wanted["wakeup"]);
    CHECK(seen[3] == wanted["migrate"]);
    CHECK(seen[114] == wanted["fork"]);
}

TEST_CASE("perfetto: what is no event is refused", "[perfetto]") {
    CHECK_THAT(thrown([] { perfetto_trace({}); }).remedy(), ContainsSubstring("placement:events"));
    const std::vector<std::string> odd = {"100 switch f0 ten on 0"};
    CHECK_THAT(thrown([&] { perfetto_trace(odd); }).what(), ContainsSubstring("switch f0 ten"));
}
