// SPDX-License-Identifier: Apache-2.0
//
// The SystemVerilog of networks that a file describes. Cubes and fat-trees have modules of their
// own in rtl/net, with parameters; a graph is written as a module.

#ifndef ANNELID_RTL_H
#define ANNELID_RTL_H

#include <annelid/network.h>

#ifdef __cplusplus
extern "C" {
#endif

// Returns ANL_OK if the RTL has a network of this configuration: a module of rtl/net, or the module
// that is written of a graph. ANL_ERR_ARGUMENT, about the file `path`: the model alone has it.
enum anl_status anl_rtl_check(const struct anl_config *config, const char *path,
                              struct anl_error *error);

// Returns the weights of the classes of messages, 8 bits each, class 0 in the lowest bits; 0 if all
// are 1.
uint64_t anl_rtl_weights(const struct anl_config *config);

// Returns the parameter LengthInHead: 1 if heads say their length though the flow control needs
// none.
uint32_t anl_rtl_length_in_head(const struct anl_config *config);

// Return the module of a network, anl_cube, anl_fat_tree, anl_butterfly or anl_graph, and that of
// its switches, anl_<…>_switch.
const char *anl_rtl_module(const struct anl_config *config);
const char *anl_rtl_switch(const struct anl_config *config);

// Returns the package whose function label(K, N, t) is the label of terminal t; NULL: the label is
// the number of the terminal.
const char *anl_rtl_labels(const struct anl_config *config);

enum { ANL_RTL_PARAMETERS = 24 };

struct anl_rtl_parameters {
    size_t count;
    struct anl_rtl_parameter {
        const char *name;  // as the RTL spells it, static
        uint64_t value;
    } list[ANL_RTL_PARAMETERS];
};

// Returns the parameters of a network in the RTL: always K, N and those that name topology and
// routing, NumVcs, Depth, FlitW and Arbiter, and of the others those that have not their default.
// Of a graph K is the number of terminals and N is 1; topology and routes are in the written
// package. Of a kind without lanes those that its row names, K first.
struct anl_rtl_parameters anl_rtl_parameters(const struct anl_config *config);

// Write the package NAME_graph_pkg, which has the sizes, routes and turns of a graph, and the
// module NAME_graph, which has its switches and links. name is that of the design, so that one
// design may have several graphs: an identifier of SystemVerilog of at most 63 characters. The
// texts depend on *config and name alone. The caller looks for errors of the stream. Both return
// ANL_OK; ANL_ERR_ARGUMENT if the topology is not graph or *config is refused; ANL_ERR_MEMORY.
enum anl_status anl_rtl_graph_package(const struct anl_config *config, const char *name,
                                      FILE *file);
enum anl_status anl_rtl_graph(const struct anl_config *config, const char *name, FILE *file);

// Writes the package NAME_graph_lists_pkg, which has the list of output ports for each pair of
// terminals. ANL_ERR_ARGUMENT also: the routing is not source, or worms have routes of their own.
enum anl_status anl_rtl_graph_lists(const struct anl_config *config, const char *name, FILE *file);

// The domains of a network (docs/clocks.md): how many clocks there are, and the number of that of
// each switch and terminal.
struct anl_rtl_domains {
    uint32_t count;
    const uint32_t *of_switch, *of_terminal;
};

// Writes the module NAME_regions, a network of any topology whose domains have clocks of their own,
// with a crossing in each link between two of them. That of a graph needs NAME_graph_pkg beside it.
// ANL_ERR_ARGUMENT: *config is refused or has switches of another kind; ANL_ERR_MEMORY.
enum anl_status anl_rtl_regions(const struct anl_config *config,
                                const struct anl_rtl_domains *domains, const char *name,
                                FILE *file);

#ifdef __cplusplus
}
#endif

#endif
