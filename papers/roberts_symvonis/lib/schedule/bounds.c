// SPDX-License-Identifier: Apache-2.0
//
// Bounds on the makespan. A worm shares links with at most 2 n - 2 others, n - 1 of its row and n -
// 1 of its destination's column, and each of them forbids it at most 2 k - 1 starts.

#include "schedule.h"

#include <stdlib.h>
#include <string.h>

uint32_t anl_schedule_bound_start(uint32_t n, uint32_t k) { return (2 * n - 2) * (2 * k - 1) + 1; }

static uint32_t makespan_of(uint32_t start, uint32_t distance, uint32_t k)
{
    return distance ? start + distance + k - 2 : 0;
}

uint32_t anl_schedule_bound(uint32_t n, uint32_t k)
{
    return makespan_of(anl_schedule_bound_start(n, k), 2 * n - 2, k);
}

// A worm before this one in its row travels h or farther as well, so that both begin in the first n
// - h columns of their direction: at most n - 1 - h others. The bound falls as h grows from 1; a
// worm with h = 0 meets worms of its column alone.
uint32_t anl_schedule_bound_h_descending(uint32_t n, uint32_t k)
{
    if (n == 1) return 0;
    const uint32_t each = 2 * k - 1;
    const uint32_t bent = makespan_of(each * (2 * n - 3) + 1, n, k);
    const uint32_t straight = makespan_of(each * (n - 1) + 1, n - 1, k);
    return bent > straight ? bent : straight;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

// --- cuts ---

// Counts a path that leads from coordinate a to b across the cuts between them: crossing[x] is for
// the cut behind coordinate x, upwards; behind n of them there are those downwards.
static void count_cuts(uint32_t *crossing, uint32_t n, uint32_t a, uint32_t b)
{
    for (uint32_t x = a; x < b; x++)
        crossing[x]++;
    for (uint32_t x = b; x < a; x++)
        crossing[n + x]++;
}

static uint32_t bound_of_cuts(const struct anl_permutation *permutation, uint32_t k,
                              uint32_t *crossing)
{
    const uint32_t n = permutation->n;
    uint32_t most = 0;
    for (uint32_t worm = 0; worm < n * n; worm++) {
        const uint32_t to = permutation->destinations[worm];
        if (to == ANL_NO_NODE) continue;
        count_cuts(crossing, n, worm % n, to % n);
        count_cuts(crossing + 2 * n, n, worm / n, to / n);
    }
    for (uint32_t cut = 0; cut < 4 * n; cut++)
        most = larger(most, crossing[cut]);
    return (uint32_t)(((uint64_t)k * most + n - 1) / n);
}

// --- links ---
//
// Of the worms over a link take those that cross it at least `head` steps after their start and
// have at least `tail` links behind it. Their flits cross it one after the other: the first not
// before step 1 + head, and the last of them has tail more links to go.

static int by_falling_head(const void *a, const void *b)
{
    const struct crossing *x = a, *y = b;
    return (x->head < y->head) - (x->head > y->head);
}

uint32_t bound_of_link(struct crossing *crossings, uint32_t count, uint32_t k, uint32_t *tails)
{
    uint32_t most = 0;
    qsort(crossings, count, sizeof *crossings, by_falling_head);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;  // tails[0 .. i] falls
        for (; at > 0 && tails[at - 1] < crossings[i].tail; at--)
            tails[at] = tails[at - 1];
        tails[at] = crossings[i].tail;
        for (uint32_t j = at; j <= i; j++)
            most = larger(most, crossings[i].head + k * (j + 1) + tails[j]);
    }
    return most;
}

// A worm on a track.
struct traveller {
    struct piece piece;
    uint32_t distance;
};

struct travellers {
    struct traveller *list;      // [4 * n * n] n for each track
    uint32_t *counts;            // [4 * n]
    struct crossing *crossings;  // [n] scratch space
    uint32_t *tails;             // [n] scratch space
};

static void add_traveller(const struct travellers *all, uint32_t n, const struct piece *piece,
                          uint32_t distance)
{
    if (piece->from == piece->to) return;
    const uint32_t place = all->counts[piece->track]++;
    all->list[(size_t)piece->track * n + place] = (struct traveller){*piece, distance};
}

static uint32_t bound_of_track(const struct travellers *all, uint32_t n, uint32_t track, uint32_t k)
{
    uint32_t most = 0;
    for (uint32_t link = 0; link + 1 < n; link++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < all->counts[track]; i++) {
            const struct traveller *worm = &all->list[(size_t)track * n + i];
            if (link < worm->piece.from || link >= worm->piece.to) continue;
            const uint32_t head = worm->piece.late + link - worm->piece.from;
            all->crossings[count++] = (struct crossing){head, worm->distance - 1 - head};
        }
        most = larger(most, bound_of_link(all->crossings, count, k, all->tails));
    }
    return most;
}

static uint32_t bound_of_links(const struct anl_permutation *permutation, uint32_t k,
                               const struct travellers *all)
{
    const uint32_t n = permutation->n;
    uint32_t most = 0;
    for (uint32_t worm = 0; worm < n * n; worm++) {
        if (permutation->destinations[worm] == ANL_NO_NODE) continue;
        const struct route route = route_of(n, worm, permutation->destinations[worm]);
        add_traveller(all, n, &route.row, route.distance);
        add_traveller(all, n, &route.column, route.distance);
    }
    for (uint32_t track = 0; track < 4 * n; track++)
        most = larger(most, bound_of_track(all, n, track, k));
    return most;
}

static uint32_t bound_of_distance(const struct anl_permutation *permutation, uint32_t k)
{
    const uint32_t n = permutation->n;
    uint32_t most = 0;
    for (uint32_t worm = 0; worm < n * n; worm++)
        if (permutation->destinations[worm] != ANL_NO_NODE)
            most = larger(most, route_of(n, worm, permutation->destinations[worm]).distance);
    return makespan_of(1, most, k);
}

enum anl_status anl_schedule_lower(const struct anl_permutation *permutation, uint32_t k,
                                   struct anl_schedule_lower *lower)
{
    const uint32_t n = permutation->n;
    uint32_t *crossing = calloc(4 * n, sizeof *crossing);
    struct travellers all = {.list = calloc((size_t)4 * n * n, sizeof *all.list),
                             .counts = calloc(4 * n, sizeof *all.counts),
                             .crossings = calloc(n, sizeof *all.crossings),
                             .tails = calloc(n, sizeof *all.tails)};
    const bool enough = crossing && all.list && all.counts && all.crossings && all.tails;
    *lower = (struct anl_schedule_lower){0};
    if (enough) {
        lower->distance = bound_of_distance(permutation, k);
        lower->cut = bound_of_cuts(permutation, k, crossing);
        lower->link = bound_of_links(permutation, k, &all);
        lower->any = larger(lower->distance, lower->cut);
        lower->one_bend = larger(lower->any, lower->link);
    }
    free(crossing);
    free(all.list);
    free(all.counts);
    free(all.crossings);
    free(all.tails);
    return enough ? ANL_OK : ANL_ERR_MEMORY;
}
