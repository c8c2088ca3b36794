#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs are keyed by the guest program: built from the same sources elsewhere, it is the same bytes. Builds the guests of both
# architectures anew, in a copy of the sources.
# timeout: 3600
. ./tap.sh
copy=$TMPDIR/a/copy/elsewhere
mkdir -p "$copy/built"
cp -a ../Makefile ../tools ../selftests "$copy"
ln -s "$O/sysroot" "$copy/built/sysroot" # what it is linked with was downloaded once
programs=$(cd "$O/guest" && find . -path '*/obj' -prune -o -type f -perm -u+x -print)
plan $((1 + $(wc -w <<<"$programs")))
check "the guests are built in another directory" make -C "$copy" O=built -j"$(nproc)" guest
for program in $programs; do
    check "${program#./} is the same" cmp "$O/guest/$program" "$copy/built/guest/$program"
done
