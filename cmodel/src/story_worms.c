// SPDX-License-Identifier: Apache-2.0
//
// Worms by number, in their source queues, and with slots from the front of them to delivery.

#include "story_parts.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_TABLE_BITS = 10 };

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

static uint32_t home_of(const struct anl_story *story, uint32_t id)
{
    return (id * UINT32_C(0x9E3779B9)) >> (32 - story->table_bits);
}

// Position in the table of worm id, or of the free one where it would be.
static uint32_t position_of(const struct anl_story *story, uint32_t id)
{
    const uint32_t mask = (UINT32_C(1) << story->table_bits) - 1;
    uint32_t at = home_of(story, id);
    while (story->table[at].entry != NONE && story->table[at].id != id)
        at = (at + 1) & mask;
    return at;
}

struct story_entry *story_worms_find(const struct anl_story *story, uint32_t id)
{
    const uint32_t entry = story->table[position_of(story, id)].entry;
    return entry == NONE ? NULL : &story->entries[entry];
}

static void remove_from_table(struct anl_story *story, uint32_t id)
{
    const uint32_t mask = (UINT32_C(1) << story->table_bits) - 1;
    uint32_t hole = position_of(story, id);
    for (uint32_t at = (hole + 1) & mask; story->table[at].entry != NONE; at = (at + 1) & mask) {
        const uint32_t home = home_of(story, story->table[at].id);
        if (((at - home) & mask) < ((at - hole) & mask)) continue;
        story->table[hole] = story->table[at];
        hole = at;
    }
    story->table[hole].entry = NONE;
    story->table_used--;
}

static bool grow_table(struct anl_story *story)
{
    if (story->table && story->table_used < UINT32_C(1) << (story->table_bits - 1)) return true;
    if (story->table_bits == 31) return false;
    struct story_finder *const old = story->table;
    const size_t size = (size_t)1 << (story->table_bits + 1);
    struct story_finder *const table = malloc(size * sizeof *table);
    if (!table) return false;

    memset(table, 0xff, size * sizeof *table);
    story->table = table;
    story->table_bits++;
    for (size_t i = 0; old && i < size / 2; i++)
        if (old[i].entry != NONE) table[position_of(story, old[i].id)] = old[i];
    free(old);
    return true;
}

static bool grow_entries(struct anl_story *story)
{
    if (story->free_entry != NONE) return true;
    const uint32_t old = story->num_entries, size = old ? 2 * old : 1024;
    if (size <= old) return false;
    struct story_entry *entries = realloc(story->entries, (size_t)size * sizeof *entries);
    if (!entries) return false;

    story->entries = entries;
    story->num_entries = size;
    for (uint32_t i = size; i-- > old;) {
        entries[i].next = story->free_entry;
        story->free_entry = i;
    }
    return true;
}

static bool grow_untold(struct anl_story *story)
{
    if (story->num_untold < story->room_untold) return true;
    const uint32_t room = story->room_untold ? 2 * story->room_untold : 64;
    if (room <= story->room_untold || !RESIZE(story->untold, room)) return false;
    story->room_untold = room;
    return true;
}

enum anl_status story_worms_add(struct anl_story *story, const struct anl_worm *worm)
{
    if (!grow_table(story) || !grow_entries(story) || !grow_untold(story)) return ANL_ERR_MEMORY;
    const uint32_t entry = story->free_entry;
    struct story_source *source = &story->sources[worm->source];

    story->free_entry = story->entries[entry].next;
    story->entries[entry] = (struct story_entry){.worm = *worm, .next = NONE, .slot = NONE};
    story->table[position_of(story, worm->id)] = (struct story_finder){worm->id, entry};
    story->table_used++;
    story->untold[story->num_untold++] = entry;
    if (source->front == NONE)
        source->front = entry;
    else
        story->entries[source->back].next = entry;
    source->back = entry;
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
        if (!RESIZE(story->rows[i], size)) return false;
    return true;
}

static bool grow_slots(struct anl_story *story)
{
    if (story->num_free > 0) return true;
    const uint32_t old = story->num_slots, size = old ? 2 * old : 64;
    if (size <= old || !grow_worms(story, size) || !RESIZE(story->records, size) ||
        !RESIZE(story->changes, size + 1u) || !RESIZE(story->free_slots, size) ||
        !RESIZE(story->active, size) || !RESIZE(story->activated, size) ||
        !RESIZE(story->come, size) || !RESIZE(story->gone, size) || !grow_rows(story, size) ||
        !RESIZE(story->full, size) || !RESIZE(story->movers, (size_t)MOST_MOVERS * size))
        return false;
    memset(story->records + old, 0, (size - old) * sizeof *story->records);
    for (uint32_t i = size; i-- > old;)
        story->free_slots[story->num_free++] = i;
    story->num_slots = size;
    return true;
}

