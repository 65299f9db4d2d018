// SPDX-License-Identifier: Apache-2.0
//
// Decides when a terminal creates its next worm, whatever the network does.

#include "workload.h"

#include <assert.h>
#include <stdlib.h>

// --- random times ---

static const double smallest_unit = 0x1p-53;  // the smallest value of anl_rng_unit() but 0

struct geometric geometric_of(double probability)
{
    assert(probability > 0 && probability <= 1);
    struct geometric geometric = {0};
    double power = 1 - probability;
    while (geometric.num_powers < 63 && power >= smallest_unit) {
        geometric.powers[geometric.num_powers++] = power;
        power *= power;
    }
    geometric.powers[geometric.num_powers++] = power;
    return geometric;
}

// Returns the largest n with unit < (1 - probability)^n, found bit by bit from the highest.
uint64_t geometric_sample(const struct geometric *geometric, struct anl_rng *rng)
{
    const double unit = anl_rng_unit(rng);
    double reached = 1;
    uint64_t gap = 0;
    uint32_t bits = geometric->num_powers;
    while (bits > 0 && unit >= geometric->powers[bits - 1])
        bits--;
    for (uint32_t i = bits; i-- > 0;) {
        const double further = reached * geometric->powers[i];
        const bool fails = unit < further;
        gap |= (uint64_t)fails << i;
        reached = fails ? further : reached;
    }
    return gap;
}

// Returns the largest x with x^3 * unit^2 <= least^3, where unit is in (0, 1].
uint64_t pareto_sample(double least, struct anl_rng *rng)
{
    const double unit = 1 - anl_rng_unit(rng);
    const double cube = least * least * least;
    uint64_t length = 0;
    for (uint64_t bit = UINT64_C(1) << 60; bit > 0; bit >>= 1) {
        const double x = (double)(length | bit);
        if (length < UINT64_C(1) << 60 && x * x * x * unit * unit <= cube) length |= bit;
    }
    return length;
}

// --- open-loop processes ---

// Periods are measured in ticks, so that rounding them down does not change the load.
enum { TICKS_PER_CYCLE = 1024 };

// A terminal of process bursty. A clock that runs only in on periods spaces its worms: a worm that
// is longer than the rest of a period continues in the next one.
struct burst {
    uint64_t now;      // ticks
    uint64_t on_left;  // ticks left of the on period that begins or continues at now
};

static double mean_length(const struct anl_traffic_config *traffic)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < traffic->num_lengths; i++)
        sum += traffic->lengths[i];
    return (double)sum / traffic->num_lengths;
}

enum anl_status open_create(struct open_loop *open, const struct anl_workload *workload,
                            uint32_t first, uint32_t terminals)
{
    const struct anl_traffic_config *traffic = workload->traffic;
    const double load = traffic->load;
    *open = (struct open_loop){.first = first,
                               .end = workload->cycles,
                               .load = load,
                               .silent = load <= 0,
                               .traffic = traffic->demand ? traffic : NULL,
                               .mean_length = mean_length(traffic)};
    if (open->silent) return ANL_OK;
    if (traffic->process == ANL_BERNOULLI) {
        open->gap = geometric_of(load / open->mean_length);
        return ANL_OK;
    }
    open->on = (double)traffic->burst_cycles * TICKS_PER_CYCLE;
    open->off = open->on * (1 - load) / load;
    open->bursts = calloc(terminals, sizeof *open->bursts);
    return open->bursts ? ANL_OK : ANL_ERR_MEMORY;
}

void open_destroy(struct open_loop *open) { free(open->bursts); }

// Returns the load of a terminal.
static double load_of(const struct open_loop *open, uint32_t terminal)
{
    return open->traffic ? anl_terminal_load(open->traffic, terminal) : open->load;
}

static uint64_t own_gap(const struct open_loop *open, uint32_t terminal, struct anl_rng *rng)
{
    const struct geometric own = geometric_of(load_of(open, terminal) / open->mean_length);
    return geometric_sample(&own, rng);
}

// Returns from + a random gap if that is before the end, else OPEN_NEVER.
static uint64_t bernoulli(const struct open_loop *open, uint32_t terminal, uint64_t from,
                          struct anl_rng *rng)
{
    const uint64_t gap =
        open->traffic ? own_gap(open, terminal, rng) : geometric_sample(&open->gap, rng);
    return from < open->end && gap < open->end - from ? from + gap : OPEN_NEVER;
}

// Returns the cycle in which the on clock of the burst has advanced by wait ticks, or OPEN_NEVER.
static uint64_t bursty(const struct open_loop *open, uint32_t terminal, uint64_t wait,
                       struct anl_rng *rng)
{
    struct burst *burst = &open->bursts[terminal - open->first];
    const double load = load_of(open, terminal);
    const double off = open->traffic ? open->on * (1 - load) / load : open->off;
    const uint64_t end = open->end * TICKS_PER_CYCLE;
    while (wait >= burst->on_left) {
        wait -= burst->on_left;
        burst->now += burst->on_left;
        burst->now += pareto_sample(off, rng);
        if (burst->now >= end) return OPEN_NEVER;
        burst->on_left = pareto_sample(open->on, rng);
    }
    burst->now += wait;
    burst->on_left -= wait;
    return burst->now < end ? burst->now / TICKS_PER_CYCLE : OPEN_NEVER;
}

uint64_t open_first(struct open_loop *open, uint32_t terminal, struct anl_rng *rng)
{
    if (open->silent || load_of(open, terminal) <= 0) return OPEN_NEVER;
    if (!open->bursts) return bernoulli(open, terminal, 0, rng);
    const bool on = anl_rng_unit(rng) < load_of(open, terminal);
    if (on) open->bursts[terminal - open->first].on_left = pareto_sample(open->on, rng);
    return bursty(open, terminal, 0, rng);
}

uint64_t open_next(struct open_loop *open, uint32_t terminal, uint64_t now, uint16_t length,
                   struct anl_rng *rng)
{
    if (!open->bursts) return bernoulli(open, terminal, now + 1, rng);
    return bursty(open, terminal, (uint64_t)length * TICKS_PER_CYCLE, rng);
}

void open_pack(struct open_loop *open, uint32_t terminal, struct anl_pack *pack)
{
    struct burst *burst = open->bursts ? &open->bursts[terminal - open->first] : NULL;
    if (!burst) return;
    ANL_PACK(pack, burst->now);
    ANL_PACK(pack, burst->on_left);
}
