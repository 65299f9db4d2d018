// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis: where each worm's flits lie, what it waits for and why, which worm
// holds it up, and whether any of them can ever move again. Rules: docs/worms.md. It is fed of
// worms and flits, as they stand in a trace, by whoever has them: a run, a reader, the lock-step.
//
//   anl_blocking_create(&config, listener, &blocking analysis)
//   for cycle = 0, 1, 2, …: anl_blocking_feed_worm() for each created; anl_blocking_feed_flits()
//   with all that crossed a link; then the functions below answer for this cycle
//   anl_blocking_end(); anl_blocking_destroy()
//
// "This cycle" is the one given last to anl_blocking_feed_flits(): contents as at its start, and
// what moved in it. Memory: in proportion to the network and to the worms not yet delivered. A
// handle may be used by one thread at a time.

#ifndef ANNELID_BLOCKING_H
#define ANNELID_BLOCKING_H

#include <annelid/network.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_blocking;

#define ANL_NOTHING UINT32_MAX  // no buffer, no worm, no link

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
struct anl_stall {
    uint32_t worm;
    uint32_t buffer;        // of its leading flit
    uint64_t begin;         // first cycle in which the leading flit did not move
    uint64_t end;           // last one
    uint32_t blocker;       // worm that blocked it in the first of these cycles, or ANL_NOTHING
    uint32_t root_blocker;  // worm that delayed it in that cycle, or ANL_NOTHING
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
    uint32_t buffer;     // of the leading flit; ANL_QUEUED: its source
    uint32_t links;      // crossed by its head
    uint64_t injected;   // cycle in which its head crossed the injection link; UINT64_MAX: not yet
    uint64_t delivered;  // cycle; UINT64_MAX: not yet
    uint64_t cycles[ANL_WAITS];  // their sum is the latency of a delivered worm
    struct anl_stall stall;      // the one that lasts now (end: this cycle); worm ANL_NOTHING: none
    struct anl_stall longest;    // worm ANL_NOTHING: it has never waited
    const struct anl_delay
        *delays;  // ascending by worm; valid until the next call with this blocking analysis
    size_t num_delays;
};

// Called while a cycle is fed, in no order of worms; they are not to ask the blocking analysis,
// which is not yet whole.
struct anl_blocking_listener {
    void (*stall)(void *user, const struct anl_stall *stall);    // has ended; may be NULL
    void (*delivered)(void *user, const struct anl_life *life);  // in this cycle; may be NULL
    void *user;
};

// --- telling it ---

// config and *listener (may be NULL: nobody listens) are copied. ANL_ERR_ARGUMENT (config refused),
// ANL_ERR_MEMORY; then *blocking analysis is NULL.
enum anl_status anl_blocking_create(const struct anl_config *config,
                                    const struct anl_blocking_listener *listener,
                                    struct anl_blocking **blocking);
void anl_blocking_destroy(struct anl_blocking *blocking);  // may be NULL

// A worm created in or before the cycle that the next anl_blocking_feed_flits() is for, after the
// last one fed; ids 0, 1, 2, … ANL_ERR_FORMAT (id or cycle out of turn, terminal out of range,
// length 0, or more than depth where whole worms must fit in a lane), ANL_ERR_MEMORY; no more is
// taken then.
enum anl_status anl_blocking_feed_worm(struct anl_blocking *blocking, const struct anl_worm *worm,
                                       struct anl_error *error);

// All flits that crossed a link in cycle, ascending by link. Cycles must ascend; those left out had
// no flit and are gone through one by one. ANL_ERR_FORMAT if the flits cannot be true (a flit that
// is not at the front of a buffer that leads to its link, a lane that overflows, two flits on one
// link, lanes that interleave worms): *error says which; the blocking analysis then stays in the
// cycle before and takes no more. ANL_ERR_MEMORY likewise.
enum anl_status anl_blocking_feed_flits(struct anl_blocking *blocking, uint64_t cycle,
                                        const struct anl_flit *flits, size_t count,
                                        struct anl_error *error);

// The run is over after `cycles` cycles: those without flits up to there are gone through, stays
// that last are fed to the listener. After it the functions below still answer for the last
// cycle.
enum anl_status anl_blocking_end(struct anl_blocking *blocking, uint64_t cycles,
                                 struct anl_error *error);

// --- asking it, for this cycle ---

uint64_t anl_blocking_cycle(const struct anl_blocking *blocking);
const struct anl_config *anl_blocking_config(const struct anl_blocking *blocking);

