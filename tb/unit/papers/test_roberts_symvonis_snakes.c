// SPDX-License-Identifier: Apache-2.0
//
// Snakes: birth, circulation, consumption; supersteps beside the packet algorithm alone.

#include "unit_papers.h"

#include "papers/roberts_symvonis/snakes.h"

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

static uint64_t draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

static void shuffle(uint32_t *numbers, uint32_t count, uint64_t *seed)
{
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = i;
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t j = (uint32_t)(draw(seed) % i), was = numbers[i - 1];
        numbers[i - 1] = numbers[j];
        numbers[j] = was;
    }
}

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

static void bear_all(struct trial *trial, uint32_t birth, uint32_t target, uint64_t *seed)
{
    uint32_t to[64];
    const uint32_t nodes = trial->packets.n * trial->packets.n;
    shuffle(to, nodes, seed);
    trial_begin(trial);
    for (uint32_t i = 0; i < nodes; i++)
        if (birth != target || to[i] != i)
            assert_int_equal(trial_bear(trial, i, birth, to[i], target), ANL_OK);
}

static void run_rounds(uint32_t f, uint32_t k, uint32_t n, uint32_t turns, uint32_t share)
{
    struct trial trial;
    uint64_t seed = 1;
    begin_trial(&trial, f, k, n, greedy, NULL);
    for (uint32_t i = 0; i < turns * trial.layout.cells; i += share) {
        const uint32_t birth = i % trial.layout.cells;
        const uint32_t target = (birth * 7 + 3 + i / trial.layout.cells * 40) % trial.layout.cells;
        uint32_t supersteps;
        bear_all(&trial, birth, target, &seed);
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
    run_rounds(12, 4, 3, 2, 1);
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
    assert_true(totals.offered == count - selves && totals.tails == totals.offered);
    assert_true(anl_bufferless_idle(trial->snakes.machine));
}

// Routes a random permutation of the cells of 2 x 2 supernodes.
static void route_permutation(packet_algorithm *algorithm, uint32_t supersteps, uint64_t seed)
{
    struct trial trial;
    uint32_t to[4 * 81];
    shuffle(to, 4 * 81, &seed);
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
    for (uint32_t birth = 0; birth < 81 && !wrong; birth += unit_share() > 1 ? 9 : 1) {
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
    uint64_t seed = 3;
    for (uint32_t i = 0; i < 4 * 81; i++)
        to[i] = (uint32_t)(draw(&seed) % (4 * 81));
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
    shuffle(to, count, &seed);
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

// --- stress: full supernodes, and a worm in each direction in each superstep ---

static bool leads_on(uint32_t n, uint32_t node, uint32_t port)
{
    return port == ANL_EAST    ? node % n + 1 < n
           : port == ANL_WEST  ? node % n > 0
           : port == ANL_SOUTH ? node / n + 1 < n
                               : node / n > 0;
}

// Sends worms that do not depend on where they go.
static void push(void *user, const struct node_view *view, uint32_t out[DIRECTIONS])
{
    const uint64_t *salt = user;
    uint64_t seed = *salt + view->superstep * 1000003u + view->node * 7919u;
    uint32_t order[MOST_QUEUE], next = 0;
    shuffle(order, view->count, &seed);
    for (uint32_t port = 0; port < DIRECTIONS; port++)
        out[port] = leads_on(view->n, view->node, port) && next < view->count
                        ? view->queue[order[next++]]
                        : NO_WORM;
}

enum fill { FILL_LEFT, FILL_RIGHT, FILL_RANDOM, FILLS };

struct stress {
    uint32_t f, k, n, supersteps;
    enum fill fill;
    bool full;
    uint64_t seed;
    uint32_t at[2048];  // the supernode in which a worm ends
};

// Notes where each worm will end.
static void foresee(struct stress *stress, const struct trial *trial)
{
    struct packets copy;
    struct anl_error error;
    const uint32_t nodes = trial->packets.n * trial->packets.n;
    assert_int_equal(packets_create(trial->packets.n, trial->packets.algorithm, trial->packets.user,
                                    &copy, &error),
                     ANL_OK);
    memcpy(copy.queues, trial->packets.queues, nodes * sizeof *copy.queues);
    for (uint32_t i = 0; i < stress->supersteps; i++)
        assert_int_equal(packets_step(&copy), ANL_OK);
    assert_true(copy.largest <= trial->layout.f && copy.kept <= trial->layout.f - 4);
    for (uint32_t node = 0; node < nodes; node++)
        for (uint32_t i = 0; i < copy.queues[node].count; i++)
            stress->at[copy.queues[node].worms[i]] = node;
    packets_free(&copy);
}

// Loads a supernode with `count` worms. Worms get numbers in the order of calls, and are offered
// when it is known where they end.
static void load(struct trial *trial, const struct stress *stress, uint32_t supernode,
                 uint32_t count, uint32_t *next, bool offers)
{
    const enum fill fill = stress->fill;
    const uint32_t slots = trial->layout.slots, cells = trial->layout.cells;
    uint32_t order[2 * MOST_SLOTS];
    bool taken[2 * MOST_SLOTS] = {false};
    uint64_t seed = stress->seed + supernode;
    shuffle(order, 2 * slots, &seed);
    for (uint32_t i = 0; i < count; i++)
        taken[fill == FILL_LEFT ? i : fill == FILL_RIGHT ? 2 * slots - 1 - i : order[i]] = true;
    for (uint32_t i = 0; i < 2 * slots; i++) {
        if (!taken[i]) continue;
        const uint32_t worm = (*next)++;
        const enum side side = i < slots ? SIDE_LEFT : SIDE_RIGHT;
        if (!offers) {
            assert_int_equal(packets_add(&trial->packets, supernode, worm), ANL_OK);
            continue;
        }
        uint32_t cell = (uint32_t)(draw(&seed) % cells), id;
        if (cell == snakes_door(&trial->layout, side)) cell = trial->layout.centre;
        assert_int_equal(snakes_load(&trial->snakes, supernode, side, i % slots,
                                     snakes_node(&trial->snakes, stress->at[worm], cell), &id),
                         ANL_OK);
        assert_int_equal(id, worm);
    }
}

// Full: as many worms as a supernode may have if it sends one in each direction.
static uint32_t amount(const struct stress *stress, uint32_t supernode)
{
    const uint32_t n = stress->n, f = stress->f;
    uint32_t ways = 0;
    uint64_t seed = stress->seed * 3 + supernode;
    for (uint32_t port = 0; port < DIRECTIONS; port++)
        ways += leads_on(n, supernode, port);
    return stress->full ? f - 4 + ways : (uint32_t)(draw(&seed) % (f - 3 + ways));
}

static void load_all(struct trial *trial, struct stress *stress)
{
    const uint32_t nodes = stress->n * stress->n;
    trial_begin(trial);
    for (int offers = 0; offers < 2; offers++) {
        uint32_t worms = 0;
        for (uint32_t node = 0; node < nodes; node++)
            load(trial, stress, node, amount(stress, node), &worms, offers);
        if (!offers) foresee(stress, trial);
    }
}

// Runs a round in which worms end where `push` has left them.
static void run_loaded(struct trial *trial, struct stress *stress)
{
    load_all(trial, stress);
    assert_int_equal(trial_run(trial, stress->supersteps), ANL_OK);
}

static uint64_t salt;

static void begin_stress(struct trial *trial, const struct stress *stress)
{
    salt = stress->seed;
    begin_trial(trial, stress->f, stress->k, stress->n, push, &salt);
}

static void run_stress(struct stress *stress)
{
    struct trial trial;
    begin_stress(&trial, stress);
    run_loaded(&trial, stress);
    assert_right(&trial, "seed", (uint32_t)stress->seed);
    assert_true(trial.watch.most <= 3 && anl_bufferless_idle(trial.snakes.machine));
    show("stress", &trial);
    assert_true(!stress->full || stress->n < 3 || trial.packets.largest == stress->f);
    trial_free(&trial);
}

static void full_supernodes_lose_nothing(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < unit_trials(60); seed++)
        run_stress(
            &(struct stress){12, 4, 3, 6, (enum fill)(seed % FILLS), seed % 2 == 0, seed, {0}});
    for (uint32_t seed = 0; seed < unit_trials(12); seed++) {
        const enum fill fill = (enum fill)(seed % FILLS);
        run_stress(&(struct stress){32, 4, 3, 4, fill, seed % 2 == 0, seed, {0}});
        run_stress(&(struct stress){12, 16, 3, 4, fill, seed % 2 == 0, seed, {0}});
    }
    run_stress(&(struct stress){12, 36, 2, 3, FILL_LEFT, true, 1, {0}});
}

// --- what must not be left out ---

// Returns what is found wrong in full supernodes with other rules; NULL: nothing in any of the
// fills.
static const char *find_in_stress(const struct rules *rules)
{
    struct stress stress = {12, 4, 3, 3, 0, true, 5, {0}};
    const char *wrong = NULL;
    for (int fill = 0; fill < (int)FILLS && !wrong; fill++) {
        struct trial trial;
        stress.fill = (enum fill)fill;
        begin_stress(&trial, &stress);
        trial.snakes.rules = *rules;
        run_loaded(&trial, &stress);
        wrong = trial.wrong;
        trial_free(&trial);
    }
    return wrong;
}

static void each_rule_is_needed(void **state)
{
    (void)state;
    struct layout layout;
    struct anl_error error;
    assert_int_equal(layout_create(12, 4, &layout, &error), ANL_OK);
    const struct rules right = rules_of(&layout);
    struct rules wrong[11];
    for (size_t i = 0; i < 11; i++)
        wrong[i] = right;
    wrong[0].delays[0] = false;
    wrong[1].delays[1] = true;
    wrong[2].delays[0] = false;
    wrong[2].delays[1] = true;
    wrong[3].delays_first = false;
    wrong[4].lead[1] = 0;
    wrong[5].lead[0] = 1;
    wrong[6].transmission += layout.k;
    wrong[7].transmission -= layout.k;
    wrong[8].transmission += 1;
    wrong[9].balances = false;
    wrong[10].gap_error = 1;
    assert_null(find_in_stress(&right));
    for (size_t i = 0; i < 11; i++) {
        const char *found = find_in_stress(&wrong[i]);
        if (!found) fail_msg("wrong rules %zu are not found", i);
        if (getenv("SHOW")) print_message("wrong rules %zu: %s\n", i, found);
    }
    layout_free(&layout);
}

static const char *find_with_spurs(uint32_t spurs)
{
    struct stress stress = {12, 4, 3, 3, 0, true, 5, {0}};
    const char *wrong = NULL;
    struct anl_error error;
    for (int fill = 0; fill < (int)FILLS && !wrong; fill++) {
        struct trial trial;
        stress.fill = (enum fill)fill;
        begin_stress(&trial, &stress);
        snakes_free(&trial.snakes);
        layout_free(&trial.layout);
        assert_int_equal(layout_create_spurs(12, 4, spurs, &trial.layout, &error), ANL_OK);
        assert_int_equal(snakes_create(&trial.layout, 3, push, &salt, &trial.snakes, &error),
                         ANL_OK);
        watch_start(&trial.watch, &trial.snakes);
        run_loaded(&trial, &stress);
        wrong = trial.wrong;
        trial_free(&trial);
    }
    return wrong;
}

// Five spurs are the least number that lets worms be transmitted, and keeps them in phase.
static void other_numbers_of_spurs_fail(void **state)
{
    (void)state;
    for (uint32_t spurs = 0; spurs <= 8; spurs++) {
        const char *found = find_with_spurs(spurs);
        if (getenv("SHOW")) print_message("%u spurs: %s\n", spurs, found ? found : "right");
        if ((spurs == 5 || spurs == 7) != !found) fail_msg("%u spurs: %s", spurs, found);
    }
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
        cmocka_unit_test(other_numbers_of_spurs_fail),
    };
    return cmocka_run_group_tests_name("roberts_symvonis_snakes", tests, NULL, NULL);
}
