// SPDX-License-Identifier: Apache-2.0
//
// The referee's reading of "k-ary n-cubes" and "Cubes of several radices" in docs/networks.md:
// where links end, and where dimension order and the adaptive routings let a head go. Sets of
// output ports are masks.

#include "referee.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PLUS = 1, MINUS = 2 };  // the ports of a dimension
enum { EAST = 1 << 0, WEST = 1 << 1, NORTH = 1 << 2, SOUTH = 1 << 3 };
enum { WEST_SIDE = 1 };                 // the port on the side of the west
#define ALL_MINUS UINT32_C(0xaaaaaaaa)  // in a mesh: the ports of directions "-"

// Returns how the switches along the dimensions of a k-ary n-cube are connected. In a hypercube the
// two switches of a dimension lead to each other by one port each, as those of a one-way ring do.
static enum anl_dimension_kind kind_of(enum anl_topology topology)
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

// Returns the first port of a dimension.
static uint32_t first_port(const struct anl_cube *cube, uint32_t d)
{
    return d == 0 ? 0 : first_port(cube, d - 1) + ports_of(cube, d - 1);
}

static bool has_rings(const struct anl_cube *cube)
{
    for (uint32_t d = 0; d < cube->dimensions; d++)
        if (cube->kinds[d] != ANL_LINE) return true;
    return false;
}

static void init(struct referee_shape *shape)
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
    if (shape->config.routing == ANL_ADAPTIVE) shape->escapes = has_rings(&shape->cube) ? 2 : 1;
}

static void place(const struct referee_shape *shape, uint32_t s, uint32_t *coordinates)
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

static const uint32_t *coordinates_of(const struct referee_shape *shape, uint32_t s)
{
    return &shape->coordinates[(size_t)s * shape->width];
}

// --- links ---

// Returns switch s with its coordinate x_d replaced by x.
static uint32_t moved(const struct referee_shape *shape, uint32_t s, uint32_t d, uint32_t x)
{
    uint32_t weight = 1;
    for (uint32_t i = 0; i < d; i++)
        weight *= shape->cube.radix[i];
    return s - coordinates_of(shape, s)[d] * weight + x * weight;
}

static uint32_t first_terminal_port(const struct referee_shape *shape)
{
    return shape->ports - shape->cube.concentration;
}

static uint32_t link_end(const struct referee_shape *shape, uint32_t link)
{
    const uint32_t c = shape->cube.concentration, injection = shape->switches * shape->ports;
    if (link >= injection) return (link - injection) / c;

    const uint32_t s = link / shape->ports, port = link % shape->ports;
    if (port >= first_terminal_port(shape))
        return shape->switches + s * c + port - first_terminal_port(shape);
    bool minus;
    const uint32_t d = dimension_of(shape, port, &minus);
    const uint32_t x = coordinates_of(shape, s)[d], k = shape->cube.radix[d];
    if (shape->cube.kinds[d] == ANL_LINE && x == (minus ? 0 : k - 1)) return REFEREE_NO_LINK;
    return moved(shape, s, d, (minus ? x + k - 1 : x + 1) % k);
}

static uint32_t link_input(const struct referee_shape *shape, uint32_t link)
{
    const uint32_t injection = shape->switches * shape->ports, port = link % shape->ports;
    if (link >= injection)
        return first_terminal_port(shape) + (link - injection) % shape->cube.concentration;
    bool minus;
    const uint32_t d = dimension_of(shape, port, &minus);
    if (shape->cube.kinds[d] == ANL_ONE_WAY_RING) return port;
    return minus ? port - 1 : port + 1;
}

// --- directions ---

// Returns the ports of a dimension that lead from coordinate c nearer to t.
static uint32_t productive(const struct anl_cube *cube, uint32_t d, uint32_t c, uint32_t t)
{
    const uint32_t k = cube->radix[d], forward = (t + k - c) % k, backward = k - forward;
    if (forward == 0) return 0;
    if (cube->kinds[d] == ANL_LINE) return c < t ? PLUS : MINUS;
    if (cube->kinds[d] == ANL_ONE_WAY_RING) return PLUS;
    if (forward == backward) return PLUS | MINUS;
    return forward < backward ? PLUS : MINUS;
}

