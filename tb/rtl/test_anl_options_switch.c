// SPDX-License-Identifier: Apache-2.0
//
// A switch with a table for each class of messages at each input port, whose entries are drawn for
// each test and have any number of options. The last port leads to a terminal.

#include "switch_rules.h"

enum { P, T, SELECT, ATOMIC, ESCAPES, NUM_VCS, DEPTH, FLIT_W, SCAN, ADMISSION, CLASSES };
enum { MOST_TERMINALS = 16 };

struct state {
    struct switch_state s;  // comes first: the functions below get its address
    struct options table[MAX_PORTS][MAX_VCS][MOST_TERMINALS];
    unsigned terminals;
};

static const struct state *whole(const struct switch_state *s) { return (const void *)s; }

static struct options options(const struct switch_state *s, struct place at, uint64_t dst)
{
    return whole(s)->table[at.port][at.class_][dst];
}

static uint64_t destination(const struct switch_state *s, unsigned p)
{
    (void)p;
    return random_below(whole(s)->terminals);
}

static void draw_table(struct state *state, unsigned p, unsigned class_)
{
    const unsigned ports = state->s.shape.num_ports, num_vcs = class_vcs(&state->s.shape);
    for (unsigned t = 0; t < state->terminals; t++) {
        struct options *entry = &state->table[p][class_][t];
        for (unsigned o = 0; o < ports; o++)
            entry->vcs[o] = chance(50) ? (uint8_t)random_bits(num_vcs) : 0;
        entry->vcs[random_below(ports)] = (uint8_t)ones(num_vcs);
    }
}

// Lets heads in each lane keep to some lanes of their class, their own among them.
static void draw_lanes(struct state *state)
{
    const unsigned num_vcs = class_vcs(&state->s.shape);
    const bool all = chance(50);
    for (unsigned v = 0; v < state->s.shape.num_vcs; v++)
        state->s.keeps[v] = all ? ones(num_vcs) : random_bits(num_vcs) | onehot((int)(v % num_vcs));
}

static void reset(void *place, const int *p)
{
    struct state *state = place;
    struct switch_state *s = &state->s;
    const unsigned ports = (unsigned)p[P];
    state->terminals = (unsigned)p[T];
    s->select = p[SELECT];
    s->atomic = p[ATOMIC] != 0;
    s->shape = (struct shape){.num_ports = ports,
                              .num_vcs = (unsigned)p[NUM_VCS],
                              .depth = (unsigned)p[DEPTH],
                              .flit_w = (unsigned)p[FLIT_W],
                              .dst_w = index_width(state->terminals),
                              .scan = p[SCAN],
                              .admission = p[ADMISSION],
                              .path = s->select == SELECT_RANDOM ? PATH_DRAWN : PATH_NONE};
    set_classes(&s->shape, p[CLASSES]);
    for (unsigned i = 0; i < ports * (unsigned)p[CLASSES]; i++)
        draw_table(state, i / (unsigned)p[CLASSES], i % (unsigned)p[CLASSES]);
    draw_lanes(state);
    s->options = options;
    s->destination = destination;
    s->escapes = (unsigned)p[ESCAPES];
    s->terminals = onehot((int)ports - 1);
    for (unsigned i = 0; i < ports; i++)
        s->straight[i] = chance(70) ? (int)random_below(ports) : RULES_NONE;
    switch_reset(s);
}

static void drive(void *place, const int *p, struct bits *in)
{
    struct state *state = place;
    const unsigned ports = (unsigned)p[P];
    const unsigned classes = (unsigned)p[CLASSES], num_vcs = class_vcs(&state->s.shape);
    for (unsigned i = 0; i < ports * classes; i++)
        for (unsigned t = 0; t < state->terminals; t++)
            for (unsigned o = 0; o < ports; o++)
                put(in, num_vcs, state->table[i / classes][i % classes][t].vcs[o]);
    for (unsigned v = 0; v < (unsigned)p[NUM_VCS]; v++)
        put(in, num_vcs, state->s.keeps[v]);
    for (unsigned i = 0; i < ports; i++)
        put(in, ports, onehot(state->s.straight[i]));
    put(in, ports, state->s.terminals);
    drive_links(&state->s, in);
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    struct state *state = place;
    const unsigned ports = (unsigned)p[P];
    for (unsigned i = 0; i < ports * (unsigned)p[CLASSES] * state->terminals * ports; i++)
        take(in, "set", class_vcs(&state->s.shape));
    for (unsigned v = 0; v < (unsigned)p[NUM_VCS]; v++)
        take(in, "lanes", class_vcs(&state->s.shape));
    for (unsigned i = 0; i < ports; i++)
        take(in, "straight", ports);
    take(in, "terminals", ports);
    check_switch(&state->s, in, out);
}

static const struct bench_module module = {
    .name = "anl_options_switch",
    .parameters =
        "NumPorts, T, Select, Atomic, Escapes, NumVcs, Depth, FlitW, Scan, Admission, Classes",
    .state_bytes = sizeof(struct state),
    .cycles = 3000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
