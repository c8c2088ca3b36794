#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ab from kernel to verdict on emulated hikey960: what it says, that it says it again, and what a kill leaves.
# Builds the 6.12 kernel with the series if it is not in the cache yet.
# timeout: 2400
. ./tap.sh
plan 37

cd "$TMPDIR" || exit
loops=3000
on=(--machine hikey960 --base 6.12 --load pipe --loops $loops)
ab() { "$SCHEDLAB" ab "${on[@]}" --feature ASYM_PREV "$@"; }

# values METRIC SIDE FILE: one a line.
values() {
    awk -v name="\"$1\"" -v side="\"$2\": {" '
        /^      "name": / { mine = index($0, name ",") }
        mine && index($0, side) { inside = 1; next }
        inside && /\]/ { exit }
        inside && /^ +[-0-9.]+,?$/ { sub(",", ""); print $1 }' "$3"
}
all() { awk "{ n++ } !($1) { bad = 1 } END { exit n != 5 || bad }"; } # all CONDITION: it holds for five values
processes_of() { pgrep -f -- "$1"; }
gone() { # gone PATTERN: no process has it in its command line, or soon none has
    for _ in $(seq 50); do
        processes_of "$1" >/dev/null || return 0
        sleep 0.1
    done
    processes_of "$1"
    return 1
}

expect "the feature off and on" 0 'b is better than a on hikey960 under pipe' ab --json first
for_all() { values migrations "$1" first | all "$2"; }
check "off: two migrations per round trip in every seed" for_all a "\$1 >= 1.9 * $loops"
check "on: ten at most in every seed" for_all b '$1 <= 10'
check "the verdict is in the JSON" grep -q '^  "verdict": "better",$' first
expect "again: nothing is run" 0 '10 runs, 10 of them reused' ab --json again
check "and it says the same" cmp first again
expect "with only a store that others keep" 0 '10 runs, 0 of them reused' ab --db other.db --json other --jobs 1
check "one boot at a time, new boots, the same bytes" cmp first other
expect "more seeds: only these are run" 0 '14 runs, 10 of them reused' ab --seeds 7
expect "until settled: one look at six boots will do" 0 '^  "looks": 1,$' ab --until-settled --json -
expect "and these are kept" 0 '12 runs, 12 of them reused' ab --until-settled --tag-a stock --tag-b patched
expect "what moved in the ledger stands under the verdict" 0 'agrees$' ab
expect "the gate lets it pass" 0 'passed +migrations' "$SCHEDLAB" gate patched --baseline stock
expect "and not the other way" 1 'failed +migrations' "$SCHEDLAB" gate stock --baseline patched
expect "JSON on stdout is alone there" 0 '^\{' ab --json - --quiet

runs() { "$SCHEDLAB" runs "$@"; }
expect "arms are tagged as they are made" 0 'reused' ab --tag-a off --tag-b on
expect "tags are listed" 0 '^off +5 runs' runs list --tags
expect "runs are listed" 0 'done +hikey960 +pipe +5 +on,patched +6.12.*ASYM_PREV on' runs list on
expect "one is shown" 0 'job.features.ASYM_PREV +(true|false)' runs show 1 --machine hikey960
expect "kept runs are compared" 0 'b is better than a on hikey960 under pipe' runs compare off on --json kept
check "and say what ab said" cmp first kept
runs export off >off.jsonl && runs export on >on.jsonl
expect "as files they say the same" 0 '^$' sh -c '"$0" compare off.jsonl --quiet --json - -- on.jsonl | cmp - first' "$SCHEDLAB"
# The same migrations as perf stat would have written them: everything that is said of them must be the same.
for arm in a b; do
    values migrations $arm first | sed 's/.*/# started on Mon Nov 30 12:00:00 2026\n&,,migrations,1000342,100.00,,/' >$arm.csv
done
"$SCHEDLAB" compare a.csv --primary migrations --quiet --json text -- b.csv >/dev/null 2>&1
said_of_migrations() { awk '/^      "name": / { mine = /"migrations",/ } /^    }/ { mine = 0 } mine' "$1"; }
check "and so do text logs of the same values" sh -c '[ "$1" ] && [ "$1" = "$2" ]' sh "$(said_of_migrations first)" "$(said_of_migrations text)"
expect "exported runs come back" 0 '10 runs imported, 0 were there' runs import off.jsonl on.jsonl --db copy.db
expect "once" 0 '0 runs imported, 5 were there' runs import on.jsonl --db copy.db
expect "and say the same" 0 '^$' sh -c '"$0" runs compare off on --db copy.db --json - | cmp - first' "$SCHEDLAB"
expect "on in a, off in b" 1 'b is worse than a' "$SCHEDLAB" ab "${on[@]}" --feature ASYM_PREV=0 --gate
expect "the same without --gate" 0 'b is worse than a' "$SCHEDLAB" ab "${on[@]}" --feature ASYM_PREV=0
expect "a feature the kernel lacks" 2 'did you mean ASYM_PREV' "$SCHEDLAB" ab "${on[@]}" --feature ASYM_PRV
expect "three boots: no verdict" 0 'No verdict .*fewer than 4 boots' ab --seeds 3

# start DIRECTORY: a comparison of its own whose temporary files are there; returns once it has saved a run.
start() {
    mkdir "$1"
    TMPDIR=$TMPDIR/$1 "$SCHEDLAB" ab "${on[@]}" --feature ASYM_PREV --quiet --jobs 1 --db "$1.db" >"$1.out" 2>&1 &
    started=$!
    for _ in $(seq 600); do
        "$SCHEDLAB" runs list --db "$1.db" 2>/dev/null | grep -q ' done ' && return 0
        sleep 0.1
    done
}

start killed
kill -KILL $started
wait $started 2>/dev/null
check "kill -9 leaves no emulator" gone "$TMPDIR/killed/"
expect "what was finished is kept" 0 '10 runs, [1-9] of them reused' ab --resume --db killed.db --json resumed
check "and the whole says the same" cmp first resumed

start interrupted
kill -INT $started
wait $started
[ $? = 130 ] && pass "an interrupt ends it with 130" || fail "an interrupt ends it with 130" "$(cat interrupted.out)"
check "no process is left" gone "$TMPDIR/interrupted/"
check "no temporary file is left" test -z "$(ls -A interrupted)"

full='a full disk is said to be one'
if unshare -m true 2>/dev/null; then
    mkdir small
    expect "$full" 3 'run store small/s.db: database or disk is full' unshare -m sh -c '
        mount -t tmpfs -o size=100k none small && exec "$@"' sh "$SCHEDLAB" ab "${on[@]}" --feature ASYM_PREV --db small/s.db
else
    skip "$full" "mounting a small file system needs root"
fi
