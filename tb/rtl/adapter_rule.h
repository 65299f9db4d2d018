// SPDX-License-Identifier: Apache-2.0
//
// The rules of links of the five styles (docs/link.md, "Links of other styles"), for the benches of
// adapters.
//
// The parameters are NumVcs, Depth and FlitW, of which a flit has two bits more. Inputs and outputs
// are in the order of the modules: valid, vc and flit come in, the wires that go back leave on that
// side, and the other way round.

#ifndef ANL_TB_ADAPTER_RULE_H
#define ANL_TB_ADAPTER_RULE_H

#include "bench.h"

enum adapter_style { READY_VALID, READY_VALID_PER_LANE, STOP_GO, CREDIT_PULSE_SHARED };

enum { ADAPTER_LANES = 8, ADAPTER_DEPTH = 64 };

struct adapter_lane {
    uint64_t flits[ADAPTER_DEPTH];  // number i, which came in at our link, is at i % ADAPTER_DEPTH
    unsigned entered, left;         // flits that came by one link, and went by the other one
    unsigned returned;              // credits that came back to the sender of our link
    unsigned pulsed;                // of which the style has told
    unsigned passed;                // times that another lane went though this one could
    uint64_t offered;               // a flit that a sender offers until it has crossed
    bool offers;
};

struct adapter {
    enum adapter_style style;
    struct adapter_lane lanes[ADAPTER_LANES];
    uint64_t crossed;  // lanes of which a flit crossed in the cycle before
    uint64_t stopped;  // lanes that were stopped in the cycle before
    bool waits;        // a flit was offered in the cycle before, and has not crossed
    unsigned shown;    // its lane
    unsigned counted;  // flits that crossed since the count for full rate began
};

// From our link to a style.
void from_credit_drive(void *state, const int *p, struct bits *in);
// Lanes fill up and are emptied. Then one lane alone goes at the rate of its depth: a flit a cycle,
// if both neighbours are as fast as they may be and the way of a slot, there and back, takes no
// more cycles than it has flits.
void from_credit_directed(void *state, const int *p, struct bits *in);
void from_credit_check(void *state, const int *p, struct bits *in, struct bits *out);

// From a style to our link; the same.
void to_credit_drive(void *state, const int *p, struct bits *in);
void to_credit_directed(void *state, const int *p, struct bits *in);
void to_credit_check(void *state, const int *p, struct bits *in, struct bits *out);

#endif
