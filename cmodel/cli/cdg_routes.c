// SPDX-License-Identifier: Apache-2.0

#include "shared/cli.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A head that is in a lane and on its way to a terminal.
struct head {
    uint32_t lane, destination;
};

// Wiring and routes as the list gives them. An index in [] is that of the array, e.g. a link.
struct routes {
    const struct anl_config *config;
    struct anl_shape shape;
    struct anl_end *ends;  // [links] where each link ends
    uint8_t *vcs;      // [switches * terminals * lanes of a switch * ports] masks of the lanes that
                       // a head for a terminal, in a lane of a switch, may take at an output port
    uint32_t *barred;  // [switches * ports] mask of the output ports to which an input port is not
                       // wired
    const char *path;
    uint64_t line;
    struct anl_error *error;
    // The heads that are followed, and what they show.
    struct anl_cdg *cdg;
    uint8_t *seen;       // [lanes * terminals] 1: such a head is in heads
    struct head *heads;  // that were met so far
    size_t count, room;
};

// Returns how many kinds of heads a list has routes for at each switch: those for each destination,
// or, if heads carry their routes, those with each first port.
static uint32_t num_asked(const struct routes *routes)
{
    const bool source = routes->config->routing == ANL_SOURCE;
    return source ? routes->shape.ports : routes->shape.terminals;
}

static uint8_t *route_of(const struct routes *routes, uint32_t switch_, uint32_t destination,
                         uint32_t lane)
{
    const struct anl_shape *shape = &routes->shape;
    const size_t head = (size_t)switch_ * num_asked(routes) + destination;
    return &routes->vcs[(head * shape->ports * routes->config->num_vcs + lane) * shape->ports];
}

static bool leads_to_switch(const struct routes *routes, uint32_t link)
{
    return routes->ends[link].exists && !routes->ends[link].is_terminal;
}

// --- reading ---

#define EXPECTED(routes, what)                                                                     \
    anl_fail((routes)->error, ANL_ERR_FORMAT, (routes)->path, (routes)->line, "expected " what)

static enum anl_status take_link(struct routes *routes, const char *text)
{
    uint32_t link, node, port;
    int end = 0;
    if (sscanf(text, "link %" SCNu32 " switch %" SCNu32 " port %" SCNu32 " %n", &link, &node, &port,
               &end) == 3 &&
        !text[end] && link < routes->shape.links && node < routes->shape.switches &&
        port < routes->shape.ports) {
        routes->ends[link] = (struct anl_end){.exists = true, .node = node, .port = port};
        return ANL_OK;
    }
    if (sscanf(text, "link %" SCNu32 " terminal %" SCNu32 " %n", &link, &node, &end) == 2 &&
        !text[end] && link < routes->shape.links && node < routes->shape.terminals) {
        routes->ends[link] = (struct anl_end){.exists = true, .is_terminal = true, .node = node};
        return ANL_OK;
    }
    return EXPECTED(
        routes, "link L switch S port P, or link L terminal T, numbers of the scenario's network");
}

static enum anl_status take_route(struct routes *routes, const char *text)
{
    const uint32_t lanes = routes->shape.ports * routes->config->num_vcs;
    uint32_t switch_, destination, first, port, vcs;
    char lane[12];
    int end = 0, lane_end = 0;
    if (sscanf(text,
               "route %" SCNu32 " to %" SCNu32 " lane %11s port %" SCNu32 " vcs %" SCNx32 " %n",
               &switch_, &destination, lane, &port, &vcs, &end) != 5 ||
        text[end] || switch_ >= routes->shape.switches || destination >= num_asked(routes) ||
        port >= routes->shape.ports || vcs == 0 || vcs >> routes->config->num_vcs)
        return EXPECTED(routes,
                        "route S to T lane L|* port P vcs MASK, numbers of the scenario's network");
    const bool all = strcmp(lane, "*") == 0;
    if (!all &&
        (sscanf(lane, "%" SCNu32 "%n", &first, &lane_end) != 1 || lane[lane_end] || first >= lanes))
        return EXPECTED(routes, "a lane of the switch or *");
    for (uint32_t i = all ? 0 : first; i < (all ? lanes : first + 1); i++)
        route_of(routes, switch_, destination, i)[port] |= (uint8_t)vcs;
    return ANL_OK;
}

static enum anl_status take_turns(struct routes *routes, const char *text)
{
    const struct anl_shape *shape = &routes->shape;
    uint32_t switch_, port, turns;
    int end = 0;
    if (sscanf(text, "turns %" SCNu32 " port %" SCNu32 " to %" SCNx32 " %n", &switch_, &port,
               &turns, &end) != 3 ||
        text[end] || switch_ >= shape->switches || port >= shape->ports || turns >> shape->ports)
        return EXPECTED(routes, "turns S port P to MASK, numbers of the scenario's network");
    routes->barred[switch_ * shape->ports + port] = ~turns;
    return ANL_OK;
}

