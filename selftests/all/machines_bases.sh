#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every machine model is what its file says on the other bases, too. Builds their kernels if they are not in the cache.
# timeout: 14400
. ./tap.sh

bases=(6.1 7.3)
mapfile -t machines < <("$SCHEDLAB" machine list | awk 'NR > 1 { print $1 }')
plan $((${#bases[@]} * ${#machines[@]}))
for base in "${bases[@]}"; do
    for machine in "${machines[@]}"; do
        expect "$base $machine" 0 "^$machine, Linux ${base/./\\.}\..*: as described" \
            "$SCHEDLAB" machine check "$machine" --base "$base" --quiet --limit 600
    done
done
