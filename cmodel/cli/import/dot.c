// SPDX-License-Identifier: Apache-2.0
//
// Reads a graph in the language DOT by Graphviz's library cgraph, which has one global state and
// may crash or fill the memory on hostile files: cmd_import.c runs it in a process of its own.

#include "import.h"

#include <errno.h>
#include <graphviz/cgraph.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SWITCH, TERMINAL };

struct reader {
    struct draft *draft;
    struct anl_error *error;
    Agraph_t *graph;
    uint32_t terminals;
    Agedge_t **edges;  // in the order of the text
    size_t num_edges, edges_size;
};

// What a node of the graph is here.
struct meaning {
    Agrec_t header;
    uint32_t kind, number;
};

#define REFUSE(...)                                                                                \
    return anl_fail(reader->error, ANL_ERR_FORMAT, reader->draft->file, 0, __VA_ARGS__)

static enum anl_status no_memory(struct reader *reader)
{
    return anl_fail(reader->error, ANL_ERR_MEMORY, reader->draft->file, 0, "no memory");
}

static struct shown shown(void *object) { return import_shown(agnameof(object)); }

static struct meaning *meaning_of(Agnode_t *node)
{
    static char name[] = "meaning";
    return (struct meaning *)aggetrec(node, name, 0);
}

static const char *attribute(void *object, const char *name)
{
    char key[16];
    snprintf(key, sizeof key, "%s", name);
    const char *value = agget(object, key);
    return value ? value : "";
}

// --- nodes ---

static bool is_decimal(const char *text, uint32_t *number)
{
    const size_t length = strlen(text);
    if (length == 0 || length > 9 || strspn(text, "0123456789") != length) return false;
    *number = (uint32_t)strtoul(text, NULL, 10);
    return length == 1 || text[0] != '0';
}

static enum anl_status give_meanings(struct reader *reader)
{
    static char record[] = "meaning";
    struct draft *draft = reader->draft;
    for (Agnode_t *node = agfstnode(reader->graph); node; node = agnxtnode(reader->graph, node)) {
        struct meaning *meaning = agbindrec(node, record, sizeof *meaning, 0);
        if (!meaning) return no_memory(reader);
        const bool terminal = strcmp(attribute(node, "type"), "terminal") == 0;
        meaning->kind = terminal ? TERMINAL : SWITCH;
        meaning->number = terminal ? reader->terminals++ : draft->switches++;
    }
    if (draft->switches == 0) REFUSE("found no node that is a switch, expected at least one");
    if (draft->switches > ANL_MAX_GRAPH_SWITCHES)
        REFUSE("found %" PRIu32 " switches, expected at most %d", draft->switches,
               ANL_MAX_GRAPH_SWITCHES);
    return ANL_OK;
}

// If the names are 0 to S - 1, they are the numbers of the switches. Returns whether they are.
static bool number_by_names(struct reader *reader)
{
    const uint32_t switches = reader->draft->switches;
    bool *seen = calloc(switches, sizeof *seen), fits = seen != NULL;
    uint32_t number;
    for (Agnode_t *n = agfstnode(reader->graph); n && fits; n = agnxtnode(reader->graph, n)) {
        if (meaning_of(n)->kind == TERMINAL) continue;
        fits = is_decimal(agnameof(n), &number) && number < switches && !seen[number];
        if (fits) seen[number] = true;
    }
    for (Agnode_t *n = agfstnode(reader->graph); n && fits; n = agnxtnode(reader->graph, n))
        if (meaning_of(n)->kind == SWITCH && is_decimal(agnameof(n), &number))
            meaning_of(n)->number = number;
    free(seen);
    return fits;
}

// Copies the names of the switches, unless one of them cannot be a name.
static enum anl_status copy_names(struct reader *reader)
{
    struct draft *draft = reader->draft;
    bool good = true;
    draft->names = calloc(draft->switches, sizeof *draft->names);
    if (!draft->names) return no_memory(reader);
    for (Agnode_t *n = agfstnode(reader->graph); n; n = agnxtnode(reader->graph, n)) {
        if (meaning_of(n)->kind == TERMINAL) continue;
        const char *name = agnameof(n);
        good = good && anl_graph_is_name(name, strlen(name));
        if (good) snprintf(draft->names[meaning_of(n)->number], ANL_GRAPH_NAME_BYTES, "%s", name);
    }
    if (good) return ANL_OK;
    free(draft->names);
    draft->names = NULL;
    return ANL_OK;
}

// --- edges ---

static int by_sequence(const void *a, const void *b)
{
    Agedge_t *const *x = a, *const *y = b;
    return (AGSEQ(*x) > AGSEQ(*y)) - (AGSEQ(*x) < AGSEQ(*y));
}

