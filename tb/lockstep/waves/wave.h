// SPDX-License-Identifier: Apache-2.0
//
// Signals of words and numbers. All their changes are kept in memory until they are written, beside
// the signals of the RTL, into one FST file. Every word has a colour and a number: viewers show the
// word, and a viewer with a table that translates the number into word and colour shows both.

#ifndef ANL_LOCKSTEP_WAVE_H
#define ANL_LOCKSTEP_WAVE_H

#include <annelid/base.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A cycle is a microsecond, so that a viewer's axis counts cycles; times are in nanoseconds. A
// cycle begins at a falling edge of the clock, and the rising edge is half way.
enum { WAVE_CYCLE = 1000 };

struct wave;

enum anl_status wave_create(struct wave **wave);
void wave_destroy(struct wave *wave);  // may be NULL

// Declare scopes and signals, whose names consist of letters, digits and _. wave_word() and
// wave_number() return the signal.
void wave_scope(struct wave *wave, const char *name);
void wave_up(struct wave *wave);
uint32_t wave_word(struct wave *wave, const char *name);
uint32_t wave_number(struct wave *wave, const char *name, uint32_t bits);  // at most 32 bits

// Set the value of a signal from a time on. Times must not descend; equal values in a row are
// stored once.
void wave_set_word(struct wave *wave, uint32_t signal, uint64_t time, const char *text,
                   const char *colour);
void wave_set_number(struct wave *wave, uint32_t signal, uint64_t time, uint32_t value);
void wave_set_unknown(struct wave *wave, uint32_t number, uint64_t time);  // x in every bit

// Returns the path of a signal: "blocking.worm_9.state". In the file a number of several bits is
// followed by its range, "[15:0]", and the number of a word by "_code[15:0]".
const char *wave_path(const struct wave *wave, uint32_t signal);
uint32_t wave_bits(const struct wave *wave, uint32_t signal);

struct wave_entry {
    uint32_t number;
    const char *text, *colour;
};
// Describes the words used so far, in the order of their numbers; returns false if there is none.
bool wave_entry(const struct wave *wave, uint32_t index, struct wave_entry *entry);

// What is copied of the RTL's own file.
struct wave_rtl {
    const char *path;          // path of the RTL's file
    uint64_t unit;             // nanoseconds per time unit of that file
    const uint32_t *switches;  // only the signals of these switches
    size_t count;
    bool all;      // the signals of all switches and of what is around them
    uint64_t end;  // time at which the waves end
};

// Writes the file at path, as a whole or not at all. ANL_ERR_IO, ANL_ERR_FORMAT (in the RTL's
// file), ANL_ERR_MEMORY (also of any earlier call).
enum anl_status wave_write(struct wave *wave, const char *path, const struct wave_rtl *rtl,
                           struct anl_error *error);

// After wave_write(): returns the name by which GTKWave knows one of the RTL's signals of a switch
// or of its core; NULL: there is none with this index.
const char *wave_rtl_name(const struct wave *wave, uint32_t switch_, size_t index);

#endif
