// SPDX-License-Identifier: Apache-2.0
//
// Wiring and routes of the butterfly fat-tree: Greenberg and Oh (1993), section 3.2.1, as in
// docs/networks.md. Levels count from 1, terminals are at level 0.

#include "fat_tree.h"

static uint32_t terminals(const struct anl_config *config) { return 1u << 2 * config->n; }

// Switches below level: m_1 + … + m_(level - 1), of which m_l = T / 2^(l + 1).
static uint32_t switches_below(const struct anl_config *config, uint32_t level)
{
    return terminals(config) / 2 - (terminals(config) >> level);
}

struct anl_shape tree_shape(const struct anl_config *config)
{
    const uint32_t switches = switches_below(config, config->n + 1);
    return (struct anl_shape){
        .switches = switches,
        .ports = TREE_PORTS,
        .terminals = terminals(config),
        .links = switches * TREE_PORTS + terminals(config),
    };
}

struct anl_tree_place anl_tree_place(const struct anl_config *config, uint32_t switch_)
{
    uint32_t level = 1;
    while (switch_ >= switches_below(config, level + 1))
        level++;
    return (struct anl_tree_place){level, switch_ - switches_below(config, level)};
}

uint32_t anl_tree_switch(const struct anl_config *config, struct anl_tree_place place)
{
    return switches_below(config, place.level) + place.address;
}

// The parent of (l, a) by up port which = 0 or 1, and the port at which it knows its child.
static struct anl_end parent(const struct anl_config *config, struct anl_tree_place child,
                             uint32_t which)
{
    const uint32_t l = child.level, a = child.address;
    const uint32_t group = a >> (l + 1) << l;
    const uint32_t side = (a + (which << (l - 1))) & ((1u << l) - 1);
    return (struct anl_end){
        .exists = true,
        .node = anl_tree_switch(config, (struct anl_tree_place){l + 1, group + side}),
        .port = (a & ((1u << (l + 1)) - 1)) >> (l - 1),
    };
}

// The child of (l, A) at port c: among the switches of its subtree the one with c for its port at
// the parent, and one of whose up links ends here.
static struct anl_end child(const struct anl_config *config, struct anl_tree_place place,
                            uint32_t port)
{
    const uint32_t l = place.level - 1, a = place.address;  // of the child
    const uint32_t low = a & ((1u << (l - 1)) - 1);         // the up links keep these bits
    const uint32_t address = (a >> l << (l + 1)) + (port << (l - 1)) + low;
    const struct anl_tree_place below = {l, address};
    const bool first = parent(config, below, 0).node == anl_tree_switch(config, place);
    return (struct anl_end){
        .exists = true,
        .node = anl_tree_switch(config, below),
        .port = first ? TREE_UP : TREE_UP + 1,
    };
}

struct anl_end tree_link_end(const struct anl_config *config, uint32_t switch_, uint32_t port)
{
    const struct anl_tree_place place = anl_tree_place(config, switch_);
    if (port >= TREE_UP)
        return place.level == config->n ? (struct anl_end){0}
                                        : parent(config, place, port - TREE_UP);
    if (place.level > 1) return child(config, place, port);
    return (struct anl_end){
        .exists = true,
        .is_terminal = true,
        .node = place.address * TREE_CHILDREN + port,
    };
}

struct anl_route tree_route(const struct anl_config *config, uint32_t switch_, uint32_t destination)
{
    const struct anl_tree_place place = anl_tree_place(config, switch_);
    const uint32_t l = place.level, all = (1u << config->num_vcs) - 1;
    if (destination >> 2 * l != place.address >> (l - 1))
        return (struct anl_route){.port = TREE_UP, .ports = 2, .vcs = all};
    return (struct anl_route){.port = destination >> 2 * (l - 1) & 3, .ports = 1, .vcs = all};
}

uint32_t tree_distance(uint32_t source, uint32_t destination)
{
    uint32_t links = 0;
    while (source >> 2 != destination >> 2) {
        source >>= 2;
        destination >>= 2;
        links += 2;
    }
    return links;
}
