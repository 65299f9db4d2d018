// SPDX-License-Identifier: Apache-2.0
//
// The oracle's version of adaptive routes: docs/networks.md, "Adaptive routing" and "Routing
// tables", and docs/switch.md, "Adaptive routes". Each port is asked whether the page makes it an
// option.

#ifndef ANNELID_NET_ORACLE_OPTIONS_H
#define ANNELID_NET_ORACLE_OPTIONS_H

#include "oracle_shape.h"

enum { EAST = 0, WEST = 1, NORTH = 2, SOUTH = 3 };

// An option: an output port and a mask of its lanes.
struct option {
    uint32_t port, lanes;
};

static bool has_options(const struct anl_config *c)
{
    if (c->routing == ANL_TABLE) return c->graph->options > 1 || c->escape_vcs > 0;
    return c->routing >= ANL_WEST_FIRST && c->routing <= ANL_ADAPTIVE;
}

// Returns whether heads select: those of all classes do if those of some class have options.
static bool selects(const struct oracle *j)
{
    for (uint32_t class_ = 0; class_ < j->classes; class_++)
        if (has_options(&j->own[class_])) return true;
    return false;
}

static bool is_home(const struct oracle *j, uint32_t s, uint32_t t) { return j->home[t].node == s; }

static uint32_t lanes_between(uint32_t first, uint32_t last)
{
    uint32_t lanes = 0;
    for (uint32_t v = first; v < last; v++)
        lanes |= 1u << v;
    return lanes;
}

static uint32_t num_escapes(const struct oracle *j, uint32_t class_)
{
    const struct anl_config *own = &j->own[class_];
    if (own->routing == ANL_TABLE) return own->escape_vcs;
    if (own->routing != ANL_ADAPTIVE) return 0;
    return own->topology == ANL_MESH ? 1 : 2;
}

static uint32_t escape_lanes(const struct oracle *j, uint32_t class_)
{
    return lanes_between(j->c.num_vcs - num_escapes(j, class_), j->c.num_vcs);
}

// Where a class has escape lanes, its other ones may be atomic.
static uint32_t atomic_lanes(const struct oracle *j, uint32_t class_)
{
    if (j->c.atomic != ANL_ATOMIC_ADAPTIVE || num_escapes(j, class_) == 0) return 0;
    return lanes_between(0, j->c.num_vcs - num_escapes(j, class_));
}

// ---------------------------------------------------------------- k-ary n-cubes

static bool is_productive(const struct oracle *j, uint32_t s, uint32_t t, uint32_t port)
{
    const uint32_t d = two_ways(j) ? port / 2 : port, k = j->c.k;
    const bool minus = two_ways(j) && port % 2 == 1;
    if (port == j->ports - 1) return false;
    const uint32_t c = coordinate(j, s, d), to = coordinate(j, t, d);
    const uint32_t f = (to + k - c) % k, b = k - f;
    if (c == to) return false;
    if (j->c.topology == ANL_MESH) return minus ? to < c : to > c;
    if (j->c.topology == ANL_TORUS) return minus ? b <= f : f <= b;
    return true;
}

static bool some_productive(const struct oracle *j, uint32_t s, uint32_t t, uint32_t first,
                            uint32_t step)
{
    for (uint32_t port = first; port < j->ports - 1; port += step)
        if (is_productive(j, s, t, port)) return true;
    return false;
}

static bool odd_even_allows(const struct oracle *j, uint32_t s, uint32_t p, uint32_t t,
                            uint32_t port)
{
    const int here = (int)coordinate(j, s, 0), there = (int)coordinate(j, t, 0);
    const int e = there - here;
    const bool sideways = port == NORTH || port == SOUTH;
    const bool other_rows = coordinate(j, s, 1) != coordinate(j, t, 1);
    if (e == 0) return sideways;
    if (e > 0 && port == EAST) return !(other_rows && e == 1 && there % 2 == 0);
    if (e > 0) return sideways && (here % 2 == 1 || p != WEST);
    return port == WEST || (sideways && here % 2 == 0);
}

