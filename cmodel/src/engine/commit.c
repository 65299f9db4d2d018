// SPDX-License-Identifier: Apache-2.0
//
// One cycle of the network by the rules of docs/switch.md, and rule 6 itself.
//
// A cycle has two phases. engine_decide() reads the state at the start of the cycle and lists the
// moves; commit_moves() carries them out one by one. No decision reads what the cycle writes, so
// the order of switches cannot matter. With credit bypass, this holds for the switches of one
// tier.

#include "engine.h"
#include "machine.h"
#include "order.h"
#include "part.h"
#include "sinks.h"
#include "slices.h"
#include "wide.h"

#include <annelid/base.h>
#include <assert.h>
#include <stdlib.h>

enum { SOME = 128, AHEAD = 12 };

// ---------------------------------------------------------------- flits

// A flit has moved from an input port, or over an injection link.
ALWAYS_INLINE void count_flit(const struct anl_engine *engine, uint32_t port)
{
    struct favour *favour = &engine->favours[port];
    if (--favour->quota > 0) return;
    favour->class_ = (uint8_t)(favour->class_ + 1u == engine->classes ? 0 : favour->class_ + 1);
    favour->quota = engine->config.class_weights[favour->class_];
}

ALWAYS_INLINE void advance_pointers(const struct anl_engine *engine, const struct move *move)
{
    const uint32_t vc = vc_of(engine, move->from_vc);
    if (engine->favours) count_flit(engine, move->port);
    if (engine->config.arbiter != ANL_ROUND_ROBIN) {
        if (engine->orders) engine_serve(engine->orders, move, vc);
        return;
    }
    struct port *from = &engine->ports[move->port], *out = &engine->ports[move->link];
    const uint32_t input = from->number + 1u, lane = vc - first_lane(engine, vc) + 1;
    if (engine->wide) {
        const uint32_t next = from->number * engine->config.num_vcs + vc + 1;
        if (move->first) out->out_ptr = (uint8_t)(next % candidates(engine));
        return;
    }
    engine_set_in_ptr(engine, move->port, vc, lane & -(uint32_t)(lane != engine->class_lanes));
    out->out_ptr = (uint8_t)(input & -(uint32_t)(input != engine->shape.ports));
}

// Takes the front flit out of its lane and returns its credit. Returns true if it is a head or a
// tail.
ALWAYS_INLINE bool leave(const struct anl_engine *engine, const struct move *move)
{
    const uint32_t vc = vc_of(engine, move->from_vc);
    struct lane *lane = lane_of(engine, move->port, vc);
    struct port *from = &engine->ports[move->port];
    const uint32_t index = lane->index++;

    lane->count--;
    from->occupied &= (uint8_t)(~((lane->count == 0) << vc));
    return_credit(&engine->ports[move->before], vc);
    return (uint16_t)(index - 1) >= (uint16_t)(lane->length - 2);
}

// Puts a flit into the lane at the end of its link, in a switch or a terminal.
ALWAYS_INLINE void enter(const struct anl_engine *engine, const struct move *move)
{
    const uint32_t port = move->to, vc = vc_of(engine, move->to_vc);
    struct lane *lane = lane_of(engine, port, vc);

    lane->count++;
    engine->ports[port].occupied |= (uint8_t)(1u << vc);
    const uint32_t full = (uint32_t)(lane->count == engine->config.depth) << vc;
    engine->ports[move->link].has_credit &= (uint16_t)(~(credit_bits(full) | free_bits(full)));
    set_bit(engine->busy, port);
}

// ---------------------------------------------------------------- worms

// Notes the options of a head that selects one of them in every cycle.
static __attribute__((noinline)) void see_options(const struct anl_engine *engine,
                                                  struct anl_input_lane at, struct lane *lane)
{
    lane->set = 0;
    engine->options[lane - engine->lanes] =
        anl_route_at(&engine->network->config, at, record_of(engine, lane->worm)->worm.destination);
}

