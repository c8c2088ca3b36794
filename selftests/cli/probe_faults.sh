#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Nothing is wrong silently: a probe with too little room says what it lost, a load whose process is killed fails, and
# a command that is killed leaves a ledger that adds up. (A CPU that goes away: probes_guest.sh.)
# timeout: 600
set -uo pipefail
cd "$(dirname "$0")"
# shellcheck source=../tap.sh
. ../tap.sh
SCHEDLAB=${SCHEDLAB:-../../build/schedlab}

# shellcheck source=../traced.sh
. ../traced.sh
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

plan 14
export SCHEDLAB_PROBE_TASKS=2
check "little room: the command is run all the same" trace placement:tasks,latency,share,waste "$tmp/churn" family 60
check "the ledger says how many tasks it lost" lost placement.map_full
check "and so does share" lost share.map_full
check "such a loss forbids comparing" sh -c "grep -A2 placement.map_full $tmp/record | grep -q data_loss"
SCHEDLAB_PROBE_TASKS=none expect "nonsense is refused" 2 "not a number" "$SCHEDLAB" trace -- true
unset SCHEDLAB_PROBE_TASKS
check "room enough: nothing is lost" trace placement:tasks,latency,share,waste "$tmp/churn" family 60
check "none at all" sh -c "! grep -q source $tmp/record"

check "a command that is killed leaves its ledger" sh -c "$SCHEDLAB trace --json $tmp/record -- sh -c 'kill -9 \$\$'; test \$? = 137"
check "which adds up" adds_up

check "more events than there is room for" \
    "$SCHEDLAB" bench pipe --loops 50000 --probe placement:events --events "$tmp/events" --json "$tmp/record"
check "are counted, and harm no ledger" sh -c "grep -A2 placement.events $tmp/record | grep -q info"

install -m 755 "$SCHEDLAB" "$tmp/schedlab"
chmod 755 "$tmp" # a checkout may be its owner's alone
as_nobody() { # as a user without rights, whoever runs the tests
    if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi
}
expect "without root there is no trace" 3 'run as root, or with CAP_BPF' as_nobody "$tmp/schedlab" trace -- true
expect "and no load under probes" 3 'run as root, or with CAP_BPF' as_nobody "$tmp/schedlab" bench pipe --loops 10 --probe latency

lose_partner() { # pipe's side B is killed while A waits for it
    "$SCHEDLAB" bench pipe --loops 1000000000 --probe placement,latency &
    local load=$! partner=
    for _ in $(seq 100); do
        sleep 0.1
        partner=$(cat "/proc/$load/task/$load/children")
        [ -z "$partner" ] || break
    done
    sleep 0.3
    kill -9 $partner
    wait $load
}
expect "a load whose process is killed fails, and says why" 1 "the other side ended early" lose_partner
