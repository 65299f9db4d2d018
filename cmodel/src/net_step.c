// SPDX-License-Identifier: Apache-2.0
//
// One cycle of the network, by the rules of docs/switch.md.
//
// It has two phases. net_decide() reads the state at the start of the cycle and lists moves;
// commit_move() carries them out one by one. No decision reads what the cycle writes, so the order
// of switches cannot matter; where space is chained, that of the switches of one level.

#include "fat_tree.h"
#include "net_internal.h"

#include <annelid/random.h>
#include <assert.h>
#include <stdlib.h>

// ---------------------------------------------------------------- lanes

static void route_cube(const struct anl_net *net, uint32_t switch_, struct lane *lane,
                       uint32_t destination)
{
    const uint32_t n = net->config.n, k = net->config.k;
    const uint16_t *here = &net->coordinate[(size_t)switch_ * n];
    const uint16_t *there = &net->coordinate[(size_t)destination * n];

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

// The path is 0 unless it chooses the port.
static void route_tree(const struct anl_net *net, uint32_t switch_, struct lane *lane,
                       const struct anl_worm *worm)
{
    const struct stand here = net->stands[switch_];
    const bool below = worm->destination >> here.width == here.subtree;
    lane->port = (uint8_t)(below ? worm->destination >> (here.width - 2) & 3
                                 : TREE_UP + (worm->path >> (here.width / 2 - 1) & 1));
    lane->vcs = net->all_vcs;
}

// A head has come to the front: find its way.
static void route(const struct anl_net *net, uint32_t switch_, struct lane *lane, uint32_t id)
{
    const struct record *record = record_of(net, id);
    lane->rank = record->rank;
    if (net->stands)
        route_tree(net, switch_, lane, &record->worm);
    else
        route_cube(net, switch_, lane, record->worm.destination);
}

static void see_front(struct anl_net *net, uint32_t port, struct lane *lane)
{
    const struct stored *front = stored_at(net, lane, 0);
    if (front->index == 0) route(net, net->switch_of[port], lane, front->worm);
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
    const uint32_t switch_ = net->switch_of[port];
    net->busy_ports[switch_] |= 1u << (port - switch_ * net->shape.ports);
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

    const uint32_t switch_ = net->switch_of[port];
    if (lane->count > 0)
        see_front(net, port, lane);
    else if (!net->occupied[port] &&
             !(net->busy_ports[switch_] &= ~(1u << (port - switch_ * net->shape.ports))))
        clear_bit(net->active, switch_);
    return flit;
}

// ---------------------------------------------------------------- commit

static void bind(struct anl_net *net, struct lane *lane, const struct move *move)
{
    lane->bound = true;
    lane->port = move->output;
    lane->vc = move->to_vc;
    net->owned[move->link] |= (uint8_t)(1u << move->to_vc);
    net->owner[move->link * net->config.num_vcs + move->to_vc] =
        (uint8_t)(move->input * ANL_MAX_VCS + move->from_vc);
}

static void unbind(struct anl_net *net, struct lane *lane, const struct move *move)
{
    lane->bound = false;
    net->owned[move->link] &= (uint8_t) ~(1u << move->to_vc);
}

static void advance_pointers(struct anl_net *net, const struct move *move)
{
    if (net->config.scan != ANL_ROTATING) return;
    const uint32_t input = move->input;
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
    for (uint32_t w = 0; net->random && w < net->switch_words; w++)
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
    net_decide(net);
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
    if (!net->order && !net->leaving) return;  // visited, so listed, in ascending order
    qsort(net->flits, net->num_flits, sizeof *net->flits, by_link);
    qsort(net->delivered, net->num_delivered, sizeof *net->delivered, by_destination);
}
