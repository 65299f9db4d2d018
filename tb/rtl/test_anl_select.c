// SPDX-License-Identifier: Apache-2.0

#include "mux_rule.h"

struct state {
    int unused;
};

// The index may be past the last member; then the output has no meaning.
static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned size = (unsigned)p[0];
    const unsigned way_width = index_width(members_below(size, (uint64_t)p[2]));
    (void)state;
    put(in, way_width, random_bits(way_width));
    mux_put(in, size, (unsigned)p[1]);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned size = (unsigned)p[0], width = (unsigned)p[1];
    const uint64_t members = (uint64_t)p[2];
    const uint64_t way = take(in, "way", index_width(members_below(size, members)));
    unsigned which = 0;
    (void)state;
    while (which < size && !((members >> which & 1) && members_below(which, members) == way))
        which++;
    const uint64_t selected = mux_take(in, size, width, which);
    if (which < size)
        expect(out, "data", width, selected);
    else
        ignore(out, "data", width);
}

static const struct bench_module module = {
    .name = "anl_select",
    .parameters = "Size, Width, Members",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
