// SPDX-License-Identifier: Apache-2.0
//
// Routing valiant against docs/networks.md: every worm goes by dimension order to its intermediate
// switch and by dimension order on to its destination, in lanes of its own in each phase; no circle
// of lanes; and what is refused.

#include "unit.h"

#include <annelid/network.h>
#include <stdlib.h>
#include <string.h>

static const struct anl_config networks[] = {
    {.topology = ANL_MESH, .k = 3, .n = 2, .num_vcs = 2, .routing = ANL_VALIANT},
    {.topology = ANL_MESH, .k = 4, .n = 1, .num_vcs = 5, .routing = ANL_VALIANT},
    {.topology = ANL_MESH, .k = 2, .n = 3, .num_vcs = 6, .classes = 2, .routing = ANL_VALIANT},
    {.topology = ANL_TORUS, .k = 5, .n = 2, .num_vcs = 4, .routing = ANL_VALIANT},
    {.topology = ANL_TORUS, .k = 4, .n = 2, .num_vcs = 7, .routing = ANL_VALIANT},
    {.topology = ANL_TORUS, .k = 8, .n = 1, .num_vcs = 8, .classes = 2, .routing = ANL_VALIANT},
    {.topology = ANL_HYPERCUBE, .k = 2, .n = 4, .num_vcs = 3, .routing = ANL_VALIANT},
};
enum { NUM_NETWORKS = sizeof networks / sizeof *networks };

static struct anl_config config_at(size_t i)
{
    struct anl_config config = networks[i];
    config.depth = 2;
    config.flit_width_bits = 64;
    return config;
}

// A worm with its walk.
struct trip {
    const struct anl_config *config;
    const struct anl_network *network;
    struct anl_worm worm;
    uint32_t first_lane;     // of its class
    uint32_t switch_, port;  // where its head stands
    uint32_t vcs;            // in which lanes
    uint32_t hops;
    uint64_t used[16];  // bits of the links that it has crossed
};

// Returns the way of the head, which is the same from each of its lanes, by rule and by table.
static struct anl_way way_of(const struct trip *trip)
{
    struct anl_way way = {0};
    for (uint32_t left = trip->vcs; left; left &= left - 1) {
        const struct anl_input_lane at = {trip->switch_, trip->port, (uint32_t)__builtin_ctz(left)};
        const uint32_t to = trip->worm.destination, by = trip->worm.path;
        const struct anl_route rule = anl_route_on_path(trip->config, at, to, by);
        const struct anl_route table = anl_network_route(trip->network, at, to, by);
        const struct anl_route any = anl_route_at(trip->config, at, to);
        const struct anl_way here = anl_first_way(rule);
        assert_memory_equal(&rule, &table, sizeof rule);
        assert_int_equal(rule.ports, 1u << here.port);
        assert_true(any.ports >> here.port & 1);
        assert_int_equal(here.vcs & ~(uint32_t)any.vcs[here.port], 0);
        if (left != trip->vcs) assert_true(here.port == way.port && here.vcs == way.vcs);
        way = here;
    }
    return way;
}

// The configuration of a phase alone: dimension order in a number of lanes.
static struct anl_config phase_of(const struct anl_config *config, uint32_t lanes)
{
    struct anl_config phase = *config;
    phase.classes = 1;
    phase.num_vcs = lanes;
    phase.routing = config->topology == ANL_TORUS  ? ANL_DATELINE
                    : config->topology == ANL_MESH ? ANL_DIMENSION_ORDER
                                                   : ANL_E_CUBE;
    assert_int_equal(anl_config_check(&phase, NULL), ANL_OK);
    return phase;
}

static void cross(struct trip *trip, struct anl_way way)
{
    const uint32_t link = trip->switch_ * anl_shape_of(trip->config).ports + way.port;
    const struct anl_end end = anl_link_end(trip->config, trip->switch_, way.port);
    assert_true(end.exists && !end.is_terminal && link < 64 * 16);
    assert_int_equal(trip->used[link / 64] >> link % 64 & 1, 0);
    trip->used[link / 64] |= UINT64_C(1) << link % 64;
    trip->switch_ = end.node;
    trip->port = end.port;
    trip->vcs = way.vcs;
    trip->hops++;
}

