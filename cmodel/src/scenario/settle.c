// SPDX-License-Identifier: Apache-2.0
//
// Fills in the defaults of a scenario and refuses contradictions, naming the line of the key that
// the file gives.

#include "scenario.h"

#include <annelid/network.h>
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t max_permutation_entries = UINT64_C(1) << 26;
static const double max_worms = 4294967295.0;  // numbers of worms have 32 bits

static bool is_given(const struct scenario_reading *reading, unsigned key)
{
    return reading->given[key].file != NULL;
}

// Returns the file, and in *line the line, at which a message about key points: the key itself, its
// section, or the end of the text.
static const char *place_of(const struct scenario_reading *reading, unsigned key, uint64_t *line)
{
    const bool in_graph = key == KEY_GRAPH && reading->section_line[IN_GRAPH];
    const enum scenario_section in = in_graph ? IN_GRAPH : scenario_keys[key].section;
    const uint64_t section = reading->section_line[in];
    *line = section ? section : reading->last_line;
    if (!is_given(reading, key)) return reading->file;
    *line = reading->given[key].line;
    return reading->given[key].file;
}

// Returns the first of two keys that was given, or a if none was.
static unsigned given_of(const struct scenario_reading *reading, unsigned a, unsigned b)
{
    return !is_given(reading, a) && is_given(reading, b) ? b : a;
}

#define REFUSE(reading, key, ...)                                                                  \
    do {                                                                                           \
        uint64_t refused_line;                                                                     \
        const char *refused_file = place_of(reading, key, &refused_line);                          \
        return anl_fail((reading)->error, ANL_ERR_ARGUMENT, refused_file, refused_line,            \
                        __VA_ARGS__);                                                              \
    } while (0)

static enum anl_status require(const struct scenario_reading *reading, unsigned key,
                               const char *unless)
{
    if (is_given(reading, key)) return ANL_OK;
    const struct scenario_key *at = &scenario_keys[key];
    char range[SCENARIO_RANGE_BYTES];
    scenario_range(at, " or ", range, sizeof range);
    REFUSE(reading, key, "%s.%s: found nothing, expected %s%s", scenario_sections[at->section],
           at->name, range, unless);
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
    for (unsigned key = KEY_TOPOLOGY; key <= KEY_SPACE; key++) {
        const size_t position = position_of(scenario_keys[key].name, reason);
        if (!is_given(reading, key) || position >= first) continue;
        first = position;
        found = key;
    }
    return found;
}

// --- defaults ---

enum anl_status scenario_fall_back(struct scenario_reading *reading)
{
    for (unsigned key = 0; key < NUM_KEYS; key++) {
        const char *value = scenario_keys[key].fallback;
        if (!value || is_given(reading, key)) continue;
        const enum anl_status status = scenario_value(
            reading, key, (struct scenario_scalar){value, strlen(value), true}, reading->last_line);
        if (status) return status;
    }
    return ANL_OK;
}

// Hands on what the network room says of a key, but not that memory has run out as the key's fault.
static enum anl_status refuse_network(const struct scenario_reading *reading, unsigned key,
                                      enum anl_status status, const struct anl_error *reason)
{
    if (status == ANL_ERR_MEMORY)
        return anl_fail(reading->error, status, reading->file, 0, "%s", reason->text);
    if (status) REFUSE(reading, key, "%s", reason->text);
    return ANL_OK;
}

// The numbers of a graph come from its text, which may be in a file; k and n are those of a line of
// terminals.
static enum anl_status settle_graph(struct scenario_reading *reading)
{
    struct anl_config *network = &reading->scenario->network;
    struct anl_graph *graph = reading->scenario->graph;
    if (!graph) return require(reading, KEY_GRAPH, ", or a section graph");
    network->graph = graph;
    network->k = graph->terminals;
    network->n = 1;
    if (!is_given(reading, KEY_ROUTING)) network->routing = anl_default_routing(network->topology);
    if (network->routing != ANL_TABLE && is_given(reading, KEY_TABLE))
        REFUSE(reading, KEY_TABLE, "table is for routing table; routing is %s",
               anl_routing_name(network->routing));
    if (network->routing == ANL_TABLE && !graph->table && !is_given(reading, KEY_TABLE))
        return require(reading, KEY_TABLE, ", or routes in the graph");
    struct anl_error reason;
    const enum anl_status status =
        anl_graph_route(graph, network->routing, network->num_vcs, &reason);
    return refuse_network(reading, is_given(reading, KEY_ROUTING) ? KEY_ROUTING : KEY_GRAPH, status,
                          &reason);
}

