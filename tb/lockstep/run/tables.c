// SPDX-License-Identifier: Apache-2.0

#include "tables.h"

enum { ENTRY_BITS = 16, ENTRY_VCS_LSB = 8 };

static void set(struct bits bits, size_t at)
{
    if (at / 32 < bits.size) bits.words[at / 32] |= UINT32_C(1) << at % 32;
}

static void put(struct bits bits, size_t at, uint32_t value)
{
    for (uint32_t i = 0; i < 32; i++)
        if (value >> i & 1) set(bits, at + i);
}

bool tables_have_options(const struct anl_config *config)
{
    return anl_is_adaptive(config) || anl_reads_input(config);
}

size_t tables_words(const struct anl_config *config)
{
    const struct anl_graph *graph = config->graph;
    if (!graph) return 0;
    const size_t entries = (size_t)graph->ports * anl_num_classes(config) * graph->terminals,
                 bits = (size_t)graph->ports * config->num_vcs;
    return entries * (bits > ENTRY_BITS ? bits : ENTRY_BITS) / 32 + 4;
}

// Returns the options of a destination at an input port, for the network of one class.
static const struct anl_table_hop *options_of(const struct anl_graph *graph, uint32_t switch_,
                                              uint32_t port, uint32_t terminal)
{
    const size_t row = graph->by_input ? (size_t)switch_ * graph->ports + port : switch_;
    return &graph->routes[(row * graph->terminals + terminal) * graph->options];
}

// Classes that are alike have the routes of one.
static struct anl_config of_class(const struct anl_config *config, uint32_t class_)
{
    return anl_config_of_class(config, anl_classes_differ(config) ? class_ : 0);
}

// An entry for each class and terminal: the number of the port, and the set of lanes.
static void put_single(const struct anl_config *config, uint32_t switch_, struct bits table)
{
    for (uint32_t c = 0; c < anl_num_classes(config); c++) {
        const struct anl_config one = of_class(config, c);
        const uint32_t terminals = one.graph->terminals;
        for (uint32_t t = 0; t < terminals; t++) {
            const struct anl_table_hop *hop = options_of(one.graph, switch_, 0, t);
            put(table, ((size_t)c * terminals + t) * ENTRY_BITS,
                hop->port | (uint32_t)hop->vcs << ENTRY_VCS_LSB);
        }
    }
}

// An entry for each input port, class and terminal: a bit for each lane of each output port. A bit
// that is 1 follows.
static void put_options(const struct anl_config *config, uint32_t switch_, struct bits table)
{
    const uint32_t ports = config->graph->ports, lanes = anl_class_lanes(config);
    const size_t entry = (size_t)ports * lanes;
    size_t at = 0;
    for (uint32_t p = 0; p < ports; p++)
        for (uint32_t c = 0; c < anl_num_classes(config); c++) {
            const struct anl_config one = of_class(config, c);
            for (uint32_t t = 0; t < one.graph->terminals; t++, at += entry) {
                const struct anl_table_hop *hop = options_of(one.graph, switch_, p, t);
                for (uint32_t i = 0; i < one.graph->options && hop[i].vcs; i++)
                    put(table, at + (size_t)hop[i].port * lanes, hop[i].vcs);
            }
        }
    set(table, at);
}

void tables_routes(const struct anl_config *config, uint32_t switch_, struct bits table)
{
    if (config->graph->turns) return;  // heads carry their routes
    if (tables_have_options(config))
        put_options(config, switch_, table);
    else
        put_single(config, switch_, table);
}

static bool has_layers(const struct anl_config *config)
{
    for (uint32_t c = 0; c < anl_num_classes(config); c++)
        if (of_class(config, c).graph->num_layers > 1) return true;
    return false;
}

void tables_lanes(const struct anl_config *config, struct bits lanes)
{
    const uint32_t num = anl_class_lanes(config), all = (1u << num) - 1;
    const bool layers = has_layers(config), differ = anl_classes_differ(config);
    for (uint32_t v = 0; v < config->num_vcs; v++) {
        const uint32_t like = differ ? v : v % num;
        put(lanes, (size_t)v * num,
            layers ? anl_group_vcs(config, like) >> like / num * num & all : all);
    }
}

// In a dimension of two ports the other one is straight on, in a one-way ring the same.
void tables_straight(const struct anl_config *config, struct bits straight)
{
    const struct anl_graph *graph = config->graph;
    for (uint32_t d = 0, first = 0; d < graph->cube.dimensions; d++) {
        const uint32_t ports = graph->cube.kinds[d] == ANL_ONE_WAY_RING ? 1 : 2;
        for (uint32_t p = first; p < first + ports; p++)
            set(straight, (size_t)p * graph->ports + (ports == 1 ? p : 2 * first + 1 - p));
        first += ports;
    }
}

void tables_terminals(const struct anl_config *config, uint32_t switch_, struct bits terminals)
{
    for (uint32_t p = 0; p < config->graph->ports; p++) {
        const struct anl_end end = anl_link_end(config, switch_, p);
        if (end.exists && end.is_terminal) set(terminals, p);
    }
}
