// SPDX-License-Identifier: Apache-2.0
//
// The referee checks a stream of worms and flits by the rules of the game alone. It shares no code
// with the engine and no table with the network: it has its own reading of docs/networks.md.
//
// The rules, by name:
//   unknown_worm    a flit belongs to a worm that was not created, or the worm cannot exist
//   bad_link        the link does not exist, or the lane is >= num_vcs
//   link_busy       two flits cross one link in one cycle
//   broken_path     a flit leaves a switch that it is not in, or enters at a terminal that is not
//                   its source
//   too_early       a flit leaves a lane in the cycle in which it entered it
//   out_of_order    a flit is not the next one of its worm on this link (it was lost, repeated,
//                   made up or reordered), or overtakes another worm in a lane
//   bad_marks       the head or tail mark does not fit the index and the length of the worm
//   lane_shared     two worms interleave in one lane
//   split_worm      flits of one worm leave by different ports or change lanes on one link
//   overflow        a lane holds more than depth flits
//   wrong_class     a head takes a lane of another class than that of its worm
//   illegal_route   the routing does not allow the output port or the lane
//   not_empty       a head takes an atomic lane in which flits were at the start of the cycle
//   not_admitted    a head moves against the admission rule (the whole worm must fit below, or the
//                   whole worm must be here)
//   wrong_terminal  a flit is ejected at a terminal that is not the destination
//   undelivered     at the end a worm has not arrived, although the run claims to be complete
//   no_credit       a flit is sent to a lane for which its sender has no credit
//   early_credit    a credit comes back although the credits of all flits that have left the lane
//                   are back: it is one too many, or its flit is still in the lane
//   lost_credit     the network is at rest, and a credit of a flit that has left its lane is
//                   missing
//   wrong_cycle     a worm whose message waits for others is created in another cycle than the one
//                   that follows from their deliveries and from the cycle of the message, or
//                   before all of them are delivered
//   bad_reply       a reply is created in another cycle than that in which its terminal takes the
//                   tail of a request for it, or not at all
//
// Of several options of a head any one is allowed, since links do not show which of them were open.
//
// The referee sees links, not the inside of switches: a flit is in the lane at the end of a link
// from the cycle after it crossed the link until it crosses the next one. It may wait there for any
// time. Its credit may come back in the cycle in which it leaves or in any later one;
// no_credit, early_credit and lost_credit are checked only if the credits are reported.
//
// A terminal that can refuse (docs/switch.md, "Requests and replies") takes flits exactly when the
// page says so: the referee plays its sinks. So a flit that is sent to a lane which a refusal keeps
// full breaks overflow, and the credit of a flit that no sink has taken breaks early_credit.

#ifndef ANNELID_REFEREE_H
#define ANNELID_REFEREE_H

#include <annelid/base.h>
#include <annelid/network.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_referee;

enum anl_rule {
    ANL_RULE_NONE,
    ANL_RULE_UNKNOWN_WORM,
    ANL_RULE_BAD_LINK,
    ANL_RULE_LINK_BUSY,
    ANL_RULE_BROKEN_PATH,
    ANL_RULE_TOO_EARLY,
    ANL_RULE_OUT_OF_ORDER,
    ANL_RULE_BAD_MARKS,
    ANL_RULE_LANE_SHARED,
    ANL_RULE_SPLIT_WORM,
    ANL_RULE_OVERFLOW,
    ANL_RULE_WRONG_CLASS,
    ANL_RULE_ILLEGAL_ROUTE,
    ANL_RULE_NOT_EMPTY,
    ANL_RULE_NOT_ADMITTED,
    ANL_RULE_WRONG_TERMINAL,
    ANL_RULE_UNDELIVERED,
    ANL_RULE_NO_CREDIT,
    ANL_RULE_EARLY_CREDIT,
    ANL_RULE_LOST_CREDIT,
    ANL_RULE_BAD_REPLY,
    ANL_RULE_WRONG_CYCLE,
    // Kind bufferless: ANL_RULE_WRONG_CYCLE + enum anl_bufferless_rule.
    ANL_RULE_UNKNOWN_FLIT,
    ANL_RULE_ONE_FLIT,
    ANL_RULE_CONTIGUOUS,
    ANL_RULE_NO_IDLE,
    ANL_RULE_ONE_ARRIVAL,
    ANL_RULE_ON_TIME,
    ANL_RULE_ONE_BEND,
    // Kind discarding has those of enum anl_discard_rule, some of which have a name above.
    ANL_RULE_PATH,
    ANL_RULE_FROM_NOWHERE,
    ANL_RULE_FULL,
    // Kind diagonals: ANL_RULE_FULL + enum anl_diagonals_rule, of which this is the last one.
    ANL_RULE_LOST = ANL_RULE_FULL + 11,
};

