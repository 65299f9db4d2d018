// SPDX-License-Identifier: Apache-2.0
//
// Rules 2 to 5 of docs/switch.md, for shared links: reads the state at the start of the cycle and
// lists the moves.

#include "engine.h"
#include "order.h"
#include "slices.h"
#include "wide.h"

enum { TILE = 256, AHEAD = 16 };

// ---------------------------------------------------------------- rules 1 and 2

ALWAYS_INLINE bool is_eligible(const struct anl_engine *engine, uint32_t first,
                               const struct lane *lane, uint32_t chosen)
{
    if (!engine->choice) return can_enter(engine, first + lane->output, lane) != 0;
    if (engine->greedy) return open_ports(engine, first, lane, chosen) != 0;
    return can_enter(engine, first + lowest(wanted_ports(engine, lane, chosen)), lane) != 0;
}

ALWAYS_INLINE uint32_t eligible_lanes(const struct anl_engine *engine, uint32_t port,
                                      uint32_t first, uint32_t chosen)
{
    const uint32_t occupied = engine->ports[port].occupied;
    const bool cheap = engine->config.flow_control == ANL_WORMHOLE && !engine->choice;
    uint32_t mask = 0;
    if (cheap || engine->config.num_vcs == 1) {  // the result for an empty lane does not matter
        for (uint32_t vc = 0; vc < engine->config.num_vcs; vc++)
            mask |= (uint32_t)is_eligible(engine, first, lane_of(engine, port, vc), chosen) << vc;
        return mask & occupied;
    }
    for (uint32_t rest = occupied; rest; rest &= rest - 1) {
        const uint32_t vc = lowest(rest);
        mask |= (uint32_t)is_eligible(engine, first, lane_of(engine, port, vc), chosen) << vc;
    }
    return mask;
}

// ---------------------------------------------------------------- options

// An output port that a front flit asks for in this cycle, and the lanes there that it may enter;
// lanes is 0 if it cannot leave.
struct request {
    uint32_t port, lanes;
};

// Returns those of the lanes vcs of a link that a head may take in this cycle.
ALWAYS_INLINE uint32_t takeable(const struct anl_engine *engine, uint32_t link, uint32_t vcs,
                                uint32_t length)
{
    uint32_t can = has_credit(engine, link) >> ANL_MAX_VCS & vcs;
    if (engine->config.atomic == ANL_ATOMIC_ADAPTIVE && !ends_at_terminal(engine, link))
        can &= all_credits(engine, link) | ~engine->network->atomic;
    return admit(engine, link, can, length);
}

// Returns the flits in the lanes of a class, from its first one on, at the end of a link: the
// credits that their sender lacks.
ALWAYS_INLINE uint32_t missing_credits(const struct anl_engine *engine, uint32_t link,
                                       uint32_t first_vc)
{
    uint32_t flits = 0;
    for (uint32_t vc = first_vc; vc < first_vc + engine->class_lanes; vc++)
        flits += flits_in(engine, engine->ports[link].to, vc);
    return flits;
}

ALWAYS_INLINE uint32_t most_credits(const struct anl_engine *engine, uint32_t first,
                                    uint32_t first_vc, uint32_t open)
{
    uint32_t best = lowest(open), least = UINT32_MAX;
    if (!(open & (open - 1))) return best;
    for (uint32_t rest = open; rest; rest &= rest - 1) {
        const uint32_t missing = missing_credits(engine, first + lowest(rest), first_vc);
        if (missing >= least) continue;
        least = missing;
        best = lowest(rest);
    }
    return best;
}

ALWAYS_INLINE uint32_t nth_port(uint32_t ports, uint32_t n)
{
    while (n-- > 0)
        ports &= ports - 1;
    return lowest(ports);
}

// The selection: returns one of the open ports (not 0) for a head in a lane of an input port.
ALWAYS_INLINE uint32_t select_port(const struct anl_engine *engine, uint32_t first, uint32_t input,
                                   uint32_t vc, uint32_t random, uint32_t open)
{
    const uint32_t straight = engine->network->straight[input];
    const uint32_t count = (uint32_t)__builtin_popcount(open);
    switch (engine->config.select) {
    case ANL_MOST_CREDITS:
        return most_credits(engine, first, first_lane(engine, vc), open);
    case ANL_SELECT_RANDOM:
        return nth_port(open, (random >> 24) * count >> 8);
    case ANL_STRAIGHT_FIRST:
        break;
    }
    return straight != ANL_NO_PORT && open >> straight & 1 ? straight : lowest(open);
}

