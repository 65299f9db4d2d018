# SPDX-License-Identifier: Apache-2.0
#
# Boards that check themselves, run to the end (docs/board.md). scripts/run board makes a directory for
# each board with sources.f, the files that Verilator reads and the digest of a netlist, and
# board.svh, the parameters; then it calls make for the program.

BOARDS := $(BUILD)/board

$(BOARDS)/%/network.a: $(BOARDS)/%/sources.f $(BOARDS)/%/board.svh tb/campaigns/board/board.sv $(RTL_ALL) tb/campaigns/board/board.mk rtl/rtl.mk $(CLOCK_CODE) | $(SETUP_REGRESS)
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
	@$(PYTHON) scripts/run board --build $(BUILD) $(if $(ONLY),--only $(ONLY))

# It compiles longer than it runs.
test-board: export VOPT := -O0
test-board: $(SETUP)
	@$(PYTHON) scripts/run board --build $(BUILD) --short --junit $(JUNIT)

.PRECIOUS: $(BOARDS)/%/network.a

.PHONY: board test-board
