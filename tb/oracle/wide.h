// SPDX-License-Identifier: Apache-2.0
//
// A switch with wide links: docs/switch.md, "Wide links". Input lane v of port p is candidate
// number p * num_vcs + v. What goes on over chained links hangs on other switches: the user says
// again and again which credits come back, and asks who follows, until nobody further does.

#ifndef ANL_ORACLE_WIDE_H
#define ANL_ORACLE_WIDE_H

#include "oracle/switch.h"

// What the heads take at an output port. Head c is that of candidate c.
struct oracle_heads {
    unsigned size, num_vcs;  // candidates, lanes of the link
    uint64_t ask;            // bit c: head c wants a lane
    const uint64_t *can;     // [num_vcs] bit c: head c can take the lane by rule 2
    uint64_t empty;          // bit w: lane w is empty
    struct oracle_scan scan;
};
// Writes to take[num_vcs] the head that takes each lane, one-hot or 0. Returns the head that is
// granted first, or ORACLE_NONE.
int oracle_grant_heads(const struct oracle_heads *heads, uint64_t *take);
// Returns out_ptr after a cycle in which that head was granted first, or none was.
unsigned oracle_wide_pointer(int scan, unsigned size, unsigned ptr, int first);

// What the front flits of the input lanes do in a cycle, and which head each output grants first.
struct oracle_wide {
    bool goes[ORACLE_PORTS][ORACLE_LANES];
    unsigned port[ORACLE_PORTS][ORACLE_LANES], vc[ORACLE_PORTS][ORACLE_LANES];
    int first[ORACLE_PORTS];  // or ORACLE_NONE
};

// Grants heads at all ports, with the random bits of the cycle; other flits do not go yet.
void oracle_wide_decide(const struct oracle_switch *s, uint8_t random, struct oracle_wide *d);
// Lets all flits that are not heads go that can, as far as is known. Returns whether there was one.
bool oracle_wide_follow(const struct oracle_switch *s, struct oracle_wide *d);
// The same as oracle_show() and oracle_move().
void oracle_wide_show(const struct oracle_switch *s, const struct oracle_wide *d,
                      struct oracle_links *links);
void oracle_wide_move(struct oracle_switch *s, const struct oracle_wide *d);

#endif
