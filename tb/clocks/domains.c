// SPDX-License-Identifier: Apache-2.0

#include "domains.h"

#include <stdlib.h>

// Clocks last LEAST .. LEAST + MORE - 1 edges. The shortest period is SHORTEST units, the longest
// 16 times as long. Behind the common part of the reset each clock has up to LATER edges more of
// its own.
enum { LEAST = 1000, MORE = 8000, SHORTEST = 10000, LATER = 20 };

static uint64_t draw_period(struct anl_rng *rng)
{
    return (uint64_t)(SHORTEST + anl_rng_below(rng, SHORTEST)) << anl_rng_below(rng, 4);
}

static uint64_t earliest(const struct domains *domains)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t d = 0; d < domains->count; d++)
        if (domains->clock[d].next < first) first = domains->clock[d].next;
    return first;
}

// In one draw of four many clocks have the period of the first one, with a phase of their own or
// none.
static void draw_clocks(struct domains *domains)
{
    struct anl_rng *rng = &domains->rng;
    const uint64_t now = earliest(domains);
    const bool alike = anl_rng_below(rng, 4) == 0;
    for (uint32_t d = 0; d < domains->count; d++) {
        struct domain_clock *clock = &domains->clock[d];
        const bool same = alike && d > 0 && anl_rng_below(rng, 2) != 0;
        clock->period = same ? domains->clock[0].period : draw_period(rng);
        clock->next = now + (alike ? 0 : anl_rng_below(rng, (uint32_t)clock->period));
    }
    domains->left = LEAST + anl_rng_below(rng, MORE);
}

// A terminal whose links are at switches of two regions has a clock of its own.
static void number_terminals(struct domains *domains, const struct anl_config *config, bool alone)
{
    const struct anl_shape shape = anl_shape_of(config);
    for (uint32_t t = 0; t < shape.terminals; t++) {
        const uint32_t into = anl_end_of(config, anl_injection_link(config, t)).node;
        const uint32_t out = anl_ejection_link(config, t) / shape.ports;
        const bool apart = domains->of_switch[into] != domains->of_switch[out];
        domains->of_terminal[t] = alone || apart ? domains->count++ : domains->of_switch[out];
    }
}

// Regions that hang together in one draw of two, else any sets of switches.
static enum anl_status draw_regions(struct domains *domains, const struct anl_config *config)
{
    const uint32_t switches = anl_shape_of(config).switches, regions = domains->with_switches;
    if (regions == 1) return ANL_OK;
    if (anl_rng_below(&domains->rng, 2)) return anl_cut(config, regions, domains->of_switch);
    for (uint32_t s = 0; s < switches; s++)
        domains->of_switch[s] = s < regions ? s : anl_rng_below(&domains->rng, regions);
    return ANL_OK;
}

enum anl_status domains_create(struct domains *domains, const struct anl_config *config,
                               uint32_t regions, bool alone, uint64_t seed)
{
    const struct anl_shape shape = anl_shape_of(config);
    *domains = (struct domains){.with_switches = regions, .count = regions};
    domains->rng = anl_rng_seed(seed, 77);
    domains->of_switch = calloc(shape.switches, sizeof *domains->of_switch);
    domains->of_terminal = calloc(shape.terminals, sizeof *domains->of_terminal);
    domains->clock = calloc((size_t)regions + shape.terminals, sizeof *domains->clock);
    if (!domains->of_switch || !domains->of_terminal || !domains->clock) return ANL_ERR_MEMORY;
    const enum anl_status status = draw_regions(domains, config);
    if (status) return status;
    number_terminals(domains, config, alone);
    for (uint32_t d = 0; d < domains->count; d++)
        domains->clock[d].held = 1 + anl_rng_below(&domains->rng, LATER);
    draw_clocks(domains);
    return ANL_OK;
}

void domains_destroy(struct domains *domains)
{
    free(domains->of_switch);
    free(domains->of_terminal);
    free(domains->clock);
    *domains = (struct domains){0};
}

uint32_t domains_next(struct domains *domains)
{
    if (domains->left-- == 0) draw_clocks(domains);
    const uint64_t due = earliest(domains);
    uint32_t next = 0, many = 0;
    for (uint32_t d = 0; d < domains->count; d++)
        if (domains->clock[d].next == due && anl_rng_below(&domains->rng, ++many) == 0) next = d;
    domains->clock[next].next += domains->clock[next].period;
    return next;
}
