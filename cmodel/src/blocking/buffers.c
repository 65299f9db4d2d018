// SPDX-License-Identifier: Apache-2.0
//
// Where flits lie: carries out moves and undoes them.

#include "blocking.h"

#include <stdlib.h>

// --- network ---

static void wire(struct anl_blocking *blocking)
{
    for (uint32_t i = 0; i <= blocking->shape.links; i++) {
        blocking->links[i] = (struct blocking_link){.end = NONE};
        blocking->search.choices[i] = (struct blocking_choice){0};
        if (i == blocking->shape.links) break;
        const struct anl_end end = anl_end_of(&blocking->config, i);
        if (!end.exists) continue;
        blocking->links[i].end = end.is_terminal ? TO_TERMINAL : end.node;
        blocking->links[i].port = end.port;
    }
    for (uint32_t i = 0; i < (blocking->shape.links + 1) * blocking->senders; i++)
        blocking->lines[i] = (struct blocking_line){0};
    for (uint32_t i = 0; i < blocking->num_sources; i++)
        blocking->queues[i] = (struct blocking_queue){NONE, NONE};
}

static void lay_out_buffers(struct anl_blocking *blocking)
{
    for (uint32_t i = 0; blocking->options && i < blocking->lanes; i++)
        blocking->options[i].ports = 0;
    for (uint32_t i = 0; i < blocking->num_buffers; i++) {
        const bool source = is_source(blocking, i);
        const uint32_t link = source ? blocking->shape.links : i / blocking->config.num_vcs;
        const uint32_t injection =
            source ? blocking->network_links + terminal_of_source(blocking, i) : NONE;
        blocking->buffers[i] = (struct blocking_buffer){
            .front = NONE,
            .owner = NONE,
            .feed = NONE,
            .wants = injection,
            .wanted = source ? lane_at(blocking, injection, 0) : NONE,
            .set = source ? blocking->all_vcs : 0,
            .moved = STALLS,
            .link = link,
            .vc = (uint8_t)(source ? sender_of_source(blocking, i) : i % blocking->config.num_vcs),
            .ejection = !source && blocking->links[link].end == TO_TERMINAL,
            .chained =
                !source && !blocking->follows && anl_link_is_chained(&blocking->config, link),
        };
    }
}

// Returns what a head wants in a node without buffers: any link, for that is the choice of the
// policy (papers/roberts_symvonis/bufferless.md).
static struct blocking_route any_link(const struct anl_blocking *blocking, uint32_t node)
{
    const uint32_t first = node * blocking->shape.ports;
    struct blocking_route route = {first, 0};
    for (uint32_t port = 0; port < blocking->shape.ports; port++)
        if (blocking->links[first + port].end != NONE) route.set |= (uint16_t)(1u << port);
    return route;
}

enum { MOST_ROUTES = 1 << 14 };  // more would need too much memory

static struct blocking_route find_route(const struct anl_blocking *blocking,
                                        struct anl_input_lane at, uint32_t destination,
                                        uint32_t path)
{
    if (blocking->loses) return any_link(blocking, at.switch_);
    const struct anl_route route = anl_network_route(blocking->network, at, destination, path);
    const struct anl_way way = anl_first_way(route);
    const bool either = (route.ports & (route.ports - 1)) != 0;
    const uint32_t other = either ? way.vcs << blocking->config.num_vcs : 0;
    return (struct blocking_route){at.switch_ * blocking->shape.ports + way.port,
                                   (uint16_t)(way.vcs | other)};
}

// Returns the path of a worm; 0 if worms have none.
static uint32_t path_of(const struct anl_blocking *blocking, const struct blocking_worm *worm)
{
    if (!blocking->has_paths) return 0;
    return blocking_entry(blocking, worm->id)->worm.path;
}

