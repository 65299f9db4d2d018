// SPDX-License-Identifier: Apache-2.0
//
// The engine of a mesh without buffers: the machine of papers/roberts_symvonis/bufferless.md behind
// the functions of the engine. Cycle t is step t of the machine.

#include "bufferless_machine.h"

#include <stdlib.h>
#include <string.h>

static struct anl_bufferless *of(const struct anl_engine *engine) { return engine->of_machine; }

static void reset(struct anl_engine *engine) { anl_bufferless_reset(of(engine)); }

static enum anl_status enqueue(struct anl_engine *engine, const struct anl_worm *new_worm,
                               uint32_t *id)
{
    struct anl_worm worm = *new_worm;
    worm.created = engine->cycle;
    if (worm.created == 0 || worm.class_ || worm.role || worm.route) return ANL_ERR_ARGUMENT;
    const enum anl_status status = anl_bufferless_enqueue(of(engine), &worm, id);
    if (status) return status;
    engine->totals.enqueued++;
    engine->totals.queued++;
    return ANL_OK;
}

// Counts a flit that has crossed a link or was consumed, and notes the worm that it delivers.
static void count_flit(struct anl_engine *engine, const struct anl_flit *flit)
{
    struct anl_engine_totals *totals = &engine->totals;
    const uint32_t node = flit->link / ANL_BUFFERLESS_PORTS;
    const bool consumed = flit->link % ANL_BUFFERLESS_PORTS == ANL_TERMINAL_PORT;
    const struct anl_worm *worm = anl_bufferless_worm(of(engine), flit->worm);
    totals->flit_hops++;
    totals->moved++;
    totals->ejected_flits += consumed;
    if (!flit->tail) return;
    totals->queued -= node == worm->source;
    totals->delivered += consumed;
    if (consumed) engine->delivered[engine->num_delivered++] = *worm;
}

static void count_step(struct anl_engine *engine)
{
    size_t count;
    const struct anl_flit *flits = anl_bufferless_flits(of(engine), &count);
    for (size_t i = 0; i < count; i++)
        count_flit(engine, &flits[i]);
    engine->totals.in_network = anl_bufferless_totals(of(engine)).on_links;
    if (!engine->record) return;
    memcpy(engine->flits, flits, count * sizeof *flits);
    engine->num_flits = count;
}

// While the engine is idle the machine is left behind, and it catches up when a worm comes.
static void step(struct anl_engine *engine)
{
    struct anl_bufferless *machine = of(engine);
    if (anl_bufferless_steps(machine) + 1 < engine->cycle)
        anl_bufferless_skip(machine, engine->cycle - 1);
    while (anl_bufferless_steps(machine) < engine->cycle)  // more than one step only after a fault
        anl_bufferless_step(machine);
    count_step(engine);
}

static const struct anl_worm *worm(const struct anl_engine *engine, uint32_t id)
{
    return anl_bufferless_worm(of(engine), id);
}

// --- make, fault, free ---

static enum anl_status make(struct anl_engine *engine)
{
    struct anl_bufferless *made;
    const enum anl_status status = anl_bufferless_create(engine->config.k, &made);
    engine->of_machine = made;
    engine->flits = calloc(engine->shape.links, sizeof *engine->flits);
    engine->delivered = calloc(engine->shape.terminals, sizeof *engine->delivered);
    if (status) return status;
    anl_bufferless_record(made, true);
    return engine->flits && engine->delivered ? ANL_OK : ANL_ERR_MEMORY;
}

static bool fault(const struct anl_engine *engine, char *text, size_t size)
{
    const struct anl_bufferless_fault found = anl_bufferless_fault(of(engine));
    if (found.cause == ANL_BUFFERLESS_NO_FAULT) return false;
    anl_bufferless_fault_text(of(engine), &found, text, size);
    return true;
}

static void destroy(struct anl_engine *engine) { anl_bufferless_destroy(of(engine)); }

const struct engine_machine engine_bufferless = {
    .make = make,
    .reset = reset,
    .enqueue = enqueue,
    .step = step,
    .worm = worm,
    .fault = fault,
    .destroy = destroy,
};

// A machine that was left behind is idle: its registers are as they will be. Behind a fault a latch
// may still hold the way of a worm of which nothing is left; then the machine catches up.
void anl_engine_nodes(const struct anl_engine *engine, struct anl_bufferless_state *state)
{
    struct anl_bufferless *machine = of(engine);
    const bool faulty = anl_bufferless_fault(machine).cause != ANL_BUFFERLESS_NO_FAULT;
    while (faulty && anl_bufferless_steps(machine) + 1 < engine->cycle)
        anl_bufferless_step(machine);
    anl_bufferless_state(machine, state);
}
