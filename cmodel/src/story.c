// SPDX-License-Identifier: Apache-2.0
//
// Life of a story, and the telling of it, one cycle at a time: the moves of the cycle before are
// carried out, the flits told are held against what is then possible, and if they can be true the
// cycle is taken in; else all is as it was.

#include "story_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// --- create and destroy ---

static bool allocate(void *pointer, size_t count, size_t size, int value)
{
    void *memory = calloc(count, size);
    memcpy(pointer, &memory, sizeof memory);
    if (memory && value) memset(memory, value, count * size);
    return memory != NULL;
}

#define ZEROS(field, count) allocate(&(field), (count), sizeof *(field), 0)
#define NONES(field, count) allocate(&(field), (count), sizeof *(field), 0xff)

static bool allocate_all(struct anl_story *story)
{
    const size_t links = story->shape.links, lanes = story->lanes, places = story->num_places;
    const size_t terminals = story->shape.terminals;

    return NONES(story->link_switch, links) && ZEROS(story->exists, links) &&
           ZEROS(story->owned, links) && ZEROS(story->full, links) && ZEROS(story->filled, links) &&
           NONES(story->crossed, links) && NONES(story->left, links) &&
           ZEROS(story->heads, links) && ZEROS(story->runs, lanes * story->config.depth) &&
           ZEROS(story->first_run, lanes) && ZEROS(story->num_runs, lanes) &&
           ZEROS(story->count, lanes) && NONES(story->owner, lanes) && NONES(story->feed, lanes) &&
           NONES(story->sources, terminals) && NONES(story->front, places) &&
           ZEROS(story->index, places) && NONES(story->wants, places) &&
           ZEROS(story->set, places) && ZEROS(story->since, places) &&
           NONES(story->moved, places) && ZEROS(story->moves, links + terminals) &&
           ZEROS(story->told, links + terminals) && ZEROS(story->wait, places) &&
           NONES(story->distance, places) && NONES(story->next, places) &&
           NONES(story->mover, places) && ZEROS(story->blocked, places);
}

static void wire(struct anl_story *story)
{
    const uint32_t ports = story->shape.ports;
    for (uint32_t link = 0; link < story->network_links; link++) {
        const struct anl_end end = anl_link_end(&story->config, link / ports, link % ports);
        story->exists[link] = end.exists;
        if (end.exists && !end.is_terminal) story->link_switch[link] = end.node;
    }
    for (uint32_t t = 0; t < story->shape.terminals; t++) {
        story->exists[story->network_links + t] = true;
        story->link_switch[story->network_links + t] = t;
        story->wants[story->lanes + t] = story->network_links + t;
        story->set[story->lanes + t] = story->all_vcs;
    }
}

enum anl_status anl_story_create(const struct anl_config *config,
                                 const struct anl_story_listener *listener,
                                 struct anl_story **story)
{
    *story = NULL;
    if (anl_config_check(config, NULL)) return ANL_ERR_ARGUMENT;
    struct anl_story *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;

    made->config = *config;
    if (listener) made->listener = *listener;
    made->shape = anl_shape_of(config);
    made->network_links = made->shape.switches * made->shape.ports;
    made->lanes = made->shape.links * config->num_vcs;
    made->num_places = made->lanes + made->shape.terminals;
    made->all_vcs = (uint8_t)((1u << config->num_vcs) - 1);
    made->deadlocked = UINT64_MAX;
    if (!allocate_all(made) || story_worms_create(made)) {
        anl_story_destroy(made);
        return ANL_ERR_MEMORY;
    }
    wire(made);
    *story = made;
    return ANL_OK;
}

void anl_story_destroy(struct anl_story *story)
{
    if (!story) return;
    void *const owned[] = {
        story->link_switch, story->exists, story->owned,   story->full,   story->filled,
        story->crossed,     story->left,   story->heads,   story->runs,   story->first_run,
        story->num_runs,    story->count,  story->owner,   story->feed,   story->sources,
        story->front,       story->index,  story->wants,   story->set,    story->since,
        story->moved,       story->moves,  story->told,    story->wait,   story->distance,
        story->next,        story->mover,  story->blocked, story->circle,
    };
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    story_worms_destroy(story);
    free(story);
}

// --- one cycle ---

static void unmark(struct anl_story *story)
{
    for (size_t i = 0; i < story->num_moves; i++) {
        const struct story_move *move = &story->moves[i];
        story->moved[move->from] = NONE;
        if (move->to != NONE) story->crossed[link_of(story, move->to)] = NONE;
        if (!is_source(story, move->from)) story->left[link_of(story, move->from)] = NONE;
    }
}

static void mark(struct anl_story *story)
{
    for (size_t i = 0; i < story->num_moves; i++) {
        const struct story_move *move = &story->moves[i];
        story->moved[move->from] = move->to == NONE ? TAKEN : move->to;
        if (move->to != NONE) story->crossed[link_of(story, move->to)] = move->from;
        if (is_source(story, move->from)) continue;
        uint32_t *const left = &story->left[link_of(story, move->from)];
        if (move->from < *left) *left = move->from;
    }
}

