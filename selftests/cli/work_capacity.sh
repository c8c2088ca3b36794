#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In emulation work is scaled by the capacity of the CPU that it runs on: hikey960's little CPUs (462 of 1024) get
# as much less done.
. ./tap.sh
plan 3

insn_per_op() { # insn_per_op WHERE: of a single hog
    "$SCHEDLAB" machine run hikey960 hogs --tasks 1 --duration 20 --on "$1" --json --quiet >"$TMPDIR/$1" || return
    awk '$2 == "\"insn_per_op\"," { at = 1 } at && $1 == "\"value\":" { print int($2); exit }' "$TMPDIR/$1"
}

little=$(insn_per_op little) && [ -n "$little" ] && pass "a hog on a little CPU" || fail "a hog on a little CPU"
big=$(insn_per_op big) && [ -n "$big" ] && pass "a hog on a big CPU" || fail "a hog on a big CPU"
ratio=$((1000 * ${little:-0} / ${big:-1})) # 1024 / 462 = 2.216
if [ $ratio -ge 2150 ] && [ $ratio -le 2280 ]; then
    pass "a little CPU needs 1024/462 times as long"
else
    fail "a little CPU needs 1024/462 times as long" "little: ${little:-} instructions, big: ${big:-}, per step"
fi