// Goes a phase, whose lanes are `lanes` ones from lane `from` of the class on, to a switch.
static void go(struct trip *trip, uint32_t from, uint32_t lanes, uint32_t to)
{
    const struct anl_config phase = phase_of(trip->config, lanes);
    while (trip->switch_ != to) {
        const struct anl_input_lane at = {trip->switch_, trip->port, 0};
        const struct anl_way expected = anl_first_way(anl_route_at(&phase, at, to));
        const struct anl_way way = way_of(trip);
        assert_int_equal(way.port, expected.port);
        assert_int_equal(way.vcs, expected.vcs << from << trip->first_lane);
        cross(trip, way);
    }
}

static void make_trip(struct trip *trip, uint32_t class_)
{
    const uint32_t lanes = anl_class_lanes(trip->config), first = lanes / 2;
    const struct anl_end start =
        anl_end_of(trip->config, anl_injection_link(trip->config, trip->worm.source));
    trip->worm.class_ = (uint8_t)class_;
    trip->first_lane = class_ * lanes;
    trip->switch_ = start.node;
    trip->port = start.port;
    trip->vcs = anl_class_vcs(trip->config, class_);
    go(trip, 0, first, trip->worm.path);
    go(trip, first, lanes - first, trip->worm.destination);
    const struct anl_way last = way_of(trip);
    const struct anl_end end = anl_link_end(trip->config, trip->switch_, last.port);
    assert_true(end.is_terminal && end.node == trip->worm.destination);
    assert_int_equal(last.vcs, anl_class_vcs(trip->config, class_));
    assert_int_equal(trip->hops, anl_worm_distance(trip->config, &trip->worm));
}

typedef void trip_fn(struct trip *trip, uint32_t class_);

// Makes the trips of all worms of a network.
static void for_all(const struct anl_config *config, const struct anl_network *network,
                    trip_fn *make)
{
    const uint32_t terminals = anl_shape_of(config).terminals;
    for (uint32_t class_ = 0; class_ < anl_num_classes(config); class_++)
        for (uint32_t i = 0; i < terminals * terminals * terminals; i++) {
            struct trip trip = {.config = config,
                                .network = network,
                                .worm = {.source = i % terminals,
                                         .path = i / terminals % terminals,
                                         .destination = i / terminals / terminals}};
            make(&trip, class_);
        }
}

static void a_worm_goes_by_its_intermediate_switch(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_NETWORKS; i++) {
        const struct anl_config config = config_at(i);
        struct anl_network *network;
        assert_int_equal(anl_num_paths(&config), anl_shape_of(&config).switches);
        assert_int_equal(anl_network_create(&config, &network), ANL_OK);
        for_all(&config, network, make_trip);
        anl_network_destroy(network);
    }
}

// Adds the dependencies of a worm to a graph.
static struct anl_cdg *filled;

static void depend(struct trip *trip, uint32_t class_)
{
    const struct anl_config *config = trip->config;
    const uint32_t ports = anl_shape_of(config).ports;
    uint32_t link = anl_injection_link(config, trip->worm.source);
    trip->vcs = anl_class_vcs(config, class_);
    for (struct anl_end at; at = anl_end_of(config, link), !at.is_terminal;) {
        trip->switch_ = at.node;
        trip->port = at.port;
        const struct anl_way way = way_of(trip);
        for (uint32_t left = trip->vcs; left; left &= left - 1)
            anl_cdg_add(filled, link * config->num_vcs + (uint32_t)__builtin_ctz(left), way.port,
                        way.vcs);
        link = at.node * ports + way.port;
        trip->vcs = way.vcs;
    }
}

static void set_ends(const struct anl_config *config, struct anl_cdg *cdg)
{
    for (uint32_t link = 0; link < anl_shape_of(config).links; link++) {
        const struct anl_end end = anl_end_of(config, link);
        if (end.exists && !end.is_terminal) anl_cdg_set_end(cdg, link, end.node);
    }
}

static void same_dependencies(const struct anl_cdg *a, const struct anl_cdg *b)
{
    uint32_t *of_a = malloc(anl_cdg_most_after(a) * sizeof *of_a);
    uint32_t *of_b = malloc(anl_cdg_most_after(b) * sizeof *of_b);
    assert_true(of_a && of_b);
    for (uint32_t lane = 0; lane < anl_cdg_lanes(a); lane++) {
        const size_t count = anl_cdg_after(a, lane, of_a);
        assert_int_equal(count, anl_cdg_after(b, lane, of_b));
        assert_memory_equal(of_a, of_b, count * sizeof *of_a);
    }
    free(of_a);
    free(of_b);
}

