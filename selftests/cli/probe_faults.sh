#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Nothing is wrong silently: a probe with too little room says what it lost; a CPU that goes away, a command that is killed,
# reused PIDs leave a ledger that still adds up.
# timeout: 600
set -uo pipefail
cd "$(dirname "$0")"
# shellcheck source=../tap.sh
. ../tap.sh
SCHEDLAB=${SCHEDLAB:-../../build/schedlab}

give_up() { echo "1..0 # SKIP $1"; exit 0; }
[ "$(id -u)" = 0 ] || give_up "needs root"
[ -r /sys/kernel/btf/vmlinux ] || give_up "this kernel has no BTF"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"; [ -z "${off:-}" ] || echo 1 >"$off"' EXIT
"${CXX:-g++}" -std=c++20 -O1 -pthread placement_churn.cpp -o "$tmp/churn" || { echo "Bail out! no compiler"; exit 1; }

value() {
    awk -v name="\"$1\"," '$1 == "\"name\":" { found = $2 == name } found && $1 == "\"value\":" { print $2 + 0; exit }' \
        "$tmp/record"
}
sum() {
    local total=0 name
    for name; do total=$((total + $(value "$name"))); done
    echo "$total"
}
trace() { # trace PROBES COMMAND...
    local probes=$1
    shift
    "$SCHEDLAB" trace --probe "$probes" --json "$tmp/record" -- "$@" >"$tmp/out" 2>&1
}
lost() { grep -q "\"source\": \"$1\"" "$tmp/record"; }
adds_up() {
    [ "$(sum migrations.{wakeup,exec,balance,affinity,hotplug})" = "$(value migrations)" ] &&
        [ "$(sum migrations.{smt,cluster,llc,node,remote})" = "$(value migrations)" ] &&
        [ "$(sum wake.prev.{same,smt,cluster,llc,node,remote})" = "$(value wakeups)" ]
}

plan 12
export SCHEDLAB_PROBE_TASKS=2
check "little room: the command is run all the same" trace placement:tasks,latency,share,waste "$tmp/churn" family 60
check "the ledger says how many tasks it lost" lost placement.map_full
check "and so does share" lost share.map_full
check "such a loss forbids comparing" grep -A2 placement.map_full "$tmp/record" -e data_loss
SCHEDLAB_PROBE_TASKS=none expect "nonsense is refused" 2 "not a number" "$SCHEDLAB" trace -- true
unset SCHEDLAB_PROBE_TASKS
check "room enough: nothing is lost" trace placement:tasks,latency,share,waste "$tmp/churn" family 60
check "none at all" sh -c "! grep -q source $tmp/record"

check "a command that is killed leaves its ledger" sh -c "$SCHEDLAB trace --json $tmp/record -- sh -c 'kill -9 \$\$'; test \$? = 137"
check "which adds up" adds_up

off=
for cpu in /sys/devices/system/cpu/cpu[1-9]*/online; do [ ! -w "$cpu" ] || off=$cpu; done
if [ -n "$off" ] && echo 0 >"$off" 2>"$tmp/out" && echo 1 >"$off"; then
    churn() { # it goes away and comes back while the command runs
        (sleep 0.2; echo 0 >"$off"; sleep 0.3; echo 1 >"$off") &
        trace placement,latency,waste sh -c "for i in 1 2 3 4 5 6; do $tmp/churn affinity 4000 || exit; done; sleep 0.6"
    }
    check "a CPU goes offline and comes back" churn
    wait
    check "the ledger adds up" adds_up
    check "nothing is lost" sh -c "! grep -q source $tmp/record"
else
    for name in "a CPU goes offline and comes back" "the ledger adds up" "nothing is lost"; do
        skip "$name" "no CPU of this machine can be taken offline"
    done
fi
