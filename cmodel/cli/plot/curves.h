// SPDX-License-Identifier: Apache-2.0
//
// Curves over the load, from the CSV files of sweeps: scripts for gnuplot (plot_gnuplot.h). A point
// is filled if all of its runs were steady, else hollow; where most of them were saturated or
// stalled, latency is no property of the network and is left out.

#ifndef ANNELID_PLOT_CURVES_H
#define ANNELID_PLOT_CURVES_H

#include "cli/sweep/points.h"
#include "cli/sweep/saturation_file.h"

#include <stdio.h>

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

// --- what the report says of them, too ---

// "2 lanes, worms of 8 flits", of several files with the name of the file before it.
void plot_curve_words(const struct plot_sweep *sweep, const struct plot_file *file,
                      const struct sweep_curve *curve, char *text, size_t size);

// Most of its runs were saturated or stalled.
bool plot_point_is_saturated(const struct sweep_point *point);

// Of the points of a curve: the lowest load that is saturated; NAN: none.
double plot_saturated_from(const struct sweep_points *points, const struct sweep_curve *curve);

// "10 steady", "7 steady, 3 saturated".
void plot_states_words(const struct sweep_point *point, char *text, size_t size);

// "10 seeds", "1 to 10 seeds": of all points.
void plot_seeds_words(const struct plot_sweep *sweep, char *text, size_t size);

#endif
