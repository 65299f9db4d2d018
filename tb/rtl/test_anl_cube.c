// SPDX-License-Identifier: Apache-2.0

#include "lone_worm.h"
#include "oracle/routes.h"

enum { K, N, TOPOLOGY, ROUTING, NUM_VCS, DEPTH, FLIT_W, ARBITER, FLOW_CONTROL };

static unsigned ring_distance(const int *p, unsigned from, unsigned to)
{
    const unsigned k = (unsigned)p[K], forward = (to + k - from) % k;
    switch (p[TOPOLOGY]) {
    case MESH:
        return from < to ? to - from : from - to;
    case UNIDIRECTIONAL_TORUS:
        return forward;
    default:
        return forward < k - forward ? forward : k - forward;
    }
}

static unsigned links(const int *p, unsigned from, unsigned to)
{
    const unsigned k = (unsigned)p[K];
    unsigned distance = 0;
    for (int d = 0; d < p[N]; d++, from /= k, to /= k)
        distance += ring_distance(p, from % k, to % k);
    return distance + 2;  // injection and ejection
}

static uint64_t label(const int *p, unsigned terminal)
{
    const unsigned k = (unsigned)p[K];
    uint64_t label = 0;
    for (unsigned d = 0; d < (unsigned)p[N]; d++, terminal /= k)
        label |= (uint64_t)(terminal % k) << d * index_width(k);
    return label;
}

static struct lone_network network(const int *p)
{
    const unsigned k = (unsigned)p[K], n = (unsigned)p[N];
    return (struct lone_network){.num_vcs = (unsigned)p[NUM_VCS],
                                 .depth = (unsigned)p[DEPTH],
                                 .flit_w = (unsigned)p[FLIT_W],
                                 .terminals = oracle_power(k, n),
                                 .dst_w = n * index_width(k),
                                 .flow_control = p[FLOW_CONTROL],
                                 .label = label,
                                 .links = links};
}

static void drive(void *state, const int *p, struct bits *in)
{
    const struct lone_network cube = network(p);
    lone_drive(state, &cube, p, in);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const struct lone_network cube = network(p);
    lone_check(state, &cube, in, out);
}

static const struct bench_module module = {
    .name = "anl_cube",
    .parameters = "K, N, Topology, Routing, NumVcs, Depth, FlitW, Arbiter, FlowControl",
    .state_bytes = sizeof(struct lone_worm),
    .cycles = 6000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
