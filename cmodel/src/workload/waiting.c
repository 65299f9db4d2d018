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

bool waiting_due(struct waiting *waiting, uint64_t cycle, uint32_t *message,
                 const struct anl_dependencies **dependencies)
{
    if (!calendar_due(&waiting->calendar, cycle, message)) return false;
    waiting->message_of[waiting->created++] = *message;
    *dependencies = waiting->dependencies[*message].count ? &waiting->dependencies[*message] : NULL;
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
