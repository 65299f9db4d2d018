// SPDX-License-Identifier: Apache-2.0
//
// The decisions of a cycle, by the rules of docs/switch.md: reads the state at the start of the
// cycle, lists the moves.

#include "fat_tree.h"
#include "net_internal.h"

// ---------------------------------------------------------------- masks

// Lowest set bit at or after start, cyclic. mask is not 0.
static inline uint32_t first_from(uint32_t mask, uint32_t start)
{
    const uint32_t above = mask >> start << start;
    return (uint32_t)__builtin_ctz(above ? above : mask);
}

// ---------------------------------------------------------------- space

// Lanes at an input port that are full. If space is chained, the slot of a flit that leaves counts
// as free for those who decide later.
static inline uint32_t full_lanes(const struct anl_net *net, uint32_t port)
{
    const uint32_t full = net->full[port];
    return net->leaving ? full & ~(uint32_t)net->leaving[port] : full;
}

// Flits in a lane in the same sense.
static inline uint32_t flits_in(const struct anl_net *net, uint32_t port, uint32_t vc)
{
    const uint32_t count = lane_of(net, port, vc)->count;
    return net->leaving ? count - ((uint32_t)net->leaving[port] >> vc & 1) : count;
}

// Lanes that are not empty, in the same sense.
static inline uint32_t used_lanes(const struct anl_net *net, uint32_t port)
{
    uint32_t used = net->occupied[port];
    for (uint32_t rest = net->leaving ? net->leaving[port] : 0; rest; rest &= rest - 1)
        if (flits_in(net, port, lowest(rest)) == 0) used &= ~(rest & -rest);
    return used;
}

// Lanes of vcs at the end of link that a head may take now (rule 2).
static inline uint32_t takeable(const struct anl_net *net, uint32_t link, uint32_t vcs,
                                uint32_t length)
{
    const uint32_t port = net->link_port[link];
    uint32_t mask = vcs & ~(net->owned[link] | full_lanes(net, port));
    if (net->config.admission == ANL_WORMHOLE) return mask;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t vc = lowest(rest);
        if (net->config.depth - flits_in(net, port, vc) < length) mask &= ~(1u << vc);
    }
    return mask;
}

// The lane that a granted head takes: an empty one before a used one (rule 5). mask is not 0.
static inline uint32_t take(const struct anl_net *net, uint32_t link, uint32_t mask)
{
    const uint32_t empty = mask & ~used_lanes(net, net->link_port[link]);
    return lowest(empty ? empty : mask);
}

static inline uint32_t takeable_by(const struct anl_net *net, uint32_t link,
                                   const struct lane *lane)
{
    if (net->config.admission == ANL_WORMHOLE) return takeable(net, link, lane->vcs, 1);
    if (net->tails && net->tails[lane - net->lanes] == 0) return 0;
    const uint32_t length = record_of(net, stored_at(net, lane, 0)->worm)->worm.length;
    return takeable(net, link, lane->vcs, length);
}

// ---------------------------------------------------------------- rules 1 and 2

// The up ports by which heads at this input port may go in this cycle (mask); 0: heads never
// choose.
static inline uint32_t up_ports(const struct anl_net *net, uint32_t input, uint32_t random)
{
    return net->config.routing == ANL_UP_DOWN_GREEDY ? 3 * net->up
                                                     : net->up << (random >> input & 1);
}

// The front flit of a lane has to go up, and nothing but up says by which port.
static inline bool chooses(const struct lane *lane, uint32_t up)
{
    return up && lane->port == TREE_UP && !lane->bound;
}

// Those of the ports in up by which the head at the front of a lane may leave now.
static uint32_t open_ports(const struct anl_net *net, uint32_t first_link, const struct lane *lane,
                           uint32_t up)
{
    uint32_t open = up;
    for (uint32_t rest = up; rest; rest &= rest - 1)
        if (!takeable_by(net, first_link + lowest(rest), lane)) open &= ~(rest & -rest);
    return open;
}

static inline bool eligible(const struct anl_net *net, uint32_t first_link, const struct lane *lane,
                            uint32_t up)
{
    const uint32_t link = first_link + lane->port;
    if (lane->bound) return !(full_lanes(net, net->link_port[link]) >> lane->vc & 1);
    if (chooses(lane, up)) return open_ports(net, first_link, lane, up) != 0;
    return takeable_by(net, link, lane) != 0;
}

static inline uint32_t eligible_lanes(const struct anl_net *net, uint32_t first_link, uint32_t port,
                                      uint32_t up)
{
    uint32_t mask = 0;
    for (uint32_t rest = net->occupied[port]; rest; rest &= rest - 1) {
        const uint32_t vc = lowest(rest);
        if (eligible(net, first_link, lane_of(net, port, vc), up)) mask |= 1u << vc;
    }
    return mask;
}

