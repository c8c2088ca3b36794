#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest tests of cluster-wakeup on each machine with clusters and each base. Builds the kernels if they are not in the
# cache.
# timeout: 14400
. ./tap.sh
. ./outcomes.sh

bases=(6.1 6.12 7.3)
machines=(cluster12 smt-cluster cluster-is-llc asym-cluster kunpeng920)
plan $((3 * ${#bases[@]} * ${#machines[@]}))
for base in "${bases[@]}"; do
    for machine in "${machines[@]}"; do
        hold cluster_wakeup CLUSTER_WAKEUP "$base" "$machine"
    done
done
