// SPDX-License-Identifier: Apache-2.0
//
// Worms by number, and what each does from its creation to its delivery. A worm's wait is written
// down when it changes, so one that goes on waiting costs nothing but its mover.

#include "story_parts.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_TABLE_BITS = 10, FIRST_DELAYS = 16, NEAR_DELAYS = 8 };

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

static bool grow_slots(struct anl_story *story)
{
    if (story->num_free > 0) return true;
    const uint32_t old = story->num_slots, size = old ? 2 * old : 64;
    if (size <= old || !RESIZE(story->worms, size) || !RESIZE(story->records, size) ||
        !RESIZE(story->free_slots, size) || !RESIZE(story->active, size) ||
        !RESIZE(story->activated, size) || !RESIZE(story->come, size) ||
        !RESIZE(story->gone, size) || !RESIZE(story->short_of_room, size))
        return false;
    memset(story->records + old, 0, (size - old) * sizeof *story->records);
    for (uint32_t i = size; i-- > old;)
        story->free_slots[story->num_free++] = i;
    story->num_slots = size;
    return true;
}

static bool give_room(struct story_record *record, uint32_t room)
{
    if (record->room >= room) return true;
    if (!RESIZE(record->delays, room)) return false;
    record->room = room;
    return true;
}

static void begin_life(struct anl_story *story, uint32_t slot, uint32_t entry)
{
    struct story_record *record = &story->records[slot];
    const struct anl_worm *told = &story->entries[entry].worm;
    const uint32_t source = story->lanes + told->source;
    story->worms[slot] = (struct story_worm){
        .id = told->id,
        .entry = entry,
        .destination = told->destination,
        .head_place = source,
        .lead_place = source,
        .mover = NONE,
        .since = told->created,
        .length = told->length,
        .wait = ANL_QUEUED,
    };
    *record = (struct story_record){
        .injected = UINT64_MAX,
        .delivered = UINT64_MAX,
        .stay.worm = NONE,
        .longest.worm = NONE,
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
    if (!give_room(&story->records[slot], FIRST_DELAYS)) return ANL_ERR_MEMORY;
    story->num_free--;
    begin_life(story, slot, entry);
    story->entries[entry].slot = slot;
    story->activated[story->num_activated++] = slot;
    story->come[story->num_come++] = slot;
    struct story_place *source = &story->places[story->lanes + terminal];
    source->since = story->cycle;
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
        struct story_entry *entry = &story->entries[story->worms[slot].entry];
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
    const uint32_t entry = story->worms[slot].entry;
    remove_from_table(story, story->entries[entry].worm.id);
    story->entries[entry].next = story->free_entry;
    story->free_entry = entry;
    story->free_slots[story->num_free++] = slot;
}

// --- delays ---

enum anl_status story_worms_reserve(struct anl_story *story)
{
    for (; story->num_short > 0; story->num_short--) {
        struct story_record *record = &story->records[story->short_of_room[story->num_short - 1]];
        if (!give_room(record, 2 * record->room)) return ANL_ERR_MEMORY;
    }
    return ANL_OK;
}

static int by_worm(const void *a, const void *b)
{
    const uint32_t x = ((const struct anl_delay *)a)->by, y = ((const struct anl_delay *)b)->by;
    return (x > y) - (x < y);
}

// Each worm once, ascending.
static void tidy_delays(struct story_record *record)
{
    struct anl_delay *const delays = record->delays;
    uint32_t kept = 0;
    qsort(delays, record->num_delays, sizeof *delays, by_worm);
    for (uint32_t i = 0; i < record->num_delays; i++)
        if (kept > 0 && delays[kept - 1].by == delays[i].by)
            delays[kept - 1].cycles += delays[i].cycles;
        else
            delays[kept++] = delays[i];
    record->num_delays = kept;
}

// Writes down the cycles in which the last mover delayed the worm. There is always room for
// it.
static void write_delay(const struct anl_story *story, uint32_t slot)
{
    struct story_worm *worm = &story->worms[slot];
    struct story_record *record = &story->records[slot];
    const struct anl_delay delay = {.by = worm->mover, .cycles = worm->delayed};
    const uint32_t count = record->num_delays, near = count < NEAR_DELAYS ? count : NEAR_DELAYS;
    if (worm->mover == NONE) return;
    worm->mover = NONE;
    worm->delayed = 0;
    for (uint32_t i = count - near; i < count; i++) {
        if (record->delays[i].by != delay.by) continue;
        record->delays[i].cycles += delay.cycles;
        return;
    }
    record->delays[record->num_delays++] = delay;
}

static void count_delay(struct anl_story *story, uint32_t slot, uint32_t by)
{
    struct story_worm *worm = &story->worms[slot];
    struct story_record *record = &story->records[slot];
    if (worm->mover != by) {
        write_delay(story, slot);
        worm->mover = by;
        if (record->num_delays + 1 >= record->room) {
            tidy_delays(record);
            if (2 * record->num_delays > record->room)
                story->short_of_room[story->num_short++] = slot;
        }
    }
    worm->delayed++;
}

// --- what a worm does in this cycle ---

static inline bool is_waiting(enum anl_wait wait)
{
    return wait != ANL_MOVING && wait != ANL_QUEUED;
}

// Writes down what a worm did from `since` to before cycle.
static void settle(struct story_record *record, enum anl_wait wait, uint64_t cycles)
{
    record->cycles[wait] += cycles;
    if (record->stay.worm != NONE) record->stay.cycles[wait] += cycles;
}

static bool is_longer(const struct anl_stay *stay, const struct anl_stay *longest)
{
    return longest->worm == NONE || stay->end - stay->begin > longest->end - longest->begin;
}

static void end_stay(struct anl_story *story, struct story_record *record)
{
    struct anl_stay *const stay = &record->stay;
    if (stay->worm == NONE) return;
    stay->end = story->cycle - 1;
    if (is_longer(stay, &record->longest)) record->longest = *stay;
    if (story->listener.stay) story->listener.stay(story->listener.user, stay);
    stay->worm = NONE;
}

static void begin_stay(struct anl_story *story, uint32_t slot, const struct story_way *way)
{
    const struct story_worm *worm = &story->worms[slot];
    const uint32_t blocker = worm->wait == ANL_BEHIND ? worm->lead_place : way->next;
    story->records[slot].stay = (struct anl_stay){
        .worm = worm->id,
        .place = worm->lead_place,
        .begin = story->cycle,
        .blocker = blocker == NONE ? NONE : worm_id(story, story->places[blocker].front),
        .mover = way->mover,
    };
}

static void change_wait(struct anl_story *story, uint32_t slot, enum anl_wait wait)
{
    struct story_worm *worm = &story->worms[slot];
    settle(&story->records[slot], (enum anl_wait)worm->wait, story->cycle - worm->since);
    worm->since = story->cycle;
    worm->wait = (uint8_t)wait;
    if (!is_waiting(wait)) end_stay(story, &story->records[slot]);
}

static inline void account(struct anl_story *story, uint32_t slot)
{
    struct story_worm *worm = &story->worms[slot];
    const uint32_t place = worm->lead_place;
    const enum anl_wait wait =
        story->places[place].front == slot ? story_cause(story, place) : ANL_BEHIND;
    const bool waited = is_waiting((enum anl_wait)worm->wait);
    if (wait != worm->wait) change_wait(story, slot, wait);
    if (wait == ANL_MOVING) return;

    const struct story_way way =
        wait == ANL_BEHIND ? story_way(story, place) : story_way_of_blocked(story, place, wait);
    if (!waited) begin_stay(story, slot, &way);
    if (way.mover != NONE) count_delay(story, slot, way.mover);
}

static void count_head(struct anl_story *story, const struct story_move *move)
{
    struct story_record *record = &story->records[move->slot];
    const uint32_t heads = ++story->links[story->places[move->to].link].heads;
    if (heads > story->totals.congestion) story->totals.congestion = heads;
    if (++record->links > story->totals.dilation) story->totals.dilation = record->links;
    if (is_source(story, move->from)) record->injected = story->cycle;
}

// Delivered worms have written down all that they did.
static void deliver(struct anl_story *story, uint32_t slot)
{
    struct story_worm *worm = &story->worms[slot];
    struct story_record *record = &story->records[slot];
    settle(record, (enum anl_wait)worm->wait, story->cycle + 1 - worm->since);
    worm->since = story->cycle + 1;
    record->delivered = story->cycle;
    for (int i = 0; i < ANL_WAITS; i++)
        story->totals.cycles[i] += record->cycles[i];
    story->totals.delivered++;
    story->any_delivered = true;
    if (!story->listener.delivered) return;
    struct anl_life life;
    anl_story_life(story, worm->id, &life);
    story->listener.delivered(story->listener.user, &life);
}

// Those of the cycle before: in their last cycle they still count.
static void remove_delivered(struct anl_story *story)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < story->num_active; i++)
        if (story->records[story->active[i]].delivered == UINT64_MAX)
            story->active[kept++] = story->active[i];
    story->num_active = kept;
    story->any_delivered = false;
}

