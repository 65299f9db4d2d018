// SPDX-License-Identifier: Apache-2.0

#include "rtl.h"

#include <stdlib.h>
#include <string.h>

// Goes from the injection link of a terminal to a destination, up to an input port that a head for
// it has come to before: there seen[] is the destination.
static void follow(const struct anl_graph *graph, uint32_t source, uint32_t destination,
                   uint32_t *seen, uint32_t *turns)
{
    uint32_t in = graph->homes[source];
    while (seen[in] != destination) {
        const uint32_t here = in / graph->ports;
        const struct anl_table_hop hop =
            graph->routes[(size_t)here * graph->terminals + destination];
        seen[in] = destination;
        turns[in] |= 1u << hop.port;
        in = graph->ends[here * graph->ports + hop.port];
        if (in >= graph->switches * graph->ports) return;
    }
}

static bool follow_all(const struct anl_graph *graph, uint32_t *turns)
{
    const size_t ports = (size_t)graph->switches * graph->ports;
    uint32_t *seen = malloc(ports * sizeof *seen);
    if (!seen) return false;
    for (size_t i = 0; i < ports; i++)
        seen[i] = ANL_NO_PORT;
    for (uint32_t to = 0; to < graph->terminals; to++)
        for (uint32_t from = 0; from < graph->terminals; from++)
            follow(graph, from, to, seen, turns);
    free(seen);
    return true;
}

// An arbiter has one input at least: an output port that no route leads to has the turn from the
// input port of its number.
static void use_every_output(const struct anl_graph *graph, uint32_t *turns)
{
    for (uint32_t first = 0; first < graph->switches * graph->ports; first += graph->ports) {
        uint32_t used = 0;
        for (uint32_t p = 0; p < graph->ports; p++)
            used |= turns[first + p];
        for (uint32_t p = 0; p < graph->ports; p++)
            if (!(used >> p & 1)) turns[first + p] |= 1u << p;
    }
}

uint32_t *rtl_turns(const struct anl_graph *graph)
{
    const size_t ports = (size_t)graph->switches * graph->ports;
    uint32_t *turns = calloc(ports, sizeof *turns);
    if (!turns) return NULL;
    if (graph->turns)
        memcpy(turns, graph->turns, ports * sizeof *turns);
    else if (!follow_all(graph, turns)) {
        free(turns);
        return NULL;
    }
    use_every_output(graph, turns);
    return turns;
}
