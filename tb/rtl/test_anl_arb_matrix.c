// SPDX-License-Identifier: Apache-2.0
//
// The scan matrix as docs/switch.md, "Scan policies", says it: an order of the inputs, out of which
// the one that is served goes to the end.

#include "bench.h"
#include "rules.h"

struct state {
    unsigned order[RULES_MAX], last;
};

static void reset(void *state, const int *p)
{
    struct state *s = state;
    for (unsigned i = 0; i < (unsigned)p[0]; i++)
        s->order[i] = i;
    s->last = (unsigned)p[0] - 1;
}

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state;
    uint64_t requests = 0;
    for (unsigned i = 0; i < (unsigned)p[0]; i++)
        requests |= (uint64_t)chance(mood(i % 6)) << i;
    put(in, (unsigned)p[0], requests);
    put(in, 1, chance(mood(7)));
}

// Takes the number at a position out of the order and puts it at the end.
static void serve(struct state *s, unsigned size, unsigned position)
{
    s->last = s->order[position];
    for (unsigned i = position; i + 1 < size; i++)
        s->order[i] = s->order[i + 1];
    s->order[size - 1] = s->last;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned size = (unsigned)p[0];
    const uint64_t requests = take(in, "req", size);
    const bool taken = take(in, "taken", 1);
    unsigned position = 0;

    while (position < size && !(requests >> s->order[position] & 1))
        position++;
    expect(out, "gnt", size, position < size ? onehot((int)s->order[position]) : 0);
    expect(out, "ptr", index_width(size), (s->last + 1) % size);
    if (taken && position < size) serve(s, size, position);
}

static const struct bench_module module = {
    .name = "anl_arb_matrix",
    .parameters = "Size",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
