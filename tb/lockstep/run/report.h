// SPDX-License-Identifier: Apache-2.0
//
// The report of the first difference, in a few lines.

#ifndef ANL_LOCKSTEP_REPORT_H
#define ANL_LOCKSTEP_REPORT_H

#include "compare/failure.h"
#include "compare/history.h"
#include "lockstep.h"

#include <annelid/blocking.h>

struct report {
    const struct anl_scenario *scenario;
    const struct lockstep_options *options;
    const struct history *history;
    const struct anl_blocking *blocking;
    uint32_t buffer;  // at which the chain in the report begins (question.h)
    const struct difference *difference;
    const struct anl_worm *worm;  // that was expected; NULL: none
    bool late;                    // it was found in a later cycle than the one that it names
    const char *referee;          // what the referee says of the same cycle; NULL: it was not asked
    const struct failure *failure;  // the assertion that failed
};

// Prints the report to report->options->report, and adds it to report->options->reports.
void report_difference(const struct report *report);

#endif
