#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest tests of cluster-wakeup on the smallest machine with clusters, 6.12: each says what it should with the feature
# on, off, and without the series. Builds the kernels if they are not in the cache. Other machines and bases:
# all/guest_cluster_wakeup.sh.
# timeout: 1800
. ./tap.sh
. ./outcomes.sh

plan 3
hold cluster_wakeup CLUSTER_WAKEUP 6.12 cluster12
