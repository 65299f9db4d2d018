// SPDX-License-Identifier: Apache-2.0

#include "desk.h"

#include <annelid/network.h>
#include <annelid/workload.h>
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
// Fewer runs than this leave most seats empty when some of them are over.
enum { LEAST_RUNS = 8 };

// A thread that waits for its runs.
struct client {
    size_t left;  // runs that are not over
    pthread_cond_t done;
};

struct request {
    struct anl_run_job job;
    struct request *next;  // that was handed in later
    struct client *client;
};

struct desk {
    enum pool_engine engine;
    unsigned stations;
    pthread_t *threads;       // [stations]
    _Atomic unsigned handed;  // runs that were handed in so far; wraps

    pthread_mutex_t lock;  // protects what follows
    pthread_cond_t work;
    struct request *first;  // handed in and not begun
    unsigned at_large;      // clients that do not wait for a run, and may hand one in
    bool closed;
};

// A station that makes runs of one network.
struct station {
    struct desk *desk;
    const struct anl_config *network;
    unsigned seen;  // desk->handed when no run of the network was left
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

static bool suits(const struct desk *desk, const struct request *request)
{
    return may_share(desk->engine, request->job.scenario, request->job.options);
}

// Returns whether runs that may share a batch are to do so; load is the sum of theirs.
static bool pays(enum pool_engine engine, size_t count, double load)
{
    if (engine == POOL_BATCH) return count > 0;
    return count >= LEAST_RUNS && load >= LEAST_LOAD;
}

bool pool_shares(enum pool_engine engine, const struct anl_scenario *scenario, size_t count,
                 double load)
{
    const struct anl_run_options plain = {0};
    return may_share(engine, scenario, &plain) && pays(engine, count, load);
}

// Returns the load of a run; 0 of a closed loop, of which it is not known and which may be short.
static double load_of(const struct request *request)
{
    const struct anl_traffic_config *traffic = &request->job.scenario->traffic;
    return anl_process_is_open_loop(traffic->process) ? traffic->load : 0;
}

// Takes the first request of this network out of the list; NULL stands for any network.
static struct request *take(struct desk *desk, const struct anl_config *network)
{
    for (struct request **at = &desk->first; *at; at = &(*at)->next) {
        struct request *request = *at;
        if (network && !(same(network, network_of(request)) && suits(desk, request))) continue;
        *at = request->next;
        return request;
    }
    return NULL;
}

// The runs of one network that wait.
struct waiting {
    unsigned count;
    double load;  // sum of their loads
};

// Returns those of the network of the first run; none if it may not be made beside others.
static struct waiting look_at_first(const struct desk *desk)
{
    struct waiting waiting = {0};
    if (!suits(desk, desk->first)) return waiting;
    for (const struct request *request = desk->first; request; request = request->next) {
        if (!same(network_of(desk->first), network_of(request)) || !suits(desk, request)) continue;
        waiting.count++;
        waiting.load += load_of(request);
    }
    return waiting;
}

static void finish(struct desk *desk, struct request *request)
{
    pthread_mutex_lock(&desk->lock);
    if (--request->client->left == 0) {
        desk->at_large++;
        pthread_cond_signal(&request->client->done);
    }
    pthread_mutex_unlock(&desk->lock);
}

// --- a station makes runs ---

static struct anl_run_job *next_job(void *user)
{
    struct station *station = user;
    struct desk *desk = station->desk;
    const unsigned handed = atomic_load_explicit(&desk->handed, memory_order_relaxed);
    if (handed == station->seen) return NULL;
    pthread_mutex_lock(&desk->lock);
    struct request *request = take(desk, station->network);
    pthread_mutex_unlock(&desk->lock);
    if (!request) station->seen = handed;
    return request ? &request->job : NULL;
}

static void end_job(void *user, struct anl_run_job *job)
{
    const struct station *station = user;
    finish(station->desk, (struct request *)job);  // it is the first member
}

// Makes runs of a network until none is left.
static bool make_many(struct desk *desk, struct anl_config network)
{
    struct station station = {.desk = desk, .network = &network, .seen = desk->handed - 1};
    const struct anl_run_queue queue = {&station, next_job, end_job};
    return anl_run_many(&network, 0, &queue) == ANL_OK;
}

static void make_one(struct desk *desk, struct request *request)
{
    struct anl_run_job *job = &request->job;
    job->status = anl_run(job->scenario, job->options, &job->result, &job->error);
    finish(desk, request);
}

// Returns whether the runs of the network of the first one are to be made side by side.
static bool first_shares(const struct desk *desk)
{
    const struct waiting waiting = look_at_first(desk);
    return pays(desk->engine, waiting.count, waiting.load);
}

// Returns true if a station need not wait for more runs before it begins.
static bool is_enough(const struct desk *desk)
{
    const unsigned count = look_at_first(desk).count;
    return desk->at_large == 0 || count == 0 || count >= POOL_SEATS;
}

// Waits until some run is to be begun. Returns false if the desk is closed.
static bool wait_for_runs(struct desk *desk)
{
    while (!desk->first && !desk->closed)
        pthread_cond_wait(&desk->work, &desk->lock);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += PATIENCE_NANOSECONDS;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    while (desk->first && !is_enough(desk))
        if (pthread_cond_timedwait(&desk->work, &desk->lock, &until)) break;
    return desk->first || !desk->closed;
}

static void *be_station(void *user)
{
    struct desk *desk = user;
    pthread_mutex_lock(&desk->lock);
    while (wait_for_runs(desk)) {
        if (!desk->first) continue;  // another station was faster
        const bool many = first_shares(desk);
        const struct anl_config network = *network_of(desk->first);
        struct request *request = many ? NULL : take(desk, NULL);
        pthread_mutex_unlock(&desk->lock);
        if (many && !make_many(desk, network)) {
            pthread_mutex_lock(&desk->lock);
            request = take(desk, NULL);
            pthread_mutex_unlock(&desk->lock);
        }
        if (request) make_one(desk, request);
        pthread_mutex_lock(&desk->lock);
    }
    pthread_mutex_unlock(&desk->lock);
    return NULL;
}

// --- clients ---

// Appends requests to the list.
static void hand_in(struct desk *desk, struct request *requests, size_t count)
{
    struct request **last = &desk->first;
    while (*last)
        last = &(*last)->next;
    *last = requests;
    for (size_t i = 1; i < count; i++)
        requests[i - 1].next = &requests[i];
    desk->handed++;
    pthread_cond_broadcast(&desk->work);
}

static void wait_for_all(struct desk *desk, struct client *client, struct request *requests)
{
    pthread_mutex_lock(&desk->lock);
    desk->at_large--;
    hand_in(desk, requests, client->left);
    while (client->left)
        pthread_cond_wait(&client->done, &desk->lock);
    pthread_mutex_unlock(&desk->lock);
}

void desk_run(struct desk *desk, struct anl_run_job *jobs, size_t count)
{
    struct client client = {.left = count, .done = PTHREAD_COND_INITIALIZER};
    struct request *requests = calloc(count, sizeof *requests);
    for (size_t i = 0; i < count && !requests; i++)
        jobs[i].status = cli_fail(ANL_ERR_MEMORY, &jobs[i].error);
    if (!requests) return;
    for (size_t i = 0; i < count; i++)
        requests[i] = (struct request){.job = jobs[i], .client = &client};
    wait_for_all(desk, &client, requests);
    for (size_t i = 0; i < count; i++)
        jobs[i] = requests[i].job;
    pthread_cond_destroy(&client.done);
    free(requests);
}

void desk_leave(struct desk *desk)
{
    pthread_mutex_lock(&desk->lock);
    desk->at_large--;
    pthread_cond_broadcast(&desk->work);
    pthread_mutex_unlock(&desk->lock);
}

// --- open and close ---

struct desk *desk_open(unsigned stations, unsigned clients, enum pool_engine engine)
{
    struct desk *desk = calloc(1, sizeof *desk);
    if (!desk) return NULL;
    *desk = (struct desk){.engine = engine,
                          .at_large = clients,
                          .threads = calloc(stations, sizeof *desk->threads),
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .work = PTHREAD_COND_INITIALIZER};
    while (desk->threads && desk->stations < stations &&
           pthread_create(&desk->threads[desk->stations], NULL, be_station, desk) == 0)
        desk->stations++;
    if (desk->stations) return desk;
    free(desk->threads);
    free(desk);
    return NULL;
}

void desk_close(struct desk *desk)
{
    pthread_mutex_lock(&desk->lock);
    desk->closed = true;
    pthread_cond_broadcast(&desk->work);
    pthread_mutex_unlock(&desk->lock);
    for (unsigned i = 0; i < desk->stations; i++)
        pthread_join(desk->threads[i], NULL);
    pthread_cond_destroy(&desk->work);
    pthread_mutex_destroy(&desk->lock);
    free(desk->threads);
    free(desk);
}
