# SPDX-License-Identifier: Apache-2.0
#
# Mutants of the RTL: scripts/mutate makes $(BUILD)/mutate/<set>/mutants.sv (all mutants of a set in one
# file) and bench.sv beside it, and calls for the programs: the lock-step with DUT=, and the bench here.

MUTATE := $(BUILD)/mutate

# The bench of MODULE, of its one corner that has the set's parameters.
$(MUTATE)/%/bench: $(MUTATE)/%/mutants.sv $(MUTATE)/%/bench.sv $(RTL_TESTS)/test_$(MODULE).o $(BENCH_HELP) $(BENCH_LIB) \
                   $(RTL_ALL) $(wildcard tb/unit/rtl/*.sv* tb/unit/rtl/include/*) tb/shim/clock.cpp
	@rm -rf $@.d && mkdir -p $@.d
	@$(VERILATOR) --cc --assert -O3 -fno-table -Wno-fatal -Wno-lint -Wno-style --prefix Vbench --Mdir $@.d \
	  -Itb/unit/rtl/include -Itb/unit/rtl -Irtl/include tb/unit/rtl/bench_assertion.sv \
	  $(filter-out %/$(MODULE).sv,$(RTL_SRC)) $(@D)/mutants.sv $(@D)/bench.sv --top-module bench \
	  --x-initial unique --x-assign unique > $@.log 2>&1 || { cat $@.log; exit 1; }
	@$(MAKE) -s -C $@.d -f Vbench.mk OPT_FAST="$(VOPT)" OPT_SLOW=-O0 OBJCACHE="$(OBJCACHE)" CXX="$(CXX)" Vbench__ALL.a \
	  >> $@.log 2>&1 || { cat $@.log; exit 1; }
	@$(BENCH_CXX) -O1 -I$@.d -Itb/shim -c -o $@.d/clock.o tb/shim/clock.cpp
	@$(CXX) -o $@ $(RTL_TESTS)/test_$(MODULE).o $(BENCH_HELP) $@.d/clock.o $@.d/Vbench__ALL.a $(BENCH_LIB) \
	  -lcmocka -lpthread -latomic

mutate: $(SETUP) ## mutants of the RTL: each killed by lock-step or bench, or proved harmless; ONLY="set …"
	@$(PYTHON) scripts/mutate --build $(BUILD) --jobs $(JOBS) $(if $(ONLY),--only $(ONLY))

test-mutate: $(SETUP)
	@$(PYTHON) scripts/mutate --build $(BUILD) --jobs $(JOBS) --short --junit $(JUNIT)

.PHONY: mutate test-mutate
