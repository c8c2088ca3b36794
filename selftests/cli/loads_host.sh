#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Loads on this machine, briefly: each says what it is about, refuses nonsense, and can be interrupted.
. ./tap.sh
plan 21

bench() { "$SCHEDLAB" bench "$1" --probe none "${@:2}"; }
# value NAME FILE: of a metric of a record.
value() {
    awk -v name="\"$1\"," '$1 == "\"name\":" { at = $2 == name } at && $1 == "\"value\":" { print $2 + 0 }' "$2"
}
is() { [ "$(value "$1" "$2")" = "$3" ]; }

expect "frames: the table of 2017" 0 'count +mean +std +25 % +50 % +75 % +95 % +99 % +janks' \
    bench frames --frames 5 --warmup 1 --refresh 120
check "frames: as many as asked for" bench frames --frames 7 --warmup 1 --refresh 120 --json "$TMPDIR/frames"
check "frames: all were counted" is frames "$TMPDIR/frames" 7
expect "frames: a display nobody has" 2 '60, 90 or 120' bench frames --refresh 75
expect "frames: a test nobody wrote" 2 'did you mean list_view' bench frames --test list_wiew
expect "frames: no work" 2 'without work' bench frames --layout 0 --draw 0

expect "hogs: a line per task" 0 'task +CPU +%CPU +moves' bench hogs --tasks 2 --duration 30
check "hogs: one alone has a CPU, and shares none" bench hogs --tasks 1 --duration 30 --json "$TMPDIR/hog"
check "hogs: one alone is treated fairly" is fairness "$TMPDIR/hog" 1
expect "hogs: on CPUs that are not there" 2 '--on 4000' bench hogs --on 4000

expect "spawn: processes come and go" 0 'ops_per_sec' bench spawn --loops 2 --depth 2 --chains 2 --warmup 1
expect "spawn: without exec" 0 'ops_per_sec' bench spawn --loops 2 --no-exec
expect "storm: latencies and collisions" 0 'collisions' bench storm --rounds 5 --warmup 1
expect "storm: a waker without sleepers" 2 'some have none to wake' bench storm --wakers 3 --sleepers 2
expect "wake: latencies and requests" 0 'requests_per_sec' bench wake --duration 50 --warmup 10
expect "wake: a rate that is found" 0 'requests_per_sec' bench wake --duration 300 --auto-rps 20 --warmup 10

cat >"$TMPDIR/job" <<'EOF'
# A phone that installs an update while a list is flung.
[global]
warmup = 2

[ui]
load = "frames"
frames = 5

[spawn]            # the installer
loops = 3
EOF
check "mix: two loads" bench mix --job "$TMPDIR/job" --json "$TMPDIR/mix"
check "mix: metrics have the section's name" is ui.frames "$TMPDIR/mix" 5
expect "mix: no job" 2 '--job FILE' bench mix
echo '[nothing]' >"$TMPDIR/bad"
expect "mix: a wrong job, with its line" 2 "bad:1: \[nothing\] unknown load" bench mix --job "$TMPDIR/bad"

interrupted() { timeout --foreground --preserve-status --signal=INT 1 "$SCHEDLAB" bench "$@"; }
expect "a long load ends when it is interrupted" 130 'interrupted' interrupted wake --duration 100000 --probe none
