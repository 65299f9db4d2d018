// SPDX-License-Identifier: Apache-2.0
//
// Makes the graph of what its text says, and writes a graph as a text (docs/scenario.md, "Graphs").

#include "scenario.h"

#include <annelid/network.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- building ---

#define FAIL(file, line, ...)                                                                      \
    return anl_fail((reading)->error, ANL_ERR_FORMAT, file, line, __VA_ARGS__)

// What numbers ports: the text, all of them, or the order in which switches are named.
struct numbering {
    uint32_t *next;  // [switches] the next port if the order numbers them
    bool begun, by_order;
};

static enum anl_status number_port(const struct scenario_reading *reading,
                                   const struct scenario_graph *graph, struct numbering *numbering,
                                   struct place *place, uint64_t line)
{
    const bool by_order = place->port == BY_ORDER;
    if (!numbering->begun) numbering->by_order = by_order;
    numbering->begun = true;
    if (by_order != numbering->by_order)
        FAIL(graph->file, line,
             "found a port with%s a number after one with%s, expected all or none",
             by_order ? "out" : "", by_order ? "" : "out");
    if (by_order) place->port = numbering->next[place->switch_]++;
    if (place->port >= ANL_MAX_PORTS)
        FAIL(graph->file, line, "switch %s has more than %d ports",
             anl_graph_name_of(graph->names, place->switch_).text, ANL_MAX_PORTS);
    if (graph->ports_line && place->port >= graph->ports)
        FAIL(graph->file, line, "found port %" PRIu32 " of switch %s, expected 0..%" PRIu32,
             place->port, anl_graph_name_of(graph->names, place->switch_).text, graph->ports - 1);
    return ANL_OK;
}

// Numbers the ports of links, then those of terminals.
static enum anl_status number_ports(const struct scenario_reading *reading,
                                    struct scenario_graph *graph, struct numbering *numbering)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; !status && i < graph->links.count; i++) {
        struct connection *link = &graph->links.items[i];
        status = number_port(reading, graph, numbering, &link->from, link->line);
        if (!status) status = number_port(reading, graph, numbering, &link->to, link->line);
    }
    for (size_t i = 0; !status && i < graph->terminals.count; i++) {
        struct connection *terminal = &graph->terminals.items[i];
        status = number_port(reading, graph, numbering, &terminal->from, terminal->line);
    }
    return status;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t ports_of(const struct scenario_graph *graph)
{
    uint32_t highest = 0;
    for (size_t i = 0; i < graph->links.count; i++)
        highest =
            larger(highest, larger(graph->links.items[i].from.port, graph->links.items[i].to.port));
    for (size_t i = 0; i < graph->terminals.count; i++)
        highest = larger(highest, graph->terminals.items[i].from.port);
    return graph->ports_line ? graph->ports : highest + 1;
}

// Gives an error of the network room, which knows no file, the place in the text.
static enum anl_status at(const struct scenario_reading *reading,
                          const struct scenario_graph *graph, uint64_t line, enum anl_status status)
{
    if (!status || !reading->error) return status;
    snprintf(reading->error->file, sizeof reading->error->file, "%s", graph->file);
    reading->error->line = line;
    return status;
}

static enum anl_status wire(const struct scenario_reading *reading,
                            const struct scenario_graph *graph, struct anl_graph *made)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; !status && i < graph->links.count; i++) {
        const struct connection *link = &graph->links.items[i];
        const uint32_t from = link->from.switch_ * made->ports + link->from.port;
        const uint32_t to = link->to.switch_ * made->ports + link->to.port;
        status = anl_graph_link(made, from, to, reading->error);
        if (!status && link->both) status = anl_graph_link(made, to, from, reading->error);
        at(reading, graph, link->line, status);
    }
    for (size_t i = 0; !status && i < graph->terminals.count; i++) {
        const struct connection *terminal = &graph->terminals.items[i];
        const uint32_t port = terminal->from.switch_ * made->ports + terminal->from.port;
        status = anl_graph_attach(made, (uint32_t)i, port, reading->error);
        at(reading, graph, terminal->line, status);
    }
    return status;
}

// Returns the ports of a switch by which links leave, each with a blank before it.
struct port_list {
    char text[ANL_MAX_PORTS * 4 + 8];
};
static struct port_list ports_with_links(const struct anl_graph *made, uint32_t switch_)
{
    struct port_list list = {" a switch with links"};  // if there is none
    size_t used = 0;
    for (uint32_t p = 0; p < made->ports; p++)
        if (made->ends[switch_ * made->ports + p] != ANL_NO_PORT)
            used += (size_t)snprintf(list.text + used, sizeof list.text - used, "%s %" PRIu32,
                                     used ? "," : "", p);
    return list;
}

