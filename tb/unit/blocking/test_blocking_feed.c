// SPDX-License-Identifier: Apache-2.0
//
// What a blocking analysis can be fed: flits that cannot be true are refused and change nothing,
// cycles without flits may be left out, and a worm that is reported dead never moves again.

#include "false_feeds.h"

static const struct anl_config square = {
    .topology = ANL_MESH,
    .k = 2,
    .n = 2,
    .num_vcs = 2,
    .depth = 3,
    .flit_width_bits = 64,
    .routing = ANL_DIMENSION_ORDER,
    .arbiter = ANL_ROUND_ROBIN,
};

static void flits_that_cannot_be(void **state)
{
    (void)state;
    struct anl_config config = square;
    const uint32_t west = 1;  // a link of switch 0 past the edge
    change_every_flit(&config, west, 30, 60);
    config.depth = 1;
    change_every_flit(&config, west, 30, 60);
    config.depth = 4;
    config.flow_control = ANL_CUT_THROUGH;
    change_every_flit(&config, west, 30, 60);
    config.flow_control = ANL_STORE_AND_FORWARD;
    change_every_flit(&config, west, 30, 60);
}

// Heads that move where there is room for the head but not for the worm, or before their tails
// came.
static void heads_that_are_not_admitted(void **state)
{
    (void)state;
    struct anl_config config = square;
    const struct anl_worm worms[] = {{.destination = 1, .length = 3},
                                     {.id = 1, .destination = 1, .length = 2}};
    const uint32_t injection = anl_shape_of(&config).switches * anl_shape_of(&config).ports;
    for (int flow_control = ANL_WORMHOLE; flow_control <= ANL_STORE_AND_FORWARD; flow_control++)
        for (int lane = 0; lane < 2; lane++) {
            struct anl_blocking *blocking;
            config.flow_control = (enum anl_flow_control)flow_control;
            assert_int_equal(anl_blocking_create(&config, NULL, &blocking), ANL_OK);
            for (int i = 0; i < 2; i++)
                assert_int_equal(anl_blocking_feed_worm(blocking, &worms[i], NULL), ANL_OK);
            // Worm 0 comes into a lane of three flits and waits there; then one of its flits
            // leaves.
            for (uint16_t i = 0; i < 3; i++) {
                const struct anl_flit in = {injection, 0, i, 0, i == 0, i == 2};
                assert_int_equal(anl_blocking_feed_flits(blocking, i, &in, 1, NULL), ANL_OK);
            }
            const struct anl_flit out = {0, 0, 0, 0, true, false};
            assert_int_equal(anl_blocking_feed_flits(blocking, 3, &out, 1, NULL), ANL_OK);
            const struct anl_flit head = {injection, 1, 0, (uint8_t)lane, true, false};
            assert_int_equal(anl_blocking_feed_flits(blocking, 4, &head, 1, NULL),
                             flow_control == ANL_WORMHOLE || lane == 1 ? ANL_OK : ANL_ERR_FORMAT);
            anl_blocking_destroy(blocking);
        }
    config.flow_control = ANL_STORE_AND_FORWARD;
    struct anl_blocking *blocking;
    assert_int_equal(anl_blocking_create(&config, NULL, &blocking), ANL_OK);
    assert_int_equal(anl_blocking_feed_worm(blocking, &worms[0], NULL), ANL_OK);
    const struct anl_flit in = {injection, 0, 0, 0, true, false}, out = {0, 0, 0, 0, true, false};
    assert_int_equal(anl_blocking_feed_flits(blocking, 0, &in, 1, NULL), ANL_OK);
    assert_int_equal(anl_blocking_feed_flits(blocking, 1, &out, 1, NULL), ANL_ERR_FORMAT);
    anl_blocking_destroy(blocking);
}

static void lanes_that_overflow(void **state)
{
    (void)state;
    const struct anl_shape shape = anl_shape_of(&square);
    const struct anl_worm worm = {.destination = 1, .length = 5};
    struct anl_blocking *blocking;
    struct anl_error error;
    assert_int_equal(anl_blocking_create(&square, NULL, &blocking), ANL_OK);
    assert_int_equal(anl_blocking_feed_worm(blocking, &worm, NULL), ANL_OK);
    for (uint16_t i = 0; i <= square.depth; i++) {
        const struct anl_flit flit = {shape.switches * shape.ports, 0, i, 0, i == 0, false};
        const enum anl_status status = anl_blocking_feed_flits(blocking, i, &flit, 1, &error);
        assert_int_equal(status, i < square.depth ? ANL_OK : ANL_ERR_FORMAT);
    }
    assert_string_equal(error.text,
                        "cycle 3: flit 3 of worm 0 on lane 0 of T0.inject: the lane is full");
    anl_blocking_destroy(blocking);
}

