// SPDX-License-Identifier: Apache-2.0
//
// What an engine shows of itself: totals, worms, the flits of the last cycle, and the state that
// the lock-step compares (docs/switch.md).

#include "engine.h"
#include "machine.h"
#include "part.h"
#include "sinks.h"
#include "wide.h"

uint64_t anl_engine_cycle(const struct anl_engine *engine) { return engine->cycle; }

void anl_engine_record(struct anl_engine *engine, bool on)
{
    engine->record = on;
    engine->num_flits = 0;
}

void anl_engine_record_heads(struct anl_engine *engine, bool only) { engine->only_heads = only; }

const struct anl_flit *anl_engine_flits(const struct anl_engine *engine, size_t *count)
{
    *count = engine->num_flits;
    return engine->flits;
}

const struct anl_worm *anl_engine_delivered(const struct anl_engine *engine, size_t *count)
{
    *count = engine->num_delivered;
    return engine->delivered;
}

const struct anl_worm *anl_engine_taken(const struct anl_engine *engine, size_t *count)
{
    *count = engine->sinks ? engine->sinks->num_taken : 0;
    return engine->sinks ? engine->sinks->taken : NULL;
}

const struct anl_worm *engine_find_delivered(const struct anl_engine *engine, uint32_t id)
{
    for (size_t i = 0; i < engine->num_delivered; i++)
        if (engine->delivered[i].id == id) return &engine->delivered[i];
    return NULL;
}

const struct anl_worm *anl_engine_worm(const struct anl_engine *engine, uint32_t id)
{
    if (engine->machine) return engine->machine->worm(engine, id);
    if (engine->part) return NULL;
    const struct record *record = record_of(engine, id);
    if (record->live && record->worm.id == id) return &record->worm;
    return engine_find_delivered(engine, id);
}

struct anl_engine_totals anl_engine_totals(const struct anl_engine *engine)
{
    return engine->totals;
}

static struct anl_lane_state lane_state(const struct anl_engine *engine, uint32_t port, uint32_t vc)
{
    const struct lane *lane = lane_of(engine, port, vc);
    const uint32_t to = engine->ports[port].to;
    struct anl_lane_state state = {.count = lane->count, .credit = (uint8_t)engine->config.depth};

    if (is_bound(lane)) {
        state.bound = 1;
        state.bound_port = lane->output;
        state.bound_vc = (uint8_t)lowest(lane->set);
    }
    state.owned = engine->ports[port].owned >> vc & 1;
    if (to != ANL_NO_PORT) state.credit = (uint8_t)(state.credit - lane_of(engine, to, vc)->count);
    return state;
}

// Writes the input lane as the owner of the output lane that its worm is bound to.
static void tell_owner(const struct anl_engine *engine, uint32_t port, uint32_t vc,
                       struct anl_lane_state *lanes)
{
    const struct lane *lane = lane_of(engine, port, vc);
    if (!is_bound(lane)) return;
    const uint32_t link = port - engine->ports[port].number + lane->output;
    struct anl_lane_state *out = &lanes[(size_t)link * engine->config.num_vcs + lowest(lane->set)];
    out->owner_port = engine->ports[port].number;
    out->owner_vc = (uint8_t)vc;
}

static struct anl_terminal_lane_state terminal_state(const struct anl_engine *engine,
                                                     uint32_t terminal, uint32_t vc)
{
    const struct source *source = source_of(engine, terminal, vc);
    const uint32_t link = engine->switch_links + terminal;
    const bool bound = engine->wide ? sending_on(engine, link, vc)->worm != NO_WORM
                                    : source->sent > 0 && source->vc == vc;
    const uint32_t filled = lane_of(engine, engine->ports[link].to, vc)->count;
    return (struct anl_terminal_lane_state){
        .count = lane_of(engine, engine->switch_links + terminal, vc)->count,
        .credit = (uint8_t)(engine->config.depth - filled),
        .bound = bound,
    };
}

// --- classes of messages ---

static struct anl_favour_state favour_state(const struct anl_engine *engine, uint32_t link)
{
    if (!engine->favours) return (struct anl_favour_state){0};
    return (struct anl_favour_state){engine->favours[link].class_, engine->favours[link].quota};
}

static void fill_classes(const struct anl_engine *engine, struct anl_state *state)
{
    const uint32_t classes = engine->classes, ports = engine->switch_links;
    for (uint32_t port = 0; state->in_ptrs && port < ports; port++)
        for (uint32_t c = 0; c < classes; c++)
            state->in_ptrs[(size_t)port * classes + c] =
                engine->in_ptrs ? engine->in_ptrs[(size_t)port * classes + c]
                                : engine->ports[port].in_ptr;
    for (uint32_t port = 0; state->favours && port < ports; port++)
        state->favours[port] = favour_state(engine, port);
    for (uint32_t t = 0; state->injections && t < engine->shape.terminals; t++)
        state->injections[t] = favour_state(engine, ports + t);
}

