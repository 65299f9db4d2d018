// SPDX-License-Identifier: Apache-2.0
//
// What happens on the links of one switch that keeps all rules, as its neighbours do: written down
// cycle by cycle, so that a bench can spoil it and play it.

#ifndef ANL_TB_ONE_SWITCH_H
#define ANL_TB_ONE_SWITCH_H

#include "link_rule.h"

enum { SWITCH_PORTS = 4, SWITCH_LINKS = 2 * SWITCH_PORTS, SWITCH_CYCLES = 400 };

struct switch_size {
    enum link_style style;
    unsigned ports, num_vcs, depth;
};

// Output link o has number o, input link p the number ports + p.
struct switch_story {
    struct switch_size size;
    unsigned cycles, quiet;  // quiet: at the end
    struct link_wires wires[SWITCH_CYCLES][SWITCH_LINKS];
};

// Writes a story of so many busy cycles; then what has begun comes to its end, and nothing happens
// for `quiet` cycles.
void switch_story_write(struct switch_story *story, struct switch_size size, unsigned busy,
                        unsigned quiet);

#endif
