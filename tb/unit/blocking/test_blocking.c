// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis: cases with known causes, and properties of every run (docs/worms.md).

#include "feed.h"

#include <stdio.h>

static const struct anl_config row = {
    .topology = ANL_MESH,
    .k = 3,
    .n = 1,
    .num_vcs = 1,
    .depth = 4,
    .flit_width_bits = 64,
    .routing = ANL_DIMENSION_ORDER,
    .arbiter = ANL_FIXED,
};
enum { EAST = 0, WEST = 1, HOME = 2 };  // output ports of a row

static void expect_text(const struct worker *worker, uint32_t buffer, const char *expected)
{
    char text[160];
    anl_blocking_text(worker->blocking, buffer, text, sizeof text);
    assert_string_equal(text, expected);
}

static struct anl_life life_of(const struct worker *worker, uint32_t worm)
{
    struct anl_life life;
    assert_true(anl_blocking_life(worker->blocking, worm, &life));
    return life;
}

// ---------------------------------------------------------------- known cases

static struct anl_life last_lives[64];
static void keep_life(void *user, const struct anl_life *life)
{
    (void)user;
    if (life->worm.id < 64) last_lives[life->worm.id] = *life;
}

// The table of docs/switch.md: flits take turns on the link, but no leading flit ever waits.
static void two_worms_share_a_link(void **state)
{
    (void)state;
    struct anl_config config = row;
    config.num_vcs = config.depth = 2;
    config.arbiter = ANL_ROUND_ROBIN;
    const struct anl_blocking_listener listener = {.delivered = keep_life};
    struct worker worker = worker_create(&config, 0, &listener);
    const uint32_t a = lane_of(&config, 0, EAST, 0), b = injection_lane(&config, 1, 0);

    worker_enqueue(&worker, 0, 2, 3);
    worker_enqueue(&worker, 1, 2, 3);
    for (int cycle = 0; cycle < 2; cycle++)
        worker_step(&worker);
    expect_text(&worker, b, "moves to lane 0 of 1(1).+0");
    worker_step(&worker);  // cycle 2
    expect_text(&worker, a, "moves to lane 1 of 1(1).+0");
    expect_text(&worker, b, "lost 1(1).+0 to worm 0");
    assert_int_equal(anl_blocking_buffer(worker.blocking, b).next, a);
    assert_int_equal(anl_blocking_buffer(worker.blocking, b).distance, 1);
    assert_int_equal(anl_blocking_root_blocker(worker.blocking, b), 0);
    assert_int_equal(anl_blocking_buffer(worker.blocking, b).since, 2);
    worker_step(&worker);  // cycle 3
    expect_text(&worker, a, "lost 1(1).+0 to worm 1");
    expect_text(&worker, lane_of(&config, 1, EAST, 1), "moves to lane 1 of 2(2).T");
    while (worker.num_cycles < 8)
        worker_step(&worker);
    assert_int_equal(last_lives[0].cycles[ANL_MOVING], 8);
    assert_int_equal(last_lives[1].cycles[ANL_MOVING], 7);
    assert_int_equal(last_lives[0].longest.worm, ANL_NOTHING);
    assert_int_equal(anl_blocking_totals(worker.blocking).congestion, 2);
    assert_int_equal(anl_blocking_totals(worker.blocking).dilation, 4);
    assert_int_equal(anl_blocking_totals(worker.blocking).delivered, 2);
    worker_destroy(&worker);
}

