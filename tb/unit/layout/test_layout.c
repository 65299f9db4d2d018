// SPDX-License-Identifier: Apache-2.0
//
// What a picture needs of a layout, for networks of every kind: nodes do not overlap, nor do lanes;
// wires pass over no switch but those at their ends; everything is inside the box; and a wire ends
// where its link ends.

#include "unit_graph.h"

#include <annelid/layout.h>
#include <math.h>
#include <stdlib.h>

// More networks than unit_networks: deep and wide lanes, and cubes of many dimensions.
static const struct anl_config more[] = {
    {.topology = ANL_MESH, .k = 8, .n = 2, .num_vcs = 4},
    {.topology = ANL_MESH, .k = 4, .n = 3, .num_vcs = 8},
    {.topology = ANL_TORUS, .k = 8, .n = 2, .num_vcs = 2, .routing = ANL_DATELINE},
    {.topology = ANL_TORUS, .k = 2, .n = 1, .num_vcs = 1},
    {.topology = ANL_TORUS, .k = 2, .n = 3, .num_vcs = 2, .routing = ANL_DATELINE},
    {.topology = ANL_TORUS, .k = 4, .n = 3, .num_vcs = 2, .routing = ANL_DATELINE},
    {.topology = ANL_UNIDIRECTIONAL_TORUS, .k = 2, .n = 2, .num_vcs = 1},
    {.topology = ANL_HYPERCUBE, .k = 2, .n = 6, .num_vcs = 1, .routing = ANL_E_CUBE},
    {.topology = ANL_FAT_TREE, .k = 4, .n = 1, .num_vcs = 2, .routing = ANL_UP_DOWN_RANDOM},
    {.topology = ANL_FAT_TREE, .k = 4, .n = 2, .num_vcs = 1, .routing = ANL_UP_DOWN_RANDOM},
    {.topology = ANL_FAT_TREE, .k = 4, .n = 2, .num_vcs = 8, .routing = ANL_UP_DOWN_RANDOM},
    {.topology = ANL_FAT_TREE, .k = 4, .n = 3, .num_vcs = 1, .routing = ANL_UP_DOWN_RANDOM},
    {.topology = ANL_BUTTERFLY, .k = 2, .n = 1, .num_vcs = 2, .routing = ANL_DESTINATION_TAG},
    {.topology = ANL_BUTTERFLY, .k = 2, .n = 3, .num_vcs = 8, .routing = ANL_DESTINATION_TAG},
    {.topology = ANL_BUTTERFLY,
     .k = 4,
     .n = 2,
     .passes = 2,
     .num_vcs = 2,
     .routing = ANL_DESTINATION_TAG},
    {.topology = ANL_BUTTERFLY,
     .k = 2,
     .n = 4,
     .passes = 2,
     .num_vcs = 2,
     .routing = ANL_DESTINATION_TAG},
};
enum { NUM_MORE = sizeof more / sizeof *more, NUM_CUBES_AND_TREES = UNIT_NUM_NETWORKS + NUM_MORE };
enum { NUM_GRAPHS = 24, NUM_NETWORKS = NUM_CUBES_AND_TREES + NUM_GRAPHS };

static struct anl_graph *graphs[NUM_GRAPHS];

// A crossbar, and beside it a switch to which no link leads, with a link to itself.
static struct anl_graph *two_parts(void)
{
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(2, 12, 12, &graph, NULL), ANL_OK);
    for (uint32_t t = 0; t < 12; t++)
        assert_int_equal(anl_graph_attach(graph, t, t, NULL), ANL_OK);
    assert_int_equal(anl_graph_link(graph, 12, 12, NULL), ANL_OK);
    graph->table = calloc(24, sizeof *graph->table);
    assert_non_null(graph->table);
    for (uint32_t t = 0; t < 12; t++)
        graph->table[t] = (struct anl_table_hop){(uint8_t)t, 1};
    return graph;
}

static int make_graphs(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(5, 0);
    graphs[0] = two_parts();
    assert_int_equal(anl_graph_route(graphs[0], ANL_TABLE, 1, NULL), ANL_OK);
    for (uint32_t i = 1; i < NUM_GRAPHS; i++) {
        const uint32_t ports = unit_draw(&rng, 3, 4 + i / 2);
        graphs[i] = random_graph(&rng, unit_draw(&rng, 1, 2 * i), ports, 3 * i, i % 2);
        assert_int_equal(anl_graph_route(graphs[i], ANL_SHORTEST, 1 + i % 8, NULL), ANL_OK);
    }
    return 0;
}

