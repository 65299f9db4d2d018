// SPDX-License-Identifier: Apache-2.0
//
// The parts of `annelid sweep`, from the lists that the user gives to the tables that are printed.
// `annelid plot` reads points and saturation loads with them. docs/sweep.md has the rules.

#ifndef ANNELID_SWEEP_H
#define ANNELID_SWEEP_H

#include "cli/shared/cli.h"

#include <annelid/run.h>

// --- lists of loads and of seeds that the user gives ---
//
// Loads are integers in units of 1e-9, so that steps and halves are the same on every machine.

#define SWEEP_LOAD_1 UINT64_C(1000000000)
#define SWEEP_NO_LOAD UINT64_MAX  // a closed loop has no load

enum { SWEEP_MAX_LIST = 1000000, SWEEP_LOAD_BYTES = 24, SWEEP_MOST_WORKERS = 1024 };

struct sweep_list {
    uint64_t *values;  // ascending, each once; the owner of the list frees them with free()
    size_t count;
};

// Reads loads such as "0.02:0.40:0.02,0.5". Returns ANL_ERR_ARGUMENT with the reason in
// error->text, or ANL_ERR_MEMORY; *list is then empty.
enum anl_status sweep_list_loads(const char *text, struct sweep_list *list,
                                 struct anl_error *error);

// Reads seeds in the same way: "10" means 1 to 10, other lists are such as "3-7,12".
enum anl_status sweep_list_seeds(const char *text, struct sweep_list *list,
                                 struct anl_error *error);

// Read the same as the arguments of options (cli_option.read); place is a struct sweep_list.
void sweep_read_loads(void *place, const char *text, struct argp_state *state);
void sweep_read_seeds(void *place, const char *text, struct argp_state *state);

// Makes a list of count loads up to 0.98 of saturation, the denser the nearer to it, each of four
// significant digits.
enum anl_status sweep_list_up_to(double saturation, size_t count, struct sweep_list *list,
                                 struct anl_error *error);

// Writes a load as a decimal number without needless digits; an empty text for SWEEP_NO_LOAD.
void sweep_load_text(uint64_t load, char text[SWEEP_LOAD_BYTES]);
// Returns a load as a number; NAN for SWEEP_NO_LOAD.
double sweep_load_number(uint64_t load);

// --- columns of CSV files ---

// How a cell is written. A real number, or a load, is NAN where the cell is empty; an integer or a
// hash is a uint64_t, a text a char pointer.
enum sweep_kind {
    SWEEP_LOAD,
    SWEEP_REAL,
    SWEEP_INTEGER,
    SWEEP_STATE,
    SWEEP_END,
    SWEEP_HASH,
    SWEEP_TEXT
};
struct sweep_column {
    const char *name;
    enum sweep_kind kind;
    size_t offset;  // of the member in a record
};

// Write the names of the columns, and the cells of a record: "0.3,1,…".
void sweep_columns_write_names(FILE *stream, const struct sweep_column *columns, size_t count);
void sweep_columns_write(FILE *stream, const struct sweep_column *columns, size_t count,
                         const void *record);

// Fills in a record, whose texts then point into the cells. Returns the first column whose cell has
// another form, or count if none has.
size_t sweep_columns_read(char *const *cells, const struct sweep_column *columns, size_t count,
                          void *record);

// Returns what the cells of a column are, for messages.
const char *sweep_column_wanted(const struct sweep_column *column);

// --- a run as a row of the CSV file ---
//
// The values of the varied keys come first in a row, then the columns of a run.

// The outcome of a run.
enum sweep_state { SWEEP_STEADY, SWEEP_UNSTEADY, SWEEP_SATURATED, SWEEP_STALLED };
enum { SWEEP_NUM_STATES = SWEEP_STALLED + 1 };
const char *sweep_state_name(enum sweep_state state);

// Returns how a run ended: "complete", "max_cycles", "stalled".
const char *sweep_end_name(enum anl_run_end end);

// A run. Real numbers are NAN where the row is empty: the load of a closed loop, latencies if there
// were no worms.
struct sweep_run {
    double load;
    uint64_t seed;
    enum sweep_state state;
    enum anl_run_end end;
    uint64_t cycles, warmup, worms;
    double offered, accepted;  // flits per terminal and cycle
    double latency, latency_min, latency_p50, latency_p95, latency_p99, latency_max;  // cycles
    double links;
    bool has_digest;
    uint64_t digest;
    uint64_t line;  // of the file that it was read from
    size_t curve;   // of the points that it was read into
};

