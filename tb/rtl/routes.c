// SPDX-License-Identifier: Apache-2.0

#include "routes.h"

#include "rules.h"

static struct route by_mesh(unsigned d, unsigned c, unsigned t, uint64_t all)
{
    return (struct route){.port = t > c ? 2 * d : 2 * d + 1, .vcs = all};
}

// Lanes 0 .. V/2 - 1 are class 0, the others class 1.
static uint64_t lanes_of_class(const struct cube *cube, unsigned class)
{
    const uint64_t class_0 = ones(cube->num_vcs / 2), all = ones(cube->num_vcs);
    if (cube->routing != DATELINE) return all;
    return class == 0 ? class_0 : all & ~class_0;
}

static struct route by_torus(const struct cube *cube, unsigned d, unsigned c, unsigned t)
{
    const unsigned k = cube->k, f = (t + k - c) % k, b = k - f;
    const bool plus = f < b || (f == b && c % 2 == 0);
    const bool must_cross_wrap = plus ? c > t : c < t;
    return (struct route){.port = plus ? 2 * d : 2 * d + 1,
                          .vcs = lanes_of_class(cube, must_cross_wrap ? 0 : 1)};
}

struct route route_by_rule(const struct cube *cube, const unsigned *here, const unsigned *dst)
{
    const unsigned n = cube->n;
    const uint64_t all = ones(cube->num_vcs);
    unsigned d = 0;

    while (d < n && here[d] == dst[d])
        d++;
    if (d == n) return (struct route){.port = cube->topology <= TORUS ? 2 * n : n, .vcs = all};
    switch (cube->topology) {
    case MESH:
        return by_mesh(d, here[d], dst[d], all);
    case TORUS:
        return by_torus(cube, d, here[d], dst[d]);
    case UNIDIRECTIONAL_TORUS:
        return (struct route){.port = d, .vcs = lanes_of_class(cube, here[d] > dst[d] ? 0 : 1)};
    default:
        return (struct route){.port = d, .vcs = all};
    }
}

static uint64_t power_of_4(unsigned exponent) { return UINT64_C(1) << 2 * exponent; }

struct route route_in_tree(const struct tree_head *head, unsigned num_vcs)
{
    const unsigned l = head->level;
    const uint64_t t = head->destination, below = UINT64_C(1) << (l - 1);
    struct route route = {.vcs = ones(num_vcs)};

    if (t / power_of_4(l) == head->address / below) {
        route.port = (unsigned)(t / power_of_4(l - 1) % 4);
    } else {
        route.port = 4;
        if (head->path_rule == PATH_CARRIED) route.port += (unsigned)(head->path >> (l - 1) & 1);
        if (head->path_rule == PATH_DRAWN) route.port += head->random;
        if (head->path_rule == PATH_NONE) route.port += (unsigned)(t / below % 2);
        route.either = head->path_rule == PATH_GREEDY;
    }
    return route;
}

unsigned num_switches(unsigned k, unsigned n)
{
    unsigned s = 1;
    while (n-- > 0)
        s *= k;
    return s;
}

unsigned num_ports(int topology, unsigned n) { return topology <= TORUS ? 2 * n + 1 : n + 1; }

static void put_label(struct bits *in, unsigned k, unsigned n, uint64_t terminal)
{
    for (unsigned d = 0; d < n; d++, terminal /= k)
        put(in, index_width(k), terminal % k);
}

// In a small network every pair is tried, in a large one random pairs.
void drive_route(struct cube c, struct bits *in)
{
    const unsigned s = num_switches(c.k, c.n);
    const uint64_t pair = s <= 128 ? bench_cycle() : random_bits(40);
    put_label(in, c.k, c.n, pair / s % s);
    put_label(in, c.k, c.n, pair % s);
}

void check_route(struct cube c, struct bits *in, struct bits *out)
{
    unsigned here[10] = {0}, dst[10] = {0};
    for (unsigned d = 0; d < c.n; d++)
        here[d] = (unsigned)take(in, "here", index_width(c.k));
    for (unsigned d = 0; d < c.n; d++)
        dst[d] = (unsigned)take(in, "dst", index_width(c.k));

    const struct route route = route_by_rule(&c, here, dst);
    expect(out, "port", num_ports(c.topology, c.n), onehot((int)route.port));
    expect(out, "vcs", c.num_vcs, route.vcs);
}

// --- several options ---

unsigned cube_escapes(int topology, int routing)
{
    if (routing != ADAPTIVE) return 0;
    return topology == MESH ? 1 : 2;
}

int straight_on(int topology, unsigned n, unsigned from)
{
    const bool two_ways = topology <= TORUS;
    if (from >= (two_ways ? 2 * n : n)) return RULES_NONE;
    return (int)(two_ways ? from ^ 1u : from);
}

