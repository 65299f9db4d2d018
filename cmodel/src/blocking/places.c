// SPDX-License-Identifier: Apache-2.0
//
// Where flits lie: moves carried out, and taken back.

#include "story.h"

#include <stdlib.h>

// --- network ---

static void wire(struct anl_story *story)
{
    for (uint32_t i = 0; i <= story->shape.links; i++) {
        struct story_link *link = &story->links[i];
        *link = (struct story_link){.end = NONE};
        if (i == story->shape.links) break;
        const struct anl_end end = anl_end_of(&story->config, i);
        if (end.exists) link->end = end.is_terminal ? TO_TERMINAL : end.node;
    }
}

static void lay_out_places(struct anl_story *story)
{
    for (uint32_t i = 0; i < story->num_places; i++) {
        const bool source = is_source(story, i);
        const uint32_t link = source ? story->shape.links : i / story->config.num_vcs;
        story->places[i] = (struct story_place){
            .front = NONE,
            .owner = NONE,
            .feed = NONE,
            .wants = source ? story->network_links + i - story->lanes : NONE,
            .wanted = source ? lane_at(story, story->network_links + i - story->lanes, 0) : NONE,
            .set = source ? story->all_vcs : 0,
            .moved = STAYS,
            .link = link,
            .vc = (uint8_t)(source ? 0 : i % story->config.num_vcs),
            .ejection = !source && story->links[link].end == TO_TERMINAL,
            .chained = !source && anl_link_is_chained(&story->config, link),
        };
    }
}

// Of cubes. Nodes 0 … k - 1 differ in dimension 0 alone, and every dimension has the same rule.
static void look_up_routes(struct anl_story *story)
{
    const struct anl_config *config = &story->config;
    for (uint32_t s = 0; s < story->shape.switches; s++)
        for (uint32_t d = 0; d < config->n; d++)
            story->coordinates[(size_t)s * config->n + d] = (uint16_t)anl_coordinate(config, s, d);
    for (uint32_t c = 0; c < config->k; c++)
        for (uint32_t t = 0; t < config->k; t++)
            story->hops[(size_t)c * config->k + t] = anl_route_at(config, c, t);
}

enum { MOST_ROUTES = 1 << 14 };  // that are worth the memory

// The way from a switch of a cube, found out dimension by dimension.
static struct story_route find_in_cube(const struct anl_story *story, uint32_t switch_,
                                       uint32_t destination)
{
    const uint32_t n = story->config.n, k = story->config.k, ports = story->shape.ports;
    const uint32_t first_link = switch_ * ports, per_dimension = (ports - 1) / n;
    const uint16_t *here = &story->coordinates[(size_t)switch_ * n];
    const uint16_t *there = &story->coordinates[(size_t)destination * n];
    for (uint32_t d = 0; d < n; d++) {
        if (here[d] == there[d]) continue;
        const struct anl_route hop = story->hops[here[d] * k + there[d]];
        return (struct story_route){first_link + d * per_dimension + hop.port, (uint16_t)hop.vcs};
    }
    return (struct story_route){first_link + ports - 1, story->all_vcs};
}

static struct story_route find_route(const struct anl_story *story, uint32_t switch_,
                                     uint32_t destination, uint32_t path)
{
    if (story->coordinates) return find_in_cube(story, switch_, destination);
    const struct anl_route route = anl_route_on_path(&story->config, switch_, destination, path);
    const uint32_t other = route.ports > 1 ? route.vcs << story->config.num_vcs : 0;
    return (struct story_route){switch_ * story->shape.ports + route.port,
                                (uint16_t)(route.vcs | other)};
}

// All of them, if they are few.
static bool list_routes(struct anl_story *story)
{
    const uint32_t switches = story->shape.switches, terminals = story->shape.terminals;
    if ((uint64_t)switches * terminals > MOST_ROUTES || story->config.routing == ANL_UP_DOWN_FIXED)
        return true;
    story->routes = malloc((size_t)switches * terminals * sizeof *story->routes);
    for (uint32_t i = 0; story->routes && i < switches * terminals; i++)
        story->routes[i] = find_route(story, i / terminals, i % terminals, 0);
    return story->routes != NULL;
}

struct story_route story_route(const struct anl_story *story, uint32_t lane,
                               const struct story_worm *worm)
{
    const uint32_t switch_ = story->links[story->places[lane].link].end;
    if (!story->routes) return find_route(story, switch_, worm->destination, worm->path);
    return story->routes[(size_t)switch_ * story->shape.terminals + worm->destination];
}

enum { LINE = 64 };  // bytes of a line of the cache, over which a place should not reach

static size_t round_up(size_t bytes) { return (bytes + LINE - 1) / LINE * LINE; }

static bool route_cubes(struct anl_story *story)
{
    const struct anl_config *config = &story->config;
    const size_t coordinates = (size_t)story->shape.switches * config->n;
    const size_t hops = (size_t)config->k * config->k;
    if (config->topology == ANL_FAT_TREE) return true;
    story->coordinates = malloc(coordinates * sizeof *story->coordinates);
    story->hops = malloc(hops * sizeof *story->hops);
    if (!story->coordinates || !story->hops) return false;
    look_up_routes(story);
    return true;
}

