// SPDX-License-Identifier: Apache-2.0
//
// The state of the oracle (oracle.h), and its version of docs/networks.md: where every link goes,
// as a table that is filled once, and which way a worm goes.

#ifndef ANNELID_NET_ORACLE_SHAPE_H
#define ANNELID_NET_ORACLE_SHAPE_H

#include "random_networks.h"

#include <string.h>

enum {
    MAX_SWITCHES = 48,
    MAX_TERMINALS = 64,
    MAX_WORMS = 4000,
    MAX_FLITS = (MAX_SWITCHES * MAX_PORTS + MAX_TERMINALS) * VCS,
    MAX_LATER = 8 * MAX_FLITS,
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
    uint32_t under_way;          // flits to it and credits from it that have left and not come
    struct place owner;
};

enum { NO_WORM_HERE = MAX_WORMS, NO_LANE_SHOWN = VCS };

// The source queue of a class of messages, and the sink of this class.
struct class_of_terminal {
    uint32_t first, last, sent;  // worms or NO_WORM_HERE; flits sent of the first
    struct place bound;
    uint32_t shown;  // the lane whose flit the sink has shown and not taken; NO_LANE_SHOWN
};

// What the scan over classes remembers.
struct favour_of {
    uint32_t class_, quota;
};

// What a terminal sends on a lane of a wide injection link.
struct sending_of {
    uint32_t worm, sent;  // NO_WORM_HERE: the lane is idle
};

struct terminal {
    struct class_of_terminal class_[VCS];
    struct sending_of sending[VCS];
    struct favour_of favour;
    uint32_t places;  // for replies, that are taken
    struct output_lane injection[VCS];
    struct input_lane ejection[VCS];
};

// The other end of a port's link: a port of a switch, or a terminal.
struct side {
    enum { NOBODY, SWITCH, TERMINAL } what;
    uint32_t node, port;
};

// What is done at the end of a cycle that comes later: a flit is seen on its link, or enters the
// lane at its end, or a credit comes to the sender.
struct later {
    enum { IS_SEEN, ENTERS, COMES_BACK } what;
    uint32_t cycle;
    struct anl_flit flit;
    struct input_lane *lane;
    struct output_lane *out;
};

// c is the configuration of the network that a class of messages has for itself: c.num_vcs are the
// lanes of a class.
struct oracle {
    struct anl_config c;
    struct anl_config own[VCS];  // graph: the same of each class, with its own routing and table
    uint32_t vcs, classes;       // lanes of a link, classes
    uint64_t seed;
    uint32_t switches, terminals, ports, cycle, num_worms;
    struct side to[MAX_SWITCHES][MAX_PORTS];                // the end of the link out of a port
    struct side from[MAX_SWITCHES][MAX_PORTS];              // the beginning of the link into a port
    struct side entry[MAX_TERMINALS], home[MAX_TERMINALS];  // where it injects and ejects
    uint32_t root;                                          // graph, up_down: of the order
    uint32_t links[MAX_SWITCHES][MAX_SWITCHES];  // graph: of a shortest path between two switches
    uint32_t down[MAX_SWITCHES][MAX_SWITCHES];   // the same by links that lead down alone
    struct anl_worm worms[MAX_WORMS];
    uint32_t behind[MAX_WORMS];  // the next worm of its source queue
    struct input_lane in[MAX_SWITCHES][MAX_PORTS][VCS];
    struct output_lane out[MAX_SWITCHES][MAX_PORTS][VCS];
    uint32_t in_ptr[MAX_SWITCHES][MAX_PORTS][VCS], out_ptr[MAX_SWITCHES][MAX_PORTS];
    // Scans matrix and favour: when a lane or an input port was served last; 0: never.
    uint32_t lane_served[MAX_SWITCHES][MAX_PORTS][VCS];
    uint32_t port_served[MAX_SWITCHES][MAX_PORTS][MAX_PORTS];
    uint32_t next[MAX_SWITCHES][MAX_PORTS][VCS];  // favour: of a class, after a grant
    struct favour_of favour[MAX_SWITCHES][MAX_PORTS];
    uint32_t random[MAX_SWITCHES];
    struct terminal terminal[MAX_TERMINALS];
    struct anl_flit flits[MAX_FLITS];
    size_t num_flits;
    struct later later[MAX_LATER];
    size_t num_later;
};

