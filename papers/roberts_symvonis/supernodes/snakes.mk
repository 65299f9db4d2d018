# SPDX-License-Identifier: Apache-2.0
#
# Lock-step of supernodes (papers/roberts_symvonis/supernodes.md): $(SNAKES)/n2/snakes has 2 x 2 of them. SNAKES_RTL may name
# other files of the RTL, also another layout.

OWN_TARGETS += snakes
SNAKES      := $(BUILD)/snakes
SNAKES_RTL  := $(RTL_SRC)
SNAKES_OBJ  := $(patsubst papers/roberts_symvonis/supernodes/%.c,$(BUILD)/snakes/%.o,$(filter-out %/layout.c,$(wildcard papers/roberts_symvonis/supernodes/*.c)))
SNAKES_LIB  := $(BUILD)/libannelid_roberts_symvonis.a $(PAPERS_LIB) $(COMMON) $(LIB)

$(BUILD)/snakes/%.o: papers/roberts_symvonis/supernodes/%.c tb/shim/clock.h | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(CC) $(C17) $(PROGRAMS) -Itb/shim $(VINCLUDE) $(CFLAGS) -c -o $@ $<

$(SNAKES)/layout: $(BUILD)/snakes/layout.o $(SNAKES_LIB)
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# papers/roberts_symvonis/rtl/anl_layout_pkg.sv is what this prints for 12.4.
LAYOUT ?= 12.4
layout: $(SNAKES)/layout ## print the layout of a supernode as a package of the RTL; LAYOUT=32.4: for f = 32 and k = 4
	@$< $(subst ., ,$(LAYOUT))

$(SNAKES)/n%/verilated.ok: papers/roberts_symvonis/supernodes/snakes_top.sv tb/rtl/bench_assertion.sv tb/rtl/include/anl_assert.svh papers/roberts_symvonis/supernodes/snakes.vlt $(SNAKES_RTL) | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@rm -f $(@D)/Vbench*
	@$(VERILATOR) --cc $(VCODE) -Wno-fatal -Wno-lint -Wno-style --prefix Vbench --Mdir $(@D) -GN=$* -Itb/rtl/include \
	  tb/rtl/bench_assertion.sv $(SNAKES_RTL) papers/roberts_symvonis/supernodes/snakes.vlt $< --top-module snakes_top \
	  > $(@D)/verilator.log 2>&1 || { cat $(@D)/verilator.log; exit 1; }
	@touch $@

$(SNAKES)/n%/network.a: $(SNAKES)/n%/verilated.ok $(CLOCK_CODE) | $(SETUP_REGRESS)
	$(call compile_network,$(BENCH_CXX),clock.cpp)

$(SNAKES)/n%/snakes: $(SNAKES)/n%/network.a $(SNAKES_OBJ) $(SNAKES_LIB) $(RUNTIME)
	@$(CXX) $(LDFLAGS) -o $@ $(SNAKES_OBJ) $< $(SNAKES_LIB) $(RUNTIME) $(LIBS) -lpthread -latomic

snakes: $(SNAKES)/n1/snakes $(SNAKES)/n2/snakes $(SNAKES)/layout ## supernodes in lock-step: rounds of 1 and of 2 x 2 of them, faults
	@$(PYTHON) scripts/run lint --build $(BUILD) --jobs $(JOBS) --only anl_supernodes
	@$(PYTHON) scripts/run lint --synthesis --build $(BUILD) --jobs $(JOBS) --only anl_supernodes
	@UNIT_SHARE=1 $(PYTHON) tb/unit/scripts/test_snakes.py $(BUILD) $(JUNIT)/snakes.xml

test-snakes: $(SNAKES)/n1/snakes $(SNAKES)/layout
	@$(PYTHON) tb/unit/scripts/test_snakes.py $(BUILD) $(JUNIT)/snakes.xml

.PHONY: snakes test-snakes layout

.PRECIOUS: $(BUILD)/snakes/%.o $(SNAKES)/n%/verilated.ok $(SNAKES)/n%/network.a $(SNAKES)/n%/snakes

-include $(SNAKES_OBJ:.o=.d)
