// SPDX-License-Identifier: Apache-2.0
//
// Counts the worms of all pairs of terminals on their routes. Worms for one destination are walked
// together: a switch is visited when all worms that come to it are known, so each switch is visited
// at most once for each destination.
//
// The lanes of a link fall into groups, those that the routes keep apart: under dateline at most
// two, in a graph up to one for each lane. Sets of lanes that overlap are one group. A group has
// number link * groups + g.

#include "predict.h"

#include <math.h>
#include <stdlib.h>

struct hop {
    uint32_t link;   // output link
    uint32_t vcs;    // mask of lanes of it that may be taken
    uint32_t ports;  // as many links from this one on, with as many worms each
};

struct walk {
    const struct anl_config *config;
    struct anl_destinations *destinations;
    struct anl_shape shape;
    uint32_t groups;     // of each link
    uint32_t *end;       // [links] switch at the end; ANL_NO_PORT: a terminal, or no link
    uint32_t *into;      // [switches * ports] link that ends at the input port; ANL_NO_PORT: none
    uint8_t *lanes;      // [links * ANL_MAX_VCS] masks of the lanes of the groups of a link; 0: no
                         // more groups
    bool *paired;        // [links] heads take this link or the next one, whichever is free
    double *flow;        // [all groups * ports * groups] worms from a group to a port and its group
    double *coming;      // [all groups] worms for one destination that enter the group
    struct hop *hops;    // [switches] for one destination
    uint32_t *found;     // [switches] those to which worms for one destination come
    bool *is_found;      // [switches]
    uint32_t *waiting;   // [switches] neighbours that are still to be visited, for one destination
    uint32_t *ready;     // [switches] to be visited
    uint32_t *class_of;  // [all groups]
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
    free(walk->found);
    free(walk->is_found);
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
            walk->lanes[link * ANL_MAX_VCS] = (uint8_t)((1u << walk->config->num_vcs) - 1);
    }
}

static enum anl_status walk_begin(struct walk *walk, const struct anl_workload *workload)
{
    const struct anl_shape shape = anl_shape_of(workload->network);
    *walk = (struct walk){.config = workload->network, .shape = shape};
    walk->end = calloc(shape.links, sizeof *walk->end);
    walk->into = calloc((size_t)shape.switches * shape.ports, sizeof *walk->into);
    walk->lanes = calloc(shape.links, ANL_MAX_VCS * sizeof *walk->lanes);
    walk->paired = calloc(shape.links, sizeof *walk->paired);
    walk->hops = calloc(shape.switches, sizeof *walk->hops);
    walk->found = calloc(shape.switches, sizeof *walk->found);
    walk->is_found = calloc(shape.switches, sizeof *walk->is_found);
    walk->waiting = calloc(shape.switches, sizeof *walk->waiting);
    walk->ready = calloc(shape.switches, sizeof *walk->ready);
    if (!walk->end || !walk->into || !walk->lanes || !walk->paired || !walk->hops || !walk->found ||
        !walk->is_found || !walk->waiting || !walk->ready)
        return ANL_ERR_MEMORY;
    fill_ends(walk);
    return anl_destinations_create(workload, &walk->destinations);
}

// --- ways to one destination ---

static uint32_t injection_of(const struct walk *walk, uint32_t terminal)
{
    return walk->shape.switches * walk->shape.ports + terminal;
}

static struct hop hop_at(const struct walk *walk, uint32_t switch_, uint32_t destination)
{
    const struct anl_route route =
        anl_route_at(walk->config, (struct anl_input_lane){switch_, 0, 0}, destination);
    const struct anl_way way = anl_first_way(route);
    return (struct hop){switch_ * walk->shape.ports + way.port, way.vcs,
                        (uint32_t)__builtin_popcount(route.ports)};
}

// Adds the switch at the end of a link to those that were found.
static uint32_t find(struct walk *walk, uint32_t link, uint32_t destination, uint32_t found)
{
    const uint32_t end = walk->end[link];
    if (end == ANL_NO_PORT || walk->is_found[end]) return found;
    walk->is_found[end] = true;
    walk->hops[end] = hop_at(walk, end, destination);
    walk->found[found] = end;
    return found + 1;
}

