// SPDX-License-Identifier: Apache-2.0
//
// A network from a file, or a cube of several radices: docs/networks.md, "Graphs". Its wiring and
// its routes are tables, which the configuration points to.

#include "network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

// --- making a graph ---

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

static enum anl_status check_numbers(uint32_t switches, uint32_t ports, uint32_t terminals,
                                     struct anl_error *error)
{
    if (switches < 1 || switches > ANL_MAX_GRAPH_SWITCHES)
        REFUSE("found %u switches, expected 1..%d", switches, ANL_MAX_GRAPH_SWITCHES);
    if (ports < 1 || ports > ANL_MAX_PORTS)
        REFUSE("found %u ports, expected 1..%d", ports, ANL_MAX_PORTS);
    if (terminals < 1 || terminals > ANL_MAX_GRAPH_TERMINALS)
        REFUSE("found %u terminals, expected 1..%d", terminals, ANL_MAX_GRAPH_TERMINALS);
    if ((uint64_t)switches * terminals > ANL_MAX_GRAPH_ROUTES)
        REFUSE("found %u switches and %u terminals, expected a table of at most 2^28 routes",
               switches, terminals);
    return ANL_OK;
}

static void forget(uint32_t *ports, size_t count)
{
    for (size_t i = 0; i < count; i++)
        ports[i] = ANL_NO_PORT;
}

enum anl_status anl_graph_create(uint32_t switches, uint32_t ports, uint32_t terminals,
                                 struct anl_graph **graph, struct anl_error *error)
{
    *graph = NULL;
    const enum anl_status status = check_numbers(switches, ports, terminals, error);
    if (status) return status;
    struct anl_graph *made = calloc(1, sizeof *made);
    if (made) {
        *made =
            (struct anl_graph){.switches = switches,
                               .ports = ports,
                               .terminals = terminals,
                               .options = 1,
                               .num_layers = 1,
                               .ends = malloc((size_t)switches * ports * sizeof *made->ends),
                               .begins = malloc((size_t)switches * ports * sizeof *made->begins),
                               .homes = malloc(terminals * sizeof *made->homes)};
    }
    if (!made || !made->ends || !made->begins || !made->homes) {
        anl_graph_destroy(made);
        return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for the graph");
    }
    forget(made->ends, (size_t)switches * ports);
    forget(made->begins, (size_t)switches * ports);
    forget(made->homes, terminals);
    *graph = made;
    return ANL_OK;
}

void anl_graph_destroy(struct anl_graph *graph)
{
    if (!graph) return;
    anl_graph_destroy(graph->next);
    free(graph->ends);
    free(graph->begins);
    free(graph->homes);
    free(graph->names);
    free(graph->table);
    free(graph->routes);
    free(graph->layers);
    free(graph->turns);
    free(graph);
}

struct anl_graph_name anl_graph_name_of(char (*names)[ANL_GRAPH_NAME_BYTES], uint32_t switch_)
{
    struct anl_graph_name name;
    if (names)
        snprintf(name.text, sizeof name.text, "%u(%s)", switch_, names[switch_]);
    else
        snprintf(name.text, sizeof name.text, "%u", switch_);
    return name;
}

static bool is_taken(const uint32_t *ports, uint32_t port) { return ports[port] != ANL_NO_PORT; }

enum anl_status anl_graph_link(struct anl_graph *graph, uint32_t from, uint32_t to,
                               struct anl_error *error)
{
    const uint32_t ports = graph->ports;
    if (is_taken(graph->ends, from))
        REFUSE("output port %u of switch %s has a link already", from % ports,
               anl_graph_name_of(graph->names, from / ports).text);
    if (is_taken(graph->begins, to))
        REFUSE("input port %u of switch %s has a link already", to % ports,
               anl_graph_name_of(graph->names, to / ports).text);
    graph->ends[from] = to;
    graph->begins[to] = from;
    return ANL_OK;
}

enum anl_status anl_graph_attach(struct anl_graph *graph, uint32_t terminal, uint32_t port,
                                 struct anl_error *error)
{
    if (is_taken(graph->ends, port) || is_taken(graph->begins, port))
        REFUSE("port %u of switch %s has a link already, terminal %u expects a free port",
               port % graph->ports, anl_graph_name_of(graph->names, port / graph->ports).text,
               terminal);
    graph->ends[port] = graph->begins[port] = graph->switches * graph->ports + terminal;
    graph->homes[terminal] = port;
    return ANL_OK;
}

void anl_graph_add_class(struct anl_graph *graph, struct anl_graph *next)
{
    struct anl_graph *last = graph;
    while (last->next)
        last = last->next;
    last->next = next;
}

