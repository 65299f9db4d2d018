// SPDX-License-Identifier: Apache-2.0
//
// Compares the RTL with the golden model: every flit of a cycle with every data bit, every
// register.

#ifndef ANL_LOCKSTEP_COMPARE_H
#define ANL_LOCKSTEP_COMPARE_H

#include "difference.h"
#include "dpi.h"
#include "history.h"

struct comparison {
    const struct harness *harness;  // what was seen
    const struct history *history;  // of the cycles before this one
    uint64_t cycle;
    struct difference *difference;  // the first is kept, all are counted
    bool closed;                    // only links of terminals are seen, none that leaves a switch
    bool unwatched;                 // nor are the registers of switches
};

// Flits on links. expected: ascending by link.
void compare_flits(struct comparison *comparison, const struct anl_flit *expected, size_t count);

// Flits that the terminals hand out: from the lowest-numbered lane that holds one.
void compare_sinks(struct comparison *comparison, const struct anl_state *expected);

// Registers at the start of the cycle.
void compare_state(struct comparison *comparison, const struct anl_state *expected);

// "worm 17 flit 3 of 8, body, lane 2, data 0x…" of what crossed a link.
void describe_flit(const struct harness *harness, const struct anl_flit *flit, char *text,
                   size_t size);

// "link 3(1,0).+1 lane 2"; vc may be NOWHERE.
void name_link(struct difference *difference, const struct anl_config *config, uint32_t link,
               uint32_t vc);

#endif
