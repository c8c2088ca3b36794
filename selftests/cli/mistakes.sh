#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What nobody meant: mistyped names, arms that share boots, damaged files, output that has nowhere to go.
. ./tap.sh
. ./hackbench_log.sh
plan 21

cd "$TMPDIR" || exit
hackbench_log 0.200 0.201 0.199 0.202 0.198 >base
hackbench_log 0.150 0.151 0.149 0.152 0.148 >fast
lab() { "$SCHEDLAB" "$@"; }
{ lab import base --tag base && lab import fast --tag fast && lab runs compare base fast; } >/dev/null 2>&1 ||
    { echo "Bail out! no store to ask"; exit 1; }

expect "a mistyped primary metric of files" 2 'did you mean seconds' lab compare base --primary second --gate -- fast
expect "and of kept runs" 2 'did you mean seconds' lab runs compare base fast --primary second --gate
expect "a gate that nothing decides does not open" 1 'no metric that decides has a verdict' lab runs compare 1-2 6-7 --gate
expect "one file on both sides" 2 '5 of the 5 boots' lab compare base -- base
expect "arms that share a run" 2 '1 of the 2 boots of arm b are in arm a' lab runs compare 1,2 1,3
expect "a baseline that is its own measure" 2 '5 of the 5 boots' lab gate base --baseline base
expect "runs that are not there are not shown" 2 "no such run in schedlab.db: '999'" lab runs show 999
expect "nor deleted" 2 'no such run' lab runs delete 999
expect "nor tagged" 2 'no such run' lab runs tag more 999
expect "nor exported" 2 'no such run' lab runs export nosuch
expect "nor listed" 2 'no such run' lab runs list nosuch
expect "fewer than none" 2 '--newest' lab runs list --newest -3
expect "no run ends so" 2 "no run ends 'bogus'.*hang" lab runs list --ended bogus
echo broken >broken
expect "runs that cannot be read" 2 'broken:1: no JSON' lab runs import broken --db new.db
check "make no store" test ! -e new.db
echo '{"metrics": 1e999, "seed": 1}' >large.json
expect "JSON that is none, and why" 2 'number overflow' lab compare large.json -- base
record() { # record SECONDS: one of bench --json; all are of one seed
    echo "{\"load\":\"pipe\",\"options\":{},\"seed\":1,\"emulated\":false,\"metrics\":[{\"name\":\"ops_per_sec\",\"unit\":\"1/s\"," \
        "\"class\":\"time\",\"direction\":\"higher\",\"kind\":\"value\",\"value\":$1}],\"losses\":[],\"warnings\":[]}"
}
for i in 1 2 3 4 5; do record 100.$i >a$i.json; record 200.$i >b$i.json; done
expect "records may be of one boot" 0 'warning: imported: a record does not say' lab compare a?.json -- b?.json
expect "a full disk" 3 'cannot write the output: No space left' sh -c '"$0" report 1 >/dev/full' "$SCHEDLAB"
expect "a reader that has enough is no error" 0 '^$' bash -c '"$0" runs export | true; [ "${PIPESTATUS[0]}" = 141 ] || [ "${PIPESTATUS[0]}" = 0 ]' "$SCHEDLAB"
lab runs delete 1 >/dev/null
expect "a comparison whose runs are gone says so" 0 'not all runs of a are in the store' lab report 1
lab import base --tag again >/dev/null 2>&1
expect "their numbers are not given again" 0 '11 .*again' lab runs list again