// Write the names of the columns of a run: "load,seed,…"; and the columns: "0.3,1,…".
void sweep_run_write_names(FILE *stream, bool digest);
void sweep_run_write(FILE *stream, const struct sweep_run *run);

// --- statistics ---

// Returns how many of the first windows are warm-up. *steady receives whether the other windows are
// in steady state; if there is no steady state, warm-up is the first half.
size_t sweep_warm_up(const struct anl_window *windows, size_t count, bool *steady);

// How many worms that were created in a window had this latency. A sample has one such count for
// each pair that occurs, so it is exact, and any windows can be chosen at the end of a run.
struct sweep_count {
    uint64_t latency;
    uint32_t window;
    uint32_t worms;  // of which a run has no more than 2^32 - 1; 0: the slot is free
};

// Worms are noted one behind the other, which costs little. When there are so many and one more,
// they get slots.
enum { SWEEP_NOTED = 1 << 16 };

// The owner initialises it with zeros and gives it to sweep_sample_free() in the end.
struct sweep_sample {
    struct sweep_count *slots;  // [size], of which `used` are not free
    size_t size, used;
    struct sweep_count *noted;  // [num_noted] each of one worm that has no slot yet
    size_t num_noted;
};

// Counts a worm. ANL_ERR_MEMORY.
enum anl_status sweep_sample_add(struct sweep_sample *sample, uint64_t window, uint64_t latency);
void sweep_sample_free(struct sweep_sample *sample);

// Sums up the windows from first on. The caller frees latencies->count with free(). ANL_ERR_MEMORY:
// it is NULL.
enum anl_status sweep_sample_sum(const struct sweep_sample *sample, uint64_t first,
                                 struct anl_latencies *latencies);

// --- reading the CSV file: runs are grouped into points, and points into curves ---

enum { SWEEP_MAX_KEYS = 8 };

// Runs that differ in their seeds only.
struct sweep_point {
    double load;
    const struct sweep_run *runs;  // [num_runs]
    size_t num_runs;
    uint32_t in_state[SWEEP_NUM_STATES];  // how many of the runs are in each state
    bool steady;                          // all runs are
    struct sample offered, accepted;      // of the runs that have a value
    struct sample latency, latency_p50, latency_p95, latency_p99;
    struct sample links;
};

// The points of one variant, ascending by load.
struct sweep_curve {
    char *values[SWEEP_MAX_KEYS];      // [num_keys] of the varied keys
    const struct sweep_point *points;  // [num_points]
    size_t num_points;
};

// The caller of sweep_points_read() owns it and gives it to sweep_points_free().
struct sweep_points {
    size_t num_keys;
    char *keys[SWEEP_MAX_KEYS];  // [num_keys] the varied keys, "section.key"
    struct sweep_run *runs;
    size_t num_runs;
    struct sweep_point *points;
    size_t num_points;
    struct sweep_curve *curves;  // in the order of the file
    size_t num_curves;
    uint64_t hash;  // XXH3 of the file
    char *remarks;  // at the head of the file: program, command, scenario; "" if there are none
};

// Reads a CSV file, which must have rows. Returns ANL_ERR_IO, ANL_ERR_FORMAT (*error says file,
// line, column and what was expected) or ANL_ERR_MEMORY; *points is then empty.
enum anl_status sweep_points_read(const char *path, struct sweep_points *points,
                                  struct anl_error *error);

// Frees what points contains; points may be empty (all zero).
void sweep_points_free(struct sweep_points *points);

// Returns the curve with these values of the varied keys; num_curves if there is none.
size_t sweep_points_curve(const struct sweep_points *points, char *const *values);

// Returns a value as names of variants have it: one of more than 40 bytes, such as a long path, by
// its end and its XXH3, "…/of/a/long/path.yaml#0123456789abcdef", so that no two are alike.
struct sweep_value {
    char text[48];
};
struct sweep_value sweep_value_shown(const char *value);

// Writes the name of a curve, "switch.num_vcs 2, switch.depth 4", or "" if nothing was varied; cut
// at bytes - 1.
void sweep_curve_name(const struct sweep_points *points, const struct sweep_curve *curve,
                      char *name, size_t bytes);

// --- variants of a scenario: every combination of the values that are varied ---

