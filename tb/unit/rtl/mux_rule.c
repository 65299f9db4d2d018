// SPDX-License-Identifier: Apache-2.0

#include "mux_rule.h"

void mux_put(struct bits *in, unsigned size, unsigned width, uint64_t members)
{
    uint64_t which;
    do {
        which = random_below(size + 1);  // size: none
    } while (which < size && !(members >> which & 1));
    put(in, size, which < size ? UINT64_C(1) << which : 0);
    for (unsigned i = 0; i < size; i++)
        put(in, width, random_bits(width));
}

uint64_t mux_take(struct bits *in, unsigned size, unsigned width, uint64_t *sel)
{
    uint64_t selected = 0;
    *sel = take(in, "sel", size);
    for (unsigned i = 0; i < size; i++) {
        const uint64_t entry = take(in, "entry", width);
        if (*sel >> i & 1) selected = entry;
    }
    return selected;
}
