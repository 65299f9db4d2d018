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
