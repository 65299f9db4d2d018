// SPDX-License-Identifier: Apache-2.0
//
// What each worm does from its creation to its delivery; it is written down when it changes.

#include "blocking.h"

#include <stdlib.h>
#include <string.h>

// --- delays ---

enum { ROOT_BLOCKER_TABLE = 4 * MOST_ROOT_BLOCKERS };  // large, so that few worms share an index

// Inserts the last element of delays where it belongs. Root blockers come nearly in ascending
// order.
static inline void insert_last(struct anl_delay *delays, size_t last)
{
    const struct anl_delay delay = delays[last];
    size_t at = last;
    for (; at > 0 && delays[at - 1].by > delay.by; at--)
        delays[at] = delays[at - 1];
    delays[at] = delay;
}

// Counts the last root blockers of a worm into delays, ascending. Returns how many different ones
// there are. They are few, so they are counted first and sorted afterwards.
static size_t count_root_blockers(const struct anl_blocking *blocking, uint32_t slot,
                                  struct anl_delay *delays)
{
    const uint32_t *const root_blockers =
        &blocking->lives.root_blockers[(size_t)MOST_ROOT_BLOCKERS * slot];
    const uint32_t num_root_blockers = blocking->worms[slot].num_root_blockers;
    uint8_t table[ROOT_BLOCKER_TABLE] = {0};  // index in delays + 1; 0: free
    size_t count = 0;
    _Static_assert(MOST_ROOT_BLOCKERS <= UINT8_MAX, "the table counts them");
    for (uint32_t i = 0; i < num_root_blockers; i++) {
        uint32_t at = root_blockers[i] % ROOT_BLOCKER_TABLE;
        while (table[at] > 0 && delays[table[at] - 1].by != root_blockers[i])
            at = (at + 1) % ROOT_BLOCKER_TABLE;
        if (table[at] == 0) {
            delays[count] = (struct anl_delay){.by = root_blockers[i]};
            table[at] = (uint8_t)++count;
        }
        delays[table[at] - 1].cycles++;
    }
    for (size_t i = 1; i < count; i++)
        insert_last(delays, i);
    return count;
}

