// SPDX-License-Identifier: Apache-2.0
//
// The data bits of a flit, as docs/link.md defines them.

#include <annelid/base.h>
#include <annelid/network.h>
#include <string.h>

// Writes the low `count` bits of value from bit *at of words on and advances *at behind them. Bits
// that lie beyond the width of a flit are left out.
static void put(uint32_t *words, uint32_t width, uint32_t *at, uint64_t value, uint32_t count)
{
    for (uint32_t done = 0; done < count && *at < width;) {
        const uint32_t room = 32 - *at % 32, left = width - *at;
        uint32_t step = count - done;
        if (step > room) step = room;
        if (step > left) step = left;
        const uint32_t mask = step == 32 ? UINT32_MAX : (1u << step) - 1;
        words[*at / 32] |= ((uint32_t)(value >> done) & mask) << *at % 32;
        *at += step;
        done += step;
    }
}

static void put_head(const struct anl_config *config, const struct anl_worm *worm, uint32_t *words,
                     uint32_t *at)
{
    const uint32_t width = config->flit_width_bits;
    put(words, width, at, anl_label(config, worm->destination), anl_label_bits(config));
    if (config->admission != ANL_WORMHOLE) put(words, width, at, worm->length, 7);
    if (config->scan == ANL_OLDEST) put(words, width, at, worm->created, 16);
    if (config->scan == ANL_FARTHEST)
        put(words, width, at, anl_distance(config, worm->source, worm->destination), 16);
    if (config->routing == ANL_UP_DOWN_FIXED) put(words, width, at, worm->path, config->n - 1);
}

uint32_t anl_worm_path(const struct anl_config *config, uint64_t seed, uint32_t id)
{
    if (config->routing != ANL_UP_DOWN_FIXED) return 0;
    const uint64_t bits = anl_mix(anl_mix(seed) + id + 1) >> 32;
    return (uint32_t)bits & ((1u << (config->n - 1)) - 1);
}

void anl_flit_data(const struct anl_config *config, const struct anl_worm *worm, uint16_t index,
                   uint32_t *words)
{
    const uint32_t width = config->flit_width_bits;
    const uint64_t argument = (uint64_t)worm->id << 32 | (uint64_t)index << 16;
    uint32_t at = 0;

    memset(words, 0, (width + 31) / 32 * sizeof *words);
    if (index == 0) put_head(config, worm, words, &at);
    if (width - at >= 32) {
        put(words, width, &at, worm->id, 24);
        put(words, width, &at, index, 8);
    }
    for (uint64_t j = 0; at < width; j++)
        put(words, width, &at, anl_mix(argument + j), 64);
}
