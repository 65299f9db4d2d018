// SPDX-License-Identifier: Apache-2.0
//
// Pictures of measurements: curves and a report of sweeps, or the result of one run. Most are
// scripts for gnuplot, which contain their data. Their SVG needs no other file: its colours follow
// the page around it, points show their numbers when the mouse is over them, and a page can contain
// several pictures.

#ifndef ANNELID_PLOT_H
#define ANNELID_PLOT_H

#include "cli/sweep/sweep.h"

// --- scripts ---

enum { PLOT_WIDTH = 720, PLOT_HEIGHT = 460 };

// The looks of curves. Mark and dashes alone distinguish them; there are half as many colours.
enum { PLOT_LOOKS = 16 };
struct plot_look {
    const char *colour;
    int mark, hollow, dash;  // gnuplot's pointtype for filled and hollow points, and its dashtype
};
struct plot_look plot_look(size_t curve);

// Writes a text as a string of gnuplot, in which no character has a special meaning.
void plot_quote(FILE *script, const char *text);

// Writes a text as a part of a string in a block of data; characters that would end the string
// become blanks.
void plot_plain(FILE *script, const char *text);

// Writes the beginning of all scripts: size (width >= PLOT_WIDTH, PLOT_HEIGHT), fonts, axes, a
// title and a line of words below it.
void plot_begin(FILE *script, int width, const char *title, const char *words);

// A picture that plot_gnuplot() draws: name is its name among those of a page, title that of the
// SVG.
struct plot_drawing {
    struct gnuplot gnuplot;
    const char *name, *title;
};
enum anl_status plot_gnuplot(const struct plot_drawing *drawing, FILE *svg,
                             struct anl_error *error);

// --- of a run ---

// A run and its counts.
struct plot_run {
    const char *title;
    const struct anl_scenario *scenario;
    struct anl_run_result result;
    struct anl_latencies latencies;
    uint64_t *link_flits;  // [links] flits in the cycles that were measured
    uint64_t cycles;       // how many cycles were measured
};

// Writes "uniform, load 0.3, worms of 8 flits, seed 1".
void plot_describe_traffic(const struct anl_scenario *scenario, char *text, size_t size);

// Writes a script for gnuplot: how many worms had which latency.
void plot_histogram(FILE *script, const struct plot_run *run);

// Writes an SVG of the network in which each link has the colour of its utilisation. Returns
// ANL_ERR_ARGUMENT if the network is too large to be drawn; ANL_ERR_MEMORY.
enum anl_status plot_links(FILE *svg, const struct plot_run *run, struct anl_error *error);

// --- curves over the load, from the CSV files of sweeps ---
//
// A point is filled if all of its runs were steady, else hollow. Where most of them were saturated
// or stalled, latency depends on the length of the run and is not shown.

enum plot_curves { PLOT_LATENCY, PLOT_THROUGHPUT, PLOT_PERCENTILES, PLOT_NUM_CURVES };

struct plot_file {
    const char *path;
    struct sweep_points points;
    struct sweep_saturation_record searched;  // read for reports only
};

struct plot_sweep {
    const char *title;
    struct plot_file *files;
    size_t num_files;
    struct anl_predictor *predictors;  // [num_predictors] one for each curve of all files; NULL: no
    size_t num_predictors;             // model is drawn
};

// Prepares the model's curves, which plot_curves() draws beside the latencies. The values of the
// varied keys replace those of the scenario. Errors are those of the scenario and of the model. The
// caller gives *sweep to plot_predict_free(), also after an error.
enum anl_status plot_predict(struct plot_sweep *sweep, const char *scenario,
                             struct anl_error *error);
void plot_predict_free(struct plot_sweep *sweep);

// Writes loads and latencies of a model, up to the ends of the axes.
void plot_model_points(FILE *script, const struct anl_predictor *predictor, double right,
                       double top);

// Returns ANL_ERR_ARGUMENT, with the name of the first file, if no point has what the picture
// shows.
enum anl_status plot_curves_check(const struct plot_sweep *sweep, enum plot_curves what,
                                  struct anl_error *error);
void plot_curves(FILE *script, const struct plot_sweep *sweep, enum plot_curves what);

// A curve of the files.
enum { PLOT_WORDS_BYTES = 640 };
struct plot_curve {
    const struct plot_file *file;
    const struct sweep_curve *curve;
    size_t number;                 // among those of all files, from 0
    char words[PLOT_WORDS_BYTES];  // its name: "2 lanes, worms of 8 flits"; if there are several
                                   // files, the name of its file comes first
};

// Goes on to the next curve, from {0} to the first one. Returns false after the last one.
bool plot_next_curve(const struct plot_sweep *sweep, struct plot_curve *at);

// Returns whether most runs of the point were saturated or stalled.
bool plot_point_is_saturated(const struct sweep_point *point);

// Returns the lowest load at which a point of the curve is saturated; NAN if none is.
double plot_saturated_from(const struct sweep_curve *curve);

// Writes how many seeds the points have: "10 seeds", "1 to 10 seeds".
void plot_seeds_words(const struct plot_sweep *sweep, char *text, size_t size);

// --- a report: a sweep as one HTML file that needs nothing else ---
//
// A report has the curves, a table of the points, and the runs that were not steady.

struct plot_report {
    const struct plot_sweep *sweep;
    char **command;  // [num_words] the command that makes the report
    int num_words;
    const char *path;           // of the report, for messages
    const char *scenario_path;  // NULL: the scenario is not known
    const struct anl_scenario *scenario;
};

enum anl_status plot_report(FILE *html, const struct plot_report *report, struct anl_error *error);

#endif
