// SPDX-License-Identifier: Apache-2.0
//
// Fills in defaults, settles the network of a scenario, and refuses networks that are none or that
// can deadlock, naming the line of the key that the file gives.

#include "scenario.h"

#include <annelid/network.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool scenario_is_given(const struct scenario_reading *reading, unsigned key)
{
    return reading->given[key].file != NULL;
}

const char *scenario_place_of(const struct scenario_reading *reading, unsigned key, uint64_t *line)
{
    const bool in_graph = key == KEY_GRAPH && reading->section_line[IN_GRAPH];
    const enum scenario_section in = in_graph ? IN_GRAPH : scenario_keys[key].section;
    const uint64_t section = reading->section_line[in];
    *line = section ? section : reading->last_line;
    if (!scenario_is_given(reading, key)) return reading->file;
    *line = reading->given[key].line;
    return reading->given[key].file;
}

unsigned scenario_given_of(const struct scenario_reading *reading, unsigned a, unsigned b)
{
    return !scenario_is_given(reading, a) && scenario_is_given(reading, b) ? b : a;
}

enum anl_status scenario_require(const struct scenario_reading *reading, unsigned key,
                                 const char *unless)
{
    if (scenario_is_given(reading, key)) return ANL_OK;
    const struct scenario_key *at = &scenario_keys[key];
    char range[SCENARIO_RANGE_BYTES];
    scenario_range(at, " or ", range, sizeof range);
    SCENARIO_REFUSE(reading, key, "%s.%s: found nothing, expected %s%s",
                    scenario_sections[at->section], at->name, range, unless);
}

enum anl_status scenario_fall_back(struct scenario_reading *reading)
{
    for (unsigned key = 0; key < NUM_KEYS; key++) {
        const char *value = scenario_keys[key].fallback;
        if (!value || scenario_is_given(reading, key)) continue;
        const enum anl_status status = scenario_value(
            reading, key, (struct scenario_scalar){value, strlen(value), true}, reading->last_line);
        if (status) return status;
    }
    return ANL_OK;
}

// Returns the offset at which name stands in text as a whole word; SIZE_MAX if it does not.
static size_t position_of(const char *name, const char *text)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        const bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        const bool ends = !isalnum((unsigned char)at[length]) && at[length] != '_';
        if (begins && ends) return (size_t)(at - text);
    }
    return SIZE_MAX;
}

// Returns the key of the network, among those given, that the reason names first.
static unsigned key_in(const struct scenario_reading *reading, const char *reason)
{
    unsigned found = KEY_TOPOLOGY;
    size_t first = SIZE_MAX;
    for (unsigned key = KEY_TOPOLOGY; key <= KEY_LINK_CYCLES; key++) {
        const char *name = key == KEY_CLASS_ROUTING ? "routing" : scenario_keys[key].name;
        const size_t position = position_of(name, reason);
        if (!scenario_is_given(reading, key) || position >= first) continue;
        first = position;
        found = key;
    }
    return found;
}

// --- settling ---

// Hands on what the network room says of a key, but not that memory has run out as the key's fault.
static enum anl_status refuse_network(const struct scenario_reading *reading, unsigned key,
                                      enum anl_status status, const struct anl_error *reason)
{
    if (status == ANL_ERR_MEMORY)
        return anl_fail(reading->error, status, reading->file, 0, "%s", reason->text);
    if (status) SCENARIO_REFUSE(reading, key, "%s", reason->text);
    return ANL_OK;
}

static enum anl_status refuse_routes(const struct scenario_reading *reading, unsigned key,
                                     enum anl_status status, const struct anl_error *reason)
{
    return refuse_network(reading, scenario_is_given(reading, key) ? key : KEY_GRAPH, status,
                          reason);
}

// Returns the key that names the routing.
static unsigned routing_key(const struct scenario_reading *reading)
{
    return reading->scenario->network.num_class_routings ? KEY_CLASS_ROUTING : KEY_ROUTING;
}

