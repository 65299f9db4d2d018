// SPDX-License-Identifier: Apache-2.0
//
// Random generators, defined in docs/random.md.

#ifndef ANNELID_RANDOM_H
#define ANNELID_RANDOM_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The 64-bit mix of docs/random.md.
uint64_t anl_mix(uint64_t z);

// One step of the generator inside a switch; state must not be 0.
uint32_t anl_xorshift32(uint32_t state);

// Initial state of the generator of a switch in a run with this seed; never 0.
uint32_t anl_switch_seed(uint64_t seed, uint32_t switch_);

// xoshiro256**, for traffic. Plain data; separate generators share nothing.
struct anl_rng {
    uint64_t s[4];
};

struct anl_rng anl_rng_seed(uint64_t seed, uint32_t stream);
uint64_t anl_rng_next(struct anl_rng *rng);
// Uniform in 0..bound-1, exact; bound >= 1.
uint32_t anl_rng_below(struct anl_rng *rng, uint32_t bound);
// Uniform in [0, 1), 53 bits.
double anl_rng_unit(struct anl_rng *rng);

#ifdef __cplusplus
}
#endif

#endif
