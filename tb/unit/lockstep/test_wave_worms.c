// SPDX-License-Identifier: Apache-2.0
//
// Which worms appear in waves, and for which stall: wave_worms.h and wave_target.h, in a row of
// switches where worm 0 waits for worm 1 from cycle 2 on, until the tail of worm 1 has passed.

#include "scene.h"

#include "run/wave_target.h"
#include "waves/wave_worms.h"

static const struct anl_config row = {
    .topology = ANL_MESH, .k = 4, .n = 1, .num_vcs = 1, .depth = 2, .flit_width_bits = 64};

enum { AT_0_PLUS = 0, AT_1_PLUS = 3, AT_T0 = 12, AT_T1 = 13, SOURCE_0 = 16 };

static void create(struct scene *scene)
{
    scene_create(scene, row);
    scene_enqueue(scene, 0, 2, 8);
    scene_enqueue(scene, 1, 2, 8);
}

// ---------------------------------------------------------------- wave worms

static void chain_is_wave_worms_in_order(void **unused)
{
    (void)unused;
    struct scene scene;
    struct wave_worms wave_worms = {0};
    create(&scene);
    scene_step(&scene, 5);
    wave_worms_follow(&wave_worms, scene.blocking, AT_0_PLUS);
    wave_worms_follow(&wave_worms, scene.blocking, AT_0_PLUS);
    assert_int_equal(wave_worms.worms, 2);
    assert_int_equal(wave_worms.worm[0].worm.id, 0);
    assert_int_equal(wave_worms.worm[1].worm.id, 1);
    assert_int_equal(wave_worms.worm[1].worm.source, 1);
    assert_int_equal(wave_worms.worm[0].cycles, 2);
    wave_worms_join(&wave_worms, scene.blocking, 1);
    wave_worms_join(&wave_worms, scene.blocking, 77);  // this worm does not exist
    assert_int_equal(wave_worms.worms, 2);
    scene_destroy(&scene);
}

static void lanes_are_in_path_order(void **unused)
{
    (void)unused;
    struct scene scene;
    struct wave_worms wave_worms = {0};
    create(&scene);
    scene_step(&scene, 5);
    wave_worms_join(&wave_worms, scene.blocking, 0);
    wave_worms_find_lanes(&wave_worms, scene.blocking);
    assert_int_equal(wave_worms.worm[0].lanes, 3);
    assert_int_equal(wave_worms.worm[0].lane[0], AT_0_PLUS);
    assert_int_equal(wave_worms.worm[0].lane[1], AT_T0);
    assert_int_equal(wave_worms.worm[0].lane[2], SOURCE_0);
    scene_step(&scene, 8);  // worm 1 has passed, and worm 0 has one lane more, ahead
    wave_worms_find_lanes(&wave_worms, scene.blocking);
    assert_true(wave_worms.worm[0].lanes > 3);
    assert_int_equal(wave_worms.worm[0].lane[wave_worms.worm[0].lanes - 1], SOURCE_0);
    assert_int_equal(wave_worms.worm[0].lane[wave_worms.worm[0].lanes - 3], AT_0_PLUS);
    assert_int_equal(wave_worms.worm[0].lane[wave_worms.worm[0].lanes - 4], AT_1_PLUS);
    scene_destroy(&scene);
}

// If a worm lies across more lanes than are shown, those nearest to its destination are kept,
// whether it was watched all the time or only now.
static void lanes_nearest_the_head_are_kept(void **unused)
{
    (void)unused;
    static const struct anl_config long_row = {
        .topology = ANL_MESH, .k = 12, .n = 1, .num_vcs = 1, .depth = 2, .flit_width_bits = 64};
    struct scene scene;
    struct wave_worms seen = {0}, late = {0};
    uint32_t body[16];
    scene_create(&scene, long_row);
    scene_enqueue(&scene, 0, 11, 64);
    for (int cycle = 0; cycle < 14; cycle++) {
        scene_step(&scene, 1);
        wave_worms_join(&seen, scene.blocking, 0);
        wave_worms_find_lanes(&seen, scene.blocking);
    }
    wave_worms_join(&late, scene.blocking, 0);
    wave_worms_find_lanes(&late, scene.blocking);
    assert_true(anl_blocking_body(scene.blocking, 0, body, 16) > WAVE_WORMS_LANES);
    assert_int_equal(seen.worm[0].lanes, WAVE_WORMS_LANES);
    assert_memory_equal(seen.worm[0].lane, body, WAVE_WORMS_LANES * sizeof *body);
    assert_memory_equal(late.worm[0].lane, body, WAVE_WORMS_LANES * sizeof *body);
    scene_destroy(&scene);
}

