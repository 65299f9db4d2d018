// SPDX-License-Identifier: Apache-2.0
//
// A batch whose worms wait before they are created: all of them are sampled beforehand.

#ifndef ANL_TRAFFIC_DELAYS_H
#define ANL_TRAFFIC_DELAYS_H

#include "pattern.h"

// The terminals * worms_per_terminal worms of the batch in the order of their creation, to be freed
// by the caller; NULL: no memory. rng: of each terminal.
struct anl_message *delays_sample(const struct anl_scenario *scenario, uint32_t terminals,
                                  const struct pattern *pattern, struct anl_rng *rng);

#endif
