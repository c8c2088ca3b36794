#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest tests of cluster-wakeup on each machine with clusters and each base that has the topic. Builds the kernels
# if they are not in the cache.
# timeout: 14400
. ./tap.sh
. ./outcomes.sh

hold_all cluster_wakeup CLUSTER_WAKEUP 02 cluster12 smt-cluster cluster-is-llc asym-cluster kunpeng920
