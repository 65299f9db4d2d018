// SPDX-License-Identifier: Apache-2.0
//
// What the probes see of nodes that have no lanes.

#ifndef ANL_LOCKSTEP_NODES_H
#define ANL_LOCKSTEP_NODES_H

#include "compare/dpi.h"

enum { NODE_MOST_LINKS = 8 };

// What a node has: links, latches (one for each link, and one more if its source has one), and
// stages that have turn nodes. A latch has a bit for each link, and one for the terminal.
struct node_shape {
    uint32_t links, latches, stages;
};

// The registers of a node without buffers (papers/roberts_symvonis/bufferless.md, "What is
// compared"), or of one of sliding diagonals (papers/bock/diagonals.md, "Lock-step"), whose ports
// are called by the direction in which their flits move.
struct node {
    uint16_t latches[NODE_MOST_LINKS + 1];  // by input port: the output ports, one bit for each
    uint8_t fault, present;                 // present: bit p if the register of port p holds a flit
    uint8_t taken;                          // diagonals: bit s if its turn node of stage s is taken
    struct wire links[NODE_MOST_LINKS];     // by input port: the flits
};

struct nodes {
    bool failed;         // diagonals: the RTL says that some worm has failed
    struct node node[];  // [switch]
};

static inline struct nodes *nodes_of(const struct observed *observed) { return observed->of_kind; }

// The functions of struct observed_kind that nodes share.
bool nodes_create(struct observed *observed);
void nodes_destroy(struct observed *observed);
void nodes_falsify(struct observed *observed);
// Takes the registers of a node.
void nodes_take(struct observed *observed, uint32_t number, struct fields *fields,
                struct node_shape shape);

#endif
