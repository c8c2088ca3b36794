#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each probe in an emulated machine: what BPF counts against the same events replayed through a model, and what the
# probes say against each other.
# timeout: 600
set -uo pipefail
cd "$(dirname "$0")"
# shellcheck source=../tap.sh
. ../tap.sh
SCHEDLAB=${SCHEDLAB:-../../build/schedlab}
O=${O:-../../build}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# run FILE OPTIONS...: $load on $machine → its record.
machine=hikey960
load=(pipe --warmup 10)
run() {
    local file=$1
    shift
    "$SCHEDLAB" machine run "$machine" "${load[@]}" --quiet --json "$@" >"$file"
}
value() { # value METRIC FILE
    awk -v name="\"$1\"," '$1 == "\"name\":" { found = $2 == name } found && $1 == "\"value\":" { print $2 + 0; exit }' "$2"
}
total() { # total REGEX: of the metrics in $r whose names match it
    awk -v name="^\"$1\",$" '$1 == "\"name\":" { found = $2 ~ name } found && $1 == "\"value\":" { s += $2 }
        END { print s + 0 }' "$r"
}
holds() { # holds NAME AWK-EXPRESSION
    if awk "BEGIN { exit !($2) }"; then pass "$1"; else fail "$1" "$2"; fi
}

# variant NAME SED-SCRIPT: hikey960, changed → its model's file.
variant() {
    sed -E "$2" "${SCHEDLAB_DATA:-../..}/tools/machines/hikey960.conf" >"$tmp/$1.conf"
    echo "$tmp/$1.conf"
}

plan 25
mkdir "$tmp/streams"
r=$tmp/streams/fresh.json
check "events are recorded beside the ledger" \
    run "$r" --loops 300 --probe placement:events --events "${r%.json}.events"
check "and give the same rows, replayed" env SCHEDLAB_ORACLE="$tmp/streams" "$O/unit-tests" '[oracle]'
check "one seed, the same events" \
    run "$tmp/again.json" --loops 300 --probe placement:events --events "$tmp/again.events"
check "byte for byte" cmp "${r%.json}.events" "$tmp/again.events"

r=$tmp/cpus.json
load=(messaging --groups 1 --fds 4) # some of its tasks move
check "migrations between CPUs" run "$r" --loops 20 --probe placement:cpus
load=(pipe --warmup 10)
holds "add up, all 56 pairs" "$(total 'migrations.cpu[0-7].cpu[0-7]') == $(value migrations "$r") && \
    $(grep -c '"migrations.cpu[0-7].cpu[0-7]"' "$r") == 56 && $(value migrations "$r") > 0"
r=$tmp/all.json
check "all probes at once" run "$r" --loops 300 --probe placement:commands,latency,share:tasks,waste,path
check "hikey960 has no cluster level of its own: no rows about one" sh -c "! grep -q 'within_cluster\|missed.cluster' '$r'"
holds "every wakeup is one of a command's" "$(value wakeups "$r") == $(total 'command.*wakeups')"
wakeups=$(value wakeups "$r")
holds "every wakeup led to a run, but for the last few" \
    "$(value latency.waking.count "$r") <= $wakeups && $(value latency.waking.count "$r") >= $wakeups - 2"
holds "the waits are those of waste, but for the last few" \
    "$(value latency.runnable.count "$r") - $(value waste.waits "$r") <= 2 && $(value waste.waits "$r") > 0"
holds "quantiles are in order" "$(value latency.waking_us.p50 "$r") <= $(value latency.waking_us.p99 "$r") && \
    $(value latency.waking_us.p99 "$r") <= $(value latency.waking_us.max "$r")"
holds "the mean is the sum through the count" \
    "($(value latency.waking_us.sum "$r") / $(value latency.waking.count "$r") / $(value latency.waking_us.mean "$r") - 1) ^ 2 < 1e-8"
holds "a pipe's two tasks share fairly" "$(value share.tasks "$r") >= 2 && $(value share.fairness "$r") > 0.9"
holds "some CPU is busy, none more than all the time" "$(value occupancy.cpu0 "$r") <= 1 && $(total 'occupancy.cpu.*') > 0.3"

check "without any probe" run "$tmp/bare.json" --loops 300 --probe none
holds "probes cost instructions" "$(value insn_per_op "$tmp/bare.json") < $(value insn_per_op "$r")"

# All CPUs but the first come and go in turn while the load runs.
machine=$(variant restless 's/^memory.*MiB/&\ncommand-line = "SCHEDLAB_HOTPLUG=1-7"/')
r=$tmp/streams/restless.json
check "CPUs go offline and come back, again and again" \
    run "$r" --loops 1000 --probe placement:events,latency,waste --events "${r%.json}.events"

# Sleepers leave a CPU that goes at their next wakeup, of their own accord. A task that computes has to be driven out, and
# with more of them than CPUs each CPU has one.
load=(hogs --tasks 12 --duration 300)
r=$tmp/streams/driven.json
check "so do they under tasks that compute" run "$r" --probe placement:events --events "${r%.json}.events"
holds "which are driven from them" "$(value migrations.hotplug "$r") > 0"
load=(pipe --warmup 10)
holds "migrations add up" "$(total 'migrations.(wakeup|exec|balance|affinity|hotplug)') == $(value migrations "$r") && \
    $(total 'migrations.(smt|cluster|llc|node|remote)') == $(value migrations "$r")"

# A CPU that the scheduler's domains leave out.
machine=$(variant isolated 's/^memory.*MiB/&\ncommand-line = "isolcpus=7"/; /^spans/s/-7"/-6"/')
r=$tmp/streams/isolated.json
check "a CPU is isolated" run "$r" --loops 300 --probe placement:events --events "${r%.json}.events"
holds "it is known to stand apart" "$(grep -c '^cpu 7 .* apart 2$' "${r%.json}.events") == 1"
check "all these streams, replayed, give the same rows" env SCHEDLAB_ORACLE="$tmp/streams" "$O/unit-tests" '[oracle]'
holds "nothing was lost" "$(cat "$tmp"/streams/*.json | grep -c '"source"') == 0"
