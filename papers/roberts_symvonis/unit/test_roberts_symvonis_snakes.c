// SPDX-License-Identifier: Apache-2.0
//
// Snakes: birth, circulation, consumption; supersteps beside the packet algorithm alone.

#include "unit_papers.h"

#include "papers/roberts_symvonis/program/snakes.h"

#include <string.h>

static void make(uint32_t f, uint32_t k, uint32_t n, packet_algorithm *algorithm, void *user,
                 struct layout *layout, struct snakes *snakes)
{
    struct anl_error error;
    if (layout_create(f, k, layout, &error)) fail_msg("%s", error.text);
    if (snakes_create(layout, n, algorithm, user, snakes, &error)) fail_msg("%s", error.text);
}

static void assert_unbroken(const struct snakes *snakes, const struct watch *watch,
                            const char *what, uint32_t number)
{
    const struct anl_bufferless_fault fault = anl_bufferless_fault(snakes->machine);
    char text[256];
    anl_bufferless_fault_text(snakes->machine, &fault, text, sizeof text);
    if (fault.cause) fail_msg("%s %u: %s", what, number, text);
    if (watch->broken)
        fail_msg("%s %u: step %u, worm %u: not so: %s", what, number, (unsigned)watch->step,
                 watch->worm, watch->broken);
    assert_false(snakes->overflowed || snakes->disagreed);
}

// --- one supernode ---

static void stay(void *user, const struct node_view *view, uint32_t out[DIRECTIONS])
{
    (void)user;
    (void)view;
    memset(out, 0xff, DIRECTIONS * sizeof *out);
}

// The worm of slot 0 is at the first processor of its side in each cycle of a superstep, and is
// consumed before the round ends.
static void run_birth(struct snakes *snakes, struct watch *watch, uint32_t birth, uint32_t target)
{
    const struct layout *layout = snakes->layout;
    const uint32_t first = layout_side(layout, birth) == SIDE_LEFT ? layout->bottom : layout->top;
    const uint32_t steps = snakes_round_steps(layout, 1);
    const uint64_t begun = anl_bufferless_steps(snakes->machine);
    uint32_t worm, meetings = 0;
    snakes_begin(snakes, 1);
    assert_int_equal(snakes_bear(snakes, 0, birth, snakes_node(snakes, 0, target), &worm), ANL_OK);
    for (uint32_t step = 1; step <= steps; step++) {
        snakes_step(snakes);
        assert_int_equal(watch_step(watch, snakes), ANL_OK);
        // It is in the cell at the start of the next step, which has number step + 2 in the time of
        // an even supernode.
        const uint32_t since = step + 2 - snakes->rules.first;
        const bool due = since % layout->period == 0 && since / layout->period < 4;
        if (due && birth != first)
            meetings += watch_is_at(watch, snakes, worm, 0, first);
        else if (due)
            meetings += since == 0 || watch_is_at(watch, snakes, worm, 0, first);
    }
    assert_unbroken(snakes, watch, "birth", birth);
    assert_int_equal(anl_bufferless_steps(snakes->machine) - begun, steps);
    assert_int_equal(meetings, 4);
    if (watch->consumed[worm] != layout->k) fail_msg("birth %u: not at %u", birth, target);
}

// Returns where the worm of a birth cell goes: another cell, and another one for each of them.
static uint32_t target_of(const struct layout *layout, uint32_t birth, uint32_t turn)
{
    return (birth + 1 + turn * 31 % (layout->cells - 1)) % layout->cells;
}

// One of `share` birth cells.
static void run_births(uint32_t f, uint32_t k, uint32_t turn, uint32_t share)
{
    struct layout layout;
    struct snakes snakes;
    struct watch watch = {0};
    make(f, k, 1, stay, NULL, &layout, &snakes);
    watch_start(&watch, &snakes);
    for (uint32_t birth = turn % share; birth < layout.cells; birth += share)
        run_birth(&snakes, &watch, birth, target_of(&layout, birth, turn));
    assert_true(anl_bufferless_idle(snakes.machine));
    watch_free(&watch);
    snakes_free(&snakes);
    layout_free(&layout);
}

