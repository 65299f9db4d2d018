// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: traffic.c (the worms of each cycle, by process), calendar.c
// (which terminal creates a worm next), open.c (random times of the open-loop processes), batch.c
// (worms that are known before the run), waiting.c (messages that wait for others), own.c (worms of
// the caller's own), pattern.c (destinations and lengths), sphere.c (destinations of pattern
// sphere), demand.c (terminals with rates of their own).

#ifndef ANL_WORKLOAD_ROOM_H
#define ANL_WORKLOAD_ROOM_H

#include <annelid/base.h>
#include <annelid/workload.h>

// --- calendar.c ---
//
// The calendar says which terminal is due next. It is a binary heap; of terminals that are due in
// the same cycle the lowest comes first. A terminal stands in it at most once. Messages may stand
// in it in the place of terminals.

struct calendar_entry {
    uint64_t cycle;
    uint32_t terminal;
};

struct calendar {
    struct calendar_entry *entries;
    uint32_t count, room;
};

// Makes an empty calendar for terminals 0..terminals-1. ANL_ERR_MEMORY.
enum anl_status calendar_create(struct calendar *calendar, uint32_t terminals);
void calendar_destroy(struct calendar *calendar);

void calendar_add(struct calendar *calendar, uint64_t cycle, uint32_t terminal);

// Returns the cycle of the next entry; UINT64_MAX if there is none.
uint64_t calendar_next(const struct calendar *calendar);

// Writes to due[i] when terminal first + i < first + count is due; UINT64_MAX: it is not.
void calendar_read(const struct calendar *calendar, uint32_t first, uint32_t count, uint64_t *due);

// Removes the next terminal that is due at or before cycle and returns true; false if none is due.
bool calendar_due(struct calendar *calendar, uint64_t cycle, uint32_t *terminal);

// --- ahead.c ---
//
// The worms of the next cycles of an open loop. The terminals draw them one after the other,
// between ahead_begin() and ahead_end().

enum { AHEAD_CYCLES = 64 };

struct drawn_worm {
    struct anl_new_worm worm;
    uint32_t at;  // its cycle, counted from the begin
};

struct ahead {
    uint64_t begin, end;  // the cycles: begin .. end - 1, or none
    uint64_t next;    // the earliest cycle in which some terminal creates its first worm after them
    uint64_t cycles;  // bit per cycle: some worm is created
    struct anl_new_worm *worms;         // by cycle, and of a cycle by terminal
    uint32_t begins[AHEAD_CYCLES + 1];  // of the worms of each cycle; while they are drawn, their
                                        // number stands one place farther
    uint64_t *due;             // [terminals] the cycle of its first worm after these cycles
    struct drawn_worm *drawn;  // in the order in which they were drawn
    uint32_t num_drawn;
};

// Has no cycles at first. ANL_ERR_MEMORY: ahead_destroy() is still to be called.
enum anl_status ahead_create(struct ahead *ahead, uint32_t terminals);
void ahead_destroy(struct ahead *ahead);

void ahead_begin(struct ahead *ahead, uint64_t cycle);
void ahead_end(struct ahead *ahead);

// Notes that a terminal creates a worm in one of these cycles.
static inline void ahead_add(struct ahead *ahead, uint64_t cycle, struct anl_new_worm worm)
{
    const uint32_t at = (uint32_t)(cycle - ahead->begin);
    ahead->begins[at + 1]++;
    ahead->cycles |= UINT64_C(1) << at;
    ahead->drawn[ahead->num_drawn].worm = worm;
    ahead->drawn[ahead->num_drawn++].at = at;
}

// Returns the first cycle from this one on, which is not before the begin, in which a worm is
// created.
uint64_t ahead_next(const struct ahead *ahead, uint64_t cycle);

// --- open.c: random times ---
//
// Random times use IEEE products and comparisons alone, so that every machine and every compiler
// samples the same.

// The number of failures before the first success, in trials that succeed with one probability.
struct geometric {
    uint32_t num_powers;
    double powers[64];  // powers[i] = (1 - probability)^(2^i); the last is below 2^-53
};

