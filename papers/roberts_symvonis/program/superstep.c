// SPDX-License-Identifier: Apache-2.0

#include "superstep.h"

#include "common/common.h"
#include "figures.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE = 2, SUPERNODES = SIDE * SIDE, WORMS = 5 * SUPERNODES };

// Loads slots 0, 2 and 4 of the left train and 1 and 3 of the right one. Worm i of a supernode goes
// to the i-th supernode behind it, so that most of them leave, in all directions.
static enum anl_status load(struct superstep *superstep)
{
    enum anl_status status = ANL_OK;
    for (uint32_t i = 0; i < WORMS && !status; i++) {
        const uint32_t slot = i / SUPERNODES, node = i % SUPERNODES;
        const uint32_t to = (node + slot + 1) % SUPERNODES;
        const uint32_t cell = superstep->layout.side * slot + 1;
        uint32_t worm;
        superstep->to[i] = to;
        status = snakes_load(&superstep->snakes, node, slot % 2 ? SIDE_RIGHT : SIDE_LEFT, slot,
                             snakes_node(&superstep->snakes, to, cell), &worm);
        superstep->worms++;
    }
    return status;
}

enum anl_status superstep_create(struct superstep *superstep, struct anl_error *error)
{
    *superstep = (struct superstep){.to = calloc(WORMS, sizeof *superstep->to)};
    if (!superstep->to) return cli_fail(ANL_ERR_MEMORY, error);
    superstep->destinations = (struct destinations){.of = superstep->to, .room = 8};
    enum anl_status status = layout_create(12, 4, &superstep->layout, error);
    if (!status)
        status = snakes_create(&superstep->layout, SIDE, greedy, &superstep->destinations,
                               &superstep->snakes, error);
    if (!status) {
        snakes_begin(&superstep->snakes, 1);
        anl_bufferless_record(superstep->snakes.machine, true);
        superstep->last = snakes_boundary(&superstep->snakes, 0);
        status = cli_fail(load(superstep), error);
    }
    if (status) superstep_free(superstep);
    return status;
}

void superstep_free(struct superstep *superstep)
{
    snakes_free(&superstep->snakes);
    layout_free(&superstep->layout);
    free(superstep->to);
    *superstep = (struct superstep){0};
}

bool superstep_go_on(struct superstep *superstep)
{
    if (anl_bufferless_steps(superstep->snakes.machine) >= superstep->last) return false;
    snakes_step(&superstep->snakes);
    return true;
}

// --- the trace: worms have numbers in the order of their starts ---

struct order {
    uint32_t worms[WORMS], ranks[WORMS];
};

static struct order order_of(const struct superstep *superstep)
{
    struct order order;
    for (uint32_t i = 0; i < superstep->worms; i++) {
        const uint64_t start = anl_bufferless_worm(superstep->snakes.machine, i)->created;
        uint32_t at = i;
        for (; at > 0; at--) {
            const uint32_t before = order.worms[at - 1];
            if (anl_bufferless_worm(superstep->snakes.machine, before)->created <= start) break;
            order.worms[at] = before;
        }
        order.worms[at] = i;
    }
    for (uint32_t i = 0; i < superstep->worms; i++)
        order.ranks[order.worms[i]] = i;
    return order;
}

static void trace_step(const struct superstep *superstep, const struct order *order, uint32_t *born,
                       struct anl_trace_writer *trace)
{
    const struct anl_bufferless *machine = superstep->snakes.machine;
    const uint64_t step = anl_bufferless_steps(machine);
    struct anl_flit flits[4 * SUPERNODES * WORMS];
    size_t count;
    for (; *born < superstep->worms; ++*born) {
        struct anl_worm worm = *anl_bufferless_worm(machine, order->worms[*born]);
        if (worm.created > step) break;
        worm.id = *born;
        anl_trace_worm(trace, &worm);
    }
    const struct anl_flit *moved = anl_bufferless_flits(machine, &count);
    memcpy(flits, moved, count * sizeof *flits);
    for (size_t i = 0; i < count; i++)
        flits[i].worm = order->ranks[flits[i].worm];
    anl_trace_flits(trace, step, flits, count);
}

static enum anl_status trace_all(struct superstep *superstep, const char *path,
                                 struct anl_error *error)
{
    static const char scenario[] =
        "# Storage snakes of Roberts and Symvonis: a superstep of 2 x 2 supernodes, f = 12, k = "
        "4.\n"
        "# Worms go by the map of the supernodes, not along row and column.\n"
        "network: {topology: mesh, k: 18, n: 2}\n"
        "switch: {kind: bufferless}\n"
        "traffic: {process: replay, messages: none.txt}\n";
    const struct order order = order_of(superstep);
    struct anl_trace_writer *trace;
    uint32_t born = 0;
    const enum anl_status status =
        anl_trace_create(path, ANL_TRACE_BINARY, 1, scenario, &trace, error);
    if (status) return status;
    while (superstep_go_on(superstep))
        trace_step(superstep, &order, &born, trace);
    return anl_trace_finish(trace, superstep->last + 1, error);
}

enum anl_status superstep_trace(const char *path, struct anl_error *error)
{
    struct superstep superstep;
    enum anl_status status = superstep_create(&superstep, error);
    if (!status) status = trace_all(&superstep, path, error);
    superstep_free(&superstep);
    return status;
}
