#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ab refuses bad input at once: one clear line, the right exit status, and no kernel built for it.
. ./tap.sh
plan 24

cd "$TMPDIR" || exit
ab() { "$SCHEDLAB" ab --quiet "$@"; }
good=(--machine hikey960 --base 6.12 --feature ASYM_PREV --load pipe)
on=(--machine hikey960 --load pipe)

expect "no machine" 2 'machine is required' ab --base 6.12 --feature ASYM_PREV --load pipe
expect "no load" 2 'load is required' ab --machine hikey960 --base 6.12 --feature ASYM_PREV
expect "unknown machine" 2 "unknown machine 'hikey970'" ab "${good[@]/hikey960/hikey970}"
expect "unknown load" 2 "unknown load 'pip'" ab --machine hikey960 --base 6.12 --feature ASYM_PREV --load pip
expect "unknown option of the load" 2 'loop' ab "${good[@]}" --loobs 5
expect "a value out of the option's range" 2 'loops' ab "${good[@]}" --loops 0
expect "unknown base" 2 "unknown base '6.13'" ab "${on[@]}" --base 6.13 --feature ASYM_PREV
expect "what cannot be a feature" 2 "'asym prev': not a scheduler feature" ab "${on[@]}" --base 6.12 --feature 'asym prev'
expect "seeds 0" 2 'seeds 0: a comparison needs boots' ab "${good[@]}" --seeds 0
expect "seeds that are no number" 2 'seeds' ab "${good[@]}" --seeds many
expect "seeds below zero" 2 'seeds' ab "${good[@]}" --seeds -1
expect "seeds beyond reason" 2 'seeds' ab "${good[@]}" --seeds 99999999999
expect "nothing to compare" 2 'nothing to compare' ab "${on[@]}"
expect "one side only" 2 'only one side' ab "${on[@]}" --a 6.12
expect "base and a" 2 'both name the first' ab "${on[@]}" --base 6.12 --a 6.1 --b 6.12
expect "feature and b" 2 'names a second' ab "${on[@]}" --a 6.1 --b 6.12 --feature ASYM_PREV
expect "an image that is not there" 2 "no kernel image at './missing'" ab "${on[@]}" --a ./missing --b 6.12
expect "fresh and resume" 2 'excludes' ab "${good[@]}" --fresh --resume
expect "a JSON file in no directory" 2 'no such directory' ab "${good[@]}" --json missing/file
check "none of these made a store" test ! -e schedlab.db

expect "a store in no directory" 3 'run store missing/s.db: unable to open' ab "${good[@]}" --db missing/s.db
yes 'not a database' | head -c 4096 >text
expect "a store that is none" 3 'run store text: file is not a database' ab "${good[@]}" --db text
check "and it is left alone" test "$(head -c 14 text)" = 'not a database'
mkdir directory
expect "a directory for a store" 3 'run store directory: unable to open' ab "${good[@]}" --db directory
