// SPDX-License-Identifier: Apache-2.0
//
// annelid sweep, from the lists that the user gives to the tables that are printed. annelid plot
// reads points and saturation loads. Rules: docs/sweep.md.

#ifndef ANNELID_SWEEP_H
#define ANNELID_SWEEP_H

#include "cli/shared/cli.h"

#include <annelid/run.h>

// --- lists of loads and of seeds, as they are asked for ---
//
// Loads are counted in billionths, so that steps and
// halves are the same on every machine.

#define SWEEP_LOAD_1 UINT64_C(1000000000)
#define SWEEP_NO_LOAD UINT64_MAX  // of a closed loop

enum { SWEEP_MAX_LIST = 1000000, SWEEP_LOAD_BYTES = 24 };

struct sweep_list {
    uint64_t *values;  // ascending, each once; owned, to be given to free()
    size_t count;
};

// "0.02:0.40:0.02,0.5". ANL_ERR_ARGUMENT with the reason in error->text, ANL_ERR_MEMORY; *list is
// then empty.
enum anl_status sweep_list_loads(const char *text, struct sweep_list *list,
                                 struct anl_error *error);

// "10" is 1 to 10; else "3-7,12".
enum anl_status sweep_list_seeds(const char *text, struct sweep_list *list,
                                 struct anl_error *error);

// count loads up to 0.98 of saturation, the denser the nearer to it; four significant digits.
enum anl_status sweep_list_up_to(double saturation, size_t count, struct sweep_list *list,
                                 struct anl_error *error);

// A load as a decimal number without needless digits; nothing for SWEEP_NO_LOAD.
void sweep_load_text(uint64_t load, char text[SWEEP_LOAD_BYTES]);
// The same as a number; NAN for SWEEP_NO_LOAD.
double sweep_load_number(uint64_t load);

// --- a run as a row of the CSV file ---
//
// The values of the varied keys come first in a row, then the columns of a run.

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

// The names of the columns, as in a header: "load,seed,…".
void sweep_columns_write_header(FILE *stream, bool digest);

// A run, as in a row: "0.3,1,…".
void sweep_columns_write(FILE *stream, const struct sweep_run *run);

// Whether the record read is a header, with the columns of a run behind num_keys others.
// ANL_ERR_FORMAT.
enum anl_status sweep_columns_check(const struct csv *csv, size_t num_keys, bool *has_digest,
                                    struct anl_error *error);

// The run in the record read. ANL_ERR_FORMAT.
enum anl_status sweep_columns_read(const struct csv *csv, size_t num_keys, bool has_digest,
                                   struct sweep_run *run, struct anl_error *error);

// --- what follows from numbers ---

// Mean over the seeds that have a value; it lies in mean ± half_width with 95 % confidence.
struct sweep_mean {
    double mean;        // NAN without values
    double half_width;  // NAN with fewer than two
    uint32_t count;     // values
};

// Mean of those of the values that are not NAN, and its 95 % interval by Student's t.
struct sweep_mean sweep_mean_of(const double *values, size_t count);

// How many of the first windows are warm-up, *steady: the others are in steady state. If none are,
// the first half is left out.
size_t sweep_warm_up(const struct anl_window *windows, size_t count, bool *steady);

// Whether the backlog grows in windows begin .. end - 1 of a run, all windows before given too.
bool sweep_backlog_grows(const struct anl_window *windows, size_t begin, size_t end);

// How many worms of each window of a run took how long: exact, and no larger than the run has
// different answers, since which windows are measured is known at its end only.
struct sweep_count {
    uint64_t window, latency;
    uint64_t worms;  // 0: the slot is free
};

// Zero-initialise; to be given to sweep_sample_free().
struct sweep_sample {
    struct sweep_count *slots;
    size_t size, used;
};

// One worm more. ANL_ERR_MEMORY.
enum anl_status sweep_sample_add(struct sweep_sample *sample, uint64_t window, uint64_t latency);
void sweep_sample_free(struct sweep_sample *sample);

