// SPDX-License-Identifier: Apache-2.0
//
// What the probes saw of the RTL: the flits of one cycle, and the registers at its start. The DPI
// calls write it, the comparison reads it.

#ifndef ANL_LOCKSTEP_OBSERVED_H
#define ANL_LOCKSTEP_OBSERVED_H

#include "worms.h"

#include <annelid/referee.h>

struct wire {
    uint8_t vc;
    uint32_t flit[FLIT_WORDS];  // {head, tail, data}, lowest word first
};

// A set of numbered wires, each with at most one flit.
struct wires {
    struct wire *wire;
    uint64_t *valid;  // bit per wire
    uint32_t size;
};

// States that a lane has been in, as an input lane or an output lane; they are the coverage of a
// run.
enum { SEEN_FULL = 1, SEEN_BOUND = 2, SEEN_NO_CREDIT = 4, SEEN_OWNED = 8 };

// Reads fields from bit 0 upwards. bits holds the unread bits of the words before next.
struct fields {
    const uint32_t *next;
    uint64_t bits;
    uint32_t count;
};

struct observed;

// What the probes see of a kind of switch other than buffered, and where it is kept: each is in the
// slice of a paper, papers/<paper>/lockstep.
struct observed_kind {
    // Makes observed->of_kind, all zero; returns whether there was memory. destroy() is also due
    // after an error, if it is not NULL then.
    bool (*create)(struct observed *observed);
    void (*destroy)(struct observed *observed);
    // Unpacks the registers of a switch.
    void (*take)(struct observed *observed, uint32_t number, struct fields *fields);
    // Removes what was seen of the last cycle and is no register; NULL: nothing.
    void (*clear)(struct observed *observed);
    // Makes a register of switch 0 another one than it is.
    void (*falsify)(struct observed *observed);
};

struct observed {
    const struct anl_config *config;
    struct anl_shape shape;
    uint32_t lines;               // flits that can cross a link in a cycle
    struct wires links;           // flits that crossed a link, link * lines + line
    uint32_t classes;             // of messages
    uint32_t ends;                // sinks of a terminal: one for each class, or for each lane if
                                  // links are wide
    struct wires sinks;           // flits that sinks show, terminal * ends + sink
    struct anl_credits *credits;  // that came back, one entry a link at most
    size_t num_credits;
    struct anl_state state;  // at the start of the cycle; fields of unbound and unowned lanes are 0
    uint8_t *seen;           // per lane, SEEN_*
    const struct observed_kind *kind;  // NULL: buffered
    void *of_kind;                     // what the functions of the kind keep
    uint32_t step, turn;  // without buffers: numbers of the step, and of the lane in its turn
    uint32_t fault;       // the lowest node whose fault line is 1 in this cycle, or NOWHERE
};

// config must outlive *observed; kind is NULL for buffered switches. observed_destroy() is also due
// after ANL_ERR_MEMORY.
enum anl_status observed_create(struct observed *observed, const struct anl_config *config,
                                const struct observed_kind *kind);
void observed_destroy(struct observed *observed);

// Removes the flits and credits of the last cycle.
void observed_clear(struct observed *observed);

// Clears the coverage of lanes: registers may hold anything in reset.
void observed_forget(struct observed *observed);

void wires_put(struct wires *wires, uint32_t number, uint32_t vc, const uint32_t *flit,
               uint32_t words);

// Adds the credits that came back on a link.
void observed_credits(struct observed *observed, uint32_t link, uint32_t lanes);

// Returns the first wire >= from that has a flit; wires->size if there is none.
uint32_t wires_next(const struct wires *wires, uint32_t from);

// Returns the number of wires that have a flit.
size_t wires_count(const struct wires *wires);

// Return the head mark and the tail mark of the flit on a wire.
bool wire_head(const struct anl_config *config, const struct wire *wire);
bool wire_tail(const struct anl_config *config, const struct wire *wire);

// Unpack the registers that a probe has packed (anl_lockstep_probe.sv, anl_lockstep_node.sv).
void observed_switch(struct observed *observed, uint32_t number, const uint32_t *bits);
void observed_terminal(struct observed *observed, uint32_t number, const uint32_t *bits);

// Return the next field, of at most 32 bits, and write the next flit {head, tail, data} to a wire.
uint32_t fields_take(struct fields *fields, uint32_t width);
void fields_take_flit(struct fields *fields, const struct observed *observed, struct wire *wire);

// Allocates the arrays that config needs, all zero. The caller frees them with state_destroy(),
// also after ANL_ERR_MEMORY.
enum anl_status state_create(struct anl_state *state, const struct anl_config *config);
void state_destroy(struct anl_state *state);

#endif