// Returns true if some number of a line has a sign, or more digits than sscanf() can be asked for.
static bool has_odd_number(const char *text)
{
    enum { MOST_DIGITS = 9 };
    for (; *text; text++) {
        const size_t digits = strspn(text, "0123456789");
        if (digits > MOST_DIGITS || *text == '-' || *text == '+') return true;
        if (digits) text += digits - 1;
    }
    return false;
}

static enum anl_status take_line(struct routes *routes, const char *text)
{
    if (has_odd_number(text))
        return EXPECTED(routes, "numbers of at most nine digits, without a sign");
    if (strncmp(text, "link ", 5) == 0) return take_link(routes, text);
    if (strncmp(text, "route ", 6) == 0) return take_route(routes, text);
    if (strncmp(text, "turns ", 6) == 0) return take_turns(routes, text);
    return EXPECTED(routes, "a line that begins with link, route or turns");
}

static enum anl_status read_lines(struct routes *routes)
{
    char *text, *next;
    enum anl_status status = csv_lines(routes->path, &text, routes->error);
    for (char *line = text; !status && *line; line = next) {
        next = line + strcspn(line, "\n");
        if (*next) *next++ = '\0';
        routes->line++;
        status = take_line(routes, line);
    }
    free(text);
    return status;
}

// --- travelling ---

#define LOST(routes, ...) anl_fail((routes)->error, ANL_ERR_FORMAT, (routes)->path, 0, __VA_ARGS__)

static struct cli_name switch_name(const struct routes *routes, uint32_t switch_)
{
    struct cli_name name;
    anl_switch_name(routes->config, switch_, name.text, sizeof name.text);
    return name;
}

static enum anl_status see(struct routes *routes, uint32_t lane, uint32_t destination)
{
    uint8_t *seen = &routes->seen[(size_t)lane * routes->shape.terminals + destination];
    if (*seen) return ANL_OK;
    *seen = 1;
    struct head *heads = gather_room(routes->heads, routes->count, &routes->room, sizeof *heads);
    if (!heads) return ANL_ERR_MEMORY;
    routes->heads = heads;
    heads[routes->count++] = (struct head){lane, destination};
    return ANL_OK;
}

// Checks that a link that ends at no switch ends at the destination of the head.
static enum anl_status arrive(const struct routes *routes, const struct head *head, uint32_t link)
{
    const struct anl_end *end = &routes->ends[link];
    if (end->exists && end->node == head->destination) return ANL_OK;
    const struct cli_name name = cli_link_name(routes->config, link);
    if (!end->exists)
        return LOST(routes, "a head for T%" PRIu32 " goes by %s, where no link is",
                    head->destination, name.text);
    return LOST(routes, "a head for T%" PRIu32 " comes to T%" PRIu32 " by %s", head->destination,
                end->node, name.text);
}

static enum anl_status go_by(struct routes *routes, const struct head *head, uint32_t port,
                             uint32_t vcs)
{
    const uint32_t num_vcs = routes->config->num_vcs;
    const uint32_t here = routes->ends[head->lane / num_vcs].node;
    const uint32_t link = here * routes->shape.ports + port;
    const uint32_t from = routes->ends[head->lane / num_vcs].port;
    if (routes->barred[here * routes->shape.ports + from] >> port & 1)
        return LOST(routes,
                    "a head for T%" PRIu32 " wants to go from port %" PRIu32
                    " of switch %s to port %" PRIu32 ", a turn that is not wired",
                    head->destination, from, switch_name(routes, here).text, port);
    anl_cdg_add(routes->cdg, head->lane, port, vcs);
    if (!leads_to_switch(routes, link)) return arrive(routes, head, link);
    enum anl_status status = ANL_OK;
    for (uint32_t rest = vcs; rest && !status; rest &= rest - 1)
        status = see(routes, link * num_vcs + (uint32_t)__builtin_ctz(rest), head->destination);
    return status;
}

static enum anl_status go_on(struct routes *routes, struct head head)
{
    const uint32_t num_vcs = routes->config->num_vcs, link = head.lane / num_vcs;
    const uint32_t lane = routes->ends[link].port * num_vcs + head.lane % num_vcs;
    const uint8_t *route = route_of(routes, routes->ends[link].node, head.destination, lane);
    enum anl_status status = ANL_OK;
    bool goes = false;
    for (uint32_t port = 0; port < routes->shape.ports && !status; port++) {
        if (!route[port]) continue;
        goes = true;
        status = go_by(routes, &head, port, route[port]);
    }
    if (status || goes) return status;
    return LOST(routes, "no route for a head to T%" PRIu32 " from %s", head.destination,
                cli_lane_name(routes->config, head.lane).text);
}

