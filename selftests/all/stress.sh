#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# 10000 changes of a machine on each base, with the series, on a kernel that checks its locks, its sleeping and its memory,
# and on one that looks for data races: nothing is reported. Builds six kernels; takes hours.
# timeout: 86400
. ./tap.sh

machines=(cluster12 hikey960 asym-smt cluster12 hikey960)
plan $((3 * 2 * ${#machines[@]}))
for base in 6.1 6.12 7.3; do
    for config in locks races; do
        for i in "${!machines[@]}"; do
            expect "$base $config ${machines[i]} $((i + 1))" 0 'nothing reported' "$SCHEDLAB" stress --machine "${machines[i]}" \
                --base $base --config $config --changes 2000 --seed $((i + 1)) --limit 7200 --quiet
        done
    done
done
