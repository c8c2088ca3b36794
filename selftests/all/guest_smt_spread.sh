#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest tests of smt-spread on each of their machines and each base. Builds the kernels if they are not in the cache.
# timeout: 14400
. ./tap.sh
. ./outcomes.sh

machines=(ht4-numa ht2-numa numa-pairs ht4 smt4 asym-smt)
bases=(6.1 6.12 7.3)
plan $((3 * ${#bases[@]} * ${#machines[@]}))
for base in "${bases[@]}"; do
    for machine in "${machines[@]}"; do
        hold smt_spread SMT_SPREAD "$base" "$machine"
    done
done
