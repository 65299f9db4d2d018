// SPDX-License-Identifier: Apache-2.0
//
// The referee's reading of the adaptive routings, of tables with several options or by input port,
// of layers and of message classes. All expected routes were derived by hand from docs/networks.md.
// They are written as ports with masks of lanes: "0:7 2:3" is port 0 in lanes 0 to 2 or port 2 in
// lanes 0 and 1.

#include "random_networks.h"
#include "unit_referee.h"

#include <inttypes.h>
#include <stdio.h>

static void write_route(const struct referee_shape *shape, const struct referee_head *head,
                        char *text, size_t size)
{
    const struct referee_route route = referee_route(shape, head);
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t port = 0; port < ANL_MAX_PORTS; port++)
        if (route.lanes[port])
            used += (size_t)snprintf(text + used, size - used, "%s%" PRIu32 ":%x", used ? " " : "",
                                     port, route.lanes[port]);
}

static void expect_route(const struct referee_shape *shape, const struct referee_worm *worm,
                         uint32_t switch_, uint32_t input, const char *expected)
{
    const struct referee_head head = {worm, switch_, input, 0};
    char text[160];
    write_route(shape, &head, text, sizeof text);
    if (strcmp(text, expected) != 0)
        fail_msg("%s: from switch %" PRIu32 " (input %" PRIu32 ") to terminal %" PRIu32
                 " the route is \"%s\", expected \"%s\"",
                 anl_routing_name(shape->config.routing), switch_, input, worm->destination, text,
                 expected);
}

// --- cubes ---

struct hop {
    uint32_t switch_, input, destination;
    const char *route;
};

static void expect_hops(const struct anl_config *config, const struct hop *hops, size_t count)
{
    struct referee_shape shape = referee_shape_of(config);
    for (size_t i = 0; i < count; i++) {
        const struct referee_worm worm = {.destination = hops[i].destination, .length = 1};
        expect_route(&shape, &worm, hops[i].switch_, hops[i].input, hops[i].route);
    }
    referee_shape_free(&shape);
}

#define EXPECT_HOPS(config, hops) expect_hops(config, hops, sizeof hops / sizeof *hops)

static struct anl_config k_ary(enum anl_topology topology, uint32_t k, uint32_t n, uint32_t num_vcs,
                               enum anl_routing routing)
{
    return (struct anl_config){
        .topology = topology, .k = k, .n = n, .num_vcs = num_vcs, .depth = 2, .routing = routing};
}

// Switch (x, y) is x + 5 y; ports 0 to 4 are east, west, north, south and the terminal's.
static void turn_models(void **state)
{
    (void)state;
    static const struct hop west_first[] = {
        {12, 4, 20, "1:7"}, {12, 4, 10, "1:7"}, {12, 4, 24, "0:7 2:7"}, {12, 4, 4, "0:7 3:7"},
        {12, 4, 2, "3:7"},  {12, 4, 14, "0:7"}, {12, 1, 12, "4:7"},
    };
    static const struct hop north_last[] = {
        {12, 4, 24, "0:7"}, {12, 4, 20, "1:7"},    {12, 4, 22, "2:7"},
        {12, 1, 12, "4:7"}, {12, 4, 4, "0:7 3:7"}, {12, 4, 0, "1:7 3:7"},
    };
    static const struct hop negative_first[] = {
        {12, 4, 20, "1:7"},     {12, 4, 4, "3:7"},  {12, 4, 0, "1:7 3:7"},
        {12, 4, 24, "0:7 2:7"}, {12, 4, 22, "2:7"}, {12, 0, 12, "4:7"},
    };
    const struct anl_config west = k_ary(ANL_MESH, 5, 2, 3, ANL_WEST_FIRST);
    const struct anl_config north = k_ary(ANL_MESH, 5, 2, 3, ANL_NORTH_LAST);
    const struct anl_config negative = k_ary(ANL_MESH, 5, 2, 3, ANL_NEGATIVE_FIRST);
    EXPECT_HOPS(&west, west_first);
    EXPECT_HOPS(&north, north_last);
    EXPECT_HOPS(&negative, negative_first);
}

