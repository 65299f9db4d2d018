// SPDX-License-Identifier: Apache-2.0
//
// Parts of a run: run.c (its cycles), run_statistics.c (what is counted), run_worker.c (a blocking
// analysis is told). Private to the run.

#ifndef ANL_RUN_PARTS_H
#define ANL_RUN_PARTS_H

#include <annelid/run.h>
#include <time.h>

// CPU time of the thread that asks.
static inline double run_thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// --- run_statistics.c ---

struct run_statistics {
    const struct anl_scenario *scenario;
    const struct anl_run_options *options;
    uint64_t terminals;
    struct anl_latencies latencies;
    uint64_t measured;  // worms in latencies
    // Flits of all worms created, and those ejected: so far, up to the cycle before, at the two
    // ends of the measured window.
    uint64_t created_flits, created_before, created_at_begin, created_at_end;
    uint64_t ejected, ejected_before, ejected_at_begin, ejected_at_end;
    uint64_t end;                // of the measured window, as far as it has come
    struct anl_windows windows;  // as filled so far; cycles 0: not asked for
    size_t room;                 // windows
};

void statistics_begin(struct run_statistics *statistics, const struct anl_scenario *scenario,
                      const struct anl_run_options *options);
void statistics_worm(struct run_statistics *statistics, const struct anl_worm *worm);
// After each cycle.
enum anl_status statistics_cycle(struct run_statistics *statistics, const struct anl_engine *net,
                                 uint64_t cycle);
// Fills in what was measured.
void statistics_conclude(const struct run_statistics *statistics, struct anl_run_result *result);
// Hands over what the caller asked for, frees the rest.
void statistics_end(struct run_statistics *statistics);

// --- run_worker.c ---

// Tells options->blocking analysis what happens: if it can, on a thread of its own, some cycles
// later.
struct run_worker;
enum anl_status run_worker_create(const struct anl_run_options *options,
                                  struct run_worker **worker);
// Status of what was told before, sooner or later; the blocking analysis's own words are in *error
// then.
enum anl_status run_worker_worm(struct run_worker *worker, const struct anl_worm *worm,
                                struct anl_error *error);
enum anl_status run_worker_flits(struct run_worker *worker, uint64_t cycle,
                                 const struct anl_flit *flits, size_t count,
                                 struct anl_error *error);
// All has been told when it returns.
enum anl_status run_worker_wait(struct run_worker *worker, struct anl_error *error);
// The same when the run is over; nothing more may be told.
enum anl_status run_worker_end(struct run_worker *worker, struct anl_error *error);
// False: options->told() wants no more.
bool run_worker_goes_on(const struct run_worker *worker);
// CPU time of its thread, once the run is over.
double run_worker_seconds(const struct run_worker *worker);
void run_worker_destroy(struct run_worker *worker);

#endif
