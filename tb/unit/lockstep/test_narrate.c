// SPDX-License-Identifier: Apache-2.0
//
// The words of waves: what is written about a worm and about the lanes that it lies in.

#include "scene.h"

#include "waves/narrate.h"
#include "waves/wave_internal.h"

static const struct anl_config row = {
    .topology = ANL_MESH, .k = 4, .n = 1, .num_vcs = 1, .depth = 2, .flit_width_bits = 64};

struct stage {
    struct scene scene;
    struct wave_worms wave_worms;
    struct wave *wave;
    struct narration narration;
};

// After three cycles the two worms join the wave worms.
static void stage_open(struct stage *stage, uint32_t first, uint32_t other)
{
    scene_step(&stage->scene, 3);
    wave_worms_join(&stage->wave_worms, stage->scene.blocking, first);
    wave_worms_join(&stage->wave_worms, stage->scene.blocking, other);
    wave_worms_find_lanes(&stage->wave_worms, stage->scene.blocking);
    assert_int_equal(wave_create(&stage->wave), ANL_OK);
    narration_create(&stage->narration, &stage->scene.config, &stage->wave_worms, stage->wave);
    narrate(&stage->narration, 2, stage->scene.blocking, &stage->scene.worms);
}

// Worm 1 goes through switch 1 to switch 2; worm 0 waits for it at switch 1 and is shown first.
static void stage_create(struct stage *stage)
{
    *stage = (struct stage){0};
    scene_create(&stage->scene, row);
    scene_enqueue(&stage->scene, 0, 2, 8);
    scene_enqueue(&stage->scene, 1, 3, 8);
    stage_open(stage, 0, 1);
}

static void stage_destroy(struct stage *stage)
{
    wave_destroy(stage->wave);
    scene_destroy(&stage->scene);
}

static void expect_word(const struct stage *stage, uint32_t signal, const char *text,
                        const char *colour)
{
    struct wave_entry entry;
    assert_true(stage->wave->items[signal].has_value);
    assert_true(wave_entry(stage->wave, stage->wave->items[signal].value, &entry));
    assert_string_equal(entry.text, text);
    assert_string_equal(entry.colour, colour);
}

static void expect_number(const struct stage *stage, uint32_t signal, uint32_t value)
{
    assert_true(stage->wave->items[signal].has_value);
    assert_int_equal(stage->wave->items[signal].value, value);
}

static void worm_that_waits_is_told(void **unused)
{
    (void)unused;
    struct stage stage;
    stage_create(&stage);
    const struct worm_signals *worm = &stage.narration.worm[0];
    expect_word(&stage, worm->state, "waits: lane 0 of 1(1).+0 held by worm 1", "firebrick");
    expect_word(&stage, worm->waits_for, "worm 1", "SpringGreen4");
    expect_word(&stage, worm->buffer, "lane 0 of 0(0).+0", "gray25");
    expect_number(&stage, worm->waited, 1);
    expect_word(&stage, stage.narration.worm[1].waits_for, "-", "gray15");
    expect_number(&stage, stage.narration.worm[1].waited, 0);
    stage_destroy(&stage);
}

// The head of worm 0 comes out of the register in cycle 2, and passes the first stage of the next
// switch in cycle 3.
static void both_stages_are_told(void **unused)
{
    (void)unused;
    struct stage stage = {0};
    struct anl_config config = row;
    config.stages = 2;
    scene_create(&stage.scene, config);
    scene_enqueue(&stage.scene, 0, 2, 8);
    stage_open(&stage, 0, 0);
    expect_word(&stage, stage.narration.worm[0].state,
                "in the register, moves to lane 0 of 0(0).+0", "dark green");
    scene_step(&stage.scene, 1);
    narrate(&stage.narration, 3, stage.scene.blocking, &stage.scene.worms);
    expect_word(&stage, stage.narration.worm[0].state, "is in the first stage", "dark green");
    stage_destroy(&stage);
}

static void lane_of_its_head_is_told(void **unused)
{
    (void)unused;
    struct stage stage;
    stage_create(&stage);
    const struct lane_signals *lane = &stage.narration.worm[0].lane[0];
    expect_word(&stage, lane->state, "waits: lane 0 of 1(1).+0 held by worm 1", "firebrick");
    expect_word(&stage, lane->worm, "worm 0", "RoyalBlue3");
    expect_word(&stage, lane->front, "head 0 of 8, 0 to 2", "RoyalBlue3");
    expect_number(&stage, lane->fill, 1);
    expect_word(&stage, lane->wants, "lane 0 of 1(1).+0", "gray25");
    expect_word(&stage, lane->cause, "bound_elsewhere", "firebrick");
    stage_destroy(&stage);
}

// Worms 0 and 1 have taken one up link of a fat-tree each.
static void both_up_links_are_told(void **unused)
{
    (void)unused;
    const struct anl_config tree = {.topology = ANL_FAT_TREE,
                                    .k = 4,
                                    .n = 2,
                                    .num_vcs = 1,
                                    .depth = 2,
                                    .flit_width_bits = 64,
                                    .routing = ANL_UP_DOWN_GREEDY};
    struct stage stage = {0};
    scene_create(&stage.scene, tree);
    for (uint32_t t = 0; t < 3; t++)
        scene_enqueue(&stage.scene, t, 15 - t, 8);
    stage_open(&stage, 2, 0);
    const struct lane_signals *lane = &stage.narration.worm[0].lane[0];
    expect_word(&stage, lane->wants, "any of 2 lanes of 0(1,0).u0 or u1", "gray25");
    expect_word(&stage, lane->state, "waits: worms 0, 1 hold the lanes of 0(1,0).u0 or u1",
                "firebrick");
    stage_destroy(&stage);
}

static void lane_of_a_worm_that_moves_is_told(void **unused)
{
    (void)unused;
    struct stage stage;
    stage_create(&stage);
    const struct lane_signals *lane = &stage.narration.worm[1].lane[1];  // the lane behind its head
    expect_word(&stage, lane->state, "moves to lane 0 of 1(1).+0", "dark green");
    expect_word(&stage, lane->front, "body 1 of 8, 1 to 3", "SpringGreen4");
    expect_word(&stage, lane->cause, "moving", "dark green");
    stage_destroy(&stage);
}

static void what_is_unknown_is_not_told(void **unused)
{
    (void)unused;
    struct stage stage;
    stage_create(&stage);
    narrate(&stage.narration, 3, NULL, &stage.scene.worms);
    static const char unknown[] = "unknown: RTL and model differ";
    expect_word(&stage, stage.narration.worm[0].state, unknown, "gray15");
    expect_word(&stage, stage.narration.worm[1].waits_for, unknown, "gray15");
    expect_word(&stage, stage.narration.worm[0].lane[0].front, unknown, "gray15");
    assert_true(stage.wave->items[stage.narration.worm[0].waited].unknown);
    assert_true(stage.wave->items[stage.narration.worm[1].lane[0].fill].unknown);
    assert_false(stage.wave->items[stage.narration.cycle].unknown);
    stage_destroy(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worm_that_waits_is_told),
        cmocka_unit_test(both_stages_are_told),
        cmocka_unit_test(lane_of_its_head_is_told),
        cmocka_unit_test(both_up_links_are_told),
        cmocka_unit_test(lane_of_a_worm_that_moves_is_told),
        cmocka_unit_test(what_is_unknown_is_not_told),
    };
    return cmocka_run_group_tests_name("narrate", tests, NULL, NULL);
}
