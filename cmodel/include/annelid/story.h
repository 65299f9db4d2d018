// SPDX-License-Identifier: Apache-2.0
//
// The story of blocked worms: where each worm's flits lie, what it waits for and why, which worm
// holds it up, and whether any of them can ever move again. Rules: docs/worms.md. It is told of
// worms and flits, as they stand in a trace, by whoever has them: a run, a reader, the lock-step.
//
//   anl_story_create(&config, listener, &story)
//   for cycle = 0, 1, 2, …: anl_story_worm() for each created; anl_story_flits() with all that
//   crossed a link; then the functions below answer for this cycle
//   anl_story_end(); anl_story_destroy()
//
// "This cycle" is the one given last to anl_story_flits(): contents as at its start, and what moved
// in it. Memory: in proportion to the network and to the worms not yet delivered. A handle may be
// used by one thread at a time.

#ifndef ANNELID_STORY_H
#define ANNELID_STORY_H

#include <annelid/flit.h>
#include <annelid/topology.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_story;

#define ANL_NOTHING UINT32_MAX  // no place, no worm, no link

enum anl_wait {
    ANL_MOVING,
    ANL_BOUND_ELSEWHERE,
    ANL_NO_CREDIT,
    ANL_LOST_ARBITRATION,
    ANL_NOT_YET,
    ANL_BEHIND,  // worms only, as the next
    ANL_QUEUED,
    ANL_WAITS  // how many there are
};
const char *anl_wait_name(enum anl_wait wait);  // "moving", "bound_elsewhere", …; "?" out of range

// --- what listeners hear ---

// An unbroken run of cycles in which a worm waited.
struct anl_stay {
    uint32_t worm;
    uint32_t place;    // of its leading flit
    uint64_t begin;    // first cycle in which the leading flit did not move
    uint64_t end;      // last one
    uint32_t blocker;  // worm that blocked it in the first of these cycles, or ANL_NOTHING
    uint32_t mover;    // worm that delayed it in that cycle, or ANL_NOTHING
    uint64_t cycles[ANL_WAITS];  // end - begin + 1 in all
};

struct anl_delay {
    uint32_t by;  // worm; the delayed one itself if it waits for its own flits
    uint64_t cycles;
};

// All that is known of a worm up to and including this cycle.
struct anl_life {
    struct anl_worm worm;
    enum anl_wait wait;  // in this cycle
    uint32_t place;      // of the leading flit; ANL_QUEUED: its source
    uint32_t links;      // crossed by its head
    uint64_t injected;   // cycle in which its head crossed the injection link; UINT64_MAX: not yet
    uint64_t delivered;  // cycle; UINT64_MAX: not yet
    uint64_t cycles[ANL_WAITS];  // their sum is the latency of a delivered worm
    struct anl_stay stay;        // the one that lasts now (end: this cycle); worm ANL_NOTHING: none
    struct anl_stay longest;     // worm ANL_NOTHING: it has never waited
    const struct anl_delay *delays;  // ascending by worm; valid until the next call with this story
    size_t num_delays;
};

// Called while a cycle is told, in no order of worms; they are not to ask the story, which is not
// yet whole.
struct anl_story_listener {
    void (*stay)(void *user, const struct anl_stay *stay);       // has ended; may be NULL
    void (*delivered)(void *user, const struct anl_life *life);  // in this cycle; may be NULL
    void *user;
};

// --- telling it ---

// config and *listener (may be NULL: nobody listens) are copied. ANL_ERR_ARGUMENT (config refused),
// ANL_ERR_MEMORY; then *story is NULL.
enum anl_status anl_story_create(const struct anl_config *config,
                                 const struct anl_story_listener *listener,
                                 struct anl_story **story);
void anl_story_destroy(struct anl_story *story);  // may be NULL

// A worm created in or before the cycle that the next anl_story_flits() is for, after the last one
// told; ids 0, 1, 2, … ANL_ERR_FORMAT (id or cycle out of turn, terminal out of range, length 0, or
// more than depth where whole worms must fit in a lane), ANL_ERR_MEMORY; no more is taken then.
enum anl_status anl_story_worm(struct anl_story *story, const struct anl_worm *worm,
                               struct anl_error *error);

// All flits that crossed a link in cycle, ascending by link. Cycles must ascend; those left out had
// no flit and are gone through one by one. ANL_ERR_FORMAT if the flits cannot be true (a flit that
// is not at the front of a place that leads to its link, a lane that overflows, two flits on one
// link, lanes that interleave worms): *error says which; the story then stays in the cycle before
// and takes no more. ANL_ERR_MEMORY likewise.
enum anl_status anl_story_flits(struct anl_story *story, uint64_t cycle,
                                const struct anl_flit *flits, size_t count,
                                struct anl_error *error);

// The run is over after `cycles` cycles: those without flits up to there are gone through, stays
// that last are told to the listener. After it the functions below still answer for the last
// cycle.
enum anl_status anl_story_end(struct anl_story *story, uint64_t cycles, struct anl_error *error);

// --- asking it, for this cycle ---

uint64_t anl_story_cycle(const struct anl_story *story);
const struct anl_config *anl_story_config(const struct anl_story *story);

