// SPDX-License-Identifier: Apache-2.0
//
// The worker that feeds a blocking analysis without holding up the run: worms and flits are
// collected in batches of some cycles, and a thread feeds them while the run goes on. The batches
// form a ring; a batch belongs to the run until it is full, then to the thread until it has been
// fed. A run that ends before the first batch is full needs no thread.

#include "run.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The first batch is small, so that the thread begins early; the later ones are so large that
// handing them over costs little.
enum { BATCHES = 4, FIRST_CYCLES = 32, BATCH_CYCLES = 256, BATCH_FLITS = 2048, BATCH_WORMS = 1024 };

// A cycle to be fed: its worms and flits end at these numbers.
struct fed_cycle {
    uint64_t cycle;
    size_t num_worms, num_flits;
};

struct batch {
    struct anl_worm *worms;
    struct anl_flit *flits;
    size_t num_worms;
    size_t num_flits, room_flits;
    struct fed_cycle cycles[BATCH_CYCLES];
    size_t num_cycles;
};

struct run_worker {
    const struct anl_run_options *options;
    bool async;          // batches are fed by a thread; false: everything is fed at once
    bool goes_on;        // as far as the run knows: fed() wants more cycles
    size_t most_cycles;  // of the present batch
    struct batch batches[BATCHES];
    pthread_t thread;
    bool has_thread;
    double seconds;  // CPU time of the thread, set when it has ended

    pthread_mutex_t lock;    // protects the fields below
    pthread_cond_t changed;  // signalled when written, fed or over changes
    uint64_t written, fed;   // numbers of batches
    bool over;               // no more batches will be written
    bool stopped;            // fed() wants no more cycles
    enum anl_status status;  // of the blocking analysis; after a failure batches are dropped
    struct anl_error error;  // error of the blocking analysis
};

// --- the thread ---

// Feeds one cycle. *stop becomes true if fed() wants no more cycles.
static enum anl_status feed_cycle(const struct anl_run_options *options, uint64_t cycle,
                                  const struct anl_flit *flits, size_t count, bool *stop,
                                  struct anl_error *error)
{
    const enum anl_status status =
        anl_blocking_feed_flits(options->blocking, cycle, flits, count, error);
    *stop =
        !status && options->fed && !options->fed(options->user, options->blocking, flits, count);
    return status;
}

static enum anl_status feed(const struct anl_run_options *options, const struct batch *batch,
                            bool *stop, struct anl_error *error)
{
    size_t worm = 0, flit = 0;
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < batch->num_cycles && !status && !*stop; i++) {
        const struct fed_cycle *cycle = &batch->cycles[i];
        while (worm < cycle->num_worms && !status)
            status = anl_blocking_feed_worm(options->blocking, &batch->worms[worm++], error);
        if (!status)
            status = feed_cycle(options, cycle->cycle, batch->flits + flit, cycle->num_flits - flit,
                                stop, error);
        flit = cycle->num_flits;
    }
    while (worm < batch->num_worms && !status && !*stop)
        status = anl_blocking_feed_worm(options->blocking, &batch->worms[worm++], error);
    return status;
}

// Waits for the next batch; returns NULL if there will be none.
static struct batch *next_written(struct run_worker *worker)
{
    while (worker->fed == worker->written && !worker->over)
        pthread_cond_wait(&worker->changed, &worker->lock);
    return worker->fed < worker->written ? &worker->batches[worker->fed % BATCHES] : NULL;
}

static void *feed_all(void *user)
{
    struct run_worker *worker = user;
    struct batch *batch;
    pthread_mutex_lock(&worker->lock);
    while ((batch = next_written(worker))) {
        struct anl_error error = {0};
        bool stop = worker->stopped;
        enum anl_status status = worker->status;
        pthread_mutex_unlock(&worker->lock);
        if (!status && !stop) status = feed(worker->options, batch, &stop, &error);
        pthread_mutex_lock(&worker->lock);
        if (!worker->status) worker->error = error;
        worker->status = status;
        worker->stopped = stop;
        worker->fed++;
        const uint64_t rest = worker->written - worker->fed;
        if (rest == 0 || rest == BATCHES / 2) pthread_cond_signal(&worker->changed);
    }
    pthread_mutex_unlock(&worker->lock);
    worker->seconds = run_thread_seconds();
    return NULL;
}

// --- the run ---

static struct batch *present_batch(struct run_worker *worker)
{
    return &worker->batches[worker->written % BATCHES];
}

// Waits until at most `most` batches, 0 or BATCHES / 2, are not yet fed.
static enum anl_status wait_for(struct run_worker *worker, uint64_t most, struct anl_error *error)
{
    while (worker->written - worker->fed > most)
        pthread_cond_wait(&worker->changed, &worker->lock);
    worker->goes_on = !worker->stopped;
    if (worker->status) *error = worker->error;
    return worker->status;
}

static void empty(struct batch *batch)
{
    batch->num_worms = batch->num_flits = batch->num_cycles = 0;
}

// Feeds the present batch without a thread.
static enum anl_status feed_here(struct run_worker *worker, struct anl_error *error)
{
    struct batch *batch = present_batch(worker);
    bool stop = !worker->goes_on;
    const enum anl_status status = stop ? ANL_OK : feed(worker->options, batch, &stop, error);
    worker->goes_on = !stop;
    empty(batch);
    return status;
}