// Puts the way of a worm that has a route of its own into *hop.
static void take_own_route(const struct anl_engine *engine, struct anl_input_lane at, uint32_t id,
                           struct network_hop *hop)
{
    const struct anl_worm *worm = &record_of(engine, id)->worm;
    if (!worm->route) return;
    hop->port = (uint8_t)anl_own_port(&engine->config, at, worm);
    hop->vcs = (uint8_t)anl_group_vcs(&engine->config, at.vc);
}

// Rule 1: looks up where a head goes that has come to the front of a lane.
static void see_head(const struct anl_engine *engine, uint32_t port, uint32_t vc, struct lane *lane)
{
    const struct anl_network *network = engine->network;
    const struct head *head = head_of(engine, lane->worm);
    const uint32_t path = network->carries_path ? record_of(engine, lane->worm)->worm.path : 0;
    const struct network_head carried = {head->label, path};
    const uint32_t own_switch = switch_of(engine, port);
    const uint32_t switch_ = network_switch(engine, own_switch);
    const uint32_t input = port - own_switch * engine->shape.ports;
    lane->length = head->length;
    lane->rank = head->rank;
    if (engine->options) {
        see_options(engine, (struct anl_input_lane){switch_, input, vc}, lane);
        return;
    }
    struct network_hop hop = network->hop(network, switch_, input, vc, carried);
    if (engine->config.routing == ANL_SOURCE)
        take_own_route(engine, (struct anl_input_lane){switch_, input, vc}, lane->worm, &hop);
    lane->output = hop.port;
    lane->set = free_bits(hop.vcs);
}

void engine_see_head(const struct anl_engine *engine, uint32_t port, uint32_t vc)
{
    see_head(engine, port, vc, lane_of(engine, port, vc));
}

// Adds a worm to a lane that its head has entered.
static void enter_head(const struct anl_engine *engine, uint32_t port, uint32_t vc, uint32_t worm)
{
    struct lane *lane = lane_of(engine, port, vc);
    assert(lane->num_worms < engine->config.depth && lane->count <= engine->config.depth);
    if (lane->num_worms++ > 0) {
        *worm_in(engine, lane, lane->num_worms - 1u) = worm;
    } else {
        lane->worm = worm;
        see_head(engine, port, vc, lane);
    }
}

static void deliver(struct anl_engine *engine, uint32_t id)
{
    struct record *record = record_of(engine, id);
    record->live = engine->sinks != NULL;  // until its tail is taken
    engine->delivered[engine->num_delivered++] = record->worm;
}

// A head or a tail comes to a terminal, or to a gate: the next part has heard of it already, or it
// is on its way.
static void commit_outside(struct anl_engine *engine, const struct move *move, uint32_t worm,
                           bool head, bool tail)
{
    if (!is_terminal(engine, move->to)) {
        if (tail && leads_out(engine, move->to)) record_of(engine, worm)->live = false;
        return;
    }
    if (head && engine->sinks) engine_arrive(engine, move->to, move->to_vc, worm);
    if (tail) deliver(engine, worm);
}

static void bind(const struct anl_engine *engine, struct lane *lane, const struct move *move)
{
    const uint32_t bit = 1u << move->to_vc;
    struct port *out = &engine->ports[move->link];
    lane->output = out->number;
    lane->set = credit_bits(bit);
    out->owned |= (uint8_t)bit;
    if (engine->wide)
        engine->wide->owners[lane_of(engine, move->link, move->to_vc) - engine->lanes] =
            (uint32_t)(lane - engine->lanes);
    out->has_credit &= (uint16_t)~free_bits(bit);
}

static void unbind(const struct anl_engine *engine, const struct move *move)
{
    const uint32_t bit = 1u << move->to_vc;
    struct port *out = &engine->ports[move->link];
    out->owned &= (uint8_t)~bit;
    out->has_credit |= free_bits(out->has_credit & bit);
}