static int free_graphs(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < NUM_GRAPHS; i++)
        anl_graph_destroy(graphs[i]);
    return 0;
}

static struct anl_config network(size_t i)
{
    static const uint32_t depths[] = {1, 2, 4, 16, 64};
    const size_t g = i - NUM_CUBES_AND_TREES;
    struct anl_config config = i < UNIT_NUM_NETWORKS     ? unit_networks[i]
                               : i < NUM_CUBES_AND_TREES ? more[i - UNIT_NUM_NETWORKS]
                               : g == 0                  ? graph_config(graphs[0], ANL_TABLE, 1)
                                        : graph_config(graphs[g], ANL_SHORTEST, 1 + g % 8);
    config.depth = depths[i % 5];
    config.flit_width_bits = 64;
    config.reply_queue = i % 3 == 2 ? 2 : 0;  // then flits stand in the lanes of ejection links
    return config;
}

typedef void (*check)(const struct anl_config *config, const struct anl_layout *layout);

static void for_networks(check check_one)
{
    for (size_t i = 0; i < NUM_NETWORKS; i++) {
        const struct anl_config config = network(i);
        struct anl_layout layout;
        struct anl_error error = {0};
        assert_int_equal(anl_config_check(&config, &error), ANL_OK);
        assert_int_equal(anl_layout_create(&config, &layout, &error), ANL_OK);
        check_one(&config, &layout);
        anl_layout_free(&layout);
    }
}

#define FAIL(config, ...)                                                                          \
    do {                                                                                           \
        print_error("%s k=%u n=%u lanes=%u depth=%u: ", anl_topology_name((config)->topology),     \
                    (config)->k, (config)->n, (config)->num_vcs, (config)->depth);                 \
        fail_msg(__VA_ARGS__);                                                                     \
    } while (0)

static double apart(struct anl_point a, struct anl_point b) { return hypot(a.x - b.x, a.y - b.y); }

static bool exists(const struct anl_layout *layout, uint32_t link)
{
    return layout->paths[link].count > 0;
}

// --- nodes ---

// Returns whether two rectangles of these sizes around a and b have a point in common.
static bool overlap(struct anl_point a, struct anl_point size_a, struct anl_point b,
                    struct anl_point size_b)
{
    return fabs(a.x - b.x) < (size_a.x + size_b.x) / 2 &&
           fabs(a.y - b.y) < (size_a.y + size_b.y) / 2;
}

// Returns where terminals receive, which is where they send but in a butterfly.
static const struct anl_point *receivers(const struct anl_layout *layout)
{
    return layout->sinks ? layout->sinks : layout->terminals;
}

static void check_nodes(const struct anl_config *config, const struct anl_layout *layout)
{
    const struct anl_point of_terminal = {layout->terminal_width, layout->terminal_height};
    const struct anl_point *sizes = layout->sizes;
    for (uint32_t a = 0; a < layout->shape.terminals; a++)
        for (uint32_t b = 0; b < a; b++)
            if (overlap(layout->terminals[a], of_terminal, layout->terminals[b], of_terminal) ||
                overlap(receivers(layout)[a], of_terminal, receivers(layout)[b], of_terminal))
                FAIL(config, "terminals %u and %u overlap", a, b);
    for (uint32_t a = 0; a < layout->shape.switches; a++)
        for (uint32_t b = 0; b < layout->shape.terminals; b++)
            if (overlap(layout->switches[a], sizes[a], layout->terminals[b], of_terminal) ||
                overlap(layout->switches[a], sizes[a], receivers(layout)[b], of_terminal))
                FAIL(config, "switch %u and terminal %u overlap", a, b);
    for (uint32_t a = 0; a < layout->shape.switches; a++)
        for (uint32_t b = 0; b < a; b++)
            if (overlap(layout->switches[a], sizes[a], layout->switches[b], sizes[b]))
                FAIL(config, "switches %u and %u overlap", a, b);
}

