// SPDX-License-Identifier: Apache-2.0
//
// Where flits lie: moves carried out and taken back, and flits held against what they can be.

#include "story_parts.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// --- network ---

static void wire(struct anl_story *story)
{
    const uint32_t ports = story->shape.ports;
    for (uint32_t i = 0; i <= story->shape.links; i++) {
        struct story_link *link = &story->links[i];
        *link = (struct story_link){.end = NONE, .crossed = NONE};
        if (i == story->shape.links) break;
        if (i >= story->network_links) {
            link->end = i - story->network_links;
            continue;
        }
        const struct anl_end end = anl_link_end(&story->config, i / ports, i % ports);
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
            .set = source ? story->all_vcs : 0,
            .moved = NONE,
            .link = link,
            .vc = (uint16_t)(source ? 0 : i % story->config.num_vcs),
            .ejection = !source && story->links[link].end == TO_TERMINAL,
        };
    }
}

// Nodes 0 … k - 1 differ in dimension 0 alone, and every dimension has the same rule.
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

enum anl_status story_places_create(struct anl_story *story)
{
    const struct anl_config *config = &story->config;
    const size_t coordinates = (size_t)story->shape.switches * config->n;
    const size_t hops = (size_t)config->k * config->k;
    story->places = malloc(story->num_places * sizeof *story->places);
    story->runs = calloc((size_t)story->lanes * config->depth, sizeof *story->runs);
    story->coordinates = malloc(coordinates * sizeof *story->coordinates);
    story->hops = malloc(hops * sizeof *story->hops);
    if (!story->places || !story->runs || !story->coordinates || !story->hops)
        return ANL_ERR_MEMORY;
    wire(story);
    lay_out_places(story);
    look_up_routes(story);
    return ANL_OK;
}

void story_places_destroy(struct anl_story *story)
{
    free(story->places);
    free(story->runs);
    free(story->coordinates);
    free(story->hops);
}

struct anl_route story_route(const struct anl_story *story, uint32_t lane, uint32_t destination)
{
    const uint32_t switch_ = story->links[story->places[lane].link].end;
    const uint32_t n = story->config.n, k = story->config.k, ports = story->shape.ports;
    const uint32_t first_link = switch_ * ports, per_dimension = (ports - 1) / n;
    const uint16_t *here = &story->coordinates[(size_t)switch_ * n];
    const uint16_t *there = &story->coordinates[(size_t)destination * n];
    for (uint32_t d = 0; d < n; d++) {
        if (here[d] == there[d]) continue;
        const struct anl_route hop = story->hops[here[d] * k + there[d]];
        return (struct anl_route){first_link + d * per_dimension + hop.port, hop.vcs};
    }
    return (struct anl_route){first_link + ports - 1, story->all_vcs};
}

// --- moves ---

// A head has come to the front of a lane.
static void see_head(struct anl_story *story, uint32_t lane)
{
    struct story_place *place = &story->places[lane];
    place->index = 0;
    if (place->ejection) return;
    const struct anl_route route = story_route(story, lane, story->worms[place->front].destination);
    place->wants = route.port;
    place->set = (uint16_t)route.vcs;
}

// What every flit does where it leaves, and where it comes to.
static inline void leave(struct anl_story *story, const struct story_move *move)
{
    struct story_place *place = &story->places[move->from];
    place->since = story->cycle + 1;
    place->moved = NONE;
    place->index++;
    place->count--;
    place->front = place->count > 0 ? place->front : NONE;
    story->links[place->link].full &= ~(1u << place->vc);
}

static inline void enter(struct anl_story *story, const struct story_move *move)
{
    struct story_place *lane = &story->places[move->to];
    struct story_link *link = &story->links[lane->link];
    struct story_worm *worm = &story->worms[move->slot];
    const bool was_empty = lane->count == 0;

    lane->since = was_empty ? story->cycle + 1 : lane->since;
    lane->front = was_empty ? move->slot : lane->front;
    lane->count++;
    link->crossed = NONE;
    link->full |= (uint32_t)(lane->count == story->config.depth) << lane->vc;
    worm->lead_place = worm->lead_place == move->from ? move->to : worm->lead_place;
}

