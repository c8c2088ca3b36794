#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest tests of idle-claim on CPUs of different capacity and on hyper-threads, and each base. Builds the kernels if
# they are not in the cache.
# timeout: 7200
. ./tap.sh
. ./outcomes.sh

hold_all idle_claim IDLE_CLAIM 03 hikey960 smt-cluster
