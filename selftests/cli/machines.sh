#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every machine model is what its file says: the domains that a 6.12 kernel builds on it are the ones expected.
# timeout: 2400
. ./tap.sh

mapfile -t machines < <("$SCHEDLAB" machine list | awk 'NR > 1 { print $1 }')
plan "${#machines[@]}"
for machine in "${machines[@]}"; do
    expect "$machine" 0 "^$machine, Linux 6\.12\..*: as described" "$SCHEDLAB" machine check "$machine" --quiet
done
