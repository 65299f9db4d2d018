// SPDX-License-Identifier: Apache-2.0

#include "dispatcher.h"

#include <annelid/network.h>
#include <annelid/workload.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// So long a run waits for others that are about to be handed in.
enum { PATIENCE_NANOSECONDS = 5000000 };

// A batch takes less time than its runs one by one if their loads add up to so much, since they
// share what it costs to look at a switch, and if the network has no more lanes: the state of 32
// runs then fits a cache (docs/sweep.md, "Engine").
static const double LEAST_LOAD = 2.4;
enum { MOST_LANES = 8192 };
// A batch of one run takes as long as four runs alone, and each further run adds little. So all
// runs together must be so many times as long as the longest one.
enum { LEAST_RUNS = 8 };
// A run that creates worms in fewer cycles is over before a batch pays.
enum { LEAST_CYCLES = 8 };

// A thread that waits for its runs.
struct client {
    size_t left, needed;  // runs that are not over; those of them that are not spare
    pthread_cond_t done;
};

struct request {
    struct anl_run_job job;
    struct request *next;  // that was handed in later
    struct client *client;
    bool spare;  // it is made beside other runs or not at all
};

struct dispatcher {
    enum pool_engine engine;
    unsigned runners;
    pthread_t *threads;       // [runners]
    _Atomic unsigned handed;  // runs that were handed in so far; wraps

    pthread_mutex_t lock;  // protects what follows
    pthread_cond_t work;
    struct request *first;  // handed in and not begun
    unsigned at_large;      // clients that do not wait for a run, and may hand one in
    bool closed;
};

// A runner that makes runs of one network.
struct runner {
    struct dispatcher *dispatcher;
    const struct anl_config *network;
    unsigned seen;  // dispatcher->handed when no run of the network was left
};

// --- requests ---

