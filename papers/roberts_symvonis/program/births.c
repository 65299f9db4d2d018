// SPDX-License-Identifier: Apache-2.0
//
// The creation phase: a worm goes by a shortest path to the trail of its side, and then on it. It
// is born in the step that makes it the worm of slot 0.

#include "common/common.h"
#include "snakes.h"

#include <annelid/bufferless.h>
#include <stdlib.h>
#include <string.h>

// Notes for each cell of a trail when its train first is there, and by which port it then leaves.
static void follow(const struct layout *layout, enum side side, struct births *births)
{
    const uint32_t processor = layout->m - 2;  // steps from the start
    uint32_t cell = layout->starts[side], in = side == SIDE_LEFT ? ANL_WEST : ANL_EAST;
    for (uint32_t step = 0; step < layout->period; step++) {
        const uint8_t way = layout_way(layout, cell, in);
        if (births->ways[cell] == ANL_NO_WAY) {
            births->ways[cell] = way;
            births->lead[cell] = (processor + layout->period - step) % layout->period;
        }
        cell = layout_next(layout, cell, way);
        in = way ^ 1u;
    }
}

// Returns the port to a neighbour that is `steps` steps away from the trail, or ANL_NO_WAY.
static uint32_t port_nearer(const struct layout *layout, const struct births *births, uint32_t cell,
                            uint32_t steps)
{
    for (uint32_t port = 0; port < ANL_BUFFERLESS_LINKS; port++) {
        if (!layout_inside(layout, cell, port)) continue;
        const uint32_t next = layout_next(layout, cell, port);
        if (births->ways[next] != ANL_NO_WAY && births->path[next] == steps) return port;
    }
    return ANL_NO_WAY;
}

// Gives a way to the cells that are steps + 1 steps away from the trail. Returns whether there are
// any.
static bool widen(const struct layout *layout, struct births *births, uint32_t steps)
{
    bool any = false;
    for (uint32_t cell = 0; cell < layout->cells; cell++) {
        if (births->ways[cell] != ANL_NO_WAY) continue;
        const uint32_t port = port_nearer(layout, births, cell, steps);
        if (port == ANL_NO_WAY) continue;
        births->ways[cell] = (uint8_t)port;
        births->path[cell] = steps + 1;
        births->lead[cell] = births->lead[layout_next(layout, cell, port)] + 1;
        any = true;
    }
    return any;
}

enum anl_status births_create(const struct layout *layout, enum side side, struct births *births,
                              struct anl_error *error)
{
    *births = (struct births){malloc(layout->cells), calloc(layout->cells, sizeof *births->path),
                              calloc(layout->cells, sizeof *births->lead)};
    if (!births->ways || !births->path || !births->lead) {
        births_free(births);
        return cli_fail(ANL_ERR_MEMORY, error);
    }
    memset(births->ways, ANL_NO_WAY, layout->cells);
    follow(layout, side, births);
    for (uint32_t steps = 0; widen(layout, births, steps);)
        steps++;
    return ANL_OK;
}

void births_free(struct births *births)
{
    free(births->ways);
    free(births->path);
    free(births->lead);
    *births = (struct births){0};
}