// Returns what the head at the front of a lane asks for.
ALWAYS_INLINE struct request ask(const struct anl_engine *engine, uint32_t first, uint32_t input,
                                 uint32_t vc, uint32_t random, const struct lane *lane)
{
    const struct anl_route *options = &engine->options[lane - engine->lanes];
    uint32_t lanes[ANL_MAX_PORTS], open = 0, open_escapes = 0;
    uint32_t escapes = engine->network->escapes;
    if (engine->tails && engine->tails[lane - engine->lanes] == 0) return (struct request){0, 0};
    if (ends_at_terminal(engine, first + lowest(options->ports))) escapes = 0;
    for (uint32_t rest = options->ports; rest; rest &= rest - 1) {
        const uint32_t port = lowest(rest);
        lanes[port] = takeable(engine, first + port, options->vcs[port], lane->length);
        open |= (uint32_t)((lanes[port] & ~escapes) != 0) << port;
        open_escapes |= (uint32_t)((lanes[port] & escapes) != 0) << port;
    }
    const uint32_t considered = open ? ~escapes : escapes;
    if (!open) open = open_escapes;
    if (!open) return (struct request){0, 0};
    const uint32_t port = select_port(engine, first, input, vc, random, open);
    return (struct request){port, lanes[port] & considered};
}

ALWAYS_INLINE struct request request_of(const struct anl_engine *engine, uint32_t first,
                                        uint32_t input, uint32_t vc, uint32_t random)
{
    const struct lane *lane = lane_of(engine, first + input, vc);
    if (!is_bound(lane)) return ask(engine, first, input, vc, random, lane);
    const uint32_t can = can_enter(engine, first + lane->output, lane);
    return (struct request){lane->output, lanes_of_bits(can)};
}

// ---------------------------------------------------------------- arbiters

ALWAYS_INLINE uint32_t arb_age(const uint16_t *rank, uint32_t mask)
{
    uint32_t best = lowest(mask);
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1)
        if (is_older(rank[lowest(rest)], rank[best])) best = lowest(rest);
    return best;
}

// Returns, of the candidates with the largest distance, the first one at or after start.
ALWAYS_INLINE uint32_t arb_farthest(const uint16_t *rank, uint32_t mask, uint32_t start)
{
    uint32_t best = 0, distance = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t i = lowest(rest);
        if (rank[i] > distance) best = 0;
        if (rank[i] < distance) continue;
        distance = rank[i];
        best |= 1u << i;
    }
    return first_cyclic(best, start);
}

