// SPDX-License-Identifier: Apache-2.0
//
// Worms that are known before the run: those of a batch with delays, and those that the sources of
// a board create (docs/board.md).

#include "workload.h"

#include <annelid/network.h>
#include <stdlib.h>

// --- a batch with delays ---

// Worms are sampled in the order of terminals and sorted by delay; those of one cycle stay in the
// order in which they were sampled.

// Samples all worms. cycle of each becomes its delay, which is still to be multiplied by its unit.
static void sample_all(const struct anl_workload *workload, uint32_t terminals,
                       const struct pattern *pattern, struct anl_rng *rng,
                       struct anl_message *worms)
{
    const struct anl_traffic_config *config = workload->traffic;
    const uint32_t classes = anl_num_classes(workload->network);
    for (uint32_t t = 0; t < terminals; t++)
        for (uint32_t i = 0; i < config->worms_per_terminal; i++, worms++) {
            worms->source = t;
            worms->destination = pattern_destination(pattern, t, i, &rng[t]);
            worms->length = pattern_length(pattern, &rng[t]);
            worms->cycle = anl_rng_below(&rng[t], config->delays);
            worms->class_ = (uint8_t)(i % classes);
        }
}

// Sorts by counting and multiplies the delays by their unit. begin has delays + 1 elements, 0 at
// first; begin[x] becomes the index of the next worm with delay x.
static void sort(const struct anl_message *sampled, size_t count, uint32_t delays, uint32_t unit,
                 size_t *begin, struct anl_message *sorted)
{
    for (size_t i = 0; i < count; i++)
        begin[sampled[i].cycle + 1]++;
    for (uint32_t x = 0; x < delays; x++)
        begin[x + 1] += begin[x];
    for (size_t i = 0; i < count; i++) {
        struct anl_message *worm = &sorted[begin[sampled[i].cycle]++];
        *worm = sampled[i];
        worm->cycle *= unit;
    }
}

struct anl_message *delays_sample(const struct anl_workload *workload, uint32_t terminals,
                                  const struct pattern *pattern, struct anl_rng *rng)
{
    const struct anl_traffic_config *config = workload->traffic;
    const size_t count = (size_t)terminals * config->worms_per_terminal;
    struct anl_message *sampled = calloc(count, sizeof *sampled);
    struct anl_message *sorted = calloc(count, sizeof *sorted);
    size_t *begin = calloc((size_t)config->delays + 1, sizeof *begin);

    if (sampled && sorted && begin) {
        sample_all(workload, terminals, pattern, rng, sampled);
        sort(sampled, count, config->delays, config->delay_cycles, begin, sorted);
    } else {
        free(sorted);
        sorted = NULL;
    }
    free(sampled);
    free(begin);
    return sorted;
}

// --- generators of a board ---

uint32_t anl_generator_seed(const struct anl_workload *workload, uint32_t terminal)
{
    const uint32_t switches = anl_shape_of(workload->network).switches;
    return anl_switch_seed(workload->seed, switches + terminal);
}

// Returns byte `number` of random as a fraction of scale, rounded down.
static uint32_t part_of(uint32_t random, uint32_t number, uint32_t scale)
{
    return (random >> 8 * number & 0xff) * scale >> 8;
}

static uint32_t destination_of(const struct anl_config *network, uint32_t random)
{
    uint32_t destination = 0;
    for (uint32_t d = network->n; d-- > 0;)
        destination = destination * network->k + part_of(random, d, network->k);
    return destination;
}

struct anl_new_worm anl_generator_worm(const struct anl_workload *workload, uint32_t source,
                                       uint32_t *random)
{
    const uint32_t length = 1 + part_of(*random, 3, workload->traffic->lengths[0]);
    const uint32_t destination = destination_of(workload->network, *random);
    for (uint32_t i = 0; i < length; i++)
        *random = anl_xorshift32(*random);
    return (struct anl_new_worm){
        .source = source, .destination = destination, .length = (uint16_t)length};
}
