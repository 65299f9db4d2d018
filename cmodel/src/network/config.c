// SPDX-License-Identifier: Apache-2.0
//
// Checks the configuration of a network and names its values. Ranges: annelid/records.h,
// docs/scenario.md.

#include "network.h"

#include <stdbool.h>
#include <stddef.h>

static const char *const routing_names[] = {
    "dimension_order", "dateline", "e_cube",  "up_down_fixed", "up_down_random",  "up_down_greedy",
    "shortest",        "up_down",  "table",   "west_first",    "north_last",      "negative_first",
    "odd_even",        "adaptive", "layered", "source",        "destination_tag", "valiant"};
static const char *const flow_control_names[] = {"wormhole", "cut_through", "store_and_forward"};
static const char *const credits_names[] = {"registered", "bypass"};
static const char *const rounds_names[] = {"paper", "short", "least"};
#define KIND(value, number, name, chosen) [value] = name,
static const char *const kind_names[] = {ANL_SWITCH_KINDS(KIND)};
#undef KIND
static const char *const link_names[] = {"shared", "wide"};
static const char *const select_names[] = {"most_credits", "random", "straight_first"};
static const char *const atomic_names[] = {"none", "adaptive"};
static const char *const role_names[] = {"plain", "request", "reply"};

#define NAME(table, value) ((size_t)(value) < sizeof table / sizeof *table ? table[value] : "?")

const char *anl_routing_name(enum anl_routing routing) { return NAME(routing_names, routing); }
const char *anl_flow_control_name(enum anl_flow_control flow_control)
{
    return NAME(flow_control_names, flow_control);
}
const char *anl_credit_return_name(enum anl_credit_return credits)
{
    return NAME(credits_names, credits);
}
const char *anl_link_kind_name(enum anl_link link) { return NAME(link_names, link); }
const char *anl_rounds_name(enum anl_rounds rounds) { return NAME(rounds_names, rounds); }
const char *anl_switch_kind_name(enum anl_switch_kind kind) { return NAME(kind_names, kind); }
const char *anl_select_name(enum anl_select select) { return NAME(select_names, select); }
const char *anl_role_name(uint8_t role) { return NAME(role_names, role); }
const char *anl_atomic_name(enum anl_atomic atomic) { return NAME(atomic_names, atomic); }

uint32_t anl_num_classes(const struct anl_config *config)
{
    return config->classes ? config->classes : 1;
}

uint32_t anl_class_lanes(const struct anl_config *config)
{
    return config->num_vcs / anl_num_classes(config);
}

uint32_t anl_class_of(const struct anl_config *config, uint32_t vc)
{
    return vc / anl_class_lanes(config);
}

uint32_t anl_class_vcs(const struct anl_config *config, uint32_t class_)
{
    const uint32_t lanes = anl_class_lanes(config);
    return ((1u << lanes) - 1) << class_ * lanes;
}

// --- classes with routings of their own ---

static enum anl_routing routing_of_class(const struct anl_config *config, uint32_t class_)
{
    return config->num_class_routings ? (enum anl_routing)config->class_routing[class_]
                                      : config->routing;
}

const struct anl_graph *network_graph_of_class(const struct anl_config *config, uint32_t class_)
{
    const struct anl_graph *graph = config->graph;
    while (class_-- > 0 && graph && graph->next)
        graph = graph->next;
    return graph;
}

bool anl_classes_differ(const struct anl_config *config)
{
    return anl_num_classes(config) > 1 &&
           (config->num_class_routings || (config->graph && config->graph->next));
}

struct anl_config anl_config_of_class(const struct anl_config *config, uint32_t class_)
{
    struct anl_config one = *config;
    one.num_vcs = anl_class_lanes(config);
    one.classes = 1;
    if (!anl_classes_differ(config)) return one;
    one.routing = routing_of_class(config, class_);
    one.num_class_routings = 0;
    one.graph = network_graph_of_class(config, class_);
    if (one.routing != ANL_TABLE) one.escape_vcs = 0;
    if (!anl_escape_lanes(&one)) one.atomic = ANL_ATOMIC_NONE;
    return one;
}

