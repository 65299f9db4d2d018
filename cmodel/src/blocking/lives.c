// SPDX-License-Identifier: Apache-2.0
//
// What each worm does from its creation to its delivery: it is written down when it changes.

#include "story.h"

#include <stdlib.h>
#include <string.h>

// --- delays ---

enum { MOVER_TABLE = 4 * MOST_MOVERS };  // so that hardly two share a place

// Inserts what is last in delays where it belongs. Movers come nearly in order, as they were
// created.
static inline void insert_last(struct anl_delay *delays, size_t last)
{
    const struct anl_delay delay = delays[last];
    size_t at = last;
    for (; at > 0 && delays[at - 1].by > delay.by; at--)
        delays[at] = delays[at - 1];
    delays[at] = delay;
}

// Counts the last movers of a worm into delays, ascending. Returns how many different ones there
// are: few, which is why they are counted before they are sorted.
static size_t count_movers(const struct anl_story *story, uint32_t slot, struct anl_delay *delays)
{
    const uint32_t *const movers = &story->movers[(size_t)MOST_MOVERS * slot];
    const uint32_t num_movers = story->worms[slot].num_movers;
    uint8_t table[MOVER_TABLE] = {0};  // one more than the place in delays; 0: free
    size_t count = 0;
    _Static_assert(MOST_MOVERS <= UINT8_MAX, "the table counts them");
    for (uint32_t i = 0; i < num_movers; i++) {
        uint32_t at = movers[i] % MOVER_TABLE;
        while (table[at] > 0 && delays[table[at] - 1].by != movers[i])
            at = (at + 1) % MOVER_TABLE;
        if (table[at] == 0) {
            delays[count] = (struct anl_delay){.by = movers[i]};
            table[at] = (uint8_t)++count;
        }
        delays[table[at] - 1].cycles++;
    }
    for (size_t i = 1; i < count; i++)
        insert_last(delays, i);
    return count;
}

// Puts all delays of a worm, those by its last movers too, in order into story->delays. Returns how
// many there are.
static size_t gather_delays(const struct anl_story *story, uint32_t slot)
{
    const struct story_record *record = &story->records[slot];
    const struct anl_delay *const old = record->delays;
    struct anl_delay *const delays = story->delays;
    struct anl_delay last[MOST_MOVERS];
    const size_t num_last = count_movers(story, slot, last);
    size_t count = 0;
    for (size_t i = 0, j = 0; i < num_last || j < record->num_delays; count++) {
        if (j == record->num_delays || (i < num_last && last[i].by < old[j].by)) {
            delays[count] = last[i++];
            continue;
        }
        delays[count] = old[j++];
        if (i < num_last && last[i].by == delays[count].by)
            delays[count].cycles += last[i++].cycles;
    }
    return count;
}

static bool give_room(struct anl_delay **delays, size_t *room, size_t wanted)
{
    if (*room >= wanted) return true;
    struct anl_delay *grown = realloc(*delays, 2 * wanted * sizeof *grown);
    if (!grown) return false;
    *delays = grown;
    *room = 2 * wanted;
    return true;
}

enum anl_status story_lives_reserve(struct anl_story *story)
{
    if (!give_room(&story->delays, &story->room_delays, MOST_MOVERS)) return ANL_ERR_MEMORY;
    for (; story->num_full > 0; story->num_full--) {
        const uint32_t slot = story->full[story->num_full - 1];
        struct story_record *record = &story->records[slot];
        const size_t count = gather_delays(story, slot);
        if (!give_room(&record->delays, &record->room, count) ||
            !give_room(&story->delays, &story->room_delays, count + MOST_MOVERS))
            return ANL_ERR_MEMORY;
        memcpy(record->delays, story->delays, count * sizeof *record->delays);
        record->num_delays = count;
        story->worms[slot].num_movers = 0;
    }
    return ANL_OK;
}

// --- stays ---

// Writes down what a worm did in the cycles since its wait changed.
static inline void settle(const struct story_worm *worm, struct story_record *record,
                          uint64_t cycles)
{
    record->cycles[worm->wait] += cycles;
    record->stay.cycles[worm->wait] += worm->stays * cycles;
}