enum anl_status story_places_create(struct anl_story *story)
{
    story->places = aligned_alloc(LINE, round_up(story->num_places * sizeof *story->places));
    story->links = aligned_alloc(LINE, round_up((story->shape.links + 1u) * sizeof *story->links));
    story->runs = calloc((size_t)story->lanes * story->most_runs, sizeof *story->runs);
    if (!story->places || !story->links || !story->runs) return ANL_ERR_MEMORY;
    wire(story);
    lay_out_places(story);
    return route_cubes(story) && list_routes(story) ? ANL_OK : ANL_ERR_MEMORY;
}

void story_places_destroy(struct anl_story *story)
{
    free(story->places);
    free(story->links);
    free(story->runs);
    free(story->coordinates);
    free(story->hops);
    free(story->routes);
}

// --- moves ---

static inline void clear_lane(uint16_t *set, uint32_t vc) { *set &= (uint16_t) ~(1u << vc); }

// The head of a worm has come to the front of a lane.
static void see_head(struct anl_story *story, uint32_t lane, uint32_t slot)
{
    struct story_place *place = &story->places[lane];
    place->front = slot;
    place->index = 0;
    if (place->ejection) return;
    const struct story_route route = story_route(story, lane, &story->worms[slot]);
    place->wants = route.link;
    place->wanted = lane_at(story, route.link, 0);
    place->set = route.set;
}

// What every flit needs where it leaves and where it comes to, at hand.
struct board {
    struct story_place *places;
    struct story_link *links;
    struct story_worm *worms;
    uint64_t now;  // cycle in which it is where it comes to
    uint32_t depth;
};

static inline void leave(const struct board *board, const struct story_move *move,
                         uint64_t *left_since)
{
    struct story_place *place = &board->places[move->from];
    struct story_link *link = &board->links[place->link];
    const uint32_t count = place->count - 1u;
    *left_since = place->since;
    place->since = board->now;
    place->moved = STAYS;
    place->index++;
    place->count = (uint16_t)count;
    place->front = (uint32_t)pick(count > 0, place->front, NONE);
    clear_lane(&link->full, place->vc);
}

static inline void enter(const struct board *board, const struct story_move *move)
{
    struct story_place *lane = &board->places[move->to];
    struct story_link *link = &board->links[lane->link];
    struct story_worm *worm = &board->worms[move->slot];
    const uint32_t count = lane->count;

    lane->since = pick(count == 0, board->now, lane->since);
    lane->front = (uint32_t)pick(count == 0, move->slot, lane->front);
    lane->count = (uint16_t)(count + 1);
    link->full |= (uint16_t)((uint32_t)(count + 1 == board->depth) << lane->vc);
    worm->lead_place = (uint32_t)pick(worm->lead_place == move->from, move->to, worm->lead_place);
}

static void set_owner(struct anl_story *story, struct story_place *lane, uint32_t slot)
{
    struct story_link *link = &story->links[lane->link];
    lane->owner = slot;
    clear_lane(&link->owned, lane->vc);
    if (slot != NONE) link->owned |= (uint16_t)(1u << lane->vc);
}

// What a head does besides: it begins a run and, if flits follow it, binds the place it leaves.
static void bind(struct anl_story *story, const struct story_move *move)
{
    struct story_place *lane = &story->places[move->to], *from = &story->places[move->from];
    lane->feed = move->from;
    *run_at(story, move->to, lane->num_runs++) = move->slot;
    if (lane->num_runs == 1) see_head(story, move->to, move->slot);
    story->worms[move->slot].head_place = move->to;
    story->come[story->num_come] = move->slot;
    story->num_come += !lane->ejection;
    if (move->tail) return;
    set_owner(story, lane, move->slot);
    from->wants = lane->link;
    from->wanted = move->to - lane->vc;
    from->set = (uint16_t)(1u << lane->vc);
}

// What a tail does besides: where it leaves, another worm comes to the front.
static void unbind(struct anl_story *story, uint32_t from, uint32_t slot)
{
    struct story_place *place = &story->places[from];
    if (is_source(story, from)) {
        const uint32_t terminal = from - story->lanes;
        story->sources[terminal].front = story_entry(story, story->worms[slot].id)->next;
        story->fresh[story->num_fresh++] = terminal;
        place->index = 0;
        place->set = story->all_vcs;
        return;
    }
    const uint32_t next = place->first_run + 1u;
    place->first_run = (uint8_t)pick(next == story->most_runs, 0, next);
    place->num_runs--;
    if (place->num_runs > 0) see_head(story, from, *run_at(story, from, 0));
}

// What crosses an ejection link is taken by the terminal in the next cycle.
static void tell_taken(struct anl_story *story)
{
    story->num_told = 0;
    for (size_t i = 0; i < story->num_ejections; i++) {
        struct story_move taken = story->moves[story->ejections[i]];
        taken.from = taken.to;
        taken.to = NONE;
        story->told[story->num_told++] = taken;
        story->worms[taken.slot].lead++;
    }
    story->num_told_taken = story->num_told;
}

