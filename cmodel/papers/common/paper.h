// SPDX-License-Identifier: Apache-2.0
//
// What papers that are made to run share, whatever they are about: a program with its options, runs
// on all processors, data files, statistics, verdicts, files of results. A paper is a folder beside
// this one with its algorithms and a main.c, of which line 3 is what `make help` says of it.

#ifndef ANNELID_PAPER_H
#define ANNELID_PAPER_H

#include "common/common.h"

// --- the program ---

struct paper_options {
    const char *data, *output;  // directories
    bool only_short;
    unsigned workers;  // runs at the same time
};

struct paper {
    const char *data, *output;  // unless the user names others
    const char *only_short;     // what --short leaves over
    const char *what;           // it does, for --help
    // Does all of it; *good: nothing that was judged has failed.
    enum anl_status (*run)(const struct paper_options *options, bool *good,
                           struct anl_error *error);
};

// Returns the exit status.
int paper_main(const struct paper *paper, int argc, char **argv);

// All runs of a paper. run is called by several threads at once, the last one first, for later runs
// are the longer ones; weight: how long a run may take, beside the others.
struct paper_runs {
    size_t count;
    double (*weight)(const void *user, size_t run);
    enum anl_status (*run)(void *user, size_t run, struct anl_error *error);
    void *user;
};

// Makes the directory of the results if it is not there, and does the runs. ANL_ERR_IO also after
// Ctrl-C.
enum anl_status paper_do_runs(const struct paper_options *options, const struct paper_runs *runs,
                              struct anl_error *error);

// --- data files: CSV with remarks ---

// A row that is read. What is wrong first stays in status and error, with its place.
struct paper_row {
    const char *directory;
    void *user;
    struct csv csv;
    struct anl_error *error;
    enum anl_status status;
};

// A row becomes an element of a list.
struct paper_file {
    const char *name;
    size_t columns, element_bytes;
    void (*read)(struct paper_row *row, void *element);
};

// The rows of a file as a list of *count elements, to be given to free() also after an error, as
// *text, into which texts of the list point. Does nothing if row->status says that something was
// wrong before; no row at all is wrong.
void *paper_read(struct paper_row *row, const struct paper_file *file, char **text, size_t *count);

// What stands in a column; what has another form is wrong, and 0 or least is returned.
const char *paper_text(const struct paper_row *row, size_t column);
double paper_number(struct paper_row *row, size_t column, double least, double most);
uint32_t paper_whole(struct paper_row *row, size_t column, double least, double most);
// The position in names, an array that ends with NULL.
int paper_choice(struct paper_row *row, size_t column, const char *const *names);

// Says "'…', expected …".
void paper_refuse(struct paper_row *row, size_t column, const char *expected);

// --- statistics (GNU Scientific Library) ---

struct sample {
    size_t count;
    double mean;
    double deviation;  // standard deviation of one value
    double error;      // standard error of the mean
    double least, most;
};
struct sample sample_of(const double *values, size_t count);

// Standard errors that a printed mean of count runs lies above ours, whose error is given. The
// deviation of one of its runs is taken to be that of ours; unit: the last digit that is printed.
// Without any error only equality is none.
double sample_distance(const struct sample *ours, double printed, double unit, size_t count);

// y = factor scale x^power, with the 95 % confidence interval of the power by Student's t with
// count - 2 degrees of freedom.
struct power_law {
    double factor, power, low, high;
};
struct power_point {
    double x, scale, y;  // all > 0
};

// Least squares of the logarithms: all points weigh the same in per cent. count >= 3.
struct power_law fit_logarithms(const struct power_point *points, size_t count);

// Least squares of y itself: the largest weigh most. count >= 3; begins from fit_logarithms().
struct power_law fit_values(const struct power_point *points, size_t count);

// R^2 of the straight line nearest to y over x. count >= 3.
double straightness(const struct power_point *points, size_t count);

// --- verdicts ---

// SHOWN: not judged; NONE: was not run
enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_DIFFERS, VERDICT_SHOWN, VERDICT_NONE };
const char *verdict_name(enum verdict verdict);

// The range of a value for what the paper says to hold.
struct claimed {
    double least, most;
    bool differs;  // ours is known not to agree: then it must lie in this range
    double our_least, our_most;
};

// A claim that is known to differ passes if what the paper says holds after all.
enum verdict verdict_of(const struct claimed *claimed, double value);

// --- files of results, each whole or not at all ---

// A file in directory, which must exist. ANL_ERR_IO, ANL_ERR_MEMORY.
enum anl_status paper_write(const char *directory, const char *name,
                            void (*write)(const void *user, FILE *out), const void *user,
                            struct anl_error *error);

// A script for gnuplot as <name>.gnuplot, and what it draws as <name>.svg. Its data may lie in the
// same directory.
enum anl_status paper_draw(const char *directory, const char *name,
                           void (*write)(const void *user, FILE *out), const void *user,
                           struct anl_error *error);

#endif
