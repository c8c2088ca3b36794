#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs are keyed by the guest program, so it does not depend on where it was built. (Whether two builds are the same bytes:
# all/guest_reproducible.sh.)
. ./tap.sh
plan 4

# Names of sources in the programs' debug information that begin at the root directory, but for the system's own.
absolute() { strings -a "$1" | grep -E '^/.*/(tools|selftests)/' ; }
for arch in arm64 x86_64; do
    expect "the $arch guest names its sources" 0 '^tools/bpf/placement.bpf.c$' strings -a "$O/guest/$arch/schedlab-guest"
    expect "the $arch guest does not name its checkout" 1 '^$' absolute "$O/guest/$arch/schedlab-guest"
done
