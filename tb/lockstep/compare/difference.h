// SPDX-License-Identifier: Apache-2.0
//
// The first difference of a run: when and where it is, what was expected and what was seen.

#ifndef ANL_LOCKSTEP_DIFFERENCE_H
#define ANL_LOCKSTEP_DIFFERENCE_H

#include <annelid/annelid.h>

#define NOWHERE UINT32_MAX

struct difference {
    uint32_t count;    // differences in this cycle, 0: none; the rest describes the first
    uint64_t cycle;    // cycle in which the flits crossed, or at whose start the state was read
    uint32_t link;     // link of the difference; of an input the one that ends there; or NOWHERE
    uint32_t switch_;  // its switch, or NOWHERE (at a terminal)
    uint32_t port;     // its port of the switch, or NOWHERE
    uint32_t vc;       // its lane, or NOWHERE
    uint32_t worm;     // worm that was expected, or NOWHERE
    uint32_t index;    // its flit that was expected, or NOWHERE
    char where[96];    // "link 3(1,0).+1 lane 2", "input 3(1,0).+1 lane 2", …
    char what[48];     // "flit", "credit", "bound_port", a rule of the referee, …
    char expected[512];
    char seen[512];
};

#endif
