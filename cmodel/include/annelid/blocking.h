// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis: where the flits of each worm lie, what it waits for and why, which worm is
// the root blocker, and whether the worm can ever move again. Rules: docs/worms.md. Worms and flits
// are fed to it as they stand in a trace, by a run, by a reader of traces or by the lock-step.
//
//   anl_blocking_create(&config, listener, &blocking)
//   for cycle = 0, 1, 2, …: anl_blocking_feed_worm() for each worm created,
//   anl_blocking_feed_flits() with all flits that crossed a link, then the questions below
//   anl_blocking_end(), anl_blocking_destroy()
//
// "This cycle" is the one given last to anl_blocking_feed_flits(): the contents of buffers are
// those at its start, beside what moved in it. The memory is proportional to the network and to the
// worms not yet delivered. One thread at a time may use a blocking analysis.

#ifndef ANNELID_BLOCKING_H
#define ANNELID_BLOCKING_H

#include <annelid/network.h>
#include <stddef.h>
#include <stdio.h>

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
    ANL_BEHIND,  // this and the next one: worms only, no buffer
    ANL_QUEUED,
    ANL_WAITS,    // the number of waits of worms
    ANL_REFUSED,  // a lane of an ejection link alone: its terminal refuses what it shows
    ANL_LOST      // a buffer of kind bufferless alone: a fault of this cycle loses its flit
};
// Returns "moving", "bound_elsewhere", …, or "?" if wait is out of range.
const char *anl_wait_name(enum anl_wait wait);

// --- events ---

// A stall: an unbroken run of cycles in which a worm waited.
struct anl_stall {
    uint32_t worm;
    uint32_t buffer;        // that holds its leading flit
    uint64_t begin;         // first cycle in which the leading flit did not move
    uint64_t end;           // last of these cycles
    uint32_t blocker;       // worm that blocked it in the first of these cycles, or ANL_NOTHING
    uint32_t root_blocker;  // root blocker of that cycle, or ANL_NOTHING
    uint64_t cycles[ANL_WAITS];  // by cause; their sum is end - begin + 1
};

// Cycles in which one worm was the root blocker of another.
struct anl_delay {
    uint32_t by;  // id of the root blocker; the delayed worm itself if it waits for its own flits
    uint64_t cycles;
};

// Everything that is known of a worm up to and including this cycle.
struct anl_life {
    struct anl_worm worm;
    enum anl_wait wait;  // in this cycle
    uint32_t buffer;     // that holds the leading flit; ANL_QUEUED: the source
    uint32_t links;      // number of links that its head has crossed
    uint64_t injected;   // cycle in which its head crossed the injection link; UINT64_MAX: not yet
    uint64_t delivered;  // cycle of its delivery; UINT64_MAX: not yet
    uint64_t cycles[ANL_WAITS];  // their sum is the latency of a delivered worm
    struct anl_stall stall;      // the present one, up to this cycle; worm ANL_NOTHING: none
    struct anl_stall longest;    // worm is ANL_NOTHING if it has never waited
    // Ascending by root blocker; valid until the next call with this blocking analysis.
    const struct anl_delay *delays;
    size_t num_delays;
};

// Called while a cycle is fed, for worms in no order. The functions must not ask the blocking
// analysis, which is incomplete then.
struct anl_blocking_listener {
    void (*stall)(void *user, const struct anl_stall *stall);    // it has ended; may be NULL
    void (*delivered)(void *user, const struct anl_life *life);  // in this cycle; may be NULL
    void *user;
};

// --- feeding ---

// Returns, in words, what of a network the blocking analysis does not know; NULL: it knows all of
// it.
const char *anl_blocking_unknown(const struct anl_config *config);

// Makes a blocking analysis. config and *listener (NULL: nobody listens) are copied. On success
// *blocking is the caller's, who frees it with anl_blocking_destroy(). ANL_ERR_ARGUMENT (config
// refused, or not all of it known) or ANL_ERR_MEMORY: *blocking is NULL.
enum anl_status anl_blocking_create(const struct anl_config *config,
                                    const struct anl_blocking_listener *listener,
                                    struct anl_blocking **blocking);
