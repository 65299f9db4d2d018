// SPDX-License-Identifier: Apache-2.0
//
// One cycle of the network, by the rules of docs/switch.md.
//
// It has two phases. decide() reads the state at the start of the cycle and lists moves;
// commit_move() carries them out one by one. No decision reads what the cycle writes, so the order
// of switches cannot matter.

#include "net_internal.h"

#include <annelid/random.h>
#include <assert.h>
#include <stdlib.h>

// ---------------------------------------------------------------- masks

// Lowest set bit at or after start, cyclic. mask is not 0.
static inline uint32_t first_from(uint32_t mask, uint32_t start)
{
    const uint32_t above = mask >> start << start;
    return (uint32_t)__builtin_ctz(above ? above : mask);
}

static inline uint32_t lowest(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }

// ---------------------------------------------------------------- lanes

// Flit at position 0 (front) … count - 1 of a lane, or the free place behind it.
static inline struct stored *stored_at(const struct anl_net *net, const struct lane *lane,
                                       uint32_t position)
{
    const uint32_t depth = net->config.depth;
    uint32_t place = lane->first + position;
    if (place >= depth) place -= depth;
    return &net->stored[(size_t)(lane - net->lanes) * depth + place];
}

// A head has come to the front: find its way.
static void route(const struct anl_net *net, uint32_t switch_, struct lane *lane, uint32_t id)
{
    const struct anl_worm *worm = &record_of(net, id)->worm;
    const uint32_t n = net->config.n, k = net->config.k;
    const uint16_t *here = &net->coordinate[(size_t)switch_ * n];
    const uint16_t *there = &net->coordinate[(size_t)worm->destination * n];

    lane->stamp = (uint16_t)worm->created;
    for (uint32_t d = 0; d < n; d++) {
        if (here[d] == there[d]) continue;
        const struct hop hop = net->hop[here[d] * k + there[d]];
        lane->port = (uint8_t)(d * net->directions + hop.direction);
        lane->vcs = hop.vcs;
        return;
    }
    lane->port = (uint8_t)(net->shape.ports - 1);
    lane->vcs = net->all_vcs;
}

static void see_front(struct anl_net *net, uint32_t port, struct lane *lane)
{
    const struct stored *front = stored_at(net, lane, 0);
    if (front->index == 0) route(net, port / net->shape.ports, lane, front->worm);
}

static void push(struct anl_net *net, uint32_t port, uint32_t vc, struct stored flit)
{
    struct lane *lane = lane_of(net, port, vc);
    const uint8_t bit = (uint8_t)(1u << vc);
    assert(lane->count < net->config.depth);

    *stored_at(net, lane, lane->count++) = flit;
    if (lane->count == net->config.depth) net->full[port] |= bit;
    if (net->tails) net->tails[lane - net->lanes] += flit.tail;
    if (lane->count > 1) return;

    net->occupied[port] |= bit;
    if (port >= net->network_links) return;
    const uint32_t switch_ = port / net->shape.ports;
    net->busy_ports[switch_] |= 1u << port % net->shape.ports;
    set_bit(net->active, switch_);
    see_front(net, port, lane);
}

static struct stored pop(struct anl_net *net, uint32_t port, uint32_t vc)
{
    struct lane *lane = lane_of(net, port, vc);
    const uint8_t bit = (uint8_t)(1u << vc);
    const struct stored flit = *stored_at(net, lane, 0);
    assert(lane->count > 0);

    if (++lane->first == net->config.depth) lane->first = 0;
    net->full[port] &= (uint8_t)~bit;
    if (net->tails) net->tails[lane - net->lanes] -= flit.tail;
    if (--lane->count == 0) net->occupied[port] &= (uint8_t)~bit;
    if (port >= net->network_links) return flit;

    const uint32_t switch_ = port / net->shape.ports;
    if (lane->count > 0)
        see_front(net, port, lane);
    else if (!net->occupied[port] &&
             !(net->busy_ports[switch_] &= ~(1u << port % net->shape.ports)))
        clear_bit(net->active, switch_);
    return flit;
}

