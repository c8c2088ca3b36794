#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs that begin in a saved state: the first one makes it, a damaged one is made again, and one seed leaves the same bytes.
# Builds the 6.12 kernel if it is not in the cache yet.
# timeout: 1200
. ./tap.sh
plan 20

image=$("$SCHEDLAB" kernel build --base 6.12 --arch arm64 --quiet) || { echo 'Bail out! no kernel'; exit 1; }
here=$PWD
cd "$TMPDIR" || exit
export XDG_CACHE_HOME=$TMPDIR/cache
states=$XDG_CACHE_HOME/schedlab/states

run() { # run SEED FILE [MACHINE]
    "$SCHEDLAB" machine run "${3:-hikey960}" pipe --kernel "$image" --loops 200 --seed "$1" --json --quiet >"$2"
}
state() { ls "$states"/*/state; }
made() { stat -c %i "$(state)"; } # tells one state from the next
without_seed() { grep -v '"seed"' "$1"; }
not() { ! "$@"; }
same_runs() { cmp <(without_seed "$1") <(without_seed "$2"); }

check "a first run boots" run 1 first
check "and leaves one state" test "$(state | wc -l)" = 1
first=$(made)
check "a second one begins in it" run 1 second
check "which is still the same" test "$(made)" = "$first"
check "the same bytes" cmp first second
check "another seed" run 2 other
check "is another run" not same_runs first other

truncate -s -4096 "$(state)"
check "a truncated state is made again" run 1 again
check "and is another one" test "$(made)" != "$first"
printf 'x' | dd of="$(state)" bs=1 seek=30000000 conv=notrunc status=none
check "the same bytes, begun in another state" cmp first again
check "so is a damaged one" run 1 again
check "it is listed" sh -c "'$SCHEDLAB' kernel list | grep -q '^state .* hikey960, Linux 6\.12\..*, arm64'"

rm -r "$states"
run 1 one &
one=$!
run 1 two
wait $one
check "two at once, and no state: both run" test -s one -a -s two
check "and leave the same bytes" cmp one two
check "and one state" test "$(ls "$states"/*/state | wc -l)" = 1

rm -r "$states"
"$SCHEDLAB" machine run hikey960 pipe --kernel "$image" --quiet >/dev/null 2>&1 &
until ls -d "$states"/schedlab-state.* >/dev/null 2>&1 || ! kill -0 $! 2>/dev/null; do sleep 0.1; done
kill -KILL $!
wait $! 2>/dev/null
check "what a killed one left harms nobody" run 1 again
check "and is pruned with the states" sh -c "'$SCHEDLAB' kernel prune --all --quiet >/dev/null && ! ls -d '$states'/*/"

# The watchdog's place is taken.
sed 's/"-M virt,gic-version=3"/"-M virt,gic-version=3", "-device pci-testdev,addr=0x1e"/' \
    "$here/../tools/machines/hikey960.conf" >taken.conf
run 1 whole "$TMPDIR/taken.conf"
check "what cannot be saved is booted, and says so" grep -q 'was booted for each run.*slot 30' whole

full='so is what there is no room for'
if unshare -m true 2>/dev/null; then
    check "$full" unshare -m sh -c 'mount -t tmpfs -o size=8M none "$1" && exec "$2" machine run hikey960 pipe \
        --kernel "$3" --loops 200 --seed 1 --json --quiet >whole' sh "$XDG_CACHE_HOME" "$SCHEDLAB" "$image"
    check "and says why" grep -q 'was booted for each run.*No space left' whole
else
    skip "$full" "mounting a small file system needs root"
    skip "and says why" "likewise"
fi
