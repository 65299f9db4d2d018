// SPDX-License-Identifier: Apache-2.0

#include "unit_graph.h"

#include <stdio.h>
#include <string.h>

// Returns the number of a port of a switch that has no link in the table (graph->ends or
// graph->begins), nor in the other one if there is one; ANL_NO_PORT: the switch has none left.
static uint32_t graph_free_port(struct anl_rng *rng, const struct anl_graph *graph, uint32_t s,
                                const uint32_t *table, const uint32_t *other)
{
    uint32_t free_ports[ANL_MAX_PORTS], count = 0;
    for (uint32_t p = s * graph->ports; p < (s + 1) * graph->ports; p++)
        if (table[p] == ANL_NO_PORT && (!other || other[p] == ANL_NO_PORT)) free_ports[count++] = p;
    return count ? free_ports[anl_rng_below(rng, count)] : ANL_NO_PORT;
}

// Adds a link from a to b if both have a port left for it; returns whether they had.
static bool graph_add(struct anl_rng *rng, struct anl_graph *graph, uint32_t a, uint32_t b)
{
    const uint32_t from = graph_free_port(rng, graph, a, graph->ends, NULL);
    const uint32_t to = graph_free_port(rng, graph, b, graph->begins, NULL);
    if (from == ANL_NO_PORT || to == ANL_NO_PORT) return false;
    assert_int_equal(anl_graph_link(graph, from, to, NULL), ANL_OK);
    return true;
}

void graph_add_tree(struct anl_rng *rng, struct anl_graph *graph)
{
    for (uint32_t s = 1; s < graph->switches; s++) {
        uint32_t to = ANL_NO_PORT;
        while (to == ANL_NO_PORT)
            to = graph_free_port(rng, graph, anl_rng_below(rng, s), graph->ends, graph->begins);
        const uint32_t from = graph_free_port(rng, graph, s, graph->ends, graph->begins);
        assert_int_equal(anl_graph_link(graph, from, to, NULL), ANL_OK);
        assert_int_equal(anl_graph_link(graph, to, from, NULL), ANL_OK);
    }
}

void graph_add_terminals(struct anl_rng *rng, struct anl_graph *graph)
{
    for (uint32_t t = 0; t < graph->terminals; t++) {
        uint32_t port = ANL_NO_PORT;
        while (port == ANL_NO_PORT)
            port = graph_free_port(rng, graph, anl_rng_below(rng, graph->switches), graph->ends,
                                   graph->begins);
        assert_int_equal(anl_graph_attach(graph, t, port, NULL), ANL_OK);
    }
}

void graph_add_more(struct anl_rng *rng, struct anl_graph *graph, uint32_t count, bool one_way)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t a = anl_rng_below(rng, graph->switches);
        const uint32_t b = anl_rng_below(rng, graph->switches);
        if (!one_way && graph_free_port(rng, graph, b, graph->ends, NULL) == ANL_NO_PORT) continue;
        if (!one_way && graph_free_port(rng, graph, a, graph->begins, NULL) == ANL_NO_PORT)
            continue;
        if (graph_add(rng, graph, a, b) && !one_way && a != b) graph_add(rng, graph, b, a);
    }
}

void graph_name_switches(struct anl_graph *graph)
{
    graph->names = calloc(graph->switches, sizeof *graph->names);
    assert_non_null(graph->names);
    for (uint32_t s = 0; s < graph->switches; s++)
        snprintf(graph->names[s], sizeof graph->names[s], "n%c%u", 'a' + (int)(s % 26), s);
}

struct anl_graph *random_graph(struct anl_rng *rng, uint32_t switches, uint32_t ports,
                               uint32_t most_terminals, bool one_way)
{
    const uint32_t room = switches * ports - 2 * (switches - 1);
    const uint32_t terminals = unit_draw(rng, 1, most_terminals < room ? most_terminals : room);
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(switches, ports, terminals, &graph, NULL), ANL_OK);
    graph_add_tree(rng, graph);
    graph_add_terminals(rng, graph);
    graph_add_more(rng, graph, anl_rng_below(rng, 2 * switches), one_way);
    if (anl_rng_below(rng, 2)) graph_name_switches(graph);
    return graph;
}

