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
    const struct anl_offer *offers = anl_traffic_cycle(traffic, 0, &count);
    for (size_t i = 0; i < count; i++) {
        seen[offers[i].source][offers[i].destination]++;
        all[offers[i].source]++;
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
                                           "far_corner"};
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
        const struct anl_offer *offers = anl_traffic_cycle(traffic, cycle, &count);
        for (size_t i = 0; i < count; i++)
            flits[offers[i].source][offers[i].destination] += offers[i].length;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(probabilities_are_those_of_the_worms),
                                       cmocka_unit_test(worms_follow_a_matrix)};
    return cmocka_run_group_tests_name("traffic_destinations", tests, NULL, NULL);
}