// ---------------------------------------------------------------- decide

// Lanes of vcs at the end of link that a head may take now (rule 2).
static inline uint32_t takeable(const struct anl_net *net, uint32_t link, uint32_t vcs,
                                uint32_t length)
{
    const uint32_t port = net->link_port[link];
    uint32_t mask = vcs & ~(uint32_t)(net->owned[link] | net->full[port]);
    if (net->config.admission == ANL_WORMHOLE) return mask;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t vc = lowest(rest);
        if (net->config.depth - lane_of(net, port, vc)->count < length) mask &= ~(1u << vc);
    }
    return mask;
}

// The lane that a granted head takes: an empty one before a used one (rule 5). mask is not 0.
static inline uint32_t take(const struct anl_net *net, uint32_t link, uint32_t mask)
{
    const uint32_t empty = mask & ~(uint32_t)net->occupied[net->link_port[link]];
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

static inline bool eligible(const struct anl_net *net, uint32_t first_link, const struct lane *lane)
{
    const uint32_t link = first_link + lane->port;
    if (lane->bound) return !(net->full[net->link_port[link]] >> lane->vc & 1);
    return takeable_by(net, link, lane) != 0;
}

static uint32_t eligible_lanes(const struct anl_net *net, uint32_t first_link, uint32_t port)
{
    uint32_t mask = 0;
    for (uint32_t rest = net->occupied[port]; rest; rest &= rest - 1) {
        const uint32_t vc = lowest(rest);
        if (eligible(net, first_link, lane_of(net, port, vc))) mask |= 1u << vc;
    }
    return mask;
}

static inline bool older(uint16_t a, uint16_t b) { return (uint16_t)(a - b) >> 15; }

static uint32_t oldest_lane(const struct anl_net *net, uint32_t port, uint32_t mask)
{
    uint32_t best = lowest(mask);
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        const uint32_t vc = lowest(rest);
        if (older(lane_of(net, port, vc)->stamp, lane_of(net, port, best)->stamp)) best = vc;
    }
    return best;
}

static inline uint32_t scan_lanes(const struct anl_net *net, uint32_t switch_, uint32_t port,
                                  uint32_t mask)
{
    switch (net->config.scan) {
    case ANL_FIXED:
        return lowest(mask);
    case ANL_ROTATING:
        return first_from(mask, net->in_ptr[port]);
    case ANL_RANDOM:
    case ANL_FARTHEST:
        return first_from(mask, (net->random[switch_] >> 16 & 0xff) * net->config.num_vcs >> 8);
    case ANL_OLDEST:
        return oldest_lane(net, port, mask);
    }
    return lowest(mask);
}

static uint32_t oldest_port(const struct anl_net *net, uint32_t first_link,
                            const uint8_t *offered_vc, uint32_t mask)
{
    uint32_t best = lowest(mask);
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        const uint32_t p = lowest(rest);
        if (older(lane_of(net, first_link + p, offered_vc[p])->stamp,
                  lane_of(net, first_link + best, offered_vc[best])->stamp))
            best = p;
    }
    return best;
}

static inline uint32_t scan_ports(const struct anl_net *net, uint32_t switch_, uint32_t output,
                                  const uint8_t *offered_vc, uint32_t mask)
{
    const uint32_t first_link = switch_ * net->shape.ports;
    switch (net->config.scan) {
    case ANL_FIXED:
        return lowest(mask);
    case ANL_ROTATING:
        return first_from(mask, net->out_ptr[first_link + output]);
    case ANL_RANDOM:
    case ANL_FARTHEST:
        return first_from(mask, (net->random[switch_] >> 8 & 0xff) * net->shape.ports >> 8);
    case ANL_OLDEST:
        return oldest_port(net, first_link, offered_vc, mask);
    }
    return lowest(mask);
}

