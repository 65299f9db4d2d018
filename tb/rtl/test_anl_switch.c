// SPDX-License-Identifier: Apache-2.0

#include "switch_rules.h"

enum { CHAINED = SHAPE_PARAMETERS, CLASSES };

// The bench takes the route from the destination itself: the port is dst mod P, and lane w is
// allowed if bit w mod DstW is 1. If the path is carried or drawn, it is added to the port. If it
// is greedy, destinations with bit DstW - 1 may go by either of the last two ports.
static struct route route(const struct switch_state *s, struct place at, uint64_t dst,
                          uint64_t path)
{
    const struct shape *shape = &s->shape;
    const uint64_t added = shape->path == PATH_CARRIED ? path
                           : shape->path == PATH_DRAWN ? s->random >> at.port & 1
                                                       : 0;
    struct route route = {.port = (unsigned)((dst + added) % shape->num_ports)};

    for (unsigned w = 0; w < class_vcs(shape); w++)
        route.vcs |= (dst >> w % shape->dst_w & 1) << w;
    if (route.vcs == 0) route.vcs = ones(class_vcs(shape));
    route.either = shape->path == PATH_GREEDY && dst >> (shape->dst_w - 1) &&
                   route.port == shape->num_ports - 2;
    return route;
}

static uint64_t destination(const struct switch_state *s, unsigned p)
{
    (void)p;
    return random_bits(s->shape.dst_w);
}

static void reset(void *state, const int *p)
{
    struct switch_state *s = state;
    s->shape = shape_of_parameters(p);
    s->shape.chained = (unsigned)p[CHAINED];
    set_classes(&s->shape, p[CLASSES]);
    s->shape.chained_in = p[CHAINED] ? (unsigned)ones(s->shape.num_ports) : 0;
    s->route = route;
    s->destination = destination;
    switch_reset(s);
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
    .parameters = "NumPorts, NumVcs, Depth, FlitW, DstW, Scan, Admission, LengthInHead, Path, "
                  "PathW, Chained, Classes",
    .state_bytes = sizeof(struct switch_state),
    .cycles = 4000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
