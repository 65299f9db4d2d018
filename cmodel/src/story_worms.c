// SPDX-License-Identifier: Apache-2.0
//
// Worms by number, and what each does from its creation to its delivery. A worm's wait is written
// down when it changes, so one that goes on waiting costs nothing but its mover.

#include "story_parts.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_TABLE_BITS = 10, FIRST_DELAYS = 8 };

// --- by number ---

static uint32_t home_of(const struct anl_story *story, uint32_t id)
{
    return (id * UINT32_C(0x9E3779B9)) >> (32 - story->table_bits);
}

// Position in the table of worm id, or of the free place where it would be.
static uint32_t position_of(const struct anl_story *story, uint32_t id)
{
    const uint32_t mask = (UINT32_C(1) << story->table_bits) - 1;
    uint32_t at = home_of(story, id);
    while (story->table[at] != NONE && story->entries[story->table[at]].worm.id != id)
        at = (at + 1) & mask;
    return at;
}

struct story_entry *story_worms_find(const struct anl_story *story, uint32_t id)
{
    const uint32_t entry = story->table[position_of(story, id)];
    return entry == NONE ? NULL : &story->entries[entry];
}

static void remove_from_table(struct anl_story *story, uint32_t id)
{
    const uint32_t mask = (UINT32_C(1) << story->table_bits) - 1;
    uint32_t hole = position_of(story, id);
    for (uint32_t at = (hole + 1) & mask; story->table[at] != NONE; at = (at + 1) & mask) {
        const uint32_t home = home_of(story, story->entries[story->table[at]].worm.id);
        if (((at - home) & mask) < ((at - hole) & mask)) continue;
        story->table[hole] = story->table[at];
        hole = at;
    }
    story->table[hole] = NONE;
    story->table_used--;
}

