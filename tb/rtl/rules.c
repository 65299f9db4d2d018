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

int least_recent(unsigned size, uint64_t requests, const unsigned *served)
{
    int best = RULES_NONE;
    for (unsigned i = 0; i < size; i++)
        if (requests >> i & 1 && (best == RULES_NONE || served[i] < served[best])) best = (int)i;
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
    case MATRIX:
    case FAVOUR:
        return least_recent(size, requests, scan->served);
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

// Returns those of the heads in left that can take one of the lanes.
static uint64_t heads_for(const struct wide_heads *heads, uint64_t left, uint64_t lanes)
{
    uint64_t some = 0;
    for (unsigned w = 0; w < heads->num_vcs; w++)
        if (lanes >> w & 1) some |= heads->can[w] & left;
    return some;
}

int wide_grant(const struct wide_heads *heads, uint64_t *take)
{
    uint64_t left = heads->ask, lanes = (UINT64_C(1) << heads->num_vcs) - 1, requests;
    int first = RULES_NONE;
    for (unsigned w = 0; w < heads->num_vcs; w++)
        take[w] = 0;
    while ((requests = heads_for(heads, left, lanes)) != 0) {
        const int head = scan_first(heads->size, requests, &heads->scan);
        uint64_t can = 0;
        for (unsigned w = 0; w < heads->num_vcs; w++)
            can |= (heads->can[w] >> head & 1) << w;
        const int lane = lane_taken(heads->num_vcs, can & lanes, heads->all_credits);
        take[lane] = onehot(head);
        left &= ~onehot(head);
        lanes &= ~onehot(lane);
        if (first == RULES_NONE) first = head;
    }
    return first;
}

// Returns the lanes of the option of port o, of the part that is considered, that are takeable.
static uint64_t takeable(const struct selection *s, unsigned o, bool escape_part)
{
    const bool terminal = s->terminals >> o & 1;
    uint64_t lanes = 0;
    for (unsigned w = 0; w < s->num_vcs; w++) {
        const bool escape = !terminal && w >= s->num_vcs - s->escapes;
        const unsigned credits = s->credits[o * s->num_vcs + w];
        const bool must_be_empty = s->atomic && !terminal && !escape;
        if (escape != escape_part || !(s->sets[o] >> w & 1) || s->owned[o] >> w & 1) continue;
        if (credits >= s->need && (!must_be_empty || credits == s->depth)) lanes |= onehot((int)w);
    }
    return lanes;
}

static unsigned credits_of_port(const struct selection *s, unsigned o)
{
    unsigned sum = 0;
    for (unsigned w = 0; w < s->num_vcs; w++)
        sum += s->credits[o * s->num_vcs + w];
    return sum;
}

static int richest(const struct selection *s, uint64_t open)
{
    int best = RULES_NONE;
    for (unsigned o = 0; o < s->num_ports; o++)
        if ((open >> o & 1) &&
            (best < 0 || credits_of_port(s, o) > credits_of_port(s, (unsigned)best)))
            best = (int)o;
    return best;
}

static int nth(uint64_t set, unsigned n)
{
    for (int o = 0; o < 64; o++)
        if ((set >> o & 1) && n-- == 0) return o;
    return RULES_NONE;
}

static int choose(const struct selection *s, uint64_t open)
{
    const unsigned count = members_below(s->num_ports, open);
    if (s->select == MOST_CREDITS) return richest(s, open);
    if (s->select == SELECT_RANDOM) return nth(open, s->random * count >> 8);
    return s->straight >= 0 && (open >> s->straight & 1) ? s->straight : nth(open, 0);
}

int selected_option(const struct selection *s, uint64_t *vcs)
{
    *vcs = 0;
    for (int escape_part = 0; escape_part < 2; escape_part++) {
        uint64_t open = 0;
        for (unsigned o = 0; o < s->num_ports; o++)
            if (takeable(s, o, escape_part)) open |= onehot((int)o);
        if (!open) continue;
        const int port = choose(s, open);
        *vcs = takeable(s, (unsigned)port, escape_part);
        return port;
    }
    return RULES_NONE;
}