bool network_some_class(const struct anl_config *config,
                        bool (*holds)(const struct anl_config *config))
{
    for (uint32_t c = 0; c < anl_num_classes(config); c++) {
        const struct anl_config one = anl_config_of_class(config, c);
        if (holds(&one)) return true;
    }
    return false;
}

uint32_t network_in_all_classes(const struct anl_config *config, uint32_t vcs)
{
    uint32_t all = vcs;
    for (uint32_t c = 1; c < anl_num_classes(config); c++)
        all |= vcs << c * anl_class_lanes(config);
    return all;
}

uint32_t anl_class_weight(const struct anl_config *config, uint32_t class_)
{
    return config->class_weights[class_] ? config->class_weights[class_] : 1;
}

uint64_t anl_patience(const struct anl_config *config)
{
    const bool may_rest = anl_has(config, ANL_TRAIT_LOADS) || anl_has(config, ANL_TRAIT_DISCARDS);
    return may_rest ? UINT64_MAX : 4 * (uint64_t)config->depth + 64;
}

uint32_t anl_link_flits(const struct anl_config *config)
{
    return config->link == ANL_WIDE ? config->num_vcs : 1;
}

uint32_t anl_link_cycles(const struct anl_config *config)
{
    return config->link_cycles ? config->link_cycles : 1;
}

uint32_t anl_stages(const struct anl_config *config) { return config->stages ? config->stages : 1; }

uint32_t anl_hop_cycles(const struct anl_config *config)
{
    return anl_stages(config) - 1 + anl_link_cycles(config);
}

uint32_t anl_full_rate_depth(const struct anl_config *config)
{
    return config->credits == ANL_BYPASS ? 1 : 2 * anl_hop_cycles(config);
}

bool anl_config_reads_random(const struct anl_config *config)
{
    return anl_arbiter_has(config->arbiter, ANL_ARBITER_DRAWS) ||
           config->routing == ANL_UP_DOWN_RANDOM ||
           (config->select == ANL_SELECT_RANDOM && anl_is_adaptive(config));
}

bool anl_reads_input(const struct anl_config *config)
{
    if (anl_classes_differ(config)) return network_some_class(config, anl_reads_input);
    return config->routing == ANL_ODD_EVEN ||
           (config->routing == ANL_TABLE && config->graph && config->graph->by_input);
}

uint32_t network_bits_for(uint32_t values)
{
    uint32_t bits = 1;
    while ((UINT32_C(1) << bits) < values)
        bits++;
    return bits;
}

uint32_t anl_label_bits(const struct anl_config *config)
{
    return config->n * network_bits_for(config->k);
}

bool anl_head_has_length(const struct anl_config *config)
{
    return config->flow_control != ANL_WORMHOLE || config->length_in_head == ANL_TRUE;
}

uint32_t anl_longest_worm(const struct anl_config *config)
{
    if (config->flow_control != ANL_WORMHOLE) return config->depth;
    return anl_head_has_length(config) ? (1u << ANL_LENGTH_BITS) - 1 : ANL_MAX_WORM_LENGTH;
}

uint32_t anl_num_passes(const struct anl_config *config)
{
    return config->passes ? config->passes : 1;
}

uint32_t anl_path_radix(const struct anl_config *config)
{
    const struct topology *topology = topology_of(config->topology);
    return topology->path_radix ? topology->path_radix(config) : 1;
}

// The path of a worm is a switch of the cube, or one digit less: a column, or the up links.
static uint32_t path_digits(const struct anl_config *config)
{
    return config->routing == ANL_VALIANT ? config->n : config->n - 1;
}

uint32_t anl_num_paths(const struct anl_config *config)
{
    return network_power(anl_path_radix(config), path_digits(config));
}

uint32_t anl_path_bits(const struct anl_config *config)
{
    const uint32_t radix = anl_path_radix(config);
    return radix > 1 ? path_digits(config) * network_bits_for(radix) : 0;
}

uint32_t anl_head_bits(const struct anl_config *config)
{
    uint32_t bits = anl_label_bits(config);
    if (anl_head_has_length(config)) bits += ANL_LENGTH_BITS;
    if (anl_arbiter_has(config->arbiter, ANL_ARBITER_RANKS)) bits += 16;
    bits += anl_path_bits(config);
    if (config->routing == ANL_SOURCE)
        bits += config->graph->longest_route * anl_source_port_bits(config);
    return bits;
}

