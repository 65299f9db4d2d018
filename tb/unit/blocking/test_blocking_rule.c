// SPDX-License-Identifier: Apache-2.0
//
// The rule of deadlock in docs/worms.md, as the oracle computes it, against what happens and
// against all that can happen. The dead never move (the oracle checks this for its own dead in
// every cycle); a worm that stalls for good is dead; and in tiny networks a worm that moves in any
// schedule is not dead.

#include "schedules.h"
#include "trial.h"

enum {
    LONG_TRIALS = 20,
    LONG_CYCLES = 4000,
    STALLS = 240,
    QUIET = 12,  // an idler that can move is quiet for so long with probability 4^-12
    CREATION_CYCLES = 150,
    MOST_CYCLES = 30000,
    TINY_TRIALS = 1200,
    PLAIN_EVERY = 8,  // one trial in so many is searched in every order too
};

// ---------------------------------------------------------------- what happens

// Traffic goes on to the end, long after the deadlock.
static void the_dead_never_move(void **state)
{
    (void)state;
    static struct oracle oracle;
    const uint32_t trials = unit_trials(LONG_TRIALS);
    uint32_t deadlocks = 0;
    for (uint32_t number = 0; number < trials; number++) {
        struct trial trial;
        draw_trial(&trial, &oracle, number, number % 2 ? UNSAFE_ONE_WAY : UNSAFE_TORUS,
                   number / 2 % 3 == 2);
        while (oracle.cycle < LONG_CYCLES) {
            size_t count;
            if (oracle.deadlocked != NEVER) trial.chance = 5.0 / LONG_CYCLES;
            create_worms(&trial);
            cycle(&trial, &count);
            oracle_advance(&oracle);
        }
        deadlocks += oracle.deadlocked != NEVER;
        anl_engine_destroy(trial.net);
    }
    print_message("%u of %u long runs deadlocked\n", deadlocks, trials);
    assert_true(deadlocks >= trials / 2);
}

// Returns the number of last cycles without a flit on a link: QUIET if nothing moves any more.
static uint32_t run_out(struct trial *trial)
{
    uint32_t quiet = 0;
    while (quiet < QUIET && trial->oracle->cycle < MOST_CYCLES) {
        size_t count;
        if (trial->oracle->cycle < CREATION_CYCLES) create_worms(trial);
        cycle(trial, &count);
        quiet = count > 0 || trial->oracle->cycle < CREATION_CYCLES ? 0 : quiet + 1;
        oracle_advance(trial->oracle);
    }
    return quiet;
}

// Returns whether the last head of the circle to move closed it. That is not necessary: another
// head that got stuck later may have been supposed to make room (docs/worms.md supposes that what
// is not stuck goes on for ever).
static bool closed_itself(const struct oracle *j)
{
    uint64_t last = 0;
    for (size_t i = 0; i < j->circle_length; i++)
        if (j->worm[j->circle[i]].head_moved > last) last = j->worm[j->circle[i]].head_moved;
    return j->deadlocked == last + 1;
}

static void whoever_stalls_is_dead(void **state)
{
    (void)state;
    static struct oracle oracle;
    const uint32_t trials = unit_trials(STALLS);
    uint32_t stalls = 0, closed = 0;
    for (uint32_t number = 0; number < trials; number++) {
        struct trial trial;
        draw_trial(&trial, &oracle, number, number % 2 ? UNSAFE_ONE_WAY : UNSAFE_TORUS,
                   number / 2 % 3 == 2);
        same(&trial, "cycles without a flit", 0, QUIET, run_out(&trial));
        const bool stalled = oracle.totals.delivered < oracle.totals.worms;
        same(&trial, "deadlock", 0, stalled, oracle.deadlocked != NEVER);
        for (uint32_t w = 0; w < oracle.num_worms; w++)
            same(&trial, "dead", w, oracle.worm[w].has_head, oracle.worm[w].stuck);
        stalls += stalled;
        closed += stalled && closed_itself(&oracle);
        anl_engine_destroy(trial.net);
    }
    print_message("%u of %u runs stalled, %u of the circles closed by one of their own heads\n",
                  stalls, trials, closed);
    assert_true(stalls >= trials / 2 && closed >= stalls * 3 / 4);
}

// ---------------------------------------------------------------- what can happen

struct tally {
    uint64_t states, too_many, configurations, dead, live, missed, reduced;
    uint32_t late[TINY_WORMS], latest;  // cycles until found: of each worm, at most
};

static bool touches(const struct oracle *j, uint32_t p, uint32_t worm)
{
    return !is_source(j, p) && (j->buffer[p].owner == worm || flits_of(j, p, worm) > 0);
}

// Returns the worms in a lane and its owner, as bits.
static uint32_t worms_in(const struct oracle *j, uint32_t p)
{
    uint32_t worms = 0;
    for (uint32_t w = 0; w < j->num_worms; w++)
        if (touches(j, p, w)) worms |= 1U << w;
    return worms;
}

static bool is_any(const struct oracle *j, const struct flit *head)
{
    (void)j, (void)head;
    return true;
}

