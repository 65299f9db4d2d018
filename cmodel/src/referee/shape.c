// SPDX-License-Identifier: Apache-2.0
//
// The referee's reading of docs/networks.md: where links end, where heads may go, and names.

#include "referee.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_tree(const struct anl_config *config) { return config->topology == ANL_FAT_TREE; }

static bool is_graph(const struct anl_config *config) { return config->topology == ANL_GRAPH; }

// Returns how the switches along the dimensions of a k-ary n-cube are connected. In a hypercube the
// two switches of a dimension lead to each other by one port each, as those of a one-way ring do.
static enum anl_kind kind_of(enum anl_topology topology)
{
    if (topology == ANL_MESH) return ANL_LINE;
    return topology == ANL_TORUS ? ANL_RING : ANL_ONE_WAY_RING;
}

static struct anl_cube cube_of(const struct anl_config *config)
{
    if (config->topology == ANL_CUBE) return config->graph->cube;
    struct anl_cube cube = {.dimensions = config->n, .concentration = 1};
    for (uint32_t d = 0; d < config->n; d++) {
        cube.radix[d] = config->k;
        cube.kinds[d] = (uint32_t)kind_of(config->topology);
    }
    return cube;
}

// Returns the output ports of one dimension: one in a one-way ring, else two, "+" and "-".
static uint32_t ports_of(const struct anl_cube *cube, uint32_t d)
{
    return cube->kinds[d] == ANL_ONE_WAY_RING ? 1 : 2;
}

static void cube_init(struct referee_shape *shape)
{
    shape->cube = cube_of(&shape->config);
    shape->switches = 1;
    for (uint32_t d = 0; d < shape->cube.dimensions; d++) {
        shape->switches *= shape->cube.radix[d];
        shape->ports += ports_of(&shape->cube, d);
    }
    shape->ports += shape->cube.concentration;
    shape->terminals = shape->switches * shape->cube.concentration;
    shape->width = shape->cube.dimensions;
}

static void cube_place(const struct referee_shape *shape, uint32_t s, uint32_t *coordinates)
{
    for (uint32_t d = 0; d < shape->width; s /= shape->cube.radix[d++])
        coordinates[d] = s % shape->cube.radix[d];
}

// Returns the dimension of a port, and in *minus whether it leads in direction "-"; width: the port
// of a terminal.
static uint32_t dimension_of(const struct referee_shape *shape, uint32_t port, bool *minus)
{
    uint32_t d = 0;
    while (d < shape->width && port >= ports_of(&shape->cube, d))
        port -= ports_of(&shape->cube, d++);
    *minus = port == 1;
    return d;
}

static uint32_t *coordinates_of(const struct referee_shape *shape, uint32_t s)
{
    return &shape->coordinates[(size_t)s * shape->width];
}

bool referee_shape_init(struct referee_shape *shape, const struct anl_config *config)
{
    *shape = (struct referee_shape){.config = *config};
    if (is_graph(config))
        referee_graph_init(shape);
    else if (is_tree(config))
        referee_tree_init(shape);
    else
        cube_init(shape);
    shape->links = shape->switches * shape->ports + shape->terminals;

    if (is_graph(config)) return referee_graph_fill(shape);
    shape->coordinates = malloc((size_t)shape->switches * shape->width * sizeof(uint32_t));
    if (!shape->coordinates) return false;
    for (uint32_t s = 0; s < shape->switches; s++)
        if (is_tree(config))
            referee_tree_place(shape, s, coordinates_of(shape, s));
        else
            cube_place(shape, s, coordinates_of(shape, s));
    return true;
}

void referee_shape_free(struct referee_shape *shape)
{
    free(shape->coordinates);
    free(shape->entries);
}

// Returns switch s with its coordinate x_d replaced by x.
static uint32_t moved(const struct referee_shape *shape, uint32_t s, uint32_t d, uint32_t x)
{
    uint32_t weight = 1;
    for (uint32_t i = 0; i < d; i++)
        weight *= shape->cube.radix[i];
    return s - coordinates_of(shape, s)[d] * weight + x * weight;
}

static uint32_t cube_link_end(const struct referee_shape *shape, uint32_t s, uint32_t port)
{
    const uint32_t c = shape->cube.concentration, first = shape->ports - c;
    if (port >= first) return shape->switches + s * c + port - first;
    bool minus;
    const uint32_t d = dimension_of(shape, port, &minus);
    const uint32_t x = coordinates_of(shape, s)[d], k = shape->cube.radix[d];
    if (shape->cube.kinds[d] == ANL_LINE && x == (minus ? 0 : k - 1)) return REFEREE_NO_LINK;
    return moved(shape, s, d, (minus ? x + k - 1 : x + 1) % k);
}