// Returns the routing of a class of messages.
static enum anl_routing routing_of_class(const struct anl_config *network, uint32_t class_)
{
    return network->num_class_routings ? (enum anl_routing)network->class_routing[class_]
                                       : network->routing;
}

// Returns whether some class takes its routes from a table.
static bool has_table_routing(const struct anl_config *network)
{
    const uint32_t classes = network->num_class_routings ? network->num_class_routings : 1;
    for (uint32_t c = 0; c < classes; c++)
        if (routing_of_class(network, c) == ANL_TABLE) return true;
    return false;
}

// Says of which class a reason speaks, if classes have routings or tables of their own.
static void name_class(const struct anl_config *network, uint32_t class_, struct anl_error *reason)
{
    char text[sizeof reason->text];
    if (!network->num_class_routings && !network->graph->next) return;
    snprintf(text, sizeof text, "%s", reason->text);
    snprintf(reason->text, sizeof reason->text, "of class %" PRIu32 ", %.*s", class_,
             (int)sizeof reason->text - 32, text);
}

// Returns whether the table is in a file beside the graph.
static bool has_table_file(const struct scenario_reading *reading)
{
    const struct scenario_graph *graph = reading->graph;
    return graph && graph->num_entries && strcmp(graph->table_file, graph->file) != 0;
}

static enum anl_status route(const struct scenario_reading *reading)
{
    const struct anl_config *network = &reading->scenario->network;
    struct anl_graph *graph = reading->scenario->graph;
    struct anl_error reason;
    enum anl_status status = ANL_OK;
    for (uint32_t c = 0; !status && graph; c++, graph = graph->next) {
        status =
            anl_graph_route(graph, routing_of_class(network, c), anl_class_lanes(network), &reason);
        if (status) name_class(network, c, &reason);
        if (status == ANL_ERR_ARGUMENT && has_table_file(reading) &&
            routing_of_class(network, c) == ANL_TABLE)
            return anl_fail(reading->error, status, reading->graph->table_file, 0, "%s",
                            reason.text);
    }
    return refuse_routes(reading, routing_key(reading), status, &reason);
}

// Messages may bring routes of their own. Until they are read no routes are known.
static enum anl_status route_source(const struct scenario_reading *reading)
{
    const struct anl_config *network = &reading->scenario->network;
    struct anl_graph *graph = reading->scenario->graph;
    struct anl_error reason;
    const enum anl_status status =
        anl_graph_route_source(graph, network->paths, anl_class_lanes(network), &reason);
    if (!status && reading->scenario->traffic.process == ANL_REPLAY) anl_graph_begin_routes(graph);
    return refuse_routes(reading, scenario_given_of(reading, KEY_PATHS, KEY_ROUTING), status,
                         &reason);
}

static bool names_routing(const struct scenario_reading *reading)
{
    return scenario_is_given(reading, KEY_ROUTING) || scenario_is_given(reading, KEY_CLASS_ROUTING);
}

// The numbers of a graph come from its text, which may be in a file; k and n are those of a line of
// terminals.
static enum anl_status settle_graph(struct scenario_reading *reading)
{
    struct anl_config *network = &reading->scenario->network;
    struct anl_graph *graph = reading->scenario->graph;
    if (!graph) return scenario_require(reading, KEY_GRAPH, ", or a section graph");
    network->graph = graph;
    network->k = graph->terminals;
    network->n = 1;
    if (!names_routing(reading)) network->routing = anl_default_routing(network->topology);
    const bool source = network->routing == ANL_SOURCE;
    const enum anl_routing paths = source ? network->paths : network->routing;
    const bool table = source ? paths == ANL_TABLE : has_table_routing(network);
    if (!source && scenario_is_given(reading, KEY_PATHS))
        SCENARIO_REFUSE(reading, KEY_PATHS, "paths is for routing source; routing is %s",
                        anl_routing_name(network->routing));
    if (!table && scenario_is_given(reading, KEY_TABLE))
        SCENARIO_REFUSE(reading, KEY_TABLE, "table is for routing table; %s is %s",
                        source ? "paths" : scenario_keys[routing_key(reading)].name,
                        anl_routing_name(paths));
    if (table && !graph->table && !scenario_is_given(reading, KEY_TABLE))
        return scenario_require(reading, KEY_TABLE, ", or routes in the graph");
    if (source && graph->next)
        SCENARIO_REFUSE(reading, KEY_ROUTING,
                        "routing is source, which expects a table without classes");
    return source ? route_source(reading) : route(reading);
}

