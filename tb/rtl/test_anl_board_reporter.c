// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

#include <stdio.h>

enum { LONGEST = 64 };

struct state {
    unsigned verdict;  // first cycle in which there is a verdict
    bool pass;
    uint32_t signature;
    char line[LONGEST];
    const char *next;     // character that is sent next; NULL: no line
    unsigned code, left;  // character on the line, and its cycles still to come
};

static void reset(void *state, const int *p)
{
    struct state *s = state;
    (void)p;
    s->verdict = (unsigned)random_below(1000);
    s->pass = chance(50);
    s->signature = (uint32_t)random_bits(32);
    if (s->pass)
        snprintf(s->line, sizeof s->line, "annelid pass %08x\r\n", s->signature);
    else
        snprintf(s->line, sizeof s->line, "annelid FAIL %08x wants 09afce5b\r\n", s->signature);
}

static bool judged(const struct state *s)
{
    return !bench_in_reset() && bench_cycle() >= s->verdict;
}

static void drive(void *state, const int *p, struct bits *in)
{
    const struct state *s = state;
    (void)p;
    put(in, 1, judged(s) && s->pass);
    put(in, 1, judged(s) && !s->pass);
    put(in, 32, judged(s) ? s->signature : random_bits(32));
}

static unsigned level(const struct state *s, unsigned bit_cycles)
{
    if (s->left == 0) return 1;
    const unsigned bit = (10 * bit_cycles - s->left) / bit_cycles;
    return bit == 0 ? 0 : bit == 9 ? 1 : s->code >> (bit - 1) & 1;
}

// Advances by one cycle: a character takes ten bits and one cycle in which the next one is taken.
static void go_on(struct state *s, unsigned bit_cycles, bool tick)
{
    if (!s->next) {
        if (tick && judged(s)) s->next = s->line;
        if (s->left > 0) s->left--;
    } else if (s->left > 0) {
        s->left--;
    } else {
        s->code = (unsigned char)*s->next++;
        s->left = 10 * bit_cycles;
        if (!*s->next) s->next = NULL;
    }
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const unsigned bit_cycles = (unsigned)p[0], line_cycles = (unsigned)p[1];
    take(in, "pass", 1);
    take(in, "fail", 1);
    take(in, "signature", 32);
    expect(out, "beat", 1, bench_cycle() / line_cycles & 1);
    expect(out, "uart", 1, level(s, bit_cycles));
    go_on(s, bit_cycles, (bench_cycle() + 1) % line_cycles == 0);
}

static const struct bench_module module = {
    .name = "anl_board_reporter",
    .parameters = "BitCycles, LineCycles",
    .state_bytes = sizeof(struct state),
    .cycles = 8000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
