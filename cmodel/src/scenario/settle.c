// SPDX-License-Identifier: Apache-2.0
//
// Refuses traffic and runs that contradict themselves or the network, naming the line of the key
// that the file gives.

#include "scenario.h"

#include <annelid/network.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint64_t max_permutation_entries = UINT64_C(1) << 26;
static const uint32_t max_sphere_terminals = 8192;  // which has all pairs of them in a table
static const double max_worms = 4294967295.0;       // numbers of worms have 32 bits

// --- traffic ---

static bool in_set(uint32_t set, unsigned value) { return set >> value & 1u; }

bool scenario_fits_traffic(const struct scenario_key *key, const struct anl_traffic_config *traffic)
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
    for (int i = 0; i <= ANL_SPHERE && used < size; i++)
        if (in_set(key->patterns, (unsigned)i))
            used += (size_t)snprintf(text + used, size - used, "%spattern %s", used ? ", " : "",
                                     anl_pattern_name((enum anl_pattern)i));
}

static enum anl_status check_uses(const struct scenario_reading *reading)
{
    const struct anl_traffic_config *traffic = &reading->scenario->traffic;
    for (unsigned key = 0; key < NUM_KEYS; key++) {
        if (!scenario_is_given(reading, key) || scenario_fits_traffic(&scenario_keys[key], traffic))
            continue;
        char users[128];
        list_users(&scenario_keys[key], users, sizeof users);
        const bool pattern =
            scenario_keys[key].patterns && anl_process_has_pattern(traffic->process);
        SCENARIO_REFUSE(reading, key, "%s is for %s; process is %s%s%s", scenario_keys[key].name,
                        users, anl_process_name(traffic->process), pattern ? ", pattern is " : "",
                        pattern ? anl_pattern_name(traffic->pattern) : "");
    }
    return traffic->process == ANL_REPLAY ? scenario_require(reading, KEY_MESSAGES, " for replay")
                                          : ANL_OK;
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
        SCENARIO_REFUSE(reading, KEY_PATTERN,
                        "pattern %s expects a power of two of terminals, found %" PRIu32,
                        anl_pattern_name(traffic->pattern), terminals);
    if (anl_process_has_pattern(traffic->process) && traffic->pattern == ANL_MATRIX) {
        if (!anl_process_is_open_loop(traffic->process))
            SCENARIO_REFUSE(reading, KEY_PATTERN,
                            "pattern matrix is for bernoulli, bursty; process is %s",
                            anl_process_name(traffic->process));
        if (scenario_is_given(reading, KEY_RATES))
            SCENARIO_REFUSE(reading, KEY_RATES,
                            "rates are for other patterns than matrix, which has its own");
        const enum anl_status status = scenario_require(reading, KEY_MATRIX, " for pattern matrix");
        if (status) return status;
    }
    const bool others = traffic->pattern == ANL_UNIFORM_OTHERS || traffic->pattern == ANL_SPHERE;
    if (others && terminals == 1)
        SCENARIO_REFUSE(reading, KEY_PATTERN, "pattern %s expects two terminals or more",
                        anl_pattern_name(traffic->pattern));
    if (traffic->pattern == ANL_SPHERE && terminals > max_sphere_terminals)
        SCENARIO_REFUSE(reading, KEY_PATTERN,
                        "pattern sphere expects at most %" PRIu32 " terminals, found %" PRIu32,
                        max_sphere_terminals, terminals);
    if (scenario_is_given(reading, KEY_HOTSPOT_TERMINAL) && traffic->hotspot_terminal >= terminals)
        SCENARIO_REFUSE(reading, KEY_HOTSPOT_TERMINAL,
                        "hotspot_terminal is %" PRIu32 ", expected a terminal 0..%" PRIu32,
                        traffic->hotspot_terminal, terminals - 1);
    if (traffic->pattern == ANL_Q_RELATION &&
        (uint64_t)traffic->worms_per_terminal * terminals > max_permutation_entries)
        SCENARIO_REFUSE(
            reading, KEY_WORMS_PER_TERMINAL,
            "pattern q_relation expects worms_per_terminal times terminals of at most %" PRIu64
            ", found %" PRIu32 " times %" PRIu32,
            max_permutation_entries, traffic->worms_per_terminal, terminals);
    return ANL_OK;
}

// Writes what the network expects of the length of a worm.
static void write_limit(const struct anl_config *network, char *text, size_t size)
{
    const uint32_t most = anl_longest_worm(network);
    if (network->flow_control == ANL_WORMHOLE)
        snprintf(text, size, "length_in_head true expects at most %" PRIu32, most);
    else
        snprintf(text, size, "flow_control %s expects at most depth, %" PRIu32,
                 anl_flow_control_name(network->flow_control), most);
}

