// SPDX-License-Identifier: Apache-2.0
//
// The decisions of a cycle, by the rules of docs/switch.md: reads the state at the start of the
// cycle, lists the moves.

#include "engine.h"
#include "network/fat_tree.h"

enum { TILE = 256, AHEAD = 16 };

// ---------------------------------------------------------------- space

// Flits in a lane of an input port. If space is chained, one that leaves does not count any more
// for those who decide later.
ALWAYS_INLINE uint32_t flits_in(const struct anl_engine *net, uint32_t port, uint32_t vc)
{
    const uint32_t count = lane_of(net, port, vc)->count;
    return net->leaving ? count - ((uint32_t)net->leaving[port] >> vc & 1) : count;
}

// Lanes of an input port that are not empty, in the same sense.
ALWAYS_INLINE uint32_t used_lanes(const struct anl_engine *net, uint32_t port)
{
    uint32_t used = net->ports[port].occupied;
    for (uint32_t rest = net->leaving ? net->leaving[port] : 0; rest; rest &= rest - 1)
        if (flits_in(net, port, lowest(rest)) == 0) used &= ~(rest & -rest);
    return used;
}

// port.open of a link. If space is chained, the credit of a flit that leaves counts already for
// those who decide later.
ALWAYS_INLINE uint32_t open_bits(const struct anl_engine *net, uint32_t link)
{
    const struct port *out = &net->ports[link];
    if (!net->leaving) return out->open;
    const uint32_t credits = (out->open & credit_bits(0xff)) | net->leaving[out->to];
    return credit_bits(credits) | (uint32_t)free_bits(credits & ~(uint32_t)out->owned);
}

// ---------------------------------------------------------------- rules 1 and 2

// Those of vcs at the end of link that have room for a worm, if worms have to fit.
ALWAYS_INLINE uint32_t roomy_lanes(const struct anl_engine *net, uint32_t link, uint32_t vcs,
                                   uint32_t length)
{
    if (net->config.admission == ANL_WORMHOLE) return vcs;
    const uint32_t port = net->ports[link].to;
    for (uint32_t rest = vcs; rest; rest &= rest - 1) {
        const uint32_t vc = lowest(rest);
        if (net->config.depth - flits_in(net, port, vc) < length) vcs &= ~(1u << vc);
    }
    return vcs;
}

// Those of the bits that the front of a lane needs which are open now: if there are any, it may
// cross the link.
ALWAYS_INLINE uint32_t open_to(const struct anl_engine *net, uint32_t link, const struct lane *lane)
{
    const uint32_t open = lane->needs & open_bits(net, link);
    if (net->config.admission == ANL_WORMHOLE || is_bound(lane)) return open;
    if (net->tails && net->tails[lane - net->lanes] == 0) return 0;
    return roomy_lanes(net, link, lanes_of_bits(open), lane->length);
}

// The up ports by which heads at this input port may go in this cycle (mask); 0: heads never
// choose.
ALWAYS_INLINE uint32_t up_ports(const struct anl_engine *net, uint32_t input, uint32_t random)
{
    return net->config.routing == ANL_UP_DOWN_GREEDY ? 3 * net->up
                                                     : net->up << (random >> input & 1);
}

// Output ports by which the front of a lane may leave, if they are open (mask).
ALWAYS_INLINE uint32_t ways(const struct lane *lane, uint32_t up)
{
    const bool chooses = (up != 0) & (lane->output == TREE_UP) & !is_bound(lane);
    const uint32_t one = 1u << lane->output;
    return chooses ? up : one;
}

// Those by which it may leave now. first: port of the same switch.
ALWAYS_INLINE uint32_t open_ways(const struct anl_engine *net, uint32_t first,
                                 const struct lane *lane, uint32_t up)
{
    uint32_t open = ways(lane, up);
    for (uint32_t rest = open; rest; rest &= rest - 1)
        if (!open_to(net, first + lowest(rest), lane)) open &= ~(rest & -rest);
    return open;
}

ALWAYS_INLINE bool is_eligible(const struct anl_engine *net, uint32_t first,
                               const struct lane *lane, uint32_t up)
{
    if (!net->up) return open_to(net, first + lane->output, lane) != 0;
    if (net->config.routing == ANL_UP_DOWN_GREEDY) return open_ways(net, first, lane, up) != 0;
    return open_to(net, first + lowest(ways(lane, up)), lane) != 0;
}