uint32_t referee_link_end(const struct referee_shape *shape, uint32_t link)
{
    const uint32_t injection = shape->switches * shape->ports;
    const uint32_t s = link / shape->ports, port = link % shape->ports;

    if (is_graph(&shape->config)) return referee_graph_link_end(shape, link);
    if (link >= injection && is_tree(&shape->config)) return (link - injection) / 4;
    if (link >= injection) return (link - injection) / shape->cube.concentration;
    if (is_tree(&shape->config)) return referee_tree_link_end(shape, s, port);
    return cube_link_end(shape, s, port);
}

bool referee_link_is_chained(const struct referee_shape *shape, uint32_t link)
{
    if (shape->config.space != ANL_CHAINED) return false;
    return link >= shape->switches * shape->ports || link % shape->ports >= 4;
}

// Returns true if a worm goes from coordinate c to t of a dimension by the "-" port.
static bool goes_minus(const struct anl_cube *cube, uint32_t d, uint32_t c, uint32_t t)
{
    const uint32_t k = cube->radix[d], forward = (t + k - c) % k, backward = k - forward;
    if (cube->kinds[d] == ANL_LINE) return t < c;
    if (cube->kinds[d] == ANL_ONE_WAY_RING) return false;
    return forward == backward ? c % 2 == 1 : forward > backward;
}

// Returns the lanes of class 0 if the wrap link of the dimension is still ahead, else those of
// class 1.
static uint32_t dateline_lanes(uint32_t num_vcs, bool wrap_ahead)
{
    const uint32_t class_0 = (1u << num_vcs / 2) - 1;
    return wrap_ahead ? class_0 : ((1u << num_vcs) - 1) & ~class_0;
}

// Returns the first port of a dimension.
static uint32_t first_port(const struct anl_cube *cube, uint32_t d)
{
    return d == 0 ? 0 : first_port(cube, d - 1) + ports_of(cube, d - 1);
}

static struct referee_route cube_route(const struct referee_shape *shape, uint32_t switch_,
                                       uint32_t destination)
{
    const struct anl_config *config = &shape->config;
    const struct anl_cube *cube = &shape->cube;
    const uint32_t concentration = cube->concentration;
    const uint32_t *here = coordinates_of(shape, switch_);
    const uint32_t *there = coordinates_of(shape, destination / concentration);
    struct referee_route route = {shape->ports - concentration + destination % concentration, 1,
                                  (1u << config->num_vcs) - 1};
    uint32_t d = 0;
    while (d < cube->dimensions && here[d] == there[d])
        d++;

    if (d == cube->dimensions) return route;
    const bool minus = goes_minus(cube, d, here[d], there[d]);
    if (config->routing == ANL_DATELINE && cube->kinds[d] != ANL_LINE)
        route.lanes =
            dateline_lanes(config->num_vcs, minus ? here[d] < there[d] : here[d] > there[d]);
    route.port = first_port(cube, d) + minus;
    return route;
}

struct referee_route referee_route(const struct referee_shape *shape, uint32_t switch_,
                                   uint32_t destination, uint32_t path)
{
    if (is_graph(&shape->config)) return referee_graph_route(shape, switch_, destination);
    if (is_tree(&shape->config)) return referee_tree_route(shape, switch_, destination, path);
    return cube_route(shape, switch_, destination);
}

void referee_switch_name(const struct referee_shape *shape, uint32_t switch_, char *name)
{
    if (is_graph(&shape->config)) {
        referee_graph_switch_name(shape, switch_, name);
        return;
    }
    const uint32_t *coordinates = coordinates_of(shape, switch_);
    int used = snprintf(name, REFEREE_NAME_BYTES, "%" PRIu32, switch_);
    for (uint32_t d = 0; d < shape->width; d++)
        used += snprintf(name + used, (size_t)(REFEREE_NAME_BYTES - used), "%c%" PRIu32,
                         d == 0 ? '(' : ',', coordinates[d]);
    snprintf(name + used, (size_t)(REFEREE_NAME_BYTES - used), ")");
}

static void cube_port_name(const struct referee_shape *shape, uint32_t port, char *name,
                           size_t size)
{
    bool minus;
    const uint32_t d = dimension_of(shape, port, &minus), c = shape->cube.concentration;
    const char *sign = shape->config.topology == ANL_HYPERCUBE ? "" : minus ? "-" : "+";
    if (d < shape->width)
        snprintf(name, size, "%s%" PRIu32, sign, d);
    else if (c == 1)
        snprintf(name, size, "T");
    else
        snprintf(name, size, "T%" PRIu32, port - (shape->ports - c));
}

static void port_name(const struct referee_shape *shape, uint32_t port, char *name, size_t size)
{
    if (is_graph(&shape->config))
        snprintf(name, size, "%" PRIu32, port);
    else if (is_tree(&shape->config))
        snprintf(name, size, "%c%" PRIu32, port < 4 ? 'd' : 'u', port % 4);
    else
        cube_port_name(shape, port, name, size);
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
