#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A machine that changes under a load: the same changes for the same seed, bad input refused, a kernel in trouble told.
# Kernels that check themselves, and many more changes: all/stress.sh.
# timeout: 900
. ./tap.sh
plan 10
machines=$PWD/../tools/machines
cd "$TMPDIR" || exit

# What it prints is kept in the file out.
stress() { "$SCHEDLAB" stress --machine hikey960 --base 6.12 --quiet "$@" | tee out; return "${PIPESTATUS[0]}"; }
expect "100 changes, nothing reported" 0 '^hikey960, 6\.12\..* patches, seed 1: 100 changes, nothing reported, domains as before' \
    stress --changes 100
cp out first
for kind in hotplug partition affinity feature; do
    check "some of kind $kind" grep -Eq "[(, ]$kind [1-9]" first
done
expect "once more" 0 '100 changes' stress --changes 100
check "the same for the same seed" cmp first out
expect "no changes" 2 '--changes' stress --changes 0
expect "a configuration that is not there" 2 "nothere" stress --config nothere --changes 1

# The load counts its own memory before it starts, and not what the kernel keeps for its sockets.
sed 's/^memory = 1024.*/memory = 64/' "$machines/hikey960.conf" >little.conf
expect "a guest in trouble" 1 'little: the guest ran out of memory' "$SCHEDLAB" stress --machine ./little.conf --base 6.12 --quiet \
    --changes 500 --load messaging --groups 1 --fds 80 --threaded --datasize 140000 --loops 1