// What a tail does besides where it leaves: another worm comes to the front.
static void leave_for_good(struct anl_story *story, uint32_t from, uint32_t slot)
{
    struct story_place *place = &story->places[from];
    if (is_source(story, from)) {
        const uint32_t terminal = from - story->lanes;
        story->sources[terminal].front = story->entries[story->worms[slot].entry].next;
        story->fresh[story->num_fresh++] = terminal;
        place->index = 0;
        place->set = story->all_vcs;
        return;
    }
    place->num_runs--;
    if (++place->first_run == story->config.depth) place->first_run = 0;
    if (place->num_runs == 0) return;
    place->front = *run_at(story, from, 0);
    see_head(story, from);
}

static void set_owner(struct anl_story *story, struct story_place *lane, uint32_t slot)
{
    uint32_t *const owned = &story->links[lane->link].owned;
    const uint32_t bit = 1u << lane->vc;
    lane->owner = slot;
    *owned = slot == NONE ? *owned & ~bit : *owned | bit;
}

// What heads and tails do besides.
static void bind(struct anl_story *story, const struct story_move *move)
{
    struct story_place *lane = &story->places[move->to];
    if (move->head) {
        lane->feed = move->from;
        *run_at(story, move->to, lane->num_runs++) = move->slot;
        if (lane->count == 1) see_head(story, move->to);
        story->worms[move->slot].head_place = move->to;
        story->places[move->from].set = (uint16_t)(1u << lane->vc);
        if (!lane->ejection) story->come[story->num_come++] = move->slot;
    }
    if (move->head != move->tail) set_owner(story, lane, move->head ? move->slot : NONE);
    if (move->tail) leave_for_good(story, move->from, move->slot);
}

// What crosses an ejection link is taken by the terminal in the next cycle.
static void tell_taken(struct anl_story *story, const struct story_move *ejected)
{
    struct story_move taken = *ejected;
    taken.from = ejected->to;
    taken.to = NONE;
    taken.since = story->cycle + 1;
    story->told[story->num_told++] = taken;
    story->worms[ejected->slot].lead++;
}

// Leading flits behind those that left the network: where they are now that all have moved.
static void find_leading_flits(struct anl_story *story)
{
    for (size_t i = 0; i < story->num_told; i++) {
        struct story_worm *worm = &story->worms[story->told[i].slot];
        if (!story->told[i].tail) worm->lead_place = story_upstream(story, worm->head_place);
    }
}

void story_apply(struct anl_story *story)
{
    story->num_come = story->num_fresh = 0;
    story->num_told = 0;
    for (size_t i = 0; i < story->num_taken; i++) {
        const struct story_move *move = &story->moves[i];
        leave(story, move);
        if (!move->tail) continue;
        leave_for_good(story, move->from, move->slot);
        story->gone[story->num_gone++] = move->slot;
    }
    for (size_t i = story->num_taken; i < story->num_moves; i++) {
        const struct story_move *move = &story->moves[i];
        leave(story, move);
        enter(story, move);
        if (move->head | move->tail) bind(story, move);
        if (story->places[move->to].ejection) tell_taken(story, move);
    }
    story->num_told_taken = story->num_told;
    find_leading_flits(story);
}

// --- and back ---

static void unleave(struct anl_story *story, const struct story_move *move)
{
    struct story_place *place = &story->places[move->from];
    const bool source = is_source(story, move->from);
    place->since = move->since;
    place->index = move->index;
    place->front = move->slot;
    if (!source) place->count++;
    if (!source && move->tail) {
        const uint32_t depth = story->config.depth, first = place->first_run;
        place->first_run = (uint16_t)(first > 0 ? first - 1 : depth - 1);
        place->num_runs++;
    }
    if (source) {
        const struct story_worm *worm = &story->worms[move->slot];
        story->sources[move->from - story->lanes].front = worm->entry;
        place->count = (uint16_t)(worm->length - move->index);
    }
    if (move->to != NONE) {
        place->wants = story->places[move->to].link;
        place->set = (uint16_t)(1u << story->places[move->to].vc);
    }
    if (!move->head) return;
    if (source)
        place->set = story->all_vcs;
    else
        see_head(story, move->from);
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
    const struct story_place *place = &story->places[lane];
    uint32_t *const full = &story->links[place->link].full;
    const uint32_t bit = 1u << place->vc;
    *full = place->count == story->config.depth ? *full | bit : *full & ~bit;
}