// Returns one of the lanes of an input port that belong to the class whose first lane is number
// first_vc; mask is that of the lanes from first_vc on.
ALWAYS_INLINE uint32_t arbitrate_class(const struct anl_engine *engine, uint32_t port,
                                       uint32_t first_vc, uint32_t random, uint32_t mask)
{
    uint16_t rank[ANL_MAX_VCS];
    const uint32_t start = random_start(random >> 16, engine->class_lanes);
    switch (engine->config.arbiter) {
    case ANL_FIXED:
        return lowest(mask);
    case ANL_ROUND_ROBIN:
        return first_cyclic(mask, engine_in_ptr(engine, port, first_vc));
    case ANL_RANDOM:
        return first_cyclic(mask, start);
    case ANL_ARBITER_MATRIX:
        return engine_first_lane(engine->orders, port, first_vc, mask);
    case ANL_REGISTERED_PRIORITY:
        return lowest(mask);
    case ANL_AGE:
    case ANL_FARTHEST:
        break;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        rank[lowest(rest)] = lane_of(engine, port, first_vc + lowest(rest))->rank;
    return engine->config.arbiter == ANL_AGE ? arb_age(rank, mask)
                                             : arb_farthest(rank, mask, start);
}

// Input arbitration: returns one of the lanes of an input port. With classes the scan over classes
// chooses one of them first: that of the first lane from the favoured class on.
ALWAYS_INLINE uint32_t arbitrate_lanes(const struct anl_engine *engine, uint32_t port,
                                       uint32_t random, uint32_t mask)
{
    if (!engine->favours) return arbitrate_class(engine, port, 0, random, mask);
    const uint32_t favoured = engine->favours[port].class_ * engine->class_lanes;
    const uint32_t first_vc = first_lane(engine, first_cyclic(mask, favoured));
    const uint32_t lanes = mask >> first_vc & ((1u << engine->class_lanes) - 1);
    return first_vc + arbitrate_class(engine, port, first_vc, random, lanes);
}

// Output arbitration: returns one of the input ports of a switch, each with the lane that it
// offers. first is the number of the switch's first port.
ALWAYS_INLINE uint32_t arbitrate_ports(const struct anl_engine *engine, uint32_t first,
                                       uint32_t link, uint32_t random, uint32_t mask)
{
    uint16_t rank[ANL_MAX_PORTS];
    const uint32_t start = random_start(random >> 8, engine->shape.ports);
    switch (engine->config.arbiter) {
    case ANL_FIXED:
        return lowest(mask);
    case ANL_ROUND_ROBIN:
        return first_cyclic(mask, engine->ports[link].out_ptr);
    case ANL_RANDOM:
        return first_cyclic(mask, start);
    case ANL_ARBITER_MATRIX:
    case ANL_REGISTERED_PRIORITY:
        return engine_first_port(engine->orders, link, mask);
    case ANL_AGE:
    case ANL_FARTHEST:
        break;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t port = first + lowest(rest);
        rank[lowest(rest)] = lane_of(engine, port, engine->ports[port].offered)->rank;
    }
    return engine->config.arbiter == ANL_AGE ? arb_age(rank, mask)
                                             : arb_farthest(rank, mask, start);
}

// ---------------------------------------------------------------- rules 3 to 5

ALWAYS_INLINE void request(const struct anl_engine *engine, uint32_t link, uint32_t input)
{
    engine->ports[link].requests |= 1u << input;
    set_bit(engine->wanted, link);
    if (engine->large) __builtin_prefetch(&engine->ports[engine->ports[link].to]);
}

// Returns those of the eligible lanes of an input port that may be offered.
ALWAYS_INLINE uint32_t asking(const struct anl_engine *engine, uint32_t port, uint32_t eligible)
{
    const bool favour = engine->orders && engine->config.arbiter == ANL_REGISTERED_PRIORITY;
    return favour ? engine_favour(engine->orders, port, eligible) : eligible;
}

// Rule 3 where heads select: the port offers one lane to the port that its front flit asks for.
ALWAYS_INLINE void offer_selected(const struct anl_engine *engine, uint32_t port, uint32_t random)
{
    struct port *here = &engine->ports[port];
    const uint32_t input = here->number, first = port - input;
    struct request requests[ANL_MAX_VCS];
    uint32_t mask = 0;
    for (uint32_t rest = here->occupied; rest; rest &= rest - 1) {
        const uint32_t vc = lowest(rest);
        requests[vc] = request_of(engine, first, input, vc, random);
        mask |= (uint32_t)(requests[vc].lanes != 0) << vc;
    }
    mask = asking(engine, port, mask);
    if (!mask) return;
    const uint32_t vc = arbitrate_lanes(engine, port, random, mask);
    here->offered = (uint8_t)vc;
    engine->asked[port] = (uint8_t)requests[vc].lanes;
    request(engine, first + requests[vc].port, input);
}

// Rule 3: the port offers one lane, to one output port or to two.
ALWAYS_INLINE void offer(const struct anl_engine *engine, uint32_t port)
{
    struct port *here = &engine->ports[port];
    const uint32_t input = here->number, first = port - input;
    if (!here->occupied) {
        clear_bit(engine->busy, port);
        return;
    }
    const uint32_t random = engine->random ? sample(engine, switch_of(engine, port)) : 0;
    if (engine->options) {
        offer_selected(engine, port, random);
        return;
    }
    const uint32_t chosen = engine->choice ? chosen_ports(engine, input, random) : 0;
    const uint32_t mask = asking(engine, port, eligible_lanes(engine, port, first, chosen));
    if (!mask) return;
    const uint32_t vc = arbitrate_lanes(engine, port, random, mask);
    const struct lane *lane = lane_of(engine, port, vc);
    here->offered = (uint8_t)vc;
    if (!engine->choice) {
        request(engine, first + lane->output, input);
        return;
    }
    uint32_t to = wanted_ports(engine, lane, chosen);
    if (engine->greedy) to = open_ports(engine, first, lane, chosen);
    for (; to; to &= to - 1)
        request(engine, first + lowest(to), input);
}

// Returns the lane of a link that the flit enters which an input port offers from this lane.
ALWAYS_INLINE uint32_t lane_entered(const struct anl_engine *engine, uint32_t link, uint32_t port,
                                    const struct lane *lane)
{
    if (engine->options) return vc_select(engine, link, engine->asked[port]);
    if (engine->config.num_vcs == 1) return 0;
    if (is_bound(lane)) return lowest(lane->set);
    return vc_select(engine, link, lanes_of_bits(can_enter(engine, link, lane)));
}

// Rule 4: an output port grants one request. Returns false if there is none left: the only one came
// from a head that asked two ports, and the lower port has granted it.
ALWAYS_INLINE bool grant(const struct anl_engine *engine, uint32_t link, struct move *move)
{
    struct port *out = &engine->ports[link];
    const uint32_t first = link - out->number, requests = out->requests;
    const uint32_t random = engine->random ? engine->random[switch_of(engine, link)] : 0;
    out->requests = 0;
    if (engine->choice && !requests) return false;

    const uint32_t input = arbitrate_ports(engine, first, link, random, requests);
    const uint32_t port = first + input, vc = engine->ports[port].offered;
    *move = (struct move){.port = port,
                          .before = link_into(engine, port),
                          .link = link,
                          .to = out->to,
                          .from_vc = (uint8_t)vc,
                          .to_vc =
                              (uint8_t)lane_entered(engine, link, port, lane_of(engine, port, vc))};
    if (1u << out->number == engine->choice) out[1].requests &= ~(1u << input);
    if (engine->leaving) engine->leaving[port] |= (uint8_t)(1u << vc);
    return true;
}

ALWAYS_INLINE void offer_all(const struct anl_engine *engine, uint32_t begin, uint32_t end)
{
    for (uint32_t w = begin / 64; w * 64 < end; w++)
        for (uint64_t rest = bits_between(engine->busy, w, begin, end); rest; rest &= rest - 1)
            offer(engine, w * 64 + lowest64(rest));
}

// Does the same for networks that are larger than the caches: prefetches what each offer reads.
ALWAYS_INLINE void offer_all_ahead(const struct anl_engine *engine, uint32_t begin, uint32_t end)
{
    uint32_t ports[TILE * ANL_MAX_PORTS];
    size_t count = 0;
    for (uint32_t w = begin / 64; w * 64 < end; w++)
        for (uint64_t rest = bits_between(engine->busy, w, begin, end); rest; rest &= rest - 1)
            ports[count++] = w * 64 + lowest64(rest);
    for (size_t i = 0; i < count; i++) {
        const uint32_t ahead = ports[i + AHEAD < count ? i + AHEAD : i];
        __builtin_prefetch(&engine->ports[ahead]);
        __builtin_prefetch(lane_of(engine, ahead, 0));
        offer(engine, ports[i]);
    }
}

ALWAYS_INLINE size_t grant_all(const struct anl_engine *engine, uint32_t begin, uint32_t end,
                               struct move *moves)
{
    size_t count = 0;
    for (uint32_t w = begin / 64; w * 64 < end; w++) {
        const uint64_t wanted = bits_between(engine->wanted, w, begin, end);
        engine->wanted[w] ^= wanted;
        for (uint64_t rest = wanted; rest; rest &= rest - 1)
            count += grant(engine, w * 64 + lowest64(rest), &moves[count]);
    }
    return count;
}

// Lists the moves out of ports begin … end - 1, all ports of some switches. Returns how many moves
// there are.
ALWAYS_INLINE size_t decide_ports(const struct anl_engine *engine, uint32_t begin, uint32_t end,
                                  struct move *moves)
{
    if (engine->wide) return engine_decide_wide(engine, begin, end, moves);
    if (engine->large)
        offer_all_ahead(engine, begin, end);
    else
        offer_all(engine, begin, end);
    return grant_all(engine, begin, end, moves);
}

// ---------------------------------------------------------------- sources

// A source sends the next flit of its front worm if a lane of its link admits it; with one class
// nothing competes with it.
ALWAYS_INLINE bool decide_source(const struct anl_engine *engine, uint32_t terminal,
                                 const struct source *source, struct move *move)
{
    const uint32_t link = engine->switch_links + terminal;
    const uint32_t credits = has_credit(engine, link) & credit_bits(0xff);

    *move = (struct move){.link = link, .to = engine->ports[link].to, .to_vc = source->vc};
    if (source->sent > 0) return credits >> source->vc & 1;
    const uint32_t can = admit(engine, link, credits & source->vcs, source->length);
    if (can) move->to_vc = (uint8_t)vc_select(engine, link, can);
    return can != 0;
}

ALWAYS_INLINE size_t decide_sources(const struct anl_engine *engine, struct move *moves)
{
    size_t count = 0;
    for (uint32_t w = 0; w * 64 < engine->shape.terminals; w++)
        for (uint64_t rest = engine->pending[w]; rest; rest &= rest - 1) {
            const uint32_t terminal = w * 64 + lowest64(rest);
            count += decide_source(engine, terminal, &engine->sources[terminal], &moves[count]);
        }
    return count;
}

// Of the sources of a terminal that could send a flit the scan over classes chooses one.
static bool decide_classes(const struct anl_engine *engine, uint32_t terminal, struct move *move)
{
    const struct source *sources = &engine->sources[(size_t)terminal * engine->classes];
    struct move moves[ANL_MAX_VCS];
    uint32_t able = 0;
    for (uint32_t c = 0; c < engine->classes; c++)
        if (sources[c].front != NO_WORM && decide_source(engine, terminal, &sources[c], &moves[c]))
            able |= 1u << c;
    if (!able) return false;
    *move = moves[first_cyclic(able, engine->favours[engine->switch_links + terminal].class_)];
    return true;
}

static size_t decide_all_classes(const struct anl_engine *engine, struct move *moves)
{
    size_t count = 0;
    for (uint32_t w = 0; w * 64 < engine->shape.terminals; w++)
        for (uint64_t rest = engine->pending[w]; rest; rest &= rest - 1)
            count += decide_classes(engine, w * 64 + lowest64(rest), &moves[count]);
    return count;
}

// ---------------------------------------------------------------- all of the network

#define DECIDE(name, fits, know)                                                                   \
    static size_t decide_##name(const struct anl_engine *engine, uint32_t begin, uint32_t end,     \
                                struct move *moves)                                                \
    {                                                                                              \
        struct anl_engine known = *engine;                                                         \
        know;                                                                                      \
        return decide_ports(&known, begin, end, moves);                                            \
    }