static void nodes_do_not_overlap(void **state)
{
    (void)state;
    for_networks(check_nodes);
}

// --- links ---

// Returns whether a point is on the edge of a node, or as near to its corner as a cube's terminal
// links, or before a terminal.
static bool is_at(struct anl_point point, struct anl_point node, struct anl_point size)
{
    const double x = fabs(point.x - node.x) - size.x / 2, y = fabs(point.y - node.y) - size.y / 2;
    return fmax(x, y) > -4 && fmax(x, y) < 12;
}

static void check_ends(const struct anl_config *config, const struct anl_layout *layout)
{
    const struct anl_shape shape = layout->shape;
    for (uint32_t s = 0; s < shape.switches; s++)
        for (uint32_t p = 0; p < shape.ports; p++) {
            const struct anl_end end = anl_link_end(config, s, p);
            const struct anl_path *path = &layout->paths[s * shape.ports + p];
            if (end.exists != (path->count > 0)) FAIL(config, "link of %u.%u", s, p);
            if (!end.exists) continue;
            const struct anl_point of_terminal = {layout->terminal_width, layout->terminal_height};
            const struct anl_point *ends = end.is_terminal ? receivers(layout) : layout->switches;
            const struct anl_point to = ends[end.node];
            const struct anl_point size = end.is_terminal ? of_terminal : layout->sizes[end.node];
            if (!is_at(path->corners[0], layout->switches[s], layout->sizes[s]) ||
                !is_at(path->corners[path->count - 1], to, size))
                FAIL(config, "the ends of %u.%u are not at its nodes", s, p);
        }
    for (uint32_t t = 0; t < shape.terminals; t++)
        if (!exists(layout, shape.switches * shape.ports + t)) FAIL(config, "no way from T%u", t);
}

static void links_join_their_nodes(void **state)
{
    (void)state;
    for_networks(check_ends);
}

static bool inside(const struct anl_layout *layout, struct anl_point p)
{
    return p.x > 0 && p.y > 0 && p.x < layout->width && p.y < layout->height;
}

static void check_box(const struct anl_config *config, const struct anl_layout *layout)
{
    for (uint32_t link = 0; link < layout->shape.links; link++)
        for (uint32_t vc = 0; exists(layout, link) && vc < config->num_vcs; vc++) {
            const struct anl_lane_shape lane = anl_layout_lane(layout, link, vc);
            bool in = inside(layout, lane.end) && inside(layout, lane.front);
            for (uint32_t i = 0; i < lane.count; i++)
                in = in && inside(layout, lane.wire[i]);
            if (!in) FAIL(config, "link %u lane %u leaves the box", link, vc);
        }
    for (uint32_t t = 0; t < layout->shape.terminals; t++)
        if (!inside(layout,
                    (struct anl_point){layout->terminals[t].x + layout->terminal_width / 2,
                                       layout->terminals[t].y + layout->terminal_height / 2}))
            FAIL(config, "terminal %u leaves the box", t);
}

static void all_is_inside_the_box(void **state)
{
    (void)state;
    for_networks(check_box);
}

// Returns whether the line from a to b runs deeper than `within` into the rectangle
// around centre.
static bool runs_over(struct anl_point a, struct anl_point b, struct anl_point centre,
                      struct anl_point size, double within)
{
    const int steps = 64 + (int)(apart(a, b) / 20);
    for (int i = 0; i <= steps; i++) {
        const double x = a.x + (b.x - a.x) * i / steps, y = a.y + (b.y - a.y) * i / steps;
        if (fabs(x - centre.x) < size.x / 2 - within && fabs(y - centre.y) < size.y / 2 - within)
            return true;
    }
    return false;
}

static void check_wires(const struct anl_config *config, const struct anl_layout *layout)
{
    for (uint32_t link = 0; link < layout->shape.links; link++)
        for (uint32_t vc = 0; exists(layout, link) && vc < config->num_vcs; vc++) {
            const struct anl_lane_shape lane = anl_layout_lane(layout, link, vc);
            for (uint32_t i = 0; i + 1 < lane.count; i++)
                for (uint32_t s = 0; s < layout->shape.switches; s++)
                    if (runs_over(lane.wire[i], lane.wire[i + 1], layout->switches[s],
                                  layout->sizes[s], 1) &&
                        !(i == 0 && link / layout->shape.ports == s))
                        FAIL(config, "link %u lane %u runs over switch %u", link, vc, s);
        }
}

