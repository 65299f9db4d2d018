// SPDX-License-Identifier: Apache-2.0
//
// Common part of the tests of batches: runs of scenarios, in the slots of a batch or on engines of
// their own, and what they show.

#ifndef ANNELID_UNIT_BATCH_H
#define ANNELID_UNIT_BATCH_H

#include "unit.h"

#include <annelid/batch.h>
#include <annelid/scenario.h>
#include <annelid/trace.h>
#include <annelid/workload.h>

// What a run showed, of all its cycles.
struct outcome {
    uint64_t digest, cycles;
    struct anl_engine_totals totals;
    uint64_t deliveries;  // hash of the worms delivered and of when that was
};

// A run of a scenario on an engine, or in the slot of a batch.
struct playing {
    struct anl_engine *engine;
    struct anl_traffic *traffic;  // NULL: it is over
    struct anl_digest *digest;
    uint64_t max_cycles, idle_cycles, deliveries;
};

static inline void play_begin(struct playing *playing, struct anl_engine *engine,
                              const struct anl_scenario *scenario, uint64_t seed)
{
    struct anl_workload workload = anl_scenario_workload(scenario);
    workload.seed = seed;
    *playing = (struct playing){.engine = engine, .max_cycles = scenario->run.max_cycles};
    assert_int_equal(anl_traffic_create(workload, &playing->traffic), ANL_OK);
    assert_int_equal(anl_digest_create(&playing->digest), ANL_OK);
    anl_engine_reset(engine, seed);
    anl_engine_record(engine, true);
}

// Creates the worms of a cycle.
static inline void play_worms(struct playing *playing)
{
    size_t count;
    struct anl_engine *engine = playing->engine;
    const struct anl_new_worm *worms =
        anl_traffic_cycle(playing->traffic, anl_engine_cycle(engine), &count);
    for (size_t i = 0; i < count; i++) {
        uint32_t id;
        const struct anl_worm worm = {.source = worms[i].source,
                                      .destination = worms[i].destination,
                                      .length = worms[i].length,
                                      .path = worms[i].path,
                                      .has_path = worms[i].has_path,
                                      .dependencies = worms[i].dependencies};
        assert_int_equal(anl_engine_enqueue_worm(engine, &worm, &id), ANL_OK);
        anl_digest_worm(playing->digest, anl_engine_worm(engine, id));
    }
}

// Looks at the cycle that was run. Returns whether the run is over.
static inline bool play_look(struct playing *playing)
{
    size_t count;
    const struct anl_engine *engine = playing->engine;
    const struct anl_worm *delivered = anl_engine_delivered(engine, &count);
    const uint64_t cycle = anl_engine_cycle(engine) - 1;
    for (size_t i = 0; i < count; i++)
        playing->deliveries =
            anl_mix(playing->deliveries ^ delivered[i].id ^ (cycle - delivered[i].created) << 32);
    anl_traffic_delivered(playing->traffic, delivered, count);
    const struct anl_flit *flits = anl_engine_flits(engine, &count);
    anl_digest_flits(playing->digest, cycle, flits, count);
    const struct anl_engine_totals totals = anl_engine_totals(engine);
    playing->idle_cycles = totals.moved || !totals.in_network ? 0 : playing->idle_cycles + 1;
    if (playing->idle_cycles > 100 || cycle + 1 >= playing->max_cycles) return true;
    return totals.enqueued == totals.delivered && anl_traffic_done(playing->traffic);
}

// Ends a run and empties its slot.
static inline struct outcome play_end(struct playing *playing)
{
    const struct outcome outcome = {.digest = anl_digest_value(playing->digest),
                                    .cycles = anl_engine_cycle(playing->engine),
                                    .totals = anl_engine_totals(playing->engine),
                                    .deliveries = playing->deliveries};
    anl_traffic_destroy(playing->traffic);
    anl_digest_destroy(playing->digest);
    anl_engine_reset(playing->engine, 0);
    anl_engine_record(playing->engine, false);
    playing->traffic = NULL;
    return outcome;
}

static inline bool same_outcome(const struct outcome *a, const struct outcome *b)
{
    return a->digest == b->digest && a->cycles == b->cycles && a->deliveries == b->deliveries &&
           a->totals.enqueued == b->totals.enqueued && a->totals.delivered == b->totals.delivered &&
           a->totals.flit_hops == b->totals.flit_hops && a->totals.queued == b->totals.queued &&
           a->totals.ejected_flits == b->totals.ejected_flits &&
           a->totals.moved == b->totals.moved && a->totals.in_network == b->totals.in_network &&
           a->totals.taken == b->totals.taken;
}

static inline struct outcome play_alone(const struct anl_network *network,
                                        const struct anl_scenario *scenario, uint64_t seed)
{
    struct anl_engine *engine;
    struct playing playing;
    assert_int_equal(anl_engine_create_on(network, &engine), ANL_OK);
    play_begin(&playing, engine, scenario, seed);
    do {
        play_worms(&playing);
        anl_engine_step(engine);
    } while (!play_look(&playing));
    const struct outcome outcome = play_end(&playing);
    anl_engine_destroy(engine);
    return outcome;
}

// Runs seeds first … first + count - 1 of a scenario in a batch: each in the next slot that is
// free, from `slot` on. Writes what they showed.
struct batched_runs {
    const struct anl_scenario *scenario;
    uint64_t first;
    uint32_t count, slot;
    struct outcome *outcomes;  // [count]
};

static inline void play_cycle(struct anl_batch *batch, struct playing *playing, uint32_t slots)
{
    for (uint32_t slot = 0; slot < slots; slot++)
        if (playing[slot].traffic) play_worms(&playing[slot]);
    anl_batch_step(batch);
}

static inline void play_together(struct anl_batch *batch, const struct batched_runs *batched_runs)
{
    struct playing playing[ANL_BATCH_MOST_SLOTS] = {{0}};
    uint32_t numbers[ANL_BATCH_MOST_SLOTS], begun = 0, ended = 0;
    const uint32_t slots = anl_batch_slots(batch);
    while (ended < batched_runs->count) {
        for (uint32_t i = 0; i < slots && begun < batched_runs->count; i++) {
            const uint32_t slot = (batched_runs->slot + i) % slots;
            if (playing[slot].traffic) continue;
            numbers[slot] = begun++;
            play_begin(&playing[slot], anl_batch_run(batch, slot), batched_runs->scenario,
                       batched_runs->first + numbers[slot]);
        }
        play_cycle(batch, playing, slots);
        for (uint32_t slot = 0; slot < slots; slot++) {
            if (!playing[slot].traffic || !play_look(&playing[slot])) continue;
            batched_runs->outcomes[numbers[slot]] = play_end(&playing[slot]);
            ended++;
        }
    }
}

#endif