// The graph of the library, which follows some worms, is that of all worms, and has no circle.
static void no_lane_waits_for_itself(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_NETWORKS; i++) {
        const struct anl_config config = config_at(i);
        struct anl_network *network;
        struct anl_cdg *cdg;
        bool acyclic = false;
        assert_int_equal(anl_network_create(&config, &network), ANL_OK);
        assert_int_equal(anl_cdg_of(&config, &cdg), ANL_OK);
        assert_int_equal(anl_cdg_create(&config, &filled), ANL_OK);
        set_ends(&config, filled);
        for_all(&config, network, depend);
        same_dependencies(cdg, filled);
        assert_int_equal(anl_cdg_is_acyclic(cdg, &acyclic), ANL_OK);
        assert_true(acyclic && anl_is_acyclic_by_rule(&config));
        anl_cdg_destroy(cdg);
        anl_cdg_destroy(filled);
        anl_network_destroy(network);
    }
}

// All switches are intermediate ones about equally often, and heads carry their coordinates.
static void an_intermediate_switch_is_drawn(void **state)
{
    (void)state;
    enum { WORMS = 40000 };
    const struct anl_config config = config_at(3);
    uint32_t count[25] = {0}, words[2];
    for (uint32_t id = 0; id < WORMS; id++)
        count[anl_worm_path(&config, 7, id)]++;
    for (size_t i = 0; i < 25; i++)
        assert_between(count[i], WORMS / 25 - 200, WORMS / 25 + 200);
    const struct anl_worm worm = {.destination = 13, .path = 22, .length = 1};
    anl_flit_data(&config, &worm, 0, 0, words);
    assert_int_equal(anl_head_bits(&config), 12);
    assert_int_equal(words[0] & 0xfff, (4 << 3 | 2) << 6 | (2 << 3 | 3));
    struct anl_worm read = {0};
    assert_null(anl_head_read(&config, words, 0, NULL, &read));
    assert_int_equal(read.destination, 13);
    assert_int_equal(read.path, 22);
    words[0] |= 7 << 9;  // no switch has such a coordinate
    assert_string_equal(anl_head_read(&config, words, 0, NULL, &read),
                        "expected a path of this network");
}

static void refused(struct anl_config config, const char *why)
{
    struct anl_error error;
    assert_int_equal(anl_config_check(&config, &error), ANL_ERR_ARGUMENT);
    if (!strstr(error.text, why)) fail_msg("found '%s', expected '%s'", error.text, why);
}

static void what_is_refused(void **state)
{
    (void)state;
    struct anl_config config = config_at(0);
    config.num_vcs = 1;
    refused(config, "num_vcs is 1, routing valiant expects at least 2");
    config = config_at(0);
    config.link = ANL_WIDE;
    assert_int_equal(anl_config_check(&config, NULL), ANL_OK);
    config.credits = ANL_BYPASS;
    refused(config, "routing valiant");
    config = config_at(3);
    config.num_vcs = 3;
    refused(config, "num_vcs is 3, routing valiant expects at least 4");
    config.topology = ANL_UNIDIRECTIONAL_TORUS;
    config.num_vcs = 4;
    refused(config, "routing valiant does not work on topology unidirectional_torus");
}

// Without lanes for its datelines a worm on a torus takes its first phase for the second, and back.
static void a_worm_that_goes_in_a_circle_ends_the_graph(void **state)
{
    (void)state;
    struct anl_config config = {
        .topology = ANL_TORUS, .k = 5, .n = 2, .num_vcs = 2, .depth = 2, .routing = ANL_VALIANT};
    struct anl_cdg *cdg;
    refused(config, "num_vcs is 2");
    assert_int_equal(anl_cdg_of(&config, &cdg), ANL_ERR_STALLED);
    assert_null(cdg);
    config.num_vcs = 4;
    assert_int_equal(anl_cdg_of(&config, &cdg), ANL_OK);
    anl_cdg_destroy(cdg);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worm_goes_by_its_intermediate_switch),
        cmocka_unit_test(no_lane_waits_for_itself),
        cmocka_unit_test(an_intermediate_switch_is_drawn),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(a_worm_that_goes_in_a_circle_ends_the_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
