// SPDX-License-Identifier: Apache-2.0
//
// Any network as a graph with a table: the same switches, ports, links and terminals with the same
// numbers, and an entry for each route, with an option for each way.

#include "network.h"

#include <stdlib.h>
#include <string.h>

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

static enum anl_status copy_wiring(const struct anl_config *config, struct anl_graph *graph,
                                   struct anl_error *error)
{
    const uint32_t links = graph->switches * graph->ports;
    enum anl_status status = ANL_OK;
    for (uint32_t t = 0; t < graph->terminals; t++)
        if (network_injection_port(config, t) != anl_ejection_link(config, t))
            REFUSE("terminal %u sends to another switch than that from which it receives, which a "
                   "graph cannot say",
                   t);
    for (uint32_t port = 0; !status && port < links; port++) {
        const struct anl_end end = anl_link_end(config, port / graph->ports, port % graph->ports);
        if (end.exists && !end.is_terminal)
            status = anl_graph_link(graph, port, end.node * graph->ports + end.port, error);
    }
    for (uint32_t t = 0; !status && t < graph->terminals; t++)
        status = anl_graph_attach(graph, t, anl_ejection_link(config, t), error);
    return status;
}

static enum anl_status copy_names(const struct anl_graph *from, struct anl_graph *graph,
                                  struct anl_error *error)
{
    if (!from || !from->names) return ANL_OK;
    graph->names = malloc(graph->switches * sizeof *graph->names);
    if (!graph->names) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for the graph");
    memcpy(graph->names, from->names, graph->switches * sizeof *graph->names);
    return ANL_OK;
}

// Puts the route of a place, if it has one, into the options of an entry.
static void copy_route(const struct anl_route *route, struct anl_table_hop *options)
{
    for (uint32_t rest = route->ports; rest; rest &= rest - 1) {
        const uint32_t port = (uint32_t)__builtin_ctz(rest);
        *options++ = (struct anl_table_hop){(uint8_t)port, route->vcs[port]};
    }
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

// Copies all routes into the table, if there is one. Returns how many options a route has at most.
static uint32_t copy_entries(const struct anl_config *config, struct anl_graph *graph)
{
    uint32_t most = 1;
    for (uint32_t s = 0; s < graph->switches; s++)
        for (uint32_t p = 0; p < (graph->by_input ? graph->ports : 1); p++)
            for (uint32_t t = 0; t < graph->terminals; t++) {
                const struct anl_input_lane at = {s, p, 0};
                const struct anl_route route = anl_route_at(config, at, t);
                most = larger(most, (uint32_t)__builtin_popcount(route.ports));
                if (graph->table) copy_route(&route, &graph->table[graph_entry(graph, s, p, t)]);
            }
    return most;
}

static enum anl_status copy_routes(const struct anl_config *config, struct anl_graph *graph,
                                   struct anl_error *error)
{
    if (anl_group_vcs(config, 0) != (1u << config->num_vcs) - 1)
        REFUSE("routing %s splits the lanes by source and destination, which an entry of a table "
               "cannot say",
               anl_routing_name(config->routing));
    graph->by_input = anl_reads_input(config);
    graph->options = copy_entries(config, graph);
    if (graph->options > 1 && !anl_is_adaptive(config))
        REFUSE("routing %s may go by %u ports, between which a table does not choose in this way",
               anl_routing_name(config->routing), graph->options);
    if (graph_options(graph) > ANL_MAX_GRAPH_ROUTES)
        REFUSE("a table of %zu options is too large, expected at most 2^28", graph_options(graph));
    graph->table = calloc(graph_options(graph), sizeof *graph->table);
    if (!graph->table) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for the table");
    copy_entries(config, graph);
    return ANL_OK;
}

static enum anl_status graph_of_class(const struct anl_config *config, uint32_t class_,
                                      struct anl_graph **graph, struct anl_error *error)
{
    const struct anl_shape shape = anl_shape_of(config);
    const struct anl_config one = anl_config_of_class(config, class_);
    if (config->routing == ANL_SOURCE && config->graph->own_routes)
        REFUSE("messages give worms routes of their own, which a table cannot hold");
    enum anl_status status =
        anl_graph_create(shape.switches, shape.ports, shape.terminals, graph, error);
    if (status) return status;
    status = copy_wiring(config, *graph, error);
    if (!status) status = copy_names(config->graph, *graph, error);
    if (!status) status = copy_routes(&one, *graph, error);
    if (!status) return ANL_OK;
    anl_graph_destroy(*graph);
    *graph = NULL;
    return status;
}

// All classes of a network whose routing is table have as many escape lanes.
static enum anl_status check_escapes(const struct anl_config *config, struct anl_error *error)
{
    const struct anl_config first = anl_config_of_class(config, 0);
    for (uint32_t c = 1; c < anl_num_classes(config); c++) {
        const struct anl_config one = anl_config_of_class(config, c);
        if (anl_escape_lanes(&one) != anl_escape_lanes(&first))
            REFUSE("classes 0 and %u have other escape lanes, which a table cannot say", c);
    }
    return ANL_OK;
}

enum anl_status anl_graph_of(const struct anl_config *config, struct anl_graph **graph,
                             struct anl_error *error)
{
    const uint32_t classes = anl_classes_differ(config) ? anl_num_classes(config) : 1;
    *graph = NULL;
    enum anl_status status = check_escapes(config, error);
    if (!status) status = graph_of_class(config, 0, graph, error);
    for (uint32_t c = 1; !status && c < classes; c++) {
        struct anl_graph *next;
        status = graph_of_class(config, c, &next, error);
        if (!status) anl_graph_add_class(*graph, next);
    }
    if (!status) return ANL_OK;
    anl_graph_destroy(*graph);
    *graph = NULL;
    return status;
}