// Returns true only if both are the same network, of which one may be a copy.
static bool same(const struct anl_config *a, const struct anl_config *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static const struct anl_config *network_of(const struct request *request)
{
    return &request->job.scenario->network;
}

static bool is_small(const struct anl_config *network)
{
    return anl_shape_of(network).links * network->num_vcs <= MOST_LANES;
}

// Returns whether a run may be made beside others.
static bool may_share(enum pool_engine engine, const struct anl_scenario *scenario,
                      const struct anl_run_options *options)
{
    return engine != POOL_SCALAR && anl_run_many_can(scenario, options) &&
           (engine == POOL_BATCH || is_small(&scenario->network));
}

static bool suits(const struct dispatcher *dispatcher, const struct request *request)
{
    return may_share(dispatcher->engine, request->job.scenario, request->job.options);
}

// Runs of one network. Spare ones count half in the sums, since half of them are made in vain.
struct runs {
    unsigned count;
    uint64_t cycles, longest;  // of all of them together, and of one
    double flits;              // that a terminal creates in all of them
};

// Returns whether runs that may share a batch are to do so.
static bool pays(enum pool_engine engine, struct runs runs)
{
    if (engine == POOL_BATCH) return runs.count > 0;
    return runs.longest > 0 && runs.cycles >= LEAST_RUNS * runs.longest &&
           runs.flits >= LEAST_LOAD * (double)runs.longest;
}

bool pool_shares(enum pool_engine engine, const struct anl_scenario *scenario, size_t count,
                 double load)
{
    const struct anl_run_options plain = {0};
    return may_share(engine, scenario, &plain) &&
           pays(engine, (struct runs){(unsigned)count, count, 1, load});
}

// Returns where the list names the first request, from a place on, that may share a batch of this
// network; NULL if there is none.
static struct request **find(const struct dispatcher *dispatcher, const struct anl_config *network,
                             struct request **at)
{
    while (*at && !(same(network, network_of(*at)) && suits(dispatcher, *at)))
        at = &(*at)->next;
    return *at ? at : NULL;
}

// Takes a request out of the list, at a place where the list names it.
static struct request *take(struct request **at)
{
    struct request *request = *at;
    if (request) *at = request->next;
    return request;
}

// Returns the cycles in which a run creates worms, as far as they count.
static uint64_t cycles_of(const struct request *request)
{
    const uint64_t cycles = anl_run_cycles(&request->job);
    return cycles < LEAST_CYCLES ? 0 : cycles;
}

// Returns how many flits a terminal creates in these cycles.
static double flits_of(const struct request *request)
{
    const struct anl_traffic_config *traffic = &request->job.scenario->traffic;
    if (traffic->process == ANL_BATCH)
        return (double)traffic->worms_per_terminal * anl_traffic_longest(traffic);
    return (double)cycles_of(request) * traffic->load;
}

// Returns the runs that wait, may share a batch of a network and take no more than so many cycles.
static struct runs look(struct dispatcher *dispatcher, const struct anl_config *network,
                        uint64_t most)
{
    struct runs runs = {0};
    for (struct request **at = &dispatcher->first; (at = find(dispatcher, network, at));
         at = &(*at)->next) {
        const uint64_t cycles = cycles_of(*at);
        if (cycles > most) continue;
        const double weight = (*at)->spare ? 0.5 : 1;
        runs.count++;
        runs.cycles += (uint64_t)(weight * (double)cycles);
        runs.flits += weight * flits_of(*at);
        if (cycles > runs.longest) runs.longest = cycles;
    }
    return runs;
}

// Returns the longest run of those to be made in a batch; NULL if none are. Short ones come first,
// so that long ones gather meanwhile. *runs receives all that are no longer.
static const struct request *choose_many(struct dispatcher *dispatcher, struct runs *runs)
{
    const struct request *chosen = NULL, *seen = NULL;
    for (const struct request *at = dispatcher->first; at; at = at->next) {
        const uint64_t cycles = cycles_of(at);
        if (!suits(dispatcher, at) || (chosen && cycles >= cycles_of(chosen))) continue;
        if (seen && cycles_of(seen) == cycles && same(network_of(seen), network_of(at))) continue;
        const struct runs these = look(dispatcher, network_of(seen = at), cycles);
        if (!pays(dispatcher->engine, these)) continue;
        chosen = at;
        *runs = these;
    }
    return chosen;
}

// Returns where the list names the shortest run that is to be made alone; NULL if there is none.
static struct request **choose_one(struct dispatcher *dispatcher)
{
    struct request **chosen = NULL;
    for (struct request **at = &dispatcher->first; *at; at = &(*at)->next)
        if (!(*at)->spare && (!chosen || cycles_of(*at) < cycles_of(*chosen))) chosen = at;
    return chosen;
}

static void hand_back(struct dispatcher *dispatcher, struct client *client)
{
    if (--client->left > 0) return;
    dispatcher->at_large++;
    pthread_cond_signal(&client->done);
}

// Hands back the spare runs of a client that wait.
static void drop_spare(struct dispatcher *dispatcher, struct client *client)
{
    for (struct request **at = &dispatcher->first; *at;)
        if ((*at)->spare && (*at)->client == client) {
            take(at);
            hand_back(dispatcher, client);
        } else {
            at = &(*at)->next;
        }
}

// A client whose needed runs are over waits for no spare one that was not begun.
static void finish(struct dispatcher *dispatcher, struct request *request)
{
    struct client *client = request->client;
    pthread_mutex_lock(&dispatcher->lock);
    client->needed -= !request->spare;
    if (client->needed == 0) drop_spare(dispatcher, client);
    hand_back(dispatcher, client);
    pthread_mutex_unlock(&dispatcher->lock);
}

// --- a runner makes runs ---

// Returns whether a run joins a batch. A batch in which few runs are left takes more time than they
// would alone, and is not to be kept alive by one run after the other.
static bool joins(struct dispatcher *dispatcher, const struct request *request,
                  struct anl_run_left left)
{
    const uint64_t longest = cycles_of(request);
    if (dispatcher->engine == POOL_BATCH || longest <= left.longest) return true;
    return look(dispatcher, network_of(request), longest).cycles + left.total >=
           LEAST_RUNS * longest;
}

static struct anl_run_job *next_job(void *user, struct anl_run_left left)
{
    struct runner *runner = user;
    struct dispatcher *dispatcher = runner->dispatcher;
    const unsigned handed = atomic_load_explicit(&dispatcher->handed, memory_order_relaxed);
    if (handed == runner->seen) return NULL;
    struct request *request = NULL;
    pthread_mutex_lock(&dispatcher->lock);
    struct request **at = find(dispatcher, runner->network, &dispatcher->first);
    while (at && !joins(dispatcher, *at, left))
        at = find(dispatcher, runner->network, &(*at)->next);
    if (at) request = take(at);
    pthread_mutex_unlock(&dispatcher->lock);
    if (!request) runner->seen = handed;
    return request ? &request->job : NULL;
}

static void end_job(void *user, struct anl_run_job *job)
{
    const struct runner *runner = user;
    finish(runner->dispatcher, (struct request *)job);  // it is the first member
}

// Makes runs of a network, of which so many wait, until none is left that is to be made in a batch.
static bool make_many(struct dispatcher *dispatcher, struct anl_config network, unsigned count)
{
    struct runner runner = {
        .dispatcher = dispatcher, .network = &network, .seen = dispatcher->handed - 1};
    const struct anl_run_queue queue = {&runner, next_job, end_job};
    return anl_run_many(&network, count < POOL_SLOTS ? count : POOL_SLOTS, &queue) == ANL_OK;
}

static void make_one(struct dispatcher *dispatcher, struct request *request)
{
    struct anl_run_job *job = &request->job;
    job->status = anl_run(job->scenario, job->options, &job->result, &job->error);
    finish(dispatcher, request);
}

// Returns true if a runner need not wait for more runs before it begins.
static bool is_enough(struct dispatcher *dispatcher)
{
    struct runs runs = {0};
    return dispatcher->at_large == 0 || !suits(dispatcher, dispatcher->first) ||
           (choose_many(dispatcher, &runs) && runs.count >= POOL_SLOTS);
}

// Returns whether some run can be begun: spare ones alone may have to wait for others.
static bool is_work(struct dispatcher *dispatcher)
{
    struct runs runs;
    return choose_one(dispatcher) || choose_many(dispatcher, &runs);
}

// Waits until some run is to be begun. Returns false if the dispatcher is closed.
static bool wait_for_runs(struct dispatcher *dispatcher)
{
    while (!is_work(dispatcher) && !dispatcher->closed)
        pthread_cond_wait(&dispatcher->work, &dispatcher->lock);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PATIENCE_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (dispatcher->first && !is_enough(dispatcher))
        if (pthread_cond_timedwait(&dispatcher->work, &dispatcher->lock, &until)) break;
    return dispatcher->first || !dispatcher->closed;
}

// Makes the runs of a batch, or one run alone. Is called, and returns, with the lock.
static void begin(struct dispatcher *dispatcher)
{
    struct runs runs;
    const struct request *many = choose_many(dispatcher, &runs);
    bool made = false;
    if (many) {
        const struct anl_config network = *network_of(many);
        pthread_mutex_unlock(&dispatcher->lock);
        made = make_many(dispatcher, network, runs.count);
        pthread_mutex_lock(&dispatcher->lock);
    }
    struct request **at = made ? NULL : choose_one(dispatcher);
    if (!at) return;
    struct request *request = take(at);
    drop_spare(dispatcher, request->client);
    pthread_mutex_unlock(&dispatcher->lock);
    make_one(dispatcher, request);
    pthread_mutex_lock(&dispatcher->lock);
}

static void *run_requests(void *user)
{
    struct dispatcher *dispatcher = user;
    pthread_mutex_lock(&dispatcher->lock);
    while (wait_for_runs(dispatcher)) {
        if (!dispatcher->first) continue;  // another runner was faster
        begin(dispatcher);
    }
    pthread_mutex_unlock(&dispatcher->lock);
    return NULL;
}

// --- clients ---

// Appends requests to the list.
static void hand_in(struct dispatcher *dispatcher, struct request *requests, size_t count)
{
    struct request **last = &dispatcher->first;
    while (*last)
        last = &(*last)->next;
    *last = requests;
    for (size_t i = 1; i < count; i++)
        requests[i - 1].next = &requests[i];
    dispatcher->handed++;
    pthread_cond_broadcast(&dispatcher->work);
}

static void wait_for_all(struct dispatcher *dispatcher, struct client *client,
                         struct request *requests)
{
    pthread_mutex_lock(&dispatcher->lock);
    dispatcher->at_large--;
    hand_in(dispatcher, requests, client->left);
    while (client->left)
        pthread_cond_wait(&client->done, &dispatcher->lock);
    pthread_mutex_unlock(&dispatcher->lock);
}

void dispatcher_run(struct dispatcher *dispatcher, struct anl_run_job *jobs, size_t count,
                    size_t needed)
{
    struct client client = {.left = count, .needed = needed, .done = PTHREAD_COND_INITIALIZER};
    struct request *requests = calloc(count, sizeof *requests);
    for (size_t i = 0; i < count && !requests; i++)
        jobs[i].status = cli_fail(ANL_ERR_MEMORY, &jobs[i].error);
    if (!requests) return;
    for (size_t i = 0; i < count; i++)
        requests[i] = (struct request){.job = jobs[i], .client = &client, .spare = i >= needed};
    wait_for_all(dispatcher, &client, requests);
    for (size_t i = 0; i < count; i++)
        jobs[i] = requests[i].job;
    pthread_cond_destroy(&client.done);
    free(requests);
}

void dispatcher_leave(struct dispatcher *dispatcher)
{
    pthread_mutex_lock(&dispatcher->lock);
    dispatcher->at_large--;
    pthread_cond_broadcast(&dispatcher->work);
    pthread_mutex_unlock(&dispatcher->lock);
}

// --- open and close ---

struct dispatcher *dispatcher_open(unsigned runners, unsigned clients, enum pool_engine engine)
{
    struct dispatcher *dispatcher = calloc(1, sizeof *dispatcher);
    if (!dispatcher) return NULL;
    *dispatcher = (struct dispatcher){.engine = engine,
                                      .at_large = clients,
                                      .threads = calloc(runners, sizeof *dispatcher->threads),
                                      .lock = PTHREAD_MUTEX_INITIALIZER,
                                      .work = PTHREAD_COND_INITIALIZER};
    while (dispatcher->threads && dispatcher->runners < runners &&
           pthread_create(&dispatcher->threads[dispatcher->runners], NULL, run_requests,
                          dispatcher) == 0)
        dispatcher->runners++;
    if (dispatcher->runners) return dispatcher;
    free(dispatcher->threads);
    free(dispatcher);
    return NULL;
}

void dispatcher_close(struct dispatcher *dispatcher)
{
    pthread_mutex_lock(&dispatcher->lock);
    dispatcher->closed = true;
    pthread_cond_broadcast(&dispatcher->work);
    pthread_mutex_unlock(&dispatcher->lock);
    for (unsigned i = 0; i < dispatcher->runners; i++)
        pthread_join(dispatcher->threads[i], NULL);
    pthread_cond_destroy(&dispatcher->work);
    const int held = pthread_mutex_destroy(&dispatcher->lock);
    assert(held == 0);
    (void)held;
    free(dispatcher->threads);
    free(dispatcher);
}
