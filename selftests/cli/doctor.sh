#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# doctor tells what is missing, what to do about it, and whether the main job works: exit status 0 or 3.
. ./tap.sh
plan 7

# A PATH with just what kernels and emulated machines need.
bin=$TMPDIR/bin
mkdir "$bin"
for p in make gcc flex bison bc pahole apt-get aarch64-linux-gnu-gcc x86_64-linux-gnu-gcc qemu-system-aarch64 \
    qemu-system-x86_64; do
    ! at=$(command -v $p) || ln -s "$at" "$bin/"
done
doctor() { PATH=$bin "$SCHEDLAB" doctor "$@"; }

check "with all it needs, the main job works" doctor
expect "JSON says so too" 0 '^  "main_job": true,$' doctor --json
rm "$bin/qemu-system-aarch64"
expect "without QEMU it does not" 3 'missing +QEMU for arm64 +not found in PATH; needed for .*hikey960' doctor
expect "and the remedy is told" 3 'apt-get install qemu-system-arm' doctor
printf '#!/bin/sh\necho "QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7)"\n' >"$bin/qemu-system-aarch64"
chmod +x "$bin/qemu-system-aarch64"
ln -s "$(command -v sh)" "$bin/"
expect "an old QEMU is named" 3 'missing +QEMU for arm64 +7\.2\.22 is older than 10' doctor
expect "in JSON as well" 3 '"detail": "7\.2\.22 is older than 10' doctor --json
expect "an unknown option is a usage error" 2 -- "$SCHEDLAB" doctor --jsn