static enum anl_status list_edges(struct reader *reader)
{
    for (Agnode_t *n = agfstnode(reader->graph); n; n = agnxtnode(reader->graph, n))
        for (Agedge_t *e = agfstout(reader->graph, n); e; e = agnxtout(reader->graph, e)) {
            void *edges = gather_room(reader->edges, reader->num_edges, &reader->edges_size,
                                      sizeof *reader->edges);
            if (!edges) return no_memory(reader);
            reader->edges = edges;
            reader->edges[reader->num_edges++] = e;
        }
    if (reader->num_edges)
        qsort(reader->edges, reader->num_edges, sizeof *reader->edges, by_sequence);
    return ANL_OK;
}

// Reads the port at an end of an edge, a number in the label of this end; there may be none.
static enum anl_status read_port(struct reader *reader, Agedge_t *edge, const char *end,
                                 uint32_t *port)
{
    const char *label = attribute(edge, end);
    *port = DRAFT_BY_ORDER;
    if (!*label || !is_decimal(label, port) || *port < ANL_MAX_PORTS) return ANL_OK;
    REFUSE("edge %s - %s: %s is %s, expected a port 0..%d", shown(agtail(edge)).text,
           shown(aghead(edge)).text, end, import_shown(label).text, ANL_MAX_PORTS - 1);
}

static enum anl_status read_terminal(struct reader *reader, Agedge_t *edge,
                                     struct draft_terminal *terminals)
{
    const bool tail = meaning_of(agtail(edge))->kind == TERMINAL;
    Agnode_t *terminal = tail ? agtail(edge) : aghead(edge);
    Agnode_t *home = tail ? aghead(edge) : agtail(edge);
    struct draft_terminal *place = &terminals[meaning_of(terminal)->number];
    if (meaning_of(home)->kind == TERMINAL)
        REFUSE("terminal %s is joined to terminal %s, expected a switch", shown(terminal).text,
               shown(home).text);
    if (place->node != UINT32_MAX)
        REFUSE("terminal %s has two edges, expected one", shown(terminal).text);
    *place = (struct draft_terminal){.node = meaning_of(home)->number};
    return read_port(reader, edge, tail ? "headlabel" : "taillabel", &place->port);
}

static bool is_pair(struct reader *reader, Agedge_t *edge)
{
    const char *dir = attribute(edge, "dir");
    return agisundirected(reader->graph) || strcmp(dir, "both") == 0 || strcmp(dir, "none") == 0;
}

static enum anl_status read_edge(struct reader *reader, Agedge_t *edge,
                                 struct draft_terminal *terminals)
{
    const struct meaning *from = meaning_of(agtail(edge)), *to = meaning_of(aghead(edge));
    if (from->kind == TERMINAL || to->kind == TERMINAL)
        return read_terminal(reader, edge, terminals);
    struct draft_link link = {.node = {from->number, to->number}, .both = is_pair(reader, edge)};
    enum anl_status status = read_port(reader, edge, "taillabel", &link.port[0]);
    if (!status) status = read_port(reader, edge, "headlabel", &link.port[1]);
    return status ? status : draft_add_link(reader->draft, link, reader->error);
}

// Without terminals in the file each switch gets one.
static enum anl_status add_terminals(struct reader *reader, const struct draft_terminal *terminals)
{
    struct draft *draft = reader->draft;
    const uint32_t count = reader->terminals ? reader->terminals : draft->switches;
    enum anl_status status = ANL_OK;
    for (uint32_t t = 0; !status && t < count; t++) {
        struct draft_terminal terminal = {.node = t, .port = DRAFT_BY_ORDER};
        if (reader->terminals) terminal = terminals[t];
        if (terminal.node == UINT32_MAX) REFUSE("terminal number %" PRIu32 " has no edge", t);
        status = draft_add_terminal(draft, terminal, reader->error);
    }
    return status;
}

static enum anl_status read_edges(struct reader *reader)
{
    struct draft_terminal *terminals = malloc((reader->terminals + 1) * sizeof *terminals);
    if (!terminals) return no_memory(reader);
    memset(terminals, 0xff, (reader->terminals + 1) * sizeof *terminals);
    enum anl_status status = list_edges(reader);
    for (size_t i = 0; !status && i < reader->num_edges; i++)
        status = read_edge(reader, reader->edges[i], terminals);
    if (!status) status = add_terminals(reader, terminals);
    free(terminals);
    free(reader->edges);
    return status;
}

// --- ports by order ---

// All ports must have numbers, or none: numbers by order could be those of others.
static enum anl_status check_ports(struct reader *reader, bool *by_order)
{
    const struct draft *draft = reader->draft;
    size_t numbered = 0, all = 2 * draft->num_links + draft->num_terminals;
    for (size_t i = 0; i < draft->num_links; i++)
        for (int e = 0; e < 2; e++)
            numbered += draft->links[i].port[e] != DRAFT_BY_ORDER;
    for (size_t i = 0; i < draft->num_terminals; i++)
        numbered += draft->terminals[i].port != DRAFT_BY_ORDER;
    if (numbered != 0 && numbered != all)
        REFUSE("found %zu ends of edges with a port and %zu without, expected all or none",
               numbered, all - numbered);
    *by_order = numbered == 0;
    return ANL_OK;
}

