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
#include <xxhash.h>

#define BY_ORDER UINT32_MAX  // a port that the text does not number
#define ALL UINT32_MAX       // the end of a range that goes as far as there are numbers

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

// Numbers from one to another.
struct range {
    uint32_t first, last;  // last may be ALL
};

// Entries of the routing table that differ in their terminals alone.
struct table_entry {
    uint32_t switch_, port;
    struct range terminals, lanes;
    uint64_t line;
};

struct scenario_graph {
    const char *file, *table_file;  // in which the graph and its table are described
    uint32_t switches, ports;
    uint64_t line, switches_line, ports_line;  // of the mapping and of keys; 0: not given
    char (*names)[ANL_GRAPH_NAME_BYTES];
    uint32_t *by_name;  // [NAME_PLACES] switches + 1 in an open hash table of their names; 0: none
    struct connections terminals, links;
    struct table_entry *table;
    size_t num_entries, table_room;
};

enum { NAME_PLACES = 2 * ANL_MAX_GRAPH_SWITCHES };

#define REFUSE(walk, ...)                                                                          \
    return anl_fail((walk)->reading->error, ANL_ERR_FORMAT, (walk)->reading->file,                 \
                    scenario_line(walk), __VA_ARGS__)

static enum anl_status no_memory(const struct scenario_reading *reading)
{
    return anl_fail(reading->error, ANL_ERR_MEMORY, reading->file, 0, "no memory for the graph");
}

void scenario_graph_free(struct scenario_graph *graph)
{
    if (!graph) return;
    free(graph->names);
    free(graph->by_name);
    free(graph->terminals.items);
    free(graph->links.items);
    free(graph->table);
    free(graph);
}

// Returns the items with room for one more; NULL if memory runs out.
static void *with_room(void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room) return items;
    const size_t more = *room ? 2 * *room : 64;
    void *larger = realloc(items, more * size);
    if (larger) *room = more;
    return larger;
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

static bool is(struct scenario_scalar scalar, const char *text)
{
    return strlen(text) == scalar.bytes && memcmp(text, scalar.text, scalar.bytes) == 0;
}

// Returns the place of a name in the hash table: that of its switch, or the empty one for it.
static uint32_t *place_of_name(const struct scenario_graph *graph, struct scenario_scalar name)
{
    uint64_t at = XXH3_64bits(name.text, name.bytes) % NAME_PLACES;
    while (graph->by_name[at] && !is(name, graph->names[graph->by_name[at] - 1]))
        at = (at + 1) % NAME_PLACES;
    return &graph->by_name[at];
}

// Returns the number of a switch by its name; UINT32_MAX if there is none.
static uint32_t switch_named(const struct scenario_graph *graph, struct scenario_scalar name)
{
    return *place_of_name(graph, name) - 1;
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
    uint32_t *place = place_of_name(graph, name);
    if (*place)
        REFUSE(walk, "switches: found the name %s a second time", scenario_show(name, shown));
    void *names = with_room(graph->names, graph->switches, room, sizeof *graph->names);
    if (!names) return no_memory(walk->reading);
    graph->names = names;
    memset(graph->names[graph->switches], 0, ANL_GRAPH_NAME_BYTES);
    memcpy(graph->names[graph->switches++], name.text, name.bytes);
    *place = graph->switches;
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
    graph->by_name = calloc(NAME_PLACES, sizeof *graph->by_name);
    if (!graph->by_name) return no_memory(walk->reading);
    enum anl_status status = scenario_next(walk);
    while (!status && walk->event.type != YAML_SEQUENCE_END_EVENT) {
        status = read_name(walk, graph, &room);
        if (!status) status = scenario_next(walk);
    }
    if (!status && graph->switches == 0)
        REFUSE(walk, "switches: found an empty list, expected names");
    return status;
}

// --- places: "3.1", "hub.1", "3", "hub" ---

// Reads the number or the name of a switch; returns false if there is no such switch.
static bool is_switch(const struct scenario_graph *graph, struct scenario_scalar scalar,
                      uint64_t *number)
{
    if (graph->names && is_name(scalar))
        *number = switch_named(graph, scalar);
    else if (!scenario_integer(scalar, number))
        return false;
    return *number < graph->switches;
}

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
    if (!is_switch(graph, node, &number))
        REFUSE(walk, "found the switch %s, expected %s 0..%" PRIu32, scenario_show(node, shown),
               graph->names ? "a name or" : "a number", graph->switches - 1);
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
    if (!terminal) return no_memory(walk->reading);
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
        const bool scalar = walk->event.type == YAML_SCALAR_EVENT;
        const bool is_from = scalar && is(key, "from") && !from;
        if (!is_from && !(scalar && is(key, "to") && !to))
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
    if (!link) return no_memory(walk->reading);
    *link = (struct connection){.line = scenario_line(walk)};
    if (walk->event.type == YAML_SEQUENCE_START_EVENT) return read_pair(walk, graph, link);
    if (walk->event.type == YAML_MAPPING_START_EVENT) return read_one_way(walk, graph, link);
    REFUSE(walk, "links: found %s, expected [switch.port, switch.port] or {from: …, to: …}",
           scenario_describe(walk, shown));
}

