// SPDX-License-Identifier: Apache-2.0

#include "predict.h"

#include <math.h>

// --- what the model is told of a scenario ---

// Refuses routes that cannot be walked from the destination alone, and worms of different rates.
static enum anl_status check_routes(const struct anl_scenario *scenario, struct anl_error *error)
{
    if (anl_is_adaptive(&scenario->network))
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "routing %s: the model knows routes that do not depend on the traffic",
                        anl_routing_name(scenario->network.routing));
    if (scenario->network.routing == ANL_VALIANT)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "routing valiant: the model knows one route from each switch to each "
                        "terminal");
    if (anl_reads_input(&scenario->network))
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "a table by input port: the model knows one route from each switch to each "
                        "terminal");
    if (scenario->traffic.demand)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "traffic.%s: the model knows terminals that all create the same load",
                        scenario->traffic.demand->begins ? "matrix" : "rates");
    return ANL_OK;
}

static enum anl_status check(const struct anl_scenario *scenario, struct anl_error *error)
{
    const enum anl_process process = scenario->traffic.process;
    if (process != ANL_BERNOULLI)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "process %s: the model knows worms that come independently of each other "
                        "(bernoulli)",
                        anl_process_name(process));
    const enum anl_status status = check_routes(scenario, error);
    if (status) return status;
    if (scenario->network.flow_control == ANL_STORE_AND_FORWARD)
        return anl_fail(
            error, ANL_ERR_ARGUMENT, "", 0,
            "flow_control store_and_forward: the model is about worms that lie in several "
            "lanes at once");
    if (scenario->network.link == ANL_WIDE)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "link wide: the model is about lanes that share the cycles of a link");
    if (anl_link_cycles(&scenario->network) > 1)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "link_cycles above 1: the model is about links that take one cycle");
    if (anl_num_classes(&scenario->network) > 1)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "%u classes: the model is about worms that share all lanes of a link",
                        anl_num_classes(&scenario->network));
    if (anl_group_vcs(&scenario->network, 0) != (1u << scenario->network.num_vcs) - 1)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "routing %s: the model is about worms that share all lanes of a link",
                        anl_routing_name(scenario->network.routing));
    return ANL_OK;
}

bool predict_is_as_in_paper(const struct anl_scenario *scenario)
{
    const struct anl_config *network = &scenario->network;
    const enum anl_pattern pattern = scenario->traffic.pattern;
    const bool uniform = pattern == ANL_UNIFORM || pattern == ANL_UNIFORM_OTHERS;
    const bool ring = network->topology == ANL_UNIDIRECTIONAL_TORUS &&
                      network->routing == ANL_DATELINE && network->num_vcs == 2;
    const bool single = (network->topology == ANL_HYPERCUBE || network->topology == ANL_FAT_TREE) &&
                        network->num_vcs == 1;
    return (ring || single) && uniform && network->depth == 2 && anl_stages(network) == 1;
}

struct anl_model anl_model_of_paper(double length, bool calibrated)
{
    return (struct anl_model){.length = length,
                              .flit_cycles = 1,
                              .source_spread = calibrated ? 1.5 : 1,
                              .relief = calibrated ? 0.25 : 0};
}

static struct anl_model model_of(const struct anl_scenario *scenario)
{
    const struct anl_config *network = &scenario->network;
    const struct anl_traffic_config *traffic = &scenario->traffic;
    double sum = 0, squares = 0;
    for (uint32_t i = 0; i < traffic->num_lengths; i++) {
        sum += traffic->lengths[i];
        squares += (double)traffic->lengths[i] * traffic->lengths[i];
    }
    const double mean = sum / traffic->num_lengths;
    struct anl_model model = {
        .source_spread = 1, .relief = 0.5, .overlap = 0.6 - 0.2 / fmax(2, network->num_vcs)};
    if (predict_is_as_in_paper(scenario)) model = anl_model_of_paper(mean, true);
    model.length = mean;
    model.length_variance = squares / traffic->num_lengths - mean * mean;
    model.more_stages = anl_stages(network) - 1;
    const double depth = network->depth, trip = 2 * anl_hop_cycles(network);
    model.depth = depth;
    model.flit_cycles = fmax(1, trip / depth);
    model.slack = fmax(0, depth - trip);
    model.bernoulli = true;
    return model;
}

