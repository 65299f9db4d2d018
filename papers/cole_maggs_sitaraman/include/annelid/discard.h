// SPDX-License-Identifier: Apache-2.0
//
// The model of a butterfly whose switches discard a worm that finds no free lane, stepped one step
// at a time. Rules: papers/cole_maggs_sitaraman/discard.md.
//
//   anl_discard_create(&shape, &machine)
//   anl_discard_enqueue(machine, …) for worms, in the order of their starts
//   anl_discard_step(machine) in each step, or anl_discard_run(machine) up to the end
//   anl_discard_outcome(machine, id) says what became of a worm
//   anl_discard_destroy(machine)
//
// The machine is deterministic. Worms do not wait in it, so it moves heads alone, and a step costs
// time for each head and none for the flits behind it. anl_discard_step() allocates nothing. One
// thread at a time may use a machine; machines share nothing.

#ifndef ANNELID_DISCARD_H
#define ANNELID_DISCARD_H

#include <annelid/base.h>
#include <annelid/records.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ANL_DISCARD_MAX_LEVELS = 16, ANL_DISCARD_MAX_PASSES = 2 };

struct anl_discard_shape {
    uint32_t levels;   // p, 1 .. ANL_DISCARD_MAX_LEVELS: there are 2^p columns
    uint32_t passes;   // 1 .. ANL_DISCARD_MAX_PASSES
    uint32_t num_vcs;  // lanes of a link, 1 .. ANL_MAX_VCS
};

struct anl_discard;

// Makes a butterfly in reset state, before step 1. On success the caller frees *machine with
// anl_discard_destroy(). ANL_ERR_ARGUMENT or ANL_ERR_MEMORY: *machine is NULL.
enum anl_status anl_discard_create(const struct anl_discard_shape *shape,
                                   struct anl_discard **machine);
void anl_discard_destroy(struct anl_discard *machine);  // may be NULL

// Empties the butterfly and forgets all worms; steps and worm ids begin anew. It takes no time for
// lanes and keeps what was allocated.
void anl_discard_reset(struct anl_discard *machine);

// --- worms ---

struct anl_discard_worm {
    uint64_t start;         // the step in which its head is at its source, >= 1
    uint32_t source;        // column
    uint32_t intermediate;  // column after the first of two passes; 0 with one pass
    uint32_t destination;   // column
    uint16_t length;        // flits, >= 1
};

// Gives a worm to its source. *id receives its number, which counts the worms from 0 (id may be
// NULL). ANL_ERR_ARGUMENT: a column is out of range, the intermediate column is not 0 with one
// pass, length is 0, the start is not after the last step or is before that of the worm enqueued
// last, or 2^32 - 1 worms were enqueued since reset. ANL_ERR_MEMORY. On failure nothing has
// changed.
enum anl_status anl_discard_enqueue(struct anl_discard *machine,
                                    const struct anl_discard_worm *worm, uint32_t *id);

// Returns a worm that was enqueued since reset. The pointer is valid until the next worm is
// enqueued or reset. NULL: there is none with this id.
const struct anl_discard_worm *anl_discard_worm(const struct anl_discard *machine, uint32_t id);

enum anl_discard_fate {
    ANL_DISCARD_UNDECIDED,  // its start is to come, or its head is on its way
    ANL_DISCARD_DELIVERED,  // its head has crossed the last link, and nothing stops the others
    ANL_DISCARD_DISCARDED,  // its head found no lane
};
struct anl_discard_outcome {
    enum anl_discard_fate fate;
    uint32_t level;  // delivered: the number of levels of links. Otherwise the level of nodes that
                     // its head is on or comes to next, where it was discarded
    uint64_t step;   // delivered: in which its tail crosses the last link. Discarded: in which its
                     // head found no lane. Undecided: in which its head is on `level`
    uint32_t vc;     // delivered: its lane on the last link; otherwise 0
};
// Returns what is known of a worm that was enqueued. It is known from the step on in which its head
// crosses the last link, or finds no lane.
struct anl_discard_outcome anl_discard_outcome(const struct anl_discard *machine, uint32_t id);

// Returns the ids of the worms that were discarded in the last step, in no particular order. They
// are owned by the machine and valid until the next step, enqueue or reset.
const uint32_t *anl_discard_discarded(const struct anl_discard *machine, size_t *count);

// --- steps ---

// Runs one step.
void anl_discard_step(struct anl_discard *machine);

// Runs steps until the machine is idle, and jumps over those in which nothing is in the network.
void anl_discard_run(struct anl_discard *machine);

// Goes behind `step` at once, as if by steps. ANL_ERR_ARGUMENT: a flit is in the network, a worm
// starts in one of these steps, or `step` is before the last one; nothing has changed.
enum anl_status anl_discard_skip(struct anl_discard *machine, uint64_t step);

// Returns the number of the last step; 0 before step 1.
uint64_t anl_discard_steps(const struct anl_discard *machine);

// Returns true if the last step was the last one in which a flit could cross a link: none is in a
// register, and no source has a worm.
bool anl_discard_idle(const struct anl_discard *machine);

struct anl_discard_totals {
    uint64_t enqueued, delivered, discarded;  // worms, since reset
    uint64_t moves;  // flits that cross links: all flits of a worm count for each link as soon as
                     // its head has crossed it
    uint64_t levels[ANL_DISCARD_MAX_LEVELS * ANL_DISCARD_MAX_PASSES];  // worms discarded there
};
// Returns the totals behind the last step.
struct anl_discard_totals anl_discard_totals(const struct anl_discard *machine);

// --- flits and state ---

// Writes the flits that crossed links in the last step, ascending by link and lane, where the link
// is 2 * node + output link. Returns how many; `flits` has room for
// anl_discard_lanes(machine). It looks at each lane, so it is for traces and tests.
size_t anl_discard_flits(const struct anl_discard *machine, struct anl_flit *flits);

// Returns the number of lanes of all links, those of the last level among them.
uint32_t anl_discard_lanes(const struct anl_discard *machine);

enum { ANL_DISCARD_NO_OWNER = 0xff, ANL_DISCARD_SOURCE = 0xfe };

// What papers/cole_maggs_sitaraman/discard.md compares of a lane of a link, as it stands at the
// start of the next step.
struct anl_discard_state {
    uint32_t worm;   // whose flit crossed in the last step, and is in the link register
    uint16_t index;  // of this flit
    bool valid;      // there is one; otherwise worm and index are 0
    uint8_t owner;   // input lane of the node that sends into this lane: input link * num_vcs +
                     // lane; ANL_DISCARD_SOURCE on level 0: the injection lane of `worm`
};
// Fills the caller's array of anl_discard_lanes(machine), where lane v of link l has the number
// l * num_vcs + v.
void anl_discard_state(const struct anl_discard *machine, struct anl_discard_state *state);

#ifdef __cplusplus
}
#endif

#endif
