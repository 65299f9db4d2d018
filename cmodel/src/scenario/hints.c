// SPDX-License-Identifier: Apache-2.0
//
// Names that others use: those that mean the same are read, of others a message says what was
// probably meant. Besides, the number as it is written here, the unit of a key and an example.

#include "scenario.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// --- names of other programs and of papers (docs/scenario.md lists them) ---

enum { ALIKE = false, SAME = true };

const struct scenario_synonym scenario_synonyms[] = {
    {"network", "topo", "network.topology", SAME},
    {"network", "kinds", "network.dimensions", SAME},
    {"switch", "vcs lanes virtual_channels num_lanes vc_count", "switch.num_vcs", SAME},
    {"switch", "buffer_depth vc_depth vc_buf_size", "switch.depth", SAME},
    {"switch", "flit_bits", "switch.flit_width_bits", SAME},
    {"switch", "routing_function routing_algorithm", "switch.routing", SAME},
    {"switch", "scan arbitration", "switch.arbiter", SAME},
    {"switch", "admission switching", "switch.flow_control", SAME},
    {"switch", "space", "switch.credits", SAME},
    {"switch", "escape_channels", "switch.escape_vcs", SAME},
    {"switch", "selection selection_function", "switch.select", SAME},
    {"traffic", "packet_length message_length worm_length", "traffic.length", SAME},
    {"traffic", "traffic traffic_pattern", "traffic.pattern", SAME},
    {"traffic", "injection_process", "traffic.process", SAME},
    {"traffic", "hotspot_node", "traffic.hotspot_terminal", SAME},
    {"run", "random_seed rng_seed", "run.seed", SAME},
    {"network.topology", "fattree", "fat_tree", SAME},
    {"network.topology", "binary_cube n_cube", "hypercube", SAME},
    {"switch.routing", "xy dor dim_order", "dimension_order", SAME},
    {"switch.routing", "ecube", "e_cube", SAME},
    {"switch.routing", "updown up_star_down_star", "up_down", SAME},
    {"switch.routing", "source_routing", "source", SAME},
    {"switch.arbiter", "rotating rr", "round_robin", SAME},
    {"switch.arbiter", "fixed_priority", "fixed", SAME},
    {"switch.arbiter", "lrs least_recently_served least_recently_granted", "matrix", SAME},
    {"switch.arbiter", "oldest oldest_first", "age", SAME},
    {"switch.arbiter", "favour", "registered_priority", SAME},
    {"switch.flow_control", "wh worm_hole", "wormhole", SAME},
    {"switch.flow_control", "vct virtual_cut_through", "cut_through", SAME},
    {"switch.flow_control", "saf sf store_forward", "store_and_forward", SAME},
    {"switch.credits", "chained", "bypass", SAME},
    {"switch.when_blocked", "discard", "drop", SAME},
    {"traffic.pattern", "uniform_random", "uniform", SAME},
    {"traffic.pattern", "bitcomp bit_complement", "complement", SAME},
    {"traffic.pattern", "bitrev bitreverse bit_reversal", "bit_reverse", SAME},
    {"traffic.pattern", "perfect_shuffle", "shuffle", SAME},
    {"traffic.pattern", "neighbor nearest_neighbour nearest_neighbor", "neighbour", SAME},
    {"traffic.pattern", "hot_spot", "hotspot", SAME},

    {"", "topo net networks", "network", ALIKE},
    {"", "router routers switches sw", "switch", ALIKE},
    {"", "workload injection packets", "traffic", ALIKE},
    {"", "sim simulation simulator", "run", ALIKE},
    {"network", "type shape", "network.topology", ALIKE},
    {"network", "size side width radix_k", "network.k", ALIKE},
    {"network", "dim dims dimension num_dimensions", "network.n", ALIKE},
    {"network", "c concentrate terminals_per_switch", "network.concentration", ALIKE},
    {"network", "file topology_file network_file", "network.graph", ALIKE},
    {"network.dimensions", "1 2 3 4 5 6", "network.n", ALIKE},
    {"switch", "vc", "switch.num_vcs", ALIKE},
    {"switch", "buffer buffers buffer_size buf_size", "switch.depth", ALIKE},
    {"switch", "width flit_width flit_size channel_width link_width", "switch.flit_width_bits",
     ALIKE},
    {"switch", "algorithm route", "switch.routing", ALIKE},
    {"switch", "allocator vc_allocator sw_allocator priority", "switch.arbiter", ALIKE},
    {"switch", "flow", "switch.flow_control", ALIKE},
    {"switch", "escape", "switch.escape_vcs", ALIKE},
    {"traffic", "rate injection_rate offered_load injection intensity", "traffic.load", ALIKE},
    {"traffic", "packet_size size flits num_flits", "traffic.length", ALIKE},
    {"traffic", "destination destinations", "traffic.pattern", ALIKE},
    {"traffic", "type mode", "traffic.process", ALIKE},
    {"traffic", "burst burst_length on_cycles", "traffic.burst_cycles", ALIKE},
    {"traffic", "packets num_packets worms messages_per_terminal", "traffic.worms_per_terminal",
     ALIKE},
    {"traffic", "outstanding max_outstanding credits", "traffic.window", ALIKE},
    {"traffic", "hotspot hot_spot", "traffic.hotspot_terminal", ALIKE},
    {"traffic", "trace trace_file message_file", "traffic.messages", ALIKE},
    {"run", "rng", "run.seed", ALIKE},
    {"run", "num_cycles sim_cycles duration sample_period simulation_time", "run.cycles", ALIKE},
    {"run", "warmup warm_up warmup_period warmup_periods", "run.warmup_cycles", ALIKE},
    {"run", "timeout limit deadline", "run.max_cycles", ALIKE},
    {"network.topology", "mesh2d mesh3d mesh_2d 2d_mesh 3d_mesh grid", "mesh", ALIKE},
    {"network.topology", "torus2d torus3d 2d_torus 3d_torus ring", "torus", ALIKE},
    {"network.topology", "tree folded_clos clos", "fat_tree", ALIKE},
    {"network.topology", "custom anynet irregular file", "graph", ALIKE},
    {"network.topology", "cmesh concentrated_mesh", "cube", ALIKE},
    {"switch.routing", "yx dim_order_mesh deterministic", "dimension_order", ALIKE},
    {"switch.routing", "min minimal shortest_path", "shortest", ALIKE},
    {"switch.routing", "min_adapt minimal_adaptive duato", "adaptive", ALIKE},
    {"switch.arbiter", "islip", "round_robin", ALIKE},
    {"switch.arbiter", "priority", "fixed", ALIKE},
    {"traffic.process", "poisson geometric constant", "bernoulli", ALIKE},
    {"traffic.process", "on_off onoff pareto self_similar", "bursty", ALIKE},
    {"traffic.process", "trace messages", "replay", ALIKE},
    {"traffic.process", "closed closed_loop", "request_reply", ALIKE},
    {"traffic.pattern", "random", "uniform", ALIKE},
    {"traffic.pattern", "all_to_one incast", "many_to_one", ALIKE},
    {"traffic.pattern", "randperm random_permutation", "permutation", ALIKE},
    {NULL, NULL, NULL, ALIKE},
};

