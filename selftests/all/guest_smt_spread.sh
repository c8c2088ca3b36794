#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest tests of smt-spread on each of their machines and each base. Builds the kernels if they are not in the cache.
# timeout: 14400
. ./tap.sh
. ./outcomes.sh

hold_all smt_spread SMT_SPREAD 04 ht4-numa ht2-numa numa-pairs ht4 smt4 asym-smt
