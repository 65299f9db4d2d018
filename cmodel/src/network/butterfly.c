// SPDX-License-Identifier: Apache-2.0
//
// The butterfly of docs/networks.md: a k-ary n-fly, passed once or twice. All links lead from one
// level of switches to the next. With two passes the last level of the first butterfly is the first
// level of the second one.

#include "network.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t columns(const struct anl_config *config)
{
    return network_power(config->k, config->n - 1);
}

// Returns D, the levels of links between switches; there is one more level of switches.
static uint32_t link_levels(const struct anl_config *config)
{
    return anl_num_passes(config) * (config->n - 1);
}

static struct anl_shape shape(const struct anl_config *config)
{
    const uint32_t switches = (link_levels(config) + 1) * columns(config);
    const uint32_t terminals = network_power(config->k, config->n);
    return (struct anl_shape){
        .switches = switches,
        .ports = config->k,
        .terminals = terminals,
        .links = switches * config->k + terminals,
    };
}

struct anl_fly_place anl_fly_place(const struct anl_config *config, uint32_t switch_)
{
    return (struct anl_fly_place){switch_ / columns(config), switch_ % columns(config)};
}

// --- wiring ---

static struct anl_end link_end(const struct anl_config *config, uint32_t switch_, uint32_t port)
{
    const struct anl_fly_place at = anl_fly_place(config, switch_);
    const uint32_t k = config->k;
    if (at.level == link_levels(config))
        return (struct anl_end){.exists = true, .is_terminal = true, .node = at.column * k + port};
    const uint32_t d = config->n - 2 - at.level % (config->n - 1);
    const uint32_t digit = anl_coordinate(config, at.column, d), weight = network_power(k, d);
    const uint32_t column = at.column - digit * weight + port * weight;
    return (struct anl_end){
        .exists = true,
        .node = (at.level + 1) * columns(config) + column,
        .port = digit,
    };
}

static uint32_t injection_port(const struct anl_config *config, uint32_t terminal)
{
    (void)config;
    return terminal;
}

static uint32_t ejection_link(const struct anl_config *config, uint32_t terminal)
{
    return link_levels(config) * columns(config) * config->k + terminal;
}

static bool is_chained_link(const struct anl_config *config, uint32_t link)
{
    return link < ejection_link(config, 0);
}

// --- routes ---

static bool is_in_last_pass(const struct anl_config *config, uint32_t level)
{
    return level + config->n > link_levels(config);
}

static uint32_t path_port(const struct anl_config *config, uint32_t switch_, uint32_t path)
{
    const uint32_t level = anl_fly_place(config, switch_).level;
    return anl_coordinate(config, path, config->n - 2 - level);
}

static struct anl_route route(const struct anl_config *config, struct anl_input_lane at,
                              uint32_t destination)
{
    const uint32_t level = anl_fly_place(config, at.switch_).level;
    const uint8_t all = (uint8_t)((1u << config->num_vcs) - 1);
    if (is_in_last_pass(config, level)) {
        const uint32_t port = anl_coordinate(config, destination, link_levels(config) - level);
        return network_route_of((struct network_hop){(uint8_t)port, all});
    }
    struct anl_route any = {.ports = (uint32_t)((UINT64_C(1) << config->k) - 1)};
    for (uint32_t port = 0; port < config->k; port++)
        any.vcs[port] = all;
    return any;
}

static uint32_t path_radix(const struct anl_config *config)
{
    return anl_num_passes(config) == 2 ? config->k : 1;
}

static uint32_t distance(const struct anl_config *config, uint32_t source, uint32_t destination)
{
    (void)source;
    (void)destination;
    return link_levels(config);
}

static bool is_acyclic(const struct anl_config *config)
{
    (void)config;
    return true;
}

static bool in_upper_half(const struct anl_config *config, uint32_t switch_)
{
    return config->n > 1 && anl_fly_place(config, switch_).column >=
                                (config->k + 1) / 2 * (columns(config) / config->k);
}

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

