// SPDX-License-Identifier: Apache-2.0
//
// Wiring and routes against docs/networks.md: links form pairs, every route is as short as a path
// found by breadth-first search, and the graph of channel dependencies has a cycle exactly where
// the page says so.

#include "unit.h"

#include <annelid/network.h>
#include <stdlib.h>
#include <string.h>

static const struct anl_config trees[] = {
    {.topology = ANL_FAT_TREE, .k = 4, .n = 1, .num_vcs = 1, .routing = ANL_UP_DOWN_RANDOM},
    {.topology = ANL_FAT_TREE, .k = 4, .n = 2, .num_vcs = 3, .routing = ANL_UP_DOWN_GREEDY},
    {.topology = ANL_FAT_TREE, .k = 4, .n = 3, .num_vcs = 1, .routing = ANL_UP_DOWN_FIXED},
};
enum { NUM_NETWORKS = UNIT_NUM_NETWORKS + 3 };

// Network number i: cubes come first, then trees.
static const struct anl_config *config_at(uint32_t i)
{
    return i < UNIT_NUM_NETWORKS ? &unit_networks[i] : &trees[i - UNIT_NUM_NETWORKS];
}

static void every_input_port_has_one_link(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < NUM_NETWORKS; i++) {
        const struct anl_config *config = config_at(i);
        const struct anl_shape shape = anl_shape_of(config);
        uint8_t *fed = calloc((size_t)shape.switches * shape.ports, 1);
        uint32_t ejecting = 0;
        for (uint32_t link = 0; link < shape.switches * shape.ports; link++) {
            const struct anl_end end = anl_link_end(config, link / shape.ports, link % shape.ports);
            if (!end.exists) continue;
            const uint32_t input = end.is_terminal ? link : end.node * shape.ports + end.port;
            assert_int_equal(fed[input]++, 0);
            if (!end.is_terminal) continue;
            assert_int_equal(anl_ejection_link(config, end.node), link);
            ejecting++;
        }
        assert_int_equal(ejecting, shape.terminals);
        free(fed);
    }
}

// The neighbour differs only in the dimension of the port, by one, and the link ends at the side
// that looks back.
static void links_go_where_the_table_says(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < UNIT_NUM_NETWORKS; i++) {
        const struct anl_config *config = config_at(i);
        const struct anl_shape shape = anl_shape_of(config);
        const bool both = config->topology == ANL_MESH || config->topology == ANL_TORUS;
        for (uint32_t s = 0; s < shape.switches; s++) {
            const struct anl_end terminal = anl_link_end(config, s, shape.ports - 1);
            assert_true(terminal.exists && terminal.is_terminal && terminal.node == s);
            for (uint32_t p = 0; p + 1 < shape.ports; p++) {
                const uint32_t d = both ? p / 2 : p;
                const int x = (int)anl_coordinate(config, s, d), k = (int)config->k;
                const int y = both && p % 2 ? x - 1 : x + 1;
                const struct anl_end end = anl_link_end(config, s, p);
                if (config->topology == ANL_MESH && (y < 0 || y == k)) {
                    assert_false(end.exists);
                    continue;
                }
                assert_true(end.exists);
                assert_int_equal(end.port, both ? p ^ 1 : p);
                for (uint32_t e = 0; e < config->n; e++)
                    assert_int_equal(anl_coordinate(config, end.node, e),
                                     e == d ? (uint32_t)((y + k) % k)
                                            : anl_coordinate(config, s, e));
            }
        }
    }
}

static void breadth_first(const struct anl_config *config, uint32_t from, uint32_t *distance)
{
    const struct anl_shape shape = anl_shape_of(config);
    uint32_t *queue = malloc(shape.switches * sizeof *queue);
    memset(distance, 0xff, shape.switches * sizeof *distance);
    distance[from] = 0;
    queue[0] = from;
    for (uint32_t head = 0, tail = 1; head < tail; head++)
        for (uint32_t p = 0; p < shape.ports; p++) {
            const struct anl_end end = anl_link_end(config, queue[head], p);
            if (!end.exists || end.is_terminal || distance[end.node] != UINT32_MAX) continue;
            distance[end.node] = distance[queue[head]] + 1;
            queue[tail++] = end.node;
        }
    free(queue);
}

