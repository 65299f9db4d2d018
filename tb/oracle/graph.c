// SPDX-License-Identifier: Apache-2.0
//
// Graphs: docs/networks.md, "Graphs" and "Routing tables".

#include "oracle/network.h"

// Returns whether the link out of a port leads to a switch, and to which.
static bool leads_to_switch(const struct oracle_network *net, uint32_t s, uint32_t port,
                            uint32_t *to)
{
    *to = net->to[s][port].node;
    return net->to[s][port].what == ORACLE_SWITCH;
}

static bool comes_before(const struct oracle_network *net, uint32_t a, uint32_t b)
{
    const uint32_t *from_root = net->links[net->root];
    return from_root[a] != from_root[b] ? from_root[a] < from_root[b] : a < b;
}

static void measure_links(const struct oracle_network *net, uint32_t a, uint32_t *length,
                          bool down_alone)
{
    for (uint32_t b = 0; b < net->switches; b++)
        length[b] = a == b ? 0 : ORACLE_NO_PATH;
    for (uint32_t port = 0, b; port < net->ports; port++)
        if (leads_to_switch(net, a, port, &b) && a != b && !(down_alone && comes_before(net, b, a)))
            length[b] = 1;
}

// Fills in the lengths of all shortest paths: of any links, or of those that lead down.
static void measure(const struct oracle_network *net,
                    uint32_t length[ORACLE_SWITCHES][ORACLE_SWITCHES], bool down_alone)
{
    for (uint32_t a = 0; a < net->switches; a++)
        measure_links(net, a, length[a], down_alone);
    for (uint32_t via = 0; via < net->switches; via++)
        for (uint32_t a = 0; a < net->switches; a++)
            for (uint32_t b = 0; b < net->switches; b++)
                if (length[a][via] + length[via][b] < length[a][b])
                    length[a][b] = length[a][via] + length[via][b];
}

static void find_root(struct oracle_network *net)
{
    uint32_t most = 0;
    for (uint32_t s = 0; s < net->switches; s++) {
        uint32_t count = 0;
        for (uint32_t port = 0, to; port < net->ports; port++)
            if (leads_to_switch(net, s, port, &to) && to != s) count++;
        if (count > most) most = count, net->root = s;
    }
}

void oracle_wire_graph(struct oracle_network *net)
{
    const struct anl_graph *graph = net->config.graph;
    const uint32_t ports = graph->ports, links = graph->switches * ports;
    net->switches = graph->switches;
    net->terminals = graph->terminals;
    net->ports = ports;
    for (uint32_t port = 0; port < links; port++)
        if (graph->ends[port] < links)
            oracle_link(net, port / ports, port % ports, graph->ends[port] / ports,
                        graph->ends[port] % ports);
    for (uint32_t t = 0; t < net->terminals; t++) {
        const uint32_t home = graph->homes[t];
        const struct oracle_side side = {ORACLE_SWITCH, home / ports, home % ports};
        oracle_settle(net, t, side, side);
    }
    find_root(net);
    measure(net, net->links, false);
    measure(net, net->down, true);
}

// Returns total(s) of the page. A link up leads to a switch that comes before, so this ends.
static uint32_t total(const struct oracle_network *net, uint32_t s, uint32_t home)
{
    uint32_t best = ORACLE_NO_PATH;
    if (net->down[s][home] < ORACLE_NO_PATH) return net->down[s][home];
    for (uint32_t port = 0, to; port < net->ports; port++) {
        if (!leads_to_switch(net, s, port, &to) || !comes_before(net, to, s)) continue;
        const uint32_t length = 1 + total(net, to, home);
        if (length < best) best = length;
    }
    return best;
}

// Returns whether a port is one of those among which the number of the terminal decides.
static bool is_good(const struct oracle_network *net, enum anl_routing routing, uint32_t s,
                    uint32_t port, uint32_t home)
{
    uint32_t to;
    if (!leads_to_switch(net, s, port, &to)) return false;
    if (routing == ANL_SHORTEST) return net->links[to][home] + 1 == net->links[s][home];
    if (net->down[s][home] < ORACLE_NO_PATH)
        return !comes_before(net, to, s) && net->down[to][home] + 1 == net->down[s][home];
    return comes_before(net, to, s) && total(net, to, home) + 1 == total(net, s, home);
}

// The options of the user's table; without an entry, the port of the terminal.
static struct oracle_route table_route(const struct oracle_network *net, unsigned class_,
                                       uint32_t s, uint32_t p, uint32_t t)
{
    const struct anl_graph *graph = net->own[class_].graph;
    const uint32_t place = graph->by_input ? s * net->ports + p : s;
    const struct anl_table_hop *entry =
        &graph->table[(place * net->terminals + t) * graph->options];
    struct oracle_route route = {0};
    bool has_entry = false;
    for (uint32_t i = 0; i < graph->options; i++) {
        if (!entry[i].vcs) continue;
        route.lanes[entry[i].port] = entry[i].vcs;
        has_entry = true;
    }
    if (has_entry) return route;
    return oracle_one_port(net->home[t].port, first_of(net->config.num_vcs));
}

struct oracle_route oracle_graph_route(const struct oracle_network *net, unsigned class_,
                                       uint32_t s, uint32_t p, uint32_t t)
{
    const enum anl_routing routing = net->own[class_].routing;
    const uint64_t lanes = first_of(net->config.num_vcs);
    const uint32_t home = net->home[t].node;
    uint32_t good[ORACLE_NODE_PORTS], count = 0;
    if (routing == ANL_TABLE) return table_route(net, class_, s, p, t);
    if (s == home) return oracle_one_port(net->home[t].port, lanes);
    for (uint32_t port = 0; port < net->ports; port++)
        if (is_good(net, routing, s, port, home)) good[count++] = port;
    return oracle_one_port(good[t % count], lanes);
}
