# SPDX-License-Identifier: Apache-2.0
#
# The RTL: three front ends and generic synthesis at corners of the parameters.
#
# A corner is <module>-<value>.<value>… with the values of the module's parameters in their order. Those with a star are the
# sample of `make test`: one of each module at least and of each of its kinds, and in switches each part of a scan and each
# admission (test_targets.py).

# Verilator spends most of its time with what it has allocated; with the allocator tcmalloc it takes two thirds of the time.
# Yosys takes four fifths of its time, in all programs that these targets start.
TCMALLOC  := $(firstword $(wildcard /usr/lib/*/libtcmalloc_minimal.so.4 /usr/lib64/libtcmalloc_minimal.so.4 /usr/lib/libtcmalloc_minimal.so.4))
VERILATOR ?= $(TCMALLOC:%=env LD_PRELOAD=% )verilator
USE_YOSYS := lint synth-check test-synth prove test-prove gates test-gates fpga test-fpga mutate test-mutate
$(USE_YOSYS): export LD_PRELOAD := $(TCMALLOC)
# Verilator 5.006 makes wrong code with look-up tables, and wrong code from Yosys netlists with
# trees of bit operations; these flags turn both off.
VCODE      = -O3 -fno-table $(VSCOPED) --x-assign unique --x-initial unique
VNETLIST  := -fno-const-bit-op-tree
# The lines of Verilator's report. The option that turns it off is an error in versions that have none.
VREPORT   := '^- \(V e r i l a t i o n   R e p o r t\|Verilator\): '
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
IVERILOG  ?= iverilog
YOSYS     ?= yosys

RTL_ALL   := $(RTL_LIST) $(RTL_SRC) rtl/include/anl_assert.svh

CUBE_PARAMETERS            := K N Kind NumVcs Depth FlitW Scan Admission
PARAMETERS_anl_cube        := $(CUBE_PARAMETERS)
PARAMETERS_anl_cube_switch := $(CUBE_PARAMETERS)
TREE_PARAMETERS            := Kind NumVcs Depth FlitW Scan Admission Chained
PARAMETERS_anl_fat_tree    := N $(TREE_PARAMETERS)
PARAMETERS_anl_fat_tree_switch := N Level $(TREE_PARAMETERS)
PARAMETERS_anl_butterfly        := K N Kind NumVcs Depth FlitW Policy Chained
PARAMETERS_anl_butterfly_switch := K N Tag NumVcs Depth FlitW Policy Chained
PARAMETERS_anl_graph_switch := NumPorts T NumVcs Depth FlitW Scan Admission
PARAMETERS_anl_options_switch := NumPorts T Kind NumVcs Depth FlitW Policy
PARAMETERS_anl_source_switch := NumPorts T Longest NumVcs Depth FlitW Scan Admission
PARAMETERS_anl_class_scan := Scan
PARAMETERS_anl_link_slices := Cycles NumVcs FlitW Lines
PARAMETERS_anl_bufferless  := FlitW Turns
PARAMETERS_anl_one_bend_switch := K FlitW
PARAMETERS_anl_bufferless_mesh := K FlitW StepW
PARAMETERS_anl_replay      := FlitW StepW
PARAMETERS_anl_port_map_switch := FlitW DstW
PARAMETERS_anl_command     := N NameW Top LinkW
PARAMETERS_anl_supernodes  := N FlitW NameW CountW StepW
PARAMETERS_anl_discard     := NumVcs Inputs
PARAMETERS_anl_discard_switch := FlitW NumVcs Inputs Bit Registers
PARAMETERS_anl_discard_multiplexed_switch := FlitW NumVcs Inputs Bit Landing
PARAMETERS_anl_discard_butterfly := Levels Passes NumVcs Injections FlitW StepW Multiplexed
PARAMETERS_anl_diagonals   := N C FlitW Slot Bottom
PARAMETERS_anl_diagonals_clock := N Length C Brief
PARAMETERS_anl_diagonals_torus := N Length A B C Brief FlitW StepW
PARAMETERS_anl_terminal    := NumVcs Depth FlitW DstW Admission Chained Scan
PARAMETERS_anl_axis_terminal := $(PARAMETERS_anl_terminal) PathW
PARAMETERS_anl_uart          := BitCycles
PARAMETERS_anl_board_source  := K N FlitW Admission Worms Length
PARAMETERS_anl_board_signer  := NumVcs FlitW
PARAMETERS_anl_board_checker   := Terminals Expected
PARAMETERS_anl_board_reporter  := Expected BitCycles LineCycles
PARAMETERS_anl_board         := $(CUBE_PARAMETERS) WormsPerTerminal Length Cycles

# A scan with classes of messages (anl_pkg) is 65536 times their number more, and 2^24 times the weight of class 0 (and so
# on); 50462721 is rotating with two classes of weights 3 and 1. In the place of the number of classes 16 says that links
# are wide, and 48 that they are chained besides: 1048577 and 3145729 are rotating. A policy is a scan and 8 times the
# admission. Links of n cycles add 1024 (n - 1): 1025 is rotating with links of two cycles. Switches of two stages add
# 16384.
# Kinds: 0 is a mesh, 1 a torus, 2 a unidirectional torus, 3 a hypercube; 5 and 6 are the tori
# without dateline lanes. From 32 on heads have several options (anl_pkg): 64 + 256 is north last at
# random, 128 odd-even, 160 + 1024 adaptive with atomic lanes.
# Of the fat-trees, 8 has the path in the head, 9 draws it, 10 is greedy, and in 11 the destination
# says it. Butterflies are passed once (12) or twice (13).
NETWORK_CORNERS := \
  anl_cube-1.1.0.1.1.8.0.0*      anl_cube-1.2.0.3.4.32.1.0        anl_cube-2.2.0.1.2.32.1.0 \
  anl_cube-3.2.1.2.4.20.3.0     anl_cube-4.1.2.2.3.64.2.1*       anl_cube-2.3.3.2.4.32.1.2 anl_cube-2.1.3.1.1.8.0.0* \
  anl_fat_tree-1.8.1.1.2.0.0.1* anl_fat_tree-1.10.1.1.2.0.0.1*  anl_fat_tree-1.10.2.2.32.2.0.0  anl_fat_tree-2.8.1.2.64.2.0.1 \
  anl_fat_tree-2.9.3.1.27.4.1.1  anl_fat_tree-2.10.2.4.27.4.2.1   anl_fat_tree-2.9.2.2.16.0.0.0 \
  anl_fat_tree-3.10.1.1.8.0.0.1  anl_fat_tree-3.8.1.1.8.1.0.1 \
  anl_butterfly-2.1.12.1.1.8.0.0*  anl_butterfly-2.3.13.2.2.24.1.0  anl_butterfly-3.2.12.3.4.32.10.0 \
  anl_butterfly-2.3.13.1.1.16.0.1* anl_butterfly-4.2.12.2.2.40.20.1 \
  anl_cube-3.1.0.2.1.8.3145729.0  anl_fat_tree-2.9.2.2.32.1048577.0.0 \
  anl_cube-2.1.0.1.2.16.16385.0 anl_cube-3.1.1.2.4.16.17409.1*  anl_butterfly-2.2.12.2.2.16.16385.0 \
  anl_cube-3.1.1.2.4.16.1025.0  anl_fat_tree-2.9.1.1.20.1025.0.0*  anl_butterfly-2.2.12.2.2.16.3073.0 \
  anl_link_slices-1.1.1.1*  anl_link_slices-2.1.1.1  anl_link_slices-5.3.8.3
# Deep lanes are narrow and wide lanes shallow, because synthesis of storage takes time and shows
# nothing new.
SWITCH_CORNERS := \
  anl_cube_switch-2.1.0.1.1.8.0.0         anl_cube_switch-3.1.0.2.2.16.2.0          anl_cube_switch-4.2.0.4.4.32.1.0 \
  anl_cube_switch-8.2.0.8.3.128.3.2        anl_cube_switch-4.3.1.4.64.24.1.1         anl_cube_switch-3.2.1.3.3.36.3.2 \
  anl_cube_switch-2.2.1.2.1.8.2.0         anl_cube_switch-8.2.2.8.2.32.0.0          anl_cube_switch-3.2.2.3.16.32.3.1 anl_cube_switch-2.2.2.2.2.28.3.1* \
  anl_cube_switch-2.1.3.1.2.8.0.0*         anl_cube_switch-2.6.3.5.4.32.2.1          anl_cube_switch-4.2.5.1.3.11.1.1* \
  anl_cube_switch-4.2.6.1.4.27.3.1*         anl_cube_switch-4.1.6.7.1.8.1.0          anl_cube_switch-2.1.0.1.2.24.3.3 \
  anl_fat_tree_switch-1.1.8.1.1.2.0.0.0   anl_fat_tree_switch-1.1.10.2.4.33.4.2.1  anl_fat_tree_switch-2.1.8.2.2.32.2.0.1 \
  anl_fat_tree_switch-2.2.9.3.1.20.4.0.1  anl_fat_tree_switch-3.1.9.1.1.13.0.1.1    anl_fat_tree_switch-3.2.10.3.4.64.2.2.0 \
  anl_fat_tree_switch-3.3.8.2.4.31.3.1.1*  anl_fat_tree_switch-4.1.10.1.2.24.4.0.1*   anl_fat_tree_switch-4.3.8.4.16.27.4.0.0 \
  anl_fat_tree_switch-4.4.9.1.2.32.2.0.0*  anl_fat_tree_switch-2.1.8.1.1.28.4.3.0*  anl_fat_tree_switch-3.2.11.1.1.20.2.0.1* \
  anl_graph_switch-1.1.1.1.8.0.0          anl_graph_switch-4.5.2.4.32.1.0          anl_graph_switch-7.20.3.3.36.3.2 \
  anl_graph_switch-32.3.1.1.26.4.1 \
  anl_cube_switch-4.2.320.1.2.24.2.0*      anl_cube_switch-4.2.128.2.2.24.1.0*       anl_cube_switch-4.2.1184.2.2.24.1.0* \
  anl_cube_switch-4.2.417.3.2.24.1.2* \
  anl_options_switch-3.4.464.1.2.16.1*     anl_options_switch-5.9.3280.3.2.24.9* \
  anl_class_scan-131073*                   anl_class_scan-50462720                 anl_class_scan-524288 \
  anl_cube_switch-4.2.1.4.2.24.50462721.0 anl_cube_switch-3.1.1.4.2.24.50462721.0* anl_cube_switch-4.2.1184.6.2.24.131073.0 anl_graph_switch-4.5.3.2.32.196610.1* \
  anl_fat_tree_switch-2.1.10.4.2.33.131076.2.1  anl_options_switch-4.5.3280.6.2.24.131073 \
  anl_source_switch-1.1.1.1.1.8.0.0       anl_source_switch-4.5.4.2.4.32.1.0       anl_source_switch-7.20.3.3.3.46.3.2 \
  anl_source_switch-32.3.2.1.1.40.4.1 \
  anl_butterfly_switch-2.1.0.1.1.8.0.0*     anl_butterfly_switch-2.4.2.2.2.24.1.1    anl_butterfly_switch-3.3.4.3.4.40.12.1 \
  anl_butterfly_switch-4.2.2.4.2.32.18.0    anl_butterfly_switch-8.2.1.1.2.32.27.0   anl_butterfly_switch-32.1.0.1.1.16.1.0 \
  anl_butterfly_switch-2.3.4.4.2.24.131073.0 \
  anl_cube_switch-3.1.0.2.1.16.3145729.0  anl_cube_switch-4.2.1.3.2.32.1048580.1   anl_cube_switch-2.2.3.2.4.26.1048579.2 \
  anl_cube_switch-4.2.0.2.2.24.5.0*         anl_cube_switch-3.2.1.4.2.24.6.1         anl_fat_tree_switch-2.1.10.2.2.33.6.2.1 \
  anl_cube_switch-4.2.0.2.4.32.16390.0*     anl_cube_switch-3.2.1.4.2.24.16385.1      anl_cube_switch-3.1.0.2.1.16.1064961.0* \
  anl_fat_tree_switch-2.1.10.2.2.33.16385.2.0  anl_source_switch-4.5.4.2.1.32.16385.0 \
  anl_graph_switch-4.5.2.2.24.1048577.0   anl_source_switch-4.5.4.2.1.32.3145729.0* anl_fat_tree_switch-2.1.10.2.2.33.1048580.0.0
BUFFERLESS_CORNERS := \
  anl_bufferless-8.33554431*  anl_bufferless-32.16409534  anl_one_bend_switch-1.2*  anl_one_bend_switch-5.13  anl_one_bend_switch-8.32* \
  anl_replay-1.1*  anl_replay-32.12  anl_bufferless_mesh-1.8.3*  anl_bufferless_mesh-3.20.9  anl_bufferless_mesh-4.32.8 \
  anl_port_map_switch-9.8*  anl_port_map_switch-32.10  anl_command-1.1.0.11*  anl_command-3.4.1.34
DISCARD_CORNERS := \
  anl_discard-1.1*  anl_discard-3.6  anl_discard-8.16  anl_discard_switch-8.1.2.0.1*  anl_discard_switch-32.4.8.7.1  \
  anl_discard_switch-20.2.5.3.0  anl_discard_multiplexed_switch-8.1.2.0.1*  anl_discard_multiplexed_switch-24.3.6.5.1 \
  anl_discard_multiplexed_switch-32.4.8.7.0  anl_discard_butterfly-1.1.1.1.8.3.0*  anl_discard_butterfly-2.2.3.4.8.6.1* \
  anl_discard_butterfly-3.2.2.4.24.9.0  anl_discard_butterfly-3.1.2.2.16.8.1
DIAGONALS_CORNERS := \
  anl_diagonals-4.2.8.0.0*  anl_diagonals-12.4.24.1.0  anl_diagonals-16.4.32.0.1  anl_diagonals-6.3.20.1.1 \
  anl_diagonals_clock-4.1.2.1*  anl_diagonals_clock-16.2.4.0  anl_diagonals_clock-256.4.16.1 \
  anl_diagonals_torus-4.1.1.1.2.1.8.9  anl_diagonals_torus-4.2.1.1.2.1.4.6*  anl_diagonals_torus-8.1.2.2.2.0.16.12
TERMINAL_CORNERS := \
  anl_terminal-1.1.8.4.0.0.0*        anl_terminal-3.3.11.4.1.0.0      anl_terminal-4.4.32.4.0.0.0         anl_terminal-8.64.20.9.2.0.0 \
  anl_terminal-2.16.128.6.1.0.0     anl_terminal-1.1.8.4.0.1.0       anl_terminal-3.2.32.4.2.1.0        anl_terminal-2.2.11.4.3.0.0 \
  anl_terminal-4.2.20.4.1.0.50462720  anl_terminal-3.2.20.4.0.1.196608  anl_terminal-1.1.20.4.0.1.3145728* \
  anl_axis_terminal-1.1.9.8.0.0.0.0*  anl_axis_terminal-3.3.32.4.1.0.4.0  anl_axis_terminal-4.16.128.9.2.0.2.3  anl_axis_terminal-2.2.32.4.1.1.3.1* \
  anl_axis_terminal-2.2.12.4.3.0.1.0  anl_axis_terminal-4.2.32.4.1.0.131073.2  anl_axis_terminal-3.2.40.4.0.1.196611.0
BOARD_CORNERS := \
  anl_uart-1*  anl_uart-2  anl_uart-104* \
  anl_board_source-1.1.8.0.1.1*  anl_board_source-2.2.32.0.20.8 \
  anl_board_source-256.3.24.0.1000000.256  anl_board_source-3.2.20.2.7.5  anl_board_source-2.1.8.3.3.127 \
  anl_board_signer-1.8*  anl_board_signer-5.29  anl_board_signer-8.128 \
  anl_board_checker-1.0*  anl_board_checker-27.305419896 \
  anl_board_reporter-0.1.1*  anl_board_reporter-305419896.104.12000000 \
  anl_board-1.1.0.1.1.8.0.0.1.1.1*  anl_board-2.2.0.1.2.32.1.0.20.8.1000 \
  anl_board-3.1.1.2.3.16.2.1.1.3.7  anl_board-2.3.3.1.2.20.0.2.3.2.65536
MARKED_CORNERS := $(NETWORK_CORNERS) $(SWITCH_CORNERS) $(BUFFERLESS_CORNERS) $(DISCARD_CORNERS) $(DIAGONALS_CORNERS) $(TERMINAL_CORNERS) $(BOARD_CORNERS)
RTL_CORNERS    := $(MARKED_CORNERS:%*=%)
RTL_SAMPLE     := $(patsubst %*,%,$(filter %*,$(MARKED_CORNERS)))

# Icarus has no -F. A list with whole paths serves -f, in any folder. A name in such a list ends at a blank, also in quotes.
file-list: ## write build/annelid.f: the files of the RTL with their whole paths, for -f of any simulator in any folder
	@[[ "$$PWD" != *' '* ]] || { echo "file-list: the name \"$$PWD\" has a blank, which ends a name in a list for -f; -F rtl/annelid.f has no whole paths"; exit 1; }
	@mkdir -p $(BUILD)
	@$(call whole_paths,$(abspath rtl)) > $(BUILD)/annelid.f

# Prints the list with whole paths, for a folder that has the files of rtl/.
whole_paths = sed -e 's|^+incdir+|&$1/|' -e '/^[+\#]/!s|^|$1/|' $(RTL_LIST)

corner_module = $(firstword $(subst -, ,$1))
# What the front ends read of the RTL, $(call corner_files,corner): it takes Yosys half a second to read all of it.
corner_files  = $$(cat $(BUILD)/lint/$(call corner_module,$1).files)
CORNER_FILES  = $(patsubst %,$(BUILD)/lint/%.files,$(sort $(foreach c,$(RTL_CORNERS),$(call corner_module,$c))))

$(BUILD)/lint/%.files: $(RTL_ALL)
	@mkdir -p $(@D)
	@PYTHONPATH=scripts $(PYTHON) -B -c "from annelid.sources import needed; print(*needed('$*'))" > $@

corner_pairs  = $(join $(addsuffix =,$(PARAMETERS_$(call corner_module,$1))),\
                  $(subst ., ,$(lastword $(subst -, ,$1))))
# Yosys makes the modules below only with the parameters that they have in the corner.
corner_read   = read_verilog -defer -sv -formal -Irtl/include $(call corner_files,$1); \
                  read_verilog -sv -formal -Irtl/include $(filter %/$(call corner_module,$1).sv,$(RTL_SRC));
# Checks a corner, assertions included. check -assert fails on a combinational loop and on a wire with two drivers or with
# none.
corner_check  = chparam $(foreach p,$(call corner_pairs,$1),-set $(subst =, ,$p)) $(call corner_module,$1); \
                  hierarchy -check -top $(call corner_module,$1); proc; check -assert;
# Checks each module once more as the given commands make it of gates, and then all of them flattened into one, where loops
# through several modules show. No module is dropped before it has been checked. Gates that nothing needs are dropped before
# all is put together, which takes most of the time. Optimizing by ABC would change nothing of this.
gates_check   = chformal -remove; $1; check -assert; select -assert-none t:*LATCH* t:\$$sr; \
                  select -assert-none t:\$$mem*; \
                  opt_expr; opt_merge; opt_clean -purge; flatten; check -assert;
# Runs a command that must succeed and must print nothing, but for the report that newer versions of Verilator end with.
silent        = @mkdir -p $(@D); if ! { $1; } > $@.log 2>&1 || grep -qv $(VREPORT) $@.log; then \
                  echo "$@:"; cat $@.log; exit 1; fi; touch $@

simulator_stamps = $(foreach c,$1,$(BUILD)/lint/$c.verilator $(BUILD)/lint/$c.icarus)
lint_stamps  = $(call simulator_stamps,$1) $(1:%=$(BUILD)/lint/%.yosys)
synth_stamps = $(1:%=$(BUILD)/synth-check/%.done)

lint: $(call lint_stamps,$(RTL_CORNERS)) ## RTL through Verilator, Icarus and Yosys at parameter corners; Python through pyflakes
synth-check: $(call synth_stamps,$(RTL_CORNERS)) ## generic synthesis: no latch, no loop, one driver for every wire
# Yosys reads the sample in test-synth, which begins with the checks of lint.
test-lint: $(call simulator_stamps,$(RTL_SAMPLE))
test-synth: $(sort $(foreach c,$(RTL_SAMPLE),$(BUILD)/synth-check/$(call corner_module,$c).sample))

lint test-lint:
	@echo "lint: $(words $(RTL_SRC)) files, $(words $(filter %.verilator %.icarus %.yosys,$^)) runs of $(words $(sort $(suffix $(filter %.verilator %.icarus %.yosys,$^)))) front ends: clean"

synth-check test-synth:
	@echo "synth-check: $(words $(if $(filter test-synth,$@),$(RTL_SAMPLE),$^)) corners, no latch, loop or multiple driver"

$(BUILD)/lint/%.verilator: $(RTL_ALL) $(CORNER_FILES) | $(SETUP_REGRESS)
	$(call silent,$(VERILATOR) --lint-only -Wall --assert -Irtl/include $(call corner_files,$*) \
	  --top-module $(call corner_module,$*) $(addprefix -G,$(call corner_pairs,$*)))

$(BUILD)/lint/%.icarus: $(RTL_ALL) $(CORNER_FILES) | $(SETUP)
	$(call silent,$(IVERILOG) -g2012 -Wall -Irtl/include $(call corner_files,$*) -s $(call corner_module,$*) -o /dev/null \
	  $(foreach p,$(call corner_pairs,$*),-P$(call corner_module,$*).$p))

$(BUILD)/lint/%.yosys: $(RTL_ALL) $(CORNER_FILES) | $(SETUP)
	$(call silent,$(YOSYS) -q -p "$(call corner_read,$*) $(call corner_check,$*)")

$(BUILD)/synth-check/%.done: $(RTL_ALL) $(CORNER_FILES) | $(SETUP)
	$(call silent,$(YOSYS) -q -p "$(call corner_read,$*) $(call corner_check,$*) $(call gates_check,synth -noabc -run :check)")

# The corners of the sample of one module, one after the other. Without the optimizations of synth it takes half the time.
# The last corner that the log names is the one that fails.
$(BUILD)/synth-check/%.sample: $(RTL_ALL) $(CORNER_FILES) | $(SETUP)
	$(call silent,$(YOSYS) -q -p "$(call corner_read,$*) design -save rtl; \
	  $(foreach c,$(filter $*-%,$(RTL_SAMPLE)),log -stderr corner $c; design -load rtl; $(call corner_check,$c) \
	    $(call gates_check,opt_clean; memory_map; opt_expr -undriven; techmap))" 2> $@.err; status=$$?; \
	  if [ $$status != 0 ] || grep -v '^corner ' $@.err; then cat $@.err; false; fi)

.PHONY: lint synth-check test-lint test-synth file-list

# Benches of single modules: tb/rtl/tb_<module>.sv and test_<module>.c. Verilator translates all
# benches of a room together, and each test drives the bench of its own module.
BENCH_ROOMS  := common parts route switch net bufferless discard diagonals snakes board
BENCH_common := anl_counter anl_pointer anl_fifo anl_front_fifo anl_prng anl_arb_cyclic \
                anl_arb_oldest anl_arb_farthest anl_arb_matrix anl_mux anl_encode anl_decode anl_select
BENCH_parts  := anl_lane_memory anl_lanes anl_packet_count anl_credits anl_link_slices anl_chained anl_admit anl_vc_select \
                anl_arbiter anl_class_scan anl_favour anl_binding anl_owners anl_eligible anl_second_port anl_options \
                anl_wide_scan anl_wide_grant anl_wide_output
BENCH_switch := anl_input anl_output anl_wide_input anl_wide_ports anl_switch anl_cube_switch anl_fat_tree_switch anl_butterfly_switch \
                anl_graph_switch anl_options_switch anl_source_switch
BENCH_net    := anl_cube anl_fat_tree anl_butterfly anl_terminal anl_axis_terminal
BENCH_bufferless := anl_bufferless anl_replay anl_bufferless_mesh
BENCH_snakes := anl_choose anl_snakes_clock anl_command
BENCH_discard := anl_discard anl_discard_butterfly
BENCH_diagonals := anl_diagonals anl_diagonals_clock anl_diagonals_torus
BENCH_board  := anl_uart anl_board_source anl_board_signature anl_board_signer anl_board_checker \
                anl_board_reporter anl_board
BENCH_route  := anl_dateline anl_route_mesh anl_route_torus anl_route_ring anl_route_hypercube \
                anl_route_fat_tree anl_route_butterfly anl_route_table anl_route_turn_model anl_route_adaptive anl_route_options \
                anl_route_source anl_list_shift

RTL_TESTS    := $(BUILD)/rtl-test
BENCH_DRIVERS := $(foreach r,$(BENCH_ROOMS),$(BENCH_$r:%=$(RTL_TESTS)/test_%.o))
BENCH_HELP   := $(RTL_TESTS)/bench.o $(RTL_TESTS)/rules.o $(RTL_TESTS)/routes.o \
                $(RTL_TESTS)/switch_rules.o $(RTL_TESTS)/switch_links.o \
                $(RTL_TESTS)/lone_worm.o $(RTL_TESTS)/fifo_rule.o \
                $(RTL_TESTS)/mux_rule.o
BENCH_STAMPS := $(foreach r,$(BENCH_ROOMS),$(BENCH_$r:%=$(RTL_TESTS)/%.passed))
BENCH_CXX     = $(VERILATED_CXX) -std=c++17 $(VINCLUDE) -DVL_USER_STOP -DVM_TRACE=0 -DVM_COVERAGE=0 \
                -DVM_SC=0
CLOCK_CODE   := $(addprefix tb/shim/,clock.cpp clock.h print.h instance.h) tb/tb.mk

# Unless SHARE=1, the benches of large modules have a sample of their corners, all benches one random seed instead of
# two, and networks in four states one round instead of two.
BENCH_SAMPLE := $(if $(filter 1,$(SHARE)),all,sample)

$(RTL_TESTS)/corners-$(BENCH_SAMPLE) $(RTL_TESTS)/rounds-$(BENCH_SAMPLE):
	@mkdir -p $(@D) && rm -f $(@:-$(BENCH_SAMPLE)=)-* && touch $@

# A four-state run of a network is named kind.scan.admission.chained, with .lanes.depth behind if
# they are not the defaults. In place of the kind stands the name of a scenario of tb/rtl/four_state if
# the network is a graph, whose RTL annelid writes. The time limit ends a simulation that never leaves a time step; it is
# ten times what the slowest run needs on a slow machine. With ROUNDS=9 a run goes on until every
# lane has been reset while it held a flit (make test-reset).
# `make test` runs the sample, which has every kind, scan and admission; SHARE=1 runs all.
FOUR_STATE   := $(foreach k,0 1 2 3,$(addprefix $k.,0.0.0 1.0.0 2.1.0 3.2.0)) \
                8.2.0.1 9.4.2.1 10.4.0.1 10.1.1.0 0.1.0.0.1.5 1184.1.0.0 320.2.0.0.1.2 \
                12.1.0.0 12.2.2.1 13.0.0.1 13.3.1.0 graph.1.0.0 graph.3.2.0 cube.2.1.0 cube.0.0.0 3.131072.0.0 class_routing.131072.0.0 3.1048577.1.0 3.3145729.0.1.2.1 \
                3.5.0.0 3.6.0.0 0.2049.0.0 12.3073.0.0 8.1026.0.0 \
                3.16385.0.0 3.1064961.0.0 3.147457.0.0 1.17409.1.0 8.16386.0.0 12.16388.2.0 3.16390.0.0 graph.16385.0.0 \
                source.1.0.0 11.1.0.0 3.50462721.0.0 128.1.0.0 3.1.3.0
FOUR_SAMPLE  := 0.1.0.0.1.5 graph.1.0.0 cube.2.1.0 1.3.2.0 2.2.1.0 3.0.0.0 3.1.0.0 3.2.1.0 8.2.0.1 9.4.2.1 10.1.1.0 \
                1184.1.0.0 320.2.0.0.1.2 13.0.0.1 3.131072.0.0 3.1048577.1.0 3.5.0.0 3.6.0.0 0.2049.0.0 \
                3.16385.0.0 3.1064961.0.0
FOUR_STAMPS  := $(patsubst %,$(RTL_TESTS)/four_state-%.done,$(if $(filter 1,$(SHARE)),$(FOUR_STATE),$(FOUR_SAMPLE)))
four_value    = $(word $2,$(subst ., ,$1))
FOUR_GRAPHS  := $(patsubst tb/rtl/four_state/%.yaml,%,$(wildcard tb/rtl/four_state/*.yaml))
# The RTL of a graph, and the stamps of the runs that need it.
four_graph    = $(RTL_TESTS)/four_state-$1.sv
four_stamps   = $(foreach n,$(filter $1.%,$(FOUR_STATE)),$(RTL_TESTS)/four_state-$n.done $(RTL_TESTS)/reset-$n.done)
four_kind     = $(if $(filter $(FOUR_GRAPHS),$(call four_value,$*,1)),-DGRAPH -DGRAPH_$(call four_value,$*,1),-DKIND=$(call four_value,$*,1))

define four_state
	@mkdir -p $(@D)
	@$(IVERILOG) -g2012 -Irtl/include $(RTL_SRC) -s four_state -o $@.vvp $(four_kind) \
	  -DSCAN=$(call four_value,$*,2) -DADMISSION=$(call four_value,$*,3) \
	  -DCHAINED=$(call four_value,$*,4) -DROUNDS=$1 \
	  $(if $(call four_value,$*,6),-DLANES=$(call four_value,$*,5) -DDEPTH=$(call four_value,$*,6)) $(filter $(call four_graph,%),$^) $< > $@.log 2>&1 || { cat $@.log; exit 1; }
	@timeout --foreground $2 vvp -n $@.vvp > $@.log 2>&1 && grep -q '^PASS' $@.log && ! grep -q ERROR $@.log \
	  || { echo "$@:"; grep -v '/dev' $@.log | tail -20; exit 1; }
	@rm $@.vvp
	@mv $@.log $@
endef

$(RTL_TESTS)/four_state-%.done: tb/rtl/four_state.sv $(RTL_ALL) $(RTL_TESTS)/rounds-$(BENCH_SAMPLE) | $(SETUP)
	$(call four_state,$(if $(filter all,$(BENCH_SAMPLE)),2,1),1200)

$(foreach g,$(FOUR_GRAPHS),$(eval $(call four_stamps,$g): $(call four_graph,$g)))

$(RTL_TESTS)/four_state-%.sv: tb/rtl/four_state/%.yaml $(CLI)
	@mkdir -p $(@D)
	@$(CLI) rtl $< --name anl -o $@

$(RTL_TESTS)/reset-%.done: tb/rtl/four_state.sv $(RTL_ALL) | $(SETUP)
	$(call four_state,9,7200)

test-reset: $(FOUR_STATE:%=$(RTL_TESTS)/reset-%.done) ## reset in mid-traffic, every lane of all networks, in four states (minutes)
	@grep -h PASS $^ | sort | uniq -c
	@echo "test-reset: $(words $^) networks, every lane that ever held a flit reset while it held one"

test-four-state: $(FOUR_STAMPS) ## networks from power-up, in four states; SHARE=1: all
	@JOBS=$(JOBS) $(PYTHON) tb/unit/scripts/test_four_state.py $(BUILD) $(JUNIT)/four-state.xml
	@echo "test-four-state: $(words $(FOUR_STAMPS)) networks"

test-rtl: $(BENCH_STAMPS) ## every RTL module against its rule; SHARE=1: all corners of the large ones
	@mkdir -p $(JUNIT) && cp $(BENCH_STAMPS:$(RTL_TESTS)/%.passed=$(RTL_TESTS)/junit/%.xml) $(JUNIT)/
	@echo "test-rtl: $(words $(BENCH_STAMPS)) modules pass, corners of large ones: $(BENCH_SAMPLE)"

$(RTL_TESTS)/%.o: tb/rtl/%.c $(wildcard tb/rtl/*.h) tb/shim/clock.h | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(CC) -std=c17 $(WARNINGS) -D_POSIX_C_SOURCE=200809L -Itb/shim $(VINCLUDE) -O2 -g -c -o $@ $<

# The top module of a room contains one bench of each of its modules. Only that of the module under test has a clock,
# because the others would take most of the time.
$(RTL_TESTS)/%/top.sv: rtl/rtl.mk
	@mkdir -p $(@D)
	@{ echo "module bench_$* (input logic clk_i, input logic rst_i);"; \
	   echo '  import "DPI-C" function bit bench_runs(input string name);'; \
	   for m in $(BENCH_$*); do echo "  logic $${m}_runs = bench_runs(\"$$m\");"; \
	     echo "  tb_$$m u_$$m (.clk_i(clk_i && $${m}_runs), .rst_i);"; done; echo endmodule; } > $@

# A corner that is built stands in a loop and its condition, of which only the inner one has a name. Newer versions warn of it;
# Verilator 5.006 does not know the warning, and refuses its name, -Wfuture or not.
VFUTURE = $$($(VERILATOR) -Wno-GENUNNAMED --version > /dev/null 2>&1 && echo -Wno-GENUNNAMED)

$(RTL_TESTS)/%/verilated.ok: $(RTL_TESTS)/%/top.sv $(RTL_TESTS)/corners-$(BENCH_SAMPLE) $(RTL_ALL) $(wildcard tb/rtl/*.sv* tb/rtl/*.vlt tb/rtl/include/*) | $(SETUP_REGRESS)
	@rm -f $(@D)/Vbench*
	@$(VERILATOR) --cc --assert $(if $(filter sample,$(BENCH_SAMPLE)),-DBENCH_SAMPLE) $(VCODE) -Wall -Wno-WIDTH -Wno-UNUSED -Wno-PINCONNECTEMPTY -Wno-DECLFILENAME -Wno-CMPCONST $(VFUTURE) $(if $(STRICT),,-Wno-fatal) --prefix Vbench --Mdir $(@D) \
	  -Itb/rtl/include -Itb/rtl $(wildcard tb/rtl/$*.vlt) tb/rtl/bench_assertion.sv -F $(RTL_LIST) \
	  $(addprefix tb/rtl/tb_,$(BENCH_$*:=.sv)) $< --top-module bench_$* > $(@D)/build.log 2>&1 || { cat $(@D)/build.log; exit 1; }
	@sed -n '/^%Warning/,$$p' $(@D)/build.log
	@touch $@

# The runs are short, so what takes time is compiling, and nothing is optimized.
$(RTL_TESTS)/%/network.a: VOPT := -O0
$(RTL_TESTS)/%/network.a: $(RTL_TESTS)/%/verilated.ok $(CLOCK_CODE) | $(SETUP_REGRESS)
	$(call compile_network,$(BENCH_CXX),clock.cpp)

define bench_room
$(BENCH_$1:%=$(RTL_TESTS)/test_%): $(RTL_TESTS)/test_%: $(RTL_TESTS)/test_%.o $(BENCH_HELP) $(RUNTIME) \
  $(RTL_TESTS)/$1/network.a | $(SETUP)
	@$$(CXX) $(GOLD) -o $$@ $$< $(BENCH_HELP) $(RTL_TESTS)/$1/network.a $(RUNTIME) -lcmocka -lpthread -latomic
endef
$(foreach r,$(BENCH_ROOMS),$(eval $(call bench_room,$r)))

$(RTL_TESTS)/%.passed: $(RTL_TESTS)/test_%
	@mkdir -p $(RTL_TESTS)/junit && rm -f $(RTL_TESTS)/junit/$*.xml
	@BENCH_SAMPLE=$(filter sample,$(BENCH_SAMPLE)) CMOCKA_MESSAGE_OUTPUT=xml CMOCKA_XML_FILE=$(RTL_TESTS)/junit/%g.xml $< > $<.log 2>&1 \
	  || { cat $<.log; cat $(RTL_TESTS)/junit/$*.xml; exit 1; }
	@touch $@

.PRECIOUS: $(RTL_TESTS)/%.o $(RTL_TESTS)/%/top.sv $(RTL_TESTS)/%/verilated.ok $(RTL_TESTS)/%/network.a \
           $(RTL_TESTS)/test_%
.PHONY: test-rtl test-four-state test-reset
