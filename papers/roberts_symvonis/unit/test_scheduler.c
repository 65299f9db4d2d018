// SPDX-License-Identifier: Apache-2.0
//
// The scheduler, against the algorithm as it is printed and against the schedules of a second
// program; orders and permutations by their names.

#include "unit_schedule.h"

#include "papers/roberts_symvonis/lib/schedule/schedule.h"

// --- permutations and orders ---

static void permutations_have_their_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t n, node, destination;
    } cases[] = {
        {"transpose", 4, 1, 4}, {"reversal", 4, 1, 14}, {"shift", 4, 1, 11},  {"shift", 5, 1, 13},
        {"rotate", 4, 1, 8},    {"bitrev", 4, 1, 8},    {"bitrev", 4, 3, 12}, {"rotate", 3, 5, 1},
        {"bitrev", 1, 0, 0},    {"shift", 1, 0, 0},
    };
    struct anl_permutation permutation;
    struct anl_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(anl_permutation_make(cases[i].name, cases[i].n, 1, &permutation, &error),
                         ANL_OK);
        assert_int_equal(permutation.destinations[cases[i].node], cases[i].destination);
        assert_int_equal(anl_permutation_check(&permutation, &error), ANL_OK);
        anl_permutation_free(&permutation);
    }
}

static void refused(const char *name, uint32_t n, const char *why)
{
    struct anl_permutation permutation;
    struct anl_error error;
    assert_int_equal(anl_permutation_make(name, n, 1, &permutation, &error), ANL_ERR_ARGUMENT);
    if (!strstr(error.text, why)) fail_msg("\"%s\" lacks \"%s\"", error.text, why);
    anl_permutation_free(&permutation);
}

