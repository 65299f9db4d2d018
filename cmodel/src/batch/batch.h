// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share. step.inc applies the rules of docs/switch.md to all slots at
// once; sse2.c, avx2.c and avx512.c include it, each for another number of slots. batch.c has what
// is the same for all of them: the runs, with the records of their worms.

#ifndef ANL_BATCH_ROOM_H
#define ANL_BATCH_ROOM_H

#include "engine/engine.h"

#include <annelid/batch.h>

struct batch_state;  // of ports, lanes and sources; each number of slots has a layout of its own

// The functions for one number of slots.
struct batch_core {
    uint32_t slots;
    // Makes the state of a batch, whose slots are still to be emptied; NULL if memory runs out.
    struct batch_state *(*make)(const struct anl_batch *batch);
    void (*free)(struct batch_state *state);
    void (*empty)(struct anl_batch *batch, uint32_t slot);
    // A worm, given by its number, joins the source queue of a terminal.
    void (*enqueue)(struct anl_batch *batch, uint32_t slot, uint32_t terminal, uint32_t number);
    void (*step)(struct anl_batch *batch);
};
extern const struct batch_core batch_core_16, batch_core_32, batch_core_64;

struct anl_batch {
    const struct anl_network *network;
    const struct batch_core *core;
    struct batch_state *state;
    struct anl_engine *runs[ANL_BATCH_MOST_SLOTS];
    // The worms of all runs, and their heads. A worm has a number here, beside its id: the place
    // that became free last, since that is still in the cache. Free places form a list.
    struct record *worms;
    struct head *heads;
    uint32_t room, free;                  // places; the first free one, NO_WORM if there is none
    uint32_t made[ANL_BATCH_MOST_SLOTS];  // the number of the worm that each run has made last
    uint32_t live[ANL_BATCH_MOST_SLOTS];  // how many worms each run has
    // In the cycle in progress some run records its flits; some of them not only its heads.
    bool record, record_bodies;
};

// Notes a flit that crosses a link, and that the tail of a worm crosses its ejection link.
void batch_note_flit(struct anl_engine *run, struct anl_flit flit);
void batch_deliver(struct anl_batch *batch, uint32_t slot, uint32_t number);

// What has happened to a run in a cycle.
struct batch_counts {
    uint32_t moved, ejected, injected, taken;  // flits
};
void batch_end_cycle(struct anl_engine *run, struct batch_counts counts);

#endif
