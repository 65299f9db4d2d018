// SPDX-License-Identifier: Apache-2.0
//
// A board with one terminal. Its flits go into the switch one in each cycle and out again in the
// next, so the signature can be worked out here, also that of flits that are upset on their way.

#include "bench.h"
#include "board_rules.h"
#include "listen.h"

#include <stdio.h>
#include <string.h>

enum { WORMS, LENGTH, CYCLES, EXPECTED };
enum { BIT_CYCLES = 2, LINE_CYCLES = 900, JUDGING = 6, LONGEST = 64 };

// Seed of switch 1 in a run with seed 7; the network has only switch 0, so this is the source's.
static const uint32_t seed = UINT32_C(0x044c3cd7);

struct state {
    uint32_t random, signature, arrived;
    unsigned worms;          // worms begun
    unsigned index, length;  // of the flit shown, within its worm
    bool upset[2];           // one and two cycles ago
    uint32_t word;           // word of the flit that crosses the ejection link now
    bool crosses;
    struct listener ear;
    char heard[LONGEST];
    unsigned num_heard, lines;
};

static void begin(struct state *s, const int *p)
{
    s->worms++;
    s->index = 0;
    s->length = 1 + (s->random >> 24) * (unsigned)p[LENGTH] / 256;
}

static void reset(void *state, const int *p)
{
    struct state *s = state;
    s->random = seed;
    begin(s, p);
}

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state, (void)p;
    put(in, 1, !bench_in_reset() && chance(mood(0) / 10));
}

static void show(struct state *s, const int *p)
{
    const bool head = s->index == 0, tail = s->index + 1 == s->length;
    s->crosses = s->worms <= (unsigned)p[WORMS];
    s->word = head ? s->random & ~UINT32_C(1) : s->random;
    s->word ^= (uint32_t)tail ^ (uint32_t)head << 1;
    if (!s->crosses) return;
    s->random = board_step(s->random);
    if (++s->index == s->length) begin(s, p);
}

static uint32_t result_of(const struct state *s)
{
    return board_step(board_step(s->signature) ^ s->arrived);
}

static void arrive(struct state *s, uint32_t cycle)
{
    const uint32_t word = s->word ^ (uint32_t)s->upset[1] ^ (cycle << 16 | cycle >> 16);
    s->signature = board_step(s->signature ^ word);
    s->arrived++;
}

static void end_line(struct state *s, const int *p)
{
    char wanted[LONGEST];
    const uint32_t result = result_of(s), expected = (uint32_t)p[EXPECTED];
    if (result == expected)
        snprintf(wanted, sizeof wanted, "annelid pass %08x\r\n", result);
    else
        snprintf(wanted, sizeof wanted, "annelid FAIL %08x wants %08x\r\n", result, expected);
    s->heard[s->num_heard] = '\0';
    require("line", (uint64_t)strcmp(s->heard, wanted), 0);
    s->num_heard = 0;
    s->lines++;
}

static void hear(struct state *s, const int *p, bool level)
{
    const int code = listen_to(&s->ear, level, BIT_CYCLES);
    if (code == LISTEN_NOTHING) return;
    require("stop bit", code != LISTEN_NO_STOP, 1);
    if (s->num_heard + 1 < LONGEST) s->heard[s->num_heard++] = (char)code;
    if (code == '\n') end_line(s, p);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = state;
    const uint32_t cycle = (uint32_t)bench_cycle(), cycles = (uint32_t)p[CYCLES];
    if (s->crosses && cycle < cycles) arrive(s, cycle);
    const bool judged = cycle >= cycles + JUDGING;
    const bool good = result_of(s) == (uint32_t)p[EXPECTED];

    expect(out, "running", 1, !judged);
    expect(out, "pass", 1, judged && good);
    expect(out, "fail", 1, judged && !good);
    expect(out, "beat", 1, cycle / LINE_CYCLES & 1);
    hear(s, p, take(out, "uart", 1));
    // A line begins with each beat; the last one may be incomplete.
    require("lines", s->lines + 1 >= cycle / LINE_CYCLES, 1);

    s->upset[1] = s->upset[0];
    s->upset[0] = take(in, "upset", 1);
    show(s, p);
}

static const struct bench_module module = {
    .name = "anl_board",
    .parameters = "WormsPerTerminal, Length, Cycles, Expected",
    .state_bytes = sizeof(struct state),
    .cycles = 3000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
