// SPDX-License-Identifier: Apache-2.0
//
// Rates against following every worm of every pair of terminals: of any network, and of the cubes
// for which there are formulas.

#include "unit_predict.h"

enum { MOST_RATES = 1 << 14 };
#define EXACT 1e-12

// --- walked rates ---

static uint32_t lane_of(const struct anl_channel_class *class_)
{
    return class_->link * SETS + (uint32_t)__builtin_ctz(class_->vcs);
}

// Returns the worms of a class: of all its links.
static double worms_of(const struct counted *counted, const struct anl_channel_class *class_)
{
    double worms = 0;
    for (uint32_t i = 0; i < class_->links; i++)
        worms += counted->worms[lane_of(class_) + SETS * i];
    return worms;
}

// Returns the worms from one set of lanes into a class.
static double worms_into(const struct counted *counted, uint32_t from,
                         const struct anl_channel_class *to)
{
    double worms = 0;
    const struct anl_end end = anl_end_of(counted->config, from / SETS);
    if (end.is_terminal || end.node != to->link / counted->shape.ports) return 0;
    for (uint32_t i = 0; i < to->links; i++)
        worms += *flow_at(counted, from, lane_of(to) + SETS * i);
    return worms;
}

static void check_flow(const struct counted *counted, const struct anl_rates *rates,
                       const struct anl_channel_flow *flow, uint32_t link)
{
    const struct anl_channel_class *from = &rates->classes[flow->from],
                                   *to = &rates->classes[flow->to];
    const bool source = from->tier == ANL_TIER_INJECTION;
    const double worms = worms_into(counted, link * SETS + lane_of(from) % SETS, to);
    const double lanes = source ? 1 : (double)from->lanes / from->links;
    const double mates = link_worms(counted, to->link) - counted->worms[lane_of(to)];
    double over_link = 0, mates_here = 0;
    for (uint32_t i = 0; i < SETS; i++)
        over_link += worms_into(counted, link * SETS + i, to);
    for (uint32_t i = 0; i < SETS * SETS && to->links == 1; i++)
        if (i % SETS != lane_of(to) % SETS)
            mates_here += *flow_at(counted, link * SETS + i / SETS, to->link * SETS + i % SETS);
    assert_near(flow->probability, worms / worms_of(counted, from), EXACT);
    assert_near(flow->same_lane, worms / lanes * to->lanes / worms_of(counted, to), EXACT);
    assert_near(flow->same_link, over_link / worms_of(counted, to), EXACT);
    assert_near(flow->mates, to->links == 1 ? mates - mates_here : 0, EXACT);
}

// The flows of a pair of links are two, one for each link, as they lie in the list.
static void check_flows(const struct counted *counted, const struct anl_rates *rates)
{
    for (uint32_t i = 0; i < rates->num_flows; i++) {
        const struct anl_channel_flow *flow = &rates->flows[i];
        const struct anl_channel_class *from = &rates->classes[flow->from];
        const struct anl_channel_class *to = &rates->classes[flow->to];
        if (i) assert_true(flow->from >= rates->flows[i - 1].from);
        for (uint32_t link = from->link; link < from->link + from->links; link++)
            if (anl_end_of(counted->config, link).node == to->link / counted->shape.ports)
                check_flow(counted, rates, flow, link);
    }
}

// Each worm that was followed is in some class and some flow.
static void check_sums(const struct counted *counted, const struct anl_rates *rates)
{
    const size_t lanes = (size_t)counted->shape.links * SETS;
    double classes = 0, flows = 0, all_classes = 0, all_flows = 0;
    for (size_t i = 0; i < lanes; i++)
        all_classes += counted->worms[i];
    for (size_t i = 0; i < lanes * counted->shape.ports * SETS; i++)
        all_flows += counted->flow[i];
    for (uint32_t i = 0; i < rates->num_classes; i++)
        classes += rates->classes[i].rate;
    for (uint32_t i = 0; i < rates->num_flows; i++)
        flows += rates->flows[i].probability * rates->classes[rates->flows[i].from].rate;
    assert_near(classes, all_classes, EXACT);
    assert_near(flows, all_flows, EXACT);
}

