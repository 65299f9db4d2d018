// SPDX-License-Identifier: Apache-2.0
//
// The bit operations of docs/board.md, written bit by bit; the benches of the board's modules share
// them.

#ifndef ANL_TB_BOARD_RULES_H
#define ANL_TB_BOARD_RULES_H

#include <stdint.h>

// Returns the successor of r under xorshift32 (docs/random.md).
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

// The inverse of board_step(): returns the word whose successor is r.
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
