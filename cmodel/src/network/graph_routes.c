// SPDX-License-Identifier: Apache-2.0
//
// Routes of a graph: shortest (layered goes the same ways), up_down, or the user's table
// (docs/networks.md, "Routing tables"). All of them are tables of switch, perhaps input port, and
// destination.

#include "network.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)
#define NAME(graph, switch_) anl_graph_name_of((graph)->names, switch_).text

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
                REFUSE("routing up_down expects a link back from switch %s to switch %s",
                       NAME(search->graph, to), NAME(search->graph, from));
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
        REFUSE("no path leads from switch %s to switch %s", NAME(graph, lost), NAME(graph, root));
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

static enum anl_status fill_column(const struct search *search, uint32_t terminal, uint8_t vcs,
                                   struct anl_error *error)
{
    const struct anl_graph *graph = search->graph;
    const uint32_t home = graph->homes[terminal];
    for (uint32_t s = 0; s < graph->switches; s++) {
        if (search->total[s] == FAR)
            REFUSE("no path leads from switch %s to terminal %u", NAME(graph, s), terminal);
        const uint32_t port =
            s == home / graph->ports ? home % graph->ports : port_towards(search, s, terminal);
        for (uint32_t p = 0; p < (graph->by_input ? graph->ports : 1); p++)
            graph->routes[graph_entry(graph, s, p, terminal)] =
                (struct anl_table_hop){(uint8_t)port, vcs};
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

// A search through all ways that heads may take to one terminal. Heads stand at places: the input
// ports, or the switches if the table does not name input ports.
enum { NEW, ON_PATH, DONE };
struct step {
    uint32_t port;    // input port, with its switch
    uint32_t option;  // the one to follow next
};
struct walk {
    const struct anl_graph *graph;
    uint32_t terminal;
    uint8_t all;        // mask of all lanes
    uint8_t *marks;     // [places]
    struct step *path;  // [places]
    size_t length;
};

static size_t num_places(const struct anl_graph *graph)
{
    return (size_t)graph->switches * (graph->by_input ? graph->ports : 1);
}

static uint8_t *mark_of(const struct walk *walk, uint32_t port)
{
    return &walk->marks[walk->graph->by_input ? port : port / walk->graph->ports];
}

static struct anl_table_hop *options_at(const struct walk *walk, uint32_t port)
{
    const struct anl_graph *graph = walk->graph;
    return &graph->routes[graph_entry(graph, port / graph->ports, port % graph->ports,
                                      walk->terminal)];
}

static enum anl_status step_to(struct walk *walk, uint32_t port, struct anl_error *error)
{
    const uint32_t s = port / walk->graph->ports, t = walk->terminal;
    if (*mark_of(walk, port) == ON_PATH)
        REFUSE("the table leads in a circle from switch %s towards terminal %u",
               NAME(walk->graph, s), t);
    if (*mark_of(walk, port) == DONE) return ANL_OK;
    if (!options_at(walk, port)->vcs && walk->graph->by_input)
        REFUSE("the table has no entry for switch %s, input port %u and terminal %u",
               NAME(walk->graph, s), port % walk->graph->ports, t);
    if (!options_at(walk, port)->vcs)
        REFUSE("the table has no entry for switch %s and terminal %u", NAME(walk->graph, s), t);
    *mark_of(walk, port) = ON_PATH;
    walk->path[walk->length++] = (struct step){port, 0};
    return ANL_OK;
}

// Follows the next option of the last step, or goes back if there is none.
static enum anl_status go_on(struct walk *walk, struct anl_error *error)
{
    const struct anl_graph *graph = walk->graph;
    struct step *last = &walk->path[walk->length - 1];
    const uint32_t s = last->port / graph->ports, t = walk->terminal;
    const struct anl_table_hop *option = &options_at(walk, last->port)[last->option];
    if (last->option == graph->options || !option->vcs) {
        *mark_of(walk, last->port) = DONE;
        walk->length--;
        return ANL_OK;
    }
    last->option++;
    if (option->vcs & ~walk->all)
        REFUSE("the table's lanes at switch %s towards terminal %u are not all below num_vcs",
               NAME(graph, s), t);
    const uint32_t end =
        option->port < graph->ports ? graph->ends[s * graph->ports + option->port] : ANL_NO_PORT;
    if (end == graph->switches * graph->ports + t) return ANL_OK;
    if (switch_of(graph, end) == graph->switches)
        REFUSE("the table leads from switch %s towards terminal %u by port %u, which has no "
               "link to a switch or to this terminal",
               NAME(graph, s), t, option->port);
    return step_to(walk, end, error);
}

// Follows the table by all ways from the terminals to one of them; a place from which an earlier
// way arrived need not be followed again.
static enum anl_status follow_all(struct walk *walk, struct anl_error *error)
{
    const struct anl_graph *graph = walk->graph;
    enum anl_status status = ANL_OK;
    memset(walk->marks, NEW, num_places(graph));
    for (uint32_t source = 0; !status && source < graph->terminals; source++) {
        walk->length = 0;
        status = step_to(walk, graph->homes[source], error);
        while (!status && walk->length > 0)
            status = go_on(walk, error);
    }
    return status;
}

// At its own switch a head goes to its terminal; the table need not say so.
static enum anl_status arrive_at_home(const struct walk *walk, struct anl_error *error)
{
    const struct anl_graph *graph = walk->graph;
    const uint32_t home = graph->homes[walk->terminal], port = home % graph->ports;
    for (uint32_t p = 0; p < (graph->by_input ? graph->ports : 1); p++) {
        struct anl_table_hop *options = options_at(walk, home - port + p);
        if (!options->vcs) *options = (struct anl_table_hop){(uint8_t)port, walk->all};
        for (uint32_t i = 0; i < graph->options && options[i].vcs; i++)
            if (options[i].port != port)
                REFUSE(
                    "the table leads from switch %s towards its terminal %u by port %u, expected "
                    "%u",
                    NAME(graph, home / graph->ports), walk->terminal, options[i].port, port);
    }
    return ANL_OK;
}

// Puts the options of each entry into the order of their ports.
static void sort_options(const struct anl_graph *graph)
{
    const size_t count = graph_options(graph);
    for (size_t first = 0; graph->options > 1 && first < count; first += graph->options)
        for (size_t i = first + 1; i < first + graph->options && graph->routes[i].vcs; i++)
            for (size_t j = i; j > first && graph->routes[j].port < graph->routes[j - 1].port;
                 j--) {
                const struct anl_table_hop lower = graph->routes[j];
                graph->routes[j] = graph->routes[j - 1];
                graph->routes[j - 1] = lower;
            }
}

static enum anl_status use_table(struct walk *walk, struct anl_error *error)
{
    const struct anl_graph *graph = walk->graph;
    if (!graph->table) REFUSE("routing table expects a table");
    memcpy(graph->routes, graph->table, graph_options(graph) * sizeof *graph->table);
    sort_options(graph);
    enum anl_status status = ANL_OK;
    for (walk->terminal = 0; !status && walk->terminal < graph->terminals; walk->terminal++)
        status = arrive_at_home(walk, error);
    for (walk->terminal = 0; !status && walk->terminal < graph->terminals; walk->terminal++)
        status = follow_all(walk, error);
    return status;
}

static enum anl_status check_table(const struct anl_graph *graph, uint8_t all,
                                   struct anl_error *error)
{
    struct walk walk = {.graph = graph,
                        .all = all,
                        .marks = malloc(num_places(graph)),
                        .path = malloc(num_places(graph) * sizeof *walk.path)};
    const enum anl_status status =
        walk.marks && walk.path ? use_table(&walk, error)
                                : anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for routes");
    free(walk.marks);
    free(walk.path);
    return status;
}

// --- all ---

uint64_t network_hash_of(const struct anl_graph *graph)
{
    const uint32_t numbers[] = {graph->switches, graph->ports, graph->terminals};
    const uint64_t shape = XXH3_64bits(numbers, sizeof numbers);
    const uint64_t wiring = XXH3_64bits_withSeed(
        graph->ends, (size_t)graph->switches * graph->ports * sizeof *graph->ends, shape);
    const uint64_t routes =
        XXH3_64bits_withSeed(graph->routes, graph_options(graph) * sizeof *graph->routes, wiring);
    if (!graph->layers) return routes;
    return XXH3_64bits_withSeed(graph->layers, (size_t)graph->switches * graph->terminals, routes);
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
    if (routing == ANL_TABLE) return check_table(graph, all, error);
    if (!search_create(&search, graph))
        return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for routes");
    const enum anl_status status = compute(&search, routing, all, error);
    free(search.memory);
    return status;
}

static void forget_routes(struct anl_graph *graph)
{
    free(graph->routes);
    free(graph->layers);
    graph->routes = NULL;
    graph->layers = NULL;
    graph->num_layers = 1;
}

enum anl_status anl_graph_route(struct anl_graph *graph, enum anl_routing routing, uint32_t num_vcs,
                                struct anl_error *error)
{
    enum anl_status status = check_homes(graph, error);
    if (status) return status;
    free(graph->turns);
    graph->turns = NULL;
    graph->longest_route = 0;
    graph->own_routes = false;
    forget_routes(graph);
    if (graph_options(graph) > ANL_MAX_GRAPH_ROUTES)
        REFUSE("a table of %zu options is too large, expected at most 2^28", graph_options(graph));
    graph->routes = calloc(graph_options(graph), sizeof *graph->routes);
    if (!graph->routes) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for routes");
    status = fill(graph, routing, (uint8_t)((1u << num_vcs) - 1), error);
    if (!status && routing == ANL_LAYERED) status = graph_assign_layers(graph, num_vcs, error);
    if (status)
        forget_routes(graph);
    else
        graph->hash = network_hash_of(graph);
    return status;
}