static void switches_are_those_of_the_lanes(void **unused)
{
    (void)unused;
    struct wave_worms wave_worms = {
        .worms = 1, .worm[0] = {.lanes = 4, .lane = {5, AT_0_PLUS, AT_T0, SOURCE_0}}};
    uint32_t switches[WAVE_WORMS_SWITCHES];
    assert_int_equal(wave_worms_switches(&wave_worms, &row, ANL_NOTHING, switches), 2);
    assert_int_equal(switches[0], 1);  // lane 5 is that of 1.T, the terminal of switch 1
    assert_int_equal(switches[1], 0);
    assert_int_equal(wave_worms_switches(&wave_worms, &row, 3, switches), 3);
    assert_int_equal(switches[0], 3);
}

static void those_longest_on_the_chain_are_chosen(void **unused)
{
    (void)unused;
    struct wave_worms wave_worms = {.worms = 12};
    static const uint32_t cycles[12] = {1, 5, 5, 9, 2, 7, 5, 1, 1, 8, 3, 9};
    static const uint32_t chosen[WAVE_WORMS_WORMS] = {0, 3, 11, 9, 5, 1, 2, 6};
    for (uint32_t i = 0; i < wave_worms.worms; i++)
        wave_worms.worm[i] = (struct wave_worms_worm){.worm.id = i, .cycles = cycles[i]};
    wave_worms_choose(&wave_worms);
    assert_int_equal(wave_worms.worms, WAVE_WORMS_WORMS);
    for (uint32_t i = 0; i < WAVE_WORMS_WORMS; i++)
        assert_int_equal(wave_worms.worm[i].worm.id, chosen[i]);
}

// ---------------------------------------------------------------- wave target

static struct anl_stall stall_of(uint32_t worm, uint64_t begin, uint64_t end)
{
    return (struct anl_stall){.worm = worm, .begin = begin, .end = end};
}

static void tell_stall(struct wave_target *wave_target, uint32_t worm, uint64_t begin, uint64_t end)
{
    struct anl_blocking_listener listener = wave_target_listener(wave_target);
    struct anl_stall stall = stall_of(worm, begin, end);
    listener.stall(listener.user, &stall);
}

static void expect_stall(const struct wave_target *wave_target, uint32_t worm, uint64_t begin,
                         uint64_t end)
{
    assert_true(wave_target->found && wave_target->waits);
    assert_int_equal(wave_target->stall.worm, worm);
    assert_int_equal(wave_target->stall.begin, begin);
    assert_int_equal(wave_target->stall.end, end);
}

static void longest_stall_is_the_wave_target(void **unused)
{
    (void)unused;
    struct wave_target any = wave_target_of(ANL_NOTHING, UINT64_MAX),
                       one = wave_target_of(4, UINT64_MAX);
    assert_false(any.found);
    struct wave_target *both[] = {&any, &one};
    for (int i = 0; i < 2; i++) {
        tell_stall(both[i], 3, 10, 12);
        tell_stall(both[i], 4, 20, 20);
        tell_stall(both[i], 5, 10, 19);
        tell_stall(both[i], 4, 22, 24);
        tell_stall(both[i], 6, 30, 39);  // as long as the first, so not longer
    }
    expect_stall(&any, 5, 10, 19);
    expect_stall(&one, 4, 22, 24);
    assert_false(wave_target_settled(&any, 1000));
}

static void worm_that_never_waits_is_shown_from_birth_to_death(void **unused)
{
    (void)unused;
    struct wave_target wave_target = wave_target_of(4, UINT64_MAX);
    struct anl_blocking_listener listener = wave_target_listener(&wave_target);
    struct anl_life life = {.worm = {.id = 3, .created = 5}, .delivered = 9};
    listener.delivered(listener.user, &life);
    assert_false(wave_target.found);
    life.worm.id = 4;
    listener.delivered(listener.user, &life);
    assert_true(wave_target.found && !wave_target.waits);
    assert_int_equal(wave_target.stall.begin, 5);
    assert_int_equal(wave_target.stall.end, 9);
}

