// SPDX-License-Identifier: Apache-2.0
//
// Reads a network from YAML: the section graph of a scenario, or a file of its own
// (docs/scenario.md, "Graphs"). What the text says is collected first, since ports may be numbered
// by the order in which they are named, and then put together.

#include "scenario.h"

#include <annelid/network.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BY_ORDER = UINT32_MAX };  // a port that the text does not number

struct place {
    uint32_t switch_, port;
};

// A link, both links of a pair, or the port of a terminal.
struct connection {
    struct place from, to;  // terminal: from alone
    bool both;
    uint64_t line;
};

struct connections {
    struct connection *items;
    size_t count, room;
};

// An entry of the routing table.
struct table_entry {
    uint32_t switch_, terminal, port;
    uint32_t vcs;  // mask; UINT32_MAX: all lanes
    uint64_t line;
};

struct scenario_graph {
    const char *file;  // in which the graph is described
    uint32_t switches, ports;
    uint64_t switches_line, ports_line;  // 0: not given
    char (*names)[ANL_GRAPH_NAME_BYTES];
    struct connections terminals, links;
    struct table_entry *table;
    size_t num_entries, table_room;
};

#define REFUSE(walk, ...)                                                                          \
    return anl_fail((walk)->reading->error, ANL_ERR_FORMAT, (walk)->reading->file,                 \
                    scenario_line(walk), __VA_ARGS__)

void scenario_graph_free(struct scenario_graph *graph)
{
    if (!graph) return;
    free(graph->names);
    free(graph->terminals.items);
    free(graph->links.items);
    free(graph->table);
    free(graph);
}

// Returns *items with room for one more; NULL if memory runs out.
static void *with_room(void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room) return items;
    *room = *room ? 2 * *room : 64;
    return realloc(items, *room * size);
}

static struct connection *append(struct connections *list)
{
    struct connection *items =
        with_room(list->items, list->count, &list->room, sizeof *list->items);
    if (!items) return NULL;
    list->items = items;
    return &items[list->count++];
}

// --- switches ---

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_name(struct scenario_scalar scalar)
{
    if (scalar.bytes == 0 || scalar.bytes >= ANL_GRAPH_NAME_BYTES || !is_letter(scalar.text[0]))
        return false;
    for (size_t i = 1; i < scalar.bytes; i++) {
        const char c = scalar.text[i];
        if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '_' && c != '-') return false;
    }
    return true;
}

// Returns the number of a switch by its name; the number of switches if there is none.
static uint32_t switch_named(const struct scenario_graph *graph, struct scenario_scalar name)
{
    uint32_t s = 0;
    while (s < graph->switches && !(strlen(graph->names[s]) == name.bytes &&
                                    memcmp(graph->names[s], name.text, name.bytes) == 0))
        s++;
    return s;
}

static enum anl_status read_name(struct scenario_walk *walk, struct scenario_graph *graph,
                                 size_t *room)
{
    char shown[SCENARIO_SHOWN_BYTES];
    const struct scenario_scalar name = scenario_scalar_of(walk);
    if (walk->event.type != YAML_SCALAR_EVENT || !is_name(name))
        REFUSE(walk, "switches: found %s, expected a name: a letter, then letters, digits, _ or -",
               scenario_describe(walk, shown));
    if (graph->switches == ANL_MAX_GRAPH_SWITCHES)
        REFUSE(walk, "switches: found one more, expected at most %d", ANL_MAX_GRAPH_SWITCHES);
    if (switch_named(graph, name) < graph->switches)
        REFUSE(walk, "switches: found the name %s a second time", scenario_show(name, shown));
    void *names = with_room(graph->names, graph->switches, room, sizeof *graph->names);
    if (!names) REFUSE(walk, "no memory for the graph");
    graph->names = names;
    memset(graph->names[graph->switches], 0, ANL_GRAPH_NAME_BYTES);
    memcpy(graph->names[graph->switches++], name.text, name.bytes);
    return ANL_OK;
}

static enum anl_status read_number(struct scenario_walk *walk, const char *what, uint32_t most,
                                   uint32_t *number)
{
    char shown[SCENARIO_SHOWN_BYTES];
    uint64_t value;
    const struct scenario_scalar scalar = scenario_scalar_of(walk);
    if (walk->event.type != YAML_SCALAR_EVENT || !scalar.plain ||
        !scenario_integer(scalar, &value) || value < 1 || value > most)
        REFUSE(walk, "%s: found %s, expected an integer 1..%" PRIu32, what,
               scenario_describe(walk, shown), most);
    *number = (uint32_t)value;
    return ANL_OK;
}

