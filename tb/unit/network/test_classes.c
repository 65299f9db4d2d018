// SPDX-License-Identifier: Apache-2.0
//
// Networks with classes of messages: each class has the routes, groups, escape lanes and
// dependencies of the network with as many lanes as the class has, in its own lanes
// (docs/switch.md, "Message classes"), and terminals that refuse add the dependencies of
// docs/cdg.md.

#include "unit_graph.h"

#include "network/network.h"

#include <annelid/base.h>
#include <annelid/network.h>
#include <annelid/rtl.h>
#include <stdlib.h>

enum { MOST = 64 };

// A network without classes, and the same for each of some classes.
struct pair {
    struct anl_config one, all;
};

static struct pair with_classes(struct anl_config one, uint32_t classes)
{
    one.depth = 4;
    one.flit_width_bits = 64;
    struct pair pair = {one, one};
    pair.all.num_vcs *= classes;
    pair.all.classes = classes;
    assert_int_equal(anl_config_check(&pair.one, NULL), ANL_OK);
    assert_int_equal(anl_config_check(&pair.all, NULL), ANL_OK);
    return pair;
}

static uint32_t in_all(const struct pair *pair, uint32_t vcs)
{
    uint32_t all = 0;
    for (uint32_t c = 0; c < pair->all.classes; c++)
        all |= vcs << c * pair->one.num_vcs;
    return all;
}

static void same_routes(const struct pair *pair)
{
    const struct anl_shape shape = anl_shape_of(&pair->one);
    const uint32_t lanes = pair->one.num_vcs;
    struct anl_network *network;
    assert_int_equal(anl_network_create(&pair->all, &network), ANL_OK);
    for (uint32_t s = 0; s < shape.switches; s++)
        for (uint32_t p = 0; p < shape.ports; p++)
            for (uint32_t vc = 0; vc < pair->all.num_vcs; vc++)
                for (uint32_t t = 0; t < shape.terminals; t++) {
                    const uint32_t first = vc / lanes * lanes;
                    const struct anl_input_lane at = {s, p, vc}, below = {s, p, vc - first};
                    const struct anl_route expected = anl_route_at(&pair->one, below, t);
                    const struct anl_route route = anl_route_at(&pair->all, at, t);
                    const struct anl_route fast = anl_network_route(network, at, t, 0);
                    assert_int_equal(route.ports, expected.ports);
                    for (uint32_t o = 0; o < shape.ports; o++)
                        assert_int_equal(route.vcs[o], (uint8_t)(expected.vcs[o] << first));
                    if (pair->all.routing != ANL_UP_DOWN_FIXED)
                        assert_memory_equal(&fast, &route, sizeof route);
                }
    anl_network_destroy(network);
}

static void same_groups(const struct pair *pair)
{
    const struct anl_shape shape = anl_shape_of(&pair->one);
    const uint32_t lanes = pair->one.num_vcs;
    for (uint32_t vc = 0; vc < pair->all.num_vcs; vc++)
        assert_int_equal(anl_group_vcs(&pair->all, vc), anl_group_vcs(&pair->one, vc % lanes)
                                                            << vc / lanes * lanes);
    for (uint32_t s = 0; s < shape.terminals; s++)
        for (uint32_t t = 0; t < shape.terminals; t++)
            assert_int_equal(anl_injection_vcs(&pair->all, s, t),
                             in_all(pair, anl_injection_vcs(&pair->one, s, t)));
    assert_int_equal(anl_escape_lanes(&pair->all), in_all(pair, anl_escape_lanes(&pair->one)));
    assert_string_equal(anl_rtl_switch(&pair->all), anl_rtl_switch(&pair->one));
    assert_int_equal(anl_head_bits(&pair->all), anl_head_bits(&pair->one));
    assert_int_equal(anl_is_acyclic_by_rule(&pair->all), anl_is_acyclic_by_rule(&pair->one));
}

// Returns the lane of a class that corresponds to a lane of the network without classes.
static uint32_t lane_of(const struct pair *pair, uint32_t lane, uint32_t class_)
{
    const uint32_t lanes = pair->one.num_vcs;
    return lane / lanes * pair->all.num_vcs + class_ * lanes + lane % lanes;
}

