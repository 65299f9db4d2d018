// SPDX-License-Identifier: Apache-2.0

#include "identify.h"

#include <string.h>

enum { ID_BITS = 24, INDEX_BITS = 8 };

uint32_t identify_width(const struct anl_config *config)
{
    uint32_t width = anl_head_bits(config) + ID_BITS + INDEX_BITS;
    if (width < config->flit_width_bits) width = config->flit_width_bits;
    return width < 64 ? 64 : width;
}

static uint32_t bits_at(const uint32_t *words, uint32_t bit, uint32_t width)
{
    uint64_t pair = words[bit / 32];
    if (bit % 32 + width > 32) pair |= (uint64_t)words[bit / 32 + 1] << 32;
    return (uint32_t)(pair >> bit % 32 & ((UINT64_C(1) << width) - 1));
}

static bool same_data(const struct harness *harness, const struct anl_worm *worm, uint16_t index,
                      const struct wire *wire)
{
    const struct anl_config *config = harness->worms.config;
    uint32_t width = config->flit_width_bits, whole = width / 32;
    uint32_t bits[FLIT_WORDS] = {0};
    anl_flit_data(config, worm, index, bits);
    if (memcmp(bits, wire->flit, whole * sizeof *bits) != 0) return false;
    return width % 32 == 0 || ((bits[whole] ^ wire->flit[whole]) & ((1u << width % 32) - 1)) == 0;
}

// Reads id and index from bit `bit` on and tries all worms and indices with these low bits.
static bool identify_at(const struct harness *harness, const struct wire *wire, uint32_t bit,
                        struct anl_flit *flit)
{
    uint32_t low_id = bits_at(wire->flit, bit, ID_BITS);
    uint32_t low_index = bits_at(wire->flit, bit + ID_BITS, INDEX_BITS);
    for (uint64_t id = low_id; id < harness->worms.count; id += UINT64_C(1) << ID_BITS) {
        const struct anl_worm *worm = &harness->worms.worm[id].worm;
        for (uint32_t index = low_index; index < worm->length; index += 1u << INDEX_BITS) {
            if (!same_data(harness, worm, (uint16_t)index, wire)) continue;
            flit->worm = (uint32_t)id;
            flit->index = (uint16_t)index;
            return true;
        }
    }
    return false;
}

bool identify(const struct harness *harness, uint32_t link, const struct wire *wire,
              struct anl_flit *flit)
{
    const struct anl_config *config = harness->worms.config;
    *flit = (struct anl_flit){
        .link = link,
        .vc = wire->vc,
        .head = wire_head(config, wire),
        .tail = wire_tail(config, wire),
    };
    uint32_t in_head = anl_head_bits(config);
    // The head mark may be wrong, so the other position is tried too.
    uint32_t first = flit->head ? in_head : 0;
    return identify_at(harness, wire, first, flit) ||
           identify_at(harness, wire, in_head - first, flit);
}
