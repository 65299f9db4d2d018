// SPDX-License-Identifier: Apache-2.0

#include "rules.h"

int cyclic_first(unsigned size, uint64_t requests, unsigned start)
{
    for (unsigned i = 0; i < size; i++) {
        const unsigned index = (start + i) % size;
        if (requests >> index & 1) return (int)index;
    }
    return RULES_NONE;
}

unsigned members_below(unsigned count, uint64_t members)
{
    unsigned below = 0;
    for (unsigned i = 0; i < count; i++)
        below += members >> i & 1;
    return below;
}

static bool older(uint16_t a, uint16_t b) { return ((unsigned)a - b) >> 15 & 1; }

int oldest_first(unsigned size, uint64_t requests, const uint16_t *ranks)
{
    int best = RULES_NONE;
    for (unsigned i = 0; i < size; i++) {
        if (!(requests >> i & 1)) continue;
        if (best == RULES_NONE || older(ranks[i], ranks[best])) best = (int)i;
    }
    return best;
}

int farthest_first(unsigned size, uint64_t requests, unsigned start, const uint16_t *distances)
{
    int best = RULES_NONE;
    for (unsigned i = 0; i < size; i++) {
        const unsigned index = (start + i) % size;
        if (!(requests >> index & 1)) continue;
        if (best == RULES_NONE || distances[index] > distances[best]) best = (int)index;
    }
    return best;
}

unsigned random_start(unsigned size, uint8_t random) { return random * size >> 8; }

int scan_first(unsigned size, uint64_t requests, const struct scan *scan)
{
    switch (scan->policy) {
    case ROTATING:
        return cyclic_first(size, requests, scan->ptr);
    case RANDOM:
        return cyclic_first(size, requests, random_start(size, scan->random));
    case OLDEST:
        return oldest_first(size, requests, scan->ranks);
    case FARTHEST:
        return farthest_first(size, requests, random_start(size, scan->random), scan->ranks);
    default:
        return cyclic_first(size, requests, 0);
    }
}

uint64_t admitting_lanes(unsigned num_vcs, const struct admission *a)
{
    const unsigned need = admits_whole(a->rule) ? a->length : 1;
    uint64_t lanes = 0;

    for (unsigned w = 0; w < num_vcs; w++) {
        const bool takeable = (a->set >> w & 1) && !(a->owned >> w & 1) && a->credits[w] >= need;
        const bool bound = (int)w == a->bound_vc && a->credits[w] >= 1;
        if (a->head ? takeable : bound) lanes |= onehot((int)w);
    }
    return lanes;
}

int lane_taken(unsigned num_vcs, uint64_t can, uint64_t empty)
{
    const int lane = cyclic_first(num_vcs, can & empty, 0);
    return lane != RULES_NONE ? lane : cyclic_first(num_vcs, can, 0);
}
