// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

struct state {
    unsigned sent[8], returned[8];
};

static unsigned credits(const struct state *s, const int *p, unsigned v)
{
    return (unsigned)p[1] - s->sent[v] + s->returned[v];
}

static void drive(void *state, const int *p, struct bits *in)
{
    const struct state *s = state;
    uint64_t credit = 0, spend = 0;

    for (unsigned v = 0; v < (unsigned)p[0]; v++) {
        credit |= (uint64_t)(credits(s, p, v) < (unsigned)p[1] && chance(mood(v))) << v;
        spend |= (uint64_t)(credits(s, p, v) > 0 && chance(mood(v + 1))) << v;
    }
    put(in, (unsigned)p[0], credit);
    put(in, (unsigned)p[0], spend);
}

// The diagram of docs/link.md (Depth = 2) on lane 0: valid is 1 1 0 1 1, credit is 0 0 1 1 0.
static void directed(void *state, const int *p, struct bits *in)
{
    const unsigned cycle = (unsigned)bench_cycle() % 8;
    if ((unsigned)p[1] != 2 || bench_cycle() >= 8) {
        drive(state, p, in);
        return;
    }
    put(in, (unsigned)p[0], cycle == 2 || cycle == 3);
    put(in, (unsigned)p[0], cycle == 0 || cycle == 1 || cycle == 3 || cycle == 4);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    static const unsigned diagram[] = {2, 1, 0, 1, 1, 0};
    struct state *s = state;
    const unsigned num_vcs = (unsigned)p[0], depth = (unsigned)p[1];
    const uint64_t credit = take(in, "credit", num_vcs), spend = take(in, "spend", num_vcs);
    uint64_t has_credit = 0, all_credits = 0;

    for (unsigned v = 0; v < num_vcs; v++) {
        const unsigned count = credits(s, p, v);
        const bool in_diagram = bench_directed() && depth == 2 && v == 0 && bench_cycle() < 6;
        expect(out, "count", count_width(depth), in_diagram ? diagram[bench_cycle()] : count);
        has_credit |= (uint64_t)(count > 0) << v;
        all_credits |= (uint64_t)(count == depth) << v;
        s->sent[v] += (unsigned)(spend >> v & 1);
        s->returned[v] += (unsigned)(credit >> v & 1);
    }
    expect(out, "has_credit", num_vcs, has_credit);
    expect(out, "home", num_vcs, all_credits);
}

static const struct bench_module module = {
    .name = "anl_credits",
    .parameters = "NumVcs, Depth",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
    .directed = directed,
};

int main(void) { return bench_main(&module); }
