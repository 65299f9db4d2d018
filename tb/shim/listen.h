// SPDX-License-Identifier: Apache-2.0
//
// Hears the bytes on a UART line, one call a clock cycle: each bit is looked at in its middle.

#ifndef ANL_TB_LISTEN_H
#define ANL_TB_LISTEN_H

#include <stdbool.h>

// All zero: the line rests.
struct listener {
    unsigned wait;  // cycles until the next bit is looked at; 0: no byte has begun
    unsigned bits;  // seen so far
    unsigned code;
};

enum { LISTEN_NOTHING = -1, LISTEN_NO_STOP = -2 };

// The byte that ended with this level, LISTEN_NOTHING, or LISTEN_NO_STOP: there was no stop bit.
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
