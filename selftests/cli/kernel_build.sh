#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The cache of kernels, with a stand-in for a kernel's makefile that compiles one file: what is built, what is found,
# and what is left by two builds at once, an interrupt, a kill, an error and damage.
. ./tap.sh
plan 40

export XDG_CACHE_HOME=$TMPDIR/cache STAND_IN=$TMPDIR/stand-in
mkdir "$STAND_IN"
cd "$TMPDIR" || exit
mkdir -p tree/kernel/sched
echo 'int fair = 1;' >tree/kernel/sched/fair.c
cat >tree/Makefile <<'END'
VERSION = 6
PATCHLEVEL = 12
SUBLEVEL = 7
EXTRAVERSION =
tinyconfig:
	echo '# tiny' >$(O)/.config
olddefconfig: # loses one option
	grep -vx CONFIG_LOST=y $(O)/.config >$(O)/.config.new
	mv $(O)/.config.new $(O)/.config
$(O)/fair.o: kernel/sched/fair.c
	@echo '  CC      fair.o'
	echo compiled >>$(STAND_IN)/log
	until [ ! -e $(STAND_IN)/wait ]; do sleep 0.05; done
	$(CC) -c $< -o $@
Image: $(O)/fair.o
	mkdir -p $(O)/arch/arm64/boot
	cp $< $(O)/arch/arm64/boot/Image
END
build() { "$SCHEDLAB" kernel build --arch arm64 "$@"; }
compiled() { grep -c . "$STAND_IN/log" 2>/dev/null; }
has_symbol() { nm "$(build --tree tree "${@:2}" 2>/dev/null)" | grep -q "$1"; }
edit() { # edit NAME FROM TO: NAME.patch makes that edit
    sed "s/$2/$3/" tree/kernel/sched/fair.c | diff -u --label a/kernel/sched/fair.c --label b/kernel/sched/fair.c tree/kernel/sched/fair.c - >"$1.patch"
}
# Nothing that a build starts is left. Their command lines name the cache.
quiet() { for _ in {1..100}; do pgrep -f "make.*$XDG_CACHE_HOME" >/dev/null || return 0; sleep 0.1; done; return 1; }
begun() { wait_for sh -c "[ \$(grep -c . '$STAND_IN/log') -gt $before ]"; } # a compilation since `before`
wait_for() { for _ in {1..300}; do "$@" && return; sleep 0.1; done; return 1; }

expect "a build prints the image's path" 0 '/images/[0-9a-f]{64}/Image$' build --tree tree
check "the image is there, with its configuration, log and manifest" \
    ls "$XDG_CACHE_HOME"/schedlab/images/*/{Image,config,build.log,manifest.json}
check "it has the options asked for" grep -qx CONFIG_SCHED_CLUSTER=y "$XDG_CACHE_HOME"/schedlab/images/*/config
expect "the tree is as before" 0 '^kernel/sched/fair.c$' sh -c 'cd tree && find . -type f | sed s,./,, | sort'
check "a second time" build --tree tree
check "nothing is compiled" [ "$(compiled)" = 1 ]
expect "JSON tells what it is" 0 '"release": "6.12.7"' build --tree tree --json

echo 'CONFIG_MINE=y' >mine.config
expect "config prints the options, for the tree's version and the architecture" 0 '^CONFIG_PREEMPT_VOLUNTARY=y$' \
    "$SCHEDLAB" kernel config --tree tree --arch arm64
expect "a fragment of one's own among them" 0 '^CONFIG_MINE=y$' \
    "$SCHEDLAB" kernel config --tree tree --arch arm64 --config mine.config

edit two '1;' '2, two;'
check "with a patch it is another image" has_symbol two --patches two.patch
check "that is compiled" [ "$(compiled)" = 2 ]
check "without the patch it is the first one" [ "$(build --tree tree 2>/dev/null)" != "$(build --tree tree --patches two.patch 2>/dev/null)" ]
check "other options make another image" [ "$(build --tree tree --config mine.config 2>/dev/null)" != "$(build --tree tree 2>/dev/null)" ]
check "from the objects at hand, source restored" has_symbol fair --config mine.config
echo 'int fair = 3, three;' >tree/kernel/sched/fair.c
check "an edit is seen" has_symbol three

