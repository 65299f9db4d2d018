// SPDX-License-Identifier: Apache-2.0

#include "import.h"

#include <inttypes.h>
#include <stdlib.h>

#define REFUSE(line, ...) return anl_fail(error, ANL_ERR_FORMAT, draft->file, line, __VA_ARGS__)

static enum anl_status no_memory(const struct draft *draft, struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_MEMORY, draft->file, 0, "no memory for the network");
}

struct shown import_shown(const char *text)
{
    struct shown shown;
    snprintf(shown.text, sizeof shown.text, "%s", text);
    for (char *c = shown.text; *c; c++)
        if (*c < ' ' || *c > '~') *c = '?';
    return shown;
}

enum anl_status draft_add_link(struct draft *draft, struct draft_link link, struct anl_error *error)
{
    void *links = gather_room(draft->links, draft->num_links, &draft->links_size, sizeof link);
    if (!links) return no_memory(draft, error);
    draft->links = links;
    draft->links[draft->num_links++] = link;
    return ANL_OK;
}

enum anl_status draft_add_terminal(struct draft *draft, struct draft_terminal terminal,
                                   struct anl_error *error)
{
    void *terminals = gather_room(draft->terminals, draft->num_terminals, &draft->terminals_size,
                                  sizeof terminal);
    if (!terminals) return no_memory(draft, error);
    draft->terminals = terminals;
    draft->terminals[draft->num_terminals++] = terminal;
    return ANL_OK;
}

void draft_free(struct draft *draft)
{
    free(draft->names);
    free(draft->links);
    free(draft->terminals);
    *draft = (struct draft){0};
}

// --- ports ---

// Gives a port its number; *ports becomes at least one more. next[] is the first free port of each
// switch by order.
static enum anl_status number(const struct draft *draft, uint32_t node, uint32_t *port,
                              uint64_t line, uint32_t *next, uint32_t *ports,
                              struct anl_error *error)
{
    if (*port == DRAFT_BY_ORDER) *port = next[node]++;
    if (*port >= ANL_MAX_PORTS)
        REFUSE(line, "switch %" PRIu32 "%s%s has more than %d ports", node,
               draft->names ? ", " : "", draft->names ? draft->names[node] : "", ANL_MAX_PORTS);
    if (*ports <= *port) *ports = *port + 1;
    return ANL_OK;
}

static enum anl_status number_all(struct draft *draft, uint32_t *next, uint32_t *ports,
                                  struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; !status && i < draft->num_links; i++)
        for (int e = 0; !status && e < 2; e++) {
            struct draft_link *link = &draft->links[i];
            status = number(draft, link->node[e], &link->port[e], link->line, next, ports, error);
        }
    for (size_t i = 0; !status && i < draft->num_terminals; i++) {
        struct draft_terminal *terminal = &draft->terminals[i];
        status = number(draft, terminal->node, &terminal->port, terminal->line, next, ports, error);
    }
    return status;
}

// --- the graph ---

// Gives an error of the library, which knows no file, its place.
static enum anl_status at(const struct draft *draft, uint64_t line, enum anl_status status,
                          struct anl_error *error)
{
    if (!status) return ANL_OK;
    char text[sizeof error->text];
    snprintf(text, sizeof text, "%s", error->text);
    return anl_fail(error, status == ANL_ERR_MEMORY ? status : ANL_ERR_FORMAT, draft->file, line,
                    "%s", text);
}

static enum anl_status wire(const struct draft *draft, struct anl_graph *graph,
                            struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; !status && i < draft->num_links; i++) {
        const struct draft_link *link = &draft->links[i];
        const uint32_t from = link->node[0] * graph->ports + link->port[0];
        const uint32_t to = link->node[1] * graph->ports + link->port[1];
        status = anl_graph_link(graph, from, to, error);
        if (!status && link->both && from != to) status = anl_graph_link(graph, to, from, error);
        status = at(draft, link->line, status, error);
    }
    for (size_t i = 0; !status && i < draft->num_terminals; i++) {
        const struct draft_terminal *terminal = &draft->terminals[i];
        const uint32_t port = terminal->node * graph->ports + terminal->port;
        status =
            at(draft, terminal->line, anl_graph_attach(graph, (uint32_t)i, port, error), error);
    }
    return status;
}

enum anl_status draft_make(struct draft *draft, struct anl_graph **graph, struct anl_error *error)
{
    uint32_t ports = 1, *next = calloc(draft->switches + 1, sizeof *next);
    *graph = NULL;
    if (!next) return no_memory(draft, error);
    enum anl_status status = number_all(draft, next, &ports, error);
    free(next);
    if (status) return status;
    status = anl_graph_create(draft->switches, ports, (uint32_t)draft->num_terminals, graph, error);
    if (status) return at(draft, 0, status, error);
    (*graph)->names = draft->names;
    draft->names = NULL;
    status = wire(draft, *graph, error);
    if (!status) status = at(draft, 0, anl_graph_route(*graph, ANL_SHORTEST, 1, error), error);
    if (!status) return ANL_OK;
    anl_graph_destroy(*graph);
    *graph = NULL;
    return status;
}