static enum anl_status read_switches(struct scenario_walk *walk, struct scenario_graph *graph)
{
    size_t room = 0;
    graph->switches_line = scenario_line(walk);
    if (walk->event.type != YAML_SEQUENCE_START_EVENT)
        return read_number(walk, "switches", ANL_MAX_GRAPH_SWITCHES, &graph->switches);
    enum anl_status status = scenario_next(walk);
    while (!status && walk->event.type != YAML_SEQUENCE_END_EVENT) {
        status = read_name(walk, graph, &room);
        if (!status) status = scenario_next(walk);
    }
    if (!status && graph->switches == 0) REFUSE(walk, "switches: found an empty list");
    return status;
}

// --- places: "3.1", "hub.1", "3", "hub" ---

static enum anl_status read_place(const struct scenario_walk *walk,
                                  const struct scenario_graph *graph, struct place *place)
{
    char shown[SCENARIO_SHOWN_BYTES];
    const struct scenario_scalar whole = scenario_scalar_of(walk);
    if (walk->event.type != YAML_SCALAR_EVENT || whole.bytes == 0)
        REFUSE(walk, "found %s, expected switch.port", scenario_describe(walk, shown));
    const char *point = memchr(whole.text, '.', whole.bytes);
    const size_t length = point ? (size_t)(point - whole.text) : whole.bytes;
    const struct scenario_scalar node = {whole.text, length, true};
    uint64_t number, port = BY_ORDER;
    if (graph->names && is_name(node))
        number = switch_named(graph, node);
    else if (!scenario_integer(node, &number))
        number = graph->switches;
    if (number >= graph->switches)
        REFUSE(walk, "found %s, expected one of the %" PRIu32 " switches",
               scenario_show(node, shown), graph->switches);
    if (point && (!scenario_integer(
                      (struct scenario_scalar){point + 1, whole.bytes - length - 1, true}, &port) ||
                  port >= ANL_MAX_PORTS))
        REFUSE(walk, "found %s, expected a port 0..%d behind the point",
               scenario_show(whole, shown), ANL_MAX_PORTS - 1);
    *place = (struct place){(uint32_t)number, (uint32_t)port};
    return ANL_OK;
}

static enum anl_status read_terminal(struct scenario_walk *walk, struct scenario_graph *graph)
{
    struct connection *terminal = append(&graph->terminals);
    if (!terminal) REFUSE(walk, "no memory for the graph");
    *terminal = (struct connection){.line = scenario_line(walk)};
    return read_place(walk, graph, &terminal->from);
}

// [from, to]: a pair of opposite links.
static enum anl_status read_pair(struct scenario_walk *walk, const struct scenario_graph *graph,
                                 struct connection *link)
{
    link->both = true;
    enum anl_status status = scenario_next(walk);
    if (!status) status = read_place(walk, graph, &link->from);
    if (!status) status = scenario_next(walk);
    if (!status) status = read_place(walk, graph, &link->to);
    if (!status) status = scenario_next(walk);
    if (!status && walk->event.type != YAML_SEQUENCE_END_EVENT)
        REFUSE(walk, "links: found a third end, expected two");
    return status;
}

// {from: …, to: …}: one link.
static enum anl_status read_one_way(struct scenario_walk *walk, const struct scenario_graph *graph,
                                    struct connection *link)
{
    char shown[SCENARIO_SHOWN_BYTES];
    bool from = false, to = false;
    enum anl_status status = scenario_next(walk);
    while (!status && walk->event.type != YAML_MAPPING_END_EVENT) {
        const struct scenario_scalar key = scenario_scalar_of(walk);
        const bool is_from = key.bytes == 4 && memcmp(key.text, "from", 4) == 0 && !from;
        if (!is_from && !(key.bytes == 2 && memcmp(key.text, "to", 2) == 0 && !to))
            REFUSE(walk, "links: found %s, expected from and to, each once",
                   scenario_describe(walk, shown));
        *(is_from ? &from : &to) = true;
        status = scenario_next(walk);
        if (!status) status = read_place(walk, graph, is_from ? &link->from : &link->to);
        if (!status) status = scenario_next(walk);
    }
    if (!status && !(from && to)) REFUSE(walk, "links: expected from and to");
    return status;
}

