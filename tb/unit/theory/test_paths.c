// SPDX-License-Identifier: Apache-2.0
//
// What the theory asks of the paths of a set of worms, against slow looking: congestion, dilation,
// no cycle of dependencies, no two paths that part and meet again; and when shortest paths of a
// fat-tree do.

#include "unit_traffic.h"
#include "unit_tree.h"

#include <annelid/theory.h>

// Paths as lists of links that end with -1, one after the other; the list ends with -1 alone.
static void paths_of(struct anl_paths *paths, uint32_t links, const int *list)
{
    *paths = (struct anl_paths){.links = links, .num_vcs = 1};
    for (uint32_t worm = 0; *list >= 0; worm++, list++)
        for (; *list >= 0; list++)
            assert_int_equal(anl_paths_add(paths, worm, (uint32_t)*list), ANL_OK);
    assert_int_equal(anl_paths_settle(paths), ANL_OK);
}

static void expect_measures(const int *list, uint32_t congestion, uint32_t dilation)
{
    struct anl_paths paths;
    struct anl_paths_measures measures;
    paths_of(&paths, 16, list);
    assert_int_equal(anl_paths_measure(&paths, &measures), ANL_OK);
    assert_int_equal(measures.congestion, congestion);
    assert_int_equal(measures.dilation, dilation);
    anl_paths_free(&paths);
}

static void congestion_and_dilation_of_small_sets(void **state)
{
    (void)state;
    expect_measures((int[]){5, -1, -1}, 1, 1);
    expect_measures((int[]){0, 1, 2, -1, 3, 1, 4, -1, 1, -1, -1}, 3, 3);
    expect_measures((int[]){0, 1, 2, 3, -1, 4, -1, 4, -1, 5, 0, -1, -1}, 2, 4);
}

// The same by pairs: positions of the links that both have must be runs of both.
static bool slow_contiguous(const struct anl_paths *paths, uint32_t a, uint32_t b)
{
    size_t shared = 0, after = 0;  // shared links; how many of them follow a shared one in both
    for (size_t i = paths->begin[a]; i < paths->begin[a + 1]; i++)
        for (size_t j = paths->begin[b]; j < paths->begin[b + 1]; j++) {
            if (paths->channels[i] != paths->channels[j]) continue;
            shared++;
            after += i > paths->begin[a] && j > paths->begin[b] &&
                     paths->channels[i - 1] == paths->channels[j - 1];
        }
    return shared == 0 || after == shared - 1;
}

static bool slow_all_contiguous(const struct anl_paths *paths)
{
    for (uint32_t a = 0; a < paths->worms; a++)
        for (uint32_t b = 0; b < a; b++)
            if (!slow_contiguous(paths, a, b)) return false;
    return true;
}

// By the transitive closure.
static bool slow_acyclic(const struct anl_paths *paths)
{
    bool reach[16][16] = {{false}};
    for (uint32_t w = 0; w < paths->worms; w++)
        for (size_t i = paths->begin[w]; i + 1 < paths->begin[w + 1]; i++)
            reach[paths->channels[i]][paths->channels[i + 1]] = true;
    for (uint32_t k = 0; k < 16; k++)
        for (uint32_t i = 0; i < 16; i++)
            for (uint32_t j = 0; j < 16; j++)
                reach[i][j] |= reach[i][k] && reach[k][j];
    for (uint32_t i = 0; i < 16; i++)
        if (reach[i][i]) return false;
    return true;
}

static bool follows(const struct anl_paths *paths, uint32_t from, uint32_t to)
{
    for (uint32_t w = 0; w < paths->worms; w++)
        for (size_t i = paths->begin[w]; i + 1 < paths->begin[w + 1]; i++)
            if (paths->channels[i] == from && paths->channels[i + 1] == to) return true;
    return false;
}

// A few paths over links, each link at most once, often alike; upwards: links only ascend, else
// round and round.
static void draw_paths(struct anl_rng *rng, struct anl_paths *paths, bool upwards)
{
    const uint32_t links = 4 + anl_rng_below(rng, 9), steps = 1 + anl_rng_below(rng, 3);
    *paths = (struct anl_paths){.links = links, .num_vcs = 1};
    const uint32_t worms = 1 + anl_rng_below(rng, 6);
    for (uint32_t w = 0; w < worms; w++) {
        const uint32_t most = 2 + anl_rng_below(rng, 4);
        uint32_t used = 0, link = anl_rng_below(rng, links);
        for (uint32_t i = 0; i < most && !(used >> link & 1); i++) {
            assert_int_equal(anl_paths_add(paths, w, link), ANL_OK);
            used |= 1u << link;
            link += 1 + anl_rng_below(rng, steps);
            if (upwards && link >= links) break;
            link %= links;
        }
    }
    assert_int_equal(anl_paths_settle(paths), ANL_OK);
}