// Switch (x, y, z) is x + 3 y + 9 z, and the heads are at (1, 1, 1).
static void negative_first_in_three_dimensions(void **state)
{
    (void)state;
    static const struct hop hops[] = {
        {13, 6, 20, "3:1"},
        {13, 6, 6, "1:1 5:1"},
        {13, 6, 0, "1:1 3:1 5:1"},
        {13, 6, 26, "0:1 2:1 4:1"},
    };
    const struct anl_config config = k_ary(ANL_MESH, 3, 3, 1, ANL_NEGATIVE_FIRST);
    EXPECT_HOPS(&config, hops);
}

static void odd_even(void **state)
{
    (void)state;
    static const struct hop hops[] = {
        {6, 4, 6, "4:7"},
        // In the column of the destination.
        {6, 4, 16, "2:7"},
        {6, 2, 1, "3:7"},
        {7, 1, 17, "2:7"},
        // To the east from an odd column, and from an even one after coming from the west or not.
        {6, 1, 19, "0:7 2:7"},
        {16, 1, 4, "0:7 3:7"},
        {7, 1, 19, "0:7"},
        {7, 4, 19, "0:7 2:7"},
        {7, 3, 19, "0:7 2:7"},
        {7, 1, 9, "0:7"},
        // One column to the east: into an even one a head must not go before it is in its row.
        {6, 1, 17, "2:7"},
        {8, 4, 19, "2:7"},
        {8, 1, 9, "0:7"},
        {7, 1, 18, "0:7"},
        {7, 4, 18, "0:7 2:7"},
        // To the west.
        {8, 4, 16, "1:7"},
        {7, 0, 16, "1:7 2:7"},
        {17, 0, 0, "1:7 3:7"},
        {7, 0, 5, "1:7"},
    };
    const struct anl_config config = k_ary(ANL_MESH, 5, 2, 3, ANL_ODD_EVEN);
    EXPECT_HOPS(&config, hops);
}

static void adaptive_with_escape_lanes(void **state)
{
    (void)state;
    // Lane 2 is the escape lane.
    static const struct hop mesh[] = {
        {12, 4, 24, "0:7 2:3"}, {12, 4, 20, "1:7 2:3"}, {12, 4, 22, "2:7"},
        {12, 4, 10, "1:7"},     {12, 4, 12, "4:7"},
    };
    // Lane 2 is for class 0, lane 3 for class 1 of the dateline rule.
    static const struct hop torus[] = {
        {4, 4, 6, "0:7 2:3"}, {1, 4, 23, "0:b 3:3"}, {1, 4, 21, "3:7"},
        {21, 4, 1, "2:7"},    {5, 4, 0, "3:b"},      {5, 4, 5, "4:f"},
    };
    // Half way round a ring.
    static const struct hop ring[] = {
        {1, 2, 3, "0:3 1:7"}, {3, 2, 1, "0:3 1:b"}, {0, 2, 2, "0:b 1:3"}, {2, 2, 0, "0:7 1:3"}};
    // (2, 0) to (1, 1), (1, 0) to (2, 2), and (0, 2) to (0, 1) over the wrap.
    static const struct hop one_way[] = {
        {2, 2, 4, "0:3 1:1"}, {1, 2, 8, "0:5 1:1"}, {6, 1, 3, "1:3"}};
    const struct anl_config meshes = k_ary(ANL_MESH, 5, 2, 3, ANL_ADAPTIVE);
    const struct anl_config tori = k_ary(ANL_TORUS, 5, 2, 4, ANL_ADAPTIVE);
    const struct anl_config rings = k_ary(ANL_TORUS, 4, 1, 4, ANL_ADAPTIVE);
    const struct anl_config one_ways = k_ary(ANL_UNIDIRECTIONAL_TORUS, 3, 2, 3, ANL_ADAPTIVE);
    EXPECT_HOPS(&meshes, mesh);
    EXPECT_HOPS(&tori, torus);
    EXPECT_HOPS(&rings, ring);
    EXPECT_HOPS(&one_ways, one_way);
}

