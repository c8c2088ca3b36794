# SPDX-License-Identifier: GPL-2.0-or-later
# The Test Anything Protocol for shell tests. Source it, say `plan N`, then one call per point. selftests/run sets
# SCHEDLAB (the program under test), O (the build directory) and TMPDIR (removed after the test).

plan() { echo "1..$1"; }
pass() { echo "ok $((++tap_point)) - $1"; }
fail() { # fail NAME [WHY]
    echo "not ok $((++tap_point)) - $1"
    [ -z "${2:-}" ] || sed 's/^/# /' <<<"$2"
}
skip() { echo "ok $((++tap_point)) - $1 # SKIP $2"; } # skip NAME REASON

# check NAME COMMAND...: it exits 0.
check() {
    local name=$1 output
    shift
    output=$("$@" 2>&1) && pass "$name" || fail "$name" "exit status $?: $*
$output"
}

# expect NAME STATUS PATTERN COMMAND...: it exits with STATUS, and its output and messages together match the
# extended regular expression ('' matches all).
expect() {
    local name=$1 status=$2 pattern=$3 output got=0
    shift 3
    output=$("$@" 2>&1) || got=$?
    if [ "$got" = "$status" ] && grep -qE -- "$pattern" <<<"$output"; then
        pass "$name"
    else
        fail "$name" "expected exit status $status and /$pattern/, got $got from: $*
$output"
    fi
}

tap_point=0