edit error 'int fair' 'int fair = none'
expect "an error is the compiler's first" 1 'building 6.12.7.* failed: .*kernel/sched/fair.c:1:12: error: .*none' build --tree tree --patches error.patch
expect "with the log's path" 1 'the whole log is .*build.log' build --tree tree --patches error.patch
check "after it, the next build is right" has_symbol three
echo 'CONFIG_LOST=y' >lost.config
expect "an option that did not survive" 2 '1 option did not survive' build --tree tree --config lost.config
expect "is named, each time" 2 '^  CONFIG_LOST=y' build --tree tree --config lost.config
edit four three four

# Two at once: the second waits, and finds what the first has built.
before=$(compiled)
touch "$STAND_IN/wait"
"$SCHEDLAB" kernel build --arch arm64 --tree tree --patches four.patch >first 2>first.err &
first=$!
begun
"$SCHEDLAB" kernel build --arch arm64 --tree tree --patches four.patch >second 2>second.err &
second=$!
check "the second of two builds says that it waits" wait_for grep -q 'waiting for another build' second.err
rm "$STAND_IN/wait"
wait $first
check "the first ends well" [ $? = 0 ]
wait $second
check "the second ends well" [ $? = 0 ]
check "with one image" cmp first second
check "compiled once" [ "$(compiled)" = $((before + 1)) ]

# An interrupt.
edit five three five
touch "$STAND_IN/wait"
before=$(compiled)
"$SCHEDLAB" kernel build --arch arm64 --tree tree --patches five.patch >/dev/null 2>&1 &
running=$!
begun
kill -TERM $running
wait $running
check "an interrupted build exits with 130" [ $? = 130 ]
check "and leaves no process" quiet

# A kill: what it started may live on; the next build waits for that, and trusts none of its objects.
before=$(compiled)
"$SCHEDLAB" kernel build --arch arm64 --tree tree --patches five.patch >/dev/null 2>&1 &
running=$!
begun
kill -KILL $running
wait $running 2>/dev/null
rm "$STAND_IN/wait"
for out in "$XDG_CACHE_HOME"/schedlab/work/tree-*-arm64/out; do echo damaged >"$out/fair.o"; done
check "a build after a killed one is right" has_symbol five --patches five.patch
check "and nothing is left of it" quiet
check "no half image is in the cache" [ -z "$(find "$XDG_CACHE_HOME"/schedlab/images -mindepth 1 -maxdepth 1 ! -exec test -f {}/manifest.json \; -print)" ]

# Damage.
image=$(build --tree tree 2>/dev/null)
echo damaged >"$image"
check "a damaged image is built again" has_symbol three

git() { command git -c user.name=n -c user.email=e@localhost -c init.defaultBranch=main "$@"; }
cp -r tree repo
git -C repo init -q
git -C repo add .
git -C repo commit -qm one
sed -i 's/three/six/' repo/kernel/sched/fair.c
git -C repo commit -qam two
status() { git -C repo status --porcelain; git -C repo worktree list; sha256sum repo/.git/index repo/.git/HEAD; find repo -type f | sort; }
before=$(status)
of_commit() { nm "$(build --tree repo --rev "$1" 2>/dev/null)" | grep -q "$2"; }
check "a commit" of_commit HEAD six
check "and the one before it" of_commit HEAD~1 three
check "the repository is as before" [ "$(status)" = "$before" ]
before=$(compiled)
check "both are found again" of_commit HEAD six
check "without a compilation" [ "$(compiled)" = "$before" ]

expect "list names the images" 0 '^image .* 6\.12\.7, .*, arm64' "$SCHEDLAB" kernel list
expect "prune keeps what was used lately" 0 '^0.0 MB freed' "$SCHEDLAB" kernel prune
check "prune keeps as many images as it is told" sh -c "'$SCHEDLAB' kernel prune --keep 1 >/dev/null && [ \$(ls '$XDG_CACHE_HOME'/schedlab/images | wc -l) = 1 ]"
check "prune can remove all" sh -c "'$SCHEDLAB' kernel prune --all >/dev/null && '$SCHEDLAB' kernel list | grep -q 'cache is empty'"
