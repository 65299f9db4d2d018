// SPDX-License-Identifier: Apache-2.0
//
// Channel-dependency graphs: filled by a caller, or made from the wiring and the routes of a
// network.

#include "network.h"

#include <stdlib.h>
#include <string.h>

// --- any graph ---

enum anl_status anl_cdg_create(const struct anl_config *config, struct anl_cdg **cdg)
{
    struct anl_cdg *made = calloc(1, sizeof *made);
    *cdg = NULL;
    if (!made) return ANL_ERR_MEMORY;
    made->shape = anl_shape_of(config);
    made->num_vcs = config->num_vcs;
    made->lanes = made->shape.links * config->num_vcs;
    made->end = malloc(made->shape.links * sizeof *made->end);
    made->after = calloc((size_t)made->lanes * made->shape.ports, sizeof *made->after);
    if (!made->end || !made->after) {
        anl_cdg_destroy(made);
        return ANL_ERR_MEMORY;
    }
    memset(made->end, 0xff, made->shape.links * sizeof *made->end);
    *cdg = made;
    return ANL_OK;
}

void anl_cdg_destroy(struct anl_cdg *cdg)
{
    if (!cdg) return;
    free(cdg->end);
    free(cdg->after);
    free(cdg);
}

void anl_cdg_set_end(struct anl_cdg *cdg, uint32_t link, uint32_t switch_)
{
    cdg->end[link] = switch_;
}

uint32_t anl_cdg_end(const struct anl_cdg *cdg, uint32_t link) { return cdg->end[link]; }

void anl_cdg_add(struct anl_cdg *cdg, uint32_t lane, uint32_t port, uint32_t vcs)
{
    cdg->after[(size_t)lane * cdg->shape.ports + port] |= (uint8_t)vcs;
}

uint32_t anl_cdg_lanes(const struct anl_cdg *cdg) { return cdg->lanes; }

uint64_t anl_cdg_dependencies(const struct anl_cdg *cdg)
{
    uint64_t count = 0;
    for (size_t i = 0; i < (size_t)cdg->lanes * cdg->shape.ports; i++)
        count += (uint64_t)__builtin_popcount(cdg->after[i]);
    return count;
}

size_t anl_cdg_after(const struct anl_cdg *cdg, uint32_t lane, uint32_t *lanes)
{
    const uint32_t ports = cdg->shape.ports, end = cdg->end[lane / cdg->num_vcs];
    size_t count = 0;
    for (uint32_t port = 0; end != UINT32_MAX && port < ports; port++)
        for (uint32_t vcs = cdg->after[(size_t)lane * ports + port]; vcs; vcs &= vcs - 1)
            lanes[count++] = (end * ports + port) * cdg->num_vcs + (uint32_t)__builtin_ctz(vcs);
    return count;
}

// --- the graph of a network ---

static uint32_t lowest(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }

// Makes the lanes vcs of a link depend on the lanes of the route at the switch at its end.
static void go_on(struct anl_cdg *cdg, const struct anl_route *routes, uint32_t link, uint32_t vcs)
{
    if (cdg->end[link] == UINT32_MAX) return;
    const struct anl_route *route = &routes[cdg->end[link]];
    for (; vcs; vcs &= vcs - 1)
        for (uint32_t rest = route->ports; rest; rest &= rest - 1)
            anl_cdg_add(cdg, link * cdg->num_vcs + lowest(vcs), lowest(rest),
                        route->vcs[lowest(rest)]);
}

static void find_ends(struct anl_cdg *cdg, const struct anl_config *config)
{
    for (uint32_t link = 0; link < cdg->shape.links; link++) {
        const struct anl_end end = anl_end_of(config, link);
        if (end.exists && !end.is_terminal) anl_cdg_set_end(cdg, link, end.node);
    }
}

// The heads for one terminal in the lanes of one group.
struct heads {
    uint32_t destination;
    uint32_t vcs;              // the lanes of the group
    uint32_t round;            // number of this destination and group
    struct anl_route *routes;  // [switches] the route to the destination
    uint32_t *met;    // [switches] the last round whose heads come to the switch; UINT32_MAX
    uint32_t *queue;  // [count] the switches to which heads come in this round
    size_t count;
};

