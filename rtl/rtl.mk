# SPDX-License-Identifier: Apache-2.0
#
# The RTL: three front ends and generic synthesis at corners of the parameters (tb/corners.toml), benches of its modules,
# networks in four states, and proofs.

# Tools that allocate much: with the allocator tcmalloc Verilator takes two thirds of its time, Icarus three quarters, Yosys
# four fifths, and clang++ and vvp six sevenths. Scripts get the tools by these names (scripts/annelid/children.py).
TCMALLOC  := $(firstword $(wildcard /usr/lib/*/libtcmalloc_minimal.so.4 /usr/lib64/libtcmalloc_minimal.so.4 /usr/lib/libtcmalloc_minimal.so.4))
ALLOCATE  := $(TCMALLOC:%=env LD_PRELOAD=% )
VERILATOR ?= $(ALLOCATE)verilator
IVERILOG  ?= $(ALLOCATE)iverilog
VVP       ?= $(ALLOCATE)vvp
YOSYS     ?= $(ALLOCATE)yosys
export VERILATOR IVERILOG VVP YOSYS
# Verilator 5.006 makes wrong code with look-up tables, and wrong code from Yosys netlists with
# trees of bit operations; these flags turn both off.
VCODE      = -O3 -fno-table $(VSCOPED) --x-assign unique --x-initial unique
VNETLIST  := -fno-const-bit-op-tree
# A make that another one has started is told.
ifeq ($(and $(filter-out 0,$(MAKELEVEL)),$(VROOT)),)
VROOT     := $(shell $(VERILATOR) --getenv VERILATOR_ROOT 2>/dev/null)
# From 5.038 on Verilator rewrites the equations of each switch on its own, so that no two share code: six times as much of it.
VSCOPED   := $(shell awk '/ VERILATOR_VERSION_INTEGER / && $$3 >= 5038000 { print "-fno-dfg-scoped" }' "$(VROOT)/include/verilated_config.h" 2>/dev/null)
endif
export VROOT VSCOPED
VINCLUDE  := -isystem $(VROOT)/include -isystem $(VROOT)/include/vltstd
# What every verilated program contains (tb/tb.mk).
RUNTIME   := $(addprefix $(BUILD)/lockstep/,verilated.o verilated_threads.o verilated_dpi.o)

RTL_ALL   := $(RTL_LISTS) $(RTL_SRC) rtl/include/anl_assert.svh

# Icarus has no -F. A list with whole paths serves -f, in any folder. A name in such a list ends at a blank, also in quotes.
file-list: ## write build/annelid.f: the files of the RTL with their whole paths, for -f of any simulator in any folder
	@[[ "$$PWD" != *' '* ]] || { echo "file-list: the name \"$$PWD\" has a blank, which ends a name in a list for -f; -F rtl/annelid.f has no whole paths"; exit 1; }
	@mkdir -p $(BUILD)
	@$(call whole_paths,$(abspath .)) > $(BUILD)/annelid.f

# Prints the lists as one, with whole paths, for a folder that has rtl/ and papers/.
whole_paths = { $(foreach list,$(RTL_LISTS),sed -e 's|^+incdir+|&$1/$(dir $(list))|' -e '/^[+\#]/!s|^|$1/$(dir $(list))|' $(list);) }

lint: $(SETUP) ## RTL through Verilator, Icarus and Yosys at corners of the parameters; Python through pyflakes; ONLY="anl_cube …"
	@$(PYTHON) scripts/run lint --build $(BUILD) --jobs $(JOBS) $(only)

synth-check: $(SETUP) ## generic synthesis at the same corners: no latch, no loop, one driver for every wire; ONLY="anl_cube …"
	@$(PYTHON) scripts/run lint --synthesis --build $(BUILD) --jobs $(JOBS) $(only)

test-lint: $(SETUP)
	@$(PYTHON) scripts/run lint --short --build $(BUILD) --jobs $(JOBS) --junit $(JUNIT)

test-synth: $(SETUP)
	@$(PYTHON) scripts/run lint --synthesis --short --build $(BUILD) --jobs $(JOBS) --junit $(JUNIT)

.PHONY: lint synth-check test-lint test-synth file-list

# Benches of single modules, at the corners of [bench] in tb/corners.toml: tb/rtl/tb_<module>.sv, or what scripts/annelid/benches.py
# makes of the module, and test_<module>.c. Verilator translates all benches of a room together, and each test drives the bench of
# its own module. A module of a folder is in its room if it has a test; those of whole ports and switches take long to compile.
# A slice is a room.
BENCH_ROOMS  := common parts route switch net adapter crossing axi board checker $(SLICES:%=papers_%)
tested_in     = $(patsubst $1/test_%.c,%,$(wildcard $1/test_anl_*.c))
BENCH_FILES  := $(call tested_in,tb/rtl)
benches_of    = $(filter $(BENCH_FILES),$(basename $(notdir $(wildcard $(1:%=rtl/%/*.sv)))))
BENCH_common := $(call benches_of,common)
BENCH_switch := anl_input anl_output anl_wide_input anl_wide_ports $(filter %_switch,$(call benches_of,switch))
BENCH_parts  := $(filter-out $(BENCH_switch),$(call benches_of,switch))
BENCH_net    := $(call benches_of,net terminal)
BENCH_adapter := $(call benches_of,adapter)
BENCH_crossing := $(call benches_of,crossing)
# Changes that come close to an edge are seen before it or behind it, at random (docs/clocks.md).
BENCH_DEFINE_crossing := -DANL_RANDOM_SETTLE
BENCH_axi    := $(call benches_of,axi)
BENCH_board  := $(call benches_of,board)
BENCH_route  := $(call benches_of,route)
BENCH_checker := $(call benches_of,checker)
# The checkers are held beside the referee.
BENCH_LIB_checker := $(LIB)
$(foreach slice,$(SLICES),$(eval BENCH_papers_$(slice) := $(call tested_in,papers/$(slice)/bench)))

RTL_TESTS    := $(BUILD)/rtl-test
BENCH_DRIVERS := $(foreach r,$(BENCH_ROOMS),$(BENCH_$r:%=$(RTL_TESTS)/test_%.o))
# What they share, and the oracle of a switch (tb/oracle); its networks are for unit tests alone.
BENCH_HELP   := $(addprefix $(RTL_TESTS)/,bench.o heads.o cube_routes.o switch_bench.o switch_links.o lone_worm.o fifo_rule.o mux_rule.o adapter_rule.o link_rule.o one_switch.o two_clocks.o crossing_link.o axi_port_rule.o) \
                $(addprefix $(RTL_TESTS)/oracle/,words.o scan.o lanes.o routes.o switch.o wide.o)
BENCH_STAMPS := $(foreach r,$(BENCH_ROOMS),$(BENCH_$r:%=$(RTL_TESTS)/%.passed))
BENCH_CXX     = $(VERILATED_CXX) -std=c++17 $(VINCLUDE) -DVL_USER_STOP -DVM_TRACE=0 -DVM_COVERAGE=0 \
                -DVM_SC=0
CLOCK_CODE   := $(addprefix tb/shim/,clock.cpp clock.h print.h instance.h) tb/tb.mk

# Unless FULL=1, the benches of large modules have a sample of their corners, and all benches one random seed instead of two.
BENCH_SAMPLE := $(if $(filter 1,$(FULL)),all,sample)

$(RTL_TESTS)/corners-$(BENCH_SAMPLE):
	@mkdir -p $(@D) && rm -f $(@:-$(BENCH_SAMPLE)=)-* && touch $@

test-reset: $(CLI) ## reset in mid-traffic, every lane of all networks, in four states (minutes)
	@$(PYTHON) scripts/run four-state --build $(BUILD) --jobs $(JOBS) --rounds 9

test-four-state: $(CLI) ## networks from power-up, in four states; FULL=1: all
	@$(PYTHON) scripts/run four-state --build $(BUILD) --jobs $(JOBS) --junit $(JUNIT) $(if $(filter 1,$(FULL)),--rounds 2,--short)
	@FULL=$(FULL) JOBS=$(JOBS) $(PYTHON) tb/unit/scripts/test_four_state.py $(BUILD) $(JUNIT)/four-state-itself.xml

test-clocks: $(SETUP_REGRESS) $(CLI) ## links between two clocks, in simulators with time and in lock-step (docs/clocks.md); FULL=1: 200 pairs of clocks in each, all networks and faults
	@mkdir -p $(JUNIT)
	@FULL=$(FULL) $(PYTHON) tb/unit/scripts/test_clocks.py $(BUILD) $(JUNIT)/clocks.xml
	@FULL=$(FULL) $(PYTHON) tb/unit/scripts/test_domains.py $(BUILD) $(JUNIT)/domains.xml

test-rtl: $(BENCH_STAMPS) ## every RTL module against its rule; FULL=1: all corners of the large ones
	@mkdir -p $(JUNIT) && cp $(BENCH_STAMPS:$(RTL_TESTS)/%.passed=$(RTL_TESTS)/junit/%.xml) $(JUNIT)/
	@echo "test-rtl: $(words $(BENCH_STAMPS)) modules pass, corners of large ones: $(BENCH_SAMPLE)"

BENCH_CC      = $(CC) -std=c17 $(WARNINGS) -D_POSIX_C_SOURCE=200809L -Itb -Itb/rtl -Itb/shim $(PUBLIC) -O2 -g -c

$(RTL_TESTS)/%.o: tb/rtl/%.c $(wildcard tb/rtl/*.h tb/oracle/*.h) tb/shim/clock.h | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(BENCH_CC) $(VINCLUDE) -o $@ $<

# Benches of papers: papers/<paper>/bench.
define bench_of_paper
$(patsubst papers/$1/bench/%.c,$(RTL_TESTS)/%.o,$(wildcard papers/$1/bench/*.c)): $(RTL_TESTS)/%.o: papers/$1/bench/%.c $(wildcard papers/$1/bench/*.h tb/rtl/*.h tb/oracle/*.h) \
    tb/shim/clock.h | $(SETUP_REGRESS)
	@mkdir -p $$(@D)
	@$(BENCH_CC) $(VINCLUDE) -o $$@ $$<
endef
$(foreach slice,$(SLICES),$(eval $(call bench_of_paper,$(slice))))

$(RTL_TESTS)/oracle/%.o: tb/oracle/%.c $(wildcard tb/oracle/*.h) | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(BENCH_CC) $(VINCLUDE) -o $@ $<

# What is written by hand of benches.
BENCH_BODIES := $(wildcard tb/rtl/*.sv* tb/rtl/*.vlt tb/rtl/include/*) $(call in_slices,bench/*.sv)
bodies_of     = $(filter $(addprefix %/tb_,$(1:=.sv)),$(BENCH_BODIES))

# What makes the top module of a room: each of its modules at the corners of the table.
BENCH_TABLE  := tb/corners.toml cmodel/src/network/arbiters.c $(addprefix scripts/annelid/,benches.py corners.py arbiters.py sources.py)

$(RTL_TESTS)/%/verilated.ok: $(RTL_TESTS)/corners-$(BENCH_SAMPLE) $(BENCH_TABLE) rtl/rtl.mk $(RTL_ALL) $(BENCH_BODIES) | $(SETUP_REGRESS)
	@mkdir -p $(@D) && rm -f $(@D)/Vbench*
	@$(PYTHON) scripts/run benches --top bench_$* $(if $(filter sample,$(BENCH_SAMPLE)),--sample) $(BENCH_$*) > $(@D)/top.sv
	@$(VERILATOR) --cc --assert $(VCODE) -Wall -Wno-WIDTH -Wno-UNUSED -Wno-PINCONNECTEMPTY -Wno-DECLFILENAME -Wno-CMPCONST $(if $(STRICT),,-Wno-fatal) --prefix Vbench --Mdir $(@D) $(BENCH_DEFINE_$*) \
	  -Itb/rtl/include -Itb/rtl $(wildcard tb/rtl/$*.vlt) tb/rtl/bench_assertion.sv $(addprefix -F ,$(RTL_LISTS)) \
	  $(call bodies_of,$(BENCH_$*)) $(@D)/top.sv --top-module bench_$* > $(@D)/build.log 2>&1 || { cat $(@D)/build.log; exit 1; }
	@sed -n '/^%Warning/,$$p' $(@D)/build.log
	@touch $@

# The runs are short, so what takes time is compiling, and nothing is optimized.
$(RTL_TESTS)/%/network.a: VOPT := -O0
$(RTL_TESTS)/%/network.a: $(RTL_TESTS)/%/verilated.ok $(CLOCK_CODE) | $(SETUP_REGRESS)
	$(call compile_network,$(BENCH_CXX),clock.cpp)

define bench_room
$(BENCH_$1:%=$(RTL_TESTS)/test_%): $(RTL_TESTS)/test_%: $(RTL_TESTS)/test_%.o $(BENCH_HELP) $(RUNTIME) \
  $(RTL_TESTS)/$1/network.a $(BENCH_LIB_$1) | $(SETUP)
	@$$(CXX) $(GOLD) -o $$@ $$< $(BENCH_HELP) $(RTL_TESTS)/$1/network.a $(RUNTIME) $(BENCH_LIB_$1) $(LIBS) -lcmocka -lpthread -latomic
endef
$(foreach r,$(BENCH_ROOMS),$(eval $(call bench_room,$r)))

$(RTL_TESTS)/%.passed: $(RTL_TESTS)/test_%
	@mkdir -p $(RTL_TESTS)/junit && rm -f $(RTL_TESTS)/junit/$*.xml
	@BENCH_SAMPLE=$(filter sample,$(BENCH_SAMPLE)) CMOCKA_MESSAGE_OUTPUT=xml CMOCKA_XML_FILE=$(RTL_TESTS)/junit/%g.xml $< > $<.log 2>&1 \
	  || { cat $<.log; cat $(RTL_TESTS)/junit/$*.xml; exit 1; }
	@touch $@

# Proofs of the RTL for all inputs, and the mutants that show what the proofs are worth (docs/proofs.md).
prove: $(SETUP) $(if $(LINKS)$(ROUTER),$(CLI)) ## properties of every RTL module proved for all inputs, covers, and mutants that break them; ONLY="fifo …"; of a switch of yours: DUT= or ROUTER= SOURCES= BUG=, RULES="no_credit …" CORNER="NumPorts=2 …" SECONDS= STYLE= LINKS=
	@$(PYTHON) scripts/run $(if $(DUT)$(ROUTER),prove-dut --build $(BUILD) $(if $(DUT),--dut $(call quoted,$(DUT))) \
	  $(if $(ROUTER),--router $(ROUTER)) $(if $(SOURCES),--sources $(call quoted,$(SOURCES))) $(if $(BUG),--bug $(BUG)) \
	  $(if $(RULES),--rules $(RULES)) $(if $(CORNER),--corner $(CORNER)) $(if $(SECONDS),--seconds $(SECONDS)) \
	  $(if $(STYLE),--style $(STYLE)) $(if $(LINKS),--links $(call quoted,$(LINKS))),prove --build $(BUILD) --jobs $(JOBS) $(only))

test-checker: $(SETUP) $(CLI) $(BENCH_checker:%=$(RTL_TESTS)/test_%) # FULL=1: a mutant of our switch for each rule
	@mkdir -p $(JUNIT)
	@FULL=$(FULL) JOBS=$(JOBS) $(PYTHON) tb/unit/scripts/test_checker.py $(BUILD) $(JUNIT)/checker.xml

test-prove: $(SETUP)
	@$(PYTHON) scripts/run prove --build $(BUILD) --jobs $(JOBS) --short --junit $(JUNIT)

# The bench of AXI4 ports with fewer pauses, for so many cycles of each of its networks and tests.
axi-bursts: $(RTL_TESTS)/test_anl_axi_cube ## random AXI4 bursts over networks, and how many they were: CYCLES= of each network and test (65536), FULL=1 for all networks
	@BENCH_SAMPLE=$(filter sample,$(BENCH_SAMPLE)) ANL_AXI_CYCLES=$(or $(CYCLES),65536) $<

.PRECIOUS: $(RTL_TESTS)/%.o $(RTL_TESTS)/%/verilated.ok $(RTL_TESTS)/%/network.a \
           $(RTL_TESTS)/test_%
.PHONY: test-rtl test-clocks test-four-state test-reset prove test-prove test-checker axi-bursts
