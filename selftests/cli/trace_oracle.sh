#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The ledger of a live run against the kernel's own trace recorded beside it: `schedlab trace` counts in BPF, `schedlab
# import` in ftrace's text, and every row that both have must be the same.
set -uo pipefail
cd "$(dirname "$0")"
# shellcheck source=../tap.sh
. ../tap.sh
SCHEDLAB=$(realpath "${SCHEDLAB:-../../build/schedlab}")
# shellcheck source=../traced.sh
. ../traced.sh

tracefs=
for at in /sys/kernel/tracing /sys/kernel/debug/tracing; do
    [ -d "$at/instances" ] && tracefs=$at && break
done
[ -n "$tracefs" ] || give_up "no tracefs here (mount -t tracefs none /sys/kernel/tracing)"
ours=$tracefs/instances/schedlab-oracle-$$ # others may trace meanwhile
mkdir "$ours" 2>/dev/null || give_up "cannot make an instance in $tracefs"
trap 'echo 0 >"$ours/tracing_on"; rmdir "$ours"; rm -rf "$tmp"' EXIT
for event in waking wakeup wakeup_new migrate_task switch; do
    echo 1 >"$ours/events/sched/sched_$event/enable" || give_up "the kernel has no event sched_$event"
done
echo 65536 >"$ours/buffer_size_kb" # of each CPU

# rows: "NAME VALUE" of the metrics in the JSON on stdin.
rows() { tr -d ' \n' | sed 's/{"name":/\n/g' | sed -nE 's/^"([^"]*)".*"value":([-+.0-9e]+)\}.*/\1 \2/p' | sort; }

# differences TEXT: the rows, of those that both ledgers have, in which BPF's is not the text's. All but `stacked`, which hangs on
# tasks that wait since before BPF was attached, too.
differences() {
    rm -f "$tmp/s.db"
    "$SCHEDLAB" import "$1" --command churn --db "$tmp/s.db" --quiet >"$tmp/out" &&
        "$SCHEDLAB" runs export 1 --db "$tmp/s.db" >"$tmp/run" || echo "$1 was not imported"
    rows <"$tmp/run" >"$tmp/told"
    join "$tmp/live" "$tmp/told" | awk '$1 != "stacked" && ($2 - $3 > 1e-9 || $3 - $2 > 1e-9) { print $1 ": BPF " $2 ", text " $3 }'
}

plan 6
# A kernel may hide tasks of the host's from BPF: no program runs while one is current (docs/measuring.md). Seen are threads of
# process 1; what interrupts do meanwhile is in the text alone. So the text may also be right without what they raised.
for job in "affinity 200" "family 60"; do
    read -r name size <<<"$job"
    echo >"$ours/trace"
    echo 1 >"$ours/tracing_on"
    # shellcheck disable=SC2016
    check "$name: traced" "$SCHEDLAB" trace --json "$tmp/record" -- sh -c 'echo $$ >"$0"; exec "$@"' "$tmp/pid" "$tmp/churn" "$name" "$size"
    echo 0 >"$ours/tracing_on"
    pid=$(cat "$tmp/pid")
    # The command is called churn only once it has begun: its task is, from its first event on.
    sed -E "s/comm=[^=]* pid=$pid /comm=churn pid=$pid /; s/next_comm=[^=]* next_pid=$pid /next_comm=churn next_pid=$pid /" \
        "$ours/trace" >"$tmp/text"
    rows <"$tmp/record" >"$tmp/live"
    different=$(differences "$tmp/text")
    if [ -n "$different" ]; then
        hidden=$(cd /proc/1/task && printf '%s|' *)
        grep -vE "^ *[^[]*-(${hidden%|}) +\\[" "$tmp/text" >"$tmp/seen"
        different=$(differences "$tmp/seen")
    fi
    check "$name: the text lost nothing" grep -q '"losses":\[\]' "$tmp/run"
    both=$(join "$tmp/live" "$tmp/told" | wc -l)
    if [ -z "$different" ] && [ "$both" -ge 20 ]; then
        pass "$name: the $both rows are the same"
    else
        fail "$name: the $both rows are the same" "$different"
    fi
done
