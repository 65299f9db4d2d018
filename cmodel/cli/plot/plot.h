// SPDX-License-Identifier: Apache-2.0
//
// Pictures of what was measured: of a run here, of a sweep in plot_curves.h.

#ifndef ANNELID_PLOT_H
#define ANNELID_PLOT_H

#include <annelid/run.h>
#include <stdio.h>

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

// Bins of a histogram: bin i counts the worms of latencies first + i * width up to the next one.
struct plot_bins {
    uint64_t first, width, count;
};
struct plot_bins plot_bins(uint64_t least, uint64_t most);

// A script for gnuplot (plot_gnuplot.h): how many worms had which latency.
void plot_histogram(FILE *script, const struct plot_run *run);

// The network with every link in the colour of its utilisation, as SVG. ANL_ERR_ARGUMENT: too large
// to be drawn; ANL_ERR_MEMORY.
enum anl_status plot_links(FILE *svg, const struct plot_run *run, struct anl_error *error);

#endif
