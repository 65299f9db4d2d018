// SPDX-License-Identifier: Apache-2.0
//
// Worms by number, in their source queues, and with slots from the front of them to delivery.

#include "story.h"

#include <stdlib.h>
#include <string.h>

// --- memory ---

static bool resize(void *pointer, size_t count, size_t size)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    memory = realloc(memory, count * size);
    if (memory) memcpy(pointer, &memory, sizeof memory);
    return memory != NULL;
}

#define RESIZE(field, count) resize(&(field), (count), sizeof *(field))

// --- by number ---
//
// Ids ascend, so a page holds those of neighbours; it is given back when all of them are gone.

struct story_entry *story_worms_find(const struct anl_story *story, uint32_t id)
{
    const uint32_t at = id / PAGE_IDS - story->first_page;
    if (at >= story->num_pages || !story->pages[at]) return NULL;
    struct story_entry *entry = &story->pages[at]->entries[id % PAGE_IDS];
    return entry->worm.length == 0 ? NULL : entry;
}

// Keeps one to be the next new one.
static void give_back(struct anl_story *story, uint32_t at)
{
    free(story->spare_page);
    story->spare_page = story->pages[at];
    story->pages[at] = NULL;
}

static void remove_id(struct anl_story *story, uint32_t id)
{
    const uint32_t at = id / PAGE_IDS - story->first_page;
    struct story_page *page = story->pages[at];
    page->entries[id % PAGE_IDS].worm.length = 0;
    if (--page->used == 0 && at + 1 < story->num_pages) give_back(story, at);
}

// Room for one page more; those at the beginning that are gone leave theirs.
static bool grow_pages(struct anl_story *story)
{
    if (story->num_pages < story->room_pages) return true;
    uint32_t gone = 0;
    while (gone < story->num_pages && !story->pages[gone])
        gone++;
    if (gone > story->room_pages / 2) {
        story->num_pages -= gone;
        story->first_page += gone;
        memmove(story->pages, story->pages + gone, story->num_pages * sizeof(struct story_page *));
        return true;
    }
    const uint32_t room = story->room_pages ? 2 * story->room_pages : 16;
    if (!RESIZE(story->pages, room)) return false;
    story->room_pages = room;
    return true;
}

// The page of the next id is there.
static bool have_page(struct anl_story *story, uint32_t id)
{
    if (id / PAGE_IDS - story->first_page < story->num_pages) return true;
    if (!grow_pages(story)) return false;
    const uint32_t last = story->num_pages - 1;
    if (story->num_pages > 0 && story->pages[last] && story->pages[last]->used == 0)
        give_back(story, last);
    struct story_page *page = story->spare_page ? story->spare_page : malloc(sizeof *page);
    if (!page) return false;
    story->spare_page = NULL;
    memset(page, 0, sizeof *page);
    story->pages[story->num_pages++] = page;
    return true;
}

enum anl_status story_worms_add(struct anl_story *story, const struct anl_worm *worm)
{
    if (!have_page(story, worm->id)) return ANL_ERR_MEMORY;
    struct story_source *source = &story->sources[worm->source];
    *story_entry(story, worm->id) = (struct story_entry){.worm = *worm, .next = NONE, .slot = NONE};
    story->pages[worm->id / PAGE_IDS - story->first_page]->used++;
    if (source->front == NONE)
        source->front = worm->id;
    else
        story_entry(story, source->back)->next = worm->id;
    source->back = worm->id;
    return ANL_OK;
}

// --- slots ---

// None reaches over a line of the cache.
static bool grow_worms(struct anl_story *story, uint32_t size)
{
    const size_t old_bytes = story->num_slots * sizeof *story->worms;
    const size_t bytes = size * sizeof *story->worms;
    _Static_assert(64 % sizeof *story->worms == 0, "none over the edge of a line");
    struct story_worm *const worms = aligned_alloc(64, bytes);
    if (!worms) return false;
    if (story->worms) memcpy(worms, story->worms, old_bytes);
    memset((char *)worms + old_bytes, 0, bytes - old_bytes);
    free(story->worms);
    story->worms = worms;
    return true;
}

static bool grow_rows(struct anl_story *story, uint32_t size)
{
    for (int i = 0; i < ANL_WAITS; i++)
        if (!RESIZE(story->rows[i], size + 1u)) return false;
    return RESIZE(story->stopped, size + 1u);
}