ALWAYS_INLINE uint32_t eligible_lanes(const struct anl_engine *net, uint32_t port, uint32_t first,
                                      uint32_t up)
{
    const uint32_t occupied = net->ports[port].occupied;
    uint32_t mask = 0;
    if (net->plain) {  // what an empty lane says does not matter
        for (uint32_t vc = 0; vc < net->config.num_vcs; vc++)
            mask |= (uint32_t)is_eligible(net, first, lane_of(net, port, vc), up) << vc;
        return mask & occupied;
    }
    for (uint32_t rest = occupied; rest; rest &= rest - 1) {
        const uint32_t vc = lowest(rest);
        mask |= (uint32_t)is_eligible(net, first, lane_of(net, port, vc), up) << vc;
    }
    return mask;
}

// ---------------------------------------------------------------- scans

ALWAYS_INLINE bool older(uint16_t a, uint16_t b) { return (uint16_t)(a - b) >> 15; }

ALWAYS_INLINE uint32_t oldest(const uint16_t *rank, uint32_t mask)
{
    uint32_t best = lowest(mask);
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1)
        if (older(rank[lowest(rest)], rank[best])) best = lowest(rest);
    return best;
}

// All that are as far as the farthest (mask).
ALWAYS_INLINE uint32_t farthest(const uint16_t *rank, uint32_t mask)
{
    uint32_t best = 0, distance = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t i = lowest(rest);
        if (rank[i] > distance) best = 0;
        if (rank[i] < distance) continue;
        distance = rank[i];
        best |= 1u << i;
    }
    return best;
}

// The oldest or farthest of a mask (not 0) by their ranks; start: as of a random scan.
ALWAYS_INLINE uint32_t scan_ranks(enum anl_scan scan, const uint16_t *rank, uint32_t start,
                                  uint32_t mask)
{
    return scan == ANL_OLDEST ? oldest(rank, mask) : first_from(farthest(rank, mask), start);
}

// Where a random scan begins.
ALWAYS_INLINE uint32_t first_lane(const struct anl_engine *net, uint32_t random)
{
    return (random >> 16 & 0xff) * net->config.num_vcs >> 8;
}

ALWAYS_INLINE uint32_t first_port(const struct anl_engine *net, uint32_t random)
{
    return (random >> 8 & 0xff) * net->shape.ports >> 8;
}

// Of the lanes of an input port.
ALWAYS_INLINE uint32_t scan_lanes(const struct anl_engine *net, uint32_t port, uint32_t random,
                                  uint32_t mask)
{
    uint16_t rank[ANL_MAX_VCS];
    switch (net->config.scan) {
    case ANL_FIXED:
        return lowest(mask);
    case ANL_ROTATING:
        return first_from(mask, net->ports[port].in_ptr);
    case ANL_RANDOM:
        return first_from(mask, first_lane(net, random));
    case ANL_OLDEST:
    case ANL_FARTHEST:
        break;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        rank[lowest(rest)] = lane_of(net, port, lowest(rest))->rank;
    return scan_ranks(net->config.scan, rank, first_lane(net, random), mask);
}

// Of the input ports of the switch whose first port is first, each with the lane that it offers.
ALWAYS_INLINE uint32_t scan_ports(const struct anl_engine *net, uint32_t first, uint32_t link,
                                  uint32_t random, uint32_t mask)
{
    uint16_t rank[ANL_MAX_PORTS];
    switch (net->config.scan) {
    case ANL_FIXED:
        return lowest(mask);
    case ANL_ROTATING:
        return first_from(mask, net->ports[link].out_ptr);
    case ANL_RANDOM:
        return first_from(mask, first_port(net, random));
    case ANL_OLDEST:
    case ANL_FARTHEST:
        break;
    }
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t port = first + lowest(rest);
        rank[lowest(rest)] = lane_of(net, port, net->ports[port].offered)->rank;
    }
    return scan_ranks(net->config.scan, rank, first_port(net, random), mask);
}

// ---------------------------------------------------------------- rules 3 to 5

ALWAYS_INLINE void request(const struct anl_engine *net, uint32_t link, uint32_t input)
{
    net->ports[link].requests |= 1u << input;
    set_bit(net->wanted, link);
    if (net->large) __builtin_prefetch(&net->ports[net->ports[link].to]);
}

// What a switch that holds a flit has drawn for this cycle.
ALWAYS_INLINE uint32_t sample(const struct anl_engine *net, uint32_t switch_)
{
    set_bit(net->sampling, switch_);
    return net->random[switch_];
}

// Rule 3: one lane, to one output port, or to two.
ALWAYS_INLINE void offer(const struct anl_engine *net, uint32_t port)
{
    struct port *here = &net->ports[port];
    const uint32_t input = here->number, first = port - input;
    if (!here->occupied) {
        clear_bit(net->busy, port);
        return;
    }
    const uint32_t random = net->random ? sample(net, switch_of(net, port)) : 0;
    const uint32_t up = net->up ? up_ports(net, input, random) : 0;
    const uint32_t mask = eligible_lanes(net, port, first, up);
    if (!mask) return;
    const uint32_t vc = scan_lanes(net, port, random, mask);
    const struct lane *lane = lane_of(net, port, vc);
    here->offered = (uint8_t)vc;
    if (!net->up) {
        request(net, first + lane->output, input);
        return;
    }
    uint32_t to = ways(lane, up);
    if (net->config.routing == ANL_UP_DOWN_GREEDY) to = open_ways(net, first, lane, up);
    for (; to; to &= to - 1)
        request(net, first + lowest(to), input);
}

