#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In emulation a run is a function of its seed: the same seed leaves the same record, byte for byte.
# timeout: 2400
set -uo pipefail
cd "$(dirname "$0")"
# shellcheck source=../tap.sh
. ../tap.sh
SCHEDLAB=${SCHEDLAB:-../../build/schedlab}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

run() { # run MACHINE SEED FILE
    "$SCHEDLAB" machine run "$1" pipe --loops 500 --seed "$2" --json --quiet >"$3" 2>"$tmp/messages"
}
# A record without the seed that it names.
without_seed() { grep -v '"seed"' "$1"; }

plan 8
for machine in hikey960 smp2; do
    if run "$machine" 1 "$tmp/first" && run "$machine" 1 "$tmp/again" && run "$machine" 2 "$tmp/other"; then
        pass "$machine: three runs"
    else
        fail "$machine: three runs" "$(cat "$tmp/messages")"
    fi
    check "$machine: a record has its load" grep -q '"load": *"pipe"' "$tmp/first"
    check "$machine: one seed, the same bytes" cmp "$tmp/first" "$tmp/again"
    without_seed "$tmp/first" >"$tmp/first.bare"
    without_seed "$tmp/other" >"$tmp/other.bare"
    if cmp -s "$tmp/first.bare" "$tmp/other.bare"; then
        fail "$machine: another seed, another run" "both records are the same"
    else
        pass "$machine: another seed, another run"
    fi
done