// The worms of the cycle before that are no more, and those of this one that are new.
static void renew_active(struct anl_story *story)
{
    if (story->any_delivered) remove_delivered(story);
    while (story->num_gone > 0)
        forget(story, story->gone[--story->num_gone]);
    for (uint32_t i = 0; i < story->num_activated; i++)
        story->active[story->num_active++] = story->activated[i];
    story->num_activated = 0;
    while (story_worms_next(story) <= story->cycle) {
        story->first_untold++;
        story->num_created++;
    }
    if (story->first_untold == story->num_untold) story->first_untold = story->num_untold = 0;
}

void story_worms_account(struct anl_story *story)
{
    renew_active(story);
    for (uint32_t i = 0; i < story->num_active; i++)
        account(story, story->active[i]);
    for (size_t i = 0; i < story->num_moves; i++) {
        const struct story_move *move = &story->moves[i];
        if (move->to == NONE) continue;
        if (move->head) count_head(story, move);
        if (move->tail && story->places[move->to].ejection) deliver(story, move->slot);
    }
}

void story_worms_end(struct anl_story *story)
{
    for (uint32_t i = 0; story->listener.stay && i < story->num_active; i++) {
        struct anl_life life;
        if (anl_story_life(story, story->worms[story->active[i]].id, &life) &&
            life.stay.worm != NONE)
            story->listener.stay(story->listener.user, &life.stay);
    }
}

