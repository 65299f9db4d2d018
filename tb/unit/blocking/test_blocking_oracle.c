// SPDX-License-Identifier: Apache-2.0
//
// All answers of the blocking analysis about buffers, worms and the run must be those of a slow
// oracle (oracle.h), in every cycle, over random networks and traffic; and no worm that it reports
// dead may move.

#include "trial.h"

#include <stdlib.h>

enum {
    TRIALS = 400,
    CREATION_CYCLES = 220,
    CYCLES = 320,
    RINGS = 3000,
    RING_CYCLES = 40,
    DEAD_TRIALS = 24,
    DEAD_CYCLES = 4000,
    DEAD_STEP = 32,    // cycles between two searches for the dead
    MOST_QUEUED = 500  // queued worms
};

struct fed {
    struct trial trial;
    struct anl_blocking *blocking;
    uint32_t worms;               // worms fed
    uint32_t stalls, deliveries;  // calls of the listeners in this cycle
    uint32_t seen;                // worms visited by the loop
    uint64_t left_out;            // cycles that were not fed
    bool sparse;                  // leaves out some cycles without flits
};

// ---------------------------------------------------------------- buffers

static void same_buffer(const struct fed *fed, uint32_t p)
{
    const struct trial *trial = &fed->trial;
    const struct anl_buffer *a = &trial->oracle->buffer[p].is,
                            b = anl_blocking_buffer(fed->blocking, p);
    same(trial, "buffer: link", p, a->link, b.link);
    same(trial, "buffer: vc", p, a->vc, b.vc);
    same(trial, "buffer: terminal", p, a->terminal, b.terminal);
    same(trial, "buffer: flits", p, a->flits, b.flits);
    same(trial, "buffer: worm", p, a->worm, b.worm);
    same(trial, "buffer: index", p, a->index, b.index);
    same(trial, "buffer: wait", p, a->wait, b.wait);
    same(trial, "buffer: since", p, a->since, b.since);
    same(trial, "buffer: wants", p, a->wants, b.wants);
    same(trial, "buffer: wants_vcs", p, a->wants_vcs, b.wants_vcs);
    same(trial, "buffer: took", p, a->took, b.took);
    same(trial, "buffer: ports of options", p, a->options.ports, b.options.ports);
    assert_memory_equal(a->options.vcs, b.options.vcs, sizeof b.options.vcs);
    same(trial, "buffer: next", p, a->next, b.next);
    if (a->worm != ANL_NOTHING) same(trial, "buffer: distance", p, a->distance, b.distance);
    same(trial, "buffer: owner", p, a->owner, b.owner);
    same(trial, "root_blocker", p, root_blocker(trial->oracle, p),
         anl_blocking_root_blocker(fed->blocking, p));
}

// The runs must be those of the flits, also if there is not room for all of them.
static void same_runs(const struct fed *fed, uint32_t p)
{
    const struct trial *trial = &fed->trial;
    const uint32_t flits = trial->oracle->buffer[p].is.flits;
    struct anl_flit_run runs[MAX_LANE_DEPTH + 1];
    const size_t count = anl_blocking_runs(fed->blocking, p, runs, MAX_LANE_DEPTH);
    same(trial, "number of runs", p, count, anl_blocking_runs(fed->blocking, p, NULL, 0));
    assert_true(count <= MAX_LANE_DEPTH);
    const struct flit *f = trial->oracle->buffer[p].front;
    uint32_t seen = 0;
    for (size_t r = 0; r < count; r++) {
        same(trial, "run: first", p, f->index, runs[r].first);
        for (uint32_t i = 0; i < runs[r].flits; i++, f = f->behind, seen++)
            same(trial, "run: worm", p, f->worm, runs[r].worm);
        if (r > 0) assert_int_not_equal(runs[r].worm, runs[r - 1].worm);
    }
    same(trial, "flits in runs", p, flits, seen);
}

// ---------------------------------------------------------------- worms

static void same_stall(const struct trial *trial, const struct anl_stall *a,
                       const struct anl_stall *b)
{
    same(trial, "stall: worm", a->worm, a->worm, b->worm);
    if (a->worm == ANL_NOTHING) return;
    same(trial, "stall: buffer", a->worm, a->buffer, b->buffer);
    same(trial, "stall: begin", a->worm, a->begin, b->begin);
    same(trial, "stall: end", a->worm, a->end, b->end);
    same(trial, "stall: blocker", a->worm, a->blocker, b->blocker);
    same(trial, "stall: root_blocker", a->worm, a->root_blocker, b->root_blocker);
    for (int i = 0; i < ANL_WAITS; i++)
        same(trial, "stall: cycles", a->worm, a->cycles[i], b->cycles[i]);
}

