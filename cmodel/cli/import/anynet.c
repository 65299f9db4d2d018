// SPDX-License-Identifier: Apache-2.0
//
// Reads the format of BookSim2's topology anynet. A line names a router or a node, and then the
// routers and nodes that it is connected to, both ways: "router 0 node 0 router 1". A connection
// may be said again; a number behind a router is the latency of the channel to it. Ports are
// numbered as in BookSim2: first those of nodes, then those to routers, by their numbers.

#include "import.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum kind { ROUTER, NODE };

struct reader {
    struct draft *draft;
    struct anl_error *error;
    uint64_t line;
    char *at;  // the rest of the line
    bool router_is_named[ANL_MAX_GRAPH_SWITCHES];
    uint64_t last_line;                      // that names the router with the highest number
    uint32_t home[ANL_MAX_GRAPH_TERMINALS];  // router of each node; ANL_NO_PORT: none yet
    uint64_t home_line[ANL_MAX_GRAPH_TERMINALS];
    bool said[2][ANL_MAX_GRAPH_TERMINALS];  // by the router, by the node
    uint32_t nodes;                         // one more than the highest number
    uint64_t latencies;                     // channels with another latency than one cycle
    uint64_t repeated;                      // connections that the same end has said before
};

#define REFUSE(...)                                                                                \
    return anl_fail(reader->error, ANL_ERR_FORMAT, reader->draft->file, reader->line, __VA_ARGS__)

static const char *name_of(enum kind kind) { return kind == ROUTER ? "router" : "node"; }

// --- words ---

// Returns the next word of the line, terminated; NULL at its end.
static char *next_word(struct reader *reader)
{
    static const char blanks[] = " \t";
    char *word = reader->at + strspn(reader->at, blanks);
    if (!*word) return NULL;
    reader->at = word + strcspn(word, blanks);
    if (*reader->at) *reader->at++ = '\0';
    return word;
}

static bool is_number(const char *word)
{
    return word[0] && strlen(word) <= 9 && strspn(word, "0123456789") == strlen(word);
}

// Reads "router" or "node" and its number; word is the first of the two.
static enum anl_status read_place(struct reader *reader, const char *word, enum kind *kind,
                                  uint32_t *number)
{
    if (strcasecmp(word, "router") != 0 && strcasecmp(word, "node") != 0)
        REFUSE("found '%s', expected router or node", import_shown(word).text);
    *kind = strcasecmp(word, "router") == 0 ? ROUTER : NODE;
    const uint32_t limit = *kind == ROUTER ? ANL_MAX_GRAPH_SWITCHES : ANL_MAX_GRAPH_TERMINALS;
    const char *text = next_word(reader);
    if (!text || !is_number(text) || strtoul(text, NULL, 10) >= limit)
        REFUSE("%s: found %s%s%s, expected a number 0..%" PRIu32, name_of(*kind), text ? "'" : "",
               import_shown(text ? text : "nothing").text, text ? "'" : "", limit - 1);
    *number = (uint32_t)strtoul(text, NULL, 10);
    return ANL_OK;
}

// --- connections ---

static void name_router(struct reader *reader, uint32_t router)
{
    reader->router_is_named[router] = true;
    if (reader->draft->switches > router) return;
    reader->draft->switches = router + 1;
    reader->last_line = reader->line;
}

static enum anl_status attach(struct reader *reader, uint32_t node, uint32_t router, enum kind by)
{
    name_router(reader, router);
    if (reader->home[node] != ANL_NO_PORT && reader->home[node] != router)
        REFUSE("node %" PRIu32 " is connected to router %" PRIu32 ", expected to router %" PRIu32
               " alone, as line %" PRIu64 " says",
               node, router, reader->home[node], reader->home_line[node]);
    reader->home[node] = router;
    reader->home_line[node] = reader->line;
    reader->repeated += reader->said[by][node];
    reader->said[by][node] = true;
    if (reader->nodes <= node) reader->nodes = node + 1;
    return ANL_OK;
}

static enum anl_status link_routers(struct reader *reader, uint32_t a, uint32_t b)
{
    name_router(reader, a);
    name_router(reader, b);
    if (a == b) REFUSE("router %" PRIu32 " is connected to itself, expected another one", a);
    const struct draft_link link = {.node = {a < b ? a : b, a < b ? b : a},
                                    .port = {a},  // the end that says it, until ports have numbers
                                    .both = true,
                                    .line = reader->line};
    return draft_add_link(reader->draft, link, reader->error);
}

static enum anl_status connect(struct reader *reader, enum kind from, uint32_t a, enum kind to,
                               uint32_t b)
{
    if (from == ROUTER && to == ROUTER) return link_routers(reader, a, b);
    if (from == NODE && to == NODE)
        REFUSE("node %" PRIu32 " is connected to node %" PRIu32 ", expected a router", a, b);
    return from == NODE ? attach(reader, a, b, from) : attach(reader, b, a, from);
}

