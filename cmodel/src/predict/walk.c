// SPDX-License-Identifier: Apache-2.0
//
// Counts the worms of all pairs of terminals on their routes. Worms for one destination are walked
// together: a switch is visited when all worms that come to it are known, so each switch is visited
// once for each destination.
//
// Of each link the lanes fall into at most two groups, those that the routing keeps apart
// (dateline). A group has number link * GROUPS + g.

#include "predict.h"

#include <math.h>
#include <stdlib.h>

enum { GROUPS = 2 };

struct hop {
    uint32_t out;    // output group
    uint32_t ports;  // 2: half of the worms take it, half that of the next link
};

struct walk {
    const struct anl_config *config;
    struct anl_destinations *destinations;
    struct anl_shape shape;
    uint32_t *end;       // [links] switch at the end; ANL_NO_PORT: a terminal, or no link
    uint32_t *into;      // [switches * ports] link that ends at the input port; ANL_NO_PORT: none
    uint32_t *lanes;     // [groups] mask of lanes; 0: the group is not used
    bool *paired;        // [links] heads take this link or the next one, whichever is free
    double *flow;        // [groups * ports * GROUPS] worms from a group to a port and its group
    double *coming;      // [groups] worms for one destination that enter the group
    struct hop *hops;    // [switches] for one destination
    uint32_t *waiting;   // [switches] neighbours that are still to be visited, for one destination
    uint32_t *ready;     // [switches] to be visited
    uint32_t *class_of;  // [groups]
    double cut[2], cut_links[2];  // worms and links of the cut, in each direction
};

// --- tables ---

static void walk_end(struct walk *walk)
{
    anl_destinations_destroy(walk->destinations);
    free(walk->end);
    free(walk->into);
    free(walk->lanes);
    free(walk->paired);
    free(walk->flow);
    free(walk->coming);
    free(walk->hops);
    free(walk->waiting);
    free(walk->ready);
    free(walk->class_of);
}

static void fill_ends(struct walk *walk)
{
    const struct anl_shape shape = walk->shape;
    for (uint32_t i = 0; i < shape.switches * shape.ports; i++)
        walk->into[i] = ANL_NO_PORT;
    for (uint32_t link = 0; link < shape.links; link++) {
        const struct anl_end end = anl_end_of(walk->config, link);
        const bool inside = end.exists && !end.is_terminal;
        walk->end[link] = inside ? end.node : ANL_NO_PORT;
        if (inside) walk->into[end.node * shape.ports + end.port] = link;
        if (link >= shape.switches * shape.ports)
            walk->lanes[link * GROUPS] = (UINT32_C(1) << walk->config->num_vcs) - 1;
    }
}

static enum anl_status walk_begin(struct walk *walk, const struct anl_workload *workload)
{
    const struct anl_shape shape = anl_shape_of(workload->network);
    const size_t groups = (size_t)shape.links * GROUPS;
    *walk = (struct walk){.config = workload->network, .shape = shape};
    walk->end = calloc(shape.links, sizeof *walk->end);
    walk->into = calloc((size_t)shape.switches * shape.ports, sizeof *walk->into);
    walk->lanes = calloc(groups, sizeof *walk->lanes);
    walk->paired = calloc(shape.links, sizeof *walk->paired);
    walk->flow = calloc(groups * shape.ports * GROUPS, sizeof *walk->flow);
    walk->coming = calloc(groups, sizeof *walk->coming);
    walk->hops = calloc(shape.switches, sizeof *walk->hops);
    walk->waiting = calloc(shape.switches, sizeof *walk->waiting);
    walk->ready = calloc(shape.switches, sizeof *walk->ready);
    walk->class_of = calloc(groups, sizeof *walk->class_of);
    if (!walk->end || !walk->into || !walk->lanes || !walk->paired || !walk->flow ||
        !walk->coming || !walk->hops || !walk->waiting || !walk->ready || !walk->class_of)
        return ANL_ERR_MEMORY;
    fill_ends(walk);
    return anl_destinations_create(workload, &walk->destinations);
}

// --- worms for one destination ---

