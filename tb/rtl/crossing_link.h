// SPDX-License-Identifier: Apache-2.0
//
// The rules of a link between two clocks (docs/clocks.md, docs/link.md), for benches. The sender
// has clock a.

#ifndef ANL_TB_CROSSING_LINK_H
#define ANL_TB_CROSSING_LINK_H

#include "two_clocks.h"

enum { CROSSING_LANES = 8, CROSSING_DEPTH = 64, CROSSING_FLITS = CROSSING_LANES * CROSSING_DEPTH };

struct crossing_lane {
    uint64_t given[CROSSING_DEPTH];  // edges of the sender when credit number i came, at i % DEPTH
    uint64_t returned, gained;       // credits that the receiver gave, and the sender got
    uint64_t sent, arrived;          // flits
};

struct crossing {
    struct two_clocks clocks;
    struct crossing_lane lanes[CROSSING_LANES];
    uint64_t flits[CROSSING_FLITS];    // flit number i and its lane, at i % FLITS
    uint64_t sent_at[CROSSING_FLITS];  // edges of the receiver when it was sent
    uint64_t sent, arrived;
    bool rate;  // the run counts whether a lane alone goes at full rate
};

// What crosses a crossing in one step.
struct crossing_wires {
    bool valid_i, valid_o;
    unsigned vc_i, vc_o;
    uint64_t flit_i, flit_o, credit_i, credit_o;
};

void crossing_reset(struct crossing *link);
// Forgets all that is on the link, when both sides are reset.
void crossing_clear(struct crossing *link);

uint64_t crossing_credits(const struct crossing *link, unsigned lane, unsigned depth);
uint64_t crossing_held(const struct crossing *link, unsigned lane);

void crossing_check_credits(struct crossing *link, unsigned num_vcs, unsigned stages,
                            const struct crossing_wires *wires);
void crossing_check_flits(struct crossing *link, unsigned num_vcs, unsigned depth, unsigned stages,
                          const struct crossing_wires *wires);
// Goes on to the next step.
void crossing_step(struct crossing *link, unsigned num_vcs, const struct crossing_wires *wires);

// Returns how many flits have crossed in this program.
uint64_t crossing_flits(void);

#endif