// Finds the switches to which worms for a destination come, and the ways on from each of them. The
// others may have routes that never arrive. Returns how many they are.
static uint32_t find_hops(struct walk *walk, uint32_t destination)
{
    uint32_t found = 0;
    for (uint32_t s = 0; s < walk->shape.terminals; s++)
        if (anl_destination_probability(walk->destinations, s, destination) > 0)
            found = find(walk, injection_of(walk, s), destination, found);
    for (uint32_t i = 0; i < found; i++) {
        const struct hop *hop = &walk->hops[walk->found[i]];
        for (uint32_t port = 0; port < hop->ports; port++)
            found = find(walk, hop->link + port, destination, found);
    }
    for (uint32_t i = 0; i < found; i++)
        walk->is_found[walk->found[i]] = false;
    return found;
}

// --- groups ---

// Adds a set of lanes to the groups of a link, and joins those with which it overlaps.
static void add_lanes(uint8_t groups[ANL_MAX_VCS], uint32_t vcs)
{
    uint32_t kept = 0;
    for (uint32_t g = 0; g < ANL_MAX_VCS; g++)
        if ((groups[g] & vcs) == vcs) return;
    for (uint32_t g = 0; g < ANL_MAX_VCS; g++) {
        const uint8_t group = groups[g];
        groups[g] = 0;
        if (group & vcs)
            vcs |= group;
        else if (group)
            groups[kept++] = group;
    }
    groups[kept] = (uint8_t)vcs;
}

static void add_hop(struct walk *walk, const struct hop *hop)
{
    for (uint32_t i = 0; i < hop->ports; i++)
        add_lanes(&walk->lanes[(hop->link + i) * ANL_MAX_VCS], hop->vcs);
    if (hop->ports == 2) walk->paired[hop->link] = anl_path_radix(walk->config) == 1;
}

// Finds the groups of all links, from the routes that worms take.
static enum anl_status make_groups(struct walk *walk)
{
    const struct anl_shape shape = walk->shape;
    for (uint32_t d = 0; d < shape.terminals; d++) {
        const uint32_t found = find_hops(walk, d);
        for (uint32_t i = 0; i < found; i++)
            add_hop(walk, &walk->hops[walk->found[i]]);
    }
    for (uint32_t link = 0; link < shape.links; link++)
        while (walk->groups < ANL_MAX_VCS && walk->lanes[link * ANL_MAX_VCS + walk->groups])
            walk->groups++;
    const size_t groups = (size_t)shape.links * walk->groups;
    walk->flow = calloc(groups * shape.ports * walk->groups, sizeof *walk->flow);
    walk->coming = calloc(groups, sizeof *walk->coming);
    walk->class_of = calloc(groups, sizeof *walk->class_of);
    return walk->flow && walk->coming && walk->class_of ? ANL_OK : ANL_ERR_MEMORY;
}

static uint32_t lanes_of(const struct walk *walk, uint32_t group)
{
    return walk->lanes[group / walk->groups * ANL_MAX_VCS + group % walk->groups];
}

// Returns the group of a link that has these lanes.
static uint32_t group_of(const struct walk *walk, uint32_t link, uint32_t vcs)
{
    uint32_t group = link * walk->groups;
    while (!(lanes_of(walk, group) & vcs))
        group++;
    return group;
}

// --- worms for one destination ---

// Returns the group of one of the links of a hop.
static uint32_t out_of(const struct walk *walk, const struct hop *hop, uint32_t port)
{
    return group_of(walk, hop->link + port, hop->vcs);
}

// Counts the neighbours that lead to each switch. Returns how many switches have none.
static uint32_t count_neighbours(struct walk *walk, uint32_t found)
{
    uint32_t ready = 0;
    for (uint32_t i = 0; i < found; i++) {
        const struct hop *hop = &walk->hops[walk->found[i]];
        for (uint32_t port = 0; port < hop->ports; port++) {
            const uint32_t end = walk->end[hop->link + port];
            if (end != ANL_NO_PORT) walk->waiting[end]++;
        }
    }
    for (uint32_t i = 0; i < found; i++)
        if (!walk->waiting[walk->found[i]]) walk->ready[ready++] = walk->found[i];
    return ready;
}

