// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: a VCD file (IEEE 1800, clause 21.7) as a stream, its variables
// and then its changes; and the signals of it that a map of probes names, with their values.

#ifndef ANL_RECORDED_PRIVATE_H
#define ANL_RECORDED_PRIVATE_H

#include <annelid/probes.h>
#include <annelid/recorded.h>

// --- VCD files (vcd.c) ---

enum { VCD_CODE_BYTES = 16, VCD_MOST_BITS = 1 << 20 };

// A variable with bits. Its name has all scopes, with points between, and no backslashes.
struct vcd_variable {
    char *name;
    char code[VCD_CODE_BYTES];
    uint32_t width;
    int32_t left, right;  // its range as declared; [width-1:0] if it has none
};

struct vcd_word {
    char *text;  // terminated
    size_t length, room;
};

struct vcd {
    FILE *file;
    const char *path;
    uint64_t line;
    char input[1 << 16];
    size_t input_at, input_end;
    bool cut;  // the last word ended with the file
    struct vcd_word word, code;
    struct vcd_variable *variables;  // ascending by name, once the declarations are read
    size_t count, room;
    struct vcd_word scope;
    size_t *scope_ends;
    size_t depth, depth_room;
    char timescale[32];
    uint64_t time;
};

enum vcd_event { VCD_END, VCD_TIME, VCD_CHANGE };

// Begins to read, up to the last declaration.
enum anl_status vcd_open(FILE *file, const char *path, struct vcd *vcd, struct anl_error *error);
void vcd_free(struct vcd *vcd);

// Reads on: a new time (vcd.time), or a change to the bits in vcd.word, highest first, of the
// variables with the code in vcd.code. Changes of variables without bits are passed over.
enum anl_status vcd_next(struct vcd *vcd, enum vcd_event *event, struct anl_error *error);

// Rows of any struct whose first member is a name: compares two of them for qsort(), and returns
// the first one, of rows that ascend by it, that has this name or comes behind it; count: none.
int vcd_by_name(const void *a, const void *b);
size_t vcd_find(const void *rows, size_t count, size_t bytes, const char *name);

// --- signals (signals.c) ---

// A variable that is watched. Its values are words, lowest bits first; a bit is unknown if it is
// neither 0 nor 1. next is what it has at the end of the present time, where it has changed.
struct signal {
    char code[VCD_CODE_BYTES];
    uint32_t width, words;
    uint32_t *now, *unknown, *next, *next_unknown;
    bool changed;
    uint32_t same_code;  // another signal with this code; ANL_NOTHING: none
};

// Neighbouring bits of a signal, or a constant: part of a role.
struct piece {
    uint32_t signal;  // ANL_NOTHING: a constant
    uint32_t at, width, value;
    bool inverted;
};

// What a role of a link is made of: pieces from first on, highest bits first.
struct wires {
    uint32_t first, count, width;
};

struct signals {
    struct signal *at;
    uint32_t count;
    struct piece *pieces;
    uint32_t num_pieces;
    size_t room;        // of the pieces
    uint32_t *by_code;  // a hash table of signals, twice as many as there are
    uint32_t buckets;
    uint32_t *changed;  // signals with changes at the present time
    uint32_t num_changed;
    struct wires clock, reset;
    struct wires *links;  // ANL_NUM_PROBE_ROLES of each link
};

// Finds the signals of probes among the variables of a waveform.
enum anl_status signals_find(struct signals *signals, const struct vcd *vcd,
                             const struct anl_probes *probes, struct anl_error *error);
void signals_free(struct signals *signals);

// Notes a change at the present time; of the variables with this code that are watched.
void signals_note(struct signals *signals, const struct vcd_word *code,
                  const struct vcd_word *bits);
// Makes all that has changed the present values.
void signals_pass(struct signals *signals);

// Returns a bit, as it is or as it will be at the end of the present time: 0, 1, or 2, unknown.
int signals_bit(const struct signals *signals, const struct wires *wires, bool next);
// Writes the bits of a role to words, of which there are enough, lowest first. Returns whether all
// are known; those that are not are 0.
bool signals_read(const struct signals *signals, const struct wires *wires, uint32_t *words);

#endif