enum { SWEEP_MAX_VARIANTS = 10000 };

// A varied key with its values. The owner initialises it with zeros and gives it to
// sweep_key_free().
enum { SWEEP_NAME_BYTES = 128 };  // of a key or a value that has another word

struct sweep_key {
    char *text;     // "section.key" as it was given; the values point into the same text
    char *name;     // the same, by the words of the page
    char **values;  // [count]
    size_t count;
};

// Reads "section.key=A,B,C"; a comma within brackets is part of a value. ANL_ERR_ARGUMENT,
// ANL_ERR_MEMORY.
enum anl_status sweep_key_read(const char *text, struct sweep_key *key, struct anl_error *error);
void sweep_key_free(struct sweep_key *key);

// Writes the setting "name=value" of a variant, in which a list has no brackets. Returns false if
// it is too long.
enum { SWEEP_SETTING_BYTES = 512 };
bool sweep_setting(char setting[SWEEP_SETTING_BYTES], const char *name, const char *value);

struct sweep_variant {
    const char *values[SWEEP_MAX_KEYS];  // of the varied keys
    struct anl_scenario scenario;        // with the run.max_cycles that a sweep uses
    bool open;
    struct sweep_list loads;  // of a closed loop: one SWEEP_NO_LOAD
};

struct sweep_variants {
    const struct sweep_key *keys;
    size_t num_keys;
    struct sweep_variant *list;  // [count] the last key varies fastest
    size_t count;
};

struct sweep_source {
    const char *path;
    const char *const *settings;  // as for anl_scenario_load_with()
    size_t num_settings;          // at most CLI_MAX_SETTINGS
    const struct sweep_key *keys;
    size_t num_keys;
    const struct sweep_list *loads;  // NULL: the load of the scenario
    bool find_saturation;            // then loads up to 1 are tried
};

// Reads the scenarios of all variants and checks that each can be run at each of its loads. Returns
// the errors of anl_scenario_load_with(), or ANL_ERR_ARGUMENT. The caller still owns the keys and
// must keep them as long as *variants, which it gives to sweep_variants_free() in any case.
enum anl_status sweep_variants_load(const struct sweep_source *source,
                                    struct sweep_variants *variants, struct anl_error *error);
void sweep_variants_free(struct sweep_variants *variants);

// Writes the first cells of a row: the values of a variant, or if it is NULL the names of the
// varied keys, each followed by a comma.
void sweep_variants_write(FILE *file, const struct sweep_variants *variants,
                          const struct sweep_variant *variant);

// Returns whether key number index (anl_scenario_key()) is the same in all variants.
bool sweep_variants_agree(const struct sweep_variants *variants, size_t index);

// Writes the head of a CSV file: where it comes from, with the keys that are the same in all rows.
void sweep_variants_write_head(FILE *file, const struct sweep_variants *variants,
                               const struct cli_given *given);

// Returns a hash of all that the result of a run depends on, also of this program, but not of load
// and seed.
uint64_t sweep_variants_hash(const struct sweep_variants *variants, bool digest);

// --- the journal ---
//
// A journal keeps results by their keys. Each is written to a file at once, so that a sweep that is
// interrupted can go on later. Each result is a line with a checksum; the first line has the hash
// of the question, sweep_variants_hash(). Several threads may use one journal.

struct sweep_journal;

// Opens or creates the journal at path; if path is NULL it is kept in memory only. With restart it
// is emptied. Returns ANL_ERR_IO, also if another process uses the journal; ANL_ERR_FORMAT if it is
// about another question, or damaged, or no journal at all; ANL_ERR_MEMORY.
enum anl_status sweep_journal_open(const char *path, uint64_t question, bool restart,
                                   struct sweep_journal **journal, struct anl_error *error);

// Returns the value of a key; NULL if the journal has none. The text is valid until the journal is
// closed.
const char *sweep_journal_find(struct sweep_journal *journal, const char *key);

// Adds a value. There must be no blank in key, and no line's end in key or value. ANL_ERR_IO,
// ANL_ERR_MEMORY.
enum anl_status sweep_journal_add(struct sweep_journal *journal, const char *key, const char *value,
                                  struct anl_error *error);

// Returns how many values the journal has.
size_t sweep_journal_count(const struct sweep_journal *journal);

// Frees the journal, and removes its file if that is not wanted or empty. journal may be NULL.
void sweep_journal_close(struct sweep_journal *journal, bool wanted);

