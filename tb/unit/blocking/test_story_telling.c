// SPDX-License-Identifier: Apache-2.0
//
// How a story is told: flits that cannot be true are refused and leave everything as it was, cycles
// without flits may be left out, and what is called a deadlock never moves again.

#include "story_lies.h"

static const struct anl_config square = {
    .topology = ANL_MESH,
    .k = 2,
    .n = 2,
    .num_vcs = 2,
    .depth = 3,
    .flit_width_bits = 64,
    .routing = ANL_DIMENSION_ORDER,
    .scan = ANL_ROTATING,
};

static void flits_that_cannot_be(void **state)
{
    (void)state;
    struct anl_config config = square;
    const uint32_t west = 1;  // of switch 0
    change_every_flit(&config, west, 30, 60);
    config.depth = 1;
    change_every_flit(&config, west, 30, 60);
    config.depth = 4;
    config.admission = ANL_CUT_THROUGH;
    change_every_flit(&config, west, 30, 60);
    config.admission = ANL_STORE_AND_FORWARD;
    change_every_flit(&config, west, 30, 60);
}

// Heads that move where there is room for them, but not for their worms, or before their tails
// came.
static void heads_that_are_not_admitted(void **state)
{
    (void)state;
    struct anl_config config = square;
    const struct anl_worm worms[] = {{0, 0, 1, 3, 0, 0}, {1, 0, 1, 2, 0, 0}};
    const uint32_t injection = anl_shape_of(&config).switches * anl_shape_of(&config).ports;
    for (int admission = ANL_WORMHOLE; admission <= ANL_STORE_AND_FORWARD; admission++)
        for (int lane = 0; lane < 2; lane++) {
            struct anl_story *story;
            config.admission = (enum anl_admission)admission;
            assert_int_equal(anl_story_create(&config, NULL, &story), ANL_OK);
            for (int i = 0; i < 2; i++)
                assert_int_equal(anl_story_worm(story, &worms[i], NULL), ANL_OK);
            // Worm 0 comes into a lane of three flits and stays there; one flit gets out of it.
            for (uint16_t i = 0; i < 3; i++) {
                const struct anl_flit in = {injection, 0, i, 0, i == 0, i == 2};
                assert_int_equal(anl_story_flits(story, i, &in, 1, NULL), ANL_OK);
            }
            const struct anl_flit out = {0, 0, 0, 0, true, false};
            assert_int_equal(anl_story_flits(story, 3, &out, 1, NULL), ANL_OK);
            const struct anl_flit head = {injection, 1, 0, (uint8_t)lane, true, false};
            assert_int_equal(anl_story_flits(story, 4, &head, 1, NULL),
                             admission == ANL_WORMHOLE || lane == 1 ? ANL_OK : ANL_ERR_FORMAT);
            anl_story_destroy(story);
        }
    config.admission = ANL_STORE_AND_FORWARD;
    struct anl_story *story;
    assert_int_equal(anl_story_create(&config, NULL, &story), ANL_OK);
    assert_int_equal(anl_story_worm(story, &worms[0], NULL), ANL_OK);
    const struct anl_flit in = {injection, 0, 0, 0, true, false}, out = {0, 0, 0, 0, true, false};
    assert_int_equal(anl_story_flits(story, 0, &in, 1, NULL), ANL_OK);
    assert_int_equal(anl_story_flits(story, 1, &out, 1, NULL), ANL_ERR_FORMAT);
    anl_story_destroy(story);
}

static void lanes_that_overflow(void **state)
{
    (void)state;
    const struct anl_shape shape = anl_shape_of(&square);
    const struct anl_worm worm = {.destination = 1, .length = 5};
    struct anl_story *story;
    struct anl_error error;
    assert_int_equal(anl_story_create(&square, NULL, &story), ANL_OK);
    assert_int_equal(anl_story_worm(story, &worm, NULL), ANL_OK);
    for (uint16_t i = 0; i <= square.depth; i++) {
        const struct anl_flit flit = {shape.switches * shape.ports, 0, i, 0, i == 0, false};
        const enum anl_status status = anl_story_flits(story, i, &flit, 1, &error);
        assert_int_equal(status, i < square.depth ? ANL_OK : ANL_ERR_FORMAT);
    }
    assert_string_equal(error.text,
                        "cycle 3: flit 3 of worm 0 on lane 0 of T0.inject: the lane is full");
    anl_story_destroy(story);
}

static void flits_too_late_or_too_early(void **state)
{
    (void)state;
    struct teller teller = busy(&square, 5, 40);
    for (uint64_t cycle = 1; cycle < 39; cycle++) {
        const struct told_cycle *next = &teller.cycles[cycle + 1];
        if (next->num_flits == 0) continue;
        // Those of the next cycle follow from this one's: without them they cannot all be true.
        struct anl_story *story = retell(&teller, cycle);
        enum anl_status status = ANL_OK;
        for (size_t i = 0; i < teller.cycles[cycle].num_worms; i++)
            anl_story_worm(story, &teller.cycles[cycle].worms[i], NULL);
        status = anl_story_flits(story, cycle, NULL, 0, NULL);
        assert_int_equal(status, ANL_OK);
        for (uint64_t t = cycle + 1; t < teller.num_cycles && !status; t++)
            status = tell_cycle(story, t, &teller.cycles[t], NULL);
        assert_int_equal(status, teller.cycles[cycle].num_flits ? ANL_ERR_FORMAT : ANL_OK);
        anl_story_destroy(story);
    }
    teller_destroy(&teller);
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
    bad[5].created = 4;  // is over
    bad[6].created = 0;
    for (int i = 0; i < 8; i++) {
        struct anl_story *story;
        struct anl_error error = {0};
        assert_int_equal(anl_story_create(&square, NULL, &story), ANL_OK);
        assert_int_equal(anl_story_worm(story, &(struct anl_worm){.length = 1}, NULL), ANL_OK);
        assert_int_equal(anl_story_flits(story, 4, NULL, 0, NULL), ANL_OK);
        const enum anl_status status = anl_story_worm(story, i < 7 ? &bad[i] : &good, &error);
        assert_int_equal(status, i < 7 ? ANL_ERR_FORMAT : ANL_OK);
        assert_int_equal(error.text[0] != 0, i < 7);
        assert_int_equal(anl_story_flits(story, 5, NULL, 0, NULL), status);
        anl_story_destroy(story);
    }
}