// Several dimensions of one kind may be written with one word.
static enum anl_status settle_kinds(const struct scenario_reading *reading)
{
    struct anl_scenario *scenario = reading->scenario;
    struct anl_cube *cube = &scenario->cube;
    if (scenario->num_kinds != 1 && scenario->num_kinds != cube->dimensions)
        REFUSE(reading, KEY_KINDS,
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

static enum anl_status settle_cube(struct scenario_reading *reading)
{
    struct anl_scenario *scenario = reading->scenario;
    struct anl_config *network = &scenario->network;
    enum anl_status status = require(reading, KEY_RADIX, "");
    if (!status) status = settle_kinds(reading);
    if (status) return status;
    if (!is_given(reading, KEY_ROUTING)) network->routing = routing_of(&scenario->cube);
    if (network->routing != ANL_DATELINE && network->routing != ANL_DIMENSION_ORDER)
        return ANL_OK;  // the check of the network refuses it
    struct anl_error reason;
    status = anl_graph_of_cube(&scenario->cube, network->routing, network->num_vcs,
                               &scenario->graph, &reason);
    if (status) return refuse_network(reading, key_in(reading, reason.text), status, &reason);
    network->graph = scenario->graph;
    network->k = scenario->graph->terminals;
    network->n = 1;
    return ANL_OK;
}

static enum anl_status settle_others(struct scenario_reading *reading)
{
    struct anl_config *network = &reading->scenario->network;
    const uint32_t only_k = anl_only_radix(network->topology);
    enum anl_status status = require(reading, KEY_N, "");
    if (!status && !only_k) status = require(reading, KEY_K, "");
    if (!is_given(reading, KEY_K)) network->k = only_k;
    if (!is_given(reading, KEY_ROUTING)) network->routing = anl_default_routing(network->topology);
    return status;
}

// Each of these keys has a meaning for some topologies only.
static enum anl_status refuse_keys_of_others(const struct scenario_reading *reading,
                                             enum anl_topology topology)
{
    const bool cube = topology == ANL_CUBE, graph = topology == ANL_GRAPH;
    const struct {
        unsigned key;
        bool fits;
    } keys[] = {{KEY_K, !cube && !graph}, {KEY_N, !cube && !graph},  {KEY_RADIX, cube},
                {KEY_KINDS, cube},        {KEY_CONCENTRATION, cube}, {KEY_GRAPH, graph},
                {KEY_TABLE, graph}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (is_given(reading, keys[i].key) && !keys[i].fits)
            REFUSE(reading, keys[i].key, "%s is not for topology %s",
                   scenario_keys[keys[i].key].name, anl_topology_name(topology));
    if (reading->graph && !graph)
        REFUSE(reading, KEY_TOPOLOGY, "a section graph is not for topology %s",
               anl_topology_name(topology));
    return ANL_OK;
}

static enum anl_status settle_network(struct scenario_reading *reading)
{
    const enum anl_status status = require(reading, KEY_TOPOLOGY, "");
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
    if (network->admission == ANL_WORMHOLE || network->length_in_head == ANL_TRUE) return ANL_OK;
    REFUSE(reading, KEY_LENGTH_IN_HEAD, "length_in_head is false, admission %s expects true",
           anl_admission_name(network->admission));
}

static enum anl_status check_network(const struct scenario_reading *reading)
{
    struct anl_error reason;
    const enum anl_status status = anl_config_check(&reading->scenario->network, &reason);
    if (!status) return ANL_OK;
    REFUSE(reading, key_in(reading, reason.text), "%s", reason.text);
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

// Refuses a network whose channel-dependency graph has a cycle.
static enum anl_status check_cycle(const struct scenario_reading *reading,
                                   const struct anl_cdg *cdg)
{
    const struct anl_config *network = &reading->scenario->network;
    uint32_t *lanes;
    size_t count;
    char names[320];
    if (anl_cdg_cycle(cdg, &lanes, &count))
        return anl_fail(reading->error, ANL_ERR_MEMORY, reading->file, 0, "no memory for a search");
    list_lanes(network, lanes, count, names, sizeof names);
    free(lanes);
    if (count)
        REFUSE(reading, given_of(reading, KEY_ROUTING, KEY_TOPOLOGY),
               "routing %s can deadlock here, in a cycle of %zu lanes, each of which may wait for "
               "the next: %s; " TO_RUN_IT,
               anl_routing_name(network->routing), count, names);
    return ANL_OK;
}

// Refuses a network that may be able to deadlock, unless the scenario says so (docs/cdg.md).
static enum anl_status check_safe(const struct scenario_reading *reading)
{
    const struct anl_config *network = &reading->scenario->network;
    struct anl_cdg *cdg;
    if (reading->scenario->unsafe || anl_is_acyclic_by_rule(network)) return ANL_OK;
    enum anl_status status = anl_cdg_of(network, &cdg);
    if (status == ANL_ERR_ARGUMENT)
        REFUSE(reading, given_of(reading, KEY_ROUTING, KEY_TOPOLOGY),
               "routing %s may be able to deadlock here, on a network that is too large to be "
               "searched for it; " TO_RUN_IT,
               anl_routing_name(network->routing));
    if (status) return anl_fail(reading->error, status, reading->file, 0, "no memory for a search");
    status = check_cycle(reading, cdg);
    anl_cdg_destroy(cdg);
    return status;
}

// --- traffic ---

static bool in_set(uint32_t set, unsigned value) { return set >> value & 1u; }

static bool applies(const struct scenario_key *key, const struct anl_traffic_config *traffic)
{
    if (!key->processes && !key->patterns) return true;
    if (in_set(key->processes, traffic->process)) return true;
    return anl_process_has_pattern(traffic->process) && in_set(key->patterns, traffic->pattern);
}

static void list_users(const struct scenario_key *key, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (int i = 0; i <= ANL_GENERATOR && used < size; i++)
        if (in_set(key->processes, (unsigned)i))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     anl_process_name((enum anl_process)i));
    for (int i = 0; i <= ANL_UNIFORM_OTHERS && used < size; i++)
        if (in_set(key->patterns, (unsigned)i))
            used += (size_t)snprintf(text + used, size - used, "%spattern %s", used ? ", " : "",
                                     anl_pattern_name((enum anl_pattern)i));
}

static enum anl_status check_uses(const struct scenario_reading *reading)
{
    const struct anl_traffic_config *traffic = &reading->scenario->traffic;
    for (unsigned key = 0; key < NUM_KEYS; key++) {
        if (!is_given(reading, key) || applies(&scenario_keys[key], traffic)) continue;
        char users[128];
        list_users(&scenario_keys[key], users, sizeof users);
        const bool pattern =
            scenario_keys[key].patterns && anl_process_has_pattern(traffic->process);
        REFUSE(reading, key, "%s is for %s; process is %s%s%s", scenario_keys[key].name, users,
               anl_process_name(traffic->process), pattern ? ", pattern is " : "",
               pattern ? anl_pattern_name(traffic->pattern) : "");
    }
    return traffic->process == ANL_REPLAY ? require(reading, KEY_MESSAGES, " for replay") : ANL_OK;
}

static uint32_t terminals_of(const struct scenario_reading *reading)
{
    return anl_shape_of(&reading->scenario->network).terminals;
}

static enum anl_status check_pattern(const struct scenario_reading *reading)
{
    const struct anl_traffic_config *traffic = &reading->scenario->traffic;
    const uint32_t terminals = terminals_of(reading);
    const bool bits = traffic->pattern == ANL_BIT_REVERSE || traffic->pattern == ANL_SHUFFLE;
    if (bits && (terminals & (terminals - 1)) != 0)
        REFUSE(reading, KEY_PATTERN,
               "pattern %s expects a power of two of terminals, found %" PRIu32,
               anl_pattern_name(traffic->pattern), terminals);
    if (traffic->pattern == ANL_UNIFORM_OTHERS && terminals == 1)
        REFUSE(reading, KEY_PATTERN, "pattern uniform_others expects two terminals or more");
    if (is_given(reading, KEY_HOTSPOT_TERMINAL) && traffic->hotspot_terminal >= terminals)
        REFUSE(reading, KEY_HOTSPOT_TERMINAL,
               "hotspot_terminal is %" PRIu32 ", expected a terminal 0..%" PRIu32,
               traffic->hotspot_terminal, terminals - 1);
    if (traffic->pattern == ANL_Q_RELATION &&
        (uint64_t)traffic->worms_per_terminal * terminals > max_permutation_entries)
        REFUSE(reading, KEY_WORMS_PER_TERMINAL,
               "pattern q_relation expects worms_per_terminal times terminals of at most %" PRIu64
               ", found %" PRIu32 " times %" PRIu32,
               max_permutation_entries, traffic->worms_per_terminal, terminals);
    return ANL_OK;
}

static uint32_t longest(const struct anl_traffic_config *traffic)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < traffic->num_lengths; i++)
        if (traffic->lengths[i] > most) most = traffic->lengths[i];
    return most;
}

// Writes what the network expects of the length of a worm.
static void write_limit(const struct anl_config *network, char *text, size_t size)
{
    const uint32_t most = anl_longest_worm(network);
    if (network->admission == ANL_WORMHOLE)
        snprintf(text, size, "length_in_head true expects at most %" PRIu32, most);
    else
        snprintf(text, size, "admission %s expects at most depth, %" PRIu32,
                 anl_admission_name(network->admission), most);
}

static enum anl_status check_lengths(const struct scenario_reading *reading)
{
    const struct anl_traffic_config *traffic = &reading->scenario->traffic;
    const struct anl_config *network = &reading->scenario->network;
    const uint32_t most = anl_longest_worm(network);
    char limit[96];
    if (traffic->process == ANL_REPLAY) return ANL_OK;
    write_limit(network, limit, sizeof limit);
    if (longest(traffic) > most)
        REFUSE(reading, given_of(reading, KEY_LENGTH, KEY_ADMISSION), "length is %" PRIu32 ", %s",
               longest(traffic), limit);
    if (traffic->process == ANL_REQUEST_REPLY && traffic->reply_length > most)
        REFUSE(reading, given_of(reading, KEY_REPLY_LENGTH, KEY_ADMISSION),
               "reply_length is %u, %s", traffic->reply_length, limit);
    return ANL_OK;
}

// Refuses what the generators of a board cannot do (docs/board.md).
static enum anl_status check_generator(const struct scenario_reading *reading)
{
    const struct anl_scenario *scenario = reading->scenario;
    const struct anl_config *network = &scenario->network;
    const struct anl_traffic_config *traffic = &scenario->traffic;
    if (traffic->process != ANL_GENERATOR) return ANL_OK;
    if (network->topology == ANL_FAT_TREE || network->graph)
        REFUSE(reading, KEY_TOPOLOGY, "process generator expects another topology than %s",
               anl_topology_name(network->topology));
    if (network->n > 3)
        REFUSE(reading, KEY_N, "n is %" PRIu32 ", process generator expects at most 3", network->n);
    if (network->k > 256)
        REFUSE(reading, KEY_K, "k is %" PRIu32 ", process generator expects at most 256",
               network->k);
    if (network->scan == ANL_OLDEST || network->scan == ANL_FARTHEST)
        REFUSE(reading, KEY_SCAN, "scan is %s, process generator expects fixed, rotating or random",
               anl_scan_name(network->scan));
    if (traffic->num_lengths != 1)
        REFUSE(reading, KEY_LENGTH, "process generator expects one length, found %" PRIu32,
               traffic->num_lengths);
    if (traffic->lengths[0] > 256)
        REFUSE(reading, KEY_LENGTH, "length is %u, process generator expects at most 256",
               traffic->lengths[0]);
    return ANL_OK;
}

static enum anl_status check_times(const struct scenario_reading *reading)
{
    const struct anl_run_config *run = &reading->scenario->run;
    const bool open_loop = anl_process_is_open_loop(reading->scenario->traffic.process);
    const uint64_t end = open_loop ? run->cycles : run->max_cycles;
    if (applies(&scenario_keys[KEY_CYCLES], &reading->scenario->traffic) &&
        run->cycles > run->max_cycles)
        REFUSE(reading, given_of(reading, KEY_CYCLES, KEY_MAX_CYCLES),
               "cycles is %" PRIu64 ", expected at most max_cycles, %" PRIu64, run->cycles,
               run->max_cycles);
    if (run->warmup_cycles > end)
        REFUSE(reading, KEY_WARMUP_CYCLES,
               "warmup_cycles is %" PRIu64 ", expected at most %s, %" PRIu64, run->warmup_cycles,
               open_loop ? "cycles" : "max_cycles", end);
    return ANL_OK;
}

static double mean_length(const struct anl_traffic_config *traffic)
{
    double sum = 0;
    for (uint32_t i = 0; i < traffic->num_lengths; i++)
        sum += traffic->lengths[i];
    return sum / traffic->num_lengths;
}

static enum anl_status check_worms(const struct scenario_reading *reading)
{
    const struct anl_traffic_config *traffic = &reading->scenario->traffic;
    const double terminals = terminals_of(reading);
    double worms = terminals * traffic->worms_per_terminal;
    unsigned key = KEY_WORMS_PER_TERMINAL;
    if (traffic->process == ANL_REPLAY) return ANL_OK;
    if (traffic->process == ANL_REQUEST_REPLY) worms *= 2;
    if (anl_process_is_open_loop(traffic->process)) {
        worms = traffic->load / mean_length(traffic) * terminals *
                (double)reading->scenario->run.cycles;
        key = given_of(reading, KEY_CYCLES, KEY_LOAD);
    }
    if (worms > max_worms)
        REFUSE(reading, key, "%s makes about %.3g worms in all, expected at most 2^32 - 1",
               scenario_keys[key].name, worms);
    return ANL_OK;
}

enum anl_status scenario_settle(struct scenario_reading *reading)
{
    enum anl_status (*const checks[])(const struct scenario_reading *) = {
        check_heads, check_network,   check_uses,  check_pattern, check_lengths,
        check_times, check_generator, check_worms, check_safe};
    enum anl_status status = settle_network(reading);
    if (!status && !is_given(reading, KEY_LENGTH_IN_HEAD))
        reading->scenario->network.length_in_head =
            anl_head_has_length(&reading->scenario->network) ? ANL_TRUE : ANL_FALSE;
    for (size_t i = 0; !status && i < sizeof checks / sizeof *checks; i++)
        status = checks[i](reading);
    return status;
}
