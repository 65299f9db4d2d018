// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom: from a lane's front worm to the one it waits for, and so on until one that
// could move, or round in a circle: a deadlock.

#ifndef ANL_LOCKSTEP_CHAIN_H
#define ANL_LOCKSTEP_CHAIN_H

#include "history.h"
#include "worms.h"

#include <stdio.h>

struct network_view {
    const struct worms *worms;
    const struct history *history;  // flits of all cycles before this one
    const struct anl_state *state;  // at the start of this cycle
};

// An input lane.
struct chain_lane {
    uint32_t switch_, port, vc;
};

// The input lane of the switch whose front flit is of this worm; false: none.
bool chain_find_worm(const struct network_view *view, uint32_t switch_, uint32_t worm,
                     struct chain_lane *lane);

// The input lane whose front flit has been there longest; false: all lanes are empty.
bool chain_find_oldest(const struct network_view *view, struct chain_lane *lane);

void chain_print(FILE *out, const struct network_view *view, struct chain_lane lane);

#endif
