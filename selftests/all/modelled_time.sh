#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Modelled time: the emulator is built and does what docs/timing.md says of it.
# timeout: 7200
. ./tap.sh
plan 41

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
model() { sed -E "$2" ../tools/machines/hikey960.conf >"$TMPDIR/$1.conf"; } # model NAME SED: hikey960, changed

# --- The emulator ---------------------------------------------------------------------------------

cache=${XDG_CACHE_HOME:-$HOME/.cache}/schedlab
emulator=$("$SCHEDLAB" emulator build --quiet) && pass "it is built" || fail "it is built"
expect "and built only once" 0 "^$emulator\$" "$SCHEDLAB" emulator build --quiet
expect "it is listed" 0 '^arm64 +QEMU 1:10\.0\.[0-9]+.* [0-9a-f]{12}$' "$SCHEDLAB" emulator list
expect "as a part of the cache" 0 '^emulator .*QEMU 1:10\.0\..*, arm64' "$SCHEDLAB" kernel list
expect "that is pruned with it" 0 '^emulator .*QEMU 1:10\.0\..*, arm64' "$SCHEDLAB" kernel prune --all --dry-run
expect "a machine boots on it, and does the same twice" 0 'two runs are identical' "$SCHEDLAB" emulator check --quiet

mkdir -p "$TMPDIR/damaged/schedlab/emulators"
cp -r "$(dirname "$emulator")" "$TMPDIR/damaged/schedlab/emulators"
printf 'x' | dd of="$TMPDIR/damaged/schedlab/emulators/${emulator#"$cache"/emulators/}" bs=1 seek=5000 conv=notrunc status=none
expect "a damaged one is not used" 3 "is not what was built.*" \
    env XDG_CACHE_HOME="$TMPDIR/damaged" "$SCHEDLAB" machine run hikey960 pipe --time model --quiet
expect "without one a line says what to do" 3 "'schedlab emulator build --arch arm64' builds it" \
    env XDG_CACHE_HOME="$TMPDIR/none" "$SCHEDLAB" machine run hikey960 pipe --time model --quiet
expect "a machine without timing is refused" 2 'has no \[timing\]' \
    "$SCHEDLAB" machine run smp2 pipe --time model --quiet

# --- One seed, one run ----------------------------------------------------------------------------

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

model restless 's/^cpus = 8/&\ncommand-line = "SCHEDLAB_HOTPLUG=2,6"/'
for i in 1 2; do modelled restless$i "$TMPDIR/restless.conf" pipe --loops 2000; done
check "CPUs that come and go: the same bytes" cmp "$TMPDIR/restless1" "$TMPDIR/restless2"

# In a cache of its own, whose states can be thrown away.
mkdir -p "$TMPDIR/own/schedlab"
ln -s "$cache"/{images,sources,emulators} "$TMPDIR/own/schedlab"
states=$TMPDIR/own/schedlab/states
resumed() { XDG_CACHE_HOME=$TMPDIR/own modelled "$@"; }
for i in 1 2; do
    resumed first$i hikey960 pipe --loops 500
    resumed second$i hikey960 pipe --loops 500
    check "begun in a saved state: the same bytes ($i)" cmp "$TMPDIR/first$i" "$TMPDIR/second$i"
    rm -r "$states"
done
check "a state that is made again leads to the same" cmp "$TMPDIR/first1" "$TMPDIR/first2"
check "which was begun there, not booted" sh -c '! grep -q "was booted for each run" "$1"' - "$TMPDIR/first1"

# --- Clocks, speeds, lines ------------------------------------------------------------------------

expect "no clock goes back, over 10^8 reads" 0 '1 passed, 0 failed, 0 skipped' \
    "$SCHEDLAB" selftest --machine hikey960 --kernel 6.12 --time model --quiet clocks

# Speed alone: where lines take no time, a little CPU needs 1024 / 462 times as long.
model free '/^\[timing\]/,$ s/^(line|memory) = .*/\1 = 0/'
modelled little "$TMPDIR/free.conf" pipe --loops 3000 --on 0
modelled big "$TMPDIR/free.conf" pipe --loops 3000 --on 4
within "speed: the ratio of capacities, within 0.5 %" 2.2053 2.2275 \
    "$(ratio "$(value "$TMPDIR/big" ops_per_sec)" "$(value "$TMPDIR/little" ops_per_sec)")"

