# SPDX-License-Identifier: Apache-2.0
#
# This file builds the golden model: the library, the command annelid, the unit tests of the C rooms, and annelid-mpi.

CFLAGS   ?= -O3 -g1
AR       ?= ar
# A newer compiler may warn of more than those that it was tried with; WERROR=1, as .ci/run has it, makes warnings errors.
STRICT   := $(filter-out 0,$(WERROR))
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(if $(STRICT),-Werror)
# Where public headers are, and the list of the parts of papers that are built (papers/papers.mk).
PUBLIC   := -Icmodel/include $(addprefix -I,$(call in_slices,include))
PARTS    := $(BUILD)/parts
C17      := -std=c17 -D_POSIX_C_SOURCE=200809L $(WARNINGS) $(PUBLIC) -MMD -MP
LIBS     := -lyaml -lxxhash -lzstd -ljansson -lm
GSL      := -lgsl -lgslcblas

# Code that can stand anywhere serves the shared library, too; it is as fast as other code (docs/install.md).
PIC      := -fPIC -fno-semantic-interposition
LIB_SRC  := $(wildcard cmodel/src/*/*.c) $(call in_slices,lib/*/*.c)
LIB_OBJ  := $(patsubst %.c,$(BUILD)/cmodel/%.o,$(LIB_SRC:cmodel/src/%=%))
PRIVATE  := -Icmodel/src -I. -I$(PARTS)  # where private headers are
LIB      := $(BUILD)/libannelid.a

