#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A full disk: said in one line with what to do, wherever it strikes, and nothing that was finished is lost.
. ./tap.sh

if [ "$(id -u)" != 0 ]; then
    echo "1..0 # SKIP mounting a small file system needs root"
    exit
fi
# In a mount namespace of its own, so that nothing stays mounted.
[ "${1:-}" = mounted ] || exec unshare --mount "$BASH" "$0" mounted

plan 7
full=$TMPDIR/full
mkdir "$full" "$TMPDIR/tree"
mount -t tmpfs -o size=64k none "$full" || { echo "Bail out! cannot mount a small file system"; exit 1; }
head -c 1M /dev/zero 2>/dev/null >"$full/fill" # as much as fits
printf '%s\n' 'VERSION = 6' 'PATCHLEVEL = 12' 'SUBLEVEL = 7' 'EXTRAVERSION =' >"$TMPDIR/tree/Makefile"
head -c 100k /dev/zero >"$TMPDIR/tree/large.c"

expect "a result that cannot be written" 3 'cannot write .*/out.json: No space left on device' \
    "$SCHEDLAB" bench pipe --loops 100 --probe none --json "$full/out.json"
check "leaves no half file" [ ! -e "$full/out.json" ]
expect "a store that cannot be made" 3 'run store .*/x.db: database or disk is full' \
    "$SCHEDLAB" ab --machine hikey960 --base 6.12 --feature ASYM_PREV --load pipe --loops 10 --seeds 4 --db "$full/x.db"
expect "a boot without room" 3 'cannot write .*: No space left on device' \
    env TMPDIR="$full" "$SCHEDLAB" machine run hikey960 pipe --loops 10
expect "a tree that cannot be copied" 3 'copying .*/tree needs .* in .*, where .* are free' \
    env XDG_CACHE_HOME="$full" "$SCHEDLAB" kernel build --tree "$TMPDIR/tree" --arch arm64
expect "a source that cannot be fetched" 3 'the source of 6.12 needs 2.2 GB' \
    env XDG_CACHE_HOME="$full" "$SCHEDLAB" kernel fetch 6.12
expect "every one says what to do" 3 'free some space' \
    env XDG_CACHE_HOME="$full" "$SCHEDLAB" kernel fetch 6.12
