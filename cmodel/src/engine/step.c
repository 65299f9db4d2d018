// SPDX-License-Identifier: Apache-2.0
//
// One cycle of the network, by the rules of docs/switch.md.
//
// It has two phases. net_decide() reads the state at the start of the cycle and lists moves;
// commit_moves() carries them out one by one (rule 6). No decision reads what the cycle writes, so
// the order of switches cannot matter; where space is chained, that of the switches of one level.

#include "engine.h"

#include <annelid/base.h>
#include <assert.h>
#include <stdlib.h>

enum { SOME = 128, AHEAD = 12 };

// ---------------------------------------------------------------- flits

ALWAYS_INLINE void advance_pointers(const struct anl_engine *net, const struct move *move)
{
    if (net->config.scan != ANL_ROTATING) return;
    struct port *from = &net->ports[move->port], *out = &net->ports[move->link];
    const uint32_t vc = vc_of(net, move->from_vc) + 1, input = from->number + 1u;
    from->in_ptr = (uint8_t)(vc & -(uint32_t)(vc != net->config.num_vcs));
    out->out_ptr = (uint8_t)(input & -(uint32_t)(input != net->shape.ports));
}

ALWAYS_INLINE void return_credit(struct port *port, uint32_t vc)
{
    const uint32_t bit = 1u << vc;
    port->open |= credit_bits(bit) | free_bits(bit & ~(uint32_t)port->owned);
}

// The flit at the front leaves its lane, and its credit goes back. True if it is a head or a tail.
ALWAYS_INLINE bool leave(const struct anl_engine *net, const struct move *move)
{
    const uint32_t vc = vc_of(net, move->from_vc);
    struct lane *lane = lane_of(net, move->port, vc);
    struct port *from = &net->ports[move->port];
    const uint32_t index = lane->index++;

    lane->count--;
    from->occupied &= (uint8_t) ~((lane->count == 0) << vc);
    return_credit(&net->ports[move->before], vc);
    return (uint16_t)(index - 1) >= (uint16_t)(lane->length - 2);
}

// A flit comes over a link into a lane of a switch or terminal.
ALWAYS_INLINE void enter(const struct anl_engine *net, const struct move *move)
{
    const uint32_t port = move->to, vc = vc_of(net, move->to_vc);
    struct lane *lane = lane_of(net, port, vc);

    lane->count++;
    net->ports[port].occupied |= (uint8_t)(1u << vc);
    const uint32_t full = (uint32_t)(lane->count == net->config.depth) << vc;
    net->ports[move->link].open &= (uint16_t) ~(credit_bits(full) | free_bits(full));
    set_bit(net->busy, port);
}

// ---------------------------------------------------------------- worms

// The head of a worm has entered a lane.
static void enter_head(const struct anl_engine *net, uint32_t port, uint32_t vc, uint32_t worm)
{
    struct lane *lane = lane_of(net, port, vc);
    assert(lane->num_worms < net->config.depth && lane->count <= net->config.depth);
    if (lane->num_worms++ > 0) {
        *worm_in(net, lane, lane->num_worms - 1u) = worm;
    } else {
        lane->worm = worm;
        net_see_head(net, port, lane);
    }
}

static void deliver(struct anl_engine *net, uint32_t id)
{
    struct record *record = record_of(net, id);
    record->live = false;
    net->delivered[net->num_delivered++] = record->worm;
}

static void bind(const struct anl_engine *net, struct lane *lane, const struct move *move)
{
    const uint32_t bit = 1u << move->to_vc;
    struct port *out = &net->ports[move->link];
    lane->output = out->number;
    lane->needs = credit_bits(bit);
    out->owned |= (uint8_t)bit;
    out->open &= (uint16_t)~free_bits(bit);
}

static void unbind(const struct anl_engine *net, const struct move *move)
{
    const uint32_t bit = 1u << move->to_vc;
    struct port *out = &net->ports[move->link];
    out->owned &= (uint8_t)~bit;
    out->open |= free_bits(out->open & bit);
}

// The tail has left: the next worm, if there is one, comes to the front.
static void leave_worm(const struct anl_engine *net, const struct move *move, struct lane *lane)
{
    lane->index = 0;
    lane->first = (uint8_t)(lane->first + 1u == net->config.depth ? 0 : lane->first + 1);
    lane->needs = 0;
    if (--lane->num_worms == 0) return;
    lane->worm = *worm_in(net, lane, 0);
    net_see_head(net, move->port, lane);
}

