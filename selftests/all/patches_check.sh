#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# make patches-check, whole.
# timeout: 14400
. ./tap.sh

bases=$(ls ../patches/*/series | cut -d/ -f3)
plan "$(wc -l <<<"$bases")"
for base in $bases; do
    check "patches/$base" ./patches-check "$base"
done