static void same_delays(const struct trial *trial, const struct worm *w,
                        const struct anl_life *life)
{
    const uint32_t id = w->life.worm.id;
    uint64_t sum = 0;
    for (size_t i = 0; i < life->num_delays; i++) {
        const struct anl_delay *delay = &life->delays[i];
        if (i > 0) assert_true(delay[-1].by < delay->by);
        assert_true(delay->by < trial->oracle->num_worms);
        same(trial, "delay", id, trial->oracle->delays[id][delay->by], delay->cycles);
        sum += delay->cycles;
    }
    same(trial, "cycles with a root_blocker", id, w->delayed, sum);
}

static void same_life(const struct trial *trial, const struct worm *w, const struct anl_life *life)
{
    const struct anl_life *a = &w->life;
    const uint32_t id = a->worm.id;
    same(trial, "life: worm", id, id, life->worm.id);
    same(trial, "life: source", id, a->worm.source, life->worm.source);
    same(trial, "life: destination", id, a->worm.destination, life->worm.destination);
    same(trial, "life: length", id, a->worm.length, life->worm.length);
    same(trial, "life: created", id, a->worm.created, life->worm.created);
    same(trial, "life: wait", id, a->wait, life->wait);
    same(trial, "life: buffer", id, a->buffer, life->buffer);
    same(trial, "life: links", id, a->links, life->links);
    same(trial, "life: injected", id, a->injected, life->injected);
    same(trial, "life: delivered", id, a->delivered, life->delivered);
    for (int i = 0; i < ANL_WAITS; i++)
        same(trial, anl_wait_name((enum anl_wait)i), id, a->cycles[i], life->cycles[i]);
    same_stall(trial, &a->stall, &life->stall);
    same_stall(trial, &a->longest, &life->longest);
    same_delays(trial, w, life);
}

// The body goes back along the path: each buffer is fed by the next one, and none is left out.
static void same_body(const struct fed *fed, const struct worm *w)
{
    static uint32_t body[MAX_BUFFERS];
    const struct oracle *j = fed->trial.oracle;
    const uint32_t id = w->life.worm.id, source = j->links * j->c.num_vcs + w->life.worm.source;
    const size_t count = anl_blocking_body(fed->blocking, id, body, MAX_BUFFERS);
    same(&fed->trial, "body: buffers", id, w->buffers, count);
    for (size_t i = 0; i < count; i++) {
        const struct buffer *buffer = &j->buffer[body[i]];
        const bool its = buffer->owner == id || flits_of(j, body[i], id) > 0;
        same(&fed->trial, "body: is its own", body[i], true, its || body[i] == source);
        if (i + 1 < count) same(&fed->trial, "body: fed by", body[i], buffer->feed, body[i + 1]);
    }
}

static void same_worm(struct fed *fed, uint32_t id)
{
    const struct worm *w = &fed->trial.oracle->worm[id];
    struct anl_life life;
    same(&fed->trial, "is alive", id, !w->gone, anl_blocking_life(fed->blocking, id, &life));
    if (w->gone) return;
    same_life(&fed->trial, w, &life);
    same_body(fed, w);
}

static void visit(void *user, uint32_t worm)
{
    struct fed *fed = user;
    assert_true(worm < fed->trial.oracle->num_worms);
    same(&fed->trial, "visited, is gone", worm, false, fed->trial.oracle->worm[worm].gone);
    fed->seen++;
}

// ---------------------------------------------------------------- listeners

static void on_stall(void *user, const struct anl_stall *stall)
{
    struct fed *fed = user;
    assert_true(stall->worm < fed->trial.oracle->num_worms);
    same_stall(&fed->trial, &fed->trial.oracle->worm[stall->worm].ended, stall);
    fed->stalls++;
}