static inline void decide_move(struct anl_net *net, uint32_t first_link, uint32_t output,
                               uint32_t input, uint32_t vc)
{
    const uint32_t link = first_link + output, port = first_link + input;
    const struct lane *lane = lane_of(net, port, vc);
    const uint32_t to = lane->bound ? lane->vc : take(net, link, takeable_by(net, link, lane));
    net->moves[net->num_moves++] =
        (struct move){.port = port, .link = link, .from_vc = (uint8_t)vc, .to_vc = (uint8_t)to};
}

static void decide_switch(struct anl_net *net, uint32_t switch_)
{
    const uint32_t first_link = switch_ * net->shape.ports;
    uint32_t offers[ANL_MAX_PORTS];  // per output: the inputs that offer to it
    uint8_t offered_vc[ANL_MAX_PORTS];
    uint32_t outputs = 0;

    for (uint32_t rest = net->busy_ports[switch_]; rest; rest &= rest - 1) {
        const uint32_t input = lowest(rest), port = first_link + input;
        const uint32_t mask = eligible_lanes(net, first_link, port);
        if (!mask) continue;
        const uint32_t vc = scan_lanes(net, switch_, port, mask);
        const uint32_t output = lane_of(net, port, vc)->port;
        offered_vc[input] = (uint8_t)vc;
        offers[output] = (outputs >> output & 1 ? offers[output] : 0) | 1u << input;
        outputs |= 1u << output;
    }
    for (; outputs; outputs &= outputs - 1) {
        const uint32_t output = lowest(outputs);
        const uint32_t input = scan_ports(net, switch_, output, offered_vc, offers[output]);
        decide_move(net, first_link, output, input, offered_vc[input]);
    }
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
    } else if (net->full[net->link_port[link]] >> vc & 1) {
        return;
    }
    net->moves[net->num_moves++] = (struct move){.link = link, .to_vc = (uint8_t)vc};
}

static void decide(struct anl_net *net)
{
    net->num_moves = 0;
    for (uint32_t i = 0; net->order && i < net->shape.switches; i++)
        if (test_bit(net->active, net->order[i])) decide_switch(net, net->order[i]);
    for (uint32_t w = 0; !net->order && w < net->words; w++)
        for (uint64_t rest = net->active[w]; rest; rest &= rest - 1)
            decide_switch(net, w * 64 + (uint32_t)__builtin_ctzll(rest));
    for (uint32_t w = 0; w < net->words; w++)
        for (uint64_t rest = net->pending[w]; rest; rest &= rest - 1)
            decide_source(net, w * 64 + (uint32_t)__builtin_ctzll(rest));
}

// ---------------------------------------------------------------- commit

static void bind(struct anl_net *net, struct lane *lane, const struct move *move)
{
    const uint32_t input = move->port % net->shape.ports;
    lane->bound = true;
    lane->vc = move->to_vc;
    net->owned[move->link] |= (uint8_t)(1u << move->to_vc);
    net->owner[move->link * net->config.num_vcs + move->to_vc] =
        (uint8_t)(input * ANL_MAX_VCS + move->from_vc);
}

static void unbind(struct anl_net *net, struct lane *lane, const struct move *move)
{
    lane->bound = false;
    net->owned[move->link] &= (uint8_t) ~(1u << move->to_vc);
}

static void advance_pointers(struct anl_net *net, const struct move *move)
{
    if (net->config.scan != ANL_ROTATING) return;
    const uint32_t input = move->port % net->shape.ports;
    net->in_ptr[move->port] =
        (uint8_t)(move->from_vc + 1u == net->config.num_vcs ? 0 : move->from_vc + 1);
    net->out_ptr[move->link] = (uint8_t)(input + 1 == net->shape.ports ? 0 : input + 1);
}

// Takes the flit out of its lane, with all that its leaving changes in the switch.
static struct stored leave_lane(struct anl_net *net, const struct move *move)
{
    struct lane *lane = lane_of(net, move->port, move->from_vc);
    const struct stored front = *stored_at(net, lane, 0);

