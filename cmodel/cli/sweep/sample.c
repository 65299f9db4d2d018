// SPDX-License-Identifier: Apache-2.0
//
// A hash table with open addressing, at most half full.

#include "sample.h"

#include <stdlib.h>

static struct sweep_count *find(struct sweep_count *slots, size_t size, uint64_t window,
                                uint64_t latency)
{
    const uint64_t mixed = (window * 0x9E3779B97F4A7C15 + latency) * 0xBF58476D1CE4E5B9;
    size_t at = (mixed >> 32) & (size - 1);
    while (slots[at].worms && (slots[at].window != window || slots[at].latency != latency))
        at = (at + 1) & (size - 1);
    return &slots[at];
}

static enum anl_status grow(struct sweep_sample *sample)
{
    const size_t size = sample->size ? 2 * sample->size : 4096;
    struct sweep_count *slots = calloc(size, sizeof *slots);
    if (!slots) return ANL_ERR_MEMORY;
    for (size_t i = 0; i < sample->size; i++) {
        const struct sweep_count *old = &sample->slots[i];
        if (old->worms) *find(slots, size, old->window, old->latency) = *old;
    }
    free(sample->slots);
    sample->slots = slots;
    sample->size = size;
    return ANL_OK;
}

enum anl_status sweep_sample_add(struct sweep_sample *sample, uint64_t window, uint64_t latency)
{
    if (2 * sample->used >= sample->size && grow(sample)) return ANL_ERR_MEMORY;
    struct sweep_count *slot = find(sample->slots, sample->size, window, latency);
    if (!slot->worms) sample->used++;
    slot->window = window;
    slot->latency = latency;
    slot->worms++;
    return ANL_OK;
}

void sweep_sample_free(struct sweep_sample *sample)
{
    free(sample->slots);
    *sample = (struct sweep_sample){0};
}

static int by_latency(const void *a, const void *b)
{
    const struct sweep_count *x = a, *y = b;
    return (x->latency > y->latency) - (x->latency < y->latency);
}

struct sweep_count *sweep_sample_take(struct sweep_sample *sample, uint64_t first, size_t *count)
{
    *count = 0;
    for (size_t i = 0; i < sample->size; i++)
        if (sample->slots[i].worms && sample->slots[i].window >= first)
            sample->slots[(*count)++] = sample->slots[i];
    if (*count) qsort(sample->slots, *count, sizeof *sample->slots, by_latency);
    return sample->slots;
}
