// SPDX-License-Identifier: Apache-2.0

#include "sample.h"

#include <assert.h>

static const double smallest_unit = 0x1p-53;  // what anl_rng_unit() can tell from 0

struct geometric geometric_of(double probability)
{
    assert(probability > 0 && probability <= 1);
    struct geometric geometric = {0};
    double power = 1 - probability;
    while (geometric.num_powers < 63 && power >= smallest_unit) {
        geometric.powers[geometric.num_powers++] = power;
        power *= power;
    }
    geometric.powers[geometric.num_powers++] = power;
    return geometric;
}

// The largest n with unit < (1 - probability)^n, bit by bit from the highest.
uint64_t geometric_sample(const struct geometric *geometric, struct anl_rng *rng)
{
    const double unit = anl_rng_unit(rng);
    double reached = 1;
    uint64_t gap = 0;
    for (uint32_t i = geometric->num_powers; i-- > 0;) {
        const double further = reached * geometric->powers[i];
        const bool fails = unit < further;
        gap |= (uint64_t)fails << i;
        reached = fails ? further : reached;
    }
    return gap;
}

// The largest x with x^3 * unit^2 <= least^3, unit in (0, 1].
uint64_t pareto_sample(double least, struct anl_rng *rng)
{
    const double unit = 1 - anl_rng_unit(rng);
    const double cube = least * least * least;
    uint64_t length = 0;
    for (uint64_t bit = UINT64_C(1) << 60; bit > 0; bit >>= 1) {
        const double x = (double)(length | bit);
        if (length < UINT64_C(1) << 60 && x * x * x * unit * unit <= cube) length |= bit;
    }
    return length;
}