// Removes a worm from a lane that its tail has left: the next worm there, if any, comes to the
// front.
static void leave_worm(const struct anl_engine *engine, const struct move *move, struct lane *lane)
{
    lane->index = 0;
    lane->first = (uint8_t)(lane->first + 1u == engine->config.depth ? 0 : lane->first + 1);
    lane->set = 0;
    if (--lane->num_worms == 0) return;
    lane->worm = *worm_in(engine, lane, 0);
    see_head(engine, move->port, move->from_vc, lane);
}

// Does what a head or a tail does beyond what every flit does: it binds or unbinds, and its worm
// enters or leaves a lane.
static void commit_end(struct anl_engine *engine, const struct move *move)
{
    struct lane *lane = lane_of(engine, move->port, move->from_vc);
    const uint32_t worm = lane->worm, to = move->to;
    const bool head = lane->index == 1, tail = lane->index == lane->length;

    if (head && !tail) bind(engine, lane, move);
    if (tail && !head) unbind(engine, move);
    if (tail) leave_worm(engine, move, lane);
    if (to >= engine->switch_links)
        commit_outside(engine, move, worm, head, tail);
    else if (head)
        enter_head(engine, to, move->to_vc, worm);
    if (tail && engine->tails) {
        engine->tails[lane - engine->lanes]--;
        if (to < engine->switch_links)
            engine->tails[lane_of(engine, to, move->to_vc) - engine->lanes]++;
    }
}

// ---------------------------------------------------------------- moves

ALWAYS_INLINE void prefetch_move(const struct anl_engine *engine, const struct move *move)
{
    __builtin_prefetch(lane_of(engine, move->port, move->from_vc), 1);
    __builtin_prefetch(lane_of(engine, move->to, move->to_vc), 1);
    __builtin_prefetch(&engine->ports[move->port], 1);
    __builtin_prefetch(&engine->ports[move->to], 1);
    __builtin_prefetch(&engine->ports[move->before], 1);
}

// Prefetches what the next switch reads of a head.
static void prefetch_head(const struct anl_engine *engine, const struct move *move)
{
    const struct lane *lane = lane_of(engine, move->port, move->from_vc);
    const uint32_t *labels = engine->network->labels;
    if (lane->index > 1) return;
    __builtin_prefetch(head_of(engine, lane->worm));
    if (labels) __builtin_prefetch(&labels[switch_of(engine, move->to)]);
}

// Carries out moves begin … end - 1. All flits move first; heads and tails are completed
// afterwards, so that the loop over flits has no branches.
ALWAYS_INLINE void commit_some(const struct anl_engine *known, size_t begin, size_t end,
                               struct anl_engine *engine)
{
    uint32_t ends[SOME];
    size_t num_ends = 0, num_ejected = engine->num_ejected;
    for (size_t i = begin; i < end; i++) {
        const struct move *move = &known->moves[i];
        if (known->large && i + AHEAD < known->num_moves) prefetch_move(known, move + AHEAD);
        ends[num_ends] = (uint32_t)i;
        num_ends += leave(known, move);
        enter(known, move);
        advance_pointers(known, move);
        known->ejected[num_ejected] = (struct ejection){move->to, move->to_vc};
        num_ejected += move->to >= known->switch_links;
    }
    engine->num_ejected = num_ejected;
    for (size_t i = 0; known->large && i < num_ends; i++)
        prefetch_head(known, &known->moves[ends[i]]);
    for (size_t i = 0; i < num_ends; i++)
        commit_end(engine, &known->moves[ends[i]]);
}

ALWAYS_INLINE void commit_moves(const struct anl_engine *known, struct anl_engine *engine)
{
    const size_t num_moves = known->num_moves;
    for (size_t i = 0; i < num_moves; i += SOME)
        commit_some(known, i, num_moves - i < SOME ? num_moves : i + SOME, engine);
}

#define COMMIT(name, fits, know)                                                                   \
    static void commit_##name(struct anl_engine *engine)                                           \
    {                                                                                              \
        struct anl_engine known = *engine;                                                         \
        know;                                                                                      \
        commit_moves(&known, engine);                                                              \
    }
