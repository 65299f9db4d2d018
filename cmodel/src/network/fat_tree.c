// SPDX-License-Identifier: Apache-2.0
//
// The butterfly fat-tree of docs/networks.md, after Greenberg and Oh (1993), section 3.2.1. The
// levels of switches count from 1; the terminals are at level 0. A switch has four ports to its
// children and two to its parents.

#include "network.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t terminals(const struct anl_config *config) { return 1u << 2 * config->n; }

// Returns how many switches are below a level: m_1 + … + m_(level - 1). Level l
// has m_l = T / 2^(l + 1) switches.
static uint32_t switches_below(const struct anl_config *config, uint32_t level)
{
    return terminals(config) / 2 - (terminals(config) >> level);
}

static struct anl_shape shape(const struct anl_config *config)
{
    const uint32_t switches = switches_below(config, config->n + 1);
    return (struct anl_shape){
        .switches = switches,
        .ports = ANL_TREE_PORTS,
        .terminals = terminals(config),
        .links = switches * ANL_TREE_PORTS + terminals(config),
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

// Returns the parent of switch (l, a) by up port `which`, 0 or 1, and the parent's port for this
// child.
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

// Returns the child of switch (l, A) at port c: of the switches in the child subtree c, the one
// that has an up link to (l, A).
static struct anl_end child(const struct anl_config *config, struct anl_tree_place place,
                            uint32_t port)
{
    const uint32_t l = place.level - 1, a = place.address;  // of the child
    const uint32_t low = a & ((1u << (l - 1)) - 1);         // the bits that an up link keeps
    const uint32_t address = (a >> l << (l + 1)) + (port << (l - 1)) + low;
    const struct anl_tree_place below = {l, address};
    const bool first = parent(config, below, 0).node == anl_tree_switch(config, place);
    return (struct anl_end){
        .exists = true,
        .node = anl_tree_switch(config, below),
        .port = first ? ANL_TREE_UP : ANL_TREE_UP + 1,
    };
}

static struct anl_end link_end(const struct anl_config *config, uint32_t switch_, uint32_t port)
{
    const struct anl_tree_place place = anl_tree_place(config, switch_);
    if (port >= ANL_TREE_UP)
        return place.level == config->n ? (struct anl_end){0}
                                        : parent(config, place, port - ANL_TREE_UP);
    if (place.level > 1) return child(config, place, port);
    return (struct anl_end){
        .exists = true,
        .is_terminal = true,
        .node = place.address * ANL_TREE_CHILDREN + port,
    };
}

static struct anl_route route(const struct anl_config *config, struct anl_input_lane at,
                              uint32_t destination)
{
    const struct anl_tree_place place = anl_tree_place(config, at.switch_);
    const uint32_t l = place.level;
    const uint8_t all = (uint8_t)((1u << config->num_vcs) - 1);
    if (destination >> 2 * l == place.address >> (l - 1))
        return network_route_of(
            (struct network_hop){(uint8_t)(destination >> 2 * (l - 1) & 3), all});
    if (config->routing == ANL_DESTINATION_TAG)
        return network_route_of(
            (struct network_hop){(uint8_t)(ANL_TREE_UP + (destination >> (l - 1) & 1)), all});
    struct anl_route up = {.ports = 3u << ANL_TREE_UP};
    up.vcs[ANL_TREE_UP] = up.vcs[ANL_TREE_UP + 1] = all;
    return up;
}

static uint32_t distance(const struct anl_config *config, uint32_t source, uint32_t destination)
{
    uint32_t links = 0;
    (void)config;
    while (source >> 2 != destination >> 2) {
        source >>= 2;
        destination >>= 2;
        links += 2;
    }
    return links;
}

// --- ports ---

static uint32_t ejection_link(const struct anl_config *config, uint32_t terminal)
{
    (void)config;
    return terminal / ANL_TREE_CHILDREN * ANL_TREE_PORTS + terminal % ANL_TREE_CHILDREN;
}

static bool is_chained_link(const struct anl_config *config, uint32_t link)
{
    (void)config;
    return link % ANL_TREE_PORTS >= ANL_TREE_UP;
}

static uint32_t path_radix(const struct anl_config *config)
{
    return config->routing == ANL_UP_DOWN_FIXED ? 2 : 1;
}

static uint32_t path_port(const struct anl_config *config, uint32_t switch_, uint32_t path)
{
    return ANL_TREE_UP + (path >> (anl_tree_place(config, switch_).level - 1) & 1);
}

static bool in_upper_half(const struct anl_config *config, uint32_t switch_)
{
    const struct anl_tree_place at = anl_tree_place(config, switch_);
    const uint32_t subtree = at.address >> (at.level - 1);
    return at.level < config->n && subtree << 2 * at.level >= terminals(config) / 2;
}

static struct network_place place(const struct anl_config *config, uint32_t switch_)
{
    const struct anl_tree_place at = anl_tree_place(config, switch_);
    return (struct network_place){at.level, at.address};
}

static uint32_t num_link_tiers(const struct anl_config *config) { return 2 * (config->n - 1); }

static uint32_t link_tier(const struct anl_config *config, uint32_t from, uint32_t to)
{
    const uint32_t a = anl_tree_place(config, from).level, b = anl_tree_place(config, to).level;
    return b > a ? a - 1 : config->n - 1 + b - 1;
}

static void link_tier_name(const struct anl_config *config, uint32_t tier, char *text, size_t size)
{
    const uint32_t up = config->n - 1;
    if (tier < up)
        snprintf(text, size, "up from level %u", tier + 1);
    else
        snprintf(text, size, "down to level %u", tier - up + 1);
}

static size_t switch_name(const struct anl_config *config, uint32_t switch_, char *text,
                          size_t size)
{
    const struct anl_tree_place place = anl_tree_place(config, switch_);
    return (size_t)snprintf(text, size, "%u(%u,%u)", switch_, place.level, place.address);
}

static void port_name(const struct anl_config *config, uint32_t port, char *text, size_t size)
{
    (void)config;
    snprintf(text, size, "%c%u", port < ANL_TREE_UP ? 'd' : 'u', port % ANL_TREE_UP);
}

// --- tables ---

// Terminal t is below the switch if t >> width == number.
struct subtree {
    uint32_t number;
    uint8_t width;  // 2 * level
};

static bool prepare(struct anl_network *network)
{
    const uint32_t switches = network->shape.switches;
    struct subtree *subtrees = malloc(switches * sizeof *subtrees);
    network->tables = subtrees;
    if (!subtrees) return false;
    network->num_tiers = network->config.n;
    for (uint32_t s = 0; s < switches; s++) {
        const struct anl_tree_place place = anl_tree_place(&network->config, s);
        network->tier_begin[place.level] = s + 1;
        subtrees[s] = (struct subtree){.number = place.address >> (place.level - 1),
                                       .width = (uint8_t)(2 * place.level)};
    }
    if (network->config.routing == ANL_UP_DOWN_RANDOM) network->choice = CHOICE_RANDOM;
    if (network->config.routing == ANL_UP_DOWN_GREEDY) network->choice = CHOICE_GREEDY;
    network->choice_port = ANL_TREE_UP;
    return true;
}

// head.path is 0 unless it chooses the port, so a head that may use either up port gets the lower
// one.
static struct network_hop hop(const struct anl_network *network, uint32_t switch_, uint32_t input,
                              uint32_t vc, struct network_head head)
{
    (void)input;
    (void)vc;
    const struct subtree here = ((const struct subtree *)network->tables)[switch_];
    const uint32_t destination = head.label;
    const bool below = destination >> here.width == here.number;
    const bool by_tag = network->config.routing == ANL_DESTINATION_TAG;
    const uint32_t up = (by_tag ? destination : head.path) >> (here.width / 2 - 1) & 1;
    const uint32_t port = below ? destination >> (here.width - 2) & 3 : ANL_TREE_UP + up;
    return (struct network_hop){(uint8_t)port, (uint8_t)((1u << network->class_lanes) - 1)};
}

// No route goes up after it has gone down.
static bool is_acyclic(const struct anl_config *config)
{
    (void)config;
    return true;
}

const struct topology topology_fat_tree = {
    .name = "fat_tree",
    .only_k = 4,
    .routings = 1 << ANL_UP_DOWN_FIXED | 1 << ANL_UP_DOWN_RANDOM | 1 << ANL_UP_DOWN_GREEDY |
                1 << ANL_DESTINATION_TAG,
    .routing = ANL_UP_DOWN_RANDOM,
    .may_chain = true,  // a chain of up links ends at the root
    .is_acyclic = is_acyclic,
    .shape = shape,
    .link_end = link_end,
    .ejection_link = ejection_link,
    .is_chained_link = is_chained_link,
    .route = route,
    .path_radix = path_radix,
    .path_port = path_port,
    .distance = distance,
    .halves = "between the halves of the terminals",
    .in_upper_half = in_upper_half,
    .place = place,
    .num_link_tiers = num_link_tiers,
    .link_tier = link_tier,
    .link_tier_name = link_tier_name,
    .switch_name = switch_name,
    .port_name = port_name,
    .prepare = prepare,
    .hop = hop,
};
