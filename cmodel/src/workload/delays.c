// SPDX-License-Identifier: Apache-2.0
//
// Draws in the order of terminals and worms, then sorts by delay: worms of one cycle stay in the
// order in which they were drawn.

#include "delays.h"

#include <stdlib.h>

// In the order of draws; cycle is the delay still to be multiplied by its unit.
static void draw_all(const struct anl_scenario *scenario, uint32_t terminals,
                     const struct pattern *pattern, struct anl_rng *rng, struct anl_message *worms)
{
    const struct anl_traffic_config *config = &scenario->traffic;
    for (uint32_t t = 0; t < terminals; t++)
        for (uint32_t i = 0; i < config->worms_per_terminal; i++, worms++) {
            worms->source = t;
            worms->destination = pattern_destination(pattern, t, i, &rng[t]);
            worms->length = pattern_length(pattern, &rng[t]);
            worms->cycle = anl_rng_below(&rng[t], config->delays);
        }
}

// A counting sort. begin, delays + 1 zeros at first: the place of the next worm with each delay.
static void sort(const struct anl_message *drawn, size_t count, uint32_t delays, uint32_t unit,
                 size_t *begin, struct anl_message *sorted)
{
    for (size_t i = 0; i < count; i++)
        begin[drawn[i].cycle + 1]++;
    for (uint32_t x = 0; x < delays; x++)
        begin[x + 1] += begin[x];
    for (size_t i = 0; i < count; i++) {
        struct anl_message *worm = &sorted[begin[drawn[i].cycle]++];
        *worm = drawn[i];
        worm->cycle *= unit;
    }
}

struct anl_message *delays_draw(const struct anl_scenario *scenario, uint32_t terminals,
                                const struct pattern *pattern, struct anl_rng *rng)
{
    const struct anl_traffic_config *config = &scenario->traffic;
    const size_t count = (size_t)terminals * config->worms_per_terminal;
    struct anl_message *drawn = calloc(count, sizeof *drawn);
    struct anl_message *sorted = calloc(count, sizeof *sorted);
    size_t *begin = calloc((size_t)config->delays + 1, sizeof *begin);

    if (drawn && sorted && begin) {
        draw_all(scenario, terminals, pattern, rng, drawn);
        sort(drawn, count, config->delays, config->delay_cycles, begin, sorted);
    } else {
        free(sorted);
        sorted = NULL;
    }
    free(drawn);
    free(begin);
    return sorted;
}