static void on_delivered(void *user, const struct anl_life *life)
{
    struct fed *fed = user;
    assert_true(life->worm.id < fed->trial.oracle->num_worms);
    same(&fed->trial, "delivered", life->worm.id, fed->trial.oracle->cycle, life->delivered);
    same_life(&fed->trial, &fed->trial.oracle->worm[life->worm.id], life);
    fed->deliveries++;
}

static void same_ends(const struct fed *fed)
{
    const struct oracle *j = fed->trial.oracle;
    uint32_t stalls = 0, deliveries = 0, alive = 0;
    for (uint32_t w = 0; w < j->num_worms; w++) {
        if (j->worm[w].gone) continue;
        alive++;
        stalls += j->worm[w].ended.worm != ANL_NOTHING;
        deliveries += j->worm[w].life.delivered != NEVER;
    }
    same(&fed->trial, "stalls told of", 0, stalls, fed->stalls);
    same(&fed->trial, "deliveries told of", 0, deliveries, fed->deliveries);
    same(&fed->trial, "worms visited", 0, alive, fed->seen);
}

// ---------------------------------------------------------------- the run

static void same_totals(const struct fed *fed)
{
    const struct trial *trial = &fed->trial;
    const struct anl_blocking_totals *a = &trial->oracle->totals,
                                     b = anl_blocking_totals(fed->blocking);
    same(trial, "congestion", 0, a->congestion, b.congestion);
    same(trial, "dilation", 0, a->dilation, b.dilation);
    same(trial, "worms", 0, a->worms, b.worms);
    same(trial, "worms delivered", 0, a->delivered, b.delivered);
    for (int i = 0; i < ANL_WAITS; i++)
        same(trial, anl_wait_name((enum anl_wait)i), 0, a->cycles[i], b.cycles[i]);
}

static void same_deadlock(const struct fed *fed)
{
    const struct trial *trial = &fed->trial;
    const struct oracle *j = trial->oracle;
    size_t count, dead_count, next = 0;
    uint32_t *dead;
    same(trial, "deadlocked", 0, j->deadlocked, anl_blocking_deadlocked(fed->blocking));
    const uint32_t *circle = anl_blocking_circle(fed->blocking, &count);
    same(trial, "length of the circle", 0, j->circle_length, count);
    for (size_t i = 0; i < count; i++)
        same(trial, "circle", i, j->circle[i], circle[i]);
    assert_int_equal(anl_blocking_dead(fed->blocking, &dead, &dead_count), ANL_OK);
    for (uint32_t w = 0; w < j->num_worms; w++) {
        const bool listed = next < dead_count && dead[next] == w;
        same(trial, "dead", w, j->worm[w].stuck, listed);
        next += listed;
        if (j->cycle % 8 == 0 && !j->worm[w].gone)
            same(trial, "held by", w, held_by(j, w), anl_blocking_held_by(fed->blocking, w));
    }
    same(trial, "number of dead", 0, next, dead_count);
    free(dead);
}

static void same_blocking(struct fed *fed)
{
    const struct oracle *j = fed->trial.oracle;
    same(&fed->trial, "cycle", 0, j->cycle, anl_blocking_cycle(fed->blocking));
    for (uint32_t p = 0; p < j->buffers; p++) {
        same_buffer(fed, p);
        same_runs(fed, p);
    }
    anl_blocking_worms(fed->blocking, visit, fed);
    for (uint32_t w = 0; w < j->num_worms; w++)
        same_worm(fed, w);
    same_totals(fed);
    same_ends(fed);
    same_deadlock(fed);
}

static void feed(struct fed *fed, const struct anl_flit *flits, size_t count)
{
    const struct oracle *j = fed->trial.oracle;
    struct anl_error error;
    fed->stalls = fed->deliveries = fed->seen = 0;
    for (; fed->worms < j->num_worms; fed->worms++)
        assert_int_equal(
            anl_blocking_feed_worm(fed->blocking, &j->worm[fed->worms].life.worm, &error), ANL_OK);
    if (anl_blocking_feed_flits(fed->blocking, j->cycle, flits, count, &error) == ANL_OK) return;
    print_trial(&fed->trial);
    fail_msg("cycle %llu: %s", (unsigned long long)j->cycle, error.text);
}

