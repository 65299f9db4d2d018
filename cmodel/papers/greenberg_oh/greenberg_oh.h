// SPDX-License-Identifier: Apache-2.0
//
// Greenberg and Oh (1993): what is run and what the paper prints, from the data files
// (sim/papers/greenberg_oh); the algorithms that the library does not have; what came of all runs.
// N = 4^n processors; docs/papers/greenberg-oh.md.

#ifndef GREENBERG_OH_H
#define GREENBERG_OH_H

#include "papers/common/paper.h"

#include <annelid/scenario.h>

// --- the plan ---

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
    struct claimed range;
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

// --- UNIV ---
//
// UNIV is the store-and-forward algorithm of Leighton, Maggs and Rao (1988) for levelled networks,
// on the butterfly fat-tree. docs/papers/greenberg-oh.md has the rules and says why it stands
// alone.

struct univ_packet {
    uint32_t source, destination;
};

struct univ_result {
    uint32_t steps;       // packet-steps until the last packet has crossed its delivery edge
    uint32_t delivered;   // packets; fewer than given: most_steps was too few
    uint32_t congestion;  // packets over one edge, at most
    uint32_t dilation;    // edges of the longest path
};

// network: a fat-tree, of which topology and n count. packets: at most one per source. ranks:
// packets draw from 0 … ranks - 1. ANL_ERR_ARGUMENT: two packets of one source, a terminal out of
// range, ranks 0; ANL_ERR_MEMORY.
enum anl_status univ_run(const struct anl_config *network, const struct univ_packet *packets,
                         uint32_t num_packets, uint32_t ranks, uint64_t seed, uint32_t most_steps,
                         struct univ_result *result);

// --- the competing network of Theorems 5 and 6 ---
//
// It is a mesh of N = 4^n processors in 2^n rows, whose worms are sent again on a fat-tree of as
// many.

// Shuffled row-major indexing (Thompson and Kung 1977): bits of row and column in turn, the row's
// before the column's, so that each quadrant has consecutive numbers, and each of its quadrants.
uint32_t area_terminal(uint32_t row, uint32_t column);

struct area_worms {
    struct anl_message *messages;  // between terminals of the fat-tree, all of cycle 0; the
                                   // caller's, to be freed with free()
    size_t count;
    uint64_t window_cycles;
};

// The worms of which a flit moves on the mesh in length cycles, after a time to fill.
// mesh: 2 dimensions, k a power of 2, worms of one length. go_on is asked now and then; once it has
// returned false the mesh stops, with the worms until then. ANL_ERR_MEMORY.
enum anl_status area_window(const struct anl_scenario *mesh, bool (*go_on)(void),
                            struct area_worms *worms);

// The worms that the mesh delivers in its first N times longest cycles.
enum anl_status area_stream(const struct anl_scenario *mesh, bool (*go_on)(void),
                            struct area_worms *worms);

// --- one run of a series, and what came of it ---

struct outcome {
    bool complete;  // else nothing else counts
    double time;    // the paper's: flit-steps, those of cycle 0 not counted
    uint64_t worms, cycles;
    uint64_t lower;   // cycles that no run takes less than
    uint64_t upper;   // cycles: Theorem 2, after the last worm is created; phases: from 0
    uint32_t length;  // of the longest worm, flits; of UNIV and STORE 1
    uint32_t congestion, dilation;
    double mean_congestion, load_factor;
    bool twice;  // two of the paths taken part and meet again; of the runs that figures show
    uint64_t delays, phase_cycles, missed;  // phases: R, k T1 L, worms that missed their phase
    double window_cycles;                   // window, stream: of the mesh
};

struct experiment {
    const char *directory;  // of the data
    const struct plan *plan;
    const struct series *series;
    uint32_t n, run;  // run from 0
};

// After Ctrl-C the run stops and is not complete.
enum anl_status experiment_run(const struct experiment *experiment, struct outcome *outcome,
                               struct anl_error *error);

// --- what came of all runs of a plan ---

struct result {
    const struct series *series;
    uint32_t n, run;
    struct outcome outcome;
};

// In the order of the plan: series, n, run.
struct results {
    struct result *of;
    size_t count;
};

// Room for the runs with N <= 4^most_n. ANL_ERR_MEMORY.
enum anl_status results_begin(const struct plan *plan, uint32_t most_n, struct results *results);
void results_free(struct results *results);

enum measure {
    MEASURE_TIME,
    MEASURE_LOAD,
    MEASURE_CONGESTION,
    MEASURE_MEAN_CONGESTION,
    MEASURE_SLOWDOWN,
    MEASURE_WORMS,
    MEASURE_MISSED,
    MEASURE_PHASES,
    MEASURE_PHASE_CYCLES,
    MEASURE_TWICE,  // 1 if two paths meet twice
};
// Of the runs of series at N = 4^n, all or those that figures show. count is 0 if none was made.
struct sample results_sample(const struct results *results, const struct series *series, uint32_t n,
                             enum measure measure, bool all);

// Worms' length in the first run of series at 4^n.
double results_length(const struct results *results, const struct series *series, uint32_t n);

// The runs that were held against the bounds, those that broke one, and how near they came.
struct bounds_count {
    size_t held_lower, below, held_upper, above;
    double least_lower, most_upper;  // cycles over the bound, of all runs held against it
};
struct bounds_count results_count_bounds(const struct results *results);

// --- ours against the paper's: cells of Table 1, and sentences ---

struct cell_verdict {
    struct sample ours, all;  // of the runs as in the paper, and of all of ours
    double deviation;         // of ours from the paper's, per cent
    double z, z_all;          // how many standard errors the paper's mean is above ours
    enum verdict verdict;
};
struct cell_verdict check_cell(const struct results *results, const struct cell *cell);

struct claim_verdict {
    double value;
    double error;      // standard error of a gain, else 0
    double low, high;  // 95 % of a power, else 0
    double factor;     // k of a power law
    enum verdict verdict;
};
struct claim_verdict check_claim(const struct plan *plan, const struct results *results,
                                 const struct claim *claim);

// --- what is printed and written ---

// Prints Table 1, figures, sentences, theorems, bounds, and how many cells passed. True if nothing
// failed.
bool report_print(const struct plan *plan, const struct results *results);

// Writes all runs, Table 1, the claims, figures 2 to 5 as CSV, TSV and SVG, the theorems. directory
// must exist. ANL_ERR_IO, also if gnuplot does not draw; ANL_ERR_MEMORY.
enum anl_status files_write(const char *directory, const struct plan *plan,
                            const struct results *results, struct anl_error *error);

#endif