static void worms_are_born_circulate_and_are_consumed(void **state)
{
    (void)state;
    const uint32_t share = unit_share();
    run_births(12, 4, 0, 1);
    run_births(12, 4, 1, 1);
    run_births(32, 4, 2, share);
    run_births(12, 16, 3, 2 * share);
    run_births(12, 36, 4, 8 * share);
}

// --- supersteps beside the packet algorithm ---

static void begin_trial(struct trial *trial, uint32_t f, uint32_t k, uint32_t n,
                        packet_algorithm *algorithm, void *user)
{
    struct anl_error error;
    if (trial_create(f, k, n, algorithm, user, trial, &error)) fail_msg("%s", error.text);
}

// Prints what the page says of a run, if SHOW is set.
static void show(const char *what, const struct trial *trial)
{
    if (!getenv("SHOW")) return;
    print_message("%s: f %u, k %u, N %u: %u rounds, at most %u supersteps, %lu compared, %lu sent, "
                  "%lu worms, %lu steps, %lu moves, at most %u in a node, queue %u\n",
                  what, trial->layout.f, trial->layout.k, trial->snakes.n, (unsigned)trial->rounds,
                  trial->longest, (unsigned long)trial->compared,
                  (unsigned long)trial->packets.sent,
                  (unsigned long)anl_bufferless_totals(trial->snakes.machine).tails,
                  (unsigned long)anl_bufferless_steps(trial->snakes.machine),
                  (unsigned long)trial->watch.moves, trial->watch.most, trial->packets.largest);
}

static void assert_right(const struct trial *trial, const char *what, uint32_t number)
{
    assert_unbroken(&trial->snakes, &trial->watch, what, number);
    if (trial->wrong) fail_msg("%s %u: %s", what, number, trial->wrong);
}

// --- rounds: a permutation of supernodes, one birth cell, one target cell ---

static void bear_all(struct trial *trial, uint32_t birth, uint32_t target, struct anl_rng *rng)
{
    uint32_t to[64];
    const uint32_t nodes = trial->packets.n * trial->packets.n;
    shuffle(to, nodes, rng);
    trial_begin(trial);
    for (uint32_t i = 0; i < nodes; i++)
        if (birth != target || to[i] != i)
            assert_int_equal(trial_bear(trial, i, birth, to[i], target), ANL_OK);
}

static void run_rounds(uint32_t f, uint32_t k, uint32_t n, uint32_t turns, uint32_t share)
{
    struct trial trial;
    struct anl_rng rng = anl_rng_seed(1, 0);
    begin_trial(&trial, f, k, n, greedy, NULL);
    for (uint32_t i = 0; i < turns * trial.layout.cells; i += share) {
        const uint32_t birth = i % trial.layout.cells;
        const uint32_t target = (birth * 7 + 3 + i / trial.layout.cells * 40) % trial.layout.cells;
        uint32_t supersteps;
        bear_all(&trial, birth, target, &rng);
        assert_int_equal(trial_count(&trial, &supersteps), ANL_OK);
        assert_int_equal(trial_run(&trial, supersteps), ANL_OK);
        assert_right(&trial, "round", i);
    }
    assert_true(anl_bufferless_idle(trial.snakes.machine) && trial.watch.most <= 3);
    show("rounds", &trial);
    trial_free(&trial);
}

static void rounds_have_the_length_of_the_page(void **state)
{
    (void)state;
    struct layout layout;
    struct anl_error error;
    assert_int_equal(layout_create(12, 4, &layout, &error), ANL_OK);
    assert_int_equal(snakes_round_steps(&layout, 1), 365);
    assert_int_equal(snakes_round_steps(&layout, 2), 533);
    assert_int_equal(snakes_round_steps(&layout, 3), 701);
    layout_free(&layout);
}

