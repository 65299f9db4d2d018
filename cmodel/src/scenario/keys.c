// SPDX-License-Identifier: Apache-2.0

#include "scenario.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#define BIT(value) (UINT32_C(1) << (value))
#define OPEN_LOOP (BIT(ANL_BERNOULLI) | BIT(ANL_BURSTY))
#define CLOSED (BIT(ANL_BATCH) | BIT(ANL_REQUEST_REPLY))
#define AT_ONCE (BIT(ANL_BATCH) | BIT(ANL_GENERATOR))

static const char *topology(int value) { return anl_topology_name((enum anl_topology)value); }
static const char *kind(int value)
{
    static const char *const names[] = {"line", "ring", "one_way_ring"};
    return names[value];
}
static const char *routing(int value) { return anl_routing_name((enum anl_routing)value); }
static const char *arbiter(int value) { return anl_arbiter_name((enum anl_arbiter)value); }
static const char *flow_control(int value)
{
    return anl_flow_control_name((enum anl_flow_control)value);
}
static const char *select_(int value) { return anl_select_name((enum anl_select)value); }
static const char *atomic(int value) { return anl_atomic_name((enum anl_atomic)value); }
#define KIND(value, number, name, chosen) [value] = (chosen) ? name : NULL,
static const char *switch_kind(int value)
{
    static const char *const names[] = {ANL_SWITCH_KINDS(KIND)};
    return names[value];
}
#undef KIND
static const char *credits(int value)
{
    return anl_credit_return_name((enum anl_credit_return)value);
}
static const char *when_blocked(int value) { return value == ANL_DROP ? "drop" : "wait"; }

static const char *rounds(int value) { return anl_rounds_name((enum anl_rounds)value); }
static const char *link_kind(int value) { return anl_link_kind_name((enum anl_link)value); }
static const char *truth(int value) { return value ? "true" : "false"; }
static const char *process(int value) { return anl_process_name((enum anl_process)value); }
static const char *pattern(int value) { return anl_pattern_name((enum anl_pattern)value); }

#define AT(member)                                                                                 \
    .offset = offsetof(struct anl_scenario, member),                                               \
    .size = sizeof(((struct anl_scenario *)NULL)->member)
#define CHOICE(member, name_of, last)                                                              \
    .kind = ANL_KEY_CHOICE, AT(member), .max = (last), .choice = (name_of)
#define INTEGER(member, least, most)                                                               \
    .kind = ANL_KEY_INTEGER, AT(member), .min = (least), .max = (most)
#define LIST(member, least, greatest, number, places)                                              \
    .kind = ANL_KEY_LIST, .offset = offsetof(struct anl_scenario, member),                         \
    .size = sizeof(((struct anl_scenario *)NULL)->member[0]), .min = (least), .max = (greatest),   \
    .count = offsetof(struct anl_scenario, number), .most = (places)
#define REAL(member) .kind = ANL_KEY_REAL, AT(member), .min = 0, .max = 1

#define TRILLION UINT64_C(1000000000000)

const char *const scenario_sections[NUM_SECTIONS] = {"network", "switch", "traffic", "run",
                                                     "graph"};