struct ways {
    bool plus, minus;  // whether they lead nearer
};

static struct ways productive(int topology, unsigned k, unsigned c, unsigned t)
{
    const unsigned f = (t + k - c) % k, b = k - f;
    if (c == t) return (struct ways){false, false};
    switch (topology) {
    case MESH:
        return (struct ways){t > c, t < c};
    case TORUS:
        return (struct ways){f <= b, f >= b};
    default:
        return (struct ways){true, false};
    }
}

static struct ways odd_even_rows(struct ways y, unsigned c0, unsigned t0, unsigned from)
{
    const bool from_west = from == 1;
    const bool may = t0 == c0 || (t0 > c0 ? c0 % 2 == 1 || !from_west : c0 % 2 == 0);
    return may ? y : (struct ways){false, false};
}

// x[0] and x[1] are the productive ways of the two dimensions; they become those of the options.
static void by_plane(int routing, const unsigned *here, const unsigned *dst, unsigned from,
                     struct ways *x)
{
    const bool north_alone = x[1].plus && !x[0].plus && !x[0].minus;
    const bool last_column = dst[0] == here[0] + 1 && dst[0] % 2 == 0 && here[1] != dst[1];
    switch (routing) {
    case WEST_FIRST:
        if (x[0].minus) x[1] = (struct ways){false, false};
        break;
    case NORTH_LAST:
        x[1].plus = north_alone;
        break;
    default:
        if (last_column) x[0].plus = false;
        x[1] = odd_even_rows(x[1], here[0], dst[0], from);
        break;
    }
}

static void by_negative(unsigned n, struct ways *x)
{
    bool some = false;
    for (unsigned d = 0; d < n; d++)
        some |= x[d].minus;
    for (unsigned d = 0; d < n && some; d++)
        x[d].plus = false;
}

// Adds the option of the port of dimension order, which has the escape lane or, of the two of a
// torus, that of its class.
static void add_escape(const struct cube *cube, const unsigned *here, const unsigned *dst,
                       struct options *options)
{
    struct cube escape = *cube;
    escape.routing = cube->topology == MESH ? DIMENSION_ORDER : DATELINE;
    escape.num_vcs = cube_escapes(cube->topology, cube->routing);
    const struct route route = route_by_rule(&escape, here, dst);
    options->vcs[route.port] |= (uint8_t)(route.vcs << (cube->num_vcs - escape.num_vcs));
}

static bool are_equal(const unsigned *a, const unsigned *b, unsigned n)
{
    for (unsigned d = 0; d < n; d++)
        if (a[d] != b[d]) return false;
    return true;
}

struct options options_by_rule(const struct cube *cube, const unsigned *here, const unsigned *dst,
                               unsigned from)
{
    const unsigned n = cube->n;
    const int topology = cube->topology, routing = cube->routing;
    const bool two_ways = topology <= TORUS;
    const uint8_t set = (uint8_t)ones(cube->num_vcs - cube_escapes(topology, routing));
    struct options options = {0};
    struct ways x[10] = {0};
    if (are_equal(here, dst, n)) {
        options.vcs[two_ways ? 2 * n : n] = (uint8_t)ones(cube->num_vcs);
        return options;
    }
    for (unsigned d = 0; d < n; d++)
        x[d] = productive(topology, cube->k, here[d], dst[d]);
    if (routing == NEGATIVE_FIRST) by_negative(n, x);
    if (routing == WEST_FIRST || routing == NORTH_LAST || routing == ODD_EVEN)
        by_plane(routing, here, dst, from, x);
    for (unsigned d = 0; d < n; d++) {
        if (x[d].plus) options.vcs[two_ways ? 2 * d : d] = set;
        if (x[d].minus) options.vcs[2 * d + 1] = set;
    }
    if (routing == ADAPTIVE) add_escape(cube, here, dst, &options);
    return options;
}

void drive_options(struct cube c, struct bits *in)
{
    put(in, 8, random_below(num_ports(c.topology, c.n)));
    drive_route(c, in);
}

void check_options(struct cube c, struct bits *in, struct bits *out)
{
    unsigned here[10] = {0}, dst[10] = {0};
    const unsigned from = (unsigned)take(in, "from", 8);
    for (unsigned d = 0; d < c.n; d++)
        here[d] = (unsigned)take(in, "here", index_width(c.k));
    for (unsigned d = 0; d < c.n; d++)
        dst[d] = (unsigned)take(in, "dst", index_width(c.k));
    const struct options options = options_by_rule(&c, here, dst, from);
    for (unsigned o = 0; o < num_ports(c.topology, c.n); o++)
        expect(out, "set", c.num_vcs, options.vcs[o]);
}
