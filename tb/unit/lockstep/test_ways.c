// SPDX-License-Identifier: Apache-2.0
//
// The ways of heads against docs/networks.md: how many there are, what they are called, and which
// of them the heads of some worms take.

#include "unit.h"

#include "run/ways.h"

#include <annelid/scenario.h>
#include <string.h>

enum { UNKNOWN = 99 };

static struct anl_config mesh2(enum anl_routing routing)
{
    return (struct anl_config){.topology = ANL_MESH,
                               .k = 2,
                               .n = 2,
                               .num_vcs = 2,
                               .depth = 4,
                               .flit_width_bits = 32,
                               .routing = routing};
}

static struct ways *ways_of(const struct anl_config *config)
{
    struct ways *ways = NULL;
    assert_int_equal(anl_config_check(config, NULL), ANL_OK);
    assert_int_equal(ways_create(config, &ways), ANL_OK);
    return ways;
}

// Returns how many heads took a way; UNKNOWN: there is no such way.
static uint64_t times_of(const struct ways *ways, const char *name)
{
    struct way_taken taken;
    for (size_t at = 0; ways_next(ways, &at, &taken);)
        if (strcmp(taken.name, name) == 0) return taken.times;
    return UNKNOWN;
}

static uint32_t count_of(const struct ways *ways, const char *kind)
{
    struct way_taken taken;
    uint32_t count = 0;
    for (size_t at = 0; ways_next(ways, &at, &taken); count++)
        assert_string_equal(taken.kind, kind);
    return count;
}