// --- rates ---

static bool has_classes(const struct anl_scenario *scenario)
{
    const enum anl_pattern pattern = scenario->traffic.pattern;
    return scenario->network.topology == ANL_UNIDIRECTIONAL_TORUS &&
           scenario->network.routing == ANL_DATELINE &&
           (pattern == ANL_UNIFORM || pattern == ANL_UNIFORM_OTHERS);
}

static enum anl_status make_classes(const struct anl_scenario *scenario, struct anl_rates *rates,
                                    struct anl_error *error)
{
    const struct anl_config *network = &scenario->network;
    const double self = 1.0 / anl_shape_of(network).terminals;
    const struct anl_uniform_cube cube = {
        .k = network->k,
        .n = network->n,
        .lanes = {network->num_vcs / 2, network->num_vcs - network->num_vcs / 2},
        .end_lanes = network->num_vcs,
        .self = scenario->traffic.pattern == ANL_UNIFORM ? self : 0};
    return anl_rates_cube(&cube, rates, error);
}

static enum anl_status make_rates(const struct anl_scenario *scenario,
                                  struct anl_predictor *predictor, struct anl_error *error)
{
    const struct anl_workload workload = anl_scenario_workload(scenario);
    predictor->form = has_classes(scenario) ? ANL_FORM_CLASSES : ANL_FORM_ROUTES;
    return predictor->form == ANL_FORM_ROUTES ? anl_rates_walk(&workload, &predictor->rates, error)
                                              : make_classes(scenario, &predictor->rates, error);
}

static double busiest_link(const struct anl_rates *rates)
{
    double worms = 0;
    for (uint32_t i = 0; i < rates->num_classes; i++)
        worms = fmax(worms, rates->classes[i].link_rate);
    return worms;
}

enum anl_status anl_predictor_create(const struct anl_scenario *scenario,
                                     struct anl_predictor *predictor, struct anl_error *error)
{
    double worms = 0;
    *predictor = (struct anl_predictor){0};
    enum anl_status status = check(scenario, error);
    if (!status) status = make_rates(scenario, predictor, error);
    if (status) return status;
    predictor->model = model_of(scenario);
    predictor->channel_bound = 1 / busiest_link(&predictor->rates);
    predictor->bisection_bound = 1 / predictor->rates.bisection;
    status = anl_model_saturation(&predictor->model, &predictor->rates, &worms);
    predictor->saturation = worms * predictor->model.length;
    if (!status) return ANL_OK;
    anl_predictor_free(predictor);
    return anl_fail(error, status, "", 0, "%s", anl_status_text(status));
}

// Returns the worms over the busiest lane, of links that carry a flit a cycle in each of them.
static double busiest_lane(const struct anl_rates *rates)
{
    double worms = 0;
    for (uint32_t i = 0; i < rates->num_classes; i++)
        worms = fmax(worms, rates->classes[i].rate / rates->classes[i].lanes);
    return worms;
}

double anl_predict_ceiling(const struct anl_scenario *scenario)
{
    const struct anl_config *network = &scenario->network;
    struct anl_scenario steady = *scenario;
    struct anl_predictor predictor = {0};
    struct anl_error error;
    steady.traffic.process = ANL_BERNOULLI;
    const uint32_t lanes = anl_class_lanes(network);
    const bool grouped = anl_group_vcs(network, 0) != (1u << lanes) - 1;
    if (grouped || network->num_class_routings || check_routes(&steady, &error)) return NAN;
    if (make_rates(&steady, &predictor, &error)) return NAN;
    const bool wide = network->link == ANL_WIDE;
    const double busiest = wide ? busiest_lane(&predictor.rates) : busiest_link(&predictor.rates);
    anl_rates_free(&predictor.rates);
    return 1 / busiest;
}

void anl_predictor_free(struct anl_predictor *predictor)
{
    anl_rates_free(&predictor->rates);
    *predictor = (struct anl_predictor){0};
}

enum anl_status anl_predictor_at(const struct anl_predictor *predictor, double load,
                                 struct anl_prediction *prediction)
{
    const double worms = load / predictor->model.length;
    return anl_model_solve(&predictor->model, &predictor->rates, worms, NULL, prediction);
}
