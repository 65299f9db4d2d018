// SPDX-License-Identifier: Apache-2.0
//
// Signals of words and numbers, with all their changes in memory until they are written, beside
// those of the RTL, into one FST file. Every word has a colour and a number of its own: viewers
// show the word; a viewer with a translation table from number to word and colour shows both.

#ifndef ANL_LOCKSTEP_WAVE_H
#define ANL_LOCKSTEP_WAVE_H

#include <annelid/base.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A cycle is a microsecond, so that a viewer's axis counts cycles; time is in nanoseconds. A cycle
// begins at a falling edge of the clock, the rising one is half way.
enum { WAVE_CYCLE = 1000 };

struct wave;

enum anl_status wave_create(struct wave **wave);
void wave_destroy(struct wave *wave);  // may be NULL

// Names of scopes and signals are made of letters, digits and _.
void wave_scope(struct wave *wave, const char *name);
void wave_up(struct wave *wave);
uint32_t wave_word(struct wave *wave, const char *name);
uint32_t wave_number(struct wave *wave, const char *name, uint32_t bits);  // at most 32

// Times must not descend. What does not change is not kept.
void wave_set_word(struct wave *wave, uint32_t signal, uint64_t time, const char *text,
                   const char *colour);
void wave_set_number(struct wave *wave, uint32_t signal, uint64_t time, uint32_t value);
void wave_set_unknown(struct wave *wave, uint32_t number, uint64_t time);  // x in every bit

// "blocking analysis.worm_9.state". In a file a number of several bits has its range behind that,
// "[15:0]", and the number of a word (which a translation table is for) "_code[15:0]".
const char *wave_path(const struct wave *wave, uint32_t signal);
uint32_t wave_bits(const struct wave *wave, uint32_t signal);

struct wave_entry {
    uint32_t number;
    const char *text, *colour;
};
// The words so far, in order of their numbers; false: there are no more.
bool wave_entry(const struct wave *wave, uint32_t index, struct wave_entry *entry);

// What of the RTL's own file goes into ours.
struct wave_rtl {
    const char *path;          // of that file
    uint64_t unit;             // nanoseconds of a time unit in it
    const uint32_t *switches;  // only these
    size_t count;
    bool all;      // all of them, and all that is around them
    uint64_t end;  // time of the last change of any signal
};

// Writes path (whole or not at all). ANL_ERR_IO, ANL_ERR_FORMAT (the RTL's file), ANL_ERR_MEMORY
// (also of any call before).
enum anl_status wave_write(struct wave *wave, const char *path, const struct wave_rtl *rtl,
                           struct anl_error *error);

// After wave_write: the names under which GTKWave knows the RTL's signals of a switch, those of the
// switch itself and of its core; NULL: there are no more.
const char *wave_rtl_name(const struct wave *wave, uint32_t switch_, size_t index);

#endif
