// SPDX-License-Identifier: Apache-2.0

#include "switch_rules.h"

// The bench routes by the destination itself: port dst mod P, lane w where bit w mod DstW is 1.
static struct route route(const struct switch_state *s, uint64_t dst)
{
    struct route route = {.port = (unsigned)(dst % s->shape.num_ports)};

    for (unsigned w = 0; w < s->shape.num_vcs; w++)
        route.vcs |= (dst >> w % s->shape.dst_w & 1) << w;
    if (route.vcs == 0) route.vcs = ones(s->shape.num_vcs);
    return route;
}

static uint64_t destination(const struct switch_state *s) { return random_bits(s->shape.dst_w); }

static void reset(void *state, const int *p)
{
    struct switch_state *s = state;
    s->shape = (struct shape){
        (unsigned)p[0], (unsigned)p[1], (unsigned)p[2], (unsigned)p[3], (unsigned)p[4], p[5], p[6]};
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
    .parameters = "NumPorts, NumVcs, Depth, FlitW, DstW, Scan, Admission",
    .state_bytes = sizeof(struct switch_state),
    .cycles = 4000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
