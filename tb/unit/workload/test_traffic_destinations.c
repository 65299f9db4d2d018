// SPDX-License-Identifier: Apache-2.0
//
// The probabilities of destinations against the worms that traffic creates: they add up to 1, no
// worm goes where none can, and each destination gets as many as it should.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit_traffic.h"

enum { WORMS = 4000 };

static void check_pattern(const char *pattern)
{
    char text[512];
    snprintf(text, sizeof text,
             "network: {topology: mesh, k: 4, n: 2}\n"
             "traffic: {process: batch, worms_per_terminal: %d, pattern: %s}\nrun: {seed: 3}\n",
             strstr(pattern, "q_relation") ? 5 : WORMS, pattern);
    struct anl_scenario scenario = scenario_of(text);
    const struct anl_workload workload = anl_scenario_workload(&scenario);
    struct anl_traffic *traffic = traffic_of(&scenario);
    struct anl_destinations *destinations;
    double seen[16][16] = {0}, all[16] = {0};
    size_t count;
    assert_int_equal(anl_destinations_create(&workload, &destinations), ANL_OK);
    const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, 0, &count);
    for (size_t i = 0; i < count; i++) {
        seen[new_worms[i].source][new_worms[i].destination]++;
        all[new_worms[i].source]++;
    }
    for (uint32_t s = 0; s < 16; s++) {
        double sum = 0;
        for (uint32_t d = 0; d < 16; d++) {
            const double part = anl_destination_probability(destinations, s, d);
            const double spread = sqrt(part * (1 - part) / all[s]);
            sum += part;
            if (fabs(seen[s][d] / all[s] - part) > 5 * spread + 1e-12)
                fail_msg("%s: %g of the worms from %u to %u, probability %g", pattern,
                         seen[s][d] / all[s], s, d, part);
        }
        assert_true(fabs(sum - 1) < 1e-12);
    }
    anl_destinations_destroy(destinations);
    anl_traffic_destroy(traffic);
    anl_scenario_free(&scenario);
}

static void probabilities_are_those_of_the_worms(void **state)
{
    (void)state;
    static const char *const patterns[] = {"uniform",
                                           "uniform_others",
                                           "complement",
                                           "transpose",
                                           "bit_reverse",
                                           "shuffle",
                                           "tornado",
                                           "neighbour",
                                           "hotspot, hotspot_terminal: 5, hotspot_fraction: 0.3",
                                           "many_to_one, hotspot_terminal: 7",
                                           "permutation",
                                           "q_relation",
                                           "random_function",
                                           "far_corner",
                                           "sphere",
                                           "sphere, sphere_radius: 3, sphere_fraction: 0.25",
                                           "sphere, sphere_radius: 6, sphere_fraction: 0.5",
                                           "sphere, sphere_radius: 0"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        check_pattern(patterns[i]);
}

// A matrix whose rows stand in any order, with a source that creates nothing and a rate of 0.
static void worms_follow_a_matrix(void **state)
{
    (void)state;
    struct anl_demand_entry entries[] = {{5, 9, 0.1, 0}, {2, 15, 0.4, 0}, {5, 0, 0.25, 0},
                                         {2, 3, 0, 0},   {2, 2, 0.2, 0},  {15, 14, 1, 0}};
    struct anl_scenario scenario = scenario_of(
        "network: {topology: mesh, k: 4, n: 2}\ntraffic: {load: 0.0609375, length: [1, 3]}\n"
        "run: {cycles: 40000}\n");
    struct anl_demand *demand;
    assert_int_equal(anl_demand_create(16, entries, 6, true, &demand), ANL_OK);
    assert_true(fabs(demand->mean - 1.95 / 16) < 1e-15);
    scenario.traffic.pattern = ANL_MATRIX;
    scenario.traffic.demand = demand;
    const struct anl_workload workload = anl_scenario_workload(&scenario);
    struct anl_destinations *destinations;
    struct anl_traffic *traffic = traffic_of(&scenario);
    double flits[16][16] = {0}, all = 0;
    assert_int_equal(anl_destinations_create(&workload, &destinations), ANL_OK);
    for (uint64_t cycle = 0; cycle < 40000; cycle++) {
        size_t count;
        const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, cycle, &count);
        for (size_t i = 0; i < count; i++)
            flits[new_worms[i].source][new_worms[i].destination] += new_worms[i].length;
    }
    // The load is half of the mean of the rates, and so is each rate.
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const struct anl_demand_entry *entry = &entries[i];
        const double part =
            anl_destination_probability(destinations, entry->source, entry->destination);
        const double created = flits[entry->source][entry->destination] / 40000;
        const double rate = demand->rates[entry->source];
        assert_true(fabs(part - entry->rate / rate) < 1e-12);
        assert_true(fabs(created - entry->rate / 2) <= 0.03 * entry->rate);
        all += created;
    }
    for (uint32_t s = 0; s < 16; s++)
        for (uint32_t d = 0; d < 16; d++)
            all -= flits[s][d] / 40000;
    assert_true(fabs(all) < 1e-9);
    anl_destinations_destroy(destinations);
    anl_traffic_destroy(traffic);
    anl_demand_destroy(demand);
    anl_scenario_free(&scenario);
}

