// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom, in the words of the blocking analysis: one line a buffer, from the first to
// one that moves, or round in a circle.

#ifndef ANL_LOCKSTEP_CHAIN_H
#define ANL_LOCKSTEP_CHAIN_H

#include <annelid/blocking.h>
#include <stdio.h>

// The lane whose front flit has been there longest; ANL_NOTHING: all are empty.
uint32_t chain_find_oldest(const struct anl_blocking *blocking);

// Where the chain of a worm begins: the buffer of its leading flit; ANL_NOTHING: it is not there.
uint32_t chain_find_worm(const struct anl_blocking *blocking, uint32_t worm);

// The first line behind label, the others under it; at most 16, then "…".
void chain_print(FILE *out, const char *label, const struct anl_blocking *blocking,
                 uint32_t buffer);

// The worms of the deadlock, each held by the next. Nothing if there is none.
void chain_print_deadlock(FILE *out, const char *label, const struct anl_blocking *blocking);

#endif
