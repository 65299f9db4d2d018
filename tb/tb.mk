# SPDX-License-Identifier: Apache-2.0
#
# Lock-step of RTL and golden model. There is one program for each RTL parameter set,
# $(BUILD)/rtl/<key>/lockstep. The key names the parameters (tb/lockstep/drive/key.c). The suffixes
# -links, -ends and -rules stand for another mode than exact (tb/lockstep/run/lockstep.h), -fst for
# a program that can write waves, -all for waves of every part of the RTL, and -values for one that tells the values
# of the signals in a failing assertion. DUT="my.sv …"
# replaces those files of rtl/ whose modules it defines (scripts/annelid/dut.py).

CXX       ?= g++
CLANG     ?= clang
CLANGXX   ?= clang++
OBJCACHE  ?= $(call found,ccache)
# The passes of -O1 that are left out take time of g++ and make the runs no faster (docs/performance.md).
VOPT      ?= -O1 $(addprefix -fno-tree-,dominator-opts fre pre dse)
# Code that is not optimized takes clang, if there is one, half the time that it takes g++.
VERILATED_CXX = $(if $(and $(filter -O0,$(VOPT)),$(call found,$(firstword $(CLANGXX)))),$(ALLOCATE)$(OBJCACHE) $(CLANGXX) -fbracket-depth=4096,$(OBJCACHE) $(CXX))

comma      := ,
# In a shell, a word with whatever it contains.
quoted     = '$(subst ','\'',$1)'
# dut_name, the directory of its programs; dut_own, what is replaced of rtl/ (anl_graph: the network of a graph, which is
# written for each scenario); dut_files; dut_read, the lists and included files; and dut_flags of Verilator. A switch of
# somebody else that has a parameter Here gets its label by it as well as by its port here_i: -DANL_HERE.
ifneq ($(strip $(DUT)),)
ifeq ($(call found,$(firstword $(PYTHON))),)
  include $(SETUP_REGRESS)  # Python reads DUT=: scripts/setup finds it, and make begins anew
else
  dut_makefile := $(shell DUT=$(call quoted,$(DUT)) $(PYTHON) scripts/run dut --build $(BUILD))
  $(if $(filter %/dut.mk,$(dut_makefile)),,$(error $(dut_makefile)))
  include $(dut_makefile)
