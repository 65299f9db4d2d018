// SPDX-License-Identifier: Apache-2.0
//
// What the files of this paper share: plan.c (what is run and claimed), measure.c (schedules),
// theorem.c (snakes and packet algorithms), check.c (claims), report.c and report_snakes.c
// (tables), files.c (results and figures).

#ifndef ANL_ROBERTS_SYMVONIS_H
#define ANL_ROBERTS_SYMVONIS_H

#include "papers/common/program/paper.h"

#include <annelid/annelid.h>
#include <annelid/schedule.h>

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
    CLAIM_LAYOUTS,
    CLAIM_WRONG,
    CLAIM_OCCUPANCY,
    CLAIM_TOGETHER,
    CLAIM_MISSED,
    CLAIM_SORTING_STEPS,
    CLAIM_SORTING_QUEUE,
    CLAIM_GREEDY_QUEUE,
    CLAIM_THEOREM,
    CLAIM_CHARGED,
    CLAIM_EARLY,
    CLAIM_COLOURED_LEAST,
    CLAIM_COLOURED_MOST,
    CLAIM_ONE_BEND,
    CLAIM_CLIMBED,
    CLAIM_CLIMBED_LEXICAL,
    CLAIM_MOVING,
    CLAIM_GRAPHS,
    CLAIM_RELATION,
};

// A row of layouts.csv: what the times of a supernode must be.
struct layout_case {
    uint32_t f, k;
    uint32_t period, superstep;  // steps
    uint32_t rounds[3];          // steps of a round with so many supersteps and one more
    bool brief;
};

enum traffic {
    TRAFFIC_PERMUTATION,  // of all cells, in rounds
    TRAFFIC_RANDOM,       // random destinations, in rounds with consumption in each superstep
    TRAFFIC_EARLY,        // a permutation of all cells whose worms are born early
    TRAFFIC_COLOURED,     // a permutation of all cells, in rounds that are chosen off-line
    TRAFFIC_FULL,         // full supernodes
};
enum algorithm { ALGORITHM_GREEDY, ALGORITHM_DEFLECTING, ALGORITHM_SORTING, ALGORITHMS };

// A row of snakes.csv.
struct snake_case {
    enum traffic traffic;
    uint32_t f, k, n;
    enum algorithm algorithm;  // not of full supernodes
    uint32_t count, brief;     // runs, each with a seed of its own
};

// A row of packets.csv.
struct packet_case {
    uint32_t n, permutations, brief;
};

// A row of climb.csv.
struct climb_case {
    uint32_t n, k;
    bool any_order;        // the search changes the order
    enum anl_order order;  // otherwise
    uint64_t seed;
    uint32_t tries, makespan;
    bool brief;
};

enum network { NETWORK_MESH, NETWORK_TORUS, NETWORK_TREE, NETWORK_HYPERCUBE, NETWORK_CHAIN };

// A row of graphs.csv.
struct graph_case {
    enum network network;
    uint32_t n, h1, h2, k;
    bool queues;     // packets may wait
    uint32_t queue;  // so many in a node
    uint32_t count;
    double mean;  // of the makespan, as printed
    bool brief;
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
    struct layout_case *layouts;
    struct snake_case *snakes;
    struct packet_case *packets;
    struct climb_case *climbs;
    struct graph_case *graphs;
    size_t num_studies, num_cells, num_all_cells, num_claims, num_layouts, num_snakes, num_packets,
        num_climbs, num_graphs;
    char *texts[9];
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
    double moving;     // worms that move in one step over n^2 / k, the most of these schedules
};

// Schedules the permutations of one study; a short one takes fewer.
enum anl_status measure_study(const struct study *study, bool only_short, struct result *result,
                              struct anl_error *error);

// What a lone worm and its rounds showed.
struct layout_result {
    const struct layout_case *layout;
    bool done;
    uint32_t period, superstep, rounds[3];  // as in layouts.csv
};

// All runs of a row of snakes.csv. total is over all rounds there are, empty ones too, if each has
// the supersteps of the longest; of worms that are born early, and of rounds that are chosen
// off-line, it is the longest run. one_bend is the makespan of the off-line algorithm of the paper,
// for the same permutations.
struct snake_result {
    const struct snake_case *of;
    bool done;
    uint32_t runs, queue, together, longest, one_bend;
    uint64_t rounds, compared, worms, sent, moves, steps, total;
    const char *wrong;
    bool whole;  // all worms were consumed
};

