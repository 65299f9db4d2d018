// SPDX-License-Identifier: Apache-2.0
//
// Prints who waits for whom, with the texts of the blocking analysis: one line per buffer, from the
// first one to one that moves, or round in a circle.

#ifndef ANL_LOCKSTEP_CHAIN_H
#define ANL_LOCKSTEP_CHAIN_H

#include <annelid/blocking.h>
#include <stdio.h>

// Returns the lane whose front flit has been at the front longest; ANL_NOTHING: all lanes are
// empty.
uint32_t chain_find_oldest(const struct anl_blocking *blocking);

// Returns the buffer of a worm's leading flit, where its chain begins; ANL_NOTHING: the worm is
// neither in the network nor in a source queue.
uint32_t chain_find_worm(const struct anl_blocking *blocking, uint32_t worm);

// Prints the chain of a buffer: its first line after label, the others below it, at most 16 and
// then "…".
void chain_print(FILE *out, const char *label, const struct anl_blocking *blocking,
                 uint32_t buffer);

// Prints the worms of the deadlock, each held by the next one; nothing if there is no deadlock.
void chain_print_deadlock(FILE *out, const char *label, const struct anl_blocking *blocking);

#endif
