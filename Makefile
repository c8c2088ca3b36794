# SPDX-License-Identifier: GPL-2.0-or-later
# schedlab. `make help` tells the targets; O=DIR builds elsewhere, V=1 shows the commands.

O ?= build
PREFIX ?= /usr/local
VERSION := 0.1.0
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),@:,@printf '  %-8s %s\n' '$(1)' '$(patsubst $(O)/%,%,$(2))')

CXX ?= g++
CLANG ?= clang
BPFTOOL ?= bpftool
CXXFLAGS ?= -O2 -g
SCHEDLAB_CXXFLAGS := -std=c++20 -Wall -Wextra -Itools -DFMT_HEADER_ONLY -DSCHEDLAB_VERSION='"$(VERSION)"' -MMD -MP

# Sources, by the layer they stand in (docs/architecture.md).
guest-dirs := core sys loads probes measure guest
host-dirs := core sys loads probes measure kernel boot store lab report cmd
sources-in = $(sort $(foreach d,$(1),$(wildcard tools/$(d)/*.cpp)))
host-sources := tools/main.cpp $(call sources-in,$(host-dirs))
guest-sources := $(filter-out tools/sys/hash.cpp,$(call sources-in,$(guest-dirs)))
unit-sources := $(sort $(wildcard selftests/unit/*.cpp))
bpf-sources := $(sort $(wildcard tools/bpf/*.bpf.c))

skeletons := $(patsubst tools/bpf/%.bpf.c,$(O)/bpf/%.skel.h,$(bpf-sources))

all: $(O)/schedlab guest
guest: $(O)/guest/arm64/schedlab-guest $(O)/guest/x86_64/schedlab-guest
skeletons: $(skeletons)

# --- BPF: object → skeleton --------------------------------------------------------------------
bpf-target-arch = $(if $(filter aarch64 arm64,$(shell uname -m)),arm64,x86)
$(O)/bpf/%.bpf.o: tools/bpf/%.bpf.c
	$(call say,BPF,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) -g -O2 -target bpf -mcpu=v3 -Wall -Werror -Itools -I/usr/include/$(shell uname -m)-linux-gnu -MMD -MP -c $< -o $@
$(O)/bpf/%.skel.h: $(O)/bpf/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $(subst -,_,$*)_bpf > $@

# --- Host --------------------------------------------------------------------------------------
host-objects := $(patsubst %.cpp,$(O)/host/%.o,$(host-sources))
host-libs := -lbpf -lelf -lz -lfdt -larchive -lsqlite3 -lcrypto -lpthread
$(O)/host/%.o: %.cpp | $(skeletons)
	$(call say,CXX,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) $(SCHEDLAB_CXXFLAGS) $(CXXFLAGS) -I$(O) -c $< -o $@
$(O)/schedlab: $(host-objects)
	$(call say,LINK,$@)
	$(Q)$(CXX) $(LDFLAGS) $^ $(host-libs) -o $@

# --- Guest: one static program per architecture --------------------------------------------------
cxx-arm64 := aarch64-linux-gnu-g++
cxx-x86_64 := x86_64-linux-gnu-g++
sysroot-arm64 = $(O)/sysroot/arm64
guest-libs := -lbpf -lelf -lz -lpthread
define guest-rules
$(O)/guest/$(1)/obj/%.o: %.cpp | $(skeletons) $(2)
	$$(call say,CXX,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(cxx-$(1)) $(SCHEDLAB_CXXFLAGS) $(CXXFLAGS) -I$(O) $(3) -c $$< -o $$@
$(O)/guest/$(1)/schedlab-guest: $(patsubst %.cpp,$(O)/guest/$(1)/obj/%.o,$(guest-sources))
	$$(call say,LINK,$$@)
	$(Q)$(cxx-$(1)) -static $$^ $(4) $(guest-libs) -o $$@
endef
$(eval $(call guest-rules,x86_64,,,))
$(eval $(call guest-rules,arm64,$(O)/sysroot/arm64.stamp,-I$(O)/sysroot/arm64/usr/include,-L$(O)/sysroot/arm64/usr/lib/aarch64-linux-gnu))
$(O)/sysroot/arm64.stamp: tools/setup/sysroot
	$(call say,SYSROOT,$@)
	$(Q)mkdir -p $(@D)
	$(Q)tools/setup/sysroot arm64 $(O)/sysroot/arm64 && touch $@

# --- Tests -------------------------------------------------------------------------------------
unit-objects := $(patsubst %.cpp,$(O)/host/%.o,$(unit-sources))
$(O)/unit-tests: $(unit-objects) $(filter-out $(O)/host/tools/main.o,$(host-objects))
	$(call say,LINK,$@)
	$(Q)$(CXX) $^ $(host-libs) -lCatch2Main -lCatch2 -o $@
unit: $(O)/unit-tests
	$(Q)$(O)/unit-tests

clean:
	$(Q)rm -rf $(O)/host $(O)/guest $(O)/bpf $(O)/schedlab $(O)/unit-tests
.PHONY: all guest skeletons unit clean
-include $(shell find $(O) -name '*.d' 2>/dev/null)
