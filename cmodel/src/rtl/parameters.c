// SPDX-License-Identifier: Apache-2.0
//
// The parameters of networks in the RTL (rtl/common/anl_pkg.sv), by their names.

#include "rtl.h"

#include <assert.h>

enum { WEIGHT_BITS = 8 };

uint64_t anl_rtl_weights(const struct anl_config *config)
{
    uint64_t weights = 0;
    bool all_are_1 = true;
    for (uint32_t c = 0; c < anl_num_classes(config); c++) {
        weights |= (uint64_t)anl_class_weight(config, c) << WEIGHT_BITS * c;
        all_are_1 &= anl_class_weight(config, c) == 1;
    }
    return all_are_1 ? 0 : weights;
}

// The module of each topology, that of its switches, and the package whose function label() has the
// labels of terminals.
static const struct {
    const char *network, *switch_, *labels;
} modules[] = {
#define MODULES(name) name, name "_switch"
#define WITH_LABELS(name) MODULES(name), name "_pkg"
    [ANL_MESH] = {WITH_LABELS("anl_cube")},
    [ANL_TORUS] = {WITH_LABELS("anl_cube")},
    [ANL_UNIDIRECTIONAL_TORUS] = {WITH_LABELS("anl_cube")},
    [ANL_HYPERCUBE] = {WITH_LABELS("anl_cube")},
    [ANL_FAT_TREE] = {MODULES("anl_fat_tree"), NULL},
    [ANL_GRAPH] = {MODULES("anl_graph"), NULL},
    [ANL_CUBE] = {MODULES("anl_graph"), NULL},
    [ANL_BUTTERFLY] = {WITH_LABELS("anl_butterfly")},
};

const char *anl_rtl_module(const struct anl_config *config)
{
    return modules[config->topology].network;
}

const char *anl_rtl_labels(const struct anl_config *config)
{
    return modules[config->topology].labels;
}

const char *anl_rtl_switch(const struct anl_config *config)
{
    if (config->graph && (anl_is_adaptive(config) || anl_reads_input(config)))
        return "anl_options_switch";
    return config->routing == ANL_SOURCE ? "anl_source_switch" : modules[config->topology].switch_;
}

uint32_t anl_rtl_length_in_head(const struct anl_config *config)
{
    return config->flow_control == ANL_WORMHOLE && anl_head_has_length(config);
}

static void add(struct anl_rtl_parameters *all, const char *name, uint64_t value)
{
    assert(all->count < ANL_RTL_PARAMETERS);
    all->list[all->count++] = (struct anl_rtl_parameter){name, value};
}

static void add_unless(struct anl_rtl_parameters *all, const char *name, uint64_t value,
                       uint64_t other)
{
    if (value != other) add(all, name, value);
}

// Worms that pass a butterfly twice have Valiant's routing, whichever word says so.
static enum anl_routing routing_of(const struct anl_config *config)
{
    if (config->topology != ANL_BUTTERFLY) return config->routing;
    return anl_num_passes(config) == 2 ? ANL_VALIANT : ANL_DESTINATION_TAG;
}

// Adds those that say which network it is. A graph's are in the package that is written of it.
static void add_network(struct anl_rtl_parameters *all, const struct anl_config *config)
{
    add(all, "K", config->k);
    add(all, "N", config->n);
    if (config->graph) return;
    if (anl_is_k_ary_cube(config->topology)) add(all, "Topology", config->topology);
    add(all, "Routing", routing_of(config));
    if (!anl_is_adaptive(config)) return;
    add_unless(all, "Select", config->select, ANL_MOST_CREDITS);
    add_unless(all, "Atomic", config->atomic, ANL_ATOMIC_NONE);
}

struct anl_rtl_parameters anl_rtl_parameters(const struct anl_config *config)
{
    struct anl_rtl_parameters all = {0};
    const struct anl_machine *machine = anl_machine_of(config->kind);
    if (machine->parameters) {
        machine->parameters(config, &all);
        return all;
    }
    add_network(&all, config);
    add(&all, "NumVcs", config->num_vcs);
    add(&all, "Depth", config->depth);
    add(&all, "FlitW", config->flit_width_bits);
    add(&all, "Arbiter", config->arbiter);
    add_unless(&all, "FlowControl", config->flow_control, ANL_WORMHOLE);
    add_unless(&all, "LengthInHead", anl_rtl_length_in_head(config), 0);
    add_unless(&all, "CreditBypass", config->credits, ANL_REGISTERED);
    add_unless(&all, "Wide", config->link, ANL_SHARED);
    add_unless(&all, "LinkCycles", anl_link_cycles(config), 1);
    add_unless(&all, "Stages", anl_stages(config), 1);
    add_unless(&all, "Classes", anl_num_classes(config), 1);
    add_unless(&all, "Weights", anl_rtl_weights(config), 0);
    return all;
}