// Worm 0 holds terminal 2. Worms 1 and 2 come from terminal 1 and wait for it in one lane; worm 3
// is stuck in the source, and worm 4 is behind it.
static void causes_one_behind_the_other(void **state)
{
    (void)state;
    const uint32_t first = lane_of(&row, 1, EAST, 0), second = injection_lane(&row, 1, 0);
    const uint32_t third = source_of(&row, 1);
    struct worker worker = worker_create(&row, 0, NULL);

    worker_enqueue(&worker, 2, 2, 30);
    worker_step(&worker);
    worker_enqueue(&worker, 1, 2, 2);
    for (int i = 0; i < 3; i++)
        worker_enqueue(&worker, 1, 2, 6);
    while (worker.num_cycles < 16)
        worker_step(&worker);
    expect_text(&worker, injection_lane(&row, 2, 0), "moves to lane 0 of 2(2).T");
    expect_text(&worker, lane_of(&row, 2, HOME, 0), "taken by T2");
    expect_text(&worker, first, "waits: lane 0 of 2(2).T held by worm 0");
    expect_text(&worker, second, "waits: no credit for lane 0 of 1(1).+0, behind worm 1");
    expect_text(&worker, third, "waits: no credit for lane 0 of T1.inject, behind worm 2");
    expect_text(&worker, lane_of(&row, 0, EAST, 0), "empty");
    assert_int_equal(anl_blocking_buffer(worker.blocking, third).distance, 3);
    assert_int_equal(anl_blocking_root_blocker(worker.blocking, third), 0);

    const struct anl_life one = life_of(&worker, 1), two = life_of(&worker, 2);
    const struct anl_life three = life_of(&worker, 3), four = life_of(&worker, 4);
    assert_int_equal(one.wait, ANL_BOUND_ELSEWHERE);
    assert_int_equal(one.stall.begin, 3);
    assert_int_equal(one.stall.blocker, 0);
    assert_int_equal(one.cycles[ANL_MOVING], 2);
    assert_int_equal(one.cycles[ANL_BOUND_ELSEWHERE], 13);
    assert_int_equal(two.wait, ANL_BEHIND);
    assert_int_equal(two.buffer, first);
    assert_int_equal(two.stall.blocker, 1);
    assert_int_equal(two.stall.root_blocker, 0);
    assert_int_equal(three.wait, ANL_NO_CREDIT);
    assert_int_equal(three.stall.blocker, 2);
    assert_int_equal(three.num_delays, 1);
    assert_int_equal(three.delays[0].by, 0);
    assert_int_equal(three.delays[0].cycles, three.cycles[ANL_NO_CREDIT]);
    assert_int_equal(four.wait, ANL_QUEUED);
    assert_int_equal(four.cycles[ANL_QUEUED], 15);

    struct anl_flit_run runs[4];
    assert_int_equal(anl_blocking_runs(worker.blocking, first, runs, 4), 2);
    assert_int_equal(runs[0].worm, 1);
    assert_int_equal(runs[1].worm, 2);
    assert_int_equal(runs[1].first, 0);
    assert_int_equal(runs[1].flits, 2);
    uint32_t body[4] = {0};
    assert_int_equal(anl_blocking_body(worker.blocking, 2, body, 4), 2);
    assert_int_equal(body[0], first);
    assert_int_equal(body[1], second);
    worker_destroy(&worker);
}

// In every switch a head waits for its tail, that is, for its own worm.
static void store_and_forward_waits_for_the_tail(void **state)
{
    (void)state;
    struct anl_config config = row;
    config.flow_control = ANL_STORE_AND_FORWARD;
    const struct anl_blocking_listener listener = {.delivered = keep_life};
    struct worker worker = worker_create(&config, 0, &listener);

    worker_enqueue(&worker, 0, 1, 3);
    for (int cycle = 0; cycle < 3; cycle++)
        worker_step(&worker);
    const struct anl_buffer buffer =
        anl_blocking_buffer(worker.blocking, injection_lane(&config, 0, 0));
    assert_int_equal(buffer.wait, ANL_NOT_YET);
    assert_int_equal(buffer.next, source_of(&config, 0));
    expect_text(&worker, injection_lane(&config, 0, 0), "waits for its tail");
    const struct anl_life life = life_of(&worker, 0);
    assert_int_equal(life.num_delays, 1);
    assert_int_equal(life.delays[0].by, 0);
    assert_int_equal(life.delays[0].cycles, 2);
    while (worker.num_cycles < 9)
        worker_step(&worker);
    assert_int_equal(last_lives[0].delivered, 8);
    assert_int_equal(last_lives[0].cycles[ANL_NOT_YET], 4);
    assert_int_equal(last_lives[0].cycles[ANL_MOVING], 5);
    worker_destroy(&worker);
}

