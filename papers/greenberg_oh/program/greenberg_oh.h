// SPDX-License-Identifier: Apache-2.0
//
// What the files of this paper, Greenberg and Oh (1993), share: the plan of runs and the paper's
// numbers, which are read from papers/greenberg_oh/data; algorithms that the library does not have;
// the results of all runs. Everywhere N = 4^n processors. papers/greenberg_oh/README.md has the
// rules.

#ifndef GREENBERG_OH_H
#define GREENBERG_OH_H

#include "papers/common/program/paper.h"

#include <annelid/scenario.h>
#include <annelid/workload.h>

// --- the plan ---

enum { PLAN_MAX_SETTINGS = 8 };

enum series_kind {
    SERIES_RUN,
    SERIES_PHASES,
    SERIES_UNIV,
    SERIES_WINDOW,
    SERIES_TREE,
    SERIES_STREAM
};

// Runs of one algorithm and scenario for n = least to most, with seeds 1 to `runs`; for N <= 1024
// also with seeds up to `all`, where means are compared.
struct series {
    const char *name;
    enum series_kind kind;
    const char *scenario;  // its file in the directory of the data
    uint32_t least, most, runs, all;
    double scale;  // how many flit-steps a cycle is
    const char *settings;
};

// A figure that the paper prints.
enum quantity { QUANTITY_TIME, QUANTITY_LOAD, QUANTITY_CONGESTION };
struct cell {
    const char *group;
    enum quantity quantity;
    const struct series *series;
    uint32_t n;
    double paper, unit;
    double tolerance;  // standard errors; 0: exact
    bool shown;        // ours is shown beside the paper's, but not checked
};

// A line of a figure.
struct line {
    uint32_t figure;
    const struct series *series;
    const char *label;
};

// A statement of the paper, as a number and its range.
enum claim_kind {
    CLAIM_GAIN,        // 100 (first - second) / first at N, per cent of mean times
    CLAIM_STRAIGHT,    // R^2 of the mean time over L, of all series whose names begin with `first`
    CLAIM_POWER,       // p of k c L log4^p N; `first` says what c is
    CLAIM_SLOWDOWN,    // power of log2 N in the slowdown of `first`
    CLAIM_CROWDING,    // power of log2 N in the congestion of `first`
    CLAIM_OUTSIDE,     // how many cells of group `first` are more than 2 standard errors away
    CLAIM_MISSED,      // how many worms of `first` missed their phase
    CLAIM_GROWTH,      // power of c + log2 N in the mean time of `first`, from N / 4 to N
    CLAIM_CROSSING,    // the most of c / (lambda + log2 N) in a run of `first`
    CLAIM_LOG_SQUARE,  // the most of time / (c L log2^2 P) in a run of `first`
    CLAIM_TWICE,  // how many runs of `first` at N, of those of figures, have paths that meet twice
};
extern const char *const claim_kinds[];  // their names; the last one is NULL

struct claim {
    enum claim_kind kind;
    const char *first, *second;  // names of series or groups
    uint32_t n;                  // 0: all N
    struct claimed range;
    const char *sentence;
};

struct plan {
    struct series *series;
    struct cell *cells;
    struct line *lines;
    struct claim *claims;
    size_t num_series, num_cells, num_lines, num_claims;
    const char *directory;  // of the data
    char *texts[4];         // contents of the files; the names point into them
};

// Reads the plan in directory, a text that must live as long as the plan. Returns ANL_ERR_IO,
// ANL_ERR_FORMAT (*error says file and line) or ANL_ERR_MEMORY; *plan is then empty.
enum anl_status plan_read(const char *directory, struct plan *plan, struct anl_error *error);
void plan_free(struct plan *plan);

// Returns the series of this name; NULL if there is none.
const struct series *plan_find(const struct plan *plan, const char *name);

// Returns how many runs a series has at N = 4^n.
uint32_t plan_runs(const struct series *series, uint32_t n);

// Loads the scenario of a run (from 0) of a series at N = 4^n.
enum anl_status plan_scenario(const struct plan *plan, const struct series *series, uint32_t n,
                              uint32_t run, struct anl_scenario *scenario, struct anl_error *error);

// --- UNIV ---
//
// UNIV is the store-and-forward algorithm of Leighton, Maggs and Rao (1988) for levelled networks,
// on the butterfly fat-tree. papers/greenberg_oh/README.md has the rules and says why it stands
// alone.

struct univ_result {
    uint32_t steps;       // packet-steps until the last packet has crossed its delivery edge
    uint32_t delivered;   // packets; if some are missing, most_steps was too small
    uint32_t congestion;  // packets over the edge that most packets cross
    uint32_t dilation;    // edges of the longest path
};

// Runs UNIV. network is a fat-tree, of which only topology and n are used. The packets of one
// source follow each other; lengths are not used; each gets a random rank from 0 … ranks - 1.
// Returns ANL_ERR_ARGUMENT if packets of one source are apart, a terminal is out of range, or ranks
// is 0; ANL_ERR_MEMORY.
enum anl_status univ_run(const struct anl_config *network, const struct anl_new_worm *packets,
                         uint32_t num_packets, uint32_t ranks, uint64_t seed, uint32_t most_steps,
                         struct univ_result *result);

// --- the competing networks of Theorems 5 and 6 ---
//
// They are meshes and tori of N = 4^n processors in 2^n rows, and binary trees with N processors
// as leaves. Their worms are sent again on a fat-tree of N processors.

// Returns the fat-tree's terminal for a processor of the mesh, by shuffled row-major indexing
// (Thompson and Kung 1977): bits of row and column alternate, the row's first. So each quadrant of
// the mesh has consecutive numbers, and so has each quadrant of a quadrant.
uint32_t area_terminal(uint32_t row, uint32_t column);

