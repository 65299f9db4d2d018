// SPDX-License-Identifier: Apache-2.0
//
// What the programs of this tree share and the library does not need: the annelid command, the
// programs of the papers, benchmarks. A program says what goes wrong and how far it is, prints
// tables, reads and writes CSV, shares work out among threads, and runs other programs.

#ifndef ANNELID_COMMON_H
#define ANNELID_COMMON_H

#include <annelid/base.h>
#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// --- a program of the command line ---

// Exit statuses: done; the answer is no (a rule broken, a difference, a stall); bad usage or bad
// input.
enum { CLI_OK = 0, CLI_NO = 1, CLI_BAD = 2 };

// Prints "annelid: FILE:LINE: text" to stderr. Returns CLI_BAD.
int cli_complain(const struct anl_error *error);

// Fills *error with no more than the text of the status, which it returns; ANL_OK stays as it is.
enum anl_status cli_fail(enum anl_status status, struct anl_error *error);

// What was printed to stdout has arrived; otherwise complains and returns false.
bool cli_output_whole(void);

// Width of the terminal behind stdout in characters; COLUMNS says otherwise, 80 if unknown.
uint32_t cli_columns(void);

// Whether stdout wants colours: a terminal that has some, and NO_COLOR is not set.
bool cli_colours(void);

// The number from 0 to most that text holds, or argp_error.
uint64_t cli_number(const char *text, uint64_t most, struct argp_state *state);

// Progress of something that may take long: nothing for the first two seconds, then a bar on a
// terminal or a line every ten seconds in a log. Zero-initialise; call cli_progress_end() when
// done.
struct cli_progress {
    const char *what;  // e.g. "running"
    double begin, last;
    bool shown;
};
void cli_progress_update(struct cli_progress *progress, double fraction, const char *detail);
void cli_progress_end(struct cli_progress *progress);

// Set by Ctrl-C after cli_catch_interrupt(): long work should stop, clean up and return CLI_BAD.
void cli_catch_interrupt(void);
bool cli_interrupted(void);

// --- lists and tables ---

// The list with room for one element more; *size: for how many it has. NULL: no memory, and the
// list is as it was.
void *gather_room(void *list, size_t count, size_t *size, size_t element_bytes);

// A table for people: columns as wide as their widest cell, two blanks between them, no blanks at
// the end of a line.
enum { TABLE_MAX_COLUMNS = 12, TABLE_CELL_BYTES = 160 };
struct table {
    const char *align;  // a letter per column: l left, r right
    char (*cells)[TABLE_CELL_BYTES];
    size_t count, size;
    bool cut;
};

// Adds a cell, printf-like, cut at TABLE_CELL_BYTES - 1; cells fill the rows from left to right.
// Without memory the table is cut after the last whole row, and says so.
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints the rows, each after indent blanks, and empties the table.
void table_print(struct table *table, int indent);

// --- CSV as in RFC 4180: records of fields, a field in quotes where it must be ---

// A text that is read record by record. The fields lie in the text, which is changed for it.
enum { CSV_MAX_FIELDS = 32 };
struct csv {
    const char *file;  // for messages
    char *at;          // of the terminated text: what is not yet read
    uint64_t line;     // of at, from 1
    bool remarks;      // empty lines, and those that begin with #, are skipped
    uint64_t record_line;
    char *fields[CSV_MAX_FIELDS];
    size_t num_fields;
};

// The text of a file, terminated, to be given to free() also after an error. ANL_ERR_IO,
// ANL_ERR_FORMAT, ANL_ERR_MEMORY.
enum anl_status csv_text(const char *path, char **text, struct anl_error *error);

// True: there is a record. False: the text has ended, or *status says what is wrong.
bool csv_next(struct csv *csv, enum anl_status *status, struct anl_error *error);

// Writes text as a field, in quotes if need be.
void csv_write(FILE *stream, const char *text);

// --- tasks shared out among threads, each to the first that is free; a bar says how far they are

// The thread that works on a task.
struct pool_worker;

// Says that this fraction of the worker's task is done. NULL: nobody wants to know.
void pool_progress(struct pool_worker *worker, double fraction);

struct pool_work {
    const char *what;  // for the bar, e.g. "sweeping"
    const char *unit;  // of what are there so many, e.g. "runs"
    size_t tasks;
    unsigned workers;      // > 0
    const double *weight;  // [tasks] how long each may take, beside the others; NULL: alike
    // May be called by several threads at once.
    enum anl_status (*run)(void *user, size_t task, struct pool_worker *worker,
                           struct anl_error *error);
    void *user;
};

// Runs all tasks; each is told to one thread, in their order. After an error, or Ctrl-C, no more
// are begun, and those that have begun are waited for. Returns the error of the first of the tasks
// that failed; ANL_ERR_IO after Ctrl-C.
enum anl_status pool_run(const struct pool_work *work, struct anl_error *error);

// Processors that this process may use.
unsigned pool_cores(void);

// --- programs that do a part of the work ---

enum child_end { CHILD_DONE, CHILD_FAILED, CHILD_INTERRUPTED, CHILD_ABSENT };

// A child process that reads from one file and writes to others, and that Ctrl-C stops as well.
struct child {
    char *const *arguments;  // of which the first is looked for in PATH; the last one is NULL
    const char *directory;   // where it runs; NULL: where we do
    int in, out;             // descriptors
    int complaints;          // where its standard error goes; -1: to ours
    int reason;        // filled in: errno (CHILD_ABSENT), exit status or signal (CHILD_FAILED)
    const char *kind;  // filled in, CHILD_FAILED: "exit status" or "signal"
};
enum child_end child_run(struct child *child);

// Whether gnuplot is there; path is named in errors.
enum anl_status gnuplot_check(const char *path, struct anl_error *error);

// Has gnuplot draw a script, whose terminal is svg. *svg: the picture as a text without a line's
// end behind it, to be given to free(); NULL after an error. ANL_ERR_IO.
struct gnuplot {
    void (*script)(const void *user, FILE *out);  // writes it
    const void *user;
    const char *directory;  // where it looks for its data; NULL: where we are
    const char *path;       // is named in errors
};
enum anl_status gnuplot_draw(const struct gnuplot *drawing, char **svg, struct anl_error *error);

#endif
