// SPDX-License-Identifier: Apache-2.0
//
// Random times. Made of IEEE products and comparisons alone, so that every machine and every
// compiler samples the same.

#ifndef ANL_TRAFFIC_SAMPLE_H
#define ANL_TRAFFIC_SAMPLE_H

#include <annelid/base.h>
#include <stdbool.h>
#include <stdint.h>

// Number of failures before the first success of trials that succeed with one probability.
struct geometric {
    uint32_t num_powers;
    double powers[64];  // powers[i] = (1 - probability)^(2^i); the last is below 2^-53
};

// probability > 0, <= 1.
struct geometric geometric_of(double probability);
uint64_t geometric_sample(const struct geometric *geometric, struct anl_rng *rng);

// Pareto with shape 1.5: P(at least x) = (least / x)^1.5, mean 3 * least. Rounded down, at most
// 2^60. least >= 0.
uint64_t pareto_sample(double least, struct anl_rng *rng);

#endif
