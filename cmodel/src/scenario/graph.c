// SPDX-License-Identifier: Apache-2.0
//
// Reads a network from YAML: the section graph of a scenario, or a file of its own
// (docs/scenario.md, "Graphs"). What the text says is collected here, since ports may be numbered
// by the order in which they are named; wiring.c puts it together.

#include "scenario.h"

#include <annelid/network.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { NAME_PLACES = 2 * ANL_MAX_GRAPH_SWITCHES };

#define REFUSE(walk, ...)                                                                          \
    return anl_fail((walk)->reading->error, ANL_ERR_FORMAT, (walk)->reading->file,                 \
                    scenario_line(walk), __VA_ARGS__)

enum anl_status scenario_no_memory(const struct scenario_reading *reading)
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
    if (walk->event.type != YAML_SCALAR_EVENT || !anl_graph_is_name(name.text, name.bytes))
        REFUSE(walk,
               "switches: found %s, expected a name: a letter, then letters, digits, _ or -, at "
               "most %d",
               scenario_describe(walk, shown), ANL_GRAPH_NAME_BYTES - 1);
    if (graph->switches == ANL_MAX_GRAPH_SWITCHES)
        REFUSE(walk, "switches: found one more, expected at most %d", ANL_MAX_GRAPH_SWITCHES);
    uint32_t *place = place_of_name(graph, name);
    if (*place)
        REFUSE(walk, "switches: found the name %s a second time", scenario_show(name, shown));
    void *names = with_room(graph->names, graph->switches, room, sizeof *graph->names);
    if (!names) return scenario_no_memory(walk->reading);
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
    if (!graph->by_name) return scenario_no_memory(walk->reading);
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
    if (graph->names && anl_graph_is_name(scalar.text, scalar.bytes))
        *number = switch_named(graph, scalar);
    else if (!scenario_integer(scalar, number))
        return false;
    return *number < graph->switches;
}

// --- what was found in the place of a switch or a terminal, and what was expected ---

struct words {
    char text[400];
};

