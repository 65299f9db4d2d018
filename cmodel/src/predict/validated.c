// SPDX-License-Identifier: Apache-2.0
//
// How far predictions were held against the engine: docs/predict.md, "How far to trust it", has the
// runs. What is in no row is extrapolated.

#include "predict.h"

enum { PARTS = 5 };
static const double parts[PARTS] = {0.4, 0.5, 0.6, 0.7, 0.8};  // of the predicted saturation

#define BIT(value) (1u << (value))
enum {
    UNIFORM = BIT(ANL_UNIFORM) | BIT(ANL_UNIFORM_OTHERS),
    SKEWED = BIT(ANL_COMPLEMENT) | BIT(ANL_TRANSPOSE) | BIT(ANL_BIT_REVERSE) | BIT(ANL_TORNADO) |
             BIT(ANL_HOTSPOT),
    MESH = BIT(ANL_MESH),
    TORUS = BIT(ANL_TORUS),
    HYPERCUBE = BIT(ANL_HYPERCUBE),
    FAT_TREE = BIT(ANL_FAT_TREE),
    CUBE = BIT(ANL_CUBE),
    GRAPH = BIT(ANL_GRAPH),
    PAPER = BIT(30),  // any network, as in the paper
};

struct range {
    uint32_t least, most;
};

struct family {
    uint32_t topologies, patterns;
    struct range vcs, depth, length, terminals;
    uint32_t errors[PARTS], saturation;
};
#define FAMILY(name, topologies, patterns, v, most_v, d, most_d, l, most_l, t, most_t, e0, e1, e2, \
               e3, e4, saturation)                                                                 \
    {topologies,  patterns,    {v, most_v},          {d, most_d},                                  \
     {l, most_l}, {t, most_t}, {e0, e1, e2, e3, e4}, saturation},
static const struct family families[] = {
#include "families.inc"
};

static bool is_in(struct range range, uint32_t value)
{
    return value >= range.least && value <= range.most;
}

static bool belongs(const struct anl_scenario *scenario, const struct family *family)
{
    const struct anl_config *network = &scenario->network;
    const struct anl_traffic_config *traffic = &scenario->traffic;
    const bool paper = family->topologies & PAPER && predict_is_as_in_paper(scenario);
    return (paper || family->topologies & BIT(network->topology)) &&
           family->patterns & BIT(traffic->pattern) && is_in(family->vcs, network->num_vcs) &&
           is_in(family->depth, network->depth) && is_in(family->length, traffic->lengths[0]) &&
           is_in(family->terminals, anl_shape_of(network).terminals);
}

// Returns whether the routes are of the kind that was measured. In a cube of several radices it is
// that which its kinds need, in two dimensions and more, and for few terminals at a switch.
static bool is_usual_routing(const struct anl_config *network)
{
    if (network->topology == ANL_CUBE)
        return anl_is_acyclic_by_rule(network) && network->graph->cube.concentration <= 2 &&
               network->graph->cube.dimensions > 1;
    return network->routing == anl_default_routing(network->topology);
}

// Returns whether the switch is one of those that were measured.
static bool is_usual(const struct anl_scenario *scenario)
{
    const struct anl_config *network = &scenario->network;
    const struct anl_traffic_config *traffic = &scenario->traffic;
    const bool hotspot = traffic->pattern == ANL_HOTSPOT;
    return anl_stages(network) == 1 && network->arbiter == ANL_ROUND_ROBIN &&
           network->flow_control == ANL_WORMHOLE && network->credits == ANL_REGISTERED &&
           is_usual_routing(network) && traffic->num_lengths == 1 &&
           !(hotspot && (traffic->hotspot_fraction > 0.25 || network->num_vcs > 4));
}

// Returns the family of a scenario; NULL: none was measured.
static const struct family *family_of(const struct anl_scenario *scenario)
{
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        if (is_usual(scenario) && belongs(scenario, &families[i])) return &families[i];
    return NULL;
}

uint32_t anl_predict_validated(const struct anl_scenario *scenario, double part)
{
    const struct family *family = family_of(scenario);
    for (size_t i = 0; family && i < PARTS; i++)
        if (part <= parts[i]) return family->errors[i];
    return 0;
}

uint32_t anl_predict_validated_saturation(const struct anl_scenario *scenario)
{
    const struct family *family = family_of(scenario);
    return family ? family->saturation : 0;
}