static enum anl_status read_line(struct reader *reader)
{
    enum kind head, kind;
    uint32_t first, number;
    const char *word = next_word(reader);
    if (!word) return ANL_OK;
    enum anl_status status = read_place(reader, word, &head, &first);
    if (!status && head == ROUTER) name_router(reader, first);
    while (!status && (word = next_word(reader))) {
        status = read_place(reader, word, &kind, &number);
        if (!status) status = connect(reader, head, first, kind, number);
        const char *behind = reader->at + strspn(reader->at, " \t");
        if (status || *behind < '0' || *behind > '9') continue;
        const char *latency = next_word(reader);
        if (!is_number(latency))
            REFUSE("found '%s', expected a latency in cycles", import_shown(latency).text);
        reader->latencies += strtoul(latency, NULL, 10) != 1;
    }
    return status;
}

// --- all of it ---

static int by_ends(const void *a, const void *b)
{
    const struct draft_link *x = a, *y = b;
    if (x->node[0] != y->node[0]) return x->node[0] < y->node[0] ? -1 : 1;
    if (x->node[1] != y->node[1]) return x->node[1] < y->node[1] ? -1 : 1;
    if (x->port[0] != y->port[0]) return x->port[0] < y->port[0] ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static bool is_between(const struct draft_link *a, const struct draft_link *b)
{
    return a->node[0] == b->node[0] && a->node[1] == b->node[1];
}

// Keeps one link of those that join the same routers. Each of the two may say it once.
static void drop_repeated(struct reader *reader)
{
    struct draft *draft = reader->draft;
    size_t kept = 0;
    uint32_t said_by = 0;
    if (draft->num_links) qsort(draft->links, draft->num_links, sizeof *draft->links, by_ends);
    for (size_t i = 0; i < draft->num_links; i++) {
        const struct draft_link link = draft->links[i];
        const bool again = kept && is_between(&link, &draft->links[kept - 1]);
        reader->repeated += again && link.port[0] == said_by;
        said_by = link.port[0];
        if (!again) draft->links[kept++] = link;
    }
    draft->num_links = kept;
}

// Numbers the ports behind those of terminals. Links are in order, so of each router first those
// to lower ones get their numbers, then those to higher ones, both by these.
static void number_links(struct draft *draft, uint32_t *next)
{
    for (int e = 1; e >= 0; e--)
        for (size_t i = 0; i < draft->num_links; i++) {
            struct draft_link *link = &draft->links[i];
            link->port[e] = next[link->node[e]]++;
        }
}

static enum anl_status number_ports(struct reader *reader)
{
    struct draft *draft = reader->draft;
    uint32_t *next = calloc(draft->switches + 1, sizeof *next);
    if (!next) return anl_fail(reader->error, ANL_ERR_MEMORY, draft->file, 0, "no memory");
    enum anl_status status = ANL_OK;
    for (uint32_t node = 0; !status && node < reader->nodes; node++) {
        const uint32_t home = reader->home[node];
        status = draft_add_terminal(
            draft, (struct draft_terminal){home, next[home]++, reader->home_line[node]},
            reader->error);
    }
    number_links(draft, next);
    free(next);
    return status;
}

static enum anl_status check_numbers(struct reader *reader)
{
    reader->line = reader->last_line;
    for (uint32_t r = 0; r < reader->draft->switches; r++)
        if (!reader->router_is_named[r])
            REFUSE("there is no router %" PRIu32 ", expected routers 0 to %" PRIu32, r,
                   reader->draft->switches - 1);
    reader->line = reader->nodes ? reader->home_line[reader->nodes - 1] : 0;
    for (uint32_t node = 0; node < reader->nodes; node++)
        if (reader->home[node] == ANL_NO_PORT)
            REFUSE("there is no node %" PRIu32 ", expected nodes 0 to %" PRIu32, node,
                   reader->nodes - 1);
    if (!reader->nodes) REFUSE("found no node, expected at least one");
    return ANL_OK;
}

static enum anl_status read_text(struct reader *reader, char *text)
{
    enum anl_status status = ANL_OK;
    while (!status && *text) {
        char *end = text + strcspn(text, "\n");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        reader->at = text;
        reader->line++;
        status = read_line(reader);
        text = next;
    }
    if (!status) status = check_numbers(reader);
    if (status) return status;
    drop_repeated(reader);
    return number_ports(reader);
}

enum anl_status anynet_read(const char *path, struct draft *draft, struct anl_error *error)
{
    char *text = NULL;
    draft->file = path;
    struct reader *reader = calloc(1, sizeof *reader);
    if (!reader) return anl_fail(error, ANL_ERR_MEMORY, path, 0, "no memory");
    memset(reader->home, 0xff, sizeof reader->home);
    reader->draft = draft;
    reader->error = error;
    enum anl_status status = csv_lines(path, &text, error);
    if (!status) status = read_text(reader, text);
    leave_out(&draft->left_out, reader->latencies, "latency (links take one cycle)",
              "latencies (links take one cycle)");
    leave_out(&draft->left_out, reader->repeated, "connection that is said again",
              "connections that are said again");
    free(text);
    free(reader);
    return status;
}
