// SPDX-License-Identifier: Apache-2.0
//
// Shape, wiring, routes and names of any network: each function looks up the table of the topology
// and calls it. A network object holds the answers in tables.

#include "network.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static const struct topology *const topologies[] = {
    [ANL_MESH] = &topology_mesh,
    [ANL_TORUS] = &topology_torus,
    [ANL_UNIDIRECTIONAL_TORUS] = &topology_unidirectional_torus,
    [ANL_HYPERCUBE] = &topology_hypercube,
    [ANL_FAT_TREE] = &topology_fat_tree,
    [ANL_GRAPH] = &topology_graph,
    [ANL_CUBE] = &topology_cube,
    [ANL_BUTTERFLY] = &topology_butterfly,
};

const struct topology *topology_of(enum anl_topology topology)
{
    const size_t number = (size_t)topology;
    return number < sizeof topologies / sizeof *topologies ? topologies[number] : NULL;
}

static const struct topology *of(const struct anl_config *config)
{
    return topologies[config->topology];
}

uint32_t network_power(uint32_t base, uint32_t exponent)
{
    uint32_t result = 1;
    while (exponent-- > 0)
        result *= base;
    return result;
}

// --- what a topology says ---

const char *anl_topology_name(enum anl_topology topology)
{
    return topology_of(topology) ? topology_of(topology)->name : "?";
}

enum anl_routing anl_default_routing(enum anl_topology topology)
{
    return topology_of(topology)->routing;
}

bool anl_may_chain(enum anl_topology topology) { return topology_of(topology)->may_chain; }

bool anl_is_k_ary_cube(enum anl_topology topology) { return topology < ANL_FAT_TREE; }

const char *anl_halves(enum anl_topology topology) { return topology_of(topology)->halves; }

uint32_t anl_num_link_tiers(const struct anl_config *config)
{
    return of(config)->num_link_tiers(config);
}

uint32_t anl_link_tier(const struct anl_config *config, uint32_t from, uint32_t to)
{
    return of(config)->link_tier(config, from, to);
}

void anl_link_tier_name(const struct anl_config *config, uint32_t tier, char *text, size_t size)
{
    of(config)->link_tier_name(config, tier, text, size);
}

uint32_t anl_only_radix(enum anl_topology topology) { return topology_of(topology)->only_k; }

static bool must_be_searched(const struct anl_config *config)
{
    return !of(config)->is_acyclic(config);
}

bool anl_is_acyclic_by_rule(const struct anl_config *config)
{
    const bool replies_wait = config->reply_queue && anl_num_classes(config) == 1;
    if (anl_classes_differ(config)) return !network_some_class(config, must_be_searched);
    return !replies_wait && of(config)->is_acyclic(config);
}

struct anl_shape anl_shape_of(const struct anl_config *config) { return of(config)->shape(config); }

struct anl_end anl_link_end(const struct anl_config *config, uint32_t switch_, uint32_t port)
{
    return of(config)->link_end(config, switch_, port);
}

uint32_t anl_ejection_link(const struct anl_config *config, uint32_t terminal)
{
    return of(config)->ejection_link(config, terminal);
}

uint32_t network_injection_port(const struct anl_config *config, uint32_t terminal)
{
    const struct topology *topology = of(config);
    return topology->injection_port ? topology->injection_port(config, terminal)
                                    : topology->ejection_link(config, terminal);
}

uint32_t anl_injection_link(const struct anl_config *config, uint32_t terminal)
{
    const struct anl_shape shape = anl_shape_of(config);
    return shape.switches * shape.ports + terminal;
}

struct anl_route network_route_of(struct network_hop hop)
{
    struct anl_route route = {.ports = 1u << hop.port};
    route.vcs[hop.port] = hop.vcs;
    return route;
}

struct anl_way anl_first_way(struct anl_route route)
{
    const uint32_t port = (uint32_t)__builtin_ctz(route.ports);
    return (struct anl_way){port, route.vcs[port]};
}

// Moves the lanes of a route up, from those of class 0 to those of the class whose first lane this
// is.
static struct anl_route moved_up(struct anl_route route, uint32_t first)
{
    for (uint32_t rest = route.ports; rest; rest &= rest - 1)
        route.vcs[__builtin_ctz(rest)] = (uint8_t)(route.vcs[__builtin_ctz(rest)] << first);
    return route;
}

// Returns the first lane of the class of a lane.
static uint32_t first_lane(const struct anl_config *config, uint32_t vc)
{
    return anl_class_of(config, vc) * anl_class_lanes(config);
}

struct anl_route anl_route_at(const struct anl_config *config, struct anl_input_lane at,
                              uint32_t destination)
{
    if (anl_num_classes(config) == 1) return of(config)->route(config, at, destination);
    const struct anl_config one = anl_config_of_class(config, anl_class_of(config, at.vc));
    const uint32_t first = first_lane(config, at.vc);
    at.vc -= first;
    return moved_up(of(config)->route(&one, at, destination), first);
}

