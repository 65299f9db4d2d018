// SPDX-License-Identifier: Apache-2.0
//
// The lanes of a node that discards: worms without gaps come in all input lanes, in steps of one or
// several cycles. The rule here keeps for each input the lane that its worm has.

#include "bench.h"

enum { NUM_VCS, INPUTS, MOST_INPUTS = 16, MOST_LANES = 16, NOWHERE = MOST_LANES };

struct input {
    bool valid, head, tail, link;
    unsigned way;  // of the worm that passes; NOWHERE: it was discarded
};

struct state {
    struct input inputs[MOST_INPUTS];
    bool busy[MOST_LANES];
    unsigned owner[MOST_LANES];
    bool held;  // the step goes on: the same flits stand here
};

static void reset(void *place, const int *p)
{
    struct state *s = place;
    for (int i = 0; i < p[INPUTS]; i++)
        s->inputs[i] = (struct input){.tail = true, .way = NOWHERE};
}

// Lets the next flit of the worm come, or the head of another one, or nothing.
static void bring_next(struct input *input, unsigned number)
{
    const bool inside = input->valid && !input->tail;
    input->valid = inside || chance(mood(number % 3));
    input->head = !inside;
    input->tail = chance(30);
    input->link = chance(50);
}

static void drive(void *place, const int *p, struct bits *in)
{
    struct state *s = place;
    const unsigned inputs = (unsigned)p[INPUTS];
    for (unsigned i = 0; i < inputs && !s->held; i++)
        bring_next(&s->inputs[i], i);
    put(in, 1, bench_cycle() % 500 < 250 || chance(40));
    for (unsigned i = 0; i < inputs; i++)
        put(in, 1, s->inputs[i].valid);
    for (unsigned i = 0; i < inputs; i++)
        put(in, 1, s->inputs[i].valid ? s->inputs[i].head : chance(50));
    for (unsigned i = 0; i < inputs; i++)
        put(in, 1, s->inputs[i].tail);
    for (unsigned i = 0; i < inputs; i++)
        put(in, 1, s->inputs[i].link);
}

// What the rules say of a cycle.
struct verdict {
    unsigned ways[MOST_INPUTS];
    bool sends[MOST_LANES];
    unsigned from[MOST_LANES];
};

static struct verdict judge(const struct state *s, const int *p)
{
    struct verdict v = {0};
    const unsigned vcs = (unsigned)p[NUM_VCS];
    bool taken[MOST_LANES];
    for (unsigned o = 0; o < 2 * vcs; o++)
        taken[o] = s->busy[o];
    for (unsigned i = 0; i < (unsigned)p[INPUTS]; i++) {
        const struct input *input = &s->inputs[i];
        unsigned way = input->way;
        if (input->head) {
            way = input->link ? vcs : 0;
            for (unsigned end = way + vcs; way < end && taken[way]; way++)
                ;
            if (way == (input->link ? 2 * vcs : vcs)) way = NOWHERE;
        }
        v.ways[i] = input->valid ? way : NOWHERE;
        if (v.ways[i] == NOWHERE) continue;
        taken[way] = v.sends[way] = true;
        v.from[way] = i;
    }
    return v;
}

static void advance(struct state *s, const int *p, const struct verdict *v)
{
    for (unsigned i = 0; i < (unsigned)p[INPUTS]; i++) {
        s->inputs[i].way = v->ways[i];
        if (v->ways[i] == NOWHERE) continue;
        s->busy[v->ways[i]] = !s->inputs[i].tail;
        s->owner[v->ways[i]] = i;
    }
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = place;
    const unsigned inputs = (unsigned)p[INPUTS], lanes = 2 * (unsigned)p[NUM_VCS];
    const unsigned index_w = index_width(inputs);
    const bool step = take(in, "step", 1);
    const struct verdict v = judge(s, p);
    for (unsigned o = 0; o < lanes; o++)
        expect(out, "valid", 1, v.sends[o]);
    for (unsigned o = 0; o < lanes; o++) {
        if (v.sends[o])
            expect(out, "input", index_w, v.from[o]);
        else
            ignore(out, "input", index_w);
    }
    for (unsigned i = 0; i < inputs; i++)
        expect(out, "discard", 1, s->inputs[i].valid && s->inputs[i].head && v.ways[i] == NOWHERE);
    for (unsigned o = 0; o < lanes; o++)
        expect(out, "busy", 1, s->busy[o]);
    for (unsigned o = 0; o < lanes; o++) {
        if (s->busy[o])
            expect(out, "owner", index_w, s->owner[o]);
        else
            ignore(out, "owner", index_w);
    }
    s->held = !step;
    if (step) advance(s, p, &v);
}

static const struct bench_module module = {
    .name = "anl_discard",
    .parameters = "NumVcs, Inputs",
    .state_bytes = sizeof(struct state),
    .cycles = 4000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
