// SPDX-License-Identifier: Apache-2.0

#include "oracle/network.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static_assert(ORACLE_ARBITERS == ANL_LAST_ARBITER + 1, "the oracle has each arbiter");
static_assert((int)STORE_AND_FORWARD == (int)ANL_STORE_AND_FORWARD,
              "flow_controls have the same numbers");
static_assert((int)STRAIGHT_FIRST == (int)ANL_STRAIGHT_FIRST, "selections have the same numbers");

// ---------------------------------------------------------------- links

// Returns the output lane at the beginning of the link into port p.
static struct oracle_out_lane *feeder(struct oracle_network *net, uint32_t s, uint32_t p,
                                      uint32_t v)
{
    const struct oracle_side *from = &net->from[s][p];
    assert(from->what != ORACLE_NOBODY);
    if (from->what == ORACLE_TERMINAL) return &net->terminal[from->node].injection[v];
    return &net->at[from->node].out[from->port][v];
}

// Returns whether the link into port p is chained: with wide links every link, in a butterfly all
// but the ejection links, in a fat-tree the links up and the injection links.
static bool chained_into(const struct oracle_network *net, uint32_t s, uint32_t p)
{
    const struct oracle_side *from = &net->from[s][p];
    if (net->config.credits != ANL_BYPASS) return false;
    if (net->config.link == ANL_WIDE || net->config.topology == ANL_BUTTERFLY) return true;
    return from->what == ORACLE_TERMINAL || from->port >= 4;
}

static void arrive(struct oracle_network *net, const struct oracle_later *later)
{
    if (later->is_credit)
        feeder(net, later->node, later->port, later->vc)->credits++;
    else
        oracle_enter(&net->at[later->node].in[later->port][later->vc], &later->flit);
}

// link.md, "Links of several cycles": what crosses a link between switches arrives so many cycles
// later than over a link of one cycle.
static uint32_t slices(const struct oracle_network *net)
{
    return net->config.link_cycles > 1 ? net->config.link_cycles - 1 : 0;
}

static void cross(struct oracle_network *net, uint32_t cycles, struct oracle_later later)
{
    later.cycle = net->cycle + cycles;
    assert(net->num_later < ORACLE_LATER);
    if (cycles == 0)
        arrive(net, &later);
    else
        net->later[net->num_later++] = later;
}

// What leaves the slices of links at the end of this cycle.
static void leave_slices(struct oracle_network *net)
{
    size_t kept = 0;
    for (size_t i = 0; i < net->num_later; i++)
        if (net->later[i].cycle == net->cycle)
            arrive(net, &net->later[i]);
        else
            net->later[kept++] = net->later[i];
    net->num_later = kept;
}

static void see(struct oracle_network *net, uint32_t link, uint32_t vc,
                const struct oracle_flit *flit)
{
    net->flits[net->num_flits++] = (struct anl_flit){.link = link,
                                                     .worm = oracle_worm(flit),
                                                     .index = (uint16_t)oracle_index(flit),
                                                     .vc = (uint8_t)vc,
                                                     .head = flit->head,
                                                     .tail = flit->tail};
}

static void carry_flits(struct oracle_network *net, uint32_t s, uint32_t o)
{
    const struct oracle_links *shown = &net->shown[s];
    const struct oracle_side *end = &net->to[s][o];
    for (uint32_t w = 0; w < net->vcs; w++) {
        if (!(shown->valid[o] >> w & 1)) continue;
        const struct oracle_flit *flit = &shown->flit[o][w];
        assert(end->what != ORACLE_NOBODY);
        see(net, s * net->ports + o, w, flit);
        if (end->what == ORACLE_TERMINAL)
            oracle_enter(&net->terminal[end->node].ejection[w], flit);
        else
            cross(net, slices(net),
                  (struct oracle_later){
                      .node = end->node, .port = end->port, .vc = w, .flit = *flit});
    }
}

