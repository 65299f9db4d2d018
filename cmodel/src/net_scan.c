// SPDX-License-Identifier: Apache-2.0
//
// The scans of docs/switch.md that compare what worms are ranked by: oldest and farthest.

#include "net_internal.h"

static bool older(uint16_t a, uint16_t b) { return (uint16_t)(a - b) >> 15; }

static uint32_t oldest(const uint16_t *rank, uint32_t mask)
{
    uint32_t best = lowest(mask);
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1)
        if (older(rank[lowest(rest)], rank[best])) best = lowest(rest);
    return best;
}

// All that are as far as the farthest (mask).
static uint32_t farthest(const uint16_t *rank, uint32_t mask)
{
    uint32_t best = 0, distance = 0;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        const uint32_t i = lowest(rest);
        if (rank[i] > distance) best = 0;
        if (rank[i] < distance) continue;
        distance = rank[i];
        best |= 1u << i;
    }
    return best;
}

uint32_t net_scan_ranks(enum anl_scan scan, const uint16_t *rank, uint32_t start, uint32_t mask)
{
    return scan == ANL_OLDEST ? oldest(rank, mask) : first_from(farthest(rank, mask), start);
}
