// SPDX-License-Identifier: Apache-2.0
//
// The worms of benches: how long they may be, and whether their heads say it (docs/link.md).

#ifndef ANL_TB_HEADS_H
#define ANL_TB_HEADS_H

#include "oracle/words.h"

// Returns whether heads say the length of their worm. Under wormhole nothing in the network reads
// it.
bool says_length(int flow_control, bool length_in_head);
// Returns how long the worms of a bench are at most. Under wormhole the rules set no limit, but a
// head can say no more than 127.
unsigned longest_worm(int flow_control, bool length_in_head, unsigned depth);

#endif
