// SPDX-License-Identifier: Apache-2.0
//
// Delay chains against chain.h, in networks small enough to know by heart who waits for whom.

#include "scene.h"

#include "chain.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES = 4096 };

static const struct anl_config row = {
    .topology = ANL_MESH, .k = 4, .n = 1, .num_vcs = 1, .depth = 2, .flit_width_bits = 64};

static const struct anl_config ring = {.topology = ANL_UNIDIRECTIONAL_TORUS,
                                       .k = 4,
                                       .n = 1,
                                       .num_vcs = 1,
                                       .depth = 1,
                                       .flit_width_bits = 64,
                                       .routing = ANL_DIMENSION_ORDER};

static struct network_view view_of(const struct scene *scene)
{
    return (struct network_view){&scene->worms, &scene->history, &scene->state};
}

static void print_from(const struct scene *scene, struct chain_lane lane, char text[TEXT_BYTES])
{
    struct network_view view = view_of(scene);
    memset(text, 0, TEXT_BYTES);
    FILE *out = fmemopen(text, TEXT_BYTES, "w");
    assert_non_null(out);
    chain_print(out, &view, lane);
    assert_int_equal(fclose(out), 0);
}

static void expect_chain(const struct scene *scene, struct chain_lane lane, const char *expected)
{
    char text[TEXT_BYTES];
    print_from(scene, lane, text);
    assert_string_equal(text, expected);
}

static void expect_lane(struct chain_lane lane, uint32_t switch_, uint32_t port, uint32_t vc)
{
    assert_int_equal(lane.switch_, switch_);
    assert_int_equal(lane.port, port);
    assert_int_equal(lane.vc, vc);
}

static struct chain_lane front_of_worm(const struct scene *scene, uint32_t switch_, uint32_t worm)
{
    struct network_view view = view_of(scene);
    struct chain_lane lane;
    assert_true(chain_find_worm(&view, switch_, worm, &lane));
    return lane;
}

