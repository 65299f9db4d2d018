# SPDX-License-Identifier: Apache-2.0
#
# Lock-step of the butterfly that discards (papers/cole_maggs_sitaraman/discard.md): a program for each number of levels of a pass, of passes and
# of lanes, with wide or multiplexed links, such as $(DISCARD)/3.2.4.wide/discard. DISCARD_RTL may name other files of the
# RTL.

DISCARD      := $(BUILD)/discard
DISCARD_RTL  := $(addprefix rtl/,common/anl_pkg.sv common/anl_encode.sv common/anl_select.sv) papers/common/rtl/anl_replay.sv \
                $(call in_list,papers/cole_maggs_sitaraman/rtl/files.f)
DISCARD_OBJ  := $(patsubst tb/%.c,$(BUILD)/%.o,$(wildcard tb/discard/*.c))
discard_word  = $(word $1,$(subst ., ,$*))
# What of the RTL the program contains.
discard_kind  = $(if $(filter wide,$(call discard_word,4)),-GMultiplexed=0 -DANL_KIND=g_wide -DANL_FLIT=flit,\
                  -GMultiplexed=1 -DANL_KIND=g_multiplexed -DANL_FLIT=flit_q)

$(BUILD)/discard/%.o: tb/discard/%.c tb/shim/clock.h | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(CC) $(C17) -Itb/shim $(VINCLUDE) $(CFLAGS) -c -o $@ $<

$(DISCARD)/%/verilated.ok: tb/discard/discard_top.sv tb/rtl/bench_assertion.sv tb/rtl/include/anl_assert.svh $(DISCARD_RTL) | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@rm -f $(@D)/Vbench*
	@$(VERILATOR) --cc $(VCODE) -Wno-fatal -Wno-lint -Wno-style --prefix Vbench --Mdir $(@D) -Itb/rtl/include \
	  -GLevels=$(call discard_word,1) -GPasses=$(call discard_word,2) -GNumVcs=$(call discard_word,3) $(discard_kind) \
	  tb/rtl/bench_assertion.sv $(DISCARD_RTL) tb/discard/discard.vlt $< --top-module discard_top \
	  > $(@D)/verilator.log 2>&1 || { cat $(@D)/verilator.log; exit 1; }
	@touch $@

$(DISCARD)/%/network.a: $(DISCARD)/%/verilated.ok $(CLOCK_CODE) | $(SETUP_REGRESS)
	$(call compile_network,$(BENCH_CXX),clock.cpp)

$(DISCARD)/%/discard: $(DISCARD)/%/network.a $(DISCARD_OBJ) $(LIB) $(RUNTIME)
	@$(CXX) $(LDFLAGS) -o $@ $(DISCARD_OBJ) $< $(LIB) $(RUNTIME) $(LIBS) -lpthread -latomic

# 8 and 16 inputs, one pass and two, 1 to 4 lanes; of two passes with 16, which take longest to build, 1 to 3.
DISCARD_ALL    := $(foreach b,1 2 3 4,$(foreach p,3.1 3.2 4.1,$p.$b.wide $p.$b.multiplexed)) \
                  $(foreach b,1 2 3,4.2.$b.wide 4.2.$b.multiplexed)
DISCARD_SAMPLE := 3.2.2.wide 3.2.2.multiplexed
discard_programs = $(1:%=$(DISCARD)/%/discard)

discard: $(call discard_programs,$(DISCARD_ALL)) $(CLI) ## the butterfly that discards in lock-step: 1 to 4 lanes, wide and multiplexed links, faults
	@UNIT_SHARE=1 PROGRAMS="$(DISCARD_ALL)" $(PYTHON) tb/unit/scripts/test_discard.py $(BUILD) $(JUNIT)/discard.xml

test-discard: $(call discard_programs,$(DISCARD_SAMPLE)) $(CLI)
	@UNIT_SHARE=4 PROGRAMS="$(DISCARD_SAMPLE)" $(PYTHON) tb/unit/scripts/test_discard.py $(BUILD) $(JUNIT)/discard.xml

.PHONY: discard test-discard

.PRECIOUS: $(BUILD)/discard/%.o $(DISCARD)/%/verilated.ok $(DISCARD)/%/network.a $(DISCARD)/%/discard

-include $(DISCARD_OBJ:.o=.d)