// Number of buffers: links * num_vcs + terminals.
uint32_t anl_blocking_num_buffers(const struct anl_blocking *blocking);

struct anl_buffer {
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
    uint32_t next;       // buffer that it waits for; ANL_NOTHING: moving, or it waits for nothing
    uint32_t distance;   // to a front that moves; UINT32_MAX: none
    uint32_t owner;      // worm that owns the lane (the buffer may be empty); ANL_NOTHING: none
};
// buffer < anl_blocking_num_buffers(); links that do not exist have empty lanes.
struct anl_buffer anl_blocking_buffer(const struct anl_blocking *blocking, uint32_t buffer);

// The contents of a buffer as runs of flits of one worm, front first; returns how many there are,
// fills at most max of them. A source: its first worm only.
struct anl_flit_run {
    uint32_t worm;
    uint16_t first;  // index of its first flit here
    uint16_t flits;
};
size_t anl_blocking_runs(const struct anl_blocking *blocking, uint32_t buffer,
                         struct anl_flit_run *runs, size_t max);

// The worm that the chain of buffer ends at: it moves; ANL_NOTHING if there is none.
uint32_t anl_blocking_root_blocker(const struct anl_blocking *blocking, uint32_t buffer);

// False: it is not in the network or a source queue in this cycle (was delivered before it, or not
// yet created).
bool anl_blocking_life(const struct anl_blocking *blocking, uint32_t worm, struct anl_life *life);

// The buffers that hold flits of the worm or are owned by it, in the order of its path, farthest
// first: its ejection lane, if the head has left the network, lanes on the way there, that of its
// leading flit (anl_life says which), those behind, its source if it is not wholly injected.
// Returns how many there are, fills at most max of them.
size_t anl_blocking_body(const struct anl_blocking *blocking, uint32_t worm, uint32_t *buffers,
                         size_t max);

// The worms not yet delivered at the start of this cycle, in no order: calls visit for each.
void anl_blocking_worms(const struct anl_blocking *blocking,
                        void (*visit)(void *user, uint32_t worm), void *user);

struct anl_blocking_totals {
    uint32_t congestion;  // c
    uint32_t dilation;    // d
    uint64_t worms;       // created
    uint64_t delivered;
    uint64_t cycles[ANL_WAITS];  // of all worms
};
struct anl_blocking_totals anl_blocking_totals(const struct anl_blocking *blocking);

// --- deadlock ---

// The first cycle at whose start a worm was dead; UINT64_MAX: none so far.
uint64_t anl_blocking_deadlocked(const struct anl_blocking *blocking);

// The worms of the deadlock as it closed, each held by the next, the last by the first; lowest
// first. Owned by the blocking analysis, valid until destroy; *count is 0 if there is none.
const uint32_t *anl_blocking_circle(const struct anl_blocking *blocking, size_t *count);

// The worms that are dead at the start of this cycle, ascending; computed anew, not cheap. *worms
// is the caller's, to be freed with free(). ANL_ERR_MEMORY.
enum anl_status anl_blocking_dead(const struct anl_blocking *blocking, uint32_t **worms,
                                  size_t *count);

// The worm that a dead one is held by; ANL_NOTHING if it is not dead. Not cheap.
uint32_t anl_blocking_held_by(const struct anl_blocking *blocking, uint32_t worm);

// --- words ---

// "lane 0 of 3(1,0).+0", "source of T3". Always terminated.
void anl_buffer_name(const struct anl_config *config, uint32_t buffer, char *text, size_t size);

// What the front flit of *buffer wants: "lane 0 of 3(1,0).+0", "a lane of 3(1,0).+0",
// "a lane of 5(2,1).u0 or u1", "to leave"; of an empty buffer "nothing". Always terminated.
void anl_buffer_wish(const struct anl_config *config, const struct anl_buffer *buffer, char *text,
                     size_t size);

// What a buffer does in this cycle, one line without its own name, for people, waves and pictures:
//   empty | held by worm 4, whose next flit is on its way
//   moves to lane 1 of 3(1,0).+0 | taken by T3
//   waits: lane 0 of 3(1,0).+0 held by worm 9
//   waits: no credit for lane 0 of 3(1,0).+0, behind worm 9 | …, behind its own flits
//   lost 3(1,0).+0 to worm 5 | lost its input port to worm 5 | could cross 3(1,0).+0, but did not
//   waits for its tail
void anl_blocking_text(const struct anl_blocking *blocking, uint32_t buffer, char *text,
                       size_t size);

#ifdef __cplusplus
}
#endif

#endif
