// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis of a mesh without buffers (papers/roberts_symvonis/bufferless.md, "Who is
// lost"): nobody waits, a worm is delivered when its start says, and what a fault loses is named.

#include "blocking/feed.h"

#include <annelid/schedule.h>

static const struct anl_config mesh = {.kind = ANL_BUFFERLESS,
                                       .topology = ANL_MESH,
                                       .k = 3,
                                       .n = 2,
                                       .num_vcs = 1,
                                       .depth = 1,
                                       .flit_width_bits = 32,
                                       .routing = ANL_DIMENSION_ORDER};

static void expect_text(const struct worker *worker, uint32_t buffer, const char *expected)
{
    char text[160];
    anl_blocking_text(worker->blocking, buffer, text, sizeof text);
    assert_string_equal(text, expected);
}

// Runs cycles up to `cycle`, without new worms.
static void run_to(struct worker *worker, uint64_t cycle)
{
    while (worker->num_cycles <= cycle)
        worker_step(worker);
}

// The first table of papers/roberts_symvonis/bufferless.md: a goes from 0 to 2 from step 1 on, b
// from 1 to 5 from 5 on.
static void two_worms_pass_each_other(void **state)
{
    (void)state;
    struct worker worker = worker_create(&mesh, 0, NULL);
    const uint32_t first = lane_of(&mesh, 0, 0, 0), second = lane_of(&mesh, 1, 0, 0);
    run_to(&worker, 0);
    worker_enqueue(&worker, 0, 2, 3);
    run_to(&worker, 1);
    expect_text(&worker, source_of(&mesh, 0), "moves to lane 0 of 0(0,0).+0");
    run_to(&worker, 3);
    expect_text(&worker, first, "moves to lane 0 of 1(1,0).+0");
    expect_text(&worker, second, "moves to lane 0 of 2(2,0).T");
    run_to(&worker, 4);
    worker_enqueue(&worker, 1, 5, 3);
    run_to(&worker, 5);
    expect_text(&worker, source_of(&mesh, 1), "moves to lane 0 of 1(1,0).+0");
    expect_text(&worker, second, "moves to lane 0 of 2(2,0).T");
    run_to(&worker, 9);
    const struct anl_blocking_totals totals = anl_blocking_totals(worker.blocking);
    assert_int_equal(totals.delivered, 2);
    assert_int_equal(totals.cycles[ANL_MOVING], 10);  // d + k = 5 of each
    worker_destroy(&worker);
}

// The second table: b starts in 4, in which its head and the tail of a want one link.
static void a_fault_loses_two_flits(void **state)
{
    (void)state;
    struct worker worker = worker_create(&mesh, 0, NULL);
    struct anl_life life;
    run_to(&worker, 0);
    worker_enqueue(&worker, 0, 2, 3);
    run_to(&worker, 3);
    worker_enqueue(&worker, 1, 5, 3);
    run_to(&worker, 4);
    const uint32_t lost[] = {lane_of(&mesh, 0, 0, 0), source_of(&mesh, 1)};
    for (uint32_t buffer = 0; buffer < anl_blocking_num_buffers(worker.blocking); buffer++) {
        const struct anl_buffer seen = anl_blocking_buffer(worker.blocking, buffer);
        const bool is_lost = buffer == lost[0] || buffer == lost[1];
        if (seen.worm == ANL_NOTHING) continue;
        assert_int_equal(seen.wait, is_lost ? ANL_LOST : ANL_MOVING);
        assert_int_equal(seen.next, ANL_NOTHING);
    }
    expect_text(&worker, lost[0], "is lost");
    assert_true(anl_blocking_life(worker.blocking, 1, &life));
    assert_int_equal(life.wait, ANL_MOVING);
    assert_int_equal(anl_blocking_deadlocked(worker.blocking), UINT64_MAX);
    worker_destroy(&worker);
}

