// SPDX-License-Identifier: Apache-2.0
//
// Parts of a run: run.c (its cycles), statistics.c (what is counted), async.c (the worker that
// feeds a blocking analysis). Private to this room.

#ifndef ANL_RUN_PARTS_H
#define ANL_RUN_PARTS_H

#include <annelid/run.h>
#include <time.h>

// Returns the CPU time of the calling thread in seconds.
static inline double run_thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// --- statistics.c ---

struct run_statistics {
    const struct anl_scenario *scenario;
    const struct anl_run_options *options;
    uint64_t terminals;
    struct anl_latencies latencies;
    uint32_t num_classes;  // of which each has its own latencies; 0 if there is one
    struct anl_latencies classes[ANL_MAX_VCS];
    // Flits of all worms created, and flits ejected: up to now, up to the cycle before, and at the
    // begin and the end of the measured window.
    uint64_t created_flits, created_before, created_at_begin, created_at_end;
    uint64_t ejected, ejected_before, ejected_at_begin, ejected_at_end;
    uint64_t end;                // the measured window reaches to this cycle so far
    struct anl_windows windows;  // filled so far; cycles 0: the caller does not ask for windows
    size_t room;                 // windows for which there is memory
    // Open loop: equal windows of the cycles in which worms are created, with their flits alone.
    struct anl_windows load;
};

// ANL_ERR_MEMORY: statistics_end() is still to be called.
enum anl_status statistics_begin(struct run_statistics *statistics,
                                 const struct anl_scenario *scenario,
                                 const struct anl_run_options *options);
void statistics_worm(struct run_statistics *statistics, const struct anl_worm *worm);
// Counts a cycle that has been run. ANL_ERR_MEMORY.
enum anl_status statistics_cycle(struct run_statistics *statistics, const struct anl_engine *engine,
                                 uint64_t cycle);
// Writes what was measured to *result.
void statistics_conclude(const struct run_statistics *statistics, struct anl_run_result *result);
// Hands over what the caller asked for and frees the rest.
void statistics_end(struct run_statistics *statistics);

// --- async.c ---

// The worker feeds options->blocking; where possible it does so on a thread of its own, some cycles
// behind the run.
struct run_worker;
// Makes the worker. ANL_ERR_MEMORY: *worker is NULL. run_worker_destroy() accepts NULL.
enum anl_status run_worker_create(const struct anl_run_options *options,
                                  struct run_worker **worker);
// Feed a worm, and the flits of a cycle. They return the status of what was fed earlier, with the
// error of the blocking analysis in *error; a failure may be returned some cycles late.
enum anl_status run_worker_worm(struct run_worker *worker, const struct anl_worm *worm,
                                struct anl_error *error);
enum anl_status run_worker_flits(struct run_worker *worker, uint64_t cycle,
                                 const struct anl_flit *flits, size_t count,
                                 struct anl_error *error);
// Waits until everything has been fed. Returns the status.
enum anl_status run_worker_wait(struct run_worker *worker, struct anl_error *error);
// Does the same at the end of the run; nothing more may be fed after it.
enum anl_status run_worker_end(struct run_worker *worker, struct anl_error *error);
// Returns false if options->fed() wants no more cycles.
bool run_worker_goes_on(const struct run_worker *worker);
// Returns the CPU time of the worker's thread, once the run is over.
double run_worker_seconds(const struct run_worker *worker);
void run_worker_destroy(struct run_worker *worker);

#endif
