#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Patches are applied exactly or not at all, to a directory, a git tree at a commit, or a copy; never to the tree itself.
. ./tap.sh
plan 27

export XDG_CACHE_HOME=$TMPDIR/cache
cd "$TMPDIR" || exit
mkdir -p tree/kernel/sched
printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 7\nEXTRAVERSION =\n' >tree/Makefile
seq 1 30 | sed 's/^/line /' >tree/kernel/sched/fair.c

# edit NAME FILE SED: NAME.patch makes that edit
edit() { sed "$3" "tree/$2" | diff -u --label "a/$2" --label "b/$2" "tree/$2" - >"$1.patch"; }
edit five kernel/sched/fair.c 's/^line 5$/five/'
edit ten kernel/sched/fair.c 's/^line 20$/twenty/'
apply() { "$SCHEDLAB" kernel apply --quiet "$@"; }
state() { find tree -type f -exec sha256sum {} + | sort; }
before=$(state)

expect "a patch that applies" 0 '^M kernel/sched/fair.c$' apply --tree tree --patches five.patch
check "the tree is as before" [ "$(state)" = "$before" ]
check "a patched copy is made" apply --tree tree --patches five.patch ten.patch --output copy
check "it differs as the patches say" [ "$(diff -r tree copy | grep -c '^>')" = 2 ]
expect "its place must be free" 2 "'copy' is there already" apply --tree tree --patches five.patch --output copy
expect "an applied hunk" 2 'five.patch: kernel/sched/fair.c: hunk 1 of 1 .* is applied already' apply --tree copy --patches five.patch

sed 's/^ line 3$/ line three/' five.patch >fuzz.patch
expect "fuzz" 2 "fuzz.patch: kernel/sched/fair.c: hunk 1 of 1 \(@@ -2,7 .*does not apply: line 3 is 'line 3', not 'line three'" apply --tree tree --patches fuzz.patch
expect "a patch that fails after one that applies" 2 'fuzz.patch: ' apply --tree tree --patches ten.patch fuzz.patch --output half
check "leaves no half-patched tree" [ ! -e half ]
check "and nothing beside it" [ -z "$(find . -maxdepth 1 -name 'schedlab-*')" ]
sed 's/fair\.c/unfair.c/' five.patch >missing.patch
expect "a missing file" 2 'missing.patch: kernel/sched/unfair.c: there is no such file' apply --tree tree --patches missing.patch
sed 's/^+five$/+line 5/' five.patch >nothing.patch
expect "a patch that changes nothing" 2 'nothing.patch: .*changes nothing' apply --tree tree --patches nothing.patch

mkdir series
cp five.patch ten.patch series/
expect "a directory without a series file" 2 "has no series file" apply --tree tree --patches series
printf '# two ideas\n\nfive.patch\nten.patch -p1\n' >series/series
expect "a directory with one" 0 '^2 patches apply' apply --tree tree --patches series
echo gone.patch >>series/series
expect "a series that names a missing patch" 2 "names 'gone.patch', which is not there" apply --tree tree --patches series
expect "no patches" 2 'no patches' apply --tree tree
expect "patches that are not there" 2 "no patches at 'nowhere'" apply --tree tree --patches nowhere
expect "no kernel" 2 'which kernel' apply --patches five.patch
expect "an unknown base" 2 "unknown base '5.4'" apply --base 5.4 --patches five.patch
expect "a directory that is no kernel tree" 2 'is no Linux kernel source' "$SCHEDLAB" kernel build --quiet --tree series
expect "a revision of a tree without git" 2 'is no git tree' apply --tree tree --rev HEAD --patches five.patch

git() { command git -c user.name=n -c user.email=e@localhost -c init.defaultBranch=main "$@"; }
cp -r tree repo
git -C repo init -q
git -C repo add .
git -C repo commit -qm "the kernel"
sed -i 's/^line 5$/five/' repo/kernel/sched/fair.c
git -C repo commit -qam "five"
echo "being edited" >>repo/kernel/sched/fair.c
status() { git -C repo status --porcelain; git -C repo worktree list; sha256sum repo/.git/index repo/.git/HEAD; }
before=$(status)
expect "a commit before the patch" 0 '^1 patch applies to HEAD~1 \(.*the kernel\)' apply --tree repo --rev HEAD~1 --patches five.patch
expect "the commit that has it" 2 'is applied already' apply --tree repo --rev HEAD --patches five.patch
check "a copy of a commit" apply --tree repo --rev HEAD~1 --patches ten.patch --output commit
check "holds the commit and the patch" [ "$(diff -r tree commit | grep '^>')" = '> twenty' ]
expect "an unknown commit" 2 "has no commit 'v9'" apply --tree repo --rev v9 --patches five.patch
check "the repository is as before" [ "$(status)" = "$before" ]