// At the end of a link there is room for one flit.
enum anl_status scenario_settle_kind(struct scenario_reading *reading)
{
    struct anl_scenario *scenario = reading->scenario;
    if (scenario->when_blocked == ANL_DROP) scenario->network.kind = ANL_DISCARDING;
    const enum anl_switch_kind kind = scenario->network.kind;
    const struct anl_machine *machine = anl_machine_of(kind);
    if (!machine)
        SCENARIO_REFUSE(reading, scenario_given_of(reading, KEY_KIND, KEY_WHEN_BLOCKED),
                        "kind %s is not built: it belongs to a paper that PAPERS= left out",
                        anl_switch_kind_name(kind));
    for (unsigned key = 0; key < NUM_KEYS; key++)
        if (scenario_is_given(reading, key) && !scenario_fits_kind(key, kind))
            SCENARIO_REFUSE(reading, key, "%s is not for %s", scenario_keys[key].name,
                            machine->called);
    if (!machine->settle) return ANL_OK;
    scenario->network.depth = 1;
    return machine->settle(reading);
}

// The routing of the first class stands for all of them where one is asked for.
static enum anl_status settle_class_routing(struct scenario_reading *reading)
{
    struct anl_config *network = &reading->scenario->network;
    if (!scenario_is_given(reading, KEY_CLASS_ROUTING)) return ANL_OK;
    if (scenario_is_given(reading, KEY_ROUTING))
        SCENARIO_REFUSE(reading, KEY_CLASS_ROUTING,
                        "class_routing takes the place of routing, expected one of them");
    if (network->topology != ANL_GRAPH && network->topology != ANL_CUBE)
        SCENARIO_REFUSE(reading, KEY_CLASS_ROUTING,
                        "class_routing is for topologies graph and cube; topology is %s%s",
                        anl_topology_name(network->topology),
                        network->topology == ANL_FAT_TREE
                            ? ""
                            : " (cube with radix and kinds is the same network)");
    if (network->classes == 1 || network->num_class_routings != network->classes)
        SCENARIO_REFUSE(reading, KEY_CLASS_ROUTING,
                        "class_routing names %" PRIu32
                        " routings, expected one for each of several classes; classes is %" PRIu32,
                        network->num_class_routings, network->classes);
    network->routing = (enum anl_routing)network->class_routing[0];
    return ANL_OK;
}

// Classes of one weight may be written with one number.
enum anl_status scenario_settle_classes(struct scenario_reading *reading)
{
    struct anl_scenario *scenario = reading->scenario;
    struct anl_config *network = &scenario->network;
    const uint32_t weights = scenario->num_class_weights;
    if (network->num_vcs % network->classes != 0)
        SCENARIO_REFUSE(reading, scenario_given_of(reading, KEY_CLASSES, KEY_NUM_VCS),
                        "classes is %" PRIu32 ", expected a divisor of num_vcs, %" PRIu32,
                        network->classes, network->num_vcs);
    if (weights != 1 && weights != network->classes)
        SCENARIO_REFUSE(reading, KEY_CLASS_WEIGHTS,
                        "class_weights are %" PRIu32 ", expected 1 or as many as classes, %" PRIu32,
                        weights, network->classes);
    for (uint32_t c = weights; c < network->classes; c++)
        network->class_weights[c] = network->class_weights[0];
    const enum anl_status status = settle_class_routing(reading);
    if (status) return status;
    if (scenario->traffic.process != ANL_REQUEST_REPLY)
        network->reply_queue = 0;  // with these processes the key is refused
    return ANL_OK;
}