static struct anl_route hop_on_path(const struct anl_config *config, struct anl_input_lane at,
                                    uint32_t destination, uint32_t path)
{
    const struct anl_config one = anl_config_of_class(config, anl_class_of(config, at.vc));
    const uint32_t first = first_lane(config, at.vc);
    at.vc -= first;
    return moved_up(network_route_of(of(config)->hop_on_path(&one, at, destination, path)), first);
}

struct anl_route anl_route_on_path(const struct anl_config *config, struct anl_input_lane at,
                                   uint32_t destination, uint32_t path)
{
    if (of(config)->hop_on_path && anl_path_radix(config) > 1)
        return hop_on_path(config, at, destination, path);
    const struct anl_route route = anl_route_at(config, at, destination);
    const bool several = (route.ports & (route.ports - 1)) != 0;
    if (!several || anl_path_radix(config) == 1) return route;
    const uint32_t port = of(config)->path_port(config, at.switch_, path);
    return network_route_of((struct network_hop){(uint8_t)port, route.vcs[port]});
}

// Returns the lanes of the injection link where each class has routes of its own.
static uint32_t injection_vcs_of_classes(const struct anl_config *config, uint32_t source,
                                         uint32_t destination)
{
    uint32_t vcs = 0;
    for (uint32_t c = 0; c < anl_num_classes(config); c++) {
        const struct anl_config one = anl_config_of_class(config, c);
        vcs |= anl_injection_vcs(&one, source, destination) << c * anl_class_lanes(config);
    }
    return vcs;
}

uint32_t anl_injection_vcs(const struct anl_config *config, uint32_t source, uint32_t destination)
{
    const struct anl_graph *graph = config->graph;
    if (anl_classes_differ(config)) return injection_vcs_of_classes(config, source, destination);
    if (!graph || !graph->layers) return (1u << config->num_vcs) - 1;
    const uint32_t s = graph->homes[source] / graph->ports, lanes = anl_class_lanes(config);
    const uint32_t vcs =
        graph_layer_vcs(graph, lanes, graph->layers[(size_t)s * graph->terminals + destination]);
    return network_in_all_classes(config, vcs);
}

uint32_t anl_group_vcs(const struct anl_config *config, uint32_t vc)
{
    const struct anl_graph *graph = network_graph_of_class(config, anl_class_of(config, vc));
    const uint32_t lanes = anl_class_lanes(config), first = first_lane(config, vc);
    if (!graph || graph->num_layers == 1) return ((1u << lanes) - 1) << first;
    return graph_layer_vcs(graph, lanes, graph_layer_of(graph, lanes, vc - first)) << first;
}

uint32_t anl_distance(const struct anl_config *config, uint32_t source, uint32_t destination)
{
    return of(config)->distance(config, source, destination);
}

bool anl_is_delivery(const struct anl_config *config, const struct anl_flit *flit,
                     uint32_t destination)
{
    if (!flit->tail) return false;
    const struct anl_machine *machine = anl_machine_of(config->kind);
    if (machine->delivers) return machine->delivers(config, flit, destination);
    return anl_end_of(config, flit->link).is_terminal;
}

struct anl_end anl_end_of(const struct anl_config *config, uint32_t link)
{
    const struct anl_shape shape = anl_shape_of(config);
    const uint32_t injections = shape.switches * shape.ports;
    if (link < injections) return anl_link_end(config, link / shape.ports, link % shape.ports);
    const uint32_t port = network_injection_port(config, link - injections);
    return (struct anl_end){.exists = true, .node = port / shape.ports, .port = port % shape.ports};
}

bool anl_link_is_chained(const struct anl_config *config, uint32_t link)
{
    const struct anl_shape shape = anl_shape_of(config);
    const bool injection = link >= shape.switches * shape.ports;
    return config->credits == ANL_BYPASS &&
           (injection || config->link == ANL_WIDE || of(config)->is_chained_link(config, link));
}

uint32_t anl_coordinate(const struct anl_config *config, uint32_t node, uint32_t dimension)
{
    return node / network_power(config->k, dimension) % config->k;
}

struct anl_cube anl_coordinates_of(const struct anl_config *config)
{
    return network_cube_of(config);
}

bool anl_in_upper_half(const struct anl_config *config, uint32_t switch_)
{
    return of(config)->in_upper_half && of(config)->in_upper_half(config, switch_);
}

uint64_t anl_label(const struct anl_config *config, uint32_t terminal)
{
    const uint32_t bits = anl_label_bits(config) / config->n;  // bits of one coordinate
    uint64_t label = 0;
    for (uint32_t d = 0; d < config->n; d++)
        label |= (uint64_t)anl_coordinate(config, terminal, d) << (d * bits);
    return label;
}

// --- names ---

size_t anl_switch_name(const struct anl_config *config, uint32_t switch_, char *text, size_t size)
{
    return of(config)->switch_name(config, switch_, text, size);
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
    of(config)->port_name(config, link % shape.ports, port, sizeof port);
    const size_t used = anl_switch_name(config, node, text, size);
    if (used < size) snprintf(text + used, size - used, ".%s", port);
}

// --- a network ---