static void conditions_are_what_slow_looking_finds(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(2, 0);
    int kinds[2][2] = {{0}};
    for (int trial = 0; trial < 4000; trial++) {
        struct anl_paths paths;
        struct anl_paths_meeting meeting;
        uint32_t *cycle;
        size_t length;
        draw_paths(&rng, &paths, trial % 2);
        assert_int_equal(anl_paths_find_cycle(&paths, &cycle, &length), ANL_OK);
        assert_int_equal(anl_paths_find_meeting(&paths, &meeting), ANL_OK);
        assert_int_equal(length == 0, slow_acyclic(&paths));
        for (size_t i = 0; i < length; i++)
            assert_true(follows(&paths, cycle[i], cycle[(i + 1) % length]));
        assert_int_equal(!meeting.found, slow_all_contiguous(&paths));
        if (meeting.found)
            assert_false(slow_contiguous(&paths, meeting.worms[0], meeting.worms[1]));
        kinds[length == 0][!meeting.found]++;
        free(cycle);
        anl_paths_free(&paths);
    }
    assert_true(kinds[0][0] > 50 && kinds[0][1] > 50 && kinds[1][0] > 50 && kinds[1][1] > 50);
}

// The paper says that shortest paths of a fat-tree do not meet twice; they can: up together, over
// different roots, down together.
static void shortest_paths_of_a_fat_tree_can_meet_twice(void **state)
{
    (void)state;
    const struct anl_config config = tree(3, ANL_UP_DOWN_FIXED);
    const struct anl_worm worms[] = {{.id = 0, .source = 0, .destination = 60, .path = 0},
                                     {.id = 1, .source = 1, .destination = 61, .path = 2},
                                     {.id = 2, .source = 1, .destination = 61, .path = 1}};
    for (int second = 1; second <= 2; second++) {
        struct anl_paths paths;
        struct anl_paths_meeting meeting;
        uint32_t *cycle;
        size_t length;
        struct anl_worm other = worms[second];
        other.id = 1;
        anl_paths_begin(&paths, &config);
        assert_int_equal(anl_paths_add_route(&paths, &config, &worms[0]), ANL_OK);
        assert_int_equal(anl_paths_add_route(&paths, &config, &other), ANL_OK);
        assert_int_equal(anl_paths_settle(&paths), ANL_OK);
        assert_int_equal(paths.begin[1], 6);
        assert_int_equal(anl_paths_find_cycle(&paths, &cycle, &length), ANL_OK);
        assert_int_equal(length, 0);
        assert_int_equal(anl_paths_find_meeting(&paths, &meeting), ANL_OK);
        assert_int_equal(meeting.found, second == 1);
        assert_int_equal(meeting.found, !slow_contiguous(&paths, 0, 1));
        anl_paths_free(&paths);
    }
}

static size_t cycle_in(const char *text)
{
    struct anl_scenario scenario = scenario_of(text);
    struct anl_trial drawn;
    struct anl_paths paths;
    uint32_t *cycle;
    size_t length;
    anl_paths_begin(&paths, &scenario.network);
    assert_int_equal(anl_trial_draw(&scenario, &paths, &drawn, NULL), ANL_OK);
    assert_int_equal(anl_paths_settle(&paths), ANL_OK);
    assert_int_equal(anl_paths_find_cycle(&paths, &cycle, &length), ANL_OK);
    free(cycle);
    anl_paths_free(&paths);
    anl_scenario_free(&scenario);
    return length;
}

static void dateline_lanes_break_the_cycle(void **state)
{
    (void)state;
    assert_int_equal(
        cycle_in("network: {topology: unidirectional_torus, k: 5, n: 1, unsafe: true}\n"
                 "switch: {num_vcs: 2, routing: dimension_order}\n"
                 "traffic: {process: batch, pattern: tornado}\n"),
        5);
    assert_int_equal(cycle_in("network: {topology: unidirectional_torus, k: 5, n: 1}\n"
                              "switch: {num_vcs: 2, routing: dateline}\n"
                              "traffic: {process: batch, pattern: tornado}\n"),
                     0);
}

// --- when shortest paths meet twice ---

static uint32_t subtree_of(uint32_t terminal, uint32_t level) { return terminal >> 2 * level; }

// Which of the links above its subtree of this level a worm takes: a bit per level,
// docs/networks.md.
static uint32_t link_above(const struct anl_worm *worm, uint32_t level)
{
    uint32_t link = 0;
    for (uint32_t l = 1; l <= level; l++)
        link |= ((subtree_of(worm->source, l) ^ worm->path >> (l - 1)) & 1) << (l - 1);
    return link;
}

