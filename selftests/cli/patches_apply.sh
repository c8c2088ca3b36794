#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every series applies to its base without fuzz, in good style. (`make patches-check` compiles each prefix, too.)
# timeout: 900
. ./tap.sh

bases=$(ls ../patches/*/series | cut -d/ -f3)
plan "$(wc -l <<<"$bases")"
for base in $bases; do
    check "patches/$base" ./patches-check --apply "$base"
done
