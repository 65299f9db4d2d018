// SPDX-License-Identifier: Apache-2.0

#include "load.h"

#include <stdlib.h>

// Counters of a level begin at this index: two for each of the 4^(levels - l) subtrees of the
// levels below it.
static size_t level_begin(const struct load *load, uint32_t level)
{
    size_t begin = 0;
    for (uint32_t l = 0; l < level; l++)
        begin += (size_t)2 << 2 * (load->levels - l);
    return begin;
}

enum anl_status load_begin(struct load *load, const struct anl_config *config)
{
    load->levels = config->n;
    load->worms = calloc(level_begin(load, config->n), sizeof *load->worms);
    return load->worms ? ANL_OK : ANL_ERR_MEMORY;
}

void load_free(struct load *load)
{
    free(load->worms);
    *load = (struct load){0};
}

void load_add(struct load *load, uint32_t source, uint32_t destination)
{
    for (uint32_t l = 0; l < load->levels; l++) {
        const uint32_t from = source >> 2 * l, to = destination >> 2 * l;
        uint32_t *level = load->worms + level_begin(load, l);
        if (l > 0 && from == to) return;
        level[2 * from]++;
        level[2 * to + 1]++;
    }
}

struct load_place load_factor(const struct load *load)
{
    struct load_place most = {0};
    for (uint32_t l = 0; l < load->levels; l++) {
        const uint32_t *level = load->worms + level_begin(load, l);
        for (uint32_t i = 0; i < 2u << 2 * (load->levels - l); i++) {
            const double factor = level[i] / (double)(1u << l);
            if (factor > most.factor) most = (struct load_place){factor, l, i / 2, i % 2 == 0};
        }
    }
    return most;
}
