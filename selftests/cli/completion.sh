#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion in bash offers what schedlab's own help names.
. ./tap.sh
plan 6

. ../tools/completion/schedlab.bash
schedlab() { "$SCHEDLAB" "$@"; }
complete_line() { # what is offered after the words given, the last being completed
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _schedlab
    printf '%s\n' "${COMPREPLY[@]}"
}

expect "commands" 0 '^machine$' complete_line schedlab ma
expect "commands within a command" 0 '^build$' complete_line schedlab kernel b
expect "options" 0 '^--seeds$' complete_line schedlab ab --se
expect "options of a command within a command" 0 '^--base$' complete_line schedlab kernel build --ba
expect "loads" 0 '^storm$' complete_line schedlab ab --load st
expect "machines" 0 '^hikey960$' complete_line schedlab ab --machine hi
