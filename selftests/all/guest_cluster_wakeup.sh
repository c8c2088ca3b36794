#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest tests of cluster-wakeup on each machine with clusters and each base that has the topic. Builds the kernels
# if they are not in the cache.
# timeout: 14400
. ./tap.sh
. ./outcomes.sh

mapfile -t bases < <(grep -l '^02' ../patches/*/series | cut -d/ -f3 | sort -V)
machines=(cluster12 smt-cluster cluster-is-llc asym-cluster kunpeng920)
plan $((3 * ${#bases[@]} * ${#machines[@]}))
for base in "${bases[@]}"; do
    for machine in "${machines[@]}"; do
        hold cluster_wakeup CLUSTER_WAKEUP "$base" "$machine"
    done
done
