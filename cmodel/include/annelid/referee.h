// SPDX-License-Identifier: Apache-2.0
//
// The referee: judges a stream of worms and flits by the rules of the game alone. It shares no code
// with the engine and no table with the topology: it reads the formulas of docs/networks.md for
// itself.
//
// The rules it knows (name: meaning):
//   unknown_worm    a flit of a worm that was not created before; a worm that cannot exist
//   bad_link        a link that does not exist, or a lane >= num_vcs
//   link_busy       two flits on one link in one cycle
//   broken_path     a flit leaves a switch that it is not in, or enters at a terminal that is not
//                   its source
//   too_early       a flit leaves a lane in the cycle in which it entered it
//   out_of_order    a flit is not the next one of its worm on this link (lost, repeated, made up,
//                   reordered), or overtakes another worm in a lane
//   bad_marks       head or tail mark does not fit the index and the length of the worm
//   lane_shared     two worms interleave in one lane
//   split_worm      flits of one worm leave by different ports or change lanes on one link
//   overflow        a lane holds more than depth flits
//   illegal_route   an output port or a lane that the routing does not allow
//   not_admitted    a head moved against the admission rule (whole worm fits below; whole worm is
//                   here)
//   wrong_terminal  ejected at a terminal that is not the destination
//   undelivered     at the end: a worm did not arrive, though the run claims to be complete
//
// It sees links, not the inside of switches: a flit is in the lane at the end of a link from the
// cycle after it crossed it until it crosses the next one. A flit may stay as long as it likes.

#ifndef ANNELID_REFEREE_H
#define ANNELID_REFEREE_H

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
    ANL_RULE_ILLEGAL_ROUTE,
    ANL_RULE_NOT_ADMITTED,
    ANL_RULE_WRONG_TERMINAL,
    ANL_RULE_UNDELIVERED,
};

struct anl_violation {
    enum anl_rule rule;
    uint64_t cycle;
    uint32_t link;
    uint32_t worm;
    char text[256];  // for people, one line
};

// config is copied. ANL_ERR_ARGUMENT, ANL_ERR_MEMORY.
enum anl_status anl_referee_create(const struct anl_config *config, struct anl_referee **referee);
void anl_referee_destroy(struct anl_referee *referee);  // may be NULL

// Records in the order of docs/trace.md, all flits of a cycle in one call, cycle < UINT64_MAX. Each
// returns true while no rule is broken; after the first violation everything is ignored. Running
// out of memory counts as a violation of no rule: see anl_referee_status().
bool anl_referee_worm(struct anl_referee *referee, const struct anl_worm *worm);
bool anl_referee_flits(struct anl_referee *referee, uint64_t cycle, const struct anl_flit *flits,
                       size_t count);
// End of the run; complete: every worm should have been delivered.
bool anl_referee_end(struct anl_referee *referee, uint64_t cycles, bool complete);

// The first violation, or NULL.
const struct anl_violation *anl_referee_violation(const struct anl_referee *referee);
// ANL_OK or ANL_ERR_MEMORY.
enum anl_status anl_referee_status(const struct anl_referee *referee);
const char *anl_rule_name(enum anl_rule rule);

#ifdef __cplusplus
}
#endif

#endif
