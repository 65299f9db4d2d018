// SPDX-License-Identifier: Apache-2.0

#include "bench.h"
#include "board_rules.h"
#include "heads.h"

struct state {
    uint32_t seed, random;
    unsigned worms;          // worms begun
    unsigned index, length;  // of the flit shown, within its worm
};

enum { K, N, FLIT_W, FLOW_CONTROL, LENGTH_IN_HEAD, WORMS, LENGTH };

static void begin(struct state *s, const int *p)
{
    s->worms++;
    s->index = 0;
    s->length = 1 + (s->random >> 24) * (unsigned)p[LENGTH] / 256;
}

static void reset(void *state, const int *p)
{
    struct state *s = state;
    s->seed = s->random = (uint32_t)random_bits(32) | 1;
    begin(s, p);
}

static void drive(void *state, const int *p, struct bits *in)
{
    const struct state *s = state;
    (void)p;
    put(in, 32, bench_in_reset() ? s->seed : random_bits(32));
    put(in, 1, chance(mood(0)));
}

// Returns the fields of the head; *bits is their total width.
static uint64_t fields_of(const struct state *s, const int *p, unsigned *bits)
{
    const unsigned digit_bits = index_width((unsigned)p[K]);
    uint64_t fields = 0;
    *bits = 0;
    for (int d = 0; d < p[N]; d++, *bits += digit_bits)
        fields |= (uint64_t)((s->random >> 8 * d & 255) * (unsigned)p[K] / 256) << *bits;
    if (!says_length(p[FLOW_CONTROL], p[LENGTH_IN_HEAD] != 0)) return fields;
    fields |= (uint64_t)s->length << *bits;
    *bits += 7;
    return fields;
}

static void expect_data(const struct state *s, const int *p, struct bits *out)
{
    unsigned num_fields = 0;
    uint64_t fields = 0;
    if (s->index == 0) fields = fields_of(s, p, &num_fields);
    for (unsigned i = 0; i < (unsigned)p[FLIT_W]; i++)
        expect(out, "data", 1, (i < num_fields ? fields >> i : s->random >> i % 32) & 1);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const bool more = s->worms <= (unsigned)p[WORMS];
    expect(out, "valid", 1, more);
    if (more) {
        expect_data(s, p, out);
        expect(out, "tail", 1, s->index + 1 == s->length);
        expect(out, "head", 1, s->index == 0);
    }
    take(in, "seed", 32);
    if (!take(in, "ready", 1) || !more) return;
    s->random = board_step(s->random);
    if (++s->index == s->length) begin(s, p);
}

static const struct bench_module module = {
    .name = "anl_board_source",
    .parameters = "K, N, FlitW, FlowControl, LengthInHead, Worms, Length",
    .state_bytes = sizeof(struct state),
    .cycles = 4000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
