// SPDX-License-Identifier: Apache-2.0
//
// Life of a story, and the telling of it, one cycle at a time: the moves of the cycle before are
// carried out, the flits told are held against what is then possible, and if they can be true the
// cycle is taken in; else all is as it was.

#include "story.h"

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
    const size_t links = story->shape.links, terminals = story->shape.terminals;
    const size_t places = story->num_places;

    return NONES(story->sources, terminals) && ZEROS(story->moves, links + terminals) &&
           ZEROS(story->told, links + terminals) && ZEROS(story->heads, links + 1) &&
           ZEROS(story->tails, links + 1) && ZEROS(story->ejections, terminals + 1) &&
           ZEROS(story->left_since, links + terminals) && ZEROS(story->stops, places) &&
           ZEROS(story->choices, links + 1) && ZEROS(story->order, places);
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
    made->all_vcs = (uint16_t)((1u << config->num_vcs) - 1);
    made->most_runs = config->depth + (config->space == ANL_CHAINED);
    made->deadlocked = UINT64_MAX;
    if (!allocate_all(made) || story_places_create(made) || story_worms_create(made) ||
        story_find_safe(made)) {
        anl_story_destroy(made);
        return ANL_ERR_MEMORY;
    }
    *story = made;
    return ANL_OK;
}

void anl_story_destroy(struct anl_story *story)
{
    if (!story) return;
    void *const owned[] = {
        story->sources, story->heads,  story->tails,      story->ejections,
        story->moves,   story->told,   story->left_since, story->stops,
        story->order,   story->circle, story->choices,
    };
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    story_places_destroy(story);
    story_worms_destroy(story);
    free(story);
}

// --- one cycle ---

// A new turn: nothing is known of ways.
static void turn(struct anl_story *story)
{
    story->turn += 2;
    if (story->turn != 0) return;
    story->turn = 2;
    for (uint32_t i = 0; i < story->num_places; i++)
        story->places[i].way.known = 0;
    for (uint32_t i = 0; i <= story->shape.links; i++)
        story->links[i].crossed_turn = 0;
    memset(story->choices, 0, story->shape.links * sizeof *story->choices);
    for (uint32_t i = 0; i < story->num_slots; i++)
        story->records[i].followed = 0;
}

static enum anl_status step(struct anl_story *story, uint64_t cycle, const struct anl_flit *flits,
                            size_t count, struct anl_error *error)
{
    const uint64_t before = story->cycle;
    const uint32_t turn_before = story->turn;
    if (story_lives_reserve(story)) return ANL_ERR_MEMORY;
    turn(story);
    story_apply(story);
    story->cycle = cycle;
    enum anl_status status = story_worms_activate(story);
    if (!status) status = story_check(story, flits, count, error);
    if (status) {
        story_worms_deactivate(story);
        story->cycle = before;
        story->turn = turn_before;
        story_take_back(story);
        return status;
    }
    story->began = true;
    story_take_in(story);
    story_worms_renew(story);
    story_lives_account(story);
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
    const uint32_t paths =
        story->config.routing == ANL_UP_DOWN_FIXED ? UINT32_C(1) << (story->config.n - 1) : 1;
    if (worm->path >= paths)
        REFUSE("worm %" PRIu32 " has path %" PRIu32 ", expected 0..%" PRIu32, worm->id, worm->path,
               paths - 1);
    if (worm->length == 0) REFUSE("worm %" PRIu32 " has no flits", worm->id);
    if (story->config.admission != ANL_WORMHOLE && worm->length > story->config.depth)
        REFUSE("worm %" PRIu32 " has %u flits, expected at most %" PRIu32
               ": whole worms must fit in a lane",
               worm->id, worm->length, story->config.depth);
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

// Cycles without flits, up to but without `until`. Where nothing moves and nothing is created, one
// cycle is like the one before.
static enum anl_status go_through(struct anl_story *story, uint64_t until)
{
    enum anl_status status = ANL_OK;
    for (uint64_t cycle; !status && (cycle = story->began ? story->cycle + 1 : 0) < until;) {
        const uint64_t creation = story_worms_next(story);
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
    if (story->num_created < story->next_id && story->last_created > cycle)
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
        (story->num_created < story->next_id && story->last_created >= cycles))
        REFUSE("the end after %" PRIu64 " cycles, but cycle %" PRIu64 " was told of", cycles,
               story->began && story->cycle > story->last_created ? story->cycle
                                                                  : story->last_created);
    story->status = go_through(story, cycles);
    if (story->status)
        return anl_fail(error, story->status, "", 0, "%s", anl_status_text(story->status));
    story_lives_end(story);
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
    if (!story->places[place].ejection) return NONE;
    return anl_end_of(&story->config, story->places[place].link).node;
}

struct anl_place anl_story_place(const struct anl_story *story, uint32_t at)
{
    const struct story_place *place = &story->places[at];
    struct anl_place answer = {
        .link = is_source(story, at) ? NONE : place->link,
        .vc = place->vc,
        .terminal = terminal_of(story, at),
        .flits = place->front == NONE ? 0 : place->count,
        .worm = worm_id(story, place->front),
        .wants = NONE,
        .took = NONE,
        .next = NONE,
        .owner = worm_id(story, place->owner),
    };
    if (place->front == NONE) return answer;
    const struct story_way way = *story_way(story, at);
    answer.index = place->index;
    answer.wait = story_cause(story, at);
    answer.since = place->since;
    answer.next = way.next;
    answer.distance = way.distance;
    if (place->ejection) return answer;
    answer.wants = place->wants;
    answer.wants_vcs = place->set;
    if (place->moved != STAYS) answer.took = place->moved;
    return answer;
}

size_t anl_story_runs(const struct anl_story *story, uint32_t at, struct anl_run_of_flits *runs,
                      size_t max)
{
    const struct story_place *place = &story->places[at];
    if (place->front == NONE) return 0;
    const uint32_t count = is_source(story, at) ? 1 : place->num_runs;
    for (uint32_t i = 0; i < count && i < max; i++)
        runs[i] = (struct anl_run_of_flits){
            .worm = worm_id(story, i == 0 ? place->front : *run_at(story, at, i)),
            .first = (uint16_t)first_of_run(story, at, i),
            .flits = (uint16_t)(count == 1 ? place->count : flits_of_run(story, at, i)),
        };
    return count;
}

uint32_t anl_story_mover(const struct anl_story *story, uint32_t place)
{
    return story->places[place].front == NONE ? NONE : story_way(story, place)->mover;
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
        if (is_source(story, place) || story->places[place].owner != slot) return count;
        place = story->places[place].feed;
    }
}
