// SPDX-License-Identifier: Apache-2.0
//
// A reading of docs/link.md, "Links of other styles": what breaks the rules of one link.

#ifndef ANL_TB_LINK_RULE_H
#define ANL_TB_LINK_RULE_H

#include <stdbool.h>
#include <stdint.h>

enum { LINK_LANES = 8 };
enum link_style { LINK_CREDIT, LINK_PULSE, LINK_READY, LINK_READY_LANES, LINK_STOP_GO };
// The numbers of the page; the last one is bad_link if the receiver breaks it.
enum link_rule_number {
    RULE_BAD_LINK,
    RULE_NO_CREDIT,
    RULE_EARLY_CREDIT,
    RULE_SENT_AT_STOP,
    RULE_WITHDRAWN,
    RULE_CHANGED,
    RULE_LANE_SHARED,
    RULE_BAD_MARKS,
    RULE_LOST_CREDIT,
    RULE_BAD_PULSE,
};

// What is on a link in a cycle.
struct link_wires {
    bool valid, head, tail, at_rest;
    unsigned vc, length;  // length: of the worm, with a head; 0: not told
    uint64_t flit, back;
};

// What is known of a link at the start of a cycle.
struct link_state {
    enum link_style style;
    unsigned num_vcs, depth;
    int credits[LINK_LANES];
    bool stopped[LINK_LANES], open[LINK_LANES], offered[LINK_LANES];
    unsigned index[LINK_LANES], length[LINK_LANES];  // flits of the worm that have crossed; of all
    struct link_wires offer[LINK_LANES], last;
    bool refused;  // in the last cycle a flit was offered and did not cross
};

void link_state_reset(struct link_state *link, enum link_style style, unsigned num_vcs,
                      unsigned depth);
unsigned link_back_width(const struct link_state *link);
// Returns whether a flit crosses in this cycle.
bool link_crosses(const struct link_state *link, const struct link_wires *wires);
// Returns whether a credit comes for a lane.
bool link_credit(const struct link_state *link, const struct link_wires *wires, unsigned vc);
// Returns the rules that are broken in this cycle, bit r for rule r.
unsigned link_broken(const struct link_state *link, const struct link_wires *wires);
// Goes on to the next cycle, if no rule is broken in this one.
void link_step(struct link_state *link, const struct link_wires *wires);

#endif