void story_take_back(struct anl_story *story)
{
    for (size_t i = story->num_moves; i-- > 0;) {
        const struct story_move *move = &story->moves[i];
        if (move->to != NONE) unenter(story, move);
        unleave(story, move);
    }
    for (size_t i = 0; i < story->num_moves; i++) {
        if (!is_source(story, story->moves[i].from)) see_full(story, story->moves[i].from);
        if (story->moves[i].to != NONE) see_full(story, story->moves[i].to);
    }
    story->num_gone = 0;
    story_mark(story);
}

void story_mark(struct anl_story *story)
{
    for (size_t i = 0; i < story->num_taken; i++)
        story->places[story->moves[i].from].moved = TAKEN;
    for (size_t i = story->num_taken; i < story->num_moves; i++) {
        const struct story_move *move = &story->moves[i];
        story->places[move->from].moved = move->to;
        story->links[story->places[move->to].link].crossed = move->from;
    }
}

// --- flits that can be ---

static enum anl_status refuse(const struct anl_story *story, const struct anl_flit *flit,
                              const char *why, struct anl_error *error)
{
    char name[96];
    if (flit->link < story->shape.links)
        anl_link_name(&story->config, flit->link, name, sizeof name);
    else
        snprintf(name, sizeof name, "link %" PRIu32, flit->link);
    return anl_fail(error, ANL_ERR_FORMAT, "", 0,
                    "cycle %" PRIu64 ": flit %u of worm %" PRIu32 " on lane %u of %s: %s",
                    story->cycle, flit->index, flit->worm, flit->vc, name, why);
}

// Place that the flit comes from, if it is at its front and wants to go there; else NONE.
static uint32_t origin(const struct anl_story *story, const struct anl_flit *flit, uint32_t lane)
{
    uint32_t from;
    if (flit->link >= story->network_links) {
        from = story->lanes + flit->link - story->network_links;
    } else if (flit->index > 0) {
        if (story->places[lane].owner == NONE) return NONE;
        from = story->places[lane].feed;
    } else {
        const struct story_entry *entry = story_worms_find(story, flit->worm);
        if (!entry || entry->slot == NONE) return NONE;
        from = story->worms[entry->slot].head_place;
    }
    const struct story_place *place = &story->places[from];
    const bool there = place->front != NONE && place->index == flit->index &&
                       story->worms[place->front].id == flit->worm && place->wants == flit->link &&
                       place->set >> flit->vc & 1;
    return there ? from : NONE;
}

static const char *why_not(const struct anl_story *story, const struct story_move *move)
{
    const struct story_worm *worm = &story->worms[move->slot];
    const struct story_place *lane = &story->places[move->to];
    const uint32_t room = story->config.depth - lane->count;
    if (move->head != (move->index == 0) || move->tail != (move->index + 1 == worm->length))
        return "its head or tail mark does not fit its index";
    if (room == 0) return "the lane is full";
    if (lane->owner != (move->head ? NONE : move->slot)) return "the lane belongs to another worm";
    if (!move->head) return NULL;
    if (room < need(story, worm)) return "the whole worm does not fit there";
    if (story->config.admission == ANL_STORE_AND_FORWARD && !is_source(story, move->from) &&
        !story_tail_is_here(&story->places[move->from]))
        return "its tail is not in the lane that it leaves";
    return NULL;
}

enum anl_status story_check_flit(const struct anl_story *story, const struct anl_flit *flit,
                                 struct story_move *move, struct anl_error *error)
{
    if (flit->link >= story->shape.links || story->links[flit->link].end == NONE)
        return refuse(story, flit, "there is no such link", error);
    if (flit->vc >= story->config.num_vcs)
        return refuse(story, flit, "there is no such lane", error);
    const uint32_t lane = lane_at(story, flit->link, flit->vc);
    const uint32_t place = origin(story, flit, lane);
    if (place == NONE)
        return refuse(story, flit, "it is not at the front of a place from which it goes there",
                      error);
    *move = (struct story_move){
        .from = place,
        .to = lane,
        .slot = story->places[place].front,
        .index = flit->index,
        .head = flit->head,
        .tail = flit->tail,
        .since = story->places[place].since,
    };
    const char *why = why_not(story, move);
    return why ? refuse(story, flit, why, error) : ANL_OK;
}
