// SPDX-License-Identifier: Apache-2.0
//
// Common part of the tests of the model: scenarios, and rates counted by following every worm of
// every pair of terminals, one after the other, which the room predict never does.

#ifndef ANNELID_UNIT_PREDICT_H
#define ANNELID_UNIT_PREDICT_H

#include "unit.h"

#include <annelid/predict.h>
#include <annelid/run.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void parse(const char *text, struct anl_scenario *scenario);
void load(const char *path, struct anl_scenario *scenario);
// Graphs and cubes of several radices. Their routes have up to three sets of lanes on a link,
// several terminals at a switch or none, links without an opposite one, and links that nothing
// uses.
static const char *const unit_graphs[] = {
    "sim/scenarios/graph_butterfly.yaml",
    "sim/scenarios/graph_chiplets.yaml",
    "sim/scenarios/graph_complete.yaml",
    "sim/scenarios/graph_concentrated2.yaml",
    "sim/scenarios/graph_concentrated4.yaml",
    "sim/scenarios/graph_dragonfly.yaml",
    "sim/scenarios/graph_irregular.yaml",
    "sim/scenarios/graph_mesh6x4.yaml",
    "sim/scenarios/graph_oneway.yaml",
    "sim/scenarios/graph_parallel.yaml",
    "sim/scenarios/graph_petersen.yaml",
    "sim/scenarios/graph_rings.yaml",
    "sim/scenarios/graph_spidergon.yaml",
    "sim/scenarios/graph_star.yaml",
    "sim/scenarios/graph_torus8x2x3.yaml",
    "sim/scenarios/graph_tree.yaml",
    "sim/scenarios/cube_6x4.yaml",
    "sim/scenarios/cube_8x2x3.yaml",
    "sim/scenarios/cube_concentrated4.yaml",
    "sim/scenarios/cube_deadlock.yaml",
    "sim/scenarios/cube_line.yaml",
    "sim/scenarios/cube_one_way.yaml",
    "sim/scenarios/cube_ring_line.yaml",
};
enum { UNIT_NUM_GRAPHS = sizeof unit_graphs / sizeof *unit_graphs };

void assert_near(double value, double wanted, double relative);
// Worms over each set of lanes of each link, and from each to each. A set has the number of its
// lowest lane, so sets that overlap count as one only if that lane is common to them.
enum { SETS = ANL_MAX_VCS };
struct counted {
    const struct anl_config *config;
    struct anl_shape shape;
    double *worms;  // [links * SETS]
    double *flow;   // [links * SETS * ports * SETS]
    double hops;
};

struct counted count_begin(const struct anl_config *config);
void count_end(struct counted *counted);
double *flow_at(const struct counted *counted, uint32_t from, uint32_t to);
double link_worms(const struct counted *counted, uint32_t link);
// Counts the worms of all pairs that the pattern gives.
void count_all(struct counted *counted, const struct anl_workload *workload);

#endif