static void same_dependencies(const struct pair *pair)
{
    struct anl_safety one, all;
    uint32_t after_one[MOST], after_all[MOST];
    assert_int_equal(anl_safety_of(&pair->one, &one), ANL_OK);
    assert_int_equal(anl_safety_of(&pair->all, &all), ANL_OK);
    assert_int_equal(anl_cdg_dependencies(all.graph),
                     pair->all.classes * anl_cdg_dependencies(one.graph));
    assert_int_equal(all.is_safe, one.is_safe);
    assert_int_equal(all.is_acyclic, one.is_acyclic);
    for (uint32_t lane = 0; lane < anl_cdg_lanes(one.graph); lane++)
        for (uint32_t c = 0; c < pair->all.classes; c++) {
            const size_t count = anl_cdg_after(one.graph, lane, after_one);
            assert_int_equal(anl_cdg_after(all.graph, lane_of(pair, lane, c), after_all), count);
            for (size_t i = 0; i < count; i++)
                assert_int_equal(after_all[i], lane_of(pair, after_one[i], c));
        }
    assert_int_equal(!all.escapes, !one.escapes);
    for (uint32_t lane = 0; one.escapes && lane < anl_cdg_lanes(one.graph); lane++) {
        static uint32_t a[1 << 12], b[1 << 12];
        assert_true(anl_cdg_most_after(one.escapes) <= 1 << 12);
        const size_t count = anl_cdg_after(one.escapes, lane, a);
        assert_int_equal(anl_cdg_after(all.escapes, lane_of(pair, lane, 1), b), 0);
        assert_int_equal(anl_cdg_after(all.escapes, lane_of(pair, lane, 0), b), count);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(b[i], lane_of(pair, a[i], 0));
    }
    anl_safety_free(&one);
    anl_safety_free(&all);
}

static void compare(struct anl_config one, uint32_t classes)
{
    const struct pair pair = with_classes(one, classes);
    same_routes(&pair);
    same_groups(&pair);
    if (one.routing != ANL_UP_DOWN_RANDOM) same_dependencies(&pair);
}

static void each_class_is_a_network_of_its_own(void **state)
{
    (void)state;
    static const struct anl_config configs[] = {
        {.topology = ANL_MESH, .k = 3, .n = 2, .num_vcs = 1},
        {.topology = ANL_TORUS, .k = 5, .n = 1, .num_vcs = 2},
        {.topology = ANL_TORUS, .k = 4, .n = 2, .num_vcs = 3, .routing = ANL_DATELINE},
        {.topology = ANL_MESH, .k = 4, .n = 2, .num_vcs = 2, .routing = ANL_ODD_EVEN},
        {.topology = ANL_MESH,
         .k = 3,
         .n = 2,
         .num_vcs = 2,
         .routing = ANL_ADAPTIVE,
         .atomic = ANL_ATOMIC_ADAPTIVE},
        {.topology = ANL_TORUS, .k = 4, .n = 1, .num_vcs = 3, .routing = ANL_ADAPTIVE},
        {.topology = ANL_FAT_TREE, .k = 4, .n = 2, .num_vcs = 2, .routing = ANL_UP_DOWN_RANDOM},
        {.topology = ANL_HYPERCUBE, .k = 2, .n = 3, .num_vcs = 2, .routing = ANL_E_CUBE},
    };
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++)
        compare(configs[i], 2);
    compare(configs[0], 8);
    compare(configs[2], 2);
}

// Tables, layers and escape lanes of tables; the graphs are routed with the lanes of a class.
static void graphs_too(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(3, 0);
    static const enum anl_routing routings[] = {ANL_SHORTEST, ANL_UP_DOWN, ANL_TABLE, ANL_LAYERED};
    for (uint32_t number = 0; number < 40; number++) {
        const enum anl_routing routing = routings[number % 4];
        struct anl_graph *graph = random_graph(&rng, 2 + number % 7, 6, 32, true);
        struct anl_config one = graph_config(graph, routing, 4);
        if (routing == ANL_TABLE) {
            one.escape_vcs = number % 3;
            random_options(&rng, graph, one.num_vcs, number % 2);
        }
        if (!anl_graph_route(graph, routing, one.num_vcs, NULL)) compare(one, 2);
        anl_graph_destroy(graph);
    }
}

