// SPDX-License-Identifier: Apache-2.0
//
// Everything the story says of places, worms and the run must be what a slow judge (story_judge.h)
// says, in every cycle, over random networks and traffic; and nobody it calls dead may move.

#include "story_trial.h"

#include <stdlib.h>

enum {
    TRIALS = 400 / UNIT_FEWER,
    UNSAFE_TRIALS = TRIALS / KINDS * 2,
    CREATION_CYCLES = 220,
    CYCLES = 320,
    RINGS = 3000 / UNIT_FEWER,
    RING_CYCLES = 40,
    DEAD_TRIALS = 24,
    DEAD_CYCLES = 4000,
    DEAD_STEP = 32,    // cycles between two questions who is dead
    MOST_QUEUED = 500  // worms
};

struct told {
    struct trial trial;
    struct anl_story *story;
    uint32_t worms;              // told of
    uint32_t stays, deliveries;  // heard of in this cycle
    uint32_t seen;               // worms visited
    uint64_t left_out;           // cycles not told of
    bool sparse;                 // some without flits are
};

// ---------------------------------------------------------------- places

static void same_place(const struct told *told, uint32_t p)
{
    const struct trial *trial = &told->trial;
    const struct anl_place *a = &trial->judge->place[p].is, b = anl_story_place(told->story, p);
    same(trial, "place: link", p, a->link, b.link);
    same(trial, "place: vc", p, a->vc, b.vc);
    same(trial, "place: terminal", p, a->terminal, b.terminal);
    same(trial, "place: flits", p, a->flits, b.flits);
    same(trial, "place: worm", p, a->worm, b.worm);
    same(trial, "place: index", p, a->index, b.index);
    same(trial, "place: wait", p, a->wait, b.wait);
    same(trial, "place: since", p, a->since, b.since);
    same(trial, "place: wants", p, a->wants, b.wants);
    same(trial, "place: wants_vcs", p, a->wants_vcs, b.wants_vcs);
    same(trial, "place: took", p, a->took, b.took);
    same(trial, "place: next", p, a->next, b.next);
    if (a->worm != ANL_NOTHING) same(trial, "place: distance", p, a->distance, b.distance);
    same(trial, "place: owner", p, a->owner, b.owner);
    same(trial, "mover", p, mover(trial->judge, p), anl_story_mover(told->story, p));
}