// Number of places: links * num_vcs + terminals.
uint32_t anl_story_places(const struct anl_story *story);

struct anl_place {
    uint32_t link;       // that it is at the end of; ANL_NOTHING: a source
    uint32_t vc;         // lane; source: 0
    uint32_t terminal;   // source, or lane of an ejection link: its terminal; else ANL_NOTHING
    uint32_t flits;      // in it; source: of its first worm still to be injected
    uint32_t worm;       // of the front flit; ANL_NOTHING: empty, and all below is 0 or ANL_NOTHING
    uint16_t index;      // of the front flit in its worm
    enum anl_wait wait;  // ANL_MOVING: the front flit moves
    uint64_t since;  // first cycle of the present unbroken run of cycles with this front flit in
                     // which it was the front
    uint32_t wants;  // link, of two that are as good the lower one; ANL_NOTHING: the terminal takes
                     // it
    uint32_t wants_vcs;  // set of lanes, bit w: lane w of wants; from bit num_vcs on, if any, those
                         // of link wants + 1 (the other up link of a fat-tree)
    uint32_t took;       // bit of it that the front flit moved to; ANL_NOTHING: none
    uint32_t next;       // place that it waits for; ANL_NOTHING: moving, or it waits for nothing
    uint32_t distance;   // to a front that moves; UINT32_MAX: none
    uint32_t owner;      // worm that owns the lane (the place may be empty); ANL_NOTHING: none
};
// place < anl_story_places(); links that do not exist have empty lanes.
struct anl_place anl_story_place(const struct anl_story *story, uint32_t place);

// The contents of a place as runs of flits of one worm, front first; returns how many there are,
// fills at most max of them. A source: its first worm only.
struct anl_run_of_flits {
    uint32_t worm;
    uint16_t first;  // index of its first flit here
    uint16_t flits;
};
size_t anl_story_runs(const struct anl_story *story, uint32_t place, struct anl_run_of_flits *runs,
                      size_t max);

// The worm that the chain of place ends at: it moves; ANL_NOTHING if there is none.
uint32_t anl_story_mover(const struct anl_story *story, uint32_t place);

// False: it is not in the network or a source queue in this cycle (was delivered before it, or not
// yet created).
bool anl_story_life(const struct anl_story *story, uint32_t worm, struct anl_life *life);

// The places that hold flits of the worm or are owned by it, in the order of its path, farthest
// first: its ejection lane, if the head has left the network, lanes on the way there, that of its
// leading flit (anl_life says which), those behind, its source if it is not wholly injected.
// Returns how many there are, fills at most max of them.
size_t anl_story_body(const struct anl_story *story, uint32_t worm, uint32_t *places, size_t max);

// The worms not yet delivered at the start of this cycle, in no order: calls visit for each.
void anl_story_worms(const struct anl_story *story, void (*visit)(void *user, uint32_t worm),
                     void *user);

struct anl_story_totals {
    uint32_t congestion;  // c
    uint32_t dilation;    // d
    uint64_t worms;       // created
    uint64_t delivered;
    uint64_t cycles[ANL_WAITS];  // of all worms
};
struct anl_story_totals anl_story_totals(const struct anl_story *story);

// --- deadlock ---

// The first cycle at whose start a worm was dead; UINT64_MAX: none so far.
uint64_t anl_story_deadlocked(const struct anl_story *story);

// The worms of the deadlock as it closed, each held by the next, the last by the first; lowest
// first. Owned by the story, valid until destroy; *count is 0 if there is none.
const uint32_t *anl_story_circle(const struct anl_story *story, size_t *count);

// The worms that are dead at the start of this cycle, ascending; computed anew, not cheap. *worms
// is the caller's, to be freed with free(). ANL_ERR_MEMORY.
enum anl_status anl_story_dead(const struct anl_story *story, uint32_t **worms, size_t *count);

// The worm that a dead one is held by; ANL_NOTHING if it is not dead. Not cheap.
uint32_t anl_story_held_by(const struct anl_story *story, uint32_t worm);

// --- words ---

// "lane 0 of 3(1,0).+0", "source of T3". Always terminated.
void anl_place_name(const struct anl_config *config, uint32_t place, char *text, size_t size);

// What the front flit of *place wants: "lane 0 of 3(1,0).+0", "a lane of 3(1,0).+0",
// "a lane of 5(2,1).u0 or u1", "to leave"; of an empty place "nothing". Always terminated.
void anl_place_wish(const struct anl_config *config, const struct anl_place *place, char *text,
                    size_t size);

// What a place does in this cycle, one line without its own name, for people, waves and pictures:
//   empty | held by worm 4, whose next flit is on its way
//   moves to lane 1 of 3(1,0).+0 | taken by T3
//   waits: lane 0 of 3(1,0).+0 held by worm 9
//   waits: no credit for lane 0 of 3(1,0).+0, behind worm 9 | …, behind its own flits
//   lost 3(1,0).+0 to worm 5 | lost its input port to worm 5 | could cross 3(1,0).+0, but did not
//   waits for its tail
void anl_story_text(const struct anl_story *story, uint32_t place, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
