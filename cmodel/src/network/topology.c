// SPDX-License-Identifier: Apache-2.0
//
// Shape, wiring and routes from the formulas of docs/networks.md: k-ary n-cubes here, the fat-tree
// in fat_tree.c.

#include "fat_tree.h"

#include <annelid/network.h>
#include <assert.h>
#include <stdio.h>

static bool one_way(const struct anl_config *config)
{
    return config->topology == ANL_UNIDIRECTIONAL_TORUS || config->topology == ANL_HYPERCUBE;
}

static bool is_tree(const struct anl_config *config) { return config->topology == ANL_FAT_TREE; }

static uint32_t power(uint32_t base, uint32_t exponent)
{
    uint32_t result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

struct anl_shape anl_shape_of(const struct anl_config *config)
{
    if (is_tree(config)) return tree_shape(config);
    const uint32_t switches = power(config->k, config->n);
    const uint32_t ports = (one_way(config) ? config->n : 2 * config->n) + 1;
    return (struct anl_shape){
        .switches = switches,
        .ports = ports,
        .terminals = switches,
        .links = switches * ports + switches,
    };
}

uint32_t anl_coordinate(const struct anl_config *config, uint32_t node, uint32_t dimension)
{
    return node / power(config->k, dimension) % config->k;
}

uint64_t anl_label(const struct anl_config *config, uint32_t terminal)
{
    const uint32_t bits = anl_label_bits(config) / config->n;  // of a coordinate
    uint64_t label = 0;
    for (uint32_t d = 0; d < config->n; d++)
        label |= (uint64_t)anl_coordinate(config, terminal, d) << (d * bits);
    return label;
}

uint32_t anl_ejection_link(const struct anl_config *config, uint32_t terminal)
{
    const uint32_t ports = anl_shape_of(config).ports;
    if (is_tree(config)) return terminal / TREE_CHILDREN * ports + terminal % TREE_CHILDREN;
    return terminal * ports + ports - 1;
}

struct anl_end anl_end_of(const struct anl_config *config, uint32_t link)
{
    const struct anl_shape shape = anl_shape_of(config);
    const uint32_t injections = shape.switches * shape.ports;
    if (link < injections) return anl_link_end(config, link / shape.ports, link % shape.ports);
    const uint32_t opposite = anl_ejection_link(config, link - injections);
    return (struct anl_end){
        .exists = true, .node = opposite / shape.ports, .port = opposite % shape.ports};
}

bool anl_link_is_chained(const struct anl_config *config, uint32_t link)
{
    const struct anl_shape shape = anl_shape_of(config);
    const bool injection = link >= shape.switches * shape.ports;
    return config->space == ANL_CHAINED && (injection || link % shape.ports >= TREE_UP);
}

struct anl_end anl_link_end(const struct anl_config *config, uint32_t switch_, uint32_t port)
{
    if (is_tree(config)) return tree_link_end(config, switch_, port);
    const uint32_t k = config->k, terminal_port = anl_shape_of(config).ports - 1;
    if (port == terminal_port)
        return (struct anl_end){.exists = true, .is_terminal = true, .node = switch_};

    const uint32_t d = one_way(config) ? port : port / 2;
    const bool minus = !one_way(config) && port % 2 == 1;
    const uint32_t stride = power(k, d), x = anl_coordinate(config, switch_, d);
    if (config->topology == ANL_MESH && x == (minus ? 0 : k - 1)) return (struct anl_end){0};

    const uint32_t next_x = (minus ? x + k - 1 : x + 1) % k;
    return (struct anl_end){
        .exists = true,
        .node = switch_ - x * stride + next_x * stride,
        .port = one_way(config) ? port : port ^ 1,
    };
}

static bool goes_plus(const struct anl_config *config, uint32_t c, uint32_t t)
{
    if (config->topology == ANL_MESH) return t > c;
    if (config->topology != ANL_TORUS) return true;
    const uint32_t forward = (t + config->k - c) % config->k, backward = config->k - forward;
    return forward == backward ? c % 2 == 0 : forward < backward;
}

// Lanes of the class that a worm takes from coordinate c towards t (Dally and Seitz).
static uint32_t dateline_vcs(const struct anl_config *config, bool plus, uint32_t c, uint32_t t)
{
    const uint32_t all = (1u << config->num_vcs) - 1, class_0 = (1u << config->num_vcs / 2) - 1;
    const bool still_to_wrap = plus ? c > t : c < t;
    return still_to_wrap ? class_0 : all & ~class_0;
}

struct anl_route anl_route_at(const struct anl_config *config, uint32_t switch_,
                              uint32_t destination)
{
    if (is_tree(config)) return tree_route(config, switch_, destination);
    const uint32_t all = (1u << config->num_vcs) - 1;
    for (uint32_t d = 0; d < config->n; d++, switch_ /= config->k, destination /= config->k) {
        const uint32_t c = switch_ % config->k, t = destination % config->k;
        if (c == t) continue;
        const bool plus = goes_plus(config, c, t);
        return (struct anl_route){
            .port = one_way(config) ? d : 2 * d + !plus,
            .ports = 1,
            .vcs = config->routing == ANL_DATELINE ? dateline_vcs(config, plus, c, t) : all,
        };
    }
    return (struct anl_route){
        .port = one_way(config) ? config->n : 2 * config->n, .ports = 1, .vcs = all};
}

struct anl_route anl_route_on_path(const struct anl_config *config, uint32_t switch_,
                                   uint32_t destination, uint32_t path)
{
    struct anl_route route = anl_route_at(config, switch_, destination);
    if (route.ports == 1 || config->routing != ANL_UP_DOWN_FIXED) return route;
    route.port += path >> (anl_tree_place(config, switch_).level - 1) & 1;
    route.ports = 1;
    return route;
}

uint32_t anl_distance(const struct anl_config *config, uint32_t source, uint32_t destination)
{
    if (is_tree(config)) return tree_distance(source, destination);
    uint32_t links = 0;
    for (uint32_t d = 0; d < config->n; d++) {
        const uint32_t c = anl_coordinate(config, source, d);
        const uint32_t t = anl_coordinate(config, destination, d);
        const uint32_t forward = (t + config->k - c) % config->k;
        const uint32_t backward = (config->k - forward) % config->k;
        switch (config->topology) {
        case ANL_MESH:
            links += t > c ? t - c : c - t;
            break;
        case ANL_TORUS:
            links += forward < backward ? forward : backward;
            break;
        case ANL_UNIDIRECTIONAL_TORUS:
        case ANL_HYPERCUBE:
            links += forward;
            break;
        case ANL_FAT_TREE:
            break;
        }
    }
    return links;
}

static void port_name(const struct anl_config *config, uint32_t port, char *text, size_t size)
{
    if (is_tree(config))
        snprintf(text, size, "%c%u", port < TREE_UP ? 'd' : 'u', port % TREE_UP);
    else if (port == anl_shape_of(config).ports - 1)
        snprintf(text, size, "T");
    else if (config->topology == ANL_HYPERCUBE)
        snprintf(text, size, "%u", port);
    else if (one_way(config))
        snprintf(text, size, "+%u", port);
    else
        snprintf(text, size, "%c%u", port % 2 ? '-' : '+', port / 2);
}

size_t anl_switch_name(const struct anl_config *config, uint32_t switch_, char *text, size_t size)
{
    if (is_tree(config)) {
        const struct anl_tree_place place = anl_tree_place(config, switch_);
        return (size_t)snprintf(text, size, "%u(%u,%u)", switch_, place.level, place.address);
    }
    size_t used = (size_t)snprintf(text, size, "%u(", switch_);
    for (uint32_t d = 0; d < config->n && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, d ? ",%u" : "%u",
                                 anl_coordinate(config, switch_, d));
    if (used < size) used += (size_t)snprintf(text + used, size - used, ")");
    return used;
}

void anl_link_name(const struct anl_config *config, uint32_t link, char *text, size_t size)
{
    assert(size > 0);
    const struct anl_shape shape = anl_shape_of(config);
    if (link >= shape.switches * shape.ports) {
        snprintf(text, size, "T%u.inject", link - shape.switches * shape.ports);
        return;
    }
    const uint32_t node = link / shape.ports;
    char port[16];
    port_name(config, link % shape.ports, port, sizeof port);
    const size_t used = anl_switch_name(config, node, text, size);
    if (used < size) snprintf(text + used, size - used, ".%s", port);
}
