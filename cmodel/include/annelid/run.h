// SPDX-License-Identifier: Apache-2.0
//
// Runs a scenario on the golden model: traffic, net, digest, and, if asked, trace and referee;
// gathers statistics.

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

// What happened in each of the windows of so many cycles that a run consists of, the last perhaps
// of fewer.
struct anl_window {
    uint64_t created_flits, ejected_flits;  // in its cycles; of worms created in them, of any
    uint64_t worms;                         // created in its cycles and delivered by the end
    uint64_t latency;                       // theirs together, cycles
};
struct anl_windows {
    uint64_t cycles;        // of a window, > 0; given by the caller
    struct anl_window *at;  // [count] filled by the run; to be given to free(); also after an error
    size_t count;
};

// Exact latencies of the worms measured (see anl_run_result): count[i] of them took i cycles.
struct anl_latencies {
    uint64_t *count;  // [size] filled by the run; to be given to free(); also after an error
    size_t size;
};

struct anl_run_options {
    bool digest;                     // compute the digest (needs recording: slower)
    bool referee;                    // judge every flit
    bool record;                     // anl_engine_flits() shows progress() the flits of the cycle
    uint64_t shuffle;                // order of switches, see anl_engine_shuffle(); 0: ascending
    struct anl_trace_writer *trace;  // NULL: none; stays the caller's
    // Told of every cycle, not ended; NULL: none; stays the caller's. It is fed on a thread of its
    // own where that is faster, but all has been fed when progress() is called and when the run is
    // over. fed(), if not NULL, is called there after each cycle, with its flits; when it returns
    // false, the blocking analysis is fed no more and the run stops, some cycles later.
    struct anl_blocking *blocking;
    bool (*fed)(void *user, const struct anl_blocking *blocking, const struct anl_flit *flits,
                size_t count);
    // What else to count; NULL: nothing.
    struct anl_windows *windows;
    struct anl_latencies *latencies;
    uint64_t *link_flits;  // [links] has those added that crossed in the measured window
    // Called after every progress_cycles cycles (0: never), also if the run is over then; returning
    // false stops the run.
    uint64_t progress_cycles;
    bool (*progress)(void *user, const struct anl_engine *net);
    void *user;  // of fed() and progress()
};

enum anl_run_end { ANL_RUN_COMPLETE, ANL_RUN_MAX_CYCLES, ANL_RUN_STALLED, ANL_RUN_STOPPED };

struct anl_run_result {
    enum anl_run_end end;
    uint64_t cycles;
    struct anl_engine_totals totals;
    uint64_t digest;                 // 0 if not asked for
    struct anl_violation violation;  // rule is ANL_RULE_NONE if none or not asked for
    // Worms created at or after warmup_cycles and delivered:
    uint64_t measured;
    double latency_mean;                                                       // cycles
    uint64_t latency_min, latency_p50, latency_p95, latency_p99, latency_max;  // cycles
    double offered_load;   // flits per terminal and cycle created, over warmup_cycles..cycles
    double accepted_load;  // flits per terminal and cycle ejected, over warmup_cycles..cycles
    double cpu_seconds;    // of this thread, and of the blocking analysis's
};

// ANL_OK also for a run that stalled or broke a rule: see result. ANL_ERR_MEMORY, ANL_ERR_IO, an
// error of the blocking analysis, or ANL_ERR_ARGUMENT otherwise: more than 2^32 - 1 worms.
enum anl_status anl_run(const struct anl_scenario *scenario, const struct anl_run_options *options,
                        struct anl_run_result *result, struct anl_error *error);

#ifdef __cplusplus
}
#endif

#endif
