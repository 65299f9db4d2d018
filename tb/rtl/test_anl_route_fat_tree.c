// SPDX-License-Identifier: Apache-2.0
//
// Every switch and every destination of trees with 1 to 4 levels; path and random bit are drawn.

#include "bench.h"
#include "cube_routes.h"

struct state {
    int unused;
};

static unsigned path_width(const int *p)
{
    return p[3] == PATH_CARRIED && p[0] > 1 ? (unsigned)p[0] - 1 : 1;
}

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned n = (unsigned)p[0], terminals = 1u << 2 * n;
    const unsigned size = terminals >> (p[1] + 1);  // number of switches of the level
    const uint64_t pair = bench_cycle();
    (void)state;

    put(in, 2 * n, pair / terminals % size);
    put(in, 2 * n, pair % terminals);
    put(in, 1, random_bits(1));
    put(in, path_width(p), random_bits(path_width(p)));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned n = (unsigned)p[0], num_vcs = (unsigned)p[2];
    (void)state;
    struct oracle_tree_head head = {.level = (unsigned)p[1], .path_rule = p[3]};
    head.address = (unsigned)take(in, "here", 2 * n);
    head.destination = (unsigned)take(in, "dst", 2 * n);
    head.random = take(in, "random", 1);
    head.path = take(in, "path", path_width(p));

    // Of two equally good ports the unit names the first one.
    const struct oracle_route route = oracle_tree_route(&head, num_vcs);
    const uint64_t ports = ports_of(&route);
    const bool either = ports == (onehot(4) | onehot(5));
    expect(out, "port", 6, either ? onehot(4) : ports);
    expect(out, "either", 1, either);
    expect(out, "vcs", num_vcs, lanes_of(&route));
}

static const struct bench_module module = {
    .name = "anl_route_fat_tree",
    .parameters = "N, Level, NumVcs, Path",
    .state_bytes = sizeof(struct state),
    .cycles = 20000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