uint64_t anl_graph_hash(const struct anl_graph *graph)
{
    uint64_t hash = graph->hash;
    for (const struct anl_graph *next = graph->next; next; next = next->next)
        hash = XXH3_64bits_withSeed(&next->hash, sizeof next->hash, hash);
    return hash;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool anl_graph_is_name(const char *text, size_t bytes)
{
    if (bytes == 0 || bytes >= ANL_GRAPH_NAME_BYTES || !is_letter(text[0])) return false;
    for (size_t i = 1; i < bytes; i++)
        if (!is_letter(text[i]) && !(text[i] >= '0' && text[i] <= '9') && text[i] != '_' &&
            text[i] != '-')
            return false;
    return true;
}

// --- shape, wiring, routes ---

static struct anl_shape shape(const struct anl_config *config)
{
    const struct anl_graph *graph = config->graph;
    return (struct anl_shape){
        .switches = graph->switches,
        .ports = graph->ports,
        .terminals = graph->terminals,
        .links = graph->switches * graph->ports + graph->terminals,
    };
}

static struct anl_end link_end(const struct anl_config *config, uint32_t switch_, uint32_t port)
{
    const struct anl_graph *graph = config->graph;
    const uint32_t links = graph->switches * graph->ports;
    const uint32_t end = graph->ends[switch_ * graph->ports + port];
    if (end == ANL_NO_PORT) return (struct anl_end){0};
    if (end >= links)
        return (struct anl_end){.exists = true, .is_terminal = true, .node = end - links};
    return (struct anl_end){.exists = true, .node = end / graph->ports, .port = end % graph->ports};
}

static uint32_t ejection_link(const struct anl_config *config, uint32_t terminal)
{
    return config->graph->homes[terminal];
}

size_t graph_entry(const struct anl_graph *graph, uint32_t switch_, uint32_t port,
                   uint32_t terminal)
{
    const size_t place = graph->by_input ? (size_t)switch_ * graph->ports + port : switch_;
    return (place * graph->terminals + terminal) * graph->options;
}

size_t graph_options(const struct anl_graph *graph)
{
    const size_t places = (size_t)graph->switches * (graph->by_input ? graph->ports : 1);
    return places * graph->terminals * graph->options;
}

static const struct anl_table_hop *options_of(const struct anl_graph *graph,
                                              struct anl_input_lane at, uint32_t destination)
{
    return &graph->routes[graph_entry(graph, at.switch_, at.port, destination)];
}

// Returns the way of an entry for a head in an input lane, of num_vcs in all: it keeps to the lanes
// of its layer.
static struct network_hop hop_from(const struct anl_graph *graph, uint32_t num_vcs, uint32_t vc,
                                   struct anl_table_hop hop)
{
    if (graph->num_layers == 1) return (struct network_hop){hop.port, hop.vcs};
    const uint32_t layer = graph_layer_of(graph, num_vcs, vc);
    return (struct network_hop){hop.port, (uint8_t)graph_layer_vcs(graph, num_vcs, layer)};
}

static struct anl_route route(const struct anl_config *config, struct anl_input_lane at,
                              uint32_t destination)
{
    const struct anl_graph *graph = config->graph;
    const struct anl_table_hop *options = options_of(graph, at, destination);
    struct anl_route route = {0};
    for (uint32_t i = 0; i < graph->options && options[i].vcs; i++) {
        route.ports |= 1u << options[i].port;
        route.vcs[options[i].port] = hop_from(graph, config->num_vcs, at.vc, options[i]).vcs;
    }
    return route;
}

// Counts the links of the route that takes the lowest port everywhere. It ends because a graph is
// refused if a route does not.
static uint32_t distance(const struct anl_config *config, uint32_t source, uint32_t destination)
{
    const struct anl_graph *graph = config->graph;
    uint32_t port = graph->homes[source], links = 0;
    while (port / graph->ports != graph->homes[destination] / graph->ports) {
        const uint32_t here = port / graph->ports;
        const struct anl_input_lane at = {here, port % graph->ports, 0};
        port = graph->ends[here * graph->ports + options_of(graph, at, destination)->port];
        links++;
    }
    return links;
}

// "3(1,0)", as in the other cubes.
static size_t name_in_cube(const struct anl_cube *cube, uint32_t switch_, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%u(", switch_);
    for (uint32_t d = 0; d < cube->dimensions && used < size; switch_ /= cube->radix[d++])
        used +=
            (size_t)snprintf(text + used, size - used, d ? ",%u" : "%u", switch_ % cube->radix[d]);
    if (used < size) used += (size_t)snprintf(text + used, size - used, ")");
    return used;
}

static size_t switch_name(const struct anl_config *config, uint32_t switch_, char *text,
                          size_t size)
{
    if (config->topology == ANL_CUBE)
        return name_in_cube(&config->graph->cube, switch_, text, size);
    return (size_t)snprintf(text, size, "%s",
                            anl_graph_name_of(config->graph->names, switch_).text);
}

// "+0", "-0", then "T", or "T0" and so on if a switch has several terminals.
static void port_in_cube(const struct anl_cube *cube, uint32_t port, char *text, size_t size)
{
    uint32_t d = 0;
    for (; d < cube->dimensions; d++) {
        const uint32_t ports = cube->kinds[d] == ANL_ONE_WAY_RING ? 1 : 2;
        if (port < ports) break;
        port -= ports;
    }
    if (d < cube->dimensions)
        snprintf(text, size, "%c%u", port ? '-' : '+', d);
    else if (cube->concentration == 1)
        snprintf(text, size, "T");
    else
        snprintf(text, size, "T%u", port);
}

static void port_name(const struct anl_config *config, uint32_t port, char *text, size_t size)
{
    if (config->topology == ANL_CUBE)
        port_in_cube(&config->graph->cube, port, text, size);
    else
        snprintf(text, size, "%u", port);
}

// The tables of the graph are those of the network; heads carry the number of their destination.
static bool prepare(struct anl_network *network)
{
    (void)network;
    return true;
}

static struct network_hop hop(const struct anl_network *network, uint32_t switch_, uint32_t input,
                              uint32_t vc, struct network_head head)
{
    const struct anl_input_lane at = {switch_, input, vc};
    const struct anl_graph *graph = network->config.graph;
    return hop_from(graph, network->class_lanes, vc, *options_of(graph, at, head.label));
}

#define GRAPH                                                                                      \
    .is_acyclic = is_acyclic, .shape = shape, .link_end = link_end,                                \
    .ejection_link = ejection_link, .route = route, .distance = distance,                          \
    .switch_name = switch_name, .port_name = port_name, .prepare = prepare, .hop = hop

// From "+d" straight on is "-d" in a dimension that has both.
static uint32_t straight_in_cube(const struct anl_config *config, uint32_t input)
{
    const struct anl_cube *cube = &config->graph->cube;
    for (uint32_t d = 0, first = 0; d < cube->dimensions; d++) {
        const uint32_t ports = cube->kinds[d] == ANL_ONE_WAY_RING ? 1 : 2;
        if (input < first + ports) return ports == 1 ? input : 2 * first + 1 - input;
        first += ports;
    }
    return ANL_NO_PORT;
}

static bool is_acyclic(const struct anl_config *config)
{
    const struct anl_cube *cube = &config->graph->cube;
    if (config->routing == ANL_ADAPTIVE) return anl_escapes_are_asked(config);
    if (anl_is_turn_model(config->routing)) return true;
    if (config->routing != ANL_DIMENSION_ORDER)
        return config->routing == ANL_UP_DOWN || config->routing == ANL_DATELINE ||
               config->routing == ANL_LAYERED;
    for (uint32_t d = 0; d < cube->dimensions; d++)
        if (!cube_needs_no_dateline((enum anl_dimension_kind)cube->kinds[d], cube->radix[d]))
            return false;
    return true;
}

static uint32_t one_tier(const struct anl_config *config)
{
    (void)config;
    return 1;
}

static uint32_t the_tier(const struct anl_config *config, uint32_t from, uint32_t to)
{
    (void)config, (void)from, (void)to;
    return 0;
}

static void tier_name(const struct anl_config *config, uint32_t tier, char *text, size_t size)
{
    (void)config, (void)tier;
    snprintf(text, size, "links");
}

const struct topology topology_graph = {
    .name = "graph",
    .routings =
        1 << ANL_SHORTEST | 1 << ANL_UP_DOWN | 1 << ANL_TABLE | 1 << ANL_LAYERED | 1 << ANL_SOURCE,
    .routing = ANL_UP_DOWN,
    .num_link_tiers = one_tier,
    .link_tier = the_tier,
    .link_tier_name = tier_name,
    GRAPH,
};

const struct topology topology_cube = {
    .name = "cube",
    .routings = 1 << ANL_DIMENSION_ORDER | 1 << ANL_DATELINE | ADAPTIVE_ROUTINGS,
    .routing = ANL_DIMENSION_ORDER,
    .check = cube_check,
    .halves = CUBE_HALVES,
    .has_rings = cube_has_rings,
    .num_link_tiers = cube_num_link_tiers,
    .link_tier = cube_link_tier,
    .link_tier_name = cube_link_tier_name,
    .in_upper_half = cube_in_upper_half,
    .straight = straight_in_cube,
    GRAPH,
};