static bool grow_table(struct anl_story *story)
{
    if (story->table_used < UINT32_C(1) << (story->table_bits - 1)) return true;
    if (story->table_bits == 31) return false;
    uint32_t *const old = story->table;
    const size_t size = (size_t)1 << (story->table_bits + 1);
    uint32_t *const table = malloc(size * sizeof *table);
    if (!table) return false;

    memset(table, 0xff, size * sizeof *table);
    story->table = table;
    story->table_bits++;
    for (size_t i = 0; i < size / 2; i++)
        if (old[i] != NONE) table[position_of(story, story->entries[old[i]].worm.id)] = old[i];
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

enum anl_status story_worms_add(struct anl_story *story, const struct anl_worm *worm)
{
    if (!grow_table(story) || !grow_entries(story)) return ANL_ERR_MEMORY;
    const uint32_t entry = story->free_entry;
    struct story_source *source = &story->sources[worm->source];

    story->free_entry = story->entries[entry].next;
    story->entries[entry] = (struct story_entry){.worm = *worm, .next = NONE, .slot = NONE};
    story->table[position_of(story, worm->id)] = entry;
    story->table_used++;
    if (source->front == NONE)
        source->front = entry;
    else
        story->entries[source->back].next = entry;
    source->back = entry;
    return ANL_OK;
}

// --- slots ---

static bool resize(void *pointer, size_t count, size_t size)
{
    void *memory;
    memcpy(&memory, pointer, sizeof memory);
    memory = realloc(memory, count * size);
    if (memory) memcpy(pointer, &memory, sizeof memory);
    return memory != NULL;
}

#define RESIZE(field, count) resize(&(field), (count), sizeof *(field))

static bool grow_slots(struct anl_story *story)
{
    if (story->num_free > 0) return true;
    const uint32_t old = story->num_slots, size = old ? 2 * old : 64;
    if (size <= old || !RESIZE(story->worms, size) || !RESIZE(story->free_slots, size) ||
        !RESIZE(story->active, size) || !RESIZE(story->activated, size) ||
        !RESIZE(story->gone, size) || !RESIZE(story->short_of_room, size))
        return false;
    memset(story->worms + old, 0, (size - old) * sizeof *story->worms);
    for (uint32_t i = size; i-- > old;)
        story->free_slots[story->num_free++] = i;
    story->num_slots = size;
    return true;
}

static bool give_room(struct story_worm *worm, uint32_t room)
{
    if (worm->room >= room) return true;
    if (!RESIZE(worm->delays, room)) return false;
    worm->room = room;
    return true;
}

static void begin_life(struct anl_story *story, uint32_t slot, uint32_t entry)
{
    struct story_worm *worm = &story->worms[slot];
    const struct anl_worm told = story->entries[entry].worm;
    const uint32_t source = story->lanes + told.source;
    *worm = (struct story_worm){
        .worm = told,
        .entry = entry,
        .head_place = source,
        .lead_place = source,
        .wait = ANL_QUEUED,
        .since = told.created,
        .injected = UINT64_MAX,
        .delivered = UINT64_MAX,
        .stay.worm = NONE,
        .longest.worm = NONE,
        .delays = worm->delays,
        .room = worm->room,
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
    if (!give_room(&story->worms[slot], FIRST_DELAYS)) return ANL_ERR_MEMORY;
    story->num_free--;
    begin_life(story, slot, entry);
    story->entries[entry].slot = slot;
    story->activated[story->num_activated++] = slot;
    story->since[story->lanes + terminal] = story->cycle;
    story_see_source(story, terminal);
    return ANL_OK;
}

enum anl_status story_worms_activate(struct anl_story *story)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < story->num_moves && !status; i++)
        if (story->moves[i].tail && is_source(story, story->moves[i].from))
            status = activate(story, story->moves[i].from - story->lanes);
    for (uint32_t id = story->next_created; id < story->next_id && !status; id++) {
        const struct story_entry *entry = story_worms_find(story, id);
        if (entry->worm.created > story->cycle) break;
        status = activate(story, entry->worm.source);
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
        story_see_source(story, entry->worm.source);
    }
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
        struct story_worm *worm = &story->worms[story->short_of_room[story->num_short - 1]];
        if (!give_room(worm, 2 * worm->room)) return ANL_ERR_MEMORY;
    }
    return ANL_OK;
}

static struct anl_delay *delay_by(struct story_worm *worm, uint32_t by)
{
    uint32_t low = 0, high = worm->num_delays;
    if (worm->last_delay < high && worm->delays[worm->last_delay].by == by)
        return &worm->delays[worm->last_delay];
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (worm->delays[middle].by < by)
            low = middle + 1;
        else
            high = middle;
    }
    worm->last_delay = low;
    struct anl_delay *delay = &worm->delays[low];
    if (low < worm->num_delays && delay->by == by) return delay;
    memmove(delay + 1, delay, (worm->num_delays++ - low) * sizeof *delay);
    *delay = (struct anl_delay){.by = by};
    return delay;
}

static void count_delay(struct anl_story *story, uint32_t slot, uint32_t by)
{
    struct story_worm *worm = &story->worms[slot];
    delay_by(worm, by)->cycles++;
    if (worm->num_delays == worm->room) story->short_of_room[story->num_short++] = slot;
}

// --- what a worm does in this cycle ---

static enum anl_wait wait_of(const struct anl_story *story, uint32_t slot)
{
    const uint32_t place = story->worms[slot].lead_place;
    return story->front[place] == slot ? story->wait[place] : ANL_BEHIND;
}

static bool is_waiting(enum anl_wait wait) { return wait != ANL_MOVING && wait != ANL_QUEUED; }

// Writes down what the worm did from `since` to before cycle.
static void settle(struct story_worm *worm, uint64_t cycle)
{
    worm->cycles[worm->wait] += cycle - worm->since;
    if (worm->stay.worm != NONE) worm->stay.cycles[worm->wait] += cycle - worm->since;
    worm->since = cycle;
}