uint32_t network_to(const struct anl_network *network, uint32_t link)
{
    const struct anl_config *config = &network->config;
    const uint32_t ports = network->shape.ports, links = network->switch_links;
    if (network->to) return network->to[link];
    if (link >= links) return network_injection_port(config, link - links);
    const struct anl_end end = anl_link_end(config, link / ports, link % ports);
    if (end.is_terminal) return links + end.node;
    return end.exists ? end.node * ports + end.port : ANL_NO_PORT;
}

static bool wire(struct anl_network *network)
{
    uint32_t *to = calloc(network->shape.links, sizeof *to);
    for (uint32_t link = 0; to && link < network->shape.links; link++)
        to[link] = network_to(network, link);
    network->to = to;
    return to != NULL;
}

static bool links_come_in_pairs(const struct anl_network *network)
{
    for (uint32_t link = 0; link < network->shape.links; link++)
        if (network->to[link] != ANL_NO_PORT && network->to[network->to[link]] != link)
            return false;
    return true;
}

static bool wire_backwards(struct anl_network *network)
{
    network->from = calloc(network->shape.links, sizeof *network->from);
    if (!network->from) return false;
    for (uint32_t link = 0; link < network->shape.links; link++)
        if (network->to[link] != ANL_NO_PORT) network->from[network->to[link]] = link;
    return true;
}

static void find_options(struct anl_network *network)
{
    const struct anl_config *config = &network->config;
    network->adaptive = anl_is_adaptive(config);
    if (network->adaptive) network->escapes = anl_escape_lanes(config);
    network->atomic = anl_atomic_lanes(config);
    for (uint32_t p = 0; p < network->shape.ports; p++)
        network->straight[p] =
            network->topology->straight ? network->topology->straight(config, p) : ANL_NO_PORT;
}

static bool tell_classes_apart(struct anl_network *network)
{
    const uint32_t classes = anl_num_classes(&network->config);
    network->of_class = calloc(classes, sizeof *network->of_class);
    for (uint32_t c = 0; network->of_class && c < classes; c++) {
        network->of_class[c] = *network;
        network->of_class[c].config = anl_config_of_class(&network->config, c);
    }
    return network->of_class != NULL;
}

static bool fill(struct anl_network *network, bool bare)
{
    const struct anl_config *config = &network->config;
    find_options(network);
    if (!bare && !wire(network)) return false;
    return (bare || links_come_in_pairs(network) || wire_backwards(network)) &&
           network->topology->prepare(network) &&
           (!anl_classes_differ(config) || tell_classes_apart(network));
}

// Looks up the hop of a head in a class, which has some of the lanes.
static struct network_hop hop_in_class(const struct anl_network *network, uint32_t switch_,
                                       uint32_t input, uint32_t vc, struct network_head head)
{
    const uint32_t first = first_lane(&network->config, vc);
    const struct anl_network *one = network->of_class;
    one = one ? &one[anl_class_of(&network->config, vc)] : network;
    struct network_hop hop = network->topology->hop(one, switch_, input, vc - first, head);
    hop.vcs = (uint8_t)(hop.vcs << first);
    return hop;
}

static enum anl_status create(const struct anl_config *config, bool bare,
                              struct anl_network **network)
{
    *network = NULL;
    if (anl_config_check(config, NULL)) return ANL_ERR_ARGUMENT;
    struct anl_network *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;
    made->config = *config;
    made->shape = anl_shape_of(config);
    made->topology = of(config);
    made->switch_links = made->shape.switches * made->shape.ports;
    made->class_lanes = anl_class_lanes(config);
    made->hop = anl_num_classes(config) > 1 ? hop_in_class : made->topology->hop;
    made->carries_path = anl_num_paths(config) > 1;
    made->num_tiers = 1;
    made->tier_begin[1] = made->shape.switches;
    if (!fill(made, bare)) {
        anl_network_destroy(made);
        return ANL_ERR_MEMORY;
    }
    *network = made;
    return ANL_OK;
}

enum anl_status anl_network_create(const struct anl_config *config, struct anl_network **network)
{
    return create(config, false, network);
}

enum anl_status anl_network_create_bare(const struct anl_config *config,
                                        struct anl_network **network)
{
    return create(config, true, network);
}

void anl_network_destroy(struct anl_network *network)
{
    if (!network) return;
    free(network->to);
    free(network->from);
    free(network->labels);
    free(network->tables);
    free(network->of_class);
    free(network);
}

struct anl_route anl_network_route(const struct anl_network *network, struct anl_input_lane at,
                                   uint32_t destination, uint32_t path)
{
    if (network->adaptive) return anl_route_at(&network->config, at, destination);
    const struct network_head head = {network->labels ? network->labels[destination] : destination,
                                      network->carries_path ? path : 0};
    const struct network_hop hop = network->hop(network, at.switch_, at.port, at.vc, head);
    struct anl_route route = network_route_of(hop);
    if (network->choice == CHOICE_NONE || hop.port != network->choice_port) return route;
    route.ports |= 2u << hop.port;
    route.vcs[hop.port + 1] = hop.vcs;
    return route;
}