// Several dimensions of one kind may be written with one word.
static enum anl_status settle_kinds(const struct scenario_reading *reading)
{
    struct anl_scenario *scenario = reading->scenario;
    struct anl_cube *cube = &scenario->cube;
    if (scenario->num_kinds != 1 && scenario->num_kinds != cube->dimensions)
        SCENARIO_REFUSE(reading, KEY_DIMENSIONS,
                        "kinds are %" PRIu32 ", expected 1 or as many as radix, %" PRIu32,
                        scenario->num_kinds, cube->dimensions);
    for (uint32_t d = scenario->num_kinds; d < cube->dimensions; d++)
        cube->kinds[d] = cube->kinds[0];
    return ANL_OK;
}

static enum anl_routing routing_of(const struct anl_cube *cube)
{
    for (uint32_t d = 0; d < cube->dimensions; d++)
        if (cube->kinds[d] != ANL_LINE) return ANL_DATELINE;
    return ANL_DIMENSION_ORDER;
}

// Makes the graph of the cube with the routing of a class.
static enum anl_status add_graph_of_cube(struct scenario_reading *reading, uint32_t class_)
{
    struct anl_scenario *scenario = reading->scenario;
    const struct anl_config *network = &scenario->network;
    struct anl_graph *made;
    struct anl_error reason;
    const enum anl_status status =
        anl_graph_of_cube(&scenario->cube, routing_of_class(network, class_),
                          anl_class_lanes(network), &made, &reason);
    if (status) return refuse_network(reading, key_in(reading, reason.text), status, &reason);
    if (scenario->graph)
        anl_graph_add_class(scenario->graph, made);
    else
        scenario->graph = made;
    return ANL_OK;
}

static enum anl_status settle_cube(struct scenario_reading *reading)
{
    struct anl_scenario *scenario = reading->scenario;
    struct anl_config *network = &scenario->network;
    enum anl_status status = scenario_require(reading, KEY_RADIX, "");
    if (!status) status = settle_kinds(reading);
    if (status) return status;
    if (!names_routing(reading)) network->routing = routing_of(&scenario->cube);
    const uint32_t graphs = network->num_class_routings ? network->num_class_routings : 1;
    for (uint32_t c = 0; !status && c < graphs; c++)
        status = add_graph_of_cube(reading, c);
    if (status) return status;
    network->graph = scenario->graph;
    network->k = scenario->graph->terminals;
    network->n = 1;
    return ANL_OK;
}

static enum anl_status settle_others(struct scenario_reading *reading)
{
    struct anl_config *network = &reading->scenario->network;
    const uint32_t only_k = anl_only_radix(network->topology);
    enum anl_status status = scenario_require(reading, KEY_N, "");
    if (!status && !only_k) status = scenario_require(reading, KEY_K, "");
    if (!scenario_is_given(reading, KEY_K)) network->k = only_k;
    if (!scenario_is_given(reading, KEY_ROUTING))
        network->routing = anl_default_routing(network->topology);
    return status;
}

static enum anl_status settle_options(struct scenario_reading *reading)
{
    struct anl_config *network = &reading->scenario->network;
    const bool adaptive = anl_is_adaptive(network);
    if (!has_table_routing(network) && scenario_is_given(reading, KEY_ESCAPE_VCS))
        SCENARIO_REFUSE(reading, KEY_ESCAPE_VCS, "escape_vcs is for routing table; routing is %s",
                        anl_routing_name(network->routing));
    if (!adaptive && scenario_is_given(reading, KEY_SELECT))
        SCENARIO_REFUSE(reading, KEY_SELECT,
                        "select is for adaptive routings and for tables with several ports in an "
                        "entry; each route of routing %s has one",
                        anl_routing_name(network->routing));
    if (!scenario_is_given(reading, KEY_ATOMIC) && network->flow_control == ANL_WORMHOLE &&
        anl_escape_lanes(network))
        network->atomic = ANL_ATOMIC_ADAPTIVE;
    return ANL_OK;
}

