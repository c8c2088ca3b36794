#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest tests of smt-spread on each of their machines, 6.12. Builds the kernels if they are not in the cache.
# timeout: 14400
. ./tap.sh
. ./outcomes.sh

machines=(ht4-numa ht2-numa numa-pairs ht4 smt4 asym-smt)
plan $((3 * ${#machines[@]}))
for machine in "${machines[@]}"; do
    hold smt_spread SMT_SPREAD 6.12 "$machine"
done
