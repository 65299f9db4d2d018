// SPDX-License-Identifier: Apache-2.0

#include "oracle/routes.h"

#include <string.h>

unsigned oracle_power(unsigned base, unsigned exponent)
{
    return exponent == 0 ? 1 : base * oracle_power(base, exponent - 1);
}

// ---------------------------------------------------------------- k-ary n-cubes

static bool two_ways(const struct oracle_cube *cube)
{
    return cube->topology == MESH || cube->topology == TORUS;
}

unsigned oracle_cube_ports(const struct oracle_cube *cube)
{
    return two_ways(cube) ? 2 * cube->n + 1 : cube->n + 1;
}

void oracle_coordinates(const struct oracle_cube *cube, unsigned node, unsigned *coordinates)
{
    for (unsigned d = 0; d < cube->n; d++)
        coordinates[d] = node / oracle_power(cube->k, d) % cube->k;
}

// Returns whether dimension order goes "+" from coordinate c to coordinate t.
static bool goes_plus(const struct oracle_cube *cube, unsigned c, unsigned t)
{
    const unsigned k = cube->k, f = (t + k - c) % k, b = k - f;
    if (cube->topology == MESH) return t > c;
    if (cube->topology == TORUS) return f < b || (f == b && c % 2 == 0);
    return true;
}

// Returns whether a worm that goes that way still has to cross the wrap link.
static bool must_wrap(bool plus, unsigned c, unsigned t) { return plus ? c > t : c < t; }

static unsigned port_of(const struct oracle_cube *cube, unsigned d, bool plus)
{
    if (!two_ways(cube)) return d;
    return plus ? 2 * d : 2 * d + 1;
}

struct oracle_route oracle_cube_route(const struct oracle_cube *cube, const unsigned *here,
                                      const unsigned *there)
{
    const uint64_t all = first_of(cube->num_vcs), class_0 = first_of(cube->num_vcs / 2);
    unsigned d = 0;
    while (d < cube->n && here[d] == there[d])
        d++;
    if (d == cube->n) return oracle_one_port(oracle_cube_ports(cube) - 1, all);
    const bool plus = goes_plus(cube, here[d], there[d]);
    uint64_t lanes = all;
    if (cube->routing == DATELINE)
        lanes = must_wrap(plus, here[d], there[d]) ? class_0 : all & ~class_0;
    return oracle_one_port(port_of(cube, d, plus), lanes);
}

unsigned oracle_cube_distance(const struct oracle_cube *cube, const unsigned *from,
                              const unsigned *to)
{
    const unsigned k = cube->k;
    unsigned distance = 0;
    for (unsigned d = 0; d < cube->n; d++) {
        const bool minus = two_ways(cube) && !goes_plus(cube, from[d], to[d]);
        distance += (minus ? from[d] + k - to[d] : to[d] + k - from[d]) % k;
    }
    return distance;
}

static bool is_same(const struct oracle_cube *cube, const unsigned *a, const unsigned *b)
{
    return memcmp(a, b, cube->n * sizeof *a) == 0;
}

// The lanes below num_vcs / 2 are those of the way to the switch via, the others those of the way
// from there on.
struct oracle_route oracle_valiant_route(const struct oracle_cube *cube, const unsigned *here,
                                         const unsigned *via, const unsigned *there, unsigned from,
                                         unsigned v)
{
    const unsigned low = cube->num_vcs / 2, terminal = oracle_cube_ports(cube) - 1;
    const bool second = is_same(cube, here, via) || (from != terminal && v >= low);
    struct oracle_cube phase = *cube;
    if (second && is_same(cube, here, there))
        return oracle_one_port(terminal, first_of(cube->num_vcs));
    if (cube->topology == TORUS) phase.routing = DATELINE;
    phase.num_vcs = second ? cube->num_vcs - low : low;
    struct oracle_route route = oracle_cube_route(&phase, here, second ? there : via);
    for (unsigned o = 0; second && o < terminal; o++)
        route.lanes[o] = (uint8_t)(route.lanes[o] << low);
    return route;
}

// ---------------------------------------------------------------- several options

enum { EAST = 0, WEST = 1, NORTH = 2, SOUTH = 3 };

static unsigned dimension_of(const struct oracle_cube *cube, unsigned port)
{
    return two_ways(cube) ? port / 2 : port;
}

static bool is_minus(const struct oracle_cube *cube, unsigned port)
{
    return two_ways(cube) && port % 2 == 1;
}

static bool is_productive(const struct oracle_cube *cube, const unsigned *here,
                          const unsigned *there, unsigned port)
{
    const unsigned d = dimension_of(cube, port), k = cube->k;
    const bool minus = is_minus(cube, port);
    const unsigned c = here[d], t = there[d], f = (t + k - c) % k, b = k - f;
    if (c == t) return false;
    if (cube->topology == MESH) return minus ? t < c : t > c;
    if (cube->topology == TORUS) return minus ? b <= f : f <= b;
    return true;
}

