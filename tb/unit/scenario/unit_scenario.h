// SPDX-License-Identifier: Apache-2.0
//
// What the tests of scenarios share: texts that must be read, texts that must be refused, and files
// in a folder of their own.

#ifndef ANNELID_UNIT_SCENARIO_H
#define ANNELID_UNIT_SCENARIO_H

#include "unit.h"

#include "scenario/scenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum anl_status parse(const char *text, struct anl_scenario *scenario, struct anl_error *error);
// Returns the scenario of a text, which must be right.
struct anl_scenario must_parse(const char *text);

// --- refusals ---

struct refused {
    const char *text;
    uint64_t line;
    const char *found, *expected;  // both must be in the message
};

// Each text must be refused in that line, with these words.
void all_are_refused(const struct refused *refused, size_t count);

// --- files ---

struct folder {
    char path[64], scenario[96], messages[96], graph[96], table[96];
};

// Makes a folder of its own with the names of files in it.
struct folder make_folder(void);
void remove_folder(const struct folder *folder);
void write_bytes(const char *path, const char *text, size_t bytes);
void write_file(const char *path, const char *text);

#endif
