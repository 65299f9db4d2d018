// SPDX-License-Identifier: Apache-2.0

#include "open.h"

#include <stdlib.h>

// Periods are measured in ticks, so that rounding them down does not change the load.
enum { TICKS_PER_CYCLE = 1024 };

// A terminal of process bursty. Its worms are spaced by a clock that runs in on periods only: a
// worm that is longer than what is left of a period takes the rest from the next one.
struct burst {
    uint64_t now;      // ticks
    uint64_t on_left;  // ticks of the on period that begins or goes on at now
};

static double mean_length(const struct anl_traffic_config *traffic)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < traffic->num_lengths; i++)
        sum += traffic->lengths[i];
    return (double)sum / traffic->num_lengths;
}

enum anl_status open_create(struct open_loop *open, const struct anl_scenario *scenario,
                            uint32_t terminals)
{
    const struct anl_traffic_config *traffic = &scenario->traffic;
    const double load = traffic->load;
    *open = (struct open_loop){.end = scenario->run.cycles, .load = load, .silent = load <= 0};
    if (open->silent) return ANL_OK;
    if (traffic->process == ANL_BERNOULLI) {
        open->gap = geometric_of(load / mean_length(traffic));
        return ANL_OK;
    }
    open->on = (double)traffic->burst_cycles * TICKS_PER_CYCLE;
    open->off = open->on * (1 - load) / load;
    open->bursts = calloc(terminals, sizeof *open->bursts);
    return open->bursts ? ANL_OK : ANL_ERR_MEMORY;
}

void open_destroy(struct open_loop *open) { free(open->bursts); }

// from + gap, if that is before the end.
static uint64_t bernoulli(const struct open_loop *open, uint64_t from, struct anl_rng *rng)
{
    const uint64_t gap = geometric_sample(&open->gap, rng);
    return from < open->end && gap < open->end - from ? from + gap : OPEN_NEVER;
}

// The tick when the on clock of the burst has gone on by wait.
static uint64_t bursty(const struct open_loop *open, struct burst *burst, uint64_t wait,
                       struct anl_rng *rng)
{
    const uint64_t end = open->end * TICKS_PER_CYCLE;
    while (wait >= burst->on_left) {
        wait -= burst->on_left;
        burst->now += burst->on_left;
        burst->now += pareto_sample(open->off, rng);
        if (burst->now >= end) return OPEN_NEVER;
        burst->on_left = pareto_sample(open->on, rng);
    }
    burst->now += wait;
    burst->on_left -= wait;
    return burst->now < end ? burst->now / TICKS_PER_CYCLE : OPEN_NEVER;
}

uint64_t open_first(struct open_loop *open, uint32_t terminal, struct anl_rng *rng)
{
    if (open->silent) return OPEN_NEVER;
    if (!open->bursts) return bernoulli(open, 0, rng);
    const bool on = anl_rng_unit(rng) < open->load;
    if (on) open->bursts[terminal].on_left = pareto_sample(open->on, rng);
    return bursty(open, &open->bursts[terminal], 0, rng);
}

uint64_t open_next(struct open_loop *open, uint32_t terminal, uint64_t now, uint16_t length,
                   struct anl_rng *rng)
{
    if (!open->bursts) return bernoulli(open, now + 1, rng);
    return bursty(open, &open->bursts[terminal], (uint64_t)length * TICKS_PER_CYCLE, rng);
}