// Writes all delays of a worm, with those by its last root blockers, to blocking->lives.delays in
// ascending order. Returns how many there are.
static size_t gather_delays(const struct anl_blocking *blocking, uint32_t slot)
{
    const struct blocking_record *record = &blocking->records[slot];
    const struct anl_delay *const old = record->delays;
    struct anl_delay *const delays = blocking->lives.delays;
    struct anl_delay last[MOST_ROOT_BLOCKERS];
    const size_t num_last = count_root_blockers(blocking, slot, last);
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

enum anl_status blocking_lives_reserve(struct anl_blocking *blocking)
{
    if (!give_room(&blocking->lives.delays, &blocking->lives.room_delays, MOST_ROOT_BLOCKERS))
        return ANL_ERR_MEMORY;
    for (; blocking->lives.num_full > 0; blocking->lives.num_full--) {
        const uint32_t slot = blocking->lives.full[blocking->lives.num_full - 1];
        struct blocking_record *record = &blocking->records[slot];
        const size_t count = gather_delays(blocking, slot);
        if (!give_room(&record->delays, &record->room, count) ||
            !give_room(&blocking->lives.delays, &blocking->lives.room_delays,
                       count + MOST_ROOT_BLOCKERS))
            return ANL_ERR_MEMORY;
        memcpy(record->delays, blocking->lives.delays, count * sizeof *record->delays);
        record->num_delays = count;
        blocking->worms[slot].num_root_blockers = 0;
    }
    return ANL_OK;
}

// --- stalls ---

// Writes down what a worm did in the cycles since its wait changed.
static inline void settle(const struct blocking_worm *worm, struct blocking_record *record,
                          uint64_t cycles)
{
    record->cycles[worm->wait] += cycles;
    record->stall.cycles[worm->wait] += worm->stalls * cycles;
}

static bool is_longer(const struct anl_stall *stall, const struct anl_stall *longest)
{
    return longest->worm == NONE || stall->end - stall->begin > longest->end - longest->begin;
}

static void begin_stall(struct anl_blocking *blocking, uint32_t slot)
{
    struct blocking_worm *worm = &blocking->worms[slot];
    const struct blocking_way *way = blocking_way(blocking, worm->lead_buffer);
    const uint32_t blocker = worm->wait == ANL_BEHIND ? worm->lead_buffer : way->next;
    struct anl_stall *stall = &blocking->records[slot].stall;
    worm->stalls = true;
    stall->worm = worm->id;
    stall->buffer = worm->lead_buffer;
    stall->begin = blocking->cycle;
    stall->blocker = blocker == NONE ? NONE : worm_id(blocking, blocking->buffers[blocker].front);
    stall->root_blocker = way->root_blocker;
    memset(stall->cycles, 0, sizeof stall->cycles);
}

static void end_stall(struct anl_blocking *blocking, uint32_t slot)
{
    struct blocking_record *record = &blocking->records[slot];
    struct anl_stall *const stall = &record->stall;
    blocking->worms[slot].stalls = false;
    stall->end = blocking->cycle - 1;
    if (is_longer(stall, &record->longest)) record->longest = *stall;
    if (blocking->listener.stall) blocking->listener.stall(blocking->listener.user, stall);
    stall->worm = NONE;
}

// --- what a worm does in this cycle ---
//
// Active worms stand in rows by what they do. The row of those that move is listed anew in every
// cycle.

static inline void join_row(struct anl_blocking *blocking, uint32_t slot, uint32_t wait)
{
    blocking->lives.row_at[slot] = blocking->lives.in_row[wait];
    blocking->lives.rows[wait][blocking->lives.in_row[wait]++] = slot;
}

static inline void leave_row(struct anl_blocking *blocking, uint32_t slot, uint32_t wait)
{
    const uint32_t at = blocking->lives.row_at[slot];
    const uint32_t last = blocking->lives.rows[wait][--blocking->lives.in_row[wait]];
    blocking->lives.rows[wait][at] = last;
    blocking->lives.row_at[last] = at;
}

void blocking_lives_add(struct anl_blocking *blocking, uint32_t slot)
{
    join_row(blocking, slot, blocking->worms[slot].wait);
}

// The last thing that a worm does is to move, so it is in no row that must be mended.
void blocking_lives_remove(struct anl_blocking *blocking, uint32_t slot)
{
    blocking->lives.row_at[slot] = NONE;
}

// Carries out the changes up to end.
static void change_waits(struct anl_blocking *blocking, const struct blocking_change *end)
{
    for (const struct blocking_change *change = blocking->lives.changes; change < end; change++) {
        struct blocking_worm *worm = &blocking->worms[change->slot];
        settle(worm, &blocking->records[change->slot], blocking->cycle - worm->since);
        if (worm->wait != ANL_MOVING) leave_row(blocking, change->slot, worm->wait);
        if (change->wait != ANL_MOVING) join_row(blocking, change->slot, change->wait);
        worm->since = blocking->cycle;
        worm->wait = (uint8_t)change->wait;
        if (worm->stalls == (change->wait != ANL_MOVING)) continue;
        if (worm->stalls)
            end_stall(blocking, change->slot);
        else
            begin_stall(blocking, change->slot);
    }
}

// Lists the worms that moved in the cycle before and do not move in this one.
static inline uint32_t list_stopped(struct anl_blocking *blocking, uint32_t *stopped)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < blocking->lives.in_row[ANL_MOVING]; i++) {
        const uint32_t slot = blocking->lives.rows[ANL_MOVING][i];
        const struct blocking_worm *worm = &blocking->worms[slot];
        const struct blocking_buffer *buffer = &blocking->buffers[worm->lead_buffer];
        stopped[count] = slot;
        count +=
            ((buffer->moved == STALLS) | (buffer->front != slot)) & (worm->lead < worm->length);
    }
    return count;
}

// Adds the worms whose leading flits are in the first of two stages. They moved in the cycle
// before.
static inline uint32_t *add_arriving(const struct anl_blocking *blocking, uint32_t *moving)
{
    for (size_t i = 0; i < blocking->moves.num_before; i++) {
        const struct blocking_move *move = &blocking->moves.before[i];
        const bool leads = move->index == blocking->worms[move->slot].lead;
        if (leads && move->to != NONE && blocking->buffers[move->to].moved == ARRIVES)
            *moving++ = move->slot;
    }
    return moving;
}

