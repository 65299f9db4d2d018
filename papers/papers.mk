# SPDX-License-Identifier: Apache-2.0
#
# This file builds and runs the programs of papers, which use the public API. A paper is a folder papers/<paper> with all that
# came with it: program/ (a main.c, its plan, its results), data/ (the numbers that the paper prints, scenarios), unit/ (tests),
# and its page. Target paper-<paper>, with - for _, runs it, and behind it oracle/oracle.py, a second program written from the
# paper and the readings on its page, which asks the command. What papers share is in papers/common.

# A paper that the library or the command has something of says so in parts.inc; this one names those of all papers.
# It is written anew when PAPERS= has changed.
PARTS_OF    := $(call in_slices,parts.inc)
PARTS_LIST  := $(PARTS)/$(subst $() ,.,$(or $(PARTS_OF:papers/%/parts.inc=%),none)).list
$(PARTS_LIST):
	@rm -rf $(@D) && mkdir -p $(@D) && touch $@

$(PARTS)/parts.inc: $(PARTS_LIST)
	@for part in $(PARTS_OF); do echo "#include \"$$part\""; done > $@

# Which objects read it, their .d files say.
$(LIB_OBJ) $(CLI_OBJ): | $(PARTS)/parts.inc

# A slice may be without a program.
WITH_PROGRAM := $(patsubst papers/%/program/main.c,%,$(call in_slices,program/main.c))
PAPERS_LIB  := $(BUILD)/libannelid_papers.a
PAPERS_OBJ  := $(foreach slice,$(SLICES),$(patsubst papers/%,$(BUILD)/programs/papers/%.o,$(basename $(wildcard papers/$(slice)/program/*.[cS]))))
paper_name   = paper-$(subst _,-,$1)
oracle_of    = $(wildcard papers/$1/oracle/oracle.py)
paper_tests  = $(filter $(BUILD)/unit/papers/$1/%,$(C_TESTS))

# The commands that print the help of papers: line 3 of each main.c.
PAPERS_HELP  = $(foreach paper,$(WITH_PROGRAM),sed -n '3s|^//|$(call paper_name,$(paper))\t|p' papers/$(paper)/program/main.c;)

$(BUILD)/programs/papers/%.o: papers/%.c | $(SETUP_MODEL)
	@mkdir -p $(@D)
	@$(CC) $(C17) $(PROGRAMS) $(CFLAGS) -c -o $@ $<

$(BUILD)/programs/papers/%.o: papers/%.S $(wildcard $(foreach end,html js,papers/*/program/*.$(end)))
	@mkdir -p $(@D)
	@$(CC) -c -o $@ $<

$(PAPERS_LIB): $(filter $(BUILD)/programs/papers/common/%,$(PAPERS_OBJ))

# The rules of a paper: its library, its program, its unit tests, and the target that runs it.
define paper_rules
$(BUILD)/libannelid_$1.a: $(filter-out %/main.o,$(filter $(BUILD)/programs/papers/$1/%,$(PAPERS_OBJ)))

$(BUILD)/$(paper_name): $(BUILD)/programs/papers/$1/program/main.o $(BUILD)/libannelid_$1.a $(PAPERS_LIB) $(COMMON) $(LIB)
	@$$(CC) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ $$(GSL) $$(LIBS)

$(call paper_tests,$1): $(BUILD)/libannelid_$1.a
$(call paper_tests,$1): TEST_ROOMS = $(BUILD)/libannelid_$1.a $(PAPERS_LIB) $(CLI_LIB) $(COMMON) $(LIB) $(GSL)

# The short form is for its figures; the whole one draws curves, too. The oracle runs whatever the program found.
$(paper_name): $(if $(filter-out 0,$(SHORT)),$(SETUP_MODEL),$(SETUP)) $(BUILD)/$(paper_name) $(if $(call oracle_of,$1),$(CLI))
	@mkdir -p $(BUILD)/papers
	@status=0; $(BUILD)/$(paper_name) --output $(BUILD)/papers/$1 --jobs $$(JOBS) $$(if $$(SHORT),--short) || status=$$$$?; \
	  $(foreach oracle,$(call oracle_of,$1),[ $$$$status -gt 1 ] || $(PYTHON) $(oracle) --build $(BUILD) $$(if $$(SHORT),--short) || status=1;) \
	  exit $$$$status

.PHONY: $(paper_name)
endef

# Tests of papers are built as other unit tests are (cmodel.mk). What papers hold a room to, test_<room>_*.c, may call what the
# tests of that room share, and the others what the tests of papers share.
PAPERS_SHARED := $(filter-out $(call in_slices,unit/test_*.c),$(call in_slices,unit/*.c))
PAPERS_UNIT   := $(BUILD)/libannelid_unit_of_papers.a
$(PAPERS_UNIT): $(PAPERS_SHARED:papers/%.c=$(BUILD)/shared/papers/%.o)

$(BUILD)/shared/papers/%.o: papers/%.c | $(SETUP)
	@mkdir -p $(@D)
	@$(TEST_CC) -c -o $@ $<

shared_with    = $(or $(firstword $(foreach room,$(UNIT_ROOMS),$(if $(filter test_$(room)_%,$1),$(BUILD)/libannelid_unit_$(room).a))),$(PAPERS_UNIT))

define paper_test_rules
$(call paper_tests,$1): ROOM_LIB = $$(call shared_with,$$(@F))
$(call paper_tests,$1): $(BUILD)/unit/papers/$1/%: papers/$1/unit/%.c $(PAPERS_UNIT) $(UNIT_ROOMS:%=$(BUILD)/libannelid_unit_%.a) $(UNIT_LIB) \
    $(PAPERS_LIB) $(CLI_LIB) $(COMMON) $(LIB) | $(SETUP)
	$$(build_unit_test)
endef

$(foreach slice,$(filter-out $(WITH_PROGRAM),$(SLICES)),$(call paper_tests,$(slice))): TEST_ROOMS = $(PAPERS_LIB) $(CLI_LIB) $(COMMON) $(LIB) $(GSL)
$(foreach slice,$(SLICES),$(eval $(call paper_test_rules,$(slice))))
$(foreach paper,$(WITH_PROGRAM),$(eval $(call paper_rules,$(paper))))

# The product without any paper. What is built of it is the same with papers, but for the two files that read their list.
ALONE   := $(BUILD)/alone
LISTING := cmodel/network/machine.o programs/cli/main.o
ALONE_SOME := C_TEST_SRC="$(addprefix tb/unit/,network/test_config.c scenario/test_scenario.c run/test_run.c cli/test_cli.c)"

test-alone: $(LIB) $(CLI) $(COMMON) ## library, command and unit tests without any paper; FULL=1: all unit tests; C_TEST_SRC=
	@cd $(BUILD) && for one in $(filter-out $(LISTING),$(patsubst $(BUILD)/%,%,$(filter-out $(BUILD)/cmodel/papers/% $(BUILD)/programs/papers/%,$(LIB_OBJ) $(CLI_OBJ) $(COMMON_OBJ)))); do \
	  mkdir -p alone/$${one%/*} && cp -pu $$one alone/$$one; done
	@$(MAKE) --no-print-directory -j$(JOBS) BUILD=$(ALONE) JUNIT=$(JUNIT)/alone PAPERS= model test-c $(if $(filter 1,$(FULL))$(filter command,$(firstword $(origin C_TEST_SRC))),,$(ALONE_SOME))

.PHONY: test-alone

-include $(PAPERS_OBJ:.o=.d) $(PAPERS_SHARED:papers/%.c=$(BUILD)/shared/papers/%.d)
