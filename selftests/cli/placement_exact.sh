#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The placement probe against the kernel: `migrations` must be the sum of se.nr_migrations of the tasks traced, exactly.
# timeout: 600
set -uo pipefail
cd "$(dirname "$0")"
# shellcheck source=../tap.sh
. ../tap.sh
SCHEDLAB=${SCHEDLAB:-../../build/schedlab}

# shellcheck source=../traced.sh
. ../traced.sh

grep -q nr_migrations /proc/self/sched 2>/dev/null || give_up "this kernel does not tell nr_migrations (CONFIG_SCHED_DEBUG)"
[ "$(nproc)" -ge 2 ] || give_up "one CPU: nothing can migrate"

same() { [ "$(awk -v a="$1" -v b="$2" 'BEGIN { print (a - b < 1e-9 && b - a < 1e-9) }')" = 1 ]; }
sum() { # of metrics named on the command line
    local total=0 name
    for name; do total=$(awk -v t="$total" -v v="$(value "$name")" 'BEGIN { print t + v }'); done
    echo "$total"
}
equal() { # equal NAME ACTUAL EXPECTED
    if same "$2" "$3"; then pass "$1"; else fail "$1" "got $2, expected $3"; fi
}

plan 20
for job in "affinity 400" "others 200" "family 60"; do
    # shellcheck disable=SC2086
    if ! "$SCHEDLAB" trace --json "$tmp/record" -- "$tmp/churn" $job >"$tmp/out"; then
        fail "$job: traced" "$(tail "$tmp/out")"
        continue
    fi
    pass "$job: traced"
    kernel=$(awk '$1 == "nr_migrations" { n += $2 } END { print n + 0 }' "$tmp/out")
    equal "$job: migrations are the kernel's $kernel" "$(value migrations)" "$kernel"
    equal "$job: causes add up" "$(sum migrations.{wakeup,exec,balance,affinity,hotplug})" "$kernel"
    equal "$job: distances add up" "$(sum migrations.{smt,cluster,llc,node,remote})" "$kernel"
    equal "$job: shares by previous CPU add up to 1" "$(sum wake.prev.{same,smt,cluster,llc,node,remote}.share)" 1
    equal "$job: shares by waker add up to 1" "$(sum wake.waker.{same,smt,cluster,llc,node,remote}.share)" 1
done
# 60 children and the command itself.
equal "family: every new task is counted" "$(value forks)" 61
status=0
"$SCHEDLAB" trace -- sh -c 'exit 7' >/dev/null || status=$?
equal "the exit code is the command's" "$status" 7
