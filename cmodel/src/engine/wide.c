// SPDX-License-Identifier: Apache-2.0
//
// Wide links (docs/switch.md, "Wide links"): lists the moves of a cycle. A flit that is not a head
// goes on whenever its lane has a credit; the heads that want lanes of one output port take them
// one after the other, in the order of the scan. An input lane has the number port * V + vc here.

#include "wide.h"
#include "engine.h"
#include "part.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_CANDIDATES = ANL_MAX_PORTS * ANL_MAX_VCS };

// ---------------------------------------------------------------- make, free and reset

bool engine_make_wide(struct anl_engine *engine)
{
    const size_t v = engine->config.num_vcs;
    struct wide *wide = engine->wide = calloc(1, sizeof *wide);
    if (!wide) return false;
    wide->sendings = calloc(engine->shape.terminals * v, sizeof *wide->sendings);
    wide->owners = calloc(engine->switch_links * v, sizeof *wide->owners);
    const bool chained = engine->config.credits == ANL_BYPASS;
    if (chained) wide->leaving = calloc(engine->shape.links, sizeof *wide->leaving);
    return wide->sendings && wide->owners && (!chained || wide->leaving);
}

void engine_free_wide(struct anl_engine *engine)
{
    if (!engine->wide) return;
    free(engine->wide->sendings);
    free(engine->wide->owners);
    free(engine->wide->leaving);
    free(engine->wide);
}

void engine_reset_wide(struct anl_engine *engine)
{
    const size_t sendings = (size_t)engine->shape.terminals * engine->config.num_vcs;
    for (size_t i = 0; i < sendings; i++)
        engine->wide->sendings[i] = (struct sending){.worm = NO_WORM};
    if (engine->wide->leaving) memset(engine->wide->leaving, 0, engine->shape.links);
}

// ---------------------------------------------------------------- the offers to an output port

// What crosses the link of an output port in this cycle, and the heads that ask for a lane of it.
struct output {
    uint32_t num_heads;
    uint32_t taken;             // mask of the lanes that a flit enters
    uint32_t first;             // the input lane of the head granted first; MAX_CANDIDATES: none
    uint8_t from[ANL_MAX_VCS];  // of these lanes: the input lane of the flit
    uint8_t heads[MAX_CANDIDATES];  // input lanes, ascending
};

// The switch that decides.
struct deciding {
    uint32_t first;                  // number of its first port
    uint32_t random;                 // its random state
    uint32_t active;                 // mask of the output ports with a head or a flit
    uint8_t granted[ANL_MAX_PORTS];  // of each input port: lanes whose heads are granted
    struct output outputs[ANL_MAX_PORTS];
};

static const struct lane *lane_at(const struct anl_engine *engine, const struct deciding *here,
                                  uint32_t number)
{
    return &engine->lanes[(size_t)here->first * engine->config.num_vcs + number];
}

// Returns whether a flit that is not a head can go on: there is a credit or, if links are chained,
// the link leads to a terminal, which takes a flit of each lane in every cycle. What else is
// chained, engine_follow_wide() finds.
static bool can_go_on(const struct anl_engine *engine, uint32_t link, const struct lane *lane)
{
    const bool ejection = is_terminal(engine, engine->ports[link].to);
    return can_enter(engine, link, lane) || (engine->wide->leaving && ejection);
}

static void offer_flit(const struct anl_engine *engine, struct deciding *here, uint32_t number)
{
    const struct lane *lane = lane_at(engine, here, number);
    struct output *out = &here->outputs[lane->output];
    if (!can_go_on(engine, here->first + lane->output, lane)) return;
    out->from[lowest(lane->set)] = (uint8_t)number;
    out->taken |= lane->set;
    here->active |= 1u << lane->output;
}

static void offer_head(const struct anl_engine *engine, struct deciding *here, uint32_t number)
{
    const struct lane *lane = lane_at(engine, here, number);
    const uint32_t input = number / engine->config.num_vcs;
    const uint32_t chosen = engine->choice ? chosen_ports(engine, input, here->random) : 0;
    const uint32_t open = open_ports(engine, here->first, lane, chosen);
    here->active |= open;
    for (uint32_t rest = open; rest; rest &= rest - 1) {
        struct output *out = &here->outputs[lowest(rest)];
        out->heads[out->num_heads++] = (uint8_t)number;
    }
}

static void offer_lanes(const struct anl_engine *engine, struct deciding *here, uint32_t input)
{
    const uint32_t v = engine->config.num_vcs;
    for (uint32_t rest = engine->ports[here->first + input].occupied; rest; rest &= rest - 1) {
        const uint32_t number = input * v + lowest(rest);
        if (is_bound(lane_at(engine, here, number)))
            offer_flit(engine, here, number);
        else
            offer_head(engine, here, number);
    }
}

