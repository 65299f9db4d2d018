// SPDX-License-Identifier: Apache-2.0

#include "work.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

struct state {
    const struct work *work;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next, done;  // jobs
    unsigned running;   // threads
    bool ended;
    size_t failed;  // job, SIZE_MAX if none
    enum anl_status status;
    struct anl_error error;
};

static void note(struct state *state, size_t job, enum anl_status status,
                 const struct anl_error *error)
{
    state->done++;
    if (!status || job > state->failed) return;
    state->ended = true;
    state->failed = job;
    state->status = status;
    state->error = *error;
}

static void *labour(void *argument)
{
    struct state *state = argument;
    pthread_mutex_lock(&state->lock);
    while (!state->ended && state->next < state->work->jobs) {
        const size_t job = state->next++;
        struct anl_error error = {0};
        pthread_mutex_unlock(&state->lock);
        const enum anl_status status = state->work->job(state->work->user, job, &error);
        pthread_mutex_lock(&state->lock);
        note(state, job, status, &error);
    }
    state->running--;
    pthread_cond_signal(&state->changed);
    pthread_mutex_unlock(&state->lock);
    return NULL;
}

// The lock is held, but not while look is called.
static void watch(struct state *state)
{
    while (state->running > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 100000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&state->changed, &state->lock, &until);
        const size_t done = state->done;
        pthread_mutex_unlock(&state->lock);
        const bool go_on = state->work->look(state->work->user, done);
        pthread_mutex_lock(&state->lock);
        if (!go_on) state->ended = true;
    }
}

enum anl_status work_do(const struct work *work, struct anl_error *error)
{
    struct state state = {.work = work,
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .changed = PTHREAD_COND_INITIALIZER,
                          .failed = SIZE_MAX};
    pthread_t *threads = calloc(work->threads, sizeof *threads);
    if (!threads) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for the threads");

    unsigned made = 0;
    pthread_mutex_lock(&state.lock);
    while (made < work->threads && !pthread_create(&threads[made], NULL, labour, &state))
        made++;
    state.running = made;
    if (made) watch(&state);
    pthread_mutex_unlock(&state.lock);
    for (unsigned i = 0; i < made; i++)
        pthread_join(threads[i], NULL);
    free(threads);
    if (!made) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "the system gives no thread");
    if (state.status && error) *error = state.error;
    return state.status;
}