// --- routes ---

// Reads "all", "2" or "1-3", where no number may reach the limit.
static bool read_range(struct scenario_scalar text, uint64_t limit, struct range *range)
{
    const char *dash = memchr(text.text, '-', text.bytes);
    const size_t length = dash ? (size_t)(dash - text.text) : text.bytes;
    const struct scenario_scalar begin = {text.text, length, true};
    const struct scenario_scalar end =
        dash ? (struct scenario_scalar){dash + 1, text.bytes - length - 1, true} : begin;
    uint64_t first, last;
    *range = (struct range){0, ALL};
    if (is(text, "all")) return true;
    if (!scenario_integer(begin, &first) || !scenario_integer(end, &last)) return false;
    *range = (struct range){(uint32_t)first, (uint32_t)last};
    return first <= last && last < limit;
}

static enum anl_status add_entry(const struct scenario_reading *reading,
                                 const struct table_entry *entry)
{
    struct scenario_graph *graph = reading->graph;
    void *table =
        with_room(graph->table, graph->num_entries, &graph->table_room, sizeof *graph->table);
    if (!table) return no_memory(reading);
    graph->table = table;
    graph->table[graph->num_entries++] = *entry;
    return ANL_OK;
}

// Adds the entry with these fields: switch, destination, port, lanes. The switch may be a name;
// destinations and lanes may be several.
static enum anl_status read_entry(const struct scenario_reading *reading,
                                  const struct scenario_scalar fields[4], const char *file,
                                  uint64_t line)
{
    enum { SWITCH, DESTINATION, PORT, LANES, FIELDS };
    static const char *const names[] = {"switch", "destination", "port", "lanes"};
    const struct scenario_graph *graph = reading->graph;
    const uint64_t limits[] = {graph->switches, graph->terminals.count, ANL_MAX_PORTS, ANL_MAX_VCS};
    struct range ranges[FIELDS];
    uint64_t switch_ = 0;
    for (unsigned i = 0; i < FIELDS; i++) {
        const bool may_be_several = i == DESTINATION || i == LANES;
        const bool good = i == SWITCH ? is_switch(graph, fields[i], &switch_)
                                      : read_range(fields[i], limits[i], &ranges[i]) &&
                                            (may_be_several || ranges[i].first == ranges[i].last);
        char shown[SCENARIO_SHOWN_BYTES];
        if (!good)
            return anl_fail(reading->error, ANL_ERR_FORMAT, file, line,
                            "%s: found %s, expected 0..%" PRIu64 "%s", names[i],
                            scenario_show(fields[i], shown), limits[i] - 1,
                            may_be_several ? ", several like 0-3, or all" : "");
    }
    const struct table_entry entry = {.switch_ = (uint32_t)switch_,
                                      .port = ranges[PORT].first,
                                      .terminals = ranges[DESTINATION],
                                      .lanes = ranges[LANES],
                                      .line = line};
    return add_entry(reading, &entry);
}

