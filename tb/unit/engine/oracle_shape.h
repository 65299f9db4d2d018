// SPDX-License-Identifier: Apache-2.0
//
// The state of the oracle (oracle.h), and its version of docs/networks.md: where every link goes,
// as a table that is filled once, and which way a worm goes.

#ifndef ANNELID_NET_ORACLE_SHAPE_H
#define ANNELID_NET_ORACLE_SHAPE_H

#include "unit.h"

#include <annelid/base.h>
#include <annelid/network.h>
#include <string.h>

enum {
    MAX_SWITCHES = 32,
    MAX_TERMINALS = 64,
    MAX_PORTS = 7,
    VCS = 8,
    MAX_DEPTH = 10,
    MAX_WORMS = 4000,
    MAX_FLITS = MAX_SWITCHES * MAX_PORTS + MAX_TERMINALS,
};

struct place {
    bool bound;  // bound (input lane) or owned (output lane)
    uint32_t port, vc;
};

struct input_lane {
    struct {
        uint32_t worm, index;
    } flit[MAX_DEPTH +
           1];  // front first; one more while a chained lane is written before it is read
    uint32_t count;
    struct place bound;
};

struct output_lane {
    uint32_t credit, returning;  // returning: a credit of a chained link that comes back now
    struct place owner;
};

struct terminal {
    uint32_t queue[MAX_WORMS], first, last, sent;  // worms; flits sent of the first
    struct place bound;
    struct output_lane injection[VCS];
    struct input_lane ejection[VCS];
};

// The other end of a port's link: a port of a switch, or a terminal.
struct side {
    enum { NOBODY, SWITCH, TERMINAL } what;
    uint32_t node, port;
};

struct oracle {
    struct anl_config c;
    uint64_t seed;
    uint32_t switches, terminals, ports, cycle, num_worms;
    struct side to[MAX_SWITCHES][MAX_PORTS];    // the end of the link out of a port
    struct side from[MAX_SWITCHES][MAX_PORTS];  // the beginning of the link into a port
    struct side home[MAX_TERMINALS];
    struct anl_worm worms[MAX_WORMS];
    struct input_lane in[MAX_SWITCHES][MAX_PORTS][VCS];
    struct output_lane out[MAX_SWITCHES][MAX_PORTS][VCS];
    uint32_t in_ptr[MAX_SWITCHES][MAX_PORTS], out_ptr[MAX_SWITCHES][MAX_PORTS];
    uint32_t random[MAX_SWITCHES];
    struct terminal terminal[MAX_TERMINALS];
    struct anl_flit flits[MAX_FLITS];
    size_t num_flits;
};

