// SPDX-License-Identifier: Apache-2.0

#ifndef RTL_PRIVATE_H
#define RTL_PRIVATE_H

#include <annelid/rtl.h>

// Returns for each input port, switch * ports + port, the set of output ports to which a route from
// some terminal to some terminal leads from it, in some class of messages. The caller frees it;
// NULL: no memory.
uint32_t *rtl_turns(const struct anl_graph *graph);

// Returns the options of the entry of a destination, of which those with vcs 0 are not used, in the
// table of an input port, switch * ports + port.
const struct anl_table_hop *rtl_options(const struct anl_graph *graph, uint32_t in,
                                        uint32_t destination);

// Returns whether the switches of a graph select among options; then the entries of their tables
// are sets of lanes of all ports, and each input port has a table of its own.
bool rtl_has_options(const struct anl_config *config);

// Returns how many tables a switch has: one for each class of messages, or one for all of them.
uint32_t rtl_tables(const struct anl_config *config);

// Returns whether heads keep to the lanes of a layer in some class of messages.
bool rtl_has_layers(const struct anl_config *config);

// Writes the constants of anl_graph_pkg that only such switches have, with the tables.
void rtl_put_options(const struct anl_config *config, FILE *file);

// Write what modules of written networks have in common: the parameters, and the ports behind clock
// and reset with the end of the header. They name S, T, Lines, VcW and LinkW.
void rtl_put_parameters(const struct anl_config *config, FILE *file);
void rtl_put_links_of_terminals(FILE *file);

// Write, of switch s of the graph of design `name`: its constants; its instance up to the
// connections that all switches have, with those to clock and reset, ".clk_i, .rst_i"; and what the
// module assumes of its parameters.
void rtl_put_graph_constants(const struct anl_config *config, const char *name, FILE *file);
void rtl_put_graph_switch(const struct anl_config *config, const char *name, const char *clocks,
                          FILE *file);
void rtl_put_graph_assumptions(const struct anl_config *config, const char *name, FILE *file);

#endif
