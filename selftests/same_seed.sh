# SPDX-License-Identifier: GPL-2.0-or-later
# Points about loads that leave the same record whenever they are run with one seed. Source it after tap.sh, in TMPDIR.

# Each at a size that takes a guest a fraction of a second, on any machine.
loads=(
    "frames --frames 8 --warmup 2"
    "hogs --tasks 10 --duration 30"
    "messaging --groups 1 --fds 3 --loops 20"
    "mix --job job"
    "pipe --loops 200"
    "rr --loops 150 --pairs 2"
    "spawn --loops 4 --chains 2 --warmup 1"
    "storm --rounds 8 --warmup 2"
    "tb --loops 150 --clients 2"
    "wake --duration 30 --warmup 5"
)
cat >job <<'EOF'
[hogs]
duration = 20
tasks = 3

[spawn]
loops = 3
EOF

# twice MACHINE LOAD: two points. The two runs go on at once, so neither has the host to itself.
twice() {
    local machine=$1 load=$2 status
    run_seeded first &
    run_seeded again
    status=$?
    if wait $! && [ $status = 0 ] && grep -q "\"load\": *\"${load%% *}\"" first; then
        pass "$machine, $load"
    else
        fail "$machine, $load" "$(cat first.messages again.messages)"
    fi
    check "$machine, $load: one seed, the same bytes" cmp first again
}
run_seeded() { # run_seeded FILE: of twice()
    # shellcheck disable=SC2086
    "$SCHEDLAB" machine run "$machine" $load --seed 3 --json --quiet >"$1" 2>"$1.messages"
}
