// SPDX-License-Identifier: Apache-2.0
//
// annelid describe: prints what a scenario is, as text or as parameters of the RTL, writes its
// network to files (describe_files.c), or lists the keys of scenarios.

#include "cmd_describe.h"

#include "cost/cost.h"
#include "design/design.h"

#include <annelid/rtl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct arguments {
    struct cli_given given;
    bool rtl, keys, area, sets;
    const char *part;         // of --area; NULL: one of each family
    const char *dot, *graph;  // files to write; NULL: none
    const char *links;        // a file that describes a link; NULL: none
    const char *handshakes;   // a text with handshakes of links; NULL: none
};

static const struct cli_option options[] = {
    {"rtl", 0, NULL, "Print the parameters of the RTL on one line", CLI_AT(struct arguments, rtl)},
    {"keys", 0, NULL, "List the keys of scenario files with ranges and defaults",
     CLI_AT(struct arguments, keys)},
    {"area", 0, NULL, "Estimate cells and clock on real parts, from those of measured networks",
     CLI_AT(struct arguments, area)},
    {"part", 0, "PART", "Estimate for this part: ice40-hx8k, ecp5-25f, ecp5-45f or ecp5-85f",
     CLI_AT(struct arguments, part)},
    {"area-sets", 0, NULL, "List the measured networks with their cells, measured and estimated",
     CLI_AT(struct arguments, sets)},
    {"dot", 0, "FILE", "Write the network for Graphviz", CLI_AT(struct arguments, dot),
     .output = true, .aside = true},
    {"graph", 0, "FILE", "Write the network as a graph with a table, for network.graph",
     CLI_AT(struct arguments, graph), .output = true, .aside = true},
    {"links", 0, "FILE",
     "Check a description of links of another style, and print as JSON what it says and, with a "
     "scenario, what a bench needs to know of the network with such links",
     CLI_AT(struct arguments, links)},
    {"handshakes", 0, "FILE",
     "Judge handshakes of links that a text has cycle by cycle, with the lanes and the depth of "
     "the scenario, and print as JSON what each cycle does",
     CLI_AT(struct arguments, handshakes)},
    {0},
};

static const struct cli_rule rules[] = {
    {"keys", .alone = true}, {"area-sets", .alone = true}, {"part", .needs = "area"}, {0}};

static void check(void *user, struct argp_state *state)
{
    const struct arguments *arguments = user;
    const bool of_network = arguments->rtl || arguments->area || arguments->dot ||
                            arguments->graph || arguments->given.num_settings;
    if (!arguments->given.num_inputs && !arguments->keys && !arguments->sets &&
        (!arguments->links || of_network))
        argp_error(state, "%s", cli_one_scenario.too_few);
    char names[256];
    if (arguments->part && !cost_part_of(arguments->part))
        argp_error(state, "--part \"%s\": expected %s", arguments->part,
                   cost_part_names(names, sizeof names));
}

static int print_area(const struct anl_config *config, const char *path, const char *part)
{
    static const struct cost_ports ports = {.users = 1,
                                            .lite = 1,
                                            .memories = 1,
                                            .data_bits = DESIGN_AXI_DATA_BITS,
                                            .address_bits = DESIGN_AXI_ADDRESS_BITS,
                                            .id_bits = DESIGN_AXI_ID_BITS,
                                            .bursts = DESIGN_AXI_BURSTS,
                                            .max_beats = DESIGN_AXI_BEATS,
                                            .room = DESIGN_AXI_BEATS};
    struct anl_error error = {0};
    if (cost_print(stdout, config, path, part ? cost_part_of(part) : NULL, COST_BOTH, &ports,
                   &error))
        return cli_complain(&error);
    return CLI_OK;
}

// --- keys ---

static int print_keys(void)
{
    struct anl_scenario_key key;
    for (size_t i = 0; anl_scenario_key(i, &key); i++)
        printf("%s.%s\n    %s\n    default: %s\n    %s\n", key.section, key.name, key.range,
               key.fallback, key.meaning);
    return CLI_OK;
}

// --- parameters of the RTL ---

// Returns whether routes are tables, which may differ from switch to switch.
static bool has_table(const struct anl_config *config) { return config->graph != NULL; }

static int print_rtl(const struct anl_config *config, const char *path)
{
    struct anl_error error = {0};
    if (anl_rtl_check(config, path, &error)) return cli_complain(&error);
    printf("%s ", anl_rtl_module(config));
    cli_print_parameters(config);
    if (config->graph) printf(" Hash=%016" PRIx64, anl_graph_hash(config->graph));
    putchar('\n');
    return CLI_OK;
}

