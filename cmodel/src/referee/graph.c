// SPDX-License-Identifier: Apache-2.0
//
// The referee's reading of docs/networks.md, "Graphs" and "Routing tables". It takes from a graph
// what the text says of it: where links end, which port a terminal has, and the user's table. The
// entries of the other routings follow from distances, which are lowered until none changes; those
// of layered and source are entries of one of the others (layers.c has the lanes of layered).

#include "referee.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define FAR UINT32_MAX  // no distance; no switch

// What the entries for one destination switch h follow from. The arrays have a place for each
// switch.
struct reading {
    const struct anl_graph *graph;
    uint32_t *ends;       // [switches * ports] the switch to which a link leads; FAR: none
    bool ordered;         // up_down: links lead up and down; otherwise all of them lead down
    uint32_t *from_root;  // distance from the root, which orders the switches
    uint32_t *down;       // least number of links, all of them down, to h
    uint32_t *total;      // the same where there is one; otherwise the least number over links up
};

static void init(struct referee_shape *shape)
{
    const struct anl_graph *graph = shape->config.graph;
    shape->switches = graph->switches;
    shape->ports = graph->ports;
    shape->terminals = graph->terminals;
    if (shape->config.routing == ANL_TABLE) shape->escapes = shape->config.escape_vcs;
}

static uint32_t link_end(const struct referee_shape *shape, uint32_t link)
{
    const struct anl_graph *graph = shape->config.graph;
    const uint32_t injection = graph->switches * graph->ports;
    if (link >= injection) return graph->homes[link - injection] / graph->ports;
    const uint32_t end = graph->ends[link];
    if (end == ANL_NO_PORT) return REFEREE_NO_LINK;
    return end < injection ? end / graph->ports : graph->switches + (end - injection);
}

static uint32_t link_input(const struct referee_shape *shape, uint32_t link)
{
    const struct anl_graph *graph = shape->config.graph;
    const uint32_t injection = graph->switches * graph->ports;
    return (link < injection ? graph->ends[link] : graph->homes[link - injection]) % graph->ports;
}

// Returns the switch to which a link leads; FAR: it leads to a terminal, or there is no link.
static uint32_t end_of(const struct anl_graph *graph, uint32_t s, uint32_t port)
{
    const uint32_t end = graph->ends[s * graph->ports + port];
    return end < graph->switches * graph->ports ? end / graph->ports : FAR;
}

// --- up and down ---

static bool leads_up(const struct reading *reading, uint32_t s, uint32_t to)
{
    const uint32_t *from_root = reading->from_root;
    if (!reading->ordered) return false;
    return from_root[to] < from_root[s] || (from_root[to] == from_root[s] && to < s);
}

static bool leads_down(const struct reading *reading, uint32_t s, uint32_t to)
{
    return !leads_up(reading, s, to);
}

// Links up are for switches from which no path leads down.
static bool has_to_lead_up(const struct reading *reading, uint32_t s, uint32_t to)
{
    return reading->down[s] == FAR && leads_up(reading, s, to);
}

// --- distances ---

typedef bool counts(const struct reading *reading, uint32_t s, uint32_t to);

// Lowers the distance of a switch to one more than that of a switch to which a link leads. Returns
// whether it has changed.
static bool lower(const struct reading *reading, uint32_t *distance, uint32_t s, counts *link)
{
    const uint32_t before = distance[s];
    const uint32_t *ends = &reading->ends[s * reading->graph->ports];
    for (uint32_t port = 0; port < reading->graph->ports; port++) {
        const uint32_t to = ends[port];
        if (to == FAR || distance[to] >= distance[s] || distance[to] + 1 == distance[s]) continue;
        if (link(reading, s, to)) distance[s] = distance[to] + 1;
    }
    return distance[s] != before;
}

// Goes through the switches forwards and backwards in turn, until no distance changes.
static void settle(const struct reading *reading, uint32_t *distance, counts *link)
{
    const uint32_t switches = reading->graph->switches;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t s = 0; s < switches; s++)
            changed |= lower(reading, distance, s, link);
        for (uint32_t s = switches; s-- > 0;)
            changed |= lower(reading, distance, s, link);
    }
}