// --- terminals that can refuse ---

static struct anl_sink_state sink_state(const struct anl_engine *engine, uint32_t terminal,
                                        uint32_t class_)
{
    const struct sinks *sinks = engine->sinks;
    if (!sinks) return (struct anl_sink_state){0};
    const uint32_t vc = sinks->shown[(size_t)terminal * engine->classes + class_];
    if (vc == NO_LANE) return (struct anl_sink_state){0};
    const struct lane *lane = lane_of(engine, engine->switch_links + terminal, vc);
    return (struct anl_sink_state){.worm = lane->worm,
                                   .index = lane->index,
                                   .vc = (uint8_t)vc,
                                   .shows = 1,
                                   .refuses = sinks->refusing[terminal] >> class_ & 1};
}

static void fill_sinks(const struct anl_engine *engine, struct anl_state *state)
{
    const uint32_t terminals = engine->shape.terminals, classes = engine->classes;
    for (uint32_t t = 0; state->sinks && t < terminals; t++)
        for (uint32_t c = 0; c < classes; c++)
            state->sinks[(size_t)t * classes + c] = sink_state(engine, t, c);
    for (uint32_t t = 0; state->reservations && t < terminals; t++)
        state->reservations[t] = engine->sinks ? engine->sinks->reservations[t] : 0;
}

// --- all of it, or what may have changed ---

static void fill_switch(const struct anl_engine *engine, uint32_t switch_, struct anl_state *state)
{
    const uint32_t v = engine->config.num_vcs, ports = engine->shape.ports, first = switch_ * ports;
    for (uint32_t port = first; port < first + ports; port++) {
        const struct port *here = &engine->ports[port];
        for (uint32_t vc = 0; vc < v; vc++)
            state->lanes[(size_t)port * v + vc] = lane_state(engine, port, vc);
        state->ports[port] = (struct anl_port_state){here->in_ptr, here->out_ptr};
    }
    for (uint32_t port = first; port < first + ports; port++)
        for (uint32_t vc = 0; vc < v; vc++)
            tell_owner(engine, port, vc, state->lanes);
    state->random[switch_] = engine->random ? engine->random[switch_] : 0;
}

// Fills the switch of a port unless it was the one that was filled last, or is busy: those that are
// are filled in any case.
static void fill_idle(const struct anl_engine *engine, uint32_t port, struct anl_state *state,
                      uint32_t *last)
{
    if (port >= engine->switch_links || switch_of(engine, port) == *last) return;
    const uint32_t ports = engine->shape.ports, first = switch_of(engine, port) * ports;
    for (uint32_t p = first; p < first + ports; p++)
        if (engine->busy[p / 64] >> p % 64 & 1) return;
    *last = first / ports;
    fill_switch(engine, *last, state);
}

// Fills terminals, and unless last is NULL the switches to which they return a credit.
static void fill_terminals(const struct anl_engine *engine, struct anl_state *state, uint32_t *last)
{
    const uint32_t v = engine->config.num_vcs;
    for (uint32_t t = 0; t < engine->shape.terminals; t++)
        for (uint32_t vc = 0; vc < v; vc++) {
            struct anl_terminal_lane_state *lane = &state->terminal_lanes[(size_t)t * v + vc];
            const uint8_t count = lane->count;
            *lane = terminal_state(engine, t, vc);
            if (last && lane->count != count)
                fill_idle(engine, link_into(engine, engine->switch_links + t), state, last);
        }
}

void anl_engine_state(const struct anl_engine *engine, struct anl_state *state)
{
    fill_classes(engine, state);
    fill_sinks(engine, state);
    for (uint32_t s = 0; s < engine->shape.switches; s++)
        fill_switch(engine, s, state);
    fill_terminals(engine, state, NULL);
}

// A switch that holds nothing, and has held nothing in the cycle before, changes when a credit
// comes back. Where much moves, to fill all costs less than to ask.
void anl_engine_state_again(const struct anl_engine *engine, struct anl_state *state)
{
    const bool plain = engine->classes == 1 && !engine->sinks && !engine->wide && !engine->slices;
    if (!plain || 2 * engine->num_moves > engine->shape.switches) {
        anl_engine_state(engine, state);
        return;
    }
    uint32_t last = UINT32_MAX;
    for (uint32_t word = 0; word < (engine->switch_links + 63) / 64; word++)
        for (uint64_t left = engine->busy[word]; left; left &= left - 1) {
            const uint32_t port = 64 * word + lowest64(left);
            if (port >= engine->switch_links || switch_of(engine, port) == last) continue;
            last = switch_of(engine, port);
            fill_switch(engine, last, state);
        }
    for (size_t i = 0; i < engine->num_moves; i++)
        fill_idle(engine, engine->moves[i].before, state, &last);
    fill_terminals(engine, state, &last);
}
