// SPDX-License-Identifier: Apache-2.0

#include "wave_worms.h"

#include <string.h>

enum { CHAIN_AT_MOST = 64 };

// Returns the index of the worm in the list, or the length of the list.
static uint32_t find_worm(const struct wave_worms *wave_worms, uint32_t worm)
{
    uint32_t i = 0;
    while (i < wave_worms->worms && wave_worms->worm[i].worm.id != worm)
        i++;
    return i;
}

void wave_worms_join(struct wave_worms *wave_worms, const struct anl_blocking *blocking,
                     uint32_t worm)
{
    struct anl_life life;
    if (find_worm(wave_worms, worm) < wave_worms->worms ||
        wave_worms->worms == WAVE_WORMS_CANDIDATES)
        return;
    if (!anl_blocking_life(blocking, worm, &life)) return;
    wave_worms->worm[wave_worms->worms++] = (struct wave_worms_worm){.worm = life.worm};
}

void wave_worms_follow(struct wave_worms *wave_worms, const struct anl_blocking *blocking,
                       uint32_t buffer)
{
    bool counted[WAVE_WORMS_CANDIDATES] = {false};
    for (int i = 0; i < CHAIN_AT_MOST && buffer != ANL_NOTHING; i++) {
        struct anl_buffer at = anl_blocking_buffer(blocking, buffer);
        uint32_t worm = at.worm != ANL_NOTHING ? at.worm : at.owner;
        if (worm != ANL_NOTHING) wave_worms_join(wave_worms, blocking, worm);
        uint32_t number = find_worm(wave_worms, worm);
        if (number < wave_worms->worms && !counted[number]) {
            counted[number] = true;
            wave_worms->worm[number].cycles++;
        }
        buffer = at.next;
    }
}

void wave_worms_choose(struct wave_worms *wave_worms)
{
    for (uint32_t i = 2; i < wave_worms->worms; i++) {
        struct wave_worms_worm worm = wave_worms->worm[i];
        uint32_t at = i;
        for (; at > 1 && wave_worms->worm[at - 1].cycles < worm.cycles; at--)
            wave_worms->worm[at] = wave_worms->worm[at - 1];
        wave_worms->worm[at] = worm;
    }
    if (wave_worms->worms > WAVE_WORMS_WORMS) wave_worms->worms = WAVE_WORMS_WORMS;
}

static bool has_lane(const struct wave_worms_worm *worm, uint32_t buffer)
{
    for (uint32_t i = 0; i < worm->lanes; i++)
        if (worm->lane[i] == buffer) return true;
    return false;
}

// Puts a lane ahead of the others; if there are too many, the one farthest behind is dropped.
static void add_lane(struct wave_worms_worm *worm, uint32_t buffer)
{
    if (has_lane(worm, buffer)) return;
    if (worm->lanes < WAVE_WORMS_LANES) worm->lanes++;
    memmove(&worm->lane[1], &worm->lane[0], (worm->lanes - 1) * sizeof *worm->lane);
    worm->lane[0] = buffer;
}

// A worm that was seen before has moved on: its new lanes are ahead of the one that was the first.
static void find_lanes_of(struct wave_worms_worm *worm, const struct anl_blocking *blocking)
{
    uint32_t body[WAVE_WORMS_LANES];
    size_t count = anl_blocking_body(blocking, worm->worm.id, body, WAVE_WORMS_LANES);
    if (count > WAVE_WORMS_LANES) count = WAVE_WORMS_LANES;
    size_t ahead = 0;
    while (ahead < count && (worm->lanes == 0 || body[ahead] != worm->lane[0]))
        ahead++;
    for (size_t i = ahead; i-- > 0;)
        add_lane(worm, body[i]);
}

void wave_worms_find_lanes(struct wave_worms *wave_worms, const struct anl_blocking *blocking)
{
    for (uint32_t i = 0; i < wave_worms->worms; i++)
        find_lanes_of(&wave_worms->worm[i], blocking);
}

static uint32_t switch_of(const struct anl_config *config, uint32_t buffer)
{
    struct anl_shape shape = anl_shape_of(config);
    uint32_t lanes = shape.links * config->num_vcs;
    uint32_t link = buffer / config->num_vcs;
    if (buffer >= lanes)  // a source
        link = shape.switches * shape.ports + (buffer - lanes) % shape.terminals;
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

size_t wave_worms_switches(const struct wave_worms *wave_worms, const struct anl_config *config,
                           uint32_t more, uint32_t switches[WAVE_WORMS_SWITCHES])
{
    size_t count = 0;
    if (more != ANL_NOTHING) count = add_switch(switches, count, more);
    for (uint32_t i = 0; i < wave_worms->worms; i++)
        for (uint32_t l = 0; l < wave_worms->worm[i].lanes; l++)
            count = add_switch(switches, count, switch_of(config, wave_worms->worm[i].lane[l]));
    return count;
}
