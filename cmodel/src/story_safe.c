// SPDX-License-Identifier: Apache-2.0
//
// Networks in which no worm can ever be dead, so that nobody need look: a lane depends on those
// that heads in it may take, and if no lane depends on itself, not even by way of others, then the
// lanes that depend on none (of ejection links) empty for ever, therefore those that depend on
// these do, and so on (docs/worms.md, "Deadlock": leave has no limit). Fat-trees need no search.

#include "story_parts.h"

#include <stdlib.h>

struct dependencies {
    const struct anl_story *story;
    uint8_t *sets;         // [lanes * ports] lanes of each output port that the lane depends on
    uint32_t *dependents;  // [lanes] how many of the dependencies are not yet gone through
    uint32_t *free;        // [lanes] that no lane depends on any more
};

static uint8_t *set_of(const struct dependencies *all, uint32_t lane, uint32_t port)
{
    return &all->sets[(size_t)lane * all->story->shape.ports + port];
}

// Heads for destination that switch_ lets into the lanes of route, take others behind them.
static void add(struct dependencies *all, const struct story_route *route, uint32_t destination)
{
    const struct anl_story *story = all->story;
    const uint32_t next = story->links[route->link].end;
    if (next == TO_TERMINAL) return;
    const struct story_route *then =
        &story->routes[(size_t)next * story->shape.terminals + destination];
    const uint32_t port = then->link % story->shape.ports;
    for (uint32_t rest = route->set; rest; rest &= rest - 1)
        *set_of(all, lane_at(story, route->link, lowest(rest)), port) |= (uint8_t)then->set;
}

// Goes through what a lane depends on: change is +1 or -1. Returns how many lanes became free.
static uint32_t go_through(struct dependencies *all, uint32_t lane, int change, uint32_t *free)
{
    const struct anl_story *story = all->story;
    const uint32_t end = story->links[story->places[lane].link].end;
    uint32_t count = 0;
    if (end == TO_TERMINAL || end == NONE) return 0;
    for (uint32_t port = 0; port < story->shape.ports; port++)
        for (uint32_t rest = *set_of(all, lane, port); rest; rest &= rest - 1) {
            const uint32_t on = lane_at(story, end * story->shape.ports + port, lowest(rest));
            all->dependents[on] += (uint32_t)change;
            if (change < 0 && all->dependents[on] == 0) free[count++] = on;
        }
    return count;
}

static bool has_circle(struct dependencies *all)
{
    const struct anl_story *story = all->story;
    const uint32_t terminals = story->shape.terminals;
    uint32_t count = 0;
    for (uint32_t i = 0; i < story->shape.switches * terminals; i++)
        add(all, &story->routes[i], i % terminals);
    for (uint32_t lane = 0; lane < story->lanes; lane++)
        go_through(all, lane, 1, NULL);
    for (uint32_t lane = 0; lane < story->lanes; lane++)
        if (all->dependents[lane] == 0) all->free[count++] = lane;
    for (uint32_t i = 0; i < count; i++)
        count += go_through(all, all->free[i], -1, &all->free[count]);
    return count < story->lanes;
}

enum anl_status story_find_safe(struct anl_story *story)
{
    const size_t lanes = story->lanes;
    story->safe = story->config.topology == ANL_FAT_TREE;  // no path goes up after going down
    if (story->safe || !story->routes) return ANL_OK;
    struct dependencies all = {
        .story = story,
        .sets = calloc(lanes * story->shape.ports, sizeof *all.sets),
        .dependents = calloc(lanes, sizeof *all.dependents),
        .free = malloc(lanes * sizeof *all.free),
    };
    const bool good = all.sets && all.dependents && all.free;
    if (good) story->safe = !has_circle(&all);
    free(all.sets);
    free(all.dependents);
    free(all.free);
    return good ? ANL_OK : ANL_ERR_MEMORY;
}
