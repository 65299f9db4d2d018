// SPDX-License-Identifier: Apache-2.0
//
// What the probes saw of the RTL: the flits of one cycle and the registers as they stand. Written
// by the DPI calls, read by the comparison.

#ifndef ANL_LOCKSTEP_OBSERVED_H
#define ANL_LOCKSTEP_OBSERVED_H

#include "worms.h"

struct wire {
    uint8_t vc;
    uint32_t flit[FLIT_WORDS];  // {head, tail, data}, lowest word first
};

// A set of numbered wires with at most one flit each.
struct wires {
    struct wire *wire;
    uint64_t *valid;  // bit per wire
    uint32_t size;
};

// What a lane has ever been (of its input or output side), for the coverage of a run.
enum { SEEN_FULL = 1, SEEN_BOUND = 2, SEEN_NO_CREDIT = 4, SEEN_OWNED = 8 };

struct observed {
    const struct anl_config *config;
    struct anl_shape shape;
    struct wires links;      // flits that crossed a link
    struct wires sinks;      // flits handed out by a terminal
    struct anl_state state;  // at the start of the cycle; unbound fields masked to 0
    uint8_t *seen;           // per lane, SEEN_*
};

enum anl_status observed_create(struct observed *observed, const struct anl_config *config);
void observed_destroy(struct observed *observed);

// Forgets the flits of the last cycle.
void observed_clear(struct observed *observed);

// Forgets what lanes have been: in reset, registers may hold anything.
void observed_forget(struct observed *observed);

void wires_put(struct wires *wires, uint32_t number, uint32_t vc, const uint32_t *flit,
               uint32_t words);

// The first wire >= from that has a flit; wires->size if there is none.
uint32_t wires_next(const struct wires *wires, uint32_t from);

// Wires that have a flit.
size_t wires_count(const struct wires *wires);

bool wire_head(const struct anl_config *config, const struct wire *wire);
bool wire_tail(const struct anl_config *config, const struct wire *wire);

// Unpack the registers that a probe packed (anl_lockstep_top.sv).
void observed_switch(struct observed *observed, uint32_t number, const uint32_t *bits);
void observed_terminal(struct observed *observed, uint32_t number, const uint32_t *bits);

// Arrays of the size that config asks for, all zero; free with state_destroy().
enum anl_status state_create(struct anl_state *state, const struct anl_config *config);
void state_destroy(struct anl_state *state);

#endif