static bool is_longer(const struct anl_stay *stay, const struct anl_stay *longest)
{
    return longest->worm == NONE || stay->end - stay->begin > longest->end - longest->begin;
}

static void begin_stay(struct anl_story *story, uint32_t slot)
{
    struct story_worm *worm = &story->worms[slot];
    const struct story_way *way = story_way(story, worm->lead_place);
    const uint32_t blocker = worm->wait == ANL_BEHIND ? worm->lead_place : way->next;
    struct anl_stay *stay = &story->records[slot].stay;
    worm->stays = true;
    stay->worm = worm->id;
    stay->place = worm->lead_place;
    stay->begin = story->cycle;
    stay->blocker = blocker == NONE ? NONE : worm_id(story, story->places[blocker].front);
    stay->mover = way->mover;
    memset(stay->cycles, 0, sizeof stay->cycles);
}

static void end_stay(struct anl_story *story, uint32_t slot)
{
    struct story_record *record = &story->records[slot];
    struct anl_stay *const stay = &record->stay;
    story->worms[slot].stays = false;
    stay->end = story->cycle - 1;
    if (is_longer(stay, &record->longest)) record->longest = *stay;
    if (story->listener.stay) story->listener.stay(story->listener.user, stay);
    stay->worm = NONE;
}

// --- what a worm does in this cycle ---
//
// Worms stand in rows, by what they do; those that get on do so anew in every cycle.

static inline void join_row(struct anl_story *story, uint32_t slot, uint32_t wait)
{
    story->row_at[slot] = story->in_row[wait];
    story->rows[wait][story->in_row[wait]++] = slot;
}

static inline void leave_row(struct anl_story *story, uint32_t slot, uint32_t wait)
{
    const uint32_t at = story->row_at[slot];
    const uint32_t last = story->rows[wait][--story->in_row[wait]];
    story->rows[wait][at] = last;
    story->row_at[last] = at;
}

void story_lives_add(struct anl_story *story, uint32_t slot)
{
    join_row(story, slot, story->worms[slot].wait);
}

// The last that a worm did was to get on: it is in no row.
void story_lives_remove(struct anl_story *story, uint32_t slot) { story->row_at[slot] = NONE; }

// Carries out the changes noted up to end.
static void change_waits(struct anl_story *story, const struct story_change *end)
{
    for (const struct story_change *change = story->changes; change < end; change++) {
        struct story_worm *worm = &story->worms[change->slot];
        settle(worm, &story->records[change->slot], story->cycle - worm->since);
        if (worm->wait != ANL_MOVING) leave_row(story, change->slot, worm->wait);
        if (change->wait != ANL_MOVING) join_row(story, change->slot, change->wait);
        worm->since = story->cycle;
        worm->wait = (uint8_t)change->wait;
        if (worm->stays == (change->wait != ANL_MOVING)) continue;
        if (worm->stays)
            end_stay(story, change->slot);
        else
            begin_stay(story, change->slot);
    }
}

// Lists the worms that got on in the cycle before and do not in this one.
static inline uint32_t list_stopped(struct anl_story *story, uint32_t *stopped)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < story->in_row[ANL_MOVING]; i++) {
        const uint32_t slot = story->rows[ANL_MOVING][i];
        const struct story_worm *worm = &story->worms[slot];
        const struct story_place *place = &story->places[worm->lead_place];
        stopped[count] = slot;
        count += ((place->moved == STAYS) | (place->front != slot)) & (worm->lead < worm->length);
    }
    return count;
}

// Lists the worms that get on in this cycle, and notes which of them did not in the cycle before.
// Without a branch, for which do is hard to foresee.
static inline struct story_change *note_moving(struct anl_story *story)
{
    const struct story_move *const end = story->moves + story->num_moves;
    struct story_change *change = story->changes;
    uint32_t *moving = story->rows[ANL_MOVING];
    for (const struct story_move *move = story->moves + story->num_taken; move < end; move++) {
        const struct story_worm *worm = &story->worms[move->slot];
        const bool leads = move->index == worm->lead;
        *moving = move->slot;
        moving += leads;
        *change = (struct story_change){move->slot, ANL_MOVING};
        change += leads & (worm->wait != ANL_MOVING);
    }
    story->in_row[ANL_MOVING] = (uint32_t)(moving - story->rows[ANL_MOVING]);
    return change;
}