endif
endif
RTL_ROOT  := $(BUILD)/rtl$(if $(DUT),/$(dut_name))
RTL_FILES := $(filter-out $(dut_own),$(RTL_SRC)) $(dut_files)
TB_FILES  := $(filter-out $(dut_own),$(wildcard tb/lockstep/probes/*.sv)) tb/lockstep/probes/lockstep.vlt
# What Verilator reads for the network of a key. The program params has written the RTL of a graph.
GRAPHS     := graph source options
graph_of   = $(if $(filter $(GRAPHS),$(call family,$1)),$(if $(filter anl_graph,$(dut_own)),,$(if $(DUT),$(RTL_ROOT),$(BUILD))/graph/$(call key,$1).sv))
sv_files   = tb/lockstep/probes/anl_lockstep_assertion.sv $(RTL_FILES) $(call graph_of,$1) \
             $(filter-out tb/lockstep/probes/anl_lockstep_assertion.sv,$(TB_FILES)) \
             $(if $(call graph_of,$1),tb/lockstep/probes/lockstep_graph.vlt) $(if $(call kind_files,$1),$(KINDS_SHARE) $(call kind_files,$1))
# A kind of switch of a slice: anl_lockstep_<kind>.sv has its network, its sources and its probes, and a .vlt may be beside it.
kind_files = $(call in_slices,$(addprefix lockstep/anl_lockstep_$(call family,$1),.sv .vlt))
KINDS_SHARE := $(wildcard papers/common/lockstep/*.sv)

LOCKSTEP_SRC := $(filter-out %/params.c,$(wildcard tb/lockstep/*/*.c))
LOCKSTEP_OBJ := $(LOCKSTEP_SRC:tb/lockstep/%.c=$(BUILD)/lockstep/%.o) $(patsubst %.c,$(BUILD)/lockstep/%.o,$(call in_slices,lockstep/*.c))
LOCKSTEP_LIBS := $(LIBS)
# The rooms of the library that programs of the lock-step call. A first result need not wait for those of the command, which take
# half of the time.
LOCKSTEP_ROOMS := base blocking engine network referee report rtl scenario trace workload papers
LOCKSTEP_LIB   := $(BUILD)/lockstep/libannelid_lockstep.a
PARAMS       := $(BUILD)/lockstep/params

$(BUILD)/lockstep/%.o: tb/lockstep/%.c | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(CC) $(C17) -Itb/lockstep -I. -I$(PARTS) $(VINCLUDE) $(CFLAGS) -c -o $@ $<

$(BUILD)/lockstep/papers/%.o: papers/%.c | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(CC) $(C17) -Itb/lockstep -I. $(VINCLUDE) $(CFLAGS) -c -o $@ $<

$(LOCKSTEP_OBJ): | $(PARTS)/parts.inc

$(BUILD)/lockstep/%.o: $(VROOT)/include/%.cpp tb/shim/print.h tb/tb.mk | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(OBJCACHE) $(CXX) -std=c++17 -O2 $(VINCLUDE) -DVM_TRACE=1 -DVM_TRACE_VCD=1 -DVM_TRACE_FST=0 -DVM_COVERAGE=0 \
	  -DVM_SC=0 -DVL_USER_STOP -DVL_USER_FINISH -include tb/shim/print.h -DVL_PRINTF=anl_print -c -o $@ $<

$(PARAMS): $(addprefix $(BUILD)/lockstep/,drive/params.o drive/key.o run/parts.o run/tables.o compare/identify.o compare/worms.o compare/observed.o) $(LOCKSTEP_LIB)
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

$(LOCKSTEP_LIB): $(filter $(addprefix $(BUILD)/cmodel/,$(addsuffix /%,$(LOCKSTEP_ROOMS))),$(LIB_OBJ))
	@mkdir -p $(@D)
	@rm -f $@ && $(AR) qcs $@ $^

$(BUILD)/lockstep/all: $(PARAMS) $(LOCKSTEP_OBJ) $(LOCKSTEP_LIB) $(RUNTIME) $(BUILD)/lockstep/verilated_vcd_c.o
	@touch $@

# Unit tests of the rooms that need no RTL: tb/unit/lockstep/test_<room>.c, one cmocka program each. Those of the kinds of papers
# share the other sources of such folders.
UNIT_OF_KINDS  := $(call in_slices,lockstep/unit/*.c)
LOCKSTEP_OF_KINDS := $(patsubst papers/%.c,$(BUILD)/unit/lockstep/papers/%,$(filter $(call in_slices,lockstep/unit/test_*.c),$(UNIT_OF_KINDS)))
LOCKSTEP_TESTS := $(patsubst tb/%.c,$(BUILD)/%,$(wildcard tb/unit/lockstep/test_*.c)) $(LOCKSTEP_OF_KINDS)
ROOMS          := $(filter-out $(addprefix $(BUILD)/lockstep/,drive/cli.o drive/clocked.o drive/prelude.o drive/main.o waves/waves.o),$(LOCKSTEP_OBJ))

LOCKSTEP_CC     = $(CC) $(C17) -Itb/unit -Itb/lockstep -I. $(VINCLUDE) $(TEST_FLAGS)
SHARED_OF_KINDS := $(patsubst papers/%.c,$(BUILD)/unit/lockstep/papers/%.o,$(filter-out $(call in_slices,lockstep/unit/test_*.c),$(UNIT_OF_KINDS)))

$(SHARED_OF_KINDS): $(BUILD)/unit/lockstep/papers/%.o: papers/%.c | $(SETUP)
	@mkdir -p $(@D)
	@$(LOCKSTEP_CC) -c -o $@ $<

define build_lockstep_test
@mkdir -p $(@D)
@$(LOCKSTEP_CC) $(LDFLAGS) -o $@ $(filter %.c %.o,$^) $(LIB) $(LOCKSTEP_LIBS) -lcmocka
endef

# Static rules: with GNU make 4.4 the rule of all unit tests is chosen before a pattern whose objects are yet to be made.
$(filter-out $(LOCKSTEP_OF_KINDS),$(LOCKSTEP_TESTS)): $(BUILD)/unit/lockstep/%: tb/unit/lockstep/%.c $(ROOMS) $(LIB) | $(SETUP)
	$(build_lockstep_test)

$(LOCKSTEP_OF_KINDS): $(BUILD)/unit/lockstep/papers/%: papers/%.c $(SHARED_OF_KINDS) $(ROOMS) $(LIB) | $(SETUP)
	$(build_lockstep_test)

test-lockstep: $(LOCKSTEP_TESTS) # FULL=1: all random trials
	$(call run_c_tests,$(LOCKSTEP_TESTS))

test-graph: $(CLI)
	@mkdir -p $(JUNIT)
	@$(PYTHON) tb/unit/scripts/test_graph.py $(BUILD) $(JUNIT)/graph.xml
	@$(PYTHON) tb/unit/scripts/test_link_waves.py $(BUILD) $(JUNIT)/link-waves.xml

# Designs that annelid rtl writes, as their users run them.
test-design: $(CLI) # FULL=1: all of them
	@mkdir -p $(JUNIT)
	@UNIT_SHARE=$(SHARE) $(PYTHON) tb/unit/scripts/test_design.py $(BUILD) $(JUNIT)/design.xml
	@UNIT_SHARE=$(SHARE) $(PYTHON) tb/unit/scripts/test_into.py $(BUILD) $(JUNIT)/into.xml

# What annelid predict promises, against what was measured.
test-predict: $(CLI) # FULL=1: all scenarios
	@mkdir -p $(JUNIT)
	@UNIT_SHARE=$(SHARE) $(PYTHON) tb/unit/scripts/test_predict.py $(BUILD) $(JUNIT)/predict.xml

predict-draws: $(SETUP_MODEL) $(CLI) ## scenarios drawn at random and measured, for annelid predict's promises; COUNT=40 of each family; PROMISE=1: none, the promises are written
	@$(PYTHON) scripts/run predict-draws --build $(BUILD) $(if $(COUNT),--count $(COUNT)) $(if $(PROMISE),--promise)

test-random: $(CLI)
	@mkdir -p $(JUNIT)
	@$(PYTHON) tb/unit/scripts/test_random.py $(BUILD) $(JUNIT)/random.xml
	@$(PYTHON) tb/unit/scripts/test_values.py $(BUILD) $(JUNIT)/values.xml

# Connected graphs, always the same ones: in the golden model, and one in lock-step (REGRESS=graphs has 20).
test-random-graphs: $(CLI) # FULL=1: all of them
	@mkdir -p $(JUNIT)
	@UNIT_SHARE=$(SHARE) $(PYTHON) tb/unit/scripts/test_random_connected.py $(BUILD) $(JUNIT)/random-connected.xml

# cube_K4_N2_…_Arbiter1-fst is made of the key and the suffixes. A key is made of what the network is and of the RTL's
# parameters (tb/lockstep/drive/key.h), which scripts/run keys makes the words for Verilator of.
key        = $(firstword $(subst -, ,$1))
family     = $(firstword $(subst _K, ,$(call key,$1)))
words_of   = $(or $(shell $(PYTHON) scripts/run keys '$1'),$(error scripts/run keys knows no $1))
parameters = $(call words_of,$(call key,$1))
mode_of       = $(or $(filter links ends rules,$(subst -, ,$1)),exact)
trace_defines = $(addsuffix $(if $(findstring -fst,$*),=1,=0),-DVM_TRACE -DVM_TRACE_VCD)
values_of  = $(if $(findstring -values,$1),$(RTL_ROOT)/values.vlt)
# Newer versions of Verilator have an option of its own for VCD files.
trace_vcd  = $(if $(shell $(VERILATOR) --help 2>/dev/null | grep -e --trace-vcd),--trace-vcd,--trace)
tracing    = $(if $(findstring -fst,$1),$(trace_vcd) --no-trace-params $(if $(findstring -all,$1),,tb/lockstep/probes/waves.vlt))
# Warnings end no build, but what a user's switch says of its parameters does: $$error and $$fatal in its elaboration.
VFLAGS    := --cc $(VCODE) -Wno-fatal -Wno-lint -Wno-style -Werror-USERERROR -Werror-USERFATAL \
             -Itb/lockstep/probes/include -Irtl/include --top-module anl_lockstep_top $(VEXTRA)

verilate   = $(VERILATOR) $(VFLAGS) $(call parameters,$*) $(if $(filter-out exact,$(call mode_of,$*)),-DANL_UNWATCHED) \
             $(if $(filter links rules,$(call mode_of,$*)),-DANL_CREDITS) $(if $(filter ends,$(call mode_of,$*)),-DANL_CLOSED) \
             $(if $(DUT),--assert $(VNETLIST) $(dut_flags)) $(call values_of,$*) $(call tracing,$*) --Mdir $(@D) \
             $(call sv_files,$*)

# Prints why Verilator refuses the files. A switch given with DUT= has no registers of ours unless it
# says so; if nothing else is wrong in exact mode, one sentence tells what to do instead.
define say_why
if [ '$(call mode_of,$*)' = exact ] && [ -n $(call quoted,$(DUT)) ] && grep -q '^%Error.*u_core' $(@D)/verilator.log && \
  ! grep '^%Error' $(@D)/verilator.log | grep -v 'Exiting due' | grep -qv 'anl_lockstep_\(probe\|switch\).sv:.*u_core'; then \
  echo 'exact mode compares registers in an instance u_core, under the names of anl_switch, and '$(call quoted,$(DUT))' does not have them: \
use MODE=links or MODE=rules (docs/lockstep.md)'; \
else cat $(@D)/verilator.log; fi
endef

ifneq ($(strip $(DUT)),)
$(RTL_ROOT)/graph/%.sv: $(BUILD)/graph/%.sv $(dut_files)
	@mkdir -p $(@D)
	@DUT=$(call quoted,$(DUT)) $(PYTHON) scripts/run dut --build $(BUILD) --fit $< > $@.draft && mv $@.draft $@
endif

# Files that are newer but unchanged, as after a change of branches, are not verilated again.
.SECONDEXPANSION:
$(RTL_ROOT)/values.vlt: $(RTL_FILES) scripts/annelid/assertions.py
	@mkdir -p $(@D)
	@$(PYTHON) scripts/run assertions $(filter-out %.py,$^) > $@.draft && mv $@.draft $@

$(RTL_ROOT)/%/verilated.ok: $$(call sv_files,$$*) $$(call values_of,$$*) $(dut_read) tb/lockstep/probes/waves.vlt $(wildcard rtl/include/* tb/lockstep/probes/include/*) | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@{ echo $(call quoted,$(verilate)); sha256sum $^; } > $(@D)/inputs.new
	@if ! { [ -f $@ ] && cmp -s $(@D)/inputs $(@D)/inputs.new; }; then \
	  rm -f $@ $(@D)/*.cpp $(@D)/*.h $(@D)/*.o; \
	  $(verilate) > $(@D)/verilator.log 2>&1 || { $(say_why); exit 1; }; \
	fi
	@mv $(@D)/inputs.new $(@D)/inputs
	@touch $@

# Verilator writes dozens of files that read the same headers, so they are compiled as one; code
# that runs only once in a run comes last and is not optimized. Nothing throws, and code that is ready for it takes half as
# long again to compile. $1 is g++ and its options, $2 the file below tb/lockstep or tb/shim that stands between the network
# and C, if any. Names are relative to the directory, so that they are the same in every build and ccache finds them.
define compile_network
@cd $(@D) && top=$$(realpath --relative-to=. "$(CURDIR)") && for file in V*.cpp; do echo "#include \"$$file\""; done > heaps && \
  { echo '#include "instance.h"'; grep -v -e Slow -e __Syms heaps; $(if $2,echo '#include "$2"';) printf '#pragma %s\n' 'GCC optimize ("O0")' 'clang optimize off'; \
    grep -e Slow -e __Syms heaps; } > heap.cpp && \
  $1 -fno-exceptions $(VINCLUDE) -I. -I"$$top/tb/lockstep" -I"$$top/tb/shim" -DVM_TRACE_FST=0 $(VOPT) -c heap.cpp > compile.log 2>&1 \
  || { cat compile.log; exit 1; }
@rm -f $@ && $(AR) rcs $@ $(@D)/heap.o
@$(if $(filter -O0,$(VOPT)),touch,rm -f) $(@D)/unoptimized
endef

# Code that was not optimized is compiled again when it is to be: $1 is its folder below RTL_ROOT.
unoptimized = $(if $(filter -O0,$(VOPT)),,$(if $(wildcard $(RTL_ROOT)/$1/unoptimized),FORCE))

FORCE:

# With what a network is compiled, and how: compile_network stands in this file.
RTL_CODE := $(addprefix tb/lockstep/,run/rtl.cpp run/rtl.h run/context.h compare/failure.h) $(addprefix tb/shim/,print.h instance.h) tb/tb.mk
key_defines = -DANL_KEY='"$(firstword $(subst -, ,$*))"' -DANL_MODE='"$(call mode_of,$*)"'

$(RTL_ROOT)/%/network.a: $(RTL_ROOT)/%/verilated.ok $(RTL_CODE) $$(call unoptimized,$$*) | $(SETUP_REGRESS)
	$(call compile_network,$(VERILATED_CXX) -std=c++17 -DVM_COVERAGE=0 -DVM_SC=0 $(trace_defines) $(key_defines),run/rtl.cpp)

$(RTL_ROOT)/%/lockstep: $(RTL_ROOT)/%/network.a $(LOCKSTEP_OBJ) $(LOCKSTEP_LIB) $(RUNTIME) $(BUILD)/lockstep/verilated_vcd_c.o
	@$(CXX) $(LDFLAGS) -o $@ $(LOCKSTEP_OBJ) $< $(LOCKSTEP_LIB) $(RUNTIME) \
	  $(if $(findstring -fst,$*),$(BUILD)/lockstep/verilated_vcd_c.o) $(LOCKSTEP_LIBS) -lpthread -latomic

# A network by switches (tb/lockstep/run/by_switches.cpp): parts/lockstep loads the libraries that are beside it, one for each
# set of parameters of a switch, parts/switch/<family>_<parameters>/part.so, of a terminal, parts/terminal/<parameters>/part.so, or of a
# link, parts/link/…. So with parts-unwatched, whose switches need no registers of ours, and parts-fst or parts-fst-all, whose waves
# can be written.
# Code of parts is small: clang, if there is one, makes the fastest of it in the least time if it is to be small. Headers of
# Verilator's runtime would take it two thirds of the time of a terminal, so they are read once for all parts. The file
# of them goes through a pipe, since clang would write its name into it: it is the same in every build, for ccache.
PART_FILES := tb/lockstep/probes/anl_lockstep_assertion.sv $(RTL_FILES) $(filter-out $(dut_own),$(wildcard tb/lockstep/parts/*))
PART_CODE  := $(addprefix tb/lockstep/run/,part.cpp part.h) $(addprefix tb/shim/,print.h instance.h) tb/tb.mk
# Of a stem such as -fst/switch/cube_K4_…: switch, and switch/cube_K4_….
sort_of    = $(notdir $(patsubst %/,%,$(dir $1)))
name_of    = $(sort_of)/$(notdir $1)
part_top   = anl_lockstep_$(sort_of)
verilate_part = $(VERILATOR) $(subst anl_lockstep_top,$(part_top),$(VFLAGS)) --prefix Vpart -DANL_TOP=$(part_top) \
                $(part_words) $(if $(findstring -unwatched,$1),-DANL_UNWATCHED) $(if $(DUT),--assert $(VNETLIST) $(dut_flags)) \
                $(if $(findstring -fst,$1),-DANL_HALVES) $(call tracing,$1) --Mdir $(@D) $(PART_FILES)

$(RTL_ROOT)/parts%/verilated.ok: $(PART_FILES) $(dut_read) tb/lockstep/probes/waves.vlt $(wildcard rtl/include/* tb/lockstep/probes/include/*) | $(SETUP_REGRESS)
	$(eval part_words := $(call words_of,$(call name_of,$*)))
	@mkdir -p $(@D)
	@{ echo $(call quoted,$(call verilate_part,$*)); sha256sum $^; } > $(@D)/inputs.new
	@if ! { [ -f $@ ] && cmp -s $(@D)/inputs $(@D)/inputs.new; }; then \
	  rm -f $@ $(@D)/*.cpp $(@D)/*.h $(@D)/*.o; \
	  $(call verilate_part,$*) > $(@D)/verilator.log 2>&1 || { $(say_why); exit 1; }; \
	fi
	@mv $(@D)/inputs.new $(@D)/inputs
	@touch $@

part_clang := $(if $(CLANGXX),$(call found,$(firstword $(CLANGXX))))
part_vopt  := $(if $(filter -O0,$(VOPT)),-O0,$(if $(and $(part_clang),$(filter file,$(origin VOPT))),-Os,$(VOPT)))
part_flags = -std=c++17 -fPIC -fvisibility=hidden -fno-exceptions -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE_FST=0 $(trace_defines) $(VINCLUDE)
part_heads = $(if $(and $(part_clang),$(filter -O0 -Os,$(part_vopt))),$(BUILD)/lockstep/heads$(part_vopt)$(if $(findstring -fst,$1),-fst).pch)

# Headers that another version of clang has read are an error.
$(BUILD)/lockstep/clang: FORCE
	@mkdir -p $(@D)
	@$(CLANGXX) --version > $@.$$$$ && { cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@; }

# A static rule: make would prefer the rule of whole networks to one that needs what a pattern makes.
$(addprefix $(BUILD)/lockstep/heads,-O0.pch -Os.pch -O0-fst.pch -Os-fst.pch): $(BUILD)/lockstep/heads%.pch: $(VROOT)/include/verilated.h tb/tb.mk $(BUILD)/lockstep/clang | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@(cd $(VROOT)/include && $(CLANGXX) -fbracket-depth=4096 $(part_flags) $(firstword $(subst -fst, ,$*)) -Xclang -fno-pch-timestamp \
	  -x c++-header -o - verilated$(if $(findstring -fst,$*),_vcd_c).h) > $@.$$$$ && mv $@.$$$$ $@

$(RTL_ROOT)/parts%/network.a: VOPT := $(part_vopt)
$(RTL_ROOT)/parts%/network.a: $(RTL_ROOT)/parts%/verilated.ok $(PART_CODE) $$(call part_heads,$$*) $$(call unoptimized,parts$$*) | $(SETUP_REGRESS)
	$(call compile_network,$(if $(OBJCACHE),CCACHE_SLOPPINESS=pch_defines$(comma)time_macros) $(ALLOCATE)$(OBJCACHE) \
	  $(if $(part_clang),$(CLANGXX) -fbracket-depth=4096,$(CXX)) \
	  $(if $(part_heads),-include-pch "$$(realpath --relative-to=. $(call quoted,$(abspath $(call part_heads,$*))))") $(part_flags) \
	  $(patsubst %,-DANL_PART_%,$(call sort_of,$*)) $(if $(filter switch/graph_% switch/options_%,$(call name_of,$*)),-DANL_TABLES),run/part.cpp)

$(RTL_ROOT)/parts%/part.so: $(RTL_ROOT)/parts%/network.a
	@$(CXX) $(LDFLAGS) -shared -o $@ $(@D)/heap.o

BY_SWITCHES := $(addprefix $(BUILD)/lockstep/run/,by_switches.o assembly.o)

$(BY_SWITCHES): $(BUILD)/lockstep/%.o: tb/lockstep/%.cpp tb/tb.mk $(wildcard tb/lockstep/*/*.h) | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(OBJCACHE) $(CXX) -std=c++17 -O2 -Wall -Wextra -pthread $(VINCLUDE) -Itb/lockstep -Itb/shim $(PUBLIC) -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=1 \
	  -DVM_TRACE_VCD=1 -c -o $@ $<

$(RTL_ROOT)/parts%lockstep: $(BY_SWITCHES) $(LOCKSTEP_OBJ) $(LOCKSTEP_LIB) $(RUNTIME) $(BUILD)/lockstep/verilated_vcd_c.o
	@mkdir -p $(@D)
	@$(CXX) $(LDFLAGS) -rdynamic -o $@ $^ $(LOCKSTEP_LIBS) -lpthread -latomic -ldl

# The lock-step across crossings (tb/clocks): parts/clocks is beside the libraries that it loads, as parts/lockstep is.
CLOCKS_OBJ := $(patsubst tb/%,$(BUILD)/%.o,$(basename $(wildcard tb/clocks/*.c tb/clocks/*.cpp)))

$(BUILD)/clocks/%.o: tb/clocks/%.c $(wildcard tb/clocks/*.h tb/lockstep/*/*.h) | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(CC) $(C17) -Itb/lockstep -I. $(VINCLUDE) $(CFLAGS) -c -o $@ $<

$(BUILD)/clocks/%.o: tb/clocks/%.cpp $(wildcard tb/clocks/*.h tb/lockstep/*/*.h) | $(SETUP_REGRESS)
	@mkdir -p $(@D)
	@$(OBJCACHE) $(CXX) -std=c++17 -O2 -Wall -Wextra -pthread $(VINCLUDE) -Itb/lockstep -Itb/shim $(PUBLIC) -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 \
	  -c -o $@ $<

$(RTL_ROOT)/parts/clocks: $(CLOCKS_OBJ) $(BUILD)/lockstep/run/assembly.o $(ROOMS) $(LIB) $(RUNTIME)
	@mkdir -p $(@D)
	@$(CXX) $(LDFLAGS) -rdynamic -o $@ $^ $(LOCKSTEP_LIBS) -lpthread -latomic -ldl

# The lock-step as a SystemC design: RTL and golden model run side by side on one sc_clock. It is
# compiled as C++17 because Debian's libsystemc is. A Verilator that was built where no SystemC is asks for its folders, for
# makefiles of its own.
SC_KEY      ?= cube_K4_N2_Topology0_Routing0_NumVcs4_Depth4_FlitW32_Arbiter1
SC_SCENARIO ?= sim/scenarios/mesh4_uniform.yaml
SC_DIR       = $(BUILD)/systemc/$(SC_KEY)
SC_FLAGS     = -std=c++17 -O1 -I$(SC_DIR) -Itb/lockstep $(PUBLIC) $(VINCLUDE) -DVM_TRACE=0 -DVM_COVERAGE=0 -DVM_SC=1

$(SC_DIR)/network.a: VOPT := -O1 -fexceptions  # SystemC throws
$(SC_DIR)/network.a: $(call sv_files,$(SC_KEY)) $(wildcard rtl/include/* tb/lockstep/probes/include/*) | $(SETUP_SYSTEMC)
	@mkdir -p $(@D)
	@export SYSTEMC_INCLUDE=$${SYSTEMC_INCLUDE-/usr/include} SYSTEMC_LIBDIR=$${SYSTEMC_LIBDIR-/usr/lib}; \
	  $(VERILATOR) $(filter-out --cc,$(VFLAGS)) --sc $(call parameters,$(SC_KEY)) --Mdir $(@D) $(call sv_files,$(SC_KEY)) \
	  > $(@D)/verilator.log 2>&1 || { cat $(@D)/verilator.log; exit 1; }
	$(call compile_network,$(OBJCACHE) $(CXX) -std=c++17 -DVM_SC=1 -DVM_TRACE=0)

$(SC_DIR)/lockstep: tb/systemc/systemc.cpp $(SC_DIR)/network.a $(LOCKSTEP_OBJ) $(LOCKSTEP_LIB)
	@$(CXX) $(SC_FLAGS) -DANL_KEY='"$(SC_KEY)"' $(LDFLAGS) -o $@ tb/systemc/systemc.cpp \
	  $(filter-out %/main.o %/clocked.o %/prelude.o %/waves.o,$(LOCKSTEP_OBJ)) $(SC_DIR)/network.a $(LOCKSTEP_LIB) \
	  $(addprefix $(VROOT)/include/,verilated.cpp verilated_threads.cpp verilated_dpi.cpp) $(LOCKSTEP_LIBS) -lsystemc -lpthread -latomic

systemc: $(SC_DIR)/lockstep ## the lock-step as a SystemC design, one scenario (SC_SCENARIO=, SC_KEY=)
	@$(SC_DIR)/lockstep $(SC_SCENARIO)

REGRESS ?= default
MODE    ?= exact
regress_options = --build $(BUILD) --jobs $(JOBS) --mode $(MODE) $(if $(DUT),--dut $(call quoted,$(DUT))) \
                  $(if $(SCENARIO),--scenario $(call quoted,$(SCENARIO))) $(if $(SEED),--seed $(SEED)) \
                  $(if $(SET),--set=$(call quoted,$(SET))) $(if $(PRELUDE),--prelude $(PRELUDE))

regress: $(SETUP_REGRESS) ## RTL against golden model: REGRESS=default|smoke|standard|long|graphs|twice or a path of your own, REGRESS=random SEED= TIME=, REGRESS=pairs TIME=, or SCENARIO= SEED= SET='key=value …'; DUT= MODE=rules PRELUDE=0 WHOLE=1 THREADS= LAUNCH='srun -n1 -c1 --' JSON=file
	@$(PYTHON) scripts/run regress --regress $(call quoted,$(REGRESS)) $(regress_options) $(if $(TIME),--time $(TIME)) \
	  $(if $(filter-out 0,$(WHOLE)),--whole) $(if $(THREADS),--threads $(THREADS)) \
	  $(if $(LAUNCH),--launch $(call quoted,$(LAUNCH))) $(if $(JSON),--json $(call quoted,$(JSON)))

# The wires of networks, pin by pin (scripts/annelid/wires.py).
wires: $(SETUP_REGRESS) $(SETUP) ## do the wires of the RTL lead where the golden model says, pin by pin? REGRESS=default|standard|…: each network of the suite
	@$(PYTHON) scripts/run wires --build $(BUILD) --jobs $(JOBS) --suite $(call quoted,$(REGRESS)) --junit $(JUNIT)

test-wires: $(SETUP) $(PARAMS)
	@mkdir -p $(JUNIT)
	@$(PYTHON) tb/unit/scripts/test_wires.py $(BUILD) $(JUNIT)/wires-itself.xml

golden: $(SETUP_REGRESS) ## rewrite sim/golden/digests.txt from the suites whose runs must have one; REASON='why digests change'
	@$(PYTHON) scripts/run regress --golden --regress standard --build $(BUILD) --jobs $(JOBS) $(if $(REASON),--reason $(call quoted,$(REASON)))

waves: $(SETUP_VIEW) ## see who blocks whom in GTKWave or Surfer: SCENARIO=, SEED= SET='key=value …' AT=cycle WORM=id ALL=1 DUT= MODE=rules PRELUDE=0 VIEWER=surfer|gtkwave (opens it)
	@$(PYTHON) scripts/run regress --waves $(if $(AT),--at $(AT)) $(if $(WORM),--worm $(WORM)) $(if $(filter-out 0,$(ALL)),--all) \
	  $(if $(VIEWER),--viewer $(VIEWER)) $(regress_options)

# A network of anybody's switches, by the rules alone (scripts/annelid/judge.py).
judge: $(SETUP_REGRESS) $(LIB) $(CLI) ## judge a switch of anybody's, with links of any style: ROUTER=name SOURCES=folder BUG= MENDED=1, or DUT='files' LINKS=link.yaml SCENARIO=network.yaml; SEED= SET='key=value …' HESITATION= PLUS='plusarg …' TRACE=file WAVES=1 CHECKERS=1 JSON=file SWEEP=1
	@$(PYTHON) scripts/run judge --build $(BUILD) --jobs $(JOBS) $(if $(ROUTER),--router $(ROUTER)) $(if $(SOURCES),--sources $(call quoted,$(SOURCES))) \
	  $(if $(BUG),--bug $(BUG)) $(if $(filter-out 0,$(MENDED)),--mended) $(if $(DUT),--dut $(call quoted,$(DUT))) $(if $(LINKS),--links $(call quoted,$(LINKS))) \
	  $(if $(SCENARIO),--scenario $(call quoted,$(SCENARIO))) $(if $(SET)$(SEED),--set $(SET) $(SEED:%=run.seed=%)) \
	  $(if $(HESITATION),--hesitation $(HESITATION)) $(if $(PLUS),--plus $(call quoted,$(PLUS))) $(if $(TRACE),--trace $(call quoted,$(TRACE))) \
	  $(if $(filter-out 0,$(WAVES)),--waves) $(if $(filter-out 0,$(CHECKERS)),--checkers) $(if $(JSON),--json $(call quoted,$(JSON))) \
	  $(if $(filter-out 0,$(SWEEP)),--sweep)

judge-styles: $(SETUP_REGRESS) $(LIB) $(CLI) ## our switch behind adapters of each style of links, a million flits each: ONLY=; and in networks that are drawn, DRAWS= of each style; SEED=
	@$(PYTHON) scripts/run judge-styles --build $(BUILD) --jobs $(JOBS) --junit $(JUNIT) $(only) $(if $(DRAWS),--draws $(DRAWS)) $(if $(SEED),--seed $(SEED))

test-judge: export VOPT := -O0
test-judge: $(SETUP) $(SETUP_REGRESS) model # FULL=1: waves, too, judged by themselves
	@FULL=$(FULL) $(PYTHON) tb/unit/scripts/test_judge.py $(BUILD) $(JUNIT)/judge.xml

# Many worms through the switches of a slice's kind, and what a unit test asks beside them: papers/<slice>/lockstep/<target>.py,
# whose second line is what `make help` says, and unit/test_<target>.py.
KIND_SCRIPTS := $(call in_slices,lockstep/*.py)
KINDS        := $(sort $(basename $(notdir $(KIND_SCRIPTS))))
KINDS_HELP    = $(foreach script,$(KIND_SCRIPTS),sed -n '2s|^"""|$(basename $(notdir $(script)))\t|p' $(script);)
run_kind      = $(PYTHON) scripts/run kinds $1 --build $(BUILD) --jobs $(JOBS) --junit $(JUNIT)
test_kind     = $(PYTHON) $(call in_slices,unit/test_$1.py) $(BUILD) $(JUNIT)/$1-itself.xml

$(KINDS): %: $(SETUP_REGRESS) $(CLI)
	@$(call run_kind,$*)
	@UNIT_SHARE=1 $(call test_kind,$*)

$(KINDS:%=test-%): test-%: $(SETUP_REGRESS) $(CLI)
	@$(call run_kind,$*) --short
	@UNIT_SHARE=4 $(call test_kind,$*)

test-same-blocking: $(SETUP_REGRESS) # FULL=1: more scenarios
	@scripts/same-blocking $(BUILD) $(patsubst %,sim/scenarios/%.yaml,deadlock_ring5 wide_graph \
	  $(if $(filter 1,$(FULL)),mesh3_complement lesson_torus_deadlock wide_pair4))

waves-shots: $(SETUP_WAVES) ## pictures of waves, without a screen: build/waves/shots/*.png (ONLY=deadlock …)
	@$(PYTHON) scripts/run waves shots --build $(BUILD) $(only)

test-waves: export VOPT := -O0
test-waves: $(SETUP) $(SETUP_WAVES) # FULL=1: more networks by switches and whole
	@$(PYTHON) tb/unit/scripts/test_scripts.py $(BUILD) $(JUNIT)/scripts.xml
	@UNIT_SHARE=$(SHARE) $(PYTHON) tb/unit/scripts/test_regress.py $(BUILD) $(JUNIT)/regress.xml
	@$(PYTHON) tb/unit/scripts/test_reports.py $(BUILD) $(JUNIT)/reports.xml
	@$(PYTHON) tb/unit/scripts/test_launch.py $(BUILD) $(JUNIT)/launch.xml
	@$(PYTHON) tb/unit/scripts/test_dut.py $(BUILD) $(JUNIT)/dut.xml
	@$(PYTHON) tb/unit/scripts/test_surfer.py $(BUILD) $(JUNIT)/surfer.xml
	@$(PYTHON) scripts/run waves test --build $(BUILD) --junit $(JUNIT)

test-systemc: $(SETUP_SYSTEMC) $(STAGE)/made # FULL=1: the RTL of the page's network
	@mkdir -p $(JUNIT)
	@UNIT_SHARE=$(SHARE) $(PYTHON) tb/unit/scripts/test_systemc.py $(BUILD) $(JUNIT)/systemc.xml
	@$(MAKE) --no-print-directory systemc SC_KEY=cube_K3_N2_Topology0_Routing0_NumVcs1_Depth2_FlitW32_Arbiter0 SC_SCENARIO=sim/scenarios/mesh3_complement.yaml

.PHONY: FORCE $(KINDS) $(KINDS:%=test-%) regress wires test-wires golden waves waves-shots test-waves test-same-blocking systemc test-lockstep test-graph test-design test-predict predict-draws test-random test-random-graphs test-systemc

.PRECIOUS: $(BUILD)/lockstep/%.o $(RTL_ROOT)/%/verilated.ok $(RTL_ROOT)/%/network.a $(RTL_ROOT)/%/lockstep \
  $(addprefix $(RTL_ROOT)/parts%/,verilated.ok network.a)

-include $(LOCKSTEP_OBJ:.o=.d) $(CLOCKS_OBJ:.o=.d) $(BUILD)/lockstep/drive/params.d $(LOCKSTEP_TESTS:=.d) $(SHARED_OF_KINDS:.o=.d)
