#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The guest tests of idle-claim on the smallest machine they need, 6.12: each says what it should with the feature on, off,
# and without the series. Builds the kernels if they are not in the cache. Other machines and bases:
# all/guest_idle_claim.sh.
# timeout: 1800
. ./tap.sh
. ./outcomes.sh

plan 3
hold idle_claim IDLE_CLAIM 6.12 hikey960
