# SPDX-License-Identifier: GPL-2.0-or-later
# Guest tests held to the outcomes that their suite's file `outcomes` foretells: a line per test, a column per machine;
# there the outcome with the feature on, off, and on the base without the series (o: ok, n: not ok), or - for a skip.
# Source it after tap.sh.

# outcomes SUITE MACHINE SIDE: "name outcome" of each test, SIDE being 1 (on), 2 (off) or 3 (without the series).
outcomes() {
    awk -v machine="$2" -v side="$3" '/^#/ { next }
        $1 == "test" { for (i = 2; i <= NF; i++) if ($i == machine) column = i; next }
        { print $1, $column == "-" ? "skip" : substr($column, side, 1) == "o" ? "ok" : "not" }' "guest/$1/outcomes"
}

# said LOG: the same, of what a suite printed.
said() {
    awk '$1 == "ok" { print $3, /# SKIP/ ? "skip" : "ok" } $1 == "not" { print $4, "not" }' "$1"
}

# hold SUITE FEATURE BASE MACHINE: three points, a boot each, two at once.
hold() {
    local suite=$1 feature=$2 base=$3 machine=$4 side names=(on off "without the series")
    local log=$TMPDIR/$suite.$base.$machine
    run() { "$SCHEDLAB" selftest --machine "$machine" "${@:2}" "$suite" >"$log.$1" 2>"$log.$1.err"; }
    "$SCHEDLAB" kernel build --base "$base" --series --arch "$(machine_arch "$machine")" --quiet >/dev/null
    run 1 --base "$base" --feature "$feature=1" &
    run 2 --base "$base" --feature "$feature=0"
    wait
    run 3 --kernel "$base"
    for side in 1 2 3; do
        local as=$side
        [ "$side$base" != 36.1 ] || as=2 # nothing of the idea is in 6.1
        diff <(outcomes "$suite" "$machine" $as) <(said "$log.$side") >"$log.diff" &&
            pass "$base $machine ${names[side - 1]}" ||
            fail "$base $machine ${names[side - 1]}" "$(cat "$log.diff" "$log.$side" "$log.$side.err")"
    done
}

machine_arch() { sed -n 's/^arch = "\(.*\)"/\1/p' "../tools/machines/$1.conf"; }
