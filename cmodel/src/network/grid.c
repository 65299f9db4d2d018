// SPDX-License-Identifier: Apache-2.0
//
// Cubes whose dimensions may differ and whose switches may have several terminals:
// docs/networks.md, "Cubes of several radices". A cube is a graph whose wiring and routes follow
// from formulas.

#include "network.h"

#include <stdlib.h>

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

// A cube with what follows from its shape.
struct grid {
    struct anl_cube cube;
    uint32_t stride[ANL_MAX_DIMENSIONS];      // between the numbers of neighbours
    uint32_t first_port[ANL_MAX_DIMENSIONS];  // of each dimension
    uint32_t switches, terminal_port, ports;  // terminal_port: of a switch's first terminal
};

static bool one_way(const struct anl_cube *cube, uint32_t d)
{
    return cube->kinds[d] == ANL_ONE_WAY_RING;
}

static enum anl_status check(const struct anl_cube *cube, struct anl_error *error)
{
    uint64_t switches = 1;
    if (cube->dimensions < 1 || cube->dimensions > ANL_MAX_DIMENSIONS)
        REFUSE("radix has %u dimensions, expected 1..%d", cube->dimensions, ANL_MAX_DIMENSIONS);
    for (uint32_t d = 0; d < cube->dimensions; d++) {
        const uint32_t least = cube->kinds[d] == ANL_LINE ? 1 : 2;
        if (cube->radix[d] < least)
            REFUSE("radix of dimension %u is %u, expected at least %u", d, cube->radix[d], least);
        switches *= cube->radix[d];
        if (switches > ANL_MAX_GRAPH_SWITCHES)
            REFUSE("radix makes more than %d switches", ANL_MAX_GRAPH_SWITCHES);
    }
    if (cube->concentration < 1 || cube->concentration > ANL_MAX_PORTS)
        REFUSE("concentration is %u, expected 1..%d", cube->concentration, ANL_MAX_PORTS);
    return ANL_OK;
}

static struct grid grid_of(const struct anl_cube *cube)
{
    struct grid grid = {.cube = *cube, .switches = 1};
    for (uint32_t d = 0; d < cube->dimensions; d++) {
        grid.stride[d] = grid.switches;
        grid.switches *= cube->radix[d];
        grid.first_port[d] = grid.terminal_port;
        grid.terminal_port += one_way(cube, d) ? 1 : 2;
    }
    grid.ports = grid.terminal_port + cube->concentration;
    return grid;
}

static uint32_t coordinate(const struct grid *grid, uint32_t switch_, uint32_t d)
{
    return switch_ / grid->stride[d] % grid->cube.radix[d];
}

// --- wiring ---

// Adds the link by which a switch sends in direction "+" of a dimension, and the one back.
static enum anl_status link_forward(const struct grid *grid, struct anl_graph *graph,
                                    uint32_t switch_, uint32_t d)
{
    const uint32_t x = coordinate(grid, switch_, d), k = grid->cube.radix[d];
    const uint32_t plus = grid->first_port[d], minus = plus + 1;
    if (grid->cube.kinds[d] == ANL_LINE && x == k - 1) return ANL_OK;
    const uint32_t next = switch_ - x * grid->stride[d] + (x + 1) % k * grid->stride[d];
    const uint32_t here = switch_ * grid->ports, there = next * grid->ports;
    if (one_way(&grid->cube, d)) return anl_graph_link(graph, here + plus, there + plus, NULL);
    const enum anl_status status = anl_graph_link(graph, here + plus, there + minus, NULL);
    return status ? status : anl_graph_link(graph, there + minus, here + plus, NULL);
}

static enum anl_status wire(const struct grid *grid, struct anl_graph *graph)
{
    enum anl_status status = ANL_OK;
    for (uint32_t s = 0; s < grid->switches; s++)
        for (uint32_t d = 0; !status && d < grid->cube.dimensions; d++)
            status = link_forward(grid, graph, s, d);
    for (uint32_t t = 0; !status && t < graph->terminals; t++) {
        const uint32_t c = grid->cube.concentration;
        status =
            anl_graph_attach(graph, t, t / c * grid->ports + grid->terminal_port + t % c, NULL);
    }
    return status;
}

// --- routes ---

static struct anl_table_hop hop_in(const struct grid *grid, uint32_t d, uint32_t c, uint32_t t,
                                   enum anl_routing routing, uint32_t num_vcs)
{
    const enum anl_dimension_kind kind = (enum anl_dimension_kind)grid->cube.kinds[d];
    const bool plus = cube_goes_plus(kind, grid->cube.radix[d], c, t);
    const bool classes = routing == ANL_DATELINE && kind != ANL_LINE;
    const uint32_t all = (1u << num_vcs) - 1;
    return (struct anl_table_hop){
        (uint8_t)(grid->first_port[d] + !plus),
        (uint8_t)(classes ? cube_dateline_vcs(num_vcs, plus, c, t) : all)};
}

