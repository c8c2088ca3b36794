#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What `make install` puts somewhere works there, without the source tree, and `make uninstall` leaves nothing.
. ./tap.sh
plan 8

root=$TMPDIR/root
in_tree() { make -C .. --no-print-directory O="$O" DESTDIR="$root" PREFIX=/usr "$@"; }
installed() { env -u SCHEDLAB_DATA -C / "$root/usr/bin/schedlab" "$@"; }
left() { find "$root" -type f -o -type l -o -type d -name 'schedlab*'; }

check "install" in_tree install
expect "the program runs" 0 '^schedlab [0-9]' installed --version
sed -i 's/^summary = .*/summary = "a model of the installed tree"/' "$root"/usr/share/schedlab/tools/machines/smp2.conf
expect "it reads the installed data" 0 'smp2 .*a model of the installed tree' installed machine list
expect "it finds the installed guests" 0 "$root/usr/lib/schedlab/guest/arm64/schedlab-guest" installed doctor
expect "the manual page has its name" 0 '^\.TH SCHEDLAB 1' head -n 5 "$root/usr/share/man/man1/schedlab.1"
check "the completion of bash parses" bash -n "$root/usr/share/bash-completion/completions/schedlab"
check "uninstall" in_tree uninstall
expect "nothing is left" 0 '^none$' eval '[ -z "$(left)" ] && echo none || left'