static enum anl_status read_link(struct scenario_walk *walk, struct scenario_graph *graph)
{
    char shown[SCENARIO_SHOWN_BYTES];
    struct connection *link = append(&graph->links);
    if (!link) REFUSE(walk, "no memory for the graph");
    *link = (struct connection){.line = scenario_line(walk)};
    if (walk->event.type == YAML_SEQUENCE_START_EVENT) return read_pair(walk, graph, link);
    if (walk->event.type == YAML_MAPPING_START_EVENT) return read_one_way(walk, graph, link);
    REFUSE(walk, "links: found %s, expected [switch.port, switch.port] or {from: …, to: …}",
           scenario_describe(walk, shown));
}

// --- routes ---

// Reads "all", "2" or "1-3".
static bool read_lanes(struct scenario_scalar text, uint32_t *vcs)
{
    const char *dash = memchr(text.text, '-', text.bytes);
    const size_t length = dash ? (size_t)(dash - text.text) : text.bytes;
    uint64_t low, high;
    if (text.bytes == 3 && memcmp(text.text, "all", 3) == 0) {
        *vcs = UINT32_MAX;
        return true;
    }
    if (!scenario_integer((struct scenario_scalar){text.text, length, true}, &low)) return false;
    high = low;
    if (dash &&
        !scenario_integer((struct scenario_scalar){dash + 1, text.bytes - length - 1, true}, &high))
        return false;
    if (low > high || high >= ANL_MAX_VCS) return false;
    *vcs = (2u << high) - (1u << low);
    return true;
}

static enum anl_status add_entry(struct scenario_graph *graph, struct table_entry entry,
                                 struct anl_error *error, const char *file)
{
    void *table =
        with_room(graph->table, graph->num_entries, &graph->table_room, sizeof *graph->table);
    if (!table) return anl_fail(error, ANL_ERR_MEMORY, file, entry.line, "no memory for the table");
    graph->table = table;
    graph->table[graph->num_entries++] = entry;
    return ANL_OK;
}

// Reads the fields switch, destination, port, lanes of an entry.
static enum anl_status read_fields(const struct scenario_graph *graph,
                                   const struct scenario_scalar fields[4], struct anl_error *error,
                                   const char *file, struct table_entry *entry)
{
    char shown[SCENARIO_SHOWN_BYTES];
    const struct {
        const char *name;
        uint64_t limit;
    } numbers[] = {{"switch", graph->switches},
                   {"destination", graph->terminals.count},
                   {"port", ANL_MAX_PORTS}};
    uint64_t values[3];
    for (unsigned i = 0; i < 3; i++) {
        if (i == 0 && graph->names && is_name(fields[0]))
            values[0] = switch_named(graph, fields[0]);
        else if (!scenario_integer(fields[i], &values[i]))
            values[i] = UINT64_MAX;
        if (values[i] >= numbers[i].limit)
            return anl_fail(error, ANL_ERR_FORMAT, file, entry->line,
                            "%s: found %s, expected 0..%" PRIu64, numbers[i].name,
                            scenario_show(fields[i], shown), numbers[i].limit - 1);
    }
    entry->switch_ = (uint32_t)values[0];
    entry->terminal = (uint32_t)values[1];
    entry->port = (uint32_t)values[2];
    if (read_lanes(fields[3], &entry->vcs)) return ANL_OK;
    return anl_fail(error, ANL_ERR_FORMAT, file, entry->line,
                    "lanes: found %s, expected all, a lane 0..%d, or lanes like 0-3",
                    scenario_show(fields[3], shown), ANL_MAX_VCS - 1);
}

static enum anl_status read_route(struct scenario_walk *walk, struct scenario_graph *graph)
{
    char shown[SCENARIO_SHOWN_BYTES], texts[4][32];
    struct scenario_scalar fields[4];
    struct table_entry entry = {.line = scenario_line(walk)};
    if (walk->event.type != YAML_SEQUENCE_START_EVENT)
        REFUSE(walk, "routes: found %s, expected [switch, destination, port, lanes]",
               scenario_describe(walk, shown));
    for (unsigned i = 0; i < 4; i++) {
        const enum anl_status status = scenario_next(walk);
        if (status) return status;
        const struct scenario_scalar field = scenario_scalar_of(walk);
        if (walk->event.type != YAML_SCALAR_EVENT || field.bytes >= sizeof texts[i])
            REFUSE(walk, "routes: found %s, expected [switch, destination, port, lanes]",
                   scenario_describe(walk, shown));
        memcpy(texts[i], field.text, field.bytes);
        fields[i] = (struct scenario_scalar){texts[i], field.bytes, true};
    }
    enum anl_status status =
        read_fields(graph, fields, walk->reading->error, walk->reading->file, &entry);
    if (!status) status = add_entry(graph, entry, walk->reading->error, walk->reading->file);
    if (!status) status = scenario_next(walk);
    if (!status && walk->event.type != YAML_SEQUENCE_END_EVENT)
        REFUSE(walk, "routes: found a fifth field, expected four");
    return status;
}