// Returns the distribution for a probability > 0 and <= 1.
struct geometric geometric_of(double probability);
uint64_t geometric_sample(const struct geometric *geometric, struct anl_rng *rng);

// Samples a Pareto distribution of shape 1.5: P(at least x) = (least / x)^1.5, mean 3 * least.
// Returns the sample rounded down, at most 2^60; least >= 0.
uint64_t pareto_sample(double least, struct anl_rng *rng);

// --- open.c: open-loop processes ---
//
// Open-loop processes decide when a terminal creates its next worm, whatever the network does.

struct burst;

struct open_loop {
    uint32_t first;        // terminal
    uint64_t end;          // no worm is created in this cycle or later
    bool silent;           // the load is 0
    struct geometric gap;  // bernoulli: cycles between two worms
    struct burst *bursts;  // bursty: one per terminal from the first one on; else NULL
    double on, off;        // bursty: shortest on and off period in ticks
    double load;
    const struct anl_traffic_config *traffic;  // with a demand, whose terminals differ; else NULL
    double mean_length;
};

#define OPEN_NEVER UINT64_MAX

// Serves so many terminals from the first one on. ANL_ERR_MEMORY.
enum anl_status open_create(struct open_loop *open, const struct anl_workload *workload,
                            uint32_t first, uint32_t terminals);
void open_destroy(struct open_loop *open);

// Return the cycle of the terminal's first worm, and of the worm that follows one of length flits
// that was created in cycle now; OPEN_NEVER if that would be at the end or later.
uint64_t open_first(struct open_loop *open, uint32_t terminal, struct anl_rng *rng);
uint64_t open_next(struct open_loop *open, uint32_t terminal, uint64_t now, uint16_t length,
                   struct anl_rng *rng);
void open_pack(struct open_loop *open, uint32_t terminal, struct anl_pack *pack);

// --- sphere.c ---
//
// The sphere of a terminal are the other terminals that are at most so many links away.

struct spheres {
    const struct anl_traffic_config *traffic;
    uint32_t terminals;  // of the network
    uint32_t first;      // the terminals that have a sphere here
    size_t *begins;      // [count + 1] of the terminals in the sphere of each, and of itself
    uint32_t *inside;    // ascending for each terminal, which is among them
};

// ANL_ERR_MEMORY: nothing is to be destroyed.
enum anl_status spheres_create(struct spheres *spheres, const struct anl_workload *workload,
                               uint32_t first, uint32_t count);
void spheres_destroy(struct spheres *spheres);

uint32_t spheres_destination(const struct spheres *spheres, uint32_t source, struct anl_rng *rng);
// Returns the probability that a worm of source goes to destination.
double spheres_probability(const struct spheres *spheres, uint32_t source, uint32_t destination);

// --- pattern.c ---
//
// Patterns decide where the worms of a terminal go, and how long they are.

struct pattern {
    const struct anl_traffic_config *traffic;
    uint32_t terminals;     // of the network
    uint32_t first, count;  // the terminals whose worms it sends
    uint32_t rows;  // permutations in the table; 1 if the destination is a function of the source
    uint32_t *destinations;  // [rows * count]; NULL: sampled for each worm
    struct spheres spheres;  // sphere only
};

// What workload points to must stay alive. ANL_ERR_MEMORY.
enum anl_status pattern_create(struct pattern *pattern, const struct anl_workload *workload,
                               uint32_t first, uint32_t count);
void pattern_destroy(struct pattern *pattern);

// Returns the destination of worm number index (from 0) of source.
uint32_t pattern_destination(const struct pattern *pattern, uint32_t source, uint32_t index,
                             struct anl_rng *rng);

// Returns the length of the next worm in flits.
uint16_t pattern_length(const struct pattern *pattern, struct anl_rng *rng);

// --- demand.c ---

// Returns the destination of a worm of source, for a unit in [0, 1); source has a rate above 0.
uint32_t demand_destination(const struct anl_demand *demand, uint32_t source, double unit);
// Returns the part of the worms of source that go to destination.
double demand_probability(const struct anl_demand *demand, uint32_t source, uint32_t destination);

