// SPDX-License-Identifier: Apache-2.0
//
// What docs/board.md says of bits, read slowly: what the benches of a board's modules share.

#ifndef ANL_TB_BOARD_RULES_H
#define ANL_TB_BOARD_RULES_H

#include <stdint.h>

// xorshift32 of docs/random.md, bit by bit.
static inline uint32_t board_step(uint32_t r)
{
    uint32_t left = 0, right = 0, next = 0;
    for (int i = 0; i < 32; i++)
        left |= ((r >> i ^ (i >= 13 ? r >> (i - 13) : 0)) & 1) << i;
    for (int i = 0; i < 32; i++)
        right |= ((left >> i ^ (i + 17 < 32 ? left >> (i + 17) : 0)) & 1) << i;
    for (int i = 0; i < 32; i++)
        next |= ((right >> i ^ (i >= 5 ? right >> (i - 5) : 0)) & 1) << i;
    return next;
}

// The word of which r is the step.
static inline uint32_t board_step_back(uint32_t r)
{
    uint32_t right = 0, left = 0, word = 0;
    for (int i = 0; i < 32; i++)
        right |= ((r >> i ^ (i >= 5 ? right >> (i - 5) : 0)) & 1) << i;
    for (int i = 31; i >= 0; i--)
        left |= ((right >> i ^ (i + 17 < 32 ? left >> (i + 17) : 0)) & 1) << i;
    for (int i = 0; i < 32; i++)
        word |= ((left >> i ^ (i >= 13 ? word >> (i - 13) : 0)) & 1) << i;
    return word;
}

#endif
