// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share. The machine uses nothing of the routes: it finds its way
// itself.

#ifndef ANL_SCHEDULE_PRIVATE_H
#define ANL_SCHEDULE_PRIVATE_H

#include <annelid/schedule.h>

// --- routes ---
//
// A track is a row in one direction, or a column in one direction. Positions on it count from 0 in
// the direction of travel; link x of the track leads from position x to x + 1.

// The part of a path that is on one track: links from .. to - 1. There is none if from == to.
struct piece {
    uint32_t track;  // 0 .. 4 n - 1: E, W of each row, then S, N of each column
    uint32_t from, to;
    uint32_t late;  // the head crosses the first of these links so many steps after its start
};

struct route {
    struct piece row, column;
    uint32_t distance;
};

// Returns the path with one bend.
struct route route_of(uint32_t n, uint32_t source, uint32_t destination);

// --- bounds ---

// A worm over a link: the head comes to it so many steps after its start, and has so many links
// behind it.
struct crossing {
    uint32_t head, tail;
};

// Returns the largest bound of all sets of worms over a link; sorts crossings by head, and tails
// [count] is scratch space.
uint32_t bound_of_link(struct crossing *crossings, uint32_t count, uint32_t k, uint32_t *tails);

// Counts a worm with this start in what is said of a schedule; none that uses no link.
void schedule_count(struct anl_schedule *schedule, uint32_t distance, uint32_t k, uint32_t start);

// --- the scheduler, for the search ---

// Returns for each worm [n * n] the worm that was the last in its way when it got its start in the
// last run; ANL_NO_NODE: it started at 1. The array is the scheduler's, until the next run.
const uint32_t *scheduler_blockers(const struct anl_scheduler *scheduler);

// --- the machine ---

enum { SIDES = 4 };  // the directions of links: E, W, S, N

struct flit {
    uint32_t worm;  // ANL_NO_NODE: there is no flit
    uint32_t index;
};

struct machine {
    const struct anl_permutation *permutation;
    const uint32_t *starts;
    uint32_t k, step;  // step: the last one that was made
    struct flit *now;  // [n * n][SIDES] the register at the end of the link that comes to a node in
                       // each direction
    struct flit *next;  // the same after the step that is being made
    uint8_t *latches;   // [n * n][SIDES] where the flits behind a head go; SIDES: they are consumed
    uint8_t *injects;   // [n * n] where the flits of the worm that is being injected go
    uint32_t *consumed;  // [n * n] flits of each worm that were delivered
    uint32_t *due;       // [n * n] the step in which the head of each worm must be consumed
    uint64_t on_links;   // flits that are on their way
};

// Begins with empty registers, before step 1. It keeps both pointers. ANL_ERR_MEMORY. The caller
// gives *machine to machine_free(), also after an error.
enum anl_status machine_begin(const struct anl_permutation *permutation, uint32_t k,
                              const uint32_t *starts, struct machine *machine);
void machine_free(struct machine *machine);

// Makes a step. Returns whether no rule was broken; if one was, fills *fault.
bool machine_step(struct machine *machine, struct anl_schedule_fault *fault);

#endif