static void flits_too_late_or_too_early(void **state)
{
    (void)state;
    struct worker worker = busy(&square, 5, 40);
    for (uint64_t cycle = 1; cycle < 39; cycle++) {
        const struct fed_cycle *next = &worker.cycles[cycle + 1];
        if (next->num_flits == 0) continue;
        // The flits of the next cycle depend on those of this one, and cannot all be true without
        // them.
        struct anl_blocking *blocking = feed_again(&worker, cycle);
        enum anl_status status = ANL_OK;
        for (size_t i = 0; i < worker.cycles[cycle].num_worms; i++)
            anl_blocking_feed_worm(blocking, &worker.cycles[cycle].worms[i], NULL);
        status = anl_blocking_feed_flits(blocking, cycle, NULL, 0, NULL);
        assert_int_equal(status, ANL_OK);
        for (uint64_t t = cycle + 1; t < worker.num_cycles && !status; t++)
            status = feed_cycle(blocking, t, &worker.cycles[t], NULL);
        assert_int_equal(status, worker.cycles[cycle].num_flits ? ANL_ERR_FORMAT : ANL_OK);
        anl_blocking_destroy(blocking);
    }
    worker_destroy(&worker);
}

static void worms_that_cannot_be(void **state)
{
    (void)state;
    const struct anl_worm good = {.id = 1, .destination = 3, .length = 2, .created = 5};
    struct anl_worm bad[7];
    for (int i = 0; i < 7; i++)
        bad[i] = good;
    bad[0].id = 0;
    bad[1].id = 2;
    bad[2].source = 4;
    bad[3].destination = UINT32_MAX;
    bad[4].length = 0;
    bad[5].created = 4;  // the cycle is over
    bad[6].created = 0;
    for (int i = 0; i < 8; i++) {
        struct anl_blocking *blocking;
        struct anl_error error = {0};
        assert_int_equal(anl_blocking_create(&square, NULL, &blocking), ANL_OK);
        assert_int_equal(anl_blocking_feed_worm(blocking, &(struct anl_worm){.length = 1}, NULL),
                         ANL_OK);
        assert_int_equal(anl_blocking_feed_flits(blocking, 4, NULL, 0, NULL), ANL_OK);
        const enum anl_status status =
            anl_blocking_feed_worm(blocking, i < 7 ? &bad[i] : &good, &error);
        assert_int_equal(status, i < 7 ? ANL_ERR_FORMAT : ANL_OK);
        assert_int_equal(error.text[0] != 0, i < 7);
        assert_int_equal(anl_blocking_feed_flits(blocking, 5, NULL, 0, NULL), status);
        anl_blocking_destroy(blocking);
    }
}

// ---------------------------------------------------------------- cycles left out

static void worms_that_are_too_long(void **state)
{
    (void)state;
    static const struct {
        enum anl_flow_control flow_control;
        enum anl_truth length_in_head;
        uint16_t longest;
        const char *why;
    } cases[] = {{ANL_WORMHOLE, ANL_TRUE, 127, "127: heads carry the length"},
                 {ANL_CUT_THROUGH, ANL_TRUE, 3, "3: whole worms must fit in a lane"}};
    for (size_t i = 0; i < 2; i++)
        for (uint16_t more = 0; more < 2; more++) {
            struct anl_config config = square;
            struct anl_blocking *blocking;
            struct anl_error error = {0};
            const struct anl_worm worm = {.length = (uint16_t)(cases[i].longest + more)};
            config.flow_control = cases[i].flow_control;
            config.length_in_head = cases[i].length_in_head;
            assert_int_equal(anl_blocking_create(&config, NULL, &blocking), ANL_OK);
            assert_int_equal(anl_blocking_feed_worm(blocking, &worm, &error),
                             more ? ANL_ERR_FORMAT : ANL_OK);
            assert_true(!more || strstr(error.text, cases[i].why));
            anl_blocking_destroy(blocking);
        }
}

static void cycles_without_flits_may_be_left_out(void **state)
{
    (void)state;
    struct worker worker = worker_create(&square, 1, NULL);
    struct anl_blocking *blocking;
    assert_int_equal(anl_blocking_create(&square, NULL, &blocking), ANL_OK);
    while (worker.num_cycles < 300) {
        if (worker.num_cycles % 40 == 3 || worker.num_cycles % 97 == 5)
            worker_enqueue(&worker, 0, 3, 4);
        worker_step(&worker);
    }
    uint64_t fed = 0;
    for (uint64_t t = 0; t < worker.num_cycles; t++) {
        if (worker.cycles[t].num_flits == 0 && t + 1 < worker.num_cycles) continue;
        for (; fed <= t; fed++)
            for (size_t i = 0; i < worker.cycles[fed].num_worms; i++)
                assert_int_equal(
                    anl_blocking_feed_worm(blocking, &worker.cycles[fed].worms[i], NULL), ANL_OK);
        assert_int_equal(anl_blocking_feed_flits(blocking, t, worker.cycles[t].flits,
                                                 worker.cycles[t].num_flits, NULL),
                         ANL_OK);
    }
    char *const one = all_of(worker.blocking, 100), *const other = all_of(blocking, 100);
    assert_string_equal(one, other);
    free(one);
    free(other);
    anl_blocking_destroy(blocking);
    worker_destroy(&worker);
}