// ---------------------------------------------------------------- cycles left out

static void cycles_without_flits_may_be_left_out(void **state)
{
    (void)state;
    struct teller teller = teller_create(&square, 1, NULL);
    struct anl_story *story;
    assert_int_equal(anl_story_create(&square, NULL, &story), ANL_OK);
    while (teller.num_cycles < 300) {
        if (teller.num_cycles % 40 == 3 || teller.num_cycles % 97 == 5)
            teller_offer(&teller, 0, 3, 4);
        teller_step(&teller);
    }
    uint64_t told = 0;
    for (uint64_t t = 0; t < teller.num_cycles; t++) {
        if (teller.cycles[t].num_flits == 0 && t + 1 < teller.num_cycles) continue;
        for (; told <= t; told++)
            for (size_t i = 0; i < teller.cycles[told].num_worms; i++)
                assert_int_equal(anl_story_worm(story, &teller.cycles[told].worms[i], NULL),
                                 ANL_OK);
        assert_int_equal(
            anl_story_flits(story, t, teller.cycles[t].flits, teller.cycles[t].num_flits, NULL),
            ANL_OK);
    }
    char *const one = all_of(teller.story, 100), *const other = all_of(story, 100);
    assert_string_equal(one, other);
    free(one);
    free(other);
    anl_story_destroy(story);
    teller_destroy(&teller);
}

// A worm that never moves, for longer than anyone could count.
static void long_silence_takes_no_time(void **state)
{
    (void)state;
    const uint64_t end = UINT64_C(1) << 62;
    struct anl_story *story;
    struct anl_life life;
    assert_int_equal(anl_story_create(&square, NULL, &story), ANL_OK);
    for (uint32_t i = 0; i < 2; i++) {
        const struct anl_worm worm = {.id = i, .destination = 3, .length = 2, .created = 7 + i};
        assert_int_equal(anl_story_worm(story, &worm, NULL), ANL_OK);
    }
    assert_int_equal(anl_story_end(story, end, NULL), ANL_OK);
    assert_true(anl_story_cycle(story) == end - 1);
    assert_true(anl_story_life(story, 0, &life));
    assert_true(life.cycles[ANL_LOST_ARBITRATION] == end - 7);
    assert_true(life.stay.begin == 7 && life.stay.end == end - 1 && life.stay.mover == ANL_NOTHING);
    assert_true(anl_story_life(story, 1, &life) && life.cycles[ANL_QUEUED] == end - 8);
    assert_true(anl_story_totals(story).cycles[ANL_QUEUED] == end - 8);
    anl_story_destroy(story);
}

// ---------------------------------------------------------------- deadlock

static bool is_among(uint32_t worm, const uint32_t *worms, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (worms[i] == worm) return true;
    return false;
}

static uint32_t *dead_of(const struct teller *teller, size_t *count)
{
    uint32_t *dead;
    assert_int_equal(anl_story_dead(teller->story, &dead, count), ANL_OK);
    return dead;
}

static void expect_circle(const struct teller *teller, const uint32_t *dead, size_t num_dead)
{
    size_t count;
    const uint32_t *circle = anl_story_circle(teller->story, &count);
    assert_true(count > 0 && count <= num_dead);
    for (size_t i = 0; i < count; i++) {
        assert_true(is_among(circle[i], dead, num_dead));
        assert_true(circle[i] >= circle[0]);
        assert_int_equal(anl_story_held_by(teller->story, circle[i]), circle[(i + 1) % count]);
    }
}

// Runs until the deadlock closes, and then until nothing moves any more.
static void run_into_deadlock(struct anl_scenario *scenario)
{
    struct teller teller = teller_create(&scenario->network, scenario->run.seed, NULL);
    struct anl_traffic *traffic;
    size_t count;
    assert_int_equal(anl_traffic_create(scenario, &traffic), ANL_OK);
    uint32_t *dead = NULL;
    for (bool closed = false; !closed && teller.num_cycles < 30000;) {
        free(dead);
        teller_step_traffic(&teller, traffic);
        dead = dead_of(&teller, &count);
        closed = anl_story_deadlocked(teller.story) != UINT64_MAX;
        assert_int_equal(closed, count > 0);
    }
    assert_int_equal(anl_story_deadlocked(teller.story), teller.num_cycles - 1);
    expect_circle(&teller, dead, count);

    for (uint64_t until = teller.num_cycles + 500; teller.num_cycles < until;) {
        const struct told_cycle *told = &teller.cycles[teller.num_cycles - 1];
        for (size_t i = 0; i < told->num_flits; i++)
            if (told->flits[i].head) assert_false(is_among(told->flits[i].worm, dead, count));
        teller_step_traffic(&teller, traffic);
    }
    free(dead);
    anl_traffic_destroy(traffic);
    teller_destroy(&teller);
}

static void deadlocks_close_and_stay(void **state)
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
        cmocka_unit_test(cycles_without_flits_may_be_left_out),
        cmocka_unit_test(long_silence_takes_no_time),
        cmocka_unit_test(deadlocks_close_and_stay),
    };
    return cmocka_run_group_tests_name("story_telling", tests, NULL, NULL);
}