// ---------------------------------------------------------------- grant

// Returns the lanes of an output port that a head could still take.
static uint32_t lanes_left(const struct anl_engine *engine, const struct deciding *here,
                           uint32_t port, uint32_t number)
{
    const uint32_t v = engine->config.num_vcs;
    const struct lane *lane = lane_at(engine, here, number);
    if (here->granted[number / v] >> number % v & 1) return 0;
    return lanes_of_bits(can_enter(engine, here->first + port, lane)) & ~here->outputs[port].taken;
}

// Returns where the scan of an output port begins.
static uint32_t start_of(const struct anl_engine *engine, const struct deciding *here,
                         uint32_t port)
{
    switch (engine->config.arbiter) {
    case ANL_ROUND_ROBIN:
        return engine->ports[here->first + port].out_ptr;
    case ANL_RANDOM:
    case ANL_FARTHEST:
        return random_start(here->random >> 8, candidates(engine));
    default:
        return 0;
    }
}

// Returns whether the scan chooses input lane a rather than b < a.
static bool precedes(const struct anl_engine *engine, const struct deciding *here, uint32_t start,
                     uint32_t a, uint32_t b)
{
    const uint16_t rank_a = lane_at(engine, here, a)->rank, rank_b = lane_at(engine, here, b)->rank;
    if (engine->config.arbiter == ANL_AGE) return is_older(rank_a, rank_b);
    if (engine->config.arbiter == ANL_FARTHEST && rank_a != rank_b) return rank_a > rank_b;
    return b < start && a >= start;
}

// Returns the input lane whose head takes a lane of an output port next; MAX_CANDIDATES: none can.
static uint32_t choose(const struct anl_engine *engine, const struct deciding *here, uint32_t port)
{
    const struct output *out = &here->outputs[port];
    const uint32_t start = start_of(engine, here, port);
    uint32_t best = MAX_CANDIDATES;
    for (uint32_t i = 0; i < out->num_heads; i++) {
        if (!lanes_left(engine, here, port, out->heads[i])) continue;
        if (best == MAX_CANDIDATES || precedes(engine, here, start, out->heads[i], best))
            best = out->heads[i];
    }
    return best;
}

static void grant_heads(const struct anl_engine *engine, struct deciding *here, uint32_t port)
{
    const uint32_t v = engine->config.num_vcs;
    struct output *out = &here->outputs[port];
    for (uint32_t number; (number = choose(engine, here, port)) != MAX_CANDIDATES;) {
        const uint32_t left = lanes_left(engine, here, port, number);
        const uint32_t vc = vc_select(engine, here->first + port, left);
        if (out->first == MAX_CANDIDATES) out->first = number;
        out->from[vc] = (uint8_t)number;
        out->taken |= 1u << vc;
        here->granted[number / v] |= (uint8_t)(1u << number % v);
    }
}

static struct move move_to(const struct anl_engine *engine, uint32_t port, uint32_t from_vc,
                           uint32_t link, uint32_t vc)
{
    return (struct move){.port = port,
                         .before = link_into(engine, port),
                         .link = link,
                         .to = engine->ports[link].to,
                         .from_vc = (uint8_t)from_vc,
                         .to_vc = (uint8_t)vc};
}

static size_t list_moves(const struct anl_engine *engine, const struct deciding *here,
                         uint32_t port, struct move *moves)
{
    const uint32_t v = engine->config.num_vcs;
    const struct output *out = &here->outputs[port];
    size_t count = 0;
    for (uint32_t rest = out->taken; rest; rest &= rest - 1) {
        const uint32_t vc = lowest(rest), from = out->from[vc];
        moves[count] = move_to(engine, here->first + from / v, from % v, here->first + port, vc);
        moves[count++].first = from == out->first;
    }
    return count;
}

// ---------------------------------------------------------------- a switch

// Prepares the switch; returns false if it holds no flit.
static bool begin_switch(const struct anl_engine *engine, struct deciding *here)
{
    uint32_t occupied = 0;
    for (uint32_t p = 0; p < engine->shape.ports; p++) {
        const uint32_t lanes = engine->ports[here->first + p].occupied;
        struct output *out = &here->outputs[p];
        if (!lanes) clear_bit(engine->busy, here->first + p);
        occupied |= lanes;
        here->granted[p] = 0;
        out->num_heads = out->taken = 0;
        out->first = MAX_CANDIDATES;
    }
    here->active = 0;
    if (!occupied) return false;
    here->random = engine->random ? sample(engine, switch_of(engine, here->first)) : 0;
    return true;
}

