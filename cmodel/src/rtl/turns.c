// SPDX-License-Identifier: Apache-2.0

#include "rtl.h"

#include <stdlib.h>
#include <string.h>

// The heads for one destination: seen[] of an input port is the destination if one has come to it,
// and todo[] are those ports from which the ways have not been followed yet.
struct walk {
    uint32_t *seen, *todo;
    uint32_t left;  // in todo
};

static void come(struct walk *walk, uint32_t in, uint32_t destination)
{
    if (walk->seen[in] == destination) return;
    walk->seen[in] = destination;
    walk->todo[walk->left++] = in;
}

// Goes on from an input port by every option of its entry.
static void go_on(const struct anl_graph *graph, uint32_t in, uint32_t destination,
                  struct walk *walk, uint32_t *turns)
{
    const uint32_t here = in / graph->ports;
    const struct anl_table_hop *hops = rtl_options(graph, in, destination);
    for (uint32_t i = 0; i < graph->options && hops[i].vcs; i++) {
        const uint32_t end = graph->ends[here * graph->ports + hops[i].port];
        turns[in] |= 1u << hops[i].port;
        if (end < graph->switches * graph->ports) come(walk, end, destination);
    }
}

const struct anl_table_hop *rtl_options(const struct anl_graph *graph, uint32_t in,
                                        uint32_t destination)
{
    const size_t row = graph->by_input ? in : in / graph->ports;
    return &graph->routes[(row * graph->terminals + destination) * graph->options];
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

static void follow_all(const struct anl_graph *graph, struct walk *walk, uint32_t *turns)
{
    for (size_t i = 0; i < (size_t)graph->switches * graph->ports; i++)
        walk->seen[i] = ANL_NO_PORT;
    for (uint32_t to = 0; to < graph->terminals; to++) {
        for (uint32_t from = 0; from < graph->terminals; from++)
            come(walk, graph->homes[from], to);
        while (walk->left)
            go_on(graph, walk->todo[--walk->left], to, walk, turns);
    }
}

uint32_t *rtl_turns(const struct anl_graph *graph)
{
    const size_t ports = (size_t)graph->switches * graph->ports;
    uint32_t *turns = calloc(ports, sizeof *turns);
    if (!turns) return NULL;
    if (graph->turns) {
        memcpy(turns, graph->turns, ports * sizeof *turns);
        use_every_output(graph, turns);
        return turns;
    }
    struct walk walk = {malloc(ports * sizeof *walk.seen), malloc(ports * sizeof *walk.todo), 0};
    const bool room = turns && walk.seen && walk.todo;
    for (const struct anl_graph *one = graph; room && one; one = one->next)
        follow_all(one, &walk, turns);
    if (room) use_every_output(graph, turns);
    free(walk.seen);
    free(walk.todo);
    if (room) return turns;
    free(turns);
    return NULL;
}