// Those of the windows from first on, of all of them together, ascending by latency: *count of
// them, at the beginning of the slots. The sample can only be freed then.
struct sweep_count *sweep_sample_take(struct sweep_sample *sample, uint64_t first, size_t *count);

// --- the CSV file, read: runs, the points they are seeds of, curves that the points lie on ---

enum { SWEEP_MAX_KEYS = 8 };

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

// --- variants of a scenario: every combination of the values that are varied ---

enum { SWEEP_MAX_VARIANTS = 10000 };

// A key with its values. Zero-initialise; to be given to sweep_key_free().
struct sweep_key {
    char *name;     // "section.key"; the rest lies in the same text
    char **values;  // [count]
    size_t count;
};

// Reads "section.key=A,B,C"; commas within brackets part no values. ANL_ERR_ARGUMENT,
// ANL_ERR_MEMORY.
enum anl_status sweep_key_read(const char *text, struct sweep_key *key, struct anl_error *error);
void sweep_key_free(struct sweep_key *key);

struct sweep_variant {
    const char *values[SWEEP_MAX_KEYS];  // of the keys
    struct anl_scenario scenario;        // run.max_cycles as a sweep has it
    bool open;
    struct sweep_list loads;  // one SWEEP_NO_LOAD if it is closed
};

struct sweep_variants {
    const struct sweep_key *keys;
    size_t num_keys;
    struct sweep_variant *list;  // the last key changes first
    size_t count;
};

struct sweep_source {
    const char *path;
    const char *const *settings;  // as for anl_scenario_load_with()
    size_t num_settings;
    const struct sweep_key *keys;
    size_t num_keys;
    const struct sweep_list *loads;  // NULL: that of the scenario
    bool find_saturation;            // loads may be up to 1
};

// Loads all variants, with their loads, and makes sure that each can be run at each. Errors of
// anl_scenario_load_with(), ANL_ERR_ARGUMENT. Keys stay the caller's; *variants is to be given to
// sweep_variants_free() in any case.
enum anl_status sweep_variants_load(const struct sweep_source *source,
                                    struct sweep_variants *variants, struct anl_error *error);
void sweep_variants_free(struct sweep_variants *variants);

// Of all that what a run gives depends on, this program too, but for load and seed.
uint64_t sweep_variants_hash(const struct sweep_variants *variants, bool digest);

// --- the journal ---
//
// What has been found out so far, by key: kept in a file as it comes, so that after an interrupt it
// need not be found out again. A line for each, with a checksum; the first line says what question
// it is about. Several threads may use one journal.

struct sweep_journal;

// Opens the journal at path, which is created if there is none; NULL: it is kept in memory only. It
// must be about this question, or restart is true: then it is emptied. ANL_ERR_IO also if another
// process uses it; ANL_ERR_FORMAT: it is about another question, or damaged, or no journal at all;
// ANL_ERR_MEMORY.
enum anl_status sweep_journal_open(const char *path, uint64_t question, bool restart,
                                   struct sweep_journal **journal, struct anl_error *error);

// NULL if it is not known. The text stays until the journal is closed.
const char *sweep_journal_find(struct sweep_journal *journal, const char *key);

// Neither key (which has no blanks) nor value has a line's end in it. ANL_ERR_IO, ANL_ERR_MEMORY.
enum anl_status sweep_journal_add(struct sweep_journal *journal, const char *key, const char *value,
                                  struct anl_error *error);

// How many are known.
size_t sweep_journal_count(const struct sweep_journal *journal);

// Frees it; the file goes if it is no longer wanted, or nothing is in it. journal may be NULL.
void sweep_journal_close(struct sweep_journal *journal, bool wanted);

// --- one run, and what it came to ---

struct sweep_job {
    const struct anl_scenario *variant;
    double load;  // NAN: a closed loop
    uint64_t seed;
    bool digest;
    // 0: a whole run. Else only whether it is saturated, told by a run of so many times run.cycles
    // (1, 2, 4, 8, …) which ends when no more worms are created.
    unsigned brief;
};

