// SPDX-License-Identifier: Apache-2.0
//
// Runs a scenario on the golden model, with the observers that the caller asks for (digest, trace,
// referee, blocking analysis), and gathers statistics.

#ifndef ANNELID_RUN_H
#define ANNELID_RUN_H

#include <annelid/blocking.h>
#include <annelid/engine.h>
#include <annelid/referee.h>
#include <annelid/scenario.h>
#include <annelid/trace.h>

#ifdef __cplusplus
extern "C" {
#endif

// A run is divided into windows of equally many cycles, of which the last may be shorter. These are
// the counts of one window.
struct anl_window {
    // Flits of the worms created, and flits ejected, in its cycles.
    uint64_t created_flits, ejected_flits;
    uint64_t worms;    // worms created in its cycles and delivered by the end of the run
    uint64_t latency;  // sum of the latencies of these worms, in cycles
};
struct anl_windows {
    uint64_t cycles;  // of one window, > 0; set by the caller
    // [count] filled by the run, also after an error; the caller frees it with free().
    struct anl_window *at;
    size_t count;
};

// Exact latencies of the measured worms (see anl_run_result): count[i] of them took i cycles.
struct anl_latencies {
    // [size] filled by the run, also after an error; the caller frees it with free().
    uint64_t *count;
    size_t size;
};

struct anl_run_options {
    bool digest;       // compute the digest; the run is slower, since flits are recorded
    bool referee;      // check every flit
    bool record;       // record flits, so that progress() may call anl_engine_flits()
    uint64_t shuffle;  // order of switches, as for anl_engine_shuffle(); 0: ascending
    struct anl_trace_writer *trace;  // NULL: none; it stays the caller's
    // The blocking analysis is fed every cycle but not ended. NULL: none; it stays the caller's. It
    // may be fed on a thread of its own, where that is faster, but it is up to date when progress()
    // is called and when the run is over. If fed is not NULL, it is called on that thread after
    // each cycle, with the flits of the cycle. When it returns false, nothing more is fed and the
    // run stops some cycles later.
    struct anl_blocking *blocking;
    bool (*fed)(void *user, const struct anl_blocking *blocking, const struct anl_flit *flits,
                size_t count);
    // What else is to be counted; NULL: nothing.
    struct anl_windows *windows;
    struct anl_latencies *latencies;
    uint64_t *link_flits;  // [links] each flit that crosses a link in the measured window adds 1
    // Called after every progress_cycles cycles (0: never), even if the run is over then. If it
    // returns false, the run stops.
    uint64_t progress_cycles;
    bool (*progress)(void *user, const struct anl_engine *engine);
    void *user;  // argument of fed() and progress()
};

// What was measured of the worms of one class of messages.
struct anl_class_result {
    uint64_t measured;     // worms, as in struct anl_run_result
    double latency_mean;   // cycles
    uint64_t latency_p99;  // cycles
};

enum anl_run_end { ANL_RUN_COMPLETE, ANL_RUN_MAX_CYCLES, ANL_RUN_STALLED, ANL_RUN_STOPPED };

struct anl_run_result {
    enum anl_run_end end;
    uint64_t cycles;
    struct anl_engine_totals totals;
    uint64_t digest;  // 0 if options.digest is false
    // Its rule is ANL_RULE_NONE if no rule is broken or options.referee is false.
    struct anl_violation violation;
    // The measured worms are those that were created at or after warmup_cycles and delivered. The
    // measured window begins at warmup_cycles and ends when an open-loop process creates no more
    // worms, else with the run.
    uint64_t measured;
    double latency_mean;                                                       // cycles
    uint64_t latency_min, latency_p50, latency_p95, latency_p99, latency_max;  // cycles
    uint32_t num_classes;  // classes of messages; 0 if there is one
    struct anl_class_result classes[ANL_MAX_VCS];
    double offered_load;   // flits created per terminal and cycle of the measured window
    double accepted_load;  // flits ejected per terminal and cycle of the measured window
    double cpu_seconds;  // CPU time of this thread and of the one that feeds the blocking analysis
};

// Returns ANL_OK also for a run that stalled or broke a rule, as *result says. ANL_ERR_MEMORY;
// ANL_ERR_ARGUMENT: more than 2^32 - 1 worms would be created; or the error of the blocking
// analysis.
enum anl_status anl_run(const struct anl_scenario *scenario, const struct anl_run_options *options,
                        struct anl_run_result *result, struct anl_error *error);

#ifdef __cplusplus
}
#endif

#endif
