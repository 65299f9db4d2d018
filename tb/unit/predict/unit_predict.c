// SPDX-License-Identifier: Apache-2.0

#include "unit_predict.h"

void parse(const char *text, struct anl_scenario *scenario)
{
    struct anl_error error;
    if (anl_scenario_parse(text, strlen(text), "test", NULL, scenario, &error))
        fail_msg("%s", error.text);
}

void load(const char *path, struct anl_scenario *scenario)
{
    struct anl_error error;
    if (anl_scenario_load(path, scenario, &error)) fail_msg("%s: %s", path, error.text);
}

void assert_near(double value, double wanted, double relative)
{
    if (fabs(value - wanted) <= relative * fmax(1, fabs(wanted))) return;
    fail_msg("%.15g, expected %.15g", value, wanted);
}

struct counted count_begin(const struct anl_config *config)
{
    struct counted counted = {.config = config, .shape = anl_shape_of(config)};
    const size_t lanes = (size_t)counted.shape.links * SETS;
    counted.worms = calloc(lanes, sizeof *counted.worms);
    counted.flow = calloc(lanes * counted.shape.ports * SETS, sizeof *counted.flow);
    assert_true(counted.worms && counted.flow);
    return counted;
}

void count_end(struct counted *counted)
{
    free(counted->worms);
    free(counted->flow);
}

double *flow_at(const struct counted *counted, uint32_t from, uint32_t to)
{
    const uint32_t width = counted->shape.ports * SETS;
    return &counted->flow[(size_t)from * width + to % width];
}

double link_worms(const struct counted *counted, uint32_t link)
{
    double worms = 0;
    for (uint32_t i = 0; i < SETS; i++)
        worms += counted->worms[link * SETS + i];
    return worms;
}

// Follows worms that are in a lane and counts them on the rest of their way, both ways where two
// are equally good.
static void follow(struct counted *counted, uint32_t lane, uint32_t destination, double worms)
{
    const struct anl_end end = anl_end_of(counted->config, lane / SETS);
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
        const uint32_t next = link * SETS + (uint32_t)__builtin_ctz(route.vcs[port]);
        *flow_at(counted, lane, next) += part;
        follow(counted, next, destination, part);
    }
}

void count_all(struct counted *counted, const struct anl_workload *workload)
{
    struct anl_destinations *destinations;
    const uint32_t terminals = counted->shape.terminals;
    assert_int_equal(anl_destinations_create(workload, &destinations), ANL_OK);
    for (uint32_t s = 0; s < terminals; s++)
        for (uint32_t d = 0; d < terminals; d++) {
            const double part = anl_destination_probability(destinations, s, d);
            const uint32_t injection = counted->shape.switches * counted->shape.ports + s;
            if (part > 0) follow(counted, injection * SETS, d, part);
        }
    for (uint32_t link = 0; link < counted->shape.switches * counted->shape.ports; link++)
        if (!anl_end_of(counted->config, link).is_terminal)
            counted->hops += link_worms(counted, link) / terminals;
    anl_destinations_destroy(destinations);
}
