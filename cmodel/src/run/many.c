// SPDX-License-Identifier: Apache-2.0
//
// Many runs in the slots of a batch: when a run is over, the next one gets its slot.

#include "run.h"

#include <annelid/batch.h>

struct many {
    const struct anl_run_queue *queue;
    struct anl_batch *batch;
    struct run_batched *runs[ANL_BATCH_MOST_SLOTS];  // NULL: the slot is free
    uint32_t slots, taken;
    uint64_t cycles;                        // of the batch, so far
    uint64_t ends[ANL_BATCH_MOST_SLOTS];    // after so many of them the run creates no more worms
    uint64_t closed[ANL_BATCH_MOST_SLOTS];  // cycles of a run that is a closed loop, else 0
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
    const struct anl_scenario made = run_scenario_of(scenario, options);
    return !options->team && !options->shuffle && !options->blocking && !options->checkpoint &&
           !run_own_refused(scenario, options) && anl_batch_can(&scenario->network) &&
           longest_worm(&made) <= ANL_BATCH_LONGEST_WORM;
}

uint64_t anl_run_cycles(const struct anl_run_job *job)
{
    const struct anl_scenario made = run_scenario_of(job->scenario, job->options);
    const struct anl_traffic_config *traffic = &made.traffic;
    if (anl_process_is_open_loop(traffic->process)) return job->scenario->run.cycles;
    if (traffic->process != ANL_BATCH) return 0;
    return (uint64_t)traffic->worms_per_terminal * anl_traffic_longest(traffic) +
           (uint64_t)(traffic->delays - 1) * traffic->delay_cycles;
}

// --- slots ---

static struct anl_run_left left_of(const struct many *many)
{
    struct anl_run_left left = {0};
    for (uint32_t slot = 0; slot < many->slots; slot++) {
        if (!many->runs[slot]) continue;
        left.total += many->closed[slot];
        if (many->ends[slot] <= many->cycles) continue;
        const uint64_t cycles = many->ends[slot] - many->cycles;
        left.total += cycles;
        if (cycles > left.longest) left.longest = cycles;
    }
    return left;
}

static void leave(struct many *many, uint32_t slot, enum anl_status status)
{
    struct anl_run_job *job = run_leave_slot(many->runs[slot], status);
    many->runs[slot] = NULL;
    many->taken--;
    anl_engine_reset(anl_batch_run(many->batch, slot), 0);
    many->queue->ended(many->queue->user, job);
}

// Gives the next run a slot. Returns false if there is no run.
static bool take(struct many *many, uint32_t slot)
{
    struct anl_run_job *job = many->queue->next(many->queue->user, left_of(many));
    if (!job) return false;
    const struct anl_scenario made = run_scenario_of(job->scenario, job->options);
    const bool open = anl_process_is_open_loop(made.traffic.process);
    many->ends[slot] = open ? many->cycles + anl_run_cycles(job) : 0;
    many->closed[slot] = open ? 0 : anl_run_cycles(job);
    struct run_batched **run = &many->runs[slot];
    const enum anl_status status = run_slot(job, anl_batch_run(many->batch, slot), run);
    if (*run) {
        many->taken++;
        if (status) leave(many, slot, status);
        return true;
    }
    job->status = anl_fail(&job->error, status, "", 0, "%s", anl_status_text(status));
    many->queue->ended(many->queue->user, job);
    return true;
}

static void fill(struct many *many)
{
    for (uint32_t slot = 0; slot < many->slots && many->taken < many->slots; slot++)
        while (!many->runs[slot])
            if (!take(many, slot)) return;
}

// --- a cycle ---

static void before(struct many *many)
{
    for (uint32_t slot = 0; slot < many->slots; slot++) {
        if (!many->runs[slot]) continue;
        const enum anl_status status = run_batched_before(many->runs[slot]);
        if (status) leave(many, slot, status);
    }
}

static void after(struct many *many)
{
    for (uint32_t slot = 0; slot < many->slots; slot++) {
        if (!many->runs[slot]) continue;
        bool over = false;
        const enum anl_status status = run_batched_after(many->runs[slot], &over);
        if (status || over) leave(many, slot, status);
    }
}

enum anl_status anl_run_many(const struct anl_config *config, uint32_t runs,
                             const struct anl_run_queue *queue)
{
    struct many many = {.queue = queue};
    struct anl_network *network;
    enum anl_status status = anl_network_create(config, &network);
    if (!status)
        status = anl_batch_create(network, anl_batch_slots_for(network, runs), &many.batch);
    if (!status) {
        many.slots = anl_batch_slots(many.batch);
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