struct anl_graph *graph_again(const struct anl_graph *graph)
{
    const uint32_t links = graph->switches * graph->ports;
    struct anl_graph *again;
    assert_int_equal(
        anl_graph_create(graph->switches, graph->ports, graph->terminals, &again, NULL), ANL_OK);
    for (uint32_t port = 0; port < links; port++)
        if (graph->ends[port] < links)
            assert_int_equal(anl_graph_link(again, port, graph->ends[port], NULL), ANL_OK);
    for (uint32_t t = 0; t < graph->terminals; t++)
        assert_int_equal(anl_graph_attach(again, t, graph->homes[t], NULL), ANL_OK);
    return again;
}

void random_table(struct anl_rng *rng, struct anl_graph *graph, uint32_t num_vcs)
{
    const uint32_t links = graph->switches * graph->ports;
    graph->table = calloc((size_t)graph->switches * graph->terminals, sizeof *graph->table);
    assert_non_null(graph->table);
    for (uint32_t t = 0; t < graph->terminals; t++) {
        for (uint32_t done = 0; done < graph->switches;) {
            const uint32_t port = done ? anl_rng_below(rng, links) : graph->homes[t];
            const uint32_t low = anl_rng_below(rng, num_vcs), end = graph->ends[port];
            const uint32_t high = unit_draw(rng, low, num_vcs - 1), s = port / graph->ports;
            struct anl_table_hop *entry = &graph->table[s * graph->terminals + t];
            if (entry->vcs || (done && end >= links)) continue;
            if (done && !graph->table[end / graph->ports * graph->terminals + t].vcs) continue;
            *entry = (struct anl_table_hop){(uint8_t)(port % graph->ports),
                                            (uint8_t)((2u << high) - (1u << low))};
            done++;
        }
        const uint32_t home = graph->homes[t] / graph->ports;
        if (anl_rng_below(rng, 3) == 0) graph->table[home * graph->terminals + t].vcs = 0;
    }
}

void random_options(struct anl_rng *rng, struct anl_graph *graph, uint32_t num_vcs, bool by_input)
{
    const uint32_t links = graph->switches * graph->ports, inputs = by_input ? graph->ports : 1;
    graph->by_input = by_input;
    graph->options = unit_draw(rng, 1, 3);
    graph->table = calloc((size_t)graph->switches * inputs * graph->terminals * graph->options,
                          sizeof *graph->table);
    uint8_t *done = calloc(graph->switches, 1);
    assert_true(graph->table && done);
    for (uint32_t t = 0; t < graph->terminals; t++) {
        const uint32_t home = graph->homes[t] / graph->ports;
        memset(done, 0, graph->switches);
        done[home] = 1;
        for (uint32_t count = 1; count < graph->switches;) {
            const uint32_t some = anl_rng_below(rng, links), s = some / graph->ports;
            const uint32_t to = graph->ends[some];
            if (done[s] || to >= links || !done[to / graph->ports]) continue;
            for (uint32_t p = 0; p < inputs; p++) {
                const size_t entry = (size_t)(s * inputs + p) * graph->terminals + t;
                for (uint32_t i = 0, left = graph->options; i < graph->ports && left > 0; i++) {
                    const uint32_t port = s * graph->ports + (some + i) % graph->ports;
                    const uint32_t end = graph->ends[port];
                    const uint32_t low = anl_rng_below(rng, num_vcs);
                    const uint32_t high = unit_draw(rng, low, num_vcs - 1);
                    if (end >= links || !done[end / graph->ports]) continue;
                    if (i > 0 && anl_rng_below(rng, 2)) continue;
                    graph->table[entry * graph->options + graph->options - left] =
                        (struct anl_table_hop){(uint8_t)(port % graph->ports),
                                               (uint8_t)((2u << high) - (1u << low))};
                    left--;
                }
            }
            done[s] = 1;
            count++;
        }
    }
    free(done);
}

struct anl_config graph_config(const struct anl_graph *graph, enum anl_routing routing,
                               uint32_t num_vcs)
{
    return (struct anl_config){.topology = ANL_GRAPH,
                               .graph = graph,
                               .k = graph->terminals,
                               .n = 1,
                               .num_vcs = num_vcs,
                               .depth = 2,
                               .flit_width_bits = 64,
                               .routing = routing,
                               .arbiter = ANL_ROUND_ROBIN};
}
