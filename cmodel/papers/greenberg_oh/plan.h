// SPDX-License-Identifier: Apache-2.0
//
// What is run and what the paper prints, from the data files (sim/papers/greenberg_oh).

#ifndef GREENBERG_OH_PLAN_H
#define GREENBERG_OH_PLAN_H

#include <annelid/scenario.h>
#include <stdbool.h>
#include <stddef.h>

enum { PLAN_MAX_SETTINGS = 8 };

enum series_kind { SERIES_RUN, SERIES_PHASES, SERIES_UNIV, SERIES_WINDOW, SERIES_STREAM };

// Run for N = 4^n, n = least to most, with seeds 1 to runs; for N <= 1024 also with those up to
// all, where means are compared.
struct series {
    const char *name;
    enum series_kind kind;
    const char *scenario;  // file in the directory of the data
    uint32_t least, most, runs, all;
    double scale;  // flit-steps of a cycle
    const char *settings;
};

// A figure that the paper prints.
enum quantity { QUANTITY_TIME, QUANTITY_LOAD };
struct cell {
    const char *group;
    enum quantity quantity;
    const struct series *series;
    uint32_t n;
    double paper, unit;
    double tolerance;  // standard errors; 0: exact
    bool shown;        // beside the paper's, not judged
};

// A line of a figure.
struct line {
    uint32_t figure;
    const struct series *series;
    const char *label;
};

// A sentence of the paper as a number with its range.
enum claim_kind {
    CLAIM_GAIN,      // 100 (first - second) / first at N, per cent of mean times
    CLAIM_STRAIGHT,  // R^2 of the mean time over L, of all series whose names begin with first
    CLAIM_POWER,     // p of k c L log4^p N, c as first says
    CLAIM_SLOWDOWN,  // power of log2 N in the slowdown of first
    CLAIM_CROWDING,  // power of log2 N in the congestion of first
    CLAIM_OUTSIDE,   // cells of the group first more than 2 standard errors away
    CLAIM_MISSED,    // worms of first that missed their phase, in all
    CLAIM_TWICE,     // runs of first at N, of those of figures, in which two paths meet twice
};
struct claim {
    enum claim_kind kind;
    const char *first, *second;  // names
    uint32_t n;                  // 0: of all N
    double least, most;          // for the paper's sentence to hold
    bool differs;                // ours is known not to agree: then it must lie in this range
    double our_least, our_most;
    const char *sentence;
};

struct plan {
    struct series *series;
    struct cell *cells;
    struct line *lines;
    struct claim *claims;
    size_t num_series, num_cells, num_lines, num_claims;
    char *texts[4];  // of the files; the names point into them
};

// ANL_ERR_IO, ANL_ERR_FORMAT, ANL_ERR_MEMORY with the place; *plan is then empty.
enum anl_status plan_read(const char *directory, struct plan *plan, struct anl_error *error);
void plan_free(struct plan *plan);

// NULL: there is none.
const struct series *plan_find(const struct plan *plan, const char *name);

// Runs of a series at N = 4^n.
uint32_t plan_runs(const struct series *series, uint32_t n);

// The scenario of run (from 0) of a series at N = 4^n.
enum anl_status plan_scenario(const char *directory, const struct series *series, uint32_t n,
                              uint32_t run, struct anl_scenario *scenario, struct anl_error *error);

#endif
