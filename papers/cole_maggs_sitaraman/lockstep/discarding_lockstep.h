// SPDX-License-Identifier: Apache-2.0
//
// What the lock-step compares of switches that discard, beside flits.

#ifndef ANL_DISCARDING_LOCKSTEP_H
#define ANL_DISCARDING_LOCKSTEP_H

#include "run/lockstep_internal.h"

#include <annelid/discarding_machine.h>

// What a node that discards has at the lane of a number (papers/cole_maggs_sitaraman/discard.md,
// "What is compared").
struct discard_lane {
    bool valid, busy;  // the link register of the input lane holds a flit; the output lane is busy
    uint8_t owner;     // input lane
    struct wire link;  // the flit in the register
};

// What a node discards in a cycle: whether it says so, and the input lanes of the heads, a bit
// each.
struct discards {
    bool says;
    uint32_t heads;
};

// What the probes see.
struct seen_discarding {
    struct discard_lane *lanes;  // [switch][lane]
    struct discards *discards;   // [switch]
};

static inline struct seen_discarding *seen_discarding(const struct observed *observed)
{
    return observed->of_kind;
}

// Reports that a node says that it discards a worm, and of which input lanes it discards the heads.
void anl_lockstep_discards(uint64_t harness, uint32_t node, svBit says, uint32_t heads);

// Compares link registers and owners of the lanes of links, as the model has them (lanes.c).
void compare_lanes(struct comparison *comparison, const struct anl_discard_state *expected);
// Compares which nodes say that they discard a worm, and which heads they discard.
void compare_discards(struct comparison *comparison, const struct discards *expected);

extern const struct observed_kind observed_discarding;  // seen.c
extern const struct lockstep_kind lockstep_discarding;  // discarding.c

#endif