static void rounds_deliver_permutations_of_supernodes(void **state)
{
    (void)state;
    const uint32_t share = unit_share();
    run_rounds(12, 4, 3, 2, unit_step(5));
    run_rounds(32, 4, 2, 1, 4 * share);
    run_rounds(12, 16, 2, 1, 8 * share);
    run_rounds(12, 36, 2, 1, 40 * share);
}

// --- a whole permutation ---

// Asserts that all worms but those that are there already have arrived.
static void assert_delivered(const struct trial *trial, const uint32_t *to, uint32_t count)
{
    uint32_t selves = 0;
    for (uint32_t i = 0; i < count; i++)
        selves += to[i] == i;
    const struct anl_bufferless_totals totals = anl_bufferless_totals(trial->snakes.machine);
    assert_true(totals.enqueued == count - selves && totals.tails == totals.enqueued);
    assert_true(anl_bufferless_idle(trial->snakes.machine));
}

// Routes a random permutation of the cells of 2 x 2 supernodes.
static void route_permutation(packet_algorithm *algorithm, uint32_t supersteps, uint64_t seed)
{
    struct trial trial;
    struct anl_rng rng = anl_rng_seed(seed, 0);
    uint32_t to[4 * 81];
    shuffle(to, 4 * 81, &rng);
    begin_trial(&trial, 12, 4, 2, algorithm, NULL);
    assert_int_equal(trial_route(&trial, to, supersteps), ANL_OK);
    assert_right(&trial, "permutation", (uint32_t)seed);
    assert_delivered(&trial, to, 4 * 81);
    show("whole permutation", &trial);
    trial_free(&trial);
}

static void a_whole_permutation_is_delivered(void **state)
{
    (void)state;
    route_permutation(greedy, 0, 7);
}

static void sorting_delivers_it_as_well(void **state)
{
    (void)state;
    unit_leave_out();
    route_permutation(sorting, sorting_supersteps(2, 1), 7);
}

// --- many to one, and worms that are born while others are on their way ---

// In 4 x 4 supernodes the worms of all of them go to one.
static const char *route_to_one(bool consumes, packet_algorithm *algorithm)
{
    struct trial trial;
    const char *wrong = NULL;
    begin_trial(&trial, 12, 4, 4, algorithm, NULL);
    trial.snakes.consumes = consumes;
    for (uint32_t birth = 0; birth < 81 && !wrong;
         birth += unit_share() > 1 ? 9 * unit_step(3) : 1) {
        uint32_t supersteps;
        trial_begin(&trial);
        for (uint32_t i = 0; i < 16; i++)
            assert_int_equal(trial_bear(&trial, i, birth, birth % 16, (birth + 40) % 81), ANL_OK);
        assert_int_equal(trial_count(&trial, &supersteps), ANL_OK);
        assert_int_equal(trial_run(&trial, supersteps), ANL_OK);
        if (consumes) assert_right(&trial, "birth", birth);
        wrong = trial.wrong;
    }
    if (consumes) show("to one", &trial);
    trial_free(&trial);
    return wrong;
}

// Without consumption in each superstep the supernode to which all go has too many worms.
static void many_worms_go_to_one_supernode(void **state)
{
    (void)state;
    assert_null(route_to_one(true, greedy));
    assert_null(route_to_one(true, deflecting));
    assert_string_equal(route_to_one(false, greedy), "overflow");
}

// All destinations are random, so some cells are those of several worms, and some of none.
static void many_to_one_is_delivered(void **state)
{
    (void)state;
    struct trial trial;
    uint32_t to[4 * 81];
    struct anl_rng rng = anl_rng_seed(3, 0);
    for (uint32_t i = 0; i < 4 * 81; i++)
        to[i] = anl_rng_below(&rng, 4 * 81);
    begin_trial(&trial, 12, 4, 2, greedy, NULL);
    trial.snakes.consumes = true;
    assert_int_equal(trial_route(&trial, to, 0), ANL_OK);
    assert_right(&trial, "seed", 3);
    assert_delivered(&trial, to, 4 * 81);
    show("many to one", &trial);
    trial_free(&trial);
}

