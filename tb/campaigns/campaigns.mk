# SPDX-License-Identifier: Apache-2.0
#
# Campaigns: measurements of the tests themselves, and what the sign-off page runs beside the tests. Each has a section; most
# are a module of scripts/annelid, which calls make again for the programs that it needs. The rules of those are here, too.

# --- deliberate faults (docs/faults.md) ---

faults: $(SETUP_REGRESS) ## deliberate faults, one at a time: each must be caught in the right cycle and place; ONLY="payload_bit …"
	@mkdir -p $(BUILD)/faults
	@$(PYTHON) scripts/run faults --build $(BUILD) --jobs $(JOBS) $(only)

# A sample of what takes too long for every merge: faults in RTL, model and harness, of cubes, of
# a fat-tree and of switches without lanes to wait in, and a small network under SystemC.
test-faults: $(SETUP_REGRESS)
	@$(MAKE) --no-print-directory faults ONLY="pointer_behind flit_added child_index tail_marks_nothing tail_keeps_the_lane"

# --- channel-dependency graphs of the golden model, and of the RTL's wiring and route units (docs/cdg.md) ---

CDG_SV  := tb/campaigns/cdg/anl_switch.sv tb/campaigns/cdg/anl_cdg.sv
CDG_RTL := $(filter-out rtl/switch/anl_switch.sv,$(RTL_SRC))

# anl_cube-K4-N2-…: what `annelid describe --rtl` prints, without blanks and =. Of a graph it ends in Hash…, and
# `annelid rtl` has written its RTL to anl_graph-K…-Hash….sv.
cdg_graph = $(if $(findstring -Hash,$1),$(BUILD)/cdg/$1.sv)

# A list may be in a folder of its own below cdg/, as those of tb/unit/scripts/test_cdg.py are: a file of the RTL that stands
# there takes the place of the one in rtl/.
cdg_files = $(foreach file,$(CDG_RTL),$(or $(wildcard $(@D)/$(notdir $(file))),$(file)))

$(BUILD)/cdg/%.routes: $(CDG_SV) $(CDG_RTL) rtl/annelid.f rtl/include/anl_assert.svh $$(call cdg_graph,$$*) | $(SETUP)
	@mkdir -p $(@D)
	@$(IVERILOG) -g2012 -Irtl/include -s anl_cdg -o $@.vvp \
	  $(shell $(PYTHON) scripts/run cdg $(*F) $(call cdg_graph,$*)) \
	  $(cdg_files) $(call cdg_graph,$*) $(CDG_SV)
	@$(VVP) -n $@.vvp +list=$@.new
	@rm $@.vvp && mv $@.new $@

# A scenario of sim/scenarios or of a paper may be named without folder and .yaml, as in make regress.
cdg_is_path  = $(shell test -f $(call quoted,$(SCENARIO)) && echo yes)
cdg_named    = $(or $(wildcard sim/scenarios/$(SCENARIO).yaml),$(call in_slices,scenarios/$(SCENARIO).yaml),$(SCENARIO))
cdg_scenario = $(call quoted,$(if $(cdg_is_path),$(SCENARIO),$(cdg_named)))

# What can deadlock is examined as well.
cdg_set = --set network.unsafe=true $(SET:%=--set %)

