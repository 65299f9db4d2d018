// SPDX-License-Identifier: Apache-2.0
//
// Reads a graph in the language DOT by Graphviz's library cgraph, which has one global state and
// may crash or fill the memory on hostile files: cmd_import.c runs it in a process of its own.

#include "import.h"

#include <graphviz/cgraph.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { SWITCH, TERMINAL, NUM_KINDS };

struct reader {
    struct draft *draft;
    struct anl_error *error;
    Agraph_t *graph;
    Agiodisc_t input;  // how the text of the graph is read
    uint32_t terminals;
    Agedge_t **edges;  // in the order of the text
    size_t num_edges, edges_size;
    // Ends of edges at switches, with a port in the file and without one.
    size_t with_port, without_port;
    Agedge_t *bare;  // the first edge with an end without one
};

// Where a terminal is. Its edges may be one each way.
struct home {
    uint32_t node, port;  // node UINT32_MAX: no edge was read
    bool to, from;        // the switch
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
    if (length == 0 || strspn(text, "0123456789") != length) return false;
    const unsigned long long value = strtoull(text, NULL, 10);  // the largest if it is larger
    *number = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    return length == 1 || text[0] != '0';
}

static bool is_one_of(const char *text, const char *a, const char *b)
{
    return strcasecmp(text, a) == 0 || strcasecmp(text, b) == 0;
}

static bool is_terminal(Agnode_t *node)
{
    return is_one_of(attribute(node, "type"), "terminal", "host");
}

static bool has_other_type(Agnode_t *node)
{
    const char *type = attribute(node, "type");
    return *type && !is_terminal(node) && !is_one_of(type, "switch", "router");
}

// Says which nodes are switches because their type is not known.
static void note_other_types(const struct reader *reader)
{
    size_t count = 0;
    const char *type = "";
    for (Agnode_t *n = agfstnode(reader->graph); n; n = agnxtnode(reader->graph, n)) {
        if (!has_other_type(n)) continue;
        if (!count++) type = attribute(n, "type");
    }
    if (count)
        fprintf(stderr,
                "annelid: %s: %zu node%s with a type that is none of terminal, host, switch and "
                "router (such as '%s') %s read as switch%s\n",
                reader->draft->file, count, plural(count), import_shown(type).text,
                count == 1 ? "is" : "are", count == 1 ? "" : "es");
}

static enum anl_status give_meanings(struct reader *reader)
{
    static char record[] = "meaning";
    struct draft *draft = reader->draft;
    for (Agnode_t *node = agfstnode(reader->graph); node; node = agnxtnode(reader->graph, node)) {
        struct meaning *meaning = agbindrec(node, record, sizeof *meaning, 0);
        if (!meaning) return no_memory(reader);
        const bool terminal = is_terminal(node);
        meaning->kind = terminal ? TERMINAL : SWITCH;
        meaning->number = terminal ? reader->terminals++ : draft->switches++;
    }
    note_other_types(reader);
    if (draft->switches == 0) REFUSE("found no node that is a switch, expected at least one");
    if (draft->switches > ANL_MAX_GRAPH_SWITCHES)
        REFUSE("found %" PRIu32 " switches, expected at most %d", draft->switches,
               ANL_MAX_GRAPH_SWITCHES);
    return ANL_OK;
}

// Returns the next node of a kind behind a node; the first one behind NULL.
static Agnode_t *next_of(struct reader *reader, uint32_t kind, Agnode_t *node)
{
    do
        node = node ? agnxtnode(reader->graph, node) : agfstnode(reader->graph);
    while (node && meaning_of(node)->kind != kind);
    return node;
}

// Reads the number that is a node's name; that of a terminal may be as `annelid describe` writes
// it.
static bool number_in_name(Agnode_t *node, uint32_t *number)
{
    static const char word[] = "terminal ";
    const char *name = agnameof(node);
    const bool behind_word = strncmp(name, word, strlen(word)) == 0;
    const bool may = behind_word && meaning_of(node)->kind == TERMINAL;
    return is_decimal(may ? name + strlen(word) : name, number);
}

