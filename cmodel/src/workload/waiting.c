// SPDX-License-Identifier: Apache-2.0
//
// Messages that wait for others (docs/scenario.md): which of them are due. A message stands in the
// calendar once all messages that it waits for are delivered.

#include "workload.h"

#include <assert.h>
#include <stdlib.h>

// Counts the messages that wait for each message, and everything that messages wait for.
static size_t count_dependents(struct waiting *waiting, const struct anl_message *messages)
{
    size_t entries = 0;
    for (size_t m = 0; m < waiting->count; m++)
        for (uint32_t i = 0; i < messages[m].num_after; i++, entries++)
            waiting->begins[messages[m].after[i].worm + 1]++;
    for (size_t m = 0; m < waiting->count; m++)
        waiting->begins[m + 1] += waiting->begins[m];
    return entries;
}

static enum anl_status allocate(struct waiting *waiting, const struct anl_message *messages)
{
    const size_t count = waiting->count;
    waiting->begins = calloc(count + 1, sizeof *waiting->begins);
    waiting->filled = calloc(count, sizeof *waiting->filled);
    waiting->missing = calloc(count, sizeof *waiting->missing);
    waiting->due = calloc(count, sizeof *waiting->due);
    waiting->message_of = calloc(count, sizeof *waiting->message_of);
    waiting->dependencies = calloc(count, sizeof *waiting->dependencies);
    if (!waiting->begins || !waiting->filled || !waiting->missing || !waiting->due ||
        !waiting->message_of || !waiting->dependencies)
        return ANL_ERR_MEMORY;
    const size_t entries = count_dependents(waiting, messages);
    waiting->dependents = calloc(entries, sizeof *waiting->dependents);
    waiting->after = calloc(entries, sizeof *waiting->after);
    if (!waiting->dependents || !waiting->after) return ANL_ERR_MEMORY;
    return calendar_create(&waiting->calendar, (uint32_t)count);
}

// Fills in what message m waits for; its entries begin at `after`.
static void fill(struct waiting *waiting, const struct anl_message *messages, uint32_t m,
                 struct anl_after *after)
{
    const struct anl_message *message = &messages[m];
    waiting->dependencies[m] = (struct anl_dependencies){
        .earliest = message->cycle, .after = after, .count = message->num_after};
    waiting->due[m] = message->cycle;
    waiting->missing[m] = message->num_after;
    for (uint32_t i = 0; i < message->num_after; i++) {
        const uint32_t before = message->after[i].worm;
        after[i].cycles = message->after[i].cycles;
        waiting->dependents[waiting->begins[before] + waiting->filled[before]++] =
            (struct dependent){.message = m, .after = &after[i]};
    }
    if (message->num_after == 0) calendar_add(&waiting->calendar, message->cycle, m);
}

enum anl_status waiting_create(struct waiting *waiting, const struct anl_message *messages,
                               size_t count)
{
    bool any = false;
    for (size_t m = 0; m < count; m++)
        any |= messages[m].num_after > 0;
    if (!any) return ANL_OK;
    waiting->count = count;
    const enum anl_status status = allocate(waiting, messages);
    if (status) return status;
    struct anl_after *after = waiting->after;
    for (uint32_t m = 0; m < count; after += messages[m++].num_after)
        fill(waiting, messages, m, after);
    return ANL_OK;
}

void waiting_destroy(struct waiting *waiting)
{
    calendar_destroy(&waiting->calendar);
    free(waiting->begins);
    free(waiting->filled);
    free(waiting->missing);
    free(waiting->due);
    free(waiting->message_of);
    free(waiting->dependencies);
    free(waiting->dependents);
    free(waiting->after);
}

const struct anl_dependencies *waiting_for(const struct waiting *waiting, uint32_t worm)
{
    const struct anl_dependencies *all = &waiting->dependencies[waiting->message_of[worm]];
    return all->count ? all : NULL;
}

bool waiting_due(struct waiting *waiting, uint64_t cycle, uint32_t *message,
                 const struct anl_dependencies **dependencies)
{
    if (!calendar_due(&waiting->calendar, cycle, message)) return false;
    waiting->message_of[waiting->created++] = *message;
    *dependencies = waiting_for(waiting, waiting->created - 1);
    return true;
}

void waiting_delivered(struct waiting *waiting, uint32_t worm, uint64_t cycle)
{
    assert(worm < waiting->created);
    const uint32_t delivered = waiting->message_of[worm];
    for (size_t i = waiting->begins[delivered]; i < waiting->begins[delivered + 1]; i++) {
        const struct dependent *dependent = &waiting->dependents[i];
        const uint32_t m = dependent->message;
        const uint64_t due = cycle + dependent->after->cycles;
        dependent->after->worm = worm;
        if (due > waiting->due[m]) waiting->due[m] = due;
        if (--waiting->missing[m] == 0) calendar_add(&waiting->calendar, waiting->due[m], m);
    }
}

// --- state ---

// Packs when message m is due, or what it still waits for; on_time: it stands in the calendar.
static void pack_message(struct waiting *waiting, uint32_t m, uint64_t on_time,
                         struct anl_pack *pack)
{
    ANL_PACK(pack, waiting->due[m]);
    ANL_PACK(pack, waiting->missing[m]);
    ANL_PACK(pack, on_time);
    for (uint32_t i = 0; i < waiting->dependencies[m].count; i++) {
        // Each of them is also a dependent, which fills the worm in.
        struct anl_after *after =
            &waiting->after[waiting->dependencies[m].after - waiting->after + i];
        ANL_PACK(pack, after->worm);
    }
    if (pack->from && on_time != UINT64_MAX) calendar_add(&waiting->calendar, on_time, m);
}

void waiting_pack(struct waiting *waiting, struct anl_pack *pack)
{
    uint64_t *due = malloc(waiting->count * sizeof *due);
    if (!anl_pack_expect(pack, due != NULL)) return;
    calendar_read(&waiting->calendar, 0, (uint32_t)waiting->count, due);
    if (pack->from) waiting->calendar.count = 0;
    ANL_PACK_BELOW(pack, waiting->created, waiting->count + 1);
    for (uint32_t i = 0; i < waiting->created; i++)
        ANL_PACK_BELOW(pack, waiting->message_of[i], waiting->count);
    for (uint32_t m = 0; m < waiting->count; m++)
        pack_message(waiting, m, due[m], pack);
    free(due);
}
