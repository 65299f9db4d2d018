// SPDX-License-Identifier: Apache-2.0
//
// The parts that networks are put together of: their names, which of them a switch is, and which
// networks have none.

#include "unit.h"

#include "run/parts.h"
#include "run/tables.h"

#include <annelid/scenario.h>
#include <string.h>

static struct anl_scenario scenario_of(const char *name, const char *setting)
{
    char path[128];
    struct anl_scenario scenario;
    struct anl_error error;
    snprintf(path, sizeof path, "sim/scenarios/%s.yaml", name);
    const char *const settings[] = {setting};
    assert_int_equal(anl_scenario_load_with(path, settings, setting != NULL, &scenario, &error),
                     ANL_OK);
    return scenario;
}

static void expect_switch(const char *name, const char *setting, uint32_t part, const char *wanted)
{
    struct anl_scenario scenario = scenario_of(name, setting);
    char seen[PART_BYTES];
    assert_null(parts_refuse(&scenario.network));
    parts_name_switch(&scenario.network, part, seen);
    assert_string_equal(seen, wanted);
    anl_scenario_free(&scenario);
}

static void a_part_has_the_parameters_of_its_switch(void **state)
{
    (void)state;
    expect_switch("mesh4_uniform", NULL, 0,
                  "switch/cube_K4_N2_Topology0_Routing0_NumVcs4_Depth4_FlitW32_Arbiter1");
    expect_switch("slices_mesh3", NULL, 0,
                  "switch/cube_K3_N2_Topology0_Routing0_NumVcs2_Depth4_FlitW32_Arbiter1");
    expect_switch("graph_petersen", NULL, 0,
                  "switch/graph_K10_N1_NumVcs2_Depth6_FlitW32_Arbiter0_FlowControl2_Ports4");
}

static void levels_are_parts_of_their_own(void **state)
{
    (void)state;
    struct anl_scenario tree = scenario_of("fattree16_store_registered", NULL);
    char first[PART_BYTES], last[PART_BYTES];
    assert_int_equal(parts_count(&tree.network), 2);
    assert_int_equal(parts_of_switch(&tree.network, 3), 0);
    assert_int_equal(parts_of_switch(&tree.network, 4), 1);
    assert_int_equal(parts_here(&tree.network, 4), 0);
    parts_name_switch(&tree.network, 0, first);
    parts_name_switch(&tree.network, 1, last);
    assert_non_null(strstr(first, "_Level1"));
    assert_non_null(strstr(last, "_Level2"));
    anl_scenario_free(&tree);
}

static void links_are_parts_if_they_take_several_cycles(void **state)
{
    (void)state;
    char name[PART_BYTES];
    struct anl_scenario wires = scenario_of("mesh4_uniform", NULL),
                        slices = scenario_of("slices_mesh3", NULL);
    parts_name_link(&wires.network, name);
    assert_string_equal(name, "");
    parts_name_link(&slices.network, name);
    assert_memory_equal(name, "link/Cycles", strlen("link/Cycles"));
    anl_scenario_free(&wires);
    anl_scenario_free(&slices);
}

static void other_kinds_have_none(void **state)
{
    (void)state;
    struct anl_scenario scenario = scenario_of("wide_mesh3_chained", NULL);
    assert_null(parts_refuse(&scenario.network));
    scenario.network.kind = ANL_BUFFERLESS;
    assert_non_null(parts_refuse(&scenario.network));
    anl_scenario_free(&scenario);
}

static void terminals_have_the_width_of_labels_if_a_length_stands_behind(void **state)
{
    (void)state;
    char name[PART_BYTES];
    struct anl_scenario scenario = scenario_of("mesh4_uniform", NULL);
    parts_name_terminal(&scenario.network, name);
    assert_string_equal(name, "terminal/NumVcs4_Depth4_FlitW32");
    scenario.network.credits = ANL_BYPASS;
    scenario.network.flow_control = ANL_CUT_THROUGH;
    parts_name_terminal(&scenario.network, name);
    assert_string_equal(name, "terminal/NumVcs4_Depth4_FlitW32_FlowControl1_CreditBypass1_DstW4");
    anl_scenario_free(&scenario);
}

// Each entry has the port and the lanes of the route, and bits behind a vector are left out.
static void tables_have_the_routes(void **state)
{
    (void)state;
    struct anl_scenario scenario = scenario_of("graph_petersen", NULL);
    const struct anl_graph *graph = scenario.network.graph;
    uint32_t words[6];
    for (uint32_t s = 0; s < graph->switches; s++) {
        memset(words, 0, sizeof words);
        tables_routes(&scenario.network, s, (struct bits){words, 5});
        assert_int_equal(words[5], 0);
        for (uint32_t t = 0; t < graph->terminals; t++) {
            const struct anl_end home =
                anl_end_of(&scenario.network, anl_injection_link(&scenario.network, t));
            const uint32_t entry = words[t / 2] >> 16 * (t % 2) & 0xffff;
            if (home.node == s) assert_int_equal(entry & 0xff, home.port);
            assert_in_range(entry >> 8, 1, 3);
        }
    }
    anl_scenario_free(&scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_has_the_parameters_of_its_switch),
        cmocka_unit_test(levels_are_parts_of_their_own),
        cmocka_unit_test(links_are_parts_if_they_take_several_cycles),
        cmocka_unit_test(other_kinds_have_none),
        cmocka_unit_test(terminals_have_the_width_of_labels_if_a_length_stands_behind),
        cmocka_unit_test(tables_have_the_routes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
