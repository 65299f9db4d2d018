// SPDX-License-Identifier: Apache-2.0
//
// The CSV file of a sweep (docs/sweep.md), read: runs, the points they are seeds of, and the curves
// that the points lie on. Also what one of its rows says.

#ifndef ANNELID_SWEEP_POINTS_H
#define ANNELID_SWEEP_POINTS_H

#include <annelid/base.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SWEEP_MAX_KEYS = 8 };

// What a run came to.
enum sweep_state { SWEEP_STEADY, SWEEP_UNSTEADY, SWEEP_SATURATED, SWEEP_STALLED };
enum { SWEEP_NUM_STATES = SWEEP_STALLED + 1 };
const char *sweep_state_name(enum sweep_state state);
bool sweep_state_read(const char *name, enum sweep_state *state);  // false: it is none

// Real numbers are NAN where the row has none: the load of a closed loop, latencies without worms.
struct sweep_run {
    double load;
    uint64_t seed;
    enum sweep_state state;
    char end[16];  // "complete", "max_cycles", "stalled"
    uint64_t cycles, warmup, worms;
    double offered, accepted;  // flits per terminal and cycle
    double latency, latency_min, latency_p50, latency_p95, latency_p99, latency_max;  // cycles
    double links;
    bool has_digest;
    uint64_t digest;
    uint64_t line;  // of the file
};

// Mean over the seeds that have a value; it lies in mean ± half_width with 95 % confidence.
struct sweep_mean {
    double mean;        // NAN without values
    double half_width;  // NAN with fewer than two
    uint32_t count;     // values
};

// The runs first_run .. first_run + num_runs - 1, alike but for the seed.
struct sweep_point {
    double load;
    size_t first_run, num_runs;
    uint32_t in_state[SWEEP_NUM_STATES];  // how many of them
    bool steady;                          // all of them
    struct sweep_mean offered, accepted;
    struct sweep_mean latency, latency_p50, latency_p95, latency_p99;
    struct sweep_mean links;
};

// The points of one variant, ascending by load.
struct sweep_curve {
    char *values[SWEEP_MAX_KEYS];  // of the varied keys, num_keys of them
    size_t first_point, num_points;
};

// Owned by whoever read it; to be given to sweep_points_free().
struct sweep_points {
    size_t num_keys;
    char *keys[SWEEP_MAX_KEYS];  // the varied keys, "section.key"
    struct sweep_run *runs;
    size_t num_runs;
    struct sweep_point *points;
    size_t num_points;
    struct sweep_curve *curves;  // in the order of the file
    size_t num_curves;
    uint64_t hash;  // XXH3 of the file
};

// ANL_ERR_IO; ANL_ERR_FORMAT: *error says file, line, column and what was expected; ANL_ERR_MEMORY.
// *points is empty then. A file without rows is an error.
enum anl_status sweep_points_read(const char *path, struct sweep_points *points,
                                  struct anl_error *error);

// points may be empty (all zero).
void sweep_points_free(struct sweep_points *points);

// What to call a curve: "switch.num_vcs 2, switch.depth 4", or "" if nothing was varied. Cut at
// bytes - 1.
void sweep_curve_name(const struct sweep_points *points, const struct sweep_curve *curve,
                      char *name, size_t bytes);

#endif