// What the move of a head or a tail does besides that of any flit.
static void commit_end(struct anl_engine *net, const struct move *move)
{
    struct lane *lane = lane_of(net, move->port, move->from_vc);
    const uint32_t worm = lane->worm, to = move->to;
    const bool head = lane->index == 1, tail = lane->index == lane->length;

    if (head && !tail) bind(net, lane, move);
    if (tail && !head) unbind(net, move);
    if (tail) leave_worm(net, move, lane);
    if (head && to < net->network_links) enter_head(net, to, move->to_vc, worm);
    if (tail && to >= net->network_links) deliver(net, worm);
    if (tail && net->tails) {
        net->tails[lane - net->lanes]--;
        if (to < net->network_links) net->tails[lane_of(net, to, move->to_vc) - net->lanes]++;
    }
}

// ---------------------------------------------------------------- moves

ALWAYS_INLINE void prefetch_move(const struct anl_engine *net, const struct move *move)
{
    __builtin_prefetch(lane_of(net, move->port, move->from_vc), 1);
    __builtin_prefetch(lane_of(net, move->to, move->to_vc), 1);
    __builtin_prefetch(&net->ports[move->port], 1);
    __builtin_prefetch(&net->ports[move->to], 1);
    __builtin_prefetch(&net->ports[move->before], 1);
}

// What a head has to know in the next switch.
static void prefetch_head(const struct anl_engine *net, const struct move *move)
{
    const struct lane *lane = lane_of(net, move->port, move->from_vc);
    if (lane->index > 1 || !net->labels) return;
    __builtin_prefetch(head_of(net, lane->worm));
    __builtin_prefetch(&net->labels[switch_of(net, move->to)]);
}

// All flits first, the ends of worms behind: so there is nothing in the loop over flits to decide.
ALWAYS_INLINE void commit_some(const struct anl_engine *known, size_t begin, size_t end,
                               struct anl_engine *net)
{
    uint32_t ends[SOME];
    size_t num_ends = 0, num_ejected = net->num_ejected;
    for (size_t i = begin; i < end; i++) {
        const struct move *move = &known->moves[i];
        if (known->large && i + AHEAD < known->num_moves) prefetch_move(known, move + AHEAD);
        ends[num_ends] = (uint32_t)i;
        num_ends += leave(known, move);
        enter(known, move);
        advance_pointers(known, move);
        known->ejected[num_ejected] = (struct ejection){move->to, move->to_vc};
        num_ejected += move->to >= known->network_links;
    }
    net->num_ejected = num_ejected;
    for (size_t i = 0; known->large && i < num_ends; i++)
        prefetch_head(known, &known->moves[ends[i]]);
    for (size_t i = 0; i < num_ends; i++)
        commit_end(net, &known->moves[ends[i]]);
}

ALWAYS_INLINE void commit_moves(const struct anl_engine *known, struct anl_engine *net)
{
    const size_t num_moves = known->num_moves;
    for (size_t i = 0; i < num_moves; i += SOME)
        commit_some(known, i, num_moves - i < SOME ? num_moves : i + SOME, net);
}

ALWAYS_INLINE void commit_common(struct anl_engine *net, uint32_t num_vcs)
{
    const struct anl_engine known = known_common(net, num_vcs);
    commit_moves(&known, net);
}

static void commit_any(struct anl_engine *net)
{
    const struct anl_engine known = *net;
    commit_moves(&known, net);
}

static void commit(struct anl_engine *net)
{
    switch (is_common(net) ? net->config.num_vcs : 0) {
    case 1:
        commit_common(net, 1);
        break;
    case 2:
        commit_common(net, 2);
        break;
    case 4:
        commit_common(net, 4);
        break;
    default:
        commit_any(net);
    }
}

// ---------------------------------------------------------------- terminals

static void next_worm(struct anl_engine *net, uint32_t terminal)
{
    struct source *source = &net->sources[terminal];
    source->front = record_of(net, source->front)->next;
    source->sent = 0;
    net->totals.queued--;
    if (source->front == NO_WORM)
        clear_bit(net->pending, terminal);
    else
        source->length = head_of(net, source->front)->length;
}

static void inject(struct anl_engine *net, const struct move *move)
{
    const uint32_t terminal = move->link - net->network_links;
    struct source *source = &net->sources[terminal];
    const bool head = source->sent == 0, tail = source->sent + 1 == source->length;

    enter(net, move);
    if (head) enter_head(net, move->to, move->to_vc, source->front);
    if (tail && net->tails) net->tails[lane_of(net, move->to, move->to_vc) - net->lanes]++;
    source->vc = move->to_vc;
    source->sent++;
    if (tail) next_worm(net, terminal);
}