VARIANTS(COMMIT)

#define COMMIT_ENTRY(name, fits, know) commit_##name,
static void (*const commit_variant[])(struct anl_engine *engine) = {VARIANTS(COMMIT_ENTRY)};

// ---------------------------------------------------------------- other parts

// A flit enters a lane; worm is NULL unless it is a head.
ALWAYS_INLINE void enter_lane(const struct anl_engine *engine, const struct move *move,
                              const uint32_t *worm, bool tail)
{
    enter(engine, move);
    if (worm) enter_head(engine, move->to, move->to_vc, *worm);
    if (tail && engine->tails)
        engine->tails[lane_of(engine, move->to, move->to_vc) - engine->lanes]++;
}

void engine_enter(const struct anl_engine *engine, const struct move *move, const uint32_t *worm,
                  bool tail)
{
    enter_lane(engine, move, worm, tail);
}

void engine_eject(struct anl_engine *engine, const struct move *move, uint32_t worm, bool head,
                  bool tail)
{
    enter(engine, move);
    commit_outside(engine, move, worm, head, tail);
    engine->ejected[engine->num_ejected++] = (struct ejection){move->to, move->to_vc};
}

void engine_leave_gate(const struct anl_engine *engine, uint32_t gate, uint32_t vc)
{
    struct lane *lane = lane_of(engine, gate, vc);
    assert(lane->count > 0);
    if (--lane->count == 0) engine->ports[gate].occupied &= (uint8_t)(~(1u << vc));
    if (engine->leaving) engine->leaving[gate] = 0;
    // On a chained link the next flit may have taken the place already.
    if (lane->count < engine->config.depth)
        return_credit(&engine->ports[link_into(engine, gate)], vc);
}

// Removes the flits that have come to gates from those that have come to terminals.
static void forget_gates(struct anl_engine *engine)
{
    size_t kept = 0;
    for (size_t i = 0; i < engine->num_ejected; i++)
        if (is_terminal(engine, engine->ejected[i].port))
            engine->ejected[kept++] = engine->ejected[i];
    engine->num_ejected = kept;
}

// ---------------------------------------------------------------- terminals

static bool has_worms(const struct anl_engine *engine, uint32_t terminal)
{
    for (uint32_t c = 0; c < engine->classes; c++)
        if (engine->sources[(size_t)terminal * engine->classes + c].front != NO_WORM) return true;
    return false;
}

static void next_worm(struct anl_engine *engine, uint32_t terminal, struct source *source)
{
    const struct record *sent = record_of(engine, source->front);
    if (engine->sinks && sent->worm.role == ANL_REPLY) engine_free_reservation(engine, terminal);
    source->front = sent->next;
    source->sent = 0;
    engine->totals.queued--;
    if (source->front != NO_WORM)
        engine_show_worm(engine, source);
    else if (!engine->favours || !has_worms(engine, terminal))
        clear_bit(engine->pending, terminal);
}

// A flit enters the lane at the end of an injection link that begins with a gate, and the gate.
static void enter_by_gate(const struct anl_engine *engine, const struct move *move,
                          const uint32_t *worm, bool tail)
{
    struct move in = *move;
    enter(engine, move);
    in.link = move->to;
    in.to = engine_injection_end(engine, move);
    enter_lane(engine, &in, worm, tail);
}

// A flit enters the network; worm is NULL unless it is a head.
ALWAYS_INLINE void enter_network(const struct anl_engine *engine, const struct move *move,
                                 const uint32_t *worm, bool tail)
{
    if (has_stages(engine))
        enter_by_gate(engine, move, worm, tail);
    else
        enter_lane(engine, move, worm, tail);
}