static enum anl_status check(const struct anl_config *config, struct anl_error *error)
{
    if (config->k > ANL_MAX_PORTS)
        REFUSE("k is %u, a butterfly expects at most %d", config->k, ANL_MAX_PORTS);
    if (config->passes > 2) REFUSE("passes is %u, expected 1 or 2", config->passes);
    if (config->passes == 2 && config->n < 2)
        REFUSE("n is %u, two passes expect at least 2", config->n);
    return ANL_OK;
}

// --- names and numbers ---

static struct network_place place(const struct anl_config *config, uint32_t switch_)
{
    const struct anl_fly_place at = anl_fly_place(config, switch_);
    return (struct network_place){at.level, at.column};
}

static uint32_t link_tier(const struct anl_config *config, uint32_t from, uint32_t to)
{
    (void)to;
    return anl_fly_place(config, from).level;
}

static void link_tier_name(const struct anl_config *config, uint32_t tier, char *text, size_t size)
{
    (void)config;
    snprintf(text, size, "from level %u", tier);
}

static size_t switch_name(const struct anl_config *config, uint32_t switch_, char *text,
                          size_t size)
{
    const struct anl_fly_place at = anl_fly_place(config, switch_);
    return (size_t)snprintf(text, size, "%u(%u,%u)", switch_, at.level, at.column);
}

static void port_name(const struct anl_config *config, uint32_t port, char *text, size_t size)
{
    (void)config;
    snprintf(text, size, "%u", port);
}

// --- tables ---

// Where a switch finds the digit that is its port.
struct tag {
    uint32_t weight;  // of the digit in the number of the destination
    bool of_path;     // in that of the intermediate column instead
};

static bool prepare(struct anl_network *network)
{
    const struct anl_config *config = &network->config;
    const uint32_t levels = link_levels(config) + 1;
    struct tag *tags = malloc(network->shape.switches * sizeof *tags);
    network->tables = tags;
    if (!tags) return false;
    for (uint32_t s = 0; s < network->shape.switches; s++) {
        const uint32_t level = anl_fly_place(config, s).level;
        const bool of_path = !is_in_last_pass(config, level);
        const uint32_t digit = of_path ? config->n - 2 - level : levels - 1 - level;
        tags[s] = (struct tag){network_power(config->k, digit), of_path};
    }
    network->num_tiers = levels;
    for (uint32_t i = 0; i <= levels; i++)
        network->tier_begin[i] = i * columns(config);
    return true;
}

static struct network_hop hop(const struct anl_network *network, uint32_t switch_, uint32_t input,
                              uint32_t vc, struct network_head head)
{
    (void)input;
    (void)vc;
    const struct tag tag = ((const struct tag *)network->tables)[switch_];
    const uint32_t port = (tag.of_path ? head.path : head.label) / tag.weight % network->config.k;
    return (struct network_hop){(uint8_t)port, (uint8_t)((1u << network->class_lanes) - 1)};
}

const struct topology topology_butterfly = {
    .name = "butterfly",
    .least_k = 2,
    .routings = 1 << ANL_DESTINATION_TAG,
    .routing = ANL_DESTINATION_TAG,
    .may_chain = true,  // each link leads to the next level
    .check = check,
    .is_acyclic = is_acyclic,
    .shape = shape,
    .link_end = link_end,
    .injection_port = injection_port,
    .ejection_link = ejection_link,
    .is_chained_link = is_chained_link,
    .route = route,
    .path_radix = path_radix,
    .path_port = path_port,
    .distance = distance,
    .halves = "between the halves of the columns",
    .in_upper_half = in_upper_half,
    .place = place,
    .num_link_tiers = link_levels,
    .link_tier = link_tier,
    .link_tier_name = link_tier_name,
    .switch_name = switch_name,
    .port_name = port_name,
    .prepare = prepare,
    .hop = hop,
};
