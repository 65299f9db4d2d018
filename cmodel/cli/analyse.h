// SPDX-License-Identifier: Apache-2.0
//
// A blocking analysis (annelid/blocking.h) from whatever the user names: a flit trace,
// which feeds it by itself, or a scenario, which is run on the golden model. Which of the two is
// fed by the content.

#ifndef ANNELID_ANALYSE_H
#define ANNELID_ANALYSE_H

#include "cli.h"

#include <annelid/blocking.h>
#include <annelid/scenario.h>

struct analyse_options {
    const char *path;
    const char *const *settings;  // section.key=value; scenarios only
    size_t num_settings;
    uint64_t last;  // stop after this cycle; UINT64_MAX: to the end
    struct anl_blocking_listener listener;
    // After every cycle, also those without flits; may be NULL. Returning false stops.
    bool (*cycle)(void *user, const struct anl_blocking *blocking, const struct anl_flit *flits,
                  size_t count);
    // Before the first cycle, when network and seed are known; may be NULL. Non-zero stops.
    enum anl_status (*begin)(void *user, const struct anl_scenario *scenario,
                             struct anl_error *error);
    void *user;  // of cycle and begin
};

struct analysed {
    struct anl_scenario scenario;   // of a trace: the one that it carries
    struct anl_blocking *blocking;  // as it stands in the last cycle, ended if the run was
    uint64_t cycles;                // gone through
    bool ended;                     // the run or trace came to its own end
};

// Goes through it, with progress; on failure the error was printed and the exit status is returned,
// else CLI_OK and *watched is the caller's, to be given to analysed_free(). Ctrl-C is a failure.
int analyse(const struct analyse_options *options, struct analysed *analysed);
void analysed_free(struct analysed *analysed);

#endif