// The runs are those of the flits: also without room for all of them.
static void same_runs(const struct told *told, uint32_t p)
{
    const struct trial *trial = &told->trial;
    const uint32_t flits = trial->judge->place[p].is.flits;
    struct anl_run_of_flits runs[MAX_LANE_DEPTH + 1];
    const size_t count = anl_story_runs(told->story, p, runs, MAX_LANE_DEPTH);
    same(trial, "number of runs", p, count, anl_story_runs(told->story, p, NULL, 0));
    assert_true(count <= MAX_LANE_DEPTH);
    const struct flit *f = trial->judge->place[p].front;
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

static void same_stay(const struct trial *trial, const struct anl_stay *a, const struct anl_stay *b)
{
    same(trial, "stay: worm", a->worm, a->worm, b->worm);
    if (a->worm == ANL_NOTHING) return;
    same(trial, "stay: place", a->worm, a->place, b->place);
    same(trial, "stay: begin", a->worm, a->begin, b->begin);
    same(trial, "stay: end", a->worm, a->end, b->end);
    same(trial, "stay: blocker", a->worm, a->blocker, b->blocker);
    same(trial, "stay: mover", a->worm, a->mover, b->mover);
    for (int i = 0; i < ANL_WAITS; i++)
        same(trial, "stay: cycles", a->worm, a->cycles[i], b->cycles[i]);
}

static void same_delays(const struct trial *trial, const struct worm *w,
                        const struct anl_life *life)
{
    const uint32_t id = w->life.worm.id;
    uint64_t sum = 0;
    for (size_t i = 0; i < life->num_delays; i++) {
        const struct anl_delay *delay = &life->delays[i];
        if (i > 0) assert_true(delay[-1].by < delay->by);
        assert_true(delay->by < trial->judge->num_worms);
        same(trial, "delay", id, trial->judge->delays[id][delay->by], delay->cycles);
        sum += delay->cycles;
    }
    same(trial, "cycles with a mover", id, w->delayed, sum);
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
    same(trial, "life: place", id, a->place, life->place);
    same(trial, "life: links", id, a->links, life->links);
    same(trial, "life: injected", id, a->injected, life->injected);
    same(trial, "life: delivered", id, a->delivered, life->delivered);
    for (int i = 0; i < ANL_WAITS; i++)
        same(trial, anl_wait_name((enum anl_wait)i), id, a->cycles[i], life->cycles[i]);
    same_stay(trial, &a->stay, &life->stay);
    same_stay(trial, &a->longest, &life->longest);
    same_delays(trial, w, life);
}

// Against the path: each place is fed by the one after it, and none is left out.
static void same_body(const struct told *told, const struct worm *w)
{
    static uint32_t body[MAX_PLACES];
    const struct judge *j = told->trial.judge;
    const uint32_t id = w->life.worm.id, source = j->links * j->c.num_vcs + w->life.worm.source;
    const size_t count = anl_story_body(told->story, id, body, MAX_PLACES);
    same(&told->trial, "body: places", id, w->places, count);
    for (size_t i = 0; i < count; i++) {
        const struct place *place = &j->place[body[i]];
        const bool its = place->owner == id || flits_of(j, body[i], id) > 0;
        same(&told->trial, "body: is its own", body[i], true, its || body[i] == source);
        if (i + 1 < count) same(&told->trial, "body: fed by", body[i], place->feed, body[i + 1]);
    }
}

static void same_worm(struct told *told, uint32_t id)
{
    const struct worm *w = &told->trial.judge->worm[id];
    struct anl_life life;
    same(&told->trial, "is alive", id, !w->gone, anl_story_life(told->story, id, &life));
    if (w->gone) return;
    same_life(&told->trial, w, &life);
    same_body(told, w);
}

static void visit(void *user, uint32_t worm)
{
    struct told *told = user;
    assert_true(worm < told->trial.judge->num_worms);
    same(&told->trial, "visited, is gone", worm, false, told->trial.judge->worm[worm].gone);
    told->seen++;
}

// ---------------------------------------------------------------- listeners

static void on_stay(void *user, const struct anl_stay *stay)
{
    struct told *told = user;
    assert_true(stay->worm < told->trial.judge->num_worms);
    same_stay(&told->trial, &told->trial.judge->worm[stay->worm].ended, stay);
    told->stays++;
}

static void on_delivered(void *user, const struct anl_life *life)
{
    struct told *told = user;
    assert_true(life->worm.id < told->trial.judge->num_worms);
    same(&told->trial, "delivered", life->worm.id, told->trial.judge->cycle, life->delivered);
    same_life(&told->trial, &told->trial.judge->worm[life->worm.id], life);
    told->deliveries++;
}

static void same_ends(const struct told *told)
{
    const struct judge *j = told->trial.judge;
    uint32_t stays = 0, deliveries = 0, alive = 0;
    for (uint32_t w = 0; w < j->num_worms; w++) {
        if (j->worm[w].gone) continue;
        alive++;
        stays += j->worm[w].ended.worm != ANL_NOTHING;
        deliveries += j->worm[w].life.delivered != NEVER;
    }
    same(&told->trial, "stays told of", 0, stays, told->stays);
    same(&told->trial, "deliveries told of", 0, deliveries, told->deliveries);
    same(&told->trial, "worms visited", 0, alive, told->seen);
}

// ---------------------------------------------------------------- the run

static void same_totals(const struct told *told)
{
    const struct trial *trial = &told->trial;
    const struct anl_story_totals *a = &trial->judge->totals, b = anl_story_totals(told->story);
    same(trial, "congestion", 0, a->congestion, b.congestion);
    same(trial, "dilation", 0, a->dilation, b.dilation);
    same(trial, "worms", 0, a->worms, b.worms);
    same(trial, "worms delivered", 0, a->delivered, b.delivered);
    for (int i = 0; i < ANL_WAITS; i++)
        same(trial, anl_wait_name((enum anl_wait)i), 0, a->cycles[i], b.cycles[i]);
}

static void same_deadlock(const struct told *told)
{
    const struct trial *trial = &told->trial;
    const struct judge *j = trial->judge;
    size_t count, dead_count, next = 0;
    uint32_t *dead;
    same(trial, "deadlocked", 0, j->deadlocked, anl_story_deadlocked(told->story));
    const uint32_t *circle = anl_story_circle(told->story, &count);
    same(trial, "length of the circle", 0, j->circle_length, count);
    for (size_t i = 0; i < count; i++)
        same(trial, "circle", i, j->circle[i], circle[i]);
    assert_int_equal(anl_story_dead(told->story, &dead, &dead_count), ANL_OK);
    for (uint32_t w = 0; w < j->num_worms; w++) {
        const bool listed = next < dead_count && dead[next] == w;
        same(trial, "dead", w, j->worm[w].stuck, listed);
        next += listed;
        if (j->cycle % 8 == 0 && !j->worm[w].gone)
            same(trial, "held by", w, held_by(j, w), anl_story_held_by(told->story, w));
    }
    same(trial, "number of dead", 0, next, dead_count);
    free(dead);
}

static void same_story(struct told *told)
{
    const struct judge *j = told->trial.judge;
    same(&told->trial, "cycle", 0, j->cycle, anl_story_cycle(told->story));
    for (uint32_t p = 0; p < j->places; p++) {
        same_place(told, p);
        same_runs(told, p);
    }
    anl_story_worms(told->story, visit, told);
    for (uint32_t w = 0; w < j->num_worms; w++)
        same_worm(told, w);
    same_totals(told);
    same_ends(told);
    same_deadlock(told);
}

static void tell(struct told *told, const struct anl_flit *flits, size_t count)
{
    const struct judge *j = told->trial.judge;
    struct anl_error error;
    told->stays = told->deliveries = told->seen = 0;
    for (; told->worms < j->num_worms; told->worms++)
        assert_int_equal(anl_story_worm(told->story, &j->worm[told->worms].life.worm, &error),
                         ANL_OK);
    if (anl_story_flits(told->story, j->cycle, flits, count, &error) == ANL_OK) return;
    print_trial(&told->trial);
    fail_msg("cycle %llu: %s", (unsigned long long)j->cycle, error.text);
}

// One cycle, in which worms may have been created.
static void one_cycle(struct told *told)
{
    struct judge *j = told->trial.judge;
    size_t count;
    const struct anl_flit *flits = cycle(&told->trial, &count);
    const bool quiet = count == 0 && told->worms == j->num_worms;
    if (told->sparse && quiet && draw(&told->trial.rng, 0, 1)) {
        told->left_out++;
    } else {
        tell(told, flits, count);
        same_story(told);
    }
    judge_advance(j);
}

// Cycles of which nothing was told are gone through, and stays that last come to their end.
static void end(struct told *told)
{
    struct judge *j = told->trial.judge;
    struct anl_error error;
    uint32_t stays = 0;
    j->cycle--;  // the last one
    told->stays = 0;
    for (uint32_t w = 0; w < j->num_worms; w++) {
        j->worm[w].ended = j->worm[w].life.stay;
        stays += !j->worm[w].gone && j->worm[w].life.stay.worm != ANL_NOTHING;
    }
    assert_int_equal(anl_story_end(told->story, j->cycle + 1, &error), ANL_OK);
    same(&told->trial, "cycle at the end", 0, j->cycle, anl_story_cycle(told->story));
    same(&told->trial, "stays at the end", 0, stays, told->stays);
    same_totals(told);
}

static void begin(struct told *told)
{
    const struct anl_story_listener listener = {on_stay, on_delivered, told};
    assert_int_equal(anl_story_create(&told->trial.config, &listener, &told->story), ANL_OK);
    same(&told->trial, "places", 0, told->trial.judge->places, anl_story_places(told->story));
}

static void finish(struct told *told)
{
    end(told);
    anl_story_destroy(told->story);
    anl_net_destroy(told->trial.net);
}

static void the_story_is_the_judges(void **state)
{
    (void)state;
    static struct judge judge;
    static struct told told;
    uint32_t deadlocks = 0;
    uint64_t worms = 0, left_out = 0;
    for (uint32_t number = 0; number < TRIALS; number++) {
        told = (struct told){.sparse = number / KINDS % 2};
        draw_trial(&told.trial, &judge, number, (enum kind)(number % KINDS),
                   number / KINDS % 3 == 2);
        begin(&told);
        while (judge.cycle < CYCLES) {
            if (judge.cycle < CREATION_CYCLES) create_worms(&told.trial);
            one_cycle(&told);
        }
        finish(&told);
        assert_true(judge.deadlocked == NEVER || is_unsafe((enum kind)(number % KINDS)));
        deadlocks += judge.deadlocked != NEVER;
        worms += judge.num_worms;
        left_out += told.left_out;
    }
    print_message("%d runs, %llu worms, %u of %d unsafe runs deadlocked, %llu cycles left out\n",
                  TRIALS, (unsigned long long)worms, deadlocks, UNSAFE_TRIALS,
                  (unsigned long long)left_out);
    assert_true(deadlocks >= UNSAFE_TRIALS / 2 && left_out > 0);
}

// A few worms in a small ring, over and over: states that just fit, and just do not.
static void the_story_of_small_rings_is_the_judges(void **state)
{
    (void)state;
    static struct judge judge;
    static struct told told;
    uint32_t deadlocks = 0;
    for (uint32_t number = 0; number < RINGS; number++) {
        told = (struct told){.sparse = false};
        draw_ring(&told.trial, &judge, number);
        begin(&told);
        while (judge.cycle < RING_CYCLES) {
            if (judge.cycle < FEW_CYCLES) create_few(&told.trial, FEW_WORMS);
            one_cycle(&told);
        }
        finish(&told);
        deadlocks += judge.deadlocked != NEVER;
    }
    print_message("%u of %d rings deadlocked\n", deadlocks, RINGS);
    assert_true(deadlocks >= RINGS / 4);
}

// ---------------------------------------------------------------- the dead, without the judge

struct dead_run {
    struct trial trial;
    struct anl_story *story;
    uint32_t worms;
    bool *dead;  // by worm
};

static void create_told(struct dead_run *run, uint64_t cycle, struct judge *shape)
{
    struct anl_rng *rng = &run->trial.rng;
    for (uint32_t t = 0; t < shape->switches; t++) {
        if (anl_net_totals(run->trial.net).queued >= MOST_QUEUED) return;
        if (anl_rng_unit(rng) >= run->trial.chance) continue;
        const struct anl_worm worm = {.id = run->worms++,
                                      .source = t,
                                      .destination = draw_destination(&run->trial, t),
                                      .length = (uint16_t)draw_length(&run->trial),
                                      .created = cycle};
        assert_int_equal(anl_net_offer(run->trial.net, t, worm.destination, worm.length, NULL),
                         ANL_OK);
        assert_int_equal(anl_story_worm(run->story, &worm, NULL), ANL_OK);
    }
}

// Who is dead now is from now on; who was must still be.
static void ask_for_the_dead(struct dead_run *run)
{
    uint32_t *dead;
    size_t count, known = 0;
    assert_int_equal(anl_story_dead(run->story, &dead, &count), ANL_OK);
    for (size_t i = 0; i < count; i++)
        run->dead[dead[i]] = true;
    for (uint32_t w = 0; w < run->worms; w++)
        known += run->dead[w];
    same(&run->trial, "number of dead", 0, known, count);
    free(dead);
}

static bool run_on(struct dead_run *run, struct judge *shape)
{
    for (; shape->cycle < DEAD_CYCLES; shape->cycle++) {
        size_t count;
        create_told(run, shape->cycle, shape);
        anl_net_step(run->trial.net);
        const struct anl_flit *flits = anl_net_flits(run->trial.net, &count);
        assert_int_equal(anl_story_flits(run->story, shape->cycle, flits, count, NULL), ANL_OK);
        for (size_t i = 0; i < count; i++)
            if (flits[i].head)
                same(&run->trial, "dead, and moves", flits[i].worm, false,
                     run->dead[flits[i].worm]);
        if (anl_story_deadlocked(run->story) == shape->cycle || shape->cycle % DEAD_STEP == 0)
            ask_for_the_dead(run);
    }
    return anl_story_deadlocked(run->story) != NEVER;
}

static void nobody_called_dead_ever_moves(void **state)
{
    (void)state;
    static struct judge shape;
    const size_t most_worms = (size_t)DEAD_CYCLES * MAX_SWITCHES;
    struct dead_run run = {.dead = malloc(most_worms * sizeof(bool))};
    uint32_t deadlocks = 0;
    assert_non_null(run.dead);
    for (uint32_t number = 0; number < DEAD_TRIALS; number++) {
        memset(run.dead, 0, most_worms * sizeof(bool));
        run.worms = 0;
        draw_trial(&run.trial, &shape, 1000 + number, number % 2 ? UNSAFE_ONE_WAY : UNSAFE_TORUS,
                   false);
        assert_int_equal(anl_story_create(&run.trial.config, NULL, &run.story), ANL_OK);
        deadlocks += run_on(&run, &shape);
        anl_story_destroy(run.story);
        anl_net_destroy(run.trial.net);
    }
    free(run.dead);
    print_message("%u of %d long runs deadlocked\n", deadlocks, DEAD_TRIALS);
    assert_true(deadlocks >= DEAD_TRIALS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_story_is_the_judges),
        cmocka_unit_test(the_story_of_small_rings_is_the_judges),
        cmocka_unit_test(nobody_called_dead_ever_moves),
    };
    return cmocka_run_group_tests_name("story_judge", tests, NULL, NULL);
}
