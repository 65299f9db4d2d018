// SPDX-License-Identifier: Apache-2.0
//
// Any network as a graph with a table: the same switches, ports, links and terminals with the same
// numbers, and an entry for each route.

#include "network.h"

#include <stdlib.h>
#include <string.h>

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

static enum anl_status copy_wiring(const struct anl_config *config, struct anl_graph *graph)
{
    const uint32_t links = graph->switches * graph->ports;
    enum anl_status status = ANL_OK;
    for (uint32_t port = 0; !status && port < links; port++) {
        const struct anl_end end = anl_link_end(config, port / graph->ports, port % graph->ports);
        if (end.exists && !end.is_terminal)
            status = anl_graph_link(graph, port, end.node * graph->ports + end.port, NULL);
    }
    for (uint32_t t = 0; !status && t < graph->terminals; t++)
        status = anl_graph_attach(graph, t, anl_ejection_link(config, t), NULL);
    return status;
}

static enum anl_status copy_names(const struct anl_graph *from, struct anl_graph *graph)
{
    if (!from || !from->names) return ANL_OK;
    graph->names = malloc(graph->switches * sizeof *graph->names);
    if (!graph->names) return ANL_ERR_MEMORY;
    memcpy(graph->names, from->names, graph->switches * sizeof *graph->names);
    return ANL_OK;
}

static enum anl_status copy_routes(const struct anl_config *config, struct anl_graph *graph,
                                   struct anl_error *error)
{
    const size_t terminals = graph->terminals;
    if (anl_group_vcs(config, 0) != (1u << config->num_vcs) - 1)
        REFUSE("routing %s splits the lanes by source and destination, which an entry of a table "
               "cannot say",
               anl_routing_name(config->routing));
    graph->table = malloc(graph->switches * terminals * sizeof *graph->table);
    if (!graph->table) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for the table");
    for (uint32_t s = 0; s < graph->switches; s++)
        for (uint32_t t = 0; t < terminals; t++) {
            const struct anl_route route =
                anl_route_at(config, (struct anl_input_lane){s, 0, 0}, t);
            const struct anl_way way = anl_first_way(route);
            const int ports = __builtin_popcount(route.ports);
            if (ports > 1)
                REFUSE("routing %s may go by %d ports from switch %u to terminal %u, an entry of a "
                       "table has one",
                       anl_routing_name(config->routing), ports, s, t);
            graph->table[s * terminals + t] =
                (struct anl_table_hop){(uint8_t)way.port, (uint8_t)way.vcs};
        }
    return ANL_OK;
}

enum anl_status anl_graph_of(const struct anl_config *config, struct anl_graph **graph,
                             struct anl_error *error)
{
    const struct anl_shape shape = anl_shape_of(config);
    if (config->routing == ANL_SOURCE && config->graph->own_routes)
        REFUSE("messages give worms routes of their own, which a table cannot hold");
    enum anl_status status =
        anl_graph_create(shape.switches, shape.ports, shape.terminals, graph, error);
    if (status) return status;
    status = copy_wiring(config, *graph);
    if (!status) status = copy_names(config->graph, *graph);
    if (status) anl_fail(error, status, "", 0, "no memory for the graph");
    if (!status) status = copy_routes(config, *graph, error);
    if (!status) return ANL_OK;
    anl_graph_destroy(*graph);
    *graph = NULL;
    return status;
}
