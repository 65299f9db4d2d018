// SPDX-License-Identifier: Apache-2.0
//
// One scenario on the golden model, with what the theory asks for measured on the way.

#ifndef GREENBERG_OH_TRIAL_H
#define GREENBERG_OH_TRIAL_H

#include "worm_set.h"

#include <annelid/engine.h>
#include <annelid/scenario.h>

struct trial_options {
    uint64_t phase_cycles;  // worms delivered later than this after their creation are counted;
                            // 0: none
    struct paths *paths;    // begun; receives the hops, not settled; NULL: not wanted
    uint64_t look_cycles;   // go_on is asked after so many cycles; returning false stops the trial
    bool (*go_on)(void *user, const struct anl_engine *net);
    void *user;
};

struct trial {
    bool complete;    // all worms delivered
    bool stopped;     // by go_on
    uint64_t cycles;  // run: at the end of the last one the last worm is delivered
    uint64_t worms, delivered;
    uint32_t shortest, longest;  // lengths, flits
    uint64_t last_created;       // cycle
    uint64_t missed;             // worms that took longer than phase_cycles
    uint32_t congestion;         // c: worms over one link, at most
    uint32_t dilation;           // d: links of the longest path taken
    double mean_congestion;      // worms over a link, mean over the links that are crossed
    struct load_place load;      // where the load factor is reached: fat-tree, else all 0
    uint64_t lower;              // no trial with these worms and paths takes fewer cycles: the
                                 // flits over one link, or links + flits - 1 of one worm, at most;
                                 // of worms of one length this is max(c L, d + L - 1)
};

// ANL_OK also if the trial stalls or comes to max_cycles: then it is not complete. ANL_ERR_MEMORY.
enum anl_status trial_run(const struct anl_scenario *scenario, const struct trial_options *options,
                          struct trial *trial);

#endif