static void carry_credits(struct oracle_network *net, uint32_t s, uint32_t p)
{
    const uint32_t cycles = net->from[s][p].what == ORACLE_SWITCH ? slices(net) : 0;
    for (uint32_t v = 0; v < net->vcs; v++)
        if (net->shown[s].credit[p] >> v & 1)
            cross(net, cycles,
                  (struct oracle_later){.node = s, .port = p, .vc = v, .is_credit = true});
}

static void carry_injection(struct oracle_network *net, uint32_t t)
{
    const struct oracle_side *entry = &net->entry[t];
    struct oracle_flit flits[ORACLE_LANES];
    oracle_inject(net, t, &net->done[t], flits);
    for (uint32_t v = 0; v < net->vcs; v++) {
        if (!(net->done[t].sends >> v & 1)) continue;
        see(net, net->switches * net->ports + t, v, &flits[v]);
        oracle_enter(&net->at[entry->node].in[entry->port][v], &flits[v]);
    }
}

// ---------------------------------------------------------------- a cycle

// Switches of the root level, or of the last level of a butterfly, have the highest numbers and
// decide first.
static void decide_shared(struct oracle_network *net)
{
    for (uint32_t s = net->switches; s-- > 0;) {
        const struct oracle_decisions *d = &net->decided[s];
        oracle_decide(&net->at[s], &net->decided[s]);
        for (uint32_t o = 0; o < net->ports; o++) {
            const int p = d->winners[o];
            if (p != ORACLE_NONE && chained_into(net, s, (uint32_t)p))
                feeder(net, s, (uint32_t)p, (uint32_t)d->offers[p].lane)->returning = true;
        }
    }
}

// A lane gives up a flit in this cycle, and its link is chained.
static void return_credits(struct oracle_network *net, uint32_t s)
{
    for (uint32_t p = 0; p < net->ports; p++)
        for (uint32_t v = 0; v < net->vcs; v++)
            if (net->wide[s].goes[p][v] && chained_into(net, s, p))
                feeder(net, s, p, v)->returning = true;
}

// Flits that are not heads follow over chained links until no further one can.
static void decide_wide(struct oracle_network *net)
{
    for (uint32_t t = 0; t < net->terminals; t++)
        for (uint32_t v = 0; v < net->vcs; v++)
            if (net->config.credits == ANL_BYPASS && net->terminal[t].ejection[v].count > 0)
                net->at[net->home[t].node].out[net->home[t].port][v].returning = true;
    for (uint32_t s = 0; s < net->switches; s++) {
        oracle_wide_decide(&net->at[s], (uint8_t)(net->at[s].random >> 8), &net->wide[s]);
        return_credits(net, s);
    }
    for (bool changes = true; changes;) {
        changes = false;
        for (uint32_t s = 0; s < net->switches; s++) {
            if (!oracle_wide_follow(&net->at[s], &net->wide[s])) continue;
            return_credits(net, s);
            changes = true;
        }
    }
}

static void move_switch(struct oracle_network *net, uint32_t s)
{
    if (net->config.link == ANL_WIDE) {
        oracle_wide_show(&net->at[s], &net->wide[s], &net->shown[s]);
        oracle_wide_move(&net->at[s], &net->wide[s]);
    } else {
        oracle_show(&net->at[s], &net->decided[s], &net->shown[s]);
        oracle_move(&net->at[s], &net->decided[s]);
    }
}

static void forget_returning(struct oracle_network *net)
{
    for (uint32_t v = 0; v < net->vcs; v++) {
        for (uint32_t s = 0; s < net->switches; s++)
            for (uint32_t o = 0; o < net->ports; o++)
                net->at[s].out[o][v].returning = false;
        for (uint32_t t = 0; t < net->terminals; t++)
            net->terminal[t].injection[v].returning = false;
    }
}

static int by_lane(const void *a, const void *b)
{
    const struct anl_flit *x = a, *y = b;
    return x->link == y->link ? (int)x->vc - (int)y->vc : x->link < y->link ? -1 : 1;
}

static void carry(struct oracle_network *net)
{
    net->num_flits = 0;
    for (uint32_t s = 0; s < net->switches; s++)
        for (uint32_t port = 0; port < net->ports; port++) {
            carry_flits(net, s, port);
            carry_credits(net, s, port);
        }
    for (uint32_t t = 0; t < net->terminals; t++)
        carry_injection(net, t);
    leave_slices(net);
    qsort(net->flits, net->num_flits, sizeof *net->flits, by_lane);
}