static struct anl_table_hop hop_of(const struct grid *grid, uint32_t switch_, uint32_t terminal,
                                   enum anl_routing routing, uint32_t num_vcs)
{
    const uint32_t concentration = grid->cube.concentration, home = terminal / concentration;
    for (uint32_t d = 0; d < grid->cube.dimensions; d++) {
        const uint32_t c = coordinate(grid, switch_, d), t = coordinate(grid, home, d);
        if (c != t) return hop_in(grid, d, c, t, routing, num_vcs);
    }
    return (struct anl_table_hop){(uint8_t)(grid->terminal_port + terminal % concentration),
                                  (uint8_t)((1u << num_vcs) - 1)};
}

// Where a head stands, at another switch than that of its destination.
static struct cube_place place_of(const struct grid *grid, struct anl_input_lane at, uint32_t home,
                                  const struct anl_config *config)
{
    struct cube_place place = {.dimensions = grid->cube.dimensions,
                               .input = at.port,
                               .num_vcs = config->num_vcs,
                               .escapes = anl_escape_lanes(config)};
    for (uint32_t d = 0; d < place.dimensions; d++)
        place.in[d] = (struct cube_dimension){
            (enum anl_dimension_kind)grid->cube.kinds[d], grid->first_port[d], grid->cube.radix[d],
            coordinate(grid, at.switch_, d), coordinate(grid, home, d)};
    return place;
}

static void put_options(const struct anl_route *route, struct anl_table_hop *options)
{
    for (uint32_t rest = route->ports; rest; rest &= rest - 1) {
        const uint32_t port = (uint32_t)__builtin_ctz(rest);
        *options++ = (struct anl_table_hop){(uint8_t)port, route->vcs[port]};
    }
}

// Fills the entries of an input port, or of a switch if entries do not depend on input ports.
static void fill_entries(const struct grid *grid, struct anl_input_lane at,
                         const struct anl_config *config, struct anl_graph *graph)
{
    for (uint32_t t = 0; t < graph->terminals; t++) {
        struct anl_table_hop *options = &graph->table[graph_entry(graph, at.switch_, at.port, t)];
        const uint32_t home = t / grid->cube.concentration;
        if (config->routing < ANL_WEST_FIRST || at.switch_ == home) {
            *options = hop_of(grid, at.switch_, t, config->routing, config->num_vcs);
            continue;
        }
        const struct cube_place place = place_of(grid, at, home, config);
        const struct anl_route route = cube_adaptive_route(config->routing, &place);
        put_options(&route, options);
    }
}

// Returns how many options a head may have: a port of each dimension, and the other one if it leads
// equally fast around a ring.
static uint32_t most_options(const struct anl_cube *cube, enum anl_routing routing)
{
    uint32_t options = cube->dimensions;
    if (routing < ANL_WEST_FIRST) return 1;
    for (uint32_t d = 0; d < cube->dimensions; d++)
        options += cube->kinds[d] == ANL_RING && cube->radix[d] % 2 == 0;
    return options;
}

static enum anl_status fill(const struct grid *grid, enum anl_routing routing, uint32_t num_vcs,
                            struct anl_graph *graph, struct anl_error *error)
{
    const struct anl_config config = {
        .topology = ANL_CUBE, .graph = graph, .routing = routing, .num_vcs = num_vcs};
    graph->cube = grid->cube;
    graph->by_input = routing == ANL_ODD_EVEN;
    graph->options = most_options(&grid->cube, routing);
    if (graph_options(graph) > ANL_MAX_GRAPH_ROUTES)
        REFUSE("a table of %zu options is too large, expected at most 2^28", graph_options(graph));
    graph->table = calloc(graph_options(graph), sizeof *graph->table);
    if (!graph->table) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for the table");
    const enum anl_status status = wire(grid, graph);
    if (status) return anl_fail(error, status, "", 0, "radix: a port has two links");
    for (uint32_t s = 0; s < grid->switches; s++)
        for (uint32_t p = 0; p < (graph->by_input ? graph->ports : 1); p++)
            fill_entries(grid, (struct anl_input_lane){s, p, 0}, &config, graph);
    const enum anl_status routed = anl_graph_route(graph, ANL_TABLE, num_vcs, error);
    free(graph->table);
    graph->table = NULL;
    return routed;
}

enum anl_status anl_graph_of_cube(const struct anl_cube *cube, enum anl_routing routing,
                                  uint32_t num_vcs, struct anl_graph **graph,
                                  struct anl_error *error)
{
    *graph = NULL;
    enum anl_status status = check(cube, error);
    if (status) return status;
    if (!(topology_cube.routings >> routing & 1))
        REFUSE("routing %s does not work on topology cube", anl_routing_name(routing));
    status = cube_check_routing(cube, routing, num_vcs, error);
    if (status) return status;
    const struct grid grid = grid_of(cube);
    status = anl_graph_create(grid.switches, grid.ports, grid.switches * cube->concentration, graph,
                              error);
    if (!status) status = fill(&grid, routing, num_vcs, *graph, error);
    if (!status) return ANL_OK;
    anl_graph_destroy(*graph);
    *graph = NULL;
    return status;
}