// What the packet algorithms need alone for random and fixed permutations, in the worst case.
struct packet_result {
    const struct packet_case *of;
    bool done;
    struct {
        uint32_t supersteps, queue;
        uint64_t late;  // packets that were not there at the end
    } algorithms[ALGORITHMS];
};

// What a search for a long schedule has found.
struct climb_result {
    const struct climb_case *of;
    bool done;
    uint32_t makespan;
    uint32_t broken;  // schedules on its way that broke a rule
};

// What the problems of a row of graphs.csv showed.
struct graph_result {
    const struct graph_case *of;
    bool done;
    double mean;   // makespan
    double over;   // mean of makespan / lower bound
    double part;   // makespan / bound, the most
    double start;  // largest start / ((2 k - 1) ((h1 + h2) n - 2) + 1), the most; of meshes alone
    uint32_t broken;  // schedules that broke a rule
};

struct control_result {
    const char *found;
};

struct results {
    const struct plan *plan;
    struct result *of;  // [count]
    size_t count;
    bool only_short;
    struct layout_result *layouts;    // [num_layouts]
    struct snake_result *snakes;      // [num_snakes]
    struct packet_result *packets;    // [num_packets]
    struct climb_result *climbs;      // [num_climbs]
    struct graph_result *graphs;      // [num_graphs]
    struct control_result *controls;  // [num_controls]
    size_t num_layouts, num_snakes, num_packets, num_climbs, num_graphs, num_controls;
};

// Measure a row, with fewer runs if only_short.
enum anl_status measure_layout(const struct layout_case *layout, struct layout_result *result,
                               struct anl_error *error);
enum anl_status measure_snakes(const struct snake_case *snakes, bool only_short,
                               struct snake_result *result, struct anl_error *error);
enum anl_status measure_packets(const struct packet_case *packets, bool only_short,
                                struct packet_result *result, struct anl_error *error);
// Searches a long schedule.
enum anl_status measure_climb(const struct climb_case *climb, struct climb_result *result,
                              struct anl_error *error);
// Schedules the problems of a row of graphs.csv.
enum anl_status measure_graph(const struct graph_case *graph, struct graph_result *result,
                              struct anl_error *error);
// Runs a control (control_name()).
enum anl_status measure_control(uint32_t control, struct control_result *result,
                                struct anl_error *error);
// Returns how many controls there are.
size_t measure_num_controls(void);

// Returns the steps of all rounds of a layout, of the same number of supersteps each, over
// (f k)^2.5 n, where n is the side of a mesh of so many supernodes.
double measure_charge(uint32_t f, uint32_t k, uint32_t supernodes, uint64_t steps);
// Returns the same if the packet algorithm is sorting.
double measure_charge_sorting(uint32_t f, uint32_t k, uint32_t supernodes);

// Returns the result for a mesh, of all permutations or of random ones; NULL: they were not run.
const struct result *results_find(const struct results *results, uint32_t n, uint32_t k, bool all);

// Return the verdict on a row; *value receives what is held against the claim.
enum verdict check_claim(const struct results *results, const struct claim *claim, double *value);
enum verdict check_mean(const struct results *results, const struct cell *cell, double *distance);
enum verdict check_all(const struct results *results, const struct cell *cell);

const char *traffic_name(enum traffic traffic);
const char *algorithm_name(enum algorithm algorithm);

struct tally {
    size_t count[VERDICT_NONE + 1];  // [verdicts]
};
// Counts a verdict. Returns its name.
const char *tally_note(struct tally *tally, enum verdict verdict);

// Return the verdict on a row.
enum verdict check_layout(const struct layout_result *result);
enum verdict check_snakes(const struct snake_result *result);
enum verdict check_packets(const struct packet_result *result);
enum verdict check_climb(const struct climb_result *result);
enum verdict check_graph(const struct graph_result *result);
const char *network_name(enum network network);
enum verdict check_control(const struct results *results, uint32_t control);

// Prints the tables of snakes and packet algorithms.
void report_snakes(const struct results *results, struct tally *tally);
// Prints all tables. Returns whether no check failed.
bool report_print(const struct results *results);

// Writes runs.csv, claims.csv, layouts.csv, snakes.csv, packets.csv and figures.
enum anl_status files_write(const char *directory, const struct results *results,
                            struct anl_error *error);

#endif