static void bad_permutations_are_refused(void **state)
{
    (void)state;
    struct anl_permutation permutation;
    struct anl_error error;
    refused("sideways", 4, "expected transpose, ");
    refused("bitrev", 6, "expected a power of two");
    refused("transpose", 0, "expected 1 to 512");
    refused("transpose", 513, "expected 1 to 512");
    assert_int_equal(anl_permutation_make("transpose", 3, 1, &permutation, &error), ANL_OK);
    permutation.destinations[4] = permutation.destinations[2];
    assert_int_equal(anl_permutation_check(&permutation, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "nodes 2 and 4 both send to node 6, expected at most one");
    permutation.destinations[4] = 9;
    assert_int_equal(anl_permutation_check(&permutation, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "node 4 sends to node 9, expected 0 to 8");
    permutation.destinations[4] = ANL_NO_NODE;
    assert_int_equal(anl_permutation_check(&permutation, &error), ANL_OK);
    assert_int_equal(anl_permutation_worms(&permutation), 8);
    anl_permutation_free(&permutation);
}

static uint32_t apart(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

// Returns whether worm a, with distances h and v, may stand before worm b.
static bool comes_before(enum anl_order order, const uint32_t *a, const uint32_t *b)
{
    const int id = a[2] < b[2], h = (int)a[0] - (int)b[0], v = (int)a[1] - (int)b[1];
    switch (order) {
    case ANL_ORDER_ROW_MAJOR:
        return id;
    case ANL_ORDER_H_V_DESC:
        return h ? h > 0 : v ? v > 0 : id;
    case ANL_ORDER_H_V_ASC:
        return h ? h < 0 : v ? v < 0 : id;
    case ANL_ORDER_LONGEST:
        return h + v ? h + v > 0 : id;
    case ANL_ORDER_SHORTEST:
        return h + v ? h + v < 0 : !id;
    case ANL_ORDER_V_H_DESC:
        return v ? v > 0 : h ? h > 0 : id;
    case ANL_ORDER_H_DESC_V_ASC:
        return h ? h > 0 : v ? v < 0 : id;
    case ANL_ORDER_RANDOM:
        break;
    }
    return true;
}

static void orders_sort_as_they_say(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(1, 0);
    for (uint32_t trial = 0; trial < 200; trial++) {
        const uint32_t n = 1 + anl_rng_below(&rng, MOST_N);
        struct anl_permutation permutation = draw(n, 3, &rng);
        const uint32_t count = anl_permutation_worms(&permutation);
        for (int order = 0; order < (int)ANL_ORDERS; order++) {
            uint32_t worms[MOST_NODES], seen[MOST_NODES] = {0}, last[3] = {0};
            assert_int_equal(anl_order_make(&permutation, (enum anl_order)order, trial, worms),
                             ANL_OK);
            for (uint32_t i = 0; i < count; i++) {
                const uint32_t to = permutation.destinations[worms[i]];
                const uint32_t key[] = {apart(worms[i] % n, to % n), apart(worms[i] / n, to / n),
                                        worms[i]};
                assert_true(to != ANL_NO_NODE && seen[worms[i]]++ == 0);
                assert_true(i == 0 || comes_before((enum anl_order)order, last, key));
                memcpy(last, key, sizeof last);
            }
        }
        anl_permutation_free(&permutation);
    }
}

static void only_letters_of_an_order_count(void **state)
{
    (void)state;
    enum anl_order order;
    for (int i = 0; i < (int)ANL_ORDERS; i++) {
        assert_true(anl_order_find(anl_order_name((enum anl_order)i), &order));
        assert_int_equal(order, i);
    }
    assert_true(anl_order_find("rowmajor", &order) && order == ANL_ORDER_ROW_MAJOR);
    assert_true(anl_order_find("Lex-Desc-v-h", &order) && order == ANL_ORDER_V_H_DESC);
    assert_false(anl_order_find("lex-desc", &order));
    assert_false(anl_order_find("longestt", &order));
    assert_false(anl_order_find("", &order));
}

// --- schedules ---

static void it_gives_the_starts_of_the_printed_algorithm(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(2, 0);
    for (uint32_t trial = 0; trial < unit_trials(4000); trial++) {
        const uint32_t n = 1 + anl_rng_below(&rng, MOST_N), k = 1 + anl_rng_below(&rng, 6);
        struct anl_permutation permutation = draw(n, 1 + anl_rng_below(&rng, 4), &rng);
        const enum anl_order order = (enum anl_order)anl_rng_below(&rng, ANL_ORDERS);
        uint32_t worms[MOST_NODES], fast[MOST_NODES], slow[MOST_NODES] = {0};
        assert_int_equal(anl_order_make(&permutation, order, trial, worms), ANL_OK);
        slow_schedule(&permutation, k, worms, anl_permutation_worms(&permutation), slow);
        const struct anl_schedule schedule = fast_schedule(&permutation, k, order, trial, fast);
        const struct anl_schedule measured = anl_schedule_measure(&permutation, k, fast);
        if (memcmp(fast, slow, n * n * sizeof *fast) != 0)
            fail_msg("trial %u: n %u, k %u, order %s", trial, n, k, anl_order_name(order));
        assert_true(schedule.makespan == measured.makespan && schedule.sum == measured.sum &&
                    schedule.largest == measured.largest && schedule.worms == measured.worms);
        anl_permutation_free(&permutation);
    }
}

static void flits_of_a_worm_are_bounded(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(1, 0);
    struct anl_permutation permutation = draw(3, 4, &rng);
    struct anl_scheduler *scheduler;
    assert_int_equal(anl_scheduler_create(&permutation, 0, &scheduler), ANL_ERR_ARGUMENT);
    assert_null(scheduler);
    assert_int_equal(anl_scheduler_create(&permutation, ANL_SCHEDULE_MAX_K + 1, &scheduler),
                     ANL_ERR_ARGUMENT);
    assert_int_equal(anl_scheduler_create(&permutation, ANL_SCHEDULE_MAX_K, &scheduler), ANL_OK);
    anl_scheduler_destroy(scheduler);
    anl_permutation_free(&permutation);
}

// Lemma 1: a worm forbids another one at most 2 k - 1 starts, and just those around one.
static void a_worm_forbids_at_most_2k_less_1_starts(void **state)
{
    (void)state;
    static struct busy busy;
    struct anl_rng rng = anl_rng_seed(3, 0);
    bool most = false;
    for (uint32_t trial = 0; trial < unit_trials(2000); trial++) {
        const uint32_t n = 2 + anl_rng_below(&rng, 4), k = 1 + anl_rng_below(&rng, 5);
        const uint32_t p = anl_rng_below(&rng, n * n), q = anl_rng_below(&rng, n * n);
        const uint32_t to = anl_rng_below(&rng, n * n);
        uint32_t forbidden = 0, first = 0, last = 0;
        if (p == q) continue;
        memset(&busy, 0, sizeof busy);
        mark(&busy, n, k, q, anl_rng_below(&rng, n * n), 100);
        for (uint32_t start = 1; start < 200; start++)
            if (!is_free(&busy, n, k, p, to, start)) {
                if (!forbidden++) first = start;
                last = start;
            }
        assert_true(forbidden == 0 || forbidden == 2 * k - 1);
        assert_true(forbidden == 0 || last - first == 2 * k - 2);
        most |= forbidden > 1;
    }
    assert_true(most);
}

// --- schedules of fixed permutations, which oracle/oracle.py makes, too ---

static FILE *open_table(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s: cannot be read", path);
    return file;
}

static void check_anchor(const char *line)
{
    char name[32], ordered[32];
    uint32_t n, k, makespan, largest, starts[MOST_NODES];
    unsigned long long sum;
    struct anl_permutation permutation;
    struct anl_schedule_fault fault;
    struct anl_error error;
    enum anl_order order;
    if (sscanf(line, "%u,%u,%31[^,],%31[^,],%u,%llu,%u", &n, &k, name, ordered, &makespan, &sum,
               &largest) != 7)
        fail_msg("not a row: %s", line);
    assert_int_equal(anl_permutation_make(name, n, 1, &permutation, &error), ANL_OK);
    assert_true(anl_order_find(ordered, &order));
    const struct anl_schedule schedule = fast_schedule(&permutation, k, order, 0, starts);
    if (schedule.makespan != makespan || schedule.sum != sum || schedule.largest != largest)
        fail_msg("%s: makespan %u, sum %llu, largest %u", line, schedule.makespan,
                 (unsigned long long)schedule.sum, schedule.largest);
    assert_int_equal(anl_schedule_check(&permutation, k, starts, NULL, &fault), ANL_OK);
    assert_int_equal(fault.rule, ANL_SCHEDULE_KEPT);
    anl_permutation_free(&permutation);
}

static void anchors_come_out(void **state)
{
    (void)state;
    char line[256];
    uint32_t rows = 0;
    FILE *file = open_table("papers/roberts_symvonis/unit/anchors.csv");
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        check_anchor(line);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 140);
}

// --- all permutations ---

enum { MOST_K = 4 };

// The largest and the sum of the makespans of all permutations of a mesh, for each k and order.
struct all {
    uint32_t n, count;
    uint32_t largest[MOST_K + 1][ANL_FIXED_ORDERS];
    uint64_t sum[MOST_K + 1][ANL_FIXED_ORDERS];
    double worst;  // makespan / bound
};

static void note(struct all *all, const struct anl_permutation *permutation, uint32_t k, int order,
                 const uint32_t *worms)
{
    uint32_t starts[9];
    struct anl_scheduler *scheduler;
    struct anl_schedule_fault fault;
    assert_int_equal(anl_scheduler_create(permutation, k, &scheduler), ANL_OK);
    const struct anl_schedule schedule =
        anl_scheduler_run(scheduler, worms, all->n * all->n, starts);
    anl_scheduler_destroy(scheduler);
    const uint32_t bound = anl_schedule_bound(all->n, k);
    assert_true(schedule.makespan <= bound);
    assert_true(schedule.largest <= anl_schedule_bound_start(all->n, k));
    if (order == ANL_ORDER_H_V_DESC)
        assert_true(schedule.makespan <= anl_schedule_bound_h_descending(all->n, k));
    if ((double)schedule.makespan / bound > all->worst)
        all->worst = (double)schedule.makespan / bound;
    all->sum[k][order] += schedule.makespan;
    if (schedule.makespan > all->largest[k][order]) all->largest[k][order] = schedule.makespan;
    if (all->count % 97) return;
    assert_int_equal(anl_schedule_check(permutation, k, starts, NULL, &fault), ANL_OK);
    assert_int_equal(fault.rule, ANL_SCHEDULE_KEPT);
}

static void note_all(struct all *all, const struct anl_permutation *permutation)
{
    for (int order = 0; order <= (int)ANL_ORDER_V_H_DESC; order++) {
        uint32_t worms[9];
        assert_int_equal(anl_order_make(permutation, (enum anl_order)order, 0, worms), ANL_OK);
        for (uint32_t k = 1; k <= MOST_K; k++)
            note(all, permutation, k, order, worms);
    }
    all->count++;
}

// Visits all permutations of the destinations from place on.
static void permute(struct all *all, struct anl_permutation *permutation, uint32_t place)
{
    uint32_t *to = permutation->destinations;
    if (place == all->n * all->n) {
        note_all(all, permutation);
        return;
    }
    for (uint32_t i = place; i < all->n * all->n; i++) {
        const uint32_t here = to[place], there = to[i];
        to[place] = there;
        to[i] = here;
        permute(all, permutation, place + 1);
        to[place] = here;
        to[i] = there;
    }
}

static void check_all(const struct all *all)
{
    char line[256], name[32];
    uint32_t n, k, largest, rows = 0;
    double mean;
    enum anl_order order;
    FILE *file = open_table("papers/roberts_symvonis/data/exhaustive.csv");
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#') continue;
        if (sscanf(line, "%u,%u,%31[^,],%u,%lf", &n, &k, name, &largest, &mean) != 5)
            fail_msg("not a row: %s", line);
        if (n != all->n) continue;
        assert_true(anl_order_find(name, &order) && k <= MOST_K);
        const double ours = (double)all->sum[k][order] / all->count;
        const bool near = ours > mean - 0.000051 && ours < mean + 0.000051;
        if (all->largest[k][order] != largest || !near)
            fail_msg("%s: largest %u, mean %.6f", line, all->largest[k][order], ours);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 24);
    print_message("n %u: %u permutations, worst makespan / bound %.3f\n", all->n, all->count,
                  all->worst);
}

static void visit(uint32_t n, uint32_t count)
{
    struct all all = {.n = n};
    struct anl_permutation permutation;
    struct anl_error error;
    assert_int_equal(anl_permutation_begin(n, &permutation, &error), ANL_OK);
    for (uint32_t node = 0; node < n * n; node++)
        permutation.destinations[node] = node;
    permute(&all, &permutation, 0);
    anl_permutation_free(&permutation);
    assert_int_equal(all.count, count);
    check_all(&all);
}

static void all_permutations_of_side_2(void **state)
{
    (void)state;
    visit(2, 24);
}

static void all_permutations_of_side_3(void **state)
{
    (void)state;
    unit_leave_out();
    visit(3, 362880);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permutations_have_their_names),
        cmocka_unit_test(bad_permutations_are_refused),
        cmocka_unit_test(orders_sort_as_they_say),
        cmocka_unit_test(only_letters_of_an_order_count),
        cmocka_unit_test(it_gives_the_starts_of_the_printed_algorithm),
        cmocka_unit_test(flits_of_a_worm_are_bounded),
        cmocka_unit_test(a_worm_forbids_at_most_2k_less_1_starts),
        cmocka_unit_test(anchors_come_out),
        cmocka_unit_test(all_permutations_of_side_2),
        cmocka_unit_test(all_permutations_of_side_3),
    };
    return cmocka_run_group_tests_name("scheduler", tests, NULL, NULL);
}
