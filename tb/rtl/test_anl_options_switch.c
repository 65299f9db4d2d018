// SPDX-License-Identifier: Apache-2.0
//
// A switch with a table for each class of messages at each input port, whose entries are drawn for
// each test and have any number of options. The last port leads to a terminal.

#include "switch_bench.h"

enum { P, T, SELECT, ATOMIC, ESCAPES, NUM_VCS, DEPTH, FLIT_W, ARBITER, FLOW_CONTROL, CLASSES };
enum { MOST_TERMINALS = 16 };

struct state {
    struct switch_bench b;  // comes first: the functions below get its address
    struct oracle_route table[ORACLE_PORTS][ORACLE_LANES][MOST_TERMINALS];
    unsigned terminals;
};

static const struct state *whole(const struct switch_bench *b) { return (const void *)b; }

static struct oracle_route options(const struct switch_bench *b, struct oracle_place at,
                                   uint64_t dst, uint64_t path)
{
    (void)path;
    return whole(b)->table[at.port][at.class_][dst];
}

static uint64_t destination(const struct switch_bench *b, unsigned p)
{
    (void)p;
    return random_below(whole(b)->terminals);
}

static void draw_table(struct state *state, unsigned p, unsigned class_)
{
    const unsigned ports = state->b.s.shape.num_ports,
                   num_vcs = oracle_class_vcs(&state->b.s.shape);
    for (unsigned t = 0; t < state->terminals; t++) {
        struct oracle_route *entry = &state->table[p][class_][t];
        for (unsigned o = 0; o < ports; o++)
            entry->lanes[o] = chance(50) ? (uint8_t)random_bits(num_vcs) : 0;
        entry->lanes[random_below(ports)] = (uint8_t)ones(num_vcs);
    }
}

// Lets heads in each lane keep to some lanes of their class, their own among them.
static void draw_lanes(struct state *state)
{
    const unsigned num_vcs = oracle_class_vcs(&state->b.s.shape);
    const bool all = chance(50);
    for (unsigned v = 0; v < state->b.s.shape.num_vcs; v++)
        state->b.keeps[v] = all ? ones(num_vcs) : random_bits(num_vcs) | onehot((int)(v % num_vcs));
}

// Returns how many lanes of a class are escape lanes, which are its last ones, out of the mask of
// those of all classes.
static unsigned escapes_of_class(unsigned escapes, unsigned class_, unsigned num_vcs)
{
    return members_below(num_vcs, escapes >> class_ * num_vcs);
}

static void reset(void *place, const int *p)
{
    struct state *state = place;
    struct oracle_shape *shape = &state->b.s.shape;
    const unsigned ports = (unsigned)p[P];
    state->terminals = (unsigned)p[T];
    *shape = (struct oracle_shape){.num_ports = ports,
                                   .num_vcs = (unsigned)p[NUM_VCS],
                                   .depth = (unsigned)p[DEPTH],
                                   .arbiter = p[ARBITER],
                                   .flow_control = p[FLOW_CONTROL],
                                   .draws = p[SELECT] == SELECT_RANDOM,
                                   .selects = true,
                                   .select = p[SELECT],
                                   .atomic = p[ATOMIC] != 0,
                                   .terminals = onehot((int)ports - 1)};
    state->b.layout =
        (struct layout){.flit_w = (unsigned)p[FLIT_W], .dst_w = index_width(state->terminals)};
    set_classes(shape, p[CLASSES]);
    for (unsigned i = 0; i < ports * (unsigned)p[CLASSES]; i++)
        draw_table(state, i / (unsigned)p[CLASSES], i % (unsigned)p[CLASSES]);
    draw_lanes(state);
    state->b.route = options;
    state->b.destination = destination;
    for (unsigned c = 0; c < oracle_classes(shape); c++)
        shape->escapes[c] = escapes_of_class((unsigned)p[ESCAPES], c, oracle_class_vcs(shape));
    for (unsigned i = 0; i < ports; i++)
        shape->straight[i] = chance(70) ? (int)random_below(ports) : ORACLE_NONE;
    reset_bench(&state->b);
}

static void drive(void *place, const int *p, struct bits *in)
{
    struct state *state = place;
    const unsigned ports = (unsigned)p[P];
    const unsigned classes = (unsigned)p[CLASSES], num_vcs = oracle_class_vcs(&state->b.s.shape);
    for (unsigned i = 0; i < ports * classes; i++)
        for (unsigned t = 0; t < state->terminals; t++)
            for (unsigned o = 0; o < ports; o++)
                put(in, num_vcs, state->table[i / classes][i % classes][t].lanes[o]);
    for (unsigned v = 0; v < (unsigned)p[NUM_VCS]; v++)
        put(in, num_vcs, state->b.keeps[v]);
    for (unsigned i = 0; i < ports; i++)
        put(in, ports, onehot(state->b.s.shape.straight[i]));
    put(in, ports, state->b.s.shape.terminals);
    drive_links(&state->b, in);
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    struct state *state = place;
    const unsigned ports = (unsigned)p[P];
    for (unsigned i = 0; i < ports * (unsigned)p[CLASSES] * state->terminals * ports; i++)
        take(in, "set", oracle_class_vcs(&state->b.s.shape));
    for (unsigned v = 0; v < (unsigned)p[NUM_VCS]; v++)
        take(in, "lanes", oracle_class_vcs(&state->b.s.shape));
    for (unsigned i = 0; i < ports; i++)
        take(in, "straight", ports);
    take(in, "terminals", ports);
    check_switch(&state->b, in, out);
}

static const struct bench_module module = {
    .name = "anl_options_switch",
    .parameters =
        "NumPorts, T, Select, Atomic, Escapes, NumVcs, Depth, FlitW, Arbiter, FlowControl, Classes",
    .state_bytes = sizeof(struct state),
    .cycles = 3000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
