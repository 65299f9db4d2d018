// SPDX-License-Identifier: Apache-2.0
//
// Many runs in the seats of a batch: when a run is over, the next one gets its seat.

#include "run.h"

#include <annelid/batch.h>

struct many {
    const struct anl_run_queue *queue;
    struct anl_batch *batch;
    struct run_seated *runs[ANL_BATCH_MOST_SEATS];  // NULL: the seat is free
    uint32_t seats, taken;
    uint64_t cycles;                        // of the batch, so far
    uint64_t ends[ANL_BATCH_MOST_SEATS];    // after so many of them the run creates no more worms
    uint64_t closed[ANL_BATCH_MOST_SEATS];  // cycles of a run that is a closed loop, else 0
};

// --- which runs ---

// Returns the length of the longest worm that the traffic creates.
static uint32_t longest_worm(const struct anl_scenario *scenario)
{
    const struct anl_traffic_config *traffic = &scenario->traffic;
    uint32_t longest = anl_traffic_longest(traffic);
    if (traffic->reply_length > longest) longest = traffic->reply_length;
    for (size_t i = 0; i < scenario->num_messages; i++)
        if (scenario->messages[i].length > longest) longest = scenario->messages[i].length;
    return longest;
}

bool anl_run_many_can(const struct anl_scenario *scenario, const struct anl_run_options *options)
{
    return !options->team && !options->shuffle && !options->blocking && !options->checkpoint &&
           anl_batch_can(&scenario->network) && longest_worm(scenario) <= ANL_BATCH_LONGEST_WORM;
}

uint64_t anl_run_cycles(const struct anl_run_job *job)
{
    const struct anl_traffic_config *traffic = &job->scenario->traffic;
    if (anl_process_is_open_loop(traffic->process)) return job->scenario->run.cycles;
    if (traffic->process != ANL_BATCH) return 0;
    return (uint64_t)traffic->worms_per_terminal * anl_traffic_longest(traffic) +
           (uint64_t)(traffic->delays - 1) * traffic->delay_cycles;
}

// --- seats ---

static struct anl_run_left left_of(const struct many *many)
{
    struct anl_run_left left = {0};
    for (uint32_t seat = 0; seat < many->seats; seat++) {
        if (!many->runs[seat]) continue;
        left.total += many->closed[seat];
        if (many->ends[seat] <= many->cycles) continue;
        const uint64_t cycles = many->ends[seat] - many->cycles;
        left.total += cycles;
        if (cycles > left.longest) left.longest = cycles;
    }
    return left;
}

static void leave(struct many *many, uint32_t seat, enum anl_status status)
{
    struct anl_run_job *job = run_leave_seat(many->runs[seat], status);
    many->runs[seat] = NULL;
    many->taken--;
    anl_engine_reset(anl_batch_run(many->batch, seat), 0);
    many->queue->ended(many->queue->user, job);
}

// Gives the next run a seat. Returns false if there is no run.
static bool take(struct many *many, uint32_t seat)
{
    struct anl_run_job *job = many->queue->next(many->queue->user, left_of(many));
    if (!job) return false;
    const bool open = anl_process_is_open_loop(job->scenario->traffic.process);
    many->ends[seat] = open ? many->cycles + anl_run_cycles(job) : 0;
    many->closed[seat] = open ? 0 : anl_run_cycles(job);
    struct run_seated **run = &many->runs[seat];
    const enum anl_status status = run_seat(job, anl_batch_run(many->batch, seat), run);
    if (*run) {
        many->taken++;
        if (status) leave(many, seat, status);
        return true;
    }
    job->status = anl_fail(&job->error, status, "", 0, "%s", anl_status_text(status));
    many->queue->ended(many->queue->user, job);
    return true;
}

static void fill(struct many *many)
{
    for (uint32_t seat = 0; seat < many->seats && many->taken < many->seats; seat++)
        while (!many->runs[seat])
            if (!take(many, seat)) return;
}

// --- a cycle ---

static void before(struct many *many)
{
    for (uint32_t seat = 0; seat < many->seats; seat++) {
        if (!many->runs[seat]) continue;
        const enum anl_status status = run_seated_before(many->runs[seat]);
        if (status) leave(many, seat, status);
    }
}

static void after(struct many *many)
{
    for (uint32_t seat = 0; seat < many->seats; seat++) {
        if (!many->runs[seat]) continue;
        bool over = false;
        const enum anl_status status = run_seated_after(many->runs[seat], &over);
        if (status || over) leave(many, seat, status);
    }
}

enum anl_status anl_run_many(const struct anl_config *config, uint32_t runs,
                             const struct anl_run_queue *queue)
{
    struct many many = {.queue = queue};
    struct anl_network *network;
    enum anl_status status = anl_network_create(config, &network);
    if (!status)
        status = anl_batch_create(network, anl_batch_seats_for(network, runs), &many.batch);
    if (!status) {
        many.seats = anl_batch_seats(many.batch);
        for (fill(&many); many.taken > 0; fill(&many)) {
            before(&many);
            anl_batch_step(many.batch);
            after(&many);
            many.cycles++;
        }
    }
    anl_batch_destroy(many.batch);
    anl_network_destroy(network);
    return status;
}