// Terminals take what was ejected in the cycle before.
static void tell_taken(struct anl_story *story)
{
    story->num_told = 0;
    for (size_t i = 0; i < story->num_moves; i++) {
        struct story_move move = story->moves[i];
        if (move.to == NONE || !is_ejection(story, move.to)) continue;
        move.from = move.to;
        move.to = NONE;
        move.since = story->since[move.from];
        story->told[story->num_told++] = move;
    }
}

static enum anl_status check(struct anl_story *story, const struct anl_flit *flits, size_t count,
                             struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        if (i > 0 && flits[i].link <= flits[i - 1].link)
            return anl_fail(error, ANL_ERR_FORMAT, "", 0,
                            "cycle %" PRIu64 ": link %" PRIu32 " after link %" PRIu32
                            ", expected ascending links, one flit on each",
                            story->cycle, flits[i].link, flits[i - 1].link);
        status = story_check_flit(story, &flits[i], &story->told[story->num_told], error);
        story->num_told++;
    }
    return status;
}

static void take_in(struct anl_story *story)
{
    struct story_move *const moves = story->told;
    unmark(story);
    story->told = story->moves;
    story->moves = moves;
    story->num_moves = story->num_told;
    mark(story);
    story->began = true;
    while (story->next_created < story->next_id &&
           story_worms_find(story, story->next_created)->worm.created <= story->cycle)
        story->next_created++;
}

static enum anl_status step(struct anl_story *story, uint64_t cycle, const struct anl_flit *flits,
                            size_t count, struct anl_error *error)
{
    const uint64_t before = story->cycle;
    if (story_worms_reserve(story)) return ANL_ERR_MEMORY;
    story_apply(story);
    story->cycle = cycle;
    tell_taken(story);
    enum anl_status status = story_worms_activate(story);
    if (!status) status = check(story, flits, count, error);
    if (status) {
        story_worms_deactivate(story);
        story->cycle = before;
        story_take_back(story);
        return status;
    }
    take_in(story);
    story_waits(story);
    story_worms_account(story);
    return story_look_for_deadlock(story);
}

// --- telling ---

#define REFUSE(...) return anl_fail(error, ANL_ERR_FORMAT, "", 0, __VA_ARGS__)

static enum anl_status check_worm(const struct anl_story *story, const struct anl_worm *worm,
                                  struct anl_error *error)
{
    const uint32_t terminals = story->shape.terminals;
    if (worm->id != story->next_id || worm->id == NONE)
        REFUSE("worm %" PRIu32 ", expected worm %" PRIu32, worm->id, story->next_id);
    if (worm->source >= terminals || worm->destination >= terminals)
        REFUSE("worm %" PRIu32 " goes from terminal %" PRIu32 " to %" PRIu32
               ", expected 0..%" PRIu32,
               worm->id, worm->source, worm->destination, terminals - 1);
    if (worm->length == 0) REFUSE("worm %" PRIu32 " has no flits", worm->id);
    if (worm->created < story->last_created || (story->began && worm->created <= story->cycle))
        REFUSE("worm %" PRIu32 " is created in cycle %" PRIu64 ", which is over", worm->id,
               worm->created);
    return ANL_OK;
}

static enum anl_status over(const struct anl_story *story, struct anl_error *error)
{
    if (story->status)
        return anl_fail(error, story->status, "", 0, "the story ended in an error before");
    if (story->ended) REFUSE("the story has ended");
    return ANL_OK;
}

enum anl_status anl_story_worm(struct anl_story *story, const struct anl_worm *worm,
                               struct anl_error *error)
{
    if (over(story, error)) return story->status ? story->status : ANL_ERR_FORMAT;
    enum anl_status status = check_worm(story, worm, error);
    if (!status && story_worms_add(story, worm))
        status = anl_fail(error, ANL_ERR_MEMORY, "", 0, "%s", anl_status_text(ANL_ERR_MEMORY));
    story->status = status;
    if (status) return status;
    story->next_id++;
    story->last_created = worm->created;
    return ANL_OK;
}

// The cycle in which the next worm is created; UINT64_MAX: none is told of.
static uint64_t next_creation(const struct anl_story *story)
{
    if (story->next_created == story->next_id) return UINT64_MAX;
    return story_worms_find(story, story->next_created)->worm.created;
}

// Cycles without flits, up to but without `until`. Where nothing moves and nothing is created, one
// cycle is like the one before.
static enum anl_status go_through(struct anl_story *story, uint64_t until)
{
    enum anl_status status = ANL_OK;
    for (uint64_t cycle; !status && (cycle = story->began ? story->cycle + 1 : 0) < until;) {
        const uint64_t creation = next_creation(story);
        if (story->began && story->num_moves == 0 && creation > cycle)
            story->cycle = (creation < until ? creation : until) - 1;
        else
            status = step(story, cycle, NULL, 0, NULL);
    }
    return status;
}

