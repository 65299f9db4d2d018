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

enum { NODE_LINKS = 4, NODE_PORTS = 5 };  // of a node in two dimensions: four links, a terminal

// The registers of a node without buffers (papers/roberts_symvonis/bufferless.md, "What is
// compared"), or of one of sliding diagonals (papers/bock/diagonals.md, "Lock-step"), whose ports
// are called by the direction in which their flits move.
struct node {
    uint8_t latches[NODE_PORTS];    // by input port: the output ports, one bit for each
    uint8_t fault, present;         // present: bit p if the register of port p holds a flit
    uint8_t taken;                  // diagonals: its turn node is taken
    struct wire links[NODE_LINKS];  // by input port: the flits
};

// What a node that discards has at the lane of a number (papers/cole_maggs_sitaraman/discard.md,
// "What is compared").
struct discard_lane {
    bool valid, busy;  // the link register of the input lane holds a flit; the output lane is busy
    uint8_t owner;     // input lane
    struct wire link;  // the flit in the register
};

// What a node discards in a cycle: whether it says so, and the input lanes of the heads, a bit
// each.
struct discards {
    bool says;
    uint32_t heads;
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
    struct node *nodes;      // of switches without buffers; else NULL
    struct discard_lane *lanes;  // [switch][lane] of switches that discard; else NULL
    struct discards *discards;   // [switch] of those that discard; else NULL
    bool failed;                 // diagonals: the RTL says that some worm has failed
    uint32_t step, turn;  // without buffers: numbers of the step, and of the lane in its turn
    uint32_t fault;       // the lowest node whose fault line is 1 in this cycle, or NOWHERE
};

// config must outlive *observed. observed_destroy() is also due after ANL_ERR_MEMORY.
enum anl_status observed_create(struct observed *observed, const struct anl_config *config);
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

// Allocates the arrays that config needs, all zero. The caller frees them with state_destroy(),
// also after ANL_ERR_MEMORY.
enum anl_status state_create(struct anl_state *state, const struct anl_config *config);
void state_destroy(struct anl_state *state);

#endif