// Sends worms of a group on.
static void send_on(struct walk *walk, uint32_t from, const struct hop *hop, double worms)
{
    const uint32_t width = walk->shape.ports * walk->groups;
    for (uint32_t i = 0; i < hop->ports; i++) {
        const uint32_t out = out_of(walk, hop, i);
        walk->flow[(size_t)from * width + out % width] += worms / hop->ports;
        walk->coming[out] += worms / hop->ports;
    }
}

static uint32_t visit(struct walk *walk, uint32_t switch_, uint32_t ready)
{
    const struct hop *hop = &walk->hops[switch_];
    for (uint32_t port = 0; port < walk->shape.ports; port++) {
        const uint32_t link = walk->into[switch_ * walk->shape.ports + port];
        for (uint32_t g = 0; link != ANL_NO_PORT && g < walk->groups; g++) {
            const uint32_t group = link * walk->groups + g;
            if (walk->coming[group] > 0) send_on(walk, group, hop, walk->coming[group]);
            walk->coming[group] = 0;
        }
    }
    for (uint32_t i = 0; i < hop->ports; i++) {
        const uint32_t next = walk->end[hop->link + i];
        if (next == ANL_NO_PORT)
            walk->coming[out_of(walk, hop, i)] = 0;
        else if (!--walk->waiting[next])
            walk->ready[ready++] = next;
    }
    return ready;
}

static void walk_to(struct walk *walk, uint32_t destination)
{
    for (uint32_t s = 0; s < walk->shape.terminals; s++)
        walk->coming[injection_of(walk, s) * walk->groups] =
            anl_destination_probability(walk->destinations, s, destination);
    uint32_t ready = count_neighbours(walk, find_hops(walk, destination));
    for (uint32_t i = 0; i < ready; i++)
        ready = visit(walk, walk->ready[i], ready);
}

// --- classes ---

// Returns the tier of a link that leaves a switch.
static uint32_t tier_of(const struct walk *walk, uint32_t link)
{
    const uint32_t from = link / walk->shape.ports, to = walk->end[link];
    return to == ANL_NO_PORT ? ANL_TIER_EJECTION : anl_link_tier(walk->config, from, to);
}

// Worms that go from one group to another.
struct found {
    uint32_t from, to;  // groups
    double worms;
};

// Goes on to the next place of walk->flow that has worms. Returns false after the last one.
static bool next_flow(const struct walk *walk, size_t *at, struct found *found)
{
    const size_t width = (size_t)walk->shape.ports * walk->groups,
                 all = (size_t)walk->shape.links * walk->groups * width;
    while (*at < all && walk->flow[*at] == 0)
        ++*at;
    if (*at == all) return false;
    const uint32_t from = (uint32_t)(*at / width), place = (uint32_t)(*at % width);
    const uint32_t base = walk->end[from / walk->groups] * (uint32_t)width;
    *found = (struct found){from, base + place, walk->flow[*at]};
    ++*at;
    return true;
}

// Fills coming[] with the worms of each group, from all flows.
static void count_worms(struct walk *walk)
{
    struct found found;
    for (uint32_t t = 0; t < walk->shape.terminals; t++)
        walk->coming[injection_of(walk, t) * walk->groups] = 1;
    for (size_t at = 0; next_flow(walk, &at, &found);)
        walk->coming[found.to] += found.worms;
}

static double worms_over(const struct walk *walk, uint32_t link)
{
    double worms = 0;
    for (uint32_t g = 0; g < walk->groups; g++)
        worms += walk->coming[link * walk->groups + g];
    return worms;
}

static bool make_class(struct walk *walk, uint32_t group, struct anl_rates *rates)
{
    const uint32_t link = group / walk->groups, vcs = lanes_of(walk, group);
    const bool source = link >= walk->shape.switches * walk->shape.ports;
    struct anl_channel_class class_ = {.rate = walk->coming[group],
                                       .link_rate = worms_over(walk, link),
                                       .count = 1,
                                       .lanes = (uint32_t)__builtin_popcount(vcs),
                                       .links = 1,
                                       .tier = source ? ANL_TIER_INJECTION : tier_of(walk, link),
                                       .link = link,
                                       .vcs = vcs};
    walk->class_of[group] = rates->num_classes;
    if (walk->paired[link]) {
        walk->class_of[group + walk->groups] = rates->num_classes;
        class_.rate += walk->coming[group + walk->groups];
        class_.lanes *= class_.links = 2;
        class_.resampled = walk->config->routing == ANL_UP_DOWN_RANDOM;
    }
    return rates_add_class(rates, class_);
}

