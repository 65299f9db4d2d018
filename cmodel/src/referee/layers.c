// SPDX-License-Identifier: Apache-2.0
//
// The referee's reading of routing layered (docs/networks.md, "Routing tables"). All lanes of a
// layer are alike, so a layer is a graph of links: a link depends on each link by which a route of
// the layer goes on from it. It has no cycle before the routes of a pair of switches are tried in
// it, so a cycle would go through one of their links.

#include "referee.h"

#include <stdlib.h>

#define NO_TERMINAL UINT32_MAX

struct layering {
    struct referee_shape *shape;
    uint32_t *first;  // [switches] lowest terminal of a switch; NO_TERMINAL: it has none
    uint32_t *next;   // [terminals] the next terminal of the same switch
    // Dependencies of the links between switches, masks of the output ports of the switch at the
    // end of the link. Row `layer` has those of a layer, [links] each.
    uint32_t *after;
    uint32_t *tried;  // [links] those that are tried besides
    uint32_t *links;  // [links] links from which a search has still to go on
    uint32_t *seen;   // [links] number of the last search that has met the link
    uint32_t search;
};

// --- routes ---

static uint32_t link_of(const struct referee_shape *shape, uint32_t s, uint32_t terminal)
{
    return s * shape->ports + shape->entries[(size_t)terminal * shape->switches + s];
}

// Notes the dependencies of the routes from one switch to the terminals of another one that row
// (one of a layer) has not yet, or, if row is NULL, takes back all that are noted.
static void try_routes(struct layering *layering, const uint32_t *row, uint32_t from, uint32_t to)
{
    const struct referee_shape *shape = layering->shape;
    for (uint32_t t = layering->first[to]; t != NO_TERMINAL; t = layering->next[t]) {
        uint32_t link = link_of(shape, from, t);
        for (uint32_t s; (s = referee_link_end(shape, link)) != to;) {
            const uint32_t next = link_of(shape, s, t), port = 1u << next % shape->ports;
            layering->tried[link] = row ? layering->tried[link] | (port & ~row[link]) : 0;
            link = next;
        }
    }
}

// Makes the dependencies that are noted those of a layer.
static void keep_routes(struct layering *layering, uint32_t *row, uint32_t from, uint32_t to)
{
    const struct referee_shape *shape = layering->shape;
    for (uint32_t t = layering->first[to]; t != NO_TERMINAL; t = layering->next[t])
        for (uint32_t s = from; s != to;) {
            const uint32_t link = link_of(shape, s, t);
            row[link] |= layering->tried[link];
            s = referee_link_end(shape, link);
        }
}

// --- cycles ---

// Returns true if a link depends on itself, through the dependencies of a layer and those that are
// tried.
static bool comes_back(struct layering *layering, const uint32_t *row, uint32_t start)
{
    const struct referee_shape *shape = layering->shape;
    uint32_t count = 0;
    layering->search++;
    layering->links[count++] = start;
    while (count > 0) {
        const uint32_t link = layering->links[--count];
        const uint32_t base = referee_link_end(shape, link) * shape->ports;
        uint32_t ports = row[link] | layering->tried[link];
        for (uint32_t next = base; ports; next++, ports >>= 1) {
            if (!(ports & 1)) continue;
            if (next == start) return true;
            if (layering->seen[next] == layering->search) continue;
            layering->seen[next] = layering->search;
            layering->links[count++] = next;
        }
    }
    return false;
}

static bool closes_cycle(struct layering *layering, const uint32_t *row, uint32_t from, uint32_t to)
{
    const struct referee_shape *shape = layering->shape;
    for (uint32_t t = layering->first[to]; t != NO_TERMINAL; t = layering->next[t])
        for (uint32_t s = from; s != to;) {
            const uint32_t link = link_of(shape, s, t);
            if (layering->tried[link] && comes_back(layering, row, link)) return true;
            s = referee_link_end(shape, link);
        }
    return false;
}

// --- layers ---

// Returns the lowest layer for the routes from one switch to another one, which it adds to the
// layer; as many layers as there are lanes: none of them.
static uint32_t layer_for(struct layering *layering, uint32_t from, uint32_t to)
{
    const uint32_t lanes = layering->shape->lanes;
    for (uint32_t layer = 0; layer < lanes; layer++) {
        uint32_t *row = &layering->after[(size_t)layer * layering->shape->links];
        try_routes(layering, row, from, to);
        const bool fits = !closes_cycle(layering, row, from, to);
        if (fits) keep_routes(layering, row, from, to);
        try_routes(layering, NULL, from, to);
        if (fits) return layer;
    }
    return lanes;
}

static enum anl_status assign(struct layering *layering)
{
    struct referee_shape *shape = layering->shape;
    shape->num_layers = 1;
    for (uint32_t from = 0; from < shape->switches; from++)
        for (uint32_t to = 0; to < shape->switches; to++) {
            const bool used = layering->first[from] != NO_TERMINAL &&
                              layering->first[to] != NO_TERMINAL && from != to;
            const uint32_t layer = used ? layer_for(layering, from, to) : 0;
            if (layer == shape->lanes) return ANL_ERR_ARGUMENT;
            if (layer >= shape->num_layers) shape->num_layers = layer + 1;
            shape->layers[(size_t)from * shape->switches + to] = (uint8_t)layer;
        }
    return ANL_OK;
}

static void list_terminals(struct layering *layering)
{
    const struct anl_graph *graph = layering->shape->config.graph;
    for (uint32_t s = 0; s < graph->switches; s++)
        layering->first[s] = NO_TERMINAL;
    for (uint32_t t = graph->terminals; t-- > 0;) {
        const uint32_t home = graph->homes[t] / graph->ports;
        layering->next[t] = layering->first[home];
        layering->first[home] = t;
    }
}

enum anl_status referee_layers_fill(struct referee_shape *shape)
{
    const size_t links = shape->links;
    uint32_t *places =
        calloc(shape->switches + shape->terminals + (shape->lanes + 3) * links, sizeof *places);
    shape->layers = calloc((size_t)shape->switches * shape->switches, 1);
    if (!places || !shape->layers) {
        free(places);
        return ANL_ERR_MEMORY;
    }
    struct layering layering = {.shape = shape, .first = places};
    layering.next = layering.first + shape->switches;
    layering.tried = layering.next + shape->terminals;
    layering.links = layering.tried + links;
    layering.seen = layering.links + links;
    layering.after = layering.seen + links;
    list_terminals(&layering);
    const enum anl_status status = assign(&layering);
    free(places);
    return status;
}

uint32_t referee_layer_lanes(const struct referee_shape *shape, const struct referee_worm *worm)
{
    if (!shape->layers) return referee_all_lanes(shape);
    const struct anl_graph *graph = shape->config.graph;
    const uint32_t from = graph->homes[worm->source] / graph->ports;
    const uint32_t to = graph->homes[worm->destination] / graph->ports;
    const uint32_t layer = shape->layers[(size_t)from * shape->switches + to];
    const uint32_t share = shape->lanes / shape->num_layers, first = layer * share;
    const uint32_t end = layer + 1 == shape->num_layers ? shape->lanes : first + share;
    return (1u << end) - (1u << first);
}
