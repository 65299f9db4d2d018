// SPDX-License-Identifier: Apache-2.0
//
// The engine of a butterfly that discards: the machine of papers/cole_maggs_sitaraman/discard.md
// behind the functions of the engine. With wide links cycle t is step t + 1. Where B lanes share a
// link a step takes B cycles, in the last of which lane B - 1 has its turn: cycle t belongs to step
// t / B + 1.

#include "discarding_machine.h"
#include "engine/wide.h"

#include <stdlib.h>

enum { RING = UINT16_MAX + 1 };  // more than the steps in which a source can send one worm

struct discarding {
    struct anl_discard *machine;
    uint32_t turns;          // cycles of a step
    uint32_t delivering;     // links from this one on end at outputs
    struct anl_flit *flits;  // [lanes] that cross links in the step of this cycle
    size_t num_flits;
    uint32_t *leaving;       // [RING] worms whose tails their sources send in a step
    struct anl_worm *worms;  // [totals.enqueued]
    size_t room;
};

static struct discarding *of(const struct anl_engine *engine) { return engine->of_machine; }

// --- worms ---

static bool make_room(struct discarding *at, size_t count)
{
    if (count < at->room) return true;
    const size_t room = at->room ? 2 * at->room : 1024;
    struct anl_worm *worms = realloc(at->worms, room * sizeof *worms);
    if (!worms) return false;
    at->worms = worms;
    at->room = room;
    return true;
}

static enum anl_status enqueue(struct anl_engine *engine, const struct anl_worm *new_worm,
                               uint32_t *id)
{
    struct discarding *at = of(engine);
    const size_t count = engine->totals.enqueued;
    if (new_worm->source >= engine->shape.terminals || new_worm->class_ || new_worm->role ||
        new_worm->destination >= engine->shape.terminals || new_worm->route ||
        (new_worm->has_path && new_worm->path >= anl_num_paths(&engine->config)))
        return ANL_ERR_ARGUMENT;
    if (!make_room(at, count)) return ANL_ERR_MEMORY;
    const struct anl_worm worm = new_worm_of(engine, new_worm, (uint32_t)count);
    const struct anl_discard_worm sent = {.start = (worm.created + at->turns - 1) / at->turns + 1,
                                          .source = worm.source / 2,
                                          .intermediate = worm.path,
                                          .destination = worm.destination / 2,
                                          .length = worm.length};
    const enum anl_status status = anl_discard_enqueue(at->machine, &sent, id);
    if (status) return status;
    at->worms[count] = worm;
    at->leaving[(sent.start + worm.length - 1) % RING]++;
    engine->totals.enqueued++;
    engine->totals.queued++;
    return ANL_OK;
}

static const struct anl_worm *worm(const struct anl_engine *engine, uint32_t id)
{
    return id < engine->totals.enqueued ? &of(engine)->worms[id] : NULL;
}

// --- steps ---

// Runs a step. While the engine is idle the machine is left behind, and it catches up here.
static void begin_step(struct anl_engine *engine, uint64_t step)
{
    struct discarding *at = of(engine);
    uint32_t *leaving = &at->leaving[step % RING];
    if (anl_discard_steps(at->machine) + 1 < step) anl_discard_skip(at->machine, step - 1);
    while (anl_discard_steps(at->machine) < step)
        anl_discard_step(at->machine);
    at->num_flits = anl_discard_flits(at->machine, at->flits);
    engine->totals.discarded = anl_discard_totals(at->machine).discarded;
    engine->totals.queued -= *leaving;
    *leaving = 0;
}

// Keeps the delivered worms ascending by destination.
static void deliver(struct anl_engine *engine, const struct anl_worm *delivered)
{
    size_t to = engine->num_delivered++;
    for (; to > 0 && engine->delivered[to - 1].destination > delivered->destination; to--)
        engine->delivered[to] = engine->delivered[to - 1];
    engine->delivered[to] = *delivered;
    engine->totals.delivered++;
}

static void cross(struct anl_engine *engine, const struct anl_flit *flit)
{
    const bool ends = flit->link >= of(engine)->delivering;
    engine->totals.moved++;
    engine->totals.flit_hops++;
    engine->totals.ejected_flits += ends;
    if (ends && flit->tail) deliver(engine, &of(engine)->worms[flit->worm]);
    if (engine->record) engine->flits[engine->num_flits++] = *flit;
}

// A flit is in the network until it has crossed a link that ends at an output.
static void step(struct anl_engine *engine)
{
    struct discarding *at = of(engine);
    const uint64_t number = engine->cycle / at->turns + 1;
    const uint32_t turn = (uint32_t)(engine->cycle % at->turns);
    if (turn == 0) begin_step(engine, number);
    if (anl_discard_steps(at->machine) != number)
        return;  // a worm has come in the middle of a step
    engine->totals.in_network = 0;
    for (size_t i = 0; i < at->num_flits; i++) {
        const struct anl_flit *flit = &at->flits[i];
        if (at->turns == 1 || flit->vc == turn) cross(engine, flit);
        const bool waits = at->turns > 1 && flit->vc > turn;
        engine->totals.in_network += waits || flit->link < at->delivering;
    }
}

const struct anl_discard *anl_engine_discard(const struct anl_engine *engine)
{
    return anl_has(&engine->config, ANL_TRAIT_DISCARDS) ? of(engine)->machine : NULL;
}

// --- make, reset, free ---

static void reset(struct anl_engine *engine)
{
    struct discarding *at = of(engine);
    anl_discard_reset(at->machine);
    at->num_flits = 0;
    for (size_t i = 0; i < RING; i++)
        at->leaving[i] = 0;
}

static enum anl_status make(struct anl_engine *engine)
{
    const struct anl_config *config = &engine->config;
    const struct anl_discard_shape shape = {config->n - 1, anl_num_passes(config), config->num_vcs};
    struct discarding *at = calloc(1, sizeof *at);
    if (!at) return ANL_ERR_MEMORY;
    engine->of_machine = at;
    at->turns = config->num_vcs / anl_link_flits(config);
    const enum anl_status status = anl_discard_create(&shape, &at->machine);
    if (status) return status;
    const size_t lanes = anl_discard_lanes(at->machine);
    at->delivering = (uint32_t)(lanes / config->num_vcs) - engine->shape.terminals;
    at->flits = calloc(lanes, sizeof *at->flits);
    at->leaving = calloc(RING, sizeof *at->leaving);
    engine->flits = calloc(lanes, sizeof *engine->flits);
    engine->delivered =
        calloc((size_t)engine->shape.terminals * config->num_vcs, sizeof *engine->delivered);
    return at->flits && at->leaving && engine->flits && engine->delivered ? ANL_OK : ANL_ERR_MEMORY;
}

static void destroy(struct anl_engine *engine)
{
    struct discarding *at = of(engine);
    if (!at) return;
    anl_discard_destroy(at->machine);
    free(at->flits);
    free(at->leaving);
    free(at->worms);
    free(at);
}

const struct engine_machine engine_discarding = {
    .make = make,
    .reset = reset,
    .enqueue = enqueue,
    .step = step,
    .worm = worm,
    .destroy = destroy,
};
