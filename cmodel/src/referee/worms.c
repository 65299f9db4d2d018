// SPDX-License-Identifier: Apache-2.0
//
// The worms that are created and not yet delivered, by id. The table is never more than half full,
// and a removal closes its gap, so that a search ends at the first empty place.

#include "referee.h"

#include <stdlib.h>

static uint32_t size_of(const struct referee_worms *worms) { return 1u << worms->bits; }

// Where a search for id begins.
static uint32_t home(const struct referee_worms *worms, uint32_t id)
{
    return (id * UINT32_C(2654435769)) >> (32 - worms->bits);
}

static uint32_t after(const struct referee_worms *worms, uint32_t place)
{
    return (place + 1) & (size_of(worms) - 1);
}

// The place of id, or the empty one where it would go.
static uint32_t place_of(const struct referee_worms *worms, uint32_t id)
{
    uint32_t place = home(worms, id);
    while (worms->places[place].length && worms->places[place].id != id)
        place = after(worms, place);
    return place;
}

static bool make_table(struct referee_worms *worms, uint32_t bits)
{
    *worms = (struct referee_worms){.bits = bits};
    worms->places = calloc(size_of(worms), sizeof *worms->places);
    return worms->places;
}

bool referee_worms_init(struct referee_worms *worms) { return make_table(worms, 8); }

void referee_worms_free(struct referee_worms *worms) { free(worms->places); }

static bool grow(struct referee_worms *worms)
{
    struct referee_worms larger;
    if (worms->bits == 31 || !make_table(&larger, worms->bits + 1)) return false;

    for (uint32_t i = 0; i < size_of(worms); i++)
        if (worms->places[i].length)
            larger.places[place_of(&larger, worms->places[i].id)] = worms->places[i];
    larger.count = worms->count;
    free(worms->places);
    *worms = larger;
    return true;
}

bool referee_worms_add(struct referee_worms *worms, const struct anl_worm *worm)
{
    if (worms->count >= size_of(worms) / 2 && !grow(worms)) return false;

    worms->places[place_of(worms, worm->id)] = (struct referee_worm){
        .created = worm->created,
        .id = worm->id,
        .source = worm->source,
        .destination = worm->destination,
        .path = worm->path,
        .length = worm->length,
    };
    worms->count++;
    return true;
}

struct referee_worm *referee_worms_find(const struct referee_worms *worms, uint32_t id)
{
    struct referee_worm *worm = &worms->places[place_of(worms, id)];
    return worm->length ? worm : NULL;
}

void referee_worms_remove(struct referee_worms *worms, uint32_t id)
{
    uint32_t gap = place_of(worms, id);
    if (!worms->places[gap].length) return;

    // A later worm of the same run of full places moves into the gap unless its home lies behind
    // it.
    for (uint32_t i = after(worms, gap); worms->places[i].length; i = after(worms, i)) {
        const uint32_t mask = size_of(worms) - 1;
        const uint32_t from_home = (i - home(worms, worms->places[i].id)) & mask;
        if (from_home < ((i - gap) & mask)) continue;
        worms->places[gap] = worms->places[i];
        gap = i;
    }
    worms->places[gap].length = 0;
    worms->count--;
}

const struct referee_worm *referee_worms_first(const struct referee_worms *worms)
{
    const struct referee_worm *first = NULL;
    for (uint32_t i = 0; i < size_of(worms); i++) {
        const struct referee_worm *worm = &worms->places[i];
        if (worm->length && (!first || worm->id < first->id)) first = worm;
    }
    return first;
}
