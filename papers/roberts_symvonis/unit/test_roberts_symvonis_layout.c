// SPDX-License-Identifier: Apache-2.0
//
// Layouts of supernodes: the numbers of the page, and an inspection that finds each wrong cell.

#include "unit_papers.h"

#include "papers/roberts_symvonis/program/snakes.h"

#include <string.h>

static const struct {
    uint32_t f, k, s, period, half;
} sizes[] = {
    {12, 4, 8, 42, 36}, {12, 16, 16, 134, 120}, {32, 4, 12, 86, 76}, {12, 36, 24, 282, 260}};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void make(uint32_t f, uint32_t k, struct layout *layout)
{
    struct anl_error error;
    if (layout_create(f, k, layout, &error)) fail_msg("%s", error.text);
}

static void layouts_have_the_numbers_of_the_page(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIZES; i++) {
        struct layout layout;
        struct anl_error error;
        make(sizes[i].f, sizes[i].k, &layout);
        assert_true(layout.s == sizes[i].s && layout.half == sizes[i].half);
        assert_int_equal(layout.period, sizes[i].period);
        if (layout_inspect(&layout, &error)) fail_msg("%s", error.text);
        layout_free(&layout);
    }
}

static void other_sizes_are_refused(void **state)
{
    (void)state;
    static const uint32_t bad[][2] = {{12, 9}, {12, 5}, {0, 4},   {5, 4},
                                      {13, 4}, {12, 0}, {12, 144}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct layout layout;
        struct anl_error error;
        assert_int_equal(layout_create(bad[i][0], bad[i][1], &layout, &error), ANL_ERR_ARGUMENT);
        assert_non_null(strstr(error.text, "expected f + 4"));
        layout_free(&layout);
    }
}

static void assert_found(const struct layout *layout)
{
    struct anl_error error;
    assert_int_equal(layout_inspect(layout, &error), ANL_ERR_FORMAT);
    assert_true(strlen(error.text) > 0);
}

// Each entry of the map is changed to each other value, also to nothing.
static void each_wrong_way_is_found(void **state)
{
    (void)state;
    struct layout layout;
    make(12, 4, &layout);
    for (uint32_t i = 0; i < layout.cells * ANL_BUFFERLESS_LINKS; i++) {
        const uint8_t right = layout.map[i];
        for (uint8_t way = 0; way <= ANL_NO_WAY; way++) {
            if (way == right) continue;
            layout.map[i] = way;
            assert_found(&layout);
        }
        layout.map[i] = right;
    }
    layout_free(&layout);
}

static void each_wrong_cell_is_found(void **state)
{
    (void)state;
    struct layout layout;
    make(12, 4, &layout);
    for (uint32_t cell = 0; cell < layout.cells; cell++) {
        layout.kinds[cell] ^= 1;
        assert_found(&layout);
        layout.kinds[cell] ^= 1;
        layout.chooses[cell] = !layout.chooses[cell];
        assert_found(&layout);
        layout.chooses[cell] = !layout.chooses[cell];
    }
    for (uint32_t corner = 0; corner < CORNERS; corner++) {
        layout.entries[corner]++;
        assert_found(&layout);
        layout.entries[corner]--;
    }
    layout_free(&layout);
}

static void each_wrong_number_is_found(void **state)
{
    (void)state;
    struct layout layout;
    make(12, 16, &layout);
    uint32_t *const numbers[] = {&layout.w,
                                 &layout.g,
                                 &layout.s,
                                 &layout.m,
                                 &layout.slots,
                                 &layout.train,
                                 &layout.half,
                                 &layout.period,
                                 &layout.top,
                                 &layout.bottom,
                                 &layout.west,
                                 &layout.east,
                                 &layout.centre,
                                 &layout.num_spurs,
                                 &layout.spurs[SIDE_LEFT][3].port,
                                 &layout.spurs[SIDE_RIGHT][0].port,
                                 &layout.spurs[SIDE_RIGHT][10].cell};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        *numbers[i] ^= 1;
        assert_found(&layout);
        *numbers[i] ^= 1;
    }
    layout_free(&layout);
}

// A spur that is left out makes the trail two steps shorter.
static void a_missing_spur_is_found(void **state)
{
    (void)state;
    struct layout layout;
    make(32, 4, &layout);
    const struct spur spur = layout.spurs[SIDE_RIGHT][2];
    uint8_t *ways = &layout.map[spur.cell * ANL_BUFFERLESS_LINKS];
    for (uint32_t in = 0; in < ANL_BUFFERLESS_LINKS; in++)
        if (ways[in] == spur.port) ways[in] = ways[spur.port];
    ways[spur.port] = ANL_NO_WAY;
    layout
        .map[layout_next(&layout, spur.cell, spur.port) * ANL_BUFFERLESS_LINKS + (spur.port ^ 1)] =
        ANL_NO_WAY;
    assert_found(&layout);
    layout_free(&layout);
}

static void the_drawing_is_that_of_the_page(void **state)
{
    (void)state;
    static const char expected[] = "l l l l | r r r r    ";
    char *text;
    size_t size;
    struct layout layout;
    make(12, 4, &layout);
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    layout_draw(&layout, out);
    fclose(out);
    assert_memory_equal(text, expected, strlen(expected) - 1);
    assert_non_null(strstr(text, "l l b e T e b r r "));
    assert_non_null(strstr(text, "l - - - C - - - r "));
    free(text);
    layout_free(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts_have_the_numbers_of_the_page),
        cmocka_unit_test(other_sizes_are_refused),
        cmocka_unit_test(each_wrong_way_is_found),
        cmocka_unit_test(each_wrong_cell_is_found),
        cmocka_unit_test(each_wrong_number_is_found),
        cmocka_unit_test(a_missing_spur_is_found),
        cmocka_unit_test(the_drawing_is_that_of_the_page),
    };
    return cmocka_run_group_tests_name("roberts_symvonis_layout", tests, NULL, NULL);
}
