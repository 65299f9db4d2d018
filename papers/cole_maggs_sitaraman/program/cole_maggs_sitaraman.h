// SPDX-License-Identifier: Apache-2.0
//
// What the files of this paper share: plan.c (what is run, and the numbers it is held against),
// instances.c (networks and paths), simulate.c (their runs on the golden model), graphs.c (colours,
// schedules and greedy runs), rounds.c (the two-pass algorithm on the switch that discards),
// recursion.c (what theory says of it), butterfly.c (its measurements), experiments.c,
// permutations.c and lower_bound.c (claims that have no table of their own), check.c, report.c,
// files.c.

#ifndef ANL_COLE_MAGGS_SITARAMAN_H
#define ANL_COLE_MAGGS_SITARAMAN_H

#include "papers/common/program/paper.h"

#include <annelid/annelid.h>
#include <annelid/colour.h>
#include <annelid/discard.h>

// --- plan ---

// Networks of a row that are drawn, levelled or stalling, and trials of one and of two passes.
enum { MOST_SEEDS = 64, MOST_TRIALS = 1000 };

// Random levelled networks (levelled.csv). Numbers to compare with are those of an older program.
struct levelled {
    uint32_t width, dilation, congestion, length, vcs;
    double messages, colours, drawn, greedy;  // drawn 0: not measured there
    uint32_t seeds, brief;                    // instances, and with SHORT=1
    double tolerance;                         // by which ours may be away, as a part
};

enum link_kind { LINK_WIDE, LINK_SHARED };

// Networks on which every schedule is slow (worst.csv).
struct worst {
    uint32_t vcs, distinct, copies, length;  // B, M', C / (B + 1), L
    uint32_t lanes;                          // of the switches that it runs on
    bool interleaved;
    enum link_kind link;
    uint32_t colours;  // exactly; 0: not printed
    double greedy;     // 0: not printed
    double tolerance;
    bool brief;
};

// One pass through a butterfly that discards, one message for each input (single.csv).
struct single {
    uint32_t levels, vcs, trials, brief;
    double fraction;  // exact, as printed; 0: not printed
    double unit;      // of its last digit
};

// The two-pass algorithm (rounds.csv).
struct rounds {
    uint32_t levels, q, length, vcs;
    double beta;
    uint32_t trials, brief;
    double undelivered, unit;  // after round 0, by the recursion, as printed
    double measured;           // the same by an older program; 0: not printed
    uint32_t steps;            // of a round; 0: not printed
    double total;              // mean steps until all are delivered; 0: not printed
};

// One pass through a butterfly whose worms wait (stalling.csv).
struct stalling {
    uint32_t levels, q, length, vcs, trials, brief;
    double steps, tolerance;  // of an older program
};

// Claims that one number each says something of (experiments.csv, where the kinds are explained).
enum experiment_kind {
    EXPERIMENT_PASSES,
    EXPERIMENT_POWER,
    EXPERIMENT_AWAY,
    EXPERIMENT_EXPONENT,
    EXPERIMENT_ROUNDS,
    EXPERIMENT_STORED,
    EXPERIMENT_BUFFERS,
    EXPERIMENT_LANES,
    EXPERIMENT_SHORT,
    EXPERIMENT_ANY,
    EXPERIMENT_BALLS,
    EXPERIMENT_APART,
    EXPERIMENT_PHASES,
    EXPERIMENT_TIME,
    EXPERIMENT_COPIES,
    EXPERIMENT_LOST,
    EXPERIMENT_DISTINCT,
};
enum what {
    WHAT_NONE,
    WHAT_RANDOM,  // permutations
    WHAT_BIT_REVERSE,
    WHAT_TRANSPOSE,
    WHAT_WORST,
    WHAT_WIDE,  // links
    WHAT_SHARED,
    WHAT_ONCE,  // messages of the two-pass algorithm
    WHAT_DUPLICATED,
    WHAT_2_D,  // L
    WHAT_4_D,
    WHAT_16_D,
};
struct experiment {
    enum experiment_kind kind;
    enum what what;
    uint32_t size, x, vcs, trials, brief;
    struct claimed range;
    const char *texts[2];  // kind, what
};

enum claim_kind {
    CLAIM_BLOCKED,        // worms of schedules that took longer than alone in the network
    CLAIM_MAKESPAN,       // schedules that do not take exactly as long as their release says
    CLAIM_FIRST_FIT,      // the largest part of first fit's bound
    CLAIM_CLASSES,        // worst cases whose colours are not ceil(M / B)
    CLAIM_LEAST,          // the least time over (L - D) M / B of worst cases with B lanes
    CLAIM_MOST,           // the largest
    CLAIM_WORK_LEAST,     // the least time over M L / B of worst cases with B lanes
    CLAIM_WORK_MOST,      // the largest
    CLAIM_GAIN,           // the least speed-up over B, of equal D, greedy
    CLAIM_GAIN_COLOURS,   // the same of the colours
    CLAIM_GAIN_LEVELLED,  // the same of schedules on levelled networks
    CLAIM_GAIN_ROUNDS,    // the same of the two-pass algorithm
    CLAIM_ROUNDS,         // the most rounds of a trial
    CLAIM_ALLOWED,        // trials that took more rounds than R_max
    CLAIM_BROKEN,         // invariants that were broken
};