// First those that probably wait for moves, then those that wait for them.
static void account(struct anl_story *story)
{
    static const enum anl_wait order[ANL_WAITS] = {
        ANL_NOT_YET, ANL_LOST_ARBITRATION, ANL_NO_CREDIT, ANL_BOUND_ELSEWHERE,
        ANL_MOVING,  ANL_QUEUED,           ANL_BEHIND};
    const uint32_t num_stopped = list_stopped(story, story->stopped);
    change_waits(story, note_moving(story));
    struct story_change *change = story->changes;
    for (uint32_t i = 0; i < ANL_WAITS; i++) {
        const bool moved = order[i] == ANL_MOVING;
        change = story_wait(story, order[i], moved ? story->stopped : story->rows[order[i]],
                            moved ? num_stopped : story->in_row[order[i]], change);
    }
    change_waits(story, change);
}

// --- a life so far ---

// delays are valid until the next one is written.
static void active_life(const struct anl_story *story, uint32_t slot, struct anl_life *life)
{
    const struct story_worm *worm = &story->worms[slot];
    const struct story_record *record = &story->records[slot];
    const uint64_t cycles = story->cycle + 1 - worm->since;
    *life = (struct anl_life){
        .worm = story_entry(story, worm->id)->worm,
        .wait = (enum anl_wait)worm->wait,
        .place = worm->lead_place,
        .links = record->links,
        .injected = record->injected,
        .delivered = record->delivered,
        .stay = record->stay,
        .longest = record->longest,
        .delays = story->delays,
        .num_delays = gather_delays(story, slot),
    };
    memcpy(life->cycles, record->cycles, sizeof life->cycles);
    life->cycles[worm->wait] += cycles;
    if (life->stay.worm == NONE) return;
    life->stay.cycles[worm->wait] += cycles;
    life->stay.end = story->cycle;
    if (is_longer(&life->stay, &life->longest)) life->longest = life->stay;
}

// --- what a worm does in this cycle, heads and tails ---

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
    settle(worm, record, story->cycle + 1 - worm->since);
    worm->since = story->cycle + 1;
    record->delivered = story->cycle;
    for (int i = 0; i < ANL_WAITS; i++)
        story->totals.cycles[i] += record->cycles[i];
    story->totals.delivered++;
    if (!story->listener.delivered) return;
    struct anl_life life;
    active_life(story, slot, &life);
    story->listener.delivered(story->listener.user, &life);
}

void story_lives_account(struct anl_story *story)
{
    account(story);
    for (size_t i = 0; i < story->num_heads; i++)
        count_head(story, &story->moves[story->heads[i]]);
    for (size_t i = 0; i < story->num_ejections; i++) {
        const struct story_move *move = &story->moves[story->ejections[i]];
        if (move->tail) deliver(story, move->slot);
    }
}

void story_lives_end(struct anl_story *story)
{
    for (uint32_t slot = 0; story->listener.stay && slot < story->num_slots; slot++) {
        struct anl_life life;
        if (is_active(story, slot) && anl_story_life(story, story->worms[slot].id, &life) &&
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

bool anl_story_life(const struct anl_story *story, uint32_t id, struct anl_life *life)
{
    const struct story_entry *entry = story_worms_find(story, id);
    if (!entry || !is_here(story, entry)) return false;
    if (entry->slot == NONE)
        *life = queued_life(story, &entry->worm);
    else
        active_life(story, entry->slot, life);
    return true;
}

// The entries, one after the other, of the worms that are here; NULL after the last. *at begins at
// 0.
static const struct story_entry *next_here(const struct anl_story *story, size_t *at)
{
    for (; *at < (size_t)story->num_pages * PAGE_IDS; ++*at) {
        const struct story_page *page = story->pages[*at / PAGE_IDS];
        const struct story_entry *entry = page ? &page->entries[*at % PAGE_IDS] : NULL;
        if (!entry || entry->worm.length == 0 || !is_here(story, entry)) continue;
        ++*at;
        return entry;
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