// The credits that come back to the sender of a link in a cycle (docs/link.md).
struct anl_credits {
    uint32_t link;
    uint32_t lanes;  // bit v: one for lane v
};

struct anl_violation {
    enum anl_rule rule;
    uint64_t cycle;
    uint32_t link;
    uint32_t worm;   // UINT32_MAX: it is a credit that breaks the rule
    char text[256];  // one line for people
};

// Makes a referee; config is copied. With kind bufferless it is the one at the end of this page, to
// which the records of a trace are handed, and worms have the numbers 0, 1, …. On success *referee
// is the caller's, who frees it with anl_referee_destroy(). ANL_ERR_ARGUMENT (config refused) or
// ANL_ERR_MEMORY: *referee is NULL.
enum anl_status anl_referee_create(const struct anl_config *config, struct anl_referee **referee);
void anl_referee_destroy(struct anl_referee *referee);  // may be NULL

// Lets the referee remember when each worm is delivered (8 bytes a worm), so that worms may wait
// for others. It must be called before the first record; without it a worm that has waited for
// others breaks wrong_cycle.
void anl_referee_remember(struct anl_referee *referee);

// Take the records in the order of docs/trace.md; one call has all flits of a cycle, and cycle <
// UINT64_MAX. They return true as long as no rule is broken and ignore everything after the first
// violation. They also return false, without a violation, if memory runs out: see
// anl_referee_status().
bool anl_referee_worm(struct anl_referee *referee, const struct anl_worm *worm);
bool anl_referee_flits(struct anl_referee *referee, uint64_t cycle, const struct anl_flit *flits,
                       size_t count);
// Takes the flits of a cycle as anl_referee_flits() does, and besides the credits of the same
// cycle. A caller that reports credits must call this one in every cycle, also if nothing happens
// in it.
bool anl_referee_cycle(struct anl_referee *referee, uint64_t cycle, const struct anl_flit *flits,
                       size_t count, const struct anl_credits *credits, size_t num_credits);
// Returns how many credits of flits that have left their lanes are not back. It asks every lane.
uint64_t anl_referee_credits_due(const struct anl_referee *referee);
// Says that the network is at rest: no flit moves, and every credit has had the time to come back.
// Returns true if none is lost. The violation has the cycle in which the first one was due.
bool anl_referee_rest(struct anl_referee *referee);
// Ends the run. If complete is true, every worm should have been delivered. Returns true if no rule
// is broken.
bool anl_referee_end(struct anl_referee *referee, uint64_t cycles, bool complete);

// Returns the first violation, which the referee owns, or NULL.
const struct anl_violation *anl_referee_violation(const struct anl_referee *referee);
// Packs or unpacks what a referee of kind buffered knows between two cycles (docs/checkpoint.md),
// into one that was just made for the same network.
void anl_referee_pack(struct anl_referee *referee, struct anl_pack *pack, anl_tie *tie, void *user);
// Returns ANL_OK or ANL_ERR_MEMORY.
enum anl_status anl_referee_status(const struct anl_referee *referee);
// Returns the rule's name as above, "none", or "?" if rule is out of range.
const char *anl_rule_name(enum anl_rule rule);
// Returns what breaks the rule, in words as above and on one line; "?" if rule is out of range.
const char *anl_rule_text(enum anl_rule rule);

// --- the mesh without buffers ---
//
// A referee of its own has the rules of docs/bufferless.md, "Rules of the game". It sees which
// flits stand at the ends of links and which are consumed, and shares no code with the model:
//
//   unknown_flit  the flit belongs to no worm, its marks are wrong, or there is no such link
//   one_flit      I1: two flits are on one link
//   contiguous    I2: flit j + 1 does not cross a link one step after flit j
//   no_idle       I3: a flit waits, is lost, or comes from nowhere
//   one_arrival   I4: a node consumes two flits in a step
//   on_time       I5: a flit is not consumed at its destination in the step start + d + j
//   one_bend      a flit leaves the one-bend path of its worm

struct anl_bufferless_referee;

enum anl_bufferless_rule {
    ANL_BUFFERLESS_KEPT,
    ANL_BUFFERLESS_UNKNOWN_FLIT,
    ANL_BUFFERLESS_ONE_FLIT,
    ANL_BUFFERLESS_CONTIGUOUS,
    ANL_BUFFERLESS_NO_IDLE,
    ANL_BUFFERLESS_ONE_ARRIVAL,
    ANL_BUFFERLESS_ON_TIME,
    ANL_BUFFERLESS_ONE_BEND,
};
struct anl_bufferless_violation {
    enum anl_bufferless_rule rule;
    uint64_t step;
    uint32_t link;  // by which the flit came: node * 5 + port; port 4 is the terminal
    uint32_t worm, index;
};

