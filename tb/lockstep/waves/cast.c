// SPDX-License-Identifier: Apache-2.0

#include "cast.h"

#include <string.h>

enum { CHAIN_AT_MOST = 64 };

// Its number in the cast, or cast->worms.
static uint32_t find_worm(const struct cast *cast, uint32_t worm)
{
    uint32_t i = 0;
    while (i < cast->worms && cast->worm[i].worm.id != worm)
        i++;
    return i;
}

void cast_join(struct cast *cast, const struct anl_blocking *blocking, uint32_t worm)
{
    struct anl_life life;
    if (find_worm(cast, worm) < cast->worms || cast->worms == CAST_CANDIDATES) return;
    if (!anl_blocking_life(blocking, worm, &life)) return;
    cast->worm[cast->worms++] = (struct cast_worm){.worm = life.worm};
}

void cast_follow(struct cast *cast, const struct anl_blocking *blocking, uint32_t buffer)
{
    bool counted[CAST_CANDIDATES] = {false};
    for (int i = 0; i < CHAIN_AT_MOST && buffer != ANL_NOTHING; i++) {
        struct anl_buffer at = anl_blocking_buffer(blocking, buffer);
        uint32_t worm = at.worm != ANL_NOTHING ? at.worm : at.owner;
        if (worm != ANL_NOTHING) cast_join(cast, blocking, worm);
        uint32_t number = find_worm(cast, worm);
        if (number < cast->worms && !counted[number]) {
            counted[number] = true;
            cast->worm[number].cycles++;
        }
        buffer = at.next;
    }
}

void cast_choose(struct cast *cast)
{
    for (uint32_t i = 2; i < cast->worms; i++) {
        struct cast_worm worm = cast->worm[i];
        uint32_t at = i;
        for (; at > 1 && cast->worm[at - 1].cycles < worm.cycles; at--)
            cast->worm[at] = cast->worm[at - 1];
        cast->worm[at] = worm;
    }
    if (cast->worms > CAST_WORMS) cast->worms = CAST_WORMS;
}

static bool has_lane(const struct cast_worm *worm, uint32_t buffer)
{
    for (uint32_t i = 0; i < worm->lanes; i++)
        if (worm->lane[i] == buffer) return true;
    return false;
}

// Ahead of the others; of too many the one farthest behind goes.
static void add_lane(struct cast_worm *worm, uint32_t buffer)
{
    if (has_lane(worm, buffer)) return;
    if (worm->lanes < CAST_LANES) worm->lanes++;
    memmove(&worm->lane[1], &worm->lane[0], (worm->lanes - 1) * sizeof *worm->lane);
    worm->lane[0] = buffer;
}

// A worm that was seen before has moved on: what is new lies ahead of the lane that was the first.
static void find_lanes_of(struct cast_worm *worm, const struct anl_blocking *blocking)
{
    uint32_t body[CAST_LANES];
    size_t count = anl_blocking_body(blocking, worm->worm.id, body, CAST_LANES);
    if (count > CAST_LANES) count = CAST_LANES;
    size_t ahead = 0;
    while (ahead < count && (worm->lanes == 0 || body[ahead] != worm->lane[0]))
        ahead++;
    for (size_t i = ahead; i-- > 0;)
        add_lane(worm, body[i]);
}

void cast_find_lanes(struct cast *cast, const struct anl_blocking *blocking)
{
    for (uint32_t i = 0; i < cast->worms; i++)
        find_lanes_of(&cast->worm[i], blocking);
}

static uint32_t switch_of(const struct anl_config *config, uint32_t buffer)
{
    struct anl_shape shape = anl_shape_of(config);
    uint32_t lanes = shape.links * config->num_vcs;
    uint32_t link = buffer / config->num_vcs;
    if (buffer >= lanes) link = shape.switches * shape.ports + buffer - lanes;  // a source
    struct anl_end end = anl_end_of(config, link);
    return end.is_terminal ? link / shape.ports : end.node;
}

static size_t add_switch(uint32_t *switches, size_t count, uint32_t more)
{
    for (size_t i = 0; i < count; i++)
        if (switches[i] == more) return count;
    switches[count] = more;
    return count + 1;
}

size_t cast_switches(const struct cast *cast, const struct anl_config *config, uint32_t more,
                     uint32_t switches[CAST_SWITCHES])
{
    size_t count = 0;
    if (more != ANL_NOTHING) count = add_switch(switches, count, more);
    for (uint32_t i = 0; i < cast->worms; i++)
        for (uint32_t l = 0; l < cast->worm[i].lanes; l++)
            count = add_switch(switches, count, switch_of(config, cast->worm[i].lane[l]));
    return count;
}
