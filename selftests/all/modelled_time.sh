#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Modelled time: the emulator is built and does what docs/timing.md says of it.
# timeout: 7200
. ./tap.sh
plan 17

value() { # value FILE METRIC: of a record
    awk -v name="\"$2\"," '$1 == "\"name\":" { at = ($2 == name) } at && $1 == "\"value\":" { print $2 + 0; exit }' "$1"
}
within() { # within NAME LOW HIGH VALUE
    if awk -v v="${4:-none}" -v low="$2" -v high="$3" 'BEGIN { exit !(v + 0 >= low && v + 0 <= high && v != "none") }'; then
        pass "$1"
    else
        fail "$1" "expected $2 to $3, got ${4:-nothing}"
    fi
}
ratio() { awk -v a="${1:-0}" -v b="${2:-1}" 'BEGIN { print a / b }'; }
run() { # run FILE ARGUMENTS...
    local file=$TMPDIR/$1
    shift
    "$SCHEDLAB" machine run "$@" --probe none --limit 600 --json --quiet >"$file" 2>"$file.messages" ||
        { cat "$file.messages" >&2; return 1; }
}
modelled() { local file=$1; shift; run "$file" "$@" --time model; }

emulator=$("$SCHEDLAB" emulator build --quiet) && pass "it is built" || fail "it is built"
expect "and built only once" 0 "^$emulator\$" "$SCHEDLAB" emulator build --quiet
expect "it is listed" 0 '^arm64 +QEMU 1:10\.0\.[0-9]+.* [0-9a-f]{12}$' "$SCHEDLAB" emulator list
expect "a machine boots on it, and does the same twice" 0 'two runs are identical' "$SCHEDLAB" emulator check --quiet

# Unless it is asked for, nothing changes: a run on the distribution's QEMU is one on ours.
run stock hikey960 pipe --loops 500
mkdir "$TMPDIR/bin"
ln -s "$emulator" "$TMPDIR/bin/qemu-system-aarch64"
PATH=$TMPDIR/bin:$PATH run ours hikey960 pipe --loops 500
check "with modelled time off a run has the bytes of the distribution's QEMU" cmp "$TMPDIR/stock" "$TMPDIR/ours"

modelled once hikey960 pipe --loops 500
modelled again hikey960 pipe --loops 500
check "one seed, the same bytes" cmp "$TMPDIR/once" "$TMPDIR/again"
for i in 1 2 3 4; do while :; do :; done & busy+=($!); done
modelled busy hikey960 pipe --loops 500
kill "${busy[@]}"
check "on a busy host too" cmp "$TMPDIR/once" "$TMPDIR/busy"
modelled other hikey960 pipe --loops 500 --seed 2
check "another seed, another run" test "$(value "$TMPDIR/once" ops_per_sec)" != "$(value "$TMPDIR/other" ops_per_sec)"
check "times are called modelled" grep -q '"class": "modelled"' "$TMPDIR/once"
check "and no instructions are counted" sh -c '! grep -q insn_per_op "$1"' - "$TMPDIR/once"

# Speed alone: where lines take no time, a little CPU needs 1024 / 462 times as long.
sed -E 's/^(line|memory) = .*/\1 = 0/' ../tools/machines/hikey960.conf >"$TMPDIR/free.conf"
modelled little "$TMPDIR/free.conf" pipe --loops 3000 --on 0
modelled big "$TMPDIR/free.conf" pipe --loops 3000 --on 4
within "speed: the ratio of capacities, within 0.5 %" 2.2053 2.2275 \
    "$(ratio "$(value "$TMPDIR/big" ops_per_sec)" "$(value "$TMPDIR/little" ops_per_sec)")"

# Pairs that have nothing in common, on CPUs of their own.
sed -E 's/"0-3" = 462, "4-7" = 1024/"0-7" = 1024/; /^\[\[domain\]\]/,$d' ../tools/machines/hikey960.conf >"$TMPDIR/equal.conf"
for n in 1 4; do modelled "pairs$n" "$TMPDIR/equal.conf" rr --preset tcp_rr --pairs $n --loops 1000; done
within "four pairs on eight CPUs: 95 % of four times one pair's transactions" 3.8 4.4 \
    "$(ratio "$(value "$TMPDIR/pairs4" trans_per_sec)" "$(value "$TMPDIR/pairs1" trans_per_sec)")"

expect "lines take what the model says" 0 'as described, within 5 %' "$SCHEDLAB" machine timing hikey960 --quiet
sed -E 's/^line = 24/line = 80/' ../tools/machines/hikey960.conf >"$TMPDIR/far.conf"
expect "and more where it says more" 0 ' (79|80|81)\.[0-9]' "$SCHEDLAB" machine timing "$TMPDIR/far.conf" --quiet

expect "a machine without timing is refused" 2 'has no \[timing\]' \
    "$SCHEDLAB" machine run smp2 pipe --time model --quiet
expect "a comparison says that it predicts" 0 'as its timing model predicts' \
    "$SCHEDLAB" ab --machine hikey960 --base 6.12 --feature ASYM_PREV --load pipe --loops 1000 --seeds 4 \
    --time model --probe none --db "$TMPDIR/runs.db" --quiet
expect "and its runs are cells of their own" 0 '8 runs, 8 of them reused' \
    "$SCHEDLAB" ab --machine hikey960 --base 6.12 --feature ASYM_PREV --load pipe --loops 1000 --seeds 4 \
    --time model --probe none --db "$TMPDIR/runs.db" --quiet
