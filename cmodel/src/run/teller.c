// SPDX-License-Identifier: Apache-2.0
//
// A story is told what happens in a run. Told aside, it does not hold up the run: worms and flits
// are written down in batches of some cycles, and a thread of its own tells them while the run goes
// on. Batches go round in a ring; what is in one belongs to the run until it is full, and to the
// thread until it has been told. A run that ends before the first batch is full needs no thread.

#include "run.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// The first batch is small, for the thread to begin early; the others are as large as it takes for
// the hand-over to cost little.
enum { BATCHES = 4, FIRST_CYCLES = 32, BATCH_CYCLES = 256, BATCH_FLITS = 2048, BATCH_WORMS = 1024 };

// Worms and flits up to these have been told when the cycle is.
struct told_cycle {
    uint64_t cycle;
    size_t num_worms, num_flits;
};

struct batch {
    struct anl_worm *worms;
    struct anl_flit *flits;
    size_t num_worms;
    size_t num_flits, room_flits;
    struct told_cycle cycles[BATCH_CYCLES];
    size_t num_cycles;
};

struct run_teller {
    const struct anl_run_options *options;
    bool aside;
    bool goes_on;        // as far as the run knows
    size_t most_cycles;  // of the batch at work
    struct batch batches[BATCHES];
    pthread_t thread;
    bool has_thread;
    double seconds;  // CPU time of the thread, once it has ended

    pthread_mutex_t lock;    // of what follows
    pthread_cond_t changed;  // written, told or over
    uint64_t written, told;  // batches
    bool over;               // no more are written
    bool stopped;            // by told(): no more are told
    enum anl_status status;  // of the story; once it failed, batches are dropped
    struct anl_error error;  // its words
};

// --- the thread ---

// *stop: told() wants no more.
static enum anl_status tell_cycle(const struct anl_run_options *options, uint64_t cycle,
                                  const struct anl_flit *flits, size_t count, bool *stop,
                                  struct anl_error *error)
{
    const enum anl_status status = anl_story_flits(options->story, cycle, flits, count, error);
    *stop = !status && options->told && !options->told(options->user, options->story, flits, count);
    return status;
}

static enum anl_status tell(const struct anl_run_options *options, const struct batch *batch,
                            bool *stop, struct anl_error *error)
{
    size_t worm = 0, flit = 0;
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < batch->num_cycles && !status && !*stop; i++) {
        const struct told_cycle *cycle = &batch->cycles[i];
        while (worm < cycle->num_worms && !status)
            status = anl_story_worm(options->story, &batch->worms[worm++], error);
        if (!status)
            status = tell_cycle(options, cycle->cycle, batch->flits + flit, cycle->num_flits - flit,
                                stop, error);
        flit = cycle->num_flits;
    }
    while (worm < batch->num_worms && !status && !*stop)
        status = anl_story_worm(options->story, &batch->worms[worm++], error);
    return status;
}

// Waits for the next batch; NULL: there will be none.
static struct batch *next_written(struct run_teller *teller)
{
    while (teller->told == teller->written && !teller->over)
        pthread_cond_wait(&teller->changed, &teller->lock);
    return teller->told < teller->written ? &teller->batches[teller->told % BATCHES] : NULL;
}

static void *tell_all(void *user)
{
    struct run_teller *teller = user;
    struct batch *batch;
    pthread_mutex_lock(&teller->lock);
    while ((batch = next_written(teller))) {
        struct anl_error error = {0};
        bool stop = teller->stopped;
        enum anl_status status = teller->status;
        pthread_mutex_unlock(&teller->lock);
        if (!status && !stop) status = tell(teller->options, batch, &stop, &error);
        pthread_mutex_lock(&teller->lock);
        if (!teller->status) teller->error = error;
        teller->status = status;
        teller->stopped = stop;
        teller->told++;
        const uint64_t rest = teller->written - teller->told;
        if (rest == 0 || rest == BATCHES / 2) pthread_cond_signal(&teller->changed);
    }
    pthread_mutex_unlock(&teller->lock);
    teller->seconds = run_thread_seconds();
    return NULL;
}

// --- the run ---

static struct batch *at_work(struct run_teller *teller)
{
    return &teller->batches[teller->written % BATCHES];
}

// Waits until at most so many batches, 0 or BATCHES / 2, are still to be told.
static enum anl_status wait_for(struct run_teller *teller, uint64_t most, struct anl_error *error)
{
    while (teller->written - teller->told > most)
        pthread_cond_wait(&teller->changed, &teller->lock);
    teller->goes_on = !teller->stopped;
    if (teller->status) *error = teller->error;
    return teller->status;
}

static void empty(struct batch *batch)
{
    batch->num_worms = batch->num_flits = batch->num_cycles = 0;
}

// Without a thread: tells the batch at work.
static enum anl_status tell_here(struct run_teller *teller, struct anl_error *error)
{
    struct batch *batch = at_work(teller);
    bool stop = !teller->goes_on;
    const enum anl_status status = stop ? ANL_OK : tell(teller->options, batch, &stop, error);
    teller->goes_on = !stop;
    empty(batch);
    return status;
}