static void inject_all(struct anl_engine *net)
{
    for (size_t i = 0; i < net->num_injections; i++)
        inject(net, &net->moves[net->num_moves + i]);
}

// Each terminal that holds flits takes one of them out: there is never more than one.
static void drain_terminals(struct anl_engine *net)
{
    for (size_t i = 0; i < net->num_ejecting; i++) {
        const struct ejection flit = net->ejecting[i];
        struct port *port = &net->ports[flit.port];
        lane_of(net, flit.port, flit.vc)->count = 0;
        port->occupied = 0;
        return_credit(&net->ports[port->to], flit.vc);
    }
}

// ---------------------------------------------------------------- the record of a cycle

static struct anl_flit flit_of(const struct anl_engine *net, const struct move *move)
{
    const struct lane *lane = lane_of(net, move->port, move->from_vc);
    return (struct anl_flit){.link = move->link,
                             .worm = lane->worm,
                             .index = lane->index,
                             .vc = move->to_vc,
                             .head = lane->index == 0,
                             .tail = lane->index + 1 == lane->length};
}

static struct anl_flit injected_flit(const struct anl_engine *net, const struct move *move)
{
    const struct source *source = &net->sources[move->link - net->network_links];
    return (struct anl_flit){.link = move->link,
                             .worm = source->front,
                             .index = source->sent,
                             .vc = move->to_vc,
                             .head = source->sent == 0,
                             .tail = source->sent + 1 == source->length};
}

// Ascending by link, before they move. Moves are listed in ascending runs, the last of which has
// the lowest links: one run for each level of a chained tree, else one for all.
static void record_flits(struct anl_engine *net)
{
    for (size_t begin, end = net->num_moves; end > 0; end = begin) {
        begin = end - 1;
        while (begin > 0 && net->moves[begin - 1].link < net->moves[begin].link)
            begin--;
        for (size_t i = begin; i < end; i++)
            net->flits[net->num_flits++] = flit_of(net, &net->moves[i]);
    }
    for (size_t i = 0; i < net->num_injections; i++)
        net->flits[net->num_flits++] = injected_flit(net, &net->moves[net->num_moves + i]);
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

static void sort_what_was_shuffled(struct anl_engine *net)
{
    qsort(net->flits, net->num_flits, sizeof *net->flits, by_link);
    qsort(net->delivered, net->num_delivered, sizeof *net->delivered, by_destination);
}

// ---------------------------------------------------------------- the cycle

// Of the switches that held a flit at the start of the cycle.
static void step_generators(struct anl_engine *net)
{
    for (uint32_t w = 0; w * 64 < net->shape.switches; w++) {
        for (uint64_t rest = net->sampling[w]; rest; rest &= rest - 1) {
            const uint32_t switch_ = w * 64 + lowest64(rest);
            net->random[switch_] = anl_xorshift32(net->random[switch_]);
        }
        net->sampling[w] = 0;
    }
}

static void count_flits(struct anl_engine *net)
{
    struct anl_engine_totals *totals = &net->totals;
    totals->moved = net->num_moves + net->num_injections;
    totals->flit_hops += totals->moved;
    totals->ejected_flits += net->num_ejected;
    totals->in_network += net->num_injections;
    totals->in_network -= net->num_ejecting;
    totals->delivered += net->num_delivered;
}

static void swap_ejections(struct anl_engine *net)
{
    struct ejection *const drained = net->ejecting;
    net->ejecting = net->ejected;
    net->ejected = drained;
    net->num_ejecting = net->num_ejected;
}

bool anl_engine_idle(const struct anl_engine *net)
{
    return net->totals.in_network == 0 && net->totals.queued == 0;
}

enum anl_status anl_engine_skip(struct anl_engine *net, uint64_t cycle)
{
    if (!anl_engine_idle(net) || cycle < net->cycle) return ANL_ERR_ARGUMENT;
    assert(net->num_ejecting == 0 && net->totals.moved == 0);
    net->cycle = cycle;
    return ANL_OK;
}

static void step_busy(struct anl_engine *net)
{
    net_decide(net);
    if (net->random) step_generators(net);
    if (net->record) record_flits(net);
    drain_terminals(net);
    if (net->num_moves > 0) commit(net);
    inject_all(net);
    count_flits(net);
    swap_ejections(net);
    if (net->order) sort_what_was_shuffled(net);
}

void anl_engine_step(struct anl_engine *net)
{
    net->num_flits = net->num_delivered = net->num_ejected = 0;
    if (!anl_engine_idle(net)) step_busy(net);
    net->cycle++;
}