// ANL_ERR_IO, "interrupted", after Ctrl-C; errors of anl_run().
enum anl_status sweep_measure(const struct sweep_job *job, struct pool_worker *worker,
                              struct sweep_run *run, struct anl_error *error);

// --- all runs: each is made once, and remembered in the journal as its row ---

// Several threads may use one.
struct sweep_runs {
    const struct sweep_variants *variants;
    const struct sweep_list *seeds;
    struct sweep_journal *journal;
    bool digest;
};

// The row of a run, without its line's end: made now, or remembered. It stays with the journal.
// ANL_ERR_IO after Ctrl-C.
enum anl_status sweep_runs_row(struct sweep_runs *runs, size_t variant, uint64_t load,
                               uint64_t seed, struct pool_worker *worker, const char **row,
                               struct anl_error *error);

// Whether a run with this load is saturated or stalled, told by a brief one of so many times its
// cycles (sweep_measure()); *state is one of these two or another one.
enum anl_status sweep_runs_state(struct sweep_runs *runs, size_t variant, uint64_t load,
                                 uint64_t seed, unsigned times, enum sweep_state *state,
                                 struct anl_error *error);

// Makes all runs, in threads, and then writes the CSV file at path, which appears whole. input: as
// for anl_output_open().
enum anl_status sweep_runs_write(struct sweep_runs *runs, unsigned workers, const char *path,
                                 const char *input, struct anl_error *error);

// --- the saturation load of each variant, by bisection for each seed ---

// Mean over the seeds of the load from which on they are saturated. A seed that is not even at load
// 1 counts as 1: with one of these the mean is a lower bound, and there is no interval.
struct sweep_saturation {
    double load;
    double half_width;   // of the 95 % interval; NAN: none
    uint32_t seeds;      // all
    uint32_t unreached;  // of them not saturated at load 1
    uint32_t stalled;    // of them in which a run stalled
};

// The interval is so wide that the runs are too short, or the seeds too few.
bool sweep_saturation_is_wide(const struct sweep_saturation *saturation);

// Fills saturation[variants]. tolerance > 0.
enum anl_status sweep_saturation_find(struct sweep_runs *runs, double tolerance, unsigned workers,
                                      struct sweep_saturation *saturation, struct anl_error *error);

// The path of FILE.saturation.csv, which lies beside the FILE.csv of a sweep: the saturation loads
// that were found, and how. To be given to free(); NULL: no memory.
char *sweep_saturation_path(const char *csv);

struct sweep_search {
    const struct sweep_saturation *found;  // [variants]
    double tolerance;
    const char *program, *command;    // that made it
    const struct sweep_points *rows;  // of the CSV file beside it; NULL: there is none
};

// The file appears whole. input: as for anl_output_open().
enum anl_status sweep_saturation_write(const char *path, const char *input,
                                       const struct sweep_variants *variants,
                                       const struct sweep_search *search, struct anl_error *error);

// What was read. To be given to sweep_saturation_record_free().
struct sweep_saturation_record {
    struct sweep_saturation *found;  // [curves] of the points; seeds 0: nothing is known
    char *program, *command;         // NULL: nothing was read
    bool foreign;                    // there is a file, but beside other rows
};

// Reads the file beside csv, whose rows are given; that there is none is no error. ANL_ERR_FORMAT,
// ANL_ERR_IO, ANL_ERR_MEMORY: *record is empty.
enum anl_status sweep_saturation_read(const char *csv, const struct sweep_points *rows,
                                      struct sweep_saturation_record *record,
                                      struct anl_error *error);
void sweep_saturation_record_free(struct sweep_saturation_record *record);

// --- what a sweep came to, as tables for people ---

// The saturation load of each variant; found[variants].
void sweep_print_saturation(const struct sweep_variants *variants,
                            const struct sweep_saturation *found);

// One of them: "0.2678 ± 0.0055", "not up to load 1".
void sweep_saturation_words(const struct sweep_saturation *found, char *text, size_t size);

// The points, and how many runs were not steady.
void sweep_print_points(const struct sweep_points *points);

#endif
