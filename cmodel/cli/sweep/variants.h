// SPDX-License-Identifier: Apache-2.0
//
// The variants of a scenario: every combination of the values that are varied.

#ifndef ANNELID_SWEEP_VARIANTS_H
#define ANNELID_SWEEP_VARIANTS_H

#include "lists.h"
#include "points.h"

#include <annelid/scenario.h>
#include <stdbool.h>

enum { SWEEP_MAX_VARIANTS = 10000 };

// A key with its values. Zero-initialise; to be given to sweep_key_free().
struct sweep_key {
    char *name;     // "section.key"; the rest lies in the same text
    char **values;  // [count]
    size_t count;
};

// Reads "section.key=A,B,C"; commas within brackets part no values. ANL_ERR_ARGUMENT,
// ANL_ERR_MEMORY.
enum anl_status sweep_key_read(const char *text, struct sweep_key *key, struct anl_error *error);
void sweep_key_free(struct sweep_key *key);

struct sweep_variant {
    const char *values[SWEEP_MAX_KEYS];  // of the keys
    struct anl_scenario scenario;        // run.max_cycles as a sweep has it
    bool open;
    struct sweep_list loads;  // one SWEEP_NO_LOAD if it is closed
};

struct sweep_variants {
    const struct sweep_key *keys;
    size_t num_keys;
    struct sweep_variant *list;  // the last key changes first
    size_t count;
};

struct sweep_source {
    const char *path;
    const char *const *settings;  // as for anl_scenario_load_with()
    size_t num_settings;
    const struct sweep_key *keys;
    size_t num_keys;
    const struct sweep_list *loads;  // NULL: that of the scenario
    bool find_saturation;            // loads may be up to 1
};

// Loads all variants, with their loads, and makes sure that each can be run at each. Errors of
// anl_scenario_load_with(), ANL_ERR_ARGUMENT. Keys stay the caller's; *variants is to be given to
// sweep_variants_free() in any case.
enum anl_status sweep_variants_load(const struct sweep_source *source,
                                    struct sweep_variants *variants, struct anl_error *error);
void sweep_variants_free(struct sweep_variants *variants);

// Of all that what a run gives depends on, this program too, but for load and seed.
uint64_t sweep_variants_hash(const struct sweep_variants *variants, bool digest);

#endif
