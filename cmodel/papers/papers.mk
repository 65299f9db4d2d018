# SPDX-License-Identifier: Apache-2.0
#
# Papers made to run: cmodel/papers/<paper>, clients of the public API, with what the paper prints as data in sim/papers/<paper>.

PAPERS_LIB  := $(BUILD)/libannelid_papers.a
PAPERS_OBJ  := $(patsubst cmodel/%.c,$(BUILD)/programs/%.o,$(filter-out %/main.c,$(wildcard cmodel/papers/*/*.c)))

C_FORMATTED += $(wildcard cmodel/papers/*/*.[ch])

$(PAPERS_LIB): $(PAPERS_OBJ)

# Unit tests of the rooms see their headers.
PAPERS_TESTS := $(filter $(BUILD)/unit/papers/%,$(C_TESTS))
$(PAPERS_TESTS): $(PAPERS_LIB) $(COMMON)
$(PAPERS_TESTS): C17 += -Icmodel/papers/greenberg_oh
$(PAPERS_TESTS): TEST_ROOMS = $(PAPERS_LIB) $(COMMON) $(LIB) $(GSL)

GREENBERG_OH := $(BUILD)/paper-greenberg-oh

$(GREENBERG_OH): $(BUILD)/programs/papers/greenberg_oh/main.o $(PAPERS_LIB) $(COMMON) $(LIB)
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(GSL) $(LIBS)

paper-greenberg-oh: $(SETUP) $(GREENBERG_OH) ## Greenberg and Oh 1993: Table 1, figures, theorems, ours beside the paper's; SHORT=1: N <= 64
	@mkdir -p $(BUILD)/papers
	@$(GREENBERG_OH) --output $(BUILD)/papers/greenberg_oh --jobs $(JOBS) $(if $(SHORT),--short)

-include $(PAPERS_OBJ:.o=.d) $(BUILD)/programs/papers/greenberg_oh/main.d

.PHONY: paper-greenberg-oh