static struct anl_config cube(struct anl_graph *graph, uint32_t num_vcs, enum anl_routing routing)
{
    return (struct anl_config){.topology = ANL_CUBE,
                               .graph = graph,
                               .n = 1,
                               .num_vcs = num_vcs,
                               .depth = 2,
                               .routing = routing};
}

static void cubes_of_several_radices(void **state)
{
    (void)state;
    // A line of 4, a ring of 5, two terminals a switch: switch (x, y) is x + 4 y. A line takes both
    // escape lanes.
    struct anl_graph line_and_ring = {.cube = {2, {4, 5}, {ANL_LINE, ANL_RING}, 2}};
    static const struct hop adaptive[] = {
        {0, 4, 13, "0:f 2:3"}, {2, 4, 12, "2:b"},     {2, 4, 36, "3:7"},
        {2, 4, 5, "5:f"},      {1, 0, 38, "0:f 3:3"},
    };
    // A one-way ring of 3 and a line of 3: ports 0, then 1 and 2.
    struct anl_graph one_way_and_line = {.cube = {2, {3, 3}, {ANL_ONE_WAY_RING, ANL_LINE}, 1}};
    static const struct hop mixed[] = {{5, 3, 0, "0:3 2:1"}, {1, 3, 7, "1:7"}, {4, 3, 1, "2:7"}};
    // Two lines, three terminals a switch: switch (x, y) is x + 3 y.
    struct anl_graph lines = {.cube = {2, {3, 2}, {ANL_LINE, ANL_LINE}, 3}};
    static const struct hop odd[] = {{0, 4, 16, "0:3 2:3"}, {0, 1, 16, "0:3"}, {1, 5, 17, "2:3"}};
    const struct anl_config first = cube(&line_and_ring, 4, ANL_ADAPTIVE);
    const struct anl_config second = cube(&one_way_and_line, 3, ANL_ADAPTIVE);
    const struct anl_config third = cube(&lines, 2, ANL_ODD_EVEN);
    EXPECT_HOPS(&first, adaptive);
    EXPECT_HOPS(&second, mixed);
    EXPECT_HOPS(&third, odd);
}

// --- classes ---

static void classes_have_lanes_of_their_own(void **state)
{
    (void)state;
    struct anl_config config = k_ary(ANL_TORUS, 5, 1, 6, ANL_ADAPTIVE);
    config.classes = 2;
    struct referee_shape shape = referee_shape_of(&config);
    // 4 to 1 over the wrap: of lanes 0 to 2, lane 1 is for class 0 of the dateline rule.
    struct referee_worm worm = {.source = 4, .destination = 1, .length = 1};
    expect_route(&shape, &worm, 4, 2, "0:3");
    expect_route(&shape, &worm, 0, 1, "0:5");
    expect_route(&shape, &worm, 1, 1, "2:7");
    assert_int_equal(referee_injection_lanes(&shape, &worm), 0x7);
    worm.class_ = 1;
    expect_route(&shape, &worm, 4, 2, "0:18");
    expect_route(&shape, &worm, 0, 1, "0:28");
    expect_route(&shape, &worm, 1, 1, "2:38");
    assert_int_equal(referee_injection_lanes(&shape, &worm), 0x38);
    assert_int_equal(referee_class_lanes(&shape, &worm), 0x38);
    referee_shape_free(&shape);

    config = k_ary(ANL_FAT_TREE, 4, 2, 4, ANL_UP_DOWN_GREEDY);
    config.classes = 4;
    worm = (struct referee_worm){.source = 0, .destination = 15, .class_ = 2, .length = 1};
    shape = referee_shape_of(&config);
    expect_route(&shape, &worm, 0, 0, "4:4 5:4");
    referee_shape_free(&shape);
}