// --- summary ---

struct distances {
    uint32_t max;
    double mean;  // over all pairs of terminals, also of a terminal and itself
};

// Returns the distances from the first `from` terminals to the first `to` terminals.
static struct distances distances_among(const struct anl_config *config, uint32_t from, uint32_t to)
{
    uint32_t max = 0;
    uint64_t sum = 0;
    for (uint32_t a = 0; a < from; a++)
        for (uint32_t b = 0; b < to; b++) {
            const uint32_t distance = anl_distance(config, a, b);
            max = distance > max ? distance : max;
            sum += distance;
        }
    return (struct distances){max, (double)sum / ((double)from * to)};
}

// Returns the switch behind the first way of a head for a terminal.
static uint32_t next_switch(const struct anl_config *config, uint32_t switch_, uint32_t terminal)
{
    const struct anl_input_lane at = {switch_, 0, 0};
    const struct anl_way way = anl_first_way(anl_route_at(config, at, terminal));
    return anl_link_end(config, switch_, way.port).node;
}

// Sets links[s] to the links of the route from switch s to a terminal, for all switches that are on
// a route: first counts those up to a switch of which the number is known, then goes the way again.
static void follow(const struct anl_config *config, uint32_t from, uint32_t terminal,
                   uint32_t *links)
{
    const uint32_t ports = anl_shape_of(config).ports;
    const uint32_t home = anl_ejection_link(config, terminal) / ports;
    uint32_t count = 0, s = from;
    links[home] = 0;
    for (; links[s] == UINT32_MAX; count++)
        s = next_switch(config, s, terminal);
    for (count += links[s], s = from; links[s] == UINT32_MAX; count--) {
        links[s] = count;
        s = next_switch(config, s, terminal);
    }
}

// Returns the lengths of all routes, from all terminals to all terminals; without memory those from
// the first terminal.
static struct distances distances_by_table(const struct anl_config *config)
{
    const struct anl_shape shape = anl_shape_of(config);
    struct distances distances = {0};
    uint32_t *links = malloc(shape.switches * sizeof *links);
    if (!links) return distances_among(config, 1, shape.terminals);
    if (anl_reads_input(config)) {
        free(links);
        return distances_among(config, shape.terminals, shape.terminals);
    }
    for (uint32_t to = 0; to < shape.terminals; to++) {
        memset(links, 0xff, shape.switches * sizeof *links);
        for (uint32_t from = 0; from < shape.terminals; from++) {
            const uint32_t s = anl_ejection_link(config, from) / shape.ports;
            follow(config, s, to, links);
            distances.max = links[s] > distances.max ? links[s] : distances.max;
            distances.mean += links[s];
        }
    }
    distances.mean /= (double)shape.terminals * shape.terminals;
    free(links);
    return distances;
}

// Returns the lengths of the routes of all classes of messages, of which each counts the same.
static struct distances distances_of_classes(const struct anl_config *config)
{
    struct distances all = {0};
    for (uint32_t c = 0; c < anl_num_classes(config); c++) {
        const struct anl_config one = anl_config_of_class(config, c);
        const struct distances distances = distances_by_table(&one);
        all.max = distances.max > all.max ? distances.max : all.max;
        all.mean += distances.mean / anl_num_classes(config);
    }
    return all;
}

// Distances in a cube are sums over the dimensions, so those along one dimension are enough. Other
// networks look the same from each of their terminals, so one of them is enough.
static struct distances distances_of(const struct anl_config *config)
{
    if (anl_classes_differ(config)) return distances_of_classes(config);
    if (has_table(config)) return distances_by_table(config);
    if (!anl_is_k_ary_cube(config->topology))
        return distances_among(config, 1, anl_shape_of(config).terminals);
    struct anl_config line = *config;
    line.n = 1;
    const struct distances one = distances_among(&line, line.k, line.k);
    return (struct distances){config->n * one.max, config->n * one.mean};
}

// Returns the lengths of the routes of all messages, which may be routes of their own.
static struct distances distances_of_messages(const struct anl_scenario *scenario)
{
    struct distances distances = {0};
    for (size_t i = 0; i < scenario->num_messages; i++) {
        const struct anl_message *message = &scenario->messages[i];
        const uint32_t links = anl_worm_distance(
            &scenario->network, &(struct anl_worm){.source = message->source,
                                                   .destination = message->destination,
                                                   .route = message->route,
                                                   .route_length = message->route_length});
        distances.max = links > distances.max ? links : distances.max;
        distances.mean += links;
    }
    distances.mean /= (double)scenario->num_messages;
    return distances;
}

