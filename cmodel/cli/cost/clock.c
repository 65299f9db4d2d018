// SPDX-License-Identifier: Apache-2.0
//
// The clock of a network is that of the nearest measured set, and what lies beyond the sets is said
// (docs/cost.md).

#include "columns.h"
#include "model.h"

#include <inttypes.h>

static double octaves(double a, double b) { return fabs(log2(a / b)); }

// Returns whether the clock of a set may stand for that of a network.
static bool is_like(const struct cost_model_set *set, const struct anl_config *b,
                    const struct cost_shape *shape)
{
    const struct anl_config *a = &set->scenario.network;
    return a->num_vcs == b->num_vcs && a->arbiter == b->arbiter && anl_stages(a) == anl_stages(b) &&
           anl_is_adaptive(a) == anl_is_adaptive(b) && a->flow_control == b->flow_control &&
           octaves(a->flit_width_bits, b->flit_width_bits) <= 1 &&
           octaves(a->depth, b->depth) <= 1 &&
           fabs((double)set->shape.most_ports - shape->most_ports) <= 1;
}

// Returns how far a set is from a network: first by what decides a clock most.
static double distance(const struct cost_model *model, size_t set, const struct anl_config *config,
                       const struct cost_shape *shape)
{
    const struct anl_config *one = &model->sets[set].scenario.network;
    const bool alone = cost_sets[set].kind == COST_SWITCH;
    const double switches = alone ? 1 : anl_shape_of(one).switches;
    return 1000 * (anl_stages(one) != anl_stages(config)) +
           1000 * (anl_is_adaptive(one) != anl_is_adaptive(config)) +
           500 * (one->arbiter != config->arbiter) + 200 * octaves(one->num_vcs, config->num_vcs) +
           20 * fabs((double)model->sets[set].shape.most_ports - shape->most_ports) +
           10 * octaves(one->flit_width_bits, config->flit_width_bits) +
           8 * (one->topology != config->topology) +
           4 * octaves(switches, anl_shape_of(config).switches) +
           2 * octaves(one->depth, config->depth);
}

// Returns whether two sets differ in arbiter and stages alone.
static bool same_shape(const struct cost_model *model, size_t a, size_t b)
{
    const struct anl_config *one = &model->sets[a].scenario.network,
                            *other = &model->sets[b].scenario.network;
    return cost_sets[a].kind == cost_sets[b].kind && one->topology == other->topology &&
           one->k == other->k && one->n == other->n && one->routing == other->routing &&
           one->num_vcs == other->num_vcs && one->depth == other->depth &&
           one->flit_width_bits == other->flit_width_bits &&
           one->flow_control == other->flow_control;
}

static bool same_setting(const struct cost_model *model, size_t a, size_t b)
{
    const struct anl_config *one = &model->sets[a].scenario.network,
                            *other = &model->sets[b].scenario.network;
    return one->arbiter == other->arbiter && anl_stages(one) == anl_stages(other);
}

static size_t fastest_like(const struct cost_model *model, size_t set, enum cost_figure clock)
{
    size_t fastest = set;
    for (size_t i = 0; i < cost_num_sets; i++)
        if (same_shape(model, set, i) && !same_setting(model, set, i) &&
            cost_sets[i].figures[clock] > cost_sets[fastest].figures[clock])
            fastest = i;
    return fastest;
}

const struct cost_set *cost_clock(const struct cost_model *model, const struct anl_config *config,
                                  const struct cost_shape *shape, enum cost_figure clock,
                                  const struct cost_set *but, struct cost_clocks *clocks)
{
    size_t nearest = cost_num_sets;
    double least = INFINITY;
    *clocks = (struct cost_clocks){0};
    for (size_t i = 0; i < cost_num_sets; i++) {
        const struct cost_set *set = &cost_sets[i];
        const double away = distance(model, i, config, shape);
        if (set->kind == COST_TERMINAL || set->figures[clock] <= 0 || set == but || away >= least)
            continue;
        nearest = i;
        least = away;
    }
    if (nearest == cost_num_sets) return NULL;
    const size_t fastest = fastest_like(model, nearest, clock);
    clocks->same = is_like(&model->sets[nearest], config, shape);
    if (fastest != nearest && clocks->same && config->credits != ANL_BYPASS) {
        clocks->faster = &cost_sets[fastest];
        clocks->how = &model->sets[fastest].scenario.network;
    }
    return &cost_sets[nearest];
}

// --- what was not measured ---

// The least and the greatest value of something among the sets that the formula is fitted to.
struct range {
    uint32_t least, most;
};

static void widen(struct range *range, uint32_t value)
{
    if (value < range->least || range->most == 0) range->least = value;
    if (value > range->most) range->most = value;
}

static void put_beyond(FILE *out, const char *before, uint32_t value, const char *behind,
                       struct range range)
{
    if (value < range.least || value > range.most)
        fprintf(out, "%s%" PRIu32 "%s (measured: %" PRIu32 " to %" PRIu32 ")\n", before, value,
                behind, range.least, range.most);
}