static bool too_many_terminals(uint32_t k, uint32_t n)
{
    uint64_t terminals = 1;
    for (uint32_t d = 0; d < n && terminals <= ANL_MAX_TERMINALS; d++)
        terminals *= k;
    return terminals > ANL_MAX_TERMINALS;
}

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

static enum anl_status check_graph(const struct anl_config *c, struct anl_error *error)
{
    if (!c->graph || !c->graph->routes)
        REFUSE("topology %s expects a graph with routes", anl_topology_name(c->topology));
    if (c->n != 1 || c->k != c->graph->terminals)
        REFUSE("k is %u and n is %u, a graph expects its %u terminals and 1", c->k, c->n,
               c->graph->terminals);
    return ANL_OK;
}

static enum anl_status check_shape(const struct anl_config *c, struct anl_error *error)
{
    const struct topology *topology = topology_of(c->topology);
    if (!topology) REFUSE("unknown topology %d", (int)c->topology);
    if (c->n < 1 || c->n > ANL_MAX_DIMENSIONS)
        REFUSE("n is %u, expected 1..%d", c->n, ANL_MAX_DIMENSIONS);
    if (c->topology == ANL_GRAPH || c->topology == ANL_CUBE) return check_graph(c, error);
    if (c->k < 1 || c->k > ANL_MAX_RADIX) REFUSE("k is %u, expected 1..%d", c->k, ANL_MAX_RADIX);
    if (c->k < topology->least_k)
        REFUSE("k is %u, a %s expects at least %u", c->k, topology->name, topology->least_k);
    if (topology->only_k && c->k != topology->only_k)
        REFUSE("k is %u, a %s expects %u", c->k, topology->name, topology->only_k);
    if (too_many_terminals(c->k, c->n))
        REFUSE("k^n = %u^%u is too large, expected at most %d terminals", c->k, c->n,
               ANL_MAX_TERMINALS);
    return ANL_OK;
}

static enum anl_status check_options(const struct anl_config *c, struct anl_error *error)
{
    if ((unsigned)c->select > ANL_STRAIGHT_FIRST) REFUSE("unknown select %d", (int)c->select);
    if ((unsigned)c->atomic > ANL_ATOMIC_ADAPTIVE) REFUSE("unknown atomic %d", (int)c->atomic);
    if (c->escape_vcs && c->routing != ANL_TABLE)
        REFUSE("escape_vcs is for routing table, not for %s", anl_routing_name(c->routing));
    if (c->escape_vcs >= c->num_vcs)
        REFUSE("escape_vcs is %u, expected 0..%u", c->escape_vcs, c->num_vcs - 1);
    if (c->select == ANL_STRAIGHT_FIRST && c->topology == ANL_GRAPH)
        REFUSE("select straight_first does not work on topology graph, which has no dimensions");
    if (c->atomic && !anl_escape_lanes(c))
        REFUSE("atomic is %s, but there are no escape lanes", anl_atomic_name(c->atomic));
    return ANL_OK;
}

static enum anl_status check_routing(const struct anl_config *c, struct anl_error *error)
{
    const struct topology *topology = topology_of(c->topology);
    const enum anl_status status = topology->check ? topology->check(c, error) : ANL_OK;
    return status ? status : check_options(c, error);
}

// Checks what all classes share where they have routings of their own.
static enum anl_status check_class_routings(const struct anl_config *c, struct anl_error *error)
{
    const uint32_t classes = anl_num_classes(c);
    if (c->num_class_routings && c->num_class_routings != classes)
        REFUSE("class_routing has %u routings, expected one for each of %u classes",
               c->num_class_routings, classes);
    if (c->num_class_routings && classes == 1)
        REFUSE("class_routing expects several classes of messages");
    if (c->num_class_routings && !c->graph)
        REFUSE("class_routing works on topologies graph and cube, not on %s",
               anl_topology_name(c->topology));
    for (uint32_t i = 0; i < c->num_class_routings; i++)
        if (c->class_routing[i] == ANL_SOURCE)
            REFUSE("class_routing names source, which is a routing for all classes together");
    return ANL_OK;
}

