// SPDX-License-Identifier: Apache-2.0

#include <string.h>

#include "switch_rules.h"

static struct route route(const struct switch_state *s, struct place at, uint64_t dst,
                          uint64_t path)
{
    (void)at;
    (void)path;
    unsigned coordinates[10];
    for (unsigned d = 0; d < s->n; d++, dst >>= index_width(s->k))
        coordinates[d] = (unsigned)(dst & ones(index_width(s->k)));
    return route_by_rule(s->kind, s->k, s->n, class_vcs(&s->shape), s->here, coordinates);
}

static struct options options(const struct switch_state *s, struct place at, uint64_t dst)
{
    unsigned coordinates[10];
    for (unsigned d = 0; d < s->n; d++, dst >>= index_width(s->k))
        coordinates[d] = (unsigned)(dst & ones(index_width(s->k)));
    return options_by_rule(s->kind, s->k, s->n, class_vcs(&s->shape), s->here, coordinates,
                           at.port);
}

// Returns the dimension of port p, or n if p is the terminal's port.
static unsigned dimension(const struct switch_state *s, unsigned p)
{
    return s->kind % WITHOUT_DATELINE <= TORUS ? p / 2 : p;
}

// Returns whether the switch at the other end of the link into port p, a link of dimension d, sends
// a worm for these coordinates over it. The switch under test cannot see the edges of a mesh, so
// the mesh is taken to go on beyond them.
static bool sends(const struct switch_state *s, unsigned d, unsigned p, const unsigned *to)
{
    const int topology = s->kind % WITHOUT_DATELINE;
    const bool two_ways = topology <= TORUS;
    const bool from_above = two_ways ? p % 2 == 0 : topology == HYPERCUBE;
    const unsigned back = two_ways ? p ^ 1u : p;  // port of that link at the other switch
    // Columns stay even or odd.
    const unsigned margin = topology == MESH ? 2 : 0, k = s->k + 2 * margin;
    unsigned there[10], goal[10];

    for (unsigned i = 0; i < s->n; i++) {
        there[i] = s->here[i] + margin;
        goal[i] = to[i] + margin;
    }
    there[d] = (there[d] + (from_above ? 1 : k - 1)) % k;
    if (!s->options)
        return route_by_rule(s->kind, k, s->n, class_vcs(&s->shape), there, goal).port == back;
    const struct options ways = options_by_rule(s->kind, k, s->n, class_vcs(&s->shape), there, goal,
                                                s->shape.num_ports - 1);
    return ways.vcs[back] != 0;
}

// Draws coordinates that agree with here in the dimensions below d. Some of the worms end here, so
// that the port of the terminal is contested too.
static void draw(const struct switch_state *s, unsigned d, unsigned *to)
{
    const bool ends_here = chance(20);
    memcpy(to, s->here, sizeof s->here);
    for (; d < s->n && !ends_here; d++)
        to[d] = (unsigned)random_below(s->k);
}

// Some links carry no worm, such as one of the two ways round a ring of two. A worm that comes over
// such a link ends here.
static void draw_for_link(const struct switch_state *s, unsigned d, unsigned p, unsigned *to)
{
    enum { TRIES = 64 };
    bool goes = false;
    for (unsigned i = 0; !goes && i < TRIES; i++) {
        draw(s, s->options ? 0 : d, to);
        goes = sends(s, d, p, to);
    }
    if (!goes) memcpy(to, s->here, sizeof s->here);
}

// Returns the destination of a worm from the terminal or from the switch before port p.
static uint64_t destination(const struct switch_state *s, unsigned p)
{
    const unsigned d = dimension(s, p);
    unsigned to[10];
    uint64_t label = 0;

    if (d == s->n)
        draw(s, 0, to);
    else
        draw_for_link(s, d, p, to);
    for (unsigned i = s->n; i-- > 0;)
        label = label << index_width(s->k) | to[i];
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
    set_classes(&s->shape, p[8]);
    s->shape.stages = (unsigned)p[9];
    s->route = route;
    if (options_of_kind(s->kind)) s->options = options;
    s->escapes = last_of_each(&s->shape, cube_escapes(s->kind));
    s->terminals = onehot((int)s->shape.num_ports - 1);
    for (unsigned i = 0; i < s->shape.num_ports; i++)
        s->straight[i] = straight_on(s->kind, s->n, i);
    if (s->options && select_of_kind(s->kind) == SELECT_RANDOM) s->shape.path = PATH_DRAWN;
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
    .parameters = "K, N, Kind, NumVcs, Depth, FlitW, Scan, Admission, Classes, Stages",
    .state_bytes = sizeof(struct switch_state),
    .cycles = 3000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
