// SPDX-License-Identifier: Apache-2.0
//
// Writes the tables of a graph whose heads have several options, for anl_options_switch.

#include "rtl.h"

#include <inttypes.h>

enum { NAME_BYTES = 64, DIGITS_A_LINE = 80 };

#define PUT(...) fprintf(file, __VA_ARGS__)

bool rtl_has_options(const struct anl_config *config)
{
    return anl_is_adaptive(config) || anl_reads_input(config);
}

// Writes a number of `bits` bits, of which bit i is set if is_set(what, i).
static void put_bits(FILE *file, uint32_t bits, bool (*is_set)(const void *, uint32_t),
                     const void *what)
{
    PUT("%" PRIu32 "'h", bits);
    for (uint32_t digit = (bits + 3) / 4; digit-- > 0;) {
        unsigned value = 0;
        for (uint32_t i = 4 * digit; i < 4 * digit + 4 && i < bits; i++)
            value |= (unsigned)is_set(what, i) << (i % 4);
        PUT("%X", value);
    }
}

// --- tables ---

struct entry {
    const struct anl_table_hop *hops;
    uint32_t options, num_vcs;  // of a class
};

// Lane w of output port o is bit o * num_vcs + w.
static bool has_lane(const void *what, uint32_t bit)
{
    const struct entry *entry = what;
    for (uint32_t i = 0; i < entry->options && entry->hops[i].vcs; i++)
        if (entry->hops[i].port == bit / entry->num_vcs)
            return entry->hops[i].vcs >> bit % entry->num_vcs & 1;
    return false;
}

// Writes the table of an input port; the configuration is that of a class.
static void put_table(const struct anl_config *config, FILE *file, uint32_t in)
{
    const struct anl_graph *graph = config->graph;
    const uint32_t bits = graph->ports * config->num_vcs;
    const uint32_t entries_a_line =
        bits < 4 * DIGITS_A_LINE / 2 ? DIGITS_A_LINE / (bits / 4 + 6) : 1;
    for (uint32_t left = graph->terminals; left > 0;) {
        const struct entry entry = {rtl_options(graph, in, --left), graph->options,
                                    config->num_vcs};
        if ((graph->terminals - left - 1) % entries_a_line == 0) PUT("\n        ");
        put_bits(file, bits, has_lane, &entry);
        if (left) PUT(",");
    }
}

// Writes the tables of all classes at an input port, that of class 0 last; one for all of them, if
// they are alike.
static void put_tables(const struct anl_config *config, FILE *file, uint32_t in)
{
    const uint32_t tables = rtl_tables(config), alike = anl_num_classes(config) / tables;
    if (alike > 1) PUT("{%" PRIu32 "{", alike);
    for (uint32_t c = tables; c-- > 0;) {
        const struct anl_config one = anl_config_of_class(config, c);
        put_table(&one, file, in);
        if (c) PUT(",");
    }
    if (alike > 1) PUT("}}");
}

// A remark has a line of its own, so that no number of tables or brackets ends up behind it.
static void put_routes_of(const struct anl_config *config, FILE *file, uint32_t switch_)
{
    const bool by_input = anl_reads_input(config);
    const uint32_t ports = config->graph->ports;
    char name[NAME_BYTES];
    anl_switch_name(config, switch_, name, sizeof name);
    PUT("      // %s\n      %" PRIu32 ": routes = {1'b1, %s", name, switch_,
        by_input ? "" : "{NumPorts{");
    for (uint32_t p = by_input ? ports : 1; p-- > 0;) {
        put_tables(config, file, switch_ * ports + p);
        if (p) PUT(",");
    }
    PUT("%s;\n", by_input ? "}" : "}}}");
}

static void put_routes(const struct anl_config *config, FILE *file)
{
    PUT("\n  // Routes of a switch: for each input port, and for each terminal, from the last one "
        "down to 0, the\n"
        "  // set of lanes that a head may ask for (anl_route_options); those of the last class of "
        "messages first.\n"
        "  function automatic logic [RoutesW-1:0] routes(input int s);\n    case (s)\n");
    for (uint32_t s = 0; s < config->graph->switches; s++)
        put_routes_of(config, file, s);
    PUT("      default: routes = RoutesW'(0);\n    endcase\n  endfunction\n");
}

// --- ports ---

static bool leads_to_terminal(const void *what, uint32_t port)
{
    const struct anl_end *ends = what;
    return ends[port].exists && ends[port].is_terminal;
}

static void put_terminals(const struct anl_config *config, FILE *file)
{
    const struct anl_graph *graph = config->graph;
    PUT("\n  // The ports of a switch that lead to terminals.\n"
        "  function automatic logic [NumPorts-1:0] terminals(input int s);\n    case (s)\n");
    for (uint32_t s = 0; s < graph->switches; s++) {
        struct anl_end ends[ANL_MAX_PORTS];
        for (uint32_t p = 0; p < graph->ports; p++)
            ends[p] = anl_link_end(config, s, p);
        PUT("      %" PRIu32 ": terminals = ", s);
        put_bits(file, graph->ports, leads_to_terminal, ends);
        PUT(";\n");
    }
    PUT("      default: terminals = '0;\n    endcase\n  endfunction\n");
}

// Straight on is the other side of the dimension; in a dimension with one port it is that port.
static bool is_straight(const void *what, uint32_t bit)
{
    const struct anl_graph *graph = what;
    const uint32_t in = bit / graph->ports, out = bit % graph->ports;
    for (uint32_t d = 0, first = 0; d < graph->cube.dimensions; d++) {
        const uint32_t ports = graph->cube.kinds[d] == ANL_ONE_WAY_RING ? 1 : 2;
        if (in < first + ports) return out == (ports == 1 ? first : 2 * first + 1 - in);
        first += ports;
    }
    return false;
}

static void put_straight(const struct anl_config *config, FILE *file)
{
    const struct anl_graph *graph = config->graph;
    PUT("\n  // Bit p*NumPorts + o: output port o is straight on from input port p.\n"
        "  localparam logic [NumPorts*NumPorts-1:0] Straight = ");
    put_bits(file, graph->ports * graph->ports, is_straight, graph);
    PUT(";\n");
}

void rtl_put_options(const struct anl_config *config, FILE *file)
{
    const bool is_adaptive = anl_is_adaptive(config);
    PUT("  localparam int NumVcs       = %" PRIu32 ";  // the routes name lanes: no other number\n"
        "  localparam int ClassVcs     = %" PRIu32 ";  // lanes of each class of messages\n"
        "  localparam int Select       = %d;  // which of several options (anl_pkg)\n"
        "  localparam int Atomic       = %d;  // 1: adaptive lanes are atomic\n"
        "  localparam int Escapes      = %" PRIu32 ";  // bit v: lane v is an escape lane\n"
        "  localparam int RoutesW      = NumPorts * NumVcs * NumTerminals * NumPorts + 1;\n",
        config->num_vcs, anl_class_lanes(config), (int)(is_adaptive ? config->select : 0),
        (int)(is_adaptive ? config->atomic : 0), is_adaptive ? anl_escape_lanes(config) : 0);
    put_straight(config, file);
    put_terminals(config, file);
    put_routes(config, file);
}
