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

static inline void parse(const char *text, struct anl_scenario *scenario)
{
    struct anl_error error;
    if (anl_scenario_parse(text, strlen(text), "test", NULL, scenario, &error))
        fail_msg("%s", error.text);
}

static inline void assert_near(double value, double wanted, double relative)
{
    if (fabs(value - wanted) <= relative * fmax(1, fabs(wanted))) return;
    fail_msg("%.15g, expected %.15g", value, wanted);
}

// Worms over each lane mask of each link, and from each to each. A mask is 0 or 1: whether it holds
// lane 0 (the only mask, or the one of worms that still have to wrap) or not.
struct counted {
    const struct anl_config *config;
    struct anl_shape shape;
    double *worms;  // [links * 2]
    double *flow;   // [links * 2 * ports * 2]
    double hops;
};

static inline struct counted count_begin(const struct anl_config *config)
{
    struct counted counted = {.config = config, .shape = anl_shape_of(config)};
    const size_t lanes = (size_t)counted.shape.links * 2;
    counted.worms = calloc(lanes, sizeof *counted.worms);
    counted.flow = calloc(lanes * counted.shape.ports * 2, sizeof *counted.flow);
    assert_true(counted.worms && counted.flow);
    return counted;
}

static inline void count_end(struct counted *counted)
{
    free(counted->worms);
    free(counted->flow);
}

static inline double *flow_at(const struct counted *counted, uint32_t from, uint32_t to)
{
    const uint32_t port = to / 2 % counted->shape.ports;
    return &counted->flow[((size_t)from * counted->shape.ports + port) * 2 + to % 2];
}

// Follows worms that are in a lane and counts them on the rest of their way, both ways where two
// are equally good.
static inline void follow(struct counted *counted, uint32_t lane, uint32_t destination,
                          double worms)
{
    const struct anl_end end = anl_end_of(counted->config, lane / 2);
    counted->worms[lane] += worms;
    if (end.is_terminal) {
        assert_int_equal(end.node, destination);
        return;
    }
    const struct anl_input_lane at = {end.node, end.port, 0};
    const struct anl_route route = anl_route_at(counted->config, at, destination);
    const double part = worms / __builtin_popcount(route.ports);
    for (uint32_t port = 0; port < counted->shape.ports; port++) {
        if (!route.vcs[port]) continue;
        const uint32_t link = end.node * counted->shape.ports + port;
        const uint32_t next = link * 2 + !(route.vcs[port] & 1);
        *flow_at(counted, lane, next) += part;
        follow(counted, next, destination, part);
    }
}

// Counts the worms of all pairs that the pattern gives.
static inline void count_all(struct counted *counted, const struct anl_workload *workload)
{
    struct anl_destinations *destinations;
    const uint32_t terminals = counted->shape.terminals;
    assert_int_equal(anl_destinations_create(workload, &destinations), ANL_OK);
    for (uint32_t s = 0; s < terminals; s++)
        for (uint32_t d = 0; d < terminals; d++) {
            const double part = anl_destination_probability(destinations, s, d);
            const uint32_t injection = counted->shape.switches * counted->shape.ports + s;
            if (part > 0) follow(counted, injection * 2, d, part);
        }
    for (uint32_t link = 0; link < counted->shape.switches * counted->shape.ports; link++)
        if (!anl_end_of(counted->config, link).is_terminal)
            counted->hops += (counted->worms[2 * link] + counted->worms[2 * link + 1]) / terminals;
    anl_destinations_destroy(destinations);
}

#endif