// If the names of the nodes of a kind are 0 to count - 1, they are their numbers. Returns whether
// they are.
static bool number_by_names(struct reader *reader, uint32_t kind, uint32_t count)
{
    bool *seen = calloc(count + 1, sizeof *seen), fits = seen != NULL;
    uint32_t number;
    for (Agnode_t *n = NULL; fits && (n = next_of(reader, kind, n));) {
        fits = number_in_name(n, &number) && number < count && !seen[number];
        if (fits) seen[number] = true;
    }
    for (Agnode_t *n = NULL; fits && (n = next_of(reader, kind, n));)
        if (number_in_name(n, &number)) meaning_of(n)->number = number;
    free(seen);
    return fits;
}

// Says which nodes the first numbers of a kind are, where names do not.
static void note_numbers(struct reader *reader, uint32_t kind, const char *why)
{
    static const char *const words[NUM_KINDS] = {"switch", "terminal"};
    enum { MOST = 4 };
    char text[320] = "";
    Agnode_t *node = next_of(reader, kind, NULL);
    for (uint32_t i = 0; node && i < MOST; i++, node = next_of(reader, kind, node))
        text_append(text, sizeof text, "%s%s %" PRIu32 " is '%s'", i ? ", " : "", words[kind], i,
                    shown(node).text);
    fprintf(stderr, "annelid: %s: %s: %s%s\n", reader->draft->file, why, text,
            node ? " and so on" : "");
}

// Terminals keep no names, so it must be said if a number in them is not the terminal's.
static void number_terminals(struct reader *reader)
{
    if (number_by_names(reader, TERMINAL, reader->terminals)) return;
    for (Agnode_t *n = NULL; (n = next_of(reader, TERMINAL, n));) {
        const char *name = agnameof(n), *digits = name + strlen(name);
        while (digits > name && digits[-1] >= '0' && digits[-1] <= '9')
            digits--;
        if (!*digits || strtoul(digits, NULL, 10) == meaning_of(n)->number) continue;
        note_numbers(reader, TERMINAL, "terminals have the numbers of their order");
        return;
    }
}

// Copies the names of the switches, unless one of them cannot be a name.
static enum anl_status copy_names(struct reader *reader)
{
    struct draft *draft = reader->draft;
    Agnode_t *bad = NULL;
    char why[160];
    draft->names = calloc(draft->switches, sizeof *draft->names);
    if (!draft->names) return no_memory(reader);
    for (Agnode_t *n = NULL; !bad && (n = next_of(reader, SWITCH, n));) {
        const char *name = agnameof(n);
        if (anl_graph_is_name(name, strlen(name)))
            snprintf(draft->names[meaning_of(n)->number], ANL_GRAPH_NAME_BYTES, "%s", name);
        else
            bad = n;
    }
    if (!bad) return ANL_OK;
    free(draft->names);
    draft->names = NULL;
    snprintf(why, sizeof why,
             "'%s' is no name (a letter, then letters, digits, _ and -, at most %d), so switches "
             "have the numbers of their order",
             shown(bad).text, ANL_GRAPH_NAME_BYTES - 1);
    note_numbers(reader, SWITCH, why);
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
    const bool is = is_decimal(label, port);
    *(is ? &reader->with_port : &reader->without_port) += 1;
    if (!is && !reader->bare) reader->bare = edge;
    if (!is || *port < ANL_MAX_PORTS) return ANL_OK;
    REFUSE("edge %s - %s: %s is %s, expected a port 0..%d", shown(agtail(edge)).text,
           shown(aghead(edge)).text, end, import_shown(label).text, ANL_MAX_PORTS - 1);
}

static bool is_dir(const char *value)
{
    return is_one_of(value, "both", "none") || is_one_of(value, "forward", "back");
}

