// SPDX-License-Identifier: Apache-2.0
//
// Worms by number: in their source queues, and with slots from the front of the queue to delivery.

#include "blocking.h"

#include <stdlib.h>
#include <string.h>

// --- by number ---
//
// Ids ascend, so a page holds worms with neighbouring ids; it is freed when all of them have left.

struct blocking_entry *blocking_worms_find(const struct anl_blocking *blocking, uint32_t id)
{
    const uint32_t at = id / PAGE_IDS - blocking->ids.first_page;
    if (at >= blocking->ids.num_pages || !blocking->ids.pages[at]) return NULL;
    struct blocking_entry *entry = &blocking->ids.pages[at]->entries[id % PAGE_IDS];
    return entry->worm.length == 0 ? NULL : entry;
}

// Frees a page, but keeps one to be reused.
static void give_back(struct anl_blocking *blocking, uint32_t at)
{
    free(blocking->ids.spare_page);
    blocking->ids.spare_page = blocking->ids.pages[at];
    blocking->ids.pages[at] = NULL;
}

static void remove_id(struct anl_blocking *blocking, uint32_t id)
{
    const uint32_t at = id / PAGE_IDS - blocking->ids.first_page;
    struct blocking_page *page = blocking->ids.pages[at];
    page->entries[id % PAGE_IDS].worm.length = 0;
    if (--page->used == 0 && at + 1 < blocking->ids.num_pages) give_back(blocking, at);
}

// Makes room for one more page, by removing the freed pages at the beginning or by growing.
static bool grow_pages(struct anl_blocking *blocking)
{
    if (blocking->ids.num_pages < blocking->ids.room_pages) return true;
    uint32_t gone = 0;
    while (gone < blocking->ids.num_pages && !blocking->ids.pages[gone])
        gone++;
    if (gone > blocking->ids.room_pages / 2) {
        blocking->ids.num_pages -= gone;
        blocking->ids.first_page += gone;
        memmove(blocking->ids.pages, blocking->ids.pages + gone,
                blocking->ids.num_pages * sizeof(struct blocking_page *));
        return true;
    }
    const uint32_t room = blocking->ids.room_pages ? 2 * blocking->ids.room_pages : 16;
    struct blocking_page **const pages = realloc(blocking->ids.pages, room * sizeof *pages);
    if (!pages) return false;
    blocking->ids.pages = pages;
    blocking->ids.room_pages = room;
    return true;
}

// Makes sure that the page of the next id exists. Returns false if memory runs out.
static bool have_page(struct anl_blocking *blocking, uint32_t id)
{
    if (id / PAGE_IDS - blocking->ids.first_page < blocking->ids.num_pages) return true;
    if (!grow_pages(blocking)) return false;
    const uint32_t last = blocking->ids.num_pages - 1;
    if (blocking->ids.num_pages > 0 && blocking->ids.pages[last] &&
        blocking->ids.pages[last]->used == 0)
        give_back(blocking, last);
    struct blocking_page *page =
        blocking->ids.spare_page ? blocking->ids.spare_page : malloc(sizeof *page);
    if (!page) return false;
    blocking->ids.spare_page = NULL;
    memset(page, 0, sizeof *page);
    blocking->ids.pages[blocking->ids.num_pages++] = page;
    return true;
}

enum anl_status blocking_worms_add(struct anl_blocking *blocking, const struct anl_worm *worm)
{
    if (!have_page(blocking, worm->id)) return ANL_ERR_MEMORY;
    const uint32_t at = source_buffer(blocking, worm->source, worm->class_);
    struct blocking_queue *queue = &blocking->queues[at - blocking->lanes];
    *blocking_entry(blocking, worm->id) =
        (struct blocking_entry){.worm = *worm, .next = NONE, .slot = NONE};
    blocking->ids.pages[worm->id / PAGE_IDS - blocking->ids.first_page]->used++;
    if (queue->front == NONE)
        queue->front = worm->id;
    else
        blocking_entry(blocking, queue->back)->next = worm->id;
    queue->back = worm->id;
    return ANL_OK;
}

// --- slots ---

static bool grow_slots(struct anl_blocking *blocking)
{
    if (blocking->slots.num_free > 0) return true;
    const uint32_t old = blocking->slots.count, size = old ? 2 * old : 64;
    if (size <= old || !blocking_grow_slots(blocking, size)) return false;
    for (uint32_t i = size; i-- > old;) {
        blocking->slots.free[blocking->slots.num_free++] = i;
        blocking->lives.row_at[i] = NONE;
        blocking->records[i] = (struct blocking_record){0};
    }
    blocking->slots.count = size;
    return true;
}