bool scenario_fits_topology(unsigned key, enum anl_topology topology)
{
    const bool cube = topology == ANL_CUBE, graph = topology == ANL_GRAPH;
    switch (key) {
    case KEY_K:
    case KEY_N:
        return !cube && !graph;
    case KEY_PASSES:
        return topology == ANL_BUTTERFLY;
    case KEY_RADIX:
    case KEY_DIMENSIONS:
    case KEY_CONCENTRATION:
        return cube;
    case KEY_GRAPH:
    case KEY_TABLE:
    case KEY_PATHS:
        return graph;
    default:
        return true;
    }
}

bool scenario_fits_kind(unsigned key, enum anl_switch_kind kind)
{
    const struct scenario_key *row = &scenario_keys[key];
    const struct anl_machine *machine = anl_machine_of(kind);
    if (row->section != IN_SWITCH) return true;
    return machine->keys ? position_of(row->name, machine->keys) != SIZE_MAX : !row->foreign;
}

bool scenario_has_key(const struct anl_scenario *scenario, unsigned key)
{
    const struct anl_config *network = &scenario->network;
    if (!scenario_fits_kind(key, network->kind)) return false;
    switch (key) {
    case KEY_WHEN_BLOCKED:
        return anl_has(network, ANL_TRAIT_DISCARDS);
    case KEY_GRAPH:
        return scenario->graph_path != NULL;
    case KEY_TABLE:
        return scenario->table_path != NULL;
    case KEY_PATHS:
        return network->routing == ANL_SOURCE;
    case KEY_ROUTING:
        return network->num_class_routings == 0 &&
               (anl_has(network, ANL_TRAIT_WAITS) || network->routing == ANL_VALIANT);
    case KEY_CLASS_ROUTING:
        return network->num_class_routings > 0;
    case KEY_ESCAPE_VCS:
        return has_table_routing(network);
    case KEY_SELECT:
        return anl_is_adaptive(network);
    case KEY_ATOMIC:
        return anl_escape_lanes(network) != 0;
    case KEY_CREDITS:
        return anl_may_chain(network->topology) || network->link == ANL_WIDE;
    default:
        return scenario_fits_topology(key, network->topology) &&
               scenario_fits_traffic(&scenario_keys[key], &scenario->traffic);
    }
}

// Names the topologies that have a key: "; it is for topology cube".
static void name_topologies(unsigned key, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (uint64_t t = 0; used < size && t <= scenario_keys[KEY_TOPOLOGY].max; t++) {
        const enum anl_topology topology = (enum anl_topology)t;
        if (!scenario_fits_topology(key, topology)) continue;
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s",
                             used ? ", " : "; it is for topology ", anl_topology_name(topology));
    }
}

static enum anl_status refuse_keys_of_others(const struct scenario_reading *reading,
                                             enum anl_topology topology)
{
    const bool graph = topology == ANL_GRAPH;
    char others[256];
    for (unsigned key = 0; key < NUM_KEYS; key++) {
        if (!scenario_is_given(reading, key) || scenario_fits_topology(key, topology)) continue;
        name_topologies(key, others, sizeof others);
        SCENARIO_REFUSE(reading, key, "%s is not for topology %s%s", scenario_keys[key].name,
                        anl_topology_name(topology), others);
    }
    if (reading->graph && !graph)
        SCENARIO_REFUSE(reading, KEY_TOPOLOGY, "a section graph is not for topology %s",
                        anl_topology_name(topology));
    return ANL_OK;
}

static enum anl_status settle_network(struct scenario_reading *reading)
{
    const enum anl_status status = scenario_require(reading, KEY_TOPOLOGY, "");
    if (status) return status;
    const enum anl_topology topology = reading->scenario->network.topology;
    const enum anl_status refused = refuse_keys_of_others(reading, topology);
    if (refused) return refused;
    if (topology == ANL_GRAPH) return settle_graph(reading);
    return topology == ANL_CUBE ? settle_cube(reading) : settle_others(reading);
}

// --- the network as a whole ---

static enum anl_status check_heads(const struct scenario_reading *reading)
{
    const struct anl_config *network = &reading->scenario->network;
    if (network->flow_control == ANL_WORMHOLE || network->length_in_head == ANL_TRUE) return ANL_OK;
    SCENARIO_REFUSE(reading, KEY_LENGTH_IN_HEAD,
                    "length_in_head is false, flow_control %s expects true",
                    anl_flow_control_name(network->flow_control));
}

