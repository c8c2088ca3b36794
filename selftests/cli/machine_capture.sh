#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A model captured from a machine boots with that machine's domains: two saved machines that QEMU's own options cannot say.
# timeout: 600
. ./tap.sh

cpu=sys/devices/system/cpu
node=sys/devices/system/node

put() { mkdir -p "$(dirname "$2")" && echo "$1" >"$2"; } # put TEXT FILE

# put_cpu TREE CPU THREADS CLUSTER PACKAGE L2 L3 CAPACITY
put_cpu() {
    local dir=$1/$cpu/cpu$2
    put "$3" "$dir/topology/thread_siblings_list"
    put "$4" "$dir/topology/cluster_cpus_list"
    put "$5" "$dir/topology/core_siblings_list"
    put 2 "$dir/cache/index0/level"
    put "$6" "$dir/cache/index0/shared_cpu_list"
    put 3 "$dir/cache/index1/level"
    put "$7" "$dir/cache/index1/shared_cpu_list"
    put "$8" "$dir/cpu_capacity"
}

# Two big cores of two threads, a cluster of four little CPUs, one of them offline.
hybrid=$TMPDIR/hybrid
put 0-7 "$hybrid/$cpu/present"
put 0-6 "$hybrid/$cpu/online"
put 6.8.0 "$hybrid/proc/sys/kernel/osrelease"
for i in 0 1 2 3; do
    own=$((i & ~1))-$((i | 1))
    put_cpu "$hybrid" $i $own $own 0-6 $own 0-6 1024
done
for i in 4 5 6; do put_cpu "$hybrid" $i $i 4-6 0-6 4-6 0-6 571; done

# Two nodes with CPU numbers dealt out in turn; one CPU isolated.
dealt=$TMPDIR/dealt
put 0-7 "$dealt/$cpu/present"
put 0-7 "$dealt/$cpu/online"
put 7 "$dealt/$cpu/isolated"
put 6.8.0 "$dealt/proc/sys/kernel/osrelease"
put 0-1 "$dealt/$node/online"
for n in 0 1; do
    put "$n,$((n + 2)),$((n + 4)),$((n + 6))" "$dealt/$node/node$n/cpulist"
    put "$([ $n = 0 ] && echo 10 21 || echo 21 10)" "$dealt/$node/node$n/distance"
    for i in $n $((n + 2)) $((n + 4)) $((n + 6)); do
        all=$(cat "$dealt/$node/node$n/cpulist")
        put_cpu "$dealt" $i $i $i "$all" $i "$all" 1024
    done
done

plan 7
for name in hybrid dealt; do
    "$SCHEDLAB" machine capture --root "$TMPDIR/$name" >"$TMPDIR/$name.conf" 2>"$TMPDIR/$name.err"
done
expect "a hybrid machine boots with its domains" 0 'cpus 0-1 +SMT 0-1, MC 0-6' \
    "$SCHEDLAB" machine check "$TMPDIR/hybrid.conf" --quiet
expect "so does one of interleaved nodes and an isolated CPU" 0 'cpus 7 +$' \
    "$SCHEDLAB" machine check "$TMPDIR/dealt.conf" --quiet
"$SCHEDLAB" machine capture --from data/hybrid.hwloc.xml >"$TMPDIR/saved.conf" 2>"$TMPDIR/saved.err"
expect "so does one that hwloc saved, with holes and an offline CPU" 0 'cpus 4-6 +CLS 4-6, MC 0-6' \
    "$SCHEDLAB" machine check "$TMPDIR/saved.conf" --quiet
expect "one file or one tree" 2 'excludes' "$SCHEDLAB" machine capture --from data/hybrid.hwloc.xml --root /
expect "what could not be read is said" 0 'not compared .*: it needs root' cat "$TMPDIR/hybrid.err"
expect "this machine can be captured" 0 '^arch = "arm64"' "$SCHEDLAB" machine capture
expect "a tree that is none is refused" 3 'cannot read .*/proc/sys/kernel/osrelease' "$SCHEDLAB" machine capture --root "$TMPDIR"
