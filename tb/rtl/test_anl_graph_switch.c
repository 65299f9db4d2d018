// SPDX-License-Identifier: Apache-2.0
//
// A switch with a table for each class of messages that is drawn for each test and leads to every
// port, with all turns or with some of them. Worms come only where a turn leads on.

#include "switch_bench.h"

enum { P, T, NUM_VCS, DEPTH, FLIT_W, ARBITER, FLOW_CONTROL, SOME, CLASSES, MOST_TERMINALS = 16 };

struct state {
    struct switch_bench b;  // comes first: the functions below get its address
    struct entry {
        unsigned port;
        uint64_t lanes;
    } table[ORACLE_LANES][MOST_TERMINALS];  // of each class
    unsigned terminals;
    bool some;  // only the turns from p to o for which p + 2 o is no multiple of 3
};

static const struct state *whole(const struct switch_bench *b) { return (const void *)b; }

static struct oracle_route route(const struct switch_bench *b, struct oracle_place at, uint64_t dst,
                                 uint64_t path)
{
    (void)path;
    const struct entry *entry = &whole(b)->table[at.class_][dst];
    return oracle_one_port(entry->port, entry->lanes);
}

// Corners with some turns have one class.
static uint64_t destination(const struct switch_bench *b, unsigned p)
{
    const struct state *state = whole(b);
    uint64_t dst = random_below(state->terminals);
    while (state->some && (p + 2 * state->table[0][dst].port) % 3 == 0)
        dst = (dst + 1) % state->terminals;
    return dst;
}

// Splits the lanes of a class into one group or two, and lets each route have lanes of both.
static void draw_groups(struct state *state, unsigned class_)
{
    const unsigned num_vcs = oracle_class_vcs(&state->b.s.shape);
    const unsigned split = (unsigned)random_below(num_vcs);
    for (unsigned v = 0; v < num_vcs; v++)
        state->b.keeps[class_ * num_vcs + v] =
            v < split ? ones(split) : ones(num_vcs) & ~ones(split);
    for (unsigned t = 0; split && t < state->terminals; t++)
        state->table[class_][t].lanes |= 1 | 1u << split;
}

static void draw_table(struct state *state, unsigned class_)
{
    for (unsigned t = 0; t < state->terminals; t++) {
        state->table[class_][t].port = (t + class_) % state->b.s.shape.num_ports;
        state->table[class_][t].lanes = 1 + random_below(ones(oracle_class_vcs(&state->b.s.shape)));
    }
    draw_groups(state, class_);
}

static void reset(void *place, const int *p)
{
    struct state *state = place;
    state->terminals = (unsigned)p[T];
    state->some = p[SOME];
    state->b.s.shape = (struct oracle_shape){.num_ports = (unsigned)p[P],
                                             .num_vcs = (unsigned)p[NUM_VCS],
                                             .depth = (unsigned)p[DEPTH],
                                             .arbiter = p[ARBITER],
                                             .flow_control = p[FLOW_CONTROL]};
    state->b.layout =
        (struct layout){.flit_w = (unsigned)p[FLIT_W], .dst_w = index_width(state->terminals)};
    set_classes(&state->b.s.shape, p[CLASSES]);
    for (unsigned c = 0; c < oracle_classes(&state->b.s.shape); c++)
        draw_table(state, c);
    state->b.route = route;
    state->b.destination = destination;
    reset_bench(&state->b);
}

static void drive(void *place, const int *p, struct bits *in)
{
    struct state *state = place;
    const unsigned classes = (unsigned)p[CLASSES];
    for (unsigned i = 0; i < classes * state->terminals; i++) {
        const struct entry *entry = &state->table[i / state->terminals][i % state->terminals];
        put(in, 8, entry->port);
        put(in, 8, entry->lanes);
    }
    for (unsigned v = 0; v < (unsigned)p[NUM_VCS]; v++)
        put(in, oracle_class_vcs(&state->b.s.shape), state->b.keeps[v]);
    drive_links(&state->b, in);
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    struct state *state = place;
    for (unsigned i = 0; i < (unsigned)p[CLASSES] * state->terminals; i++)
        take(in, "entry", 16);
    for (unsigned v = 0; v < (unsigned)p[NUM_VCS]; v++)
        take(in, "lanes", oracle_class_vcs(&state->b.s.shape));
    check_switch(&state->b, in, out);
}

static const struct bench_module module = {
    .name = "anl_graph_switch",
    .parameters = "NumPorts, T, NumVcs, Depth, FlitW, Arbiter, FlowControl, Some, Classes",
    .state_bytes = sizeof(struct state),
    .cycles = 3000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
