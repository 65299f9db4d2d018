// SPDX-License-Identifier: Apache-2.0
//
// The rule of a FIFO, for the benches of anl_fifo and anl_front_fifo.
//
// The parameters are Depth and Width; the inputs push, data, pop; the outputs count, held, front,
// wr_ptr, rd_ptr, and then whatever else the module has.

#ifndef ANL_TB_FIFO_RULE_H
#define ANL_TB_FIFO_RULE_H

#include "bench.h"

enum { FIFO_MAX_DEPTH = 64 };

// The entry of push number i is at entries[i % Depth].
struct fifo {
    uint64_t entries[FIFO_MAX_DEPTH];
    unsigned pushed, popped;
};

void fifo_drive(void *state, const int *p, struct bits *in);
// Fills the FIFO and empties it, again and again; then pushes and pops in every cycle, first with
// one entry inside (at half rate if Depth is 1), then with a full FIFO.
void fifo_directed(void *state, const int *p, struct bits *in);
void fifo_check(void *state, const int *p, struct bits *in, struct bits *out);

#endif