// Begins the life of a worm in a slot. Its stall is not read before one begins, so it need not be
// set.
static void begin_life(struct anl_blocking *blocking, uint32_t slot, uint32_t sender,
                       const struct anl_worm *fed)
{
    struct blocking_worm *worm = &blocking->worms[slot];
    *worm = (struct blocking_worm){
        .id = fed->id,
        .destination = fed->destination,
        .head_buffer = sender,
        .lead_buffer = sender,
        .since = fed->created,
        .length = fed->length,
        .wait = ANL_QUEUED,
    };
    struct blocking_record *record = &blocking->records[slot];
    memset(record->cycles, 0, sizeof record->cycles);
    record->stall.worm = record->longest.worm = NONE;
    record->injected = record->delivered = UINT64_MAX;
    record->links = 0;
    record->num_delays = 0;
}

// Takes the worm at the front of a queue for a free sender and gives it a slot.
static enum anl_status activate(struct anl_blocking *blocking, struct blocking_queue *queue,
                                uint32_t sender)
{
    if (!grow_slots(blocking)) return ANL_ERR_MEMORY;
    struct blocking_entry *entry = blocking_entry(blocking, queue->front);
    const uint32_t slot = blocking->slots.free[--blocking->slots.num_free];
    queue->front = entry->next;
    begin_life(blocking, slot, sender, &entry->worm);
    entry->slot = slot;
    blocking->ids.guesses[entry->worm.id % GUESSES] = slot;
    blocking->slots.activated[blocking->slots.num_activated++] = slot;
    blocking->slots.come[blocking->slots.num_come++] = slot;
    struct blocking_buffer *buffer = &blocking->buffers[sender];
    buffer->front = slot;
    blocking_see_source(blocking, sender, slot);
    buffer->since = blocking->cycle;
    buffer->count = blocking->worms[slot].length;
    return ANL_OK;
}

// Gives the free senders of a source to the worms at the front of its queue; first is its first
// sender.
static enum anl_status fill(struct anl_blocking *blocking, uint32_t first)
{
    struct blocking_queue *queue = &blocking->queues[first - blocking->lanes];
    enum anl_status status = ANL_OK;
    for (uint32_t p = 0; p < blocking->senders && !status; p++) {
        const uint32_t sender = first + p * blocking->shape.terminals;
        if (queue->front == NONE ||
            blocking_entry(blocking, queue->front)->worm.created > blocking->cycle)
            break;
        if (blocking->buffers[sender].front == NONE) status = activate(blocking, queue, sender);
    }
    return status;
}

enum anl_status blocking_worms_activate(struct anl_blocking *blocking)
{
    enum anl_status status = ANL_OK;
    for (uint32_t i = 0; i < blocking->slots.num_fresh && !status; i++)
        status = fill(blocking, blocking->slots.fresh[i]);
    for (uint32_t id = blocking->num_created; id < blocking->next_id && !status; id++) {
        const struct anl_worm *worm = &blocking_entry(blocking, id)->worm;
        if (worm->created > blocking->cycle) break;
        status = fill(blocking, source_buffer(blocking, worm->source, worm->class_));
    }
    return status;
}

// The worms return to their queues in the reverse order.
void blocking_worms_deactivate(struct anl_blocking *blocking)
{
    while (blocking->slots.num_activated > 0) {
        const uint32_t slot = blocking->slots.activated[--blocking->slots.num_activated];
        struct blocking_entry *entry = blocking_entry(blocking, blocking->worms[slot].id);
        const uint32_t first = source_buffer(blocking, entry->worm.source, entry->worm.class_);
        entry->slot = NONE;
        blocking->slots.free[blocking->slots.num_free++] = slot;
        blocking->buffers[blocking->worms[slot].head_buffer].front = NONE;
        blocking->queues[first - blocking->lanes].front = entry->worm.id;
    }
}

uint64_t blocking_worms_next(const struct anl_blocking *blocking)
{
    if (blocking->num_created == blocking->next_id) return UINT64_MAX;
    return blocking_entry(blocking, blocking->num_created)->worm.created;
}

static void forget(struct anl_blocking *blocking, uint32_t slot)
{
    remove_id(blocking, blocking->worms[slot].id);
    blocking->slots.free[blocking->slots.num_free++] = slot;
}

void blocking_worms_renew(struct anl_blocking *blocking)
{
    while (blocking->slots.num_gone > 0)
        forget(blocking, blocking->slots.gone[--blocking->slots.num_gone]);
    // The worms whose tails the terminals take now were delivered in the cycle before.
    // Where terminals can refuse, they may take them later.
    for (size_t i = 0; !blocking->sinks && i < blocking->moves.num_taken; i++)
        if (blocking->moves.list[i].tail)
            blocking_lives_remove(blocking, blocking->moves.list[i].slot);
    for (uint32_t i = 0; blocking->sinks && i < blocking->sinks->num_ended; i++)
        blocking_lives_remove(blocking, blocking->sinks->ended[i]);
    for (uint32_t i = 0; i < blocking->slots.num_activated; i++)
        blocking_lives_add(blocking, blocking->slots.activated[i]);
    blocking->slots.num_activated = 0;
    while (blocking_worms_next(blocking) <= blocking->cycle)
        blocking->num_created++;
}