static void add_words(struct words *words, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add_words(struct words *words, const char *format, ...)
{
    const size_t used = strlen(words->text);
    va_list list;
    va_start(list, format);
    vsnprintf(words->text + used, sizeof words->text - used, format, list);
    va_end(list);
}

// Returns whether a text is what pictures and links call a terminal, "T3".
static bool is_terminal(const struct scenario_graph *graph, struct scenario_scalar text,
                        uint64_t *terminal)
{
    const struct scenario_scalar number = {text.text + 1, text.bytes - 1, true};
    return text.bytes > 1 && text.text[0] == 'T' && scenario_integer(number, terminal) &&
           *terminal < graph->terminals.count;
}

// Says which switches there are, and which one was perhaps meant.
static struct words expected_switch(const struct scenario_graph *graph, struct scenario_scalar text)
{
    enum { MOST_SHOWN = 6 };
    struct words words = {""};
    uint64_t terminal;
    struct scenario_nearest nearest = {0};
    char written[SCENARIO_SHOWN_BYTES];
    snprintf(written, sizeof written, "%.*s", (int)text.bytes, text.text);
    for (uint32_t s = 0; graph->names && s < graph->switches; s++) {
        if (s < MOST_SHOWN) add_words(&words, "%s%s", s ? ", " : "a name (", graph->names[s]);
        scenario_nearest(graph->names[s], written, &nearest);
    }
    add_words(&words, "%s%s0..%" PRIu32, graph->names && graph->switches > MOST_SHOWN ? ", …" : "",
              graph->names ? ") or " : "a number ", graph->switches - 1);
    if (is_terminal(graph, text, &terminal))
        add_words(&words, "; T%" PRIu64 " is a terminal", terminal);
    else if (nearest.name)
        add_words(&words, "; did you mean %s?", nearest.name);
    return words;
}

// Says which terminals there are, and which one was perhaps meant: that of a name, or of a switch.
static struct words expected_terminal(const struct scenario_graph *graph,
                                      struct scenario_scalar text)
{
    struct words words = {""};
    uint64_t number;
    add_words(&words, "0..%zu, several like 0-3, or all", graph->terminals.count - 1);
    if (is_terminal(graph, text, &number)) {
        add_words(&words, "; did you mean %" PRIu64 "?", number);
    } else if (graph->names && anl_graph_is_name(text.text, text.bytes) &&
               is_switch(graph, text, &number)) {
        const char *before = "; that is a switch, with terminal ";
        for (size_t t = 0; t < graph->terminals.count; t++)
            if (graph->terminals.items[t].from.switch_ == number) {
                add_words(&words, "%s%zu", before, t);
                before = ", ";
            }
        if (*before == ';') add_words(&words, "; that is a switch without terminals");
    }
    return words;
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
        REFUSE(walk, "found the switch %s, expected %s", scenario_quote(node, shown),
               expected_switch(graph, node).text);
    if (point && (!scenario_integer(
                      (struct scenario_scalar){point + 1, whole.bytes - length - 1, true}, &port) ||
                  port >= ANL_MAX_PORTS))
        REFUSE(walk, "found %s, expected a port 0..%d behind the point",
               scenario_quote(whole, shown), ANL_MAX_PORTS - 1);
    *place = (struct place){(uint32_t)number, (uint32_t)port};
    return ANL_OK;
}

static enum anl_status read_terminal(struct scenario_walk *walk, struct scenario_graph *graph)
{
    struct connection *terminal = append(&graph->terminals);
    if (!terminal) return scenario_no_memory(walk->reading);
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
    if (!link) return scenario_no_memory(walk->reading);
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
    if (!table) return scenario_no_memory(reading);
    graph->table = table;
    graph->table[graph->num_entries++] = *entry;
    return ANL_OK;
}

// A row of a table: its fields as they are written.
enum { CLASS, SWITCH, INPUT, DESTINATION, PORT, LANES, FIELDS = SCENARIO_CSV_FIELDS };
struct row {
    struct scenario_scalar fields[FIELDS];
    unsigned count;  // FIELDS, less one if the row names no class and one if it names no input port
    bool by_class;
    const char *file;
    uint64_t line;
};

static unsigned most_fields(const struct row *row) { return FIELDS - !row->by_class; }

static bool names_input(const struct row *row) { return row->count == most_fields(row); }

// Returns the number of the i-th field that a row has.
static unsigned field_of(unsigned i, const struct row *row)
{
    const unsigned field = i + !row->by_class;
    return field + (field >= INPUT && !names_input(row));
}

static enum anl_status check_inputs(const struct scenario_reading *reading, const struct row *row)
{
    struct scenario_graph *graph = reading->graph;
    const bool by_input = names_input(row);
    if (graph->num_entries && graph->by_input != by_input)
        return anl_fail(reading->error, ANL_ERR_FORMAT, row->file, row->line,
                        "routes: found a row with%s an input port, expected all or none",
                        by_input ? "" : "out");
    graph->by_input = by_input;
    graph->by_class = row->by_class;
    return ANL_OK;
}

// Adds the option of a row. The switch may be a name; classes, input ports, destinations and lanes
// may be several.
static enum anl_status read_entry(const struct scenario_reading *reading, const struct row *row)
{
    static const char *const names[] = {"class", "switch", "input", "destination", "port", "lanes"};
    const struct scenario_graph *graph = reading->graph;
    const uint64_t limits[] = {ANL_MAX_VCS,   graph->switches,
                               ANL_MAX_PORTS, graph->terminals.count,
                               ANL_MAX_PORTS, ANL_MAX_VCS};
    struct range ranges[FIELDS] = {[CLASS] = {0, ALL}};
    uint64_t switch_ = 0;
    const enum anl_status status = check_inputs(reading, row);
    if (status) return status;
    for (unsigned i = 0; i < row->count; i++) {
        const unsigned field = field_of(i, row);
        const struct scenario_scalar text = row->fields[i];
        const bool may_be_several = field != SWITCH && field != PORT;
        struct range *range = &ranges[field];
        const bool good = field == SWITCH ? is_switch(graph, text, &switch_)
                                          : read_range(text, limits[field], range) &&
                                                (may_be_several || range->first == range->last);
        if (good) continue;
        char shown[SCENARIO_SHOWN_BYTES];
        struct words expected = {""};
        if (field == SWITCH)
            expected = expected_switch(graph, text);
        else if (field == DESTINATION)
            expected = expected_terminal(graph, text);
        else
            add_words(&expected, "0..%" PRIu64 "%s", limits[field] - 1,
                      may_be_several ? ", several like 0-3, or all" : "");
        return anl_fail(reading->error, ANL_ERR_FORMAT, row->file, row->line,
                        "%s: found %s, expected %s", names[field], scenario_quote(text, shown),
                        expected.text);
    }
    const struct table_entry entry = {.switch_ = (uint32_t)switch_,
                                      .port = ranges[PORT].first,
                                      .classes = ranges[CLASS],
                                      .inputs = ranges[INPUT],
                                      .terminals = ranges[DESTINATION],
                                      .lanes = ranges[LANES],
                                      .line = row->line};
    return add_entry(reading, &entry);
}

#define ROW "[%sswitch, destination, port, lanes], or input behind switch"

static enum anl_status read_row(struct scenario_walk *walk, bool by_class)
{
    const char *of_class = by_class ? "class, " : "";
    char shown[SCENARIO_SHOWN_BYTES], texts[FIELDS][ANL_GRAPH_NAME_BYTES];
    struct row row = {
        .by_class = by_class, .file = walk->reading->file, .line = scenario_line(walk)};
    if (walk->event.type != YAML_SEQUENCE_START_EVENT)
        REFUSE(walk, "routes: found %s, expected " ROW, scenario_describe(walk, shown), of_class);
    enum anl_status status = scenario_next(walk);
    for (; !status && walk->event.type != YAML_SEQUENCE_END_EVENT; status = scenario_next(walk)) {
        const struct scenario_scalar field = scenario_scalar_of(walk);
        if (walk->event.type != YAML_SCALAR_EVENT || field.bytes >= sizeof *texts)
            REFUSE(walk, "routes: found %s, expected " ROW, scenario_describe(walk, shown),
                   of_class);
        if (row.count == most_fields(&row))
            REFUSE(walk, "routes: found a %s field, expected " ROW, by_class ? "seventh" : "sixth",
                   of_class);
        memcpy(texts[row.count], field.text, field.bytes);
        row.fields[row.count] = (struct scenario_scalar){texts[row.count], field.bytes, true};
        row.count++;
    }
    if (!status && row.count < most_fields(&row) - 1)
        REFUSE(walk, "routes: found %u fields, expected " ROW, row.count, of_class);
    return status ? status : read_entry(walk->reading, &row);
}

static enum anl_status read_route(struct scenario_walk *walk, struct scenario_graph *graph)
{
    (void)graph;
    return read_row(walk, false);
}

static enum anl_status read_class_route(struct scenario_walk *walk, struct scenario_graph *graph)
{
    (void)graph;
    return read_row(walk, true);
}

// The first lines that a table may have: with or without input ports and classes.
static const struct {
    const char *text;
    bool by_class;
    unsigned count;
} heads[] = {{"switch,destination,port,lanes", false, FIELDS - 2},
             {"switch,input,destination,port,lanes", false, FIELDS - 1},
             {"class,switch,destination,port,lanes", true, FIELDS - 1},
             {"class,switch,input,destination,port,lanes", true, FIELDS}};
enum { NUM_HEADS = sizeof heads / sizeof *heads };

// Returns the number of a first line; NUM_HEADS: it is none.
static unsigned head_of(const struct scenario_csv *csv)
{
    unsigned i = 0;
    while (i < NUM_HEADS && !scenario_csv_is(csv, heads[i].text))
        i++;
    return i;
}

#define HEADS "switch,destination,port,lanes, or input behind switch, or class before it"

enum anl_status scenario_read_table(struct scenario_reading *reading, const char *text,
                                    size_t bytes, const char *name)
{
    struct scenario_csv csv = {
        .at = text, .end = text + bytes, .name = name, .error = reading->error};
    enum anl_status status = ANL_OK;
    reading->graph->num_entries = 0;
    reading->graph->table_file = name;
    const unsigned head = scenario_csv_next(&csv) ? head_of(&csv) : NUM_HEADS;
    if (head == NUM_HEADS) return scenario_csv_refuse_head(&csv, HEADS);
    struct row row = {.file = name, .by_class = heads[head].by_class, .count = heads[head].count};
    while (!status && scenario_csv_next(&csv)) {
        status = scenario_csv_expect(&csv, row.count, heads[head].text);
        if (status) return status;
        memcpy(row.fields, csv.fields, row.count * sizeof *row.fields);
        row.line = csv.line;
        status = read_entry(reading, &row);
    }
    if (status || reading->graph->num_entries) return status;
    return anl_fail(reading->error, ANL_ERR_FORMAT, name, csv.line,
                    "found no row behind the first line, expected one for each switch and "
                    "destination that heads ask for");
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

// Reads the rows of a table, of which there must be one.
static enum anl_status read_table(struct scenario_walk *walk, const char *what,
                                  enum anl_status (*read)(struct scenario_walk *,
                                                          struct scenario_graph *))
{
    const enum anl_status status = read_list(walk, what, read);
    if (status || walk->reading->graph->num_entries) return status;
    REFUSE(walk,
           "%s: found an empty list, expected a row for each switch and destination that "
           "heads ask for",
           what);
}

static enum anl_status read_all_routes(struct scenario_walk *walk, struct scenario_graph *graph)
{
    (void)graph;
    return read_table(walk, "routes", read_route);
}

static enum anl_status read_all_class_routes(struct scenario_walk *walk,
                                             struct scenario_graph *graph)
{
    (void)graph;
    return read_table(walk, "class_routes", read_class_route);
}

static enum anl_status read_ports(struct scenario_walk *walk, struct scenario_graph *graph)
{
    graph->ports_line = scenario_line(walk);
    return read_number(walk, "ports", ANL_MAX_PORTS, &graph->ports);
}

enum { SWITCHES, PORTS, TERMINALS, LINKS, ROUTES, CLASS_ROUTES, NUM_GRAPH_KEYS };

static const struct {
    const char *name;
    enum anl_status (*item)(struct scenario_walk *, struct scenario_graph *);   // of a list
    enum anl_status (*whole)(struct scenario_walk *, struct scenario_graph *);  // or the value
    uint32_t after;  // mask of the keys that must come before it
} graph_keys[] = {{"switches", NULL, read_switches, 0},
                  {"ports", NULL, read_ports, 0},
                  {"terminals", read_terminal, NULL, 1 << SWITCHES},
                  {"links", read_link, NULL, 1 << SWITCHES},
                  {"routes", NULL, read_all_routes, 1 << SWITCHES | 1 << TERMINALS},
                  {"class_routes", NULL, read_all_class_routes, 1 << SWITCHES | 1 << TERMINALS}};

static enum anl_status read_graph_key(struct scenario_walk *walk, uint32_t *seen)
{
    char shown[SCENARIO_SHOWN_BYTES];
    const struct scenario_scalar name = scenario_scalar_of(walk);
    const bool scalar = walk->event.type == YAML_SCALAR_EVENT;
    unsigned key = 0;
    while (key < NUM_GRAPH_KEYS && !(scalar && is(name, graph_keys[key].name)))
        key++;
    if (key == NUM_GRAPH_KEYS)
        REFUSE(
            walk,
            "graph: found %s, expected switches, ports, terminals, links, routes or class_routes",
            scenario_describe(walk, shown));
    if (*seen >> key & 1)
        REFUSE(walk, "graph: found %s a second time, expected once", graph_keys[key].name);
    const uint32_t missing = graph_keys[key].after & ~*seen;
    if (missing)
        REFUSE(walk, "graph: found %s, expected %s before", graph_keys[key].name,
               graph_keys[__builtin_ctz(missing)].name);
    *seen |= 1u << key;
    if (*seen >> ROUTES & *seen >> CLASS_ROUTES & 1)
        REFUSE(walk, "graph: found routes and class_routes, expected one of them");
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
    if (!graph) return scenario_no_memory(reading);
    graph->file = graph->table_file = reading->file;
    enum anl_status status = scenario_next(walk);
    while (!status && walk->event.type != YAML_MAPPING_END_EVENT) {
        status = read_graph_key(walk, &seen);
        if (!status) status = scenario_next(walk);
    }
    if (!status && !(seen >> SWITCHES & 1)) REFUSE(walk, "graph: found no switches");
    if (!status && !graph->terminals.count) REFUSE(walk, "graph: found no terminals");
    return status;
}