static size_t decide_switch(const struct anl_engine *engine, uint32_t first, struct move *moves)
{
    struct deciding here;
    size_t count = 0;
    here.first = first;
    if (!begin_switch(engine, &here)) return 0;
    for (uint32_t p = 0; p < engine->shape.ports; p++)
        offer_lanes(engine, &here, p);
    for (uint32_t rest = here.active; rest; rest &= rest - 1) {
        grant_heads(engine, &here, lowest(rest));
        count += list_moves(engine, &here, lowest(rest), &moves[count]);
    }
    return count;
}

size_t engine_decide_wide(const struct anl_engine *engine, uint32_t begin, uint32_t end,
                          struct move *moves)
{
    const uint32_t ports = engine->shape.ports;
    size_t count = 0;
    for (uint32_t first = begin; first < end; first += ports)
        count += decide_switch(engine, first, &moves[count]);
    return count;
}

// ---------------------------------------------------------------- chained links

void engine_forget_wide(struct anl_engine *engine)
{
    for (size_t i = 0; engine->wide->leaving && i < engine->num_moves; i++)
        engine->wide->leaving[engine->moves[i].port] = 0;
}

void engine_follow_flit(struct anl_engine *engine, uint32_t link, uint32_t vc)
{
    const struct port *before = &engine->ports[link];
    const uint32_t v = engine->config.num_vcs, bit = 1u << vc;
    if (before->has_credit & credit_bits(bit) || !(before->owned & bit)) return;
    const uint32_t owner = engine->wide->owners[(size_t)link * v + vc];
    if (!(engine->ports[owner / v].occupied >> owner % v & 1)) return;
    engine->moves[engine->num_moves++] = move_to(engine, owner / v, owner % v, link, vc);
}

// Behind a flit from a terminal inject() follows, behind one from another part that part.
void engine_follow_wide(struct anl_engine *engine, size_t from)
{
    for (size_t i = from; engine->wide->leaving && i < engine->num_moves; i++) {
        const struct move left = engine->moves[i];
        engine->wide->leaving[left.port] |= (uint8_t)(1u << left.from_vc);
        if (left.before < engine->switch_links)
            engine_follow_flit(engine, left.before, left.from_vc);
    }
}

// ---------------------------------------------------------------- injection

// Returns the lanes of an injection link in which a flit that is not a head can go on.
static uint32_t lanes_with_credit(const struct anl_engine *engine, uint32_t link)
{
    const struct port *port = &engine->ports[link];
    const uint32_t leaving = engine->wide->leaving ? engine->wide->leaving[port->to] : 0;
    return (port->has_credit & credit_bits(0xff)) | leaving;
}

// Gives a lane to each worm at the front of the source queue that can have one, and returns the
// lanes. busy are those on which worms are being sent.
static uint32_t begin_worms(const struct anl_engine *engine, uint32_t terminal, uint32_t busy)
{
    const uint32_t link = engine->switch_links + terminal;
    const uint32_t credits = engine->ports[link].has_credit & credit_bits(0xff);
    uint32_t taken = 0;
    for (uint32_t id = engine->sources[terminal].front; id != NO_WORM;
         id = record_of(engine, id)->next) {
        const struct anl_worm *worm = &record_of(engine, id)->worm;
        const uint32_t set = anl_injection_vcs(&engine->config, worm->source, worm->destination);
        const uint32_t can = admit(engine, link, credits & set & ~busy & ~taken, worm->length);
        if (!can) break;
        const uint32_t vc = vc_select(engine, link, can);
        sending_on(engine, link, vc)->begins = id;
        taken |= 1u << vc;
    }
    return taken;
}

static size_t inject(const struct anl_engine *engine, uint32_t terminal, struct move *moves)
{
    const uint32_t link = engine->switch_links + terminal;
    uint32_t busy = 0;
    size_t count = 0;
    for (uint32_t vc = 0; vc < engine->config.num_vcs; vc++)
        busy |= (uint32_t)(sending_on(engine, link, vc)->worm != NO_WORM) << vc;
    uint32_t crossed = busy & lanes_with_credit(engine, link);
    crossed |= begin_worms(engine, terminal, busy);
    for (; crossed; crossed &= crossed - 1)
        moves[count++] = (struct move){
            .link = link, .to = engine->ports[link].to, .to_vc = (uint8_t)lowest(crossed)};
    return count;
}

void engine_inject_wide(struct anl_engine *engine)
{
    struct move *moves = &engine->moves[engine->num_moves];
    size_t count = 0;
    for (uint32_t w = 0; w * 64 < engine->shape.terminals; w++)
        for (uint64_t rest = engine->pending[w]; rest; rest &= rest - 1)
            count += inject(engine, w * 64 + lowest64(rest), &moves[count]);
    engine->num_injections = count;
}