// Returns the ports that lead nearer to the destination.
static uint32_t productive_ports(const struct anl_cube *cube, const uint32_t *here,
                                 const uint32_t *there)
{
    uint32_t ports = 0;
    for (uint32_t d = 0; d < cube->dimensions; d++)
        ports |= productive(cube, d, here[d], there[d]) << first_port(cube, d);
    return ports;
}

// Returns true if dimension order goes from coordinate c to t by the "-" port.
static bool goes_minus(const struct anl_cube *cube, uint32_t d, uint32_t c, uint32_t t)
{
    const uint32_t ports = productive(cube, d, c, t);
    return ports == (PLUS | MINUS) ? c % 2 == 1 : ports == MINUS;
}

// --- dimension order ---

// One hop of dimension order.
struct hop {
    uint32_t dimension, port;
    bool wrap_ahead;  // the worm has still to cross the wrap link of the dimension
};

// Returns the hop from a switch towards another one; here and there must differ.
static struct hop next_hop(const struct anl_cube *cube, const uint32_t *here, const uint32_t *there)
{
    uint32_t d = 0;
    while (here[d] == there[d])
        d++;
    const bool minus = goes_minus(cube, d, here[d], there[d]);
    return (struct hop){d, first_port(cube, d) + minus,
                        minus ? here[d] < there[d] : here[d] > there[d]};
}

// Returns the lanes of class 0 if the wrap link of the dimension is still ahead, else those of
// class 1.
static uint32_t dateline_lanes(const struct referee_shape *shape, bool wrap_ahead)
{
    const uint32_t class_0 = (1u << shape->lanes / 2) - 1;
    return wrap_ahead ? class_0 : referee_all_lanes(shape) & ~class_0;
}

static uint32_t lanes_of_hop(const struct referee_shape *shape, const struct hop *hop)
{
    const bool is_line = shape->cube.kinds[hop->dimension] == ANL_LINE;
    if (shape->config.routing != ANL_DATELINE || is_line) return referee_all_lanes(shape);
    return dateline_lanes(shape, hop->wrap_ahead);
}

// --- adaptive routings ---

// The turns from east to north or south are forbidden in even columns, those from north or south to
// west in odd ones.
static uint32_t odd_even(uint32_t ports, const uint32_t *here, const uint32_t *there,
                         uint32_t input)
{
    const uint32_t column = ports & (NORTH | SOUTH);
    const bool odd = here[0] % 2 == 1;
    if (ports & WEST) return WEST | (odd ? 0 : column);
    if (!(ports & EAST)) return column;

    const bool too_late_to_turn = column && there[0] - here[0] == 1 && there[0] % 2 == 0;
    const bool may_turn = odd || input != WEST_SIDE;
    return (too_late_to_turn ? 0 : EAST) | (may_turn ? column : 0);
}

// Returns those of the productive ports by which the routing lets a head go.
static uint32_t allowed(enum anl_routing routing, uint32_t ports, const uint32_t *here,
                        const uint32_t *there, uint32_t input)
{
    if (routing == ANL_WEST_FIRST && ports & WEST) return WEST;
    if (routing == ANL_NORTH_LAST && ports & ~(uint32_t)NORTH) return ports & ~(uint32_t)NORTH;
    if (routing == ANL_NEGATIVE_FIRST && ports & ALL_MINUS) return ports & ALL_MINUS;
    if (routing == ANL_ODD_EVEN) return odd_even(ports, here, there, input);
    return ports;
}

static bool is_adaptive(enum anl_routing routing)
{
    return routing == ANL_WEST_FIRST || routing == ANL_NORTH_LAST ||
           routing == ANL_NEGATIVE_FIRST || routing == ANL_ODD_EVEN || routing == ANL_ADAPTIVE;
}

