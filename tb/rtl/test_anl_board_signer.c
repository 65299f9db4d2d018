// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "board_rules.h"

struct state {
    uint32_t signature, word;
    bool valid;  // a word was taken in the previous cycle
};

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned vcs = (unsigned)p[0], width = (unsigned)p[1];
    (void)state;
    put(in, 1, chance(mood(0)));
    put(in, 32, chance(50) ? random_below(1000) : random_bits(32));
    put(in, index_width(vcs), random_below(vcs));
    for (unsigned i = 0; i < width + 2; i++)
        put(in, 1, chance(50));
}

// Returns the XOR of the words of {lane, head, tail, data} and of the cycle rotated by 16 bits.
static uint32_t take_word(const int *p, struct bits *in)
{
    const unsigned lane_bits = index_width((unsigned)p[0]), link_bits = (unsigned)p[1] + 2;
    const uint32_t cycle = (uint32_t)take(in, "cycle", 32),
                   lane = (uint32_t)take(in, "vc", lane_bits);
    uint32_t word = cycle << 16 | cycle >> 16;
    for (unsigned i = 0; i < link_bits; i++)
        word ^= (uint32_t)take(in, "flit", 1) << i % 32;
    for (unsigned i = 0; i < lane_bits; i++)
        word ^= (lane >> i & 1) << (link_bits + i) % 32;
    return word;
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    expect(out, "signature", 32, s->signature);
    if (s->valid) s->signature = board_step(s->signature ^ s->word);
    s->valid = take(in, "valid", 1);
    s->word = take_word(p, in);
}

static const struct bench_module module = {
    .name = "anl_board_signer",
    .parameters = "NumVcs, FlitW",
    .state_bytes = sizeof(struct state),
    .cycles = 3000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
