// SPDX-License-Identifier: Apache-2.0
//
// Falsifies one observation, once: the test that the comparison can turn red.

#ifndef ANL_LOCKSTEP_TAMPER_H
#define ANL_LOCKSTEP_TAMPER_H

#include "compare/observed.h"

enum tamper_kind {
    TAMPER_NONE,
    TAMPER_DROP,   // a flit is not seen
    TAMPER_ADD,    // a flit is seen on one more link
    TAMPER_LANE,   // seen on another lane
    TAMPER_HEAD,   // its head mark is flipped
    TAMPER_TAIL,   // its tail mark is flipped
    TAMPER_DATA,   // its highest data bit is flipped
    TAMPER_SINK,   // a data bit of a flit handed out by a terminal is flipped
    TAMPER_STATE,  // a credit counter of switch 0 reads one more
};

struct tamper {
    enum tamper_kind kind;
    uint64_t cycle;  // strikes in the first cycle from here on that has something to falsify
    bool done;
    uint64_t struck;  // cycle
    uint32_t link;
};

// Reads "kind@cycle".
bool tamper_parse(const char *text, struct tamper *tamper);
void tamper_flits(struct tamper *tamper, struct observed *observed, uint64_t cycle);
void tamper_state(struct tamper *tamper, struct observed *observed, uint64_t cycle);

#endif
