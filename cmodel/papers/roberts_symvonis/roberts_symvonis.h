// SPDX-License-Identifier: Apache-2.0
//
// What the files of this paper share: plan.c (what is run and claimed), measure.c (schedules),
// check.c (claims), report.c (tables), files.c (results and a figure).

#ifndef ANL_ROBERTS_SYMVONIS_H
#define ANL_ROBERTS_SYMVONIS_H

#include "papers/common/paper.h"

#include <annelid/annelid.h>

// --- plan ---

// A row of cases.csv. permutations 0: all of the mesh.
struct study {
    uint32_t n, k, permutations, brief;
};

// A row of means.csv or exhaustive.csv.
struct cell {
    uint32_t n, k;
    enum anl_order order;
    double mean, unit;  // as printed, and that of its last digit
    uint32_t count;     // permutations; 0: all
    uint32_t largest;   // of all permutations
    double tolerance;   // standard errors
};

enum claim_kind {
    CLAIM_BOUND,
    CLAIM_START,
    CLAIM_PACKETS,
    CLAIM_LEXICAL,
    CLAIM_DESCENDING,
    CLAIM_COST_LEAST,
    CLAIM_COST_MOST,
    CLAIM_POWER,
    CLAIM_GAIN,
    CLAIM_OVER,
    CLAIM_BROKEN,
    CLAIM_OUTSIDE,
};

// A row of claims.csv. Texts point into the file's text.
struct claim {
    const char *name, *sentence;
    enum claim_kind kind;
    enum anl_order order;
    uint32_t k;
    struct claimed range;
};

struct plan {
    struct study *studies;
    struct cell *cells, *all_cells;  // means.csv, exhaustive.csv
    struct claim *claims;
    size_t num_studies, num_cells, num_all_cells, num_claims;
    char *texts[4];
};

// Reads the plan; the caller frees it with plan_free(), also after an error.
enum anl_status plan_read(const char *directory, struct plan *plan, struct anl_error *error);
void plan_free(struct plan *plan);

// --- results ---

// The schedules of one mesh in one order.
struct outcome {
    uint32_t makespan, start;  // the largest ones, also of the fixed permutations
    struct sample sample;      // makespans of the random permutations, or of all; of all of them
                               // only count and mean
};

struct result {
    const struct study *study;
    bool done;
    struct outcome orders[ANL_ORDERS];
    double over;       // mean of shortest makespan / lower bound
    uint64_t below;    // permutations with a makespan below the lower bound
    uint64_t checked;  // schedules that the machine ran
    uint64_t broken;   // that broke a rule
};

// Schedules the permutations of one study; a short one takes fewer.
enum anl_status measure_study(const struct study *study, bool only_short, struct result *result,
                              struct anl_error *error);

struct results {
    const struct plan *plan;
    struct result *of;  // [count]
    size_t count;
    bool only_short;
};

// Returns the result for a mesh; NULL: it was not run.
const struct result *results_find(const struct results *results, uint32_t n, uint32_t k);

// Return the verdict on a row; *value receives what is held against the claim.
enum verdict check_claim(const struct results *results, const struct claim *claim, double *value);
enum verdict check_mean(const struct results *results, const struct cell *cell, double *distance);
enum verdict check_all(const struct results *results, const struct cell *cell);

// Prints all tables. Returns whether no check failed.
bool report_print(const struct results *results);

// Writes runs.csv, claims.csv and a figure.
enum anl_status files_write(const char *directory, const struct results *results,
                            struct anl_error *error);

#endif