// --- tables ---

static void pair(struct anl_graph *graph, uint32_t a, uint32_t b)
{
    assert_int_equal(anl_graph_link(graph, a, b, NULL), ANL_OK);
    assert_int_equal(anl_graph_link(graph, b, a, NULL), ANL_OK);
}

// A ring in which port 0 leads forwards, port 1 back, and port 2 has terminal s.
static struct anl_graph *ring_of(uint32_t switches)
{
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(switches, 3, switches, &graph, NULL), ANL_OK);
    for (uint32_t s = 0; s < switches; s++) {
        pair(graph, s * 3, (s + 1) % switches * 3 + 1);
        assert_int_equal(anl_graph_attach(graph, s, s * 3 + 2, NULL), ANL_OK);
    }
    return graph;
}

static struct anl_config graph_of(const struct anl_graph *graph, enum anl_routing routing,
                                  uint32_t num_vcs)
{
    struct anl_config config = graph_config(graph, routing, num_vcs);
    config.paths = ANL_SHORTEST;
    return config;
}

static void make_table(struct anl_graph *graph, bool by_input, uint32_t options)
{
    const size_t rows = (size_t)graph->switches * (by_input ? graph->ports : 1);
    graph->by_input = by_input;
    graph->options = options;
    graph->table = calloc(rows * graph->terminals * options, sizeof *graph->table);
    assert_non_null(graph->table);
}

static void entries_with_several_options(void **state)
{
    (void)state;
    struct anl_graph *graph = ring_of(4);
    struct anl_config config = graph_of(graph, ANL_TABLE, 4);
    const struct referee_worm worm = {.destination = 2, .length = 1};
    make_table(graph, false, 3);
    struct anl_table_hop *entry = &graph->table[(0 * 4 + 2) * 3];
    entry[0] = (struct anl_table_hop){1, 0x3};
    entry[2] = (struct anl_table_hop){0, 0x4};
    struct referee_shape shape = referee_shape_of(&config);
    expect_route(&shape, &worm, 0, 2, "0:4 1:3");
    // More lanes of a port that is there already; no entry, none at the destination, and one there.
    entry[1] = (struct anl_table_hop){1, 0x8};
    expect_route(&shape, &worm, 0, 2, "0:4 1:b");
    expect_route(&shape, &worm, 1, 2, "");
    expect_route(&shape, &worm, 2, 0, "2:f");
    graph->table[(2 * 4 + 2) * 3] = (struct anl_table_hop){2, 0x2};
    expect_route(&shape, &worm, 2, 0, "2:2");
    referee_shape_free(&shape);

    // Source routes of this table go by any lane.
    config.routing = ANL_SOURCE;
    config.paths = ANL_TABLE;
    shape = referee_shape_of(&config);
    expect_route(&shape, &worm, 0, 2, "0:f 1:f");
    expect_route(&shape, &worm, 2, 0, "2:f");
    referee_shape_free(&shape);
    anl_graph_destroy(graph);
}

static void entries_by_input_port(void **state)
{
    (void)state;
    struct anl_graph *graph = ring_of(4);
    const struct anl_config config = graph_of(graph, ANL_TABLE, 2);
    const struct referee_worm worm = {.destination = 2, .length = 1};
    make_table(graph, true, 2);
    // At switch 1, from the injection link either way, from switch 0 on and from switch 2 back.
    graph->table[((1 * 3 + 2) * 4 + 2) * 2] = (struct anl_table_hop){1, 0x3};
    graph->table[((1 * 3 + 2) * 4 + 2) * 2 + 1] = (struct anl_table_hop){0, 0x3};
    graph->table[((1 * 3 + 1) * 4 + 2) * 2] = (struct anl_table_hop){0, 0x1};
    graph->table[((1 * 3 + 0) * 4 + 2) * 2] = (struct anl_table_hop){1, 0x2};
    graph->table[((2 * 3 + 1) * 4 + 2) * 2] = (struct anl_table_hop){2, 0x1};
    struct referee_shape shape = referee_shape_of(&config);
    expect_route(&shape, &worm, 1, 2, "0:3 1:3");
    expect_route(&shape, &worm, 1, 1, "0:1");
    expect_route(&shape, &worm, 1, 0, "1:2");
    expect_route(&shape, &worm, 2, 1, "2:1");
    expect_route(&shape, &worm, 2, 0, "2:3");
    // Links end at the ports that the entries mean.
    assert_int_equal(referee_link_input(&shape, 0 * 3 + 0), 1);
    assert_int_equal(referee_link_input(&shape, 2 * 3 + 1), 0);
    assert_int_equal(referee_link_input(&shape, 4 * 3 + 1), 2);
    referee_shape_free(&shape);
    anl_graph_destroy(graph);
}

