#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A store that its reader may not write: the file, its directory, or both. Reading works; writing is refused in one line.
. ./tap.sh
. ./hackbench_log.sh
plan 21

cd "$TMPDIR" || exit
schedlab=$SCHEDLAB reader=()
if [ "$(id -u)" = 0 ]; then # who may write anything
    command -v setpriv >/dev/null || { echo "Bail out! no setpriv (util-linux)"; exit 1; }
    install -m 755 "$SCHEDLAB" schedlab # where the reader gets at it
    schedlab=$TMPDIR/schedlab reader=(setpriv --reuid=65534 --regid=65534 --clear-groups)
    chmod 755 . ..
    "${reader[@]}" test -x "$schedlab" || { echo "Bail out! $TMPDIR is hidden from ordinary users"; exit 1; }
fi
hackbench_log 0.200 0.201 0.199 0.202 0.198 >base
hackbench_log 0.150 0.151 0.149 0.152 0.148 >fast
mkdir kept
db=kept/s.db
"$SCHEDLAB" import base --tag base --db $db >/dev/null 2>&1 && "$SCHEDLAB" import fast --tag fast --db $db >/dev/null 2>&1 &&
    "$SCHEDLAB" runs compare base fast --db $db >/dev/null || { echo "Bail out! no store to read"; exit 1; }

lab() { "${reader[@]}" "$schedlab" "$@" --db $db; }
reads() { # reads WHAT: after WHAT was taken from the reader
    expect "$1: runs are listed" 0 '10 .*messaging' lab runs list
    expect "$1: a run is shown" 0 'seconds' lab runs show 1
    expect "$1: tags are listed" 0 'fast +5 runs' lab runs list --tags
    expect "$1: runs are compared, and that is not kept" 0 'cannot be written: the comparison is not kept' lab runs compare base fast
    expect "$1: a kept comparison is printed" 0 'b is better than a' lab report
    expect "$1: a tag is refused" 3 "run store $db: (attempt to write a readonly database|unable to open database file)" lab runs tag more 1
}
chmod 555 kept && chmod 666 $db
reads "directory not writable"
chmod 444 $db
reads "neither writable"
chmod 777 kept
reads "file not writable"
expect "an import says what to do" 3 'make the file and its directory writable' lab import base
expect "runs are not deleted" 3 'readonly database' lab runs delete base
rm -f $db-shm
echo "what another program had not finished" >$db-wal
chmod 555 kept && chmod 444 $db-wal
expect "no run that only a log has is passed over" 3 "run store $db: unable to open database file" lab runs list
chmod 755 kept
