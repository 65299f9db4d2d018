# SPDX-License-Identifier: Apache-2.0
#
# Lock-step of sliding diagonals (papers/bock/diagonals.md): a program for each n, L, a, b, c and kind of rounds, such as
# $(DIAGONALS)/8.1.2.2.2.short/diagonals. DIAGONALS_RTL may name other files of the RTL.

DIAGONALS      := $(BUILD)/diagonals
DIAGONALS_RTL  := rtl/common/anl_pkg.sv $(call in_list,papers/common/rtl/files.f) $(call in_list,papers/bock/rtl/files.f)
DIAGONALS_OBJ  := $(patsubst tb/%.c,$(BUILD)/%.o,$(wildcard tb/diagonals/*.c))
diagonals_word  = $(word $1,$(subst ., ,$*))

$(BUILD)/diagonals/%.o: tb/diagonals/%.c tb/shim/clock.h | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(CC) $(C17) -Itb/shim $(VINCLUDE) $(CFLAGS) -c -o $@ $<

$(DIAGONALS)/%/verilated.ok: tb/diagonals/diagonals_top.sv tb/rtl/bench_assertion.sv tb/rtl/include/anl_assert.svh $(DIAGONALS_RTL) | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@rm -f $(@D)/Vbench*
	@$(VERILATOR) --cc $(VCODE) -Wno-fatal -Wno-lint -Wno-style --prefix Vbench --Mdir $(@D) -Itb/rtl/include \
	  -GN=$(call diagonals_word,1) -GLength=$(call diagonals_word,2) -GA=$(call diagonals_word,3) \
	  -GB=$(call diagonals_word,4) -GC=$(call diagonals_word,5) -GBrief=$(if $(filter short,$(call diagonals_word,6)),1,0) \
	  tb/rtl/bench_assertion.sv $(DIAGONALS_RTL) tb/diagonals/diagonals.vlt $< --top-module diagonals_top \
	  > $(@D)/verilator.log 2>&1 || { cat $(@D)/verilator.log; exit 1; }
	@touch $@

$(DIAGONALS)/%/network.a: $(DIAGONALS)/%/verilated.ok $(CLOCK_CODE) | $(SETUP_REGRESS)
	$(call compile_network,$(BENCH_CXX),clock.cpp)

$(DIAGONALS)/%/diagonals: $(DIAGONALS)/%/network.a $(DIAGONALS_OBJ) $(LIB) $(RUNTIME)
	@$(CXX) $(LDFLAGS) -o $@ $(DIAGONALS_OBJ) $< $(LIB) $(RUNTIME) $(LIBS) -lpthread -latomic

# Worms of 1 and 2 flits; both kinds of rounds; slots and blocks that leave worms over (a = 2, small c, and rows in
# which c L does not divide n).
DIAGONALS_ALL    := 8.1.2.2.2.short 8.1.2.1.4.paper 8.2.2.2.2.short 16.1.2.2.4.short 16.1.2.1.2.short 16.2.2.2.4.short \
                    16.2.2.1.2.short 12.2.1.2.4.short
DIAGONALS_SAMPLE := 4.2.1.1.2.short
diagonals_programs = $(1:%=$(DIAGONALS)/%/diagonals)

diagonals: $(call diagonals_programs,$(DIAGONALS_ALL)) ## the torus of sliding diagonals in lock-step: tori of 8 x 8 to 16 x 16, failures and clean-up, faults
	@UNIT_SHARE=1 PROGRAMS="$(DIAGONALS_ALL)" $(PYTHON) tb/unit/scripts/test_diagonals.py $(BUILD) $(JUNIT)/diagonals.xml

test-diagonals: $(call diagonals_programs,$(DIAGONALS_SAMPLE))
	@UNIT_SHARE=4 PROGRAMS="$(DIAGONALS_SAMPLE)" $(PYTHON) tb/unit/scripts/test_diagonals.py $(BUILD) $(JUNIT)/diagonals.xml

.PHONY: diagonals test-diagonals

.PRECIOUS: $(BUILD)/diagonals/%.o $(DIAGONALS)/%/verilated.ok $(DIAGONALS)/%/network.a $(DIAGONALS)/%/diagonals

-include $(DIAGONALS_OBJ:.o=.d)