static void end_stay(struct anl_story *story, struct story_worm *worm, uint64_t end)
{
    if (worm->stay.worm == NONE) return;
    worm->stay.end = end;
    const uint64_t longest = worm->longest.end - worm->longest.begin;
    if (worm->longest.worm == NONE || end - worm->stay.begin > longest) worm->longest = worm->stay;
    if (story->listener.stay) story->listener.stay(story->listener.user, &worm->stay);
    worm->stay.worm = NONE;
}

static void begin_stay(struct anl_story *story, struct story_worm *worm)
{
    const uint32_t place = worm->lead_place;
    uint32_t blocker = story->front[place];
    if (worm->wait != ANL_BEHIND) {
        const uint32_t next = story->next[place];
        blocker = next == NONE ? NONE : story->front[next];
    }
    worm->stay = (struct anl_stay){
        .worm = worm->worm.id,
        .place = place,
        .begin = story->cycle,
        .blocker = worm_id(story, blocker),
        .mover = story->mover[place],
    };
}

static void account(struct anl_story *story, uint32_t slot)
{
    struct story_worm *worm = &story->worms[slot];
    const enum anl_wait wait = wait_of(story, slot);
    if (wait != worm->wait) {
        settle(worm, story->cycle);
        worm->wait = wait;
        if (!is_waiting(wait)) end_stay(story, worm, story->cycle - 1);
    }
    if (!is_waiting(wait)) return;
    if (worm->stay.worm == NONE) begin_stay(story, worm);
    const uint32_t mover = story->mover[worm->lead_place];
    if (mover != NONE) count_delay(story, slot, mover);
}

static void count_head(struct anl_story *story, const struct story_move *move)
{
    struct story_worm *worm = &story->worms[move->slot];
    const uint32_t heads = ++story->heads[link_of(story, move->to)];
    if (heads > story->totals.congestion) story->totals.congestion = heads;
    if (++worm->links > story->totals.dilation) story->totals.dilation = worm->links;
    if (is_source(story, move->from)) worm->injected = story->cycle;
}

static void deliver(struct anl_story *story, uint32_t slot)
{
    struct story_worm *worm = &story->worms[slot];
    struct anl_life life;
    worm->delivered = story->cycle;
    anl_story_life(story, worm->worm.id, &life);
    for (int i = 0; i < ANL_WAITS; i++)
        story->totals.cycles[i] += life.cycles[i];
    story->totals.delivered++;
    story->any_delivered = true;
    if (story->listener.delivered) story->listener.delivered(story->listener.user, &life);
}

// Those of the cycle before: in their last cycle they still count.
static void remove_delivered(struct anl_story *story)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < story->num_active; i++)
        if (story->worms[story->active[i]].delivered == UINT64_MAX)
            story->active[kept++] = story->active[i];
    story->num_active = kept;
    story->any_delivered = false;
}

void story_worms_account(struct anl_story *story)
{
    if (story->any_delivered) remove_delivered(story);
    while (story->num_gone > 0)
        forget(story, story->gone[--story->num_gone]);
    for (uint32_t i = 0; i < story->num_activated; i++)
        story->active[story->num_active++] = story->activated[i];
    story->num_activated = 0;

    for (size_t i = 0; i < story->num_moves; i++)
        if (story->moves[i].head && story->moves[i].to != NONE) count_head(story, &story->moves[i]);
    for (uint32_t i = 0; i < story->num_active; i++)
        account(story, story->active[i]);
    for (size_t i = 0; i < story->num_moves; i++) {
        const struct story_move *move = &story->moves[i];
        if (move->tail && move->to != NONE && is_ejection(story, move->to))
            deliver(story, move->slot);
    }
}

void story_worms_end(struct anl_story *story)
{
    for (uint32_t i = 0; i < story->num_active; i++) {
        struct story_worm *worm = &story->worms[story->active[i]];
        struct anl_life life;
        if (worm->stay.worm == NONE || !anl_story_life(story, worm->worm.id, &life)) continue;
        if (story->listener.stay) story->listener.stay(story->listener.user, &life.stay);
    }
}

