// SPDX-License-Identifier: Apache-2.0
//
// Terminals that can refuse: docs/switch.md, "Requests and replies". Their lanes hold worms as
// those of switches do. A terminal has one sink for each class of messages.

#include "sinks.h"
#include "engine.h"
#include "slices.h"

#include <stdlib.h>
#include <string.h>

bool engine_make_sinks(struct anl_engine *engine)
{
    const size_t terminals = engine->shape.terminals, sinks = terminals * engine->classes;
    struct sinks *made = calloc(1, sizeof *made);
    engine->sinks = made;
    if (!made) return false;
    made->reservations = calloc(terminals, sizeof *made->reservations);
    made->shown = calloc(sinks, sizeof *made->shown);
    made->refusing = calloc(terminals, sizeof *made->refusing);
    made->taken = calloc(sinks, sizeof *made->taken);
    return made->reservations && made->shown && made->refusing && made->taken;
}

void engine_free_sinks(struct anl_engine *engine)
{
    if (!engine->sinks) return;
    free(engine->sinks->reservations);
    free(engine->sinks->shown);
    free(engine->sinks->refusing);
    free(engine->sinks->taken);
    free(engine->sinks);
}

void engine_reset_sinks(struct anl_engine *engine)
{
    struct sinks *sinks = engine->sinks;
    const size_t terminals = engine->shape.terminals;
    memset(sinks->reservations, 0, terminals * sizeof *sinks->reservations);
    memset(sinks->shown, NO_LANE, terminals * engine->classes * sizeof *sinks->shown);
    memset(sinks->refusing, 0, terminals * sizeof *sinks->refusing);
    sinks->num_taken = 0;
}

void engine_free_reservation(const struct anl_engine *engine, uint32_t terminal)
{
    uint16_t *reservations = &engine->sinks->reservations[terminal];
    if (*reservations > 0) --*reservations;  // a reply offered without a request has none
}

// --- lanes of terminals ---

static void see_worm(const struct anl_engine *engine, struct lane *lane, uint32_t worm)
{
    lane->worm = worm;
    lane->length = head_of(engine, worm)->length;
}

void engine_arrive(const struct anl_engine *engine, uint32_t port, uint32_t vc, uint32_t worm)
{
    struct lane *lane = lane_of(engine, port, vc);
    if (lane->num_worms++ > 0)
        *worm_in(engine, lane, lane->num_worms - 1u) = worm;
    else
        see_worm(engine, lane, worm);
}

// Removes a worm whose tail has been taken.
static void forget_worm(const struct anl_engine *engine, struct lane *lane)
{
    record_of(engine, lane->worm)->live = false;
    lane->index = 0;
    lane->first = (uint8_t)(lane->first + 1u == engine->config.depth ? 0 : lane->first + 1);
    if (--lane->num_worms > 0) see_worm(engine, lane, *worm_in(engine, lane, 0));
}

// --- taking ---

static bool is_tail_of_request(const struct anl_engine *engine, const struct lane *lane)
{
    return lane->index + 1 == lane->length &&
           record_of(engine, lane->worm)->worm.role == ANL_REQUEST;
}

static void take(const struct anl_engine *engine, struct ejection flit)
{
    struct port *port = &engine->ports[flit.port];
    struct lane *lane = lane_of(engine, flit.port, flit.vc);
    const uint32_t terminal = flit.port - engine->switch_links;
    const uint32_t class_ = flit.vc / engine->class_lanes;
    if (is_tail_of_request(engine, lane)) engine->sinks->reservations[terminal]++;
    engine->sinks->shown[(size_t)terminal * engine->classes + class_] = NO_LANE;
    lane->index++;
    if (--lane->count == 0) port->occupied &= (uint8_t)(~(1u << flit.vc));
    return_ejection_credit(engine, flit.port, flit.vc);
    if (lane->index == lane->length) forget_worm(engine, lane);
}

void engine_take_flits(const struct anl_engine *engine)
{
    for (size_t i = 0; i < engine->num_ejecting; i++)
        take(engine, engine->ejecting[i]);
}

// Returns the lane that a sink shows: the one that it has shown without taking its flit, or the
// lowest one of its class that holds a flit; NO_LANE if there is none.
static uint32_t lane_to_show(const struct anl_engine *engine, uint32_t port, uint32_t class_,
                             uint32_t shown)
{
    const uint32_t vcs = ((1u << engine->class_lanes) - 1) << class_ * engine->class_lanes;
    const uint32_t holding = engine->ports[port].occupied & vcs;
    if (shown != NO_LANE) return shown;
    return holding ? lowest(holding) : NO_LANE;
}

static void list_take(struct anl_engine *engine, uint32_t port, uint32_t vc)
{
    const struct lane *lane = lane_of(engine, port, vc);
    engine->ejecting[engine->num_ejecting++] = (struct ejection){port, (uint8_t)vc};
    if (lane->index + 1 == lane->length)
        engine->sinks->taken[engine->sinks->num_taken++] = record_of(engine, lane->worm)->worm;
}

// Chooses what the sinks of a terminal show and take in the next cycle.
static void choose(struct anl_engine *engine, uint32_t terminal)
{
    struct sinks *sinks = engine->sinks;
    const uint32_t port = engine->switch_links + terminal;
    uint32_t reservations = sinks->reservations[terminal];
    sinks->refusing[terminal] = 0;
    for (uint32_t c = 0; c < engine->classes; c++) {
        uint8_t *shown = &sinks->shown[(size_t)terminal * engine->classes + c];
        const uint32_t vc = lane_to_show(engine, port, c, *shown);
        *shown = (uint8_t)vc;
        if (vc == NO_LANE) continue;
        const bool request = is_tail_of_request(engine, lane_of(engine, port, vc));
        if (request && reservations >= engine->config.reply_queue) {
            sinks->refusing[terminal] |= (uint8_t)(1u << c);
            continue;
        }
        reservations += request;
        list_take(engine, port, vc);
    }
}

void engine_choose_flits(struct anl_engine *engine)
{
    const uint32_t begin = engine->switch_links, end = first_gate(engine);
    engine->num_ejecting = engine->sinks->num_taken = 0;
    for (uint32_t w = begin / 64; w * 64 < end; w++)
        for (uint64_t rest = bits_between(engine->busy, w, begin, end); rest; rest &= rest - 1) {
            const uint32_t port = w * 64 + lowest64(rest);
            if (engine->ports[port].occupied)
                choose(engine, port - begin);
            else
                clear_bit(engine->busy, port);
        }
}