static uint32_t lowest(const struct draft_link *link)
{
    return link->node[link->node[0] > link->node[1]];
}

static uint32_t highest(const struct draft_link *link)
{
    return link->node[link->node[0] <= link->node[1]];
}

static int by_nodes(const void *a, const void *b)
{
    const struct draft_link *const *x = a, *const *y = b;
    if (lowest(*x) != lowest(*y)) return lowest(*x) < lowest(*y) ? -1 : 1;
    if (highest(*x) != highest(*y)) return highest(*x) < highest(*y) ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

static bool is_forward(const struct draft_link *link) { return link->node[0] < link->node[1]; }

// Returns the position of the next one-way link in a direction.
static size_t next_one(struct draft_link **links, size_t at, size_t count, bool forward)
{
    while (at < count && (links[at]->both || is_forward(links[at]) != forward))
        at++;
    return at;
}

// Of links between the same two switches, in the order of the text, the first one there and the
// first one back become a pair, and so on; the later one of the two is marked by its line.
static void pair_up(struct draft_link **links, size_t count)
{
    if (links[0]->node[0] == links[0]->node[1]) return;
    size_t there = next_one(links, 0, count, true), back = next_one(links, 0, count, false);
    while (there < count && back < count) {
        links[there < back ? there : back]->both = true;
        links[there < back ? back : there]->line = 1;
        there = next_one(links, there + 1, count, true);
        back = next_one(links, back + 1, count, false);
    }
}

static void drop_marked(struct draft *draft)
{
    size_t kept = 0;
    for (size_t i = 0; i < draft->num_links; i++)
        if (!draft->links[i].line) draft->links[kept++] = draft->links[i];
    draft->num_links = kept;
}

// In a directed graph without ports, an edge there and one back are a pair of opposite links.
static enum anl_status pair_opposites(struct reader *reader)
{
    struct draft *draft = reader->draft;
    struct draft_link **links = malloc((draft->num_links + 1) * sizeof *links);
    if (!links) return no_memory(reader);
    for (size_t i = 0; i < draft->num_links; i++)
        links[i] = &draft->links[i];
    qsort(links, draft->num_links, sizeof *links, by_nodes);
    for (size_t first = 0, i = 1; i <= draft->num_links; i++) {
        const bool same = i < draft->num_links && lowest(links[i]) == lowest(links[first]) &&
                          highest(links[i]) == highest(links[first]);
        if (same) continue;
        pair_up(&links[first], i - first);
        first = i;
    }
    free(links);
    drop_marked(draft);
    return ANL_OK;
}

// --- the file ---

// What cgraph has said, in pieces, of the first error.
static char complaint[512];

static int note(char *piece)
{
    if (!strchr(complaint, '\n')) text_append(complaint, sizeof complaint, "%s", piece);
    return 0;
}

static enum anl_status refuse_text(struct reader *reader)
{
    uint64_t line = 0;
    complaint[strcspn(complaint, "\n")] = '\0';
    const char *found = strstr(complaint, "in line "), *near = found ? strstr(found, "near") : NULL;
    if (found) sscanf(found, "in line %" SCNu64, &line);
    return anl_fail(reader->error, ANL_ERR_FORMAT, reader->draft->file, line,
                    "is no graph in the language DOT%s%s", near ? ": syntax error " : "",
                    near ? import_shown(near).text : "");
}

static enum anl_status read_graph(struct reader *reader)
{
    bool by_order = false;
    enum anl_status status = give_meanings(reader);
    if (!status && !number_by_names(reader)) status = copy_names(reader);
    if (!status) status = read_edges(reader);
    if (!status) status = check_ports(reader, &by_order);
    if (!status && by_order) status = pair_opposites(reader);
    return status;
}

enum anl_status dot_read(const char *path, struct draft *draft, struct anl_error *error)
{
    struct reader reader = {.draft = draft, .error = error};
    draft->file = path;
    FILE *file = anl_input_open(path);
    if (!file) return anl_fail(error, ANL_ERR_IO, path, 0, "cannot read: %s", strerror(errno));
    agseterrf(note);
    reader.graph = agread(file, NULL);
    const bool failed = ferror(file);
    fclose(file);
    if (failed) return anl_fail(error, ANL_ERR_IO, path, 0, "cannot read: %s", strerror(errno));
    if (!reader.graph || agerrors() || complaint[0]) return refuse_text(&reader);
    const enum anl_status status = read_graph(&reader);
    agclose(reader.graph);
    return status;
}
