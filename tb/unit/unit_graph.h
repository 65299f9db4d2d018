// SPDX-License-Identifier: Apache-2.0
//
// Random connected graphs for unit tests: a tree of pairs of links, more links between ports that
// are still free, and terminals. Some links begin and end at one switch, some are parallel.

#ifndef ANNELID_UNIT_GRAPH_H
#define ANNELID_UNIT_GRAPH_H

#include "unit.h"
#include "unit_draw.h"

#include <annelid/network.h>

// Adds a tree of pairs of links, by which every switch is reached from every other.
void graph_add_tree(struct anl_rng *rng, struct anl_graph *graph);
// Puts terminals at random places as far as there is room.
void graph_add_terminals(struct anl_rng *rng, struct anl_graph *graph);
// Adds up to count links, each with one that leads back unless one_way.
void graph_add_more(struct anl_rng *rng, struct anl_graph *graph, uint32_t count, bool one_way);
void graph_name_switches(struct anl_graph *graph);
// Returns a graph in which a path leads from every switch to every other, without routes; ports are
// at least 3. The caller destroys it.
struct anl_graph *random_graph(struct anl_rng *rng, uint32_t switches, uint32_t ports,
                               uint32_t most_terminals, bool one_way);
// Returns the same switches, links and terminals without routes. The caller destroys it.
struct anl_graph *graph_again(const struct anl_graph *graph);
// Gives a graph a table of routes that all arrive, by any lanes: for each terminal more and more
// switches, in any order, get a link to one that has a route. A third of the entries of terminals
// at their own switches are left out again.
void random_table(struct anl_rng *rng, struct anl_graph *graph, uint32_t num_vcs);
// Gives a graph a table with several options: for each terminal more and more switches, in any
// order, get options by which links lead to switches that have a route; the entries of their input
// ports differ if by_input.
void random_options(struct anl_rng *rng, struct anl_graph *graph, uint32_t num_vcs, bool by_input);
// Returns the configuration of a routed graph with small switches.
struct anl_config graph_config(const struct anl_graph *graph, enum anl_routing routing,
                               uint32_t num_vcs);

#endif
