#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Logs of other tools: compared as files, kept as runs; what is skipped is named.
. ./tap.sh
. ./hackbench_log.sh
plan 18

cd "$TMPDIR" || exit
hackbench_log 0.200 0.201 0.199 >base1
hackbench_log 0.202 0.198 >base2
hackbench_log 0.150 0.151 0.149 0.152 0.148 >fast
{ cat fast; echo "Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)"; } >failed

lab() { "$SCHEDLAB" "$@"; }
expect "files are compared" 0 'b is better than a under messaging: seconds 0.2 -> 0.15' lab compare --json table base1 base2 -- fast
expect "what is skipped is named, with its line" 0 '^failed:16: skipped: no time follows' lab compare base1 base2 -- failed
{ cat fast; yes 'Time: 1' | head -2000; } >many
expect "of many, some" 0 '^many: at least [0-9]+ more were skipped' lab compare base1 base2 -- many
expect "results of one boot are warned about" 0 'warning: imported' lab compare base1 base2 -- fast
expect "a worse side fails the gate" 1 'b is worse' lab compare --gate fast -- base1 base2
expect "other loads do not compare" 2 'arm a ran messaging and arm b tb' \
    sh -c 'echo "Throughput 1234.56 MB/sec  8 clients  8 procs  max_latency=12.3 ms" >tb; "$0" compare base1 -- tb' "$SCHEDLAB"
frames() { # frames MS...: Jankbench's table as JSON
    local ms rows=
    for ms; do rows+=',{"name":"list","iteration":'$((iteration++))',"total_duration":'$ms',"jank_frame":0}'; done
    echo "[${rows#,}]"
}
iteration=0
frames 9.0 9.1 8.9 9.2 8.8 >slow.json
frames 6.0 6.1 5.9 6.2 5.8 | gzip >fast.json.gz
expect "JSON of others, and what gzip packed" 0 'b is better than a under jankbench' lab compare slow.json -- fast.json.gz
expect "JSON of none" 2 'unknown.json: JSON, but no run of schedlab' sh -c 'echo "{\"x\": 1}" >unknown.json; "$0" compare base1 -- unknown.json' "$SCHEDLAB"
expect "no second side" 2 'no files of the second arm' lab compare base1
echo hello >unknown
expect "an unknown log names the known ones" 2 'hackbench, of rt-tests' lab compare base1 -- unknown
expect "a file that is not there" 3 'cannot read nosuch' lab compare base1 -- nosuch

expect "logs become runs" 0 '5 runs imported, 0 were there' lab import base1 base2 --tag base --kernel 6.12 --machine mine
expect "once" 0 '0 runs imported, 5 were there' lab import base1 base2 --tag base --kernel 6.12 --machine mine
expect "more of them" 0 '5 runs imported' lab import fast --tag fast --kernel 6.13 --machine mine
expect "and are compared" 0 'b is better than a on mine under messaging' lab runs compare base fast --json kept
values() { awk '/"name": "seconds"/, /"reason"/' "$1"; }
check "as the files are" cmp <(values table) <(values kept)
expect "the comparison is kept, in every format" 0 '^row,name,unit,class' lab report --format csv
expect "the mail has its command" 0 'schedlab runs compare base fast' lab report 1 --format lkml