static void check_walk(const struct anl_scenario *scenario)
{
    struct anl_rates rates;
    const struct anl_workload workload = anl_scenario_workload(scenario);
    struct counted counted = count_begin(&scenario->network);
    count_all(&counted, &workload);
    assert_int_equal(anl_rates_walk(&workload, &rates, NULL), ANL_OK);
    for (uint32_t i = 0; i < rates.num_classes; i++) {
        const struct anl_channel_class *class_ = &rates.classes[i];
        assert_near(class_->rate, worms_of(&counted, class_), EXACT);
        assert_near(class_->link_rate, link_worms(&counted, class_->link), EXACT);
    }
    assert_near(rates.hops, counted.hops, EXACT);
    check_flows(&counted, &rates);
    check_sums(&counted, &rates);
    anl_rates_free(&rates);
    count_end(&counted);
}

static void rates_of_all_networks_are_what_following_gives(void **state)
{
    (void)state;
    for (size_t i = 0; i < UNIT_NUM_NETWORKS; i++)
        for (int pattern = ANL_UNIFORM; pattern <= ANL_SPHERE; pattern++) {
            if (pattern == ANL_MATRIX) continue;
            struct anl_scenario scenario = {.network = unit_networks[i],
                                            .traffic = {.pattern = (enum anl_pattern)pattern,
                                                        .hotspot_fraction = 0.3,
                                                        .sphere_radius = 1,
                                                        .sphere_fraction = 0.6,
                                                        .worms_per_terminal = 3}};
            const uint32_t terminals = anl_shape_of(&scenario.network).terminals;
            const bool power = (terminals & (terminals - 1)) == 0;
            if (!power && (pattern == ANL_BIT_REVERSE || pattern == ANL_SHUFFLE)) continue;
            if (terminals == 1 && (pattern == ANL_UNIFORM_OTHERS || pattern == ANL_SPHERE))
                continue;
            check_walk(&scenario);
        }
}

static void rates_of_graphs_are_what_following_gives(void **state)
{
    (void)state;
    for (size_t i = 0; i < UNIT_NUM_GRAPHS; i++) {
        struct anl_scenario scenario;
        load(unit_graphs[i], &scenario);
        check_walk(&scenario);
        anl_scenario_free(&scenario);
    }
}

// Worms for terminal 0 never come to the switches 2 and 3, whose routes for it lead in a circle.
// Those for the others share link 0.1, where the lanes of one set are among those of the other.
static void only_routes_that_worms_take_count(void **state)
{
    (void)state;
    struct anl_rates rates;
    struct anl_scenario scenario;
    parse("network: {topology: graph}\nswitch: {num_vcs: 3, routing: table}\n"
          "graph:\n  switches: 4\n  terminals: [0.0, 1.0, 1.3]\n"
          "  links: [[0.1, 2.0], [2.1, 1.1], [2.2, 3.0], [0.2, 1.2], {from: 3.3, to: 3.3}]\n"
          "  routes: [[0, 1, 1, 0], [0, 2, 1, 0-1], [2, 1-2, 1, all], [1, 0, 2, all],\n"
          "    [2, 0, 2, all], [3, 0, 0, 2], [3, 1, 3, all], [3, 2, 3, 1]]\n",
          &scenario);
    check_walk(&scenario);
    const struct anl_workload workload = anl_scenario_workload(&scenario);
    assert_int_equal(anl_rates_walk(&workload, &rates, NULL), ANL_OK);
    assert_int_equal(rates.num_classes, 3 + 3 + 3);  // injection, ejection, 0.1, 2.1 and 1.2
    for (uint32_t i = 0; i < rates.num_classes; i++) {
        const bool shared = rates.classes[i].link == 1;
        assert_int_equal(rates.classes[i].vcs, shared ? 3 : 7);
        assert_int_equal(rates.classes[i].lanes, shared ? 2 : 3);
    }
    anl_rates_free(&rates);
    anl_scenario_free(&scenario);
}