static bool some_minus(const struct oracle_cube *cube, const unsigned *here, const unsigned *there)
{
    for (unsigned d = 0; d < cube->n; d++)
        if (is_productive(cube, here, there, 2 * d + 1)) return true;
    return false;
}

static bool odd_even_allows(const unsigned *here, const unsigned *there, unsigned from,
                            unsigned port)
{
    const int e = (int)there[0] - (int)here[0];
    const bool sideways = port == NORTH || port == SOUTH, other_rows = here[1] != there[1];
    if (e == 0) return sideways;
    if (e > 0 && port == EAST) return !(other_rows && e == 1 && there[0] % 2 == 0);
    if (e > 0) return sideways && (here[0] % 2 == 1 || from != WEST);
    return port == WEST || (sideways && here[0] % 2 == 0);
}

// Returns whether the routing makes a productive port an option.
static bool allows(const struct oracle_cube *cube, const unsigned *here, const unsigned *there,
                   unsigned from, unsigned port)
{
    switch (cube->routing) {
    case WEST_FIRST:
        return port == WEST || !is_productive(cube, here, there, WEST);
    case NORTH_LAST:
        return port != NORTH ||
               !(is_productive(cube, here, there, EAST) || is_productive(cube, here, there, WEST));
    case NEGATIVE_FIRST:
        return is_minus(cube, port) || !some_minus(cube, here, there);
    case ODD_EVEN:
        return odd_even_allows(here, there, from, port);
    default:
        return true;
    }
}

unsigned oracle_cube_escapes(const struct oracle_cube *cube)
{
    if (cube->routing != ADAPTIVE) return 0;
    return cube->topology == MESH ? 1 : 2;
}

int oracle_straight_on(const struct oracle_cube *cube, unsigned from)
{
    if (from >= oracle_cube_ports(cube) - 1) return ORACLE_NONE;
    if (!two_ways(cube)) return (int)from;
    return (int)(from % 2 == 0 ? from + 1 : from - 1);
}

// Adds the escape lanes of the port of dimension order: all of a line, and of a ring the first one
// as class 0 or the second one as class 1.
static void add_escape(const struct oracle_cube *cube, const unsigned *here, const unsigned *there,
                       struct oracle_route *options)
{
    struct oracle_cube escape = *cube;
    escape.num_vcs = oracle_cube_escapes(cube);
    escape.routing = cube->topology == MESH ? DIMENSION_ORDER : DATELINE;
    const struct oracle_route route = oracle_cube_route(&escape, here, there);
    for (unsigned o = 0; o < oracle_cube_ports(cube); o++)
        options->lanes[o] |= (uint8_t)(route.lanes[o] << (cube->num_vcs - escape.num_vcs));
}

struct oracle_route oracle_cube_options(const struct oracle_cube *cube, const unsigned *here,
                                        const unsigned *there, unsigned from)
{
    const unsigned terminal = oracle_cube_ports(cube) - 1;
    const uint64_t adaptive = first_of(cube->num_vcs - oracle_cube_escapes(cube));
    struct oracle_route options = {0};
    if (is_same(cube, here, there)) return oracle_one_port(terminal, first_of(cube->num_vcs));
    for (unsigned port = 0; port < terminal; port++)
        if (is_productive(cube, here, there, port) && allows(cube, here, there, from, port))
            options.lanes[port] = (uint8_t)adaptive;
    if (cube->routing == ADAPTIVE) add_escape(cube, here, there, &options);
    return options;
}

// ---------------------------------------------------------------- the butterfly fat-tree

int oracle_path_rule(int routing)
{
    switch (routing) {
    case UP_DOWN_FIXED:
        return PATH_CARRIED;
    case UP_DOWN_RANDOM:
        return PATH_DRAWN;
    case UP_DOWN_GREEDY:
        return PATH_GREEDY;
    default:
        return PATH_NONE;
    }
}

static struct oracle_route way_up(const struct oracle_tree_head *head, uint64_t lanes)
{
    const unsigned l = head->level;
    struct oracle_route both = oracle_one_port(4, lanes);
    switch (head->path_rule) {
    case PATH_CARRIED:
        return oracle_one_port(4 + (unsigned)(head->path >> (l - 1)) % 2, lanes);
    case PATH_DRAWN:
        return oracle_one_port(4 + head->random, lanes);
    case PATH_GREEDY:
        both.lanes[5] = both.lanes[4];
        return both;
    default:
        return oracle_one_port(4 + head->destination / oracle_power(2, l - 1) % 2, lanes);
    }
}

struct oracle_route oracle_tree_route(const struct oracle_tree_head *head, unsigned num_vcs)
{
    const unsigned l = head->level, t = head->destination;
    const uint64_t lanes = first_of(num_vcs);
    if (t / oracle_power(4, l) != head->address / oracle_power(2, l - 1))
        return way_up(head, lanes);
    return oracle_one_port(t / oracle_power(4, l - 1) % 4, lanes);
}

unsigned oracle_tree_distance(unsigned from, unsigned to)
{
    unsigned h = 1;
    while (from / oracle_power(4, h) != to / oracle_power(4, h))
        h++;
    return 2 * h - 2;
}