static void begin_life(struct anl_story *story, uint32_t slot, uint32_t entry)
{
    struct story_worm *worm = &story->worms[slot];
    const struct anl_worm *told = &story->entries[entry].worm;
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
    *record = (struct story_record){
        .stay.worm = NONE,
        .longest.worm = NONE,
        .injected = UINT64_MAX,
        .delivered = UINT64_MAX,
        .entry = entry,
        .delays = record->delays,
        .room = record->room,
    };
}

static enum anl_status activate(struct anl_story *story, uint32_t terminal)
{
    const uint32_t entry = story->sources[terminal].front;
    if (entry == NONE || story->entries[entry].slot != NONE ||
        story->entries[entry].worm.created > story->cycle)
        return ANL_OK;
    if (!grow_slots(story)) return ANL_ERR_MEMORY;

    const uint32_t slot = story->free_slots[story->num_free - 1];
    story->num_free--;
    begin_life(story, slot, entry);
    story->entries[entry].slot = slot;
    story->guesses[story->worms[slot].id % GUESSES] = slot;
    story->activated[story->num_activated++] = slot;
    story->come[story->num_come++] = slot;
    struct story_place *source = &story->places[story->lanes + terminal];
    story->since[story->lanes + terminal] = story->cycle;
    source->front = slot;
    source->count = story->worms[slot].length;
    return ANL_OK;
}

enum anl_status story_worms_activate(struct anl_story *story)
{
    enum anl_status status = ANL_OK;
    for (uint32_t i = 0; i < story->num_fresh && !status; i++)
        status = activate(story, story->fresh[i]);
    for (uint32_t i = story->first_untold; i < story->num_untold && !status; i++) {
        const struct anl_worm *worm = &story->entries[story->untold[i]].worm;
        if (worm->created > story->cycle) break;
        status = activate(story, worm->source);
    }
    return status;
}

void story_worms_deactivate(struct anl_story *story)
{
    while (story->num_activated > 0) {
        const uint32_t slot = story->activated[--story->num_activated];
        struct story_entry *entry = &story->entries[story->records[slot].entry];
        entry->slot = NONE;
        story->free_slots[story->num_free++] = slot;
        story->places[story->lanes + entry->worm.source].front = NONE;
    }
}

uint64_t story_worms_next(const struct anl_story *story)
{
    if (story->first_untold == story->num_untold) return UINT64_MAX;
    return story->entries[story->untold[story->first_untold]].worm.created;
}

static void forget(struct anl_story *story, uint32_t slot)
{
    const uint32_t entry = story->records[slot].entry;
    remove_from_table(story, story->entries[entry].worm.id);
    story->entries[entry].next = story->free_entry;
    story->free_entry = entry;
    story->free_slots[story->num_free++] = slot;
}

static void add_active(struct anl_story *story, uint32_t slot)
{
    story->records[slot].position = story->num_active;
    story->active[story->num_active++] = slot;
    story_lives_add(story, slot);
}

static void remove_active(struct anl_story *story, uint32_t slot)
{
    const uint32_t position = story->records[slot].position;
    const uint32_t last = story->active[--story->num_active];
    story->active[position] = last;
    story->records[last].position = position;
    story_lives_remove(story, slot);
}

void story_worms_renew(struct anl_story *story)
{
    while (story->num_gone > 0)
        forget(story, story->gone[--story->num_gone]);
    // Whose tails the terminals take now, were delivered in the cycle before.
    for (size_t i = 0; i < story->num_taken; i++)
        if (story->moves[i].tail) remove_active(story, story->moves[i].slot);
    for (uint32_t i = 0; i < story->num_activated; i++)
        add_active(story, story->activated[i]);
    story->num_activated = 0;
    while (story_worms_next(story) <= story->cycle) {
        story->first_untold++;
        story->num_created++;
    }
    if (story->first_untold == story->num_untold) story->first_untold = story->num_untold = 0;
}

// --- life of this room ---

enum anl_status story_worms_create(struct anl_story *story)
{
    story->table_bits = FIRST_TABLE_BITS - 1;
    story->free_entry = NONE;
    story->fresh = malloc(story->shape.terminals * sizeof *story->fresh);
    return story->fresh && grow_table(story) ? ANL_OK : ANL_ERR_MEMORY;
}

void story_worms_destroy(struct anl_story *story)
{
    for (uint32_t i = 0; i < story->num_slots; i++)
        free(story->records[i].delays);
    for (int i = 0; i < ANL_WAITS; i++)
        free(story->rows[i]);
    void *const owned[] = {
        story->table,  story->entries,   story->untold, story->worms,   story->free_slots,
        story->active, story->activated, story->come,   story->gone,    story->fresh,
        story->full,   story->movers,    story->delays, story->records, story->changes,
    };
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}