// --- tiers and halves ---

// Returns the dimension of a link of a cube, which is the last character of its name.
static uint32_t dimension_by_name(const struct anl_config *config, uint32_t link)
{
    char name[64];
    anl_link_name(config, link, name, sizeof name);
    return (uint32_t)(name[strlen(name) - 1] - '0');
}

// Returns the last coordinate of a switch of a cube, which stands last in its name.
static uint32_t last_by_name(const struct anl_config *config, uint32_t switch_)
{
    char name[64];
    anl_switch_name(config, switch_, name, sizeof name);
    const char *at = strrchr(name, ',');
    return (uint32_t)atoi((at ? at : strchr(name, '(')) + 1);
}

// Returns the highest mean of the worms on the links from one half to the other.
static double bisection_of(const struct counted *counted, uint32_t last)
{
    double worms[2] = {0}, links[2] = {0};
    for (uint32_t link = 0; link < counted->shape.switches * counted->shape.ports; link++) {
        const struct anl_end end = anl_end_of(counted->config, link);
        if (!end.exists || end.is_terminal) continue;
        const uint32_t from = link / counted->shape.ports;
        const bool low = last_by_name(counted->config, from) < (last + 1) / 2;
        if (low == (last_by_name(counted->config, end.node) < (last + 1) / 2)) continue;
        worms[low] += link_worms(counted, link);
        links[low]++;
    }
    return fmax(links[0] > 0 ? worms[0] / links[0] : 0, links[1] > 0 ? worms[1] / links[1] : 0);
}

static void check_tiers(const struct anl_scenario *scenario)
{
    struct anl_rates rates;
    const struct anl_config *config = &scenario->network;
    const bool graph = config->topology == ANL_GRAPH;
    const struct anl_cube cube = anl_coordinates_of(config);
    const struct anl_workload workload = anl_scenario_workload(scenario);
    struct counted counted = count_begin(config);
    count_all(&counted, &workload);
    assert_int_equal(anl_rates_walk(&workload, &rates, NULL), ANL_OK);
    assert_int_equal(rates.tiers, graph ? 1 : cube.dimensions);
    for (uint32_t i = 0; i < rates.num_classes; i++) {
        const struct anl_channel_class *class_ = &rates.classes[i];
        if (class_->tier >= ANL_MAX_TIERS) continue;
        assert_int_equal(class_->tier, graph ? 0 : dimension_by_name(config, class_->link));
    }
    const double bisection = graph ? 0 : bisection_of(&counted, cube.radix[cube.dimensions - 1]);
    assert_near(rates.bisection, bisection, EXACT);
    anl_rates_free(&rates);
    count_end(&counted);
}

static void tiers_and_halves_are_those_of_the_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < UNIT_NUM_GRAPHS; i++) {
        struct anl_scenario scenario;
        load(unit_graphs[i], &scenario);
        check_tiers(&scenario);
        anl_scenario_free(&scenario);
    }
    const struct anl_scenario mesh = {
        .network = {.topology = ANL_MESH, .k = 5, .n = 2, .num_vcs = 2},
        .traffic = {.pattern = ANL_HOTSPOT, .hotspot_fraction = 0.2, .hotspot_terminal = 3}};
    check_tiers(&mesh);
}

static void rates_of_fat_trees_are_what_following_gives(void **state)
{
    (void)state;
    static const enum anl_routing routings[] = {ANL_UP_DOWN_FIXED, ANL_UP_DOWN_RANDOM,
                                                ANL_UP_DOWN_GREEDY};
    for (uint32_t n = 1; n <= 3; n++)
        for (size_t i = 0; i < 3; i++)
            for (int pattern = ANL_UNIFORM; pattern <= ANL_TRANSPOSE; pattern++) {
                const struct anl_scenario scenario = {
                    .network = {.topology = ANL_FAT_TREE,
                                .k = 4,
                                .n = n,
                                .num_vcs = 2,
                                .routing = routings[i]},
                    .traffic = {.pattern = (enum anl_pattern)pattern}};
                check_walk(&scenario);
            }
}

