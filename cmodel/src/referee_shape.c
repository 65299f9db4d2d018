// SPDX-License-Identifier: Apache-2.0
//
// The referee's reading of docs/networks.md: where links end, which way heads may go, names.

#include "referee_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

// Ports of a dimension: one of a hypercube or a unidirectional torus, else "+" and "-".
static uint32_t ports_per_dimension(const struct anl_config *config)
{
    return config->topology == ANL_MESH || config->topology == ANL_TORUS ? 2 : 1;
}

bool referee_shape_init(struct referee_shape *shape, const struct anl_config *config)
{
    const uint32_t k = config->k, n = config->n;
    uint32_t switches = 1;
    for (uint32_t d = 0; d < n; d++)
        switches *= k;

    *shape = (struct referee_shape){.config = *config, .switches = switches};
    shape->ports = ports_per_dimension(config) * n + 1;
    shape->links = switches * shape->ports + switches;
    shape->coordinates = malloc((size_t)switches * n * sizeof *shape->coordinates);
    if (!shape->coordinates) return false;
    for (uint32_t s = 0; s < switches; s++)
        for (uint32_t d = 0, rest = s; d < n; d++, rest /= k)
            shape->coordinates[(size_t)s * n + d] = rest % k;
    return true;
}

void referee_shape_free(struct referee_shape *shape) { free(shape->coordinates); }

// Switch s with coordinate x_d replaced.
static uint32_t moved(const struct referee_shape *shape, uint32_t s, uint32_t d, uint32_t x)
{
    uint32_t weight = 1;
    for (uint32_t i = 0; i < d; i++)
        weight *= shape->config.k;
    return s - shape->coordinates[(size_t)s * shape->config.n + d] * weight + x * weight;
}

uint32_t referee_link_end(const struct referee_shape *shape, uint32_t link)
{
    const uint32_t k = shape->config.k;
    const uint32_t s = link / shape->ports, port = link % shape->ports;
    const uint32_t of_dimension = ports_per_dimension(&shape->config);

    if (link >= shape->switches * shape->ports) return link - shape->switches * shape->ports;
    if (port == shape->ports - 1) return REFEREE_TERMINAL;

    const uint32_t d = port / of_dimension;
    const bool minus = of_dimension == 2 && port % 2 == 1;
    const uint32_t x = shape->coordinates[(size_t)s * shape->config.n + d];
    if (shape->config.topology == ANL_MESH && x == (minus ? 0 : k - 1)) return REFEREE_NO_LINK;
    return moved(shape, s, d, (minus ? x + k - 1 : x + 1) % k);
}

// "+" or "-" in one dimension, from coordinate c to t.
static bool goes_minus(const struct anl_config *config, uint32_t c, uint32_t t)
{
    if (config->topology == ANL_MESH) return t < c;
    if (config->topology != ANL_TORUS) return false;
    const uint32_t forward = (t + config->k - c) % config->k;
    const uint32_t backward = config->k - forward;
    return forward == backward ? c % 2 == 1 : forward > backward;
}

// Class 0 until the wrap link of the dimension is crossed, class 1 where it is not ahead.
static uint32_t dateline_lanes(uint32_t num_vcs, bool wrap_ahead)
{
    const uint32_t class_0 = (1u << num_vcs / 2) - 1;
    return wrap_ahead ? class_0 : ((1u << num_vcs) - 1) & ~class_0;
}

uint32_t referee_route(const struct referee_shape *shape, uint32_t switch_, uint32_t destination,
                       uint32_t *lanes)
{
    const struct anl_config *config = &shape->config;
    const uint32_t *here = &shape->coordinates[(size_t)switch_ * config->n];
    const uint32_t *there = &shape->coordinates[(size_t)destination * config->n];
    uint32_t d = 0;
    while (d < config->n && here[d] == there[d])
        d++;

    *lanes = (1u << config->num_vcs) - 1;
    if (d == config->n) return shape->ports - 1;
    const bool minus = goes_minus(config, here[d], there[d]);
    if (config->routing == ANL_DATELINE)
        *lanes = dateline_lanes(config->num_vcs, minus ? here[d] < there[d] : here[d] > there[d]);
    return ports_per_dimension(config) * d + minus;
}

void referee_switch_name(const struct referee_shape *shape, uint32_t switch_, char *name)
{
    const uint32_t n = shape->config.n;
    int used = snprintf(name, REFEREE_NAME_BYTES, "%" PRIu32, switch_);
    for (uint32_t d = 0; d < n; d++)
        used += snprintf(name + used, (size_t)(REFEREE_NAME_BYTES - used), "%c%" PRIu32,
                         d == 0 ? '(' : ',', shape->coordinates[(size_t)switch_ * n + d]);
    snprintf(name + used, (size_t)(REFEREE_NAME_BYTES - used), ")");
}

static void port_name(const struct referee_shape *shape, uint32_t port, char *name, size_t size)
{
    const uint32_t of_dimension = ports_per_dimension(&shape->config);
    const char *sign = of_dimension == 2 && port % 2 == 1 ? "-" : "+";

    if (port == shape->ports - 1)
        snprintf(name, size, "T");
    else
        snprintf(name, size, "%s%" PRIu32, shape->config.topology == ANL_HYPERCUBE ? "" : sign,
                 port / of_dimension);
}

void referee_link_name(const struct referee_shape *shape, uint32_t link, char *name)
{
    const uint32_t injection = shape->switches * shape->ports;
    char node[REFEREE_NAME_BYTES], port[16];

    if (link >= shape->links) {
        snprintf(name, REFEREE_NAME_BYTES, "link %" PRIu32, link);
    } else if (link >= injection) {
        snprintf(name, REFEREE_NAME_BYTES, "T%" PRIu32 ".inject", link - injection);
    } else {
        referee_switch_name(shape, link / shape->ports, node);
        port_name(shape, link % shape->ports, port, sizeof port);
        snprintf(name, REFEREE_NAME_BYTES, "%.70s.%s", node, port);
    }
}
