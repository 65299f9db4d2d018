// SPDX-License-Identifier: Apache-2.0
//
// The torus of sliding diagonals with a single worm a batch: it is sent from the first step of the
// batch on, and leaves on -y at its destination, whole and in order, before the next batch begins.
// (The lock-step of make diagonals has many worms, and says when each flit moves.)

#include "bench.h"

#include "diagonals_commands.h"

enum { N, LENGTH, FLIT_W, STEP_W, MOST_LENGTH = 2, LINKS = 4, Y_MINUS = 3 };

struct state {
    uint64_t step, period;  // steps of a batch; 0: not yet known
    bool given, taken;      // there is a worm; the torus has taken its start
    bool distributes;       // the command of the step before was to distribute
    unsigned source, destination, sent, left;
    uint64_t start;
    uint64_t flits[MOST_LENGTH];
};

static void make_worm(struct state *s, const int *p)
{
    const unsigned n = (unsigned)p[N], nodes = n * n;
    *s = (struct state){.step = s->step, .period = s->period, .distributes = s->distributes};
    s->given = true;
    s->source = (unsigned)random_below(nodes);
    s->destination = (unsigned)random_below(nodes);
    s->start = s->step == 0 ? 1 : 1 + ((s->step - 1) / s->period + 1) * s->period;
    for (int i = 0; i < p[LENGTH]; i++) {
        uint64_t data = random_bits((unsigned)p[FLIT_W]);
        if (i == 0) {
            const unsigned coord_w = index_width(n);
            data = (data & ~ones(2 * coord_w)) | s->destination % n | s->destination / n << coord_w;
        }
        s->flits[i] = data | (uint64_t)(i + 1 == p[LENGTH]) << p[FLIT_W] |
                      (uint64_t)(i == 0) << (p[FLIT_W] + 1);
    }
}

static void drive(void *place, const int *p, struct bits *in)
{
    struct state *s = place;
    const unsigned nodes = (unsigned)(p[N] * p[N]), step_w = (unsigned)p[STEP_W];
    const bool in_time = s->period > 0 && s->step + 3 * s->period < ones(step_w);
    if (!s->given && (s->step == 0 || in_time)) make_worm(s, p);
    const bool shows = s->given && s->sent < (unsigned)p[LENGTH];
    put(in, 1, s->step > 0 || chance(20));
    put_one(in, 1, nodes, s->source, s->given && !s->taken);
    put_one(in, step_w, nodes, s->source, s->start);
    put_one(in, 1, nodes, s->source, shows);
    put_one(in, (unsigned)p[FLIT_W] + 2, nodes, s->source, shows ? s->flits[s->sent] : 0);
}

// The clock says where a batch begins, by its command.
static void begin_batch(struct state *s, const int *p, bool distributes)
{
    const bool counts = s->step > 1 && s->step < ones((unsigned)p[STEP_W]);
    const bool begins = distributes && !s->distributes && counts;
    s->distributes = distributes;
    if (!begins) return;
    if (s->period == 0) s->period = s->step - 1;
    require("step of a batch", (s->step - 1) % s->period, 0);
    if (!s->given || s->start == s->step) return;
    require("flits that have left", s->left, (unsigned)p[LENGTH]);
    s->given = false;
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = place;
    const unsigned nodes = (unsigned)(p[N] * p[N]), flit_w = (unsigned)p[FLIT_W] + 2;
    const bool run = take(in, "run", 1);
    expect(out, "step", (unsigned)p[STEP_W], s->step);
    begin_batch(s, p, take(out, "command", 4) == DISTRIBUTE);
    const bool goes = s->given && s->step >= s->start && s->sent < (unsigned)p[LENGTH];
    for (unsigned node = 0; node < nodes; node++)
        take(out, "start_ready", 1);
    for (unsigned node = 0; node < nodes; node++)
        expect(out, "src_ready", 1, goes && node == s->source);
    const bool may_leave = s->given && s->left < s->sent + (unsigned)goes;
    const unsigned at = s->destination * LINKS + Y_MINUS;
    bool leaves = false;
    for (unsigned i = 0; i < nodes * LINKS; i++) {
        const bool here = may_leave && i == at;
        const uint64_t valid = here ? take(out, "exit_valid", 1) : expect(out, "exit_valid", 1, 0);
        leaves |= valid > 0;
    }
    for (unsigned i = 0; i < nodes * LINKS; i++)
        expect_if(leaves && i == at, out, "exit_flit", flit_w, s->flits[s->left % MOST_LENGTH]);
    expect(out, "failed", 1, 0);
    expect(out, "fault", nodes, 0);
    s->taken = s->given;
    s->sent += goes;
    s->left += leaves;
    if (run && s->step < ones((unsigned)p[STEP_W])) s->step++;
}

static const struct bench_module module = {
    .name = "anl_diagonals_torus",
    .parameters = "N, Length, FlitW, StepW",
    .state_bytes = sizeof(struct state),
    .cycles = 2500,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
