// SPDX-License-Identifier: Apache-2.0
//
// Pictures of what was measured: curves and a report of sweeps, or what one run came to. Most are
// scripts for gnuplot. What gnuplot draws of a script in memory, with its data, becomes an SVG that
// needs nothing else: its colours follow the page around it, points tell their numbers when pointed
// at, and it can stand in one page with others.

#ifndef ANNELID_PLOT_H
#define ANNELID_PLOT_H

#include "cli/sweep/sweep.h"

// --- scripts ---

enum { PLOT_WIDTH = 720, PLOT_HEIGHT = 460 };

// Curves have one of these looks, told apart by mark and dashes alone, too. There are half as many
// colours.
enum { PLOT_LOOKS = 16 };
struct plot_look {
    const char *colour;
    int mark, hollow, dash;  // gnuplot's pointtypes and dashtype
};
struct plot_look plot_look(size_t curve);

// A text of a script: printed as a string of gnuplot in which nothing has a meaning.
void plot_quote(FILE *script, const char *text);

// The same for a part of a string in a block of data: what would end it becomes a blank.
void plot_plain(FILE *script, const char *text);

// What all scripts begin with: size (PLOT_WIDTH or more, PLOT_HEIGHT), fonts, axes, a title and a
// line of words below it.
void plot_begin(FILE *script, int width, const char *title, const char *words);

// Has gnuplot draw. name: of the picture among those of a page, title: of the SVG.
struct plot_drawing {
    struct gnuplot gnuplot;
    const char *name, *title;
};
enum anl_status plot_gnuplot(const struct plot_drawing *drawing, FILE *svg,
                             struct anl_error *error);

// --- of a run ---

// A run and what was counted in it.
struct plot_run {
    const char *title;
    const struct anl_scenario *scenario;
    struct anl_run_result result;
    struct anl_latencies latencies;
    uint64_t *link_flits;  // of each link, in the cycles measured
    uint64_t cycles;       // measured
};

// "uniform, load 0.30, worms of 8 flits, seed 1".
void plot_describe_traffic(const struct anl_scenario *scenario, char *text, size_t size);

// A script for gnuplot: how many worms had which latency.
void plot_histogram(FILE *script, const struct plot_run *run);

// The network with every link in the colour of its utilisation, as SVG. ANL_ERR_ARGUMENT: too large
// to be drawn; ANL_ERR_MEMORY.
enum anl_status plot_links(FILE *svg, const struct plot_run *run, struct anl_error *error);

// --- curves over the load, from the CSV files of sweeps ---
//
// A point is filled if all of its runs were steady, else hollow; where most of them were saturated
// or stalled, latency is no property of the network and is left out.

enum plot_curves { PLOT_LATENCY, PLOT_THROUGHPUT, PLOT_PERCENTILES, PLOT_NUM_CURVES };

struct plot_file {
    const char *path;
    struct sweep_points points;
    struct sweep_saturation_record searched;  // for reports
};

struct plot_sweep {
    const char *title;
    struct plot_file *files;
    size_t num_files;
};

// ANL_ERR_ARGUMENT: none of the points has what the picture shows; names the first file.
enum anl_status plot_curves_check(const struct plot_sweep *sweep, enum plot_curves what,
                                  struct anl_error *error);
void plot_curves(FILE *script, const struct plot_sweep *sweep, enum plot_curves what);

// "2 lanes, worms of 8 flits", of several files with the name of the file before it.
void plot_curve_words(const struct plot_sweep *sweep, const struct plot_file *file,
                      const struct sweep_curve *curve, char *text, size_t size);

// Whether most of its runs were saturated or stalled.
bool plot_point_is_saturated(const struct sweep_point *point);

// Of the points of a curve: the lowest load that is saturated; NAN: none.
double plot_saturated_from(const struct sweep_points *points, const struct sweep_curve *curve);

// "10 steady", "7 steady, 3 saturated".
void plot_states_words(const struct sweep_point *point, char *text, size_t size);

// "10 seeds", "1 to 10 seeds": of all points.
void plot_seeds_words(const struct plot_sweep *sweep, char *text, size_t size);

// --- a report: a sweep as one HTML file that needs nothing else ---
//
// It has the curves, a table of the points, and the runs that were not steady.

struct plot_report {
    const struct plot_sweep *sweep;
    char **command;  // that makes the report, num_words of them
    int num_words;
    const char *path;           // of the report, for errors
    const char *scenario_path;  // NULL: the scenario is not known
    const struct anl_scenario *scenario;
};

enum anl_status plot_report(FILE *html, const struct plot_report *report, struct anl_error *error);

#endif