static bool has_own_routes(const struct anl_config *config)
{
    return config->routing == ANL_SOURCE && config->graph->own_routes;
}

struct link_counts {
    uint32_t internal;   // between switches
    uint32_t one_way;    // those of them that have no opposite link
    uint32_t bisection;  // those of them that lead from one half of the network to the other
};

static struct link_counts count_links(const struct anl_config *config)
{
    const struct anl_shape shape = anl_shape_of(config);
    struct link_counts counts = {0};
    for (uint32_t s = 0; s < shape.switches; s++)
        for (uint32_t port = 0; port < shape.ports; port++) {
            const struct anl_end end = anl_link_end(config, s, port);
            if (!end.exists || end.is_terminal) continue;
            const struct anl_end back = anl_link_end(config, end.node, end.port);
            counts.internal++;
            counts.one_way +=
                !back.exists || back.is_terminal || back.node != s || back.port != port;
            counts.bisection += anl_in_upper_half(config, s) != anl_in_upper_half(config, end.node);
        }
    return counts;
}

// Returns whether switches lie in rings of two, which have two links each way. Routes that know one
// way to each neighbour take "+" from the even switch and "-" from the odd one.
static bool has_idle_links(const struct anl_config *config)
{
    const bool rings = config->topology == ANL_TORUS || config->topology == ANL_CUBE;
    const struct anl_cube cube = rings ? anl_coordinates_of(config) : (struct anl_cube){0};
    bool pair = false;
    for (uint32_t d = 0; d < cube.dimensions; d++)
        pair |= cube.kinds[d] == ANL_RING && cube.radix[d] == 2;
    for (uint32_t c = 0; c < anl_num_classes(config); c++) {
        const struct anl_config one = anl_config_of_class(config, c);
        pair &= !anl_is_adaptive(&one);
    }
    return pair;
}

static void print_network(const struct anl_config *config, struct distances distances)
{
    const struct anl_shape shape = anl_shape_of(config);
    const struct link_counts links = count_links(config);
    const bool graph = config->topology == ANL_GRAPH;
    const bool cube = anl_is_k_ary_cube(config->topology) || config->topology == ANL_CUBE;
    printf("network    %s: %" PRIu32 " switch%s of %" PRIu32 " ports, %" PRIu32 " terminal%s\n",
           graph ? "graph" : cli_network_name(config, " = ").text, shape.switches,
           shape.switches == 1 ? "" : "es", shape.ports, shape.terminals, plural(shape.terminals));
    printf("           %" PRIu32 " link%s between switches, %" PRIu32 " %s%s\n", links.internal,
           plural(links.internal), graph ? links.one_way : links.bisection, cube ? "" : "of them ",
           graph ? "without an opposite one" : anl_halves(config->topology));
    if (has_idle_links(config))
        puts("           rings of two: half of their links are never used (docs/networks.md)");
    printf("           %s at most %" PRIu32 ", mean %.3f links\n",
           has_own_routes(config) ? "routes of messages of"
           : graph                ? "routes of"
                                  : "distance",
           distances.max, distances.mean);
}

static void print_classes(const struct anl_config *config)
{
    printf("           %" PRIu32 " classes of messages, each with %" PRIu32 " lane%s, weights ",
           config->classes, anl_class_lanes(config), plural(anl_class_lanes(config)));
    for (uint32_t c = 0; c < config->classes; c++)
        printf("%s%" PRIu32, c ? ", " : "", anl_class_weight(config, c));
    putchar('\n');
}

static void print_layers(const struct anl_config *config)
{
    const uint32_t classes = anl_classes_differ(config) ? anl_num_classes(config) : 1;
    for (uint32_t c = 0; c < classes; c++) {
        const struct anl_config one = anl_config_of_class(config, c);
        char of_class[32] = "";
        if (one.routing != ANL_LAYERED) continue;
        if (classes > 1) snprintf(of_class, sizeof of_class, "class %" PRIu32 ": ", c);
        printf("           %s%" PRIu32 " layer%s, each with %" PRIu32 " or more of the lanes\n",
               of_class, one.graph->num_layers, plural(one.graph->num_layers),
               one.num_vcs / one.graph->num_layers);
    }
}

// Says what a hop takes if that is more than a cycle.
static void print_hop(const struct anl_config *config)
{
    const char *stages = anl_stages(config) > 1 ? "switches of two stages; " : "";
    if (anl_hop_cycles(config) == 1) return;
    printf("           %s", stages);
    if (anl_link_cycles(config) > 1)
        printf("links of %" PRIu32 " cycles between switches; ", anl_link_cycles(config));
    printf("full rate needs depth %" PRIu32 "\n", anl_full_rate_depth(config));
}