void anl_blocking_destroy(struct anl_blocking *blocking);  // may be NULL

// Feeds a worm. It must be created after the last cycle fed, and not after the cycle that
// anl_blocking_feed_flits() gets next; ids are 0, 1, 2, …. ANL_ERR_FORMAT: id or cycle do not
// follow those before, terminal or path is out of range, length is 0 or is more than depth though
// whole worms must fit in a lane. ANL_ERR_MEMORY. After an error nothing more is accepted.
enum anl_status anl_blocking_feed_worm(struct anl_blocking *blocking, const struct anl_worm *worm,
                                       struct anl_error *error);

// Feeds all flits that crossed a link in cycle, ascending by link, those of a wide link by lane.
// Cycles must ascend; those left out had no flits. ANL_ERR_FORMAT: the flits cannot be true (a flit
// is not at the front of a buffer that leads to its link, a lane overflows, two flits are on one
// link, a lane interleaves worms), and *error says which one. ANL_ERR_MEMORY. After an error the
// blocking analysis remains in the cycle before and accepts nothing more.
enum anl_status anl_blocking_feed_flits(struct anl_blocking *blocking, uint64_t cycle,
                                        const struct anl_flit *flits, size_t count,
                                        struct anl_error *error);

// Ends the run after `cycles` cycles, of which those not fed had no flits. Stalls that last are
// reported to the listener. The functions below still answer for the last cycle. Returns what
// anl_blocking_feed_flits() does.
enum anl_status anl_blocking_end(struct anl_blocking *blocking, uint64_t cycles,
                                 struct anl_error *error);

// --- questions about this cycle ---

// Return this cycle, and the configuration, which the blocking analysis owns.
uint64_t anl_blocking_cycle(const struct anl_blocking *blocking);
const struct anl_config *anl_blocking_config(const struct anl_blocking *blocking);

// Returns the number of buffers: links * num_vcs + terminals * classes. The source of a terminal
// for class c of messages is buffer links * num_vcs + c * terminals + terminal. If links are wide
// there are num_vcs senders in place of classes (docs/worms.md, "Wide links").
uint32_t anl_blocking_num_buffers(const struct anl_blocking *blocking);

struct anl_buffer {
    uint32_t link;       // at whose end the lane is; ANL_NOTHING: a source
    uint32_t vc;         // number of the lane; source: of its sender
    uint32_t terminal;   // of a source, or of a lane of an ejection link; otherwise ANL_NOTHING
    uint32_t flits;      // in the buffer; source: flits of its worm that are not yet injected
    uint32_t worm;       // of the front flit; ANL_NOTHING: empty, and all fields but owner are 0 or
                         // ANL_NOTHING
    uint16_t index;      // of the front flit in its worm
    enum anl_wait wait;  // of the front flit; ANL_MOVING: it moves, or is in the first of two
                         // stages of its switch
    uint64_t since;      // first cycle in which the front flit was at the front
    uint32_t wants;      // link, the lower of two that are equally good; ANL_NOTHING: the terminal
                         // takes the flit
    uint32_t wants_vcs;  // mask of the lanes of wants; from bit num_vcs on those of link wants + 1,
                         // if wanted (the other up link of a fat-tree)
    uint32_t took;  // the bit of wants_vcs to which the front flit moved; ANL_NOTHING: none. Of
                    // a head that selects: the number of the lane, from lane 0 of wants on
    struct anl_route options;  // of a head that selects (docs/switch.md, "Adaptive routes"): all
                               // that it wants, and wants is the lowest link of it; else ports is 0
    uint32_t next;      // buffer for which it waits; ANL_NOTHING: it moves or waits for nothing
    uint32_t distance;  // to a front flit that moves; UINT32_MAX: there is none
    uint32_t owner;     // worm that owns the lane, which may be empty; ANL_NOTHING: none
};
// Returns the state of a buffer < anl_blocking_num_buffers(). Links that do not exist have empty
// lanes.
struct anl_buffer anl_blocking_buffer(const struct anl_blocking *blocking, uint32_t buffer);