// Makes a referee for an n x n mesh, n from 1 to 512. On success the caller frees *referee with
// anl_bufferless_referee_destroy(). ANL_ERR_ARGUMENT or ANL_ERR_MEMORY: *referee is NULL.
enum anl_status anl_bufferless_referee_create(uint32_t n, struct anl_bufferless_referee **referee);
void anl_bufferless_referee_destroy(struct anl_bufferless_referee *referee);  // may be NULL

// Lets worms take any path, before the first step: one_bend asks nothing, and on_time asks that the
// flits of a worm are consumed at its destination, in order, one a step.
void anl_bufferless_referee_any_path(struct anl_bufferless_referee *referee);

// Takes a worm: source, destination, length and created, which is its start. Worms have the numbers
// 0, 1, … in the order of these calls. ANL_ERR_ARGUMENT: there is no such node, or length is 0;
// ANL_ERR_MEMORY.
enum anl_status anl_bufferless_referee_worm(struct anl_bufferless_referee *referee,
                                            const struct anl_worm *worm);

// Takes the flits that stand in link registers at the start of a step, by the link that they have
// crossed, and those that are consumed in this step, by the link of port 4 of the node. Steps are
// 1, 2, …, none left out. Returns true as long as no rule is broken, and looks no further then.
bool anl_bufferless_referee_step(struct anl_bufferless_referee *referee, uint64_t step,
                                 const struct anl_flit *standing, size_t num_standing,
                                 const struct anl_flit *consumed, size_t num_consumed);
// Ends the run behind the last step. Returns true if no rule is broken: every flit was consumed.
bool anl_bufferless_referee_end(struct anl_bufferless_referee *referee);

// Returns the first violation, which the referee owns; its rule is ANL_BUFFERLESS_KEPT if there is
// none.
const struct anl_bufferless_violation *
anl_bufferless_referee_violation(const struct anl_bufferless_referee *referee);
// Returns the rule's name as above, "kept" if no rule is broken.
const char *anl_bufferless_rule_name(enum anl_bufferless_rule rule);

// --- the butterfly that discards ---
//
// A referee of its own has the rules of docs/discard.md, "Rules of the game". It sees which flits
// cross links, and shares no code with the model:
//
//   unknown_flit  the flit belongs to no worm, its marks are wrong, or there is no such lane
//   one_flit      I1: two flits are in one lane
//   path          I2: the link is not on the path of the worm
//   on_time       I2: flit j crosses the link of level i in another step than s + i + j
//   from_nowhere  I2: a head crosses a link, and did not cross the one before
//   contiguous    I1, whole, lane: a flit does not follow the one before it in its lane, or a
//                 worm in a lane does not go on
//   full          the head of a worm does not cross a link in which fewer than B flits cross

struct anl_discard_referee;

enum anl_discard_rule {
    ANL_DISCARD_KEPT,
    ANL_DISCARD_UNKNOWN_FLIT,
    ANL_DISCARD_ONE_FLIT,
    ANL_DISCARD_PATH,
    ANL_DISCARD_ON_TIME,
    ANL_DISCARD_FROM_NOWHERE,
    ANL_DISCARD_CONTIGUOUS,
    ANL_DISCARD_FULL,
};
struct anl_discard_violation {
    enum anl_discard_rule rule;
    uint64_t step;
    uint32_t link, vc;  // of full: the link that the head needs, and vc 0
    uint32_t worm, index;
};

// Makes a referee for butterflies of 2^levels columns, 1 or 2 passes, and num_vcs lanes a link. On
// success the caller frees *referee with anl_discard_referee_destroy(). ANL_ERR_ARGUMENT or
// ANL_ERR_MEMORY: *referee is NULL.
enum anl_status anl_discard_referee_create(uint32_t levels, uint32_t passes, uint32_t num_vcs,
                                           struct anl_discard_referee **referee);
void anl_discard_referee_destroy(struct anl_discard_referee *referee);  // may be NULL

// Takes a worm, before its start: source, destination and path are columns, path the intermediate
// one with two passes; created is the start, which is not before that of the worm taken last. Worms
// have the numbers 0, 1, … in the order of these calls. ANL_ERR_ARGUMENT: something of this is not
// so, or length is 0; ANL_ERR_MEMORY.
enum anl_status anl_discard_referee_worm(struct anl_discard_referee *referee,
                                         const struct anl_worm *worm);

// Takes the flits that cross links in a step, in any order; the link is 2 * node + output link.
// Steps are 1, 2, …, none left out. Returns true as long as no rule is broken, and looks no further
// then.
bool anl_discard_referee_step(struct anl_discard_referee *referee, uint64_t step,
                              const struct anl_flit *flits, size_t count);
