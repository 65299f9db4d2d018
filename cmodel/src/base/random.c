// SPDX-License-Identifier: Apache-2.0
//
// The generators of docs/random.md.

#include <annelid/base.h>

static const uint64_t GAMMA = 0x9E3779B97F4A7C15u;

uint64_t anl_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

uint32_t anl_mix32(uint32_t z)
{
    z = (z ^ (z >> 16)) * 0x7FEB352Du;
    z = (z ^ (z >> 15)) * 0x846CA68Bu;
    return z ^ (z >> 16);
}

uint32_t anl_unmix32(uint32_t mixed)
{
    mixed = (mixed ^ (mixed >> 16)) * 0x43021123u;  // times 0x846CA68B this is 1, modulo 2^32
    mixed = (mixed ^ (mixed >> 15) ^ (mixed >> 30)) * 0x1D69E2A5u;
    return mixed ^ (mixed >> 16);
}

uint32_t anl_xorshift32(uint32_t state)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

uint32_t anl_switch_seed(uint64_t seed, uint32_t switch_)
{
    const uint64_t z = anl_mix(seed + (switch_ + UINT64_C(1)) * GAMMA);
    const uint32_t state = (uint32_t)(z >> 32);
    return state ? state : 1;
}

struct anl_rng anl_rng_seed(uint64_t seed, uint32_t stream)
{
    struct anl_rng rng;
    uint64_t z = seed ^ anl_mix(stream + UINT64_C(1));
    for (int i = 0; i < 4; i++)
        rng.s[i] = anl_mix(z += GAMMA);
    return rng;
}

static uint64_t rotate_left(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

uint64_t anl_rng_next(struct anl_rng *rng)
{
    uint64_t *s = rng->s;
    const uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    const uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint32_t anl_rng_below(struct anl_rng *rng, uint32_t bound)
{
    uint64_t product = (anl_rng_next(rng) >> 32) * bound;
    if ((uint32_t)product >= bound) return (uint32_t)(product >> 32);
    // Products whose low half is below this, which is less than the bound, would favour small
    // results.
    const uint32_t unfair = (0u - bound) % bound;
    while ((uint32_t)product < unfair)
        product = (anl_rng_next(rng) >> 32) * bound;
    return (uint32_t)(product >> 32);
}

double anl_rng_unit(struct anl_rng *rng) { return (double)(anl_rng_next(rng) >> 11) * 0x1p-53; }
