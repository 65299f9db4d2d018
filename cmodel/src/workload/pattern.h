// SPDX-License-Identifier: Apache-2.0
//
// Patterns: where the worms of a terminal go. And how long they are.

#ifndef ANL_TRAFFIC_PATTERN_H
#define ANL_TRAFFIC_PATTERN_H

#include <annelid/base.h>
#include <annelid/scenario.h>

struct pattern {
    const struct anl_traffic_config *traffic;
    uint32_t terminals;
    uint32_t rows;           // permutations in the table, 1 if the destination is a function of s
    uint32_t *destinations;  // rows * terminals; NULL: sampled for each worm
};

// ANL_ERR_MEMORY. scenario must stay alive.
enum anl_status pattern_create(struct pattern *pattern, const struct anl_scenario *scenario);
void pattern_destroy(struct pattern *pattern);

// Destination of the worm number index (from 0) that source creates.
uint32_t pattern_destination(const struct pattern *pattern, uint32_t source, uint32_t index,
                             struct anl_rng *rng);

// Length of the next worm.
uint16_t pattern_length(const struct pattern *pattern, struct anl_rng *rng);

#endif
