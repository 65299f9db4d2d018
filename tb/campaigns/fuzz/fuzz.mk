# SPDX-License-Identifier: Apache-2.0
#
# Coverage-guided fuzzing with libFuzzer (docs/fuzzing.md), driven by scripts/fuzz.
#
#   tb/campaigns/fuzz/fuzz_<room>.c        code that reads files, with sanitizers: $(FUZZ)/bin/<room>
#   tb/campaigns/fuzz/lockstep/<net>.yaml  RTL against golden model, one network each:
#                                          $(RTL_ROOT)/<key>-fuzz/lockstep-<net>
#
# Each fuzzer has a corpus, tb/campaigns/fuzz/corpus/<name>.tar.gz, which is unpacked into build/fuzz/corpus/<name>. DUT= works
# as in tb.mk, for lock-steps only.

CLANG   ?= clang
CLANGXX ?= clang++
FUZZ    := $(BUILD)/fuzz
READERS := $(patsubst tb/campaigns/fuzz/fuzz_%.c,%,$(wildcard tb/campaigns/fuzz/fuzz_*.c))

# Fuzzers of code that reads files. QUICK is set for `make test`, which runs few cases.

FUZZ_SANE  = $(CLANG) -std=c17 -D_GNU_SOURCE $(or $(QUICK),-O1) -g $(CALLED) $(PUBLIC) $(PRIVATE) -fno-sanitize-recover=all -MMD -MP
# Only the rooms of the library that they call are built.
FUZZ_CALLS := base blocking engine network referee scenario trace workload
fuzz_rooms  = $(patsubst %.c,$(FUZZ)/objects/$1/%.o,$(filter $(addprefix cmodel/src/,$(addsuffix /%,$2)) papers/%,$(LIB_SRC)))
FUZZ_LIB   := $(call fuzz_rooms,library,$(FUZZ_CALLS))

$(FUZZ)/objects/library/%.o: %.c | $(PARTS)/parts.inc $(SETUP)
	@mkdir -p $(@D)
	@$(OBJCACHE) $(FUZZ_SANE) -fsanitize=fuzzer-no-link,address,undefined -c -o $@ $<

$(FUZZ)/bin/%: tb/campaigns/fuzz/fuzz_%.c $(FUZZ_LIB)
	@mkdir -p $(@D)
	@$(FUZZ_SANE) -fsanitize=fuzzer,address,undefined -o $@ $< $(FUZZ_LIB) $(LIBS)

# Fuzzers of the lock-step.

# The parameter set of each network (tb/campaigns/fuzz/lockstep/<network>.yaml); a program refuses
# any other.
NETWORKS   := mesh3 torus5 cube3 tree16 graph9 prism12
KEY_mesh3   := cube_K3_N2_Topology0_Routing0_NumVcs2_Depth2_FlitW16_Arbiter1
KEY_torus5  := cube_K5_N1_Topology1_Routing1_NumVcs4_Depth3_FlitW28_Arbiter3_FlowControl1
KEY_cube3   := cube_K2_N3_Topology3_Routing2_NumVcs3_Depth3_FlitW20_Arbiter4
KEY_tree16  := fat_tree_K4_N2_Routing5_NumVcs2_Depth3_FlitW16_Arbiter2_FlowControl2_CreditBypass1
KEY_graph9  := graph_K9_N1_NumVcs2_Depth2_FlitW16_Arbiter2_ca53bf09e98d1411
KEY_prism12 := graph_K12_N1_NumVcs2_Depth3_FlitW16_Arbiter1_FlowControl2_0bc0101597918a20

# The RTL of a network of graphs.
define fuzz_graph
$(BUILD)/graph/$(KEY_$1).sv: tb/campaigns/fuzz/lockstep/$1.yaml $(PARAMS)
	@key=`$(PARAMS) --graphs $$(@D) $$< | cut -d' ' -f1`; \
	  if [ "$$$$key" != $(KEY_$1) ]; then echo "tb/campaigns/fuzz/fuzz.mk: KEY_$1 is $(KEY_$1), $$< needs $$$$key"; exit 1; fi
	@touch $$@
endef
$(foreach network,graph9 prism12,$(eval $(call fuzz_graph,$(network))))

