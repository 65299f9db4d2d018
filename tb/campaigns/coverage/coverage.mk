# SPDX-License-Identifier: Apache-2.0
#
# Coverage (docs/coverage.md): programs of the lock-step, and benches, that count the lines and
# toggles of the RTL that they reach; the program of the functional points; and scripts/run coverage,
# which runs them and decides.

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

# A network for each RTL parameter set, named by its key as in tb/tb.mk. With the suffix -lines,
# toggles are not counted.
$(COVERAGE)/rtl/%/network.a: $$(call sv_files,$$*) $(wildcard rtl/include/* tb/lockstep/probes/include/*) $(RTL_CODE) | $(SETUP_REGRESS)
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(VERILATOR) $(VFLAGS) $(COVERAGE_ON) $(call parameters,$*) --Mdir $(@D) $(call sv_files,$*) > $(@D)/build.log 2>&1 \
	  || { cat $(@D)/build.log; exit 1; }
	$(call coverage_make,run/rtl.cpp)

$(COVERAGE)/rtl/%/lockstep: $(COVERAGE)/rtl/%/network.a $(LOCKSTEP_OBJ) $(LIB) $(COVERAGE_LIB)
	@$(CXX) $(LDFLAGS) -o $@ $(LOCKSTEP_OBJ) $< $(LIB) $(COVERAGE_LIB) $(LOCKSTEP_LIBS) -lpthread -latomic

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

.PHONY: coverage functional test-coverage
.PRECIOUS: $(COVERAGE)/rtl/%/network.a $(COVERAGE)/rtl/%/lockstep $(COVERAGE)/bench/%/network.a $(COVERAGE)/bench/%/test $(COVERAGE)/points.o/%.o

-include $(POINTS_OBJ:.o=.d)