// Leading flits behind those that left the network: where they are now that all have moved.
static void find_leading_flits(struct anl_story *story)
{
    for (size_t i = 0; i < story->num_told; i++) {
        struct story_worm *worm = &story->worms[story->told[i].slot];
        if (!story->told[i].tail) worm->lead_place = story_upstream(story, worm->head_place);
    }
}

static void move_all(struct anl_story *story)
{
    const struct board board = {
        .places = story->places,
        .links = story->links,
        .worms = story->worms,
        .now = story->cycle + 1,
        .depth = story->config.depth,
    };
    const struct story_move *move = story->moves;
    const struct story_move *const taken = move + story->num_taken, *end = move + story->num_moves;
    uint64_t *since = story->left_since;
    for (; move < taken; move++)
        leave(&board, move, since++);
    for (; move < end; move++) {
        leave(&board, move, since++);
        enter(&board, move);
    }
}

void story_apply(struct anl_story *story)
{
    const struct story_move *const moves = story->moves;
    story->num_come = story->num_fresh = 0;
    move_all(story);
    for (size_t i = 0; i < story->num_taken; i++) {
        if (!moves[i].tail) continue;
        unbind(story, moves[i].from, moves[i].slot);
        story->gone[story->num_gone++] = moves[i].slot;
    }
    for (size_t i = 0; i < story->num_tails; i++) {
        const struct story_move *move = &moves[story->tails[i]];
        if (!move->head) set_owner(story, &story->places[move->to], NONE);
        unbind(story, move->from, move->slot);
    }
    for (size_t i = 0; i < story->num_heads; i++)
        bind(story, &moves[story->heads[i]]);
    tell_taken(story);
    find_leading_flits(story);
}

// --- and back ---

static void unleave(struct anl_story *story, const struct story_move *move, uint64_t since)
{
    struct story_place *place = &story->places[move->from];
    const bool source = is_source(story, move->from);
    place->since = since;
    place->index = move->index;
    place->front = move->slot;
    if (!source) place->count++;
    if (!source && move->tail) {
        const uint32_t first = place->first_run;
        place->first_run = (uint8_t)(first > 0 ? first - 1 : story->most_runs - 1);
        place->num_runs++;
    }
    if (source) {
        const struct story_worm *worm = &story->worms[move->slot];
        story->sources[move->from - story->lanes].front = worm->id;
        place->count = (uint16_t)(worm->length - move->index);
    }
    if (move->to != NONE) {
        place->wants = story->places[move->to].link;
        place->wanted = lane_at(story, place->wants, 0);
        place->set = (uint16_t)(1u << story->places[move->to].vc);
    }
    if (!move->head) return;
    if (source)
        place->set = story->all_vcs;
    else
        see_head(story, move->from, move->slot);
}

static void unenter(struct anl_story *story, const struct story_move *move)
{
    struct story_place *lane = &story->places[move->to];
    struct story_worm *worm = &story->worms[move->slot];

    if (--lane->count == 0) lane->front = NONE;
    if (move->head) {
        lane->num_runs--;
        worm->head_place = move->from;
    }
    set_owner(story, lane, move->head ? NONE : move->slot);
    if (lane->ejection) worm->lead = move->index;
    if (move->index == worm->lead) worm->lead_place = move->from;
}

static void see_full(struct anl_story *story, uint32_t lane)
{
    if (is_source(story, lane)) return;
    const struct story_place *place = &story->places[lane];
    uint16_t *const full = &story->links[place->link].full;
    clear_lane(full, place->vc);
    if (place->count == story->config.depth) *full |= (uint16_t)(1u << place->vc);
}

static void unmark(struct anl_story *story, const struct story_move *move)
{
    story->places[move->from].moved = STAYS;
    story->places[move->from].way.known = 0;
    see_full(story, move->from);
}

void story_take_back(struct anl_story *story)
{
    for (size_t i = 0; i < story->num_told; i++)
        unmark(story, &story->told[i]);
    for (size_t i = story->num_moves; i-- > 0;) {
        const struct story_move *move = &story->moves[i];
        if (move->to != NONE) unenter(story, move);
        unleave(story, move, story->left_since[i]);
    }
    for (size_t i = 0; i < story->num_moves; i++) {
        const struct story_move *move = &story->moves[i];
        see_full(story, move->from);
        if (move->to != NONE) see_full(story, move->to);
    }
    for (size_t i = 0; i < story->num_moves; i++) {
        const struct story_move *move = &story->moves[i];
        if (move->to == NONE)
            story_mark_taken(story, move);
        else
            story_mark(story, move, story->places[move->to].link, worm_id(story, move->slot));
    }
    story->num_gone = 0;
}

void story_take_in(struct anl_story *story)
{
    struct story_move *const moves = story->told;
    story->told = story->moves;
    story->moves = moves;
    story->num_moves = story->num_told;
    story->num_taken = story->num_told_taken;
    for (size_t i = 0; i < story->num_taken; i++)
        story_mark_taken(story, &moves[i]);
}
