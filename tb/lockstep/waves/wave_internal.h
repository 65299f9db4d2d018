// SPDX-License-Identifier: Apache-2.0
//
// What wave.c (signals in memory), wave_write.c, wave_rtl.c and wave_fst.c (their file) share.

#ifndef ANL_LOCKSTEP_WAVE_INTERNAL_H
#define ANL_LOCKSTEP_WAVE_INTERNAL_H

#include "wave.h"

#include <stdio.h>

enum { WAVE_CODE_BITS = 16 };  // of the number of a word

enum wave_item_kind { WAVE_SCOPE, WAVE_UP, WAVE_WORD, WAVE_NUMBER };

// A signal, or the begin or the end of a scope, in the order of declaration.
struct wave_item {
    enum wave_item_kind kind;
    char *name, *path;
    uint32_t bits;
    uint32_t value;  // the last one; of a word its number
    bool has_value, unknown;
    uint32_t code, number_code;  // in the file: of the signal, and of the number of a word
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

// A signal's code is a number in digits of base WAVE_CODE_BASE that are printed from '!' on, the
// lowest first and none of them zero. Verilator's codes are low, and ours begin behind them.
enum { WAVE_PATH_BYTES = 1024, WAVE_SCOPES = 64 };
enum { WAVE_CODE_BASE = 94, WAVE_OUR_FIRST_CODE = 78000000 };

// The VCD file while it is written.
struct wave_merge {
    struct wave *wave;
    const struct wave_rtl *rtl;
    FILE *in, *out;
    char *line;  // of the RTL's file
    size_t room;
    bool *kept;  // [code] whether the RTL's signal is copied
    size_t codes;
    char scope[WAVE_PATH_BYTES];  // of the RTL that is open
    size_t length[WAVE_SCOPES];   // [level] of the scope around it
    int place[WAVE_SCOPES], level;
    int opens[WAVE_SCOPES], opened;  // of each scope of the RTL's file: how many of ours
    uint32_t switch_;                // that it is in
    size_t next;                     // index of our next change
    uint64_t rtl_time, time;         // of the last change of the RTL, and of the last one written
    bool begun;
};

bool wave_next_line(struct wave_merge *merge);  // of the RTL's file, into merge->line

// Returns the code with which a text begins, or 0 if it is none of the RTL's file.
uint32_t wave_code_of(const char *text);

// Copies the declarations of the RTL that are wanted. Returns false if the file has no end of them,
// or what is none.
bool wave_copy_declarations(struct wave_merge *merge);

// Makes the file fst of the file vcd, which reaches to the time end. ANL_ERR_IO.
enum anl_status wave_fst(const char *vcd, const char *fst, uint64_t end, struct anl_error *error);

#endif