// Runs one cycle, in which worms may have been created.
static void one_cycle(struct fed *fed)
{
    struct oracle *j = fed->trial.oracle;
    size_t count;
    const struct anl_flit *flits = cycle(&fed->trial, &count);
    const bool quiet = count == 0 && fed->worms == j->num_worms;
    if (fed->sparse && quiet && unit_draw(&fed->trial.rng, 0, 1)) {
        fed->left_out++;
    } else {
        feed(fed, flits, count);
        same_blocking(fed);
    }
    oracle_advance(j);
}

// Feeding the end closes the cycles that were left out, and ends all stalls.
static void end(struct fed *fed)
{
    struct oracle *j = fed->trial.oracle;
    struct anl_error error;
    uint32_t stalls = 0;
    j->cycle--;  // the last cycle
    fed->stalls = 0;
    for (uint32_t w = 0; w < j->num_worms; w++) {
        j->worm[w].ended = j->worm[w].life.stall;
        stalls += !j->worm[w].gone && j->worm[w].life.stall.worm != ANL_NOTHING;
    }
    assert_int_equal(anl_blocking_end(fed->blocking, j->cycle + 1, &error), ANL_OK);
    same(&fed->trial, "cycle at the end", 0, j->cycle, anl_blocking_cycle(fed->blocking));
    same(&fed->trial, "stalls at the end", 0, stalls, fed->stalls);
    same_totals(fed);
}

static void begin(struct fed *fed)
{
    const struct anl_blocking_listener listener = {on_stall, on_delivered, fed};
    assert_int_equal(anl_blocking_create(&fed->trial.config, &listener, &fed->blocking), ANL_OK);
    same(&fed->trial, "buffers", 0, fed->trial.oracle->buffers,
         anl_blocking_num_buffers(fed->blocking));
}

static void finish(struct fed *fed)
{
    end(fed);
    anl_blocking_destroy(fed->blocking);
    anl_engine_destroy(fed->trial.net);
}

static void the_blocking_is_the_oracles(void **state)
{
    (void)state;
    static struct oracle oracle;
    static struct fed fed;
    uint32_t deadlocks = 0;
    uint64_t worms = 0, left_out = 0;
    const uint32_t trials = unit_trials(TRIALS), unsafe = trials / KINDS * 2;
    for (uint32_t number = 0; number < trials; number++) {
        fed = (struct fed){.sparse = number / KINDS % 2};
        draw_trial(&fed.trial, &oracle, number, (enum kind)(number % KINDS),
                   number / KINDS % 3 == 2);
        begin(&fed);
        while (oracle.cycle < CYCLES) {
            if (oracle.cycle < CREATION_CYCLES) create_worms(&fed.trial);
            one_cycle(&fed);
        }
        finish(&fed);
        assert_true(oracle.deadlocked == NEVER || may_deadlock((enum kind)(number % KINDS)));
        deadlocks += oracle.deadlocked != NEVER && is_unsafe((enum kind)(number % KINDS));
        worms += oracle.num_worms;
        left_out += fed.left_out;
    }
    print_message("%u runs, %llu worms, %u of %u unsafe runs deadlocked, %llu cycles left out\n",
                  trials, (unsigned long long)worms, deadlocks, unsafe,
                  (unsigned long long)left_out);
    assert_true(deadlocks >= unsafe / 2 && left_out > 0);
}

// A few worms in a small ring, again and again: states that just fit, and states that just do not.
static void the_blocking_of_small_rings_is_the_oracles(void **state)
{
    (void)state;
    static struct oracle oracle;
    static struct fed fed;
    const uint32_t rings = unit_trials(RINGS);
    uint32_t deadlocks = 0;
    for (uint32_t number = 0; number < rings; number++) {
        fed = (struct fed){.sparse = number % 4 == 3};
        draw_ring(&fed.trial, &oracle, number);
        begin(&fed);
        while (oracle.cycle < RING_CYCLES) {
            if (oracle.cycle < FEW_CYCLES) create_few(&fed.trial, FEW_WORMS);
            one_cycle(&fed);
        }
        finish(&fed);
        deadlocks += oracle.deadlocked != NEVER;
    }
    print_message("%u of %u rings deadlocked\n", deadlocks, rings);
    assert_true(deadlocks >= rings / 4);
}

// Random trials do not come by this: in a ring whose worms are as few as there, no long one is dead
// at a sender beside a short one.
static void a_short_worm_is_dead_behind_a_longer_one(void **state)
{
    (void)state;
    static struct oracle oracle;
    static struct fed fed;
    fed = (struct fed){0};
    const uint32_t last = short_behind_long(&fed.trial, &oracle);
    begin(&fed);
    while (oracle.cycle < RING_CYCLES)
        one_cycle(&fed);
    assert_true(oracle.worm[last].stuck);
    finish(&fed);
}