static void start_at(const struct reading *reading, uint32_t *distance, uint32_t target)
{
    for (uint32_t s = 0; s < reading->graph->switches; s++)
        distance[s] = s == target ? 0 : FAR;
}

static uint32_t links_to_others(const struct reading *reading, uint32_t s)
{
    uint32_t count = 0;
    for (uint32_t port = 0; port < reading->graph->ports; port++) {
        const uint32_t to = reading->ends[s * reading->graph->ports + port];
        count += to != FAR && to != s;
    }
    return count;
}

// Orders the switches. Each link has one that leads back, so a switch is as far from the root as
// the root from the switch.
static void put_in_order(struct reading *reading)
{
    uint32_t root = 0;
    for (uint32_t s = 1; s < reading->graph->switches; s++)
        if (links_to_others(reading, s) > links_to_others(reading, root)) root = s;
    start_at(reading, reading->from_root, root);
    settle(reading, reading->from_root, leads_down);
    reading->ordered = true;
}

static void measure(const struct reading *reading, uint32_t target)
{
    start_at(reading, reading->down, target);
    settle(reading, reading->down, leads_down);
    for (uint32_t s = 0; s < reading->graph->switches; s++)
        reading->total[s] = reading->down[s];
    settle(reading, reading->total, has_to_lead_up);
}

// --- entries ---

static bool is_on_the_way(const struct reading *reading, uint32_t s, uint32_t port)
{
    const uint32_t to = reading->ends[s * reading->graph->ports + port];
    if (to == FAR) return false;
    if (reading->down[s] != FAR)
        return leads_down(reading, s, to) && reading->down[to] == reading->down[s] - 1;
    return leads_up(reading, s, to) && reading->total[to] == reading->total[s] - 1;
}

// Returns the entry (s, terminal) for a switch s that is not the terminal's. A switch from which no
// path leads to it is on no route.
static uint32_t entry_of(const struct reading *reading, uint32_t s, uint32_t terminal)
{
    uint32_t ports[ANL_MAX_PORTS] = {0}, count = 0;
    if (reading->total[s] == FAR) return 0;
    for (uint32_t port = 0; port < reading->graph->ports; port++)
        if (is_on_the_way(reading, s, port)) ports[count++] = port;
    return ports[terminal % count];
}

static void fill_entries(const struct reading *reading, uint8_t *entries)
{
    const struct anl_graph *graph = reading->graph;
    uint32_t measured = FAR;
    for (uint32_t t = 0; t < graph->terminals; t++) {
        const uint32_t home = graph->homes[t] / graph->ports;
        if (home != measured) measure(reading, home);
        measured = home;
        for (uint32_t s = 0; s < graph->switches; s++)
            entries[(size_t)t * graph->switches + s] =
                (uint8_t)(s == home ? graph->homes[t] % graph->ports : entry_of(reading, s, t));
    }
}

static void note_ends(struct reading *reading)
{
    const struct anl_graph *graph = reading->graph;
    for (uint32_t s = 0; s < graph->switches; s++)
        for (uint32_t port = 0; port < graph->ports; port++)
            reading->ends[s * graph->ports + port] = end_of(graph, s, port);
}

static bool fill_table(struct referee_shape *shape, bool up_down)
{
    const struct anl_graph *graph = shape->config.graph;
    const size_t switches = graph->switches;
    uint32_t *places = calloc(switches, (3 + graph->ports) * sizeof *places);
    shape->entries = malloc(switches * graph->terminals);
    if (places && shape->entries) {
        struct reading reading = {.graph = graph,
                                  .from_root = places,
                                  .down = places + switches,
                                  .total = places + 2 * switches,
                                  .ends = places + 3 * switches};
        note_ends(&reading);
        if (up_down) put_in_order(&reading);
        fill_entries(&reading, shape->entries);
    }
    free(places);
    return places && shape->entries;
}

// Returns the routing from which the ports of the routes come: layered has those of shortest, and
// source those that the scenario says.
static enum anl_routing ports_from(const struct anl_config *config)
{
    if (config->routing == ANL_LAYERED) return ANL_SHORTEST;
    return config->routing == ANL_SOURCE ? config->paths : config->routing;
}