static uint32_t power(uint32_t base, uint32_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

static bool is_tree(const struct oracle *j) { return j->c.topology == ANL_FAT_TREE; }

// Adds a link from output port o of switch s to input port p of switch t.
static void link_up(struct oracle *j, uint32_t s, uint32_t o, uint32_t t, uint32_t p)
{
    assert_true(s < MAX_SWITCHES && t < MAX_SWITCHES && o < MAX_PORTS && p < MAX_PORTS);
    assert_true(j->to[s][o].what == NOBODY && j->from[t][p].what == NOBODY);
    j->to[s][o] = (struct side){SWITCH, t, p};
    j->from[t][p] = (struct side){SWITCH, s, o};
}

static void settle(struct oracle *j, uint32_t terminal, uint32_t s, uint32_t port)
{
    assert_true(terminal < MAX_TERMINALS && s < MAX_SWITCHES && port < MAX_PORTS);
    assert_true(j->to[s][port].what == NOBODY && j->from[s][port].what == NOBODY);
    j->to[s][port] = j->from[s][port] = (struct side){TERMINAL, terminal, 0};
    j->home[terminal] = (struct side){SWITCH, s, port};
}

// ---------------------------------------------------------------- k-ary n-cubes

static uint32_t coordinate(const struct oracle *j, uint32_t node, uint32_t dimension)
{
    return node / power(j->c.k, dimension) % j->c.k;
}

static bool two_ways(const struct oracle *j)
{
    return j->c.topology == ANL_MESH || j->c.topology == ANL_TORUS;
}

static void wire_cube(struct oracle *j)
{
    const uint32_t k = j->c.k;
    j->switches = j->terminals = power(k, j->c.n);
    j->ports = two_ways(j) ? 2 * j->c.n + 1 : j->c.n + 1;
    for (uint32_t s = 0; s < j->switches; s++) {
        settle(j, s, s, j->ports - 1);
        for (uint32_t d = 0; d < j->c.n; d++) {
            const uint32_t x = coordinate(j, s, d), y = (x + 1) % k;
            const uint32_t next = s - x * power(k, d) + y * power(k, d);
            if (j->c.topology == ANL_MESH && y == 0) continue;
            if (!two_ways(j)) {
                link_up(j, s, d, next, d);
                continue;
            }
            link_up(j, s, 2 * d, next, 2 * d + 1);
            link_up(j, next, 2 * d + 1, s, 2 * d);
        }
    }
}

// Returns whether a worm at coordinate c goes "+" to coordinate t.
static bool goes_plus(const struct oracle *j, uint32_t c, uint32_t t)
{
    const uint32_t k = j->c.k, f = (t + k - c) % k, b = k - f;
    if (j->c.topology == ANL_MESH) return t > c;
    if (j->c.topology == ANL_TORUS) return f < b || (f == b && c % 2 == 0);
    return true;
}

// The ports port .. port + ports - 1, which are equally near, and their lanes first .. last - 1.
struct way {
    uint32_t port, ports, first, last;
};

static struct way cube_way(const struct oracle *j, uint32_t here, uint32_t there)
{
    const uint32_t half = j->c.num_vcs / 2;
    struct way way = {j->ports - 1, 1, 0, j->c.num_vcs};
    uint32_t d = 0;
    while (d < j->c.n && coordinate(j, here, d) == coordinate(j, there, d))
        d++;
    if (d == j->c.n) return way;
    const uint32_t c = coordinate(j, here, d), t = coordinate(j, there, d);
    const bool plus = goes_plus(j, c, t);
    if (j->c.routing == ANL_DATELINE) {
        const bool wraps = plus ? c > t : c < t;
        if (wraps) way.last = half;
        if (!wraps) way.first = half;
    }
    way.port = two_ways(j) ? 2 * d + !plus : d;
    return way;
}

static uint32_t cube_distance(const struct oracle *j, uint32_t from, uint32_t to)
{
    const uint32_t k = j->c.k;
    uint32_t distance = 0;
    for (uint32_t d = 0; d < j->c.n; d++) {
        const uint32_t c = coordinate(j, from, d), t = coordinate(j, to, d);
        distance += two_ways(j) && !goes_plus(j, c, t) ? (c + k - t) % k : (t + k - c) % k;
    }
    return distance;
}

// ---------------------------------------------------------------- the butterfly fat-tree

// The number of switches of level l, m_l in docs/networks.md.
static uint32_t in_level(const struct oracle *j, uint32_t level)
{
    return j->terminals / power(2, level + 1);
}

static uint32_t tree_switch(const struct oracle *j, uint32_t level, uint32_t a)
{
    for (uint32_t l = 1; l < level; l++)
        a += in_level(j, l);
    return a;
}

static void place_of_switch(const struct oracle *j, uint32_t s, uint32_t *level, uint32_t *a)
{
    *a = s;
    for (*level = 1; *a >= in_level(j, *level); ++*level)
        *a -= in_level(j, *level);
}

static void wire_tree(struct oracle *j)
{
    j->terminals = power(4, j->c.n);
    j->switches = j->terminals / 2 - j->terminals / power(2, j->c.n + 1);
    j->ports = 6;
    for (uint32_t t = 0; t < j->terminals; t++)
        settle(j, t, t / 4, t % 4);
    for (uint32_t l = 1; l < j->c.n; l++)
        for (uint32_t a = 0; a < in_level(j, l); a++)
            for (uint32_t up = 0; up < 2; up++) {
                const uint32_t block = a / power(2, l + 1) * power(2, l);
                const uint32_t other = (a + up * power(2, l - 1)) % power(2, l);
                const uint32_t parent = tree_switch(j, l + 1, block + other);
                const uint32_t child = tree_switch(j, l, a);
                const uint32_t c = a % power(2, l + 1) / power(2, l - 1);
                link_up(j, child, 4 + up, parent, c);
                link_up(j, parent, c, child, 4 + up);
            }
}

static struct way tree_way(const struct oracle *j, uint32_t s, const struct anl_worm *worm)
{
    uint32_t l, a;
    place_of_switch(j, s, &l, &a);
    struct way way = {4, 1, 0, j->c.num_vcs};
    if (worm->destination / power(4, l) == a / power(2, l - 1))
        way.port = worm->destination / power(4, l - 1) % 4;
    else if (j->c.routing == ANL_UP_DOWN_FIXED)
        way.port = 4 + (worm->path >> (l - 1)) % 2;
    else
        way.ports = 2;
    return way;
}

static uint32_t tree_distance(uint32_t from, uint32_t to)
{
    uint32_t h = 1;
    while (from / power(4, h) != to / power(4, h))
        h++;
    return 2 * h - 2;
}

// ---------------------------------------------------------------- both

static void wire(struct oracle *j)
{
    if (is_tree(j))
        wire_tree(j);
    else
        wire_cube(j);
}

static struct way way_of(const struct oracle *j, uint32_t s, const struct anl_worm *worm)
{
    return is_tree(j) ? tree_way(j, s, worm) : cube_way(j, s, worm->destination);
}

static uint32_t distance_of(const struct oracle *j, const struct anl_worm *worm)
{
    if (is_tree(j)) return tree_distance(worm->source, worm->destination);
    return cube_distance(j, worm->source, worm->destination);
}

#endif