// A flit comes from where it stands alone, and over a link of its own node.
static void other_flits_are_refused(void **state)
{
    (void)state;
    const struct anl_worm worm = {.source = 0, .destination = 2, .length = 2, .created = 1};
    const struct anl_flit begin = {.link = 0, .head = true};
    const struct anl_flit wrong[] = {
        {.link = 5, .head = true},   // from node 1, where it is not yet
        {.link = 45, .head = true},  // there is no injection link
        {.link = 0, .index = 0},     // its head has no mark
        {.link = 1, .head = true},   // no link leads out of the mesh
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct anl_blocking *blocking;
        struct anl_error error;
        assert_int_equal(anl_blocking_create(&mesh, NULL, &blocking), ANL_OK);
        assert_int_equal(anl_blocking_feed_worm(blocking, &worm, &error), ANL_OK);
        assert_int_equal(anl_blocking_feed_flits(blocking, 1, &wrong[i], 1, &error),
                         ANL_ERR_FORMAT);
        anl_blocking_destroy(blocking);
        assert_int_equal(anl_blocking_create(&mesh, NULL, &blocking), ANL_OK);
        assert_int_equal(anl_blocking_feed_worm(blocking, &worm, &error), ANL_OK);
        assert_int_equal(anl_blocking_feed_flits(blocking, 1, &begin, 1, &error), ANL_OK);
        anl_blocking_destroy(blocking);
    }
}

struct dates {
    const uint32_t *starts;
    uint32_t n, k, count;
};

static uint32_t apart(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

static void check_dates(void *user, const struct anl_life *life)
{
    struct dates *dates = user;
    const uint32_t from = life->worm.source, to = life->worm.destination, n = dates->n;
    const uint32_t distance = apart(from / n, to / n) + apart(from % n, to % n);
    assert_int_equal(life->injected, dates->starts[from]);
    assert_int_equal(life->delivered, dates->starts[from] + distance + dates->k - 1);
    assert_int_equal(life->cycles[ANL_MOVING], distance + dates->k);
    assert_int_equal(life->links, distance + 1);
    assert_int_equal(life->longest.worm, ANL_NOTHING);
    dates->count++;
}

static void no_stall(void *user, const struct anl_stall *stall)
{
    (void)user;
    fail_msg("worm %u waits", stall->worm);
}

static uint32_t largest(const uint32_t *numbers, uint32_t count)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = numbers[i] > most ? numbers[i] : most;
    return most;
}

// Replays a random permutation: every date follows from the starts.
static void replay(uint32_t n, uint32_t k, uint64_t seed)
{
    struct anl_permutation permutation;
    struct anl_scheduler *scheduler;
    uint32_t order[64], starts[64];
    struct anl_config config = mesh;
    config.k = n;
    assert_int_equal(anl_permutation_make("random", n, seed, &permutation, NULL), ANL_OK);
    assert_int_equal(anl_order_make(&permutation, ANL_ORDER_LONGEST, seed, order), ANL_OK);
    assert_int_equal(anl_scheduler_create(&permutation, k, &scheduler), ANL_OK);
    anl_scheduler_run(scheduler, order, anl_permutation_worms(&permutation), starts);
    struct dates dates = {starts, n, k, 0};
    const struct anl_blocking_listener listener = {no_stall, check_dates, &dates};
    struct worker worker = worker_create(&config, 0, &listener);
    const uint32_t last = largest(starts, n * n);
    uint32_t worms = 0;
    for (uint32_t cycle = 0; cycle <= last + 2 * n + k; cycle++) {
        for (uint32_t node = 0; node < n * n; node++)
            if (starts[node] == cycle && permutation.destinations[node] != node) {
                worker_enqueue(&worker, node, permutation.destinations[node], (uint16_t)k);
                worms++;
            }
        worker_step(&worker);
    }
    assert_int_equal(dates.count, worms);
    worker_destroy(&worker);
    anl_scheduler_destroy(scheduler);
    anl_permutation_free(&permutation);
}

static void every_date_follows_from_the_starts(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 20; seed++)
        for (uint32_t k = 1; k <= 9; k += 4)
            replay(2 + seed % 7, k, seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_worms_pass_each_other),
        cmocka_unit_test(a_fault_loses_two_flits),
        cmocka_unit_test(other_flits_are_refused),
        cmocka_unit_test(every_date_follows_from_the_starts),
    };
    return cmocka_run_group_tests_name("blocking_bufferless", tests, NULL, NULL);
}
