// SPDX-License-Identifier: Apache-2.0

#include "injections.h"

#include "worms.h"

#include <stdlib.h>
#include <string.h>

enum anl_status injections_create(struct injections *injections, const struct anl_config *config)
{
    *injections = (struct injections){.config = config};
    if (!anl_has(config, ANL_TRAIT_DISCARDS)) return ANL_OK;
    injections->turns = config->num_vcs / anl_link_flits(config);
    injections->levels = anl_num_passes(config) * (config->n - 1);
    injections->outputs = (injections->levels - 1) * anl_shape_of(config).terminals;
    injections->num_lanes = anl_shape_of(config).terminals / 2 * INJECTIONS;
    injections->lanes = calloc(injections->num_lanes, sizeof *injections->lanes);
    return injections->lanes ? ANL_OK : ANL_ERR_MEMORY;
}

void injections_destroy(struct injections *injections)
{
    free(injections->worms);
    free(injections->lanes);
    *injections = (struct injections){0};
}

static enum anl_status make_room(struct injections *injections)
{
    if (injections->count < injections->capacity) return ANL_OK;
    const uint32_t capacity = injections->capacity ? 2 * injections->capacity : 1024;
    struct planned_worm *worms = realloc(injections->worms, capacity * sizeof *worms);
    if (!worms) return ANL_ERR_MEMORY;
    injections->worms = worms;
    injections->capacity = capacity;
    return ANL_OK;
}

// Puts a planned worm behind those of its lane.
static void append(struct injections *injections, uint32_t id)
{
    const struct planned_worm *planned = &injections->worms[id];
    struct injection_lane *lane = &injections->lanes[planned->lane];
    if (lane->holds) injections->worms[lane->last].next = id;
    if (!lane->holds) lane->first = id;
    if (!lane->shows) lane->shown = id;
    lane->last = id;
    lane->holds = lane->shows = true;
    lane->idle = planned->start + planned->worm.length;
}

enum anl_status injections_add(struct injections *injections, const struct anl_worm *worm)
{
    const uint32_t turns = injections->turns, column = worm->source / 2;
    const uint64_t start = (worm->created + turns - 1) / turns + 1;
    const uint64_t end = (start + injections->levels + worm->length - 2) * turns;
    uint32_t lane = column * INJECTIONS;
    while (lane < (column + 1) * INJECTIONS && injections->lanes[lane].idle > start)
        lane++;
    if (lane == (column + 1) * INJECTIONS) return ANL_ERR_ARGUMENT;
    const enum anl_status status = make_room(injections);
    if (status != ANL_OK) return status;
    injections->worms[worm->id] = (struct planned_worm){*worm, start, lane, 0};
    injections->count++;
    if (injections->end < end) injections->end = end;
    append(injections, worm->id);
    return ANL_OK;
}

bool injections_start(struct injections *injections, uint32_t lane, uint32_t *start)
{
    struct injection_lane *at = &injections->lanes[lane];
    if (!at->shows) return false;
    const struct planned_worm *planned = &injections->worms[at->shown];
    *start = (uint32_t)planned->start;
    at->shows = at->shown != at->last;
    at->shown = planned->next;
    return planned->start < UINT32_MAX;  // later ones are beyond any run
}

bool injections_pull(struct injections *injections, uint32_t lane, uint32_t *flit)
{
    struct injection_lane *at = &injections->lanes[lane];
    const struct anl_config *config = injections->config;
    uint32_t bits[FLIT_WORDS];
    if (!at->holds) return false;
    const struct planned_worm *front = &injections->worms[at->first];
    flit_pack(config, &front->worm, at->index, anl_injection_link(config, front->worm.source),
              bits);
    memcpy(flit, bits, flit_words(config) * sizeof *flit);
    if (++at->index == front->worm.length) {
        at->index = 0;
        at->holds = at->first != at->last;
        at->first = front->next;
    }
    return true;
}