const struct scenario_key scenario_keys[NUM_KEYS] = {
    [KEY_TOPOLOGY] = {IN_NETWORK, "topology", CHOICE(network.topology, topology, ANL_LAST_TOPOLOGY),
                      .fallback_meaning = "required", .meaning = "`networks.md`"},
    [KEY_K] = {IN_NETWORK, "k", INTEGER(network.k, 1, ANL_MAX_RADIX),
               .fallback_meaning = "required (hypercube: 2, fat_tree: 4; not for graph, cube)",
               .condition = "torus kinds: at least 2; hypercube: 2; fat_tree: 4; butterfly: 2..32; "
                            "switches of other kinds than buffered, and the RTL: at most 512",
               .meaning = "switches per dimension (torus: with 2, half of the links are never "
                          "used, `networks.md`); children of a fat-tree's switch; ports of a "
                          "butterfly's"},
    [KEY_N] = {IN_NETWORK, "n", INTEGER(network.n, 1, ANL_MAX_DIMENSIONS),
               .fallback_meaning = "required (not for graph, cube)",
               .condition = "k^n at most 2^22",
               .meaning = "dimensions; levels of a fat-tree, or of a butterfly passed once"},
    [KEY_PASSES] = {IN_NETWORK, "passes", INTEGER(network.passes, 1, 2), .fallback = "1",
                    .condition = "2: n at least 2",
                    .meaning = "butterfly: how often a worm passes it, to its destination, or "
                               "first to an intermediate column"},
    [KEY_RADIX] = {IN_NETWORK, "radix",
                   LIST(cube.radix, 1, 4096, cube.dimensions, ANL_MAX_DIMENSIONS),
                   .fallback_meaning = "required for cube", .condition = "at most 2^16 switches",
                   .meaning = "cube: switches along each dimension"},
    [KEY_DIMENSIONS] = {IN_NETWORK, "dimensions",
                        LIST(cube.kinds, 0, ANL_ONE_WAY_RING, num_kinds, ANL_MAX_DIMENSIONS),
                        .choice = kind, .fallback = "line",
                        .condition = "one for each dimension, or one for all",
                        .meaning =
                            "cube: how the switches along a dimension are connected (ring of "
                            "radix 2: half of its links are never used)"},
    [KEY_CONCENTRATION] = {IN_NETWORK, "concentration", INTEGER(cube.concentration, 1, 31),
                           .fallback = "1", .meaning = "cube: terminals of a switch"},
    [KEY_GRAPH] = {IN_NETWORK, "graph", .kind = ANL_KEY_PATH,
                   .fallback_meaning = "required for graph, unless there is a section graph",
                   .condition = "relative to the scenario file",
                   .meaning = "graph: file with switches, terminals and links, below"},
    [KEY_UNSAFE] = {IN_NETWORK, "unsafe", CHOICE(unsafe, truth, ANL_TRUE), .fallback = "false",
                    .meaning = "true: run the network though it can deadlock (`cdg.md`)"},
    [KEY_KIND] = {IN_SWITCH, "kind", CHOICE(network.kind, switch_kind, ANL_NUM_SWITCH_KINDS - 1),
                  .fallback = "buffered",
                  .condition = "a page in `papers/` says the networks of each but buffered",
                  .meaning = "with lanes and credits (`switch.md`), or with the rules of the page "
                             "`papers/`…`/<kind>.md`"},
    [KEY_WHEN_BLOCKED] = {IN_SWITCH, "when_blocked", CHOICE(when_blocked, when_blocked, ANL_DROP),
                          .fallback = "wait", .condition = "drop: butterfly with k 2",
                          .meaning =
                              "whether a head that finds no free lane waits, or is discarded "
                              "with its worm (`papers/cole_maggs_sitaraman/discard.md`)"},
    [KEY_NUM_VCS] =
        {IN_SWITCH, "num_vcs", INTEGER(network.num_vcs, 1, ANL_MAX_VCS), .fallback = "1",
         .condition =
             "dateline, valiant: at least 2; adaptive: 2, with rings 3; valiant with rings: 4",
         .meaning = "lanes of a link"},
    [KEY_CLASSES] = {IN_SWITCH, "classes", INTEGER(network.classes, 1, ANL_MAX_VCS),
                     .fallback = "1", .condition = "a divisor of num_vcs",
                     .meaning = "classes of messages, each with num_vcs / classes lanes of its own "
                                "(`switch.md`)"},
    [KEY_CLASS_WEIGHTS] = {IN_SWITCH, "class_weights",
                           LIST(network.class_weights, 1, UINT8_MAX, num_class_weights,
                                ANL_MAX_VCS),
                           .fallback = "1", .condition = "one for each class, or one for all",
                           .meaning = "flits that a class may send before the next class comes "
                                      "first, among those of one input port (`switch.md`)"},
    [KEY_DEPTH] = {IN_SWITCH, "depth", INTEGER(network.depth, 1, ANL_MAX_DEPTH), .fallback = "4",
                   .meaning = "flits per lane"},
    [KEY_FLIT_WIDTH_BITS] = {IN_SWITCH, "flit_width_bits",
                             INTEGER(network.flit_width_bits, 8, ANL_MAX_FLIT_WIDTH_BITS),
                             .fallback = "32", .condition = "at least the head's fields, `link.md`",
                             .meaning = "data bits of a flit"},
    [KEY_ROUTING] =
        {IN_SWITCH, "routing", CHOICE(network.routing, routing, ANL_VALIANT),
         .fallback_meaning =
             "mesh: dimension_order; torus kinds: dateline; hypercube: e_cube; "
             "fat_tree: up_down_random; graph: up_down; cube: dateline if it has rings, else "
             "dimension_order; butterfly: destination_tag",
         .meaning = "`networks.md`"},
    [KEY_CLASS_ROUTING] = {IN_SWITCH, "class_routing",
                           LIST(network.class_routing, 0, ANL_LAYERED, network.num_class_routings,
                                ANL_MAX_VCS),
                           .choice = routing, .fallback_meaning = "all classes have `routing`",
                           .condition = "one for each class; graph and cube only",
                           .meaning = "the routing of each class of messages, in the place of "
                                      "`routing` (`switch.md`)"},
    [KEY_PATHS] = {IN_SWITCH, "paths", .kind = ANL_KEY_CHOICE, AT(network.paths),
                   .min = ANL_SHORTEST, .max = ANL_TABLE, .choice = routing, .fallback = "shortest",
                   .condition = "routing source only",
                   .meaning =
                       "routes of worms whose messages give none, as the routing of this name"},
    [KEY_TABLE] = {IN_SWITCH, "table", .kind = ANL_KEY_PATH,
                   .fallback_meaning = "required for table, unless the graph has routes",
                   .condition = "relative to the scenario file",
                   .meaning = "routing table: CSV file with the routes, below"},
    [KEY_ESCAPE_VCS] = {IN_SWITCH, "escape_vcs", INTEGER(network.escape_vcs, 0, ANL_MAX_VCS - 1),
                        .fallback = "0", .condition = "less than num_vcs",
                        .meaning = "routing table: the last lanes of each link, which are escape "
                                   "lanes (`switch.md`)"},
    [KEY_SELECT] = {IN_SWITCH, "select", CHOICE(network.select, select_, ANL_STRAIGHT_FIRST),
                    .fallback = "most_credits",
                    .condition = "straight_first: not for topology graph",
                    .meaning = "adaptive routings, tables with several ports in an entry: which "
                               "option a head asks for (`switch.md`)"},
    [KEY_ATOMIC] = {IN_SWITCH, "atomic", CHOICE(network.atomic, atomic, ANL_ATOMIC_ADAPTIVE),
                    .fallback_meaning =
                        "adaptive with escape lanes and flow_control wormhole, else "
                        "none",
                    .condition = "adaptive: with escape lanes",
                    .meaning = "which lanes a head may take only if they are empty "
                               "(`switch.md`)"},
    [KEY_ARBITER] = {IN_SWITCH, "arbiter", CHOICE(network.arbiter, arbiter, ANL_LAST_ARBITER),
                     .fallback = "round_robin", .condition = "with wide links not all, `switch.md`",
                     .meaning = "`switch.md`; random is unfair"},
    [KEY_FLOW_CONTROL] = {IN_SWITCH, "flow_control",
                          CHOICE(network.flow_control, flow_control, ANL_STORE_AND_FORWARD),
                          .fallback = "wormhole",
                          .meaning = "`switch.md`; the last two need depth >= the longest worm"},
    [KEY_LENGTH_IN_HEAD] = {IN_SWITCH, "length_in_head",
                            CHOICE(network.length_in_head, truth, ANL_TRUE),
                            .fallback_meaning = "wormhole: false; others: true",
                            .condition = "false: wormhole only",
                            .meaning = "heads carry the length of their worm (`link.md`); with "
                                       "wormhole worms then have at most 127 flits"},
    [KEY_CREDITS] = {IN_SWITCH, "credits", CHOICE(network.credits, credits, ANL_BYPASS),
                     .fallback = "registered",
                     .condition = "bypass: fat_tree, butterfly, or wide links that close no circle",
                     .meaning = "`switch.md`"},
    [KEY_LINK] = {IN_SWITCH, "link", CHOICE(network.link, link_kind, ANL_WIDE),
                  .fallback = "shared",
                  .condition = "wide: one class, no reply_queue, routes with one option",
                  .meaning = "whether the lanes of a link share it, or each of them carries a flit "
                             "a cycle (`switch.md`)"},
    [KEY_LINK_CYCLES] = {IN_SWITCH, "link_cycles",
                         INTEGER(network.link_cycles, 1, ANL_MAX_LINK_CYCLES), .fallback = "1",
                         .condition = "more than 1: credits registered",
                         .meaning = "cycles that a flit takes over a link between switches "
                                    "(`link.md`)"},
    [KEY_STAGES] = {IN_SWITCH, "stages", INTEGER(network.stages, 1, ANL_MAX_SWITCH_STAGES),
                    .fallback = "1", .condition = "2: credits registered",
                    .meaning = "cycles that a flit takes through a switch (`switch.md`)"},
    [KEY_A] = {IN_SWITCH, "a", .foreign = true, INTEGER(network.diagonals.a, 1, 512),
               .fallback = "4", .condition = "a b length divides k",
               .meaning = "kind diagonals: two worms of a diagonal are at least a rows apart"},
    [KEY_B] = {IN_SWITCH, "b", .foreign = true, INTEGER(network.diagonals.b, 1, 512),
               .fallback = "1", .condition = "a b length divides k",
               .meaning = "kind diagonals: diagonals are b length columns apart"},
    [KEY_C] = {IN_SWITCH, "c", .foreign = true, INTEGER(network.diagonals.c, 2, 512),
               .fallback = "2",
               .condition = "divides k; 2 c at most k, for rounds paper 2 c length",
               .meaning = "kind diagonals: columns of a column block"},
    [KEY_ROUNDS] = {IN_SWITCH, "rounds", .foreign = true,
                    CHOICE(network.diagonals.rounds, rounds, ANL_LEAST_ROUNDS), .fallback = "short",
                    .meaning =
                        "kind diagonals: rounds of the second phase (`papers/bock/diagonals.md`)"},
    [KEY_PROCESS] = {IN_TRAFFIC, "process", CHOICE(traffic.process, process, ANL_GENERATOR),
                     .fallback = "bernoulli", .meaning = "when worms are created, below"},
    [KEY_PATTERN] = {IN_TRAFFIC, "pattern", CHOICE(traffic.pattern, pattern, ANL_SPHERE),
                     .fallback = "uniform",
                     .meaning = "where worms go, below; not for replay, generator",
                     .processes = OPEN_LOOP | CLOSED},
    [KEY_LOAD] = {IN_TRAFFIC, "load", REAL(traffic.load), .fallback = "0.1",
                  .meaning = "bernoulli, bursty: flits per terminal and cycle; with matrix or "
                             "rates their mean, which is the default",
                  .processes = OPEN_LOOP},
    [KEY_LENGTH] = {IN_TRAFFIC, "length",
                    LIST(traffic.lengths, 1, ANL_MAX_WORM_LENGTH, traffic.num_lengths,
                         ANL_MAX_LENGTHS),
                    .fallback = "8", .condition = "generator: one number, at most 256",
                    .meaning = "flits of a worm; of a list each with the same probability; "
                               "generator: of the longest; not for replay",
                    .processes = OPEN_LOOP | CLOSED | BIT(ANL_GENERATOR)},
    [KEY_BURST_CYCLES] = {IN_TRAFFIC, "burst_cycles", INTEGER(traffic.burst_cycles, 1, 1000000),
                          .fallback = "50", .meaning = "bursty: shortest burst, cycles",
                          .processes = BIT(ANL_BURSTY)},
    [KEY_WORMS_PER_TERMINAL] = {IN_TRAFFIC, "worms_per_terminal",
                                INTEGER(traffic.worms_per_terminal, 1, 1000000), .fallback = "1",
                                .meaning = "batch, request_reply, generator: worms (requests) each "
                                           "terminal creates; pattern q_relation: q",
                                .processes = CLOSED | BIT(ANL_GENERATOR),
                                .patterns = BIT(ANL_Q_RELATION)},
    [KEY_DELAYS] = {IN_TRAFFIC, "delays", INTEGER(traffic.delays, 1, 1000000), .fallback = "1",
                    .meaning = "batch: each worm waits x · delay_cycles cycles before it is "
                               "created, x uniform in 0 … delays − 1",
                    .processes = BIT(ANL_BATCH)},
    [KEY_DELAY_CYCLES] = {IN_TRAFFIC, "delay_cycles", INTEGER(traffic.delay_cycles, 1, 1000000),
                          .fallback = "1", .meaning = "batch: unit of the delays",
                          .processes = BIT(ANL_BATCH)},
    [KEY_WINDOW] = {IN_TRAFFIC, "window", INTEGER(traffic.window, 1, 1024), .fallback = "4",
                    .meaning = "request_reply: requests a terminal may have outstanding",
                    .processes = BIT(ANL_REQUEST_REPLY)},
    [KEY_REPLY_LENGTH] = {IN_TRAFFIC, "reply_length",
                          INTEGER(traffic.reply_length, 1, ANL_MAX_WORM_LENGTH), .fallback = "1",
                          .meaning = "request_reply: flits of a reply",
                          .processes = BIT(ANL_REQUEST_REPLY)},
    [KEY_REPLY_QUEUE] = {IN_TRAFFIC, "reply_queue",
                         INTEGER(network.reply_queue, 0, ANL_MAX_REPLY_QUEUE), .fallback = "0",
                         .meaning =
                             "request_reply: reservations for replies at each terminal, which "
                             "refuses requests without a free one (`switch.md`); 0: never",
                         .processes = BIT(ANL_REQUEST_REPLY)},
    [KEY_HOTSPOT_TERMINAL] = {IN_TRAFFIC, "hotspot_terminal",
                              INTEGER(traffic.hotspot_terminal, 0, ANL_MAX_TERMINALS - 1),
                              .fallback = "0", .condition = "a terminal of the network",
                              .meaning = "patterns hotspot, many_to_one",
                              .patterns = BIT(ANL_HOTSPOT) | BIT(ANL_MANY_TO_ONE)},
    [KEY_HOTSPOT_FRACTION] = {IN_TRAFFIC, "hotspot_fraction", REAL(traffic.hotspot_fraction),
                              .fallback = "0.2",
                              .meaning = "pattern hotspot: probability of going there",
                              .patterns = BIT(ANL_HOTSPOT)},
    [KEY_SPHERE_RADIUS] = {IN_TRAFFIC, "sphere_radius", INTEGER(traffic.sphere_radius, 0, 65535),
                           .fallback = "1",
                           .meaning = "pattern sphere: links between switches to the farthest "
                                      "terminals of the sphere",
                           .patterns = BIT(ANL_SPHERE)},
    [KEY_SPHERE_FRACTION] = {IN_TRAFFIC, "sphere_fraction", REAL(traffic.sphere_fraction),
                             .fallback = "0.8",
                             .meaning = "pattern sphere: probability of staying in the sphere",
                             .patterns = BIT(ANL_SPHERE)},
    [KEY_FIRST_ID] = {IN_TRAFFIC, "first_id", INTEGER(network.first_id, 0, UINT32_MAX),
                      .fallback = "0",
                      .meaning = "id that the data of the first worm's flits carry (`link.md`); "
                                 "the next worm has the next one, modulo 2^32"},
    [KEY_MESSAGES] = {IN_TRAFFIC, "messages", .kind = ANL_KEY_PATH,
                      .fallback_meaning = "required for replay",
                      .condition = "relative to the scenario file",
                      .meaning = "replay: message file, below", .processes = BIT(ANL_REPLAY)},
    [KEY_MATRIX] = {IN_TRAFFIC, "matrix", .kind = ANL_KEY_PATH,
                    .fallback_meaning = "required for pattern matrix",
                    .condition = "relative to the scenario file",
                    .meaning = "pattern matrix: CSV file of rates between terminals, below",
                    .patterns = BIT(ANL_MATRIX)},
    [KEY_RATES] = {IN_TRAFFIC, "rates", .kind = ANL_KEY_PATH,
                   .fallback_meaning = "all terminals create the load",
                   .condition = "relative to the scenario file",
                   .meaning = "bernoulli, bursty: CSV file of the rates of terminals, below",
                   .processes = OPEN_LOOP},
    [KEY_SEED] = {IN_RUN, "seed", INTEGER(run.seed, 0, UINT64_MAX), .fallback = "1",
                  .meaning = "of traffic and of the switches"},
    [KEY_CYCLES] = {IN_RUN, "cycles", INTEGER(run.cycles, 1, TRILLION), .fallback = "1000",
                    .condition = "at most max_cycles",
                    .meaning = "bernoulli, bursty: worms are created in cycles 0 to cycles - 1; "
                               "generator: a board is checked after so many (`board.md`)",
                    .processes = OPEN_LOOP | BIT(ANL_GENERATOR)},
    [KEY_WARMUP_CYCLES] = {IN_RUN, "warmup_cycles", INTEGER(run.warmup_cycles, 0, TRILLION),
                           .fallback = "0",
                           .condition = "at most cycles, or max_cycles where cycles has no meaning",
                           .meaning = "worms created before are left out of the statistics; not "
                                      "for batch, generator",
                           .processes = ~AT_ONCE},
    [KEY_MAX_CYCLES] = {IN_RUN, "max_cycles", INTEGER(run.max_cycles, 1, TRILLION),
                        .fallback = "1000000",
                        .meaning = "the run stops here even if worms are still on their way"},
};

