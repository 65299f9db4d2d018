// SPDX-License-Identifier: Apache-2.0

#include "cole_maggs_sitaraman.h"

#include <stdlib.h>

enum { REFUSED_IN_A_ROW = 1000 };

static enum anl_status begin(struct anl_instance *instance, uint32_t switches, uint32_t links)
{
    *instance = (struct anl_instance){.switches = switches, .paths = {.links = links}};
    instance->from = calloc(links, sizeof *instance->from);
    instance->to = calloc(links, sizeof *instance->to);
    return instance->from && instance->to ? ANL_OK : ANL_ERR_MEMORY;
}

// --- levelled networks ---

// The link b of switch w on level l has the number 2 (l W + w) + b.
static void draw_links(const struct levelled *levelled, struct anl_rng *rng,
                       struct anl_instance *instance)
{
    const uint32_t width = levelled->width;
    for (uint32_t from = 0; from < levelled->dilation * width; from++) {
        const uint32_t next = (from / width + 1) * width, first = anl_rng_below(rng, width);
        const uint32_t second = width > 1 ? anl_rng_below(rng, width - 1) : 0;
        instance->from[2 * from] = instance->from[2 * from + 1] = from;
        instance->to[2 * from] = next + first;
        instance->to[2 * from + 1] = next + second + (second >= first && width > 1);
    }
}

static void walk(const struct anl_instance *instance, const struct levelled *levelled,
                 struct anl_rng *rng, uint32_t *on)
{
    uint32_t at = anl_rng_below(rng, levelled->width);
    for (uint32_t i = 0; i < levelled->dilation; i++) {
        on[i] = 2 * at + anl_rng_below(rng, 2);
        at = instance->to[on[i]];
    }
}

// Counts the links of a path; false, and nothing is counted, if one of them has enough messages.
static bool count(uint8_t *messages, const uint32_t *on, const struct levelled *levelled)
{
    for (uint32_t i = 0; i < levelled->dilation; i++)
        if (messages[on[i]] == levelled->congestion) return false;
    for (uint32_t i = 0; i < levelled->dilation; i++)
        messages[on[i]]++;
    return true;
}

static enum anl_status draw_paths(const struct levelled *levelled, struct anl_rng *rng,
                                  struct anl_instance *instance)
{
    struct anl_link_paths *paths = &instance->paths;
    const uint32_t length = levelled->dilation;
    uint8_t *messages = calloc(paths->links, sizeof *messages);  // over each link
    size_t room = 0, room_begin = 0;
    enum anl_status status = messages ? ANL_OK : ANL_ERR_MEMORY;
    for (uint32_t refused = 0; !status && refused < REFUSED_IN_A_ROW;) {
        const size_t end = (size_t)paths->messages * length;
        uint32_t *on = gather_room(paths->on, end + length - 1, &room, sizeof *on);
        if (on) paths->on = on;
        size_t *begins =
            gather_room(paths->begin, paths->messages + 1, &room_begin, sizeof *begins);
        if (begins) paths->begin = begins;
        if (!on || !begins) status = ANL_ERR_MEMORY;
        if (status) break;
        walk(instance, levelled, rng, on + end);
        begins[0] = 0;
        if (count(messages, on + end, levelled)) {
            begins[++paths->messages] = end + length;
            refused = 0;
        } else {
            refused++;
        }
    }
    free(messages);
    return status;
}

enum anl_status levelled_make(const struct levelled *levelled, uint64_t seed,
                              struct anl_instance *instance)
{
    struct anl_rng rng = anl_rng_seed(seed, 0);
    const uint32_t switches = (levelled->dilation + 1) * levelled->width;
    enum anl_status status = begin(instance, switches, 2 * levelled->dilation * levelled->width);
    if (status) return status;
    draw_links(levelled, &rng, instance);
    return draw_paths(levelled, &rng, instance);
}

// --- the butterfly ---

// Node w of level i is switch i n + w. Its link b leads to the column whose bit i + 1, counted from
// the most significant one, is b.
static void draw_butterfly(uint32_t levels, struct anl_instance *instance)
{
    const uint32_t n = 1u << levels;
    for (uint32_t from = 0; from < levels * n; from++)
        for (uint32_t b = 0; b < 2; b++) {
            const uint32_t level = from / n, bit = levels - 1 - level, column = from % n;
            instance->from[2 * from + b] = from;
            instance->to[2 * from + b] = (level + 1) * n + ((column & ~(1u << bit)) | b << bit);
        }
}

enum anl_status butterfly_make(uint32_t levels, uint32_t q, uint64_t seed,
                               struct anl_instance *instance)
{
    const uint32_t n = 1u << levels;
    struct anl_rng rng = anl_rng_seed(seed, 0);
    enum anl_status status = begin(instance, (levels + 1) * n, 2 * levels * n);
    if (status) return status;
    struct anl_link_paths *paths = &instance->paths;
    paths->messages = q * n;
    paths->begin = calloc((size_t)paths->messages + 1, sizeof *paths->begin);
    paths->on = calloc((size_t)paths->messages * levels, sizeof *paths->on);
    if (!paths->begin || !paths->on) return ANL_ERR_MEMORY;
    draw_butterfly(levels, instance);
    for (uint32_t m = 0; m < paths->messages; m++) {
        const uint32_t destination = anl_rng_below(&rng, n);
        uint32_t at = m / q;
        for (uint32_t i = 0; i < levels; i++) {
            const uint32_t link = 2 * at + (destination >> (levels - 1 - i) & 1);
            paths->on[(size_t)m * levels + i] = link;
            at = instance->to[link];
        }
        paths->begin[m + 1] = (size_t)(m + 1) * levels;
    }
    return ANL_OK;
}
