# SPDX-License-Identifier: Apache-2.0
#
# Mutants of the RTL. scripts/run mutate writes $(BUILD)/mutate/<set>/mutants.sv, which has all mutants
# of a set, and bench.sv beside it, and calls make for the programs: the lock-step with DUT=, and
# the bench here.

MUTATE := $(BUILD)/mutate

# The bench of MODULE, with only the corner that has the set's parameters.
$(MUTATE)/%/bench.d/network.a: $(MUTATE)/%/mutants.sv $(MUTATE)/%/bench.sv $(RTL_ALL) $(BENCH_BODIES) \
    tb/campaigns/mutants/mutants.mk rtl/rtl.mk | $(SETUP)
	@rm -rf $(@D) && mkdir -p $(@D)
	@$(VERILATOR) --cc --assert $(VCODE) $(VNETLIST) -Wno-fatal -Wno-lint -Wno-style --prefix Vbench --Mdir $(@D) \
	  -Itb/rtl/include -Itb/rtl -Irtl/include tb/rtl/bench_assertion.sv \
	  $(filter-out %/$(MODULE).sv,$(RTL_SRC)) $(MUTATE)/$*/mutants.sv $(MUTATE)/$*/bench.sv --top-module bench > $(@D)/verilator.log 2>&1 || { cat $(@D)/verilator.log; exit 1; }
	$(call compile_network,$(BENCH_CXX),clock.cpp)

$(MUTATE)/%/bench: $(MUTATE)/%/bench.d/network.a $(RTL_TESTS)/test_$(MODULE).o $(BENCH_HELP) $(RUNTIME) | $(SETUP)
	@$(CXX) -o $@ $(RTL_TESTS)/test_$(MODULE).o $(BENCH_HELP) $< $(RUNTIME) -lcmocka -lpthread -latomic

mutate: $(SETUP) ## mutants of the RTL: each killed by lock-step or bench, or proved harmless; ONLY="set …"
	@$(PYTHON) scripts/run mutate --build $(BUILD) --jobs $(JOBS) $(if $(ONLY),--only $(ONLY))

test-mutate: $(SETUP)
	@$(PYTHON) tb/unit/scripts/test_rare.py $(BUILD) $(JUNIT)/rare.xml
	@$(PYTHON) scripts/run mutate --build $(BUILD) --jobs $(JOBS) --short --junit $(JUNIT)

.PRECIOUS: $(MUTATE)/%/bench.d/network.a

.PHONY: mutate test-mutate

mutate-model: $(SETUP) ## mutants of the C engine: 94 % killed by unit tests and golden digests, each other explained; ONLY="net.c …"
	@$(PYTHON) scripts/run mutate-model --build $(BUILD) --jobs $(JOBS) $(if $(ONLY),--only $(ONLY))

test-mutate-model: $(SETUP) $(CLI)
	@$(PYTHON) tb/campaigns/mutants/model/test_mutate_model.py $(BUILD) $(JUNIT)/mutate-model-itself.xml
	@$(PYTHON) scripts/run mutate-model --build $(BUILD) --jobs $(JOBS) --short --junit $(JUNIT)

.PHONY: mutate-model test-mutate-model
