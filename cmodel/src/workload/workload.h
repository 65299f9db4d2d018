// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: traffic.c (the worms of a cycle, by process), calendar.c (who
// is due next), open.c (random times of the open-loop processes), batch.c (worms that are known
// beforehand), pattern.c (destinations and lengths).

#ifndef ANL_WORKLOAD_ROOM_H
#define ANL_WORKLOAD_ROOM_H

#include <annelid/base.h>
#include <annelid/workload.h>

// --- calendar.c ---
//
// Calendar: which terminal is due next. A binary heap; ties in the cycle go to the lower terminal.
// A terminal stands in it at most once.

struct calendar_entry {
    uint64_t cycle;
    uint32_t terminal;
};

struct calendar {
    struct calendar_entry *entries;
    uint32_t count, room;
};

// An empty calendar for terminals 0..terminals-1. ANL_ERR_MEMORY.
enum anl_status calendar_create(struct calendar *calendar, uint32_t terminals);
void calendar_destroy(struct calendar *calendar);

void calendar_add(struct calendar *calendar, uint64_t cycle, uint32_t terminal);

// Cycle of the next entry; UINT64_MAX if there is none.
uint64_t calendar_next(const struct calendar *calendar);

// Takes out the next terminal that is due at or before cycle; false: none is.
bool calendar_due(struct calendar *calendar, uint64_t cycle, uint32_t *terminal);

// --- open.c: random times ---
//
// Random times. Made of IEEE products and comparisons alone, so that every machine and every
// compiler samples the same.

// Number of failures before the first success of trials that succeed with one probability.
struct geometric {
    uint32_t num_powers;
    double powers[64];  // powers[i] = (1 - probability)^(2^i); the last is below 2^-53
};

// probability > 0, <= 1.
struct geometric geometric_of(double probability);
uint64_t geometric_sample(const struct geometric *geometric, struct anl_rng *rng);

// Pareto with shape 1.5: P(at least x) = (least / x)^1.5, mean 3 * least. Rounded down, at most
// 2^60. least >= 0.
uint64_t pareto_sample(double least, struct anl_rng *rng);

// --- open.c: open-loop processes ---
//
// Open-loop processes: when a terminal creates its next worm, whatever the network does.

struct burst;

struct open_loop {
    uint64_t end;          // no worm is created at or after this cycle
    bool silent;           // load 0
    struct geometric gap;  // bernoulli
    struct burst *bursts;  // bursty: one per terminal; else NULL
    double on, off;        // bursty: shortest periods in ticks
    double load;
};

#define OPEN_NEVER UINT64_MAX

// ANL_ERR_MEMORY.
enum anl_status open_create(struct open_loop *open, const struct anl_workload *workload,
                            uint32_t terminals);
void open_destroy(struct open_loop *open);

// Cycle of the terminal's first worm, and of the one after a worm of length flits created in cycle
// now; OPEN_NEVER if it would be at the end or later.
uint64_t open_first(struct open_loop *open, uint32_t terminal, struct anl_rng *rng);
uint64_t open_next(struct open_loop *open, uint32_t terminal, uint64_t now, uint16_t length,
                   struct anl_rng *rng);

// --- pattern.c ---
//
// Patterns: where the worms of a terminal go. And how long they are.

struct pattern {
    const struct anl_traffic_config *traffic;
    uint32_t terminals;
    uint32_t rows;           // permutations in the table, 1 if the destination is a function of s
    uint32_t *destinations;  // rows * terminals; NULL: sampled for each worm
};

// ANL_ERR_MEMORY. what workload points to must stay alive.
enum anl_status pattern_create(struct pattern *pattern, const struct anl_workload *workload);
void pattern_destroy(struct pattern *pattern);

// Destination of the worm number index (from 0) that source creates.
uint32_t pattern_destination(const struct pattern *pattern, uint32_t source, uint32_t index,
                             struct anl_rng *rng);

// Length of the next worm.
uint16_t pattern_length(const struct pattern *pattern, struct anl_rng *rng);

// --- batch.c ---
//
// A batch whose worms wait before they are created: all of them are sampled beforehand.

// The terminals * worms_per_terminal worms of the batch in the order of their creation, to be freed
// by the caller; NULL: no memory. rng: of each terminal.
struct anl_message *delays_sample(const struct anl_workload *workload, uint32_t terminals,
                                  const struct pattern *pattern, struct anl_rng *rng);

#endif
