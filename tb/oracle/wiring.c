// SPDX-License-Identifier: Apache-2.0
//
// Where every link goes, as a table that is filled once: docs/networks.md.

#include "oracle/network.h"

#include <assert.h>

void oracle_link(struct oracle_network *net, uint32_t s, uint32_t o, uint32_t t, uint32_t p)
{
    assert(s < ORACLE_SWITCHES && t < ORACLE_SWITCHES);
    assert(o < ORACLE_NODE_PORTS && p < ORACLE_NODE_PORTS);
    assert(net->to[s][o].what == ORACLE_NOBODY && net->from[t][p].what == ORACLE_NOBODY);
    net->to[s][o] = (struct oracle_side){ORACLE_SWITCH, t, p};
    net->from[t][p] = (struct oracle_side){ORACLE_SWITCH, s, o};
}

void oracle_settle(struct oracle_network *net, uint32_t terminal, struct oracle_side entry,
                   struct oracle_side home)
{
    assert(terminal < ORACLE_TERMINALS);
    assert(entry.node < ORACLE_SWITCHES && home.node < ORACLE_SWITCHES);
    assert(net->from[entry.node][entry.port].what == ORACLE_NOBODY);
    assert(net->to[home.node][home.port].what == ORACLE_NOBODY);
    net->from[entry.node][entry.port] = (struct oracle_side){ORACLE_TERMINAL, terminal, 0};
    net->to[home.node][home.port] = (struct oracle_side){ORACLE_TERMINAL, terminal, 0};
    net->entry[terminal] = entry;
    net->home[terminal] = home;
}

static void settle_at(struct oracle_network *net, uint32_t terminal, uint32_t s, uint32_t port)
{
    const struct oracle_side side = {ORACLE_SWITCH, s, port};
    oracle_settle(net, terminal, side, side);
}

// ---------------------------------------------------------------- k-ary n-cubes

struct oracle_cube oracle_cube_of(const struct oracle_network *net)
{
    return (struct oracle_cube){(int)net->config.topology, (int)net->config.routing, net->config.k,
                                net->config.n, net->config.num_vcs};
}

// Adds the link or links between a switch and its neighbour towards "+" of a dimension.
static void link_towards_plus(struct oracle_network *net, uint32_t s, uint32_t d)
{
    const uint32_t k = net->config.k, stride = oracle_power(k, d);
    const uint32_t x = s / stride % k, y = (x + 1) % k, next = s - x * stride + y * stride;
    const bool is_mesh = net->config.topology == ANL_MESH;
    if (is_mesh && y == 0) return;
    if (!is_mesh && net->config.topology != ANL_TORUS) {
        oracle_link(net, s, d, next, d);
        return;
    }
    oracle_link(net, s, 2 * d, next, 2 * d + 1);
    oracle_link(net, next, 2 * d + 1, s, 2 * d);
}

static void wire_cube(struct oracle_network *net)
{
    const struct oracle_cube cube = oracle_cube_of(net);
    net->switches = net->terminals = oracle_power(cube.k, cube.n);
    net->ports = oracle_cube_ports(&cube);
    for (uint32_t s = 0; s < net->switches; s++) {
        settle_at(net, s, s, net->ports - 1);
        for (uint32_t d = 0; d < cube.n; d++)
            link_towards_plus(net, s, d);
    }
}

// ---------------------------------------------------------------- the butterfly fat-tree

// m_l of the page.
static uint32_t in_level(const struct oracle_network *net, uint32_t level)
{
    return net->terminals / oracle_power(2, level + 1);
}

static uint32_t tree_switch(const struct oracle_network *net, uint32_t level, uint32_t a)
{
    for (uint32_t l = 1; l < level; l++)
        a += in_level(net, l);
    return a;
}

static void link_up(struct oracle_network *net, uint32_t l, uint32_t a, uint32_t up)
{
    const uint32_t block = a / oracle_power(2, l + 1) * oracle_power(2, l);
    const uint32_t other = (a + up * oracle_power(2, l - 1)) % oracle_power(2, l);
    const uint32_t parent = tree_switch(net, l + 1, block + other);
    const uint32_t child = tree_switch(net, l, a);
    const uint32_t c = a % oracle_power(2, l + 1) / oracle_power(2, l - 1);
    oracle_link(net, child, 4 + up, parent, c);
    oracle_link(net, parent, c, child, 4 + up);
}

static void wire_tree(struct oracle_network *net)
{
    const uint32_t n = net->config.n;
    net->terminals = oracle_power(4, n);
    net->switches = net->terminals / 2 - net->terminals / oracle_power(2, n + 1);
    net->ports = 6;
    for (uint32_t t = 0; t < net->terminals; t++)
        settle_at(net, t, t / 4, t % 4);
    for (uint32_t l = 1; l < n; l++)
        for (uint32_t a = 0; a < in_level(net, l); a++)
            for (uint32_t up = 0; up < 2; up++)
                link_up(net, l, a, up);
}

// ---------------------------------------------------------------- the butterfly

// Each set of k switches that differ in one digit alone is joined, one link each, to the same set
// of the next level.
static void wire_level(struct oracle_network *net, uint32_t first, uint32_t size, uint32_t stride)
{
    const uint32_t k = net->config.k;
    for (uint32_t w = 0; w < size; w++)
        for (uint32_t i = 0; w / stride % k == 0 && i < k * k; i++)
            oracle_link(net, first + w + i / k * stride, i % k, first + size + w + i % k * stride,
                        i / k);
}

static void wire_butterfly(struct oracle_network *net)
{
    const uint32_t k = net->config.k, size = oracle_power(k, net->config.n - 1);
    const uint32_t passes = net->config.passes == 2 ? 2 : 1;
    const uint32_t last = passes * (net->config.n - 1) * size;
    net->terminals = size * k;
    net->switches = last + size;
    net->ports = k;
    for (uint32_t t = 0; t < net->terminals; t++)
        oracle_settle(net, t, (struct oracle_side){ORACLE_SWITCH, t / k, t % k},
                      (struct oracle_side){ORACLE_SWITCH, last + t / k, t % k});
    for (uint32_t first = 0, stride = 0; first < last; first += size) {
        stride = stride > 1 ? stride / k : size / k;
        wire_level(net, first, size, stride);
    }
}

void oracle_wire(struct oracle_network *net)
{
    switch (net->config.topology) {
    case ANL_GRAPH:
        oracle_wire_graph(net);
        break;
    case ANL_FAT_TREE:
        wire_tree(net);
        break;
    case ANL_BUTTERFLY:
        wire_butterfly(net);
        break;
    default:
        wire_cube(net);
        break;
    }
}
