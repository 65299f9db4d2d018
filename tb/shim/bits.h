// SPDX-License-Identifier: Apache-2.0
//
// Fields of the bit vectors that pass over DPI.

#ifndef ANL_TB_BITS_H
#define ANL_TB_BITS_H

#include <stdint.h>
#include <string.h>
#include <svdpi.h>

// Returns bits of a vector, at most 64.
static inline uint64_t bits_get(const svBitVecVal *words, unsigned lsb, unsigned width)
{
    uint64_t value = 0;
    for (unsigned got = 0; got < width;) {
        const unsigned offset = (lsb + got) % 32, left = width - got;
        const unsigned part = left < 32 - offset ? left : 32 - offset;
        const uint64_t bits = words[(lsb + got) / 32] >> offset;
        value |= (bits & ((UINT64_C(1) << part) - 1)) << got;
        got += part;
    }
    return value;
}

// Sets bits of a vector that are 0.
static inline void bits_put(svBitVecVal *words, unsigned lsb, unsigned width, uint64_t value)
{
    for (unsigned done = 0; done < width;) {
        const unsigned offset = (lsb + done) % 32, left = width - done;
        const unsigned part = left < 32 - offset ? left : 32 - offset;
        const uint64_t bits = value >> done & ((UINT64_C(1) << part) - 1);
        words[(lsb + done) / 32] |= (svBitVecVal)(bits << offset);
        done += part;
    }
}

static inline void bits_clear(svBitVecVal *words, unsigned width)
{
    memset(words, 0, (width + 31) / 32 * sizeof *words);
}

#endif
