// SPDX-License-Identifier: Apache-2.0
//
// Falsifies one observation, once, to test that the comparison finds it.

#ifndef ANL_LOCKSTEP_TAMPER_H
#define ANL_LOCKSTEP_TAMPER_H

#include "compare/observed.h"

enum tamper_kind {
    TAMPER_NONE,
    TAMPER_DROP,   // a flit is not seen
    TAMPER_ADD,    // a flit is also seen on another link
    TAMPER_LANE,   // a flit is seen on another lane
    TAMPER_HEAD,   // the head mark of a flit is flipped
    TAMPER_TAIL,   // the tail mark of a flit is flipped
    TAMPER_DATA,   // the highest data bit of a flit is flipped
    TAMPER_SINK,   // a data bit of a flit that a terminal takes is flipped
    TAMPER_STATE,  // a credit counter of switch 0 reads one more
};

struct tamper {
    enum tamper_kind kind;
    uint64_t cycle;  // the first cycle >= this one that has something to falsify is chosen
    bool done;
    uint64_t struck;  // the chosen cycle
    uint32_t link;
};

// Reads "kind@cycle"; returns false if text is something else.
bool tamper_parse(const char *text, struct tamper *tamper);
// Falsify what was observed in this cycle, if it is time: flits, or registers.
void tamper_flits(struct tamper *tamper, struct observed *observed, uint64_t cycle);
void tamper_state(struct tamper *tamper, struct observed *observed, uint64_t cycle);

#endif