static void wires_run_over_no_switch(void **state)
{
    (void)state;
    for_networks(check_wires);
}

// --- lanes ---

static void check_slots(const struct anl_config *config, const struct anl_layout *layout)
{
    const uint32_t links = layout->shape.links, vcs = config->num_vcs;
    const double least = fmin(layout->lane_pitch, layout->slot_length) * 0.99;
    struct anl_point *slots = calloc((size_t)links * vcs * config->depth, sizeof *slots);
    uint32_t count = 0;
    for (uint32_t link = 0; link < links; link++)
        for (uint32_t vc = 0; exists(layout, link) && vc < vcs; vc++) {
            const struct anl_lane_shape lane = anl_layout_lane(layout, link, vc);
            for (uint32_t i = 0; i < layout->paths[link].slots; i += 1 + config->depth / 8)
                slots[count++] = (struct anl_point){lane.front.x + i * lane.step.x,
                                                    lane.front.y + i * lane.step.y};
        }
    const uint32_t step = unit_step(4);
    uint32_t a = 0, b = 0;
    bool close = false;
    for (a = 0; a < count && !close; a += step)
        for (b = a + 1; b < count && !close; b++)
            close = apart(slots[a], slots[b]) < least;
    const struct anl_point at = close ? slots[a - step] : (struct anl_point){0, 0};
    free(slots);
    if (close) FAIL(config, "two slots at %.1f %.1f", at.x, at.y);
}

// Where terminals can refuse, flits stand in all slots of the lanes that lead to them.
static void check_ejection(const struct anl_config *config, const struct anl_layout *layout)
{
    for (uint32_t t = 0; t < layout->shape.terminals; t++) {
        const uint32_t slots = layout->paths[anl_ejection_link(config, t)].slots;
        if (slots != (config->reply_queue ? config->depth : 1))
            FAIL(config, "%u slots before T%u", slots, t);
    }
}

static void lanes_of_terminals_have_their_slots(void **state)
{
    (void)state;
    for_networks(check_ejection);
}

static void slots_do_not_overlap(void **state)
{
    (void)state;
    for_networks(check_slots);
}

static void check_switches_free_of_slots(const struct anl_config *config,
                                         const struct anl_layout *layout)
{
    for (uint32_t link = 0; link < layout->shape.links; link++)
        for (uint32_t vc = 0; exists(layout, link) && vc < config->num_vcs; vc++) {
            const struct anl_lane_shape lane = anl_layout_lane(layout, link, vc);
            const struct anl_point last = lane.wire[lane.count - 1];
            for (uint32_t s = 0; s < layout->shape.switches; s++)
                if (runs_over(lane.front, last, layout->switches[s], layout->sizes[s], 0))
                    FAIL(config, "slots of link %u lie on switch %u", link, s);
        }
}

static void slots_lie_outside_of_switches(void **state)
{
    (void)state;
    for_networks(check_switches_free_of_slots);
}

// Returns for how long two lines run on top of each other; only lines along an axis can.
static double together(struct anl_point a, struct anl_point b, struct anl_point c,
                       struct anl_point d)
{
    const bool across = fabs(a.y - b.y) < 0.5 && fabs(c.y - d.y) < 0.5 && fabs(a.y - c.y) < 0.5;
    const bool upright = fabs(a.x - b.x) < 0.5 && fabs(c.x - d.x) < 0.5 && fabs(a.x - c.x) < 0.5;
    if (across) return fmin(fmax(a.x, b.x), fmax(c.x, d.x)) - fmax(fmin(a.x, b.x), fmin(c.x, d.x));
    if (upright) return fmin(fmax(a.y, b.y), fmax(c.y, d.y)) - fmax(fmin(a.y, b.y), fmin(c.y, d.y));
    return 0;
}