// papers/greenberg_oh/README.md: from one subtree to another, out of the first by one link, and
// there to different parents.
static bool meet_twice(const struct anl_worm *a, const struct anl_worm *b, uint32_t n)
{
    for (uint32_t l = 0; l + 2 <= n; l++) {
        const bool together = subtree_of(a->source, l) == subtree_of(b->source, l) &&
                              subtree_of(a->destination, l) == subtree_of(b->destination, l) &&
                              link_above(a, l) == link_above(b, l);
        const bool higher = subtree_of(a->source, l + 1) != subtree_of(a->destination, l + 1);
        if (together && higher && link_above(a, l + 1) != link_above(b, l + 1)) return true;
    }
    return false;
}

// A worm between two small neighbourhoods, sometimes the same one, so that pairs often have much in
// common.
static struct anl_worm draw_worm(struct anl_rng *rng, uint32_t n, uint32_t id)
{
    const uint32_t near = 1u << anl_rng_below(rng, 2 * n + 1), last = (1u << 2 * n) - 1;
    const uint32_t to = anl_rng_below(rng, near);
    return (struct anl_worm){.id = id,
                             .source = anl_rng_below(rng, near),
                             .destination = anl_rng_below(rng, 2) ? to : last - to,
                             .path = anl_rng_below(rng, 1u << (n - 1))};
}

static bool paths_meet(const struct anl_config *config, const struct anl_worm *worms,
                       uint32_t count)
{
    struct anl_paths paths;
    struct anl_paths_meeting meeting;
    anl_paths_begin(&paths, config);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(anl_paths_add_route(&paths, config, &worms[i]), ANL_OK);
    assert_int_equal(anl_paths_settle(&paths), ANL_OK);
    assert_int_equal(anl_paths_find_meeting(&paths, &meeting), ANL_OK);
    assert_int_equal(!meeting.found, slow_all_contiguous(&paths));
    anl_paths_free(&paths);
    return meeting.found;
}

static void it_is_known_which_paths_meet_twice(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(5, 0);
    for (uint32_t n = 1; n <= 4; n++) {
        const struct anl_config config = tree(n, ANL_UP_DOWN_FIXED);
        int found = 0, far = 0;
        for (int trial = 0; trial < 5000; trial++) {
            const struct anl_worm worms[] = {draw_worm(&rng, n, 0), draw_worm(&rng, n, 1)};
            const bool expected = meet_twice(&worms[0], &worms[1], n);
            assert_int_equal(paths_meet(&config, worms, 2), expected);
            found += expected;
            far += expected && worms[0].source != worms[1].source;
        }
        assert_int_equal(found > 30, n >= 2);
        assert_int_equal(far > 30, n >= 3);  // at N = 16 only two worms of one source
    }
}

static void choose(struct anl_worm *worm, uint32_t n, bool by_source)
{
    const uint32_t end = by_source ? worm->source : worm->destination;
    worm->path = 0;
    for (uint32_t l = 0; l + 1 < n; l++)
        worm->path |= (subtree_of(end, l) & 1) << l;
}

// If the subtree of the destination chooses the up link, or that of the source, no two paths do.
static void ends_that_choose_keep_paths_together(void **state)
{
    (void)state;
    enum { WORMS = 150 };
    struct anl_rng rng = anl_rng_seed(6, 0);
    for (uint32_t n = 2; n <= 4; n++) {
        const struct anl_config config = tree(n, ANL_UP_DOWN_FIXED);
        int by_chance = 0;
        for (int trial = 0; trial < 40; trial++) {
            struct anl_worm worms[WORMS];
            for (uint32_t i = 0; i < WORMS; i++)
                worms[i] = draw_worm(&rng, n, i);
            by_chance += paths_meet(&config, worms, WORMS);
            for (uint32_t i = 0; i < WORMS; i++)
                choose(&worms[i], n, trial % 2);
            assert_false(paths_meet(&config, worms, WORMS));
        }
        assert_true(by_chance >= 30);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(congestion_and_dilation_of_small_sets),
        cmocka_unit_test(conditions_are_what_slow_looking_finds),
        cmocka_unit_test(shortest_paths_of_a_fat_tree_can_meet_twice),
        cmocka_unit_test(dateline_lanes_break_the_cycle),
        cmocka_unit_test(it_is_known_which_paths_meet_twice),
        cmocka_unit_test(ends_that_choose_keep_paths_together),
    };
    return cmocka_run_group_tests_name("theory_paths", tests, NULL, NULL);
}
