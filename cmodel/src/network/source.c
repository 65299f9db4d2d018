// SPDX-License-Identifier: Apache-2.0
//
// Source routes (docs/networks.md, "Routing tables", and docs/link.md, "Data of a flit"): the head
// of a worm carries the list of its output ports. The list is that of the worm's message, or else
// it follows from the routes of the graph.

#include "network.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static uint32_t num_links(const struct anl_graph *graph) { return graph->switches * graph->ports; }

// Returns the port of the table's entry; each entry has one.
static uint32_t port_of(const struct anl_graph *graph, uint32_t in, uint32_t terminal)
{
    const size_t place = graph->by_input ? in : in / graph->ports;
    return graph->routes[(place * graph->terminals + terminal) * graph->options].port;
}

// --- one worm ---

struct network_walk network_walk_begin(const struct anl_graph *graph, const struct anl_worm *worm)
{
    return (struct network_walk){.graph = graph, .worm = worm, .in = graph->homes[worm->source]};
}

bool network_walk_next(struct network_walk *walk)
{
    const struct anl_graph *graph = walk->graph;
    const struct anl_worm *worm = walk->worm;
    if (walk->in >= num_links(graph)) return false;
    walk->port =
        worm->route ? worm->route[walk->passed] : port_of(graph, walk->in, worm->destination);
    walk->link = walk->in / graph->ports * graph->ports + walk->port;
    walk->in = graph->ends[walk->link];
    walk->passed++;
    return true;
}

uint32_t anl_source_port_bits(const struct anl_config *config)
{
    return network_bits_for(config->graph->ports);
}

const uint8_t *anl_source_list(const struct anl_config *config, const struct anl_worm *worm,
                               uint8_t *ports, uint32_t *length)
{
    *length = worm->route_length;
    if (worm->route) return worm->route;
    struct network_walk walk = network_walk_begin(config->graph, worm);
    while (network_walk_next(&walk))
        ports[(*length)++] = (uint8_t)walk.port;
    return ports;
}

uint32_t anl_switches_passed(const struct anl_config *config, const struct anl_worm *worm,
                             uint32_t link)
{
    struct network_walk walk = network_walk_begin(config->graph, worm);
    if (link == num_links(config->graph) + worm->source) return 0;
    while (network_walk_next(&walk))
        if (walk.link == link) return walk.passed;
    return UINT32_MAX;
}

static uint32_t distance_of(const struct anl_config *config, const struct anl_worm *worm)
{
    if (config->routing == ANL_VALIANT)
        return anl_distance(config, worm->source, worm->path) +
               anl_distance(config, worm->path, worm->destination);
    return anl_distance(config, worm->source, worm->destination);
}

uint32_t anl_worm_distance(const struct anl_config *config, const struct anl_worm *worm)
{
    if (worm->route) return worm->route_length - 1u;
    if (!anl_classes_differ(config)) return distance_of(config, worm);
    const struct anl_config one = anl_config_of_class(config, worm->class_);
    return distance_of(&one, worm);
}

uint32_t anl_own_port(const struct anl_config *config, struct anl_input_lane at,
                      const struct anl_worm *worm)
{
    const struct anl_graph *graph = config->graph;
    const uint32_t link = graph->begins[at.switch_ * graph->ports + at.port];
    return worm->route[anl_switches_passed(config, worm, link)];
}

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

// Checks a step to the next switch, or to the destination.
static enum anl_status check_step(const struct anl_config *config, const struct anl_worm *worm,
                                  uint32_t in, uint32_t passed, struct anl_error *error)
{
    const struct anl_graph *graph = config->graph;
    const uint32_t port = worm->route[passed], end = num_links(graph) + worm->destination;
    const bool last = passed + 1u == worm->route_length;
    char name[64], there[64];
    anl_switch_name(config, in / graph->ports, name, sizeof name);
    if (port >= graph->ports) REFUSE("found port %u, expected 0..%u", port, graph->ports - 1);
    const uint32_t to = graph->ends[in / graph->ports * graph->ports + port];
    if (to == ANL_NO_PORT) REFUSE("no link leaves switch %s by port %u", name, port);
    if (to >= num_links(graph) ? last && to == end : !last) return ANL_OK;
    if (to >= num_links(graph))
        REFUSE("port %u of switch %s leads to terminal %u, expected %s%u", port, name,
               to - num_links(graph), last ? "terminal " : "a switch before terminal ",
               worm->destination);
    anl_switch_name(config, to / graph->ports, there, sizeof there);
    REFUSE("the last port, %u of switch %s, leads to switch %s, expected terminal %u", port, name,
           there, worm->destination);
}

