// SPDX-License-Identifier: Apache-2.0
//
// The life of the worm that was asked for, noted cycle by cycle.

#include "cmd_worms.h"

#include <stdlib.h>
#include <string.h>

// Room for one more element; NULL: no memory, and the list is as it was.
static void *grown(void *list, size_t count, size_t *size, size_t element)
{
    if (count < *size) return list;
    const size_t wanted = *size ? 2 * *size : 16;
    void *larger = realloc(list, wanted * element);
    if (larger) *size = wanted;
    return larger;
}

static enum anl_status head_crosses(struct biography *worm, uint64_t cycle,
                                    const struct anl_flit *flit)
{
    struct crossing *path = grown(worm->path, worm->num_path, &worm->size_path, sizeof *path);
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

enum anl_status biography_stay(struct biography *worm, const struct anl_stay *stay)
{
    struct anl_stay *stays = grown(worm->stays, worm->num_stays, &worm->size_stays, sizeof *stays);
    if (!stays) return ANL_ERR_MEMORY;
    worm->stays = stays;
    stays[worm->num_stays++] = *stay;
    return ANL_OK;
}

static int longer_first(const void *a, const void *b)
{
    const struct anl_delay *x = a, *y = b;
    if (x->cycles != y->cycles) return x->cycles < y->cycles ? 1 : -1;
    return x->by < y->by ? -1 : x->by > y->by;
}

enum anl_status biography_life(struct biography *worm, const struct anl_life *life)
{
    const size_t bytes = life->num_delays * sizeof *worm->delays;
    free(worm->delays);
    worm->delays = malloc(bytes + 1);
    if (!worm->delays) return ANL_ERR_MEMORY;
    if (bytes) memcpy(worm->delays, life->delays, bytes);
    qsort(worm->delays, life->num_delays, sizeof *worm->delays, longer_first);
    worm->life = *life;
    worm->life.delays = worm->delays;
    worm->born = true;
    return ANL_OK;
}

void biography_free(struct biography *worm)
{
    free(worm->delays);
    free(worm->path);
    free(worm->stays);
    *worm = (struct biography){0};
}