static uint32_t power(uint32_t base, uint32_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

static bool is_tree(const struct oracle *j) { return j->c.topology == ANL_FAT_TREE; }

static bool is_butterfly(const struct oracle *j) { return j->c.topology == ANL_BUTTERFLY; }

// Adds a link from output port o of switch s to input port p of switch t.
static void link_up(struct oracle *j, uint32_t s, uint32_t o, uint32_t t, uint32_t p)
{
    assert_true(s < MAX_SWITCHES && t < MAX_SWITCHES && o < MAX_PORTS && p < MAX_PORTS);
    assert_true(j->to[s][o].what == NOBODY && j->from[t][p].what == NOBODY);
    j->to[s][o] = (struct side){SWITCH, t, p};
    j->from[t][p] = (struct side){SWITCH, s, o};
}

static void settle_apart(struct oracle *j, uint32_t terminal, struct side entry, struct side home)
{
    assert_true(terminal < MAX_TERMINALS && entry.node < MAX_SWITCHES && home.node < MAX_SWITCHES);
    assert_true(entry.port < MAX_PORTS && j->from[entry.node][entry.port].what == NOBODY);
    assert_true(home.port < MAX_PORTS && j->to[home.node][home.port].what == NOBODY);
    j->from[entry.node][entry.port] = (struct side){TERMINAL, terminal, 0};
    j->to[home.node][home.port] = (struct side){TERMINAL, terminal, 0};
    j->entry[terminal] = entry;
    j->home[terminal] = home;
}

static void settle(struct oracle *j, uint32_t terminal, uint32_t s, uint32_t port)
{
    settle_apart(j, terminal, (struct side){SWITCH, s, port}, (struct side){SWITCH, s, port});
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

// The ports port .. port + ports - 1, which are equally near, and the mask of their lanes.
struct way {
    uint32_t port, ports, lanes;
};

static uint32_t all_lanes(const struct oracle *j) { return (1u << j->c.num_vcs) - 1; }

static struct way cube_way(const struct oracle *j, uint32_t here, uint32_t there)
{
    const uint32_t low_half = (1u << j->c.num_vcs / 2) - 1;
    struct way way = {j->ports - 1, 1, all_lanes(j)};
    uint32_t d = 0;
    while (d < j->c.n && coordinate(j, here, d) == coordinate(j, there, d))
        d++;
    if (d == j->c.n) return way;
    const uint32_t c = coordinate(j, here, d), t = coordinate(j, there, d);
    const bool plus = goes_plus(j, c, t);
    if (j->c.routing == ANL_DATELINE) {
        const bool wraps = plus ? c > t : c < t;
        way.lanes = wraps ? low_half : all_lanes(j) & ~low_half;
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
    struct way way = {4, 1, all_lanes(j)};
    if (worm->destination / power(4, l) == a / power(2, l - 1))
        way.port = worm->destination / power(4, l - 1) % 4;
    else if (j->c.routing == ANL_UP_DOWN_FIXED)
        way.port = 4 + (worm->path >> (l - 1)) % 2;
    else if (j->c.routing == ANL_DESTINATION_TAG)
        way.port = 4 + worm->destination / power(2, l - 1) % 2;
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

// ---------------------------------------------------------------- the butterfly

// D of docs/networks.md.
static uint32_t levels_of_links(const struct oracle *j)
{
    return (j->c.passes == 2 ? 2 : 1) * (j->c.n - 1);
}

static uint32_t level_size(const struct oracle *j) { return power(j->c.k, j->c.n - 1); }

// Each set of k switches that differ in one digit alone is joined, one link each, to the same set
// of the next level.
static void wire_butterfly(struct oracle *j)
{
    const uint32_t k = j->c.k, size = level_size(j), last = levels_of_links(j) * size;
    j->terminals = size * k;
    j->switches = last + size;
    j->ports = k;
    for (uint32_t t = 0; t < j->terminals; t++)
        settle_apart(j, t, (struct side){SWITCH, t / k, t % k},
                     (struct side){SWITCH, last + t / k, t % k});
    for (uint32_t first = 0, stride = 0; first < last; first += size) {
        stride = stride > 1 ? stride / k : size / k;
        for (uint32_t w = 0; w < size; w++)
            for (uint32_t i = 0; w / stride % k == 0 && i < k * k; i++)
                link_up(j, first + w + i / k * stride, i % k, first + size + w + i % k * stride,
                        i / k);
    }
}

// The digits of the intermediate column, if there is one, and then those of the destination, the
// most significant one first, are the ports of a worm.
static struct way butterfly_way(const struct oracle *j, uint32_t s, const struct anl_worm *worm)
{
    uint32_t level = s / level_size(j), number = worm->destination, digits = j->c.n;
    if (levels_of_links(j) - level >= digits)
        number = worm->path, digits--;
    else
        level -= levels_of_links(j) + 1 - digits;
    return (struct way){number / power(j->c.k, digits - 1 - level) % j->c.k, 1, all_lanes(j)};
}

// ---------------------------------------------------------------- graphs

enum { NO_PATH = 1000 };

static bool is_graph(const struct oracle *j) { return j->c.topology == ANL_GRAPH; }

// Returns whether the link out of a port leads to a switch, and to which.
static bool leads_to_switch(const struct oracle *j, uint32_t s, uint32_t port, uint32_t *to)
{
    *to = j->to[s][port].node;
    return j->to[s][port].what == SWITCH;
}

static bool comes_before(const struct oracle *j, uint32_t a, uint32_t b)
{
    const uint32_t *from_root = j->links[j->root];
    return from_root[a] != from_root[b] ? from_root[a] < from_root[b] : a < b;
}

// Fills in the lengths of all shortest paths: of any links, or of those that lead down.
static void measure(struct oracle *j, uint32_t length[MAX_SWITCHES][MAX_SWITCHES], bool down_alone)
{
    for (uint32_t a = 0; a < j->switches; a++) {
        for (uint32_t b = 0; b < j->switches; b++)
            length[a][b] = a == b ? 0 : NO_PATH;
        for (uint32_t port = 0, b; port < j->ports; port++)
            if (leads_to_switch(j, a, port, &b) && a != b && !(down_alone && comes_before(j, b, a)))
                length[a][b] = 1;
    }
    for (uint32_t via = 0; via < j->switches; via++)
        for (uint32_t a = 0; a < j->switches; a++)
            for (uint32_t b = 0; b < j->switches; b++)
                if (length[a][via] + length[via][b] < length[a][b])
                    length[a][b] = length[a][via] + length[via][b];
}

static void find_root(struct oracle *j)
{
    uint32_t most = 0;
    for (uint32_t s = 0; s < j->switches; s++) {
        uint32_t count = 0;
        for (uint32_t port = 0, to; port < j->ports; port++)
            count += leads_to_switch(j, s, port, &to) && to != s;
        if (count > most) most = count, j->root = s;
    }
}

static void wire_graph(struct oracle *j)
{
    const struct anl_graph *graph = j->c.graph;
    const uint32_t ports = graph->ports, links = graph->switches * ports;
    j->switches = graph->switches;
    j->terminals = graph->terminals;
    j->ports = ports;
    for (uint32_t port = 0; port < links; port++)
        if (graph->ends[port] < links)
            link_up(j, port / ports, port % ports, graph->ends[port] / ports,
                    graph->ends[port] % ports);
    for (uint32_t t = 0; t < j->terminals; t++)
        settle(j, t, graph->homes[t] / ports, graph->homes[t] % ports);
    find_root(j);
    measure(j, j->links, false);
    measure(j, j->down, true);
}

// Returns total(s) of docs/networks.md. A link up leads to a switch that comes before, so this
// ends.
static uint32_t total(const struct oracle *j, uint32_t s, uint32_t home)
{
    uint32_t best = NO_PATH;
    if (j->down[s][home] < NO_PATH) return j->down[s][home];
    for (uint32_t port = 0, to; port < j->ports; port++) {
        if (!leads_to_switch(j, s, port, &to) || !comes_before(j, to, s)) continue;
        const uint32_t length = 1 + total(j, to, home);
        if (length < best) best = length;
    }
    return best;
}

// Returns whether a port is one of those among which the number of the terminal decides.
static bool is_good(const struct oracle *j, enum anl_routing routing, uint32_t s, uint32_t port,
                    uint32_t home)
{
    uint32_t to;
    if (!leads_to_switch(j, s, port, &to)) return false;
    if (routing == ANL_SHORTEST) return j->links[to][home] + 1 == j->links[s][home];
    if (j->down[s][home] < NO_PATH)
        return !comes_before(j, to, s) && j->down[to][home] + 1 == j->down[s][home];
    return comes_before(j, to, s) && total(j, to, home) + 1 == total(j, s, home);
}

// Returns the first option of the user's table for a head of a class at input port p.
static const struct anl_table_hop *entry_of(const struct oracle *j, uint32_t class_, uint32_t s,
                                            uint32_t p, uint32_t t)
{
    const struct anl_graph *graph = j->own[class_].graph;
    const uint32_t place = graph->by_input ? s * j->ports + p : s;
    return &graph->table[(place * j->terminals + t) * graph->options];
}

// Returns the option with the lowest port.
static struct way table_way(const struct oracle *j, uint32_t class_, uint32_t s, uint32_t p,
                            uint32_t t)
{
    const struct anl_table_hop *entry = entry_of(j, class_, s, p, t);
    struct anl_table_hop hop = entry[0];
    for (uint32_t i = 1; i < j->own[class_].graph->options; i++)
        if (entry[i].vcs && entry[i].port < hop.port) hop = entry[i];
    if (!hop.vcs) return (struct way){j->home[t].port, 1, all_lanes(j)};
    return (struct way){hop.port, 1, hop.vcs};
}

static struct way graph_way(const struct oracle *j, uint32_t class_, uint32_t s, uint32_t p,
                            uint32_t t)
{
    const enum anl_routing routing = j->own[class_].routing;
    const uint32_t home = j->home[t].node;
    uint32_t good = 0, skip;
    if (routing == ANL_TABLE) return table_way(j, class_, s, p, t);
    struct way way = {j->home[t].port, 1, all_lanes(j)};
    if (s == home) return way;
    for (uint32_t port = 0; port < j->ports; port++)
        good += is_good(j, routing, s, port, home);
    skip = t % good;
    for (way.port = 0; !is_good(j, routing, s, way.port, home) || skip-- > 0; way.port++)
        ;
    return way;
}

static uint32_t graph_distance(const struct oracle *j, const struct anl_worm *worm)
{
    const uint32_t t = worm->destination;
    struct side at = j->entry[worm->source];
    uint32_t distance = 0;
    for (; at.node != j->home[t].node; distance++)
        at = j->to[at.node][graph_way(j, worm->class_, at.node, at.port, t).port];
    return distance;
}

// ---------------------------------------------------------------- all

static void wire(struct oracle *j)
{
    if (is_graph(j))
        wire_graph(j);
    else if (is_tree(j))
        wire_tree(j);
    else if (is_butterfly(j))
        wire_butterfly(j);
    else
        wire_cube(j);
}

// Of routing valiant: the lanes of a class are those of the way to the switch on the path of the
// worm, and above them those of the way from there on.
static struct way valiant_way(struct oracle j, uint32_t s, uint32_t p, uint32_t v,
                              const struct anl_worm *worm)
{
    const uint32_t low = j.c.num_vcs / 2;
    const bool arrived = s == worm->path || (p != j.ports - 1 && v % j.c.num_vcs >= low);
    struct way way = cube_way(&j, s, worm->destination);
    if (arrived && s == worm->destination) return way;
    if (j.c.topology == ANL_TORUS) j.c.routing = ANL_DATELINE;
    j.c.num_vcs = arrived ? j.c.num_vcs - low : low;
    way = cube_way(&j, s, arrived ? worm->destination : worm->path);
    way.lanes <<= arrived ? low : 0;
    return way;
}

// Returns the way of a head that has come by port p and stands in lane v.
static struct way way_of(const struct oracle *j, uint32_t s, uint32_t p, uint32_t v,
                         const struct anl_worm *worm)
{
    if (j->c.routing == ANL_VALIANT) return valiant_way(*j, s, p, v, worm);
    if (is_graph(j)) return graph_way(j, worm->class_, s, p, worm->destination);
    if (is_butterfly(j)) return butterfly_way(j, s, worm);
    return is_tree(j) ? tree_way(j, s, worm) : cube_way(j, s, worm->destination);
}

static uint32_t distance_of(const struct oracle *j, const struct anl_worm *worm)
{
    if (is_graph(j)) return graph_distance(j, worm);
    if (is_tree(j)) return tree_distance(worm->source, worm->destination);
    if (is_butterfly(j)) return levels_of_links(j);
    if (j->c.routing == ANL_VALIANT)
        return cube_distance(j, worm->source, worm->path) +
               cube_distance(j, worm->path, worm->destination);
    return cube_distance(j, worm->source, worm->destination);
}

#endif