static enum anl_status check_lengths(const struct scenario_reading *reading)
{
    const struct anl_traffic_config *traffic = &reading->scenario->traffic;
    const struct anl_config *network = &reading->scenario->network;
    const uint32_t most = anl_longest_worm(network);
    char limit[96];
    if (traffic->process == ANL_REPLAY) return ANL_OK;
    write_limit(network, limit, sizeof limit);
    if (anl_traffic_longest(traffic) > most)
        SCENARIO_REFUSE(reading, scenario_given_of(reading, KEY_LENGTH, KEY_FLOW_CONTROL),
                        "length is %" PRIu32 ", %s", anl_traffic_longest(traffic), limit);
    if (traffic->process == ANL_REQUEST_REPLY && traffic->reply_length > most)
        SCENARIO_REFUSE(reading, scenario_given_of(reading, KEY_REPLY_LENGTH, KEY_FLOW_CONTROL),
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
    if (!anl_is_k_ary_cube(network->topology))
        SCENARIO_REFUSE(reading, KEY_TOPOLOGY, "process generator expects another topology than %s",
                        anl_topology_name(network->topology));
    if (network->n > 3)
        SCENARIO_REFUSE(reading, KEY_N, "n is %" PRIu32 ", process generator expects at most 3",
                        network->n);
    if (network->k > 256)
        SCENARIO_REFUSE(reading, KEY_K, "k is %" PRIu32 ", process generator expects at most 256",
                        network->k);
    char names[ANL_ARBITER_NAMES_BYTES];
    if (anl_arbiter_has(network->arbiter, ANL_ARBITER_RANKS))
        SCENARIO_REFUSE(
            reading, KEY_ARBITER, "arbiter is %s, process generator expects %s",
            anl_arbiter_name(network->arbiter),
            anl_arbiter_names(anl_arbiters_with(ANL_ARBITER_RANKS, false), names, sizeof names));
    if (network->classes > 1)
        SCENARIO_REFUSE(reading, KEY_CLASSES, "classes is %" PRIu32 ", process generator expects 1",
                        network->classes);
    if (network->link != ANL_SHARED)
        SCENARIO_REFUSE(reading, KEY_LINK, "link is %s, process generator expects shared",
                        anl_link_kind_name(network->link));
    if (anl_link_cycles(network) != 1)
        SCENARIO_REFUSE(reading, KEY_LINK_CYCLES,
                        "link_cycles is %" PRIu32 ", process generator expects 1",
                        network->link_cycles);
    if (anl_stages(network) != 1)
        SCENARIO_REFUSE(reading, KEY_STAGES, "stages is %" PRIu32 ", process generator expects 1",
                        network->stages);
    if (traffic->num_lengths != 1)
        SCENARIO_REFUSE(reading, KEY_LENGTH, "process generator expects one length, found %" PRIu32,
                        traffic->num_lengths);
    if (traffic->lengths[0] > 256)
        SCENARIO_REFUSE(reading, KEY_LENGTH, "length is %u, process generator expects at most 256",
                        traffic->lengths[0]);
    return ANL_OK;
}

static enum anl_status check_times(const struct scenario_reading *reading)
{
    const struct anl_run_config *run = &reading->scenario->run;
    const bool open_loop = anl_process_is_open_loop(reading->scenario->traffic.process);
    const uint64_t end = open_loop ? run->cycles : run->max_cycles;
    if (scenario_fits_traffic(&scenario_keys[KEY_CYCLES], &reading->scenario->traffic) &&
        run->cycles > run->max_cycles)
        SCENARIO_REFUSE(reading, scenario_given_of(reading, KEY_CYCLES, KEY_MAX_CYCLES),
                        "cycles is %" PRIu64 ", expected at most max_cycles, %" PRIu64, run->cycles,
                        run->max_cycles);
    if (run->warmup_cycles > end)
        SCENARIO_REFUSE(reading, KEY_WARMUP_CYCLES,
                        "warmup_cycles is %" PRIu64 ", expected at most %s, %" PRIu64,
                        run->warmup_cycles, open_loop ? "cycles" : "max_cycles", end);
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
        key = scenario_given_of(reading, KEY_CYCLES, KEY_LOAD);
    }
    if (worms > max_worms)
        SCENARIO_REFUSE(reading, key, "%s makes about %.3g worms in all, expected at most 2^32 - 1",
                        scenario_keys[key].name, worms);
    return ANL_OK;
}

enum anl_status scenario_settle_demand(struct scenario_reading *reading)
{
    struct anl_traffic_config *traffic = &reading->scenario->traffic;
    if (!traffic->demand) return ANL_OK;
    if (!scenario_is_given(reading, KEY_LOAD)) {
        // Nine decimals are as many as a sweep can have. The load is written into the scenario's
        // text, since a trace does not have the rates.
        traffic->load = floor(traffic->demand->mean * 1e9 + 0.5) / 1e9;
        reading->given[KEY_LOAD].file = reading->file;
    }
    return check_worms(reading);
}

enum anl_status scenario_settle(struct scenario_reading *reading)
{
    enum anl_status (*const checks[])(const struct scenario_reading *) = {
        check_uses, check_pattern, check_lengths, check_times, check_generator, check_worms};
    enum anl_status status = scenario_settle_network(reading);
    for (size_t i = 0; !status && i < sizeof checks / sizeof *checks; i++)
        status = checks[i](reading);
    return status;
}
