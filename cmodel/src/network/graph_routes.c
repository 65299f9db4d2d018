// SPDX-License-Identifier: Apache-2.0
//
// Routes of a graph: shortest, up_down, or the user's table (docs/networks.md, "Routing tables").
// All of them are tables of switch and destination.

#include "network.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

#define FAR UINT32_MAX  // farther than any switch

// What the search for the routes to one switch, the target, needs. The number of switches stands
// for no switch.
struct search {
    const struct anl_graph *graph;
    uint32_t none;       // the number of switches
    uint32_t *memory;    // all arrays
    uint32_t *after;     // [ports] the switch at the end of the link that leaves by a port
    uint32_t *before;    // [ports] the switch at the beginning of the link that ends at a port
    uint32_t *rises;     // [switches] mask of the ports whose links lead up; 0 without up_down
    uint32_t *sequence;  // [switches] the switches in the order of up_down
    uint32_t *position;  // [switches] of each switch in it
    uint32_t *queue;     // [switches]
    uint32_t *down;   // [switches + 1] links of the shortest path to the target of which none leads
                      // up; FAR: there is no such path
    uint32_t *total;  // [switches + 1] links of the route to the target; FAR: there is none
};

// Returns the switch of a port; none if the number is that of a terminal or of no port.
static uint32_t switch_of(const struct anl_graph *graph, uint32_t port)
{
    return port < graph->switches * graph->ports ? port / graph->ports : graph->switches;
}

static bool search_create(struct search *search, const struct anl_graph *graph)
{
    const size_t switches = graph->switches, ports = switches * graph->ports;
    uint32_t *memory = calloc(2 * ports + 6 * switches + 2, sizeof *memory);
    *search = (struct search){.graph = graph, .none = graph->switches, .memory = memory};
    if (!memory) return false;
    search->after = memory;
    search->before = search->after + ports;
    search->rises = search->before + ports;
    search->sequence = search->rises + switches;
    search->position = search->sequence + switches;
    search->queue = search->position + switches;
    search->down = search->queue + switches;
    search->total = search->down + switches + 1;
    for (size_t port = 0; port < ports; port++) {
        search->after[port] = switch_of(graph, graph->ends[port]);
        search->before[port] = switch_of(graph, graph->begins[port]);
    }
    for (uint32_t s = 0; s < graph->switches; s++)
        search->position[s] = search->sequence[s] = s;
    return true;
}

static const uint32_t *after(const struct search *search, uint32_t switch_)
{
    return &search->after[(size_t)switch_ * search->graph->ports];
}

// Returns true if a link from one switch to another leads up.
static bool goes_up(const struct search *search, uint32_t from, uint32_t to)
{
    return search->rises[from] && search->position[to] < search->position[from];
}

// Fills down[], going back along the links from the target on, in order of distance. Returns how
// many switches it has reached; they stand in queue[].
static uint32_t search_down(const struct search *search, uint32_t target)
{
    const struct anl_graph *graph = search->graph;
    uint32_t head = 0, tail = 0;
    for (uint32_t s = 0; s <= search->none; s++)
        search->down[s] = FAR;
    search->down[target] = 0;
    search->queue[tail++] = target;
    while (head < tail) {
        const uint32_t here = search->queue[head++];
        for (uint32_t p = 0; p < graph->ports; p++) {
            const uint32_t before = search->before[here * graph->ports + p];
            if (before == search->none || search->down[before] != FAR ||
                goes_up(search, before, here))
                continue;
            search->down[before] = search->down[here] + 1;
            search->queue[tail++] = before;
        }
    }
    return tail;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

// Fills total[] after down[]. A link up leads to a switch that comes earlier in the order.
static void search_up(const struct search *search)
{
    search->total[search->none] = FAR;
    for (uint32_t i = 0; i < search->none; i++) {
        const uint32_t here = search->sequence[i];
        uint32_t best = FAR;
        for (uint32_t rest = search->rises[here]; rest; rest &= rest - 1)
            best = least(best, search->total[after(search, here)[__builtin_ctz(rest)]]);
        if (search->down[here] != FAR)
            search->total[here] = search->down[here];
        else
            search->total[here] = best == FAR ? FAR : best + 1;
    }
}

// --- the order of up_down ---

// Counts the links to other switches; a link may lead back to its own switch.
static uint32_t count_links(const struct search *search, uint32_t switch_)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < search->graph->ports; p++) {
        const uint32_t to = after(search, switch_)[p];
        count += to != search->none && to != switch_;
    }
    return count;
}

static uint32_t root_of(const struct search *search)
{
    uint32_t root = 0, most = 0;
    for (uint32_t s = 0; s < search->graph->switches; s++)
        if (count_links(search, s) > most) {
            root = s;
            most = count_links(search, s);
        }
    return root;
}

