# SPDX-License-Identifier: GPL-2.0-or-later
# Guest tests held to the outcomes that their suite's file `outcomes` foretells: a line per test, a column per machine, or
# machine@base where a base differs; there the outcome with the feature on, off, and on the base without the series (o: ok,
# n: not ok), or - for a skip. Source it after tap.sh.

# outcomes SUITE MACHINE BASE SIDE: "name outcome" of each test, SIDE being 1 (on), 2 (off) or 3 (without the series).
outcomes() {
    awk -v machine="$2" -v base="$3" -v side="$4" '/^#/ { next }
        $1 == "test" {
            for (i = 2; i <= NF; i++)
                if ($i == machine "@" base || (!column && $i == machine)) column = i
            next
        }
        { print $1, $column == "-" ? "skip" : substr($column, side, 1) == "o" ? "ok" : "not" }' "guest/$1/outcomes"
}

# said LOG: the same, of what a suite printed.
said() {
    awk '$1 == "ok" { print $3, /# SKIP/ ? "skip" : "ok" } $1 == "not" { print $4, "not" }' "$1"
}

# hold SUITE FEATURE BASE MACHINE: three points, a boot each, two at once. What else happens to run can decide a wakeup: a
# test that says something else is run again by itself, with two more seeds, and must say it once.
hold() {
    local suite=$1 feature=$2 base=$3 machine=$4 side names=(on off "without the series")
    local log=$TMPDIR/$suite.$base.$machine
    side_args() {
        case $1 in
            1) echo --base "$base" --feature "$feature=1" ;;
            2) echo --base "$base" --feature "$feature=0" ;;
            3) echo --kernel "$base" ;;
        esac
    }
    run() { # run SIDE SEED TESTS FILE
        # shellcheck disable=SC2046
        "$SCHEDLAB" selftest --machine "$machine" $(side_args "$1") --seed "$2" "$3" >"$4" 2>"$4.err"
    }
    as_foretold() { # as_foretold SIDE TEST OUTCOME
        local seed
        for seed in 2 3; do
            run "$1" $seed "$suite/$2" "$log.$1.$2"
            [ "$(said "$log.$1.$2")" != "$2 $3" ] || return 0
        done
        return 1
    }
    "$SCHEDLAB" kernel build --base "$base" --series --arch "$(machine_arch "$machine")" --quiet >/dev/null
    run 1 1 "$suite" "$log.1" &
    run 2 1 "$suite" "$log.2"
    wait
    run 3 1 "$suite" "$log.3"
    for side in 1 2 3; do
        local as=$side test outcome wrong=
        [ "$side$base" != 36.1 ] || as=2 # nothing of the idea is in 6.1
        [ "$(outcomes "$suite" "$machine" "$base" $as | cut -d' ' -f1)" = "$(said "$log.$side" | cut -d' ' -f1)" ] ||
            wrong="other tests than those foretold. "
        while read -r test outcome; do
            grep -qx "$test $outcome" <(said "$log.$side") || as_foretold $side "$test" "$outcome" ||
                wrong+="$test: not $outcome. "
        done < <(outcomes "$suite" "$machine" "$base" $as)
        [ -z "$wrong" ] && pass "$base $machine ${names[side - 1]}" ||
            fail "$base $machine ${names[side - 1]}" "$wrong
$(cat "$log.$side" "$log.$side.err")"
    done
}

machine_arch() { sed -n 's/^arch = "\(.*\)"/\1/p' "../tools/machines/$1.conf"; }

# hold_all SUITE FEATURE TOPIC MACHINE...: on each base whose series has the topic, known by the first digits of its patches.
hold_all() {
    local suite=$1 feature=$2 bases base machine
    mapfile -t bases < <(grep -l "^$3" ../patches/*/series | cut -d/ -f3 | sort -V)
    shift 3
    plan $((3 * ${#bases[@]} * $#))
    for base in "${bases[@]}"; do
        for machine; do
            hold "$suite" "$feature" "$base" "$machine"
        done
    done
}