static enum anl_status inject_all(struct routes *routes)
{
    const uint32_t injections = routes->shape.switches * routes->shape.ports;
    enum anl_status status = ANL_OK;
    for (uint32_t t = 0; t < routes->shape.terminals; t++)
        if (!leads_to_switch(routes, injections + t))
            return LOST(routes, "no link leads from terminal T%" PRIu32 " to a switch", t);
    for (uint32_t t = 0; t < routes->shape.terminals; t++)
        for (uint32_t vc = 0; vc < routes->config->num_vcs; vc++)
            for (uint32_t to = 0; to < routes->shape.terminals && !status; to++)
                if (anl_injection_vcs(routes->config, t, to) >> vc & 1)
                    status = see(routes, (injections + t) * routes->config->num_vcs + vc, to);
    return status;
}

static enum anl_status travel_all(struct routes *routes)
{
    enum anl_status status = inject_all(routes);
    for (size_t i = 0; i < routes->count && !status; i++)
        status = go_on(routes, routes->heads[i]);
    return status;
}

// --- heads that carry their routes ---

// Lets heads in a lane go by every turn of its input port. An output port that has no turn but the
// one from the input port of its number may have it because it must have one; then it counts only
// if a route makes it.
static bool goes_by(const struct routes *routes, uint32_t in, uint32_t port)
{
    const uint32_t ports = routes->shape.ports, first = in - in % ports;
    if (routes->barred[in] >> port & 1) return false;
    if (in % ports != port) return true;
    uint32_t others = 0;
    for (uint32_t p = first; p < first + ports; p++)
        others += p != in && !(routes->barred[p] >> port & 1);
    return others > 0 || (routes->config->graph->turns[in] >> port & 1);
}

static enum anl_status let_go_from(struct routes *routes, uint32_t lane)
{
    const uint32_t num_vcs = routes->config->num_vcs, ports = routes->shape.ports;
    const struct anl_end end = routes->ends[lane / num_vcs];
    for (uint32_t first = 0; first < ports; first++) {
        if (!goes_by(routes, end.node * ports + end.port, first)) continue;
        const uint8_t *route =
            route_of(routes, end.node, first, end.port * num_vcs + lane % num_vcs);
        for (uint32_t port = 0; port < ports; port++) {
            if (route[port] && port != first)
                return LOST(routes,
                            "at switch %s a list that begins with %" PRIu32
                            " leads to port %" PRIu32,
                            switch_name(routes, end.node).text, first, port);
            if (route[port]) anl_cdg_add(routes->cdg, lane, port, route[port]);
        }
        if (!route[first])
            return LOST(routes, "at switch %s a list that begins with %" PRIu32 " leads nowhere",
                        switch_name(routes, end.node).text, first);
        if (!routes->ends[end.node * ports + first].exists)
            return LOST(routes, "a turn at switch %s leads to port %" PRIu32 ", where no link is",
                        switch_name(routes, end.node).text, first);
    }
    routes->count++;
    return ANL_OK;
}

static enum anl_status let_go_by_turns(struct routes *routes)
{
    enum anl_status status = ANL_OK;
    for (uint32_t lane = 0; lane < anl_cdg_lanes(routes->cdg) && !status; lane++)
        if (leads_to_switch(routes, lane / routes->config->num_vcs))
            status = let_go_from(routes, lane);
    return status;
}

// --- the whole ---

// Makes the graph. On failure it is destroyed, and routes->cdg is NULL.
static enum anl_status make(struct routes *routes)
{
    enum anl_status status = anl_cdg_create(routes->config, &routes->cdg);
    for (uint32_t link = 0; link < routes->shape.links && !status; link++)
        if (leads_to_switch(routes, link))
            anl_cdg_set_end(routes->cdg, link, routes->ends[link].node);
    if (!status && routes->config->routing == ANL_SOURCE) {
        status = let_go_by_turns(routes);
        if (!status) return ANL_OK;
    }
    if (!status) routes->seen = calloc(anl_cdg_lanes(routes->cdg), routes->shape.terminals);
    if (!status) status = routes->seen ? travel_all(routes) : ANL_ERR_MEMORY;
    if (!status) return ANL_OK;
    anl_cdg_destroy(routes->cdg);
    routes->cdg = NULL;
    return status;
}

enum anl_status cdg_routes_read(const char *path, const struct anl_config *config,
                                struct anl_cdg **cdg, uint64_t *heads, struct anl_error *error)
{
    const struct anl_shape shape = anl_shape_of(config);
    const size_t lanes = (size_t)shape.ports * config->num_vcs;
    struct routes routes = {
        .config = config,
        .shape = shape,
        .ends = calloc(shape.links, sizeof *routes.ends),
        .barred = calloc((size_t)shape.switches * shape.ports, sizeof *routes.barred),
        .path = path,
        .error = error,
    };
    routes.vcs = calloc((size_t)shape.switches * num_asked(&routes), lanes * shape.ports);
    enum anl_status status = ANL_ERR_MEMORY;
    if (routes.ends && routes.vcs && routes.barred) status = read_lines(&routes);
    if (!status) status = make(&routes);
    if (status == ANL_ERR_MEMORY) cli_fail(status, error);
    *cdg = routes.cdg;
    *heads = routes.count;
    free(routes.ends);
    free(routes.vcs);
    free(routes.barred);
    free(routes.seen);
    free(routes.heads);
    return status;
}
