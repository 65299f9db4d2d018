// SPDX-License-Identifier: Apache-2.0
//
// Enqueuing: a worm gets its number and joins the source queue of its terminal.

#include "engine.h"
#include "machine.h"
#include "part.h"

#include <stdlib.h>

bool engine_make_room_for_worms(struct anl_engine *engine, uint32_t count)
{
    engine->worms_mask = count - 1;
    engine->worms = calloc(count, sizeof *engine->worms);
    engine->heads = calloc(count, sizeof *engine->heads);
    return engine->worms && engine->heads;
}

static enum anl_status grow_worms(struct anl_engine *engine)
{
    const uint32_t old_mask = engine->worms_mask, mask = 2 * old_mask + 1;
    if (old_mask > UINT32_MAX / 4) return ANL_ERR_MEMORY;
    struct record *worms = malloc(((size_t)mask + 1) * sizeof *worms);
    struct head *heads = calloc((size_t)mask + 1, sizeof *heads);
    if (!worms || !heads) {
        free(worms);
        free(heads);
        return ANL_ERR_MEMORY;
    }
    // calloc() would map each page twice: records are read before they are written.
    for (size_t i = 0; i <= mask; i++)
        worms[i].live = false;
    for (uint32_t i = 1; i <= old_mask + 1; i++) {  // the last old_mask + 1 worms
        const uint32_t known = engine->next_id - i;
        if (!record_of(engine, known)->live) continue;
        worms[known & mask] = *record_of(engine, known);
        heads[known & mask] = *head_of(engine, known);
    }
    free(engine->worms);
    free(engine->heads);
    engine->worms = worms;
    engine->heads = heads;
    engine->worms_mask = mask;
    return ANL_OK;
}

void engine_show_worm(const struct anl_engine *engine, struct source *source)
{
    const struct anl_worm *worm = &record_of(engine, source->front)->worm;
    source->length = worm->length;
    source->vcs = (uint8_t)anl_injection_vcs(&engine->config, worm->source, worm->destination);
    if (engine->favours) source->vcs &= (uint8_t)anl_class_vcs(&engine->config, worm->class_);
}

void engine_queue_worm(struct anl_engine *engine, uint32_t terminal, uint32_t class_,
                       uint32_t known)
{
    struct source *source = &engine->sources[(size_t)terminal * engine->classes + class_];
    if (source->front == NO_WORM) {
        source->front = known;
        engine_show_worm(engine, source);
        set_bit(engine->pending, terminal);
    } else {
        record_of(engine, source->back)->next = known;
    }
    source->back = known;
}

static uint16_t rank_of(const struct anl_config *config, const struct anl_worm *worm)
{
    if (!anl_arbiter_has(config->arbiter, ANL_ARBITER_DISTANCES)) return (uint16_t)worm->created;
    return (uint16_t)anl_worm_distance(config, worm);
}

void engine_rank_again(struct anl_engine *engine)
{
    for (size_t i = 0; i <= engine->worms_mask; i++)
        if (engine->worms[i].live)
            engine->heads[i].rank = rank_of(&engine->config, &engine->worms[i].worm);
    for (size_t i = 0; i < (size_t)engine->switch_links * engine->config.num_vcs; i++)
        if (engine->lanes[i].num_worms)
            engine->lanes[i].rank = head_of(engine, engine->lanes[i].worm)->rank;
}

static bool is_valid(const struct anl_engine *engine, const struct anl_worm *worm)
{
    const struct anl_config *config = &engine->config;
    const uint32_t terminals = engine->network->shape.terminals;
    if (worm->source >= terminals || worm->destination >= terminals) return false;
    if (worm->class_ >= engine->classes || worm->role > ANL_REPLY) return false;
    if (worm->length == 0 || worm->length > anl_longest_worm(config)) return false;
    if (worm->has_path && worm->path >= anl_num_paths(config)) return false;
    return !worm->route || !anl_own_route_check(config, worm, NULL);
}