// A worm that does not move for 2^62 cycles.
static void long_silence_takes_no_time(void **state)
{
    (void)state;
    const uint64_t end = UINT64_C(1) << 62;
    struct anl_blocking *blocking;
    struct anl_life life;
    assert_int_equal(anl_blocking_create(&square, NULL, &blocking), ANL_OK);
    for (uint32_t i = 0; i < 2; i++) {
        const struct anl_worm worm = {.id = i, .destination = 3, .length = 2, .created = 7 + i};
        assert_int_equal(anl_blocking_feed_worm(blocking, &worm, NULL), ANL_OK);
    }
    assert_int_equal(anl_blocking_end(blocking, end, NULL), ANL_OK);
    assert_true(anl_blocking_cycle(blocking) == end - 1);
    assert_true(anl_blocking_life(blocking, 0, &life));
    assert_true(life.cycles[ANL_LOST_ARBITRATION] == end - 7);
    assert_true(life.stall.begin == 7 && life.stall.end == end - 1 &&
                life.stall.root_blocker == ANL_NOTHING);
    assert_true(anl_blocking_life(blocking, 1, &life) && life.cycles[ANL_QUEUED] == end - 8);
    assert_true(anl_blocking_totals(blocking).cycles[ANL_QUEUED] == end - 8);
    anl_blocking_destroy(blocking);
}

// ---------------------------------------------------------------- deadlock

static bool is_among(uint32_t worm, const uint32_t *worms, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (worms[i] == worm) return true;
    return false;
}

static uint32_t *dead_of(const struct worker *worker, size_t *count)
{
    uint32_t *dead;
    assert_int_equal(anl_blocking_dead(worker->blocking, &dead, count), ANL_OK);
    return dead;
}

static void expect_circle(const struct worker *worker, const uint32_t *dead, size_t num_dead)
{
    size_t count;
    const uint32_t *circle = anl_blocking_circle(worker->blocking, &count);
    assert_true(count > 0 && count <= num_dead);
    for (size_t i = 0; i < count; i++) {
        assert_true(is_among(circle[i], dead, num_dead));
        assert_true(circle[i] >= circle[0]);
        assert_int_equal(anl_blocking_held_by(worker->blocking, circle[i]),
                         circle[(i + 1) % count]);
    }
}

// Runs until the deadlock closes, and then until nothing moves any more.
static void run_into_deadlock(struct anl_scenario *scenario)
{
    struct worker worker = worker_create(&scenario->network, scenario->run.seed, NULL);
    struct anl_traffic *traffic;
    size_t count;
    assert_int_equal(anl_traffic_create(anl_scenario_workload(scenario), &traffic), ANL_OK);
    uint32_t *dead = NULL;
    for (bool closed = false; !closed && worker.num_cycles < 30000;) {
        free(dead);
        worker_step_traffic(&worker, traffic);
        dead = dead_of(&worker, &count);
        closed = anl_blocking_deadlocked(worker.blocking) != UINT64_MAX;
        assert_int_equal(closed, count > 0);
    }
    assert_int_equal(anl_blocking_deadlocked(worker.blocking), worker.num_cycles - 1);
    expect_circle(&worker, dead, count);

    for (uint64_t until = worker.num_cycles + 500; worker.num_cycles < until;) {
        const struct fed_cycle *fed = &worker.cycles[worker.num_cycles - 1];
        for (size_t i = 0; i < fed->num_flits; i++)
            if (fed->flits[i].head) assert_false(is_among(fed->flits[i].worm, dead, count));
        worker_step_traffic(&worker, traffic);
    }
    free(dead);
    anl_traffic_destroy(traffic);
    worker_destroy(&worker);
}

static void deadlocks_close_and_stall(void **state)
{
    (void)state;
    static const char *const paths[] = {"sim/scenarios/deadlock_ring5.yaml",
                                        "sim/scenarios/deadlock_torus5.yaml"};
    for (size_t i = 0; i < 2; i++) {
        struct anl_scenario scenario;
        assert_int_equal(anl_scenario_load(paths[i], &scenario, NULL), ANL_OK);
        for (scenario.run.seed = 1; scenario.run.seed <= 3; scenario.run.seed++)
            run_into_deadlock(&scenario);
        anl_scenario_free(&scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flits_that_cannot_be),
        cmocka_unit_test(heads_that_are_not_admitted),
        cmocka_unit_test(lanes_that_overflow),
        cmocka_unit_test(flits_too_late_or_too_early),
        cmocka_unit_test(worms_that_cannot_be),
        cmocka_unit_test(worms_that_are_too_long),
        cmocka_unit_test(cycles_without_flits_may_be_left_out),
        cmocka_unit_test(long_silence_takes_no_time),
        cmocka_unit_test(deadlocks_close_and_stall),
    };
    return cmocka_run_group_tests_name("blocking_telling", tests, NULL, NULL);
}
