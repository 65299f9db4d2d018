# SPDX-License-Identifier: Apache-2.0
#
# Lock-step of the mesh without buffers (papers/roberts_symvonis/bufferless.md): a program for each side n of the mesh,
# $(BUFFERLESS)/n4/bufferless. BUFFERLESS_RTL may name other files of the RTL.

BUFFERLESS      := $(BUILD)/bufferless
BUFFERLESS_RTL  := $(RTL_SRC)
BUFFERLESS_OBJ  := $(patsubst tb/%.c,$(BUILD)/%.o,$(wildcard tb/bufferless/*.c))

$(BUILD)/bufferless/%.o: tb/bufferless/%.c tb/shim/clock.h | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(CC) $(C17) -Itb/shim $(VINCLUDE) $(CFLAGS) -c -o $@ $<

$(BUFFERLESS)/n%/verilated.ok: tb/bufferless/bufferless_top.sv tb/rtl/bench_assertion.sv tb/rtl/include/anl_assert.svh $(BUFFERLESS_RTL) | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@rm -f $(@D)/Vbench*
	@$(VERILATOR) --cc $(VCODE) -Wno-fatal -Wno-lint -Wno-style --prefix Vbench --Mdir $(@D) -GK=$* -Itb/rtl/include \
	  tb/rtl/bench_assertion.sv $(BUFFERLESS_RTL) tb/bufferless/bufferless.vlt $< --top-module bufferless_top \
	  > $(@D)/verilator.log 2>&1 || { cat $(@D)/verilator.log; exit 1; }
	@touch $@

$(BUFFERLESS)/n%/network.a: $(BUFFERLESS)/n%/verilated.ok $(CLOCK_CODE) | $(SETUP_REGRESS)
	$(call compile_network,$(BENCH_CXX),clock.cpp)

$(BUFFERLESS)/n%/bufferless: $(BUFFERLESS)/n%/network.a $(BUFFERLESS_OBJ) $(LIB) $(RUNTIME)
	@$(CXX) $(LDFLAGS) -o $@ $(BUFFERLESS_OBJ) $< $(LIB) $(RUNTIME) $(LIBS) -lpthread -latomic

bufferless: $(BUFFERLESS)/n4/bufferless $(BUFFERLESS)/n8/bufferless $(CLI) ## the mesh without buffers in lock-step: 1,100 permutations, starts too early, faults
	@UNIT_SHARE=1 $(PYTHON) tb/unit/scripts/test_bufferless.py $(BUILD) $(JUNIT)/bufferless.xml

test-bufferless: $(BUFFERLESS)/n4/bufferless $(CLI)
	@UNIT_SHARE=4 $(PYTHON) tb/unit/scripts/test_bufferless.py $(BUILD) $(JUNIT)/bufferless.xml

.PHONY: bufferless test-bufferless

.PRECIOUS: $(BUILD)/bufferless/%.o $(BUFFERLESS)/n%/verilated.ok $(BUFFERLESS)/n%/network.a $(BUFFERLESS)/n%/bufferless

-include $(BUFFERLESS_OBJ:.o=.d)
