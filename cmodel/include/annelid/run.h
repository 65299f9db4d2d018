// SPDX-License-Identifier: Apache-2.0
//
// Runs a scenario on the golden model: traffic, net, digest, and, if asked, trace and referee;
// gathers statistics.

#ifndef ANNELID_RUN_H
#define ANNELID_RUN_H

#include <annelid/net.h>
#include <annelid/referee.h>
#include <annelid/scenario.h>
#include <annelid/story.h>
#include <annelid/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_run_options {
    bool digest;                     // compute the digest (needs recording: slower)
    bool referee;                    // judge every flit
    bool record;                     // anl_net_flits() shows progress() the flits of the cycle
    uint64_t shuffle;                // order of switches, see anl_net_shuffle(); 0: ascending
    struct anl_trace_writer *trace;  // NULL: none; stays the caller's
    struct anl_story *story;  // told of every cycle, not ended; NULL: none; stays the caller's
    // Called after every progress_cycles cycles (0: never), also if the run is over then; returning
    // false stops the run.
    uint64_t progress_cycles;
    bool (*progress)(void *user, const struct anl_net *net);
    void *user;
};

enum anl_run_end { ANL_RUN_COMPLETE, ANL_RUN_MAX_CYCLES, ANL_RUN_STALLED, ANL_RUN_STOPPED };

struct anl_run_result {
    enum anl_run_end end;
    uint64_t cycles;
    struct anl_net_totals totals;
    uint64_t digest;                 // 0 if not asked for
    struct anl_violation violation;  // rule is ANL_RULE_NONE if none or not asked for
    // Worms created at or after warmup_cycles and delivered:
    uint64_t measured;
    double latency_mean;                                                       // cycles
    uint64_t latency_min, latency_p50, latency_p95, latency_p99, latency_max;  // cycles
    double offered_load;   // flits per terminal and cycle created, over warmup_cycles..cycles
    double accepted_load;  // flits per terminal and cycle ejected, over warmup_cycles..cycles
    double cpu_seconds;
};

// ANL_OK also for a run that stalled or broke a rule: see result. ANL_ERR_MEMORY, ANL_ERR_IO, an
// error of the story otherwise.
enum anl_status anl_run(const struct anl_scenario *scenario, const struct anl_run_options *options,
                        struct anl_run_result *result, struct anl_error *error);

#ifdef __cplusplus
}
#endif

#endif