static enum anl_status check_network(const struct scenario_reading *reading)
{
    struct anl_error reason;
    const enum anl_status status = anl_config_check(&reading->scenario->network, &reason);
    if (!status) return ANL_OK;
    SCENARIO_REFUSE(reading, key_in(reading, reason.text), "%s", reason.text);
}

// --- deadlock ---

// Writes the first lanes of a cycle: "0(0,0).+0 lane 0, 1(1,0).+0 lane 0 and 3 more".
static void list_lanes(const struct anl_config *network, const uint32_t *lanes, size_t count,
                       char *text, size_t size)
{
    enum { SHOWN = 5 };
    size_t used = 0;
    for (size_t i = 0; i < count && i < SHOWN && used < size; i++) {
        char link[64];
        anl_link_name(network, lanes[i] / network->num_vcs, link, sizeof link);
        used += (size_t)snprintf(text + used, size - used, "%s%s lane %" PRIu32, i ? ", " : "",
                                 link, lanes[i] % network->num_vcs);
    }
    if (count > SHOWN && used < size)
        snprintf(text + used, size - used, " and %zu more", count - SHOWN);
}

#define TO_RUN_IT "to run it nevertheless, write unsafe: true in section network"

// Refuses a network because of a cycle of a graph of its lanes, in the routing of a class.
static enum anl_status refuse_cycle(const struct scenario_reading *reading,
                                    const struct anl_cdg *cdg, uint32_t class_, const char *which)
{
    const struct anl_config *network = &reading->scenario->network;
    uint32_t *lanes;
    size_t count;
    char names[320];
    if (anl_cdg_cycle(cdg, &lanes, &count))
        return anl_fail(reading->error, ANL_ERR_MEMORY, reading->file, 0, "no memory for a search");
    list_lanes(network, lanes, count, names, sizeof names);
    free(lanes);
    SCENARIO_REFUSE(
        reading, scenario_given_of(reading, routing_key(reading), KEY_TOPOLOGY),
        "routing %s can deadlock here, in a cycle of %zu %slanes, each of which may wait for "
        "the next: %s; " TO_RUN_IT,
        anl_routing_name(routing_of_class(network, class_)), count, which, names);
}

// Refuses a network whose escape lanes do not help, and says why.
static enum anl_status refuse_escapes(const struct scenario_reading *reading,
                                      const struct anl_safety *safety)
{
    const struct anl_config *network = &reading->scenario->network;
    const struct anl_stranded *stranded = &safety->stranded;
    const char *routing = anl_routing_name(routing_of_class(network, safety->class_));
    char name[64];
    if (stranded->found) {
        anl_switch_name(network, stranded->at.switch_, name, sizeof name);
        SCENARIO_REFUSE(reading, scenario_given_of(reading, routing_key(reading), KEY_TOPOLOGY),
                        "routing %s can deadlock here: at switch %s a head for terminal %" PRIu32
                        " has no escape lane; " TO_RUN_IT,
                        routing, name, stranded->destination);
    }
    if (!safety->escapes_are_acyclic)
        return refuse_cycle(reading, safety->escapes, safety->class_, "escape ");
    SCENARIO_REFUSE(reading, scenario_given_of(reading, KEY_ATOMIC, routing_key(reading)),
                    "routing %s can deadlock here with atomic none: in an adaptive lane a head may "
                    "stand behind another worm and ask for no escape lane; " TO_RUN_IT,
                    routing);
}