static enum anl_status check_classes(const struct anl_config *c, struct anl_error *error)
{
    if (c->classes > 1 && (c->classes > c->num_vcs || c->num_vcs % c->classes != 0))
        REFUSE("classes is %u, expected a divisor of num_vcs, %u", c->classes, c->num_vcs);
    if (c->reply_queue > ANL_MAX_REPLY_QUEUE)
        REFUSE("reply_queue is %u, expected 0..%d", c->reply_queue, ANL_MAX_REPLY_QUEUE);
    return check_class_routings(c, error);
}

static enum anl_status check_credits(const struct anl_config *c, struct anl_error *error)
{
    const struct topology *topology = topology_of(c->topology);
    const char *name = topology->name;
    if ((unsigned)c->credits > ANL_BYPASS) REFUSE("unknown credits %d", (int)c->credits);
    if (c->credits != ANL_BYPASS) return ANL_OK;
    if (c->link == ANL_SHARED && !topology->may_chain)
        REFUSE(
            "credits bypass works on topology fat_tree and butterfly, not on %s, unless links are "
            "wide",
            name);
    if (c->link == ANL_WIDE && topology->has_rings && topology->has_rings(c))
        REFUSE("credits bypass expects links that do not depend on each other in a circle, as "
               "those of the rings of topology %s do",
               name);
    if (c->routing == ANL_VALIANT)
        REFUSE("credits bypass expects links that do not depend on each other in a circle, as "
               "those of routing valiant do, whose worms come back to dimension 0");
    return ANL_OK;
}

static enum anl_status check_wide(const struct anl_config *c, struct anl_error *error)
{
    if ((unsigned)c->link > ANL_WIDE) REFUSE("unknown link %d", (int)c->link);
    if (c->link != ANL_WIDE) return ANL_OK;
    if (c->classes > 1) REFUSE("classes is %u, link wide expects 1", c->classes);
    if (c->reply_queue) REFUSE("reply_queue is %u, link wide expects 0", c->reply_queue);
    char names[ANL_ARBITER_NAMES_BYTES];
    if (anl_has(c, ANL_TRAIT_WAITS) && !anl_arbiter_has(c->arbiter, ANL_ARBITER_WIDE))
        REFUSE("arbiter is %s, link wide expects %s", anl_arbiter_name(c->arbiter),
               anl_arbiter_names(anl_arbiters_with(ANL_ARBITER_WIDE, true), names, sizeof names));
    return ANL_OK;
}

static enum anl_status check_cycles(const struct anl_config *c, struct anl_error *error)
{
    const uint32_t cycles = anl_link_cycles(c);
    if (cycles > ANL_MAX_LINK_CYCLES)
        REFUSE("link_cycles is %u, expected 1..%d", cycles, ANL_MAX_LINK_CYCLES);
    if (cycles == 1) return ANL_OK;
    if (!anl_has(c, ANL_TRAIT_WAITS))
        REFUSE("link_cycles is %u, switches of another kind than buffered expect 1", cycles);
    if (c->credits == ANL_BYPASS) REFUSE("link_cycles is %u, credits bypass expects 1", cycles);
    return ANL_OK;
}

static enum anl_status check_stages(const struct anl_config *c, struct anl_error *error)
{
    const uint32_t stages = anl_stages(c);
    if (stages > ANL_MAX_SWITCH_STAGES)
        REFUSE("stages is %u, expected 1..%d", stages, ANL_MAX_SWITCH_STAGES);
    if (stages == 1) return ANL_OK;
    if (!anl_has(c, ANL_TRAIT_WAITS))
        REFUSE("stages is %u, switches of another kind than buffered expect 1", stages);
    if (c->credits == ANL_BYPASS) REFUSE("stages is %u, credits bypass expects 1", stages);
    return ANL_OK;
}