struct claim {
    const char *name, *sentence;
    enum claim_kind kind;
    struct claimed range;
};

struct plan {
    struct levelled *levelled;
    struct worst *worst;
    struct single *single;
    struct rounds *rounds;
    struct stalling *stalling;
    struct experiment *experiments;
    struct claim *claims;
    size_t num_levelled, num_worst, num_single, num_rounds, num_stalling, num_experiments;
    size_t num_claims;
    char *texts[7];
};
// Reads the plan; the caller frees it with plan_free(), also after an error.
enum anl_status plan_read(const char *directory, struct plan *plan, struct anl_error *error);
void plan_free(struct plan *plan);

// --- instances ---

// Draws a levelled network: `dilation` + 1 levels of `width` switches, each with links to two
// different switches of the next level, and messages that walk at random from the first level to
// the last one. A message that would raise the congestion above `congestion` is left out; 1,000 of
// them in a row end it. ANL_ERR_MEMORY.
enum anl_status levelled_make(const struct levelled *levelled, uint64_t seed,
                              struct anl_instance *instance);

// Draws q messages for each input of the butterfly, with random destinations; the nodes are those
// of the paper. ANL_ERR_MEMORY.
enum anl_status butterfly_make(uint32_t levels, uint32_t q, uint64_t seed,
                               struct anl_instance *instance);

// --- runs on the golden model ---

struct how_to_run {
    const char *directory;  // where scenarios are written
    const char *name;       // of the scenario
    uint32_t lanes;
    enum link_kind link;
    uint16_t length;
    const uint64_t *starts;  // [messages]; NULL: all in cycle 0
    uint16_t depth;          // flits of a lane; 0: 1 on wide links, 2 on shared ones
    bool stored;             // store and forward, on shared links
    uint64_t *delivered;     // [messages] receives the cycle of each delivery; NULL: nobody asks
};
struct run {
    uint64_t steps;    // of the paper: cycles without injection and ejection
    uint64_t blocked;  // worms that took longer than alone in the network
    bool complete;
    uint64_t *delivered;  // of how_to_run
};
// Writes the scenario and its messages, and runs it. ANL_ERR_IO, ANL_ERR_MEMORY, and what
// anl_instance_write_scenario() returns.
enum anl_status simulate(const struct anl_instance *instance, const struct how_to_run *how,
                         struct run *run, struct anl_error *error);

// --- results ---

// Schedules and greedy runs of the instances of a row, means over its seeds.
struct levelled_result {
    const struct levelled *row;
    bool done;
    struct sample messages, colours, theorem, schedule, greedy;
    double drawn;              // of the first instance, whose resamples take long
    uint64_t blocked, uneven;  // worms of schedules; schedules with another makespan than kappa
                               // (L + D - 1)
    double of_bound;           // largest part of first fit's bound
};
struct worst_result {
    const struct worst *row;
    bool done;
    struct anl_link_measures measures;
    uint32_t messages, colours;
    uint64_t schedule, blocked, uneven;
    struct run greedy;
    double bound;  // (L - D) M / B, for the lanes that it runs with; 0 if more than `vcs`
};
struct single_result {
    const struct single *row;
    bool done;
    double exact;
    struct sample fraction;
    uint64_t broken;
};
struct rounds_result {
    const struct rounds *row;
    bool done;
    uint32_t colours, steps;  // Delta, and those of a round
    double recursion;
    struct sample undelivered, rounds, total;
    uint32_t allowed, most_rounds, most_copies;  // R_max; the most rounds, and copies of an input
    uint64_t broken, over;                       // over: trials with more than R_max rounds
};
struct stalling_result {
    const struct stalling *row;
    bool done;
    struct sample steps, congestion;
};

struct experiment_result {
    const struct experiment *row;
    bool done;
    double value, error;  // its standard error; 0: exact, or not known
};

struct results {
    const struct plan *plan;
    const char *directory;
    bool only_short;
    struct levelled_result *levelled;
    struct worst_result *worst;
    struct single_result *single;
    struct rounds_result *rounds;
    struct stalling_result *stalling;
    struct experiment_result *experiments;
};

// Fill in a result. Return its errors.
enum anl_status measure_levelled(const struct results *results, struct levelled_result *result,
                                 struct anl_error *error);
enum anl_status measure_worst(const struct results *results, struct worst_result *result,
                              struct anl_error *error);