// --- the class form ---

// Returns the class of a lane in the class form of anl_rates_cube().
static uint32_t class_in_cube(const struct counted *counted, uint32_t lane)
{
    const struct anl_config *config = counted->config;
    const uint32_t links = counted->shape.switches * counted->shape.ports;
    const bool ring = config->topology == ANL_UNIDIRECTIONAL_TORUS;
    const uint32_t link = lane / SETS, port = link % counted->shape.ports;
    if (link >= links) return 0;
    if (!ring) return 1 + port;
    if (port == config->n) return 1 + 2 * config->k * config->n;
    return 1 + (2 * port + (lane % SETS > 0)) * config->k +
           anl_coordinate(config, link / counted->shape.ports, port);
}

// Adds up what was counted by classes, and compares.
static void check_cube(const struct anl_config *config, const struct anl_rates *rates,
                       const struct counted *counted)
{
    const uint32_t links = counted->shape.links, classes = rates->num_classes;
    double *worms = calloc(classes, sizeof *worms), *lanes = calloc(classes, sizeof *lanes);
    double *flows = calloc((size_t)classes * classes, sizeof *flows);
    assert_true(worms && lanes && flows);
    for (uint32_t lane = 0; lane < SETS * links; lane++) {
        const struct anl_end end = anl_end_of(config, lane / SETS);
        const uint32_t from = class_in_cube(counted, lane);
        if (counted->worms[lane] == 0) continue;
        worms[from] += counted->worms[lane];
        lanes[from]++;
        for (uint32_t out = 0; !end.is_terminal && out < SETS * counted->shape.ports; out++) {
            const uint32_t to = end.node * counted->shape.ports * SETS + out;
            flows[(size_t)from * classes + class_in_cube(counted, to)] +=
                *flow_at(counted, lane, to);
        }
    }
    for (uint32_t i = 0; i < classes; i++) {
        assert_near(rates->classes[i].rate, lanes[i] > 0 ? worms[i] / lanes[i] : 0, EXACT);
        if (lanes[i] > 0) assert_near(rates->classes[i].count, lanes[i], EXACT);
    }
    for (uint32_t i = 0; i < rates->num_flows; i++) {
        const struct anl_channel_flow *flow = &rates->flows[i];
        double *counted_flow = &flows[(size_t)flow->from * classes + flow->to];
        assert_near(flow->probability, *counted_flow / worms[flow->from], EXACT);
        *counted_flow = 0;
    }
    for (size_t i = 0; i < (size_t)classes * classes; i++)
        assert_near(flows[i], 0, EXACT);
    assert_near(rates->hops, counted->hops, EXACT);
    free(worms);
    free(lanes);
    free(flows);
}

static void check_form(enum anl_topology topology, uint32_t k, uint32_t n, bool others)
{
    const bool ring = topology == ANL_UNIDIRECTIONAL_TORUS;
    const struct anl_scenario scenario = {
        .network = {.topology = topology,
                    .k = k,
                    .n = n,
                    .num_vcs = 2,
                    .routing = anl_default_routing(topology)},
        .traffic = {.pattern = others ? ANL_UNIFORM_OTHERS : ANL_UNIFORM}};
    const struct anl_workload workload = anl_scenario_workload(&scenario);
    const struct anl_uniform_cube cube = {.k = k,
                                          .n = n,
                                          .lanes = {ring ? 1 : 2, ring},
                                          .end_lanes = 2,
                                          .self = others ? 0 : pow(k, -(double)n)};
    struct anl_rates rates;
    struct counted counted = count_begin(&scenario.network);
    count_all(&counted, &workload);
    assert_int_equal(anl_rates_cube(&cube, &rates, NULL), ANL_OK);
    check_cube(&scenario.network, &rates, &counted);
    anl_rates_free(&rates);
    count_end(&counted);
}

