// SPDX-License-Identifier: Apache-2.0
//
// A run whose network is in parts, with threads as the members of its team (docs/scale.md): each
// has what one run of the whole network has, and the leader's observers see the same.

#include "run/run.h"
#include "team.h"

#include <glob.h>

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

static bool can_be_cut(const struct anl_scenario *scenario, uint32_t parts)
{
    struct anl_network *network;
    struct anl_engine *engine = NULL;
    struct anl_error error;
    uint32_t *part_of = calloc(anl_shape_of(&scenario->network).switches, sizeof *part_of);
    bool cut = !anl_cut(&scenario->network, parts, part_of);
    assert_int_equal(anl_network_create_bare(&scenario->network, &network), ANL_OK);
    cut = cut && !anl_engine_create_part(network, part_of, 0, &engine, &error);
    anl_engine_destroy(engine);
    anl_network_destroy(network);
    free(part_of);
    return cut;
}

// Compares teams of these sizes, as far as the network can be cut into so many parts. Returns how
// many were compared.
static size_t try_sizes(const char *text, const struct anl_scenario *scenario,
                        const uint32_t *sizes, size_t count)
{
    struct whole whole;
    size_t tried = 0;
    run_whole(scenario, &whole);
    for (size_t i = 0; i < count; i++) {
        if (!can_be_cut(scenario, sizes[i])) continue;
        for (int watched = 0; watched <= 1; watched++)
            if (!unit_slow_sample() || (i + (size_t)watched) % 2)  // then each size in one way
                same_as_whole(text, sizes[i], &whole, scenario, watched);
        tried++;
    }
    free(whole.latencies.count);
    free(whole.windows.at);
    return tried;
}

// ---------------------------------------------------------------- tests

static void try_text(const char *text)
{
    static const uint32_t sizes[] = {1, 2, 5};
    struct anl_scenario scenario;
    struct anl_error error;
    if (anl_scenario_parse(text, strlen(text), "inline", "", &scenario, &error))
        fail_msg("%s\n%s", error.text, text);
    assert_int_equal(try_sizes(text, &scenario, sizes, 3), 3);
    anl_scenario_free(&scenario);
}

static void members_have_what_one_has(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i += unit_step(3))
        try_text(texts[i]);
}

// An open loop creates worms in fewer cycles, and other runs are given up in a certain cycle.
static void shorten(struct anl_scenario *scenario)
{
    struct anl_run_config *run = &scenario->run;
    if (anl_process_is_open_loop(scenario->traffic.process)) {
        run->cycles = run->cycles < 300 ? run->cycles : 300;
        run->warmup_cycles = run->warmup_cycles < 50 ? run->warmup_cycles : 50;
    }
    run->max_cycles = run->max_cycles < 1500 ? run->max_cycles : 1500;
}

// A member that has gone on behind the end of the run drops the windows that begin there.
static void windows_behind_the_end_are_dropped(void **state)
{
    (void)state;
    static const struct {
        uint64_t cycles;
        size_t windows;
    } cases[] = {{1, 1}, {70, 1}, {71, 2}, {140, 2}, {141, 3}, {350, 5}, {360, 5}, {1000, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct anl_windows windows = {.cycles = 70, .count = 5};
        const struct anl_run_options options = {.windows = &windows};
        struct run_statistics statistics = {.end = 360, .options = &options};
        statistics_cut(&statistics, cases[i].cycles);
        assert_int_equal(windows.count, cases[i].windows);
        assert_int_equal(statistics.end, cases[i].cycles < 360 ? cases[i].cycles : 360);
    }
}

// The list of latencies of a checkpoint says that it has 2^56 entries. That is refused: it is
// longer than what is left, or, where so much is left, there is no memory for it.
static void latencies_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const uint8_t bytes[8] = {0, 0, 0, 0, 0, 0, 0, 1};
    struct run_statistics statistics = {0};
    struct anl_pack pack = {.from = bytes, .count = sizeof bytes};
    assert_int_equal(statistics_pack(&statistics, NULL, &pack), ANL_OK);
    assert_true(pack.failed);
    if (UNIT_SLOWER > 1) return;  // a sanitizer ends a program that asks for so much
    pack = (struct anl_pack){.from = bytes, .count = SIZE_MAX};
    assert_int_equal(statistics_pack(&statistics, NULL, &pack), ANL_ERR_MEMORY);
}

// With FULL=1 alone, not in other runs of all trials, such as those of mutants.
static void every_scenario_is_the_same_in_parts(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 4, 7, 8};
    size_t tried = 0;
    glob_t paths;
    (void)state;
    if (!getenv("UNIT_SHARE") || unit_share() > 1) return;
    assert_int_equal(glob("sim/scenarios/*.yaml", 0, NULL, &paths), 0);
    for (size_t i = 0; i < paths.gl_pathc; i++) {
        struct anl_scenario scenario;
        struct anl_error error;
        if (anl_scenario_load(paths.gl_pathv[i], &scenario, &error)) fail_msg("%s", error.text);
        shorten(&scenario);
        tried += try_sizes(paths.gl_pathv[i], &scenario, sizes, sizeof sizes / sizeof *sizes);
        anl_scenario_free(&scenario);
    }
    print_message("%zu teams for %zu scenarios\n", tried, (size_t)paths.gl_pathc);
    assert_true(tried > 4 * paths.gl_pathc);
    globfree(&paths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(members_have_what_one_has),
                                       cmocka_unit_test(windows_behind_the_end_are_dropped),
                                       cmocka_unit_test(latencies_that_cannot_be_are_refused),
                                       cmocka_unit_test(every_scenario_is_the_same_in_parts)};
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