enum anl_status anl_own_route_check(const struct anl_config *config, const struct anl_worm *worm,
                                    struct anl_error *error)
{
    const struct anl_graph *graph = config->graph;
    if (config->routing != ANL_SOURCE)
        REFUSE("a route is for routing source; routing is %s", anl_routing_name(config->routing));
    if (worm->route_length == 0) REFUSE("found a list of no ports, expected 1 or more");
    struct network_walk walk = network_walk_begin(graph, worm);
    while (walk.passed < worm->route_length) {
        const enum anl_status status = check_step(config, worm, walk.in, walk.passed, error);
        if (status) return status;
        network_walk_next(&walk);
        if (anl_switches_passed(config, worm, walk.link) != walk.passed) {
            char name[64];
            anl_link_name(config, walk.link, name, sizeof name);
            REFUSE("link %s is passed twice", name);
        }
    }
    return ANL_OK;
}

// --- all worms of a run ---

static void note_length(struct anl_graph *graph, uint32_t length)
{
    if (length > graph->longest_route) graph->longest_route = length;
}

void anl_graph_begin_routes(struct anl_graph *graph)
{
    memset(graph->turns, 0, num_links(graph) * sizeof *graph->turns);
    graph->longest_route = 0;
    graph->own_routes = true;
}

void anl_graph_add_route(struct anl_graph *graph, const struct anl_worm *worm)
{
    struct network_walk walk = network_walk_begin(graph, worm);
    for (uint32_t in = walk.in; network_walk_next(&walk); in = walk.in)
        graph->turns[in] |= 1u << walk.port;
    note_length(graph, walk.passed);
}

void anl_graph_end_routes(struct anl_graph *graph)
{
    const uint64_t before = network_hash_of(graph) + graph->longest_route;
    graph->hash =
        XXH3_64bits_withSeed(graph->turns, num_links(graph) * sizeof *graph->turns, before);
}

// What is known of the routes to one terminal.
struct met {
    uint32_t *by;    // [ports] the last terminal for which a head has come to the input port
    uint32_t *left;  // [ports] of this head: the switches from there on
};

// Notes the route of a pair of terminals, up to an input port from where it is known. Returns its
// length.
static uint32_t note_pair(struct anl_graph *graph, uint32_t source, uint32_t terminal,
                          const struct met *met)
{
    const struct anl_worm worm = {.source = source, .destination = terminal};
    struct network_walk walk = network_walk_begin(graph, &worm);
    for (uint32_t in = walk.in; in < num_links(graph) && met->by[in] != terminal; in = walk.in) {
        network_walk_next(&walk);
        met->by[in] = terminal;
        graph->turns[in] |= 1u << walk.port;
    }
    const uint32_t length = walk.passed + (walk.in < num_links(graph) ? met->left[walk.in] : 0);
    struct network_walk again = network_walk_begin(graph, &worm);
    while (again.passed < walk.passed) {
        met->left[again.in] = length - again.passed;
        network_walk_next(&again);
    }
    return length;
}

static enum anl_status note_all_pairs(struct anl_graph *graph)
{
    const size_t ports = num_links(graph);
    const struct met met = {malloc(ports * sizeof *met.by), malloc(ports * sizeof *met.left)};
    if (met.by && met.left) {
        memset(met.by, 0xff, ports * sizeof *met.by);
        for (uint32_t t = 0; t < graph->terminals; t++)
            for (uint32_t source = 0; source < graph->terminals; source++)
                note_length(graph, note_pair(graph, source, t, &met));
    }
    free(met.by);
    free(met.left);
    return met.by && met.left ? ANL_OK : ANL_ERR_MEMORY;
}

// Lists name no lanes.
static void take_all_lanes(struct anl_graph *graph, uint32_t num_vcs)
{
    const size_t places = (size_t)graph->switches * (graph->by_input ? graph->ports : 1);
    for (size_t i = 0; i < places * graph->terminals; i++)
        if (graph->routes[i].vcs) graph->routes[i].vcs = (uint8_t)((1u << num_vcs) - 1);
}

enum anl_status anl_graph_route_source(struct anl_graph *graph, enum anl_routing paths,
                                       uint32_t num_vcs, struct anl_error *error)
{
    if (paths == ANL_TABLE && graph->options > 1)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "the table has several ports in an entry, routing source expects one");
    enum anl_status status = anl_graph_route(graph, paths, num_vcs, error);
    if (status) return status;
    take_all_lanes(graph, num_vcs);
    graph->turns = calloc(num_links(graph), sizeof *graph->turns);
    status = graph->turns ? note_all_pairs(graph) : ANL_ERR_MEMORY;
    if (status) return anl_fail(error, status, "", 0, "no memory for routes");
    anl_graph_end_routes(graph);
    return ANL_OK;
}
