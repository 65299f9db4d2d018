// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: keys.c (the table of keys that drives the reader, the writer,
// the help and the test of the documentation), yaml.c and settings.c (the two ways in), values.c
// (from what is written to what is meant), settle.c (defaults, and what fits together), messages.c
// (message files), scenario.c (all of it).

#ifndef ANL_SCENARIO_ROOM_H
#define ANL_SCENARIO_ROOM_H

#include <annelid/scenario.h>

// --- keys ---

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

// --- a scenario while it is being read: the values so far and where each of them was given ---

struct scenario_reading {
    struct anl_scenario *scenario;
    struct anl_error *error;
    const char *file;  // the source being read: a file, or a setting
    struct {
        const char *file;  // NULL: not given
        uint64_t line;     // 0: in a setting
    } given[NUM_KEYS];
    uint64_t section_line[NUM_SECTIONS];  // 0: no such section
    uint64_t last_line;
    char *messages;  // the path as given, owned; NULL: none
};

// One value as it was written, not terminated.
struct scenario_scalar {
    const char *text;
    size_t bytes;
    bool plain;  // not quoted: may be a number
};

enum { SCENARIO_SHOWN_BYTES = 48 };

// What a message quotes: the text on one line, cut if it is long, "nothing" if it is empty.
const char *scenario_show(struct scenario_scalar scalar, char shown[SCENARIO_SHOWN_BYTES]);

// A key is about to get its value, or the elements of its list. ANL_ERR_FORMAT: given twice.
enum anl_status scenario_give(struct scenario_reading *reading, unsigned key, uint64_t line);

// The value of a key, or one more element of its list.
enum anl_status scenario_value(struct scenario_reading *reading, unsigned key,
                               struct scenario_scalar scalar, uint64_t line);

// found and what is expected of the key.
enum anl_status scenario_unfit(struct scenario_reading *reading, unsigned key, uint64_t line,
                               const char *found);

// ANL_ERR_FORMAT: no such section or key, with what was probably meant.
enum anl_status scenario_find_section(struct scenario_reading *reading, const char *name,
                                      uint64_t line, enum scenario_section *section);
enum anl_status scenario_find_key(struct scenario_reading *reading, enum scenario_section section,
                                  const char *name, uint64_t line, unsigned *key);

// The document of a scenario file; one setting "section.key=value".
enum anl_status scenario_read_yaml(struct scenario_reading *reading, const char *text,
                                   size_t bytes);
enum anl_status scenario_read_setting(struct scenario_reading *reading, const char *setting);

// Fills in what was not given and refuses what does not fit together.
enum anl_status scenario_settle(struct scenario_reading *reading);

// Writes a scenario file that gives the same scenario: the keys that were given. Returns it
// terminated, to be freed, or NULL: no memory.
char *scenario_write(const struct scenario_reading *reading, size_t *bytes);

// Reads a file of at most limit bytes; *text is terminated and the caller's.
enum anl_status scenario_read_file(const char *path, size_t limit, char **text, size_t *bytes,
                                   struct anl_error *error);

// Reads the text of a message file. *messages is the caller's.
enum anl_status scenario_read_messages(const char *text, size_t bytes, const char *name,
                                       const struct anl_scenario *scenario,
                                       struct anl_message **messages, size_t *num_messages,
                                       struct anl_error *error);

#endif
