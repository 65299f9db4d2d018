// SPDX-License-Identifier: Apache-2.0
//
// Points of the flits that cross links: lanes that fill and empty, lanes that heads take, ways.

#include "points.h"

#include <string.h>

enum { BINDS = 1, UNBINDS = 2, UP_0 = 4, UP_1 = 8 };  // what a switch does in a cycle

// Lane of a head that comes from a switch, where heads may take any.
static void watch_choice(struct watch *watch, const struct anl_flit *flit)
{
    const uint32_t first = flit->link * watch->config.num_vcs, taken = first + flit->vc;
    if (watch->buffers[taken].flits) reach(watch, TAKE_NOT_EMPTY);
    if (watch->buffers[taken].flits || watch->config.routing == ANL_DATELINE) return;
    if (watch->config.admission != ANL_WORMHOLE || !watch->has_before) return;
    for (uint32_t lane = first; lane < taken; lane++) {
        const struct anl_lane_state *state = &watch->before.lanes[lane];
        if (state->owned || !state->credit || state->credit == watch->config.depth) continue;
        reach(watch, TAKE_EMPTY);
        return;
    }
}

static void watch_half_way(struct watch *watch, const struct anl_worm *worm, uint32_t dimension,
                           bool minus)
{
    const uint32_t k = watch->config.k;
    const uint32_t from = anl_coordinate(&watch->config, worm->source, dimension);
    const uint32_t to = anl_coordinate(&watch->config, worm->destination, dimension);
    if (watch->config.topology == ANL_TORUS && 2 * ((to + k - from) % k) == k && minus == from % 2)
        reach(watch, minus ? HALF_ODD : HALF_EVEN);
}

// A head on a link of a torus with datelines.
static void watch_dateline(struct watch *watch, const struct anl_blocking *blocking,
                           const struct anl_flit *flit)
{
    const struct anl_config *config = &watch->config;
    const uint32_t node = flit->link / watch->shape.ports, port = flit->link % watch->shape.ports;
    struct anl_life life;
    if (port == watch->shape.ports - 1 || !anl_blocking_life(blocking, flit->worm, &life)) return;
    const bool two_way = config->topology == ANL_TORUS, minus = two_way && port % 2;
    const uint32_t dimension = two_way ? port / 2 : port, direction = two_way ? port % 2 : 2;
    const uint32_t from = anl_coordinate(config, life.worm.source, dimension);
    const uint32_t here = anl_coordinate(config, node, dimension);
    const bool wraps = here == (minus ? 0 : config->k - 1);
    const bool behind = minus ? here > from : here < from;
    if (flit->vc < config->num_vcs / 2)
        reach(watch, (wraps ? CROSSES : AHEAD) + direction);
    else
        reach(watch, (behind ? BEYOND : NEVER) + direction);
    if (here == from) watch_half_way(watch, &life.worm, dimension, minus);
}

static void watch_up(struct watch *watch, const struct anl_flit *flit)
{
    const uint32_t node = flit->link / watch->shape.ports, port = flit->link % watch->shape.ports;
    if (port < 4) return;
    reach(watch, UP + (uint32_t)(watch->config.routing - ANL_UP_DOWN_FIXED) * 2 + port - 4);
    watch->acts[node] |= port == 4 ? UP_0 : UP_1;
}

static void watch_head(struct watch *watch, const struct anl_blocking *blocking,
                       const struct anl_flit *flit)
{
    const uint64_t *tail = &watch->tail[flit->link * watch->config.num_vcs];
    for (uint32_t vc = 0; vc < watch->config.num_vcs; vc++)
        if (tail[vc] == watch->cycle && watch->cycle)
            reach(watch,
                  vc == flit->vc ? BACK_TO_BACK + (uint32_t)watch->config.admission : NEXT_LANE);
    if (flit->link >= watch->shape.switches * watch->shape.ports) return;
    watch_choice(watch, flit);
    if (watch->config.routing == ANL_DATELINE) watch_dateline(watch, blocking, flit);
    if (watch->config.topology == ANL_FAT_TREE) watch_up(watch, flit);
}

static void watch_delivery(struct watch *watch, const struct anl_flit *flit)
{
    const uint32_t length = flit->index + 1U, depth = watch->config.depth;
    const uint32_t first = DELIVERED + (uint32_t)watch->config.admission * LENGTHS;
    if (depth < 2) return;
    if (length == 1) reach(watch, first);
    if (length == depth) reach(watch, first + 1);
    if (length > depth) reach(watch, first + 2);
}

// What enters and leaves a lane of a switch.
static void watch_lane(struct watch *watch, uint32_t lane)
{
    const uint32_t flits = watch->buffers[lane].flits, depth = watch->config.depth;
    const uint32_t link = lane / watch->config.num_vcs;
    const bool push = watch->entered[lane], pop = flits && watch->buffers[lane].wait == ANL_MOVING;
    if (push && pop && flits == depth)
        reach(watch,
              link < watch->shape.switches * watch->shape.ports ? CHAINED_UP : CHAINED_INJECTION);
    if (depth < 2) return;
    if (push && flits == 0) reach(watch, PUSH_EMPTY);
    if (push && !pop && flits == depth - 1) reach(watch, PUSH_FILLS);
    if (!push && pop && flits == 1) reach(watch, POP_LAST);
    if (!push && pop && flits == depth) reach(watch, POP_FULL);
    if (push && pop && flits == 1) reach(watch, PUSH_POP_ONE);
}

static void watch_flit(struct watch *watch, const struct anl_blocking *blocking,
                       const struct anl_flit *flit)
{
    const uint32_t switch_ = flit->link / watch->shape.ports;
    watch->entered[flit->link * watch->config.num_vcs + flit->vc] = true;
    if (flit->head) watch_head(watch, blocking, flit);
    if (flit->tail && watch->ends[flit->link].is_terminal) watch_delivery(watch, flit);
    if (switch_ >= watch->shape.switches || flit->head == flit->tail) return;
    watch->acts[switch_] |= flit->head ? BINDS : UNBINDS;
}

void watch_flits(struct watch *watch, const struct anl_blocking *blocking,
                 const struct anl_flit *flits, size_t count)
{
    memset(watch->entered, 0, watch->lanes * sizeof *watch->entered);
    memset(watch->acts, 0, watch->shape.switches * sizeof *watch->acts);
    for (size_t i = 0; i < count; i++)
        watch_flit(watch, blocking, &flits[i]);
    for (size_t i = 0; i < count; i++)
        if (flits[i].tail)
            watch->tail[flits[i].link * watch->config.num_vcs + flits[i].vc] = watch->cycle + 1;
    for (uint32_t lane = 0; lane < watch->lanes; lane++)
        if (!watch->ends[lane / watch->config.num_vcs].is_terminal) watch_lane(watch, lane);
    for (uint32_t i = 0; i < watch->shape.switches; i++) {
        if ((watch->acts[i] & (BINDS | UNBINDS)) == (BINDS | UNBINDS))
            reach(watch, BIND_AND_UNBIND);
        if ((watch->acts[i] & (UP_0 | UP_1)) == (UP_0 | UP_1) &&
            watch->config.routing == ANL_UP_DOWN_GREEDY)
            reach(watch, UP_BOTH);
    }
}
