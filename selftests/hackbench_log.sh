# SPDX-License-Identifier: GPL-2.0-or-later
# A log for tests of imports. Source it.

hackbench_log() { # hackbench_log SECONDS...: a result for each
    local seconds
    for seconds; do
        echo "Running in process mode with 10 groups using 40 file descriptors each (== 400 tasks)"
        echo "Each sender will pass 100 messages of 100 bytes"
        echo "Time: $seconds"
    done
}