static void put_ranges(const struct cost_model *model, const struct anl_config *config,
                       const struct cost_shape *shape, FILE *out)
{
    struct range lanes = {0}, depth = {0}, width = {0}, ports = {0}, here = {0};
    for (size_t i = 0; i < cost_num_sets; i++) {
        const struct anl_config *one = &model->sets[i].scenario.network;
        if (cost_sets[i].kind != COST_SWITCH) continue;
        widen(&lanes, one->num_vcs);
        widen(&depth, one->depth);
        widen(&width, one->flit_width_bits);
        widen(&ports, model->sets[i].shape.most_ports);
        if (one->arbiter == config->arbiter && anl_stages(one) == anl_stages(config) &&
            anl_is_adaptive(one) == anl_is_adaptive(config))
            widen(&here, one->num_vcs);
    }
    put_beyond(out, "depth ", config->depth, "", depth);
    put_beyond(out, "flits of ", config->flit_width_bits, " bits", width);
    put_beyond(out, "switches of ", shape->most_ports, " ports", ports);
    put_beyond(out, "", config->num_vcs, " lanes", lanes);
    if (config->num_vcs < lanes.least || config->num_vcs > lanes.most) return;
    if (config->num_vcs >= here.least && config->num_vcs <= here.most) return;
    fprintf(out, "arbiter %s%s%s with %" PRIu32 " lane%s", anl_arbiter_name(config->arbiter),
            anl_stages(config) > 1 ? ", two stages" : "",
            anl_is_adaptive(config) ? ", heads with several options" : "", config->num_vcs,
            plural(config->num_vcs));
    if (here.most == 0)
        fputs(" (never measured)\n", out);
    else
        fprintf(out, " (measured: %" PRIu32 " to %" PRIu32 ")\n", here.least, here.most);
}

// The same of terminals with streams, whose sets are others.
static void put_ranges_of_terminals(const struct cost_model *model, const struct anl_config *config,
                                    FILE *out)
{
    struct range lanes = {0}, depth = {0}, width = {0};
    for (size_t i = 0; i < cost_num_sets; i++) {
        const struct anl_config *one = &model->sets[i].scenario.network;
        if (cost_sets[i].kind != COST_TERMINAL) continue;
        widen(&lanes, one->num_vcs);
        widen(&depth, one->depth);
        widen(&width, one->flit_width_bits);
    }
    put_beyond(out, "terminals of depth ", config->depth, "", depth);
    if (2 * config->flit_width_bits < width.least || config->flit_width_bits > width.most)
        put_beyond(out, "terminals with flits of ", config->flit_width_bits, " bits", width);
    put_beyond(out, "terminals with ", config->num_vcs, " lanes", lanes);
    if (anl_head_bits(config) > anl_label_bits(config))
        fputs("terminals whose heads have more than a label\n", out);
}

// The same of ports of AXI4; what two numbers have in common is said once.
static void put_ranges_of_ports(const struct cost_ports *ports, FILE *out)
{
    struct range data = {0}, address = {0}, id = {0}, bursts = {0}, room = {0}, slots = {0};
    for (size_t i = 0; i < cost_num_sets; i++) {
        const struct cost_ports *one = &cost_sets[i].ports;
        if (cost_sets[i].kind != COST_USER) continue;
        widen(&data, one->data_bits);
        widen(&address, one->address_bits);
        widen(&id, one->id_bits);
        widen(&bursts, one->bursts);
        widen(&room, one->room);
        widen(&slots, one->reorder);
    }
    put_beyond(out, "ports of AXI4 with ", ports->data_bits, " bits of data", data);
    put_beyond(out, "ports of AXI4 with ", ports->address_bits, " bits of addresses", address);
    put_beyond(out, "ports of AXI4 with ", ports->id_bits, " bits of IDs", id);
    put_beyond(out, "ports of AXI4 with ", ports->bursts, " bursts under way", bursts);
    put_beyond(out, "ports of AXI4 with room for ", ports->room, " beats", room);
    put_beyond(out, "ports of AXI4 with ", ports->reorder, " slots", slots);
}

void cost_beyond(const struct cost_model *model, const struct anl_config *config,
                 const struct cost_shape *shape, const struct cost_ports *ports,
                 enum cost_streams streams, FILE *out)
{
    put_ranges(model, config, shape, out);
    if (streams != COST_WITHOUT_STREAMS) put_ranges_of_terminals(model, config, out);
    if (cost_num_ports(ports) > 0) put_ranges_of_ports(ports, out);
    if (anl_num_classes(config) > 1) fputs("classes of messages\n", out);
    if (config->routing == ANL_SOURCE) fputs("routing source\n", out);
    if (config->credits == ANL_BYPASS) fputs("credits bypass\n", out);
    if (config->topology == ANL_BUTTERFLY) fputs("topology butterfly\n", out);
    if (config->flow_control == ANL_STORE_AND_FORWARD)
        fputs("flow_control store_and_forward\n", out);
}
