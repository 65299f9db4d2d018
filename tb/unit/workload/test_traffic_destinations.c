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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(probabilities_are_those_of_the_worms)};
    return cmocka_run_group_tests_name("traffic_destinations", tests, NULL, NULL);
}
