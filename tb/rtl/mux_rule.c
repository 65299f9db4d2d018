// SPDX-License-Identifier: Apache-2.0

#include "mux_rule.h"

void mux_put(struct bits *in, unsigned size, unsigned width)
{
    for (unsigned i = 0; i < size; i++)
        put(in, width, random_bits(width));
}

uint64_t mux_take(struct bits *in, unsigned size, unsigned width, unsigned which)
{
    uint64_t selected = 0;
    for (unsigned i = 0; i < size; i++) {
        const uint64_t entry = take(in, "entry", width);
        if (i == which) selected = entry;
    }
    return selected;
}
