// SPDX-License-Identifier: Apache-2.0
//
// A sweep as one HTML file that needs nothing else: the curves, a table of the points, the runs
// that were not steady.

#ifndef ANNELID_PLOT_REPORT_H
#define ANNELID_PLOT_REPORT_H

#include "curves.h"

#include <annelid/scenario.h>
#include <stdio.h>

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
