// SPDX-License-Identifier: Apache-2.0

#include "cube_routes.h"

#include "oracle/scan.h"

uint64_t ports_of(const struct oracle_route *route)
{
    uint64_t ports = 0;
    for (int o = 0; o < ORACLE_PORTS; o++)
        if (route->lanes[o]) ports |= onehot(o);
    return ports;
}

uint64_t lanes_of(const struct oracle_route *route)
{
    const int first = oracle_cyclic_first(ORACLE_PORTS, ports_of(route), 0);
    return first == ORACLE_NONE ? 0 : route->lanes[first];
}

static void put_label(struct bits *in, unsigned k, unsigned n, uint64_t terminal)
{
    for (unsigned d = 0; d < n; d++, terminal /= k)
        put(in, index_width(k), terminal % k);
}

static void take_label(const struct oracle_cube *c, const char *name, struct bits *in,
                       unsigned *coordinates)
{
    for (unsigned d = 0; d < c->n; d++)
        coordinates[d] = (unsigned)take(in, name, index_width(c->k));
}

// In a small network every pair is tried, in a large one random pairs.
void drive_route(struct oracle_cube c, struct bits *in)
{
    const unsigned s = oracle_power(c.k, c.n);
    const uint64_t pair = s <= 128 ? bench_cycle() : random_bits(40);
    put_label(in, c.k, c.n, pair / s % s);
    put_label(in, c.k, c.n, pair % s);
}

void check_route(struct oracle_cube c, struct bits *in, struct bits *out)
{
    unsigned here[ORACLE_DIMENSIONS] = {0}, dst[ORACLE_DIMENSIONS] = {0};
    take_label(&c, "here", in, here);
    take_label(&c, "dst", in, dst);

    const struct oracle_route route = oracle_cube_route(&c, here, dst);
    expect(out, "port", oracle_cube_ports(&c), ports_of(&route));
    expect(out, "vcs", c.num_vcs, lanes_of(&route));
}

void drive_options(struct oracle_cube c, struct bits *in)
{
    put(in, 8, random_below(oracle_cube_ports(&c)));
    drive_route(c, in);
}

void check_options(struct oracle_cube c, struct bits *in, struct bits *out)
{
    unsigned here[ORACLE_DIMENSIONS] = {0}, dst[ORACLE_DIMENSIONS] = {0};
    const unsigned from = (unsigned)take(in, "from", 8);
    take_label(&c, "here", in, here);
    take_label(&c, "dst", in, dst);
    const struct oracle_route options = oracle_cube_options(&c, here, dst, from);
    for (unsigned o = 0; o < oracle_cube_ports(&c); o++)
        expect(out, "set", c.num_vcs, options.lanes[o]);
}
