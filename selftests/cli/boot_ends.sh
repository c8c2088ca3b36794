#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Boots that go wrong: each way has its own line and exit code, and nothing is left behind.
# timeout: 2400
set -uo pipefail
cd "$(dirname "$0")"
# shellcheck source=../tap.sh
. ../tap.sh
SCHEDLAB=${SCHEDLAB:-../../build/schedlab}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
export TMPDIR=$tmp/boots
mkdir "$TMPDIR"

# model NAME SED-SCRIPT: hikey960 with a change, as a model of its own.
model() {
    sed "$2" ../../tools/machines/hikey960.conf >"$tmp/$1.conf"
    cmp -s "$tmp/$1.conf" ../../tools/machines/hikey960.conf && echo "Bail out! '$2' changes nothing"
    echo "$tmp/$1.conf"
}
check_machine() { "$SCHEDLAB" machine check --quiet "$@"; }
nothing_left() { [ -z "$(ls -A "$TMPDIR")" ] && ! pgrep -f "path=$TMPDIR" >/dev/null; }

plan 18
expect "the model as it is" 0 'hikey960, Linux 6\.12\.[0-9]+: as described' check_machine hikey960
expect "unknown machine" 2 "unknown machine 'hikey961'" check_machine hikey961
expect "unknown machine: the nearest is named" 2 "did you mean 'hikey960'" check_machine hikey961
expect "a kernel that is not there" 2 "/nonexistent/Image" check_machine hikey960 --kernel /nonexistent/Image
expect "a kernel that is none" 1 "hikey960: .* 10 s of wall time" check_machine hikey960 --kernel "$PWD/boot_ends.sh" --limit 10

no_init=$(model no_init '1a command-line = "rdinit=/none init=/none"')
expect "a panic" 1 'the kernel panicked: Kernel panic - not syncing' check_machine "$no_init"
expect "a panic shows the console" 1 'the console said:' check_machine "$no_init"
no_channel=$(model no_channel '1a command-line = "SCHEDLAB_CHANNEL=/dev/none"')
expect "a guest that leaves without a word" 1 'before the guest spoke' check_machine "$no_channel"
stopped=$(model stopped 's/"-M virt,gic-version=3"/"-M virt,gic-version=3", "-S"/')
expect "a hang" 1 '3 s of wall time: the guest never spoke' check_machine "$stopped" --limit 3
untrue=$(model untrue 's/^name = "MC"/name = "CLS"/')
expect "other domains" 1 'cpus 0-3: expected CLS 0-3, PKG.DIE 0-7, found MC 0-3, PKG 0-7' check_machine "$untrue"
no_cpu=$(model no_cpu 's/cortex-a57/Nonesuch/')
expect "an emulator that refuses" 3 "unable to find CPU model 'Nonesuch'" check_machine "$no_cpu"
faulty=$(model faulty 's/^cpus = 8/cpus = two/')
expect "a faulty model" 2 "faulty.conf:[0-9]+: " check_machine "$faulty"
expect "an unknown feature" 3 "no scheduler feature 'NONESUCH'" \
    "$SCHEDLAB" machine run hikey960 pipe --loops 10 --feature NONESUCH=1 --quiet

# It counts its own memory before it starts, and not what the kernel keeps for its sockets.
little=$(model little 's/^memory = 1024.*/memory = 64/')
expect "a load that the guest's memory does not hold" 1 'little: the guest ran out of memory: Out of memory: Killed process' \
    "$SCHEDLAB" machine run "$little" messaging --groups 1 --fds 80 --threaded --datasize 140000 --loops 1 --quiet

image=$("$SCHEDLAB" kernel build --base 6.12 --arch arm64 --quiet)
mkdir "$tmp/old" "$tmp/none"
printf '#!/bin/sh\necho "QEMU emulator version 7.2.19 (Debian 1:7.2+dfsg-7)"\n' >"$tmp/old/qemu-system-aarch64"
chmod +x "$tmp/old/qemu-system-aarch64"
expect "QEMU too old" 3 'qemu-system-aarch64 is version 7\.2\.19, which is too old' \
    env PATH="$tmp/old:$PATH" "$SCHEDLAB" machine check hikey960 --quiet
expect "no QEMU" 3 'qemu-system-aarch64 is not installed' \
    env PATH="$tmp/none" "$SCHEDLAB" machine check hikey960 --kernel "$image" --quiet

check "no process and no file is left" nothing_left
"$SCHEDLAB" machine check "$stopped" --quiet >/dev/null 2>&1 &
until pgrep -f "path=$TMPDIR" >/dev/null || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
kill -INT $!
wait $!
status=$?
if [ $status = 130 ] && nothing_left; then
    pass "interrupted: neither"
else
    fail "interrupted: neither" "exit status $status, left: $(ls -A "$TMPDIR")"
fi