// --- questions ---

// A worm in its source queue behind another one.
static void queued_life(const struct anl_story *story, const struct anl_worm *worm,
                        struct anl_life *life)
{
    *life = (struct anl_life){
        .worm = *worm,
        .wait = ANL_QUEUED,
        .place = story->lanes + worm->source,
        .injected = UINT64_MAX,
        .delivered = UINT64_MAX,
        .stay.worm = NONE,
        .longest.worm = NONE,
    };
    life->cycles[ANL_QUEUED] = story->cycle - worm->created + 1;
}

bool anl_story_life(const struct anl_story *story, uint32_t id, struct anl_life *life)
{
    const struct story_entry *entry = story_worms_find(story, id);
    if (!entry || !story->began || entry->worm.created > story->cycle) return false;
    if (entry->slot == NONE) {
        queued_life(story, &entry->worm, life);
        return true;
    }
    struct story_worm worm = story->worms[entry->slot];
    if (worm.delivered < story->cycle) return false;

    settle(&worm, story->cycle + 1);
    worm.stay.end = story->cycle;
    const uint64_t longest = worm.longest.end - worm.longest.begin;
    if (worm.stay.worm != NONE &&
        (worm.longest.worm == NONE || worm.stay.end - worm.stay.begin > longest))
        worm.longest = worm.stay;
    *life = (struct anl_life){
        .worm = worm.worm,
        .wait = worm.wait,
        .place = worm.lead_place,
        .links = worm.links,
        .injected = worm.injected,
        .delivered = worm.delivered,
        .stay = worm.stay,
        .longest = worm.longest,
        .delays = worm.delays,
        .num_delays = worm.num_delays,
    };
    memcpy(life->cycles, worm.cycles, sizeof life->cycles);
    return true;
}

static bool is_here(const struct anl_story *story, const struct story_entry *entry)
{
    return entry->worm.created <= story->cycle &&
           (entry->slot == NONE || story->worms[entry->slot].delivered >= story->cycle);
}

void anl_story_worms(const struct anl_story *story, void (*visit)(void *user, uint32_t worm),
                     void *user)
{
    for (size_t i = 0; story->began && i < (size_t)1 << story->table_bits; i++) {
        if (story->table[i] == NONE) continue;
        const struct story_entry *entry = &story->entries[story->table[i]];
        if (is_here(story, entry)) visit(user, entry->worm.id);
    }
}

struct anl_story_totals anl_story_totals(const struct anl_story *story)
{
    struct anl_story_totals totals = story->totals;
    totals.worms = story->next_created;
    for (size_t i = 0; story->began && i < (size_t)1 << story->table_bits; i++) {
        if (story->table[i] == NONE) continue;
        const struct story_entry *entry = &story->entries[story->table[i]];
        struct anl_life life;
        if (entry->slot != NONE && story->worms[entry->slot].delivered != UINT64_MAX) continue;
        if (!anl_story_life(story, entry->worm.id, &life)) continue;
        for (int w = 0; w < ANL_WAITS; w++)
            totals.cycles[w] += life.cycles[w];
    }
    return totals;
}

// --- life of this room ---

enum anl_status story_worms_create(struct anl_story *story)
{
    story->table_bits = FIRST_TABLE_BITS;
    story->table = malloc(sizeof *story->table << FIRST_TABLE_BITS);
    if (!story->table) return ANL_ERR_MEMORY;
    memset(story->table, 0xff, sizeof *story->table << FIRST_TABLE_BITS);
    story->free_entry = NONE;
    return ANL_OK;
}

void story_worms_destroy(struct anl_story *story)
{
    for (uint32_t i = 0; i < story->num_slots; i++)
        free(story->worms[i].delays);
    free(story->table);
    free(story->entries);
    free(story->worms);
    free(story->free_slots);
    free(story->active);
    free(story->activated);
    free(story->gone);
    free(story->short_of_room);
}
