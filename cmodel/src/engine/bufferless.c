// SPDX-License-Identifier: Apache-2.0
//
// The engine of a mesh without buffers: the machine of docs/bufferless.md behind the functions of
// the engine. Cycle t is step t of the machine.

#include "engine.h"
#include "machine.h"

#include <stdlib.h>
#include <string.h>

static void reset(struct anl_engine *engine) { anl_bufferless_reset(engine->bufferless); }

static enum anl_status enqueue(struct anl_engine *engine, const struct anl_worm *new_worm,
                               uint32_t *id)
{
    struct anl_worm worm = *new_worm;
    worm.created = engine->cycle;
    if (worm.created == 0 || worm.class_ || worm.role || worm.route) return ANL_ERR_ARGUMENT;
    const enum anl_status status = anl_bufferless_enqueue(engine->bufferless, &worm, id);
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
    const struct anl_worm *worm = anl_bufferless_worm(engine->bufferless, flit->worm);
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
    const struct anl_flit *flits = anl_bufferless_flits(engine->bufferless, &count);
    for (size_t i = 0; i < count; i++)
        count_flit(engine, &flits[i]);
    engine->totals.in_network = anl_bufferless_totals(engine->bufferless).on_links;
    if (!engine->record) return;
    memcpy(engine->flits, flits, count * sizeof *flits);
    engine->num_flits = count;
}

// While the engine is idle the machine is left behind, and it catches up when a worm comes.
static void step(struct anl_engine *engine)
{
    struct anl_bufferless *machine = engine->bufferless;
    if (anl_bufferless_steps(machine) + 1 < engine->cycle)
        anl_bufferless_skip(machine, engine->cycle - 1);
    while (anl_bufferless_steps(machine) < engine->cycle)  // more than one step only after a fault
        anl_bufferless_step(machine);
    count_step(engine);
}

static const struct anl_worm *worm(const struct anl_engine *engine, uint32_t id)
{
    return anl_bufferless_worm(engine->bufferless, id);
}

enum anl_status engine_make_bufferless(struct anl_engine *engine)
{
    static const struct engine_machine machine = {reset, enqueue, step, worm};
    const enum anl_status status = anl_bufferless_create(engine->config.k, &engine->bufferless);
    engine->machine = &machine;
    engine->flits = calloc(engine->shape.links, sizeof *engine->flits);
    engine->delivered = calloc(engine->shape.terminals, sizeof *engine->delivered);
    if (status) return status;
    anl_bufferless_record(engine->bufferless, true);
    return engine->flits && engine->delivered ? ANL_OK : ANL_ERR_MEMORY;
}

// A machine that was left behind is idle: its registers are as they will be.
void anl_engine_nodes(const struct anl_engine *engine, struct anl_bufferless_state *state)
{
    anl_bufferless_state(engine->bufferless, state);
}

bool anl_engine_fault(const struct anl_engine *engine, char *text, size_t size)
{
    if (engine->diagonals) return engine_fault_of_diagonals(engine, text, size);
    if (!engine->bufferless) return false;
    const struct anl_bufferless_fault fault = anl_bufferless_fault(engine->bufferless);
    if (fault.cause == ANL_BUFFERLESS_NO_FAULT) return false;
    anl_bufferless_fault_text(engine->bufferless, &fault, text, size);
    return true;
}
