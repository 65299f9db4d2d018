// SPDX-License-Identifier: Apache-2.0

#include "generator.h"

#include <annelid/base.h>
#include <annelid/network.h>

uint32_t generator_seed(const struct anl_scenario *scenario, uint32_t terminal)
{
    const uint32_t switches = anl_shape_of(&scenario->network).switches;
    return anl_switch_seed(scenario->run.seed, switches + terminal);
}

// Byte number of random as a fraction of scale, rounded down.
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

struct anl_offer generator_worm(const struct anl_scenario *scenario, uint32_t source,
                                uint32_t *random)
{
    const uint32_t length = 1 + part_of(*random, 3, scenario->traffic.lengths[0]);
    const uint32_t destination = destination_of(&scenario->network, *random);
    for (uint32_t i = 0; i < length; i++)
        *random = anl_xorshift32(*random);
    return (struct anl_offer){source, destination, (uint16_t)length};
}