static enum anl_status fill(struct referee_shape *shape)
{
    const enum anl_routing routing = ports_from(&shape->config);
    if (routing == ANL_TABLE) return ANL_OK;
    if (!fill_table(shape, routing == ANL_UP_DOWN)) return ANL_ERR_MEMORY;
    return shape->config.routing == ANL_LAYERED ? referee_layers_fill(shape) : ANL_OK;
}

// --- routes ---

// Returns the first option of an entry of the user's table.
static const struct anl_table_hop *options_of(const struct anl_graph *graph,
                                              const struct referee_head *head)
{
    size_t row = head->switch_;
    if (graph->by_input) row = row * graph->ports + head->input;
    return &graph->table[(row * graph->terminals + head->worm->destination) * graph->options];
}

// Source routes take the ports of a table, but any lanes.
static struct referee_route table_route(const struct referee_shape *shape,
                                        const struct referee_head *head)
{
    const struct anl_graph *graph = shape->config.graph;
    const struct anl_table_hop *options = options_of(graph, head);
    const uint32_t home = graph->homes[head->worm->destination];
    const uint8_t all = (uint8_t)referee_all_lanes(shape);
    struct referee_route route = {{0}};
    bool empty = true;
    for (uint32_t i = 0; i < graph->options; i++) {
        if (!options[i].vcs) continue;
        route.lanes[options[i].port] |= shape->config.routing == ANL_SOURCE ? all : options[i].vcs;
        empty = false;
    }
    if (empty && head->switch_ == home / graph->ports) route.lanes[home % graph->ports] = all;
    return route;
}

// The first link of a worm is its injection link, so the switch that its head has come to is number
// passed - 1 on its way.
static struct referee_route own_route(const struct referee_shape *shape,
                                      const struct referee_worm *worm)
{
    struct referee_route route = {{0}};
    if (worm->passed <= worm->route_length)
        route.lanes[worm->route[worm->passed - 1]] = (uint8_t)referee_all_lanes(shape);
    return route;
}

static struct referee_route route(const struct referee_shape *shape,
                                  const struct referee_head *head)
{
    const size_t entry = (size_t)head->worm->destination * shape->switches + head->switch_;
    struct referee_route route = {{0}};
    if (head->worm->route) return own_route(shape, head->worm);
    if (!shape->entries) return table_route(shape, head);
    route.lanes[shape->entries[entry]] = (uint8_t)referee_layer_lanes(shape, head->worm);
    return route;
}

// Returns how many times a route that begins at switch s passes a link.
static uint32_t times(const struct anl_graph *graph, const struct anl_worm *worm, uint32_t s,
                      uint32_t link)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < worm->route_length; i++) {
        const uint32_t passed = s * graph->ports + worm->route[i];
        count += passed == link;
        s = graph->ends[passed] / graph->ports;
    }
    return count;
}

bool referee_graph_has_route(const struct referee_shape *shape, const struct anl_worm *worm)
{
    const struct anl_graph *graph = shape->config.graph;
    const uint32_t first = graph->homes[worm->source] / graph->ports;
    uint32_t end = first;
    for (uint32_t i = 0; i < worm->route_length; i++) {
        if (end >= shape->switches || worm->route[i] >= graph->ports) return false;
        end = link_end(shape, end * graph->ports + worm->route[i]);
    }
    if (end != shape->switches + worm->destination) return false;
    for (uint32_t i = 0, s = first; i < worm->route_length; i++) {
        const uint32_t link = s * graph->ports + worm->route[i];
        if (times(graph, worm, first, link) != 1) return false;
        s = graph->ends[link] / graph->ports;
    }
    return true;
}

static void switch_name(const struct referee_shape *shape, uint32_t switch_, char *name)
{
    const struct anl_graph *graph = shape->config.graph;
    const int used = snprintf(name, REFEREE_NAME_BYTES, "%" PRIu32, switch_);
    if (graph->names)
        snprintf(name + used, (size_t)(REFEREE_NAME_BYTES - used), "(%s)", graph->names[switch_]);
}

const struct referee_family referee_graphs = {
    .init = init,
    .fill = fill,
    .link_end = link_end,
    .link_input = link_input,
    .route = route,
    .switch_name = switch_name,
};