// With one class, classes is the constant false for the compiler.
ALWAYS_INLINE void inject(struct anl_engine *engine, const struct move *move, bool classes)
{
    const uint32_t terminal = move->link - engine->switch_links;
    struct source *source =
        classes ? source_of(engine, terminal, move->to_vc) : &engine->sources[terminal];
    const bool head = source->sent == 0, tail = source->sent + 1 == source->length;

    enter_network(engine, move, head ? &source->front : NULL, tail);
    source->vc = move->to_vc;
    source->sent++;
    if (classes) count_flit(engine, move->link);
    if (tail) next_worm(engine, terminal, source);
}

// Takes the worm at the front of the source queue for a lane of a wide injection link. Of several
// that leave the queue in one cycle, each takes the place of one.
static void begin_worm(const struct anl_engine *engine, uint32_t terminal, struct sending *sending)
{
    struct source *source = &engine->sources[terminal];
    source->front = record_of(engine, source->front)->next;
    sending->worm = sending->begins;
    sending->length = head_of(engine, sending->worm)->length;
    sending->sent = 0;
}

static void end_worm(struct anl_engine *engine, uint32_t terminal, struct sending *sending)
{
    const struct sending *first = sending_on(engine, engine->switch_links + terminal, 0);
    bool pending = engine->sources[terminal].front != NO_WORM;
    sending->worm = NO_WORM;
    engine->totals.queued--;
    for (uint32_t vc = 0; vc < engine->config.num_vcs; vc++)
        pending |= first[vc].worm != NO_WORM;
    if (!pending) clear_bit(engine->pending, terminal);
}

static void inject_wide(struct anl_engine *engine, const struct move *move)
{
    const uint32_t terminal = move->link - engine->switch_links;
    struct sending *sending = sending_on(engine, move->link, move->to_vc);
    const bool head = sending->worm == NO_WORM;

    if (head) begin_worm(engine, terminal, sending);
    const bool tail = ++sending->sent == sending->length;
    enter_network(engine, move, head ? &sending->worm : NULL, tail);
    if (tail) end_worm(engine, terminal, sending);
}

static void inject_all(struct anl_engine *engine)
{
    const struct move *moves = &engine->moves[engine->num_moves];
    if (engine->wide)
        for (size_t i = 0; i < engine->num_injections; i++)
            inject_wide(engine, &moves[i]);
    else if (engine->favours)
        for (size_t i = 0; i < engine->num_injections; i++)
            inject(engine, &moves[i], true);
    else
        for (size_t i = 0; i < engine->num_injections; i++)
            inject(engine, &moves[i], false);
}

// Each terminal that holds a flit takes it. Unless it can refuse, a terminal never holds two: a
// flit arrives in one cycle and is taken in the next.
static void drain_terminals(struct anl_engine *engine)
{
    if (engine->sinks) {
        engine_take_flits(engine);
        return;
    }
    for (size_t i = 0; i < engine->num_ejecting; i++) {
        const struct ejection flit = engine->ejecting[i];
        struct port *port = &engine->ports[flit.port];
        lane_of(engine, flit.port, flit.vc)->count = 0;
        port->occupied = 0;
        return_ejection_credit(engine, flit.port, flit.vc);
    }
}

// ---------------------------------------------------------------- the record of a cycle

static void record_move(struct anl_engine *engine, const struct move *move)
{
    const struct lane *lane = lane_of(engine, move->port, move->from_vc);
    if (engine->only_heads && lane->index > 0) return;
    engine->flits[engine->num_flits++] = (struct anl_flit){.link = move->link,
                                                           .worm = lane->worm,
                                                           .index = lane->index,
                                                           .vc = move->to_vc,
                                                           .head = lane->index == 0,
                                                           .tail = lane->index + 1 == lane->length};
}

static struct anl_flit injected_wide(const struct anl_engine *engine, const struct move *move)
{
    const struct sending *sending = sending_on(engine, move->link, move->to_vc);
    const bool head = sending->worm == NO_WORM;
    const uint32_t worm = head ? sending->begins : sending->worm;
    const uint16_t index = head ? 0 : sending->sent;
    return (struct anl_flit){.link = move->link,
                             .worm = worm,
                             .index = index,
                             .vc = move->to_vc,
                             .head = head,
                             .tail = index + 1 == head_of(engine, worm)->length};
}