// Returns the escape lanes of a hop of dimension order. In a ring the first of the two stands for
// class 0 of the dateline lanes, the second for class 1.
static uint32_t escape_lanes(const struct referee_shape *shape, const struct hop *hop)
{
    const uint32_t first = shape->lanes - shape->escapes;
    if (shape->cube.kinds[hop->dimension] != ANL_LINE) return 1u << (first + !hop->wrap_ahead);
    return referee_all_lanes(shape) & ~referee_adaptive_lanes(shape);
}

// --- Valiant ---

// The lanes of a link fall into those of the first phase and those of the second one. A worm that
// its terminal has just injected is in the first phase in any lane, and at its intermediate switch
// the second phase begins.
static struct referee_route two_phases(const struct referee_shape *shape,
                                       const struct referee_head *head)
{
    const struct referee_worm *worm = head->worm;
    const uint32_t lanes_1 = shape->lanes / 2, lanes_2 = shape->lanes - lanes_1;
    const bool injected = head->input >= first_terminal_port(shape);
    const bool below = head->vc - worm->class_ * shape->lanes < lanes_1;
    const bool to_intermediate = (injected || below) && head->switch_ != worm->path;
    const uint32_t target = to_intermediate ? worm->path : worm->destination;
    const uint32_t lanes = to_intermediate ? lanes_1 : lanes_2,
                   shift = to_intermediate ? 0 : lanes_1;
    struct referee_route route = {{0}};

    if (head->switch_ == target) {
        route.lanes[first_terminal_port(shape)] = (uint8_t)referee_all_lanes(shape);
        return route;
    }
    const struct hop hop =
        next_hop(&shape->cube, coordinates_of(shape, head->switch_), coordinates_of(shape, target));
    uint32_t set = (1u << lanes) - 1;
    if (shape->config.topology == ANL_TORUS)
        set = hop.wrap_ahead ? (1u << lanes / 2) - 1 : set & ~((1u << lanes / 2) - 1);
    route.lanes[hop.port] = (uint8_t)(set << shift);
    return route;
}

static struct referee_route route(const struct referee_shape *shape,
                                  const struct referee_head *head)
{
    if (shape->config.routing == ANL_VALIANT) return two_phases(shape, head);
    const uint32_t c = shape->cube.concentration, destination = head->worm->destination;
    const uint32_t *here = coordinates_of(shape, head->switch_);
    const uint32_t *there = coordinates_of(shape, destination / c);
    struct referee_route route = {{0}};
    uint32_t ports = productive_ports(&shape->cube, here, there);

    if (!ports) {
        const uint32_t port = first_terminal_port(shape) + destination % c;
        route.lanes[port] = (uint8_t)referee_all_lanes(shape);
        return route;
    }
    const struct hop hop = next_hop(&shape->cube, here, there);
    if (!is_adaptive(shape->config.routing)) {
        route.lanes[hop.port] = (uint8_t)lanes_of_hop(shape, &hop);
        return route;
    }
    ports = allowed(shape->config.routing, ports, here, there, head->input);
    for (uint32_t port = 0; port < shape->ports; port++)
        if (ports >> port & 1) route.lanes[port] = (uint8_t)referee_adaptive_lanes(shape);
    if (shape->escapes) route.lanes[hop.port] |= (uint8_t)escape_lanes(shape, &hop);
    return route;
}

static uint32_t num_paths(const struct referee_shape *shape)
{
    return shape->config.routing == ANL_VALIANT ? shape->switches : 1;
}

static void port_name(const struct referee_shape *shape, uint32_t port, char *name, size_t size)
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

const struct referee_family referee_cubes = {
    .init = init,
    .place = place,
    .link_end = link_end,
    .link_input = link_input,
    .route = route,
    .num_paths = num_paths,
    .port_name = port_name,
};
