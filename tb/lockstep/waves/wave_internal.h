// SPDX-License-Identifier: Apache-2.0
//
// What wave.c (signals in memory) and wave_write.c (their file) share.

#ifndef ANL_LOCKSTEP_WAVE_INTERNAL_H
#define ANL_LOCKSTEP_WAVE_INTERNAL_H

#include "wave.h"

enum { WAVE_CODE_BITS = 16 };  // of the number of a word

enum wave_item_kind { WAVE_SCOPE, WAVE_UP, WAVE_WORD, WAVE_NUMBER };

// A signal, or the begin or the end of a scope, in the order of declaration.
struct wave_item {
    enum wave_item_kind kind;
    char *name, *path;
    uint32_t bits;
    uint32_t value;  // the last one; of a word its number
    bool has_value, unknown;
    uint32_t handle, code_handle;  // in the file
};

struct wave_change {
    uint64_t time;
    uint32_t item, value;
    bool unknown;  // the value is x
};

struct wave_text {
    char *text, *colour;
};

struct wave_rtl_name {
    uint32_t switch_;
    char *name;
};

struct wave {
    struct wave_item *items;
    size_t num_items, room_items;
    struct wave_change *changes;
    size_t num_changes, room_changes;
    struct wave_text *texts;
    size_t num_texts, room_texts;
    struct wave_rtl_name *names;
    size_t num_names, room_names;
    bool out_of_memory;
};

// Makes room for one more element of size bytes. Returns false and sets wave->out_of_memory if
// there is none.
bool wave_grow(struct wave *wave, void **array, size_t count, size_t *room, size_t size);

#endif
