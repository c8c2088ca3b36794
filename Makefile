# SPDX-License-Identifier: GPL-2.0-or-later
# schedlab. `make help` tells the targets; O=DIR builds elsewhere, V=1 shows the commands.

O ?= build
# One name for it, however it was given: dependencies are known by names.
override O := $(patsubst $(CURDIR)/%,%,$(abspath $(O)))
PREFIX ?= /usr/local
VERSION := 0.1.0
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory
# bpftool stands where ordinary users do not look.
export PATH := $(PATH):/usr/sbin

Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),@:,@printf '  %-8s %s\n' '$(1)' '$(patsubst $(O)/%,%,$(2))')
# One job per CPU for the targets that do everything, unless -j was given.
jobs = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(shell nproc))

CXX ?= g++
CLANG ?= clang
BPFTOOL ?= bpftool
CXXFLAGS ?= -O1
SCHEDLAB_CXXFLAGS := -std=c++20 -Wall -Wextra -Wno-missing-field-initializers -Itools -DFMT_HEADER_ONLY \
	-DSCHEDLAB_VERSION='"$(VERSION)"' -MMD -MP

include tools/sources.mk
host-sources := $(shared-sources) $(host-only-sources)
guest-sources := $(shared-sources) $(guest-only-sources)
unlisted := $(filter-out $(host-sources) $(guest-sources) $(bpf-sources) $(unit-sources), \
	$(wildcard tools/*.cpp tools/*/*.cpp tools/bpf/*.bpf.c selftests/unit/*.cpp)) \
	$(filter-out $(addprefix selftests/guest/,harness/ $(guest-tests:%=%/)),$(wildcard selftests/guest/*/))
skeletons := $(patsubst tools/bpf/%.bpf.c,$(O)/bpf/%.skel.h,$(bpf-sources))

## Build
all: $(O)/schedlab guest ## schedlab and its guests (the default)
guest: guest-arm64 guest-x86_64 ## the static guest programs and guest tests, for both architectures
skeletons: $(skeletons)

# What was built with other flags is built again.
flags = $(CXX) $(CLANG) $(SCHEDLAB_CXXFLAGS) $(CXXFLAGS)
$(O)/flags: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' '$(subst ','\'',$(flags))' | cmp -s - $@ || printf '%s\n' '$(subst ','\'',$(flags))' > $@

# A build directory that was moved with its checkout notices.
$(O)/source_dir.h: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)echo '#define SCHEDLAB_SOURCE_DIR "$(CURDIR)"' | cmp -s - $@ || echo '#define SCHEDLAB_SOURCE_DIR "$(CURDIR)"' > $@

