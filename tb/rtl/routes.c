// SPDX-License-Identifier: Apache-2.0

#include "routes.h"

#include "rules.h"

static struct route by_mesh(unsigned d, unsigned c, unsigned t, uint64_t all)
{
    return (struct route){.port = t > c ? 2 * d : 2 * d + 1, .vcs = all};
}

// Lanes 0 .. V/2 - 1 are class 0, the others class 1.
static uint64_t lanes_of_class(int kind, unsigned num_vcs, unsigned class)
{
    const uint64_t class_0 = ones(num_vcs / 2), all = ones(num_vcs);
    if (kind >= WITHOUT_DATELINE) return all;
    return class == 0 ? class_0 : all & ~class_0;
}

static struct route by_torus(int kind, unsigned k, unsigned num_vcs, unsigned d, unsigned c,
                             unsigned t)
{
    const unsigned f = (t + k - c) % k, b = k - f;
    const bool plus = f < b || (f == b && c % 2 == 0);
    const bool must_cross_wrap = plus ? c > t : c < t;
    return (struct route){.port = plus ? 2 * d : 2 * d + 1,
                          .vcs = lanes_of_class(kind, num_vcs, must_cross_wrap ? 0 : 1)};
}

struct route route_by_rule(int kind, unsigned k, unsigned n, unsigned num_vcs, const unsigned *here,
                           const unsigned *dst)
{
    const int topology = kind % WITHOUT_DATELINE;
    const uint64_t all = ones(num_vcs);
    unsigned d = 0;

    while (d < n && here[d] == dst[d])
        d++;
    if (d == n) return (struct route){.port = topology <= TORUS ? 2 * n : n, .vcs = all};
    switch (topology) {
    case MESH:
        return by_mesh(d, here[d], dst[d], all);
    case TORUS:
        return by_torus(kind, k, num_vcs, d, here[d], dst[d]);
    case UNIDIRECTIONAL_TORUS:
        return (struct route){.port = d,
                              .vcs = lanes_of_class(kind, num_vcs, here[d] > dst[d] ? 0 : 1)};
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

unsigned num_ports(int kind, unsigned n)
{
    return kind % WITHOUT_DATELINE <= TORUS ? 2 * n + 1 : n + 1;
}

static void put_label(struct bits *in, unsigned k, unsigned n, uint64_t terminal)
{
    for (unsigned d = 0; d < n; d++, terminal /= k)
        put(in, index_width(k), terminal % k);
}

// In a small network every pair is tried, in a large one random pairs.
void drive_route(struct route_corner c, struct bits *in)
{
    const unsigned s = num_switches(c.k, c.n);
    const uint64_t pair = s <= 128 ? bench_cycle() : random_bits(40);
    put_label(in, c.k, c.n, pair / s % s);
    put_label(in, c.k, c.n, pair % s);
}

void check_route(struct route_corner c, struct bits *in, struct bits *out)
{
    unsigned here[10] = {0}, dst[10] = {0};
    for (unsigned d = 0; d < c.n; d++)
        here[d] = (unsigned)take(in, "here", index_width(c.k));
    for (unsigned d = 0; d < c.n; d++)
        dst[d] = (unsigned)take(in, "dst", index_width(c.k));

    const struct route route = route_by_rule(c.kind, c.k, c.n, c.num_vcs, here, dst);
    expect(out, "port", num_ports(c.kind, c.n), onehot((int)route.port));
    expect(out, "vcs", c.num_vcs, route.vcs);
}

// --- several options ---

unsigned cube_escapes(int kind)
{
    if (options_of_kind(kind) != ADAPTIVE) return 0;
    return kind % WITHOUT_DATELINE == MESH ? 1 : 2;
}

int straight_on(int kind, unsigned n, unsigned from)
{
    const bool two_ways = kind % WITHOUT_DATELINE <= TORUS;
    if (from >= (two_ways ? 2 * n : n)) return RULES_NONE;
    return (int)(two_ways ? from ^ 1u : from);
}

struct ways {
    bool plus, minus;  // whether they lead nearer
};

static struct ways productive(int kind, unsigned k, unsigned c, unsigned t)
{
    const unsigned f = (t + k - c) % k, b = k - f;
    if (c == t) return (struct ways){false, false};
    switch (kind % WITHOUT_DATELINE) {
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
static void by_plane(int rule, const unsigned *here, const unsigned *dst, unsigned from,
                     struct ways *x)
{
    const bool north_alone = x[1].plus && !x[0].plus && !x[0].minus;
    const bool last_column = dst[0] == here[0] + 1 && dst[0] % 2 == 0 && here[1] != dst[1];
    switch (rule) {
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
static void add_escape(int kind, unsigned k, unsigned n, unsigned num_vcs, const unsigned *here,
                       const unsigned *dst, struct options *options)
{
    const unsigned escapes = cube_escapes(kind), base = (unsigned)kind % 32;
    const struct route route = route_by_rule((int)base, k, n, escapes, here, dst);
    options->vcs[route.port] |= (uint8_t)(route.vcs << (num_vcs - escapes));
}

static bool are_equal(const unsigned *a, const unsigned *b, unsigned n)
{
    for (unsigned d = 0; d < n; d++)
        if (a[d] != b[d]) return false;
    return true;
}

struct options options_by_rule(int kind, unsigned k, unsigned n, unsigned num_vcs,
                               const unsigned *here, const unsigned *dst, unsigned from)
{
    const bool two_ways = kind % WITHOUT_DATELINE <= TORUS;
    const int rule = options_of_kind(kind);
    const uint8_t set = (uint8_t)ones(num_vcs - cube_escapes(kind));
    struct options options = {0};
    struct ways x[10] = {0};
    if (are_equal(here, dst, n)) {
        options.vcs[two_ways ? 2 * n : n] = (uint8_t)ones(num_vcs);
        return options;
    }
    for (unsigned d = 0; d < n; d++)
        x[d] = productive(kind, k, here[d], dst[d]);
    if (rule == NEGATIVE_FIRST) by_negative(n, x);
    if (rule == WEST_FIRST || rule == NORTH_LAST || rule == ODD_EVEN)
        by_plane(rule, here, dst, from, x);
    for (unsigned d = 0; d < n; d++) {
        if (x[d].plus) options.vcs[two_ways ? 2 * d : d] = set;
        if (x[d].minus) options.vcs[2 * d + 1] = set;
    }
    if (rule == ADAPTIVE) add_escape(kind, k, n, num_vcs, here, dst, &options);
    return options;
}

void drive_options(struct route_corner c, struct bits *in)
{
    put(in, 8, random_below(num_ports(c.kind, c.n)));
    drive_route(c, in);
}

void check_options(struct route_corner c, struct bits *in, struct bits *out)
{
    unsigned here[10] = {0}, dst[10] = {0};
    const unsigned from = (unsigned)take(in, "from", 8);
    for (unsigned d = 0; d < c.n; d++)
        here[d] = (unsigned)take(in, "here", index_width(c.k));
    for (unsigned d = 0; d < c.n; d++)
        dst[d] = (unsigned)take(in, "dst", index_width(c.k));
    const struct options options = options_by_rule(c.kind, c.k, c.n, c.num_vcs, here, dst, from);
    for (unsigned o = 0; o < num_ports(c.kind, c.n); o++)
        expect(out, "set", c.num_vcs, options.vcs[o]);
}
