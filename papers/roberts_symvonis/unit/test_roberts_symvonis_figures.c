// SPDX-License-Identifier: Apache-2.0
//
// The drawings of a supernode are those of the page, and the trace of a superstep is one that a
// mesh without buffers can make.

#include "unit_papers.h"

#include "papers/roberts_symvonis/program/figures.h"

#include <annelid/blocking.h>

#include <string.h>

// Returns the text of a figure, which the caller frees.
static char *drawn(enum figure figure)
{
    struct anl_error error;
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    assert_non_null(out);
    assert_int_equal(figure_write(figure, out, &error), ANL_OK);
    assert_int_equal(fclose(out), 0);
    return text;
}

// After a change of a figure: make paper-roberts-symvonis SHORT=1, and copy it (the page says how).
static void figures_are_those_of_the_page(void **state)
{
    (void)state;
    for (enum figure figure = 0; figure < FIGURES; figure++) {
        char path[128];
        snprintf(path, sizeof path, "papers/roberts_symvonis/images/supernode-%s.svg",
                 figure_name(figure));
        char *text = drawn(figure), *page = calloc(strlen(text) + 2, 1);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        assert_non_null(page);
        const size_t bytes = fread(page, 1, strlen(text) + 1, file);
        fclose(file);
        if (bytes != strlen(text) || strcmp(text, page) != 0) fail_msg("%s is stale", path);
        free(text);
        free(page);
    }
}

// Returns how often a text contains another one.
static size_t count_of(const char *text, const char *what)
{
    size_t count = 0;
    for (; (text = strstr(text, what)); text++)
        count++;
    return count;
}

// 81 cells; 13 and 8 choosing cells, 10 spurs; an arrow for each step of the four buffers.
static void figures_show_what_the_layout_has(void **state)
{
    (void)state;
    char *cells = drawn(FIGURE_CELLS), *trails = drawn(FIGURE_TRAILS);
    char *buffers = drawn(FIGURE_BUFFERS), *way = drawn(FIGURE_WAY);
    assert_int_equal(count_of(cells, "rx=\"5\""), 81);
    assert_int_equal(count_of(trails, "r=\"15\""), 10);
    assert_int_equal(count_of(buffers, "rx=\"6\""), 21);
    assert_int_equal(count_of(buffers, "<path d=\"M"), 4 * 4 + 1);  // and the line of the panel
    assert_int_equal(count_of(way, "rx=\"5\""), 2 * 81);
    assert_true(count_of(way, "#009e73") > 8);  // at least a round in each of two buffers
    free(cells);
    free(trails);
    free(buffers);
    free(way);
}

static enum anl_status feed(struct anl_blocking *blocking, const struct anl_record *record,
                            struct anl_error *error)
{
    if (record->kind == ANL_RECORD_WORM)
        return anl_blocking_feed_worm(blocking, &record->worm, error);
    return ANL_OK;
}

// Every flit of the trace stands where it can leave from, and none is ever lost.
static void nothing_is_lost_in_a_superstep(void **state)
{
    (void)state;
    static const char path[] = "build/superstep-test.anlt";
    const struct anl_config mesh = {.kind = ANL_BUFFERLESS,
                                    .topology = ANL_MESH,
                                    .k = 18,
                                    .n = 2,
                                    .num_vcs = 1,
                                    .depth = 1,
                                    .flit_width_bits = 64,
                                    .routing = ANL_DIMENSION_ORDER};
    struct anl_error error;
    struct anl_trace_reader *reader;
    struct anl_blocking *blocking;
    struct anl_record record;
    struct anl_flit flits[2048];
    size_t count = 0, moved = 0;
    uint64_t cycle = 0;
    assert_int_equal(superstep_trace(path, &error), ANL_OK);
    assert_int_equal(anl_trace_open(path, &reader, &error), ANL_OK);
    assert_int_equal(anl_blocking_create(&mesh, NULL, &blocking), ANL_OK);
    do {
        assert_int_equal(anl_trace_next(reader, &record, &error), ANL_OK);
        for (; cycle < record.cycle; cycle++, count = 0)
            if (anl_blocking_feed_flits(blocking, cycle, flits, count, &error))
                fail_msg("%s", error.text);
        assert_int_equal(feed(blocking, &record, &error), ANL_OK);
        if (record.kind == ANL_RECORD_FLIT) flits[count++] = record.flit;
        moved += record.kind == ANL_RECORD_FLIT;
        for (uint32_t i = 0; i < anl_blocking_num_buffers(blocking); i++)
            assert_int_not_equal(anl_blocking_buffer(blocking, i).wait, ANL_LOST);
    } while (record.kind != ANL_RECORD_END);
    assert_true(moved > 10000);
    assert_int_equal(anl_blocking_totals(blocking).worms, 20);
    anl_blocking_destroy(blocking);
    anl_trace_close(reader);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_the_page),
        cmocka_unit_test(figures_show_what_the_layout_has),
        cmocka_unit_test(nothing_is_lost_in_a_superstep),
    };
    return cmocka_run_group_tests_name("roberts_symvonis_figures", tests, NULL, NULL);
}