static struct anl_flit injected_flit(const struct anl_engine *engine, const struct move *move)
{
    if (engine->wide) return injected_wide(engine, move);
    const struct source *source = source_of(engine, move->link - engine->switch_links, move->to_vc);
    return (struct anl_flit){.link = move->link,
                             .worm = source->front,
                             .index = source->sent,
                             .vc = move->to_vc,
                             .head = source->sent == 0,
                             .tail = source->sent + 1 == source->length};
}

static int by_link(const void *a, const void *b)
{
    const struct anl_flit *x = a, *y = b;
    if (x->link == y->link) return (x->vc > y->vc) - (x->vc < y->vc);
    return (x->link > y->link) - (x->link < y->link);
}

static void sort_flits(struct anl_engine *engine)
{
    qsort(engine->flits, engine->num_flits, sizeof *engine->flits, by_link);
}

// Records the flits that are about to leave switches, ascending by link and lane. The list of moves
// consists of ascending runs: one run if links are not chained, else one for each tier. The last
// run has the lowest links. If wide links are chained the flits that follow others are in no order.
static void record_moves(struct anl_engine *engine)
{
    for (size_t begin, end = engine->num_moves; end > 0; end = begin) {
        begin = end - 1;
        while (begin > 0 && engine->moves[begin - 1].link <= engine->moves[begin].link)
            begin--;
        for (size_t i = begin; i < end; i++)
            record_move(engine, &engine->moves[i]);
    }
}

// Records the flits that cross links in this cycle. With two stages those that leave switches were
// granted in the last one.
static void record_flits(struct anl_engine *engine)
{
    if (!has_stages(engine)) record_moves(engine);
    for (size_t i = 0; i < engine->num_injections; i++) {
        const struct anl_flit flit = injected_flit(engine, &engine->moves[engine->num_moves + i]);
        if (flit.head || !engine->only_heads) engine->flits[engine->num_flits++] = flit;
    }
    if (has_stages(engine) || (engine->wide && engine->wide->leaving)) sort_flits(engine);
    if (engine->part) engine_name_flits(engine);
}

// The worms of one terminal stay in the order of their lanes.
static void sort_delivered(struct anl_engine *engine)
{
    for (size_t i = 1; i < engine->num_delivered; i++) {
        const struct anl_worm worm = engine->delivered[i];
        size_t to = i;
        for (; to > 0 && engine->delivered[to - 1].destination > worm.destination; to--)
            engine->delivered[to] = engine->delivered[to - 1];
        engine->delivered[to] = worm;
    }
}

// ---------------------------------------------------------------- the cycle

// Steps the generators of the switches that held a flit at the start of the cycle.
static void step_generators(struct anl_engine *engine)
{
    for (uint32_t w = 0; w * 64 < engine->shape.switches; w++) {
        for (uint64_t rest = engine->sampling[w]; rest; rest &= rest - 1) {
            const uint32_t switch_ = w * 64 + lowest64(rest);
            engine->random[switch_] = anl_xorshift32(engine->random[switch_]);
        }
        engine->sampling[w] = 0;
    }
}

static void count_flits(struct anl_engine *engine)
{
    struct anl_engine_totals *totals = &engine->totals;
    const size_t out = has_stages(engine) ? engine_num_crossing(engine) : engine->num_moves;
    totals->moved = out + engine->num_injections;
    totals->flit_hops += totals->moved;
    totals->ejected_flits += engine->num_ejected;
    totals->in_network += engine->num_injections;
    totals->in_network -= engine->num_ejecting;
    totals->taken = engine->num_ejecting;
    totals->delivered += engine->num_delivered;
}

static void swap_ejections(struct anl_engine *engine)
{
    if (engine->sinks) {
        engine_choose_flits(engine);
        return;
    }
    struct ejection *const drained = engine->ejecting;
    engine->ejecting = engine->ejected;
    engine->ejected = drained;
    engine->num_ejecting = engine->num_ejected;
}