static enum anl_status tell(struct anl_story *story, uint64_t cycle, const struct anl_flit *flits,
                            size_t count, struct anl_error *error)
{
    if ((story->began && cycle <= story->cycle) || cycle == UINT64_MAX)
        REFUSE("cycle %" PRIu64 " after cycle %" PRIu64, cycle, story->cycle);
    if (story->next_created < story->next_id && story->last_created > cycle)
        REFUSE("cycle %" PRIu64 ": worm %" PRIu32 " is only created in cycle %" PRIu64, cycle,
               story->next_id - 1, story->last_created);
    enum anl_status status = go_through(story, cycle);
    return status ? status : step(story, cycle, flits, count, error);
}

enum anl_status anl_story_flits(struct anl_story *story, uint64_t cycle,
                                const struct anl_flit *flits, size_t count, struct anl_error *error)
{
    if (over(story, error)) return story->status ? story->status : ANL_ERR_FORMAT;
    story->status = tell(story, cycle, flits, count, error);
    if (story->status == ANL_ERR_MEMORY)
        anl_fail(error, ANL_ERR_MEMORY, "", 0, "%s", anl_status_text(ANL_ERR_MEMORY));
    return story->status;
}

enum anl_status anl_story_end(struct anl_story *story, uint64_t cycles, struct anl_error *error)
{
    if (over(story, error)) return story->status ? story->status : ANL_ERR_FORMAT;
    if ((story->began && cycles <= story->cycle) ||
        (story->next_created < story->next_id && story->last_created >= cycles))
        REFUSE("the end after %" PRIu64 " cycles, but cycle %" PRIu64 " was told of", cycles,
               story->began && story->cycle > story->last_created ? story->cycle
                                                                  : story->last_created);
    story->status = go_through(story, cycles);
    if (story->status)
        return anl_fail(error, story->status, "", 0, "%s", anl_status_text(story->status));
    story_worms_end(story);
    story->ended = true;
    return ANL_OK;
}

// --- asking ---

uint64_t anl_story_cycle(const struct anl_story *story) { return story->cycle; }

const struct anl_config *anl_story_config(const struct anl_story *story) { return &story->config; }

uint32_t anl_story_places(const struct anl_story *story) { return story->num_places; }

static uint32_t terminal_of(const struct anl_story *story, uint32_t place)
{
    if (is_source(story, place)) return place - story->lanes;
    const uint32_t link = link_of(story, place);
    return story->exists[link] && story->link_switch[link] == NONE ? link / story->shape.ports
                                                                   : NONE;
}

static uint32_t flits_in(const struct anl_story *story, uint32_t place)
{
    if (story->front[place] == NONE) return 0;
    if (!is_source(story, place)) return story->count[place];
    return (uint32_t)story->worms[story->front[place]].worm.length - story->index[place];
}

struct anl_place anl_story_place(const struct anl_story *story, uint32_t place)
{
    const bool source = is_source(story, place);
    const uint32_t slot = story->front[place];
    struct anl_place answer = {
        .link = source ? NONE : link_of(story, place),
        .vc = source ? 0 : vc_of(story, place),
        .terminal = terminal_of(story, place),
        .flits = flits_in(story, place),
        .worm = worm_id(story, slot),
        .wants = NONE,
        .took = NONE,
        .next = NONE,
        .owner = source ? NONE : worm_id(story, story->owner[place]),
    };
    if (slot == NONE) return answer;
    answer.index = story->index[place];
    answer.wait = (enum anl_wait)story->wait[place];
    answer.since = story->since[place];
    answer.next = story->next[place];
    answer.distance = story->distance[place];
    if (is_ejection(story, place)) return answer;
    answer.wants = story->wants[place];
    answer.wants_vcs = story->set[place];
    if (story->moved[place] != NONE) answer.took = vc_of(story, story->moved[place]);
    return answer;
}

size_t anl_story_runs(const struct anl_story *story, uint32_t place, struct anl_run_of_flits *runs,
                      size_t max)
{
    const bool source = is_source(story, place);
    const size_t count = source ? story->front[place] != NONE : story->num_runs[place];
    for (uint32_t i = 0; i < count && i < max; i++) {
        const struct story_run run =
            source ? (struct story_run){story->front[place], story->index[place],
                                        (uint16_t)flits_in(story, place)}
                   : *run_at(story, place, i);
        runs[i] = (struct anl_run_of_flits){worm_id(story, run.slot), run.first, run.flits};
    }
    return count;
}

uint32_t anl_story_mover(const struct anl_story *story, uint32_t place)
{
    return story->front[place] == NONE ? NONE : story->mover[place];
}

size_t anl_story_body(const struct anl_story *story, uint32_t worm, uint32_t *places, size_t max)
{
    struct anl_life life;
    if (!anl_story_life(story, worm, &life)) return 0;
    const uint32_t slot = story_worms_find(story, worm)->slot;
    uint32_t place = slot == NONE ? life.place : story->worms[slot].head_place;
    size_t count = 0;
    for (;;) {
        if (count < max) places[count] = place;
        count++;
        if (is_source(story, place) || story->owner[place] != slot) return count;
        place = story->feed[place];
    }
}