static bool leads_to(const struct search *search, uint32_t from, uint32_t to)
{
    for (uint32_t p = 0; p < search->graph->ports; p++)
        if (after(search, from)[p] == to) return true;
    return false;
}

static enum anl_status check_opposites(const struct search *search, struct anl_error *error)
{
    for (uint32_t from = 0; from < search->none; from++)
        for (uint32_t p = 0; p < search->graph->ports; p++) {
            const uint32_t to = after(search, from)[p];
            if (to != search->none && !leads_to(search, to, from))
                REFUSE("routing up_down expects a link back from switch %u to switch %u", to, from);
        }
    return ANL_OK;
}

static void find_rises(struct search *search)
{
    for (uint32_t s = 0; s < search->none; s++)
        for (uint32_t p = 0; p < search->graph->ports; p++) {
            const uint32_t to = after(search, s)[p];
            const bool up = to != search->none && search->position[to] < search->position[s];
            search->rises[s] |= (uint32_t)up << p;
        }
}

// Orders the switches by their distance from the root, those of one distance by their numbers.
static enum anl_status put_in_order(struct search *search, struct anl_error *error)
{
    const struct anl_graph *graph = search->graph;
    const enum anl_status status = check_opposites(search, error);
    if (status) return status;
    const uint32_t root = root_of(search), reached = search_down(search, root);
    if (reached < graph->switches) {
        uint32_t lost = 0;
        while (search->down[lost] != FAR)
            lost++;
        REFUSE("no path leads from switch %u to switch %u", lost, root);
    }
    uint32_t *next = search->total;  // [distances] the next position of each distance
    for (uint32_t i = reached; i-- > 0;)
        next[search->down[search->queue[i]]] = i;
    for (uint32_t s = 0; s < graph->switches; s++) {
        search->position[s] = next[search->down[s]]++;
        search->sequence[search->position[s]] = s;
    }
    find_rises(search);
    return ANL_OK;
}

// --- entries ---

// Returns the port by which heads for a terminal leave: of m equally good ones number t mod m. They
// go down if a path leads down from here, else up.
static uint32_t port_towards(const struct search *search, uint32_t here, uint32_t terminal)
{
    const bool down = search->down[here] != FAR;
    const uint32_t *links = down ? search->down : search->total;
    const uint32_t *next = after(search, here);
    uint32_t ports = 0;
    for (uint32_t p = 0; p < search->graph->ports; p++)
        ports |= (uint32_t)(links[next[p]] == search->total[here] - 1) << p;
    ports &= down ? ~search->rises[here] : search->rises[here];
    for (uint32_t skip = terminal % (uint32_t)__builtin_popcount(ports); skip > 0; skip--)
        ports &= ports - 1;
    return (uint32_t)__builtin_ctz(ports);
}

static struct anl_table_hop *entry(const struct anl_graph *graph, uint32_t switch_,
                                   uint32_t terminal)
{
    return &graph->routes[(size_t)switch_ * graph->terminals + terminal];
}

static enum anl_status fill_column(const struct search *search, uint32_t terminal, uint8_t vcs,
                                   struct anl_error *error)
{
    const struct anl_graph *graph = search->graph;
    const uint32_t home = graph->homes[terminal];
    for (uint32_t s = 0; s < graph->switches; s++) {
        if (search->total[s] == FAR)
            REFUSE("no path leads from switch %u to terminal %u", s, terminal);
        const uint32_t port =
            s == home / graph->ports ? home % graph->ports : port_towards(search, s, terminal);
        *entry(graph, s, terminal) = (struct anl_table_hop){(uint8_t)port, vcs};
    }
    return ANL_OK;
}

static enum anl_status compute(struct search *search, enum anl_routing routing, uint8_t vcs,
                               struct anl_error *error)
{
    const struct anl_graph *graph = search->graph;
    enum anl_status status = routing == ANL_UP_DOWN ? put_in_order(search, error) : ANL_OK;
    uint32_t target = search->none;
    for (uint32_t t = 0; !status && t < graph->terminals; t++) {
        if (graph->homes[t] / graph->ports != target) {
            target = graph->homes[t] / graph->ports;
            search_down(search, target);
            search_up(search);
        }
        status = fill_column(search, t, vcs, error);
    }
    return status;
}

// --- the user's table ---