# --- BPF: object → skeleton ---------------------------------------------------------------------
# Nothing of the checkout's path gets into an object: guest programs of two checkouts are the same bytes.
multiarch := $(shell uname -m)-linux-gnu
compile-bpf = $(CLANG) -g -O2 -fdebug-compilation-dir=. -target bpf -mcpu=v3 -Wall -Werror -Itools -I/usr/include/$(multiarch)
$(O)/bpf/flags: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)echo '$(compile-bpf)' | cmp -s - $@ || echo '$(compile-bpf)' > $@
$(O)/bpf/%.bpf.o: tools/bpf/%.bpf.c $(O)/bpf/flags
	$(call say,BPF,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(compile-bpf) -MMD -MP -c $< -o $@
$(O)/bpf/%.skel.h: $(O)/bpf/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $(subst -,_,$*)_bpf > $@

# --- Host -----------------------------------------------------------------------------------------
host-objects := $(patsubst %.cpp,$(O)/host/%.o,$(host-sources))
host-libs := -lhwloc -lbpf -lelf -lz -luring -lfdt -larchive -lsqlite3 -lcrypto -lpthread
compile-host = $(CXX) $(SCHEDLAB_CXXFLAGS) $(CXXFLAGS) -I$(O)
$(O)/host/prelude.h.gch: tools/prelude.h $(O)/flags
	$(call say,CXX,$@)
	$(Q)mkdir -p $(@D)
	$(Q)cp $< $(@D)/prelude.h
	$(Q)$(compile-host) -x c++-header $< -o $@
$(O)/host/%.o: %.cpp $(O)/host/prelude.h.gch | $(skeletons) $(O)/source_dir.h
	$(call say,CXX,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(compile-host) -include $(O)/host/prelude.h -c $< -o $@
$(O)/schedlab: $(host-objects)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDFLAGS) $^ $(host-libs) -o $@

# --- Guest: static programs for each architecture -------------------------------------------------
native := $(if $(filter aarch64 arm64,$(shell uname -m)),arm64,x86_64)
foreign := $(filter-out $(native),arm64 x86_64)
triplet-arm64 := aarch64-linux-gnu
triplet-x86_64 := x86_64-linux-gnu

# $(1) = architecture, $(2) = its objects' directory, $(3) = where its libraries are, if not in this machine's /usr.
define guest-rules
$(O)/guest/$(1)/schedlab-guest: $(patsubst %.cpp,$(2)/%.o,$(guest-sources))
	$$(call say,LINK,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)libs=$(3)/usr/lib/$(triplet-$(1)); \
	$(triplet-$(1))-g++ -static $$^ -L$$$$libs -lbpf -lelf -luring -lz $$$$(test ! -e $$$$libs/libzstd.a || echo -lzstd) -o $$@
guest-$(1): $(O)/guest/$(1)/schedlab-guest $(patsubst %,$(O)/guest/$(1)/selftests/%,$(guest-tests))
endef
# This machine's guest is linked from the host's objects.
$(eval $(call guest-rules,$(native),$(O)/host))
$(eval $(call guest-rules,$(foreign),$(O)/guest/$(foreign)/obj,$(O)/sysroot/$(foreign)))
foreign-dir := $(O)/guest/$(foreign)
compile-foreign = $(triplet-$(foreign))-g++ $(SCHEDLAB_CXXFLAGS) $(CXXFLAGS) -I$(O) -isystem $(O)/sysroot/$(foreign)/usr/include
$(foreign-dir)/prelude.h.gch: tools/prelude.h $(O)/flags $(O)/sysroot/$(foreign).stamp
	$(call say,CXX,$@)
	$(Q)mkdir -p $(@D)
	$(Q)cp $< $(@D)/prelude.h
	$(Q)$(compile-foreign) -x c++-header $< -o $@
$(foreign-dir)/obj/%.o: %.cpp $(foreign-dir)/prelude.h.gch | $(skeletons)
	$(call say,CXX,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(compile-foreign) -include $(foreign-dir)/prelude.h -c $< -o $@

# $(1) = architecture, $(2) = a directory of selftests/guest: one program, with the harness.
define guest-test-rule
$(O)/guest/$(1)/selftests/$(2): $(wildcard selftests/guest/$(2)/*.[ch] selftests/guest/harness/*.[ch]) $(O)/flags
	$$(call say,CC,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(triplet-$(1))-gcc -std=gnu11 -static -O2 -Wall -Wextra $$(filter %.c,$$^) -o $$@ -lpthread
endef
$(foreach a,arm64 x86_64,$(foreach t,$(guest-tests),$(eval $(call guest-test-rule,$(a),$(t)))))
$(O)/sysroot/%.stamp: tools/setup/sysroot tools/setup/apt-isolated
	$(call say,SYSROOT,$@)
	$(Q)mkdir -p $(@D)
	$(Q)tools/setup/sysroot $* $(O)/sysroot/$* && touch $@

# --- Set-up and demo ------------------------------------------------------------------------------
setup: ## install what is missing on this machine (Debian 12 and 13)
	$(Q)tools/setup/setup
demo: setup ## set up, build, and compare ASYM_PREV off and on, on an emulated hikey960
	$(Q)$(MAKE) $(jobs) $(O)/schedlab guest-arm64
	$(Q)$(O)/schedlab ab --machine hikey960 --base 6.12 --feature ASYM_PREV --load pipe --loops 3000 --seeds 5

# --- Tests ----------------------------------------------------------------------------------------
unit-objects := $(patsubst %.cpp,$(O)/host/%.o,$(unit-sources))
$(O)/unit-tests: $(unit-objects) $(filter-out $(O)/host/tools/main.o,$(host-objects))
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDFLAGS) $^ $(host-libs) -lCatch2Main -lCatch2 -o $@

$(O)/fuzz-parsers: $(patsubst %.cpp,$(O)/host/%.o,$(fuzz-sources))
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDFLAGS) $^ $(host-libs) -o $@

$(O)/bench-statistics: $(patsubst %.cpp,$(O)/host/%.o,$(bench-sources)) $(filter-out $(O)/host/tools/main.o,$(host-objects))
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDFLAGS) $^ $(host-libs) -o $@

## Test
check: setup ## set up, build, and run all tests
	$(if $(strip $(unlisted)),$(error tools/sources.mk does not name $(strip $(unlisted))))
	$(Q)$(MAKE) $(jobs) all $(O)/unit-tests
	$(Q)selftests/run $(O)
check-all: check ## the same, and what is long or needs the kernels 6.1 and 7.3
	$(Q)selftests/run $(O) 'all/*'
unit: $(O)/unit-tests ## the unit tests alone
	$(Q)$(O)/unit-tests
sanitized: san = -fsanitize=address,undefined -fno-sanitize-recover=undefined
sanitized: ## the unit tests again, under the address and undefined-behaviour sanitizers
	$(Q)$(MAKE) O=$(O)/sanitized CXXFLAGS='-O1 -g $(san)' LDFLAGS='$(san)' unit
fuzz: FUZZ_SECONDS ?= 60
fuzz: setup ## every parser under libFuzzer and the sanitizers; FUZZ_SECONDS= for each, FUZZ_PARSER= a pattern
	$(Q)$(MAKE) $(jobs) O=$(O)/fuzz CXX=clang++ CXXFLAGS='-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined' \
		LDFLAGS='-fsanitize=fuzzer,address,undefined' $(O)/fuzz/fuzz-parsers
	$(Q)selftests/fuzz/run $(O)/fuzz $(FUZZ_SECONDS) '$(or $(FUZZ_PARSER),*)'
patches-check: setup ## every prefix of every series applies, and compiles kernel/sched/ for both architectures
	$(Q)$(MAKE) $(jobs) all
	$(Q)SCHEDLAB=$(abspath $(O))/schedlab selftests/patches-check
predict: setup ## published gains, predicted in modelled time (hours); MACHINE=, SEEDS=, VARY= for less
	$(Q)tools/setup/setup emulator
	$(Q)$(MAKE) $(jobs) all
	$(Q)for arch in arm64 x86_64; do $(O)/schedlab emulator build --arch $$arch >/dev/null || exit; done
	$(Q)SCHEDLAB=$(abspath $(O))/schedlab tools/predict/predict $(MACHINE)
	$(Q)tools/predict/report
results: setup ## docs/results.md anew: what each feature does, on each machine and base (hours); CELLS=PATTERN for some, printed
	$(Q)$(MAKE) $(jobs) all
	$(Q)SCHEDLAB=$(abspath $(O))/schedlab tools/results/document '$(CELLS)'
seeds: setup ## the measurements that the four ideas were first proposed with, beside what was published; CELLS=PATTERN
	$(Q)$(MAKE) $(jobs) all
	$(Q)SCHEDLAB=$(abspath $(O))/schedlab tools/results/results tools/results/originals '$(CELLS)'
bench: setup ## what schedlab itself costs on this machine, against perf (root)
	$(Q)tools/setup/setup bench
	$(Q)$(MAKE) $(jobs) all $(O)/bench-statistics
	$(Q)$(O)/bench-statistics
	$(Q)for b in $(filter-out %.cpp,$(wildcard selftests/bench/*)); do SCHEDLAB=$(abspath $(O))/schedlab "$$b" || exit; done

# --- Installation ---------------------------------------------------------------------------------
# TARGET=SOURCE of each installed file; a source's mode is kept. Under share/schedlab the tree is this one.
installed := bin/schedlab=$(O)/schedlab \
	$(foreach a,arm64 x86_64,$(foreach p,schedlab-guest $(addprefix selftests/,$(guest-tests)), \
		lib/schedlab/guest/$(a)/$(p)=$(O)/guest/$(a)/$(p))) \
	$(foreach f,Kconfig.fragment $(shell find patches -type f) $(wildcard tools/machines/*.conf tools/frames/*.conf tools/stress/*) \
		tools/setup/apt-isolated tools/setup/setup $(wildcard tools/setup/packages.*), \
		share/schedlab/$(f)=$(f)) \
	share/man/man1/schedlab.1=man/schedlab.1 \
	share/bash-completion/completions/schedlab=tools/completion/schedlab.bash \
	share/fish/vendor_completions.d/schedlab.fish=tools/completion/schedlab.fish \
	share/zsh/vendor-completions/_schedlab=tools/completion/_schedlab
at := $(DESTDIR)$(PREFIX)

## Install
install: all ## into $(DESTDIR)$(PREFIX), /usr/local if not given
	$(Q)for f in $(installed); do \
		install -D -m $$(test -x "$${f#*=}" && echo 755 || echo 644) "$${f#*=}" "$(at)/$${f%%=*}" || exit; done
uninstall: ## remove exactly what install put there
	$(Q)for f in $(installed); do rm -f "$(at)/$${f%%=*}" || exit; done
	$(Q)for d in lib share; do test ! -d "$(at)/$$d/schedlab" || find "$(at)/$$d/schedlab" -type d -empty -delete; done
clean: ## remove what was built (O=); kernels and sources stay in the cache: see 'schedlab kernel prune'
	$(Q)rm -rf $(addprefix $(O)/,bench-statistics bpf flags fuzz guest host sanitized schedlab selftests sysroot unit-tests)
help: ## this list
	@awk -F ':.*## ' '/^## / { print (n++ ? "\n" : "") substr($$0, 4) ":" } \
		/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile
	@printf '\n%s\n' 'Variables: O=DIR (build), V=1, PREFIX, DESTDIR, CXX, CXXFLAGS, CLANG, BPFTOOL.'

FORCE:
.PHONY: FORCE all guest guest-arm64 guest-x86_64 skeletons setup demo check check-all unit sanitized fuzz patches-check predict \
	results seeds bench install uninstall clean help
-include $(shell find $(O)/bpf $(O)/host $(O)/guest -name '*.d' -not -path '*/guest/*/selftests/*' 2>/dev/null)
