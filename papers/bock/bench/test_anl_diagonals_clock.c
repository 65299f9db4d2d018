// SPDX-License-Identifier: Apache-2.0
//
// The clock of sliding diagonals against the tables of papers/bock/diagonals.md: what each step of
// a batch is, batch behind batch, also while the number of the step waits. With two dimensions the
// delivery has a half of its own; with more, stages follow each other without end.

#include "bench.h"
#include "diagonals_commands.h"

enum { N, D, LENGTH, C, BRIEF };

struct state {
    int phase, u;  // which phase of a stage, and which step of it
    bool odd;
};

static int most(int a, int b) { return a > b ? a : b; }

static int rounds(const int *p) { return p[BRIEF] ? 8 : p[C]; }

static int forward(const int *p) { return p[BRIEF] ? 2 * p[C] : 2 * p[C] * p[LENGTH]; }

static int round_steps(const int *p)
{
    const int l = p[LENGTH], f = forward(p), up_and_down = 2 * p[C] * l;
    return p[BRIEF] ? most(2 * f + 2 * l, f + up_and_down + l) : 4 * p[C] * l + 2 * l;
}

static int in_a_round(const int *p, int u)
{
    const int f = forward(p), l = p[LENGTH];
    if (u < f) return SEEK;
    if (u < 2 * f + l) return SEEK_BACK;
    return u < 2 * f + 2 * l ? SEEK_FORTH : SEEK_WAIT;
}

enum { ROUNDS = 4 };  // the phase of them

static int phase_steps(const int *p, int phase)
{
    if (phase == ROUNDS) return rounds(p) * round_steps(p);
    return phase == ROUNDS - 1 ? p[C] + 2 * p[LENGTH] : p[N] + p[LENGTH];
}

static int command_of(const int *p, const struct state *s)
{
    static const int early[] = {DISTRIBUTE, TURN_IN_BLOCK, TURN_ANYWHERE};
    static const int late[] = {DISTRIBUTE_END, STRAIGHTEN, STRAIGHTEN};
    switch (s->phase) {
    case ROUNDS:
        return in_a_round(p, s->u % round_steps(p));
    case ROUNDS - 1:
        return s->u < p[C] + p[LENGTH] ? BACK : FORTH;
    default:
        return s->u < p[N] ? early[s->phase] : late[s->phase];
    }
}

static void drive(void *state, const int *p, struct bits *in)
{
    (void)state;
    (void)p;
    put(in, 1, chance(50 + mood(0) / 2));
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = place;
    const bool runs = take(in, "run", 1), in_rounds = s->phase == ROUNDS;
    const int u = in_rounds ? s->u % round_steps(p) : s->u;
    expect(out, "command", 4, (uint64_t)command_of(p, s));
    expect(out, "odd", 1, s->odd);
    expect(out, "phase", 3, (uint64_t)s->phase);
    expect(out, "u", 32, (uint64_t)u);
    if (in_rounds)
        expect(out, "round", 32, (uint64_t)(s->u / round_steps(p)));
    else
        ignore(out, "round", 32);
    if (!runs || ++s->u < phase_steps(p, s->phase)) return;
    s->u = 0;
    const bool ends = s->phase == ROUNDS || (p[D] == 2 && s->odd);
    s->phase = ends ? 0 : s->phase + 1;
    s->odd = s->odd != ends;
}

static const struct bench_module module = {
    .name = "anl_diagonals_clock",
    .parameters = "N, D, Length, C, Brief",
    .state_bytes = sizeof(struct state),
    .cycles = 2000,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
