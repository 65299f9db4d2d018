// SPDX-License-Identifier: Apache-2.0

#include "workload.h"

#include <assert.h>
#include <stdlib.h>

enum anl_status calendar_create(struct calendar *calendar, uint32_t terminals)
{
    *calendar = (struct calendar){.room = terminals};
    calendar->entries = malloc((terminals ? terminals : 1) * sizeof *calendar->entries);
    return calendar->entries ? ANL_OK : ANL_ERR_MEMORY;
}

void calendar_destroy(struct calendar *calendar) { free(calendar->entries); }

static bool before(struct calendar_entry a, struct calendar_entry b)
{
    return a.cycle != b.cycle ? a.cycle < b.cycle : a.terminal < b.terminal;
}

void calendar_add(struct calendar *calendar, uint64_t cycle, uint32_t terminal)
{
    assert(calendar->count < calendar->room);
    const struct calendar_entry added = {cycle, terminal};
    uint32_t hole = calendar->count++;
    while (hole > 0 && before(added, calendar->entries[(hole - 1) / 2])) {
        calendar->entries[hole] = calendar->entries[(hole - 1) / 2];
        hole = (hole - 1) / 2;
    }
    calendar->entries[hole] = added;
}

// Returns the earlier child of hole, or count if it has no child.
static uint32_t smaller_child(const struct calendar *calendar, uint32_t hole)
{
    const uint32_t left = 2 * hole + 1, right = left + 1;
    if (left >= calendar->count) return calendar->count;
    if (right == calendar->count) return left;
    return before(calendar->entries[right], calendar->entries[left]) ? right : left;
}

uint64_t calendar_next(const struct calendar *calendar)
{
    return calendar->count > 0 ? calendar->entries[0].cycle : UINT64_MAX;
}

void calendar_read(const struct calendar *calendar, uint32_t first, uint32_t count, uint64_t *due)
{
    for (uint32_t i = 0; i < count; i++)
        due[i] = UINT64_MAX;
    for (uint32_t i = 0; i < calendar->count; i++) {
        const uint32_t place = calendar->entries[i].terminal - first;
        if (place < count) due[place] = calendar->entries[i].cycle;
    }
}

bool calendar_due(struct calendar *calendar, uint64_t cycle, uint32_t *terminal)
{
    if (calendar->count == 0 || calendar->entries[0].cycle > cycle) return false;
    *terminal = calendar->entries[0].terminal;
    const struct calendar_entry last = calendar->entries[--calendar->count];
    uint32_t hole = 0;
    for (;;) {
        const uint32_t child = smaller_child(calendar, hole);
        if (child == calendar->count || before(last, calendar->entries[child])) break;
        calendar->entries[hole] = calendar->entries[child];
        hole = child;
    }
    calendar->entries[hole] = last;
    return true;
}