// Says which ways an edge leads: as it is written, and back.
static void read_ways(struct reader *reader, Agedge_t *edge, bool *there, bool *back)
{
    const char *dir = attribute(edge, "dir");
    const bool both = is_dir(dir) ? is_one_of(dir, "both", "none") : agisundirected(reader->graph);
    *back = both || strcasecmp(dir, "back") == 0;
    *there = both || !*back;
}

// Adds an edge to what is known of the place of its terminal.
static enum anl_status go_home(struct reader *reader, Agnode_t *terminal, Agnode_t *to,
                               struct home *home, const struct home *edge)
{
    if (home->node == UINT32_MAX) *home = (struct home){.node = edge->node, .port = edge->port};
    if (home->node != edge->node)
        REFUSE("terminal %s has edges to two switches, the second one is %s; expected one",
               shown(terminal).text, shown(to).text);
    if ((home->to && edge->to) || (home->from && edge->from))
        REFUSE("terminal %s has two edges, expected one, or one there and one back",
               shown(terminal).text);
    if (home->port != edge->port)
        REFUSE("terminal %s has two ports of switch %s, expected one", shown(terminal).text,
               shown(to).text);
    home->to |= edge->to;
    home->from |= edge->from;
    return ANL_OK;
}

static enum anl_status read_terminal(struct reader *reader, Agedge_t *edge, struct home *homes)
{
    const bool tail = meaning_of(agtail(edge))->kind == TERMINAL;
    Agnode_t *terminal = tail ? agtail(edge) : aghead(edge);
    Agnode_t *to = tail ? aghead(edge) : agtail(edge);
    struct home one = {.node = meaning_of(to)->number};
    if (meaning_of(to)->kind == TERMINAL)
        REFUSE("terminal %s is joined to terminal %s, expected a switch", shown(terminal).text,
               shown(to).text);
    read_ways(reader, edge, tail ? &one.to : &one.from, tail ? &one.from : &one.to);
    const enum anl_status status =
        read_port(reader, edge, tail ? "headlabel" : "taillabel", &one.port);
    return status ? status
                  : go_home(reader, terminal, to, &homes[meaning_of(terminal)->number], &one);
}

static enum anl_status read_edge(struct reader *reader, Agedge_t *edge, struct home *homes)
{
    const struct meaning *tail = meaning_of(agtail(edge)), *head = meaning_of(aghead(edge));
    bool there, back;
    if (tail->kind == TERMINAL || head->kind == TERMINAL) return read_terminal(reader, edge, homes);
    read_ways(reader, edge, &there, &back);
    struct draft_link link = {
        .node = {(there ? tail : head)->number, (there ? head : tail)->number},
        .both = there && back};
    enum anl_status status = read_port(reader, edge, "taillabel", &link.port[!there]);
    if (!status) status = read_port(reader, edge, "headlabel", &link.port[there]);
    return status ? status : draft_add_link(reader->draft, link, reader->error);
}

static Agnode_t *numbered(struct reader *reader, uint32_t kind, uint32_t number)
{
    Agnode_t *node = next_of(reader, kind, NULL);
    while (meaning_of(node)->number != number)
        node = next_of(reader, kind, node);
    return node;
}

// Without terminals in the file each switch gets one.
static enum anl_status add_terminals(struct reader *reader, const struct home *homes)
{
    struct draft *draft = reader->draft;
    draft->added = reader->terminals == 0;
    const uint32_t count = draft->added ? draft->switches : reader->terminals;
    enum anl_status status = ANL_OK;
    for (uint32_t t = 0; !status && t < count; t++) {
        const struct home home =
            draft->added ? (struct home){.node = t, .port = DRAFT_BY_ORDER} : homes[t];
        if (home.node == UINT32_MAX)
            REFUSE("terminal %s has no edge, expected one to a switch",
                   shown(numbered(reader, TERMINAL, t)).text);
        status = draft_add_terminal(
            draft, (struct draft_terminal){.node = home.node, .port = home.port}, reader->error);
    }
    return status;
}

