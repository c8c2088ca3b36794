#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every load on every machine, twice with one seed: identical records.
# timeout: 14400
. ./tap.sh
same_seed=$PWD/same_seed.sh
mapfile -t machines < <("$SCHEDLAB" machine list | awk 'NR > 1 { print $1 }')
cd "$TMPDIR" || exit
# shellcheck source=../same_seed.sh
. "$same_seed"

plan $((2 * ${#machines[@]} * ${#loads[@]}))
for machine in "${machines[@]}"; do
    for load in "${loads[@]}"; do twice "$machine" "$load"; done
done
