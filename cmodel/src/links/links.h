// SPDX-License-Identifier: Apache-2.0
//
// Bits of a flit, which all files of this room read.

#ifndef ANL_LINKS_PRIVATE_H
#define ANL_LINKS_PRIVATE_H

#include <annelid/links.h>

// Returns the value of neighbouring wires, without `plus`; 0 if there are none.
static inline uint32_t links_bits(const uint32_t *flit, struct anl_bits bits)
{
    uint32_t value = 0;
    for (uint32_t bit = 0; bit < bits.width; bit++)
        value |= (flit[(bits.at + bit) / 32] >> (bits.at + bit) % 32 & 1) << bit;
    return value;
}

static inline void links_set_bits(uint32_t *flit, struct anl_bits bits, uint32_t value)
{
    for (uint32_t bit = 0; bit < bits.width; bit++) {
        const uint32_t mask = 1u << (bits.at + bit) % 32;
        uint32_t *word = &flit[(bits.at + bit) / 32];
        *word = value >> bit & 1 ? *word | mask : *word & ~mask;
    }
}

#endif
