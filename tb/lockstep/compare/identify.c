// SPDX-License-Identifier: Apache-2.0

#include "identify.h"

#include <string.h>

enum { ID_BITS = 24, INDEX_BITS = 8 };  // of what mix32 scrambles (docs/link.md)

uint32_t identify_width(const struct anl_config *config)
{
    uint32_t width = anl_head_bits(config) + ID_BITS + INDEX_BITS;
    if (width < config->flit_width_bits) width = config->flit_width_bits;
    return width < 64 ? 64 : width;
}

// Returns the 32 bits from bit `bit` on.
static uint32_t word_at(const uint32_t *words, uint32_t bit)
{
    const uint64_t pair = words[bit / 32] | (uint64_t)words[bit / 32 + 1] << 32;
    return (uint32_t)(pair >> bit % 32);
}

static bool same_data(const struct harness *harness, const struct anl_worm *worm, uint16_t index,
                      uint32_t link, const struct wire *wire)
{
    const struct anl_config *config = harness->worms.config;
    uint32_t width = config->flit_width_bits, whole = width / 32;
    uint32_t bits[FLIT_WORDS] = {0};
    anl_flit_data(config, worm, index, link, bits);
    if (memcmp(bits, wire->flit, whole * sizeof *bits) != 0) return false;
    return width % 32 == 0 || ((bits[whole] ^ wire->flit[whole]) & ((1u << width % 32) - 1)) == 0;
}

// Reads id and index from the word at bit `bit` and tries all worms and indices with these low
// bits.
static bool identify_at(const struct harness *harness, const struct wire *wire, uint32_t bit,
                        struct anl_flit *flit)
{
    const uint32_t number = anl_unmix32(word_at(wire->flit, bit));
    const uint32_t low_id = (number - harness->worms.config->first_id) & ((1u << ID_BITS) - 1);
    const uint32_t low_index = number >> ID_BITS;
    for (uint64_t id = low_id; id < harness->worms.count; id += UINT64_C(1) << ID_BITS) {
        const struct anl_worm *worm = &harness->worms.worm[id].worm;
        for (uint32_t index = low_index; index < worm->length; index += 1u << INDEX_BITS) {
            if (!same_data(harness, worm, (uint16_t)index, flit->link, wire)) continue;
            flit->worm = (uint32_t)id;
            flit->index = (uint16_t)index;
            return true;
        }
    }
    return false;
}

// Tries the flit that follows the last one on the lane. Special flits do not say which they are.
static bool follows(const struct harness *harness, const struct passage *last,
                    const struct wire *wire, struct anl_flit *flit)
{
    if (!last) return false;
    const struct anl_worm *worm = &harness->worms.worm[last->worm].worm;
    if (last->index + 1 >= worm->length) return false;
    flit->worm = last->worm;
    flit->index = (uint16_t)(last->index + 1);
    return same_data(harness, worm, flit->index, flit->link, wire);
}

// Returns in how many data bits a flit differs from a wire.
static uint32_t bits_apart(const struct anl_config *config, const struct anl_worm *worm,
                           uint16_t index, uint32_t link, const struct wire *wire)
{
    const uint32_t width = config->flit_width_bits;
    uint32_t bits[FLIT_WORDS] = {0}, apart = 0;
    anl_flit_data(config, worm, index, link, bits);
    for (uint32_t word = 0; word * 32 < width; word++) {
        const uint32_t left = width - word * 32;
        const uint32_t mask = left < 32 ? (1u << left) - 1 : UINT32_MAX;
        apart += (uint32_t)__builtin_popcount((bits[word] ^ wire->flit[word]) & mask);
    }
    return apart;
}

uint32_t identify_nearest(const struct harness *harness, uint32_t link, const struct wire *wire,
                          struct anl_flit *flit)
{
    const struct anl_config *config = harness->worms.config;
    uint32_t least = config->flit_width_bits / 8 + 1;
    *flit = (struct anl_flit){.link = link, .vc = wire->vc, .worm = ANL_NOTHING};
    for (uint32_t id = 0; id < harness->worms.count; id++) {
        const struct anl_worm *worm = &harness->worms.worm[id].worm;
        for (uint32_t index = 0; index < worm->length; index++) {
            const uint32_t apart = bits_apart(config, worm, (uint16_t)index, link, wire);
            if (apart >= least) continue;
            least = apart;
            flit->worm = id;
            flit->index = (uint16_t)index;
            flit->head = index == 0;
            flit->tail = index + 1u == worm->length;
        }
    }
    return flit->worm == ANL_NOTHING ? UINT32_MAX : least;
}

bool identify(const struct harness *harness, const struct passage *last, uint32_t link,
              const struct wire *wire, struct anl_flit *flit)
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
    return follows(harness, last, wire, flit) || identify_at(harness, wire, first, flit) ||
           identify_at(harness, wire, in_head - first, flit);
}