// Lists the worms that move in this cycle, and notes those that did not move in the cycle before.
// It has no branch, because it is hard to predict which worms move.
static inline struct blocking_change *note_moving(struct anl_blocking *blocking)
{
    const struct blocking_move *const end = blocking->moves.list + blocking->moves.count;
    struct blocking_change *change = blocking->lives.changes;
    uint32_t *moving = blocking->lives.rows[ANL_MOVING];
    for (const struct blocking_move *move = blocking->moves.list + blocking->moves.num_taken;
         move < end; move++) {
        const struct blocking_worm *worm = &blocking->worms[move->slot];
        const bool leads = move->index == worm->lead;
        *moving = move->slot;
        moving += leads;
        *change = (struct blocking_change){move->slot, ANL_MOVING};
        change += leads & (worm->wait != ANL_MOVING);
    }
    moving = add_arriving(blocking, moving);
    blocking->lives.in_row[ANL_MOVING] = (uint32_t)(moving - blocking->lives.rows[ANL_MOVING]);
    return change;
}

// Takes the worms first that probably wait for a flit that moves, then those that wait for these.
static void account(struct anl_blocking *blocking)
{
    static const enum anl_wait order[ANL_WAITS] = {
        ANL_NOT_YET, ANL_LOST_ARBITRATION, ANL_NO_CREDIT, ANL_BOUND_ELSEWHERE,
        ANL_MOVING,  ANL_QUEUED,           ANL_BEHIND};
    const uint32_t num_stopped = list_stopped(blocking, blocking->lives.stopped);
    change_waits(blocking, note_moving(blocking));
    struct blocking_change *change = blocking->lives.changes;
    for (uint32_t i = 0; i < ANL_WAITS; i++) {
        const bool moved = order[i] == ANL_MOVING;
        change = blocking_wait(blocking, order[i],
                               moved ? blocking->lives.stopped : blocking->lives.rows[order[i]],
                               moved ? num_stopped : blocking->lives.in_row[order[i]], change);
    }
    change_waits(blocking, change);
}

// --- a life so far ---

// Writes the life of an active worm. Its delays are valid until the next life is written.
static void active_life(const struct anl_blocking *blocking, uint32_t slot, struct anl_life *life)
{
    const struct blocking_worm *worm = &blocking->worms[slot];
    const struct blocking_record *record = &blocking->records[slot];
    const uint64_t cycles = blocking->cycle + 1 - worm->since;
    *life = (struct anl_life){
        .worm = blocking_entry(blocking, worm->id)->worm,
        .wait = (enum anl_wait)worm->wait,
        .buffer = worm->lead_buffer,
        .links = record->links,
        .injected = record->injected,
        .delivered = record->delivered,
        .stall = record->stall,
        .longest = record->longest,
        .delays = blocking->lives.delays,
        .num_delays = gather_delays(blocking, slot),
    };
    memcpy(life->cycles, record->cycles, sizeof life->cycles);
    life->cycles[worm->wait] += cycles;
    if (life->stall.worm == NONE) return;
    life->stall.cycles[worm->wait] += cycles;
    life->stall.end = blocking->cycle;
    if (is_longer(&life->stall, &life->longest)) life->longest = life->stall;
}

// --- heads and tails in this cycle ---

static void count_head(struct anl_blocking *blocking, const struct blocking_move *move)
{
    struct blocking_record *record = &blocking->records[move->slot];
    const uint32_t heads = ++blocking->links[blocking->buffers[move->to].link].heads;
    if (heads > blocking->totals.congestion) blocking->totals.congestion = heads;
    if (++record->links > blocking->totals.dilation) blocking->totals.dilation = record->links;
    if (is_source(blocking, move->from)) record->injected = blocking->cycle;
}

// Writes down all that a delivered worm did.
static void deliver(struct anl_blocking *blocking, uint32_t slot)
{
    struct blocking_worm *worm = &blocking->worms[slot];
    struct blocking_record *record = &blocking->records[slot];
    settle(worm, record, blocking->cycle + 1 - worm->since);
    worm->since = blocking->cycle + 1;
    record->delivered = blocking->cycle;
    for (int i = 0; i < ANL_WAITS; i++)
        blocking->totals.cycles[i] += record->cycles[i];
    blocking->totals.delivered++;
    if (!blocking->listener.delivered) return;
    struct anl_life life;
    active_life(blocking, slot, &life);
    blocking->listener.delivered(blocking->listener.user, &life);
}

