// SPDX-License-Identifier: Apache-2.0
//
// What the programs of this tree share (the annelid command, the papers, benchmarks) and the
// library does not need: messages and progress, tables, CSV, statistics, a pool of threads,
// child processes.

#ifndef ANNELID_COMMON_H
#define ANNELID_COMMON_H

#include <annelid/base.h>
#include <annelid/run.h>
#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

// --- a program of the command line ---

// Exit statuses: the work is done; the answer is no (a rule is broken, there is a difference, the
// run stalled); bad usage or bad input.
enum { CLI_OK = 0, CLI_NO = 1, CLI_BAD = 2 };

// Prints "annelid: FILE:LINE: text" to stderr. Returns CLI_BAD.
int cli_complain(const struct anl_error *error);

// Makes an error that names no file one of this file.
void cli_name_file(struct anl_error *error, const char *path);

// Returns status, and fills *error with its text only, unless it is ANL_OK.
enum anl_status cli_fail(enum anl_status status, struct anl_error *error);

// Returns true if all that was printed to stdout was written; else prints an error and returns
// false.
bool cli_output_whole(void);

// What reads a file more than once can read standard input too: cli_read_input() keeps all that is
// there in a file without a name, which is standard input from then on, if path is "-" or
// "/dev/stdin"; and likewise for a pipe that a shell hands over, "/dev/fd/63". If standard input is
// a file, no output replaces it (anl_input_protect()). Returns false, after a message, if that
// fails.
bool cli_read_input(const char *path);

// Returns the path to write to in place of path. If path is standard output ("-", "/dev/stdout"),
// what is printed goes to standard error from then on, and only the file goes to standard output.
const char *cli_write_output(const char *path);

// Returns whether cli_write_output() has made the path of standard output.
bool cli_is_stdout(const char *path);

// Returns ANL_OK if a command may write to a path that it has made up and the user did not name:
// nothing is there, or a file that says in its first 4096 bytes, by a mark, that the command wrote
// it. Else ANL_ERR_IO.
enum anl_status cli_may_replace(const char *path, const char *mark, struct anl_error *error);

// Returns the width of the terminal in characters: what COLUMNS says, else that of the terminal at
// stdout, else 80.
uint32_t cli_columns(void);

// Returns whether to print colours: stdout is a terminal that has them, and NO_COLOR is not set.
bool cli_colours(void);

// Returns the number from least to most in the text of an option; calls argp_error() if there is
// none.
uint64_t cli_number(const char *option, const char *text, uint64_t least, uint64_t most,
                    struct argp_state *state);

// Shows the progress of something that may take long: nothing for the first two seconds, then a bar
// on a terminal or a line every ten seconds in a log. A fraction of 1 or more means that nobody
// knows how long the rest will take; then detail alone is shown. At a fraction of 0 no seconds are
// shown. Initialise the other members with
// zeros; call cli_progress_end() when it is done.
struct cli_progress {
    const char *what;  // e.g. "running"
    double begin, last;
    bool shown;
};
void cli_progress_update(struct cli_progress *progress, double fraction, const char *detail);
// Writes what cli_progress_update() shows after so many seconds, without the ends of the line.
void cli_progress_words(const char *what, double fraction, const char *detail, double elapsed,
                        bool terminal, char *text, size_t size);
void cli_progress_end(struct cli_progress *progress);

// After cli_end_at_interrupt(), Ctrl-C ends the process with CLI_BAD, and leaves no temporary file
// of anl_output_open().
void cli_end_at_interrupt(void);

// After cli_catch_interrupt(), Ctrl-C makes cli_interrupted() true: long work should then stop,
// clean up and return CLI_BAD.
void cli_catch_interrupt(void);
bool cli_interrupted(void);

// --- lists, texts and tables ---

// Returns the list with room for the element with index `count`, and so for those before it; *size
// is for how many it has room. If there is no memory it returns NULL, and the old list is
// unchanged.
void *gather_room(void *list, size_t count, size_t *size, size_t element_bytes);