// ---------------------------------------------------------------- scans

static inline bool older(uint16_t a, uint16_t b) { return (uint16_t)(a - b) >> 15; }

static uint32_t oldest(const uint16_t *rank, uint32_t mask)
{
    uint32_t best = lowest(mask);
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1)
        if (older(rank[lowest(rest)], rank[best])) best = lowest(rest);
    return best;
}

// All that are as far as the farthest (mask).
static uint32_t farthest(const uint16_t *rank, uint32_t mask)
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

// Where a random scan begins.
static inline uint32_t first_lane(const struct anl_net *net, uint32_t random)
{
    return (random >> 16 & 0xff) * net->config.num_vcs >> 8;
}

static inline uint32_t first_port(const struct anl_net *net, uint32_t random)
{
    return (random >> 8 & 0xff) * net->shape.ports >> 8;
}

static uint32_t scan_lane_ranks(const struct anl_net *net, uint32_t port, uint32_t start,
                                uint32_t mask)
{
    uint16_t rank[ANL_MAX_VCS];
    for (uint32_t rest = mask; rest; rest &= rest - 1)
        rank[lowest(rest)] = lane_of(net, port, lowest(rest))->rank;
    if (net->config.scan == ANL_OLDEST) return oldest(rank, mask);
    return first_from(farthest(rank, mask), start);
}

static inline uint32_t scan_lanes(const struct anl_net *net, uint32_t port, uint32_t random,
                                  uint32_t mask)
{
    switch (net->config.scan) {
    case ANL_FIXED:
        return lowest(mask);
    case ANL_ROTATING:
        return first_from(mask, net->in_ptr[port]);
    case ANL_RANDOM:
        return first_from(mask, first_lane(net, random));
    case ANL_OLDEST:
    case ANL_FARTHEST:
        return scan_lane_ranks(net, port, first_lane(net, random), mask);
    }
    return lowest(mask);
}

// What the input ports of a switch offer to its output ports.
struct offers {
    uint32_t outputs;                // mask: of those that are offered something
    uint32_t inputs[ANL_MAX_PORTS];  // mask per output: of those that offer; valid if in outputs
    uint8_t vc[ANL_MAX_PORTS];       // per input: the lane offered
};

static uint32_t scan_port_ranks(const struct anl_net *net, uint32_t first_link, uint32_t start,
                                const uint8_t *offered_vc, uint32_t mask)
{
    uint16_t rank[ANL_MAX_PORTS];
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t input = lowest(rest);
        rank[input] = lane_of(net, first_link + input, offered_vc[input])->rank;
    }
    if (net->config.scan == ANL_OLDEST) return oldest(rank, mask);
    return first_from(farthest(rank, mask), start);
}

static inline uint32_t scan_ports(const struct anl_net *net, uint32_t first_link, uint32_t output,
                                  uint32_t random, const uint8_t *offered_vc, uint32_t mask)
{
    switch (net->config.scan) {
    case ANL_FIXED:
        return lowest(mask);
    case ANL_ROTATING:
        return first_from(mask, net->out_ptr[first_link + output]);
    case ANL_RANDOM:
        return first_from(mask, first_port(net, random));
    case ANL_OLDEST:
    case ANL_FARTHEST:
        return scan_port_ranks(net, first_link, first_port(net, random), offered_vc, mask);
    }
    return lowest(mask);
}

// ---------------------------------------------------------------- rules 3 to 5

#define ALWAYS_INLINE static inline __attribute__((always_inline))

// tree: as in decide_switch().
ALWAYS_INLINE void collect_offers(const struct anl_net *net, uint32_t switch_, uint32_t random,
                                  bool tree, struct offers *offers)
{
    const uint32_t first_link = switch_ * net->shape.ports;
    offers->outputs = 0;
    for (uint32_t inputs = net->busy_ports[switch_]; inputs; inputs &= inputs - 1) {
        const uint32_t input = lowest(inputs), port = first_link + input;
        const uint32_t up = tree ? up_ports(net, input, random) : 0;
        const uint32_t mask = eligible_lanes(net, first_link, port, up);
        if (!mask) continue;

        const uint32_t vc = scan_lanes(net, port, random, mask);
        const struct lane *lane = lane_of(net, port, vc);
        uint32_t to = chooses(lane, up) ? open_ports(net, first_link, lane, up) : 1u << lane->port;
        offers->vc[input] = (uint8_t)vc;
        for (; to; to &= to - 1) {
            const uint32_t output = lowest(to);
            if (!(offers->outputs >> output & 1)) offers->inputs[output] = 0;
            offers->inputs[output] |= 1u << input;
            offers->outputs |= 1u << output;
        }
    }
}