static void west_first_has_each_pair_of_signs(void **unused)
{
    (void)unused;
    static const char *const names[] = {
        "here by T",   "+0 by +0",    "-0 by -0",    "+1 by +1",    "-1 by -1",    "+0 +1 by +0",
        "+0 +1 by +1", "+0 -1 by +0", "+0 -1 by -1", "-0 +1 by -0", "-0 -1 by -0",
    };
    const struct anl_config config = mesh2(ANL_WEST_FIRST);
    struct ways *ways = ways_of(&config);
    const uint32_t count = sizeof names / sizeof *names;
    assert_int_equal(count_of(ways, "mesh n=2 west_first"), count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(times_of(ways, names[i]), 0);
    ways_destroy(ways);
}

// A number of ways that the page of networks gives. A torus of four has each of four signs with
// both classes: in dimension 0 beside five of dimension 1, then in dimension 1, and none.
static void there_are_as_many_as_the_rules_say(void **unused)
{
    (void)unused;
    static const struct {
        struct anl_config config;
        const char *kind;
        uint32_t count;
    } networks[] = {
        {{.topology = ANL_TORUS, .k = 4, .n = 2, .num_vcs = 3, .routing = ANL_DATELINE},
         "torus n=2 dateline",
         8 * 5 + 8 + 1},
        {{.topology = ANL_UNIDIRECTIONAL_TORUS,
          .k = 3,
          .n = 2,
          .num_vcs = 2,
          .routing = ANL_DATELINE},
         "unidirectional_torus n=2 dateline",
         2 * 2 + 2 + 1},
        {{.topology = ANL_HYPERCUBE, .k = 2, .n = 4, .num_vcs = 1, .routing = ANL_E_CUBE},
         "hypercube n=4 e_cube",
         16},
        {{.topology = ANL_MESH, .k = 3, .n = 2, .num_vcs = 2, .routing = ANL_ADAPTIVE},
         "mesh n=2 adaptive",  // and each port of dimension order in the escape lane
         1 + 4 * 2 + 4 * 3},
        {{.topology = ANL_FAT_TREE, .k = 4, .n = 2, .num_vcs = 2, .routing = ANL_UP_DOWN_FIXED},
         "fat_tree n=2 up_down_fixed",
         6 + 4 + 4},
        {{.topology = ANL_BUTTERFLY,
          .k = 3,
          .n = 2,
          .passes = 2,
          .num_vcs = 1,
          .routing = ANL_DESTINATION_TAG},
         "butterfly n=2 two passes destination_tag",
         3 * 3},
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        struct anl_config config = networks[i].config;
        config.depth = 4;
        config.flit_width_bits = 64;
        struct ways *ways = ways_of(&config);
        assert_int_equal(count_of(ways, networks[i].kind), networks[i].count);
        ways_destroy(ways);
    }
}

static void cross(struct ways *ways, uint32_t link, uint32_t worm, uint32_t destination)
{
    const struct anl_flit flit = {.link = link, .worm = worm, .vc = 1, .head = true};
    ways_head(ways, &flit, destination);
}

// Worm 5 goes from terminal 3 to terminal 0, west and then south, while worm 6 begins.
static void heads_are_followed(void **unused)
{
    (void)unused;
    const struct anl_config config = mesh2(ANL_WEST_FIRST);
    struct ways *ways = ways_of(&config);
    const uint32_t ports = anl_shape_of(&config).ports;
    cross(ways, anl_injection_link(&config, 3), 5, 0);
    cross(ways, anl_injection_link(&config, 0), 6, 1);
    assert_int_equal(times_of(ways, "-0 -1 by -0"), 0);
    cross(ways, 3 * ports + 1, 5, 0);
    assert_int_equal(times_of(ways, "-0 -1 by -0"), 1);
    cross(ways, 2 * ports + 3, 5, 0);
    assert_int_equal(times_of(ways, "-1 by -1"), 1);
    cross(ways, anl_ejection_link(&config, 0), 5, 0);
    assert_int_equal(times_of(ways, "here by T"), 1);
    cross(ways, 0 * ports + 0, 6, 1);
    assert_int_equal(times_of(ways, "+0 by +0"), 1);
    cross(ways, 0 * ports + 0, 7, 1);  // whose head has never come
    assert_int_equal(times_of(ways, "+0 by +0"), 1);
    ways_destroy(ways);
}

static void odd_even_asks_for_the_column(void **unused)
{
    (void)unused;
    struct anl_config config = mesh2(ANL_ODD_EVEN);
    config.k = 4;
    struct ways *ways = ways_of(&config);
    assert_int_equal(times_of(ways, "+0 +1 by +1"), 0);                // from its terminal
    assert_int_equal(times_of(ways, "+0 +1 from -0 by +1"), UNKNOWN);  // a turn that is forbidden
    assert_int_equal(times_of(ways, "+0 +1 odd column from -0 by +1"), 0);
    ways_destroy(ways);
}

// triangle.yaml: three switches, each with an entry for each terminal; c sends to b by way of a.
static void a_table_has_its_own(void **unused)
{
    (void)unused;
    struct anl_scenario scenario;
    struct anl_error error;
    struct way_taken taken;
    size_t at = 0;
    assert_int_equal(anl_scenario_load("sim/scenarios/triangle.yaml", &scenario, &error), ANL_OK);
    struct ways *ways = ways_of(&scenario.network);
    assert_int_equal(count_of(ways, "graph table"), 9);
    assert_int_equal(times_of(ways, "2(c) for T1 by 0"), 0);
    assert_int_equal(times_of(ways, "2(c) for T1 by 1"), UNKNOWN);
    assert_true(ways_next(ways, &at, &taken) && taken.own);
    ways_destroy(ways);
    anl_scenario_free(&scenario);
}

static void switches_without_buffers_have_none(void **unused)
{
    (void)unused;
    struct anl_config config = mesh2(ANL_DIMENSION_ORDER);
    config.kind = ANL_BUFFERLESS;
    struct ways *ways = NULL;
    struct way_taken taken;
    size_t at = 0;
    assert_int_equal(ways_create(&config, &ways), ANL_OK);
    assert_null(ways);
    assert_false(ways_next(ways, &at, &taken));
    ways_destroy(ways);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(west_first_has_each_pair_of_signs),
        cmocka_unit_test(there_are_as_many_as_the_rules_say),
        cmocka_unit_test(heads_are_followed),
        cmocka_unit_test(odd_even_asks_for_the_column),
        cmocka_unit_test(a_table_has_its_own),
        cmocka_unit_test(switches_without_buffers_have_none),
    };
    return cmocka_run_group_tests_name("ways", tests, NULL, NULL);
}