# Programs are not part of the library: the command (cli), those of papers (papers.mk), and what both share (common).
# With COMMAND_OF=another build their code is that of the other one, which must exist, and only the library is built anew.
PROGRAMS   := -D_GNU_SOURCE -Icmodel -Icmodel/cli -I. -I$(PARTS)
COMMAND_OF ?= $(BUILD)
COMMON_OBJ := $(patsubst cmodel/%.c,$(COMMAND_OF)/programs/%.o,$(wildcard cmodel/common/*.c))
COMMON     := $(COMMAND_OF)/libannelid_common.a
CLI_SRC    := $(wildcard cmodel/cli/*.c cmodel/cli/*/*.c) $(call in_slices,cli/*.c)
CLI_OBJ    := $(patsubst %.c,$(COMMAND_OF)/programs/%.o,$(CLI_SRC:cmodel/%=%)) $(COMMAND_OF)/programs/cli/shared/pages.o \
              $(COMMAND_OF)/programs/cli/design/files.o
CLI_MAIN   := $(COMMAND_OF)/programs/cli/main.o
CLI_LIB    := $(COMMAND_OF)/libannelid_cli.a
CLI        := $(BUILD)/annelid

model: $(LIB) $(CLI) ## build libannelid and the annelid command

# The first thing to see: it needs what `make model` needs.
worm: $(SETUP_MODEL) ## build the annelid command, and see five worms that block each other
	@$(MAKE) --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS)) model
	@$(CLI) worms sim/scenarios/deadlock_ring5.yaml

$(LIB): $(LIB_OBJ)
$(COMMON): $(COMMON_OBJ)
$(CLI_LIB): $(filter-out $(CLI_MAIN),$(CLI_OBJ))

$(BUILD)/lib%.a:
	@rm -f $@
	@$(AR) qcs $@ $^

$(CLI): $(CLI_MAIN) $(CLI_LIB) $(COMMON) $(LIB)
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(GSL) -lcgraph -lbz2 $(LIBS)

$(BUILD)/cmodel/%.o: cmodel/src/%.c | $(SETUP_MODEL)
	@mkdir -p $(@D)
	@$(CC) $(C17) $(PRIVATE) $(PIC) $(CFLAGS) $(PROCESSOR) -c -o $@ $<

$(BUILD)/cmodel/papers/%.o: papers/%.c | $(SETUP_MODEL)
	@mkdir -p $(@D)
	@$(CC) $(C17) $(PRIVATE) $(PIC) $(CFLAGS) -c -o $@ $<

# Batches of 32 and 64 runs have instructions of their own, and are used where the processor knows them.
# The compiler is asked when they are compiled, as there may be none before scripts/setup has been run.
for_x86_64 = $(if $(findstring x86_64,$(shell $(CC) -dumpmachine)),$1)
$(BUILD)/cmodel/batch/avx2.o: PROCESSOR = $(call for_x86_64,-mavx2 -mbmi -mbmi2)
$(BUILD)/cmodel/batch/avx512.o: PROCESSOR = $(call for_x86_64,-mavx2 -mavx512f -mavx512bw -mavx512vl -mavx512dq -mbmi -mbmi2 -mprefer-vector-width=512)

$(BUILD)/programs/%.o: cmodel/%.c | $(SETUP_MODEL)
	@mkdir -p $(@D)
	@$(CC) $(C17) $(PROGRAMS) $(CFLAGS) -c -o $@ $<

# Programs contain the parts of the pages that they write: the command, of annelid draw and annelid plot; a paper, of its own.
$(BUILD)/programs/%.o: cmodel/%.S $(wildcard $(foreach end,html css js svg,cmodel/*/*/*.$(end)))
	@mkdir -p $(@D)
	@$(CC) -c -o $@ $<

# The command contains the RTL and the templates of what annelid rtl writes, as a table of paths and texts
# (cli/design/design.h).
DESIGN_FILES := $(call in_list,rtl/annelid.f) rtl/include/anl_assert.svh LICENSE $(wildcard $(addprefix cmodel/cli/design/*.,sv md core f bender sdc xdc lpf pcf))

$(BUILD)/programs/cli/design/files.S: $(DESIGN_FILES) rtl/annelid.f cmodel/cmodel.mk
	@mkdir -p $(@D)
	@{ printf '%s\n' '.section .rodata' '.balign 8' '.global design_num_files, design_files' 'design_num_files: .quad $(words $(DESIGN_FILES))'; \
	   number=0; for file in $(DESIGN_FILES); do number=$$((number + 1)); \
	     printf 'path%d: .asciz "%s"\ntext%d: .incbin "%s"\n.byte 0\n' $$number "$${file#cmodel/cli/design/}" $$number "$$file"; done; \
	   printf '%s\n' '.section .data.rel.ro, "aw"' '.balign 8' 'design_files:'; \
	   for number in $$(seq $$number); do echo ".quad path$$number, text$$number"; done; \
	   echo '.section .note.GNU-stack, "", %progbits'; } > $@

$(BUILD)/programs/cli/design/files.o: $(BUILD)/programs/cli/design/files.S
	@$(CC) -c -o $@ $<

# The command contains the sets that `make fpga` has measured (cli/cost/cost.h), from their table and their history.
COST_FIGURES := $(COMMAND_OF)/programs/cli/cost/cost_figures.inc
$(COST_FIGURES): tb/campaigns/fpga/fpga.toml tb/campaigns/fpga/history.csv $(addprefix scripts/annelid/,cost_figures.py fpga_history.py)
	@mkdir -p $(@D)
	@$(PYTHON) scripts/run cost-figures $@ && touch $@

$(COMMAND_OF)/programs/cli/cost/sets.o: $(COST_FIGURES)
$(COMMAND_OF)/programs/cli/cost/sets.o: PROGRAMS += -I$(dir $(COST_FIGURES))

# Each unit test tb/unit/<room>/test_*.c, or papers/<paper>/unit/test_*.c, is a program with cmocka. TEST_ROOMS are libraries
# that it needs beside libannelid.
# The other sources are what tests share: those of a room belong to a library of the tests of this room, those of tb/unit and
# of the oracle (tb/oracle) to one that all tests may call. Tests of papers may call all of them.
# To optimize the code of the tests takes longer than it saves, so they have -O1 where the library has -O3, and none where
# it has -O1 or -Og, as with sanitizers.
TEST_FLAGS  = $(subst -O3,-O1,$(subst -Og,-O0,$(subst -O1,-O0,$(CFLAGS))))
C_TEST_ALL := $(wildcard tb/unit/*/test_*.c)
C_TEST_SRC := $(filter-out tb/unit/lockstep/%,$(C_TEST_ALL)) $(call in_slices,unit/test_*.c)
C_TESTS    := $(patsubst tb/unit/%.c,$(BUILD)/unit/%,$(filter tb/%,$(C_TEST_SRC))) \
              $(patsubst papers/%.c,$(BUILD)/unit/papers/%,$(subst /unit/,/,$(filter papers/%,$(C_TEST_SRC))))
CLI_TESTS  := $(filter $(BUILD)/unit/cli/% $(BUILD)/unit/common/%,$(C_TESTS))

TEST_CC     = $(CC) $(C17) $(PRIVATE) $(PROGRAMS) -Itb -Itb/unit -Ipapers/common/unit $(TEST_FLAGS)
SHARED_SRC := $(filter-out $(C_TEST_ALL),$(wildcard tb/unit/*.c tb/unit/*/*.c tb/oracle/*.c))
SHARED_OBJ := $(SHARED_SRC:tb/%.c=$(BUILD)/shared/%.o)
UNIT_LIB   := $(BUILD)/libannelid_unit.a
UNIT_ROOMS := $(sort $(foreach source,$(filter-out $(wildcard tb/unit/*.c),$(filter tb/unit/%,$(SHARED_SRC))),$(word 3,$(subst /, ,$(source)))))

$(BUILD)/shared/%.o: tb/%.c | $(SETUP)
	@mkdir -p $(@D)
	@$(TEST_CC) -c -o $@ $<

$(UNIT_LIB): $(filter $(BUILD)/shared/oracle/% $(patsubst tb/%.c,$(BUILD)/shared/%.o,$(wildcard tb/unit/*.c)),$(SHARED_OBJ))

define build_unit_test
@mkdir -p $(@D)
@$(TEST_CC) -Wno-missing-prototypes $(LDFLAGS) -o $@ $< $(ROOM_LIB) $(UNIT_LIB) $(TEST_ROOMS) $(LIB) $(LIBS) -lcmocka
endef

$(BUILD)/unit/%: tb/unit/%.c $(UNIT_LIB) $(LIB) | $(SETUP)
	$(build_unit_test)

define unit_room
$(BUILD)/libannelid_unit_$1.a: $(filter $(BUILD)/shared/unit/$1/%,$(SHARED_OBJ))
$(filter $(BUILD)/unit/$1/%,$(C_TESTS)): $(BUILD)/libannelid_unit_$1.a
$(filter $(BUILD)/unit/$1/%,$(C_TESTS)): ROOM_LIB = $(BUILD)/libannelid_unit_$1.a
endef
$(foreach room,$(UNIT_ROOMS),$(eval $(call unit_room,$(room))))

$(BUILD)/unit/run/test_memory: LDFLAGS += $(addprefix -Wl$(COMMA)--wrap=,malloc calloc realloc aligned_alloc strdup open_memstream free)

$(CLI_TESTS): $(CLI_LIB) $(COMMON)
$(CLI_TESTS): TEST_ROOMS = $(CLI_LIB) $(COMMON) $(LIB) $(GSL)

# Unless FULL=1, tests that take long run as samples: unit tests make one in SHARE of their random trials, and one in
# 8 * SHARE under the address sanitizer, where they also leave cases of long lists out (tb/unit/unit.h); only some networks
# are run in four states (rtl/rtl.mk).
SHARE = $(if $(filter 1,$(FULL)),1,4)

# Runs test programs, $(JOBS) at once. Each writes its result to $(JUNIT)/<room>/; only failures are printed.
define run_c_tests
@printf '%s\n' $1 | xargs -P $(JOBS) -I{} bash -c 't={} status=0; \
  xml=$(JUNIT)/$${t#$(BUILD)/unit/}.xml; mkdir -p $$(dirname $$xml); rm -f $$xml; \
  if ! ANNELID=$(CLI) PYTHON=$(PYTHON) UNIT_SHARE=$${UNIT_SHARE:-$(SHARE)} CMOCKA_MESSAGE_OUTPUT=xml CMOCKA_XML_FILE=$$xml $$t > $$xml.log 2>&1; then \
    echo "FAILED $$t"; cat $$xml.log; grep -B1 -A3 "<failure" $$xml; status=1; fi; \
  [ -s $$xml ] || { echo "$$t left no result"; status=1; }; exit $$status'
endef

test-c: $(C_TESTS) $(CLI) # FULL=1: all random trials; C_TEST_SRC="tb/unit/cli/test_plot.c …"
	$(call run_c_tests,$(C_TESTS))

test-browser: $(SETUP_BROWSER) $(CLI) $(BUILD)/paper-bock ## the pages of annelid draw, annelid plot and make paper-bock in a headless Chromium
	@mkdir -p $(JUNIT)
	@$(PYTHON) tb/browser/test_page.py $(CLI) $(JUNIT)/browser.xml
	@$(PYTHON) tb/browser/test_report.py $(CLI) $(JUNIT)/browser-report.xml
	@$(PYTHON) tb/browser/test_phases.py $(BUILD)/paper-bock $(JUNIT)/browser-phases.xml

# With sanitizers a compiler takes a quarter of a minute for the inlined functions of the engine (engine/engine.h), and less
# than a second for the same functions when it calls them.
CALLED    := -Dalways_inline=unused
# Most programs are small tests, which gold links in half the time, where it is there; at a fixed place they start faster.
GOLD       = $(if $(call found,ld.gold),-fuse-ld=gold)
SANITIZED  = BUILD=$(BUILD)/sanitized JUNIT=$(JUNIT)/sanitized \
             CFLAGS="-Og -g1 $(CALLED) -fsanitize=address,undefined -fno-sanitize-recover=all -no-pie $(GOLD)"

test-sanitized: export ANNELID_QUICK := $(CLI)
test-sanitized: $(CLI) ## the C unit tests under the address and undefined-behaviour sanitizers; FULL=1: one random trial in 8, and all else; C_TEST_SRC=
	@$(MAKE) --no-print-directory -j$(JOBS) $(SANITIZED) test-c test-lockstep

# The thread sanitizer makes a program with a race fail, tests as well as the commands that they run. Rooms that these do not
# come by are taken as they are built.
UNTHREADED := $(addprefix programs/cli/,draw import plot worms) $(addprefix cmodel/,board driver layout links live rtl theory) \
              $(addprefix programs/,$(call in_slices,cli)) $(addprefix cmodel/,$(call in_slices,lib/colour lib/bufferless))

test-threads: model ## what has threads, under the thread sanitizer; FULL=1: one random trial in 8, and all else
	@$(foreach room,$(UNTHREADED),mkdir -p $(BUILD)/threads/$(room) && cp -p $(BUILD)/$(room)/*.o $(BUILD)/threads/$(room) &&) true
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=$(BUILD)/threads JUNIT=$(JUNIT)/threads CFLAGS="-Og -g1 $(CALLED) -fsanitize=thread $(GOLD)" \
	  C_TEST_SRC="tb/unit/run/test_run_blocking.c tb/unit/run/test_team.c" test-c
	@$(BUILD)/threads/annelid sweep --engine batch --workers 4 --cycles 500 --loads 0.1,0.2 --seeds 8 --restart -o $(BUILD)/threads/sweep.csv \
	  sim/sweeps/mesh8_lanes.yaml > $(BUILD)/threads/sweep.log 2>&1 || { cat $(BUILD)/threads/sweep.log; exit 1; }
	@CFLAGS="-Og -g1 $(CALLED) -fsanitize=thread $(GOLD)" CXX="$(CXX) -fsanitize=thread" CLANGXX=none LDFLAGS=-fsanitize=thread VOPT=-O0 \
	  $(PYTHON) scripts/run regress --build $(BUILD)/threads --jobs $(JOBS) --threads 3 --scenario mesh3_complement --set run.cycles=300 \
	  > $(BUILD)/threads/regress.log || { cat $(BUILD)/threads/regress.log; exit 1; }

test-determinism: $(SETUP) # FULL=1: all compilers and orders for each scenario
	@JOBS=$(JOBS) FULL=$(FULL) scripts/determinism $(BUILD) $(wildcard sim/scenarios/*.yaml) $(call in_slices,scenarios/*.yaml)

# Beyond one machine (docs/scale.md). Nothing but annelid-mpi, commands of annelid over the ranks of an MPI program, needs MPI.

MPICC       ?= mpicc
MPI_OBJ     := $(patsubst cmodel/mpi/%.c,$(BUILD)/mpi/%.o,$(wildcard cmodel/mpi/*.c))
ANNELID_MPI := $(BUILD)/annelid-mpi
# METIS cuts graphs; without it they are cut as well (cmodel/mpi/cut.c).
METIS = $(if $(shell echo '\#include <metis.h>' | $(MPICC) -E -xc - 2> /dev/null),metis)
MPI_IF_THERE = $(if $(call found,$(MPICC)),$(ANNELID_MPI))

$(BUILD)/mpi/%.o: cmodel/mpi/%.c | $(SETUP_MPI)
	@mkdir -p $(@D)
	@$(MPICC) $(C17) $(PROGRAMS) $(CFLAGS) $(METIS:%=-DWITH_METIS) -c -o $@ $<

$(ANNELID_MPI): $(MPI_OBJ) $(CLI_LIB) $(COMMON) $(LIB)
	@$(MPICC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(GSL) -lcgraph -lbz2 $(LIBS) $(METIS:%=-l%)

mpi: $(ANNELID_MPI) ## build annelid-mpi: a network, or a sweep, over the ranks of an MPI program

# The test starts a Slurm of this machine in a directory of its own.
test-scale: $(SETUP_SCALE) $(SETUP_MPI) $(CLI) $(ANNELID_MPI) ## regressions as jobs of a Slurm that is started here, sweeps over ranks
	@mkdir -p $(JUNIT)
	@$(PYTHON) tb/scale/test_scale.py $(BUILD) $(JUNIT)/scale.xml
	@$(PYTHON) tb/scale/test_mpi.py $(BUILD) $(JUNIT)/mpi.xml

# Without MPI the test is skipped.
test-ranks: $(SETUP) $(CLI) $(MPI_IF_THERE) ## one network over MPI ranks against one process; MPICC=mpicc FULL=1: all scenarios
	@mkdir -p $(JUNIT)
	@FULL=$(FULL) $(PYTHON) tb/scale/test_ranks.py $(BUILD) $(JUNIT)/ranks.xml

# Without MPI all runs are of one process.
test-checkpoint: $(SETUP) $(CLI) $(MPI_IF_THERE) ## runs that are killed and go on, over other numbers of ranks; MPICC=mpicc FULL=1: all scenarios
	@mkdir -p $(JUNIT)
	@FULL=$(FULL) $(PYTHON) tb/scale/test_checkpoint.py $(BUILD) $(JUNIT)/checkpoint.xml

C_FORMATTED = $(wildcard docs/systemc/*.cpp cmodel/*/*.[ch] cmodel/*/*/*.[ch] cmodel/systemc/*/*/*.h cmodel/src/*/*.inc papers/*/*/*.[ch] papers/*/*/*/*.[ch] $(foreach depth,* */* */*/*,tb/$(depth).[ch] tb/$(depth).cpp))

format: $(SETUP) ## check that the C sources match .clang-format, and that the RTL has its one format
	@clang-format --dry-run -Werror $(C_FORMATTED)
	@$(PYTHON) scripts/run rtl-format rtl tb papers constraints docs

-include $(LIB_OBJ:.o=.d) $(COMMON_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(SHARED_OBJ:.o=.d) $(C_TESTS:=.d) $(MPI_OBJ:.o=.d)

.PHONY: model worm test-c test-browser test-sanitized test-threads test-determinism format mpi test-scale test-ranks test-checkpoint
