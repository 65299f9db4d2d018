// SPDX-License-Identifier: Apache-2.0
//
// Classes of messages with routings and tables of their own (docs/switch.md, "Message classes", and
// docs/scenario.md): what is read, what is refused, and what a trace carries.

#include "unit_scenario.h"

#include <annelid/network.h>
#include <stdlib.h>

#define CUBE "network: {topology: cube, radix: [3, 2]}\n"
#define RING                                                                                       \
    "graph:\n  switches: [a, b, c]\n  terminals: [a.0, b.0, c.0]\n"                                \
    "  links: [[a.1, b.2], [b.1, c.2], [c.1, a.2]]\n"
#define GRAPH "network: {topology: graph}\n"

static uint32_t first_port(const struct anl_scenario *s, uint32_t switch_, uint32_t vc,
                           uint32_t terminal)
{
    const struct anl_input_lane at = {switch_, 0, vc};
    return anl_first_way(anl_route_at(&s->network, at, terminal)).port;
}

static void each_class_of_a_cube_has_its_routing(void **state)
{
    (void)state;
    struct anl_scenario s = must_parse(
        CUBE "switch: {num_vcs: 2, classes: 2, class_routing: [dimension_order, odd_even]}\n");
    assert_true(anl_classes_differ(&s.network));
    assert_int_equal(first_port(&s, 1, 0, 5), 0);  // east
    assert_int_equal(first_port(&s, 1, 1, 5), 2);  // north: column 2 is even
    anl_scenario_free(&s);
}

// The text of a trace gives the same tables again, though it names no file.
static void tables_of_classes_are_read_and_written(void **state)
{
    (void)state;
    static const char rows[] =
        "  class_routes: [[0, 0, 1-2, 1, 0-1], [0, 1, 2, 1, all], [0, 1, 0, 2, all], [0, 2, 0-1, "
        "2, "
        "all],\n    [1, a, 1, 1, all], [1, a, 2, 2, all], [1, b, 2, 1, 0], [1, b, 0, 2, all],\n"
        "    [1, c, 0, 1, all], [1, c, 1, 2, all]]\n";
    char text[1024];
    snprintf(text, sizeof text, "%s%s%s%s", GRAPH,
             "switch: {num_vcs: 4, classes: 2, routing: table}\n", RING, rows);
    struct anl_scenario s = must_parse(text), again = must_parse(s.text);
    const struct anl_scenario *both[] = {&s, &again};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(first_port(both[i], 0, 0, 2), 1);
        assert_int_equal(first_port(both[i], 0, 2, 2), 2);
        const struct anl_route route =
            anl_route_at(&both[i]->network, (struct anl_input_lane){1, 0, 3}, 2);
        assert_int_equal(route.vcs[1], 4);
    }
    assert_int_equal(anl_graph_hash(s.graph), anl_graph_hash(again.graph));
    anl_scenario_free(&s);
    anl_scenario_free(&again);
}

static void a_class_may_have_layers_beside_others(void **state)
{
    (void)state;
    struct anl_scenario s = must_parse(
        GRAPH "switch: {num_vcs: 4, classes: 2, class_routing: [layered, up_down]}\n" RING);
    assert_int_equal(s.graph->next->num_layers, 1);
    assert_int_equal(anl_injection_vcs(&s.network, 0, 1) >> 2, 3);
    anl_scenario_free(&s);
}

// No routes form a circle here, so nobody asks for the escape lanes that one class alone has.
static void one_class_may_have_escape_lanes(void **state)
{
    (void)state;
    static const char *const routings[] = {"up_down, table", "table, up_down"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 GRAPH
                 "switch: {num_vcs: 4, classes: 2, escape_vcs: 1, class_routing: [%s]}\n"
                 "graph: {switches: 2, terminals: [0.0, 1.0], links: [[0.1, 1.1]],\n"
                 "  class_routes: [[%d, 0, 1, 1, all], [%d, 1, 0, 1, all], [%d, 0, 0, 0, all], "
                 "[%d, 1, 1, 0, all]]}\n",
                 routings[i], !i, !i, !i, !i);
        struct anl_scenario s = must_parse(text);
        assert_int_equal(anl_escape_lanes(&s.network), i ? 1 << 1 : 1 << 3);
        anl_scenario_free(&s);
    }
}

