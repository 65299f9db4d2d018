// SPDX-License-Identifier: Apache-2.0
//
// The scheduler. On its track the head of a worm would cross link x in step phase + x, also if its
// piece of the track begins behind x or ends before it. So two worms that share a link of a track
// meet there if and only if their phases are less than k apart, whichever link it is. Each track
// keeps its worms by ascending phase; the starts that it forbids to another worm then come in
// ascending order, and one pass over the two tracks of a worm finds the least start that neither
// forbids.

#include "schedule.h"

#include <stdlib.h>
#include <string.h>

// --- routes ---

// Returns the piece of a path from coordinate a to b of a line whose tracks are track (upwards) and
// track + n (downwards).
static struct piece piece_of(uint32_t n, uint32_t track, uint32_t a, uint32_t b, uint32_t late)
{
    if (a <= b) return (struct piece){track, a, b, late};
    return (struct piece){track + n, n - 1 - a, n - 1 - b, late};
}

struct route route_of(uint32_t n, uint32_t source, uint32_t destination)
{
    struct route route = {.row = piece_of(n, source / n, source % n, destination % n, 0)};
    const uint32_t h = route.row.to - route.row.from;
    route.column = piece_of(n, 2 * n + destination % n, source / n, destination / n, h);
    route.distance = h + route.column.to - route.column.from;
    return route;
}

// --- tracks ---

// A worm on a track: it uses the links from .. to - 1.
struct span {
    int32_t phase;
    uint32_t from, to, worm;
};

struct track {
    struct span *spans;  // by ascending phase; room for n, since at most n worms come to a track
    uint32_t count;
};

struct anl_scheduler {
    uint32_t n, k;
    struct route *routes;  // [n * n] by source
    struct track *tracks;  // [4 * n]
    struct span *spans;    // [4 * n * n]
    uint32_t *blockers;    // [n * n]
};

static int32_t phase_at(const struct piece *piece, uint32_t start)
{
    return (int32_t)(start + piece->late) - (int32_t)piece->from;
}

// Returns whether a worm on the track uses a link of the piece, which may be empty.
static bool shares_link(const struct span *other, const struct piece *piece)
{
    const uint32_t from = other->from > piece->from ? other->from : piece->from;
    return from < (other->to < piece->to ? other->to : piece->to);
}

// Raises *start past all starts that worms at *cursor and behind it forbid, up to the first one
// that is later than the start by k or more. *blocker receives the last worm in the way.
static void pass(const struct track *track, const struct piece *piece, int32_t k, uint32_t *cursor,
                 uint32_t *start, uint32_t *blocker)
{
    for (; *cursor < track->count; ++*cursor) {
        const struct span *other = &track->spans[*cursor];
        const int32_t later = other->phase - phase_at(piece, *start);
        if (later >= k) return;
        if (later <= -k || !shares_link(other, piece)) continue;
        *start += (uint32_t)(later + k);
        *blocker = other->worm;
    }
}

static void enter(struct track *track, const struct piece *piece, uint32_t worm, uint32_t start)
{
    const struct span span = {phase_at(piece, start), piece->from, piece->to, worm};
    if (piece->from == piece->to) return;
    uint32_t at = track->count++;
    for (; at > 0 && track->spans[at - 1].phase > span.phase; at--)
        track->spans[at] = track->spans[at - 1];
    track->spans[at] = span;
}

static uint32_t place(struct anl_scheduler *scheduler, uint32_t worm)
{
    const struct route *route = &scheduler->routes[worm];
    struct track *row = &scheduler->tracks[route->row.track];
    struct track *column = &scheduler->tracks[route->column.track];
    const int32_t k = (int32_t)scheduler->k;
    uint32_t start = 1, before = 0, in_row = 0, in_column = 0;
    scheduler->blockers[worm] = ANL_NO_NODE;
    while (route->distance && start != before) {
        before = start;
        pass(row, &route->row, k, &in_row, &start, &scheduler->blockers[worm]);
        pass(column, &route->column, k, &in_column, &start, &scheduler->blockers[worm]);
    }
    enter(row, &route->row, worm, start);
    enter(column, &route->column, worm, start);
    return start;
}

// --- the public functions ---

enum anl_status anl_scheduler_create(const struct anl_permutation *permutation, uint32_t k,
                                     struct anl_scheduler **created)
{
    const uint32_t n = permutation->n, nodes = n * n;
    *created = NULL;
    if (k < 1 || k > ANL_SCHEDULE_MAX_K) return ANL_ERR_ARGUMENT;
    struct anl_scheduler *scheduler = calloc(1, sizeof *scheduler);
    if (!scheduler) return ANL_ERR_MEMORY;
    *scheduler = (struct anl_scheduler){.n = n,
                                        .k = k,
                                        .routes = calloc(nodes, sizeof *scheduler->routes),
                                        .tracks = calloc(4 * n, sizeof *scheduler->tracks),
                                        .spans = calloc(4 * nodes, sizeof *scheduler->spans),
                                        .blockers = calloc(nodes, sizeof *scheduler->blockers)};
    if (!scheduler->routes || !scheduler->tracks || !scheduler->spans || !scheduler->blockers) {
        anl_scheduler_destroy(scheduler);
        return ANL_ERR_MEMORY;
    }
    for (uint32_t worm = 0; worm < nodes; worm++)
        if (permutation->destinations[worm] != ANL_NO_NODE)
            scheduler->routes[worm] = route_of(n, worm, permutation->destinations[worm]);
    for (uint32_t track = 0; track < 4 * n; track++)
        scheduler->tracks[track].spans = scheduler->spans + (size_t)track * n;
    *created = scheduler;
    return ANL_OK;
}

void anl_scheduler_destroy(struct anl_scheduler *scheduler)
{
    if (!scheduler) return;
    free(scheduler->routes);
    free(scheduler->tracks);
    free(scheduler->spans);
    free(scheduler->blockers);
    free(scheduler);
}

const uint32_t *scheduler_blockers(const struct anl_scheduler *scheduler)
{
    return scheduler->blockers;
}

void schedule_count(struct anl_schedule *schedule, uint32_t distance, uint32_t k, uint32_t start)
{
    if (distance == 0) return;
    const uint32_t last = start + distance + k - 2;
    schedule->worms++;
    schedule->sum += start;
    if (start > schedule->largest) schedule->largest = start;
    if (last > schedule->makespan) schedule->makespan = last;
}

struct anl_schedule anl_scheduler_run(struct anl_scheduler *scheduler, const uint32_t *order,
                                      uint32_t count, uint32_t *starts)
{
    struct anl_schedule schedule = {0};
    memset(starts, 0, (size_t)scheduler->n * scheduler->n * sizeof *starts);
    for (uint32_t track = 0; track < 4 * scheduler->n; track++)
        scheduler->tracks[track].count = 0;
    for (uint32_t i = 0; i < count; i++) {
        starts[order[i]] = place(scheduler, order[i]);
        schedule_count(&schedule, scheduler->routes[order[i]].distance, scheduler->k,
                       starts[order[i]]);
    }
    return schedule;
}

struct anl_schedule anl_schedule_measure(const struct anl_permutation *permutation, uint32_t k,
                                         const uint32_t *starts)
{
    const uint32_t n = permutation->n;
    struct anl_schedule schedule = {0};
    for (uint32_t worm = 0; worm < n * n; worm++)
        if (permutation->destinations[worm] != ANL_NO_NODE)
            schedule_count(&schedule, route_of(n, worm, permutation->destinations[worm]).distance,
                           k, starts[worm]);
    return schedule;
}
