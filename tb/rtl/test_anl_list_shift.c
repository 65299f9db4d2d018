// SPDX-License-Identifier: Apache-2.0
//
// The rule bit by bit: of a head, bit i of the list becomes bit i + PortW, or 0 if there is none.

#include "bench.h"

enum { FLIT_W, LIST_LSB, PORT_W, LONGEST };

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state;
    put(in, (unsigned)p[FLIT_W] + 2, random_bits((unsigned)p[FLIT_W] + 2));
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    (void)state;
    const int first = p[LIST_LSB], end = first + p[PORT_W] * p[LONGEST];
    const uint64_t flit = take(in, "flit", (unsigned)p[FLIT_W] + 2);
    uint64_t expected = flit;
    for (int i = first; i < end && flit >> (p[FLIT_W] + 1); i++) {
        const uint64_t bit = i + p[PORT_W] < end ? flit >> (i + p[PORT_W]) & 1 : 0;
        expected = (expected & ~(UINT64_C(1) << i)) | bit << i;
    }
    expect(out, "flit", (unsigned)p[FLIT_W] + 2, expected);
}

static const struct bench_module module = {
    .name = "anl_list_shift",
    .parameters = "FlitW, ListLsb, PortW, Longest",
    .state_bytes = 1,
    .cycles = 2000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
