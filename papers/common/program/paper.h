// SPDX-License-Identifier: Apache-2.0
//
// What the programs that reproduce papers share: options, runs on all processors, data files,
// verdicts, files of results. A paper is a folder beside this one, with its algorithms
// and a main.c; `make help` prints line 3 of main.c.

#ifndef ANNELID_PAPER_H
#define ANNELID_PAPER_H

#include "common/common.h"

// --- the program ---

struct paper_options {
    const char *data, *output;  // directories
    bool only_short;
    unsigned workers;  // how many runs are made at the same time
};

struct paper {
    const char *data, *output;  // directories, unless the user names others
    const char *only_short;     // what --short still runs, for --help
    const char *what;           // what the program does, for --help
    // Makes all runs and checks them; *good receives whether no check failed.
    enum anl_status (*run)(const struct paper_options *options, bool *good,
                           struct anl_error *error);
};

// Is the main() of a paper. Returns the exit status.
int paper_main(const struct paper *paper, int argc, char **argv);

// Creates the directory of the results if it does not exist, and makes the runs. Returns their
// errors, and ANL_ERR_IO after Ctrl-C.
enum anl_status paper_do_runs(const struct paper_options *options, const struct pool_work *runs,
                              struct anl_error *error);

// --- data files: CSV with remarks ---

// A row that is read. status and error keep the first error, with file and line.
struct paper_row {
    const char *directory;
    void *user;
    struct csv csv;
    struct anl_error *error;
    enum anl_status status;
};

// A data file; read() makes an element of a list of each row.
struct paper_file {
    const char *name;
    size_t columns, element_bytes;
    void (*read)(struct paper_row *row, void *element);
    bool may_be_empty;
};

// Returns the rows of a file as a list of *count elements. The caller frees the list and *text,
// into which the list points, with free(), also after an error. A file without rows is an error
// unless it may be empty. Does nothing if row->status is an error already.
void *paper_read(struct paper_row *row, const struct paper_file *file, char **text, size_t *count);

// Return the value of a column. If it has another form the row gets an error, and 0 or least is
// returned.
const char *paper_text(const struct paper_row *row, size_t column);
double paper_number(struct paper_row *row, size_t column, double least, double most);
uint32_t paper_whole(struct paper_row *row, size_t column, double least, double most);
// Returns the index of the value in names, an array that ends with NULL.
int paper_choice(struct paper_row *row, size_t column, const char *const *names);

// Gives the row the error "'…', expected …".
void paper_refuse(struct paper_row *row, size_t column, const char *expected);

// --- verdicts ---

// VERDICT_SHOWN: the value is shown but not checked; VERDICT_NONE: its runs were not made.
enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_DIFFERS, VERDICT_SHOWN, VERDICT_NONE };
const char *verdict_name(enum verdict verdict);

// The range in which a value must be for the paper's statement to hold.
struct claimed {
    double least, most;
    bool differs;  // our value is known not to agree, and must be between our_least and our_most
    double our_least, our_most;
};

// Returns the verdict on a value. A claim that is known to differ passes if the paper's statement
// holds after all.
enum verdict verdict_of(const struct claimed *claimed, double value);

// --- files of results, each whole or not at all ---

// Writes a file in directory, which must exist. ANL_ERR_IO, ANL_ERR_MEMORY.
enum anl_status paper_write(const char *directory, const char *name,
                            void (*write)(const void *user, FILE *out), const void *user,
                            struct anl_error *error);

// Writes a script for gnuplot as <name>.gnuplot, and its picture as <name>.svg. The script may read
// data from the same directory. Where gnuplot cannot be run, the picture is left out, and a line on
// standard error says so. ANL_ERR_IO, ANL_ERR_MEMORY.
enum anl_status paper_draw(const char *directory, const char *name,
                           void (*write)(const void *user, FILE *out), const void *user,
                           struct anl_error *error);

#endif