// --- waiting.c ---
//
// Messages of which some wait for others. Each worm must be the one that waiting_due() said, in its
// order, so that the n-th one has id n.

struct dependent {
    uint32_t message;
    struct anl_after *after;  // its entry about the message that it waits for
};

struct waiting {
    size_t count;  // messages; 0: none of them waits for another one
    // The dependents of message m are begins[m] … begins[m + 1] - 1, of which filled[m] are there.
    size_t *begins;  // [count + 1]
    uint32_t *filled;
    struct dependent *dependents;
    struct anl_after *after;  // of all messages; `worm` is filled in when that worm is delivered
    struct anl_dependencies *dependencies;  // [count]
    uint32_t *missing;                      // [count] deliveries that a message still waits for
    uint64_t *due;                          // [count] the earliest cycle, as far as it is known
    uint32_t *message_of;                   // [count] by id of the worm
    uint32_t created;
    struct calendar calendar;  // of the messages that wait for no delivery any more
};

// *waiting must be all zero; what is in *messages must stay. ANL_ERR_MEMORY: waiting_destroy() is
// still to be called.
enum anl_status waiting_create(struct waiting *waiting, const struct anl_message *messages,
                               size_t count);
void waiting_destroy(struct waiting *waiting);

// Returns true if a message is due at or before cycle, and says which one; false if none is.
bool waiting_due(struct waiting *waiting, uint64_t cycle, uint32_t *message,
                 const struct anl_dependencies **dependencies);
// Notes that a worm was delivered in cycle.
void waiting_delivered(struct waiting *waiting, uint32_t worm, uint64_t cycle);
void waiting_pack(struct waiting *waiting, struct anl_pack *pack);
// Returns what the message of a worm has waited for; NULL: nothing.
const struct anl_dependencies *waiting_for(const struct waiting *waiting, uint32_t worm);

// --- own.c ---
//
// Worms of the caller's own: his functions are asked, and what they emit is checked.

struct anl_emit {
    const struct anl_own_traffic *from;  // NULL: there is none, and it is never due
    const struct anl_workload *workload;
    uint32_t terminals;
    uint64_t end;                // it is not asked in this cycle or later
    uint64_t next;               // the next cycle in which it is asked; ANL_NEVER: in none
    uint64_t cycle;              // of the worms that it emits
    bool asks;                   // create() is being asked, which alone may emit worms
    uint64_t created;            // worms
    uint64_t signature;          // of these worms, and of when it is asked
    struct anl_new_worm *worms;  // of the cycle; the caller's list, which it makes larger
    size_t count, room;
    uint64_t *free_from;     // [terminals] as in messages.c, for switches without source queues
    enum anl_status status;  // the first failure, after which it is not asked any more
    struct anl_error error;
};

// What workload points to must stay alive. ANL_ERR_MEMORY: emit_destroy() is still to be called.
enum anl_status emit_create(struct anl_emit *emit, const struct anl_workload *workload);
void emit_destroy(struct anl_emit *emit);
// Asks for the worms of a cycle, if they are due, and writes them to a list, always the same one,
// that malloc() has made. Returns how many there are.
size_t emit_cycle(struct anl_emit *emit, uint64_t cycle, struct anl_new_worm **worms);
void emit_delivered(struct anl_emit *emit, uint64_t cycle, const struct anl_worm *worms,
                    size_t count);
void emit_taken(struct anl_emit *emit, uint64_t cycle, const struct anl_worm *worms, size_t count);
void emit_pack(struct anl_emit *emit, struct anl_pack *pack);

// --- batch.c ---
//
// A batch whose worms wait before they are created is sampled as a whole before the run.

// Returns the terminals * worms_per_terminal worms of the batch in the order of their creation,
// which the caller frees; NULL if memory runs out. rng[t] is the generator of terminal t.
struct anl_message *delays_sample(const struct anl_workload *workload, uint32_t terminals,
                                  const struct pattern *pattern, struct anl_rng *rng);

#endif
