// SPDX-License-Identifier: Apache-2.0
//
// Makes batches, and keeps the worms of each run.

#include "batch.h"

#include <assert.h>
#include <stdlib.h>

// ---------------------------------------------------------------- which batch

bool anl_batch_can(const struct anl_config *config)
{
    return config->kind == ANL_BUFFERED && config->link == ANL_SHARED &&
           anl_hop_cycles(config) == 1 && anl_num_classes(config) == 1 &&
           config->reply_queue == 0 && !anl_is_adaptive(config) && config->routing != ANL_SOURCE &&
           !anl_keeps_order(config);
}

static bool can_32(void)
{
#if defined __x86_64__
    return __builtin_cpu_supports("avx2");
#else
    return true;
#endif
}

static bool can_64(void)
{
#if defined __x86_64__
    return __builtin_cpu_supports("avx512bw");
#else
    return true;
#endif
}

// Returns how many seats are fastest: 64 if the vectors of ports and lanes fill at most half of a
// second-level cache of 2 MB. A port has about ten of them and a lane five.
static uint32_t best_seats(const struct anl_network *network)
{
    enum { ENOUGH = 1024 * 1024 };
    const size_t vectors = (size_t)network->shape.links * (10 + 5 * network->config.num_vcs);
    if (can_64() && vectors * 64 <= ENOUGH) return 64;
    return can_32() ? 32 : 16;
}

uint32_t anl_batch_seats_for(const struct anl_network *network, uint32_t runs)
{
    const uint32_t best = best_seats(network);
    uint32_t seats = runs ? 16 : best;
    while (seats < runs && seats < best)
        seats *= 2;
    return seats;
}

static const struct batch_core *core_of(const struct anl_network *network, uint32_t seats)
{
    if (seats == 0) seats = best_seats(network);
    if (seats == 16) return &batch_core_16;
    if (seats == 32 && can_32()) return &batch_core_32;
    return seats == 64 && can_64() ? &batch_core_64 : NULL;
}

// ---------------------------------------------------------------- the runs

static void reset(struct anl_engine *run)
{
    for (uint32_t i = 0; i <= run->worms_mask; i++)
        run->worms[i].live = false;
    run->batch->core->empty(run->batch, run->seat);
}

static enum anl_status enqueue(struct anl_engine *run, const struct anl_worm *new_worm,
                               uint32_t *id)
{
    if (new_worm->length > ANL_BATCH_LONGEST_WORM) return ANL_ERR_ARGUMENT;
    uint32_t made;
    const enum anl_status status = engine_make_worm(run, new_worm, &made);
    if (status) return status;
    run->batch->core->enqueue(run->batch, run->seat, new_worm->source, made);
    if (id) *id = made;
    return ANL_OK;
}

// No run of a batch steps alone.
static void step(struct anl_engine *run) { assert(!run); }

static const struct anl_worm *worm(const struct anl_engine *run, uint32_t id)
{
    return engine_find_worm(run, id);
}

static const struct engine_machine machine = {reset, enqueue, step, worm};

// ---------------------------------------------------------------- make and free

static enum anl_status make(struct anl_batch *batch)
{
    batch->state = batch->core->make(batch);
    if (!batch->state) return ANL_ERR_MEMORY;
    for (uint32_t seat = 0; seat < batch->core->seats; seat++) {
        const enum anl_status status =
            engine_create_run(batch->network, &machine, &batch->runs[seat]);
        if (status) return status;
        batch->runs[seat]->batch = batch;
        batch->runs[seat]->seat = seat;
        anl_engine_reset(batch->runs[seat], 0);
    }
    return ANL_OK;
}

enum anl_status anl_batch_create(const struct anl_network *network, uint32_t seats,
                                 struct anl_batch **batch)
{
    const struct batch_core *core = core_of(network, seats);
    *batch = NULL;
    if (!core || !anl_batch_can(&network->config)) return ANL_ERR_ARGUMENT;
    struct anl_batch *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;
    made->network = network;
    made->core = core;
    const enum anl_status status = make(made);
    if (status)
        anl_batch_destroy(made);
    else
        *batch = made;
    return status;
}

void anl_batch_destroy(struct anl_batch *batch)
{
    if (!batch) return;
    for (uint32_t seat = 0; seat < batch->core->seats; seat++)
        anl_engine_destroy(batch->runs[seat]);
    if (batch->state) batch->core->free(batch->state);
    free(batch);
}

uint32_t anl_batch_seats(const struct anl_batch *batch) { return batch->core->seats; }

struct anl_engine *anl_batch_run(const struct anl_batch *batch, uint32_t seat)
{
    return batch->runs[seat];
}

// ---------------------------------------------------------------- a cycle

void batch_note_flit(struct anl_engine *run, struct anl_flit flit)
{
    if (run->record) run->flits[run->num_flits++] = flit;
}

void batch_deliver(struct anl_engine *run, uint32_t id)
{
    struct record *record = record_of(run, id);
    run->delivered[run->num_delivered++] = record->worm;
    record->live = false;
}

void batch_end_cycle(struct anl_engine *run, struct batch_counts counts)
{
    struct anl_engine_totals *totals = &run->totals;
    totals->moved = counts.moved;
    totals->flit_hops += counts.moved;
    totals->ejected_flits += counts.ejected;
    totals->in_network += counts.injected;
    totals->in_network -= counts.taken;
    totals->taken = counts.taken;
    totals->delivered += run->num_delivered;
    run->cycle++;
}

void anl_batch_step(struct anl_batch *batch)
{
    batch->record = batch->record_bodies = false;
    for (uint32_t seat = 0; seat < batch->core->seats; seat++) {
        struct anl_engine *run = batch->runs[seat];
        run->num_flits = run->num_delivered = 0;
        batch->record |= run->record;
        batch->record_bodies |= run->record && !run->only_heads;
    }
    batch->core->step(batch);
}
