// SPDX-License-Identifier: Apache-2.0
//
// Makes batches, and keeps the worms of each run.

#include "batch.h"
#include "engine/machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- which batch

bool anl_batch_can(const struct anl_config *config)
{
    return anl_has(config, ANL_TRAIT_BATCH) && config->link == ANL_SHARED &&
           anl_hop_cycles(config) == 1 && anl_num_classes(config) == 1 &&
           config->reply_queue == 0 && !anl_is_adaptive(config) && config->routing != ANL_SOURCE &&
           anl_arbiter_has(config->arbiter, ANL_ARBITER_BATCH);
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

// Returns how many slots are fastest: 64 if the vectors of ports and lanes fill at most half of a
// second-level cache of 2 MB. A port has about ten of them and a lane five.
static uint32_t best_slots(const struct anl_network *network)
{
    enum { ENOUGH = 1024 * 1024 };
    const size_t vectors = (size_t)network->shape.links * (10 + 5 * network->config.num_vcs);
    if (can_64() && vectors * 64 <= ENOUGH) return 64;
    return can_32() ? 32 : 16;
}

uint32_t anl_batch_slots_for(const struct anl_network *network, uint32_t runs)
{
    const uint32_t best = best_slots(network);
    uint32_t slots = runs ? 16 : best;
    while (slots < runs && slots < best)
        slots *= 2;
    return slots;
}

static const struct batch_core *core_of(const struct anl_network *network, uint32_t slots)
{
    if (slots == 0) slots = best_slots(network);
    if (slots == 16) return &batch_core_16;
    if (slots == 32 && can_32()) return &batch_core_32;
    return slots == 64 && can_64() ? &batch_core_64 : NULL;
}

// ---------------------------------------------------------------- worms

static void free_place(struct anl_batch *batch, uint32_t number)
{
    batch->worms[number].live = false;
    batch->worms[number].next = batch->free;
    batch->free = number;
}

static void forget(struct anl_batch *batch, uint32_t slot, uint32_t number)
{
    batch->live[slot]--;
    free_place(batch, number);
}

// Makes room for twice as many worms. ANL_ERR_MEMORY: nothing has changed.
static enum anl_status grow(struct anl_batch *batch)
{
    enum { FIRST = 1024 };
    const uint32_t room = batch->room ? 2 * batch->room : FIRST;
    if (batch->room > UINT32_MAX / 4) return ANL_ERR_MEMORY;
    struct record *worms = aligned_alloc(64, (size_t)room * sizeof *worms);
    struct head *heads = aligned_alloc(64, (size_t)room * sizeof *heads);
    if (!worms || !heads) {
        free(worms);
        free(heads);
        return ANL_ERR_MEMORY;
    }
    if (batch->room) memcpy(worms, batch->worms, batch->room * sizeof *worms);
    if (batch->room) memcpy(heads, batch->heads, batch->room * sizeof *heads);
    free(batch->worms);
    free(batch->heads);
    batch->worms = worms;
    batch->heads = heads;
    for (uint32_t number = room; number-- > batch->room;)
        free_place(batch, number);
    batch->room = room;
    return ANL_OK;
}

// Mostly the worm that was made last is asked for.
static const struct anl_worm *worm(const struct anl_engine *run, uint32_t id)
{
    const struct anl_batch *batch = run->batch;
    for (uint32_t i = 0; i < batch->room; i++) {
        const struct record *record = &batch->worms[(batch->made[run->slot] - i) % batch->room];
        if (record->live && record->slot == run->slot && record->worm.id == id)
            return &record->worm;
    }
    return engine_find_delivered(run, id);
}

// ---------------------------------------------------------------- the runs

static void reset(struct anl_engine *run)
{
    struct anl_batch *batch = run->batch;
    for (uint32_t i = 0; batch->live[run->slot] > 0; i++)
        if (batch->worms[i].live && batch->worms[i].slot == run->slot) forget(batch, run->slot, i);
    batch->core->empty(batch, run->slot);
}

static enum anl_status enqueue(struct anl_engine *run, const struct anl_worm *new_worm,
                               uint32_t *id)
{
    struct anl_batch *batch = run->batch;
    if (new_worm->length > ANL_BATCH_LONGEST_WORM) return ANL_ERR_ARGUMENT;
    if (batch->free == NO_WORM && grow(batch)) return ANL_ERR_MEMORY;
    const uint32_t number = batch->free, next = batch->worms[number].next;
    struct record *record = &batch->worms[number];
    const enum anl_status status = engine_make_worm(run, new_worm, record, &batch->heads[number]);
    if (status) return status;
    record->slot = (uint8_t)run->slot;
    batch->free = next;
    batch->made[run->slot] = number;
    batch->live[run->slot]++;
    batch->core->enqueue(batch, run->slot, new_worm->source, number);
    if (id) *id = record->worm.id;
    return ANL_OK;
}

// No run of a batch steps alone.
static void step(struct anl_engine *run) { assert(!run); }

static const struct engine_machine machine = {
    .reset = reset, .enqueue = enqueue, .step = step, .worm = worm};

// ---------------------------------------------------------------- make and free

static enum anl_status make(struct anl_batch *batch)
{
    batch->state = batch->core->make(batch);
    batch->free = NO_WORM;
    if (!batch->state || grow(batch)) return ANL_ERR_MEMORY;
    for (uint32_t slot = 0; slot < batch->core->slots; slot++) {
        const enum anl_status status =
            engine_create_run(batch->network, &machine, &batch->runs[slot]);
        if (status) return status;
        batch->runs[slot]->batch = batch;
        batch->runs[slot]->slot = slot;
        anl_engine_reset(batch->runs[slot], 0);
    }
    return ANL_OK;
}

enum anl_status anl_batch_create(const struct anl_network *network, uint32_t slots,
                                 struct anl_batch **batch)
{
    const struct batch_core *core = core_of(network, slots);
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
    for (uint32_t slot = 0; slot < batch->core->slots; slot++)
        anl_engine_destroy(batch->runs[slot]);
    if (batch->state) batch->core->free(batch->state);
    free(batch->worms);
    free(batch->heads);
    free(batch);
}

uint32_t anl_batch_slots(const struct anl_batch *batch) { return batch->core->slots; }

struct anl_engine *anl_batch_run(const struct anl_batch *batch, uint32_t slot)
{
    return batch->runs[slot];
}

// ---------------------------------------------------------------- a cycle

void batch_note_flit(struct anl_engine *run, struct anl_flit flit)
{
    if (run->record) run->flits[run->num_flits++] = flit;
}

void batch_deliver(struct anl_batch *batch, uint32_t slot, uint32_t number)
{
    struct anl_engine *run = batch->runs[slot];
    run->delivered[run->num_delivered++] = batch->worms[number].worm;
    forget(batch, slot, number);
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
    for (uint32_t slot = 0; slot < batch->core->slots; slot++) {
        struct anl_engine *run = batch->runs[slot];
        run->num_flits = run->num_delivered = 0;
        batch->record |= run->record;
        batch->record_bodies |= run->record && !run->only_heads;
    }
    batch->core->step(batch);
}
