// SPDX-License-Identifier: Apache-2.0
//
// Many runs of one network side by side. Each run has a slot: one byte of every vector register
// with which the rules of docs/switch.md are applied to all runs at once. The flits of each run are
// those of an engine of its own (annelid/engine.h), in the same cycles.
//
//   anl_batch_create(network, 0, &batch)
//   for each run: anl_engine_reset(anl_batch_run(batch, slot), seed)
//   in each cycle: anl_engine_enqueue_worm(anl_batch_run(batch, slot), …) for every worm that is
//   created in it in each run, then anl_batch_step(batch)
//   anl_batch_destroy(batch)
//
// Runs may begin and end in different cycles: each has a number of the cycle of its own. Whoever
// has seen the end of a run resets it, which empties its slot and makes room for the next run. An
// empty slot costs nothing but its byte.

#ifndef ANNELID_BATCH_H
#define ANNELID_BATCH_H

#include <annelid/engine.h>
#include <annelid/network.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_batch;

enum {
    ANL_BATCH_MOST_SLOTS = 64,
    ANL_BATCH_LONGEST_WORM = 255,  // flits
};

// Returns whether a batch can run a network: kind buffered with one stage and shared links of one
// cycle, one class of messages, terminals that take what comes, an arbiter that keeps no order, and
// routes on which no head selects among several options and which heads do not carry.
bool anl_batch_can(const struct anl_config *config);

// Makes a batch with so many empty slots on a network, which must outlive it. 16 slots need nothing
// of the processor, 32 need AVX2 and 64 need AVX-512BW on an x86; 0 stands for as many as are
// fastest here. On success *batch is the caller's, who frees it with anl_batch_destroy().
// ANL_ERR_ARGUMENT: there is no batch of this network, or with so many slots here; ANL_ERR_MEMORY.
// *batch is then NULL.
enum anl_status anl_batch_create(const struct anl_network *network, uint32_t slots,
                                 struct anl_batch **batch);
void anl_batch_destroy(struct anl_batch *batch);  // may be NULL

// Returns the number of slots with which a batch of so many runs is fastest here, which may be less
// than the number of runs; 0 runs stand for any number.
uint32_t anl_batch_slots_for(const struct anl_network *network, uint32_t runs);

// Returns how many slots a batch has, and the run in one of them. The run is the batch's. It is for
// the functions of annelid/engine.h that reset an engine, enqueue worms, skip idle cycles, and show
// cycle, totals, worms, flits and deliveries; to step it alone, to shuffle or pack it, or to
// ask for its architectural state is an error of the caller. A worm of more than
// ANL_BATCH_LONGEST_WORM flits is refused with ANL_ERR_ARGUMENT.
uint32_t anl_batch_slots(const struct anl_batch *batch);
struct anl_engine *anl_batch_run(const struct anl_batch *batch, uint32_t slot);

// Runs one cycle of every run.
void anl_batch_step(struct anl_batch *batch);

#ifdef __cplusplus
}
#endif

#endif