void oracle_step(struct oracle_network *net)
{
    if (net->config.link == ANL_WIDE)
        decide_wide(net);
    else
        decide_shared(net);
    for (uint32_t t = 0; t < net->terminals; t++)
        oracle_decide_terminal(net, t, &net->done[t]);
    for (uint32_t t = 0; t < net->terminals; t++)
        oracle_drain(net, t, &net->done[t]);
    for (uint32_t s = 0; s < net->switches; s++)
        move_switch(net, s);
    carry(net);
    forget_returning(net);
    net->cycle++;
}

// ---------------------------------------------------------------- accounts

// Counts flits and credits on their way to and from each lane, in slices and in registers.
static void count_away(const struct oracle_network *net,
                       uint32_t away[ORACLE_SWITCHES][ORACLE_NODE_PORTS][ORACLE_LANES])
{
    for (size_t i = 0; i < net->num_later; i++)
        away[net->later[i].node][net->later[i].port][net->later[i].vc]++;
    for (uint32_t s = 0; s < net->switches; s++)
        for (uint32_t p = 0; p < net->ports; p++) {
            const struct oracle_side *from = &net->from[s][p];
            for (uint32_t v = 0; v < net->vcs; v++) {
                away[s][p][v] += (uint32_t)(net->at[s].registered.credit[p] >> v & 1);
                if (from->what == ORACLE_SWITCH)
                    away[s][p][v] +=
                        (uint32_t)(net->at[from->node].registered.valid[from->port] >> v & 1);
            }
        }
}

static uint32_t credits_into(const struct oracle_network *net, uint32_t s, uint32_t p, uint32_t v)
{
    const struct oracle_side *from = &net->from[s][p];
    if (from->what == ORACLE_TERMINAL) return net->terminal[from->node].injection[v].credits;
    return net->at[from->node].out[from->port][v].credits;
}

