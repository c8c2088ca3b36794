#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every prefix of the series for 6.12 compiles, for both architectures. Quick if nothing has changed since the last time.
# timeout: 1800
. ./tap.sh

plan 1
check "patches/6.12" ./patches-check --quick 6.12