// Follows the table from a switch to a terminal. seen[s] is the number of the walk that passed
// switch s; from where an earlier one came by, this one arrives as well.
static enum anl_status follow(const struct anl_graph *graph, uint32_t from, uint32_t terminal,
                              uint8_t all, uint32_t *seen, uint32_t walk, struct anl_error *error)
{
    const uint32_t target = graph->switches * graph->ports + terminal;
    uint32_t end = from * graph->ports;
    while (end != target) {
        const uint32_t s = end / graph->ports;
        const struct anl_table_hop hop = *entry(graph, s, terminal);
        if (seen[s] == walk)
            REFUSE("the table leads in a circle from switch %u towards terminal %u", s, terminal);
        if (seen[s]) return ANL_OK;
        seen[s] = walk;
        if (!hop.vcs) REFUSE("the table has no entry for switch %u and terminal %u", s, terminal);
        if (hop.vcs & ~all)
            REFUSE("the table's lanes at switch %u towards terminal %u are not all below num_vcs",
                   s, terminal);
        end = hop.port < graph->ports ? graph->ends[s * graph->ports + hop.port] : ANL_NO_PORT;
        if (switch_of(graph, end) == graph->switches && end != target)
            REFUSE("the table leads from switch %u towards terminal %u by port %u, which has no "
                   "link to a switch or to this terminal",
                   s, terminal, hop.port);
    }
    return ANL_OK;
}

// At its own switch a head goes to its terminal; the table need not say so.
static enum anl_status arrive_at_home(const struct anl_graph *graph, uint32_t terminal, uint8_t all,
                                      struct anl_error *error)
{
    const uint32_t home = graph->homes[terminal], port = home % graph->ports;
    struct anl_table_hop *hop = entry(graph, home / graph->ports, terminal);
    if (!hop->vcs) *hop = (struct anl_table_hop){(uint8_t)port, all};
    if (hop->port != port)
        REFUSE("the table leads from switch %u towards its terminal %u by port %u, expected %u",
               home / graph->ports, terminal, hop->port, port);
    return ANL_OK;
}

static enum anl_status use_table(const struct search *search, uint8_t all, struct anl_error *error)
{
    const struct anl_graph *graph = search->graph;
    const size_t count = (size_t)graph->switches * graph->terminals;
    if (!graph->table) REFUSE("routing table expects a table");
    memcpy(graph->routes, graph->table, count * sizeof *graph->table);
    enum anl_status status = ANL_OK;
    for (uint32_t t = 0; !status && t < graph->terminals; t++)
        status = arrive_at_home(graph, t, all, error);
    for (uint32_t t = 0; t < graph->terminals; t++) {
        memset(search->queue, 0, graph->switches * sizeof *search->queue);
        for (uint32_t source = 0; !status && source < graph->terminals; source++) {
            const uint32_t from = graph->homes[source] / graph->ports;
            status = follow(graph, from, t, all, search->queue, source + 1, error);
        }
    }
    return status;
}

// --- all ---

uint64_t network_hash_of(const struct anl_graph *graph)
{
    const uint32_t numbers[] = {graph->switches, graph->ports, graph->terminals};
    const uint64_t shape = XXH3_64bits(numbers, sizeof numbers);
    const uint64_t wiring = XXH3_64bits_withSeed(
        graph->ends, (size_t)graph->switches * graph->ports * sizeof *graph->ends, shape);
    return XXH3_64bits_withSeed(
        graph->routes, (size_t)graph->switches * graph->terminals * sizeof *graph->routes, wiring);
}

static enum anl_status check_homes(const struct anl_graph *graph, struct anl_error *error)
{
    for (uint32_t t = 0; t < graph->terminals; t++)
        if (graph->homes[t] == ANL_NO_PORT) REFUSE("terminal %u has no port", t);
    return ANL_OK;
}

static enum anl_status fill(struct anl_graph *graph, enum anl_routing routing, uint8_t all,
                            struct anl_error *error)
{
    struct search search;
    if (!search_create(&search, graph))
        return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for routes");
    const enum anl_status status = routing == ANL_TABLE ? use_table(&search, all, error)
                                                        : compute(&search, routing, all, error);
    free(search.memory);
    return status;
}

enum anl_status anl_graph_route(struct anl_graph *graph, enum anl_routing routing, uint32_t num_vcs,
                                struct anl_error *error)
{
    enum anl_status status = check_homes(graph, error);
    if (status) return status;
    free(graph->routes);
    free(graph->turns);
    graph->turns = NULL;
    graph->longest_route = 0;
    graph->own_routes = false;
    graph->routes = calloc((size_t)graph->switches * graph->terminals, sizeof *graph->routes);
    if (!graph->routes) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for routes");
    status = fill(graph, routing, (uint8_t)((1u << num_vcs) - 1), error);
    if (!status) {
        graph->hash = network_hash_of(graph);
        return ANL_OK;
    }
    free(graph->routes);
    graph->routes = NULL;
    return status;
}
