// SPDX-License-Identifier: Apache-2.0
//
// The worms that are created and not yet delivered, by id. The table is never more than half full,
// and a removal closes its gap, so a search ends at the first empty slot.
#include "referee.h"

#include <stdlib.h>

static uint32_t size_of(const struct referee_worms *worms) { return 1u << worms->bits; }

// Returns the slot at which a search for id begins.
static uint32_t home_slot(const struct referee_worms *worms, uint32_t id)
{
    return (id * UINT32_C(2654435769)) >> (32 - worms->bits);
}

static uint32_t after(const struct referee_worms *worms, uint32_t slot)
{
    return (slot + 1) & (size_of(worms) - 1);
}

// Returns the slot of id, or the empty slot into which it would go.
static uint32_t slot_of(const struct referee_worms *worms, uint32_t id)
{
    uint32_t slot = home_slot(worms, id);
    while (worms->slots[slot].length && worms->slots[slot].id != id)
        slot = after(worms, slot);
    return slot;
}

static bool make_table(struct referee_worms *worms, uint32_t bits)
{
    *worms = (struct referee_worms){.bits = bits};
    worms->slots = calloc(size_of(worms), sizeof *worms->slots);
    return worms->slots;
}

bool referee_worms_init(struct referee_worms *worms) { return make_table(worms, 8); }

void referee_worms_free(struct referee_worms *worms) { free(worms->slots); }

static bool grow(struct referee_worms *worms)
{
    struct referee_worms larger;
    if (worms->bits == 31 || !make_table(&larger, worms->bits + 1)) return false;

    for (uint32_t i = 0; i < size_of(worms); i++)
        if (worms->slots[i].length)
            larger.slots[slot_of(&larger, worms->slots[i].id)] = worms->slots[i];
    larger.count = worms->count;
    free(worms->slots);
    *worms = larger;
    return true;
}

bool referee_worms_add(struct referee_worms *worms, const struct anl_worm *worm)
{
    if (worms->count >= size_of(worms) / 2 && !grow(worms)) return false;

    worms->slots[slot_of(worms, worm->id)] = (struct referee_worm){
        .created = worm->created,
        .id = worm->id,
        .source = worm->source,
        .destination = worm->destination,
        .path = worm->path,
        .length = worm->length,
        .class_ = worm->class_,
        .role = worm->role,
        .route = worm->route,
        .route_length = worm->route_length,
    };
    worms->count++;
    return true;
}

struct referee_worm *referee_worms_find(const struct referee_worms *worms, uint32_t id)
{
    struct referee_worm *worm = &worms->slots[slot_of(worms, id)];
    return worm->length ? worm : NULL;
}

void referee_worms_remove(struct referee_worms *worms, uint32_t id)
{
    uint32_t gap = slot_of(worms, id);
    if (!worms->slots[gap].length) return;

    // A later worm of the same run of full slots moves into the gap, unless its home slot lies
    // behind the gap.
    for (uint32_t i = after(worms, gap); worms->slots[i].length; i = after(worms, i)) {
        const uint32_t mask = size_of(worms) - 1;
        const uint32_t from_home = (i - home_slot(worms, worms->slots[i].id)) & mask;
        if (from_home < ((i - gap) & mask)) continue;
        worms->slots[gap] = worms->slots[i];
        gap = i;
    }
    worms->slots[gap].length = 0;
    worms->count--;
}

const struct referee_worm *referee_worms_first(const struct referee_worms *worms)
{
    const struct referee_worm *first = NULL;
    for (uint32_t i = 0; i < size_of(worms); i++) {
        const struct referee_worm *worm = &worms->slots[i];
        if (worm->length && (!first || worm->id < first->id)) first = worm;
    }
    return first;
}
