# SPDX-License-Identifier: Apache-2.0
#
# Papers made to run: cmodel/papers/<paper>, clients of the public API, with what the paper prints as data in sim/papers/<paper>.
# The rooms are one library; programs and commands take what they need of it.

PAPERS_LIB  := $(BUILD)/libannelid_papers.a
PAPERS_SRC  := $(filter-out %/main.c,$(wildcard cmodel/papers/*/*.c))
PAPERS_OBJ  := $(PAPERS_SRC:cmodel/papers/%.c=$(BUILD)/papers-obj/%.o)
PAPERS_LIBS := -lgsl -lgslcblas -lpthread

C_FORMATTED += $(wildcard cmodel/papers/*/*.[ch])

$(BUILD)/papers-obj/%.o: cmodel/papers/%.c | $(SETUP)
	@mkdir -p $(@D)
	@$(CC) $(C17) -D_GNU_SOURCE -Icmodel/cli $(CFLAGS) -c -o $@ $<

$(PAPERS_LIB): $(PAPERS_OBJ)
	@rm -f $@
	@$(AR) qcs $@ $^

# annelid bounds speaks of the theory of the first paper.
$(CLI): $(PAPERS_LIB)
$(CLI): LIBS := $(PAPERS_LIB) $(LIB) $(LIBS)
$(BUILD)/cli/cmd_bounds.o $(BUILD)/cli/cmd_bounds_print.o: C17 += -Icmodel/papers

# Unit tests of the rooms see their headers.
PAPERS_TESTS := $(wildcard tb/unit/papers/test_*.c)
$(PAPERS_TESTS:tb/unit/%.c=$(BUILD)/unit/%): $(PAPERS_LIB)
$(PAPERS_TESTS:tb/unit/%.c=$(BUILD)/unit/%): C17 += -Icmodel/papers/greenberg_oh
$(PAPERS_TESTS:tb/unit/%.c=$(BUILD)/unit/%): LIBS := $(PAPERS_LIB) $(LIB) $(PAPERS_LIBS) $(LIBS)

GREENBERG_OH := $(BUILD)/paper-greenberg-oh

$(GREENBERG_OH): $(BUILD)/papers-obj/greenberg_oh/main.o $(PAPERS_LIB) $(LIB) \
                 $(BUILD)/cli/cli.o $(BUILD)/cli/table.o $(BUILD)/cli/gather.o
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/cli/cli.o $(BUILD)/cli/table.o $(BUILD)/cli/gather.o \
	  $(PAPERS_LIB) $(LIB) $(PAPERS_LIBS) $(LIBS)

paper-greenberg-oh: $(SETUP) $(GREENBERG_OH) ## Greenberg and Oh 1993: Table 1, figures, theorems, ours beside the paper's; SHORT=1: N <= 64
	@mkdir -p $(BUILD)/papers
	@$(GREENBERG_OH) --output $(BUILD)/papers/greenberg_oh --jobs $(JOBS) $(if $(SHORT),--short)

-include $(PAPERS_OBJ:.o=.d) $(BUILD)/papers-obj/greenberg_oh/main.d

.PHONY: paper-greenberg-oh