// Lists all routes, if they are few.
static bool list_routes(struct anl_blocking *blocking)
{
    const uint32_t switches = blocking->shape.switches, terminals = blocking->shape.terminals;
    const bool one_group = anl_group_vcs(&blocking->config, 0) == blocking->all_vcs;
    if ((uint64_t)switches * terminals > MOST_ROUTES || !one_group || blocking->has_paths ||
        blocking->options || anl_reads_input(&blocking->config))
        return true;
    blocking->routes = malloc((size_t)switches * terminals * sizeof *blocking->routes);
    for (uint32_t i = 0; blocking->routes && i < switches * terminals; i++)
        blocking->routes[i] =
            find_route(blocking, (struct anl_input_lane){i / terminals, 0, 0}, i % terminals, 0);
    return blocking->routes != NULL;
}

static struct anl_input_lane input_lane(const struct anl_blocking *blocking, uint32_t lane)
{
    const struct blocking_link *link = &blocking->links[blocking->buffers[lane].link];
    return (struct anl_input_lane){link->end, link->port, blocking->buffers[lane].vc};
}

// Returns the route of a worm that has one of its own, from an input lane.
static struct blocking_route own_route(const struct anl_blocking *blocking,
                                       struct anl_input_lane at, const struct anl_worm *worm)
{
    const uint32_t port = anl_own_port(&blocking->config, at, worm);
    return (struct blocking_route){at.switch_ * blocking->shape.ports + port,
                                   (uint16_t)anl_group_vcs(&blocking->config, at.vc)};
}

// Returns where the switch at the end of a lane sends the head of a worm.
static struct blocking_route route_of(const struct anl_blocking *blocking, uint32_t lane,
                                      const struct blocking_worm *worm)
{
    const struct anl_input_lane at = input_lane(blocking, lane);
    if (blocking->config.routing == ANL_SOURCE) {
        const struct anl_worm *fed = &blocking_entry(blocking, worm->id)->worm;
        if (fed->route) return own_route(blocking, at, fed);
    }
    if (!blocking->routes)
        return find_route(blocking, at, worm->destination, path_of(blocking, worm));
    return blocking->routes[(size_t)at.switch_ * blocking->shape.terminals + worm->destination];
}

// --- wanted lanes ---

static uint32_t list_set(uint32_t first, uint32_t set, uint32_t *lanes)
{
    uint32_t count = 0;
    for (; set; set &= set - 1)
        lanes[count++] = first + lowest(set);
    return count;
}

// Lists the lanes of all options; first is lane 0 of the link of port 0.
static uint32_t list_options(const struct anl_blocking *blocking, uint32_t first,
                             const struct anl_route *route, uint32_t *lanes)
{
    uint32_t count = 0;
    for (uint32_t rest = route->ports; rest; rest &= rest - 1) {
        const uint32_t port = lowest(rest);
        count += list_set(first + port * blocking->config.num_vcs, route->vcs[port], lanes + count);
    }
    return count;
}

uint32_t blocking_wanted(const struct anl_blocking *blocking, const struct blocking_buffer *buffer,
                         uint32_t lanes[MOST_WANTED])
{
    if (is_selecting(blocking, buffer))
        return list_options(blocking, buffer->wanted, options_of(blocking, buffer), lanes);
    return list_set(buffer->wanted, buffer->set, lanes);
}

uint32_t blocking_route_lanes(const struct anl_blocking *blocking, uint32_t lane,
                              const struct blocking_worm *worm, uint32_t lanes[MOST_WANTED])
{
    if (!blocking->options) {
        const struct blocking_route route = route_of(blocking, lane, worm);
        return list_set(lane_at(blocking, route.link, 0), route.set, lanes);
    }
    const struct anl_input_lane at = input_lane(blocking, lane);
    const struct anl_route route =
        anl_network_route(blocking->network, at, worm->destination, path_of(blocking, worm));
    const uint32_t first = lane_at(blocking, at.switch_ * blocking->shape.ports, 0);
    return list_options(blocking, first, &route, lanes);
}

uint32_t blocking_crossed_option(const struct anl_blocking *blocking,
                                 const struct blocking_buffer *buffer)
{
    const uint32_t first = buffer->wanted / blocking->config.num_vcs;
    for (uint32_t rest = options_of(blocking, buffer)->ports; rest; rest &= rest - 1)
        if (blocking_is_crossed(blocking, first + lowest(rest))) return first + lowest(rest);
    return NONE;
}