// Rule 5: an empty lane before a used one.
ALWAYS_INLINE uint32_t take_one_of(const struct anl_engine *net, uint32_t link, uint32_t vcs)
{
    const uint32_t empty = vcs & ~used_lanes(net, net->ports[link].to);
    return lowest(empty ? empty : vcs);
}

// The lane that the front of a lane enters.
ALWAYS_INLINE uint32_t take(const struct anl_engine *net, uint32_t link, const struct lane *lane)
{
    if (net->config.num_vcs == 1) return 0;
    if (is_bound(lane)) return lowest(lane->needs);
    return take_one_of(net, link, lanes_of_bits(open_to(net, link, lane)));
}

// Rule 4. False: a lower port took the head that was offered to both.
ALWAYS_INLINE bool grant(const struct anl_engine *net, uint32_t link, struct move *move)
{
    struct port *out = &net->ports[link];
    const uint32_t first = link - out->number, requests = out->requests;
    const uint32_t random = net->random ? net->random[switch_of(net, link)] : 0;
    out->requests = 0;
    if (net->up && !requests) return false;

    const uint32_t input = scan_ports(net, first, link, random, requests);
    const uint32_t port = first + input, vc = net->ports[port].offered;
    *move = (struct move){.port = port,
                          .before = net->from ? net->from[port] : net->ports[port].to,
                          .link = link,
                          .to = out->to,
                          .from_vc = (uint8_t)vc,
                          .to_vc = (uint8_t)take(net, link, lane_of(net, port, vc))};
    if (net->up && out->number == TREE_UP) out[1].requests &= ~(1u << input);
    if (net->leaving) net->leaving[port] |= (uint8_t)(1u << vc);
    return true;
}

ALWAYS_INLINE void offer_all(const struct anl_engine *net, uint32_t begin, uint32_t end)
{
    for (uint32_t w = begin / 64; w * 64 < end; w++)
        for (uint64_t rest = bits_between(net->busy, w, begin, end); rest; rest &= rest - 1)
            offer(net, w * 64 + lowest64(rest));
}

// The same for networks that are larger than the caches: what is read is asked for beforehand.
ALWAYS_INLINE void offer_all_ahead(const struct anl_engine *net, uint32_t begin, uint32_t end)
{
    uint32_t ports[TILE * ANL_MAX_PORTS];
    size_t count = 0;
    for (uint32_t w = begin / 64; w * 64 < end; w++)
        for (uint64_t rest = bits_between(net->busy, w, begin, end); rest; rest &= rest - 1)
            ports[count++] = w * 64 + lowest64(rest);
    for (size_t i = 0; i < count; i++) {
        const uint32_t ahead = ports[i + AHEAD < count ? i + AHEAD : i];
        __builtin_prefetch(&net->ports[ahead]);
        __builtin_prefetch(lane_of(net, ahead, 0));
        offer(net, ports[i]);
    }
}

ALWAYS_INLINE size_t grant_all(const struct anl_engine *net, uint32_t begin, uint32_t end,
                               struct move *moves)
{
    size_t count = 0;
    for (uint32_t w = begin / 64; w * 64 < end; w++) {
        const uint64_t wanted = bits_between(net->wanted, w, begin, end);
        net->wanted[w] ^= wanted;
        for (uint64_t rest = wanted; rest; rest &= rest - 1)
            count += grant(net, w * 64 + lowest64(rest), &moves[count]);
    }
    return count;
}

// Lists the moves out of ports begin … end - 1, those of whole switches. Returns their number.
ALWAYS_INLINE size_t decide_ports(const struct anl_engine *net, uint32_t begin, uint32_t end,
                                  struct move *moves)
{
    if (net->large)
        offer_all_ahead(net, begin, end);
    else
        offer_all(net, begin, end);
    return grant_all(net, begin, end, moves);
}

// ---------------------------------------------------------------- sources

// A source offers the next flit of its front worm to the lanes of its link; no one competes.
ALWAYS_INLINE bool decide_source(const struct anl_engine *net, uint32_t terminal, struct move *move)
{
    const struct source *source = &net->sources[terminal];
    const uint32_t link = net->network_links + terminal;
    uint32_t open = open_bits(net, link) & credit_bits(0xff);

    *move = (struct move){.link = link, .to = net->ports[link].to, .to_vc = source->vc};
    if (source->sent > 0) return open >> source->vc & 1;
    open = roomy_lanes(net, link, open, source->length);
    if (open) move->to_vc = (uint8_t)take_one_of(net, link, open);
    return open != 0;
}