static bool grow_slots(struct anl_story *story)
{
    if (story->num_free > 0) return true;
    const uint32_t old = story->num_slots, size = old ? 2 * old : 64;
    if (size <= old || !grow_worms(story, size) || !RESIZE(story->records, size) ||
        !RESIZE(story->changes, size + 1u) || !RESIZE(story->free_slots, size) ||
        !RESIZE(story->row_at, size) || !RESIZE(story->activated, size) ||
        !RESIZE(story->come, size) || !RESIZE(story->gone, size) || !grow_rows(story, size) ||
        !RESIZE(story->full, size) || !RESIZE(story->movers, (size_t)MOST_MOVERS * size))
        return false;
    memset(story->records + old, 0, (size - old) * sizeof *story->records);
    memset(story->row_at + old, 0xff, (size - old) * sizeof *story->row_at);
    for (uint32_t i = size; i-- > old;)
        story->free_slots[story->num_free++] = i;
    story->num_slots = size;
    return true;
}

// Of a stay nothing is read before it begins.
static void begin_life(struct anl_story *story, uint32_t slot, const struct anl_worm *told)
{
    struct story_worm *worm = &story->worms[slot];
    const uint32_t source = story->lanes + told->source;
    *worm = (struct story_worm){
        .id = told->id,
        .destination = told->destination & (ANL_MAX_TERMINALS - 1),
        .path = told->path & 0xfff,
        .head_place = source,
        .lead_place = source,
        .since = told->created,
        .length = told->length,
        .wait = ANL_QUEUED,
    };
    struct story_record *record = &story->records[slot];
    memset(record->cycles, 0, sizeof record->cycles);
    record->stay.worm = record->longest.worm = NONE;
    record->injected = record->delivered = UINT64_MAX;
    record->links = 0;
    record->num_delays = 0;
}

static enum anl_status activate(struct anl_story *story, uint32_t terminal)
{
    const uint32_t id = story->sources[terminal].front;
    if (id == NONE) return ANL_OK;
    struct story_entry *entry = story_entry(story, id);
    if (entry->slot != NONE || entry->worm.created > story->cycle) return ANL_OK;
    if (!grow_slots(story)) return ANL_ERR_MEMORY;

    const uint32_t slot = story->free_slots[--story->num_free];
    begin_life(story, slot, &entry->worm);
    entry->slot = slot;
    story->guesses[id % GUESSES] = slot;
    story->activated[story->num_activated++] = slot;
    story->come[story->num_come++] = slot;
    struct story_place *source = &story->places[story->lanes + terminal];
    source->front = slot;
    source->since = story->cycle;
    source->count = story->worms[slot].length;
    return ANL_OK;
}

enum anl_status story_worms_activate(struct anl_story *story)
{
    enum anl_status status = ANL_OK;
    for (uint32_t i = 0; i < story->num_fresh && !status; i++)
        status = activate(story, story->fresh[i]);
    for (uint32_t id = story->num_created; id < story->next_id && !status; id++) {
        const struct anl_worm *worm = &story_entry(story, id)->worm;
        if (worm->created > story->cycle) break;
        status = activate(story, worm->source);
    }
    return status;
}

void story_worms_deactivate(struct anl_story *story)
{
    while (story->num_activated > 0) {
        const uint32_t slot = story->activated[--story->num_activated];
        struct story_entry *entry = story_entry(story, story->worms[slot].id);
        entry->slot = NONE;
        story->free_slots[story->num_free++] = slot;
        story->places[story->lanes + entry->worm.source].front = NONE;
    }
}

uint64_t story_worms_next(const struct anl_story *story)
{
    if (story->num_created == story->next_id) return UINT64_MAX;
    return story_entry(story, story->num_created)->worm.created;
}

static void forget(struct anl_story *story, uint32_t slot)
{
    remove_id(story, story->worms[slot].id);
    story->free_slots[story->num_free++] = slot;
}

void story_worms_renew(struct anl_story *story)
{
    while (story->num_gone > 0)
        forget(story, story->gone[--story->num_gone]);
    // Whose tails the terminals take now, were delivered in the cycle before.
    for (size_t i = 0; i < story->num_taken; i++)
        if (story->moves[i].tail) story_lives_remove(story, story->moves[i].slot);
    for (uint32_t i = 0; i < story->num_activated; i++)
        story_lives_add(story, story->activated[i]);
    story->num_activated = 0;
    while (story_worms_next(story) <= story->cycle)
        story->num_created++;
}

// --- life of this room ---

enum anl_status story_worms_create(struct anl_story *story)
{
    story->fresh = malloc(story->shape.terminals * sizeof *story->fresh);
    return story->fresh ? ANL_OK : ANL_ERR_MEMORY;
}

void story_worms_destroy(struct anl_story *story)
{
    for (uint32_t i = 0; i < story->num_slots; i++)
        free(story->records[i].delays);
    for (int i = 0; i < ANL_WAITS; i++)
        free(story->rows[i]);
    for (uint32_t i = 0; i < story->num_pages; i++)
        free(story->pages[i]);
    void *const owned[] = {
        story->pages,     story->spare_page, story->worms,   story->free_slots, story->row_at,
        story->activated, story->come,       story->gone,    story->fresh,      story->full,
        story->movers,    story->delays,     story->records, story->changes,    story->stopped,
    };
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}