// Appends to the text in a buffer of size bytes, printf-like; what does not fit is cut off.
void text_append(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// A table for people: columns as wide as their widest cell, two blanks between them, no blanks at
// the end of a line.
enum { TABLE_MAX_COLUMNS = 12, TABLE_CELL_BYTES = 640 };
struct table {
    const char *align;  // a letter for each column: l left, r right
    char (*cells)[TABLE_CELL_BYTES];
    size_t count, size;
    bool cut;
};

// Adds a cell, printf-like, cut at TABLE_CELL_BYTES - 1; cells fill the rows from left to right.
// If memory runs out the table is cut after the last whole row, and table_print() says so.
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Adds the cells of a text, printf-like, which a tab separates from one another.
void table_row(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints the rows, each after indent blanks, and empties the table.
void table_print(struct table *table, int indent);

// --- CSV as in RFC 4180 ---

// A text that is read record by record. Empty lines and those that begin with # are skipped, and so
// are blanks around a field; a field in quotes may have them. Reading changes the text, and the
// fields point into it.
enum { CSV_MAX_FIELDS = 32 };
struct csv {
    const char *file;  // its name, for messages
    char *at;          // the rest of the terminated text, which is not yet read
    uint64_t line;     // number of the line at `at`, from 1
    uint64_t record_line;
    char *fields[CSV_MAX_FIELDS];
    size_t num_fields;
};

// *text receives the contents of a file, terminated; the caller frees it with free(), also after an
// error. ANL_ERR_IO, ANL_ERR_FORMAT, ANL_ERR_MEMORY.
enum anl_status csv_text(const char *path, char **text, struct anl_error *error);
// Does the same, and makes all ends of lines LF.
enum anl_status csv_lines(const char *path, char **text, struct anl_error *error);

// Reads the next record. Returns false at the end of the text (*status is ANL_OK) and after an
// error
// (*status says which).
bool csv_next(struct csv *csv, enum anl_status *status, struct anl_error *error);

// Writes text as a field, in quotes if need be.
void csv_write(FILE *stream, const char *text);

// Writes text as remarks: a line that begins with "# " for each of its lines.
void csv_remark(FILE *stream, const char *text);

// Returns what remarks are at the beginning of a text, without their "# ". The caller frees it with
// free(); NULL if there is no memory.
char *csv_remarks_of(const char *text);

// --- statistics (GNU Scientific Library) ---

struct sample {
    size_t count;
    double mean;       // NAN if there is no value
    double deviation;  // standard deviation of one value
    double error;      // standard error of the mean
    // The true mean lies in mean ± half_width with 95 % confidence; NAN: there are fewer than two
    // values.
    double half_width;
    double least, most;
};

// Returns mean and errors of the values, with an interval by Student's t.
struct sample sample_of(const double *values, size_t count);

// Returns by how many standard errors a printed mean of count runs is above ours. The deviation of
// one of its runs is taken to be that of one of ours; unit is that of the last digit that is
// printed. Without any error it is infinite, or NAN if the means are equal.
double sample_distance(const struct sample *ours, double printed, double unit, size_t count);

// The law y = factor * scale * x^power. The 95 % confidence interval of the power, low to high, is
// by Student's t with count - 2 degrees of freedom.
struct power_law {
    double factor, power, low, high;
};
struct power_point {
    double x, scale, y;  // all > 0
};

// Fits by least squares of the logarithms, in which relative deviations of all points weigh the
// same. count >= 3.
struct power_law fit_logarithms(const struct power_point *points, size_t count);

// Fits by least squares of y itself, in which the largest points weigh most; the search begins from
// fit_logarithms(). count >= 3.
struct power_law fit_values(const struct power_point *points, size_t count);

// Returns R^2 of the straight line that fits y over x best. count >= 3.
double straightness(const struct power_point *points, size_t count);

// --- a pool of threads: each task is done by the first thread that is free ---

// A thread that works on a task.
struct pool_worker;

// Reports that this fraction of the worker's task is done. Does nothing if worker is NULL.
void pool_progress(struct pool_worker *worker, double fraction);

// How a pool makes the runs of its tasks: one by one, or those of equal networks side by side in a
// batch (annelid/batch.h), always or where that takes less time. Results are the same.
enum pool_engine { POOL_SCALAR, POOL_AUTO, POOL_BATCH };

// Runs that a worker may have in a batch at once.
enum { POOL_SLOTS = 32 };

struct pool_work {
    const char *what;  // text of the progress bar, e.g. "sweeping"
    const char *unit;  // name of the tasks, e.g. "runs"
    size_t tasks;
    unsigned workers;  // number of threads, > 0; without POOL_SCALAR: of those that make runs
    // How many of the workers, but not all, are no threads that make runs: their share of the tasks
    // is done elsewhere.
    unsigned remote;
    // Returns the relative time that a task may take; NULL: all take the same.
    double (*weight)(const void *user, size_t task);
    // May be called by several threads at once.
    enum anl_status (*run)(void *user, size_t task, struct pool_worker *worker,
                           struct anl_error *error);
    void *user;
    // What tasks do that have reported a progress of 1 and are not over; NULL: nothing is said.
    const char *at_the_end;
    // If it is not POOL_SCALAR, many more tasks are begun than there are workers. They are to do
    // little more than runs, by pool_make_runs().
    enum pool_engine engine;
};

// Runs all tasks, which are begun in their order. After an error, or Ctrl-C, no more are begun, and
// those that have begun are waited for. Returns the error of the first of the tasks that failed;
// ANL_ERR_IO after Ctrl-C.
enum anl_status pool_run(const struct pool_work *work, struct anl_error *error);

// Makes runs for a task, as anl_run() does, and fills in their jobs. Runs that are given together
// may be made side by side. Those behind the first `needed` ones are left out, and their result has
// 0 cycles, where they would have to be made alone. worker may be NULL.
void pool_make_runs(struct pool_worker *worker, struct anl_run_job *jobs, size_t count,
                    size_t needed);

// Returns whether so many runs of a scenario, whose loads add up to load, are made side by side if
// they are under way at the same time and nothing is attached to them that anl_run_many_can()
// refuses.
bool pool_shares(enum pool_engine engine, const struct anl_scenario *scenario, size_t count,
                 double load);

// Returns how many processors this process may use.
unsigned pool_cores(void);

// --- child processes ---

enum child_end { CHILD_DONE, CHILD_FAILED, CHILD_INTERRUPTED, CHILD_ABSENT };

// A child process; Ctrl-C stops it too.
struct child {
    char *const *arguments;  // the first one is looked for in PATH; the last one is NULL
    const char *directory;   // its working directory; NULL: that of this process
    int in, out;             // descriptors of its standard input and output
    int complaints;          // descriptor of its standard error; -1: that of this process
    int reason;        // filled in: errno (CHILD_ABSENT), exit status or signal (CHILD_FAILED)
    const char *kind;  // filled in, CHILD_FAILED: "exit status" or "signal"
};
// Runs the child and waits for it. Returns how it ended; CHILD_ABSENT: it could not be run.
enum child_end child_run(struct child *child);

// A child whose standard output is read while it runs. Its other descriptors are those of this
// process.
struct child_output {
    FILE *file;  // what it writes; NULL: it does not run
    pid_t process;
};
// Starts a child; arguments as above. Returns 0, or errno, and then it does not run.
int child_output_open(char *const *arguments, struct child_output *child);
// Ends the child, whatever it is doing, and closes its output. Returns false if it had ended its
// output by itself and failed.
bool child_output_close(struct child_output *child);

// Checks that gnuplot can be run; ANL_ERR_IO if not. Errors name path.
enum anl_status gnuplot_check(const char *path, struct anl_error *error);

// Runs gnuplot on a script whose terminal is svg. *svg receives the picture, without a line's end
// after it, which the caller frees with free(); NULL after an error. ANL_ERR_IO.
struct gnuplot {
    void (*script)(const void *user, FILE *out);  // writes the script
    const void *user;
    const char *directory;  // where the script's data files are; NULL: the working directory
    const char *path;       // for messages
};
enum anl_status gnuplot_draw(const struct gnuplot *drawing, char **svg, struct anl_error *error);

#endif
