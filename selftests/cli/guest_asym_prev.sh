#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each guest test of asym-prev says what it should with the feature on, and, to prove that it can see a fault, with the
# feature off. Builds the 6.12 kernel with the series if it is not in the cache yet.
# timeout: 1800
. ./tap.sh

# test                             on    off
table='
pipe_pair_stays                    ok    not
three_wakees_stay                  ok    not
prev_of_other_kind_stays           ok    not
sched_idle_prev_stays              ok    not
prev_outside_affinity              ok    ok
prev_offline                       ok    not
prev_isolated                      ok    not
island_pair_stays                  ok    ok
island_clamped_pair_stays          ok    ok
clamped_sleeper_leaves_little      ok    ok
kworker_wakee_stays                ok    not
kworker_clamped_wakee_leaves       ok    ok
nothing_fits_clamped_pair_stays    ok    not
nothing_fits_busy_pair_stays       ok    not'
tests=$(awk 'NF { n++ } END { print n }' <<<"$table")
plan $((2 * (tests + 2)))

run() { "$SCHEDLAB" selftest --machine hikey960 --base 6.12 --feature "ASYM_PREV=$1" asym_prev; }

# judge SIDE COLUMN FEATURE STATUS: one boot, a point for each test.
judge() {
    local side=$1 column=$2 feature=$3 status=$4 got=0 test said expected
    run "$feature" >"$TMPDIR/$side" 2>"$TMPDIR/$side.err" || got=$?
    [ "$got" = "$status" ] && pass "$side: exit status $status" ||
        fail "$side: exit status $status" "it is $got: $(cat "$TMPDIR/$side.err")"
    grep -q "^1\.\.$tests\$" "$TMPDIR/$side" && pass "$side: the plan is this table" ||
        fail "$side: the plan is this table" "$(grep '^1\.\.' "$TMPDIR/$side")"
    while read -r test said; do
        expected=$(awk -v c="$column" '{ print $c }' <<<"$said")
        said=$(awk -v t="$test" '$1 == "ok" && $3 == t && !/# SKIP/ { print "ok" } $1 == "not" && $4 == t { print "not" }' \
            "$TMPDIR/$side")
        [ "$said" = "$expected" ] && pass "$side: $test" ||
            fail "$side: $test" "expected '$expected', got '$said': $(grep -B1 " $test" "$TMPDIR/$side")"
    done < <(grep . <<<"$table")
}

judge on 1 1 0
judge off 2 0 1
