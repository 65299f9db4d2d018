// SPDX-License-Identifier: Apache-2.0

#include <string.h>

#include "switch_rules.h"

enum {
    K,
    N,
    TOPOLOGY,
    ROUTING,
    SELECT,
    ATOMIC,
    NUM_VCS,
    DEPTH,
    FLIT_W,
    SCAN,
    ADMISSION,
    CLASSES,
    STAGES
};

// Returns the cube of the switch, whose routes choose from the lanes of a class.
static struct cube cube_of(const struct switch_state *s)
{
    return (struct cube){s->topology, s->routing, s->k, s->n, class_vcs(&s->shape)};
}

static struct route route(const struct switch_state *s, struct place at, uint64_t dst,
                          uint64_t path)
{
    (void)at;
    (void)path;
    unsigned coordinates[10];
    for (unsigned d = 0; d < s->n; d++, dst >>= index_width(s->k))
        coordinates[d] = (unsigned)(dst & ones(index_width(s->k)));
    const struct cube cube = cube_of(s);
    return route_by_rule(&cube, s->here, coordinates);
}

static struct options options(const struct switch_state *s, struct place at, uint64_t dst)
{
    unsigned coordinates[10];
    for (unsigned d = 0; d < s->n; d++, dst >>= index_width(s->k))
        coordinates[d] = (unsigned)(dst & ones(index_width(s->k)));
    const struct cube cube = cube_of(s);
    return options_by_rule(&cube, s->here, coordinates, at.port);
}

// Returns the dimension of port p, or n if p is the terminal's port.
static unsigned dimension(const struct switch_state *s, unsigned p)
{
    return s->topology <= TORUS ? p / 2 : p;
}

// Returns whether the switch at the other end of the link into port p, a link of dimension d, sends
// a worm for these coordinates over it. The switch under test cannot see the edges of a mesh, so
// the mesh is taken to go on beyond them.
static bool sends(const struct switch_state *s, unsigned d, unsigned p, const unsigned *to)
{
    const bool two_ways = s->topology <= TORUS;
    const bool from_above = two_ways ? p % 2 == 0 : s->topology == HYPERCUBE;
    const unsigned back = two_ways ? p ^ 1u : p;  // port of that link at the other switch
    // Columns stay even or odd.
    const unsigned margin = s->topology == MESH ? 2 : 0, k = s->k + 2 * margin;
    struct cube cube = cube_of(s);
    unsigned there[10], goal[10];

    for (unsigned i = 0; i < s->n; i++) {
        there[i] = s->here[i] + margin;
        goal[i] = to[i] + margin;
    }
    there[d] = (there[d] + (from_above ? 1 : k - 1)) % k;
    cube.k = k;
    if (!s->options) return route_by_rule(&cube, there, goal).port == back;
    return options_by_rule(&cube, there, goal, s->shape.num_ports - 1).vcs[back] != 0;
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
    s->k = (unsigned)p[K];
    s->n = (unsigned)p[N];
    s->topology = p[TOPOLOGY];
    s->routing = p[ROUTING];
    s->select = p[SELECT];
    s->atomic = p[ATOMIC] != 0;
    s->shape = (struct shape){.num_ports = num_ports(s->topology, s->n),
                              .num_vcs = (unsigned)p[NUM_VCS],
                              .depth = (unsigned)p[DEPTH],
                              .flit_w = (unsigned)p[FLIT_W],
                              .dst_w = s->n * index_width(s->k),
                              .scan = p[SCAN],
                              .admission = p[ADMISSION]};
    set_classes(&s->shape, p[CLASSES]);
    s->shape.stages = (unsigned)p[STAGES];
    s->route = route;
    if (has_options(s->routing)) s->options = options;
    s->escapes = last_of_each(&s->shape, cube_escapes(s->topology, s->routing));
    s->terminals = onehot((int)s->shape.num_ports - 1);
    for (unsigned i = 0; i < s->shape.num_ports; i++)
        s->straight[i] = straight_on(s->topology, s->n, i);
    if (s->options && s->select == SELECT_RANDOM) s->shape.path = PATH_DRAWN;
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
    .parameters = "K, N, Topology, Routing, Select, Atomic, NumVcs, Depth, FlitW, Scan, Admission, "
                  "Classes, Stages",
    .state_bytes = sizeof(struct switch_state),
    .cycles = 3000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