// --- questions ---

static bool is_here(const struct anl_story *story, const struct story_entry *entry)
{
    if (!story->began || entry->worm.created > story->cycle) return false;
    return entry->slot == NONE || story->records[entry->slot].delivered >= story->cycle;
}

// A worm in its source queue behind another one.
static struct anl_life queued_life(const struct anl_story *story, const struct anl_worm *worm)
{
    struct anl_life life = {
        .worm = *worm,
        .wait = ANL_QUEUED,
        .place = story->lanes + worm->source,
        .injected = UINT64_MAX,
        .delivered = UINT64_MAX,
        .stay.worm = NONE,
        .longest.worm = NONE,
    };
    life.cycles[ANL_QUEUED] = story->cycle - worm->created + 1;
    return life;
}

static struct anl_life active_life(const struct anl_story *story, uint32_t slot)
{
    const struct story_worm *worm = &story->worms[slot];
    write_delay(story, slot);
    tidy_delays(&story->records[slot]);

    struct story_record record = story->records[slot];
    settle(&record, (enum anl_wait)worm->wait, story->cycle + 1 - worm->since);
    record.stay.end = story->cycle;
    if (record.stay.worm != NONE && is_longer(&record.stay, &record.longest))
        record.longest = record.stay;
    struct anl_life life = {
        .worm = story->entries[worm->entry].worm,
        .wait = (enum anl_wait)worm->wait,
        .place = worm->lead_place,
        .links = record.links,
        .injected = record.injected,
        .delivered = record.delivered,
        .stay = record.stay,
        .longest = record.longest,
        .delays = record.delays,
        .num_delays = record.num_delays,
    };
    memcpy(life.cycles, record.cycles, sizeof life.cycles);
    return life;
}

bool anl_story_life(const struct anl_story *story, uint32_t id, struct anl_life *life)
{
    const struct story_entry *entry = story_worms_find(story, id);
    if (!entry || !is_here(story, entry)) return false;
    *life =
        entry->slot == NONE ? queued_life(story, &entry->worm) : active_life(story, entry->slot);
    return true;
}

// The entries, one after the other, of the worms that are here; NULL after the last. *at begins at
// 0.
static const struct story_entry *next_here(const struct anl_story *story, size_t *at)
{
    while (*at < (size_t)1 << story->table_bits) {
        const uint32_t entry = story->table[(*at)++].entry;
        if (entry != NONE && is_here(story, &story->entries[entry])) return &story->entries[entry];
    }
    return NULL;
}

void anl_story_worms(const struct anl_story *story, void (*visit)(void *user, uint32_t worm),
                     void *user)
{
    const struct story_entry *entry;
    for (size_t at = 0; (entry = next_here(story, &at));)
        visit(user, entry->worm.id);
}

struct anl_story_totals anl_story_totals(const struct anl_story *story)
{
    struct anl_story_totals totals = story->totals;
    const struct story_entry *entry;
    totals.worms = story->num_created;
    for (size_t at = 0; (entry = next_here(story, &at));) {
        struct anl_life life;
        anl_story_life(story, entry->worm.id, &life);
        for (int i = 0; life.delivered == UINT64_MAX && i < ANL_WAITS; i++)
            totals.cycles[i] += life.cycles[i];
    }
    return totals;
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
    void *const owned[] = {
        story->table,      story->entries, story->untold,        story->worms,
        story->free_slots, story->active,  story->activated,     story->come,
        story->gone,       story->fresh,   story->short_of_room,
    };
    for (uint32_t i = 0; i < story->num_slots; i++)
        free(story->records[i].delays);
    free(story->records);
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}