// Puts a binary tree of as many processors in the place of the mesh of a scenario. Drawn as an
// H-tree it has the area of the mesh, with its leaves in shuffled row-major order. ANL_ERR_MEMORY.
enum anl_status area_tree(struct anl_scenario *mesh, struct anl_error *error);

struct area_worms {
    struct anl_message *messages;  // between terminals of the fat-tree, all in cycle 0; the caller
                                   // frees them with free()
    size_t count;
    uint64_t window_cycles;
};

// Collects the worms of a window: those of which a flit moves on the mesh within `length` cycles,
// after a time in which the mesh fills; its worms have one length. Or else those of a stream, which
// the mesh delivers in its first N * L cycles, L the length of the longest. mesh has 2 dimensions
// and k a power of 2, or is such a tree. After Ctrl-C it stops, with the worms so far.
// ANL_ERR_ARGUMENT: the traffic ends before (run.cycles); ANL_ERR_MEMORY.
enum anl_status area_worms(const struct anl_scenario *mesh, bool window, struct area_worms *worms);

// --- one run of a series and its outcome ---

// Real numbers are what samples can be taken of.
struct outcome {
    bool complete;  // if not, the other members mean nothing
    double time;    // as the paper counts: flit-steps, without those of cycle 0
    double worms;
    uint64_t cycles;
    uint64_t lower;   // lower bound, cycles
    uint64_t upper;   // Theorem 2, cycles after the last worm was created; with phases after 0
    uint32_t length;  // of the longest worm, flits; 1 for UNIV and STORE
    uint32_t dilation;
    double congestion, mean_congestion, load_factor;
    double twice;  // 1: two of the paths part and meet again; only of the runs that figures show
    double crossing, log_square;          // c / (lambda + log2 N), cycles / (c L log2^2 P)
    double delays, phase_cycles, missed;  // with phases: R, k T1 L, worms that missed their phase
    double window_cycles, slowdown;       // with window or stream: cycles of the mesh, ours to them
};

struct result {
    const struct series *series;
    uint32_t n, run;  // run counts from 0
    struct outcome outcome;
};

// Makes the run that result names. After Ctrl-C it stops and is not complete. Returns the errors of
// the run.
enum anl_status experiment_run(const struct plan *plan, struct result *result,
                               struct anl_error *error);

// --- the results of all runs of a plan ---

// The results, sorted as in the plan by series, n and run.
struct results {
    const struct plan *plan;
    struct result *of;
    size_t count;
};

// Makes room for the runs with n <= most_n. The caller frees results->of with free(),
// also after an error. ANL_ERR_MEMORY.
enum anl_status results_begin(const struct plan *plan, uint32_t most_n, struct results *results);

// The numbers of an outcome of which samples are taken.
enum measure {
    MEASURE_TIME = offsetof(struct outcome, time),
    MEASURE_LOAD = offsetof(struct outcome, load_factor),
    MEASURE_CONGESTION = offsetof(struct outcome, congestion),
    MEASURE_MEAN_CONGESTION = offsetof(struct outcome, mean_congestion),
    MEASURE_SLOWDOWN = offsetof(struct outcome, slowdown),
    MEASURE_WORMS = offsetof(struct outcome, worms),
    MEASURE_MISSED = offsetof(struct outcome, missed),
    MEASURE_PHASES = offsetof(struct outcome, delays),
    MEASURE_PHASE_CYCLES = offsetof(struct outcome, phase_cycles),
    MEASURE_CROSSING = offsetof(struct outcome, crossing),
    MEASURE_LOG_SQUARE = offsetof(struct outcome, log_square),
    MEASURE_TWICE = offsetof(struct outcome, twice),
};

// Returns a sample of the runs of series at N = 4^n, of all or of those that figures show. Its
// count is 0 if none was made.
struct sample results_sample(const struct results *results, const struct series *series, uint32_t n,
                             enum measure measure, bool all);

// Returns the mean of such a sample, of all runs; NAN if none was made.
double results_mean(const struct results *results, const struct series *series, uint32_t n,
                    enum measure measure);

// Returns the length of the worms, in flits, in the first run of series at N = 4^n.
double results_length(const struct results *results, const struct series *series, uint32_t n);

// How many runs were compared with the bounds and broke one, and how near they came.
struct bounds_count {
    size_t held_lower, below, held_upper, above;
    double least_lower, most_upper;  // the extreme ratios of cycles to the bound
};
struct bounds_count results_count_bounds(const struct results *results);

// --- comparison with the paper: cells of Table 1, and claims ---

struct cell_verdict {
    struct sample ours, all;  // of as many runs as in the paper, and of all our runs
    double deviation;         // of our mean from the paper's, per cent
    double z, z_all;          // how many standard errors the paper's mean is above ours
    enum verdict verdict;
};
struct cell_verdict check_cell(const struct results *results, const struct cell *cell);

struct claim_verdict {
    double value;
    double error;      // standard error of a gain; else 0
    double low, high;  // 95 % confidence interval of a power; else 0
    double factor;     // k of a power law
    enum verdict verdict;
};
struct claim_verdict check_claim(const struct results *results, const struct claim *claim);

// --- output ---

// Prints Table 1, figures, claims, theorems, bounds, and how many cells passed. Returns true if no
// check failed.
bool report_print(const struct results *results);

// Writes all runs, Table 1, the claims, figures 2 to 5 (as CSV, TSV and SVG) and the theorems into
// directory, which must exist. Returns ANL_ERR_IO, also if gnuplot fails; ANL_ERR_MEMORY.
enum anl_status files_write(const char *directory, const struct results *results,
                            struct anl_error *error);

#endif