// Refuses a network that may be able to deadlock, unless the scenario says so (docs/cdg.md).
static enum anl_status check_safe(const struct scenario_reading *reading)
{
    const struct anl_config *network = &reading->scenario->network;
    struct anl_safety safety;
    if (!anl_has(network, ANL_TRAIT_WAITS)) return ANL_OK;
    if (reading->scenario->unsafe || anl_is_acyclic_by_rule(network)) return ANL_OK;
    enum anl_status status = anl_safety_of(network, &safety);
    if (status == ANL_ERR_ARGUMENT)
        SCENARIO_REFUSE(
            reading, scenario_given_of(reading, routing_key(reading), KEY_TOPOLOGY),
            "routing %s may be able to deadlock here, on a network that is too large to be "
            "searched for it; " TO_RUN_IT,
            anl_routing_name(network->routing));
    if (status) return anl_fail(reading->error, status, reading->file, 0, "no memory for a search");
    if (!safety.is_safe)
        status = safety.escapes && !safety.replies_wait
                     ? refuse_escapes(reading, &safety)
                     : refuse_cycle(reading, safety.graph, safety.class_, "");
    anl_safety_free(&safety);
    return status;
}

// Refuses wide links that are chained in a circle (docs/switch.md, "Wide links"). Of the other
// topologies anl_config_check() knows it.
static enum anl_status check_chains(const struct scenario_reading *reading)
{
    const struct anl_config *network = &reading->scenario->network;
    struct anl_config one = *network;
    uint32_t *links;
    size_t count;
    char names[320];
    if (network->link != ANL_WIDE || network->credits != ANL_BYPASS ||
        network->topology != ANL_GRAPH)
        return ANL_OK;
    const enum anl_status status = anl_cdg_circle(network, &links, &count);
    if (status == ANL_ERR_ARGUMENT)
        SCENARIO_REFUSE(reading, KEY_CREDITS,
                        "credits bypass expects wide links that close no "
                        "circle, and this network is too large to be searched");
    if (status) return anl_fail(reading->error, status, reading->file, 0, "no memory for a search");
    one.num_vcs = 1;
    list_lanes(&one, links, count, names, sizeof names);
    free(links);
    if (!count) return ANL_OK;
    SCENARIO_REFUSE(reading, KEY_CREDITS,
                    "credits bypass expects wide links that do not depend on each other in a "
                    "circle; these %zu do: %s",
                    count, names);
}

enum anl_status scenario_settle_network(struct scenario_reading *reading)
{
    enum anl_status status = settle_network(reading);
    if (!status) status = settle_options(reading);
    if (!status && !scenario_is_given(reading, KEY_LENGTH_IN_HEAD))
        reading->scenario->network.length_in_head =
            anl_head_has_length(&reading->scenario->network) ? ANL_TRUE : ANL_FALSE;
    if (!status) status = check_heads(reading);
    if (!status) status = check_network(reading);
    if (!status) status = check_chains(reading);
    return status ? status : check_safe(reading);
}

// --- routes of messages ---

static bool some_message_has_a_route(const struct anl_scenario *scenario)
{
    for (size_t i = 0; i < scenario->num_messages; i++)
        if (scenario->messages[i].route) return true;
    return false;
}

static void use_routes_of_messages(const struct anl_scenario *scenario)
{
    anl_graph_begin_routes(scenario->graph);
    for (size_t i = 0; i < scenario->num_messages; i++) {
        const struct anl_message *message = &scenario->messages[i];
        anl_graph_add_route(scenario->graph,
                            &(struct anl_worm){.source = message->source,
                                               .destination = message->destination,
                                               .route = message->route,
                                               .route_length = message->route_length});
    }
    anl_graph_end_routes(scenario->graph);
}

enum anl_status scenario_settle_routes(struct scenario_reading *reading)
{
    struct anl_scenario *scenario = reading->scenario;
    const struct anl_config *network = &scenario->network;
    struct anl_error reason;
    enum anl_status status = ANL_OK;
    if (network->routing != ANL_SOURCE) return ANL_OK;
    if (some_message_has_a_route(scenario))
        use_routes_of_messages(scenario);
    else
        status = refuse_routes(reading, KEY_ROUTING,
                               anl_graph_route_source(scenario->graph, network->paths,
                                                      anl_class_lanes(network), &reason),
                               &reason);
    if (!status) status = check_network(reading);
    if (!status) status = check_chains(reading);
    return status ? status : check_safe(reading);
}