void blocking_see_source(struct anl_blocking *blocking, uint32_t source, uint32_t slot)
{
    struct blocking_buffer *buffer = &blocking->buffers[source];
    buffer->set = blocking_injection_set(blocking, source, slot);
    if (!blocking->loses) return;
    const struct blocking_route route = any_link(blocking, terminal_of_source(blocking, source));
    buffer->wants = route.link;
    buffer->wanted = lane_at(blocking, route.link, 0);
    buffer->set = route.set;
}

uint16_t blocking_injection_set(const struct anl_blocking *blocking, uint32_t source, uint32_t slot)
{
    const uint32_t vcs = anl_injection_vcs(&blocking->config, terminal_of_source(blocking, source),
                                           blocking->worms[slot].destination);
    return (uint16_t)(vcs & anl_class_vcs(&blocking->config, class_of_source(blocking, source)));
}

enum anl_status blocking_lay_out(struct anl_blocking *blocking)
{
    wire(blocking);
    lay_out_buffers(blocking);
    return list_routes(blocking) ? ANL_OK : ANL_ERR_MEMORY;
}

// --- moves ---

static inline void clear_lane(uint16_t *set, uint32_t vc) { *set &= (uint16_t)(~(1u << vc)); }

// Notes the options of the head at the front of a lane. Returns false if it does not select: it has
// come to the switch of its destination.
static bool see_options(struct anl_blocking *blocking, uint32_t lane, uint32_t slot)
{
    const struct blocking_worm *worm = &blocking->worms[slot];
    const struct anl_input_lane at = input_lane(blocking, lane);
    const uint32_t first = at.switch_ * blocking->shape.ports;
    const struct anl_route route =
        anl_network_route(blocking->network, at, worm->destination, path_of(blocking, worm));
    const uint32_t link = first + lowest(route.ports);
    struct blocking_buffer *buffer = &blocking->buffers[lane];
    if (blocking->links[link].end == TO_TERMINAL) {
        blocking->options[lane].ports = 0;
        return false;
    }
    blocking->options[lane] = route;
    buffer->wants = link;
    buffer->wanted = lane_at(blocking, first, 0);
    buffer->set = 0;
    return true;
}

// Puts the head of a worm to the front of a lane.
static void see_head(struct anl_blocking *blocking, uint32_t lane, uint32_t slot)
{
    struct blocking_buffer *buffer = &blocking->buffers[lane];
    buffer->front = slot;
    buffer->index = 0;
    if (buffer->ejection) return;
    if (blocking->options && see_options(blocking, lane, slot)) return;
    const struct blocking_route route = route_of(blocking, lane, &blocking->worms[slot]);
    buffer->wants = route.link;
    buffer->wanted = lane_at(blocking, route.link, 0);
    buffer->set = route.set;
}

// What a moving flit needs of the buffers that it leaves and enters.
struct tables {
    struct blocking_buffer *buffers;
    struct blocking_link *links;
    struct blocking_worm *worms;
    uint64_t now;  // cycle in which the flit is in the buffer that it enters
    uint32_t depth;
};

static inline void leave(const struct tables *tables, const struct blocking_move *move,
                         uint64_t *left_since)
{
    struct blocking_buffer *buffer = &tables->buffers[move->from];
    struct blocking_link *link = &tables->links[buffer->link];
    const uint32_t count = buffer->count - 1u;
    *left_since = buffer->since;
    buffer->since = tables->now;
    buffer->moved = STALLS;
    buffer->index++;
    buffer->count = (uint16_t)count;
    buffer->front = (uint32_t)pick(count > 0, buffer->front, NONE);
    clear_lane(&link->full, buffer->vc);
}

