// SPDX-License-Identifier: Apache-2.0

#include "oracle/scan.h"

bool scan_is_stamped(int scan) { return scan == AGE || scan == FARTHEST; }

// Whether the pointer of an arbiter stands behind the one that was served last.
static bool scan_points(int scan)
{
    return scan == ROUND_ROBIN || scan == MATRIX || scan == REGISTERED_PRIORITY;
}

bool scan_draws(int scan) { return scan == RANDOM || scan == FARTHEST; }

void oracle_order_reset(struct oracle_order *order, unsigned size)
{
    order->size = size;
    for (unsigned i = 0; i < size; i++)
        order->number[i] = (uint8_t)i;
}

int oracle_order_first(const struct oracle_order *order, uint64_t candidates)
{
    for (unsigned i = 0; i < order->size; i++)
        if (candidates >> order->number[i] & 1) return order->number[i];
    return ORACLE_NONE;
}

void oracle_order_serve(struct oracle_order *order, unsigned number)
{
    unsigned at = 0;
    while (order->number[at] != number)
        at++;
    for (; at + 1 < order->size; at++)
        order->number[at] = order->number[at + 1];
    order->number[at] = (uint8_t)number;
}

int oracle_cyclic_first(unsigned size, uint64_t candidates, unsigned start)
{
    for (unsigned i = 0; i < size; i++) {
        const unsigned number = (start + i) % size;
        if (candidates >> number & 1) return (int)number;
    }
    return ORACLE_NONE;
}

static bool is_older(uint16_t a, uint16_t b) { return ((unsigned)a - b) >> 15 & 1; }

int oracle_oldest_first(unsigned size, uint64_t candidates, const uint16_t *stamps)
{
    int best = ORACLE_NONE;
    for (unsigned i = 0; i < size; i++) {
        if (!(candidates >> i & 1)) continue;
        if (best == ORACLE_NONE || is_older(stamps[i], stamps[best])) best = (int)i;
    }
    return best;
}

int oracle_farthest_first(unsigned size, uint64_t candidates, unsigned start,
                          const uint16_t *distances)
{
    int best = ORACLE_NONE;
    for (unsigned i = 0; i < size; i++) {
        const unsigned number = (start + i) % size;
        if (!(candidates >> number & 1)) continue;
        if (best == ORACLE_NONE || distances[number] > distances[best]) best = (int)number;
    }
    return best;
}

unsigned oracle_random_start(unsigned size, uint8_t random) { return random * size >> 8; }

int oracle_scan_first(unsigned size, uint64_t candidates, const struct oracle_scan *scan)
{
    const unsigned drawn = oracle_random_start(size, scan->random);
    switch (scan->policy) {
    case ROUND_ROBIN:
        return oracle_cyclic_first(size, candidates, scan->ptr);
    case RANDOM:
        return oracle_cyclic_first(size, candidates, drawn);
    case AGE:
        return oracle_oldest_first(size, candidates, scan->ranks);
    case FARTHEST:
        return oracle_farthest_first(size, candidates, drawn, scan->ranks);
    case MATRIX:
    case REGISTERED_PRIORITY:
        return oracle_order_first(scan->order, candidates);
    default:
        return oracle_cyclic_first(size, candidates, 0);
    }
}

void oracle_arbiter_reset(struct oracle_arbiter *arbiter, int policy, unsigned size)
{
    *arbiter = (struct oracle_arbiter){.policy = policy, .size = size};
    oracle_order_reset(&arbiter->order, size);
}

int oracle_arbiter_first(const struct oracle_arbiter *arbiter, uint64_t candidates, uint8_t random,
                         const uint16_t *ranks)
{
    const struct oracle_scan scan = {arbiter->policy, arbiter->ptr, random, ranks, &arbiter->order};
    return oracle_scan_first(arbiter->size, candidates, &scan);
}

void oracle_arbiter_serve(struct oracle_arbiter *arbiter, unsigned winner)
{
    if (scan_points(arbiter->policy)) arbiter->ptr = (winner + 1) % arbiter->size;
    oracle_order_serve(&arbiter->order, winner);
}

int oracle_lane_that_asks(unsigned size, uint64_t held, unsigned favoured)
{
    return oracle_cyclic_first(size, held, favoured);
}

unsigned oracle_next_favoured(unsigned size, uint64_t held, uint64_t eligible, unsigned favoured,
                              bool granted)
{
    const int asks = oracle_lane_that_asks(size, held, favoured);
    if (asks == ORACLE_NONE) return favoured;
    const bool was_eligible = eligible >> asks & 1;
    const int other = oracle_cyclic_first(size, eligible & ~onehot(asks), (unsigned)asks);
    if ((was_eligible && !granted) || other == ORACLE_NONE) return (unsigned)asks;
    return (unsigned)other;
}

int oracle_class_first(unsigned classes, uint64_t candidates, const struct oracle_favour *favour)
{
    return oracle_cyclic_first(classes, candidates, favour->class_);
}

void oracle_class_moved(unsigned classes, const unsigned *weights, struct oracle_favour *favour)
{
    favour->quota--;
    if (favour->quota > 0) return;
    favour->class_ = (favour->class_ + 1) % classes;
    favour->quota = weights[favour->class_];
}

uint32_t oracle_next_random(uint32_t random)
{
    random ^= random << 13;
    random ^= random >> 17;
    return random ^ random << 5;
}