// Gives the present batch to the thread, which the first batch starts, and begins another one.
static enum anl_status pass_on(struct run_worker *worker, struct anl_error *error)
{
    if (!worker->has_thread)
        worker->has_thread = pthread_create(&worker->thread, NULL, feed_all, worker) == 0;
    if (!worker->has_thread) return feed_here(worker, error);
    pthread_mutex_lock(&worker->lock);
    worker->written++;
    pthread_cond_signal(&worker->changed);
    const bool full = worker->written - worker->fed == BATCHES;
    const enum anl_status status = wait_for(worker, full ? BATCHES / 2 : BATCHES - 1, error);
    pthread_mutex_unlock(&worker->lock);
    empty(present_batch(worker));
    return status;
}

// Makes room for flits: a batch has room for what it usually holds, but a large network may need
// more.
static bool give_room(struct batch *batch, size_t more_flits)
{
    const size_t wanted = batch->num_flits + more_flits;
    if (!batch->worms) batch->worms = malloc(BATCH_WORMS * sizeof *batch->worms);
    if (!batch->flits || wanted > batch->room_flits) {
        const size_t room = wanted < BATCH_FLITS ? 5 * BATCH_FLITS / 4 : 2 * wanted;
        struct anl_flit *flits = realloc(batch->flits, room * sizeof *flits);
        if (!flits) return false;
        batch->flits = flits;
        batch->room_flits = room;
    }
    return batch->worms != NULL;
}

enum anl_status run_worker_worm(struct run_worker *worker, const struct anl_worm *worm,
                                struct anl_error *error)
{
    if (!worker->goes_on) return ANL_OK;
    if (!worker->async) return anl_blocking_feed_worm(worker->options->blocking, worm, error);
    struct batch *batch = present_batch(worker);
    if (!give_room(batch, 0)) return ANL_ERR_MEMORY;
    batch->worms[batch->num_worms++] = *worm;
    return batch->num_worms == BATCH_WORMS ? pass_on(worker, error) : ANL_OK;
}

enum anl_status run_worker_flits(struct run_worker *worker, uint64_t cycle,
                                 const struct anl_flit *flits, size_t count,
                                 struct anl_error *error)
{
    if (!worker->goes_on) return ANL_OK;
    if (!worker->async) {
        bool stop;
        const enum anl_status status =
            feed_cycle(worker->options, cycle, flits, count, &stop, error);
        worker->goes_on = !stop;
        return status;
    }
    struct batch *batch = present_batch(worker);
    if (!give_room(batch, count)) return ANL_ERR_MEMORY;
    if (count > 0) memcpy(batch->flits + batch->num_flits, flits, count * sizeof *flits);
    batch->num_flits += count;
    batch->cycles[batch->num_cycles++] = (struct fed_cycle){
        .cycle = cycle, .num_worms = batch->num_worms, .num_flits = batch->num_flits};
    const bool full = batch->num_cycles == worker->most_cycles || batch->num_flits >= BATCH_FLITS;
    if (full && worker->most_cycles < BATCH_CYCLES) worker->most_cycles *= 2;
    return full ? pass_on(worker, error) : ANL_OK;
}

enum anl_status run_worker_wait(struct run_worker *worker, struct anl_error *error)
{
    if (!worker->async) return ANL_OK;
    if (!worker->has_thread) return feed_here(worker, error);
    enum anl_status status = pass_on(worker, error);
    pthread_mutex_lock(&worker->lock);
    if (!status) status = wait_for(worker, 0, error);
    pthread_mutex_unlock(&worker->lock);
    return status;
}

static void end_thread(struct run_worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    worker->over = true;
    pthread_cond_signal(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
    pthread_join(worker->thread, NULL);
    worker->has_thread = false;
}

enum anl_status run_worker_end(struct run_worker *worker, struct anl_error *error)
{
    const enum anl_status status = run_worker_wait(worker, error);
    if (worker->has_thread) end_thread(worker);
    return status;
}

bool run_worker_goes_on(const struct run_worker *worker) { return worker->goes_on; }

double run_worker_seconds(const struct run_worker *worker) { return worker->seconds; }

// --- create and destroy ---

// Returns false if the caller looks at nearly every cycle: the run would then always wait for the
// thread.
static bool worth_a_thread(const struct anl_run_options *options)
{
    return options->progress_cycles == 0 || options->progress_cycles >= BATCH_CYCLES;
}

enum anl_status run_worker_create(const struct anl_run_options *options, struct run_worker **made)
{
    struct run_worker *worker = calloc(1, sizeof *worker);
    *made = worker;
    if (!worker) return ANL_ERR_MEMORY;
    worker->options = options;
    worker->goes_on = true;
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->changed, NULL);
    worker->async = worth_a_thread(options);
    worker->most_cycles = FIRST_CYCLES;
    return ANL_OK;
}

void run_worker_destroy(struct run_worker *worker)
{
    if (!worker) return;
    if (worker->has_thread) end_thread(worker);
    pthread_cond_destroy(&worker->changed);
    pthread_mutex_destroy(&worker->lock);
    for (size_t i = 0; i < BATCHES; i++) {
        free(worker->batches[i].worms);
        free(worker->batches[i].flits);
    }
    free(worker);
}