static inline void enter(const struct tables *tables, const struct blocking_move *move)
{
    struct blocking_buffer *lane = &tables->buffers[move->to];
    struct blocking_link *link = &tables->links[lane->link];
    struct blocking_worm *worm = &tables->worms[move->slot];
    const uint32_t count = lane->count;

    lane->since = pick(count == 0, tables->now, lane->since);
    lane->front = (uint32_t)pick(count == 0, move->slot, lane->front);
    lane->count = (uint16_t)(count + 1);
    link->full |= (uint16_t)((uint32_t)(count + 1 == tables->depth) << lane->vc);
    worm->lead_buffer =
        (uint32_t)pick(worm->lead_buffer == move->from, move->to, worm->lead_buffer);
}

static void set_owner(struct anl_blocking *blocking, struct blocking_buffer *lane, uint32_t slot)
{
    struct blocking_link *link = &blocking->links[lane->link];
    lane->owner = slot;
    clear_lane(&link->owned, lane->vc);
    if (slot != NONE) link->owned |= (uint16_t)(1u << lane->vc);
}

// Does what a head does besides: it begins a run and, if flits follow it, binds the buffer that it
// leaves.
static void bind(struct anl_blocking *blocking, const struct blocking_move *move)
{
    struct blocking_buffer *lane = &blocking->buffers[move->to],
                           *from = &blocking->buffers[move->from];
    lane->feed = move->from;
    *run_at(blocking, move->to, lane->num_runs++) = move->slot;
    if (lane->num_runs == 1) see_head(blocking, move->to, move->slot);
    blocking->worms[move->slot].head_buffer = move->to;
    blocking->slots.come[blocking->slots.num_come] = move->slot;
    blocking->slots.num_come += !lane->ejection;
    if (move->tail) return;
    set_owner(blocking, lane, move->slot);
    from->wants = lane->link;
    from->wanted = move->to - lane->vc;
    from->set = (uint16_t)(1u << lane->vc);
}

// Does what a tail does besides: the next worm comes to the front of the buffer that it leaves.
static void unbind(struct anl_blocking *blocking, uint32_t from)
{
    struct blocking_buffer *buffer = &blocking->buffers[from];
    if (is_source(blocking, from)) {
        blocking->slots.fresh[blocking->slots.num_fresh++] = source_buffer(
            blocking, terminal_of_source(blocking, from), class_of_source(blocking, from));
        buffer->index = 0;
        return;
    }
    const uint32_t next = buffer->first_run + 1u;
    buffer->first_run = (uint8_t)pick(next == blocking->most_runs, 0, next);
    buffer->num_runs--;
    if (buffer->num_runs > 0) see_head(blocking, from, *run_at(blocking, from, 0));
}

// Lists the moves by which terminals take, in the next cycle, the flits that cross an ejection
// link.
static void list_taken(struct anl_blocking *blocking)
{
    blocking->moves.num_fed = 0;
    for (size_t i = 0; i < blocking->moves.num_ejections; i++) {
        struct blocking_move taken = blocking->moves.list[blocking->moves.ejections[i]];
        blocking->worms[taken.slot].lead++;
        if (blocking->sinks) continue;
        taken.from = taken.to;
        taken.to = NONE;
        blocking->moves.fed[blocking->moves.num_fed++] = taken;
    }
    if (blocking->sinks) blocking_sinks_choose(blocking);
    blocking->moves.num_fed_taken = blocking->moves.num_fed;
    for (size_t i = 0; i < blocking->moves.num_fed_taken; i++)
        blocking_mark_taken(blocking, &blocking->moves.fed[i]);
}

// Finds the leading flits of worms whose flits have left the network, now that all flits have
// moved.
static void find_leading_flits(struct anl_blocking *blocking)
{
    for (size_t i = 0; i < blocking->moves.num_ejections; i++) {
        const struct blocking_move *move = &blocking->moves.list[blocking->moves.ejections[i]];
        struct blocking_worm *worm = &blocking->worms[move->slot];
        if (!move->tail) worm->lead_buffer = blocking_upstream(blocking, worm->head_buffer);
    }
}

