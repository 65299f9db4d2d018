// SPDX-License-Identifier: Apache-2.0
//
// Worms as the paper has them: each node is a Poisson process, so that several may be created
// in one cycle.

#include "draper_ghosh.h"

#include <math.h>
#include <stdlib.h>

struct nodes nodes_of(const struct anl_config *network)
{
    const struct anl_cube cube = anl_coordinates_of(network);
    const uint32_t terminals = anl_shape_of(network).terminals;
    return (struct nodes){.k = cube.radix[0],
                          .n = cube.dimensions,
                          .ports = cube.concentration,
                          .count = terminals / cube.concentration,
                          .ring = network->topology == ANL_UNIDIRECTIONAL_TORUS ||
                                  (network->topology == ANL_CUBE &&
                                   network->graph->cube.kinds[0] == ANL_ONE_WAY_RING)};
}

static uint32_t other_node(uint32_t source, uint32_t nodes, struct anl_rng *rng)
{
    const uint32_t sampled = anl_rng_below(rng, nodes - 1);
    return sampled + (sampled >= source);
}

// Routes take the lowest dimension first: a message begins at the terminal of the lowest one in
// which it moves, and ends at that of the highest.
static void take_ports(const struct nodes *nodes, struct anl_message *message)
{
    uint32_t first = nodes->n, last = 0;
    for (uint32_t d = 0, s = message->source, t = message->destination; d < nodes->n;
         d++, s /= nodes->k, t /= nodes->k) {
        if (s % nodes->k == t % nodes->k) continue;
        if (first == nodes->n) first = d;
        last = d;
    }
    message->source = message->source * nodes->ports + first;
    message->destination = message->destination * nodes->ports + last;
}

// Returns a node of a hypercube at a distance that spread gives; all of one distance are alike.
static uint32_t spread_node(uint32_t source, uint32_t n, const double *spread, struct anl_rng *rng)
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
    const struct nodes nodes = nodes_of(&scenario->network);
    size_t size = 0;
    for (uint32_t t = 0; t < nodes.count; t++) {
        struct anl_rng rng = anl_rng_seed(scenario->run.seed, t);
        for (double at = -log1p(-anl_rng_unit(&rng)) / worms; at < (double)scenario->run.cycles;
             at -= log1p(-anl_rng_unit(&rng)) / worms) {
            struct anl_message *messages =
                gather_room(scenario->messages, scenario->num_messages, &size, sizeof *messages);
            if (!messages) return ANL_ERR_MEMORY;
            scenario->messages = messages;
            struct anl_message *message = &messages[scenario->num_messages++];
            *message =
                (struct anl_message){.cycle = (uint64_t)at,
                                     .source = t,
                                     .destination = spread ? spread_node(t, nodes.n, spread, &rng)
                                                           : other_node(t, nodes.count, &rng),
                                     .length = scenario->traffic.lengths[0]};
            if (nodes.ports > 1) take_ports(&nodes, message);
        }
    }
    scenario->traffic.process = ANL_REPLAY;
    qsort(scenario->messages, scenario->num_messages, sizeof *scenario->messages, by_cycle);
    return ANL_OK;
}
