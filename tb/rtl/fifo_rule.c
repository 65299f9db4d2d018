// SPDX-License-Identifier: Apache-2.0

#include "fifo_rule.h"

static void put_inputs(struct bits *in, unsigned width, bool push, bool pop)
{
    put(in, 1, push);
    put(in, width, random_bits(width));
    put(in, 1, pop);
}

void fifo_drive(void *state, const int *p, struct bits *in)
{
    const struct fifo *s = state;
    const unsigned count = s->pushed - s->popped;

    const bool pop = count > 0 && chance(mood(1));
    put_inputs(in, (unsigned)p[1], (count < (unsigned)p[0] || pop) && chance(mood(0)), pop);
}

void fifo_directed(void *state, const int *p, struct bits *in)
{
    const struct fifo *s = state;
    const unsigned depth = (unsigned)p[0], count = s->pushed - s->popped;
    const bool filling = bench_cycle() % (2 * depth) < depth;
    const bool full_rate = bench_cycle() > 1000, brim = bench_cycle() > 2000;
    const bool pop = brim ? count == depth : count > 0 && (full_rate || !filling);

    put_inputs(in, (unsigned)p[1], (count < depth || (brim && pop)) && (full_rate || filling), pop);
}

void fifo_check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct fifo *s = state;
    const unsigned depth = (unsigned)p[0], width = (unsigned)p[1];
    const unsigned push = (unsigned)take(in, "push", 1);
    const uint64_t data = take(in, "data", width);
    const unsigned pop = (unsigned)take(in, "pop", 1);
    const unsigned count = s->pushed - s->popped;

    expect(out, "count", count_width(depth), count);
    expect(out, "held", 1, count > 0);
    if (count)
        expect(out, "front", width, s->entries[s->popped % depth]);
    else
        ignore(out, "front", width);
    expect(out, "wr_ptr", index_width(depth), s->pushed % depth);
    expect(out, "rd_ptr", index_width(depth), s->popped % depth);

    if (push) s->entries[s->pushed % depth] = data;
    s->pushed += push;
    s->popped += pop;
}