// Notes which worms were delivered in the cycle before, while their flits may stay at the terminal.
static void list_ended(struct anl_blocking *blocking)
{
    struct blocking_sinks *sinks = blocking->sinks;
    sinks->num_ended = 0;
    for (size_t i = 0; i < blocking->moves.num_ejections; i++) {
        const struct blocking_move *move = &blocking->moves.list[blocking->moves.ejections[i]];
        if (move->tail) sinks->ended[sinks->num_ended++] = move->slot;
    }
}

static void move_all(struct anl_blocking *blocking)
{
    const struct tables tables = {
        .buffers = blocking->buffers,
        .links = blocking->links,
        .worms = blocking->worms,
        .now = blocking->cycle + 1,
        .depth = blocking->config.depth,
    };
    const struct blocking_move *move = blocking->moves.list;
    const struct blocking_move *const taken = move + blocking->moves.num_taken,
                                      *end = move + blocking->moves.count;
    uint64_t *since = blocking->moves.left_since;
    for (; move < taken; move++)
        leave(&tables, move, since++);
    // What follows another flit may stand before it in the list, and enters behind it.
    for (; blocking->follows && move < end; move++)
        leave(&tables, move, since++);
    for (move = blocking->follows ? taken : move; move < end; move++) {
        if (!blocking->follows) leave(&tables, move, since++);
        enter(&tables, move);
    }
}

// --- two stages ---

static void see_full(struct anl_blocking *blocking, uint32_t lane)
{
    if (is_source(blocking, lane)) return;
    const struct blocking_buffer *buffer = &blocking->buffers[lane];
    uint16_t *const full = &blocking->links[buffer->link].full;
    clear_lane(full, buffer->vc);
    if (used_slots(buffer) == blocking->config.depth) *full |= (uint16_t)(1u << buffer->vc);
}

// Notes in the lanes at both ends of a move, which was carried out, what counts in the next cycle.
// Terminals have one stage.
static void note_changes(struct anl_blocking *blocking, const struct blocking_move *move)
{
    struct blocking_buffer *from = &blocking->buffers[move->from];
    if (from->link < blocking->network_links) from->changes |= FREED;
    see_full(blocking, move->from);
    if (move->to == NONE || blocking->buffers[move->to].ejection) return;
    struct blocking_buffer *lane = &blocking->buffers[move->to];
    lane->changes |= CAME;
    if (lane->count > 1) return;
    lane->moved = ARRIVES;
    lane->way = (struct blocking_way){blocking->round, 0, NONE, worm_id(blocking, move->slot)};
}

static void forget_changes(struct anl_blocking *blocking, const struct blocking_move *move)
{
    blocking->buffers[move->from].changes = 0;
    see_full(blocking, move->from);
    if (move->to == NONE) return;
    struct blocking_buffer *lane = &blocking->buffers[move->to];
    lane->changes = 0;
    see_full(blocking, move->to);
    if (lane->moved == ARRIVES) lane->moved = STALLS;
}

static void for_moves(struct anl_blocking *blocking, const struct blocking_move *moves,
                      size_t count,
                      void (*act)(struct anl_blocking *, const struct blocking_move *))
{
    for (size_t i = 0; blocking->two_stages && i < count; i++)
        act(blocking, &moves[i]);
}

void blocking_apply(struct anl_blocking *blocking)
{
    const struct blocking_move *const moves = blocking->moves.list;
    blocking->slots.num_come = blocking->slots.num_fresh = 0;
    for_moves(blocking, blocking->moves.before, blocking->moves.num_before, forget_changes);
    move_all(blocking);
    for (size_t i = 0; i < blocking->moves.num_taken; i++) {
        if (!moves[i].tail) continue;
        unbind(blocking, moves[i].from);
        blocking->slots.gone[blocking->slots.num_gone++] = moves[i].slot;
    }
    for (size_t i = 0; i < blocking->moves.num_tails; i++) {
        const struct blocking_move *move = &moves[blocking->moves.tails[i]];
        if (!move->head) set_owner(blocking, &blocking->buffers[move->to], NONE);
        unbind(blocking, move->from);
    }
    for (size_t i = 0; i < blocking->moves.num_heads; i++)
        bind(blocking, &moves[blocking->moves.heads[i]]);
    for_moves(blocking, moves, blocking->moves.count, note_changes);
    list_taken(blocking);
    find_leading_flits(blocking);
    if (blocking->sinks) list_ended(blocking);
}

