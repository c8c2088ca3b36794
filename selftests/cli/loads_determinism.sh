#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In emulation every load is a function of its seed: run twice with one seed, it leaves the same record, byte for
# byte. Builds the 6.12 kernel if it is not in the cache yet.
# timeout: 2400
. ./tap.sh

# Each at a size that takes the guest a fraction of a second.
loads=(
    "frames --frames 8 --warmup 2"
    "hogs --tasks 10 --duration 30"
    "messaging --groups 1 --fds 3 --loops 20"
    "messaging --preset one-per-cpu --loops 50 --on big"
    "mix --job job"
    "pipe --loops 200 --on little --instances 2"
    "rr --loops 150 --pairs 2"
    "rr --loops 150 --preset udp_rr --threaded --engine io_uring"
    "rr --loops 150 --transport unix --clients-on llc:0 --servers-on llc:1"
    "spawn --loops 4 --chains 2 --warmup 1"
    "storm --rounds 8 --warmup 2"
    "tb --loops 150 --clients 2"
    "wake --duration 30 --warmup 5"
    "wake --duration 30 --warmup 5 --rps 2000 --on big"
)
plan $((2 * ${#loads[@]}))

cd "$TMPDIR" || exit
cat >job <<'EOF'
[hogs]
duration = 20
tasks = 3

[spawn]
loops = 3
EOF
run() { # run FILE LOAD...
    # shellcheck disable=SC2086
    "$SCHEDLAB" machine run hikey960 ${*:2} --seed 3 --json --quiet >"$1" 2>"$1.messages"
}

for load in "${loads[@]}"; do
    run first "$load" &
    run again "$load"
    status=$?
    if wait $! && [ $status = 0 ] && grep -q "\"load\": *\"${load%% *}\"" first; then
        pass "$load"
    else
        fail "$load" "$(cat first.messages again.messages)"
    fi
    check "$load: one seed, the same bytes" cmp first again
done