static void contradictions_are_refused(void **state)
{
    (void)state;
    static const struct refused refused[] = {
        {CUBE "switch: {num_vcs: 2, classes: 2, class_routing: [odd_even]}\n", 2,
         "class_routing names 1 routings", "classes is 2"},
        {CUBE "switch: {class_routing: [odd_even]}\n", 2, "class_routing names 1",
         "one for each of several classes"},
        {CUBE "switch: {num_vcs: 2, classes: 2,\n  routing: odd_even,\n"
              "  class_routing: [odd_even, dimension_order]}\n",
         4, "takes the place of routing", "one of them"},
        {"network: {topology: mesh, k: 2, n: 1}\n"
         "switch: {num_vcs: 2, classes: 2, class_routing: [odd_even, dimension_order]}\n",
         2, "topology is mesh", "cube with radix and kinds is the same network"},
        {"network: {topology: fat_tree, n: 1}\n"
         "switch: {num_vcs: 2, classes: 2, class_routing: [up_down, up_down]}\n",
         2, "topology is fat_tree", "graph and cube"},
        {GRAPH "switch: {num_vcs: 2, classes: 2, class_routing: [up_down, source]}\n" RING, 2,
         "found source", "up_down"},
        {CUBE "switch: {num_vcs: 2, classes: 2, class_routing: [dimension_order, up_down]}\n", 2,
         "routing up_down does not work", "cube"},
        {CUBE "switch: {num_vcs: 2, classes: 2, class_routing: [dimension_order, adaptive]}\n", 2,
         "num_vcs is 1, routing adaptive", "at least 2"},
        {GRAPH "switch: {num_vcs: 2, classes: 2, class_routing: [up_down, table]}\n" RING, 2,
         "table", "routes in the graph"},
        {GRAPH "switch: {num_vcs: 2, classes: 2, class_routing: [up_down, table]}\n" RING
               "  class_routes: [[1, 0, 1, 1, all]]\n",
         2, "of class 1, the table has no entry", "switch 1(b) and terminal 0"},
        {GRAPH "switch: {num_vcs: 2, classes: 2, routing: table}\n" RING
               "  class_routes: [[2, 0, 1, 1, all]]\n",
         7, "class: found '2'", "expected 0..1"},
        {GRAPH "switch: {num_vcs: 2, classes: 2, routing: table}\n" RING
               "  routes: [[0, 1, 1, all]]\n  class_routes: [[1, 0, 1, 1, all]]\n",
         8, "routes and class_routes", "one of them"},
        {GRAPH "switch: {num_vcs: 2, classes: 2, routing: table}\n" RING
               "  class_routes: [[0, 1, 1, all]]\n",
         7, "found 4 fields", "[class, switch, destination, port, lanes]"},
        {GRAPH "switch: {num_vcs: 2, classes: 2, class_routing: [up_down, shortest],\n"
               "  escape_vcs: 0}\n" RING,
         3, "escape_vcs is for routing table", ""},
        {"network: {topology: cube, radix: 5, dimensions: ring}\n"
         "switch: {num_vcs: 4, classes: 2, class_routing: [dateline, dimension_order]}\n",
         2, "routing dimension_order can deadlock here", "0(0).+0 lane 2"},
    };
    all_are_refused(refused, sizeof refused / sizeof *refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_of_a_cube_has_its_routing),
        cmocka_unit_test(tables_of_classes_are_read_and_written),
        cmocka_unit_test(a_class_may_have_layers_beside_others),
        cmocka_unit_test(one_class_may_have_escape_lanes),
        cmocka_unit_test(contradictions_are_refused),
    };
    return cmocka_run_group_tests_name("scenario_class_routing", tests, NULL, NULL);
}
