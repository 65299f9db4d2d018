// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

struct state {
    uint64_t entries[8][64];
    bool written[8][64];
};

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned num_vcs = (unsigned)p[0], depth = (unsigned)p[1];
    (void)state;
    put(in, 1, chance(mood(0)));
    put(in, num_vcs, UINT64_C(1) << random_below(num_vcs));
    for (unsigned v = 0; v < num_vcs; v++)
        put(in, index_width(depth), random_below(depth));
    put(in, (unsigned)p[2], random_bits((unsigned)p[2]));
    put(in, num_vcs, UINT64_C(1) << random_below(num_vcs));
    for (unsigned v = 0; v < num_vcs; v++)
        put(in, index_width(depth), random_below(depth));
}

// Takes the pointers of all lanes and gives the lane and slot that a one-hot vector of lanes names.
static void take_place(struct bits *in, const int *p, uint64_t lanes, unsigned *lane,
                       unsigned *slot)
{
    for (unsigned v = 0; v < (unsigned)p[0]; v++) {
        const unsigned ptr = (unsigned)take(in, "ptr", index_width((unsigned)p[1]));
        if (lanes >> v & 1) *lane = v, *slot = ptr;
    }
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned num_vcs = (unsigned)p[0], width = (unsigned)p[2];
    unsigned to_lane = 0, to_slot = 0, from_lane = 0, from_slot = 0;

    const uint64_t write = take(in, "write", 1);
    take_place(in, p, take(in, "write_lane", num_vcs), &to_lane, &to_slot);
    const uint64_t data = take(in, "data", width);
    take_place(in, p, take(in, "read_lane", num_vcs), &from_lane, &from_slot);

    if (s->written[from_lane][from_slot])
        expect(out, "read", width, s->entries[from_lane][from_slot]);
    if (write) {
        s->entries[to_lane][to_slot] = data;
        s->written[to_lane][to_slot] = true;
    }
}

static const struct bench_module module = {
    .name = "anl_lane_memory",
    .parameters = "NumVcs, Depth, Width",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