// Entries come in the order of sources, destinations and lines, and sums are those of a source.
static void a_demand_is_in_order(void **state)
{
    (void)state;
    struct anl_demand_entry entries[] = {{2, 7, 0.25, 9}, {0, 5, 0.5, 4},  {2, 1, 0.125, 8},
                                         {2, 7, 0.25, 3}, {2, 6, 0, 2},    {2, 7, 0.25, 6},
                                         {0, 4, 0.25, 1}, {2, 0, 0.125, 7}};
    static const uint64_t lines[] = {1, 4, 7, 8, 2, 3, 6, 9};
    static const uint32_t destinations[] = {4, 5, 0, 1, 7, 7, 7};
    static const double sums[] = {0.25, 0.75, 0.125, 0.25, 0.5, 0.75, 1};
    static const size_t begins[] = {0, 2, 2, 7, 7};
    struct anl_demand *demand;
    assert_int_equal(anl_demand_create(4, entries, 8, true, &demand), ANL_OK);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(entries[i].line, lines[i]);
    assert_memory_equal(demand->destinations, destinations, sizeof destinations);
    assert_memory_equal(demand->sums, sums, sizeof sums);
    assert_memory_equal(demand->begins, begins, sizeof begins);
    anl_demand_destroy(demand);
}

static void terminals_have_rates_without_a_matrix(void **state)
{
    (void)state;
    struct anl_demand_entry entries[] = {{3, 0, 0.5, 2}, {1, 0, 1, 3}, {0, 0, 0, 4}};
    struct anl_traffic_config traffic = {.load = 0.1875};
    struct anl_demand *demand;
    static const double loads[] = {0, 0.5, 0, 0.25};
    assert_int_equal(anl_demand_create(4, entries, 3, false, &demand), ANL_OK);
    assert_null(demand->begins);
    traffic.demand = demand;
    for (uint32_t t = 0; t < 4; t++)
        assert_true(fabs(anl_terminal_load(&traffic, t) - loads[t]) < 1e-15);
    traffic.load = 0.75;  // the second terminal cannot create two flits in a cycle
    assert_true(fabs(anl_terminal_load(&traffic, 1) - 1) < 1e-15);
    anl_demand_destroy(demand);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(probabilities_are_those_of_the_worms),
                                       cmocka_unit_test(worms_follow_a_matrix),
                                       cmocka_unit_test(a_demand_is_in_order),
                                       cmocka_unit_test(terminals_have_rates_without_a_matrix)};
    return cmocka_run_group_tests_name("traffic_destinations", tests, NULL, NULL);
}