// Refuses lanes that do not exist and a port that leads to no switch and to no terminal of the
// entry.
static enum anl_status check_entry(const struct scenario_reading *reading,
                                   const struct table_entry *entry, const struct anl_graph *made)
{
    const char *file = reading->graph->table_file;
    const uint32_t links = made->switches * made->ports, port = entry->port;
    const uint32_t end =
        port < made->ports ? made->ends[entry->switch_ * made->ports + port] : ANL_NO_PORT;
    const uint32_t lanes = anl_class_lanes(&reading->scenario->network);
    const uint32_t classes = anl_num_classes(&reading->scenario->network);
    if (entry->classes.last != ALL && entry->classes.last >= classes)
        FAIL(file, entry->line, "class: found '%" PRIu32 "', expected 0..%" PRIu32,
             entry->classes.last, classes - 1);
    if (entry->lanes.last >= lanes)
        FAIL(file, entry->line, "lanes: found '%" PRIu32 "', expected 0..%" PRIu32,
             entry->lanes.last, lanes - 1);
    if (entry->inputs.last >= made->ports)
        FAIL(file, entry->line, "input: found '%" PRIu32 "', expected 0..%" PRIu32,
             entry->inputs.last, made->ports - 1);
    if (end == ANL_NO_PORT)
        FAIL(file, entry->line,
             "port: found '%" PRIu32 "', by which no link leaves switch %s, expected%s", port,
             anl_graph_name_of(made->names, entry->switch_).text,
             ports_with_links(made, entry->switch_).text);
    if (end >= links &&
        (entry->terminals.first != end - links || entry->terminals.last != end - links))
        FAIL(file, entry->line,
             "port: found '%" PRIu32 "', by which only heads for terminal %" PRIu32
             " may leave switch %s",
             port, end - links, anl_graph_name_of(made->names, entry->switch_).text);
    return ANL_OK;
}

// Returns where the options of an entry of the table begin.
static struct anl_table_hop *first_option(const struct anl_graph *graph, uint32_t switch_,
                                          uint32_t input, uint32_t terminal)
{
    const size_t place = graph->by_input ? (size_t)switch_ * graph->ports + input : switch_;
    return &graph->table[(place * graph->terminals + terminal) * graph->options];
}

// Adds an option to those of an entry, which has room for it, or lanes to the option by its port.
static enum anl_status add_option(const struct scenario_reading *reading,
                                  const struct table_entry *entry, struct anl_table_hop *options,
                                  struct anl_table_hop hop)
{
    while (options->vcs && options->port != hop.port)
        options++;
    if (options->vcs & hop.vcs)
        FAIL(reading->graph->table_file, entry->line,
             "found lane %d of port %u a second time for switch %s and the same destination, "
             "expected it once",
             __builtin_ctz(options->vcs & hop.vcs), hop.port,
             anl_graph_name_of(reading->graph->names, entry->switch_).text);
    *options = (struct anl_table_hop){hop.port, (uint8_t)(options->vcs | hop.vcs)};
    return ANL_OK;
}

static bool is_of_class(const struct table_entry *entry, uint32_t class_)
{
    return class_ >= entry->classes.first && class_ <= entry->classes.last;
}

// Adds the options of an entry to the table of a class; every entry is checked.
static enum anl_status fill_entry(const struct scenario_reading *reading, struct table_entry entry,
                                  uint32_t class_, struct anl_graph *made)
{
    const uint32_t lanes = anl_class_lanes(&reading->scenario->network);
    if (entry.terminals.last == ALL) entry.terminals.last = made->terminals - 1;
    if (entry.lanes.last == ALL) entry.lanes.last = lanes - 1;
    if (entry.inputs.last == ALL) entry.inputs.last = made->ports - 1;
    enum anl_status status = check_entry(reading, &entry, made);
    if (!is_of_class(&entry, class_)) return status;
    const uint32_t vcs = (2u << entry.lanes.last) - (1u << entry.lanes.first);
    const struct anl_table_hop hop = {(uint8_t)entry.port, (uint8_t)vcs};
    for (uint32_t p = entry.inputs.first; !status && p <= entry.inputs.last; p++)
        for (uint32_t t = entry.terminals.first; !status && t <= entry.terminals.last; t++)
            status = add_option(reading, &entry, first_option(made, entry.switch_, p, t), hop);
    return status;
}