// --- undoing moves ---

static void unleave(struct anl_blocking *blocking, const struct blocking_move *move, uint64_t since)
{
    struct blocking_buffer *buffer = &blocking->buffers[move->from];
    const bool source = is_source(blocking, move->from);
    buffer->since = since;
    buffer->index = move->index;
    buffer->front = move->slot;
    if (!source) buffer->count++;
    if (!source && move->tail) {
        const uint32_t first = buffer->first_run;
        buffer->first_run = (uint8_t)(first > 0 ? first - 1 : blocking->most_runs - 1);
        buffer->num_runs++;
    }
    if (source) {
        buffer->count = (uint16_t)(blocking->worms[move->slot].length - move->index);
    }
    if (move->to != NONE) {
        buffer->wants = blocking->buffers[move->to].link;
        buffer->wanted = lane_at(blocking, buffer->wants, 0);
        buffer->set = (uint16_t)(1u << blocking->buffers[move->to].vc);
    }
    if (!move->head) return;
    if (source)
        blocking_see_source(blocking, move->from, move->slot);
    else
        see_head(blocking, move->from, move->slot);
}

static void unenter(struct anl_blocking *blocking, const struct blocking_move *move)
{
    struct blocking_buffer *lane = &blocking->buffers[move->to];
    struct blocking_worm *worm = &blocking->worms[move->slot];

    if (--lane->count == 0) lane->front = NONE;
    if (move->head) {
        lane->num_runs--;
        worm->head_buffer = move->from;
    }
    set_owner(blocking, lane, move->head ? NONE : move->slot);
    if (lane->ejection) worm->lead = move->index;
    if (move->index == worm->lead) worm->lead_buffer = move->from;
}

static void unmark(struct anl_blocking *blocking, const struct blocking_move *move)
{
    blocking->buffers[move->from].moved = STALLS;
    blocking->buffers[move->from].way.known = 0;
    see_full(blocking, move->from);
}

void blocking_take_back(struct anl_blocking *blocking)
{
    for (size_t i = 0; i < blocking->moves.num_fed; i++)
        unmark(blocking, &blocking->moves.fed[i]);
    for_moves(blocking, blocking->moves.list, blocking->moves.count, forget_changes);
    for (size_t i = blocking->moves.count; i-- > 0;) {
        const struct blocking_move *move = &blocking->moves.list[i];
        if (move->to != NONE) unenter(blocking, move);
        unleave(blocking, move, blocking->moves.left_since[i]);
    }
    for (size_t i = 0; i < blocking->moves.count; i++) {
        const struct blocking_move *move = &blocking->moves.list[i];
        see_full(blocking, move->from);
        if (move->to != NONE) see_full(blocking, move->to);
    }
    for (size_t i = 0; i < blocking->moves.count; i++) {
        const struct blocking_move *move = &blocking->moves.list[i];
        if (move->to == NONE)
            blocking_mark_taken(blocking, move);
        else
            blocking_mark(blocking, move, blocking->buffers[move->to].link,
                          worm_id(blocking, move->slot));
    }
    for_moves(blocking, blocking->moves.before, blocking->moves.num_before, note_changes);
    blocking->slots.num_gone = 0;
}

void blocking_take_in(struct anl_blocking *blocking)
{
    struct blocking_move *const moves = blocking->moves.fed;
    blocking->moves.fed = blocking->moves.before;
    blocking->moves.before = blocking->moves.list;
    blocking->moves.list = moves;
    blocking->moves.num_before = blocking->two_stages ? blocking->moves.count : 0;
    blocking->moves.count = blocking->moves.num_fed;
    blocking->moves.num_taken = blocking->moves.num_fed_taken;
    if (blocking->sinks) blocking_sinks_take_in(blocking->sinks);
}