ALWAYS_INLINE void fill_in(const struct anl_engine *engine, const struct anl_worm *worm,
                           struct record *record, struct head *head)
{
    const uint32_t *labels = engine->network->labels;
    *record = (struct record){.worm = *worm, .next = NO_WORM, .live = true};
    *head = (struct head){labels ? labels[worm->destination] : worm->destination, worm->length,
                          rank_of(&engine->config, &record->worm)};
}

ALWAYS_INLINE void note_as(struct anl_engine *engine, const struct anl_worm *worm, uint32_t known)
{
    fill_in(engine, worm, record_of(engine, known), head_of(engine, known));
}

ALWAYS_INLINE enum anl_status note_worm(struct anl_engine *engine, const struct anl_worm *worm,
                                        uint32_t *known)
{
    while (record_of(engine, engine->next_id)->live)
        if (grow_worms(engine)) return ANL_ERR_MEMORY;
    *known = engine->next_id++;
    note_as(engine, worm, *known);
    return ANL_OK;
}

enum anl_status engine_note_worm(struct anl_engine *engine, const struct anl_worm *worm,
                                 uint32_t *known)
{
    return note_worm(engine, worm, known);
}

enum anl_status engine_make_worm(struct anl_engine *engine, const struct anl_worm *new_worm,
                                 struct record *record, struct head *head)
{
    if (!is_valid(engine, new_worm) || engine->next_id == NO_WORM) return ANL_ERR_ARGUMENT;
    const struct anl_worm worm = new_worm_of(engine, new_worm, engine->next_id++);
    fill_in(engine, &worm, record, head);
    engine->totals.enqueued++;
    engine->totals.queued++;
    return ANL_OK;
}

// The table is made so large that all ids from this one to the next one have places of their own.
enum anl_status engine_note_again(struct anl_engine *engine, const struct anl_worm *worm)
{
    const struct record *record = record_of(engine, worm->id);
    if (record->live && record->worm.id == worm->id) return ANL_OK;
    while (engine->next_id - worm->id > engine->worms_mask + 1)
        if (grow_worms(engine)) return ANL_ERR_MEMORY;
    note_as(engine, worm, worm->id);
    return ANL_OK;
}

// Returns the id of the next worm of the network.
static uint32_t *next_worm(struct anl_engine *engine)
{
    return engine->part ? &engine->part->next_worm : &engine->next_id;
}

void anl_engine_number(struct anl_engine *engine, uint32_t id) { *next_worm(engine) = id; }

ALWAYS_INLINE enum anl_status enqueue(struct anl_engine *engine, const struct anl_worm *new_worm,
                                      uint64_t created, uint32_t *id)
{
    if (engine->machine) return engine->machine->enqueue(engine, new_worm, id);
    const uint32_t next = *next_worm(engine);
    if (!is_valid(engine, new_worm) || next == NO_WORM) return ANL_ERR_ARGUMENT;
    const uint32_t terminal =
        engine->part ? engine_own_source(engine, new_worm->source) : new_worm->source;

    struct anl_worm worm = new_worm_of(engine, new_worm, next);
    worm.created = created;
    if (terminal != ANL_NO_PORT) {
        uint32_t known;
        if (note_worm(engine, &worm, &known)) return ANL_ERR_MEMORY;
        engine_queue_worm(engine, terminal, worm.class_, known);
        engine->totals.enqueued++;
        engine->totals.queued++;
    }
    *next_worm(engine) = next + 1;
    if (id) *id = next;
    return ANL_OK;
}

enum anl_status anl_engine_enqueue_worm(struct anl_engine *engine, const struct anl_worm *worm,
                                        uint32_t *id)
{
    return enqueue(engine, worm, engine->cycle, id);
}

enum anl_status anl_engine_enqueue_created(struct anl_engine *engine, const struct anl_worm *worm,
                                           uint32_t *id)
{
    return enqueue(engine, worm, worm->created, id);
}

enum anl_status anl_engine_enqueue(struct anl_engine *engine, uint32_t source, uint32_t destination,
                                   uint16_t length, uint32_t *id)
{
    const struct anl_worm worm = {.source = source, .destination = destination, .length = length};
    return anl_engine_enqueue_worm(engine, &worm, id);
}