// Finds out how many options an entry of the table of a class has at most: the most rows for one
// place and destination.
static enum anl_status count_options(const struct scenario_reading *reading,
                                     const struct scenario_graph *graph, uint32_t class_,
                                     struct anl_graph *made)
{
    const size_t places = (size_t)made->switches * (made->by_input ? made->ports : 1);
    uint8_t *rows = calloc(places * made->terminals, 1);
    if (!rows) return scenario_no_memory(reading);
    made->options = 1;
    for (size_t i = 0; i < graph->num_entries; i++) {
        const struct table_entry *entry = &graph->table[i];
        if (!is_of_class(entry, class_)) continue;
        const uint32_t last = least(entry->terminals.last, made->terminals - 1);
        for (uint32_t p = entry->inputs.first; p <= least(entry->inputs.last, made->ports - 1); p++)
            for (uint32_t t = entry->terminals.first; t <= last; t++) {
                const size_t place =
                    made->by_input ? (size_t)entry->switch_ * made->ports + p : entry->switch_;
                uint8_t *count = &rows[place * made->terminals + t];
                *count = (uint8_t)(*count < ANL_MAX_PORTS ? *count + 1 : *count);
                made->options = larger(made->options, *count);
            }
    }
    free(rows);
    return ANL_OK;
}

static enum anl_status fill_table(const struct scenario_reading *reading,
                                  const struct scenario_graph *graph, uint32_t class_,
                                  struct anl_graph *made)
{
    enum anl_status status = ANL_OK;
    if (!graph->num_entries) return ANL_OK;
    made->by_input = graph->by_input;
    status = count_options(reading, graph, class_, made);
    if (status) return status;
    const size_t places = (size_t)made->switches * (made->by_input ? made->ports : 1);
    made->table = calloc(places * made->terminals * made->options, sizeof *made->table);
    if (!made->table) return scenario_no_memory(reading);
    for (size_t i = 0; !status && i < graph->num_entries; i++)
        status = fill_entry(reading, graph->table[i], class_, made);
    return status;
}

static enum anl_status name_switches(const struct scenario_reading *reading,
                                     const struct scenario_graph *graph, struct anl_graph *made)
{
    if (!graph->names) return ANL_OK;
    made->names = malloc(graph->switches * sizeof *made->names);
    if (!made->names) return scenario_no_memory(reading);
    memcpy(made->names, graph->names, graph->switches * sizeof *made->names);
    return ANL_OK;
}

// Makes the graph with the table of a class. *made is to be destroyed also after a failure.
static enum anl_status build_class(const struct scenario_reading *reading, uint32_t class_,
                                   struct anl_graph **made)
{
    const struct scenario_graph *graph = reading->graph;
    enum anl_status status = anl_graph_create(
        graph->switches, ports_of(graph), (uint32_t)graph->terminals.count, made, reading->error);
    at(reading, graph, graph->switches_line, status);
    if (!status) status = name_switches(reading, graph, *made);
    if (!status) status = wire(reading, graph, *made);
    return status ? status : fill_table(reading, graph, class_, *made);
}

enum anl_status scenario_build_graph(struct scenario_reading *reading)
{
    struct scenario_graph *graph = reading->graph;
    struct anl_scenario *scenario = reading->scenario;
    const bool differ = scenario->network.num_class_routings || graph->by_class;
    const uint32_t classes = differ ? anl_num_classes(&scenario->network) : 1;
    struct numbering numbering = {.next = calloc(graph->switches, sizeof *numbering.next)};
    if (!numbering.next) return scenario_no_memory(reading);
    enum anl_status status = number_ports(reading, graph, &numbering);
    free(numbering.next);
    for (uint32_t c = 0; !status && c < classes; c++) {
        struct anl_graph *made;
        status = build_class(reading, c, &made);
        if (!scenario->graph)
            scenario->graph = made;
        else if (made)
            anl_graph_add_class(scenario->graph, made);
    }
    return status;
}

// --- writing ---

static void write_port(FILE *stream, const struct anl_graph *graph, uint32_t port)
{
    fprintf(stream, "%" PRIu32 ".%" PRIu32, port / graph->ports, port % graph->ports);
}

static void write_link(FILE *stream, const struct anl_graph *graph, const char *indent,
                       uint32_t port)
{
    const uint32_t links = graph->switches * graph->ports, end = graph->ends[port];
    const bool pair = end < links && end != port && graph->ends[end] == port;
    if (end >= links || (pair && end < port)) return;
    fprintf(stream, "%s  - %s", indent, pair ? "[" : "{from: ");
    write_port(stream, graph, port);
    fputs(pair ? ", " : ", to: ", stream);
    write_port(stream, graph, end);
    fputs(pair ? "]\n" : "}\n", stream);
}

