// SPDX-License-Identifier: Apache-2.0
//
// The worms of benches: how long they may be, and what their heads say (docs/link.md).

#ifndef ANL_TB_HEADS_H
#define ANL_TB_HEADS_H

#include "oracle/words.h"

// Returns whether heads say the length of their worm. Under wormhole nothing in the network reads
// it.
bool says_length(int flow_control, bool length_in_head);
// Returns how long the worms of a bench are at most. Under wormhole the rules set no limit, but a
// head can say no more than 127.
unsigned longest_worm(int flow_control, bool length_in_head, unsigned depth);

// At which bits the fields of a head begin. A field that heads do not carry has no bits, and begins
// where the next one does.
struct head_places {
    unsigned length, rank, path;
};
struct head_places head_places(unsigned dst_w, int arbiter, int flow_control, bool length_in_head);

#endif