    if (front.index == 0 && !front.tail) bind(net, lane, move);
    if (front.index != 0 && front.tail) unbind(net, lane, move);
    advance_pointers(net, move);
    return pop(net, move->port, move->from_vc);
}

static struct stored leave_source(struct anl_net *net, const struct move *move)
{
    const uint32_t terminal = move->link - net->network_links;
    struct source *source = &net->sources[terminal];
    const struct record *record = record_of(net, source->front);
    const struct stored flit = {.worm = source->front,
                                .index = source->sent,
                                .tail = source->sent + 1 == record->worm.length};
    source->vc = move->to_vc;
    source->sent++;
    net->totals.in_network++;
    if (!flit.tail) return flit;

    source->sent = 0;
    source->front = record->next;
    if (source->front == NO_WORM) clear_bit(net->pending, terminal);
    net->totals.queued--;
    return flit;
}

static void arrive_at_terminal(struct anl_net *net, uint32_t terminal, struct stored flit)
{
    net->ejected[net->num_ejected++] = terminal;
    net->totals.ejected_flits++;
    if (!flit.tail) return;
    struct record *record = record_of(net, flit.worm);
    record->live = false;
    net->delivered[net->num_delivered++] = record->worm;
    net->totals.delivered++;
}

static void commit_move(struct anl_net *net, const struct move *move)
{
    const bool injection = move->link >= net->network_links;
    const struct stored flit = injection ? leave_source(net, move) : leave_lane(net, move);
    const uint32_t port = net->link_port[move->link];

    push(net, port, move->to_vc, flit);
    if (port >= net->network_links) arrive_at_terminal(net, port - net->network_links, flit);
    if (net->record)
        net->flits[net->num_flits++] = (struct anl_flit){.link = move->link,
                                                         .worm = flit.worm,
                                                         .index = flit.index,
                                                         .vc = move->to_vc,
                                                         .head = flit.index == 0,
                                                         .tail = flit.tail};
}

// Each terminal that holds flits takes one of them out.
static void drain_terminals(struct anl_net *net)
{
    for (size_t i = 0; i < net->num_ejecting; i++) {
        const uint32_t port = net->network_links + net->ejecting[i];
        pop(net, port, lowest(net->occupied[port]));
        net->totals.in_network--;
    }
}

// Of the switches that hold a flit at the start of the cycle: called before anything has moved.
static void step_generators(struct anl_net *net)
{
    for (uint32_t w = 0; net->random && w < net->words; w++)
        for (uint64_t rest = net->active[w]; rest; rest &= rest - 1) {
            const uint32_t switch_ = w * 64 + (uint32_t)__builtin_ctzll(rest);
            net->random[switch_] = anl_xorshift32(net->random[switch_]);
        }
}

static int by_link(const void *a, const void *b)
{
    const uint32_t x = ((const struct anl_flit *)a)->link, y = ((const struct anl_flit *)b)->link;
    return (x > y) - (x < y);
}

static int by_destination(const void *a, const void *b)
{
    const uint32_t x = ((const struct anl_worm *)a)->destination;
    const uint32_t y = ((const struct anl_worm *)b)->destination;
    return (x > y) - (x < y);
}

void anl_net_step(struct anl_net *net)
{
    net->num_flits = net->num_delivered = net->num_ejected = 0;
    decide(net);
    step_generators(net);
    drain_terminals(net);
    for (size_t i = 0; i < net->num_moves; i++)
        commit_move(net, &net->moves[i]);

    uint32_t *const drained = net->ejecting;
    net->ejecting = net->ejected;
    net->ejected = drained;
    net->num_ejecting = net->num_ejected;
    net->totals.moved = net->num_moves;
    net->totals.flit_hops += net->num_moves;
    net->cycle++;
    if (!net->order) return;
    qsort(net->flits, net->num_flits, sizeof *net->flits, by_link);
    qsort(net->delivered, net->num_delivered, sizeof *net->delivered, by_destination);
}
