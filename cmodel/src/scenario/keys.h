// SPDX-License-Identifier: Apache-2.0
//
// The keys of scenario files: one table drives the reader, the writer, the help and the test of the
// documentation.

#ifndef ANL_SCENARIO_KEYS_H
#define ANL_SCENARIO_KEYS_H

#include <annelid/scenario.h>

enum scenario_section { IN_NETWORK, IN_SWITCH, IN_TRAFFIC, IN_RUN, NUM_SECTIONS };

enum {
    KEY_TOPOLOGY,
    KEY_K,
    KEY_N,
    KEY_NUM_VCS,
    KEY_DEPTH,
    KEY_FLIT_WIDTH_BITS,
    KEY_ROUTING,
    KEY_SCAN,
    KEY_ADMISSION,
    KEY_SPACE,
    KEY_PROCESS,
    KEY_PATTERN,
    KEY_LOAD,
    KEY_LENGTH,
    KEY_BURST_CYCLES,
    KEY_WORMS_PER_TERMINAL,
    KEY_DELAYS,
    KEY_DELAY_CYCLES,
    KEY_WINDOW,
    KEY_REPLY_LENGTH,
    KEY_HOTSPOT_TERMINAL,
    KEY_HOTSPOT_FRACTION,
    KEY_MESSAGES,
    KEY_SEED,
    KEY_CYCLES,
    KEY_WARMUP_CYCLES,
    KEY_MAX_CYCLES,
    NUM_KEYS,
};

enum scenario_kind { KIND_CHOICE, KIND_INTEGER, KIND_REAL, KIND_LENGTHS, KIND_PATH };

struct scenario_key {
    enum scenario_section section;
    const char *name;
    enum scenario_kind kind;
    size_t offset, size;           // of the value in struct anl_scenario; not KIND_PATH
    uint64_t min, max;             // KIND_CHOICE: numbers of the first and the last choice
    const char *(*choice)(int);    // KIND_CHOICE: name of a choice
    const char *fallback;          // the value if not given, as it would be written; NULL: none
    const char *fallback_meaning;  // for people, when fallback is NULL
    const char *condition;         // for people, added to the range; may be NULL
    const char *meaning;
    uint32_t processes, patterns;  // the processes, or else the patterns, that look at the key
};

extern const struct scenario_key scenario_keys[NUM_KEYS];
extern const char *const scenario_sections[NUM_SECTIONS];

enum { SCENARIO_RANGE_BYTES = 256 };

// "1..8", "mesh, torus or hypercube" (last: " or "), …; without the condition.
void scenario_range(const struct scenario_key *key, const char *last, char *text, size_t size);

// Numbers of a section and of a key of it; NUM_SECTIONS, NUM_KEYS: there is none of that name.
enum scenario_section scenario_section_named(const char *name);
unsigned scenario_key_named(enum scenario_section section, const char *name);

// True if a reader of b has probably meant a.
bool scenario_resembles(const char *a, const char *b);

#endif
