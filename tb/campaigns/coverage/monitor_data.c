// SPDX-License-Identifier: Apache-2.0
//
// Points of the data of body flits that cross links: which special patterns of docs/link.md have
// been seen, and which bits have been 0 and 1 in other flits.

#include "points.h"

#include <annelid/network.h>

#include <stdlib.h>
#include <string.h>

enum { FLITS_ENOUGH = 64 };  // a link that fewer flits cross says nothing of its wires

// Returns whether the data are `word` over and over, but for the bits of `but` in the lowest word.
static bool is_repeated(const struct monitor *monitor, const uint32_t *data, uint32_t word,
                        uint32_t but)
{
    const uint32_t width = monitor->config.flit_width_bits, whole = width / 32;
    const uint32_t rest = width % 32 ? (1u << width % 32) - 1 : 0;
    if ((data[0] ^ word) & ~but) return false;
    for (uint32_t i = 1; i < whole; i++)
        if (data[i] != word) return false;
    return !rest || data[whole] == (word & rest);
}

static uint32_t ones_of(const struct monitor *monitor, const uint32_t *data)
{
    uint32_t ones = 0;
    for (uint32_t i = 0; i < (monitor->config.flit_width_bits + 31) / 32; i++)
        ones += (uint32_t)__builtin_popcount(data[i]);
    return ones;
}

// Returns the point of the pattern that the data are; POINTS if they are none.
static uint32_t special_point(const struct monitor *monitor, const uint32_t *data)
{
    const uint32_t ones = ones_of(monitor, data), width = monitor->config.flit_width_bits;
    if (ones == 0) return SPECIAL_ZEROS;
    if (ones == width) return SPECIAL_ONES;
    if (ones == 1 || ones == width - 1) return SPECIAL_ONE_BIT;
    if (is_repeated(monitor, data, 0, 0xff) || is_repeated(monitor, data, UINT32_MAX, 0xff))
        return SPECIAL_SMALL;
    for (uint32_t i = 0; i < SPECIAL_WORDS; i++)
        if (is_repeated(monitor, data, special_word(i), 0)) return SPECIAL_WORD + i;
    return POINTS;
}

void monitor_data(struct monitor *monitor, const struct anl_blocking *blocking,
                  const struct anl_flit *flit)
{
    const uint32_t words = (monitor->config.flit_width_bits + 31) / 32;
    struct link_data *seen = &monitor->data[flit->link];
    uint32_t data[ANL_FLIT_WORDS];
    struct anl_life life;
    if (flit->head || !anl_blocking_life(blocking, flit->worm, &life)) return;
    anl_flit_data(&monitor->config, &life.worm, flit->index, flit->link, data);
    const uint32_t special = special_point(monitor, data);
    if (special != POINTS && monitor->config.flit_width_bits >= 32) reach(monitor, special);
    if (special != POINTS) return;
    for (uint32_t i = 0; i < words; i++) {
        seen->was_1[i] |= data[i];
        seen->was_0[i] |= ~data[i];
    }
    seen->flits++;
}

// Returns whether a data bit has been 0 and 1 on every link that enough flits have crossed.
static bool has_toggled(const struct monitor *monitor, uint32_t bit)
{
    bool any = false;
    for (uint32_t link = 0; link < monitor->shape.links; link++) {
        const struct link_data *seen = &monitor->data[link];
        if (seen->flits < FLITS_ENOUGH) continue;
        any = true;
        if (!(seen->was_0[bit / 32] & seen->was_1[bit / 32] & 1u << bit % 32)) return false;
    }
    return any;
}

void monitor_end(struct monitor *monitor)
{
    for (uint32_t bit = 0; bit < DATA_BITS && bit < monitor->config.flit_width_bits; bit++)
        if (has_toggled(monitor, bit)) reach(monitor, DATA_BIT + bit);
}
