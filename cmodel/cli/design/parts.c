// SPDX-License-Identifier: Apache-2.0
//
// The modules and packages that a design has beside its top module: a row is all that is known of
// one.

#include "design.h"

#include <annelid/rtl.h>

static bool is_graph(const struct design *design) { return design->config->graph != NULL; }

static bool is_graph_in_one_region(const struct design *design)
{
    return is_graph(design) && !design_has_regions(design);
}

static bool has_lists(const struct design *design)
{
    return is_graph(design) && design->config->routing == ANL_SOURCE;
}

#define OF_GRAPH(function)                                                                         \
    static enum anl_status put_##function(const struct anl_config *config,                         \
                                          const struct design *design, FILE *out)                  \
    {                                                                                              \
        return anl_rtl_##function(config, design->name, out);                                      \
    }

OF_GRAPH(graph_package)
OF_GRAPH(graph)
OF_GRAPH(graph_lists)

const struct design_part design_parts[] = {
    {"_graph_pkg.sv", "the routes and turns of the graph", is_graph, put_graph_package, NULL},
    {"_graph.sv", "its switches and links", is_graph_in_one_region, put_graph, NULL},
    {"_graph_lists_pkg.sv", "the lists of output ports for heads", has_lists, put_graph_lists,
     NULL},
    {"_regions.sv", "its switches and links, with crossings between the regions",
     design_has_regions, design_put_regions, NULL},
    {"_resets.sv", "makes the resets of all clocks of one", design_has_domains, NULL, "resets.sv"},
};

const size_t design_num_parts = sizeof design_parts / sizeof *design_parts;
