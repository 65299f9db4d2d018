// SPDX-License-Identifier: Apache-2.0
//
// A run whose network is in parts, with threads as the members of its team (docs/scale.md): each
// has what one run of the whole network has, and the leader's observers see the same.

#include "team.h"

// ---------------------------------------------------------------- comparison

struct whole {
    struct anl_run_result result;
    struct anl_latencies latencies;
    struct anl_windows windows;
};

static void run_whole(const struct anl_scenario *scenario, struct whole *whole)
{
    struct anl_error error;
    *whole = (struct whole){.windows.cycles = 70};
    const struct anl_run_options options = {.digest = true,
                                            .referee = true,
                                            .latencies = &whole->latencies,
                                            .windows = &whole->windows};
    if (anl_run(scenario, &options, &whole->result, &error)) fail_msg("%s", error.text);
}

static void same_lines(const struct anl_run_result *a, const struct anl_run_result *b, bool leads)
{
    for (int line = 0; line < ANL_RUN_LINES; line++) {
        char x[ANL_RUN_LINE_BYTES] = "", y[ANL_RUN_LINE_BYTES] = "";
        const bool observed = line == ANL_LINE_DIGEST || line == ANL_LINE_REFEREE;
        if (line == ANL_LINE_SPEED || (observed && !leads)) continue;
        anl_run_line(a, (enum anl_run_line)line, x, sizeof x);
        anl_run_line(b, (enum anl_run_line)line, y, sizeof y);
        assert_string_equal(x, y);
    }
    assert_int_equal(a->totals.flit_hops, b->totals.flit_hops);
    assert_int_equal(a->totals.ejected_flits, b->totals.ejected_flits);
    assert_int_equal(a->totals.queued, b->totals.queued);
    assert_int_equal(a->cycles, b->cycles);
    assert_int_equal(a->window_cycles, b->window_cycles);
}

static void same_latencies(const struct anl_latencies *a, const struct anl_latencies *b)
{
    for (size_t i = 0; i < a->size || i < b->size; i++)
        assert_int_equal(i < a->size ? a->count[i] : 0, i < b->size ? b->count[i] : 0);
}

// Without observers members skip cycles in which nothing happens.
static void same_as_whole(const char *text, uint32_t size, const struct whole *whole,
                          const struct anl_scenario *scenario, bool watched)
{
    static struct group group;
    const struct anl_run_options options = {.digest = watched, .referee = watched};
    run_group(&group, scenario, size, &options);
    for (uint32_t m = 0; m < size; m++) {
        const struct member *member = &group.members[m];
        if (member->status) fail_msg("%u members: %s\n%s", size, member->error.text, text);
        same_lines(&whole->result, &member->result, watched && m == 0);
        same_latencies(&whole->latencies, &member->latencies);
        assert_int_equal(member->windows.count, whole->windows.count);
        assert_memory_equal(member->windows.at, whole->windows.at,
                            whole->windows.count * sizeof *whole->windows.at);
    }
    free_group(&group);
}

static void try_all_sizes(const char *text)
{
    static const uint32_t sizes[] = {1, 2, 5};
    struct anl_scenario scenario;
    struct anl_error error;
    struct whole whole;
    if (anl_scenario_parse(text, strlen(text), "inline", "", &scenario, &error))
        fail_msg("%s\n%s", error.text, text);
    run_whole(&scenario, &whole);
    assert_true(whole.result.totals.delivered > 0);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int watched = 0; watched <= 1; watched++)
            same_as_whole(text, sizes[i], &whole, &scenario, watched);
    free(whole.latencies.count);
    free(whole.windows.at);
    anl_scenario_free(&scenario);
}

// ---------------------------------------------------------------- tests

static void members_have_what_one_has(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        try_all_sizes(texts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(members_have_what_one_has)};
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