// Worm 2 finds the lane free, with room for one flit but not for three.
static void cut_through_needs_room_for_all(void **state)
{
    (void)state;
    struct anl_config config = row;
    config.flow_control = ANL_CUT_THROUGH;
    struct worker worker = worker_create(&config, 0, NULL);

    worker_enqueue(&worker, 2, 2, 4);
    worker_step(&worker);
    worker_enqueue(&worker, 1, 2, 3);
    worker_enqueue(&worker, 1, 2, 3);
    while (worker.num_cycles < 6)
        worker_step(&worker);
    const uint32_t lane = lane_of(&config, 1, EAST, 0);
    assert_int_equal(anl_blocking_buffer(worker.blocking, lane).owner, ANL_NOTHING);
    assert_int_equal(anl_blocking_buffer(worker.blocking, lane).flits, 3);
    expect_text(&worker, injection_lane(&config, 1, 0),
                "waits: no credit for lane 0 of 1(1).+0, behind worm 1");
    assert_int_equal(life_of(&worker, 2).wait, ANL_NO_CREDIT);
    worker_destroy(&worker);
}

// A worm wants the terminal of its own switch, and for hundreds of cycles it loses to one-flit
// worms.
static void delays_by_many_are_counted(void **state)
{
    (void)state;
    enum { CYCLES = 420 };
    uint32_t expected[CYCLES] = {0}, kinds = 0;
    struct worker worker = worker_create(&row, 0, NULL);
    for (int i = 0; i < 4; i++)
        worker_enqueue(&worker, 1, 2, 1);
    worker_step(&worker);
    worker_step(&worker);
    const uint32_t starving = (uint32_t)anl_engine_totals(worker.net).enqueued;
    worker_enqueue(&worker, 2, 2, 1);
    while (worker.num_cycles < CYCLES) {
        worker_enqueue(&worker, 1, 2, 1);
        worker_step(&worker);
        const struct anl_life life = life_of(&worker, starving);
        if (life.wait == ANL_MOVING) continue;
        const uint32_t root_blocker = anl_blocking_root_blocker(worker.blocking, life.buffer);
        if (root_blocker != ANL_NOTHING) expected[root_blocker]++;
    }
    const struct anl_life life = life_of(&worker, starving);
    for (uint32_t i = 0; i < CYCLES; i++)
        kinds += expected[i] > 0;
    assert_true(kinds > 300);
    assert_int_equal(life.num_delays, kinds);
    for (size_t i = 0; i < kinds; i++) {
        assert_int_equal(life.delays[i].cycles, expected[life.delays[i].by]);
        assert_true(i == 0 || life.delays[i - 1].by < life.delays[i].by);
    }
    worker_destroy(&worker);
}

// ---------------------------------------------------------------- what holds in every run

struct sums {
    uint64_t stalls[ANL_WAITS], lives[ANL_WAITS], delivered;
    uint32_t most_links;
};

static void sum_stall(void *user, const struct anl_stall *stall)
{
    struct sums *sums = user;
    uint64_t cycles = 0;
    for (int i = 0; i < ANL_WAITS; i++) {
        cycles += stall->cycles[i];
        sums->stalls[i] += stall->cycles[i];
    }
    assert_int_equal(cycles, stall->end - stall->begin + 1);
    assert_int_equal(stall->cycles[ANL_MOVING] + stall->cycles[ANL_QUEUED], 0);
}

