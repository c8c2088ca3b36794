#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest tests of idle-claim on CPUs of different capacity and on hyper-threads, and each base. Builds the kernels if
# they are not in the cache.
# timeout: 7200
. ./tap.sh
. ./outcomes.sh

bases=(6.1 6.12 7.3)
machines=(hikey960 smt-cluster)
plan $((3 * ${#bases[@]} * ${#machines[@]}))
for base in "${bases[@]}"; do
    for machine in "${machines[@]}"; do
        hold idle_claim IDLE_CLAIM "$base" "$machine"
    done
done
