// SPDX-License-Identifier: Apache-2.0
//
// What the files of this paper share: plan.c (what is run and claimed), measure.c (runs), check.c
// (cells and claims), report.c (tables), files.c (results and figures).

#ifndef ANL_BOCK_H
#define ANL_BOCK_H

#include "papers/common/program/paper.h"

#include <annelid/annelid.h>
#include <annelid/diagonals.h>

// --- plan ---

// What the worms of a case are.
enum traffic {
    TRAFFIC_FUNCTION,  // one from each node to a random node; all others by Valiant's trick:
    TRAFFIC_TRANSPOSE,
    TRAFFIC_REVERSAL,
    TRAFFIC_TORNADO,
    TRAFFIC_COMPLEMENT,
    TRAFFIC_PERMUTATION,
    TRAFFIC_RELATION,  // two random permutations, so each node has two worms to send and to receive
};

// A row of cases.csv.
struct study {
    enum traffic traffic;
    const char *traffic_name, *rounds;  // point into the text of the file
    struct anl_diagonals_config config;
    uint32_t batches, seeds, brief;
    double cycles;         // expected in all; 0: not said
    struct claimed range;  // failed worms of a million
};

enum claim_kind {
    CLAIM_ROUNDS,
    CLAIM_FALLS,
    CLAIM_SCALED,
    CLAIM_DIMENSIONS,
    CLAIM_COLUMNS,
    CLAIM_BLOCKS,
    CLAIM_DISTANCE,
    CLAIM_WORK,
    CLAIM_VALIANT,
    CLAIM_DELIVERED
};

// A row of claims.csv.
struct claim {
    const char *name, *sentence;  // point into the text of the file
    enum claim_kind kind;
    uint32_t length;
    struct claimed range;
};

struct plan {
    struct study *studies;
    struct claim *claims;
    size_t num_studies, num_claims;
    char *texts[2];
};

// Reads the plan; the caller frees it with plan_free(), also after an error.
enum anl_status plan_read(const char *directory, struct plan *plan, struct anl_error *error);
void plan_free(struct plan *plan);

// --- results ---

// The runs of a study with one seed.
struct run {
    bool done;
    uint32_t worms, failed, strayed, rounds, reservoir, row;
    uint32_t batches, passes;
    uint64_t cycles, clean_cycles, moves;
    uint64_t distance;  // links from the sources to the destinations, of all worms
    uint32_t undelivered;
};

struct result {
    const struct study *study;
    uint32_t seeds;
    struct run *runs;  // [seeds]
};

struct task {
    size_t result;
    uint32_t seed;
};

struct results {
    const struct plan *plan;
    struct result *of;  // [count]
    size_t count;
    struct task *tasks;  // [num_tasks]
    size_t num_tasks;
};

// Runs a study with a seed, from 1. ANL_ERR_MEMORY; ANL_ERR_STALLED if worms collide.
enum anl_status measure_run(const struct study *study, uint32_t seed, struct run *run,
                            struct anl_error *error);

// Returns all runs of a study together: sums of worms, failures, moves, and the largest of all
// else.
struct run result_sum(const struct result *result);
// Returns cycles over (L + d) n.
double result_ratio(const struct result *result);

// --- checks ---

enum verdict check_cycles(const struct result *result);
enum verdict check_failures(const struct result *result, double *per_million);
// *value receives what is held against the range of the claim.
enum verdict check_claim(const struct results *results, const struct claim *claim, double *value);

// --- output ---

// Prints all tables and "N passed, N failed"; returns whether none failed.
bool report_print(const struct results *results);
enum anl_status files_write(const char *directory, const struct results *results,
                            struct anl_error *error);

#endif