// Wires of different lanes share no corner and no line, so that the two links of a pair, and those
// of neighbouring tracks, can be distinguished.
static void check_wires_apart(const struct anl_config *config, const struct anl_layout *layout)
{
    const uint32_t lanes = layout->shape.links * config->num_vcs;
    for (uint32_t a = 0; a < lanes; a++)
        for (uint32_t b = a + 1; b < lanes; b++) {
            const uint32_t vcs = config->num_vcs;
            if (!exists(layout, a / vcs) || !exists(layout, b / vcs)) continue;
            const struct anl_lane_shape x = anl_layout_lane(layout, a / vcs, a % vcs);
            const struct anl_lane_shape y = anl_layout_lane(layout, b / vcs, b % vcs);
            for (uint32_t i = 0; i < x.count; i++)
                for (uint32_t j = 0; j < y.count; j++)
                    if (apart(x.wire[i], y.wire[j]) < 0.5)
                        FAIL(config, "wires of links %u and %u meet", a / vcs, b / vcs);
            for (uint32_t i = 0; i + 1 < x.count; i++)
                for (uint32_t j = 0; j + 1 < y.count; j++)
                    if (together(x.wire[i], x.wire[i + 1], y.wire[j], y.wire[j + 1]) > 1)
                        FAIL(config, "wires of links %u and %u coincide", a / vcs, b / vcs);
        }
}

static void wires_do_not_meet(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_NETWORKS; i++) {
        const struct anl_config config = network(i);
        struct anl_layout layout;
        if (anl_shape_of(&config).links * config.num_vcs > 1500 / unit_step(3))
            continue;  // quadratic
        assert_int_equal(anl_layout_create(&config, &layout, NULL), ANL_OK);
        check_wires_apart(&config, &layout);
        anl_layout_free(&layout);
    }
}

// A butterfly is drawn wrapped: each terminal stands at both ends of its column, and the levels of
// a second copy have the distances of the first.
static void check_wrapped(const struct anl_config *config, const struct anl_layout *layout)
{
    const uint32_t n = config->n, columns = layout->shape.terminals / config->k;
    if (config->topology != ANL_BUTTERFLY) return;
    for (uint32_t t = 0; t < layout->shape.terminals; t++) {
        const struct anl_point above = layout->terminals[t], below = layout->sinks[t];
        const double column = layout->switches[t / config->k].x;
        if (fabs(above.x - below.x) > 1e-9) FAIL(config, "terminal %u is not wrapped", t);
        if (fabs(above.x - column) > layout->sizes[0].x / 2)
            FAIL(config, "terminal %u is in another column", t);
        if (above.y > layout->switches[0].y ||
            below.y < layout->switches[layout->shape.switches - 1].y)
            FAIL(config, "terminal %u is not at both ends", t);
    }
    for (uint32_t level = 0; config->passes == 2 && level + 1 < n; level++) {
        const struct anl_point *first = &layout->switches[(size_t)level * columns];
        const struct anl_point *second = first + (size_t)(n - 1) * columns;
        if (fabs(first[columns].y - first->y - (second[columns].y - second->y)) > 1e-9)
            FAIL(config, "level %u of the second copy has another distance", level);
    }
}

static void a_butterfly_is_wrapped(void **state)
{
    (void)state;
    for_networks(check_wrapped);
}

static void too_large_is_refused(void **state)
{
    (void)state;
    const struct anl_config config = {
        .topology = ANL_MESH, .k = 33, .n = 2, .num_vcs = 1, .depth = 1, .flit_width_bits = 64};
    struct anl_layout layout;
    struct anl_error error = {0};
    assert_int_equal(anl_layout_create(&config, &layout, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text,
                        "a network of 1089 switches is too large to be drawn, at most 1024");
    assert_null(layout.paths);
    anl_layout_free(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_do_not_overlap),
        cmocka_unit_test(links_join_their_nodes),
        cmocka_unit_test(all_is_inside_the_box),
        cmocka_unit_test(wires_run_over_no_switch),
        cmocka_unit_test(lanes_of_terminals_have_their_slots),
        cmocka_unit_test(slots_do_not_overlap),
        cmocka_unit_test(slots_lie_outside_of_switches),
        cmocka_unit_test(wires_do_not_meet),
        cmocka_unit_test(a_butterfly_is_wrapped),
        cmocka_unit_test(too_large_is_refused),
    };
    return cmocka_run_group_tests_name("layout", tests, make_graphs, free_graphs);
}