// --- routings of their own ---

enum { CLASSES = 2, LANES = 3 };

// A network whose classes differ, and the networks that they are.
struct differing {
    struct anl_config all, ones[CLASSES];
};

static void same_as_each(const struct differing *d)
{
    const struct anl_shape shape = anl_shape_of(&d->all);
    struct anl_network *network;
    uint32_t escapes = 0, atomic = 0;
    assert_int_equal(anl_network_create(&d->all, &network), ANL_OK);
    for (uint32_t vc = 0; vc < d->all.num_vcs; vc++)
        for (uint32_t s = 0; s < shape.switches; s++)
            for (uint32_t p = 0; p < shape.ports; p++)
                for (uint32_t t = 0; t < shape.terminals; t++) {
                    const struct anl_input_lane at = {s, p, vc}, below = {s, p, vc % LANES};
                    const struct anl_route expected = anl_route_at(&d->ones[vc / LANES], below, t);
                    const struct anl_route route = anl_route_at(&d->all, at, t);
                    const struct anl_route fast = anl_network_route(network, at, t, 0);
                    assert_int_equal(route.ports, expected.ports);
                    for (uint32_t o = 0; o < shape.ports; o++)
                        assert_int_equal(route.vcs[o],
                                         (uint8_t)(expected.vcs[o] << vc / LANES * LANES));
                    assert_memory_equal(&fast, &route, sizeof route);
                }
    for (uint32_t c = 0; c < CLASSES; c++) {
        const struct anl_config one = anl_config_of_class(&d->all, c);
        const uint32_t own = anl_escape_lanes(&d->ones[c]);
        escapes |= own << c * LANES;
        if (own && d->all.atomic) atomic |= (7 & ~own) << c * LANES;
        assert_int_equal(one.routing, d->ones[c].routing);
        for (uint32_t s = 0; s < shape.terminals; s++)
            for (uint32_t t = 0; t < shape.terminals; t++) {
                const struct anl_worm worm = {.source = s, .destination = t, .class_ = (uint8_t)c};
                assert_int_equal(anl_injection_vcs(&d->all, s, t) >> c * LANES & 7,
                                 anl_injection_vcs(&d->ones[c], s, t));
                assert_int_equal(anl_worm_distance(&d->all, &worm),
                                 anl_distance(&d->ones[c], s, t));
            }
    }
    assert_int_equal(anl_escape_lanes(&d->all), escapes);
    assert_int_equal(anl_atomic_lanes(&d->all), atomic);
    anl_network_destroy(network);
}

// Makes cubes of a 5 x 3 mesh, or of a ring by a line, with a routing for each class.
static struct differing cubes_of(const uint8_t routings[CLASSES], enum anl_dimension_kind kind)
{
    const struct anl_cube cube = {
        .dimensions = 2, .radix = {5, 3}, .kinds = {(uint32_t)kind, ANL_LINE}, .concentration = 1};
    struct differing d = {.all = {.topology = ANL_CUBE,
                                  .k = 15,
                                  .n = 1,
                                  .num_vcs = CLASSES * LANES,
                                  .depth = 4,
                                  .flit_width_bits = 32,
                                  .classes = CLASSES,
                                  .num_class_routings = CLASSES}};
    struct anl_graph *head = NULL;
    for (uint32_t c = 0; c < CLASSES; c++) {
        struct anl_graph *graph;
        const enum anl_routing routing = (enum anl_routing)routings[c];
        d.all.class_routing[c] = routings[c];
        assert_int_equal(anl_graph_of_cube(&cube, routing, LANES, &graph, NULL), ANL_OK);
        d.ones[c] = d.all;
        d.ones[c].graph = graph;
        d.ones[c].routing = routing;
        d.ones[c].num_vcs = LANES;
        d.ones[c].classes = 1;
        d.ones[c].num_class_routings = 0;
        if (head)
            anl_graph_add_class(head, graph);
        else
            head = graph;
    }
    d.all.graph = head;
    d.all.routing = d.ones[0].routing;
    return d;
}