VARIANTS(DECIDE)

#define DECIDE_ENTRY(name, fits, know) decide_##name,
static size_t (*const decide_variant[])(const struct anl_engine *engine, uint32_t begin,
                                        uint32_t end,
                                        struct move *moves) = {VARIANTS(DECIDE_ENTRY)};

static void decide_switches(struct anl_engine *engine, uint32_t begin, uint32_t end)
{
    const uint32_t ports = engine->shape.ports;
    struct move *moves = &engine->moves[engine->num_moves];
    engine->num_moves += decide_variant[engine->variant](engine, begin * ports, end * ports, moves);
}

static bool any_busy(const struct anl_engine *engine, uint32_t begin, uint32_t end)
{
    uint64_t busy = 0;
    for (uint32_t w = begin / 64; w * 64 < end; w++)
        busy |= engine->busy[w];
    return busy != 0;
}

static void decide_tiles(struct anl_engine *engine)
{
    const uint32_t switches = engine->shape.switches, ports = engine->shape.ports;
    for (uint32_t begin = 0; begin < switches; begin += TILE) {
        const uint32_t end = switches - begin < TILE ? switches : begin + TILE;
        if (any_busy(engine, begin * ports, end * ports)) decide_switches(engine, begin, end);
    }
}

// Clears leaving of the cycle before, whose moves are still listed.
static void forget_leaving(struct anl_engine *engine)
{
    for (size_t i = 0; i < engine->num_moves; i++)
        engine->leaving[engine->moves[i].port] = 0;
}