// Returns the group of a link that has these lanes.
static uint32_t group_of(struct walk *walk, uint32_t link, uint32_t lanes)
{
    uint32_t group = link * GROUPS;
    if (walk->lanes[group] && walk->lanes[group] != lanes) group++;
    walk->lanes[group] = lanes;
    return group;
}

static struct hop hop_at(struct walk *walk, uint32_t switch_, uint32_t destination)
{
    const struct anl_route route =
        anl_route_at(walk->config, (struct anl_input_lane){switch_, 0, 0}, destination);
    const struct anl_way way = anl_first_way(route);
    const uint32_t link = switch_ * walk->shape.ports + way.port;
    struct hop hop = {group_of(walk, link, way.vcs), (uint32_t)__builtin_popcount(route.ports)};
    if (hop.ports == 2) {
        group_of(walk, link + 1, way.vcs);
        walk->paired[link] = walk->config->routing != ANL_UP_DOWN_FIXED;
    }
    return hop;
}

static void count_neighbour(struct walk *walk, uint32_t group, int change)
{
    const uint32_t end = walk->end[group / GROUPS];
    if (end == ANL_NO_PORT) return;
    walk->waiting[end] += (uint32_t)change;
}

// Finds the way on from each switch. Returns how many switches have no neighbour that leads to
// them.
static uint32_t find_hops(struct walk *walk, uint32_t destination)
{
    uint32_t ready = 0;
    for (uint32_t s = 0; s < walk->shape.switches; s++) {
        walk->hops[s] = hop_at(walk, s, destination);
        for (uint32_t i = 0; i < walk->hops[s].ports; i++)
            count_neighbour(walk, walk->hops[s].out + i * GROUPS, 1);
    }
    for (uint32_t s = 0; s < walk->shape.switches; s++)
        if (!walk->waiting[s]) walk->ready[ready++] = s;
    return ready;
}

// Sends worms of a group on.
static void send_on(struct walk *walk, uint32_t from, const struct hop *hop, double worms)
{
    const uint32_t group = hop->out % GROUPS;
    for (uint32_t i = 0; i < hop->ports; i++) {
        const uint32_t out = hop->out + i * GROUPS, port = out / GROUPS % walk->shape.ports;
        walk->flow[((size_t)from * walk->shape.ports + port) * GROUPS + group] +=
            worms / hop->ports;
        walk->coming[out] += worms / hop->ports;
    }
}

static uint32_t visit(struct walk *walk, uint32_t switch_, uint32_t ready)
{
    const struct hop *hop = &walk->hops[switch_];
    for (uint32_t port = 0; port < walk->shape.ports; port++) {
        const uint32_t link = walk->into[switch_ * walk->shape.ports + port];
        for (uint32_t g = 0; link != ANL_NO_PORT && g < GROUPS; g++) {
            const uint32_t group = link * GROUPS + g;
            if (walk->coming[group] > 0) send_on(walk, group, hop, walk->coming[group]);
            walk->coming[group] = 0;
        }
    }
    for (uint32_t i = 0; i < hop->ports; i++) {
        const uint32_t out = hop->out + i * GROUPS, next = walk->end[out / GROUPS];
        count_neighbour(walk, out, -1);
        if (next == ANL_NO_PORT)
            walk->coming[out] = 0;
        else if (!walk->waiting[next])
            walk->ready[ready++] = next;
    }
    return ready;
}

static void walk_to(struct walk *walk, uint32_t destination)
{
    const uint32_t injection = walk->shape.switches * walk->shape.ports;
    for (uint32_t s = 0; s < walk->shape.terminals; s++)
        walk->coming[(injection + s) * GROUPS] =
            anl_destination_probability(walk->destinations, s, destination);
    uint32_t ready = find_hops(walk, destination);
    for (uint32_t i = 0; i < ready; i++)
        ready = visit(walk, walk->ready[i], ready);
}

// --- classes ---