// Ends the run behind the last step. Returns true if no rule is broken: no worm was on its way.
bool anl_discard_referee_end(struct anl_discard_referee *referee);

// Returns how many worms were seen to be discarded, and how many heads crossed the last link.
void anl_discard_referee_count(const struct anl_discard_referee *referee, uint64_t *discarded,
                               uint64_t *delivered);

// Returns the first violation, which the referee owns; its rule is ANL_DISCARD_KEPT if there is
// none.
const struct anl_discard_violation *
anl_discard_referee_violation(const struct anl_discard_referee *referee);
// Returns the rule's name as above, "kept" if no rule is broken.
const char *anl_discard_rule_name(enum anl_discard_rule rule);

// --- sliding diagonals ---
//
// A referee of its own has the rules of docs/diagonals.md, "Rules of the game". It sees which flits
// stand in registers and which leave, and shares no code with the model:
//
//   unknown_flit  the flit belongs to no worm, its marks are wrong, there is no such register, or
//                 it is in two places
//   one_flit      two flits are in one register
//   enters        a flit comes from a terminal in another step, or to another register
//   contiguous    a flit does not follow the one before it
//   distribution, phase_1, reorder, phase_2, delivery
//                 a head goes where its phase does not lead it
//   reservoir     the same in a column before the stage ends
//   lost          a flit is not seen again, or is in the network at the end

struct anl_diagonals_referee;

enum anl_diagonals_rule {
    ANL_DIAGONALS_KEPT,
    ANL_DIAGONALS_UNKNOWN_FLIT,
    ANL_DIAGONALS_ONE_FLIT,
    ANL_DIAGONALS_ENTERS,
    ANL_DIAGONALS_CONTIGUOUS,
    ANL_DIAGONALS_DISTRIBUTION,
    ANL_DIAGONALS_PHASE_1,
    ANL_DIAGONALS_REORDER,
    ANL_DIAGONALS_PHASE_2,
    ANL_DIAGONALS_RESERVOIR,
    ANL_DIAGONALS_DELIVERY,
    ANL_DIAGONALS_LOST,
};
struct anl_diagonals_violation {
    enum anl_diagonals_rule rule;
    uint64_t step;
    uint32_t link;  // the register in which the flit is; of lost, in which it was
    uint32_t worm, index;
};

// The parameters of docs/diagonals.md.
struct anl_diagonals_torus {
    uint32_t n, d, length, a, b, c, rounds, forward, round_cycles;
};

// Makes a referee of a torus. On success the caller frees *referee with
// anl_diagonals_referee_destroy(). ANL_ERR_ARGUMENT: no such torus, or not the parameters of one;
// ANL_ERR_MEMORY: *referee is NULL.
enum anl_status anl_diagonals_referee_create(const struct anl_diagonals_torus *torus,
                                             struct anl_diagonals_referee **referee);
void anl_diagonals_referee_destroy(struct anl_diagonals_referee *referee);  // may be NULL

// Takes a worm, before the first step: source, destination, length, which is L, and created, the
// step in which its batch begins. Worms have the numbers 0, 1, … in the order of these calls.
// ANL_ERR_ARGUMENT: something of this is not so, or no batch begins in that step; ANL_ERR_MEMORY.
enum anl_status anl_diagonals_referee_worm(struct anl_diagonals_referee *referee,
                                           const struct anl_worm *worm);

// Takes the flits that stand in registers at the start of a step, and those that leave in it. A
// register has the number node * 2 d + 2 dimension + (0 for +, 1 for -), where node is
// the one at the end of its link. Steps are 0, 1, …, none left out. Returns true as long as no rule
// is broken, and looks no further then.
bool anl_diagonals_referee_step(struct anl_diagonals_referee *referee, uint64_t step,
                                const struct anl_flit *standing, size_t num_standing,
                                const struct anl_flit *leaving, size_t num_leaving);
// Ends the run behind the last step. Returns true if no rule is broken: every flit has left.
bool anl_diagonals_referee_end(struct anl_diagonals_referee *referee);

// Returns how many worms were delivered, and how many left the network elsewhere.
void anl_diagonals_referee_count(const struct anl_diagonals_referee *referee, uint64_t *delivered,
                                 uint64_t *failed);

// Returns the first violation, which the referee owns; its rule is ANL_DIAGONALS_KEPT if there is
// none.
const struct anl_diagonals_violation *
anl_diagonals_referee_violation(const struct anl_diagonals_referee *referee);
// Returns the rule's name as above, "kept" if no rule is broken.
const char *anl_diagonals_rule_name(enum anl_diagonals_rule rule);

#ifdef __cplusplus
}
#endif

#endif