void engine_forget_moves(struct anl_engine *engine)
{
    if (engine->leaving) forget_leaving(engine);
    if (engine->wide) engine_forget_wide(engine);
    engine->num_moves = engine->num_injections = 0;
}

// The switches at the ends of chained links decide first, so that the sender into a lane knows
// which flits leave it.
uint32_t engine_num_tiers(const struct anl_engine *engine)
{
    return engine->leaving ? engine->network->num_tiers : 1;
}

// A shuffled order has the tiers in the order in which they decide.
static void decide_shuffled(struct anl_engine *engine, uint32_t begin, uint32_t end)
{
    const uint32_t switches = engine->shape.switches;
    for (uint32_t i = switches - end; i < switches - begin; i++)
        decide_switches(engine, engine->order[i], engine->order[i] + 1);
}

void engine_decide_tier(struct anl_engine *engine, uint32_t tier)
{
    const uint32_t begin = engine->leaving ? engine->tier_begin[tier] : 0;
    const uint32_t end = engine->leaving ? engine->tier_begin[tier + 1] : engine->shape.switches;
    if (engine->order)
        decide_shuffled(engine, begin, end);
    else if (engine->leaving)
        decide_switches(engine, begin, end);
    else
        decide_tiles(engine);
    if (engine->wide) engine_follow_wide(engine, 0);
}

void engine_decide_sources(struct anl_engine *engine)
{
    struct move *injections = &engine->moves[engine->num_moves];
    if (engine->wide)
        engine_inject_wide(engine);
    else
        engine->num_injections = engine->favours ? decide_all_classes(engine, injections)
                                                 : decide_sources(engine, injections);
}

void engine_decide(struct anl_engine *engine)
{
    engine_forget_moves(engine);
    for (uint32_t tier = engine_num_tiers(engine); tier-- > 0;)
        engine_decide_tier(engine, tier);
    engine_decide_sources(engine);
}