// Returns the stage of a link that leaves a switch.
static uint32_t stage_of(const struct walk *walk, uint32_t link)
{
    const struct anl_config *config = walk->config;
    const uint32_t from = link / walk->shape.ports, to = walk->end[link];
    if (to == ANL_NO_PORT) return ANL_STAGE_EJECTION;
    if (config->topology == ANL_FAT_TREE) {
        const uint32_t a = anl_tree_place(config, from).level, b = anl_tree_place(config, to).level;
        return b > a ? a - 1 : config->n - 1 + b - 1;
    }
    uint32_t dimension = 0;
    while (anl_coordinate(config, from, dimension) == anl_coordinate(config, to, dimension))
        dimension++;
    return dimension;
}

// Worms that go from one group to another.
struct found {
    uint32_t from, to;  // groups
    double worms;
};

// Goes on to the next place of walk->flow that has worms. Returns false after the last one.
static bool next_flow(const struct walk *walk, size_t *at, struct found *found)
{
    const size_t width = (size_t)walk->shape.ports * GROUPS,
                 all = (size_t)walk->shape.links * GROUPS * width;
    while (*at < all && walk->flow[*at] == 0)
        ++*at;
    if (*at == all) return false;
    const uint32_t from = (uint32_t)(*at / width), place = (uint32_t)(*at % width);
    const uint32_t base = walk->end[from / GROUPS] * walk->shape.ports * GROUPS;
    *found = (struct found){from, base + place, walk->flow[*at]};
    ++*at;
    return true;
}

// Fills coming[] with the worms of each group, from all flows.
static void count_worms(struct walk *walk)
{
    struct found found;
    for (uint32_t t = 0; t < walk->shape.terminals; t++)
        walk->coming[(walk->shape.switches * walk->shape.ports + t) * GROUPS] = 1;
    for (size_t at = 0; next_flow(walk, &at, &found);)
        walk->coming[found.to] += found.worms;
}

static double worms_over(const struct walk *walk, uint32_t link)
{
    return walk->coming[link * GROUPS] + walk->coming[link * GROUPS + 1];
}

static bool make_class(struct walk *walk, uint32_t group, struct anl_rates *rates)
{
    const uint32_t link = group / GROUPS;
    const bool source = link >= walk->shape.switches * walk->shape.ports;
    struct anl_class class_ = {.rate = walk->coming[group],
                               .link_rate = worms_over(walk, link),
                               .count = 1,
                               .lanes = (uint32_t)__builtin_popcount(walk->lanes[group]),
                               .links = 1,
                               .stage = source ? ANL_STAGE_INJECTION : stage_of(walk, link),
                               .link = link,
                               .vcs = walk->lanes[group]};
    walk->class_of[group] = rates->num_classes;
    if (walk->paired[link]) {
        walk->class_of[group + GROUPS] = rates->num_classes;
        class_.rate += walk->coming[group + GROUPS];
        class_.lanes *= class_.links = 2;
    }
    return rates_add_class(rates, class_);
}

static bool make_classes(struct walk *walk, struct anl_rates *rates)
{
    const uint32_t groups = walk->shape.links * GROUPS;
    bool memory = true;
    for (uint32_t group = 0; memory && group < groups; group++) {
        const uint32_t link = group / GROUPS;
        const bool second = link && walk->paired[link - 1];
        if (walk->coming[group] > 0 && !second) memory = make_class(walk, group, rates);
    }
    return memory;
}

// Returns the worms that go from a link to a class.
static double over_link(const struct walk *walk, uint32_t link, const struct anl_class *to,
                        uint32_t group)
{
    double worms = 0;
    const uint32_t port = to->link % walk->shape.ports;
    for (uint32_t g = 0; g < GROUPS; g++)
        for (uint32_t i = 0; i < to->links; i++)
            worms +=
                walk->flow[(((size_t)link * GROUPS + g) * walk->shape.ports + port + i) * GROUPS +
                           group];
    return worms;
}

