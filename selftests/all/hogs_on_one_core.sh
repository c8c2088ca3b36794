#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two hogs that start on one core of ht4-numa are there still after ten seconds of the guest's time without SMT_SPREAD, and
# apart within one with it, on each base. Builds the kernels if they are not in the cache.
# timeout: 14400
. ./tap.sh

bases=$(ls ../patches/*/series | cut -d/ -f3)
plan $((2 * $(wc -l <<<"$bases")))

# hogs KERNEL SMT_SPREAD: "SHARED MS", the per cent of the time on one core, and when they first were not.
hogs() {
    "$SCHEDLAB" machine run --kernel "$1" --feature "SMT_SPREAD=$2" --probe none --quiet --limit 1800 \
        ht4-numa hogs --tasks 2 --begin-on core:0 --duration 10000 |
        awk '$1 == "shared.share" { shared = $2 } $1 == "spread_ms" { ms = $2 } END { print shared, ms }'
}

for base in $bases; do
    kernel=$("$SCHEDLAB" kernel build --base "$base" --series --arch x86_64 --quiet)
    read -r shared ms < <(hogs "$kernel" 0)
    [ "$shared" = 100.0 ] && pass "$base off: stuck" || fail "$base off: stuck" "on one core for $shared % of the time"
    read -r shared ms < <(hogs "$kernel" 1)
    awk -v ms="$ms" 'BEGIN { exit !(ms > 0 && ms < 1000) }' &&
        pass "$base on: apart within a second" || fail "$base on: apart within a second" "after $ms ms"
done
