#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The gate on runs that are kept: what it says, to whom, and with which exit code. The runs are written here.
. ./tap.sh
plan 20

cd "$TMPDIR" || exit
# arm TAG SEEDS OPS MIGRATIONS: runs on real hardware, OPS of them per second give or take 0.3 %.
arm() {
    local seed identity cell
    for seed in $(seq "$2"); do
        identity="{\"kernel\":\"$1\",\"machine\":{\"name\":\"lab\"},\"job\":{\"features\":{},\"seed\":$seed}}"
        cell=$(printf %s "$identity" | sha256sum | cut -d' ' -f1)
        awk -v seed="$seed" -v ops="$3" -v migrations="$4" -v identity="$identity" -v cell="$cell" -v tag="$1" 'BEGIN {
            metric = "{\"name\":\"%s\",\"unit\":\"1/s\",\"class\":\"%s\",\"direction\":\"%s\",\"kind\":\"%s\",\"value\":%.3f}"
            metrics = sprintf(metric, "ops_per_sec", "time", "higher", "value", ops * (1 + 0.001 * (seed * 5 % 7 - 3))) "," \
                sprintf(metric, "migrations", "placement", "lower", "count", migrations + seed % 3) "," \
                sprintf(metric, "wakeups", "placement", "neutral", "count", 5000)
            printf "{\"schedlab\":\"run\",\"cell\":\"%s\",\"identity\":%s,\"ended\":\"done\",\"message\":\"\",", cell, identity
            printf "\"record\":{\"load\":\"pipe\",\"options\":{},\"seed\":%d,\"emulated\":false,\"metrics\":[%s],", seed, metrics
            printf "\"losses\":[],\"warnings\":[]},\"hello\":null,\"started_at\":\"2020-11-09T12:00:00Z\","
            printf "\"wall_seconds\":1,\"environment\":{\"kernel\":\"%s\"},\"tags\":[\"%s\"]}\n", tag, tag
        }'
    done
}
{ arm base 8 1000 100; arm same 8 999 100; arm slow 8 950 100; arm edge 8 980 100; arm restless 8 1001 900
  arm few 3 1000 100; } >runs.json
expect "runs are taken in" 0 '43 runs imported' "$SCHEDLAB" runs import runs.json
gate() { "$SCHEDLAB" gate --baseline base --margin 2% "$@"; }

expect "no worse than the base" 0 'The gate is passed' gate same
expect "worse than the margin allows" 1 'failed +ops_per_sec' gate slow
expect "at the margin: too little is known" 1 'undecided +ops_per_sec' gate edge
expect "which may be let pass" 0 'The gate is passed' gate edge --lenient
expect "what fails does not, even then" 1 'not passed' gate slow --lenient
expect "a wider margin" 0 'passed +ops_per_sec' gate slow --metric ops_per_sec:6%
expect "the other primary metric" 1 'failed +migrations' gate restless
expect "only what is named" 0 'passed' gate restless --metric ops_per_sec
expect "three boots are no permission" 1 'fewer than 4 boots' gate few
expect "KTAP" 1 '^not ok 1 ops_per_sec$' gate slow --format ktap
expect "KTAP of what is undecided and let pass" 0 '^ok 1 ops_per_sec # SKIP undecided$' gate edge --lenient --format ktap
expect "JUnit, into a file" 1 '^$' gate slow --format junit --out junit.xml
check "which has the failure" grep -q '<testcase classname="schedlab.gate" name="ops_per_sec"><failure ' junit.xml
expect "a mistyped metric" 2 'did you mean migrations' gate same --metric migration
expect "a metric without a worse side" 2 'neither more nor less' gate same --metric wakeups
expect "a margin that is none" 2 'not a percentage' gate same --margin much
expect "a margin that nothing exceeds" 2 'not a percentage' gate same --margin inf%
expect "nor compares with" 2 'not a percentage' gate same --margin nan%
expect "no such baseline" 2 'no such runs' "$SCHEDLAB" gate same --baseline nowhere