// ---------------------------------------------------------------- the dead, without the oracle

struct dead_run {
    struct trial trial;
    struct anl_blocking *blocking;
    uint32_t worms;
    bool *dead;  // [worm]
};

static void create_fed(struct dead_run *run, uint64_t cycle, struct oracle *shape)
{
    struct anl_rng *rng = &run->trial.rng;
    for (uint32_t t = 0; t < shape->switches; t++) {
        if (anl_engine_totals(run->trial.net).queued >= MOST_QUEUED) return;
        if (anl_rng_unit(rng) >= run->trial.chance) continue;
        const struct anl_worm worm = {.id = run->worms++,
                                      .source = t,
                                      .destination = draw_destination(&run->trial, t),
                                      .length = (uint16_t)draw_length(&run->trial),
                                      .created = cycle};
        assert_int_equal(anl_engine_enqueue(run->trial.net, t, worm.destination, worm.length, NULL),
                         ANL_OK);
        assert_int_equal(anl_blocking_feed_worm(run->blocking, &worm, NULL), ANL_OK);
    }
}

// Worms that are dead now are dead from now on, and those that were dead must still be.
static void ask_for_the_dead(struct dead_run *run)
{
    uint32_t *dead;
    size_t count, known = 0;
    assert_int_equal(anl_blocking_dead(run->blocking, &dead, &count), ANL_OK);
    for (size_t i = 0; i < count; i++)
        run->dead[dead[i]] = true;
    for (uint32_t w = 0; w < run->worms; w++)
        known += run->dead[w];
    same(&run->trial, "number of dead", 0, known, count);
    free(dead);
}

static bool run_on(struct dead_run *run, struct oracle *shape)
{
    for (; shape->cycle < DEAD_CYCLES; shape->cycle++) {
        size_t count;
        create_fed(run, shape->cycle, shape);
        anl_engine_step(run->trial.net);
        const struct anl_flit *flits = anl_engine_flits(run->trial.net, &count);
        assert_int_equal(anl_blocking_feed_flits(run->blocking, shape->cycle, flits, count, NULL),
                         ANL_OK);
        for (size_t i = 0; i < count; i++)
            if (flits[i].head)
                same(&run->trial, "dead, and moves", flits[i].worm, false,
                     run->dead[flits[i].worm]);
        if (anl_blocking_deadlocked(run->blocking) == shape->cycle || shape->cycle % DEAD_STEP == 0)
            ask_for_the_dead(run);
    }
    return anl_blocking_deadlocked(run->blocking) != NEVER;
}

static void nobody_called_dead_ever_moves(void **state)
{
    (void)state;
    static struct oracle shape;
    const size_t most_worms = (size_t)DEAD_CYCLES * MAX_SWITCHES;
    struct dead_run run = {.dead = malloc(most_worms * sizeof(bool))};
    const uint32_t trials = DEAD_TRIALS / unit_step(3);
    uint32_t deadlocks = 0;
    assert_non_null(run.dead);
    for (uint32_t number = 0; number < trials; number++) {
        memset(run.dead, 0, most_worms * sizeof(bool));
        run.worms = 0;
        draw_trial(&run.trial, &shape, 1000 + number, number % 2 ? UNSAFE_ONE_WAY : UNSAFE_TORUS,
                   false);
        assert_int_equal(anl_blocking_create(&run.trial.config, NULL, &run.blocking), ANL_OK);
        deadlocks += run_on(&run, &shape);
        anl_blocking_destroy(run.blocking);
        anl_engine_destroy(run.trial.net);
    }
    free(run.dead);
    print_message("%u of %u long runs deadlocked\n", deadlocks, trials);
    assert_true(deadlocks >= trials / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_blocking_is_the_oracles),
        cmocka_unit_test(the_blocking_of_small_rings_is_the_oracles),
        cmocka_unit_test(a_short_worm_is_dead_behind_a_longer_one),
        cmocka_unit_test(nobody_called_dead_ever_moves),
    };
    return cmocka_run_group_tests_name("blocking_judge", tests, NULL, NULL);
}