// Gives the batch at work to the thread, which is there from the first one on, and begins another.
static enum anl_status pass_on(struct run_teller *teller, struct anl_error *error)
{
    if (!teller->has_thread)
        teller->has_thread = pthread_create(&teller->thread, NULL, tell_all, teller) == 0;
    if (!teller->has_thread) return tell_here(teller, error);
    pthread_mutex_lock(&teller->lock);
    teller->written++;
    pthread_cond_signal(&teller->changed);
    const bool full = teller->written - teller->told == BATCHES;
    const enum anl_status status = wait_for(teller, full ? BATCHES / 2 : BATCHES - 1, error);
    pthread_mutex_unlock(&teller->lock);
    empty(at_work(teller));
    return status;
}

// A batch has room for all that it usually holds; flits of a large network may be more.
static bool give_room(struct batch *batch, size_t more_flits)
{
    const size_t wanted = batch->num_flits + more_flits;
    if (!batch->worms) batch->worms = malloc(BATCH_WORMS * sizeof *batch->worms);
    if (wanted > batch->room_flits) {
        const size_t room = wanted < BATCH_FLITS ? 5 * BATCH_FLITS / 4 : 2 * wanted;
        struct anl_flit *flits = realloc(batch->flits, room * sizeof *flits);
        if (!flits) return false;
        batch->flits = flits;
        batch->room_flits = room;
    }
    return batch->worms != NULL;
}

enum anl_status run_teller_worm(struct run_teller *teller, const struct anl_worm *worm,
                                struct anl_error *error)
{
    if (!teller->aside) return anl_story_worm(teller->options->story, worm, error);
    struct batch *batch = at_work(teller);
    if (!give_room(batch, 0)) return ANL_ERR_MEMORY;
    batch->worms[batch->num_worms++] = *worm;
    return batch->num_worms == BATCH_WORMS ? pass_on(teller, error) : ANL_OK;
}

enum anl_status run_teller_flits(struct run_teller *teller, uint64_t cycle,
                                 const struct anl_flit *flits, size_t count,
                                 struct anl_error *error)
{
    if (!teller->aside) {
        bool stop;
        const enum anl_status status =
            tell_cycle(teller->options, cycle, flits, count, &stop, error);
        teller->goes_on = !stop;
        return status;
    }
    struct batch *batch = at_work(teller);
    if (!give_room(batch, count)) return ANL_ERR_MEMORY;
    if (count > 0) memcpy(batch->flits + batch->num_flits, flits, count * sizeof *flits);
    batch->num_flits += count;
    batch->cycles[batch->num_cycles++] = (struct told_cycle){
        .cycle = cycle, .num_worms = batch->num_worms, .num_flits = batch->num_flits};
    const bool full = batch->num_cycles == teller->most_cycles || batch->num_flits >= BATCH_FLITS;
    if (full && teller->most_cycles < BATCH_CYCLES) teller->most_cycles *= 2;
    return full ? pass_on(teller, error) : ANL_OK;
}

enum anl_status run_teller_wait(struct run_teller *teller, struct anl_error *error)
{
    if (!teller->aside) return ANL_OK;
    if (!teller->has_thread) return tell_here(teller, error);
    enum anl_status status = pass_on(teller, error);
    pthread_mutex_lock(&teller->lock);
    if (!status) status = wait_for(teller, 0, error);
    pthread_mutex_unlock(&teller->lock);
    return status;
}

static void end_thread(struct run_teller *teller)
{
    pthread_mutex_lock(&teller->lock);
    teller->over = true;
    pthread_cond_signal(&teller->changed);
    pthread_mutex_unlock(&teller->lock);
    pthread_join(teller->thread, NULL);
    teller->has_thread = false;
}

// The batch at work is the last one: the thread need not be waited for before it ends.
enum anl_status run_teller_end(struct run_teller *teller, struct anl_error *error)
{
    if (!teller->aside) return ANL_OK;
    if (!teller->has_thread) return tell_here(teller, error);
    pthread_mutex_lock(&teller->lock);
    teller->written++;
    pthread_mutex_unlock(&teller->lock);
    end_thread(teller);
    if (teller->status) *error = teller->error;
    return teller->status;
}

bool run_teller_goes_on(const struct run_teller *teller) { return teller->goes_on; }

double run_teller_seconds(const struct run_teller *teller) { return teller->seconds; }

// --- life ---

// Where the caller looks at almost every cycle, the run would wait for the thread all the time.
static bool worth_a_thread(const struct anl_run_options *options)
{
    return options->progress_cycles == 0 || options->progress_cycles >= BATCH_CYCLES;
}

enum anl_status run_teller_create(const struct anl_run_options *options, struct run_teller **made)
{
    struct run_teller *teller = calloc(1, sizeof *teller);
    *made = teller;
    if (!teller) return ANL_ERR_MEMORY;
    teller->options = options;
    teller->goes_on = true;
    pthread_mutex_init(&teller->lock, NULL);
    pthread_cond_init(&teller->changed, NULL);
    teller->aside = worth_a_thread(options);
    teller->most_cycles = FIRST_CYCLES;
    return ANL_OK;
}

void run_teller_destroy(struct run_teller *teller)
{
    if (!teller) return;
    if (teller->has_thread) end_thread(teller);
    pthread_cond_destroy(&teller->changed);
    pthread_mutex_destroy(&teller->lock);
    for (size_t i = 0; i < BATCHES; i++) {
        free(teller->batches[i].worms);
        free(teller->batches[i].flits);
    }
    free(teller);
}
