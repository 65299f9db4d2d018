// SPDX-License-Identifier: Apache-2.0

#include "history.h"

#include <stdlib.h>

enum { KEPT_AT_LEAST = 8 };

static void find_inputs(struct history *history)
{
    const struct anl_shape *shape = &history->shape;
    for (uint32_t i = 0; i < shape->switches * shape->ports; i++)
        history->into[i] = UINT32_MAX;
    for (uint32_t link = 0; link < shape->links; link++) {
        struct anl_end end = anl_end_of(history->config, link);
        if (end.exists && !end.is_terminal)
            history->into[end.node * shape->ports + end.port] = link;
    }
}

enum anl_status history_create(struct history *history, const struct anl_config *config)
{
    *history = (struct history){.config = config, .shape = anl_shape_of(config)};
    history->kept = config->depth > KEPT_AT_LEAST ? config->depth : KEPT_AT_LEAST;
    size_t lanes = (size_t)history->shape.links * config->num_vcs;
    history->ring = calloc(lanes * history->kept, sizeof *history->ring);
    history->passed = calloc(lanes, sizeof *history->passed);
    history->into = calloc(history->shape.links, sizeof *history->into);
    if (!history->ring || !history->passed || !history->into) return ANL_ERR_MEMORY;
    find_inputs(history);
    return ANL_OK;
}

void history_destroy(struct history *history)
{
    free(history->ring);
    free(history->passed);
    free(history->into);
    *history = (struct history){0};
}

void history_add(struct history *history, uint64_t cycle, const struct anl_flit *flits,
                 size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t lane = (size_t)flits[i].link * history->config->num_vcs + flits[i].vc;
        uint64_t slot = history->passed[lane]++ % history->kept;
        history->ring[lane * history->kept + slot] = (struct passage){
            .cycle = cycle,
            .worm = flits[i].worm,
            .index = flits[i].index,
            .tail = flits[i].tail,
        };
    }
}

const struct passage *history_last(const struct history *history, uint32_t link, uint32_t vc,
                                   uint64_t back)
{
    size_t lane = (size_t)link * history->config->num_vcs + vc;
    if (back == 0 || back > history->kept || back > history->passed[lane]) return NULL;
    uint64_t slot = (history->passed[lane] - back) % history->kept;
    return &history->ring[lane * history->kept + slot];
}
