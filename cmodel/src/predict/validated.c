// SPDX-License-Identifier: Apache-2.0
//
// How far predictions were held against the engine: docs/predict.md, "How far to trust it", has the
// runs. What is in no row is extrapolated.

#include "predict.h"

enum { PARTS = 5 };
static const double parts[PARTS] = {0.3, 0.5, 0.6, 0.7, 0.8};  // of the predicted saturation

#define BIT(value) (1u << (value))
enum {
    UNIFORM = BIT(ANL_UNIFORM) | BIT(ANL_UNIFORM_OTHERS),
    PATTERNS = UNIFORM | BIT(ANL_COMPLEMENT) | BIT(ANL_TRANSPOSE) | BIT(ANL_BIT_REVERSE) |
               BIT(ANL_TORNADO) | BIT(ANL_HOTSPOT),
    MESH = BIT(ANL_MESH),
    CUBES = MESH | BIT(ANL_TORUS) | BIT(ANL_HYPERCUBE),
};

struct range {
    uint32_t least, most;
};

// Scenarios like those that were measured, and the largest error up to each part, per cent; 0: it
// has no bound.
struct family {
    bool paper;  // only as in the paper
    uint32_t topologies, patterns;
    struct range vcs, depth, length, terminals;
    uint32_t errors[PARTS];
};
static const struct family families[] = {
    {true, ~0u, UNIFORM, {1, 2}, {2, 2}, {16, 32}, {16, 256}, {2, 3, 5, 8, 12}},
    {false, MESH, PATTERNS, {1, 1}, {2, 16}, {8, 16}, {64, 64}, {2, 4, 7, 10, 18}},
    {false, BIT(ANL_HYPERCUBE), UNIFORM, {1, 1}, {1, 4}, {8, 16}, {64, 64}, {2, 4, 6, 10, 20}},
    {false, CUBES, PATTERNS, {2, 2}, {2, 8}, {4, 16}, {16, 256}, {2, 6, 10, 15, 30}},
    {false, BIT(ANL_FAT_TREE), UNIFORM, {2, 2}, {4, 4}, {8, 8}, {64, 64}, {2, 4, 6, 9, 13}},
    {false, MESH | BIT(ANL_TORUS), PATTERNS, {3, 8}, {4, 4}, {8, 8}, {64, 64}, {2, 5, 8, 14, 0}},
    {false, BIT(ANL_CUBE), UNIFORM, {1, 2}, {2, 4}, {8, 16}, {12, 64}, {2, 4, 7, 13, 27}},
    {false, BIT(ANL_GRAPH), UNIFORM, {1, 2}, {2, 8}, {8, 16}, {6, 36}, {2, 5, 8, 12, 21}},
};

static bool is_in(struct range range, uint32_t value)
{
    return value >= range.least && value <= range.most;
}

static bool belongs(const struct anl_scenario *scenario, const struct family *family)
{
    const struct anl_config *network = &scenario->network;
    const struct anl_traffic_config *traffic = &scenario->traffic;
    return (!family->paper || predict_is_as_in_paper(scenario)) &&
           family->topologies & BIT(network->topology) &&
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
    return anl_stages(network) == 1 && network->scan == ANL_ROTATING &&
           network->admission == ANL_WORMHOLE && network->space == ANL_REGISTERED &&
           is_usual_routing(network) && traffic->num_lengths == 1 &&
           !(hotspot && (traffic->hotspot_fraction > 0.25 || network->num_vcs > 4));
}

uint32_t anl_predict_validated(const struct anl_scenario *scenario, double part)
{
    if (!is_usual(scenario)) return 0;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (!belongs(scenario, &families[i])) continue;
        for (size_t j = 0; j < PARTS; j++)
            if (part <= parts[j]) return families[i].errors[j];
        return 0;
    }
    return 0;
}