// Lets heads that are in the lanes vcs of a link go on.
static void follow(struct anl_cdg *cdg, struct heads *heads, uint32_t link, uint32_t vcs)
{
    const uint32_t end = cdg->end[link];
    go_on(cdg, heads->routes, link, vcs);
    if (end == UINT32_MAX || heads->met[end] == heads->round) return;
    heads->met[end] = heads->round;
    heads->queue[heads->count++] = end;
}

// Adds the dependencies of heads for one terminal, which begin in the injection links of all
// terminals whose worms go in the group.
static void find_dependencies(struct anl_cdg *cdg, const struct anl_config *config,
                              struct heads *heads)
{
    const struct anl_shape shape = cdg->shape;
    const uint32_t injections = shape.switches * shape.ports;
    heads->count = 0;
    for (uint32_t t = 0; t < shape.terminals; t++)
        if (anl_injection_vcs(config, t, heads->destination) == heads->vcs)
            follow(cdg, heads, injections + t, heads->vcs);
    for (size_t i = 0; i < heads->count; i++) {
        const uint32_t here = heads->queue[i];
        const struct anl_route *route = &heads->routes[here];
        for (uint32_t rest = route->ports; rest; rest &= rest - 1)
            follow(cdg, heads, here * shape.ports + lowest(rest), route->vcs[lowest(rest)]);
    }
}

static void follow_group(struct anl_cdg *cdg, const struct anl_config *config, struct heads *heads)
{
    const uint32_t vc = lowest(heads->vcs);
    for (uint32_t s = 0; s < cdg->shape.switches; s++)
        heads->routes[s] =
            anl_route_at(config, (struct anl_input_lane){s, 0, vc}, heads->destination);
    find_dependencies(cdg, config, heads);
    heads->round++;
}

static void follow_all(struct anl_cdg *cdg, const struct anl_config *config, struct heads *heads)
{
    memset(heads->met, 0xff, cdg->shape.switches * sizeof *heads->met);
    for (heads->destination = 0; heads->destination < cdg->shape.terminals; heads->destination++)
        for (uint32_t left = (1u << cdg->num_vcs) - 1; left; left &= ~heads->vcs) {
            heads->vcs = anl_group_vcs(config, lowest(left));
            follow_group(cdg, config, heads);
        }
}

// With source routes it is known which turns the routes make.
static enum anl_status find_turns(const struct anl_config *config, struct anl_cdg **cdg)
{
    const uint32_t all = (1u << config->num_vcs) - 1;
    const enum anl_status status = anl_cdg_create(config, cdg);
    if (status) return status;
    find_ends(*cdg, config);
    for (uint32_t link = 0; link < (*cdg)->shape.links; link++) {
        const struct anl_end end = anl_end_of(config, link);
        if (!end.exists || end.is_terminal) continue;
        const uint32_t turns = config->graph->turns[end.node * (*cdg)->shape.ports + end.port];
        for (uint32_t vc = 0; vc < config->num_vcs; vc++)
            for (uint32_t rest = turns; rest; rest &= rest - 1)
                anl_cdg_add(*cdg, link * config->num_vcs + vc, lowest(rest), all);
    }
    return ANL_OK;
}

enum anl_status anl_cdg_of(const struct anl_config *config, struct anl_cdg **cdg)
{
    const struct anl_shape shape = anl_shape_of(config);
    *cdg = NULL;
    if (config->routing == ANL_SOURCE) return find_turns(config, cdg);
    if ((uint64_t)shape.switches * shape.terminals > ANL_CDG_ROUTES) return ANL_ERR_ARGUMENT;
    struct heads heads = {
        .routes = malloc(shape.switches * sizeof *heads.routes),
        .met = malloc(shape.switches * sizeof *heads.met),
        .queue = malloc(shape.switches * sizeof *heads.queue),
    };
    const bool good = heads.routes && heads.met && heads.queue;
    const enum anl_status status = good ? anl_cdg_create(config, cdg) : ANL_ERR_MEMORY;
    if (!status) {
        find_ends(*cdg, config);
        follow_all(*cdg, config, &heads);
    }
    free(heads.routes);
    free(heads.met);
    free(heads.queue);
    return status;
}