// Splits a line at its commas; returns false unless it has four fields.
static bool split(const char *line, size_t bytes, struct scenario_scalar fields[4])
{
    for (unsigned i = 0; i < 4; i++) {
        const char *comma = i < 3 ? memchr(line, ',', bytes) : line + bytes;
        if (!comma) return false;
        fields[i] = (struct scenario_scalar){line, (size_t)(comma - line), true};
        bytes -= fields[i].bytes + (i < 3);
        line = comma + 1;
    }
    return !memchr(fields[3].text, ',', fields[3].bytes);
}

enum anl_status scenario_read_table(struct scenario_reading *reading, const char *text,
                                    size_t bytes, const char *name)
{
    static const char head[] = "switch,destination,port,lanes";
    const char *end = text + bytes;
    struct scenario_scalar fields[4];
    enum anl_status status = ANL_OK;
    reading->graph->num_entries = 0;
    for (uint64_t number = 1; !status && text < end; number++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const size_t whole = (size_t)((newline ? newline : end) - text);
        const size_t length = whole && text[whole - 1] == '\r' ? whole - 1 : whole;
        struct table_entry entry = {.line = number};
        const bool is_head = length == sizeof head - 1 && memcmp(text, head, length) == 0;
        if (number == 1 ? !is_head : length && !split(text, length, fields))
            return anl_fail(reading->error, ANL_ERR_FORMAT, name, number, "expected %s%s",
                            number == 1 ? "the first line " : "four fields: ", head);
        if (number > 1 && length) {
            status = read_fields(reading->graph, fields, reading->error, name, &entry);
            if (!status) status = add_entry(reading->graph, entry, reading->error, name);
        }
        text += whole + 1;
    }
    return status;
}

// --- the mapping ---

static enum anl_status read_list(struct scenario_walk *walk, const char *what,
                                 enum anl_status (*read)(struct scenario_walk *,
                                                         struct scenario_graph *))
{
    char shown[SCENARIO_SHOWN_BYTES];
    if (walk->event.type != YAML_SEQUENCE_START_EVENT)
        REFUSE(walk, "%s: found %s, expected a list", what, scenario_describe(walk, shown));
    enum anl_status status = scenario_next(walk);
    while (!status && walk->event.type != YAML_SEQUENCE_END_EVENT) {
        status = read(walk, walk->reading->graph);
        if (!status) status = scenario_next(walk);
    }
    return status;
}

static enum anl_status read_ports(struct scenario_walk *walk, struct scenario_graph *graph)
{
    graph->ports_line = scenario_line(walk);
    return read_number(walk, "ports", ANL_MAX_PORTS, &graph->ports);
}

static const struct {
    const char *name;
    enum anl_status (*item)(struct scenario_walk *, struct scenario_graph *);   // of a list
    enum anl_status (*whole)(struct scenario_walk *, struct scenario_graph *);  // or the value
} graph_keys[] = {{"switches", NULL, read_switches},
                  {"ports", NULL, read_ports},
                  {"terminals", read_terminal, NULL},
                  {"links", read_link, NULL},
                  {"routes", read_route, NULL}};

enum { NUM_GRAPH_KEYS = sizeof graph_keys / sizeof *graph_keys };

static enum anl_status read_graph_key(struct scenario_walk *walk, uint32_t *seen)
{
    char shown[SCENARIO_SHOWN_BYTES];
    const struct scenario_scalar name = scenario_scalar_of(walk);
    unsigned key = 0;
    while (key < NUM_GRAPH_KEYS && !(strlen(graph_keys[key].name) == name.bytes &&
                                     memcmp(graph_keys[key].name, name.text, name.bytes) == 0))
        key++;
    if (walk->event.type != YAML_SCALAR_EVENT || key == NUM_GRAPH_KEYS)
        REFUSE(walk, "graph: found %s, expected switches, ports, terminals, links or routes",
               scenario_describe(walk, shown));
    if (*seen >> key & 1) REFUSE(walk, "graph.%s: found a second time", graph_keys[key].name);
    *seen |= 1u << key;
    if (key != 0 && !(*seen & 1))
        REFUSE(walk, "graph: found %s, expected switches first", graph_keys[key].name);
    const enum anl_status status = scenario_next(walk);
    if (status) return status;
    if (graph_keys[key].whole) return graph_keys[key].whole(walk, walk->reading->graph);
    return read_list(walk, graph_keys[key].name, graph_keys[key].item);
}

