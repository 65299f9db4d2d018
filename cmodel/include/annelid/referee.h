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
//   not_admitted    a head moves against the flow control rule (the whole worm must fit below, or
//   the
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
    // Rules of other kinds than buffered have the numbers ANL_RULE_OF(); this is the highest one.
    ANL_RULE_LAST = 1023,
};
// The number of a rule of a kind: enum anl_switch_kind, and the rule in the enumeration that the
// kind's own header has.
enum { ANL_RULES_OF_A_KIND = 64 };
#define ANL_RULE_OF(kind, rule) ((enum anl_rule)(ANL_RULES_OF_A_KIND * (kind) + (unsigned)(rule)))

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
    bool has_flit;   // a flit breaks the rule, of which the next two are
    uint32_t vc;     // lane that it takes; UINT32_MAX: the kind of switches has none
    uint32_t index;  // of the flit in its worm
    bool has_worm;   // the next three are known
    uint32_t source, destination, length;
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

// Lets worms of one input lane overtake each other, each in its own order, and leave in one cycle:
// a switch with queues at its outputs does so. It must be called before the first record.
void anl_referee_allow_overtaking(struct anl_referee *referee);

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
// Returns the rule of such a name; ANL_RULE_NONE: there is none.
enum anl_rule anl_rule_named(const char *name);
// Returns what breaks the rule, in words as above and on one line; "?" if rule is out of range.
const char *anl_rule_text(enum anl_rule rule);

#ifdef __cplusplus
}
#endif

#endif