static void sum_life(void *user, const struct anl_life *life)
{
    struct sums *sums = user;
    uint64_t cycles = 0, delays = 0, waits = 0;
    for (int i = 0; i < ANL_WAITS; i++) {
        cycles += life->cycles[i];
        sums->lives[i] += life->cycles[i];
        if (i != ANL_MOVING && i != ANL_QUEUED) waits += life->cycles[i];
    }
    assert_int_equal(cycles, life->delivered - life->worm.created + 1);
    for (size_t i = 0; i < life->num_delays; i++) {
        delays += life->delays[i].cycles;
        assert_true(i == 0 || life->delays[i - 1].by < life->delays[i].by);
    }
    assert_true(delays <= waits);
    assert_true(life->longest.worm == ANL_NOTHING ? waits == 0 : waits > 0);
    assert_int_equal(life->stall.worm, ANL_NOTHING);
    sums->delivered++;
    if (life->links > sums->most_links) sums->most_links = life->links;
}

static void sum_living(void *user, uint32_t worm)
{
    const struct worker *worker = ((void **)user)[0];
    struct sums *sums = ((void **)user)[1];
    const struct anl_life life = life_of(worker, worm);
    if (life.delivered != UINT64_MAX) return;
    uint64_t cycles = 0;
    for (int i = 0; i < ANL_WAITS; i++) {
        cycles += life.cycles[i];
        sums->lives[i] += life.cycles[i];
    }
    assert_int_equal(cycles, worker->num_cycles - life.worm.created);
}

static void expect_sums(struct worker *worker, struct sums *sums)
{
    const struct anl_blocking_totals totals = anl_blocking_totals(worker->blocking);
    uint32_t *heads = calloc(anl_shape_of(&worker->config).links, sizeof *heads), most = 0;
    for (uint64_t t = 0; t < worker->num_cycles; t++)
        for (size_t i = 0; i < worker->cycles[t].num_flits; i++) {
            const struct anl_flit *flit = &worker->cycles[t].flits[i];
            if (flit->head && ++heads[flit->link] > most) most = heads[flit->link];
        }
    free(heads);
    assert_int_equal(totals.congestion, most);
    assert_true(totals.dilation >= sums->most_links);
    assert_int_equal(totals.delivered, sums->delivered);
    assert_int_equal(totals.worms, anl_engine_totals(worker->net).enqueued);

    void *user[] = {worker, sums};
    anl_blocking_worms(worker->blocking, sum_living, user);
    assert_int_equal(anl_blocking_end(worker->blocking, worker->num_cycles, NULL), ANL_OK);
    for (int i = 0; i < ANL_WAITS; i++) {
        assert_int_equal(totals.cycles[i], sums->lives[i]);
        if (i != ANL_MOVING && i != ANL_QUEUED) assert_int_equal(totals.cycles[i], sums->stalls[i]);
    }
}

static bool is_safe(const struct anl_config *config)
{
    return config->topology == ANL_MESH || config->topology == ANL_HYPERCUBE ||
           config->routing == ANL_DATELINE;
}

// The blocking analysis reports a deadlock exactly if a search from scratch finds dead worms.
static void expect_deadlock(const struct worker *worker)
{
    uint32_t *dead;
    size_t count;
    assert_int_equal(anl_blocking_dead(worker->blocking, &dead, &count), ANL_OK);
    free(dead);
    assert_true((count > 0) == (anl_blocking_deadlocked(worker->blocking) != UINT64_MAX));
}

static struct anl_scenario random_scenario(struct anl_config config, uint32_t variant)
{
    const bool whole = variant % 3 != ANL_WORMHOLE;
    config.depth = whole ? 5 : 1 + variant % 4;
    config.flow_control = (enum anl_flow_control)(variant % 3);
    config.arbiter = (enum anl_arbiter)(variant / 3 % 4);
    config.flit_width_bits = 64;
    return (struct anl_scenario){
        .network = config,
        .traffic = {.process = ANL_BERNOULLI,
                    .load = 0.1 + 0.2 * (variant % 5),
                    .lengths = {1, 2, whole ? 5 : 12},
                    .num_lengths = 3},
        .run = {.seed = variant, .cycles = 150},
    };
}