bool anl_engine_idle(const struct anl_engine *engine)
{
    return engine->totals.in_network == 0 && engine->totals.queued == 0 &&
           (!engine->slices || engine_slices_rest(engine));
}

enum anl_status anl_engine_skip(struct anl_engine *engine, uint64_t cycle)
{
    if (!anl_engine_idle(engine) || cycle < engine->cycle) return ANL_ERR_ARGUMENT;
    assert(engine->num_ejecting == 0 && (engine->totals.moved == 0 || engine->machine));
    engine->totals.moved = 0;
    engine->cycle = cycle;
    return ANL_OK;
}

// What the switches have decided happens.
static void commit(struct anl_engine *engine)
{
    if (engine->random) step_generators(engine);
    if (has_stages(engine)) engine_list_crossing(engine);
    if (engine->record) record_flits(engine);
    if (engine->slices) engine_pass_slices(engine);
    drain_terminals(engine);
    if (engine->config.arbiter == ANL_REGISTERED_PRIORITY) engine_move_favours(engine);
    if (engine->num_moves > 0) commit_variant[engine->variant](engine);
    inject_all(engine);
}

static void end_cycle(struct anl_engine *engine)
{
    count_flits(engine);
    swap_ejections(engine);
    if (engine->order) sort_flits(engine);
    if (engine->order || engine->scattered) sort_delivered(engine);
}

static void step_busy(struct anl_engine *engine)
{
    engine_decide(engine);
    commit(engine);
    if (engine->slices) {
        forget_gates(engine);
        engine_leave_slices(engine);
    }
    end_cycle(engine);
}

static void begin_cycle(struct anl_engine *engine)
{
    engine->num_flits = engine->num_delivered = engine->num_ejected = 0;
    engine->totals.taken = 0;
    if (engine->machine) engine->totals.moved = 0;
}

void anl_engine_step(struct anl_engine *engine)
{
    assert(!engine->part || engine->part->num_peers == 0);
    begin_cycle(engine);
    if (!anl_engine_idle(engine)) {
        if (engine->machine)
            engine->machine->step(engine);
        else
            step_busy(engine);
    }
    engine->cycle++;
}

// ---------------------------------------------------------------- the cycle of a part

void anl_engine_decide(struct anl_engine *engine)
{
    struct part *part = engine->part;
    assert(part);
    begin_cycle(engine);
    engine_forget_moves(engine);
    part->round = 0;
    part->shown = 0;
    part->tier = engine_num_tiers(engine) - 1;
    if (!anl_engine_idle(engine)) engine_decide_tier(engine, part->tier);
    if (engine->config.credits == ANL_BYPASS) engine_tell_space(engine);
}

bool anl_engine_asks(const struct anl_engine *engine)
{
    if (engine->config.credits != ANL_BYPASS) return false;
    return engine->wide ? engine->part->tells : engine->part->tier > 0;
}

enum anl_status anl_engine_decide_on(struct anl_engine *engine)
{
    const enum anl_status status = engine_hear_space(engine);
    if (status) return status;
    if (engine->wide)
        engine_follow_wide(engine, engine->part->shown);
    else
        engine_decide_tier(engine, --engine->part->tier);
    engine_tell_space(engine);
    return ANL_OK;
}

void anl_engine_tell(struct anl_engine *engine)
{
    if (!anl_engine_idle(engine)) engine_decide_sources(engine);
    engine_tell_peers(engine);
}

void anl_engine_move(struct anl_engine *engine)
{
    commit(engine);
    forget_gates(engine);
}

enum anl_status anl_engine_end(struct anl_engine *engine)
{
    const enum anl_status status = engine_hear_peers(engine);
    if (engine->slices) engine_leave_slices(engine);
    end_cycle(engine);
    engine->totals.in_network += engine->part->flits_in;
    engine->totals.in_network -= engine->part->flits_out;
    engine->cycle++;
    return status;
}