cdg: $(CLI) ## can it deadlock? Channel-dependency graph of the model and of the RTL: SCENARIO= SET='key=value …' DOT=file
	$(if $(SCENARIO),,$(error make cdg needs SCENARIO=path/to/scenario.yaml))
	@words="$$($(CLI) describe --rtl $(cdg_scenario) $(cdg_set))" || exit 2; words=$${words// /-}; words=$${words//=/}; \
	  if [[ $$words == *Hash* ]]; then mkdir -p $(BUILD)/cdg; $(CLI) rtl --name anl -o $(BUILD)/cdg/$$words.sv $(cdg_scenario) $(cdg_set) || exit 2; fi; \
	  $(MAKE) --no-print-directory $(BUILD)/cdg/$$words.routes && \
	  $(CLI) cdg --routes $(BUILD)/cdg/$$words.routes $(if $(DOT),--dot $(call quoted,$(DOT))) $(cdg_scenario) $(cdg_set)

# Checks the graphs of both sides, and that faults put into the RTL are found.
test-cdg: $(CLI) # FULL=1: large networks too
	@UNIT_SHARE=$(SHARE) $(PYTHON) tb/unit/scripts/test_cdg.py $(BUILD) $(JUNIT)/cdg.xml

# --- coverage (docs/coverage.md) ---

# Programs of the lock-step, and benches, that count the lines and toggles of the RTL that they reach; the program of the
# functional points; and scripts/run coverage, which runs them and decides.

COVERAGE      := $(BUILD)/coverage
COVERAGE_ON    = --coverage-line $(if $(findstring -lines,$@),,--coverage-toggle --coverage-max-width 100000)
COVERAGE_CXX   = $(VERILATED_CXX) -std=c++17 $(VINCLUDE) -DVM_TRACE=0 -DVM_TRACE_VCD=0 -DVM_COVERAGE=1 -DVM_SC=0 -DVL_USER_STOP
COVERAGE_LIB  := $(RUNTIME) $(COVERAGE)/lib/verilated_cov.o
# Bits that Verilator knows to be constant are not counted, but are listed with counter 0, which belongs to another point;
# sed removes them. The runs are short, so what takes time is compiling, and nothing is optimized.
$(COVERAGE)/%/network.a: VOPT := -O0
define coverage_make
@sed -i '/__vlCoverInsert(&(vlSymsp->__Vcoverage\[0\])/d' $(@D)/V*.cpp
$(call compile_network,$(COVERAGE_CXX) $(key_defines),$1)
endef

$(COVERAGE)/lib/%.o: $(VROOT)/include/%.cpp
	@mkdir -p $(@D)
	@$(COVERAGE_CXX) -O1 -c -o $@ $<

# A network for each RTL parameter set, named by its key as in tb.mk. With the suffix -lines,
# toggles are not counted.
$(COVERAGE)/rtl/%/network.a: $$(call sv_files,$$*) $(wildcard rtl/include/* tb/lockstep/probes/include/*) $(RTL_CODE) | $(SETUP_REGRESS)
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(VERILATOR) $(VFLAGS) $(COVERAGE_ON) $(call parameters,$*) --Mdir $(@D) $(call sv_files,$*) > $(@D)/build.log 2>&1 \
	  || { cat $(@D)/build.log; exit 1; }
	$(call coverage_make,run/rtl.cpp)

$(COVERAGE)/rtl/%/lockstep: $(COVERAGE)/rtl/%/network.a $(LOCKSTEP_OBJ) $(LOCKSTEP_LIB) $(COVERAGE_LIB)
	@$(CXX) $(LDFLAGS) -o $@ $(LOCKSTEP_OBJ) $< $(LOCKSTEP_LIB) $(COVERAGE_LIB) $(LOCKSTEP_LIBS) -lpthread -latomic

# The bench of a module that is in no network; only lines are counted.
$(COVERAGE)/bench/%/network.a: $(RTL_ALL) $(BENCH_TABLE) $(BENCH_BODIES) $(CLOCK_CODE) | $(SETUP_REGRESS)
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(PYTHON) scripts/run benches $* > $(@D)/bench.sv
	@$(VERILATOR) --cc --assert $(VCODE) -Wno-fatal -Wno-lint -Wno-style --coverage-line --prefix Vbench --Mdir $(@D) \
	  -Itb/rtl/include -Itb/rtl tb/rtl/bench_assertion.sv $(addprefix -F ,$(RTL_LISTS)) $(call bodies_of,$*) $(@D)/bench.sv \
	  --top-module bench > $(@D)/build.log 2>&1 || { cat $(@D)/build.log; exit 1; }
	$(call coverage_make,clock.cpp)

$(COVERAGE)/bench/%/test: $(COVERAGE)/bench/%/network.a $(RTL_TESTS)/test_%.o $(BENCH_HELP) $(COVERAGE_LIB) | $(SETUP)
	@$(CXX) -o $@ $(RTL_TESTS)/test_$*.o $(BENCH_HELP) $< $(COVERAGE_LIB) -lcmocka -lpthread -latomic

# The program of the functional points, a client of the library.
POINTS_OBJ := $(patsubst tb/campaigns/coverage/%.c,$(COVERAGE)/points.o/%.o,$(wildcard tb/campaigns/coverage/*.c))

$(COVERAGE)/points.o/%.o: tb/campaigns/coverage/%.c
	@mkdir -p $(@D)
	@$(CC) $(C17) $(CFLAGS) -c -o $@ $<

$(COVERAGE)/points: $(POINTS_OBJ) $(LIB)
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(COVERAGE)/lib: $(COVERAGE_LIB)
	@touch $@

coverage: $(SETUP_COVERAGE) ## lines and toggles of the RTL, lines and branches of the engine, situations reached: build/coverage/index.html; ONLY=
	@$(PYTHON) scripts/run coverage --build $(BUILD) --jobs $(JOBS) $(if $(ONLY),--only "$(ONLY)")

INTO ?= $(BUILD)/functional.json

functional: $(COVERAGE)/points ## situations that runs reach, added to a file that merges: INTO=, FROM="other.json …", SCENARIO= SEED=1-5 SET='key=value …'
	@$(PYTHON) scripts/run functional --build $(BUILD) --jobs $(JOBS) --into $(INTO) $(if $(FROM),--from $(FROM)) \
	  $(if $(SCENARIO),--scenario $(call quoted,$(SCENARIO))) $(if $(SEED),--seed $(SEED)) $(if $(SET),--set=$(call quoted,$(SET)))

# A sample: one small network of the RTL, and the functional points.
test-coverage: $(SETUP)
	@$(PYTHON) scripts/run coverage --build $(BUILD) --jobs $(JOBS) --short --junit $(JUNIT)
	@$(PYTHON) tb/unit/scripts/test_functional.py $(BUILD) $(JUNIT)/functional.xml

# --- fuzzing with libFuzzer, guided by coverage (docs/fuzzing.md) ---
#
#   tb/campaigns/fuzz/fuzz_<room>.c        code that reads files, with sanitizers: $(FUZZ)/bin/<room>
#   tb/campaigns/fuzz/lockstep/<net>.yaml  RTL against golden model, one network each:
#                                          $(RTL_ROOT)/<key>-fuzz/lockstep-<net>
#
# Each fuzzer has a corpus, tb/campaigns/fuzz/corpus/<name>.tar.gz, which is unpacked into build/fuzz/corpus/<name>. DUT= works
# as in tb.mk, for lock-steps only.

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

# Fuzzers of the lock-step. They watch only the code that decides: the RTL and the engine of the model.
WATCH       := -fsanitize-coverage=inline-8bit-counters,pc-table
FUZZ_C       = $(OBJCACHE) $(CLANG) -std=c17 -D_GNU_SOURCE $(or $(QUICK),-O2) -g $(CALLED) $(PUBLIC) $(PRIVATE) -Itb/lockstep $(VINCLUDE) -MMD -MP
FUZZ_MODEL  := $(call fuzz_rooms,model,$(FUZZ_CALLS) report rtl)
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
	$(call compile_network,$(ALLOCATE)$(OBJCACHE) $(CLANGXX) -std=c++17 $(WATCH) -DVM_COVERAGE=0 -DVM_SC=0 $(trace_defines) $(key_defines),run/rtl.cpp)

# A program for each network; it refuses any other key than that of its scenario.
define fuzz_network
$(RTL_ROOT)/%-fuzz/lockstep-$1: $(RTL_ROOT)/%-fuzz/network.a $(FUZZ)/objects/lockstep.a $(RUNTIME) \
    tb/campaigns/fuzz/lockstep/main.c
	@$(FUZZ_C) $(WARNINGS) -DANL_SCENARIO='"tb/campaigns/fuzz/lockstep/$1.yaml"' -c -o $$@-main.o tb/campaigns/fuzz/lockstep/main.c
	@$(CLANGXX) -o $$@ $$@-main.o $(FUZZ)/objects/lockstep.a $$(@D)/network.a $(FUZZ)/objects/lockstep.a $(RUNTIME) $$(FUZZ_DRIVER) \
	  $(LIBS) -lpthread -latomic
endef
$(foreach scenario,$(wildcard tb/campaigns/fuzz/lockstep/*.yaml),$(eval $(call fuzz_network,$(basename $(notdir $(scenario))))))

FUZZ_SECONDS ?= 600
FUZZ_SEEDS   ?= 3
fuzz_common   = --build $(BUILD) --jobs $(JOBS)
fuzz_dut      = $(if $(DUT),--dut $(call quoted,$(DUT)))

fuzz: $(SETUP) ## search for mismatches and crashes, FUZZ_SECONDS=600 or FUZZ_CASES= each; ONLY="lockstep-mesh3 trace …" DUT=
	@$(PYTHON) scripts/run fuzz search $(fuzz_common) $(only) $(fuzz_dut) --seconds $(FUZZ_SECONDS) $(if $(FUZZ_CASES),--cases $(FUZZ_CASES))

fuzz-keep: $(SETUP) ## the best of what make fuzz has found into tb/campaigns/fuzz/corpus; ONLY=
	@$(PYTHON) scripts/run fuzz keep $(fuzz_common) $(only)

fuzz-planted: $(SETUP) ## rare bugs, one at a time: two of three seeds must find each; FUZZ_SEEDS=3 ONLY="one_short …"
	@$(PYTHON) scripts/run fuzz planted $(fuzz_common) $(only) --seeds $(FUZZ_SEEDS)

shrink: $(SETUP) ## make a case that fails small, and a scenario: CASE=, DUT= as it was found with
	@$(PYTHON) scripts/run fuzz shrink $(or $(CASE),$(error CASE= is missing: the file that make fuzz has named)) $(fuzz_common) $(fuzz_dut)

test-fuzz: $(SETUP)
	@$(PYTHON) tb/unit/scripts/test_fuzz.py $(BUILD) $(JUNIT)/fuzz-planted.xml
	@$(PYTHON) scripts/run fuzz test $(fuzz_common) --junit $(JUNIT)

# --- mutants of RTL and model (docs/mutants.md) ---

# scripts/run mutate writes $(BUILD)/mutate/<set>/mutants.sv, which has all mutants of a set, and bench.sv beside it, and calls
# make for the programs: the lock-step with DUT=, and the bench here.

MUTATE := $(BUILD)/mutate

# The bench of MODULE, with only the corner that has the set's parameters.
$(MUTATE)/%/bench.d/network.a: $(MUTATE)/%/mutants.sv $(MUTATE)/%/bench.sv $(RTL_ALL) $(BENCH_BODIES) \
    tb/campaigns/campaigns.mk rtl/rtl.mk | $(SETUP)
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(VERILATOR) --cc --assert $(VCODE) $(VNETLIST) -Wno-fatal -Wno-lint -Wno-style --prefix Vbench --Mdir $(@D) \
	  -Itb/rtl/include -Itb/rtl -Irtl/include tb/rtl/bench_assertion.sv \
	  $(filter-out %/$(MODULE).sv,$(RTL_SRC)) $(call bodies_of,$(MODULE)) $(MUTATE)/$*/mutants.sv $(MUTATE)/$*/bench.sv --top-module bench > $(@D)/verilator.log 2>&1 || { cat $(@D)/verilator.log; exit 1; }
	$(call compile_network,$(BENCH_CXX),clock.cpp)

$(MUTATE)/%/bench: $(MUTATE)/%/bench.d/network.a $(RTL_TESTS)/test_$(MODULE).o $(BENCH_HELP) $(RUNTIME) | $(SETUP)
	@$(CXX) -o $@ $(RTL_TESTS)/test_$(MODULE).o $(BENCH_HELP) $< $(RUNTIME) -lcmocka -lpthread -latomic

mutate: $(SETUP) ## mutants of the RTL: each killed by lock-step or bench, or proved harmless; ONLY="set …"
	@$(PYTHON) scripts/run mutate --build $(BUILD) --jobs $(JOBS) $(only)

test-mutate: $(SETUP)
	@$(PYTHON) tb/unit/scripts/test_rare.py $(BUILD) $(JUNIT)/rare.xml
	@$(PYTHON) scripts/run mutate --build $(BUILD) --jobs $(JOBS) --short --junit $(JUNIT)

mutate-model: $(SETUP) ## mutants of the C engine: 94 % killed by unit tests and golden digests, each other explained; ONLY="decide.c …"
	@$(PYTHON) scripts/run mutate-model --build $(BUILD) --jobs $(JOBS) $(only)

test-mutate-model: $(SETUP) $(CLI)
	@$(PYTHON) tb/campaigns/mutants/model/test_mutate_model.py $(BUILD) $(JUNIT)/mutate-model-itself.xml
	@$(PYTHON) scripts/run mutate-model --build $(BUILD) --jobs $(JOBS) --short --junit $(JUNIT)

# --- netlists, proved equal to the RTL and replayed against the golden model (docs/gates.md) ---

gates: $(SETUP) ## netlists of four families: proved equal to the RTL, replayed in lock-step, a fault in each caught; ONLY="set …"
	@$(PYTHON) scripts/run gates --build $(BUILD) --jobs $(JOBS) $(only)

# Tests the proof itself, and then two small sets: one proved in all families, and one proved in iCE40's, replayed, and with
# a fault.
test-gates: $(SETUP)
	@$(PYTHON) tb/unit/scripts/test_gates.py $(BUILD) $(JUNIT)/gates-itself.xml
	@$(PYTHON) scripts/run gates --build $(BUILD) --jobs $(JOBS) --short --junit $(JUNIT)

# --- boards that check themselves, run to the end (docs/board.md) ---

# scripts/run board makes a directory for each board with sources.f, the files that Verilator reads and the digest of a
# netlist, and board.svh, the parameters; then it calls make for the program.

BOARDS := $(BUILD)/board

$(BOARDS)/%/network.a: $(BOARDS)/%/sources.f $(BOARDS)/%/board.svh tb/campaigns/board/board.sv $(RTL_ALL) tb/campaigns/campaigns.mk rtl/rtl.mk $(CLOCK_CODE) | $(SETUP_REGRESS)
	@rm -f $(@D)/V*
	@$(VERILATOR) --cc --assert $(VCODE) $(VNETLIST) -Wno-fatal -Wno-lint -Wno-style --prefix Vbench --Mdir $(@D) \
	  -Irtl/include -f $< tb/campaigns/board/board.sv --top-module board \
	  > $(@D)/verilator.log 2>&1 || { cat $(@D)/verilator.log; exit 1; }
	$(call compile_network,$(BENCH_CXX),clock.cpp)

$(BOARDS)/main.o: tb/campaigns/board/main.c tb/shim/clock.h tb/shim/listen.h | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(CC) -std=c17 $(WARNINGS) -Wno-missing-prototypes -D_GNU_SOURCE -Itb/shim $(VINCLUDE) -O2 -g -c -o $@ $<

$(BOARDS)/%/board: $(BOARDS)/%/network.a $(BOARDS)/main.o $(RUNTIME)
	@$(CXX) -o $@ $(BOARDS)/main.o $< $(RUNTIME) -lpthread -latomic

board: $(SETUP) ## boards that check themselves, as RTL and as netlists, to the end; red if one flit is upset; ONLY="board_mesh2 …"
	@$(PYTHON) scripts/run board --build $(BUILD) $(only)

# It compiles longer than it runs.
test-board: export VOPT := -O0
test-board: $(SETUP)
	@$(PYTHON) scripts/run board --build $(BUILD) --short --junit $(JUNIT)

# --- area and clock of switches on parts, and images for boards (docs/fpga.md) ---

fpga: $(SETUP_FPGA) ## area and clock of switches on iCE40, ECP5, Xilinx 7, against history and peers; ONLY="set …"
	@$(PYTHON) scripts/run fpga --build $(BUILD) --jobs $(JOBS) $(only)

test-fpga: $(SETUP_FPGA) $(CLI)
	@$(PYTHON) tb/campaigns/fpga/test_fpga.py $(BUILD) $(JUNIT)/fpga-itself.xml
	@$(PYTHON) scripts/run fpga --build $(BUILD) --jobs $(JOBS) --short --seeds 1 --junit $(JUNIT)

fpga-fit: $(SETUP_FPGA) ## the biggest mesh that fits a part, found by trying; FROM=2: the first K; PART="iCE40 HX8K"
	@$(PYTHON) scripts/run fpga-fit --build $(BUILD) $(if $(PART),--parts "$(PART)") $(if $(FROM),--from $(FROM))

fpga-image: $(SETUP_FPGA) $(CLI) ## image of a board that checks itself: BOARD=ice40-hx8k-b-evn, ulx3s-85f, arty-a7-35t; SCENARIO=…
	@$(PYTHON) scripts/run fpga-image --build $(BUILD) $(if $(SCENARIO),--scenario $(call quoted,$(SCENARIO))) $(BOARD)

cells: $(SETUP) ## cells of terminals and crossings in iCE40 and ECP5, nothing placed; ONLY="streams_2 …"
	@$(PYTHON) scripts/run cells --build $(BUILD) --jobs $(JOBS) $(only)

# --- stock AXI4-Stream sources and sinks (docs/integrate.md) ---

streams: $(SETUP_STREAMS) $(CLI) ## stock sources and sinks of cocotb at the streams of a mesh, every byte compared; SHORT=1; SEED=1; PACKETS= of each terminal; ONLY="small_icarus …"
	@$(PYTHON) scripts/run streams --build $(BUILD) --jobs $(JOBS) $(if $(filter-out 0,$(SHORT)),--short) $(if $(SEED),--seed $(SEED)) \
	  $(if $(PACKETS),--packets $(PACKETS)) $(only)

rates: $(SETUP_REGRESS) $(CLI) ## what a mesh with links, streams and AXI4 carries at saturation; SHORT=1
	@$(PYTHON) scripts/run rates --build $(BUILD) $(if $(filter-out 0,$(SHORT)),--short)

# --- the watch in cocotb (docs/cocotb.md) ---

cocotb-bugs: $(SETUP_STREAMS) $(SETUP_REGRESS) $(CLI) $(LIB) python-parts ## bugs planted into switches, named by the watch in cocotb in Icarus as by make judge, and what the watch costs; SHORT=1; SOURCES=folder of checkouts of open routers; ONLY="stop_not_seen …"
	@$(PYTHON) scripts/run cocotb-bugs --build $(BUILD) --jobs $(JOBS) $(if $(filter-out 0,$(SHORT)),--short) $(if $(SOURCES),--sources $(call quoted,$(SOURCES))) $(only)

# --- stock AXI4 managers and memories (docs/axi.md) ---

axi-stock: $(SETUP_STREAMS) ## stock managers and memories of cocotb around AXI4 ports, all data compared; SHORT=1; BURSTS= of each run; SEED=1; ONLY="data64_icarus …"
	@$(PYTHON) scripts/run axi-stock --build $(BUILD) $(if $(filter-out 0,$(SHORT)),--short) $(if $(BURSTS),--bursts $(BURSTS)) \
	  $(if $(SEED),--seed $(SEED)) $(only)

# --- both commands of the README on other systems, each from nothing in a folder of its own (docs/install.md) ---

systems: ## make regress and make test from nothing on Debian 12, 13 and unstable, as root; SYSTEM="trixie …" ACCOUNT="guest …" TARGETS="regress …" KEEP=1
	@$(PYTHON) scripts/run systems --build $(BUILD) --jobs $(JOBS) $(if $(SYSTEM),--systems $(SYSTEM)) \
	  $(if $(ACCOUNT),--accounts $(ACCOUNT)) $(if $(TARGETS),--targets $(TARGETS)) $(if $(filter-out 0,$(KEEP)),--keep)

# --- the sign-off page (docs/report.md) ---

report: $(SETUP_ALL) ## the sign-off page: all that must hold (SHORT=1, ONLY="lint proofs", SHOW=1, AGAIN=1, RESULTS=1)
	@$(PYTHON) scripts/run report --build $(BUILD) $(if $(filter-out 0,$(SHORT)),--short) $(if $(filter-out 0,$(SHOW)),--show) \
	  $(if $(filter-out 0,$(AGAIN)),--again) $(if $(filter-out 0,$(RESULTS)),--results) $(only)

targets: $(SETUP_ALL) ## every documented target that no other row runs, in a short form, each in a clone; ONLY="clean …"
	@$(PYTHON) scripts/run targets --build $(BUILD) --jobs $(JOBS) $(only)

test-targets: $(SETUP)
	@$(PYTHON) scripts/run targets --build $(BUILD) --jobs $(JOBS) --short --junit $(JUNIT)

test-report: $(SETUP) $(LIB)
	@$(PYTHON) tb/unit/scripts/test_signoff.py $(BUILD) $(JUNIT)/signoff.xml
	@$(PYTHON) tb/unit/scripts/test_targets.py $(BUILD) $(JUNIT)/targets.xml
	@$(PYTHON) tb/unit/scripts/test_pages.py $(BUILD) $(JUNIT)/pages.xml
	@$(PYTHON) tb/unit/scripts/test_results.py $(BUILD) $(JUNIT)/results.xml
	@$(PYTHON) tb/unit/scripts/test_cost.py $(BUILD) $(JUNIT)/cost.xml
	@$(PYTHON) tb/unit/scripts/test_variables.py $(BUILD) $(JUNIT)/variables.xml
	@$(PYTHON) tb/unit/scripts/test_rooms.py $(BUILD) $(JUNIT)/rooms.xml
	@$(PYTHON) tb/unit/scripts/test_systems.py $(BUILD) $(JUNIT)/systems.xml
	@$(PYTHON) tb/unit/scripts/test_steps.py $(BUILD) $(JUNIT)/steps.xml

.PHONY: faults test-faults cdg test-cdg coverage functional test-coverage fuzz fuzz-keep fuzz-planted shrink \
        test-fuzz mutate test-mutate mutate-model test-mutate-model gates test-gates board test-board fpga test-fpga fpga-fit \
        fpga-image cells streams rates axi-stock cocotb-bugs systems report targets test-targets test-report

.PRECIOUS: $(COVERAGE)/rtl/%/network.a $(COVERAGE)/rtl/%/lockstep $(COVERAGE)/bench/%/network.a $(COVERAGE)/bench/%/test \
           $(COVERAGE)/points.o/%.o $(FUZZ)/objects/library/%.o $(RTL_ROOT)/%-fuzz/network.a $(MUTATE)/%/bench.d/network.a \
           $(BOARDS)/%/network.a

-include $(POINTS_OBJ:.o=.d) $(FUZZ_LIB:.o=.d) $(FUZZ_MODEL:.o=.d) $(FUZZ_ROOMS:.o=.d) $(FUZZ_CASE:.o=.d)