static void print_switch(const struct anl_config *config)
{
    const struct anl_machine *machine = anl_machine_of(config->kind);
    const bool source = config->routing == ANL_SOURCE;
    char sentence[256];
    if (machine->sentence) {
        machine->sentence(config, sentence, sizeof sentence);
        printf("switch     %s\n", sentence);
    } else {
        printf("switch     %" PRIu32 " lane%s of %" PRIu32
               " flit%s per %slink, routing %s%s%s, arbiter %s, %s%s\n",
               config->num_vcs, plural(config->num_vcs), config->depth, plural(config->depth),
               config->link == ANL_WIDE ? "wide " : "", cli_routing_name(config).text,
               source ? " of paths " : "", source ? anl_routing_name(config->paths) : "",
               anl_arbiter_name(config->arbiter), anl_flow_control_name(config->flow_control),
               config->credits == ANL_BYPASS ? ", credits bypass" : "");
    }
    if (anl_num_classes(config) > 1) print_classes(config);
    print_layers(config);
    print_hop(config);
    printf("           flits of %" PRIu32 " bits, a head's fields take %" PRIu32 "%s\n",
           config->flit_width_bits, anl_head_bits(config),
           anl_head_has_length(config) ? ", with the length of the worm" : "");
}

static void print_lengths(const struct anl_traffic_config *traffic)
{
    printf("           worms of %s", traffic->process == ANL_GENERATOR ? "up to " : "");
    for (uint32_t i = 0; i < traffic->num_lengths; i++)
        printf("%s%u", i ? ", " : "", traffic->lengths[i]);
    printf(" flit%s\n", plural(traffic->num_lengths == 1 ? traffic->lengths[0] : 0));
}

// Returns how many messages wait for others.
static size_t count_waiting(const struct anl_scenario *scenario)
{
    size_t count = 0;
    for (size_t i = 0; i < scenario->num_messages; i++)
        count += scenario->messages[i].num_after > 0;
    return count;
}

static void print_amount(const struct anl_scenario *scenario)
{
    const struct anl_traffic_config *traffic = &scenario->traffic;
    switch (traffic->process) {
    case ANL_BERNOULLI:
    case ANL_BURSTY:
        printf(", load %g flits per terminal and cycle", traffic->load);
        if (traffic->process == ANL_BURSTY)
            printf(", bursts of at least %" PRIu32 " cycles", traffic->burst_cycles);
        break;
    case ANL_BATCH:
    case ANL_GENERATOR:
        printf(", %" PRIu32 " worm%s per terminal", traffic->worms_per_terminal,
               plural(traffic->worms_per_terminal));
        if (traffic->delays > 1)
            printf(" after 0 to %" PRIu32 " times %" PRIu32 " cycle%s", traffic->delays - 1,
                   traffic->delay_cycles, plural(traffic->delay_cycles));
        break;
    case ANL_REQUEST_REPLY:
        printf(", %" PRIu32 " request%s per terminal, %" PRIu32 " at a time, replies of %u flit%s",
               traffic->worms_per_terminal, plural(traffic->worms_per_terminal), traffic->window,
               traffic->reply_length, plural(traffic->reply_length));
        if (scenario->network.reply_queue)
            printf(", at most %" PRIu32 " waiting at a terminal", scenario->network.reply_queue);
        break;
    case ANL_REPLAY:
        printf(", %zu message%s", scenario->num_messages, plural(scenario->num_messages));
        if (count_waiting(scenario))
            printf(", of which %zu wait%s for others", count_waiting(scenario),
                   count_waiting(scenario) == 1 ? "s" : "");
        break;
    case ANL_OWN:  // no scenario names them
    case ANL_OWN_OPEN:
        break;
    }
}

static void print_pattern(const struct anl_traffic_config *traffic)
{
    printf(", pattern %s", anl_pattern_name(traffic->pattern));
    if (traffic->pattern == ANL_HOTSPOT) printf(" (%g)", traffic->hotspot_fraction);
    if (traffic->pattern == ANL_SPHERE)
        printf(" (%g within %" PRIu32 " links)", traffic->sphere_fraction, traffic->sphere_radius);
    if (traffic->pattern == ANL_HOTSPOT || traffic->pattern == ANL_MANY_TO_ONE)
        printf(" to terminal %" PRIu32, traffic->hotspot_terminal);
}