ALWAYS_INLINE size_t decide_sources(const struct anl_engine *net, struct move *moves)
{
    size_t count = 0;
    for (uint32_t w = 0; w * 64 < net->shape.terminals; w++)
        for (uint64_t rest = net->pending[w]; rest; rest &= rest - 1)
            count += decide_source(net, w * 64 + lowest64(rest), &moves[count]);
    return count;
}

// ---------------------------------------------------------------- all of the network

ALWAYS_INLINE size_t decide_common(const struct anl_engine *net, uint32_t num_vcs, uint32_t begin,
                                   uint32_t end, struct move *moves)
{
    const struct anl_engine known = known_common(net, num_vcs);
    return decide_ports(&known, begin, end, moves);
}

static size_t decide_cube(const struct anl_engine *net, uint32_t begin, uint32_t end,
                          struct move *moves)
{
    struct anl_engine known = *net;
    known.up = 0;
    known.leaving = NULL;
    return decide_ports(&known, begin, end, moves);
}

static size_t decide_tree(const struct anl_engine *net, uint32_t begin, uint32_t end,
                          struct move *moves)
{
    struct anl_engine known = *net;
    known.plain = false;
    known.large = false;
    known.from = NULL;
    return decide_ports(&known, begin, end, moves);
}

// One lane, and heads that know in each cycle by which up link they want to go.
static bool is_common_tree(const struct anl_engine *net)
{
    return net->stands && net->plain && net->config.num_vcs == 1 &&
           net->config.routing != ANL_UP_DOWN_GREEDY;
}

static size_t decide_common_tree(const struct anl_engine *net, uint32_t begin, uint32_t end,
                                 struct move *moves)
{
    struct anl_engine known = *net;
    known.config.num_vcs = 1;
    known.config.admission = ANL_WORMHOLE;
    known.config.routing = ANL_UP_DOWN_RANDOM;  // or fixed: then known.up is 0
    known.plain = true;
    known.large = false;
    known.from = NULL;
    known.tails = NULL;
    return decide_ports(&known, begin, end, moves);
}

static size_t decide_any(const struct anl_engine *net, uint32_t begin, uint32_t end,
                         struct move *moves)
{
    switch (is_common(net) ? net->config.num_vcs : 0) {
    case 1:
        return decide_common(net, 1, begin, end, moves);
    case 2:
        return decide_common(net, 2, begin, end, moves);
    case 4:
        return decide_common(net, 4, begin, end, moves);
    default:
        if (is_common_tree(net)) return decide_common_tree(net, begin, end, moves);
        return net->stands ? decide_tree(net, begin, end, moves)
                           : decide_cube(net, begin, end, moves);
    }
}

static void decide_switches(struct anl_engine *net, uint32_t begin, uint32_t end)
{
    const uint32_t ports = net->shape.ports;
    struct move *moves = &net->moves[net->num_moves];
    net->num_moves += decide_any(net, begin * ports, end * ports, moves);
}

static bool any_busy(const struct anl_engine *net, uint32_t begin, uint32_t end)
{
    uint64_t busy = 0;
    for (uint32_t w = begin / 64; w * 64 < end; w++)
        busy |= net->busy[w];
    return busy != 0;
}

static void decide_tiles(struct anl_engine *net)
{
    const uint32_t switches = net->shape.switches, ports = net->shape.ports;
    for (uint32_t begin = 0; begin < switches; begin += TILE) {
        const uint32_t end = switches - begin < TILE ? switches : begin + TILE;
        if (any_busy(net, begin * ports, end * ports)) decide_switches(net, begin, end);
    }
}

// From the root level down. So those who send up into a lane know what leaves it, and those who
// send down have decided before.
static void decide_chained_switches(struct anl_engine *net)
{
    for (uint32_t level = net->config.n; level > 0; level--)
        decide_switches(net, net->level_begin[level], net->level_begin[level + 1]);
}

// The moves still listed are those of the last decisions.
static void forget_leaving(struct anl_engine *net)
{
    for (size_t i = 0; i < net->num_moves; i++)
        net->leaving[net->moves[i].port] = 0;
}

void net_decide(struct anl_engine *net)
{
    if (net->leaving) forget_leaving(net);
    net->num_moves = 0;
    for (uint32_t i = 0; net->order && i < net->shape.switches; i++)
        decide_switches(net, net->order[i], net->order[i] + 1);
    if (!net->order && net->leaving)
        decide_chained_switches(net);
    else if (!net->order)
        decide_tiles(net);
    net->num_injections = decide_sources(net, &net->moves[net->num_moves]);
}