// Lists the contents of a buffer as runs of flits of one worm, the front run first; of a source the
// worm at its sender only. Writes at most max runs; returns how many there are.
struct anl_flit_run {
    uint32_t worm;
    uint16_t first;  // index of its first flit in the buffer
    uint16_t flits;
};
size_t anl_blocking_runs(const struct anl_blocking *blocking, uint32_t buffer,
                         struct anl_flit_run *runs, size_t max);

// Returns the root blocker: the worm that moves at the end of the buffer's chain, or ANL_NOTHING.
uint32_t anl_blocking_root_blocker(const struct anl_blocking *blocking, uint32_t buffer);

// Writes what is known of a worm and returns true; false if the worm is neither in the network nor
// in a source queue in this cycle (not yet created, or delivered before this cycle).
bool anl_blocking_life(const struct anl_blocking *blocking, uint32_t worm, struct anl_life *life);

// Writes a worm as it was fed and returns true, also if it was delivered and some of its flits
// stand in the lane of a terminal that refuses; false if nothing of it is in the network or at a
// source.
bool anl_blocking_worm(const struct anl_blocking *blocking, uint32_t id, struct anl_worm *worm);

// Lists the buffers that hold flits of the worm or are owned by it, in the order of its path, the
// farthest first: its ejection lane if the head has left the network, empty lanes behind it, the
// buffer of its leading flit (anl_life.buffer), the lanes behind, and its source if it is not
// wholly injected. Writes at most max buffers; returns how many there are.
size_t anl_blocking_body(const struct anl_blocking *blocking, uint32_t worm, uint32_t *buffers,
                         size_t max);

// Calls visit for each worm not yet delivered at the start of this cycle, in no order.
void anl_blocking_worms(const struct anl_blocking *blocking,
                        void (*visit)(void *user, uint32_t worm), void *user);

struct anl_blocking_totals {
    uint32_t congestion;  // c: the most worms whose heads crossed one link
    uint32_t dilation;    // d: the most links that the head of one worm crossed
    uint64_t worms;       // created so far
    uint64_t delivered;
    uint64_t cycles[ANL_WAITS];  // of all worms, by what they did
};
// Returns the totals up to and including this cycle.
struct anl_blocking_totals anl_blocking_totals(const struct anl_blocking *blocking);

// --- deadlock ---

// Returns the first cycle at whose start a worm was dead; UINT64_MAX: none so far.
uint64_t anl_blocking_deadlocked(const struct anl_blocking *blocking);

// Returns the worms of the deadlock in the cycle in which it closed, the lowest first: each is held
// by the next one, the last by the first. The blocking analysis owns the array until destroy;
// *count is 0 if there is no deadlock.
const uint32_t *anl_blocking_circle(const struct anl_blocking *blocking, size_t *count);

// Returns, for each worm of the circle, the terminal that stands between it and the next one: what
// the worm sends comes to this terminal, which refuses requests until the next worm has left its
// source. ANL_NOTHING: none does. The array is that of the circle; NULL if there is no deadlock.
const uint32_t *anl_blocking_circle_terminals(const struct anl_blocking *blocking);

// Lists the worms that are dead at the start of this cycle, ascending. The search is expensive. The
// caller frees *worms with free(). ANL_ERR_MEMORY.
enum anl_status anl_blocking_dead(const struct anl_blocking *blocking, uint32_t **worms,
                                  size_t *count);

// Returns the worm that holds a dead worm; ANL_NOTHING if the worm is not dead. The search is
// expensive.
uint32_t anl_blocking_held_by(const struct anl_blocking *blocking, uint32_t worm);