static void print_traffic(const struct anl_scenario *scenario)
{
    const bool replay = scenario->traffic.process == ANL_REPLAY;
    printf("traffic    %s", anl_process_name(scenario->traffic.process));
    if (anl_process_has_pattern(scenario->traffic.process)) print_pattern(&scenario->traffic);
    print_amount(scenario);
    putchar('\n');
    if (!replay) print_lengths(&scenario->traffic);
}

static void print_run(const struct anl_scenario *scenario)
{
    const struct anl_run_config *run = &scenario->run;
    const enum anl_process process = scenario->traffic.process;
    printf("run        seed %" PRIu64, run->seed);
    if (process == ANL_BERNOULLI || process == ANL_BURSTY)
        printf(", worms created in %" PRIu64 " cycles", run->cycles);
    if (process == ANL_GENERATOR)
        printf(", a board is checked after %" PRIu64 " cycles", run->cycles);
    if (run->warmup_cycles)
        printf(", those before cycle %" PRIu64 " not measured", run->warmup_cycles);
    printf(", stops at cycle %" PRIu64 "\n", run->max_cycles);
}

static uint32_t longest_worm(const struct anl_scenario *scenario)
{
    const bool replay = scenario->traffic.process == ANL_REPLAY;
    uint32_t longest = 0;
    for (uint32_t i = 0; !replay && i < scenario->traffic.num_lengths; i++)
        if (scenario->traffic.lengths[i] > longest) longest = scenario->traffic.lengths[i];
    for (size_t i = 0; i < scenario->num_messages; i++)
        if (scenario->messages[i].length > longest) longest = scenario->messages[i].length;
    return longest;
}

static void print_latency(const struct anl_scenario *scenario, uint64_t distance)
{
    const struct anl_machine *machine = anl_machine_of(scenario->network.kind);
    const uint32_t length = longest_worm(scenario);
    if (machine->times) {
        char text[256];
        machine->times(&scenario->network, text, sizeof text);
        printf("batches    %s\n", text);
        return;
    }
    printf("latency    at least %" PRIu64 " cycles for %" PRIu32 " flit%s over the longest %s\n",
           anl_latency_alone(&scenario->network, distance, length), length, plural(length),
           has_table(&scenario->network) ? "route" : "of the shortest paths");
}

static int print_summary(const struct anl_scenario *scenario)
{
    const struct distances distances = has_own_routes(&scenario->network)
                                           ? distances_of_messages(scenario)
                                           : distances_of(&scenario->network);
    print_network(&scenario->network, distances);
    print_switch(&scenario->network);
    print_traffic(scenario);
    print_run(scenario);
    print_latency(scenario, distances.max);
    return CLI_OK;
}

static int describe(const struct arguments *arguments)
{
    struct anl_scenario scenario;
    if (arguments->keys) return print_keys();
    if (arguments->sets) return cost_print_sets();
    if (!arguments->given.num_inputs) return describe_links(NULL, NULL, arguments->links);
    const char *path = arguments->given.inputs[0];
    const bool exports = arguments->rtl || arguments->graph;
    if ((exports ? cli_load : cli_load_any)(&arguments->given, &scenario)) return CLI_BAD;
    int status = CLI_OK;
    if (arguments->dot) status = describe_dot(&scenario.network, arguments->dot);
    if (!status && arguments->graph)
        status = describe_graph(&scenario.network, path, arguments->graph);
    if (!status && arguments->rtl) status = print_rtl(&scenario.network, path);
    if (!status && arguments->links)
        status = describe_links(&scenario.network, path, arguments->links);
    if (!status && arguments->handshakes)
        status = describe_handshakes(&scenario.network, arguments->handshakes);
    if (!status && arguments->area) status = print_area(&scenario.network, path, arguments->part);
    if (!status && !arguments->rtl && !arguments->area && !arguments->dot && !arguments->graph &&
        !arguments->links && !arguments->handshakes)
        status = print_summary(&scenario);
    anl_scenario_free(&scenario);
    return status;
}

int cmd_describe(int argc, char **argv)
{
    struct cli_inputs inputs = cli_one_scenario;
    inputs.names = "[SCENARIO]";
    inputs.least = 0;
    const struct cli_command command = {
        .inputs = &inputs,
        .options = options,
        .rules = rules,
        .check = check,
        .help = "Says what a scenario is: network, switch, traffic, run, and the latency of an "
                "empty network."};
    struct arguments arguments = {0};
    cli_parse(&command, argc, argv, &arguments);
    return describe(&arguments);
}