enum anl_status scenario_read_graph(struct scenario_walk *walk)
{
    uint32_t seen = 0;
    char shown[SCENARIO_SHOWN_BYTES];
    struct scenario_reading *reading = walk->reading;
    if (reading->graph) REFUSE(walk, "found a second graph, expected one");
    if (walk->event.type != YAML_MAPPING_START_EVENT)
        REFUSE(walk, "graph: found %s, expected a mapping of keys", scenario_describe(walk, shown));
    reading->graph = calloc(1, sizeof *reading->graph);
    if (!reading->graph) REFUSE(walk, "no memory for the graph");
    reading->graph->file = reading->file;
    enum anl_status status = scenario_next(walk);
    while (!status && walk->event.type != YAML_MAPPING_END_EVENT) {
        status = read_graph_key(walk, &seen);
        if (!status) status = scenario_next(walk);
    }
    if (!status && !(seen & 1)) REFUSE(walk, "graph: found nothing, expected switches");
    return status;
}

// --- building ---

#define FAIL(graph, at, ...)                                                                       \
    return anl_fail((reading)->error, ANL_ERR_FORMAT, (graph)->file, at, __VA_ARGS__)

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
        FAIL(graph, line, "found a port with%s a number after one with%s, expected all or none",
             by_order ? "out" : "", by_order ? "" : "out");
    if (by_order) place->port = numbering->next[place->switch_]++;
    if (place->port >= ANL_MAX_PORTS)
        FAIL(graph, line, "switch %" PRIu32 " has more than %d ports", place->switch_,
             ANL_MAX_PORTS);
    if (graph->ports_line && place->port >= graph->ports)
        FAIL(graph, line, "found port %" PRIu32 " of switch %" PRIu32 ", expected 0..%" PRIu32,
             place->port, place->switch_, graph->ports - 1);
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

static enum anl_status fill_table(const struct scenario_reading *reading,
                                  const struct scenario_graph *graph, struct anl_graph *made)
{
    if (!graph->num_entries) return ANL_OK;
    made->table = calloc((size_t)made->switches * made->terminals, sizeof *made->table);
    if (!made->table) FAIL(graph, 0, "no memory for the table");
    const uint32_t all = (1u << reading->scenario->network.num_vcs) - 1;
    for (size_t i = 0; i < graph->num_entries; i++) {
        const struct table_entry *entry = &graph->table[i];
        struct anl_table_hop *hop =
            &made->table[(size_t)entry->switch_ * made->terminals + entry->terminal];
        if (hop->vcs)
            FAIL(graph, entry->line,
                 "found a second entry for switch %" PRIu32 " and destination %" PRIu32,
                 entry->switch_, entry->terminal);
        const uint32_t vcs = entry->vcs == UINT32_MAX ? all : entry->vcs;
        *hop = (struct anl_table_hop){(uint8_t)entry->port, (uint8_t)vcs};
    }
    return ANL_OK;
}

enum anl_status scenario_build_graph(struct scenario_reading *reading)
{
    struct scenario_graph *graph = reading->graph;
    struct anl_graph **made = &reading->scenario->graph;
    struct numbering numbering = {.next = calloc(graph->switches, sizeof *numbering.next)};
    if (!numbering.next) FAIL(graph, 0, "no memory for the graph");
    enum anl_status status = number_ports(reading, graph, &numbering);
    free(numbering.next);
    if (status) return status;
    status = anl_graph_create(graph->switches, ports_of(graph), (uint32_t)graph->terminals.count,
                              made, reading->error);
    at(reading, graph, graph->switches_line, status);
    if (status) return status;
    (*made)->names = graph->names;
    graph->names = NULL;
    status = wire(reading, graph, *made);
    return status ? status : fill_table(reading, graph, *made);
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

static void write_table(FILE *stream, const struct anl_graph *graph, const char *indent)
{
    fprintf(stream, "%sroutes:\n", indent);
    for (uint32_t s = 0; s < graph->switches; s++)
        for (uint32_t t = 0; t < graph->terminals; t++) {
            const struct anl_table_hop hop = graph->table[(size_t)s * graph->terminals + t];
            const unsigned low = hop.vcs ? (unsigned)__builtin_ctz(hop.vcs) : 0;
            const unsigned high = hop.vcs ? 31 - (unsigned)__builtin_clz(hop.vcs) : 0;
            if (hop.vcs)
                fprintf(stream, "%s  - [%" PRIu32 ", %" PRIu32 ", %u, %u-%u]\n", indent, s, t,
                        hop.port, low, high);
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
