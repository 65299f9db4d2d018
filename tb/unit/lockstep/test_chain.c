// SPDX-License-Identifier: Apache-2.0
//
// Delay chains in words, in networks so small that it is known who waits for whom; and the buffer
// that a difference puts in question.

#include "scene.h"

#include "compare/question.h"

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

static FILE *open_text(char text[TEXT_BYTES])
{
    memset(text, 0, TEXT_BYTES);
    FILE *out = fmemopen(text, TEXT_BYTES, "w");
    assert_non_null(out);
    return out;
}

static void print_from(const struct scene *scene, uint32_t buffer, char text[TEXT_BYTES])
{
    FILE *out = open_text(text);
    anl_blocking_print_chain(out, "waits ", scene->blocking, buffer);
    assert_int_equal(fclose(out), 0);
}

static void expect_chain(const struct scene *scene, uint32_t worm, const char *expected)
{
    char text[TEXT_BYTES];
    print_from(scene, anl_blocking_leading(scene->blocking, worm), text);
    assert_string_equal(text, expected);
}

static uint32_t lines_of(const char *text)
{
    uint32_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

// ---------------------------------------------------------------- chains

static void chain_ends_at_the_worm_that_moves(void **unused)
{
    (void)unused;
    struct scene scene;
    scene_create(&scene, row);
    scene_enqueue(&scene, 0, 2, 8);
    scene_enqueue(&scene, 1, 2, 8);
    scene_step(&scene, 3);
    expect_chain(&scene, 0,
                 "waits worm 0 flit 0 in lane 0 of 0(0).+0 since cycle 2, waits: lane 0 of 1(1).+0 "
                 "held by worm 1\n"
                 "      worm 1 flit 1 in lane 0 of T1.inject since cycle 2, moves to lane 0 of "
                 "1(1).+0\n");
    scene_destroy(&scene);
}

// Worm 1 owns the link from switch 2; worm 0 fills the lane before it and reaches back to switch 1.
static void chain_goes_through_the_worm_itself(void **unused)
{
    (void)unused;
    char text[TEXT_BYTES];
    struct scene scene;
    scene_create(&scene, row);
    scene_enqueue(&scene, 0, 3, 8);
    scene_enqueue(&scene, 2, 3, 16);
    scene_step(&scene, 11);
    print_from(&scene, 0 * 3 + 0, text);  // the lane at the end of 0(0).+0
    assert_string_equal(
        text,
        "waits worm 0 flit 2 in lane 0 of 0(0).+0 since cycle 4, waits: no credit for lane 0 of "
        "1(1).+0, behind its own flits\n"
        "      worm 0 flit 0 in lane 0 of 1(1).+0 since cycle 3, waits: lane 0 of 2(2).+0 held by "
        "worm 1\n"
        "      worm 1 flit 9 in lane 0 of T2.inject since cycle 10, moves to lane 0 of 2(2).+0\n");
    scene_destroy(&scene);
}

static void empty_buffer_is_told(void **unused)
{
    (void)unused;
    char text[TEXT_BYTES];
    struct scene scene;
    scene_create(&scene, row);
    scene_step(&scene, 1);
    print_from(&scene, 0, text);
    assert_string_equal(text, "waits lane 0 of 0(0).+0: empty\n");
    scene_destroy(&scene);
}

// ---------------------------------------------------------------- circles

// Each worm goes half way round and holds the link that the worm behind it wants.
static void ring_waits_in_a_circle(void **unused)
{
    (void)unused;
    char text[TEXT_BYTES];
    struct scene scene;
    scene_create(&scene, ring);
    scene_enqueue_all(&scene, 2, 8);
    scene_step(&scene, 30);
    assert_int_equal(anl_engine_totals(scene.net).moved, 0);
    print_from(&scene, anl_blocking_leading(scene.blocking, 0), text);
    assert_int_equal(lines_of(text), 2 * ring.k + 1);
    assert_non_null(strstr(text, "\n      worm 3 flit 0 in "));
    assert_null(strstr(text, "moves"));
    assert_non_null(
        strstr(text, "\n      which is line 1 again: the network is deadlocked since cycle 2\n"));
    scene_destroy(&scene);
}

static void deadlock_is_told_worm_by_worm(void **unused)
{
    (void)unused;
    char text[TEXT_BYTES];
    struct scene scene;
    scene_create(&scene, ring);
    scene_enqueue_all(&scene, 2, 8);
    scene_step(&scene, 30);
    FILE *out = open_text(text);
    anl_blocking_print_deadlock(out, "waits ", scene.blocking);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(
        text,
        "waits worm 0 flit 0 in lane 0 of 0(0).+0 since cycle 2, waits: lane 0 of 1(1).+0 held by "
        "worm 1\n"
        "      worm 1 flit 0 in lane 0 of 1(1).+0 since cycle 2, waits: lane 0 of 2(2).+0 held by "
        "worm 2\n"
        "      worm 2 flit 0 in lane 0 of 2(2).+0 since cycle 2, waits: lane 0 of 3(3).+0 held by "
        "worm 3\n"
        "      worm 3 flit 0 in lane 0 of 3(3).+0 since cycle 2, waits: lane 0 of 0(0).+0 held by "
        "worm 0\n"
        "      which worm 0 holds up: deadlock, closed in cycle 2\n");
    scene_destroy(&scene);
}

static void without_a_deadlock_none_is_told(void **unused)
{
    (void)unused;
    char text[TEXT_BYTES];
    struct scene scene;
    scene_create(&scene, row);
    scene_enqueue(&scene, 0, 2, 8);
    scene_step(&scene, 5);
    FILE *out = open_text(text);
    anl_blocking_print_deadlock(out, "waits ", scene.blocking);
    assert_int_equal(fclose(out), 0);
    assert_string_equal(text, "");
    scene_destroy(&scene);
}

// At most 16 buffers are printed. A ring of 8 switches has 16 and is printed as a circle; the chain
// of a larger one is cut.
static void long_chain_is_cut(void **unused)
{
    (void)unused;
    for (uint32_t k = 7; k <= 9; k++) {
        char text[TEXT_BYTES];
        struct anl_config config = ring;
        struct scene scene;
        config.k = k;
        scene_create(&scene, config);
        scene_enqueue_all(&scene, 2, 8);
        scene_step(&scene, 30);
        assert_int_equal(anl_engine_totals(scene.net).moved, 0);
        print_from(&scene, anl_blocking_leading(scene.blocking, 0), text);
        assert_int_equal(lines_of(text), k == 7 ? 14 + 1 : 16 + 1);
        const char *ending =
            k < 9 ? "which is line 1 again: the network is deadlocked since cycle 2\n"
                  : "      …\n";
        assert_string_equal(text + strlen(text) - strlen(ending), ending);
        scene_destroy(&scene);
    }
}

// ---------------------------------------------------------------- where to begin

static void oldest_front_is_found(void **unused)
{
    (void)unused;
    struct scene scene;
    scene_create(&scene, row);
    scene_step(&scene, 1);
    assert_int_equal(anl_blocking_oldest(scene.blocking), ANL_NOTHING);
    scene_enqueue(&scene, 2, 3, 16);
    scene_step(&scene, 1);  // it is in the source, which is no lane
    assert_int_equal(anl_blocking_oldest(scene.blocking), ANL_NOTHING);
    scene_enqueue(&scene, 0, 3, 8);
    scene_step(&scene, 10);
    assert_int_equal(anl_blocking_oldest(scene.blocking), 1 * 3 + 0);  // at the end of 1(1).+0
    scene_destroy(&scene);
}

// Cycle 9 of two worms: worm 0 waits in the lanes at the ends of 0(0).+0 and 1(1).+0, and worm 1
// moves.
static void expect_question(const struct scene *scene, struct difference difference,
                            uint32_t buffer)
{
    assert_int_equal(question_buffer(scene->blocking, &scene->history, &difference), buffer);
}

static void difference_puts_a_buffer_in_question(void **unused)
{
    (void)unused;
    const struct difference nowhere = {
        .count = 1,
        .cycle = 9,
        .link = NOWHERE,
        .switch_ = NOWHERE,
        .port = NOWHERE,
        .vc = NOWHERE,
        .worm = NOWHERE,
    };
    struct scene scene;
    scene_create(&scene, row);
    scene_enqueue(&scene, 0, 3, 8);
    scene_enqueue(&scene, 2, 3, 16);
    scene_step(&scene, 10);
    expect_question(&scene, nowhere, 1 * 3 + 0);  // the oldest
    struct difference flit = nowhere;             // a flit of worm 0, where it leaves switch 1
    flit.worm = 0, flit.switch_ = 1, flit.port = 0, flit.link = 1 * 3 + 0, flit.vc = 0;
    expect_question(&scene, flit, 0 * 3 + 0);
    flit.switch_ = 3;  // worm 0 is not there: the lane of its head
    expect_question(&scene, flit, 1 * 3 + 0);
    flit.switch_ = 2, flit.worm = 1;  // a flit from its terminal
    expect_question(&scene, flit, 4 * 3 + 2);
    struct difference output = nowhere;  // a credit counter: the lane that it counts for
    output.switch_ = 1, output.port = 0, output.link = 1 * 3 + 0, output.vc = 0;
    snprintf(output.where, sizeof output.where, "output 1(1).+0 lane 0");
    expect_question(&scene, output, 1 * 3 + 0);
    struct difference input = output;  // port 1 of switch 1 is at the end of 0(0).+0
    input.port = 1, input.link = 0 * 3 + 0;
    snprintf(input.where, sizeof input.where, "input 1(1).-0 lane 0");
    expect_question(&scene, input, 0 * 3 + 0);
    input.switch_ = 0, input.link = NOWHERE;  // no link ends at the edge: the oldest
    expect_question(&scene, input, 1 * 3 + 0);
    output.vc = NOWHERE;  // the pointer of a port
    expect_question(&scene, output, ANL_NOTHING);
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_ends_at_the_worm_that_moves),
        cmocka_unit_test(chain_goes_through_the_worm_itself),
        cmocka_unit_test(empty_buffer_is_told),
        cmocka_unit_test(ring_waits_in_a_circle),
        cmocka_unit_test(deadlock_is_told_worm_by_worm),
        cmocka_unit_test(without_a_deadlock_none_is_told),
        cmocka_unit_test(long_chain_is_cut),
        cmocka_unit_test(oldest_front_is_found),
        cmocka_unit_test(difference_puts_a_buffer_in_question),
    };
    return cmocka_run_group_tests_name("chain", tests, NULL, NULL);
}