static void formulas_are_what_following_gives(void **state)
{
    (void)state;
    for (uint32_t k = 2; k <= 6; k++)
        for (uint32_t n = 1; n <= 3; n++)
            for (int others = 0; others < 2; others++)
                check_form(ANL_UNIDIRECTIONAL_TORUS, k, n, others);
    for (uint32_t n = 1; n <= 6; n++)
        for (int others = 0; others < 2; others++)
            check_form(ANL_HYPERCUBE, 2, n, others);
}

// With the distances of uniform traffic, spherical traffic is uniform; of any other ones, the mean
// distance and the sums must be right.
static void spherical_traffic_adds_up(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 6; n++) {
        double spread[7] = {0}, sum = 0, mean = 0, out = 0;
        for (uint32_t h = 1; h <= n; h++)
            sum += spread[h] = 1.0 / (h * h);
        for (uint32_t h = 1; h <= n; h++)
            mean += h * (spread[h] /= sum);
        const struct anl_uniform_cube cube = {
            .k = 2, .n = n, .lanes = {1, 0}, .end_lanes = 1, .spread = spread};
        struct anl_rates rates;
        assert_int_equal(anl_rates_cube(&cube, &rates, NULL), ANL_OK);
        assert_near(rates.hops, mean, EXACT);
        for (uint32_t i = 0; i < rates.num_flows; i++)
            if (rates.flows[i].from == 0) out += rates.flows[i].probability;
        assert_near(out, 1, EXACT);
        for (uint32_t c = 1; c <= n; c++) {
            double on = 0;
            assert_near(rates.classes[c].rate, mean / n, EXACT);
            for (uint32_t i = 0; i < rates.num_flows; i++)
                if (rates.flows[i].from == c) on += rates.flows[i].probability;
            assert_near(on, 1, EXACT);
        }
        anl_rates_free(&rates);
    }
}

static void bad_cubes_are_refused(void **state)
{
    (void)state;
    static const double half[] = {0, 0.5, 0.4};
    static const struct anl_uniform_cube bad[] = {
        {.k = 1, .n = 2, .lanes = {1, 1}, .end_lanes = 1},
        {.k = 4, .n = 2, .lanes = {1, 0}, .end_lanes = 1},
        {.k = 4, .n = 0, .lanes = {1, 1}, .end_lanes = 1},
        {.k = 4, .n = 11, .lanes = {1, 1}, .end_lanes = 1},
        {.k = 4, .n = 2, .lanes = {0, 1}, .end_lanes = 1},
        {.k = 4, .n = 2, .lanes = {1, 1}, .end_lanes = 0},
        {.k = 4, .n = 2, .lanes = {1, 1}, .end_lanes = 1, .self = 1},
        {.k = 4, .n = 2, .lanes = {1, 1}, .end_lanes = 1, .self = 0.1, .many_ports = true},
        {.k = 4, .n = 2, .lanes = {1, 1}, .end_lanes = 1, .spread = half},
        {.k = 2, .n = 2, .lanes = {1, 0}, .end_lanes = 1, .spread = half},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct anl_rates rates;
        assert_int_equal(anl_rates_cube(&bad[i], &rates, NULL), ANL_ERR_ARGUMENT);
        assert_null(rates.classes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_of_all_networks_are_what_following_gives),
        cmocka_unit_test(rates_of_graphs_are_what_following_gives),
        cmocka_unit_test(only_routes_that_worms_take_count),
        cmocka_unit_test(tiers_and_halves_are_those_of_the_names),
        cmocka_unit_test(rates_of_fat_trees_are_what_following_gives),
        cmocka_unit_test(formulas_are_what_following_gives),
        cmocka_unit_test(spherical_traffic_adds_up),
        cmocka_unit_test(bad_cubes_are_refused),
    };
    return cmocka_run_group_tests_name("predict_rates", tests, NULL, NULL);
}