enum anl_status measure_single(const struct results *results, struct single_result *result,
                               struct anl_error *error);
enum anl_status measure_rounds(const struct results *results, struct rounds_result *result,
                               struct anl_error *error);
enum anl_status measure_stalling(const struct results *results, struct stalling_result *result,
                                 struct anl_error *error);
enum anl_status measure_experiment(const struct results *results, struct experiment_result *result,
                                   struct anl_error *error);
// Fills in those which are made of the values of others: powers, and what is away from a law.
void finish_experiments(const struct results *results);

// --- experiments ---

// Returns the part of a permutation's messages that x passes deliver, in each trial.
// ANL_ERR_MEMORY.
enum anl_status permutation_passes(const struct experiment *how, uint32_t trials, double *parts);
// Returns the least alpha for which Lemma 3.2.3 holds for all n up to `most`, powers of two, and
// all m with B < m <= n. ANL_ERR_MEMORY.
enum anl_status balls_alpha(uint32_t vcs, uint32_t most, double *alpha);
// Returns the largest set found of messages that do not collide, over the s of Theorem 3.2.5.
// ANL_ERR_MEMORY.
enum anl_status largest_apart(const struct experiment *how, uint32_t trials, double *part);
// Runs q = x messages from each input, which wait, and returns T B / (L q l^(1/B)) (Theorem 3.2.1),
// or with EXPERIMENT_PHASES the most messages that arrive within L steps over n q L / T (Theorem
// 3.2.6), and 0 if they collide.
enum anl_status one_pass_time(const struct results *results, const struct experiment *how,
                              uint64_t seed, double *value, struct anl_error *error);

// --- theory of the butterfly ---

// Returns the part of the messages that come through `links` levels of links, each of `vcs` lanes,
// where an input has x messages that want one of its two links with probability load[x], 0 <= x <=
// most, and `per_link` is the mean of x. Exact for independent random columns.
double recursion_delivered(uint32_t links, uint32_t vcs, const double *load, uint32_t most);
// Returns that of one pass with one message for each input.
double recursion_single(uint32_t levels, uint32_t vcs);
// Returns the part that is not delivered after a round with q messages for each input.
double recursion_undelivered(uint32_t levels, uint32_t vcs, uint32_t q, uint32_t colours);

// --- the two-pass algorithm ---

struct two_pass {
    uint32_t levels, q, length, vcs, colours;
    uint64_t seed;
    uint32_t duplicates;  // copies of each message in round 0; 0: one
};
struct two_pass_result {
    uint32_t rounds;       // until everything is delivered
    uint32_t most_copies;  // of one input at the beginning of a round
    double undelivered;    // the part of the messages that round 0 does not deliver
    uint64_t steps;        // of all rounds
    uint64_t broken;       // invariants, of rounds_check()
};
// Routes a random q-relation. Gives up after `most_rounds`, and rounds is then more than that.
// ANL_ERR_MEMORY.
enum anl_status two_pass_run(const struct two_pass *how, uint32_t most_rounds,
                             struct two_pass_result *result);

// Returns Delta = ceil(beta q (log2 n)^(1/B) / B), the steps of a round, and R_max.
uint32_t two_pass_colours(uint32_t levels, uint32_t q, uint32_t vcs, double beta);
uint32_t two_pass_steps(uint32_t levels, uint32_t colours, uint32_t length);
uint32_t two_pass_allowed(uint32_t levels, uint32_t q);

// What became of the worms of a round, for the check.
struct sent {
    struct anl_discard_worm worm;
    struct anl_discard_outcome outcome;
};
// Returns how many invariants are broken: a link takes more than B worms of one colour, or discards
// one although fewer than B have crossed it (I1, I10); a delivered worm does not end in the step
// that its start asks for (I2); the last flit comes after the end of the round (I10). `sent` is
// ascending by start, and only worms with one start meet. ANL_ERR_MEMORY.
enum anl_status rounds_check(const struct anl_discard_shape *shape, const struct sent *sent,
                             size_t count, uint64_t last_step, uint64_t *broken);

// --- verdicts ---

enum verdict check_claim(const struct results *results, const struct claim *claim, double *value);
// Return the verdict on a number that is printed, and on ours if none is.
enum verdict check_within(double ours, double printed, double tolerance);
enum verdict check_single(const struct single_result *result, double *errors);
enum verdict check_rounds(const struct rounds_result *result);
enum verdict check_experiment(const struct experiment_result *result);

// Prints all tables. Returns whether no check failed.
bool report_print(const struct results *results);

// Writes levelled.csv, worst.csv, single.csv, rounds.csv, stalling.csv, experiments.csv, claims.csv
// and the figure.
enum anl_status files_write(const char *directory, const struct results *results,
                            struct anl_error *error);

#endif