static void run_and_sum(const struct anl_config *config, uint32_t variant)
{
    struct anl_scenario scenario = random_scenario(*config, variant);
    struct anl_traffic *traffic;
    struct sums sums = {0};
    const struct anl_blocking_listener listener = {sum_stall, sum_life, &sums};
    struct worker worker = worker_create(&scenario.network, variant, &listener);
    const bool safe = is_safe(config);
    uint64_t delivered = 0;

    assert_int_equal(anl_traffic_create(anl_scenario_workload(&scenario), &traffic), ANL_OK);
    do {
        delivered += worker_step_traffic(&worker, traffic);
        if (!safe || worker.num_cycles % 16 == 0) expect_deadlock(&worker);
    } while (worker.num_cycles < 400 && (worker.num_cycles < scenario.run.cycles ||
                                         delivered < anl_engine_totals(worker.net).enqueued));
    if (safe) assert_true(anl_blocking_deadlocked(worker.blocking) == UINT64_MAX);
    expect_sums(&worker, &sums);
    anl_traffic_destroy(traffic);
    worker_destroy(&worker);
}

static void sums_agree_and_deadlocks_are_found(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < UNIT_NUM_NETWORKS; i++)
        for (uint32_t variant = 0; variant < 12; variant++)
            run_and_sum(&unit_networks[i], 12 * i + variant);
}

// Worms pass one after the other to one terminal; if one_waits, worm 0 waits all the time.
static void pass_by(bool one_waits)
{
    enum { WORMS = 10000, EJECTION = 5, INJECTION = 7 };
    const struct anl_config pair = {
        .topology = ANL_MESH, .k = 2, .n = 1, .num_vcs = 1, .depth = 2, .flit_width_bits = 64};
    const uint32_t first = one_waits;
    struct anl_blocking *blocking;
    struct anl_life life;
    assert_int_equal(anl_blocking_create(&pair, NULL, &blocking), ANL_OK);
    const struct anl_worm waits = {.destination = 1, .length = 1};
    if (one_waits) assert_int_equal(anl_blocking_feed_worm(blocking, &waits, NULL), ANL_OK);
    for (uint32_t t = 0; t < WORMS; t++) {
        const uint32_t id = first + t;
        const struct anl_worm worm = {
            .id = id, .source = 1, .destination = 1, .length = 1, .created = t};
        const struct anl_flit flits[] = {{EJECTION, id - 1, 0, 0, true, true},
                                         {INJECTION, id, 0, 0, true, true}};
        assert_int_equal(anl_blocking_feed_worm(blocking, &worm, NULL), ANL_OK);
        assert_int_equal(anl_blocking_feed_flits(blocking, t, &flits[t == 0], t == 0 ? 1 : 2, NULL),
                         ANL_OK);
        assert_true(anl_blocking_life(blocking, id, &life) && life.worm.created == t);
        assert_int_equal(anl_blocking_life(blocking, 0, &life), one_waits || t <= 1);
        if (t > 1) assert_false(anl_blocking_life(blocking, id - 2, &life) && id - 2 >= first);
        assert_false(anl_blocking_life(blocking, id + 1, &life));
    }
    assert_int_equal(anl_blocking_totals(blocking).delivered, WORMS - 1);
    anl_blocking_destroy(blocking);
}

static void worms_are_found_by_number(void **state)
{
    (void)state;
    pass_by(false);
    pass_by(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_worms_share_a_link),
        cmocka_unit_test(causes_one_behind_the_other),
        cmocka_unit_test(store_and_forward_waits_for_the_tail),
        cmocka_unit_test(cut_through_needs_room_for_all),
        cmocka_unit_test(delays_by_many_are_counted),
        cmocka_unit_test(sums_agree_and_deadlocks_are_found),
        cmocka_unit_test(worms_are_found_by_number),
    };
    return cmocka_run_group_tests_name("blocking", tests, NULL, NULL);
}
