// SPDX-License-Identifier: Apache-2.0
//
// A switch whose heads carry their routes, with all turns or with some of them. The destination in
// a head is random and must not matter; the first port of its list is one to which a turn leads.
// All bits of every flit that leaves are compared.

#include "switch_bench.h"

enum { P, T, LONGEST, NUM_VCS, DEPTH, FLIT_W, ARBITER, FLOW_CONTROL, SOME };

struct state {
    struct switch_bench b;  // comes first: the functions below get its address
    unsigned terminals;
    bool some;  // only the turns from p to o for which p + 2 o is no multiple of 3
};

static const struct state *whole(const struct switch_bench *b) { return (const void *)b; }

static struct oracle_route route(const struct switch_bench *b, struct oracle_place at, uint64_t dst,
                                 uint64_t path)
{
    (void)at;
    (void)dst;
    return oracle_one_port((unsigned)path, ones(b->s.shape.num_vcs));
}

static uint64_t destination(const struct switch_bench *b, unsigned p)
{
    (void)p;
    return random_below(whole(b)->terminals);
}

static unsigned first_port(const struct switch_bench *b, unsigned p)
{
    const unsigned ports = b->s.shape.num_ports;
    unsigned port = (unsigned)random_below(ports);
    while (whole(b)->some && (p + 2 * port) % 3 == 0)
        port = (port + 1) % ports;
    return port;
}

static void reset(void *place, const int *p)
{
    struct state *state = place;
    const unsigned port_w = index_width((unsigned)p[P]);
    state->terminals = (unsigned)p[T];
    state->some = p[SOME];
    state->b.s.shape = (struct oracle_shape){.num_ports = (unsigned)p[P],
                                             .num_vcs = (unsigned)p[NUM_VCS],
                                             .depth = (unsigned)p[DEPTH],
                                             .arbiter = p[ARBITER],
                                             .flow_control = p[FLOW_CONTROL]};
    state->b.layout = (struct layout){.flit_w = (unsigned)p[FLIT_W],
                                      .dst_w = index_width(state->terminals),
                                      .path_w = port_w,
                                      .list_w = port_w * (unsigned)p[LONGEST]};
    state->b.route = route;
    state->b.destination = destination;
    state->b.first_port = first_port;
    reset_bench(&state->b);
}

static void drive(void *place, const int *p, struct bits *in)
{
    (void)p;
    drive_links(place, in);
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    (void)p;
    check_switch(place, in, out);
}

static const struct bench_module module = {
    .name = "anl_source_switch",
    .parameters = "NumPorts, T, Longest, NumVcs, Depth, FlitW, Arbiter, FlowControl, Some",
    .state_bytes = sizeof(struct state),
    .cycles = 3000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