// Follows every port that is equally near; returns the number of paths.
static uint32_t all_ways(const struct anl_config *config, uint32_t here, uint32_t destination,
                         uint32_t hops_left)
{
    const uint32_t ports = anl_shape_of(config).ports;
    const struct anl_route route =
        anl_route_at(config, (struct anl_input_lane){here, 0, 0}, destination);
    uint32_t ways = 0;
    assert_int_not_equal(route.ports, 0);
    for (uint32_t port = 0; port < ANL_MAX_PORTS; port++) {
        assert_int_equal(route.vcs[port] != 0, route.ports >> port & 1);
        assert_int_equal(route.vcs[port] >> config->num_vcs, 0);
        if (!route.vcs[port]) continue;
        const struct anl_end end = anl_link_end(config, here, port);
        assert_true(end.exists);
        assert_int_equal(end.is_terminal, hops_left == 0);
        if (end.is_terminal) assert_int_equal(end.node, destination);
        ways += end.is_terminal ? 1 : all_ways(config, end.node, destination, hops_left - 1);
    }
    if (hops_left > 0) return ways;
    const struct anl_way way = anl_first_way(route);
    assert_int_equal(here * ports + way.port, anl_ejection_link(config, destination));
    assert_int_equal(way.vcs, (1u << config->num_vcs) - 1);
    return ways;
}

// At every level below the highest there are two parents to choose from; a cube has one path.
static uint32_t expected_ways(const struct anl_config *config, uint32_t links)
{
    return config->topology == ANL_FAT_TREE ? 1u << links / 2 : 1;
}

// The tables of a network hold the routes that the formulas give.
static void networks_route_as_their_formulas(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < NUM_NETWORKS; i++) {
        struct anl_config config = *config_at(i);
        const struct anl_shape shape = anl_shape_of(&config);
        struct anl_network *network;
        config.depth = 1;
        config.flit_width_bits = 64;
        assert_int_equal(anl_network_create(&config, &network), ANL_OK);
        for (uint32_t s = 0; s < shape.switches; s++)
            for (uint32_t t = 0; t < shape.terminals; t++) {
                const struct anl_input_lane at = {s, 0, 0};
                const struct anl_route table = anl_network_route(network, at, t, 0);
                const struct anl_route rule = anl_route_on_path(&config, at, t, 0);
                assert_memory_equal(&table, &rule, sizeof rule);
            }
        anl_network_destroy(network);
    }
}

static void routes_are_shortest(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < NUM_NETWORKS; i++) {
        const struct anl_config *config = config_at(i);
        const struct anl_shape shape = anl_shape_of(config);
        uint32_t distance[256];
        for (uint32_t s = 0; s < shape.terminals; s++) {
            const uint32_t first = anl_ejection_link(config, s) / shape.ports;
            breadth_first(config, first, distance);
            for (uint32_t t = 0; t < shape.terminals; t++) {
                const uint32_t links = distance[anl_ejection_link(config, t) / shape.ports];
                assert_int_equal(all_ways(config, first, t, links), expected_ways(config, links));
                assert_int_equal(anl_distance(config, s, t), links);
            }
        }
    }
}

// Depth-first search for a cycle among output lanes. An edge leads from a lane to a lane that a
// worm in it may ask for next.
struct graph {
    const struct anl_config *config;
    struct anl_shape shape;
    uint8_t *edge;  // [lanes * lanes]
    uint8_t *mark;  // 0 new, 1 on the current path, 2 done
    uint32_t lanes;
};

// Adds the edges of all paths on from here, which was reached by a lane of last_vcs of last_link.
static void add_ways(struct graph *graph, uint32_t here, uint32_t destination, uint32_t last_link,
                     uint32_t last_vcs)
{
    const uint32_t v = graph->config->num_vcs;
    const struct anl_route route =
        anl_route_at(graph->config, (struct anl_input_lane){here, 0, 0}, destination);
    for (uint32_t port = 0; port < graph->shape.ports; port++) {
        if (!route.vcs[port]) continue;
        const uint32_t link = here * graph->shape.ports + port;
        for (uint32_t a = 0; a < v; a++)
            for (uint32_t b = 0; b < v; b++)
                if (last_vcs >> a & 1 && route.vcs[port] >> b & 1)
                    graph->edge[(last_link * v + a) * graph->lanes + link * v + b] = 1;
        const struct anl_end end = anl_link_end(graph->config, here, port);
        if (!end.is_terminal) add_ways(graph, end.node, destination, link, route.vcs[port]);
    }
}

static bool cycle_from(struct graph *graph, uint32_t lane)
{
    if (graph->mark[lane]) return graph->mark[lane] == 1;
    graph->mark[lane] = 1;
    for (uint32_t next = 0; next < graph->lanes; next++)
        if (graph->edge[lane * graph->lanes + next] && cycle_from(graph, next)) return true;
    graph->mark[lane] = 2;
    return false;
}

static bool has_cycle(const struct anl_config *config)
{
    struct graph graph = {.config = config, .shape = anl_shape_of(config)};
    bool found = false;
    graph.lanes = graph.shape.switches * graph.shape.ports * config->num_vcs;
    graph.edge = calloc((size_t)graph.lanes * graph.lanes, 1);
    graph.mark = calloc(graph.lanes, 1);
    for (uint32_t s = 0; s < graph.shape.terminals; s++)
        for (uint32_t t = 0; t < graph.shape.terminals; t++)
            add_ways(&graph, anl_ejection_link(config, s) / graph.shape.ports, t, 0, 0);
    for (uint32_t lane = 0; lane < graph.lanes && !found; lane++)
        found = cycle_from(&graph, lane);
    free(graph.edge);
    free(graph.mark);
    return found;
}