// --- source routes of computed tables ---

static void source_routes_follow_paths(void **state)
{
    (void)state;
    struct anl_graph *graph = ring_of(6);
    struct anl_config config = graph_of(graph, ANL_SOURCE, 2);
    const struct referee_worm worm = {.destination = 4, .length = 1};
    struct referee_shape shape = referee_shape_of(&config);
    expect_route(&shape, &worm, 1, 2, "0:3");
    expect_route(&shape, &worm, 2, 1, "0:3");
    expect_route(&shape, &worm, 4, 1, "2:3");
    referee_shape_free(&shape);
    config.paths = ANL_UP_DOWN;
    shape = referee_shape_of(&config);
    expect_route(&shape, &worm, 1, 2, "1:3");
    expect_route(&shape, &worm, 3, 2, "0:3");
    referee_shape_free(&shape);
    anl_graph_destroy(graph);
}

// In a ring of four, from terminal 0 to 1: once round and one link more would pass link 0 twice,
// but the way back and forth passes switch 0 twice and no link.
static void worms_may_have_routes_of_their_own(void **state)
{
    (void)state;
    struct anl_graph *graph = ring_of(4);
    const struct anl_config config = graph_of(graph, ANL_SOURCE, 2);
    struct referee_shape shape = referee_shape_of(&config);
    const uint8_t ports[] = {1, 0, 0, 2};
    struct referee_worm worm = {
        .destination = 1, .length = 1, .route = ports, .route_length = 4, .passed = 1};
    expect_route(&shape, &worm, 0, 2, "1:3");
    worm.passed++;
    expect_route(&shape, &worm, 3, 0, "0:3");
    worm.passed++;
    expect_route(&shape, &worm, 0, 1, "0:3");
    worm.passed++;
    expect_route(&shape, &worm, 1, 1, "2:3");
    worm.passed++;
    expect_route(&shape, &worm, 1, 1, "");
    referee_shape_free(&shape);
    anl_graph_destroy(graph);
}

static void routes_that_no_worm_can_have(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        uint16_t length;
        uint8_t ports[6];
        bool exists;
    } cases[] = {
        {"back and forth", 4, {1, 0, 0, 2}, true},
        {"the long way round", 4, {1, 1, 1, 2}, true},
        {"no ports", 0, {0}, false},
        {"link 0 twice", 6, {0, 0, 0, 0, 0, 2}, false},
        {"it ends at a switch", 1, {0}, false},
        {"another terminal", 3, {0, 0, 2}, false},
        {"a terminal on the way", 3, {2, 0, 2}, false},
        {"no such port", 2, {3, 2}, false},
        {"on from the terminal", 3, {0, 2, 0}, false},
    };
    struct anl_graph *graph = ring_of(4);
    struct anl_config config = graph_of(graph, ANL_SOURCE, 2);
    struct referee_shape shape = referee_shape_of(&config);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct anl_worm worm = {.destination = 1,
                                      .length = 1,
                                      .route = cases[i].ports,
                                      .route_length = cases[i].length};
        if (referee_way_exists(&shape, &worm) != cases[i].exists) fail_msg("%s", cases[i].why);
    }
    referee_shape_free(&shape);
    config.routing = ANL_SHORTEST;
    shape = referee_shape_of(&config);
    const struct anl_worm worm = {
        .destination = 1, .length = 1, .route = cases[0].ports, .route_length = cases[0].length};
    assert_false(referee_way_exists(&shape, &worm));
    referee_shape_free(&shape);
    anl_graph_destroy(graph);
}