# Pairs that have nothing in common, on CPUs of their own.
model equal 's/"0-3" = 462, "4-7" = 1024/"0-7" = 1024/; /^\[\[domain\]\]/,$d'
for n in 1 4; do modelled "pairs$n" "$TMPDIR/equal.conf" rr --preset tcp_rr --pairs $n --loops 1000; done
within "four pairs on eight CPUs: 95 % of four times one pair's transactions" 3.8 4.4 \
    "$(ratio "$(value "$TMPDIR/pairs4" trans_per_sec)" "$(value "$TMPDIR/pairs1" trans_per_sec)")"

expect "lines take what the model says" 0 'as described, within 5 %' "$SCHEDLAB" machine timing hikey960 --quiet
model far 's/^line = 24/line = 80/'
expect "and more where it says more" 0 ' (79|80|81)\.[0-9]' "$SCHEDLAB" machine timing "$TMPDIR/far.conf" --quiet

# --- Reset and debugger ---------------------------------------------------------------------------

image=$("$SCHEDLAB" kernel build --base 6.12 --arch arm64 --quiet)
bare=("$emulator" -nodefaults -display none -M virt,gic-version=3 -cpu cortex-a57 -smp 4 -m 512 -accel tcg,thread=single
    -icount shift=0,sleep=off,parallel=on -kernel "$image" -append 'console=ttyAMA0 nokaslr panic=-1')
until_said() { # until_said FILE COUNT TEXT: on a console, within 5 minutes
    local seconds
    for ((seconds = 0; seconds < 300; seconds++)); do
        [ "$(grep -s "$3" "$1" | wc -l)" -lt "$2" ] || return 0
        sleep 1
    done
    tail -n 20 "$1"
    return 1
}

# There is nothing to boot from: it panics, and panic=-1 resets the machine.
"${bare[@]}" -serial "file:$TMPDIR/reset" &
check "a machine that resets itself boots again" until_said "$TMPDIR/reset" 3 'Booting Linux'
kill $!

ask() { # ask PACKET: the debugger's answer to it
    local sum=0 i answer
    for ((i = 0; i < ${#1}; i++)); do sum=$(((sum + $(printf %d "'${1:i:1}")) % 256)); done
    printf '$%s#%02x' "$1" $sum >&"${qemu[1]}"
    hear
}
hear() {
    local answer
    read -r -t 300 -d '#' answer <&"${qemu[0]}"
    read -r -n 2 <&"${qemu[0]}"
    printf '+' >&"${qemu[1]}"
    echo "${answer#*\$}"
}
coproc qemu { exec "${bare[@]}" -serial "file:$TMPDIR/debugged" -gdb stdio -S; }
expect "a debugger finds the machine stopped" 0 '^T05' ask '?'
expect "sets a breakpoint where the kernel begins" 0 '^OK$' ask 'Z1,40200000,4'
expect "meets it" 0 '^T05' ask c
expect "there" 0 '^0000204000000000$' ask p20
expect "makes a step" 0 '^T05' ask s
check "and is elsewhere" test "$(ask p20)" != 0000204000000000
ask 'z1,40200000,4' >/dev/null
printf '$c#63' >&"${qemu[1]}"
check "goes on" until_said "$TMPDIR/debugged" 1 'Linux version'
printf '\003' >&"${qemu[1]}"
expect "interrupts it" 0 '^T02' hear
printf '$c#63' >&"${qemu[1]}"
check "and lets it go" until_said "$TMPDIR/debugged" 2 'Booting Linux'
kill "$qemu_PID"

# --- Comparisons ----------------------------------------------------------------------------------

compare() {
    "$SCHEDLAB" ab --machine hikey960 --base 6.12 --feature ASYM_PREV --load pipe --loops 1000 --seeds 4 \
        --time model --probe none --db "$TMPDIR/runs.db" --quiet "$@"
}
expect "a comparison says that it predicts" 0 'as its timing model predicts' compare
expect "and its runs are cells of their own" 0 '8 runs, 8 of them reused' compare
for format in lkml markdown csv html; do
    expect "as $format too it is called modelled" 0 modelled compare --format $format
done
