// SPDX-License-Identifier: Apache-2.0
//
// What the probes see of switches that discard (anl_lockstep_discarding.sv).

#include "discarding_lockstep.h"

#include <stdlib.h>
#include <string.h>

static uint32_t lanes_of(const struct observed *observed)
{
    return observed->shape.ports * observed->config->num_vcs;
}

static bool create(struct observed *observed)
{
    const size_t switches = observed->shape.switches;
    struct seen_discarding *seen = calloc(1, sizeof *seen);
    observed->of_kind = seen;
    if (!seen) return false;
    seen->lanes = calloc(switches * lanes_of(observed), sizeof *seen->lanes);
    seen->discards = calloc(switches, sizeof *seen->discards);
    return seen->lanes && seen->discards;
}

static void destroy(struct observed *observed)
{
    free(seen_discarding(observed)->lanes);
    free(seen_discarding(observed)->discards);
    free(observed->of_kind);
}

static void take(struct observed *observed, uint32_t number, struct fields *fields)
{
    const uint32_t lanes = lanes_of(observed);
    struct discard_lane *lane = &seen_discarding(observed)->lanes[(size_t)number * lanes];
    for (uint32_t i = 0; i < lanes; i++)
        lane[i].busy = fields_take(fields, 1);
    for (uint32_t i = 0; i < lanes; i++)
        lane[i].owner = (uint8_t)fields_take(fields, 8);
    for (uint32_t i = 0; i < lanes; i++)
        lane[i].valid = fields_take(fields, 1);
    for (uint32_t i = 0; i < lanes; i++) {
        lane[i].link.vc = (uint8_t)(i % observed->config->num_vcs);
        fields_take_flit(fields, observed, &lane[i].link);
    }
}

static void clear(struct observed *observed)
{
    struct discards *discards = seen_discarding(observed)->discards;
    memset(discards, 0, observed->shape.switches * sizeof *discards);
}

static void falsify(struct observed *observed)
{
    struct discard_lane *lane = &seen_discarding(observed)->lanes[0];
    lane->busy = !lane->busy;
}

void anl_lockstep_discards(uint64_t harness, uint32_t node, svBit says, uint32_t heads)
{
    struct observed *observed = &harness_at(harness)->observed;
    if (harness_has(harness, node, observed->shape.switches))
        seen_discarding(observed)->discards[node] = (struct discards){says, heads};
}

const struct observed_kind observed_discarding = {
    .create = create,
    .destroy = destroy,
    .take = take,
    .clear = clear,
    .falsify = falsify,
};
