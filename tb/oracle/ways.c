// SPDX-License-Identifier: Apache-2.0
//
// Which way a head goes in a network, and how far a worm goes: docs/networks.md.

#include "oracle/network.h"

#include <assert.h>

static_assert((int)UP_DOWN_GREEDY == (int)ANL_UP_DOWN_GREEDY, "routings have the same numbers");
static_assert((int)ADAPTIVE == (int)ANL_ADAPTIVE && (int)VALIANT == (int)ANL_VALIANT,
              "routings have the same numbers");
static_assert((int)HYPERCUBE == (int)ANL_HYPERCUBE, "topologies have the same numbers");

bool oracle_has_options(const struct anl_config *own)
{
    if (own->routing == ANL_TABLE) return own->graph->options > 1 || own->escape_vcs > 0;
    return has_options((int)own->routing);
}

unsigned oracle_escapes(const struct anl_config *own)
{
    const struct oracle_cube cube = {(int)own->topology, (int)own->routing, own->k, own->n,
                                     own->num_vcs};
    return own->routing == ANL_TABLE ? own->escape_vcs : oracle_cube_escapes(&cube);
}

static struct oracle_route cube_way(const struct oracle_network *net, uint32_t s,
                                    struct oracle_place at, const struct anl_worm *worm)
{
    const struct oracle_cube cube = oracle_cube_of(net);
    unsigned here[ORACLE_DIMENSIONS], there[ORACLE_DIMENSIONS], via[ORACLE_DIMENSIONS];
    oracle_coordinates(&cube, s, here);
    oracle_coordinates(&cube, worm->destination, there);
    oracle_coordinates(&cube, worm->path, via);
    if (cube.routing == VALIANT)
        return oracle_valiant_route(&cube, here, via, there, at.port,
                                    at.vc - at.class_ * cube.num_vcs);
    if (has_options(cube.routing)) return oracle_cube_options(&cube, here, there, at.port);
    return oracle_cube_route(&cube, here, there);
}

static struct oracle_route tree_way(const struct oracle_network *net, const struct oracle_switch *s,
                                    struct oracle_place at, const struct anl_worm *worm)
{
    struct oracle_tree_head head = {.level = 1,
                                    .address = s->number,
                                    .destination = worm->destination,
                                    .path_rule = oracle_path_rule((int)net->config.routing),
                                    .path = worm->path,
                                    .random = s->random >> at.port & 1};
    while (head.address >= net->terminals / oracle_power(2, head.level + 1)) {
        head.address -= net->terminals / oracle_power(2, head.level + 1);
        head.level++;
    }
    return oracle_tree_route(&head, net->config.num_vcs);
}

static uint32_t levels_of_links(const struct oracle_network *net)
{
    return (net->config.passes == 2 ? 2 : 1) * (net->config.n - 1);
}

// The digits of the intermediate column, if there is one, and then those of the destination, the
// most significant one first, are the ports of a worm.
static struct oracle_route butterfly_way(const struct oracle_network *net, uint32_t s,
                                         const struct anl_worm *worm)
{
    const uint32_t k = net->config.k, n = net->config.n, links = levels_of_links(net);
    const uint32_t level = s / oracle_power(k, n - 1), first = links + 1 - n;
    const bool by_column = level < first;
    const uint32_t number = by_column ? worm->path : worm->destination;
    const uint32_t digit = by_column ? n - 2 - level : n - 1 - (level - first);
    return oracle_one_port(number / oracle_power(k, digit) % k, first_of(net->config.num_vcs));
}

struct oracle_route oracle_way(const struct oracle_switch *s, struct oracle_place at,
                               const struct oracle_flit *head)
{
    const struct oracle_network *net = s->network;
    const struct anl_worm *worm = &net->worms[oracle_worm(head)];
    switch (net->config.topology) {
    case ANL_GRAPH:
        return oracle_graph_route(net, at.class_, s->number, at.port, worm->destination);
    case ANL_FAT_TREE:
        return tree_way(net, s, at, worm);
    case ANL_BUTTERFLY:
        return butterfly_way(net, s->number, worm);
    default:
        return cube_way(net, s->number, at, worm);
    }
}

static unsigned cube_distance(const struct oracle_network *net, uint32_t from, uint32_t to)
{
    const struct oracle_cube cube = oracle_cube_of(net);
    unsigned a[ORACLE_DIMENSIONS], b[ORACLE_DIMENSIONS];
    oracle_coordinates(&cube, from, a);
    oracle_coordinates(&cube, to, b);
    return oracle_cube_distance(&cube, a, b);
}

// Of several options it is the one with the lowest port that counts.
static unsigned graph_distance(const struct oracle_network *net, const struct anl_worm *worm)
{
    const uint32_t t = worm->destination;
    struct oracle_side at = net->entry[worm->source];
    unsigned distance = 0;
    for (; at.node != net->home[t].node; distance++) {
        const struct oracle_route route =
            oracle_graph_route(net, worm->class_, at.node, at.port, t);
        uint32_t port = 0;
        while (!route.lanes[port])
            port++;
        at = net->to[at.node][port];
    }
    return distance;
}

unsigned oracle_distance(const struct oracle_network *net, const struct anl_worm *worm)
{
    switch (net->config.topology) {
    case ANL_GRAPH:
        return graph_distance(net, worm);
    case ANL_FAT_TREE:
        return oracle_tree_distance(worm->source, worm->destination);
    case ANL_BUTTERFLY:
        return levels_of_links(net);
    default:
        break;
    }
    if (net->config.routing != ANL_VALIANT)
        return cube_distance(net, worm->source, worm->destination);
    return cube_distance(net, worm->source, worm->path) +
           cube_distance(net, worm->path, worm->destination);
}
