// SPDX-License-Identifier: Apache-2.0
//
// Worms as the paper has them: each terminal is a Poisson process, so that several may be created
// in one cycle.

#include "draper_ghosh.h"

#include <math.h>
#include <stdlib.h>

static uint32_t other_terminal(uint32_t source, uint32_t terminals, struct anl_rng *rng)
{
    const uint32_t sampled = anl_rng_below(rng, terminals - 1);
    return sampled + (sampled >= source);
}

// Returns a terminal of a hypercube at a distance that spread gives; all of one distance are alike.
static uint32_t spread_terminal(uint32_t source, uint32_t n, const double *spread,
                                struct anl_rng *rng)
{
    uint32_t distance = 1, flips = 0;
    for (double unit = anl_rng_unit(rng); distance < n && unit >= spread[distance]; distance++)
        unit -= spread[distance];
    for (uint32_t d = 0, left = n; d < n; d++, left--)
        if (anl_rng_below(rng, left) < distance) {
            flips |= UINT32_C(1) << d;
            distance--;
        }
    return source ^ flips;
}

static int by_cycle(const void *a, const void *b)
{
    const struct anl_message *x = a, *y = b;
    if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
    return (x->source > y->source) - (x->source < y->source);
}

enum anl_status traffic_make(struct anl_scenario *scenario, double worms, const double *spread)
{
    const uint32_t terminals = anl_shape_of(&scenario->network).terminals;
    size_t size = 0;
    for (uint32_t t = 0; t < terminals; t++) {
        struct anl_rng rng = anl_rng_seed(scenario->run.seed, t);
        for (double at = -log1p(-anl_rng_unit(&rng)) / worms; at < (double)scenario->run.cycles;
             at -= log1p(-anl_rng_unit(&rng)) / worms) {
            struct anl_message *messages =
                gather_room(scenario->messages, scenario->num_messages, &size, sizeof *messages);
            if (!messages) return ANL_ERR_MEMORY;
            scenario->messages = messages;
            messages[scenario->num_messages++] = (struct anl_message){
                .cycle = (uint64_t)at,
                .source = t,
                .destination = spread ? spread_terminal(t, scenario->network.n, spread, &rng)
                                      : other_terminal(t, terminals, &rng),
                .length = scenario->traffic.lengths[0]};
        }
    }
    scenario->traffic.process = ANL_REPLAY;
    qsort(scenario->messages, scenario->num_messages, sizeof *scenario->messages, by_cycle);
    return ANL_OK;
}
