// SPDX-License-Identifier: Apache-2.0
//
// Where a network is cut into parts (docs/scale.md). Switches stand in a row, and each part has a
// piece of it: in cubes the row of their numbers, so that parts are slabs along the last dimension;
// in networks with levels a row for each level, so that parts are subtrees as far as switches have
// one; in graphs the order in which a walk through the graph, breadth first, comes to them.

#include "network.h"

#include <stdlib.h>

enum { MAX_LEVELS = 2 * ANL_MAX_DIMENSIONS + 2 };

static uint32_t piece(uint32_t place, uint32_t places, uint32_t parts)
{
    return (uint32_t)((uint64_t)place * parts / places);
}

static void cut_by_number(uint32_t switches, uint32_t parts, uint32_t *part_of)
{
    for (uint32_t s = 0; s < switches; s++)
        part_of[s] = piece(s, switches, parts);
}

// --- levels ---

// Returns false, and fills nothing, if no level has a switch for each part.
static bool cut_levels(const struct anl_config *config, uint32_t switches, uint32_t parts,
                       uint32_t *part_of)
{
    const struct topology *topology = topology_of(config->topology);
    uint32_t in_level[MAX_LEVELS] = {0}, most = 0;
    for (uint32_t s = 0; s < switches; s++) {
        uint32_t *count = &in_level[topology->place(config, s).level];
        if (++*count > most) most = *count;
    }
    for (uint32_t s = 0; s < switches && most >= parts; s++) {
        const struct network_place place = topology->place(config, s);
        part_of[s] = piece(place.number, in_level[place.level], parts);
    }
    return most >= parts;
}

// --- graphs ---

// Lists the switches in the order of a walk that begins at switch 0, and anew at the first switch
// that it has not come to.
static enum anl_status walk(const struct anl_graph *graph, uint32_t *order)
{
    uint8_t *seen = calloc(graph->switches, 1);
    uint32_t count = 0;
    if (!seen) return ANL_ERR_MEMORY;
    for (uint32_t s = 0, next = 0; s < graph->switches; s++) {
        if (!seen[s]) order[count++] = s;
        seen[s] = 1;
        for (; next < count; next++)
            for (uint32_t p = 0; p < graph->ports; p++) {
                const uint32_t end = graph->ends[order[next] * graph->ports + p];
                if (end >= graph->switches * graph->ports || seen[end / graph->ports]) continue;
                seen[end / graph->ports] = 1;
                order[count++] = end / graph->ports;
            }
    }
    free(seen);
    return ANL_OK;
}

static enum anl_status cut_graph(const struct anl_graph *graph, uint32_t parts, uint32_t *part_of)
{
    uint32_t *order = calloc(graph->switches, sizeof *order);
    const enum anl_status status = order ? walk(graph, order) : ANL_ERR_MEMORY;
    for (uint32_t i = 0; !status && i < graph->switches; i++)
        part_of[order[i]] = piece(i, graph->switches, parts);
    free(order);
    return status;
}

enum anl_status anl_cut(const struct anl_config *config, uint32_t parts, uint32_t *part_of)
{
    const uint32_t switches = anl_shape_of(config).switches;
    const bool levels = topology_of(config->topology)->place;
    if (parts == 0 || parts > switches) return ANL_ERR_ARGUMENT;
    if (config->topology == ANL_GRAPH) return cut_graph(config->graph, parts, part_of);
    if (!levels || !cut_levels(config, switches, parts, part_of))
        cut_by_number(switches, parts, part_of);
    return ANL_OK;
}
