// SPDX-License-Identifier: Apache-2.0
//
// The rules of a FIFO between two clocks (docs/clocks.md). What full and held may be follows from
// how many edges ago an entry came, or a slot became free; drive() asks for nothing that the
// outputs do not allow surely.

#include "two_clocks.h"

enum { SLOTS = 512 };

struct state {
    struct two_clocks clocks;
    uint64_t data[SLOTS];
    uint64_t pushed[SLOTS],
        popped[SLOTS];       // edges of the other side when it happened; at number % SLOTS
    uint64_t entered, left;  // numbers of entries
    bool full, held;         // as seen in the step before
};

static void reset(void *state, const int *p)
{
    (void)p;
    clocks_reset(&((struct state *)state)->clocks);
}

// Entries that were there for so long that the reader sees them surely, or may see them.
static uint64_t shown(const struct state *s, unsigned stages, enum clock_seen least)
{
    uint64_t number = s->left;
    while (number < s->entered &&
           clocks_seen(s->clocks.edges[SIDE_B] - s->pushed[number % SLOTS], stages) >= least)
        number++;
    return number - s->left;
}

// Entries that are in the FIFO for the writer: less surely than those of which he has seen that
// they left.
static uint64_t occupied(const struct state *s, unsigned stages, uint64_t depth,
                         enum clock_seen least)
{
    uint64_t number = s->entered > depth ? s->entered - depth : 0;
    while (number < s->left &&
           clocks_seen(s->clocks.edges[SIDE_A] - s->popped[number % SLOTS], stages) >= least)
        number++;
    return s->entered - number;
}

static void drive(void *state, const int *p, struct bits *in)
{
    struct state *s = state;
    if (clocks_drive(&s->clocks, in)) {
        s->entered = s->left = 0;
        s->clocks.edges[SIDE_A] = s->clocks.edges[SIDE_B] = 0;
    }
    // Without an edge, or in reset, inputs mean nothing.
    const bool writes = clocks_tick(&s->clocks, SIDE_A), reads = clocks_tick(&s->clocks, SIDE_B);
    const unsigned stages = (unsigned)p[2];
    const bool room = occupied(s, stages, (uint64_t)p[0], SEEN_SURELY) < (uint64_t)p[0];
    put(in, 1, writes ? room && chance(mood(0)) : random_bits(1));
    put(in, 1, reads ? shown(s, stages, SEEN_SURELY) > 0 && chance(mood(1)) : random_bits(1));
    put(in, (unsigned)p[1], random_bits((unsigned)p[1]));
}

static void check_write(struct state *s, const int *p, bool push, uint64_t data, bool full)
{
    const uint64_t depth = (uint64_t)p[0];
    const bool room = occupied(s, (unsigned)p[2], depth, SEEN_SURELY) < depth;
    const bool none = occupied(s, (unsigned)p[2], depth, SEEN_EITHER) >= depth;
    require_seen("full", room ? SEEN_NOT : none ? SEEN_SURELY : SEEN_EITHER, full);
    if (!push) return;
    s->data[s->entered % SLOTS] = data;
    s->pushed[s->entered++ % SLOTS] = s->clocks.edges[SIDE_B] + clocks_tick(&s->clocks, SIDE_B);
}

static void check_read(struct state *s, const int *p, bool pop, bool held, uint64_t front)
{
    const bool surely = shown(s, (unsigned)p[2], SEEN_SURELY) > 0;
    const bool may = shown(s, (unsigned)p[2], SEEN_EITHER) > 0;
    require_seen("held", surely ? SEEN_SURELY : may ? SEEN_EITHER : SEEN_NOT, held);
    if (held && may) require("front", front, s->data[s->left % SLOTS]);
    if (!pop) return;
    s->popped[s->left++ % SLOTS] = s->clocks.edges[SIDE_A] + clocks_tick(&s->clocks, SIDE_A);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned width = (unsigned)p[1];
    clocks_take(&s->clocks, in);
    const bool push = take(in, "push", 1), pop = take(in, "pop", 1);
    const uint64_t data = take(in, "data", width);
    const bool full = ignore(out, "full", 1), held = ignore(out, "held", 1);
    const uint64_t front = ignore(out, "front", width);
    const uint64_t left = s->left;
    if (clocks_tick(&s->clocks, SIDE_B)) check_read(s, p, pop, held, front);
    const uint64_t now = s->left;
    s->left = left;  // what leaves in this step is not seen yet
    if (clocks_tick(&s->clocks, SIDE_A)) check_write(s, p, push, data, full);
    s->left = now;
    clocks_step(&s->clocks);
}

static const struct bench_module module = {
    .name = "anl_gray_fifo",
    .parameters = "Depth, Width, SyncStages",
    .state_bytes = sizeof(struct state),
    .cycles = 20000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