// --- texts ---

// Writes the name of a buffer: "lane 0 of 3(1,0).+0", "source of T3", with several classes or
// senders "source of T3 class 1" and "source of T3 sender 1". Always terminated.
void anl_buffer_name(const struct anl_config *config, uint32_t buffer, char *text, size_t size);

// Writes the lanes that the front flit of *buffer wants, ascending; lanes has room for
// ANL_MAX_PORTS * ANL_MAX_VCS. Returns how many there are.
size_t anl_buffer_wanted(const struct anl_config *config, const struct anl_buffer *buffer,
                         uint32_t *lanes);

// Writes what the front flit of *buffer wants: "lane 0 of 3(1,0).+0", "a lane of 3(1,0).+0", "a
// lane of 5(2,1).u0 or u1", "to leave", or "nothing" for an empty buffer. Always terminated.
void anl_buffer_wish(const struct anl_config *config, const struct anl_buffer *buffer, char *text,
                     size_t size);

// Writes what a buffer does in this cycle, on one line without its name, for people, waves and
// pictures:
//   empty | held by worm 4, whose next flit is on its way
//   moves to lane 1 of 3(1,0).+0 | taken by T3
//   is in the first stage | in the register, moves to lane 1 of 3(1,0).+0 (of two stages)
//   waits: lane 0 of 3(1,0).+0 held by worm 9
//   waits: no credit for lane 0 of 3(1,0).+0, behind worm 9 | …, behind its own flits
//   waits: the credit for lane 0 of 3(1,0).+0 is on its way (with two stages)
//   lost 3(1,0).+0 to worm 5 | lost its input port to worm 5 | could cross 3(1,0).+0, but did not
//   waits for its tail | waits for worm 5 to begin (of its source, on wide links)
//   lost lane 1 of 3(1,0).+0 to worm 5 (on wide links)
//   refused by T3 until a reply leaves, behind worm 9 | waits: T3 refuses lane 1 of 3(1,0).T
void anl_blocking_text(const struct anl_blocking *blocking, uint32_t buffer, char *text,
                       size_t size);

// Returns the lane whose front flit has been at the front longest; ANL_NOTHING: all lanes are
// empty.
uint32_t anl_blocking_oldest(const struct anl_blocking *blocking);

// Returns the buffer of a worm's leading flit, where its chain begins; ANL_NOTHING: the worm is
// neither in the network nor in a source queue.
uint32_t anl_blocking_leading(const struct anl_blocking *blocking, uint32_t worm);

// A line of a delay chain or of a deadlock in words. Plain data.
struct anl_chain_line {
    uint32_t buffer;  // ANL_NOTHING: the line is a remark behind the others
    uint32_t worm;    // ANL_NOTHING: the buffer is empty, or the line is a remark
    uint32_t index;   // of the worm's flit that is at the front; ANL_NOTHING: none is
    uint64_t since;   // first cycle in which this flit was at the front
    enum anl_wait wait;
    char text[768];  // the line for people, without the end of a line
};
typedef void anl_chain_told(void *user, const struct anl_chain_line *line);

// Tells the chain of a buffer, a line for each buffer on it, at most 16 and then "…".
void anl_blocking_tell_chain(const struct anl_blocking *blocking, uint32_t buffer,
                             anl_chain_told *told, void *user);
// Tells the worms of the deadlock, each held by the next one, at most 16 and then how many there
// are; nothing if there is no deadlock.
void anl_blocking_tell_deadlock(const struct anl_blocking *blocking, anl_chain_told *told,
                                void *user);

// Prints the chain of a buffer: the first line after label, the others below it.
void anl_blocking_print_chain(FILE *out, const char *label, const struct anl_blocking *blocking,
                              uint32_t buffer);

// Prints the worms of the deadlock in the same way.
void anl_blocking_print_deadlock(FILE *out, const char *label, const struct anl_blocking *blocking);

#ifdef __cplusplus
}
#endif

#endif