static bool allows(const struct oracle *j, uint32_t s, uint32_t p, uint32_t t, uint32_t port)
{
    switch (j->c.routing) {
    case ANL_WEST_FIRST:
        return port == WEST || !is_productive(j, s, t, WEST);
    case ANL_NORTH_LAST:
        return port != NORTH || !(is_productive(j, s, t, EAST) || is_productive(j, s, t, WEST));
    case ANL_NEGATIVE_FIRST:
        return port % 2 == 1 || !some_productive(j, s, t, 1, 2);
    case ANL_ODD_EVEN:
        return odd_even_allows(j, s, p, t, port);
    default:
        return true;
    }
}

static uint32_t cube_lanes(const struct oracle *j, uint32_t s, uint32_t t, uint32_t port)
{
    const uint32_t all = lanes_between(0, j->c.num_vcs), v = j->c.num_vcs;
    if (j->c.routing != ANL_ADAPTIVE) return all;
    const uint32_t adaptive = all & ~escape_lanes(j, 0);  // a cube has one routing
    if (port != cube_way(j, s, t).port) return adaptive;
    if (j->c.topology == ANL_MESH) return all;
    const uint32_t d = two_ways(j) ? port / 2 : port;
    const uint32_t c = coordinate(j, s, d), to = coordinate(j, t, d);
    const bool plus = !two_ways(j) || port % 2 == 0, class_0 = plus ? c > to : c < to;
    return adaptive | 1u << (class_0 ? v - 2 : v - 1);
}

static uint32_t cube_options(const struct oracle *j, uint32_t s, uint32_t p, uint32_t t,
                             struct option *options)
{
    uint32_t count = 0;
    for (uint32_t port = 0; port < j->ports - 1; port++)
        if (is_productive(j, s, t, port) && allows(j, s, p, t, port))
            options[count++] = (struct option){port, cube_lanes(j, s, t, port)};
    return count;
}

// ---------------------------------------------------------------- tables

static uint32_t table_options(const struct oracle *j, uint32_t class_, uint32_t s, uint32_t p,
                              uint32_t t, struct option *options)
{
    const struct anl_graph *graph = j->own[class_].graph;
    const struct anl_table_hop *entry = entry_of(j, class_, s, p, t);
    uint32_t count = 0;
    for (uint32_t port = 0; port < j->ports; port++)  // in ascending order
        for (uint32_t i = 0; i < graph->options; i++)
            if (entry[i].vcs && entry[i].port == port)
                options[count++] = (struct option){port, entry[i].vcs};
    return count;
}

// ---------------------------------------------------------------- selection

// Returns the options of a head, in ascending order of their ports. It has a single one at home,
// and everywhere if its class has no options.
static uint32_t options_of(const struct oracle *j, uint32_t s, uint32_t p,
                           const struct anl_worm *worm, struct option *options)
{
    const uint32_t t = worm->destination;
    if (is_home(j, s, t) || !has_options(&j->own[worm->class_])) {
        const struct way way = way_of(j, s, p, 0, worm);  // heads that select do not read lanes
        options[0] = (struct option){way.port, way.lanes};
        return 1;
    }
    return is_graph(j) ? table_options(j, worm->class_, s, p, t, options)
                       : cube_options(j, s, p, t, options);
}

// Returns the port straight on from an input port; the number of ports if there is none.
static uint32_t straight_on(const struct oracle *j, uint32_t p)
{
    if (is_graph(j) || p == j->ports - 1) return j->ports;
    if (!two_ways(j)) return p;
    return p % 2 == 0 ? p + 1 : p - 1;
}

// Returns the credits of the lanes of one class.
static uint32_t port_credits(const struct oracle *j, uint32_t s, uint32_t port, uint32_t class_)
{
    uint32_t sum = 0;
    for (uint32_t v = 0; v < j->c.num_vcs; v++)
        sum += j->out[s][port][class_ * j->c.num_vcs + v].credit;
    return sum;
}

// Returns which of count open options the selection chooses for a head of a class.
static uint32_t choose(const struct oracle *j, uint32_t s, uint32_t p, uint32_t class_,
                       const struct option *open, uint32_t count)
{
    uint32_t best = 0;
    if (j->c.select == ANL_SELECT_RANDOM) return ((j->random[s] >> 24) * count) >> 8;
    for (uint32_t i = 1; i < count; i++) {
        if (j->c.select == ANL_MOST_CREDITS &&
            port_credits(j, s, open[i].port, class_) > port_credits(j, s, open[best].port, class_))
            best = i;
        if (j->c.select == ANL_STRAIGHT_FIRST && open[i].port == straight_on(j, p)) best = i;
    }
    return best;
}

#endif
