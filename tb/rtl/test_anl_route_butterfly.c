// SPDX-License-Identifier: Apache-2.0
//
// Heads for any terminal and any intermediate column, and now and then one with a digit that is no
// port.

#include "bench.h"
#include "oracle/words.h"

enum { K, N, TAG, NUM_VCS };

struct state {
    int unused;
};

static unsigned path_digits(const int *p)
{
    return p[TAG] < p[N] ? 0 : (unsigned)(p[TAG] - p[N] + 1);
}

static void put_digits(struct bits *in, const int *p, unsigned digits)
{
    const unsigned width = index_width((unsigned)p[K]);
    for (unsigned d = 0; d < digits; d++)
        put(in, width, chance(10) ? random_bits(width) : random_below((unsigned)p[K]));
}

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state;
    put_digits(in, p, (unsigned)p[N]);
    put_digits(in, p, path_digits(p));
    if (!path_digits(p)) put(in, 1, random_bits(1));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const unsigned k = (unsigned)p[K], width = index_width(k);
    unsigned digits[20] = {0}, count = 0;
    (void)state;
    for (; count < (unsigned)p[N] + path_digits(p); count++)
        digits[count] = (unsigned)take(in, "digit", width);
    if (!path_digits(p)) take(in, "path", 1);
    const unsigned port = digits[p[TAG]];
    expect(out, "port", k, port < k ? onehot((int)port) : 0);
    expect(out, "vcs", (unsigned)p[NUM_VCS], ones((unsigned)p[NUM_VCS]));
}

static const struct bench_module module = {
    .name = "anl_route_butterfly",
    .parameters = "K, N, Tag, NumVcs",
    .state_bytes = sizeof(struct state),
    .cycles = 5000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
