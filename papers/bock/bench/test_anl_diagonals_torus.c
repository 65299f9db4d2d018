// SPDX-License-Identifier: Apache-2.0
//
// The torus of sliding diagonals with a single worm: it is sent from the first step of a batch on,
// and leaves at its destination by the last port, whole and in order, before the next batch begins;
// with three dimensions, before the one behind that.
// (The lock-step of make diagonals has many worms, and says when each flit moves.)

#include "bench.h"

#include "diagonals_commands.h"

enum { N, D, LENGTH, FLIT_W, STEP_W, MOST_LENGTH = 2 };

struct state {
    uint64_t step, period;  // steps of a batch; 0: not yet known
    bool given, taken;      // there is a worm; the torus has taken its start
    bool distributes;       // the command of the step before was to distribute to even stages
    unsigned source, destination, sent, left;
    uint64_t start;
    uint64_t flits[MOST_LENGTH];
};

static unsigned nodes_of(const int *p)
{
    unsigned nodes = 1;
    for (int d = 0; d < p[D]; d++)
        nodes *= (unsigned)p[N];
    return nodes;
}

// The coordinates of a node, that of dimension 0 lowest.
static uint64_t label_of(const int *p, unsigned node)
{
    const unsigned n = (unsigned)p[N];
    uint64_t label = 0;
    for (int d = 0; d < p[D]; d++, node /= n)
        label |= (uint64_t)(node % n) << (unsigned)d * index_width(n);
    return label;
}

static void make_worm(struct state *s, const int *p)
{
    const unsigned nodes = nodes_of(p), label_w = (unsigned)p[D] * index_width((unsigned)p[N]);
    *s = (struct state){.step = s->step, .period = s->period, .distributes = s->distributes};
    s->given = true;
    s->source = (unsigned)random_below(nodes);
    s->destination = (unsigned)random_below(nodes);
    s->start = s->step == 0 ? 1 : 1 + ((s->step - 1) / s->period + 1) * s->period;
    for (int i = 0; i < p[LENGTH]; i++) {
        uint64_t data = random_bits((unsigned)p[FLIT_W]);
        if (i == 0) data = (data & ~ones(label_w)) | label_of(p, s->destination);
        s->flits[i] = data | (uint64_t)(i + 1 == p[LENGTH]) << p[FLIT_W] |
                      (uint64_t)(i == 0) << (p[FLIT_W] + 1);
    }
}

static void drive(void *place, const int *p, struct bits *in)
{
    struct state *s = place;
    const unsigned nodes = nodes_of(p), step_w = (unsigned)p[STEP_W];
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
    const uint64_t batches = p[D] == 2 ? 1 : 2;
    if (!s->given || s->step < s->start + batches * s->period) return;
    require("flits that have left", s->left, (unsigned)p[LENGTH]);
    s->given = false;
}

static void check(void *place, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = place;
    const unsigned nodes = nodes_of(p), links = 2 * (unsigned)p[D];
    const unsigned flit_w = (unsigned)p[FLIT_W] + 2;
    const bool run = take(in, "run", 1);
    expect(out, "step", (unsigned)p[STEP_W], s->step);
    const bool distributes = take(out, "command", 4) == DISTRIBUTE;
    begin_batch(s, p, !take(out, "odd", 1) && distributes);
    const bool goes = s->given && s->step >= s->start && s->sent < (unsigned)p[LENGTH];
    for (unsigned node = 0; node < nodes; node++)
        take(out, "start_ready", 1);
    for (unsigned node = 0; node < nodes; node++)
        expect(out, "src_ready", 1, goes && node == s->source);
    const bool may_leave = s->given && s->left < s->sent + (unsigned)goes;
    const unsigned at = s->destination * links + links - 1;
    bool leaves = false;
    for (unsigned i = 0; i < nodes * links; i++) {
        const bool here = may_leave && i == at;
        const uint64_t valid = here ? take(out, "exit_valid", 1) : expect(out, "exit_valid", 1, 0);
        leaves |= valid > 0;
    }
    expect_if(leaves, out, "leaves", flit_w, s->flits[s->left % MOST_LENGTH]);
    expect(out, "failed", 1, 0);
    expect(out, "fault", nodes, 0);
    s->taken = s->given;
    s->sent += goes;
    s->left += leaves;
    if (run && s->step < ones((unsigned)p[STEP_W])) s->step++;
}

static const struct bench_module module = {
    .name = "anl_diagonals_torus",
    .parameters = "N, D, Length, FlitW, StepW",
    .state_bytes = sizeof(struct state),
    .cycles = 2500,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
