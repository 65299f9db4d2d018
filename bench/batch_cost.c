// SPDX-License-Identifier: Apache-2.0
//
// Measures how fast runs are that go together in a batch, beside runs of the engine. Both get the
// worms of the same traffic, one seed for each run, and note the latency of each worm.

#include "beside.h"

#include <annelid/annelid.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHORTER = 40 };  // of the cycles of an open loop, which has so many runs instead of one

struct bench {
    struct anl_scenario scenario;
    struct anl_network *network;
    struct anl_batch *batch;
    struct anl_traffic *traffic[ANL_BATCH_MOST_SLOTS];
    uint64_t latencies;
};

static void prepare(struct bench *bench, const char *path)
{
    struct anl_error error;
    if (anl_scenario_load(path, &bench->scenario, &error)) beside_die(error.text);
    struct anl_run_config *run = &bench->scenario.run;
    run->cycles = run->cycles > SHORTER ? run->cycles / SHORTER : 1;
    if (anl_network_create(&bench->scenario.network, &bench->network) ||
        anl_batch_create(bench->network, 0, &bench->batch))
        beside_die("no batch of this network");
}

static void begin(struct bench *bench, uint32_t slot)
{
    struct anl_workload workload = anl_scenario_workload(&bench->scenario);
    workload.seed = slot + 1;
    anl_engine_reset(anl_batch_run(bench->batch, slot), workload.seed);
    if (anl_traffic_create(workload, &bench->traffic[slot]) ||
        anl_traffic_draw_ahead(bench->traffic[slot]))
        beside_die("no memory");
}

static void create_worms(struct bench *bench, uint32_t slot)
{
    size_t count;
    struct anl_engine *run = anl_batch_run(bench->batch, slot);
    const struct anl_new_worm *worms =
        anl_traffic_cycle(bench->traffic[slot], anl_engine_cycle(run), &count);
    for (size_t i = 0; i < count; i++)
        if (anl_engine_enqueue(run, worms[i].source, worms[i].destination, worms[i].length, NULL))
            beside_die("a worm was refused");
}

// Returns whether a run is over.
static bool look(struct bench *bench, uint32_t slot)
{
    size_t count;
    const struct anl_engine *run = anl_batch_run(bench->batch, slot);
    const struct anl_worm *worms = anl_engine_delivered(run, &count);
    for (size_t i = 0; i < count; i++)
        bench->latencies += anl_engine_cycle(run) - worms[i].created;
    anl_traffic_delivered(bench->traffic[slot], worms, count);
    const struct anl_engine_totals totals = anl_engine_totals(run);
    return totals.delivered == totals.enqueued && anl_traffic_done(bench->traffic[slot]);
}

// Makes a run in each slot. Returns the flits that crossed links.
static uint64_t play(void *user)
{
    struct bench *bench = user;
    const uint32_t slots = anl_batch_slots(bench->batch);
    uint64_t hops = 0;
    for (uint32_t slot = 0; slot < slots; slot++)
        begin(bench, slot);
    for (uint32_t playing = slots; playing > 0;) {
        for (uint32_t slot = 0; slot < slots; slot++)
            if (bench->traffic[slot]) create_worms(bench, slot);
        anl_batch_step(bench->batch);
        for (uint32_t slot = 0; slot < slots; slot++) {
            if (!bench->traffic[slot] || !look(bench, slot)) continue;
            hops += anl_engine_totals(anl_batch_run(bench->batch, slot)).flit_hops;
            anl_traffic_destroy(bench->traffic[slot]);
            bench->traffic[slot] = NULL;
            playing--;
        }
    }
    return hops;
}

static int measure(const char *path)
{
    struct bench bench = {0};
    char name[64];
    prepare(&bench, path);
    snprintf(name, sizeof name, "batch of %u", anl_batch_slots(bench.batch));
    const int status = beside_the_buffered_engine(path, name, 1, play, &bench);
    anl_batch_destroy(bench.batch);
    anl_network_destroy(bench.network);
    anl_scenario_free(&bench.scenario);
    return status;
}

int main(int count, char **words)
{
    int status = 0;
    if (count < 2) beside_die("batch_cost SCENARIO...");
    for (int i = 1; i < count; i++)
        status |= measure(words[i]);
    return status;
}