static void stream(uint32_t f, uint32_t k, uint32_t n, uint64_t seed)
{
    struct trial trial;
    uint32_t supersteps;
    begin_trial(&trial, f, k, n, deflecting, NULL);
    const uint32_t count = n * n * trial.layout.cells;
    uint32_t *to = calloc(count, sizeof *to);
    assert_non_null(to);
    struct anl_rng rng = anl_rng_seed(seed, 0);
    shuffle(to, count, &rng);
    assert_int_equal(trial_stream(&trial, to, &supersteps), ANL_OK);
    assert_right(&trial, "seed", (uint32_t)seed);
    assert_delivered(&trial, to, count);
    show("stream", &trial);
    free(to);
    trial_free(&trial);
}

// A worm is born in each superstep, in all cells of all supernodes.
static void worms_are_born_early(void **state)
{
    (void)state;
    stream(12, 4, 2, 1);
    stream(12, 4, 3, 2);
    if (unit_share() > 1) return;
    stream(12, 4, 4, 3);
    stream(32, 4, 3, 4);
    stream(12, 16, 2, 5);
    stream(12, 36, 2, 6);
}

// --- full supernodes ---

static void run_stress(uint32_t f, uint32_t k, uint32_t n, uint32_t supersteps, uint32_t seed)
{
    struct stress stress = {f, k, n, supersteps, (enum fill)(seed % FILLS), seed % 2 == 0, seed};
    struct trial trial;
    struct anl_error error;
    if (stress_create(&stress, &trial, &error)) fail_msg("%s", error.text);
    assert_int_equal(stress_run(&stress, &trial), ANL_OK);
    assert_right(&trial, "seed", seed);
    assert_true(trial.watch.most <= 3 && anl_bufferless_idle(trial.snakes.machine));
    assert_true(trial.packets.kept <= f - 4);
    show("stress", &trial);
    assert_true(!stress.full || n < 3 || trial.packets.largest == f);
    trial_free(&trial);
}

static void full_supernodes_lose_nothing(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < unit_trials(60); seed++)
        run_stress(12, 4, 3, 6, seed);
    for (uint32_t seed = 0; seed < unit_trials(12); seed++) {
        run_stress(32, 4, 3, 4, seed);
        run_stress(12, 16, 3, 4, seed);
    }
    if (!unit_slow_sample()) run_stress(12, 36, 2, 3, 0);
}

// Five spurs are the least number that lets worms be transmitted and keeps them in phase; seven are
// as good.
static void each_rule_is_needed(void **state)
{
    (void)state;
    uint32_t right = 0, wrong = 0;
    for (uint32_t i = 0; control_name(i); i++) {
        struct anl_error error;
        const char *found;
        if (control_run(i, &found, &error)) fail_msg("%s", error.text);
        if (control_is_right(i) != !found) fail_msg("%s: %s", control_name(i), found);
        if (getenv("SHOW"))
            print_message("%s: %s\n", control_name(i), found ? found : "nothing is found");
        *(found ? &wrong : &right) += 1;
    }
    assert_true(right == 2 && wrong == 18);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worms_are_born_circulate_and_are_consumed),
        cmocka_unit_test(rounds_have_the_length_of_the_page),
        cmocka_unit_test(rounds_deliver_permutations_of_supernodes),
        cmocka_unit_test(a_whole_permutation_is_delivered),
        cmocka_unit_test(sorting_delivers_it_as_well),
        cmocka_unit_test(many_worms_go_to_one_supernode),
        cmocka_unit_test(many_to_one_is_delivered),
        cmocka_unit_test(worms_are_born_early),
        cmocka_unit_test(full_supernodes_lose_nothing),
        cmocka_unit_test(each_rule_is_needed),
    };
    return cmocka_run_group_tests_name("roberts_symvonis_snakes", tests, NULL, NULL);
}
