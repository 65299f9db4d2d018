// SPDX-License-Identifier: Apache-2.0
//
// Receives bytes from a UART line, one call for each clock cycle; each bit is sampled in its
// middle.

#ifndef ANL_TB_LISTEN_H
#define ANL_TB_LISTEN_H

#include <stdbool.h>

// All members are zero while the line rests.
struct listener {
    unsigned wait;  // cycles until the next bit is sampled; 0: no byte has begun
    unsigned bits;  // bits received so far
    unsigned code;
};

enum { LISTEN_NOTHING = -1, LISTEN_NO_STOP = -2 };

// Returns the byte that ended in this cycle, LISTEN_NOTHING, or LISTEN_NO_STOP if its stop bit is
// missing.
static inline int listen_to(struct listener *ear, bool level, unsigned bit_cycles)
{
    if (ear->wait == 0) {
        if (!level) *ear = (struct listener){.wait = bit_cycles + bit_cycles / 2};
        return LISTEN_NOTHING;
    }
    if (--ear->wait > 0) return LISTEN_NOTHING;
    if (ear->bits == 8) return level ? (int)ear->code : LISTEN_NO_STOP;
    ear->code |= (unsigned)level << ear->bits++;
    ear->wait = bit_cycles;
    return LISTEN_NOTHING;
}

#endif
