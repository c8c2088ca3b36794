# SPDX-License-Identifier: GPL-2.0-or-later
# What the tests of `schedlab trace` on this machine share. Source it in selftests/cli, after tap.sh: it skips the whole
# test where nothing can be traced, makes a directory $tmp that goes with the test, and builds $tmp/churn.

give_up() { echo "1..0 # SKIP $1"; exit 0; }
[ "$(id -u)" = 0 ] || give_up "needs root"
[ -r /sys/kernel/btf/vmlinux ] || give_up "this kernel has no BTF"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
"${CXX:-g++}" -std=c++20 -O1 -pthread placement_churn.cpp -o "$tmp/churn" || { echo "Bail out! no compiler"; exit 1; }

# value METRIC: of the record in $tmp/record.
value() {
    awk -v name="\"$1\"," '$1 == "\"name\":" { found = $2 == name } found && $1 == "\"value\":" { print $2 + 0; exit }' \
        "$tmp/record"
}
