// SPDX-License-Identifier: Apache-2.0
//
// Wiring and routes, looked up once from the formulas of topology.c; the way of a head (rule 1 of
// docs/switch.md).

#include "engine.h"
#include "network/fat_tree.h"

#include <stdlib.h>

// ---------------------------------------------------------------- tables

bool net_allocate_tables(struct anl_engine *net)
{
    const struct anl_config *config = &net->config;
    const size_t switches = net->shape.switches;
    if (config->topology == ANL_UNIDIRECTIONAL_TORUS) {
        net->from = calloc(net->network_links, sizeof *net->from);
        if (!net->from) return false;
    }
    if (config->topology == ANL_FAT_TREE)
        return (net->stands = calloc(switches, sizeof *net->stands)) != NULL;
    net->labels = calloc(switches, sizeof *net->labels);
    net->hop = calloc((size_t)config->k * config->k, sizeof *net->hop);
    return net->labels && net->hop;
}

static void fill_wiring(struct anl_engine *net)
{
    const struct anl_config *config = &net->config;
    const uint32_t ports = net->shape.ports;
    for (uint32_t link = 0; link < net->network_links; link++) {
        const struct anl_end end = anl_link_end(config, link / ports, link % ports);
        struct port *port = &net->ports[link];
        port->number = (uint8_t)(link % ports);
        if (end.is_terminal)
            port->to = net->network_links + end.node;
        else
            port->to = end.exists ? end.node * ports + end.port : ANL_NO_PORT;
    }
    for (uint32_t t = 0; t < net->shape.terminals; t++)
        net->ports[net->network_links + t].to = anl_ejection_link(config, t);
    for (uint32_t link = 0; net->from && link < net->shape.links; link++)
        if (net->ports[link].to < net->network_links) net->from[net->ports[link].to] = link;
}

static void fill_cube_routes(struct anl_engine *net)
{
    const struct anl_config *config = &net->config;
    const uint32_t n = config->n, k = config->k;
    net->directions = (net->shape.ports - 1) / n;
    net->label_width = anl_label_bits(config) / n;
    for (uint32_t s = 0; s < net->shape.switches; s++)
        net->labels[s] = (uint32_t)anl_label(config, s);
    // Nodes 0 … k - 1 differ in dimension 0 alone, and every dimension has the same rule.
    for (uint32_t c = 0; c < k; c++)
        for (uint32_t t = 0; t < k; t++) {
            const struct anl_route route = anl_route_at(config, c, t);
            net->hop[(size_t)c * k + t] =
                (struct hop){.direction = (uint8_t)route.port, .vcs = (uint8_t)route.vcs};
        }
}

static void fill_tree_routes(struct anl_engine *net)
{
    for (uint32_t s = 0; s < net->shape.switches; s++) {
        const struct anl_tree_place place = anl_tree_place(&net->config, s);
        net->level_begin[place.level + 1] = s + 1;
        net->stands[s] = (struct stand){.subtree = place.address >> (place.level - 1),
                                        .width = (uint8_t)(2 * place.level)};
    }
    if (net->config.routing != ANL_UP_DOWN_FIXED) net->up = 1u << TREE_UP;
}

void net_fill_tables(struct anl_engine *net)
{
    fill_wiring(net);
    if (net->stands)
        fill_tree_routes(net);
    else
        fill_cube_routes(net);
}

// ---------------------------------------------------------------- the way of a head

// Output port; *vcs: set of lanes.
static uint32_t route_cube(const struct anl_engine *net, uint32_t here, uint32_t there,
                           uint8_t *vcs)
{
    const uint32_t width = net->label_width, mask = (1u << width) - 1;

    for (uint32_t d = 0; here != there; d++, here >>= width, there >>= width) {
        if ((here & mask) == (there & mask)) continue;
        const struct hop hop = net->hop[(here & mask) * net->config.k + (there & mask)];
        *vcs = hop.vcs;
        return d * net->directions + hop.direction;
    }
    *vcs = net->all_vcs;
    return net->shape.ports - 1;
}

// The path is 0 unless it chooses the port.
static uint32_t route_tree(const struct anl_engine *net, uint32_t switch_,
                           const struct anl_worm *worm)
{
    const struct stand here = net->stands[switch_];
    const bool below = worm->destination >> here.width == here.subtree;
    return below ? worm->destination >> (here.width - 2) & 3
                 : TREE_UP + (worm->path >> (here.width / 2 - 1) & 1);
}

void net_see_head(const struct anl_engine *net, uint32_t port, struct lane *lane)
{
    const uint32_t id = lane->worm, switch_ = switch_of(net, port);
    const struct head *head = head_of(net, id);
    uint8_t vcs = net->all_vcs;
    const uint32_t output = net->stands ? route_tree(net, switch_, &record_of(net, id)->worm)
                                        : route_cube(net, net->labels[switch_], head->label, &vcs);
    lane->output = (uint8_t)output;
    lane->needs = free_bits(vcs);
    lane->length = head->length;
    lane->rank = head->rank;
}