// --- one run ---

struct sweep_job {
    const struct anl_scenario *variant;
    double load;  // NAN for a closed loop
    uint64_t seed;
    bool digest;
    // 0: a whole run. Else the run only finds out whether it is saturated: it takes so many times
    // run.cycles (1, 2, 4, 8, …) and ends when no more worms are created.
    unsigned brief;
};

// Makes up to SWEEP_AT_ONCE runs, which may be made side by side; a whole one reports its progress.
// All but the first one are left out, with 0 cycles, where they would have to be made alone. Fills
// runs[count]. Returns the first error: ANL_ERR_IO, "interrupted", after Ctrl-C, or one of
// anl_run().
enum { SWEEP_AT_ONCE = 3 };
enum anl_status sweep_measure(const struct sweep_job *jobs, size_t count,
                              struct pool_worker *worker, struct sweep_run *runs,
                              struct anl_error *error);

// --- all runs ---

// The runs of a sweep. Each is made once; the journal keeps its row. Several threads may use one
// struct.
struct sweep_runs {
    const struct sweep_variants *variants;
    const struct sweep_list *seeds;
    struct sweep_journal *journal;
    bool digest;
    enum pool_engine engine;        // that makes them; the results are the same
    const struct cli_given *given;  // the command, for the head of the file
};

// A run of a sweep, a whole one or a brief one (struct sweep_job).
struct sweep_task {
    size_t variant;
    uint64_t load, seed;
    unsigned brief;
};

// Makes up to SWEEP_AT_ONCE runs here, whatever the journal has. Errors are those of
// sweep_measure().
enum anl_status sweep_runs_measure(const struct sweep_runs *runs, const struct sweep_task *tasks,
                                   size_t count, struct pool_worker *worker, struct sweep_run *made,
                                   struct anl_error *error);

// Returns what the journal has of a run: of a whole run its row, without its line's end; of a brief
// run the name of its state, which only says whether the run is saturated or stalled. NULL if it
// has nothing. The text belongs to the journal.
const char *sweep_runs_known(const struct sweep_runs *runs, const struct sweep_task *task);

// *text receives what the journal has of the first run. If it has nothing, all runs, up to
// SWEEP_AT_ONCE that it does not have, are made together and kept in it, as sweep_measure() makes
// them. ANL_ERR_IO after Ctrl-C.
enum anl_status sweep_runs_find(struct sweep_runs *runs, const struct sweep_task *tasks,
                                size_t count, struct pool_worker *worker, const char **text,
                                struct anl_error *error);

// Makes all runs, in threads, and then writes the CSV file at path, whole or not at all.
enum anl_status sweep_runs_write(struct sweep_runs *runs, unsigned workers, const char *path,
                                 struct anl_error *error);

// --- a team: processes that make the runs of one sweep ---
//
// All of them are given the same command. One leads: it has the journal, shows progress and writes
// the files. The others make the runs that it asks them for.

struct sweep_team {
    bool leads;      // this process does
    unsigned ranks;  // processes, of which each makes runs, the leader too
    // Called by all with what became of reading the command and the files, and with the hash of the
    // question. Returns the status; for all of them ANL_ERR_ARGUMENT if another one failed or asks
    // another question.
    enum anl_status (*agree)(enum anl_status status, uint64_t question, struct anl_error *error);
    // Called by threads of the leader: makes a run in the process that has the fewest.
    enum anl_status (*measure)(const struct sweep_runs *runs, const struct sweep_task *task,
                               struct pool_worker *worker, struct sweep_run *run,
                               struct anl_error *error);
    void (*serve)(struct sweep_runs *runs);  // the others: until the leader dismisses them
    void (*dismiss)(void);                   // the leader: after the last run
};

// Sets the team of this process, before cmd_sweep(); without one it makes all runs itself.
void sweep_set_team(const struct sweep_team *team);
// Returns the team, or NULL.
const struct sweep_team *sweep_team(void);
// Returns how many of so many workers are other processes of the team.
unsigned sweep_remote(unsigned workers);

// --- the saturation load of each variant, by bisection for each seed ---