static uint32_t lines_of(const char *text)
{
    uint32_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

// ---------------------------------------------------------------- waiting

static void head_waits_for_the_owner_of_its_lane(void **unused)
{
    (void)unused;
    struct scene scene;
    scene_create(&scene, row);
    scene_offer(&scene, 0, 2, 8);
    scene_offer(&scene, 1, 2, 8);
    scene_step(&scene, 2);
    expect_chain(&scene, front_of_worm(&scene, 1, 0),
                 "  waits     worm 0 flit 0 in 1(1).-0 lane 0 since cycle 2, wants 1(1).+0 lane 0: "
                 "owned by the next\n"
                 "            worm 1 flit 1 in 1(1).T lane 0 since cycle 2, wants 1(1).+0 lane 0: "
                 "can move\n");
    scene_destroy(&scene);
}

// Worm 1 owns the link from switch 2; worm 0 fills the lane before it and stands back to switch 1.
static void body_waits_for_a_credit(void **unused)
{
    (void)unused;
    struct scene scene;
    scene_create(&scene, row);
    scene_offer(&scene, 0, 3, 8);
    scene_offer(&scene, 2, 3, 16);
    scene_step(&scene, 10);
    expect_chain(&scene, front_of_worm(&scene, 1, 0),
                 "  waits     worm 0 flit 2 in 1(1).-0 lane 0 since cycle 4, wants 1(1).+0 lane 0: "
                 "no credit\n"
                 "            worm 0 flit 0 in 2(2).-0 lane 0 since cycle 3, wants 2(2).+0 lane 0: "
                 "owned by the next\n"
                 "            worm 1 flit 9 in 2(2).T lane 0 since cycle 10, wants 2(2).+0 lane 0: "
                 "can move\n");
    scene_destroy(&scene);
}

// The tail of worm 0 has freed the link, but under cut-through worm 1 must fit as a whole.
static void head_waits_for_room_for_its_worm(void **unused)
{
    (void)unused;
    struct anl_config config = row;
    struct scene scene;
    config.depth = 3;
    config.admission = ANL_CUT_THROUGH;
    scene_create(&scene, config);
    scene_offer(&scene, 1, 3, 3);
    scene_offer(&scene, 0, 3, 3);
    scene_step(&scene, 4);
    expect_chain(&scene, front_of_worm(&scene, 1, 1),
                 "  waits     worm 1 flit 0 in 1(1).-0 lane 0 since cycle 2, wants 1(1).+0 lane 0: "
                 "too few credits\n"
                 "            worm 0 flit 2 in 2(2).-0 lane 0 since cycle 4, wants 2(2).+0 lane 0: "
                 "can move\n");
    scene_destroy(&scene);
}

// At depth 1 every second cycle finds the lane of a moving worm empty.
static void chain_ends_at_an_empty_lane(void **unused)
{
    (void)unused;
    struct anl_config config = row;
    struct scene scene;
    config.depth = 1;
    scene_create(&scene, config);
    scene_offer(&scene, 0, 2, 8);
    scene_offer(&scene, 1, 2, 8);
    scene_step(&scene, 2);
    expect_chain(&scene, front_of_worm(&scene, 1, 0),
                 "  waits     worm 0 flit 0 in 1(1).-0 lane 0 since cycle 2, wants 1(1).+0 lane 0: "
                 "owned by the next\n"
                 "            1(1).T lane 0 is empty: the worm's next flit is on its way\n");
    scene_destroy(&scene);
}

// A terminal that withholds its credits is the end of the chain: behind it there is no lane.
static void chain_ends_at_a_terminal(void **unused)
{
    (void)unused;
    struct scene scene;
    scene_create(&scene, row);
    scene_offer(&scene, 1, 1, 8);
    scene_step(&scene, 2);
    struct chain_lane lane = front_of_worm(&scene, 1, 0);
    expect_lane(lane, 1, 2, 0);
    scene.state.lanes[1 * 3 + 2].credit = 0;
    expect_chain(&scene, lane,
                 "  waits     worm 0 flit 1 in 1(1).T lane 0 since cycle 2, wants 1(1).T lane 0: "
                 "no credit\n");
    scene_destroy(&scene);
}

// Lane 0 is owned, lane 1 is free: the head waits for nobody.
static void head_may_take_another_lane(void **unused)
{
    (void)unused;
    struct anl_config config = row;
    struct scene scene;
    config.num_vcs = 2;
    scene_create(&scene, config);
    scene_offer(&scene, 0, 2, 8);
    scene_offer(&scene, 1, 2, 8);
    scene_step(&scene, 2);
    expect_chain(&scene, front_of_worm(&scene, 1, 0),
                 "  waits     worm 0 flit 0 in 1(1).-0 lane 0 since cycle 2, wants 1(1).+0 lane 1: "
                 "can move\n");
    scene_destroy(&scene);
}

// ---------------------------------------------------------------- circles

// Each worm goes half way round and holds the link that the one behind it wants.
static void ring_waits_in_a_circle(void **unused)
{
    (void)unused;
    char text[TEXT_BYTES];
    struct scene scene;
    scene_create(&scene, ring);
    scene_offer_all(&scene, 2, 8);
    scene_step(&scene, 30);
    assert_int_equal(anl_net_totals(scene.net).moved, 0);
    print_from(&scene, front_of_worm(&scene, 1, 0), text);
    assert_int_equal(lines_of(text), 2 * ring.k + 1);
    assert_non_null(strstr(text, "            worm 1 flit 1 in "));
    assert_non_null(strstr(text, "            worm 3 flit 0 in "));
    assert_null(strstr(text, "can move"));
    assert_non_null(strstr(text, "\n            which is line 1 again: a circle, deadlock\n"));
    scene_destroy(&scene);
}

// The first column of a torus is the ring; worm 4 comes along row 0 and wants to turn into it.
static void circle_is_entered_from_outside(void **unused)
{
    (void)unused;
    char text[TEXT_BYTES];
    struct anl_config config = ring;
    struct scene scene;
    config.n = 2;
    scene_create(&scene, config);
    for (uint32_t y = 0; y < 4; y++)
        scene_offer(&scene, 4 * y, 4 * ((y + 2) % 4), 8);
    scene_offer(&scene, 3, 8, 2);
    scene_step(&scene, 30);
    assert_int_equal(anl_net_totals(scene.net).moved, 0);
    struct chain_lane lane = front_of_worm(&scene, 0, 4);
    expect_lane(lane, 0, 0, 0);
    print_from(&scene, lane, text);
    assert_int_equal(lines_of(text), 1 + 2 * config.k + 1);
    assert_non_null(strstr(text, "\n            which is line 2 again: a circle, deadlock\n"));
    scene_destroy(&scene);
}

// With a second lane to choose, following the first one round says less: the circle may still open.
static void choice_of_lanes_leaves_a_circle_open(void **unused)
{
    (void)unused;
    char text[TEXT_BYTES];
    struct anl_config config = ring;
    struct scene scene;
    config.num_vcs = 2;
    scene_create(&scene, config);
    for (int round = 0; round < 4; round++)
        scene_offer_all(&scene, 3, 16);
    scene_step(&scene, 200);
    assert_int_equal(anl_net_totals(scene.net).moved, 0);
    print_from(&scene, front_of_worm(&scene, 1, 0), text);
    assert_non_null(strstr(text, ": a circle, unless another lane of a route comes free\n"));
    assert_null(strstr(text, "deadlock"));
    scene_destroy(&scene);
}

// At most 16 lanes are told: a ring of 8 switches, 16 lanes, is told as a circle; larger ones are
// cut.
static void long_chain_is_cut(void **unused)
{
    (void)unused;
    for (uint32_t k = 7; k <= 9; k++) {
        char text[TEXT_BYTES];
        struct anl_config config = ring;
        struct scene scene;
        config.k = k;
        scene_create(&scene, config);
        scene_offer_all(&scene, 2, 8);
        scene_step(&scene, 30);
        assert_int_equal(anl_net_totals(scene.net).moved, 0);
        print_from(&scene, front_of_worm(&scene, 1, 0), text);
        assert_int_equal(lines_of(text), k == 7 ? 14 + 1 : 16 + 1);
        const char *ending = k < 9 ? "which is line 1 again: a circle, deadlock\n" : "…\n";
        assert_string_equal(text + strlen(text) - strlen(ending), ending);
        scene_destroy(&scene);
    }
}

// ---------------------------------------------------------------- where to begin

static void worm_is_found_by_its_front(void **unused)
{
    (void)unused;
    struct scene scene;
    struct chain_lane lane;
    scene_create(&scene, row);
    struct network_view view = view_of(&scene);
    assert_false(chain_find_worm(&view, 0, 0, &lane));
    scene_offer(&scene, 0, 3, 8);
    scene_offer(&scene, 2, 3, 16);
    scene_step(&scene, 10);
    expect_lane(front_of_worm(&scene, 0, 0), 0, 2, 0);
    expect_lane(front_of_worm(&scene, 1, 0), 1, 1, 0);
    expect_lane(front_of_worm(&scene, 2, 0), 2, 1, 0);
    expect_lane(front_of_worm(&scene, 2, 1), 2, 2, 0);
    assert_false(chain_find_worm(&view, 3, 0, &lane));
    assert_false(chain_find_worm(&view, 1, 1, &lane));
    assert_false(chain_find_worm(&view, 1, 2, &lane));
    scene_destroy(&scene);
}

static void oldest_front_is_found(void **unused)
{
    (void)unused;
    struct scene scene;
    struct chain_lane lane;
    scene_create(&scene, row);
    struct network_view view = view_of(&scene);
    assert_false(chain_find_oldest(&view, &lane));
    scene_offer(&scene, 2, 3, 16);
    assert_false(chain_find_oldest(&view, &lane));
    scene_offer(&scene, 0, 3, 8);
    scene_step(&scene, 10);
    assert_true(chain_find_oldest(&view, &lane));
    expect_lane(lane, 2, 1, 0);
    scene_destroy(&scene);
}

// What broken registers claim must not lead astray: a lane past the edge, more flits than came.
static void impossible_lanes_are_empty(void **unused)
{
    (void)unused;
    struct scene scene;
    struct chain_lane lane;
    scene_create(&scene, row);
    struct network_view view = view_of(&scene);
    scene.state.lanes[0 * 3 + 1].count = 1;  // the edge of the row
    scene.state.lanes[1 * 3 + 1].count = 2;  // a lane that nothing came into
    assert_false(chain_find_oldest(&view, &lane));
    expect_chain(&scene, (struct chain_lane){0, 1, 0},
                 "  waits     0(0).-0 lane 0 is empty: the worm's next flit is on its way\n");
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(head_waits_for_the_owner_of_its_lane),
        cmocka_unit_test(body_waits_for_a_credit),
        cmocka_unit_test(head_waits_for_room_for_its_worm),
        cmocka_unit_test(chain_ends_at_an_empty_lane),
        cmocka_unit_test(chain_ends_at_a_terminal),
        cmocka_unit_test(head_may_take_another_lane),
        cmocka_unit_test(ring_waits_in_a_circle),
        cmocka_unit_test(circle_is_entered_from_outside),
        cmocka_unit_test(choice_of_lanes_leaves_a_circle_open),
        cmocka_unit_test(long_chain_is_cut),
        cmocka_unit_test(worm_is_found_by_its_front),
        cmocka_unit_test(oldest_front_is_found),
        cmocka_unit_test(impossible_lanes_are_empty),
    };
    return cmocka_run_group_tests_name("chain", tests, NULL, NULL);
}
