# SPDX-License-Identifier: Apache-2.0
#
# Golden model: library, command line, unit tests of the C rooms.

CC       ?= gcc
CFLAGS   ?= -O3 -g
AR       ?= ar
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror
C17      := -std=c17 -D_POSIX_C_SOURCE=200809L $(WARNINGS) -Icmodel/include -MMD -MP
LIBS     := -lyaml -lxxhash -lzstd -lm

LIB_SRC  := $(wildcard cmodel/src/*.c)
LIB_OBJ  := $(LIB_SRC:cmodel/src/%.c=$(BUILD)/cmodel/%.o)
CLI_SRC  := $(wildcard cmodel/cli/*.c)
CLI_OBJ  := $(CLI_SRC:cmodel/cli/%.c=$(BUILD)/cli/%.o)
LIB      := $(BUILD)/libannelid.a
CLI      := $(BUILD)/annelid

model: $(LIB) $(CLI) ## build libannelid and the annelid command

$(LIB): $(LIB_OBJ)
	@rm -f $@
	@$(AR) rcs $@ $^

$(CLI): $(CLI_OBJ) $(LIB)
	@$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(CLI_OBJ) $(LIB) $(LIBS)

$(BUILD)/cmodel/%.o: cmodel/src/%.c
	@mkdir -p $(@D)
	@$(CC) $(C17) $(CFLAGS) -c -o $@ $<

$(BUILD)/cli/%.o: cmodel/cli/%.c
	@mkdir -p $(@D)
	@$(CC) $(C17) -D_GNU_SOURCE $(CFLAGS) -c -o $@ $<

# Unit tests of C rooms: tb/unit/test_<room>.c, one program each, cmocka.
C_TEST_SRC := $(wildcard tb/unit/test_*.c)
C_TESTS    := $(C_TEST_SRC:tb/unit/%.c=$(BUILD)/unit/%)

$(BUILD)/unit/%: tb/unit/%.c $(LIB)
	@mkdir -p $(@D)
	@$(CC) $(C17) -Wno-missing-prototypes -D_GNU_SOURCE -Icmodel/src -Itb/unit $(CFLAGS) $(LDFLAGS) -o $@ $< $(LIB) $(LIBS) -lcmocka

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(C_TESTS:=.d)

.PHONY: model