// --- paths that messages give ---

static void given_paths_are_those_of_the_network(void **state)
{
    (void)state;
    const struct {
        struct anl_config config;
        uint32_t paths;
    } cases[] = {
        {{.topology = ANL_BUTTERFLY, .k = 3, .n = 3, .passes = 2}, 9},
        {{.topology = ANL_BUTTERFLY, .k = 3, .n = 3, .passes = 1}, 1},
        {{.topology = ANL_FAT_TREE, .k = 4, .n = 3, .routing = ANL_UP_DOWN_FIXED}, 4},
        {{.topology = ANL_FAT_TREE, .k = 4, .n = 3, .routing = ANL_UP_DOWN_RANDOM}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct anl_config config = cases[i].config;
        config.num_vcs = config.depth = 1;
        struct referee_shape shape = referee_shape_of(&config);
        struct anl_worm worm = {.length = 1, .has_path = true, .path = cases[i].paths - 1};
        assert_int_equal(referee_num_paths(&shape), cases[i].paths);
        assert_true(referee_way_exists(&shape, &worm));
        worm.path++;
        assert_false(referee_way_exists(&shape, &worm));
        worm.has_path = false;
        assert_true(referee_way_exists(&shape, &worm));
        referee_shape_free(&shape);
    }
}

// --- layers ---

static uint32_t layer_lanes(const struct referee_shape *shape, uint32_t from, uint32_t to)
{
    const struct referee_worm worm = {.source = from, .destination = to, .length = 1};
    return referee_injection_lanes(shape, &worm);
}

// Routes of two links follow each other round the ring, one way and the other. Those of switch 4
// close both circles.
static void a_ring_of_five_has_two_layers(void **state)
{
    (void)state;
    struct anl_graph *graph = ring_of(5);
    struct anl_config config = graph_of(graph, ANL_LAYERED, 3);
    struct referee_shape shape = referee_shape_of(&config);
    assert_int_equal(shape.num_layers, 2);
    for (uint32_t from = 0; from < 5; from++)
        for (uint32_t to = 0; to < 5; to++) {
            const bool high = from == 4 && (to == 1 || to == 2);
            assert_int_equal(layer_lanes(&shape, from, to), high ? 6 : 1);
        }
    const struct referee_worm worm = {.source = 4, .destination = 1, .length = 1};
    expect_route(&shape, &worm, 4, 2, "0:6");
    expect_route(&shape, &worm, 0, 1, "0:6");
    expect_route(&shape, &worm, 1, 1, "2:6");
    referee_shape_free(&shape);

    config.num_vcs = 1;
    assert_int_equal(referee_shape_init(&shape, &config), ANL_ERR_ARGUMENT);
    referee_shape_free(&shape);
    config.num_vcs = 6;
    config.classes = 3;
    shape = referee_shape_of(&config);
    const struct referee_worm last = {.source = 4, .destination = 1, .class_ = 2, .length = 1};
    expect_route(&shape, &last, 0, 1, "0:20");
    assert_int_equal(referee_injection_lanes(&shape, &last), 0x20);
    referee_shape_free(&shape);
    anl_graph_destroy(graph);
}

// Without a terminal at switch 4 no route closes a circle.
static void switches_without_terminals_need_no_layer(void **state)
{
    (void)state;
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(5, 3, 4, &graph, NULL), ANL_OK);
    for (uint32_t s = 0; s < 5; s++)
        pair(graph, s * 3, (s + 1) % 5 * 3 + 1);
    for (uint32_t t = 0; t < 4; t++)
        assert_int_equal(anl_graph_attach(graph, t, t * 3 + 2, NULL), ANL_OK);
    const struct anl_config config = graph_of(graph, ANL_LAYERED, 2);
    struct referee_shape shape = referee_shape_of(&config);
    assert_int_equal(shape.num_layers, 1);
    assert_int_equal(layer_lanes(&shape, 3, 0), 3);
    referee_shape_free(&shape);
    anl_graph_destroy(graph);
}