// Returns the worms in the way of one: those in the lanes that it lies in and in the lanes that its
// head wants, and those before it at the senders of its source.
static uint32_t in_the_way(const struct oracle *j, uint32_t worm)
{
    uint32_t worms = 0;
    for (uint32_t p = 0; p < j->links * j->c.num_vcs; p++)
        if (touches(j, p, worm)) worms |= worms_in(j, p);
    const struct flit *head = j->worm[worm].flits;
    if (!j->worm[worm].has_head) return worms;
    const struct want want = wanted(j, head->buffer, head);
    for (uint32_t i = 0; i < want.count; i++)
        worms |= worms_in(j, want.lanes[i]);
    const uint32_t earlier = earlier_head(j, head->buffer, worm, is_any);
    return earlier == ANL_NOTHING ? worms : worms | 1U << earlier;
}

// Returns whether no schedule moves the head of any worm in the way of this one, or of those in
// their way, and so on. Then nothing can make room, and the rule must find the worm dead.
static bool is_hopeless(const struct schedules *s, uint32_t worm)
{
    uint32_t worms = 1U << worm, before = 0;
    while (worms != before) {
        before = worms;
        for (uint32_t w = 0; w < s->j->num_worms; w++)
            if (before >> w & 1) worms |= in_the_way(s->j, w);
    }
    for (uint32_t w = 0; w < s->j->num_worms; w++)
        if ((worms >> w & 1) && (s->can_move[w] || !s->j->worm[w].has_head)) return false;
    return true;
}

static void oracle_state(const struct trial *trial, struct schedules *s, struct tally *tally)
{
    const struct oracle *j = trial->oracle;
    bool plain[TINY_WORMS], complete = false;
    if (trial->number % PLAIN_EVERY == 0) {
        search(s, j, false);
        complete = s->complete;
        memcpy(plain, s->can_move, sizeof plain);
    }
    search(s, j, true);
    tally->states++;
    tally->configurations += s->count;
    tally->reduced += complete;
    if (!s->complete) tally->too_many++;
    for (uint32_t w = 0; w < j->num_worms && s->complete; w++) {
        const struct worm *worm = &j->worm[w];
        if (complete) same(trial, "head that can move, heads alone", w, plain[w], s->can_move[w]);
        if (!worm->has_head) continue;
        if (worm->stuck) same(trial, "dead head that moves", w, false, s->can_move[w]);
        if (is_hopeless(s, w)) same(trial, "hopeless worm that is dead", w, true, worm->stuck);
        tally->dead += worm->stuck;
        tally->live += s->can_move[w];
        if (worm->stuck || s->can_move[w]) continue;
        tally->missed++;
        if (++tally->late[w] > tally->latest) tally->latest = tally->late[w];
    }
}

// At most so many worms are created.
static void run_tiny(struct trial *trial, struct schedules *s, struct tally *tally, uint32_t most)
{
    struct oracle *j = trial->oracle;
    uint32_t quiet = 0;
    memset(tally->late, 0, sizeof tally->late);
    while (quiet < QUIET) {
        size_t count;
        const bool creation = j->cycle < FEW_CYCLES;
        if (creation) create_few(trial, most);
        cycle(trial, &count);
        if (!creation && quiet < 2) oracle_state(trial, s, tally);
        quiet = count > 0 || creation ? 0 : quiet + 1;
        oracle_advance(j);
    }
}

static void in_tiny_networks_the_rule_is_right_about_every_schedule(void **state)
{
    (void)state;
    static struct oracle oracle;
    static struct schedules schedules;
    struct tally tally = {0};
    const uint32_t trials = unit_trials(TINY_TRIALS);
    uint32_t deadlocks = 0;
    for (uint32_t number = 0; number < trials; number++) {
        struct trial trial;
        draw_ring(&trial, &oracle, number);
        run_tiny(&trial, &schedules, &tally, unit_draw(&trial.rng, 3, FEW_WORMS));
        deadlocks += oracle.deadlocked != NEVER;
        anl_engine_destroy(trial.net);
    }
    print_message(
        "%u of %u runs deadlocked; %llu states, %llu of them searched in every order too, "
        "%llu too large; %llu configurations\n",
        deadlocks, trials, (unsigned long long)tally.states, (unsigned long long)tally.reduced,
        (unsigned long long)tally.too_many, (unsigned long long)tally.configurations);
    print_message(
        "heads: %llu can move, %llu dead, %llu can never move and are not yet dead, for at most %u "
        "cycles\n",
        (unsigned long long)tally.live, (unsigned long long)tally.dead,
        (unsigned long long)tally.missed, tally.latest);
    assert_true(deadlocks >= trials / 4 && tally.too_many < tally.states / 10);
}

static void a_short_worm_stays_behind_a_longer_one_that_is_dead(void **state)
{
    (void)state;
    static struct oracle oracle;
    static struct schedules schedules;
    struct tally tally = {0};
    struct trial trial;
    const uint32_t last = short_behind_long(&trial, &oracle);
    run_tiny(&trial, &schedules, &tally, oracle.num_worms);
    for (uint32_t w = 0; w <= last; w++)
        assert_true(oracle.worm[w].stuck);
    assert_int_equal(held_by(&oracle, last), last - 1);
    assert_int_equal(tally.too_many, 0);
    anl_engine_destroy(trial.net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_dead_never_move),
        cmocka_unit_test(whoever_stalls_is_dead),
        cmocka_unit_test(in_tiny_networks_the_rule_is_right_about_every_schedule),
        cmocka_unit_test(a_short_worm_stays_behind_a_longer_one_that_is_dead),
    };
    return cmocka_run_group_tests_name("blocking_rule", tests, NULL, NULL);
}
