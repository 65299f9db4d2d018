// SPDX-License-Identifier: Apache-2.0

#include "dispatcher.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct pool_worker {
    struct pool *pool;
    pthread_t thread;
    double done;  // weight of the tasks that this worker has done
    double weight;
    _Atomic double progress;  // `done` and the part of the present task that is done
};

struct pool {
    const struct pool_work *work;
    struct pool_worker *workers;  // [threads]
    unsigned threads;
    struct dispatcher *dispatcher;  // where the workers hand in runs; NULL: they make them
    double weight;                  // of all tasks
    _Atomic size_t finished;

    pthread_mutex_t lock;  // protects what follows
    size_t next;           // the next task
    size_t failed;         // the first task that failed, if status is an error
    enum anl_status status;
    struct anl_error error;
};

void pool_progress(struct pool_worker *worker, double fraction)
{
    if (!worker) return;
    atomic_store_explicit(&worker->progress, worker->done + worker->weight * fraction,
                          memory_order_relaxed);
}

static double weight_of(const struct pool_work *work, size_t task)
{
    return work->weight ? work->weight(work->user, task) : 1;
}

// --- the threads ---

// Takes the next task. Returns false if there is none, or no more are to be begun.
static bool take_task(struct pool *pool, size_t *task)
{
    pthread_mutex_lock(&pool->lock);
    const bool taken = !pool->status && !cli_interrupted() && pool->next < pool->work->tasks;
    if (taken) *task = pool->next++;
    pthread_mutex_unlock(&pool->lock);
    return taken;
}

// Keeps the error of the first of the tasks that failed. All tasks before it have begun, so it is
// the same one every time.
static void note_error(struct pool *pool, size_t task, enum anl_status status,
                       const struct anl_error *error)
{
    pthread_mutex_lock(&pool->lock);
    if (!pool->status || task < pool->failed) {
        pool->failed = task;
        pool->status = status;
        pool->error = *error;
    }
    pthread_mutex_unlock(&pool->lock);
}

static void *work_on(void *argument)
{
    struct pool_worker *worker = argument;
    struct pool *pool = worker->pool;
    size_t task;
    while (take_task(pool, &task)) {
        struct anl_error error = {0};
        worker->weight = weight_of(pool->work, task);
        const enum anl_status status = pool->work->run(pool->work->user, task, worker, &error);
        if (status) note_error(pool, task, status, &error);
        pool_progress(worker, 1);
        worker->done += worker->weight;
        pool->finished++;
    }
    if (pool->dispatcher) dispatcher_leave(pool->dispatcher);
    return NULL;
}

static void make_here(struct anl_run_job *job)
{
    job->status = anl_run(job->scenario, job->options, &job->result, &job->error);
}

void pool_make_runs(struct pool_worker *worker, struct anl_run_job *jobs, size_t count,
                    size_t needed)
{
    if (worker && worker->pool->dispatcher) {
        dispatcher_run(worker->pool->dispatcher, jobs, count, needed);
        return;
    }
    for (size_t i = 0; i < needed; i++)
        make_here(&jobs[i]);
}

// --- the caller, which waits for the threads ---

// The weights are sums that are not exact.
static bool almost_one(double fraction) { return fraction > 1 - 1e-9; }

static void show(struct pool *pool, struct cli_progress *progress)
{
    double done = 0;
    for (unsigned i = 0; i < pool->threads; i++)
        done += atomic_load_explicit(&pool->workers[i].progress, memory_order_relaxed);
    char detail[96];
    const double fraction = pool->weight > 0 ? done / pool->weight : 0;
    snprintf(detail, sizeof detail, "%zu of %zu %s", (size_t)pool->finished, pool->work->tasks,
             pool->work->unit);
    if (almost_one(fraction) && pool->work->at_the_end)
        text_append(detail, sizeof detail, ", %s", pool->work->at_the_end);
    cli_progress_update(progress, almost_one(fraction) ? 1 : fraction, detail);
}

// Waits for the threads, and shows the progress now and then.
static void wait_for(struct pool *pool, unsigned started)
{
    enum { LOOK_NANOSECONDS = 200000000 };
    struct cli_progress progress = {.what = pool->work->what};
    for (unsigned i = 0; i < started;) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_NANOSECONDS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_timedjoin_np(pool->workers[i].thread, NULL, &until) == 0)
            i++;
        else
            show(pool, &progress);
    }
    cli_progress_end(&progress);
}

static enum anl_status run(struct pool *pool)
{
    unsigned started = 0;  // with fewer threads than wanted the work only takes longer
    for (; started < pool->threads; started++) {
        struct pool_worker *worker = &pool->workers[started];
        worker->pool = pool;
        if (pthread_create(&worker->thread, NULL, work_on, worker)) break;
    }
    for (unsigned i = started; i < pool->threads && pool->dispatcher; i++)
        dispatcher_leave(pool->dispatcher);
    if (!started) return anl_fail(&pool->error, ANL_ERR_IO, "", 0, "cannot start a thread");
    wait_for(pool, started);
    if (cli_interrupted()) return anl_fail(&pool->error, ANL_ERR_IO, "", 0, "interrupted");
    return pool->status;
}

// Decides how many threads there are, and opens the dispatcher if they hand in runs there.
static void open_dispatcher(struct pool *pool)
{
    enum { MOST_THREADS = 1024 };
    const struct pool_work *work = pool->work;
    pool->threads = work->workers;
    if (work->engine == POOL_SCALAR || work->tasks < 2) return;
    size_t threads = (size_t)work->workers * POOL_SLOTS;
    if (threads > MOST_THREADS) threads = MOST_THREADS;
    if (threads > work->tasks) threads = work->tasks;
    pool->dispatcher =
        dispatcher_open(work->workers - work->remote, (unsigned)threads, work->engine);
    if (pool->dispatcher) pool->threads = (unsigned)threads;
}

enum anl_status pool_run(const struct pool_work *work, struct anl_error *error)
{
    struct pool pool = {.work = work, .lock = PTHREAD_MUTEX_INITIALIZER};
    for (size_t i = 0; i < work->tasks; i++)
        pool.weight += weight_of(work, i);
    open_dispatcher(&pool);
    pool.workers = calloc(pool.threads, sizeof *pool.workers);
    const enum anl_status status =
        pool.workers ? run(&pool) : cli_fail(ANL_ERR_MEMORY, &pool.error);
    if (pool.dispatcher) dispatcher_close(pool.dispatcher);
    if (status && error) *error = pool.error;
    free(pool.workers);
    return status;
}

unsigned pool_cores(void)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores)) return 1;
    return (unsigned)CPU_COUNT(&cores);
}