static void only_tori_without_datelines_can_deadlock(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < NUM_NETWORKS; i++) {
        struct anl_config config = *config_at(i);
        const bool torus =
            config.topology == ANL_TORUS || config.topology == ANL_UNIDIRECTIONAL_TORUS;
        assert_int_equal(has_cycle(&config), torus && config.routing == ANL_DIMENSION_ORDER);
        if (torus && config.k > 4) {  // docs/networks.md says why smaller ones are safe
            config.routing = ANL_DIMENSION_ORDER;
            assert_true(has_cycle(&config));
        }
    }
}

static void labels_and_names_read_as_documented(void **state)
{
    (void)state;
    const struct anl_config torus = {.topology = ANL_TORUS, .k = 5, .n = 2, .num_vcs = 2};
    const struct anl_config cube = {.topology = ANL_HYPERCUBE, .k = 2, .n = 3, .num_vcs = 1};
    char text[64];

    assert_int_equal(anl_label(&torus, 13), 3 | 2 << 3);  // 13 = 3 + 2 * 5, 3 bits each
    assert_int_equal(anl_label(&cube, 5), 5);
    anl_link_name(&torus, 13 * 5 + 3, text, sizeof text);
    assert_string_equal(text, "13(3,2).-1");
    anl_link_name(&torus, 13 * 5 + 1, text, sizeof text);
    assert_string_equal(text, "13(3,2).-0");
    anl_link_name(&torus, 13 * 5 + 2, text, sizeof text);
    assert_string_equal(text, "13(3,2).+1");
    anl_link_name(&torus, 13 * 5 + 4, text, sizeof text);
    assert_string_equal(text, "13(3,2).T");
    anl_link_name(&torus, 25 * 5, text, sizeof text);
    assert_string_equal(text, "T0.inject");
    anl_link_name(&torus, 25 * 5 + 7, text, sizeof text);
    assert_string_equal(text, "T7.inject");
    anl_link_name(&cube, 5 * 4 + 2, text, sizeof text);
    assert_string_equal(text, "5(1,0,1).2");
    anl_link_name(&cube, 5 * 4 + 2, text, 6);
    assert_string_equal(text, "5(1,0");
}

static struct anl_way way_of(const struct anl_config *config, uint32_t switch_, uint32_t terminal)
{
    return anl_first_way(anl_route_at(config, (struct anl_input_lane){switch_, 0, 0}, terminal));
}

// Half way round a ring of even size: "+" from even coordinates, "-" from odd ones.
static void ties_split_by_parity(void **state)
{
    (void)state;
    const struct anl_config *torus = config_at(6);
    for (uint32_t c = 0; c < 4; c++)
        assert_int_equal(way_of(torus, c, (c + 2) % 4).port, c % 2);
}

static void dateline_classes_follow_the_wrap(void **state)
{
    (void)state;
    const struct anl_config ring = {
        .topology = ANL_TORUS, .k = 8, .n = 1, .num_vcs = 3, .routing = ANL_DATELINE};
    assert_int_equal(way_of(&ring, 6, 1).vcs, 1);      // + to the wrap link: class 0 = lane 0
    assert_int_equal(way_of(&ring, 7, 1).vcs, 1);      // + over the wrap link
    assert_int_equal(way_of(&ring, 0, 1).vcs, 2 | 4);  // + after the wrap link: class 1
    assert_int_equal(way_of(&ring, 1, 3).vcs, 2 | 4);  // + without the wrap link
    assert_int_equal(way_of(&ring, 1, 6).vcs, 1);      // - to the wrap link
    assert_int_equal(way_of(&ring, 0, 6).vcs, 1);
    assert_int_equal(way_of(&ring, 7, 6).vcs, 2 | 4);
}

static void chained_links_close_no_loop(void **state)
{
    (void)state;
    for (enum anl_topology t = ANL_MESH; t <= ANL_LAST_TOPOLOGY; t++)
        assert_int_equal(anl_may_chain(t), t == ANL_FAT_TREE || t == ANL_BUTTERFLY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_input_port_has_one_link),
        cmocka_unit_test(links_go_where_the_table_says),
        cmocka_unit_test(routes_are_shortest),
        cmocka_unit_test(networks_route_as_their_formulas),
        cmocka_unit_test(only_tori_without_datelines_can_deadlock),
        cmocka_unit_test(labels_and_names_read_as_documented),
        cmocka_unit_test(ties_split_by_parity),
        cmocka_unit_test(dateline_classes_follow_the_wrap),
        cmocka_unit_test(chained_links_close_no_loop),
    };
    return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