// In a one-way ring of four, the routes of switches 0 and 1 and that from 2 to 0 leave the circle
// open at switch 0 alone. The routes from 2 to 1 and from 3 to 1 and 2, which pass it, go to layer
// 1; the one from 3 to 0 between them ends there and goes to layer 0.
static void a_later_pair_may_go_to_a_lower_layer(void **state)
{
    (void)state;
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(4, 3, 4, &graph, NULL), ANL_OK);
    for (uint32_t s = 0; s < 4; s++) {
        assert_int_equal(anl_graph_link(graph, s * 3, (s + 1) % 4 * 3 + 1, NULL), ANL_OK);
        assert_int_equal(anl_graph_attach(graph, s, s * 3 + 2, NULL), ANL_OK);
    }
    const struct anl_config config = graph_of(graph, ANL_LAYERED, 2);
    struct referee_shape shape = referee_shape_of(&config);
    static const char *const layers[] = {"0000", "0000", "0100", "0110"};
    for (uint32_t from = 0; from < 4; from++)
        for (uint32_t to = 0; to < 4; to++)
            assert_int_equal(layer_lanes(&shape, from, to), 1u << (layers[from][to] - '0'));
    referee_shape_free(&shape);
    anl_graph_destroy(graph);
}

// --- networks of every kind ---

enum { NETWORKS = 4000, WORMS = 12 };

// The routes of some random worms, on random paths where heads carry one.
static void the_network_reads_the_same(void **state)
{
    (void)state;
    for (uint32_t number = 0; number < unit_trials(NETWORKS); number++) {
        struct anl_rng rng = anl_rng_seed(67, number);
        struct anl_graph *graph;
        struct anl_config config = draw_config(&rng, &graph);
        draw_classes(&rng, &config);
        draw_wide(&rng, &config);
        draw_class_routings(&rng, &config, graph);
        struct referee_shape shape = referee_shape_of(&config);
        same_links(&config, &shape);
        for (uint32_t i = 0; i < WORMS; i++) {
            const struct referee_worm worm = {.source = anl_rng_below(&rng, shape.terminals),
                                              .destination = anl_rng_below(&rng, shape.terminals),
                                              .class_ = (uint8_t)anl_rng_below(&rng, shape.classes),
                                              .path =
                                                  anl_rng_below(&rng, referee_num_paths(&shape)),
                                              .length = 1};
            same_routes_of(&config, &shape, &worm);
        }
        referee_shape_free(&shape);
        anl_graph_destroy(graph);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turn_models),
        cmocka_unit_test(negative_first_in_three_dimensions),
        cmocka_unit_test(odd_even),
        cmocka_unit_test(adaptive_with_escape_lanes),
        cmocka_unit_test(cubes_of_several_radices),
        cmocka_unit_test(classes_have_lanes_of_their_own),
        cmocka_unit_test(entries_with_several_options),
        cmocka_unit_test(entries_by_input_port),
        cmocka_unit_test(source_routes_follow_paths),
        cmocka_unit_test(given_paths_are_those_of_the_network),
        cmocka_unit_test(worms_may_have_routes_of_their_own),
        cmocka_unit_test(routes_that_no_worm_can_have),
        cmocka_unit_test(a_ring_of_five_has_two_layers),
        cmocka_unit_test(switches_without_terminals_need_no_layer),
        cmocka_unit_test(a_later_pair_may_go_to_a_lower_layer),
        cmocka_unit_test(the_network_reads_the_same),
    };
    return cmocka_run_group_tests_name("referee_routes", tests, NULL, NULL);
}