static bool make_flow(const struct walk *walk, const struct found *found, struct anl_rates *rates)
{
    const uint32_t from = walk->class_of[found->from], to = walk->class_of[found->to];
    const struct anl_class *start = &rates->classes[from], *end = &rates->classes[to];
    const uint32_t link = found->from / GROUPS, group = found->to % GROUPS;
    const bool source = start->stage == ANL_STAGE_INJECTION;
    const double lanes = source ? 1 : (double)start->lanes / start->links;
    const double others = end->link_rate - end->rate / end->links;
    struct anl_class_flow flow = {
        .from = from, .to = to, .probability = found->worms / start->rate};
    flow.same_lane = found->worms / lanes * end->lanes / end->rate;
    flow.same_link = over_link(walk, link, end, group) / end->rate;
    flow.mates = others - over_link(walk, link, end, 1 - group);
    return rates_add_flow(rates, flow);
}

// Makes the flows. Of the two links of a pair the flows are joined.
static bool make_flows(struct walk *walk, struct anl_rates *rates)
{
    struct found found;
    bool memory = true;
    for (size_t at = 0; memory && next_flow(walk, &at, &found);) {
        const uint32_t link = found.to / GROUPS;
        if (walk->paired[link]) continue;  // counted with the second link
        if (link && walk->paired[link - 1]) found.worms *= 2;
        memory = make_flow(walk, &found, rates);
    }
    return memory;
}

// --- means and bounds ---

// Returns which half of the terminals a switch belongs to; those that belong to both are in the
// second one.
static uint32_t half_of(const struct walk *walk, uint32_t switch_)
{
    const struct anl_config *config = walk->config;
    if (config->topology != ANL_FAT_TREE)
        return anl_coordinate(config, switch_, config->n - 1) >= (config->k + 1) / 2;
    const struct anl_tree_place place = anl_tree_place(config, switch_);
    const uint32_t tree = place.level < config->n ? place.address >> (place.level - 1) : 0;
    return place.level == config->n || tree >= UINT32_C(1) << (2 * (config->n - place.level) - 1);
}

static void measure(struct walk *walk, struct anl_rates *rates)
{
    double hops = 0;
    const uint32_t links = walk->shape.switches * walk->shape.ports;
    for (uint32_t link = 0; link < links; link++) {
        const uint32_t to = walk->end[link];
        if (to == ANL_NO_PORT) continue;
        const uint32_t from_half = half_of(walk, link / walk->shape.ports);
        const double worms = worms_over(walk, link);
        hops += worms;
        if (from_half == half_of(walk, to)) continue;
        walk->cut[from_half] += worms;
        walk->cut_links[from_half] += 1;
    }
    rates->hops = hops / walk->shape.terminals;
    for (int i = 0; i < 2; i++)
        if (walk->cut_links[i] > 0)
            rates->bisection = fmax(rates->bisection, walk->cut[i] / walk->cut_links[i]);
    rates->stages =
        walk->config->topology == ANL_FAT_TREE ? 2 * (walk->config->n - 1) : walk->config->n;
}

enum anl_status anl_rates_walk(const struct anl_workload *workload, struct anl_rates *rates,
                               struct anl_error *error)
{
    struct walk walk;
    const struct anl_shape shape = anl_shape_of(workload->network);
    *rates = (struct anl_rates){0};
    if (!anl_process_has_pattern(workload->traffic->process))
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "process %s: its worms have no pattern whose routes could be walked",
                        anl_process_name(workload->traffic->process));
    if ((uint64_t)shape.switches * shape.terminals > ANL_CDG_ROUTES)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "%u switches and %u terminals: routes are walked up to %llu pairs",
                        shape.switches, shape.terminals, (unsigned long long)ANL_CDG_ROUTES);
    enum anl_status status = walk_begin(&walk, workload);
    for (uint32_t d = 0; !status && d < shape.terminals; d++)
        walk_to(&walk, d);
    if (!status) count_worms(&walk);
    if (!status && !(make_classes(&walk, rates) && make_flows(&walk, rates)))
        status = ANL_ERR_MEMORY;
    if (!status) measure(&walk, rates);
    walk_end(&walk);
    if (!status) return ANL_OK;
    anl_rates_free(rates);
    return anl_fail(error, status, "", 0, "%s", anl_status_text(status));
}