static enum anl_status check_switch(const struct anl_config *c, struct anl_error *error)
{
    if (c->num_vcs < 1 || c->num_vcs > ANL_MAX_VCS)
        REFUSE("num_vcs is %u, expected 1..%d", c->num_vcs, ANL_MAX_VCS);
    if (c->depth < 1 || c->depth > ANL_MAX_DEPTH)
        REFUSE("depth is %u, expected 1..%d", c->depth, ANL_MAX_DEPTH);
    if ((unsigned)c->arbiter > ANL_LAST_ARBITER) REFUSE("unknown arbiter %d", (int)c->arbiter);
    if ((unsigned)c->flow_control > ANL_STORE_AND_FORWARD)
        REFUSE("unknown flow_control %d", (int)c->flow_control);
    if ((unsigned)c->length_in_head > ANL_TRUE)
        REFUSE("unknown length_in_head %d", (int)c->length_in_head);
    enum anl_status status = check_classes(c, error);
    if (!status) status = check_wide(c, error);
    if (!status) status = check_cycles(c, error);
    if (!status) status = check_stages(c, error);
    return status ? status : check_credits(c, error);
}

// Checks what each class needs of its lanes; the configuration is that of one class.
static enum anl_status check_lanes(const struct anl_config *c, struct anl_error *error)
{
    const struct topology *topology = topology_of(c->topology);
    if ((unsigned)c->routing > ANL_VALIANT || !(topology->routings >> c->routing & 1))
        REFUSE("routing %s does not work on topology %s", anl_routing_name(c->routing),
               topology->name);
    const enum anl_status status = check_routing(c, error);
    if (status) return status;
    if (c->routing == ANL_LAYERED && (!c->graph->layers || c->num_vcs < c->graph->num_layers))
        REFUSE("num_vcs is %u, routing layered expects layers, and a lane for each", c->num_vcs);
    if (c->routing == ANL_SOURCE && !c->graph->turns)
        REFUSE("routing source expects a graph that is routed for it");
    if (c->link == ANL_WIDE && anl_is_adaptive(c))
        REFUSE("link wide expects routes with one option, routing %s gives several",
               anl_routing_name(c->routing));
    if (c->flit_width_bits < anl_head_bits(c) || c->flit_width_bits > ANL_MAX_FLIT_WIDTH_BITS)
        REFUSE("flit_width_bits is %u, expected %u..%d (a head carries %u bits)",
               c->flit_width_bits, anl_head_bits(c), ANL_MAX_FLIT_WIDTH_BITS, anl_head_bits(c));
    return ANL_OK;
}

static enum anl_status check_kind(const struct anl_config *c, struct anl_error *error)
{
    const struct anl_machine *machine = anl_machine_of(c->kind);
    if (!machine && (unsigned)c->kind < ANL_NUM_SWITCH_KINDS)
        REFUSE("kind %s is not built", anl_switch_kind_name(c->kind));
    if (!machine) REFUSE("unknown kind %d", (int)c->kind);
    if (!machine->check) return ANL_OK;
    if (c->k > ANL_MAX_OTHER_RADIX)
        REFUSE("k is %u, kind %s expects at most %d", c->k, anl_switch_kind_name(c->kind),
               ANL_MAX_OTHER_RADIX);
    return machine->check(c, error);
}

static bool has_table_escapes(const struct anl_config *config) { return config->escape_vcs > 0; }

// Checks the network of a class. Only where classes differ does a message say which one it is.
static enum anl_status check_class(const struct anl_config *config, uint32_t class_,
                                   struct anl_error *error)
{
    const struct anl_config one = anl_config_of_class(config, class_);
    struct anl_error reason;
    if (!check_lanes(&one, &reason)) return ANL_OK;
    if (anl_classes_differ(config)) REFUSE("of class %u, %s", class_, reason.text);
    if (anl_num_classes(config) > 1)
        REFUSE("classes is %u, and of each class %s", config->classes, reason.text);
    REFUSE("%s", reason.text);
}

enum anl_status anl_config_check(const struct anl_config *config, struct anl_error *error)
{
    enum anl_status status = check_shape(config, error);
    if (!status) status = check_kind(config, error);
    if (!status) status = check_switch(config, error);
    const uint32_t kinds = !status && anl_classes_differ(config) ? anl_num_classes(config) : 1;
    for (uint32_t c = 0; !status && c < kinds; c++)
        status = check_class(config, c, error);
    if (status || kinds == 1) return status;
    if (config->escape_vcs && !network_some_class(config, has_table_escapes))
        REFUSE("escape_vcs is for routing table, which no class has");
    if (config->atomic && !anl_escape_lanes(config))
        REFUSE("atomic is %s, but there are no escape lanes", anl_atomic_name(config->atomic));
    return ANL_OK;
}