# The fuzzer watches only the code that decides: the RTL and the engine of the model.
WATCH       := -fsanitize-coverage=inline-8bit-counters,pc-table
FUZZ_C       = $(OBJCACHE) $(CLANG) -std=c17 -D_GNU_SOURCE $(or $(QUICK),-O2) -g $(CALLED) $(PUBLIC) $(PRIVATE) -Itb/lockstep $(VINCLUDE) -MMD -MP
FUZZ_MODEL  := $(call fuzz_rooms,model,$(FUZZ_CALLS) rtl)
FUZZ_ROOMS  := $(patsubst tb/lockstep/%.c,$(FUZZ)/objects/rooms/%.o,$(wildcard tb/lockstep/compare/*.c tb/lockstep/run/*.c) tb/lockstep/drive/key.c) \
               $(patsubst %.c,$(FUZZ)/objects/rooms/%.o,$(call in_slices,lockstep/*.c))
FUZZ_CASE   := $(patsubst tb/campaigns/fuzz/lockstep/%.c,$(FUZZ)/objects/cases/%.o,$(filter-out %/main.c,$(wildcard tb/campaigns/fuzz/lockstep/*.c)))
FUZZ_DRIVER  = $(wildcard $(shell $(CLANG) -print-resource-dir 2>/dev/null)/lib/linux/libclang_rt.fuzzer_no_main-$(shell uname -m).a)

$(FUZZ)/objects/model/%.o: %.c | $(PARTS)/parts.inc $(SETUP)
	@mkdir -p $(@D)
	@$(FUZZ_C) $(if $(filter cmodel/src/engine/%,$*),$(WATCH)) -c -o $@ $<

$(FUZZ)/objects/rooms/papers/%.o: papers/%.c | $(SETUP)
	@mkdir -p $(@D)
	@$(FUZZ_C) -c -o $@ $<

$(FUZZ)/objects/rooms/%.o: tb/lockstep/%.c | $(PARTS)/parts.inc $(SETUP)
	@mkdir -p $(@D)
	@$(FUZZ_C) -c -o $@ $<

$(FUZZ)/objects/cases/%.o: tb/campaigns/fuzz/lockstep/%.c | $(SETUP)
	@mkdir -p $(@D)
	@$(FUZZ_C) $(WARNINGS) -c -o $@ $<

FUZZ_OBJECTS := $(READERS:%=$(FUZZ)/bin/%) $(FUZZ)/objects/lockstep.a

$(FUZZ)/objects/lockstep.a: $(FUZZ_MODEL) $(FUZZ_ROOMS) $(FUZZ_CASE)
	@rm -f $@ && $(AR) qcs $@ $^

# k3_…-fuzz is verilated as every network, but compiled by clang.
$(RTL_ROOT)/%-fuzz/network.a: VOPT := -O2
$(RTL_ROOT)/%-fuzz/network.a: $(RTL_ROOT)/%-fuzz/verilated.ok $(RTL_CODE) | $(SETUP_REGRESS)
	$(call compile_network,$(OBJCACHE) $(CLANGXX) -std=c++17 $(WATCH) -DVM_COVERAGE=0 -DVM_SC=0 $(trace_defines) $(key_defines),run/rtl.cpp)

define fuzz_network
$(RTL_ROOT)/$(KEY_$1)-fuzz/lockstep-$1: $(RTL_ROOT)/$(KEY_$1)-fuzz/network.a $(FUZZ)/objects/lockstep.a $(RUNTIME) \
    tb/campaigns/fuzz/lockstep/main.c
	@$(FUZZ_C) $(WARNINGS) -DANL_SCENARIO='"tb/campaigns/fuzz/lockstep/$1.yaml"' -c -o $$@-main.o tb/campaigns/fuzz/lockstep/main.c
	@$(CLANGXX) -o $$@ $$@-main.o $(FUZZ)/objects/lockstep.a $$(@D)/network.a $(FUZZ)/objects/lockstep.a $(RUNTIME) $$(FUZZ_DRIVER) \
	  $(LIBS) -lpthread -latomic
endef
$(foreach network,$(NETWORKS),$(eval $(call fuzz_network,$(network))))

# Prints for scripts/run fuzz the name of each fuzzer and its program.
fuzz-programs: # DUT=
	@$(foreach reader,$(READERS),echo "$(reader) $(FUZZ)/bin/$(reader)";) \
	 $(foreach network,$(NETWORKS),echo "lockstep-$(network) $(RTL_ROOT)/$(KEY_$(network))-fuzz/lockstep-$(network)";)

FUZZ_SECONDS ?= 600
FUZZ_SEEDS   ?= 3
fuzz_common   = --build $(BUILD) --jobs $(JOBS)
fuzz_only     = $(if $(ONLY),--only $(ONLY))
fuzz_dut      = $(if $(DUT),--dut $(call quoted,$(DUT)))

fuzz: $(SETUP) ## search for mismatches and crashes, FUZZ_SECONDS=600 or FUZZ_CASES= each; ONLY="lockstep-mesh3 trace …" DUT=
	@$(PYTHON) scripts/run fuzz search $(fuzz_common) $(fuzz_only) $(fuzz_dut) --seconds $(FUZZ_SECONDS) $(if $(FUZZ_CASES),--cases $(FUZZ_CASES))

fuzz-keep: $(SETUP) ## the best of what make fuzz has found into tb/campaigns/fuzz/corpus; ONLY=
	@$(PYTHON) scripts/run fuzz keep $(fuzz_common) $(fuzz_only)

fuzz-planted: $(SETUP) ## rare bugs, one at a time: two of three seeds must find each; FUZZ_SEEDS=3 ONLY="one_short …"
	@$(PYTHON) scripts/run fuzz planted $(fuzz_common) $(fuzz_only) --seeds $(FUZZ_SEEDS)

shrink: $(SETUP) ## make a case that fails small, and a scenario: CASE=, DUT= as it was found with
	@$(PYTHON) scripts/run fuzz shrink $(or $(CASE),$(error CASE= is missing: the file that make fuzz has named)) $(fuzz_common) $(fuzz_dut)

test-fuzz: $(SETUP)
	@$(PYTHON) tb/unit/scripts/test_fuzz.py $(BUILD) $(JUNIT)/fuzz-planted.xml
	@$(PYTHON) scripts/run fuzz test $(fuzz_common) --junit $(JUNIT)

.PRECIOUS: $(FUZZ)/objects/library/%.o
.PHONY: fuzz fuzz-programs fuzz-keep fuzz-planted shrink test-fuzz

-include $(FUZZ_LIB:.o=.d) $(FUZZ_MODEL:.o=.d) $(FUZZ_ROOMS:.o=.d) $(FUZZ_CASE:.o=.d)
