#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In emulation every load is a function of its seed: run twice with one seed, it leaves the same record, byte for
# byte. On the other machines: all/loads_determinism.sh. Builds the 6.12 kernel if it is not in the cache yet.
# timeout: 2400
. ./tap.sh
same_seed=$PWD/same_seed.sh
cd "$TMPDIR" || exit
# shellcheck source=../same_seed.sh
. "$same_seed"

loads+=(
    "messaging --preset one-per-cpu --loops 50 --on big"
    "pipe --loops 200 --on little --instances 2"
    "rr --loops 150 --preset udp_rr --threaded --engine io_uring"
    "rr --loops 150 --transport unix --clients-on llc:0 --servers-on llc:1"
    "wake --duration 30 --warmup 5 --rps 2000 --on big"
)
plan $((2 * ${#loads[@]}))
for load in "${loads[@]}"; do twice hikey960 "$load"; done