void blocking_lives_account(struct anl_blocking *blocking)
{
    account(blocking);
    for (size_t i = 0; i < blocking->moves.num_heads; i++)
        count_head(blocking, &blocking->moves.list[blocking->moves.heads[i]]);
    for (size_t i = 0; i < blocking->moves.num_ejections; i++) {
        const struct blocking_move *move = &blocking->moves.list[blocking->moves.ejections[i]];
        if (move->tail) deliver(blocking, move->slot);
    }
}

void blocking_lives_end(struct anl_blocking *blocking)
{
    for (uint32_t slot = 0; blocking->listener.stall && slot < blocking->slots.count; slot++) {
        struct anl_life life;
        if (is_active(blocking, slot) &&
            anl_blocking_life(blocking, blocking->worms[slot].id, &life) && life.stall.worm != NONE)
            blocking->listener.stall(blocking->listener.user, &life.stall);
    }
}

// --- questions ---

static bool is_here(const struct anl_blocking *blocking, const struct blocking_entry *entry)
{
    if (!blocking->began || entry->worm.created > blocking->cycle) return false;
    return entry->slot == NONE || blocking->records[entry->slot].delivered >= blocking->cycle;
}

// Returns the life of a worm in its source queue behind another one.
static struct anl_life queued_life(const struct anl_blocking *blocking, const struct anl_worm *worm)
{
    struct anl_life life = {
        .worm = *worm,
        .wait = ANL_QUEUED,
        .buffer = source_buffer(blocking, worm->source, worm->class_),
        .injected = UINT64_MAX,
        .delivered = UINT64_MAX,
        .stall.worm = NONE,
        .longest.worm = NONE,
    };
    life.cycles[ANL_QUEUED] = blocking->cycle - worm->created + 1;
    return life;
}

bool anl_blocking_life(const struct anl_blocking *blocking, uint32_t id, struct anl_life *life)
{
    const struct blocking_entry *entry = blocking_worms_find(blocking, id);
    if (!entry || !is_here(blocking, entry)) return false;
    if (entry->slot == NONE)
        *life = queued_life(blocking, &entry->worm);
    else
        active_life(blocking, entry->slot, life);
    return true;
}

bool anl_blocking_worm(const struct anl_blocking *blocking, uint32_t id, struct anl_worm *worm)
{
    const struct blocking_entry *entry = blocking_worms_find(blocking, id);
    if (!entry || !blocking->began || entry->worm.created > blocking->cycle) return false;
    *worm = entry->worm;
    return true;
}

// Returns the entries of the worms that are here, one after the other, and NULL after the last. *at
// is 0 at first.
static const struct blocking_entry *next_here(const struct anl_blocking *blocking, size_t *at)
{
    for (; *at < (size_t)blocking->ids.num_pages * PAGE_IDS; ++*at) {
        const struct blocking_page *page = blocking->ids.pages[*at / PAGE_IDS];
        const struct blocking_entry *entry = page ? &page->entries[*at % PAGE_IDS] : NULL;
        if (!entry || entry->worm.length == 0 || !is_here(blocking, entry)) continue;
        ++*at;
        return entry;
    }
    return NULL;
}

void anl_blocking_worms(const struct anl_blocking *blocking,
                        void (*visit)(void *user, uint32_t worm), void *user)
{
    const struct blocking_entry *entry;
    for (size_t at = 0; (entry = next_here(blocking, &at));)
        visit(user, entry->worm.id);
}

struct anl_blocking_totals anl_blocking_totals(const struct anl_blocking *blocking)
{
    struct anl_blocking_totals totals = blocking->totals;
    const struct blocking_entry *entry;
    totals.worms = blocking->num_created;
    for (size_t at = 0; (entry = next_here(blocking, &at));) {
        struct anl_life life;
        anl_blocking_life(blocking, entry->worm.id, &life);
        for (int i = 0; life.delivered == UINT64_MAX && i < ANL_WAITS; i++)
            totals.cycles[i] += life.cycles[i];
    }
    return totals;
}
