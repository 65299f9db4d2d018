// SPDX-License-Identifier: Apache-2.0
//
// The life of the worm that was asked for, noted cycle by cycle.

#include "worms.h"

#include <stdlib.h>

static enum anl_status head_crosses(struct biography *worm, uint64_t cycle,
                                    const struct anl_flit *flit)
{
    struct crossing *path = gather_room(worm->path, worm->num_path, &worm->size_path, sizeof *path);
    if (!path) return ANL_ERR_MEMORY;
    worm->path = path;
    path[worm->num_path++] =
        (struct crossing){.link = flit->link, .vc = flit->vc, .head = cycle, .tail = UINT64_MAX};
    return ANL_OK;
}

static void tail_crosses(struct biography *worm, uint64_t cycle, const struct anl_flit *flit)
{
    for (size_t i = 0; i < worm->num_path; i++)
        if (worm->path[i].link == flit->link) worm->path[i].tail = cycle;
}

enum anl_status biography_flits(struct biography *worm, uint32_t id, uint64_t cycle,
                                const struct anl_flit *flits, size_t count)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < count && !status; i++) {
        if (flits[i].worm != id) continue;
        if (flits[i].head) status = head_crosses(worm, cycle, &flits[i]);
        if (!status && flits[i].tail) tail_crosses(worm, cycle, &flits[i]);
    }
    return status;
}

enum anl_status biography_stall(struct biography *worm, const struct anl_stall *stall)
{
    struct anl_stall *stalls =
        gather_room(worm->stalls, worm->num_stalls, &worm->size_stalls, sizeof *stalls);
    if (!stalls) return ANL_ERR_MEMORY;
    worm->stalls = stalls;
    stalls[worm->num_stalls++] = *stall;
    return ANL_OK;
}

enum anl_status biography_life(struct biography *worm, const struct anl_life *life)
{
    free(worm->delays);
    worm->delays = sorted_delays(life);
    if (!worm->delays) return ANL_ERR_MEMORY;
    worm->life = *life;
    worm->life.delays = worm->delays;
    worm->born = true;
    return ANL_OK;
}

void biography_free(struct biography *worm)
{
    free(worm->delays);
    free(worm->path);
    free(worm->stalls);
    *worm = (struct biography){0};
}