static void write_number(uint64_t value, char *text, size_t size)
{
    if (value == UINT64_MAX)
        snprintf(text, size, "2^64 - 1");
    else if (value == TRILLION)
        snprintf(text, size, "10^12");
    else
        snprintf(text, size, "%" PRIu64, value);
}

static void write_choices(const struct scenario_key *key, const char *last, char *text, size_t size)
{
    size_t used = 0;
    uint64_t end = key->max;
    while (!key->choice((int)end))
        end--;
    for (uint64_t i = key->min; i <= end && used < size; i++) {
        const char *separator = i == key->min ? "" : i == end ? last : ", ";
        const char *name = key->choice((int)i);
        if (name) used += (size_t)snprintf(text + used, size - used, "%s%s", separator, name);
    }
}

void scenario_range(const struct scenario_key *key, const char *last, char *text, size_t size)
{
    char min[24], max[24];
    size_t used;
    write_number(key->min, min, sizeof min);
    write_number(key->max, max, sizeof max);
    switch (key->kind) {
    case ANL_KEY_CHOICE:
        write_choices(key, last, text, size);
        break;
    case ANL_KEY_INTEGER:
    case ANL_KEY_REAL:
        snprintf(text, size, "%s..%s", min, max);
        break;
    case ANL_KEY_LIST:
        if (key->choice)
            write_choices(key, last, text, size);
        else
            snprintf(text, size, "%s..%s", min, max);
        used = strlen(text);
        snprintf(text + used, size - used, ", or a list of 1..%" PRIu32 " of them", key->most);
        break;
    case ANL_KEY_PATH:
        snprintf(text, size, "path");
        break;
    }
}

bool anl_scenario_key(size_t index, struct anl_scenario_key *key)
{
    if (index >= NUM_KEYS) return false;
    const struct scenario_key *from = &scenario_keys[index];
    *key = (struct anl_scenario_key){
        .section = scenario_sections[from->section],
        .name = from->name,
        .kind = from->kind,
        .fallback = from->fallback ? from->fallback : from->fallback_meaning,
        .meaning = from->meaning,
    };
    scenario_range(from, ", ", key->range, sizeof key->range);
    const size_t used = strlen(key->range);
    if (from->condition)
        snprintf(key->range + used, sizeof key->range - used, " (%s)", from->condition);
    return true;
}
