# SPDX-License-Identifier: Apache-2.0
#
# This file builds and runs the programs of papers, which use the public API. A paper is a folder cmodel/papers/<paper> with
# a main.c; the numbers that the paper prints are in sim/papers/<paper>. Target paper-<paper>, with - for _, runs it. The
# code that papers share is in cmodel/papers/common.

PAPERS      := $(patsubst cmodel/papers/%/main.c,%,$(wildcard cmodel/papers/*/main.c))
PAPERS_LIB  := $(BUILD)/libannelid_papers.a
PAPERS_OBJ  := $(patsubst cmodel/%.c,$(BUILD)/programs/%.o,$(wildcard cmodel/papers/*/*.c)) \
               $(patsubst cmodel/%.S,$(BUILD)/programs/%.o,$(wildcard cmodel/papers/*/*.S))
PAPERS_TEST := $(filter $(BUILD)/unit/papers/%,$(C_TESTS))
paper_name   = paper-$(subst _,-,$1)

# The commands that print the help of papers: line 3 of each main.c.
PAPERS_HELP  = $(foreach paper,$(PAPERS),sed -n '3s|^//|$(call paper_name,$(paper))\t|p' cmodel/papers/$(paper)/main.c;)

C_FORMATTED += $(wildcard cmodel/papers/*/*.[ch])

$(PAPERS_LIB): $(filter $(BUILD)/programs/papers/common/%,$(PAPERS_OBJ))

# The rules of a paper: its library, its program, its unit tests, and the target that runs it.
define paper_rules
$(BUILD)/libannelid_$1.a: $(filter-out %/main.o,$(filter $(BUILD)/programs/papers/$1/%,$(PAPERS_OBJ)))

$(BUILD)/$(paper_name): $(BUILD)/programs/papers/$1/main.o $(BUILD)/libannelid_$1.a $(PAPERS_LIB) $(COMMON) $(LIB)
	@$$(CC) $$(CFLAGS) $$(LDFLAGS) -o $$@ $$^ $$(GSL) $$(LIBS)

$(filter $(BUILD)/unit/papers/test_$1%,$(PAPERS_TEST)): $(BUILD)/libannelid_$1.a
$(filter $(BUILD)/unit/papers/test_$1%,$(PAPERS_TEST)): TEST_ROOMS = $(BUILD)/libannelid_$1.a $(PAPERS_LIB) $(COMMON) $(LIB) $(GSL)

# The short form is for its figures; the whole one draws curves, too.
$(paper_name): $(if $(filter-out 0,$(SHORT)),$(SETUP_MODEL),$(SETUP)) $(BUILD)/$(paper_name)
	@mkdir -p $(BUILD)/papers
	@$(BUILD)/$(paper_name) --output $(BUILD)/papers/$1 --jobs $$(JOBS) $$(if $$(SHORT),--short)

.PHONY: $(paper_name)
endef

$(PAPERS_TEST): TEST_ROOMS = $(PAPERS_LIB) $(COMMON) $(LIB) $(GSL)
$(PAPERS_TEST): $(PAPERS_LIB) $(COMMON)
$(foreach paper,$(PAPERS),$(eval $(call paper_rules,$(paper))))

-include $(PAPERS_OBJ:.o=.d)
