// SPDX-License-Identifier: Apache-2.0
//
// Arbiters that keep an order (docs/switch.md, "Arbitration policies"): under matrix and
// registered_priority each output port has an order of the input ports, the one first that was
// served least recently. Under matrix each input port has an order of its lanes as well, under
// registered_priority a favoured lane.

#include "order.h"
#include "engine.h"

#include <annelid/base.h>
#include <stdlib.h>
#include <string.h>

bool engine_make_orders(struct anl_engine *engine)
{
    const size_t ports = engine->switch_links;
    struct orders *orders = calloc(1, sizeof *orders);
    engine->orders = orders;
    if (!orders) return false;
    orders->engine = engine;
    orders->ports = calloc(ports * engine->shape.ports, sizeof *orders->ports);
    orders->lanes = calloc(ports * engine->config.num_vcs, sizeof *orders->lanes);
    orders->next = calloc(ports * engine->classes, sizeof *orders->next);
    return orders->ports && orders->lanes && orders->next;
}

void engine_free_orders(struct anl_engine *engine)
{
    if (!engine->orders) return;
    free(engine->orders->ports);
    free(engine->orders->lanes);
    free(engine->orders->next);
    free(engine->orders);
}

void engine_reset_orders(struct anl_engine *engine)
{
    const struct orders *orders = engine->orders;
    const size_t ports = engine->switch_links, p = engine->shape.ports;
    const size_t v = engine->config.num_vcs;
    for (size_t i = 0; i < ports * p; i++)
        orders->ports[i] = (uint8_t)(i % p);
    for (size_t i = 0; i < ports * v; i++)
        orders->lanes[i] = (uint8_t)(i % v % engine->class_lanes);
    memset(orders->next, 0, ports * engine->classes * sizeof *orders->next);
}

// Returns the first one in an order that is in the mask, which is not 0.
static uint32_t first_of(const uint8_t *order, uint32_t mask)
{
    while (!(mask >> *order & 1))
        order++;
    return *order;
}

// Moves one of `count` to the end of their order.
static void serve(uint8_t *order, uint32_t count, uint32_t served)
{
    uint32_t at = 0;
    while (order[at] != served)
        at++;
    memmove(order + at, order + at + 1, count - 1 - at);
    order[count - 1] = (uint8_t)served;
}

static uint8_t *ports_of(const struct anl_engine *engine, uint32_t link)
{
    return engine->orders->ports + (size_t)link * engine->shape.ports;
}

static uint8_t *lanes_of(const struct anl_engine *engine, uint32_t port, uint32_t first_vc)
{
    return engine->orders->lanes + (size_t)port * engine->config.num_vcs + first_vc;
}

static struct favoured *next_of(const struct anl_engine *engine, uint32_t port, uint32_t vc)
{
    return engine->orders->next + (size_t)port * engine->classes + vc / engine->class_lanes;
}

uint32_t engine_first_port(const struct orders *orders, uint32_t link, uint32_t mask)
{
    return first_of(ports_of(orders->engine, link), mask);
}

uint32_t engine_first_lane(const struct orders *orders, uint32_t port, uint32_t first_vc,
                           uint32_t mask)
{
    return first_of(lanes_of(orders->engine, port, first_vc), mask);
}

// Decides of a class, whose lanes the masks hold from bit 0 on, which lane is favoured next.
// Returns the mask of the lane that asks, or 0 if it is not eligible.
static uint32_t decide_favour(const struct favoured *now, struct favoured *next, uint32_t held,
                              uint32_t eligible)
{
    *next = *now;
    if (!held) return 0;
    const uint32_t asks = first_cyclic(held, now->lane);
    const uint32_t others = eligible & ~(1u << asks);
    next->if_granted = (uint8_t)(others ? first_cyclic(others, asks) : asks);
    next->lane = eligible >> asks & 1 ? (uint8_t)asks : next->if_granted;
    return eligible & 1u << asks;
}

uint32_t engine_favour(const struct orders *orders, uint32_t port, uint32_t eligible)
{
    const struct anl_engine *engine = orders->engine;
    const uint32_t lanes = (1u << engine->class_lanes) - 1;
    uint32_t offered = 0;
    for (uint32_t vc = 0; vc < engine->config.num_vcs; vc += engine->class_lanes) {
        const struct favoured now = {(uint8_t)engine_in_ptr(engine, port, vc), 0};
        const uint32_t held = (uint32_t)engine->ports[port].occupied >> vc & lanes;
        offered |= decide_favour(&now, next_of(engine, port, vc), held, eligible >> vc & lanes)
                   << vc;
    }
    return offered;
}

void engine_move_favours(const struct anl_engine *engine)
{
    for (uint32_t w = 0; w * 64 < engine->switch_links; w++)
        for (uint64_t rest = engine->busy[w]; rest; rest &= rest - 1) {
            const uint32_t port = w * 64 + lowest64(rest);
            if (port >= engine->switch_links) return;
            for (uint32_t vc = 0; vc < engine->config.num_vcs; vc += engine->class_lanes)
                engine_set_in_ptr(engine, port, vc, next_of(engine, port, vc)->lane);
        }
}

void engine_serve(const struct orders *orders, const struct move *move, uint32_t vc)
{
    const struct anl_engine *engine = orders->engine;
    const uint32_t ports = engine->shape.ports, lanes = engine->class_lanes;
    const uint32_t input = engine->ports[move->port].number;
    serve(ports_of(engine, move->link), ports, input);
    engine->ports[move->link].out_ptr = (uint8_t)((input + 1) % ports);
    if (engine->config.arbiter == ANL_REGISTERED_PRIORITY) {
        struct favoured *next = next_of(engine, move->port, vc);
        next->lane = next->if_granted;
        engine_set_in_ptr(engine, move->port, vc, next->lane);
        return;
    }
    serve(lanes_of(engine, move->port, vc / lanes * lanes), lanes, vc % lanes);
    engine_set_in_ptr(engine, move->port, vc, (vc + 1) % lanes);
}

// Packs an order of `count` numbers; another one makes no sense.
static void pack_order(uint8_t *order, uint32_t count, struct anl_pack *pack)
{
    uint64_t seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        ANL_PACK_BELOW(pack, order[i], count);
        seen |= UINT64_C(1) << order[i];
    }
    if (anl_pack_expect(pack, seen == (UINT64_C(1) << count) - 1)) return;
    for (uint32_t i = 0; i < count; i++)
        order[i] = (uint8_t)i;
}

void engine_pack_orders(const struct anl_engine *engine, uint32_t port, struct anl_pack *pack)
{
    pack_order(ports_of(engine, port), engine->shape.ports, pack);
    for (uint32_t vc = 0; vc < engine->config.num_vcs; vc += engine->class_lanes) {
        pack_order(lanes_of(engine, port, vc), engine->class_lanes, pack);
        next_of(engine, port, vc)->lane = (uint8_t)engine_in_ptr(engine, port, vc);
    }
}
