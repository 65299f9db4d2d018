// SPDX-License-Identifier: Apache-2.0

#include "import.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define REFUSE(line, ...) return anl_fail(error, ANL_ERR_FORMAT, draft->file, line, __VA_ARGS__)

static enum anl_status no_memory(const struct draft *draft, struct anl_error *error)
{
    return anl_fail(error, ANL_ERR_MEMORY, draft->file, 0, "no memory for the network");
}

struct shown import_shown(const char *text)
{
    static const char dots[] = "...";
    struct shown shown = {""};
    size_t used = strnlen(text, sizeof shown.text - sizeof dots);
    while (text[used] && used > 0 && ((unsigned char)text[used] & 0xC0) == 0x80)
        used--;  // a letter of several bytes is not cut in two
    for (size_t i = 0; i < used; i++)
        shown.text[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i];
    if (text[used]) memcpy(shown.text + used, dots, sizeof dots);
    return shown;
}

void leave_out(struct left_out *left_out, uint64_t count, const char *what, const char *many)
{
    if (!count) return;
    text_append(left_out->text, sizeof left_out->text, "%s%" PRIu64 " %s",
                *left_out->text ? ", " : "", count, count == 1 ? what : many);
}

const char *left_out_text(const struct left_out *left_out)
{
    return *left_out->text ? left_out->text : "nothing";
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

// A port that no switch can have is refused when all have their numbers.
static void take(uint32_t *used, uint32_t node, uint32_t port)
{
    if (port < ANL_MAX_PORTS) used[node] |= 1u << port;
}

// Gives a port its number; *ports becomes at least one more. used[] is the mask of the ports of
// each switch that have a number.
static enum anl_status number(const struct draft *draft, uint32_t node, uint32_t *port,
                              uint64_t line, uint32_t *used, uint32_t *ports,
                              struct anl_error *error)
{
    const uint32_t most = draft->ports ? draft->ports : ANL_MAX_PORTS;
    if (*port == DRAFT_BY_ORDER)
        *port = used[node] == UINT32_MAX ? ANL_MAX_PORTS : (uint32_t)__builtin_ctz(~used[node]);
    if (*port >= most)
        REFUSE(line, "switch %s has more than %" PRIu32 " port%s",
               anl_graph_name_of(draft->names, node).text, most, plural(most));
    take(used, node, *port);
    if (*ports <= *port) *ports = *port + 1;
    return ANL_OK;
}

// Gives all ports their numbers. used[] has no port at first.
static enum anl_status number_all(struct draft *draft, uint32_t *used, uint32_t *ports,
                                  struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < 2 * draft->num_links; i++)
        take(used, draft->links[i / 2].node[i % 2], draft->links[i / 2].port[i % 2]);
    for (size_t i = 0; i < draft->num_terminals; i++)
        take(used, draft->terminals[i].node, draft->terminals[i].port);
    for (size_t i = 0; !status && i < 2 * draft->num_links; i++) {
        struct draft_link *link = &draft->links[i / 2];
        status =
            number(draft, link->node[i % 2], &link->port[i % 2], link->line, used, ports, error);
    }
    for (size_t i = 0; !status && i < draft->num_terminals; i++) {
        struct draft_terminal *terminal = &draft->terminals[i];
        status = number(draft, terminal->node, &terminal->port, terminal->line, used, ports, error);
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
    uint32_t ports = draft->ports ? draft->ports : 1;
    uint32_t *used = calloc(draft->switches + 1, sizeof *used);
    *graph = NULL;
    if (!used) return no_memory(draft, error);
    enum anl_status status = number_all(draft, used, &ports, error);
    free(used);
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

// --- the report ---

static void count_links(const struct anl_graph *graph, uint32_t *links, uint32_t *pairs)
{
    const uint32_t all = graph->switches * graph->ports;
    *links = *pairs = 0;
    for (uint32_t port = 0; port < all; port++) {
        const uint32_t end = graph->ends[port];
        *links += end < all;
        *pairs += end < all && end > port && graph->ends[end] == port;
    }
}

void draft_report(const struct draft *draft, const struct anl_graph *graph)
{
    uint32_t links, pairs;
    count_links(graph, &links, &pairs);
    printf("%s: read %" PRIu32 " switch%s, %" PRIu32 " terminal%s%s, %" PRIu32 " link%s (%" PRIu32
           " pair%s); left out: %s\n",
           draft->file, graph->switches, graph->switches == 1 ? "" : "es", graph->terminals,
           plural(graph->terminals), draft->added ? " (added, one for each switch)" : "", links,
           plural(links), pairs, plural(pairs), left_out_text(&draft->left_out));
}
