// SPDX-License-Identifier: Apache-2.0

#include <string.h>

#include "switch_bench.h"

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
    ARBITER,
    FLOW_CONTROL,
    CLASSES,
    STAGES
};

// Returns the cube of the switch, whose routes choose from the lanes of a class.
static struct oracle_cube cube_of(const struct switch_bench *b)
{
    return (struct oracle_cube){b->topology, b->routing, b->k, b->n, oracle_class_vcs(&b->s.shape)};
}

static struct oracle_route route(const struct switch_bench *b, struct oracle_place at, uint64_t dst,
                                 uint64_t path)
{
    (void)path;
    unsigned to[ORACLE_DIMENSIONS];
    for (unsigned d = 0; d < b->n; d++, dst >>= index_width(b->k))
        to[d] = (unsigned)(dst & ones(index_width(b->k)));
    const struct oracle_cube cube = cube_of(b);
    return b->s.shape.selects ? oracle_cube_options(&cube, b->here, to, at.port)
                              : oracle_cube_route(&cube, b->here, to);
}

// Returns the dimension of port p, or n if p is the terminal's port.
static unsigned dimension(const struct switch_bench *b, unsigned p)
{
    return b->topology <= TORUS ? p / 2 : p;
}

// Returns whether the switch at the other end of the link into port p, a link of dimension d, sends
// a worm for these coordinates over it. The switch under test cannot see the edges of a mesh, so
// the mesh is taken to go on beyond them.
static bool sends(const struct switch_bench *b, unsigned d, unsigned p, const unsigned *to)
{
    const bool two_ways = b->topology <= TORUS;
    const bool from_above = two_ways ? p % 2 == 0 : b->topology == HYPERCUBE;
    const unsigned back = two_ways ? p ^ 1u : p;  // port of that link at the other switch
    // Columns stay even or odd.
    const unsigned margin = b->topology == MESH ? 2 : 0, k = b->k + 2 * margin;
    struct oracle_cube cube = cube_of(b);
    unsigned there[ORACLE_DIMENSIONS], goal[ORACLE_DIMENSIONS];

    for (unsigned i = 0; i < b->n; i++) {
        there[i] = b->here[i] + margin;
        goal[i] = to[i] + margin;
    }
    there[d] = (there[d] + (from_above ? 1 : k - 1)) % k;
    cube.k = k;
    const unsigned terminal = b->s.shape.num_ports - 1;
    const struct oracle_route way = b->s.shape.selects
                                        ? oracle_cube_options(&cube, there, goal, terminal)
                                        : oracle_cube_route(&cube, there, goal);
    return way.lanes[back] != 0;
}

// Draws coordinates that agree with here in the dimensions below d. Some of the worms end here, so
// that the port of the terminal is contested too.
static void draw(const struct switch_bench *b, unsigned d, unsigned *to)
{
    const bool ends_here = chance(20);
    memcpy(to, b->here, sizeof b->here);
    for (; d < b->n && !ends_here; d++)
        to[d] = (unsigned)random_below(b->k);
}

// Some links carry no worm, such as one of the two ways round a ring of two. A worm that comes over
// such a link ends here.
static void draw_for_link(const struct switch_bench *b, unsigned d, unsigned p, unsigned *to)
{
    enum { TRIES = 64 };
    bool goes = false;
    for (unsigned i = 0; !goes && i < TRIES; i++) {
        draw(b, b->s.shape.selects ? 0 : d, to);
        goes = sends(b, d, p, to);
    }
    if (!goes) memcpy(to, b->here, sizeof b->here);
}

// Returns the destination of a worm from the terminal or from the switch before port p.
static uint64_t destination(const struct switch_bench *b, unsigned p)
{
    const unsigned d = dimension(b, p);
    unsigned to[ORACLE_DIMENSIONS];
    uint64_t label = 0;

    if (d == b->n)
        draw(b, 0, to);
    else
        draw_for_link(b, d, p, to);
    for (unsigned i = b->n; i-- > 0;)
        label = label << index_width(b->k) | to[i];
    return label;
}

static void set_selection(struct switch_bench *b, const int *p)
{
    struct oracle_shape *shape = &b->s.shape;
    const struct oracle_cube cube = cube_of(b);
    shape->selects = has_options(b->routing);
    shape->select = p[SELECT];
    shape->draws = shape->selects && p[SELECT] == SELECT_RANDOM;
    shape->atomic = p[ATOMIC] != 0;
    shape->terminals = onehot((int)shape->num_ports - 1);
    for (unsigned c = 0; c < oracle_classes(shape); c++)
        shape->escapes[c] = oracle_cube_escapes(&cube);
    for (unsigned i = 0; i < shape->num_ports; i++)
        shape->straight[i] = oracle_straight_on(&cube, i);
}

static void reset(void *state, const int *p)
{
    struct switch_bench *b = state;
    b->k = (unsigned)p[K];
    b->n = (unsigned)p[N];
    b->topology = p[TOPOLOGY];
    b->routing = p[ROUTING];
    const struct oracle_cube cube = {b->topology, b->routing, b->k, b->n, 1};
    b->s.shape = (struct oracle_shape){.num_ports = oracle_cube_ports(&cube),
                                       .num_vcs = (unsigned)p[NUM_VCS],
                                       .depth = (unsigned)p[DEPTH],
                                       .arbiter = p[ARBITER],
                                       .flow_control = p[FLOW_CONTROL],
                                       .stages = (unsigned)p[STAGES]};
    b->layout = (struct layout){.flit_w = (unsigned)p[FLIT_W], .dst_w = b->n * index_width(b->k)};
    set_classes(&b->s.shape, p[CLASSES]);
    set_selection(b, p);
    b->route = route;
    b->destination = destination;
    for (unsigned d = 0; d < b->n; d++)
        b->here[d] = (unsigned)random_below(b->k);
    reset_bench(b);
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct switch_bench *b = state;
    (void)p;
    for (unsigned d = 0; d < b->n; d++)
        put(in, index_width(b->k), b->here[d]);
    drive_links(b, in);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct switch_bench *b = state;
    (void)p;
    for (unsigned d = 0; d < b->n; d++)
        take(in, "here", index_width(b->k));
    check_switch(b, in, out);
}

static const struct bench_module module = {
    .name = "anl_cube_switch",
    .parameters =
        "K, N, Topology, Routing, Select, Atomic, NumVcs, Depth, FlitW, Arbiter, FlowControl, "
        "Classes, Stages",
    .state_bytes = sizeof(struct switch_bench),
    .cycles = 3000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
