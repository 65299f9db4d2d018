// SPDX-License-Identifier: Apache-2.0

#include "switch_rules.h"

static struct route route(const struct switch_state *s, unsigned p, uint64_t dst, uint64_t path)
{
    (void)p;
    (void)path;
    unsigned coordinates[10];
    for (unsigned d = 0; d < s->n; d++, dst >>= index_width(s->k))
        coordinates[d] = (unsigned)(dst & ones(index_width(s->k)));
    return route_by_rule(s->kind, s->k, s->n, s->shape.num_vcs, s->here, coordinates);
}

// Some worms end here, so that the port of the terminal is contested too. Towards the edge of
// a mesh no route leads.
static uint64_t destination(const struct switch_state *s)
{
    const bool home = chance(20);
    uint64_t label = 0;
    for (unsigned d = s->n; d-- > 0;) {
        const uint64_t x = home ? s->here[d] : random_below(s->k);
        label = label << index_width(s->k) | x;
    }
    return label;
}

static void reset(void *state, const int *p)
{
    struct switch_state *s = state;
    s->k = (unsigned)p[0];
    s->n = (unsigned)p[1];
    s->kind = p[2];
    s->shape = (struct shape){.num_ports = num_ports(s->kind, s->n),
                              .num_vcs = (unsigned)p[3],
                              .depth = (unsigned)p[4],
                              .flit_w = (unsigned)p[5],
                              .dst_w = s->n * index_width(s->k),
                              .scan = p[6],
                              .admission = p[7]};
    s->route = route;
    s->destination = destination;
    for (unsigned d = 0; d < s->n; d++)
        s->here[d] = (unsigned)random_below(s->k);
    switch_reset(s);
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct switch_state *s = state;
    (void)p;
    for (unsigned d = 0; d < s->n; d++)
        put(in, index_width(s->k), s->here[d]);
    drive_links(s, in);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct switch_state *s = state;
    (void)p;
    for (unsigned d = 0; d < s->n; d++)
        take(in, "here", index_width(s->k));
    check_switch(s, in, out);
}

static const struct bench_module module = {
    .name = "anl_cube_switch",
    .parameters = "K, N, Kind, NumVcs, Depth, FlitW, Scan, Admission",
    .state_bytes = sizeof(struct switch_state),
    .cycles = 3000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