// Writes a name in small letters, with _ for - and blanks, as names are written here.
static void normalise(const char *name, char *text, size_t size)
{
    size_t i = 0;
    for (; name[i] && i + 1 < size; i++) {
        const char c = name[i];
        text[i] = c == '-' || c == ' ' ? '_' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    text[i] = '\0';
}

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; length && (at = strstr(at, word)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

const struct scenario_synonym *scenario_synonym_of(const char *where, const char *name)
{
    char text[SCENARIO_SHOWN_BYTES];
    normalise(name, text, sizeof text);
    for (const struct scenario_synonym *at = scenario_synonyms; at->where; at++)
        if (strcmp(at->where, where) == 0 && has_word(at->names, text)) return at;
    return NULL;
}

void anl_scenario_usual_key(const char *name, char *text, size_t size)
{
    const char *point = strchr(name, '.');
    char section[SCENARIO_SHOWN_BYTES];
    snprintf(section, sizeof section, "%.*s", point ? (int)(point - name) : 0, name);
    const struct scenario_synonym *row = point ? scenario_synonym_of(section, point + 1) : NULL;
    snprintf(text, size, "%s", row && row->same ? row->meant : name);
}

const char *anl_scenario_usual_value(const char *key, const char *value)
{
    const struct scenario_synonym *row = scenario_synonym_of(key, value);
    return row && row->same ? row->meant : value;
}

void scenario_nearest(const char *candidate, const char *name, struct scenario_nearest *nearest)
{
    char text[SCENARIO_SHOWN_BYTES];
    normalise(name, text, sizeof text);
    const unsigned apart = anl_letters_apart(candidate, text);
    if (!anl_resembles(candidate, text) || (nearest->name && apart >= nearest->apart)) return;
    *nearest = (struct scenario_nearest){candidate, apart};
}

const char *scenario_terminal_hint(struct scenario_scalar found)
{
    const char *digits = "0123456789";
    if (found.bytes < 2 || *found.text != 'T') return "";
    for (size_t i = 1; i < found.bytes; i++)
        if (!strchr(digits, found.text[i])) return "";
    return "; terminals are numbers, without T";
}

// --- numbers ---

// Returns whether all commas of a text stand before groups of three digits, as in 1,000,000.
static bool has_groups(const char *text)
{
    for (const char *comma = text; (comma = strchr(comma, ','));) {
        const size_t digits = strspn(++comma, "0123456789");
        if (digits != 3 || (comma[3] && comma[3] != ',')) return false;
    }
    return true;
}

// Reads a number as C reads it, such as 1e6 or 0x10, with _ or ' between digits; or one with a
// comma, which is that of a decimal number or, of an integer, between groups of digits.
static bool read_number(enum anl_key_kind kind, const char *text, double *value)
{
    char plain[SCENARIO_SHOWN_BYTES], *end, *to = plain;
    const size_t length = strlen(text);
    const bool real = kind == ANL_KEY_REAL;
    if (!length || length >= sizeof plain || !strpbrk(text, "0123456789")) return false;
    if (!real && !has_groups(text)) return false;
    for (; *text; text++)
        if (*text == ',' && real)
            *to++ = '.';
        else if (!strchr("_',", *text))
            *to++ = *text;
    *to = '\0';
    if (strspn(plain, "0123456789+.eExXabcdefABCDEF-%") != strlen(plain)) return false;
    *value = strtod(plain, &end);
    if (*end == '%' && !end[1]) {
        *value /= 100;
        end++;
    }
    return end != plain && !*end && isfinite(*value);
}

void scenario_number_hint(enum anl_key_kind kind, const char *found, uint64_t min, uint64_t max,
                          char *text, size_t size)
{
    double value;
    *text = '\0';
    const bool fits = read_number(kind, found, &value) && !signbit(value) && value >= (double)min &&
                      value <= (double)max;
    if (!fits) return;
    if (kind == ANL_KEY_REAL) {
        char digits[32];
        snprintf(digits, sizeof digits, "%.9f", value);
        for (size_t i = strlen(digits); i > 3 && digits[i - 1] == '0' && digits[i - 2] != '.';)
            digits[--i] = '\0';
        if (strcmp(digits, found) != 0) snprintf(text, size, "; write %s", digits);
    } else if (value == floor(value) && value < 9007199254740992.0) {
        char digits[32];
        snprintf(digits, sizeof digits, "%.0f", value);
        if (strcmp(digits, found) != 0) snprintf(text, size, "; write %s", digits);
    }
}

// Returns whether a text has a number, something else than a point, and another number: 4x4, 4, 2.
static bool has_two_numbers(const char *text)
{
    const char *first = strpbrk(text, "0123456789");
    if (!first) return false;
    const char *between = first + strspn(first, "0123456789"), *second = between;
    while (*second && strchr(" xX*,;\xC3\x97", *second))
        second++;
    return second > between && *second >= '0' && *second <= '9';
}

const char *scenario_shape_hint(unsigned key, const char *found)
{
    if (key != KEY_K || (strcmp(found, "a list") != 0 && !has_two_numbers(found))) return "";
    return "; dimensions of different sizes need topology cube, and there radix: [4, 2] in place "
           "of k";
}

// --- units and examples ---

static const struct {
    const char *unit, *example;
} of[NUM_KEYS] = {
    [KEY_K] = {"switches along a dimension", "8"},
    [KEY_N] = {"dimensions or levels", "2"},
    [KEY_RADIX] = {"switches along a dimension", "[6, 4]"},
    [KEY_CONCENTRATION] = {"terminals of a switch", "2"},
    [KEY_GRAPH] = {NULL, "network.yaml"},
    [KEY_NUM_VCS] = {"lanes of a link", "2"},
    [KEY_DEPTH] = {"flits", "4"},
    [KEY_FLIT_WIDTH_BITS] = {"bits", "32"},
    [KEY_TABLE] = {NULL, "routes.csv"},
    [KEY_ESCAPE_VCS] = {"lanes of a link", "1"},
    [KEY_LOAD] = {"flits per terminal and cycle", "0.25"},
    [KEY_LENGTH] = {"flits", "8 or [1, 8]"},
    [KEY_BURST_CYCLES] = {"cycles", "50"},
    [KEY_WORMS_PER_TERMINAL] = {"worms", "16"},
    [KEY_DELAYS] = {"different delays", "4"},
    [KEY_DELAY_CYCLES] = {"cycles", "10"},
    [KEY_WINDOW] = {"requests", "4"},
    [KEY_REPLY_LENGTH] = {"flits", "1"},
    [KEY_HOTSPOT_TERMINAL] = {"number of a terminal", "27"},
    [KEY_HOTSPOT_FRACTION] = {"a part of the worms", "0.2"},
    [KEY_SPHERE_RADIUS] = {"links", "2"},
    [KEY_SPHERE_FRACTION] = {"a part of the worms", "0.8"},
    [KEY_FIRST_ID] = {"id of a worm", "0"},
    [KEY_MESSAGES] = {NULL, "messages.txt"},
    [KEY_MATRIX] = {NULL, "matrix.csv"},
    [KEY_RATES] = {NULL, "rates.csv"},
    [KEY_SEED] = {NULL, "1"},
    [KEY_CYCLES] = {"cycles", "10000"},
    [KEY_WARMUP_CYCLES] = {"cycles", "1000"},
    [KEY_MAX_CYCLES] = {"cycles", "1000000"},
};

void scenario_example(unsigned key, char *text, size_t size)
{
    *text = '\0';
    if (!of[key].example) return;
    snprintf(text, size, "%s%s%s, such as %s", of[key].unit ? " (" : "",
             of[key].unit ? of[key].unit : "", of[key].unit ? ")" : "", of[key].example);
}
