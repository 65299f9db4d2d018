// SPDX-License-Identifier: Apache-2.0
//
// Random networks of every kind, for tests that hold the engine against another reading of the
// rules.

#ifndef ANNELID_RANDOM_NETWORKS_H
#define ANNELID_RANDOM_NETWORKS_H

#include "unit_draw.h"
#include "unit_graph.h"

enum { MAX_PORTS = 7, VCS = 8, MAX_DEPTH = 10 };  // of these networks

// Draws a graph with its routes, which the caller destroys.
void draw_graph(struct anl_rng *rng, struct anl_config *c, struct anl_graph **graph);
// Draws any network. *graph receives the graph that the configuration points to, which the caller
// destroys; NULL: it is none.
struct anl_config draw_config(struct anl_rng *rng, struct anl_graph **graph);
// Gives a network classes, of which each has the lanes that the network had, and perhaps
// reservations for replies. With one class and few reservations it may deadlock, which oracle and
// engine must do alike.
void draw_classes(struct anl_rng *rng, struct anl_config *c);
// Lets each class of half of the graphs with several classes go by a routing of its own.
void draw_class_routings(struct anl_rng *rng, struct anl_config *c, struct anl_graph *graph);
// Makes the links of a network wide. Chained links may close circles here, in which oracle and
// engine must both stand still.
void draw_wide(struct anl_rng *rng, struct anl_config *c);
// Gives half of the networks that are not chained switches of two stages, and some of these and of
// the others links of several cycles.
void draw_hops(struct anl_rng *rng, struct anl_config *c);

#endif
