// SPDX-License-Identifier: Apache-2.0
//
// The rule of a FIFO, for the benches of anl_fifo and anl_front_fifo.
//
// Parameters: Depth, Width. Inputs: push, data, pop; outputs: count, held, front, wr_ptr, rd_ptr,
// and what the module has beyond these.

#ifndef ANL_TB_FIFO_RULE_H
#define ANL_TB_FIFO_RULE_H

#include "bench.h"

enum { FIFO_MAX_DEPTH = 64 };

// Entries by the number of their push.
struct fifo {
    uint64_t entries[FIFO_MAX_DEPTH];
    unsigned pushed, popped;
};

void fifo_drive(void *state, const int *p, struct bits *in);
// Fill to the brim, run dry, again; then at full rate, first with one entry inside (Depth 1: half
// rate), then full.
void fifo_directed(void *state, const int *p, struct bits *in);
void fifo_check(void *state, const int *p, struct bits *in, struct bits *out);

#endif