static enum anl_status read_route(struct scenario_walk *walk, struct scenario_graph *graph)
{
    char shown[SCENARIO_SHOWN_BYTES], texts[4][ANL_GRAPH_NAME_BYTES];
    struct scenario_scalar fields[4];
    const uint64_t line = scenario_line(walk);
    (void)graph;
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
    enum anl_status status = read_entry(walk->reading, fields, walk->reading->file, line);
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
    reading->graph->table_file = name;
    if (!bytes) return anl_fail(reading->error, ANL_ERR_FORMAT, name, 1, "expected %s", head);
    for (uint64_t number = 1; !status && text < end; number++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const size_t whole = (size_t)((newline ? newline : end) - text);
        const size_t length = whole && text[whole - 1] == '\r' ? whole - 1 : whole;
        const bool is_head = length == sizeof head - 1 && memcmp(text, head, length) == 0;
        if (number == 1 ? !is_head : length && !split(text, length, fields))
            return anl_fail(reading->error, ANL_ERR_FORMAT, name, number, "expected %s%s",
                            number == 1 ? "the first line " : "four fields: ", head);
        if (number > 1 && length) status = read_entry(reading, fields, name, number);
        text += whole + (newline != NULL);
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

enum { SWITCHES, PORTS, TERMINALS, LINKS, ROUTES, NUM_GRAPH_KEYS };

static const struct {
    const char *name;
    enum anl_status (*item)(struct scenario_walk *, struct scenario_graph *);   // of a list
    enum anl_status (*whole)(struct scenario_walk *, struct scenario_graph *);  // or the value
    uint32_t after;  // mask of the keys that must come before it
} graph_keys[] = {{"switches", NULL, read_switches, 0},
                  {"ports", NULL, read_ports, 0},
                  {"terminals", read_terminal, NULL, 1 << SWITCHES},
                  {"links", read_link, NULL, 1 << SWITCHES},
                  {"routes", read_route, NULL, 1 << SWITCHES | 1 << TERMINALS}};

static enum anl_status read_graph_key(struct scenario_walk *walk, uint32_t *seen)
{
    char shown[SCENARIO_SHOWN_BYTES];
    const struct scenario_scalar name = scenario_scalar_of(walk);
    const bool scalar = walk->event.type == YAML_SCALAR_EVENT;
    unsigned key = 0;
    while (key < NUM_GRAPH_KEYS && !(scalar && is(name, graph_keys[key].name)))
        key++;
    if (key == NUM_GRAPH_KEYS)
        REFUSE(walk, "graph: found %s, expected switches, ports, terminals, links or routes",
               scenario_describe(walk, shown));
    if (*seen >> key & 1)
        REFUSE(walk, "graph: found %s a second time, expected once", graph_keys[key].name);
    const uint32_t missing = graph_keys[key].after & ~*seen;
    if (missing)
        REFUSE(walk, "graph: found %s, expected %s before", graph_keys[key].name,
               graph_keys[__builtin_ctz(missing)].name);
    *seen |= 1u << key;
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
    if (walk->event.type != YAML_MAPPING_START_EVENT)
        REFUSE(walk, "graph: found %s, expected a mapping of keys", scenario_describe(walk, shown));
    struct scenario_graph *graph = reading->graph = calloc(1, sizeof *graph);
    if (!graph) return no_memory(reading);
    graph->file = graph->table_file = reading->file;
    graph->line = scenario_line(walk);
    enum anl_status status = scenario_next(walk);
    while (!status && walk->event.type != YAML_MAPPING_END_EVENT) {
        status = read_graph_key(walk, &seen);
        if (!status) status = scenario_next(walk);
    }
    if (!status && !(seen >> SWITCHES & 1)) REFUSE(walk, "graph: found no switches");
    if (!status && !graph->terminals.count) REFUSE(walk, "graph: found no terminals");
    return status;
}

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
        FAIL(graph->file, line, "switch %" PRIu32 " has more than %d ports", place->switch_,
             ANL_MAX_PORTS);
    if (graph->ports_line && place->port >= graph->ports)
        FAIL(graph->file, line,
             "found port %" PRIu32 " of switch %" PRIu32 ", expected 0..%" PRIu32, place->port,
             place->switch_, graph->ports - 1);
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

// Refuses lanes that do not exist and a port that leads to no switch and to no terminal of the
// entry.
static enum anl_status check_entry(const struct scenario_reading *reading,
                                   const struct table_entry *entry, const struct anl_graph *made)
{
    const char *file = reading->graph->table_file;
    const uint32_t links = made->switches * made->ports, port = entry->port;
    const uint32_t end =
        port < made->ports ? made->ends[entry->switch_ * made->ports + port] : ANL_NO_PORT;
    const uint32_t num_vcs = reading->scenario->network.num_vcs;
    if (entry->lanes.last >= num_vcs)
        FAIL(file, entry->line, "lanes: found %" PRIu32 ", expected 0..%" PRIu32, entry->lanes.last,
             num_vcs - 1);
    if (end == ANL_NO_PORT)
        FAIL(file, entry->line, "port: found %" PRIu32 ", by which no link leaves switch %" PRIu32,
             port, entry->switch_);
    if (end >= links &&
        (entry->terminals.first != end - links || entry->terminals.last != end - links))
        FAIL(file, entry->line,
             "port: found %" PRIu32 ", by which only heads for terminal %" PRIu32
             " may leave switch %" PRIu32,
             port, end - links, entry->switch_);
    return ANL_OK;
}

static enum anl_status fill_entry(const struct scenario_reading *reading, struct table_entry entry,
                                  struct anl_graph *made)
{
    const uint32_t num_vcs = reading->scenario->network.num_vcs;
    if (entry.terminals.last == ALL) entry.terminals.last = made->terminals - 1;
    if (entry.lanes.last == ALL) entry.lanes.last = num_vcs - 1;
    const enum anl_status status = check_entry(reading, &entry, made);
    const uint32_t vcs = (2u << entry.lanes.last) - (1u << entry.lanes.first);
    for (uint32_t t = entry.terminals.first; !status && t <= entry.terminals.last; t++) {
        struct anl_table_hop *hop = &made->table[(size_t)entry.switch_ * made->terminals + t];
        if (hop->vcs)
            FAIL(reading->graph->table_file, entry.line,
                 "found a second entry for switch %" PRIu32 " and destination %" PRIu32
                 ", expected one",
                 entry.switch_, t);
        *hop = (struct anl_table_hop){(uint8_t)entry.port, (uint8_t)vcs};
    }
    return status;
}

static enum anl_status fill_table(const struct scenario_reading *reading,
                                  const struct scenario_graph *graph, struct anl_graph *made)
{
    enum anl_status status = ANL_OK;
    if (!graph->num_entries) return ANL_OK;
    made->table = calloc((size_t)made->switches * made->terminals, sizeof *made->table);
    if (!made->table) return no_memory(reading);
    for (size_t i = 0; !status && i < graph->num_entries; i++)
        status = fill_entry(reading, graph->table[i], made);
    return status;
}

enum anl_status scenario_build_graph(struct scenario_reading *reading)
{
    struct scenario_graph *graph = reading->graph;
    struct anl_graph **made = &reading->scenario->graph;
    struct numbering numbering = {.next = calloc(graph->switches, sizeof *numbering.next)};
    if (!numbering.next) return no_memory(reading);
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

static void write_links(FILE *stream, const struct anl_graph *graph)
{
    const uint32_t links = graph->switches * graph->ports;
    fprintf(stream, "  links:\n");
    for (uint32_t port = 0; port < links; port++) {
        const uint32_t end = graph->ends[port];
        const bool pair = end < links && graph->ends[end] == port;
        if (end >= links || (pair && end < port)) continue;
        fputs(pair ? "    - [" : "    - {from: ", stream);
        write_port(stream, graph, port);
        fputs(pair ? ", " : ", to: ", stream);
        write_port(stream, graph, end);
        fputs(pair ? "]\n" : "}\n", stream);
    }
}

static bool is_same(struct anl_table_hop a, struct anl_table_hop b)
{
    return a.port == b.port && a.vcs == b.vcs;
}

// Writes the entries of a switch; one line for terminals in a row that differ in nothing else.
static void write_entries(FILE *stream, const struct anl_graph *graph, uint32_t switch_)
{
    const struct anl_table_hop *row = &graph->table[(size_t)switch_ * graph->terminals];
    for (uint32_t first = 0, last; first < graph->terminals; first = last + 1) {
        const struct anl_table_hop hop = row[last = first];
        if (!hop.vcs) continue;
        while (last + 1 < graph->terminals && is_same(row[last + 1], hop))
            last++;
        fprintf(stream, "    - [%" PRIu32 ", %" PRIu32 "-%" PRIu32 ", %u, %d-%d]\n", switch_, first,
                last, hop.port, __builtin_ctz(hop.vcs), 31 - __builtin_clz(hop.vcs));
    }
}

static void write_table(FILE *stream, const struct anl_graph *graph)
{
    fprintf(stream, "  routes:\n");
    for (uint32_t s = 0; s < graph->switches; s++)
        write_entries(stream, graph, s);
}

void scenario_write_graph(FILE *stream, const struct anl_graph *graph)
{
    fprintf(stream, "graph:\n  switches: ");
    for (uint32_t s = 0; graph->names && s < graph->switches; s++)
        fprintf(stream, "%s%s", s ? ", " : "[", graph->names[s]);
    if (graph->names)
        fprintf(stream, "]\n");
    else
        fprintf(stream, "%" PRIu32 "\n", graph->switches);
    fprintf(stream, "  ports: %" PRIu32 "\n  terminals: ", graph->ports);
    for (uint32_t t = 0; t < graph->terminals; t++) {
        fputs(t ? ", " : "[", stream);
        write_port(stream, graph, graph->homes[t]);
    }
    fprintf(stream, "]\n");
    write_links(stream, graph);
    if (graph->table) write_table(stream, graph);
}