// A network is safe if each class is, and says which class is not.
static void check_safety(const struct differing *d, bool safe, uint32_t class_)
{
    struct anl_safety safety;
    assert_int_equal(anl_safety_of(&d->all, &safety), ANL_OK);
    assert_int_equal(safety.is_safe, safe);
    if (!safe) assert_int_equal(safety.class_, class_);
    uint32_t *lanes;
    size_t count;
    assert_int_equal(anl_cdg_cycle(safety.escapes ? safety.escapes : safety.graph, &lanes, &count),
                     ANL_OK);
    for (size_t i = 0; !safe && i < count; i++)
        assert_int_equal(lanes[i] % d->all.num_vcs / LANES, class_);
    free(lanes);
    anl_safety_free(&safety);
}

static void classes_may_differ(void **state)
{
    (void)state;
    static const struct {
        uint8_t routings[CLASSES];
        enum anl_dimension_kind kind;
        bool atomic, safe;
        uint32_t class_;
    } rows[] = {{{ANL_DIMENSION_ORDER, ANL_ODD_EVEN}, ANL_LINE, false, true, 0},
                {{ANL_ADAPTIVE, ANL_WEST_FIRST}, ANL_LINE, true, true, 0},
                {{ANL_NORTH_LAST, ANL_ADAPTIVE}, ANL_LINE, false, false, 1},
                {{ANL_DATELINE, ANL_ADAPTIVE}, ANL_RING, true, true, 0},
                {{ANL_ADAPTIVE, ANL_DIMENSION_ORDER}, ANL_RING, true, false, 1},
                {{ANL_DIMENSION_ORDER, ANL_DATELINE}, ANL_RING, false, false, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct differing d = cubes_of(rows[i].routings, rows[i].kind);
        if (rows[i].atomic) d.all.atomic = ANL_ATOMIC_ADAPTIVE;
        assert_int_equal(anl_config_check(&d.all, NULL), ANL_OK);
        same_as_each(&d);
        assert_int_equal(anl_is_acyclic_by_rule(&d.all), rows[i].safe);
        check_safety(&d, rows[i].safe, rows[i].class_);
        anl_graph_destroy((struct anl_graph *)(uintptr_t)d.all.graph);
    }
}

static void impossible_routings_are_refused(void **state)
{
    (void)state;
    static const uint8_t routings[CLASSES] = {ANL_DIMENSION_ORDER, ANL_ADAPTIVE};
    struct differing d = cubes_of(routings, ANL_LINE);
    struct anl_error error;
    struct anl_config bad = d.all;
    bad.num_class_routings = 1;
    assert_int_equal(anl_config_check(&bad, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text,
                        "class_routing has 1 routings, expected one for each of 2 classes");
    bad = d.all;
    bad.class_routing[1] = ANL_SOURCE;
    assert_int_equal(anl_config_check(&bad, &error), ANL_ERR_ARGUMENT);
    bad = d.all;
    bad.class_routing[1] = ANL_UP_DOWN;
    assert_int_equal(anl_config_check(&bad, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "of class 1, routing up_down does not work on topology cube");
    bad = d.all;
    bad.escape_vcs = 1;
    assert_int_equal(anl_config_check(&bad, &error), ANL_ERR_ARGUMENT);
    bad = (struct anl_config){.topology = ANL_MESH,
                              .k = 3,
                              .n = 2,
                              .num_vcs = 2,
                              .classes = 2,
                              .depth = 4,
                              .flit_width_bits = 32,
                              .num_class_routings = 2};
    assert_int_equal(anl_config_check(&bad, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text,
                        "class_routing works on topologies graph and cube, not on mesh");
    anl_graph_destroy((struct anl_graph *)(uintptr_t)d.all.graph);
}

// --- terminals that refuse ---

static void replies_close_a_circle_in_one_class(void **state)
{
    (void)state;
    static const struct anl_config configs[] = {
        {.topology = ANL_MESH, .k = 3, .n = 2, .num_vcs = 2},
        {.topology = ANL_TORUS, .k = 3, .n = 2, .num_vcs = 2, .routing = ANL_DATELINE},
        {.topology = ANL_MESH,
         .k = 3,
         .n = 2,
         .num_vcs = 2,
         .routing = ANL_ADAPTIVE,
         .atomic = ANL_ATOMIC_ADAPTIVE}};
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        struct pair pair = with_classes(configs[i], 2);
        struct anl_safety plain, one, all;
        assert_int_equal(anl_safety_of(&pair.one, &plain), ANL_OK);
        pair.one.reply_queue = pair.all.reply_queue = 1;
        assert_int_equal(anl_safety_of(&pair.one, &one), ANL_OK);
        assert_int_equal(anl_safety_of(&pair.all, &all), ANL_OK);
        assert_true(plain.is_safe && !one.is_safe && all.is_safe);
        assert_true(one.replies_wait && !all.replies_wait);
        assert_true(!anl_is_acyclic_by_rule(&pair.one) && anl_is_acyclic_by_rule(&pair.all));
        const uint32_t terminals = anl_shape_of(&pair.one).terminals;
        assert_int_equal(anl_cdg_dependencies(one.graph),
                         anl_cdg_dependencies(plain.graph) + terminals * 2 * 2);
        assert_int_equal(anl_cdg_dependencies(all.graph),
                         2 * anl_cdg_dependencies(plain.graph) + terminals * 2 * 2);
        uint32_t *cycle, after[MOST];
        size_t count;
        assert_int_equal(anl_cdg_cycle(one.graph, &cycle, &count), ANL_OK);
        assert_int_equal(count, 2);
        assert_int_equal(cycle[0] / 2, anl_ejection_link(&pair.one, 0));
        assert_int_equal(cycle[1] / 2, anl_injection_link(&pair.one, 0));
        free(cycle);
        // Requests have lanes 0 and 1, replies 2 and 3.
        const uint32_t ejection = anl_ejection_link(&pair.all, 5) * 4;
        assert_int_equal(anl_cdg_after(all.graph, ejection + 1, after), 2);
        assert_int_equal(after[0], anl_injection_link(&pair.all, 5) * 4 + 2);
        assert_int_equal(after[1], anl_injection_link(&pair.all, 5) * 4 + 3);
        assert_int_equal(anl_cdg_after(all.graph, ejection + 2, after), 0);
        anl_safety_free(&plain);
        anl_safety_free(&one);
        anl_safety_free(&all);
    }
}

static void impossible_classes_are_refused(void **state)
{
    (void)state;
    struct anl_config c = {.topology = ANL_MESH,
                           .k = 2,
                           .n = 1,
                           .num_vcs = 4,
                           .classes = 3,
                           .depth = 4,
                           .flit_width_bits = 32};
    struct anl_error error;
    assert_int_equal(anl_config_check(&c, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "classes is 3, expected a divisor of num_vcs, 4");
    c.classes = 8;
    assert_int_equal(anl_config_check(&c, NULL), ANL_ERR_ARGUMENT);
    c.classes = 4;
    c.reply_queue = ANL_MAX_REPLY_QUEUE;
    assert_int_equal(anl_config_check(&c, NULL), ANL_OK);
    c.reply_queue++;
    assert_int_equal(anl_config_check(&c, NULL), ANL_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_class_is_a_network_of_its_own),
        cmocka_unit_test(graphs_too),
        cmocka_unit_test(classes_may_differ),
        cmocka_unit_test(impossible_routings_are_refused),
        cmocka_unit_test(replies_close_a_circle_in_one_class),
        cmocka_unit_test(impossible_classes_are_refused),
    };
    return cmocka_run_group_tests_name("network_classes", tests, NULL, NULL);
}
