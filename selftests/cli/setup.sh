#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Set-up names what is missing, and only that. dpkg is played by a script; nothing is installed here.
. ./tap.sh
. /etc/os-release
if [ "$ID" != debian ]; then
    echo "1..0 # SKIP set-up does nothing on $PRETTY_NAME"
    exit
fi
plan 6

mkdir "$TMPDIR/bin"
installed() { # a line "PACKAGE VERSION" for each of $1
    printf '#!/bin/sh\nsed -n "s/^./installed &/p" <<END\n%s\nEND\n' "$1" >"$TMPDIR/bin/dpkg-query"
    chmod +x "$TMPDIR/bin/dpkg-query"
}
missing() { PATH=$TMPDIR/bin:$PATH ../tools/setup/setup --missing "$@"; }
listed=$(grep -oE '^[a-z0-9.+-]+' "../tools/setup/packages.debian$VERSION_ID")
all=$(sed 's/$/ 1:99/' <<<"$listed")

installed ""
expect "nothing there: all is missing" 0 '^nlohmann-json3-dev$' missing
expect "a set of its own: what building QEMU needs" 0 '^meson$' missing emulator
installed "$all"
expect "all there: nothing is said" 0 '^$' missing
installed "$(grep -v '^flex ' <<<"$all")"
expect "one not there" 0 '^flex$' missing
installed "$(sed 's/^qemu-system-arm .*/qemu-system-arm 1:7.2+dfsg-7/' <<<"$all")"
expect "one too old" 0 '^qemu-system-arm$' missing
check "this machine lacks nothing" test -z "$(../tools/setup/setup --missing)"