// The mean, over the seeds, of the least load at which a run is saturated. A seed that is not
// saturated at load 1 counts as 1; then the mean is a lower bound, and there is no interval.
struct sweep_saturation {
    double load;
    double half_width;   // of the 95 % interval; NAN: there is none
    uint64_t seeds;      // number of seeds
    uint64_t unreached;  // seeds that are not saturated at load 1
    uint64_t stalled;    // seeds with which a run stalled
    uint64_t runs;       // that the search needed; not in the file
};

// Fills saturation[variants]. tolerance > 0 is the width, as a fraction of the load, at which a
// bisection ends. Errors are those of the runs, and ANL_ERR_MEMORY.
enum anl_status sweep_saturation_find(struct sweep_runs *runs, double tolerance, unsigned workers,
                                      struct sweep_saturation *saturation, struct anl_error *error);

// Returns the path of FILE.saturation.csv, the file of saturation loads beside the FILE.csv of a
// sweep. The caller frees it with free(); NULL if there is no memory.
char *sweep_saturation_path(const char *csv);

struct sweep_search {
    const struct sweep_saturation *found;  // [variants]
    double tolerance;
    const char *program, *command;    // that made the search
    const struct cli_given *given;    // the same command, for the head of the file
    const struct sweep_points *rows;  // of the CSV file beside it; NULL: there is no such file
};

// Writes the file, whole or not at all.
enum anl_status sweep_saturation_write(const char *path, const struct sweep_variants *variants,
                                       const struct sweep_search *search, struct anl_error *error);

// What was read. The caller gives it to sweep_saturation_record_free().
struct sweep_saturation_record {
    struct sweep_saturation *found;  // [curves of the rows] seeds 0: nothing is known
    char *program, *command;         // NULL: nothing was read
    bool foreign;                    // there is a file, but it belongs to other rows
};

// Reads the file of saturation loads beside the file csv, whose rows are given. It is no error if
// there is none. Returns ANL_ERR_FORMAT, ANL_ERR_IO or ANL_ERR_MEMORY; *record is then empty.
enum anl_status sweep_saturation_read(const char *csv, const struct sweep_points *rows,
                                      struct sweep_saturation_record *record,
                                      struct anl_error *error);
void sweep_saturation_record_free(struct sweep_saturation_record *record);

// --- flows: what each terminal sends ---

enum { SWEEP_NAMED = 16, SWEEP_MOST_FLOWS = 1 << 14 };
struct sweep_flows {
    double ceiling;     // load at which the busiest link is full; NAN: not known
    double first;       // least load at which a flow is unstable; NAN: none is up to load 1, or it
                        // was not looked for
    uint32_t starving;  // terminals whose flows are unstable at the saturation load
    uint32_t named[SWEEP_NAMED];  // the first of them
};
// Fills flows[variants], for the saturation loads found[variants]. Flows are looked for in open
// loops on buffered switches with up to SWEEP_MOST_FLOWS terminals, where found is a load. These
// runs are not in the journal. Errors are those of the runs, and ANL_ERR_MEMORY.
enum anl_status sweep_flows_find(const struct sweep_variants *variants,
                                 const struct sweep_saturation *found, unsigned workers,
                                 struct sweep_flows *flows, struct anl_error *error);

// --- tables of the results ---

// Prints the saturation load of each variant, found[variants], and flows[variants].
void sweep_print_saturation(const struct sweep_variants *variants,
                            const struct sweep_saturation *found, const struct sweep_flows *flows);

// Writes a saturation load: "0.2678 ± 0.0055", "not up to load 1".
void sweep_saturation_words(const struct sweep_saturation *found, char *text, size_t size);

// Writes a mean and half of its interval, "12.34 ± 0.56"; "" if there is no value.
enum { SWEEP_MEAN_BYTES = 64 };
void sweep_mean_words(struct sample value, int digits, char *text, size_t size);

// Writes how many runs of a point are in which state: "10 steady", "7 steady, 3 saturated".
void sweep_states_words(const struct sweep_point *point, char *text, size_t size);

// Prints the points, and how many runs were not steady.
void sweep_print_points(const struct sweep_points *points);

// --- the same as JSON ---

// Return new objects: program, command, and the keys of the scenario that are the same in all rows;
// a list of points; a list of saturation loads. What is not known is not there.
json_t *sweep_head_json(const struct sweep_variants *variants, const struct cli_given *given);
json_t *sweep_points_json(const struct sweep_points *points);
json_t *sweep_saturation_json(const struct sweep_variants *variants,
                              const struct sweep_saturation *found,
                              const struct sweep_flows *flows);

#endif
