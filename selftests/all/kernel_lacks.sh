#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Kernels that lack what a measurement needs: each lack has its own line and exit status, and what does not need it works.
# Builds two kernels: a machine's domains cannot be read without SCHED_DEBUG, the other two lacks do not touch each other.
# timeout: 7200
. ./tap.sh
plan 12
cd "$TMPDIR" || exit

# kernel NAME OPTION...: 6.12 with these options → its image's path.
kernel() {
    printf '%s\n' "${@:2}" >"$1.config"
    "$SCHEDLAB" kernel build --base 6.12 --arch arm64 --config "$1.config" --quiet
}
stock=$("$SCHEDLAB" kernel build --base 6.12 --arch arm64 --quiet) || { echo 'Bail out! no kernel'; exit 1; }
run() { "$SCHEDLAB" machine run hikey960 pipe --loops 50 --quiet "$@"; }
compare() { "$SCHEDLAB" ab --machine hikey960 --load pipe --loops 50 --seeds 4 --quiet --db runs.db "$@"; }
failed_runs() { "$SCHEDLAB" runs list --db runs.db | grep -c "$1"; }

poor=$(kernel poor CONFIG_DEBUG_INFO_BTF=n CONFIG_SCHED_CLUSTER=n) || { echo 'Bail out! no kernel without BTF and clusters'; exit 1; }
btf='cannot read /sys/kernel/btf/vmlinux: No such file'
expect "no BTF: a probe says what it misses" 3 "$btf" run --kernel "$poor"
expect "no BTF: and what to do" 3 'placement probe needs a kernel with CONFIG_DEBUG_INFO_BTF=y' run --kernel "$poor"
expect "no BTF: without probes the load runs" 0 '"ops_per_sec"' run --kernel "$poor" --probe none --json
expect "no BTF, no SCHED_CLUSTER: a machine without clusters is true" 0 'hikey960, Linux 6\.12\..*: as described' \
    "$SCHEDLAB" machine check hikey960 --quiet --kernel "$poor"
expect "no BTF: a comparison names the arm" 3 "(a|b), seed [0-9]+: .*$btf" compare --a "$stock" --b "$poor"
check "no BTF: and keeps the failed run" test "$(failed_runs 'guest error')" = 1

expect "no SCHED_CLUSTER: a machine with clusters is not true" 1 \
    'cpus 0-3: expected CLS 0-3, MC 0-11, found MC 0-11' "$SCHEDLAB" machine check cluster12 --quiet --kernel "$poor"
expect "no SCHED_CLUSTER: the option is named" 1 'SCHED_CLUSTER' "$SCHEDLAB" machine check cluster12 --quiet --kernel "$poor"

no_features=$(kernel no_features CONFIG_SCHED_DEBUG=n) || { echo 'Bail out! no kernel without SCHED_DEBUG'; exit 1; }
features='this kernel has no scheduler feature file .*/sys/kernel/debug/sched/features'
expect "no feature file: a run says so" 3 "$features" run --kernel "$no_features"
expect "no feature file: and what to do" 3 'CONFIG_DEBUG_FS and CONFIG_SCHED_DEBUG' run --kernel "$no_features"
expect "no feature file: so does a boot" 3 "$features" "$SCHEDLAB" machine boot hikey960 --quiet --kernel "$no_features"
expect "no feature file: and a guest test" 3 "$features" "$SCHEDLAB" selftest asym_prev --machine hikey960 --kernel "$no_features"