static bool make_classes(struct walk *walk, struct anl_rates *rates)
{
    const uint32_t groups = walk->shape.links * walk->groups;
    bool memory = true;
    for (uint32_t group = 0; memory && group < groups; group++) {
        const uint32_t link = group / walk->groups;
        const bool second = link && walk->paired[link - 1];
        if (walk->coming[group] > 0 && !second) memory = make_class(walk, group, rates);
    }
    return memory;
}

// Returns the worms that go from a link to a group of each link of a class.
static double over_link(const struct walk *walk, uint32_t link, const struct anl_channel_class *to,
                        uint32_t group)
{
    double worms = 0;
    const size_t width = (size_t)walk->shape.ports * walk->groups;
    const uint32_t port = to->link % walk->shape.ports;
    for (uint32_t g = 0; g < walk->groups; g++)
        for (uint32_t i = 0; i < to->links; i++)
            worms += walk->flow[((size_t)link * walk->groups + g) * width +
                                (port + i) * walk->groups + group];
    return worms;
}

// Returns the worms that go from a link to the other groups of each link of a class.
static double over_link_to_others(const struct walk *walk, uint32_t link,
                                  const struct anl_channel_class *to, uint32_t group)
{
    double worms = 0;
    for (uint32_t g = 0; g < walk->groups; g++)
        if (g != group) worms += over_link(walk, link, to, g);
    return worms;
}

static bool make_flow(const struct walk *walk, const struct found *found, struct anl_rates *rates)
{
    const uint32_t from = walk->class_of[found->from], to = walk->class_of[found->to];
    const struct anl_channel_class *start = &rates->classes[from], *end = &rates->classes[to];
    const uint32_t link = found->from / walk->groups, group = found->to % walk->groups;
    const bool source = start->tier == ANL_TIER_INJECTION;
    const double lanes = source ? 1 : (double)start->lanes / start->links;
    const double others = end->link_rate - end->rate / end->links;
    struct anl_channel_flow flow = {
        .from = from, .to = to, .probability = found->worms / start->rate};
    flow.same_lane = found->worms / lanes * end->lanes / end->rate;
    flow.same_link = over_link(walk, link, end, group) / end->rate;
    flow.mates = others - over_link_to_others(walk, link, end, group);
    return rates_add_flow(rates, flow);
}

// Makes the flows. Of the two links of a pair the flows are joined.
static bool make_flows(struct walk *walk, struct anl_rates *rates)
{
    struct found found;
    bool memory = true;
    for (size_t at = 0; memory && next_flow(walk, &at, &found);) {
        const uint32_t link = found.to / walk->groups;
        if (walk->paired[link]) continue;  // counted with the second link
        if (link && walk->paired[link - 1]) found.worms *= 2;
        memory = make_flow(walk, &found, rates);
    }
    return memory;
}

// --- means and bounds ---

static void measure(struct walk *walk, struct anl_rates *rates)
{
    double hops = 0;
    const uint32_t links = walk->shape.switches * walk->shape.ports;
    for (uint32_t link = 0; link < links; link++) {
        const uint32_t to = walk->end[link];
        if (to == ANL_NO_PORT) continue;
        const bool from_half = anl_in_upper_half(walk->config, link / walk->shape.ports);
        const double worms = worms_over(walk, link);
        hops += worms;
        if (from_half == anl_in_upper_half(walk->config, to)) continue;
        walk->cut[from_half] += worms;
        walk->cut_links[from_half] += 1;
    }
    rates->hops = hops / walk->shape.terminals;
    for (int i = 0; i < 2; i++)
        if (walk->cut_links[i] > 0)
            rates->bisection = fmax(rates->bisection, walk->cut[i] / walk->cut_links[i]);
    rates->tiers = anl_num_link_tiers(walk->config);
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
    if (!status) status = make_groups(&walk);
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