static void write_links(FILE *stream, const struct anl_graph *graph, const char *indent)
{
    const uint32_t links = graph->switches * graph->ports;
    bool some = false;
    for (uint32_t port = 0; port < links; port++) {
        if (!some && graph->ends[port] < links) fprintf(stream, "%slinks:\n", indent);
        some |= graph->ends[port] < links;
        write_link(stream, graph, indent, port);
    }
}

static bool is_same(struct anl_table_hop a, struct anl_table_hop b)
{
    return a.port == b.port && a.vcs == b.vcs;
}

// Entries of a table: those of a switch, or of an input port.
struct entries {
    const struct anl_graph *graph;
    bool by_class, by_input;  // rows name classes, and input ports, of which a table may know none
    uint32_t class_, switch_, input;
    const struct anl_table_hop *options;  // of terminal 0
};

// Writes an option of the terminals first to last: a line for each row of its lanes.
static void write_option(FILE *stream, const struct entries *entries, const char *indent,
                         struct anl_table_hop hop, const uint32_t range[2])
{
    for (uint32_t rest = hop.vcs; rest;) {
        const int low = __builtin_ctz(rest), high = __builtin_ctz(~(rest >> low)) + low - 1;
        fprintf(stream, "%s  - [", indent);
        if (entries->by_class) fprintf(stream, "%" PRIu32 ", ", entries->class_);
        fprintf(stream, "%" PRIu32 ", ", entries->switch_);
        if (entries->graph->by_input)
            fprintf(stream, "%" PRIu32 ", ", entries->input);
        else if (entries->by_input)
            fputs("all, ", stream);
        fprintf(stream, "%" PRIu32 "-%" PRIu32 ", %u, %d-%d]\n", range[0], range[1], hop.port, low,
                high);
        rest &= ~((2u << high) - 1);
    }
}

// Writes all i-th options; together for terminals in a row that differ in nothing else.
static void write_options(FILE *stream, const struct entries *entries, const char *indent,
                          uint32_t i)
{
    const uint32_t terminals = entries->graph->terminals, step = entries->graph->options;
    const struct anl_table_hop *options = entries->options + i;
    for (uint32_t first = 0, last; first < terminals; first = last + 1) {
        const struct anl_table_hop hop = options[(size_t)(last = first) * step];
        if (!hop.vcs) continue;
        while (last + 1 < terminals && is_same(options[(size_t)(last + 1) * step], hop))
            last++;
        write_option(stream, entries, indent, hop, (const uint32_t[]){first, last});
    }
}

// Writes the rows of a table; of entries what they have in common is filled in.
static void write_rows(FILE *stream, struct entries entries, const char *indent)
{
    const struct anl_graph *graph = entries.graph;
    const uint32_t inputs = graph->by_input ? graph->ports : 1;
    for (uint32_t place = 0; place < graph->switches * inputs; place++) {
        entries.switch_ = place / inputs;
        entries.input = place % inputs;
        entries.options = &graph->table[(size_t)place * graph->terminals * graph->options];
        for (uint32_t i = 0; i < graph->options; i++)
            write_options(stream, &entries, indent, i);
    }
}

static void write_table(FILE *stream, const struct anl_graph *graph, const char *indent)
{
    struct entries entries = {.by_class = graph->next};
    for (const struct anl_graph *one = graph; one; one = one->next)
        entries.by_input |= one->by_input;
    fprintf(stream, "%s%s:\n", indent, entries.by_class ? "class_routes" : "routes");
    for (entries.graph = graph; entries.graph; entries.graph = entries.graph->next) {
        write_rows(stream, entries, indent);
        entries.class_++;
    }
}

static void write_switches(FILE *stream, const struct anl_graph *graph, const char *indent)
{
    fprintf(stream, "%sswitches: ", indent);
    for (uint32_t s = 0; graph->names && s < graph->switches; s++)
        fprintf(stream, "%s%s", s ? ", " : "[", graph->names[s]);
    if (graph->names)
        fprintf(stream, "]\n");
    else
        fprintf(stream, "%" PRIu32 "\n", graph->switches);
}

void scenario_write_graph(FILE *stream, const struct anl_graph *graph, const char *indent)
{
    write_switches(stream, graph, indent);
    fprintf(stream, "%sports: %" PRIu32 "\n%sterminals: ", indent, graph->ports, indent);
    for (uint32_t t = 0; t < graph->terminals; t++) {
        fputs(t ? ", " : "[", stream);
        write_port(stream, graph, graph->homes[t]);
    }
    fprintf(stream, "]\n");
    write_links(stream, graph, indent);
    if (graph->table) write_table(stream, graph, indent);
}

void anl_scenario_write_graph(FILE *stream, const struct anl_graph *graph)
{
    scenario_write_graph(stream, graph, "");
}