static inline void decide_move(struct anl_net *net, uint32_t first_link, uint32_t output,
                               uint32_t input, uint32_t vc)
{
    const uint32_t link = first_link + output, port = first_link + input;
    const struct lane *lane = lane_of(net, port, vc);
    const uint32_t to = lane->bound ? lane->vc : take(net, link, takeable_by(net, link, lane));
    net->moves[net->num_moves++] = (struct move){.port = port,
                                                 .link = link,
                                                 .input = (uint8_t)input,
                                                 .output = (uint8_t)output,
                                                 .from_vc = (uint8_t)vc,
                                                 .to_vc = (uint8_t)to};
    if (net->leaving) net->leaving[port] |= (uint8_t)(1u << vc);
}

// Tells the compiler what it cannot know, or forgets when something is stored.
static inline void promise(bool condition)
{
    if (!condition) __builtin_unreachable();
}

ALWAYS_INLINE void decide_kind(struct anl_net *net, uint32_t switch_, bool tree)
{
    const uint32_t first_link = switch_ * net->shape.ports;
    const uint32_t random = net->random ? net->random[switch_] : 0;
    struct offers offers;
    uint32_t granted = 0;

    promise(tree || !net->leaving);
    collect_offers(net, switch_, random, tree, &offers);
    for (uint32_t outputs = offers.outputs; outputs; outputs &= outputs - 1) {
        const uint32_t output = lowest(outputs), inputs = offers.inputs[output] & ~granted;
        if (!inputs) continue;  // a lower port took the head that was offered to both
        promise(tree || !net->leaving);
        const uint32_t input = scan_ports(net, first_link, output, random, offers.vc, inputs);
        if (tree) granted |= 1u << input;
        decide_move(net, first_link, output, input, offers.vc[input]);
    }
}

// Compiled twice: in a cube no head chooses between ports and no space is chained, and that is
// worth knowing beforehand.
static void decide_switch(struct anl_net *net, uint32_t switch_)
{
    if (net->stands)
        decide_kind(net, switch_, true);
    else
        decide_kind(net, switch_, false);
}

static void decide_source(struct anl_net *net, uint32_t terminal)
{
    const struct source *source = &net->sources[terminal];
    const uint32_t link = net->network_links + terminal;
    uint32_t vc = source->vc;

    if (source->sent == 0) {
        const uint32_t length = record_of(net, source->front)->worm.length;
        const uint32_t mask = takeable(net, link, net->all_vcs, length);
        if (!mask) return;
        vc = take(net, link, mask);
    } else if (full_lanes(net, net->link_port[link]) >> vc & 1) {
        return;
    }
    net->moves[net->num_moves++] = (struct move){.link = link, .to_vc = (uint8_t)vc};
}

// ---------------------------------------------------------------- all of the network

static void decide_switches(struct anl_net *net)
{
    for (uint32_t w = 0; w < net->switch_words; w++)
        for (uint64_t rest = net->active[w]; rest; rest &= rest - 1)
            decide_switch(net, w * 64 + (uint32_t)__builtin_ctzll(rest));
}

// From the root level down: switches are numbered from the bottom. So those who send up into a lane
// know what leaves it, and those who send down have decided before.
static void decide_chained_switches(struct anl_net *net)
{
    for (uint32_t w = net->switch_words; w-- > 0;)
        for (uint64_t rest = net->active[w]; rest;) {
            const uint32_t bit = 63 - (uint32_t)__builtin_clzll(rest);
            rest &= ~(UINT64_C(1) << bit);
            decide_switch(net, w * 64 + bit);
        }
}

// The moves still listed are those of the last decisions.
static void forget_leaving(struct anl_net *net)
{
    for (size_t i = 0; i < net->num_moves; i++)
        net->leaving[net->moves[i].port] = 0;
}

void net_decide(struct anl_net *net)
{
    if (net->leaving) forget_leaving(net);
    net->num_moves = 0;
    for (uint32_t i = 0; net->order && i < net->shape.switches; i++)
        if (test_bit(net->active, net->order[i])) decide_switch(net, net->order[i]);
    if (!net->order && net->leaving)
        decide_chained_switches(net);
    else if (!net->order)
        decide_switches(net);
    for (uint32_t w = 0; w < net->terminal_words; w++)
        for (uint64_t rest = net->pending[w]; rest; rest &= rest - 1)
            decide_source(net, w * 64 + (uint32_t)__builtin_ctzll(rest));
}