static void look_at(struct wave_target *wave_target, uint64_t at)
{
    struct scene scene;
    create(&scene);
    for (uint64_t cycle = 0; cycle <= at; cycle++) {
        scene_step(&scene, 1);
        wave_target_look(wave_target, scene.blocking);
    }
    scene_destroy(&scene);
}

static void cycle_shows_the_stall_that_lasts_there(void **unused)
{
    (void)unused;
    struct wave_target wave_target = wave_target_of(ANL_NOTHING, 5);
    look_at(&wave_target, 5);
    assert_true(wave_target.found && wave_target.waits);
    assert_int_equal(wave_target.stall.worm, 0);
    assert_int_equal(wave_target.stall.begin, 2);
    assert_false(wave_target_settled(&wave_target, 6));
    tell_stall(&wave_target, 0, 100, 200);  // another stall of the worm
    tell_stall(&wave_target, 1, 2, 9);      // a stall of another worm
    assert_false(wave_target_settled(&wave_target, 10));
    tell_stall(&wave_target, 0, 2, 9);
    expect_stall(&wave_target, 0, 2, 9);
    assert_true(wave_target_settled(&wave_target, 10));
}

static void cycle_in_which_nobody_waits_shows_who_moves(void **unused)
{
    (void)unused;
    struct wave_target wave_target = wave_target_of(ANL_NOTHING, 1), one = wave_target_of(1, 5);
    look_at(&wave_target, 1);
    assert_true(wave_target.found && !wave_target.waits);
    assert_int_equal(wave_target.stall.worm, 0);
    assert_true(wave_target_settled(&wave_target, 2));
    look_at(&one, 5);
    assert_true(one.found && !one.waits);
    assert_int_equal(one.stall.worm, 1);
}

// Worm 1 waits behind worm 0 in their source all the time.
static void worm_that_never_leaves_its_queue_is_no_wave_target(void **unused)
{
    (void)unused;
    struct wave_target end = wave_target_of(1, UINT64_MAX), early = wave_target_of(1, 3);
    struct scene scene;
    scene_create(&scene, row);
    scene_enqueue(&scene, 0, 2, 32);
    scene_enqueue(&scene, 0, 2, 8);
    for (int cycle = 0; cycle < 6; cycle++) {
        scene_step(&scene, 1);
        wave_target_look(&end, scene.blocking);
        wave_target_look(&early, scene.blocking);
    }
    wave_target_over(&end, scene.blocking);
    wave_target_over(&early, scene.blocking);
    assert_false(end.found || early.found);
    assert_int_equal(end.queued_behind, 0);
    assert_int_equal(early.queued_behind, 0);
    scene_destroy(&scene);
}

static void worm_that_still_moves_at_the_end_is_shown_so_far(void **unused)
{
    (void)unused;
    struct wave_target wave_target = wave_target_of(0, UINT64_MAX),
                       gone = wave_target_of(5, UINT64_MAX);
    struct scene scene;
    scene_create(&scene, row);
    scene_enqueue(&scene, 0, 2, 32);
    scene_step(&scene, 6);
    wave_target_over(&wave_target, scene.blocking);
    wave_target_over(&gone, scene.blocking);
    assert_true(wave_target.found && !wave_target.waits);
    assert_int_equal(wave_target.stall.begin, 0);
    assert_int_equal(wave_target.stall.end, 5);
    assert_int_equal(wave_target.stall.cycles[ANL_MOVING], 6);
    assert_false(gone.found);
    assert_int_equal(gone.queued_behind, ANL_NOTHING);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_is_wave_worms_in_order),
        cmocka_unit_test(lanes_are_in_path_order),
        cmocka_unit_test(lanes_nearest_the_head_are_kept),
        cmocka_unit_test(switches_are_those_of_the_lanes),
        cmocka_unit_test(those_longest_on_the_chain_are_chosen),
        cmocka_unit_test(longest_stall_is_the_wave_target),
        cmocka_unit_test(worm_that_never_waits_is_shown_from_birth_to_death),
        cmocka_unit_test(worm_that_never_leaves_its_queue_is_no_wave_target),
        cmocka_unit_test(worm_that_still_moves_at_the_end_is_shown_so_far),
        cmocka_unit_test(cycle_shows_the_stall_that_lasts_there),
        cmocka_unit_test(cycle_in_which_nobody_waits_shows_who_moves),
    };
    return cmocka_run_group_tests_name("cast", tests, NULL, NULL);
}