static enum anl_status read_edges(struct reader *reader)
{
    struct home *homes = malloc((reader->terminals + 1) * sizeof *homes);
    if (!homes) return no_memory(reader);
    for (uint32_t t = 0; t < reader->terminals; t++)
        homes[t] = (struct home){.node = UINT32_MAX};
    enum anl_status status = list_edges(reader);
    for (size_t i = 0; !status && i < reader->num_edges; i++)
        status = read_edge(reader, reader->edges[i], homes);
    if (!status) status = add_terminals(reader, homes);
    free(homes);
    free(reader->edges);
    return status;
}

// --- ports by order ---

// All ends at switches must have ports, or none: numbers by order could be those of others.
// Terminals that the file does not have are at free ports.
static enum anl_status check_ports(struct reader *reader)
{
    if (!reader->with_port || !reader->without_port) return ANL_OK;
    REFUSE("found %zu end%s of edges at switches with a port and %zu without (the first one is of "
           "edge %s - %s), expected all or none",
           reader->with_port, plural(reader->with_port), reader->without_port,
           shown(agtail(reader->bare)).text, shown(aghead(reader->bare)).text);
}

// Reads how many ports each switch has, if the graph says so.
static enum anl_status read_ports(struct reader *reader)
{
    const char *text = attribute(reader->graph, "ports");
    struct draft *draft = reader->draft;
    if (!is_decimal(text, &draft->ports)) return ANL_OK;
    if (draft->ports < 1 || draft->ports > ANL_MAX_PORTS)
        REFUSE("ports is %s, expected 1..%d", import_shown(text).text, ANL_MAX_PORTS);
    for (size_t i = 0; i < 2 * draft->num_links + draft->num_terminals; i++) {
        const size_t ends = 2 * draft->num_links;
        const uint32_t port =
            i < ends ? draft->links[i / 2].port[i % 2] : draft->terminals[i - ends].port;
        if (port != DRAFT_BY_ORDER && port >= draft->ports)
            REFUSE("found port %" PRIu32 " of a switch, expected 0..%" PRIu32
                   ", for ports of the graph is %" PRIu32,
                   port, draft->ports - 1, draft->ports);
    }
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

// --- what is left out ---

static bool is_read(int kind, const char *name, const char *value)
{
    uint32_t number;
    if (kind == AGNODE) return strcmp(name, "type") == 0;
    if (kind == AGRAPH) return strcmp(name, "ports") == 0 && is_decimal(value, &number);
    if (strcmp(name, "dir") == 0) return is_dir(value);
    return is_one_of(name, "taillabel", "headlabel") && is_decimal(value, &number);
}

struct left {
    uint64_t count, here;  // values of attributes: all of them, and those of the attribute here
    char names[160];
};

static void leave(struct left *left, int kind, void *object, Agsym_t *attribute)
{
    const char *value = agxget(object, attribute);
    if (value && *value && !is_read(kind, attribute->name, value)) left->here++;
}

// Counts the values of an attribute of all objects of a kind.
static void leave_values(struct reader *reader, struct left *left, int kind, Agsym_t *attribute)
{
    static const char *const of[] = {[AGRAPH] = "graph", [AGNODE] = "nodes", [AGEDGE] = "edges"};
    left->here = 0;
    if (kind == AGRAPH) leave(left, kind, reader->graph, attribute);
    for (Agnode_t *n = agfstnode(reader->graph); n && kind != AGRAPH;
         n = agnxtnode(reader->graph, n)) {
        if (kind == AGNODE) leave(left, kind, n, attribute);
        for (Agedge_t *e = agfstout(reader->graph, n); e && kind == AGEDGE;
             e = agnxtout(reader->graph, e))
            leave(left, kind, e, attribute);
    }
    if (left->here)
        text_append(left->names, sizeof left->names, "%s%s of %s", left->count ? ", " : "",
                    import_shown(attribute->name).text, of[kind]);
    left->count += left->here;
}

// Notes the attributes that say nothing here, such as colours.
static void leave_attributes(struct reader *reader)
{
    struct left left = {0};
    char one[192], many[192];
    for (int kind = AGRAPH; kind <= AGEDGE; kind++)
        for (Agsym_t *a = NULL; (a = agnxtattr(reader->graph, kind, a));)
            leave_values(reader, &left, kind, a);
    snprintf(one, sizeof one, "attribute (%s)", left.names);
    snprintf(many, sizeof many, "attributes (%s)", left.names);
    leave_out(&reader->draft->left_out, left.count, one, many);
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
    enum anl_status status = give_meanings(reader);
    if (!status) number_terminals(reader);
    if (!status && !number_by_names(reader, SWITCH, reader->draft->switches))
        status = copy_names(reader);
    if (!status) status = read_edges(reader);
    if (!status) status = check_ports(reader);
    if (!status) status = read_ports(reader);
    if (!status && !reader->with_port) status = pair_opposites(reader);
    if (!status) leave_attributes(reader);
    return status;
}

// Returns what stands behind the first string, comment or other byte of a text that is not empty.
static const char *behind(const char *at)
{
    if (at[0] == '/' && at[1] == '/') return at + strcspn(at, "\n");
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (*at == '<') {
        size_t depth = 1;
        for (at++; *at && depth; at++)
            depth += (size_t)(*at == '<') - (size_t)(*at == '>');
        return at;
    }
    if (*at++ != '"') return at;
    while (*at && *at != '"')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at + 1 : at;
}

// A text that is handed out to the library, each time to the next brace that may close the graph,
// so that nothing behind the graph is read. Newer versions would not say that there is more.
struct source {
    const char *at, *piece;  // the next byte, and where the piece ends
};

static int hand_out(void *place, char *bytes, int size)
{
    struct source *source = place;
    if (source->at == source->piece) {
        while (*source->piece && *source->piece != '}')
            source->piece = behind(source->piece);
        source->piece += *source->piece == '}';
    }
    size_t count = (size_t)(source->piece - source->at);
    if (count > (size_t)size) count = (size_t)size;
    memcpy(bytes, source->at, count);
    source->at += count;
    return (int)count;
}

// Nothing but blanks and comments may stand behind the graph.
static enum anl_status check_end(struct reader *reader, const char *text, const char *at)
{
    for (;; at = behind(at)) {
        at += strspn(at, " \t\n\v\f\r");
        if (*at == '#') at += strcspn(at, "\n");
        if (at[0] != '\n' && (at[0] != '/' || (at[1] != '/' && at[1] != '*'))) break;
    }
    if (!*at) return ANL_OK;
    uint64_t line = 1;
    while (text < at)
        line += *text++ == '\n';
    char word[24];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " \t\n"), at);
    return anl_fail(reader->error, ANL_ERR_FORMAT, reader->draft->file, line,
                    "found '%s' behind the graph, expected one graph in a file",
                    import_shown(word).text);
}

// Reads the one graph of a text.
static enum anl_status parse(struct reader *reader, const char *text)
{
    struct source source = {text, text};
    Agdisc_t services = AgDefaultDisc;
    reader->input = AgIoDisc;
    reader->input.afread = hand_out;
    services.io = &reader->input;
    agseterrf(note);
    reader->graph = agread(&source, &services);
    if (!reader->graph || agerrors() || complaint[0]) return refuse_text(reader);
    return check_end(reader, text, source.at);
}

enum anl_status dot_read(const char *path, struct draft *draft, struct anl_error *error)
{
    struct reader reader = {.draft = draft, .error = error};
    char *text = NULL;
    draft->file = path;
    enum anl_status status = csv_lines(path, &text, error);
    if (!status) status = parse(&reader, text);
    free(text);
    if (!status) status = read_graph(&reader);
    if (reader.graph) agclose(reader.graph);
    return status;
}