bool oracle_adds_up(const struct oracle_network *net)
{
    uint32_t away[ORACLE_SWITCHES][ORACLE_NODE_PORTS][ORACLE_LANES] = {0};
    const uint32_t depth = net->config.depth;
    count_away(net, away);
    for (uint32_t v = 0; v < net->vcs; v++) {
        for (uint32_t s = 0; s < net->switches; s++)
            for (uint32_t p = 0; p < net->ports; p++)
                if (net->from[s][p].what != ORACLE_NOBODY &&
                    credits_into(net, s, p, v) + away[s][p][v] + net->at[s].in[p][v].count != depth)
                    return false;
        for (uint32_t t = 0; t < net->terminals; t++) {
            const struct oracle_side *home = &net->home[t];
            const struct oracle_switch *last = &net->at[home->node];
            const uint32_t held = net->terminal[t].ejection[v].count +
                                  (uint32_t)(last->registered.valid[home->port] >> v & 1);
            if (last->out[home->port][v].credits + held != depth) return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------- reset and worms

// Gives each class its own routing and graph of routes, or that of all.
static void give_routings(struct oracle_network *net)
{
    const struct anl_graph *graph = net->config.graph;
    for (uint32_t c = 0; c < net->classes; c++) {
        net->own[c] = net->config;
        net->own[c].graph = graph;
        if (net->config.num_class_routings)
            net->own[c].routing = (enum anl_routing)net->config.class_routing[c];
        if (graph && graph->next) graph = graph->next;
    }
}

static struct oracle_shape shape_of(const struct oracle_network *net)
{
    const struct anl_config *c = &net->config;
    struct oracle_shape shape = {.num_ports = net->ports,
                                 .num_vcs = net->vcs,
                                 .depth = c->depth,
                                 .arbiter = (int)c->arbiter,
                                 .flow_control = (int)c->flow_control,
                                 .classes = net->classes,
                                 .stages = c->stages,
                                 .wide = c->link == ANL_WIDE,
                                 .draws = c->routing == ANL_UP_DOWN_RANDOM,
                                 .select = (int)c->select,
                                 .atomic = c->atomic == ANL_ATOMIC_ADAPTIVE};
    for (uint32_t class_ = 0; class_ < net->classes; class_++) {
        shape.weights[class_] = net->weights[class_];
        shape.escapes[class_] = oracle_escapes(&net->own[class_]);
        if (oracle_has_options(&net->own[class_])) shape.selects = true;
    }
    if (shape.selects && c->select == ANL_SELECT_RANDOM) shape.draws = true;
    return shape;
}

static void reset_switch(struct oracle_network *net, uint32_t s)
{
    const struct oracle_cube cube = oracle_cube_of(net);
    const uint64_t seed = anl_mix(net->seed + (s + 1) * 0x9E3779B97F4A7C15) >> 32;
    struct oracle_switch *at = &net->at[s];
    at->shape = shape_of(net);
    for (uint32_t p = 0; p < net->ports; p++) {
        if (net->to[s][p].what == ORACLE_TERMINAL) at->shape.terminals |= onehot((int)p);
        at->shape.straight[p] =
            net->config.topology == ANL_GRAPH ? ORACLE_NONE : oracle_straight_on(&cube, p);
    }
    at->route = oracle_way;
    at->network = net;
    at->number = s;
    oracle_switch_reset(at, seed == 0 ? 1 : (uint32_t)seed);
}

static void reset_terminal(const struct oracle_network *net, struct oracle_terminal *t)
{
    t->favour = (struct oracle_favour){0, net->weights[0]};
    for (uint32_t v = 0; v < net->vcs; v++) {
        t->sending[v].worm = ORACLE_NO_WORM;
        t->injection[v].credits = net->config.depth;
    }
    for (uint32_t c = 0; c < net->classes; c++)
        t->class_[c] = (struct oracle_source){
            .first = ORACLE_NO_WORM, .lane = ORACLE_NONE, .shown = ORACLE_NONE};
}

void oracle_reset(struct oracle_network *net, const struct anl_config *config, uint64_t seed)
{
    memset(net, 0, sizeof *net);
    net->config = *config;
    net->vcs = config->num_vcs;
    net->classes = config->classes ? config->classes : 1;
    net->config.num_vcs = net->vcs / net->classes;
    for (uint32_t c = 0; c < net->classes; c++)
        net->weights[c] = config->class_weights[c] ? config->class_weights[c] : 1;
    give_routings(net);
    net->seed = seed;
    oracle_wire(net);
    for (uint32_t s = 0; s < net->switches; s++)
        reset_switch(net, s);
    for (uint32_t t = 0; t < net->terminals; t++)
        reset_terminal(net, &net->terminal[t]);
}

uint32_t oracle_num_paths(const struct oracle_network *net)
{
    const bool fixed = net->config.routing == ANL_UP_DOWN_FIXED;
    const bool valiant = net->config.routing == ANL_VALIANT;
    if (!fixed && !valiant && net->config.passes != 2) return 1;
    return oracle_power(fixed ? 2 : net->config.k, net->config.n - !valiant);
}

// Returns the path of a worm that is given none (docs/random.md, "Paths").
static uint32_t path_of(const struct oracle_network *net, uint32_t id)
{
    const uint64_t drawn = anl_mix(anl_mix(net->seed) + id + 1) >> 32;
    return (uint32_t)drawn % oracle_num_paths(net);
}

void oracle_enqueue(struct oracle_network *net, const struct anl_worm *worm)
{
    const uint32_t id = net->num_worms++;
    struct oracle_source *source = &net->terminal[worm->source].class_[worm->class_];
    assert(id < ORACLE_WORMS);
    net->worms[id] = *worm;
    net->worms[id].id = id;
    net->worms[id].created = net->cycle;
    if (!worm->has_path) net->worms[id].path = path_of(net, id);
    net->behind[id] = ORACLE_NO_WORM;
    if (source->first == ORACLE_NO_WORM)
        source->first = id;
    else
        net->behind[source->last] = id;
    source->last = id;
}
