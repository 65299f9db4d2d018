// SPDX-License-Identifier: Apache-2.0

#include "switch_bench.h"

enum { CREDIT_BYPASS = SHAPE_PARAMETERS, CLASSES };

// The bench takes the route from the destination itself: the port is dst mod P, and lane w is
// allowed if bit w mod DstW is 1. If the path is carried or drawn, it is added to the port. If it
// is greedy, destinations with bit DstW - 1 may go by either of the last two ports.
static struct oracle_route route(const struct switch_bench *b, struct oracle_place at, uint64_t dst,
                                 uint64_t path)
{
    const unsigned ports = b->s.shape.num_ports, num_vcs = oracle_class_vcs(&b->s.shape);
    const unsigned dst_w = b->layout.dst_w;
    const uint64_t added = b->layout.path == PATH_CARRIED ? path
                           : b->layout.path == PATH_DRAWN ? b->s.random >> at.port & 1
                                                          : 0;
    const unsigned port = (unsigned)((dst + added) % ports);
    uint64_t lanes = 0;
    for (unsigned w = 0; w < num_vcs; w++)
        lanes |= (dst >> w % dst_w & 1) << w;
    struct oracle_route route = oracle_one_port(port, lanes ? lanes : ones(num_vcs));
    if (b->layout.path == PATH_GREEDY && dst >> (dst_w - 1) && port == ports - 2)
        route.lanes[port + 1] = route.lanes[port];
    return route;
}

static uint64_t destination(const struct switch_bench *b, unsigned p)
{
    (void)p;
    return random_bits(b->layout.dst_w);
}

static void reset(void *state, const int *p)
{
    struct switch_bench *b = state;
    set_shape(b, p);
    set_classes(&b->s.shape, p[CLASSES]);
    b->chained = (unsigned)p[CREDIT_BYPASS];
    b->chained_in = p[CREDIT_BYPASS] ? (unsigned)ones(b->s.shape.num_ports) : 0;
    b->route = route;
    b->destination = destination;
    reset_bench(b);
}

static void drive(void *state, const int *p, struct bits *in)
{
    (void)p;
    drive_links(state, in);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    (void)p;
    check_switch(state, in, out);
}

static const struct bench_module module = {
    .name = "anl_switch",
    .parameters = "NumPorts, NumVcs, Depth, FlitW, DstW, Arbiter, FlowControl, LengthInHead, Path, "
                  "PathW, CreditBypass, Classes",
    .state_bytes = sizeof(struct switch_bench),
    .cycles = 4000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
