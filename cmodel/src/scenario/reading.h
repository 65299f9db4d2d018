// SPDX-License-Identifier: Apache-2.0
//
// A scenario while it is being read: the values so far and where each of them was given.

#ifndef ANL_SCENARIO_READING_H
#define ANL_SCENARIO_READING_H

#include "keys.h"

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
