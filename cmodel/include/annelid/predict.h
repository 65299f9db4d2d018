// SPDX-License-Identifier: Apache-2.0
//
// Predicts latency and saturation of a network from its routes, without a run: a queueing model
// after Draper and Ghosh (1993). It is a reconstruction: docs/predict.md says which equation is
// theirs, which one is remembered, derived or calibrated here, and how far it can be trusted.
//
//   rates     which worms cross which lanes, from the routes of all pairs of terminals
//             (anl_rates_walk()) or from formulas (anl_rates_cube())
//   model     what a worm and a lane are, of a scenario or of the paper
//   solution  the waits that follow from both, at a load
//
// anl_predictor_create() does all of it for a scenario.

#ifndef ANNELID_PREDICT_H
#define ANNELID_PREDICT_H

#include <annelid/scenario.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- rates: channel classes and the flows between them ---
//
// A channel class is a set of lanes from which a head takes any: those of a link, a part of them
// (dateline), or those of both up links of a fat-tree. In the class form it stands for many such
// sets that are alike. All rates are in worms, for one worm that each terminal creates.

enum {
    ANL_MAX_TIERS = 2 * ANL_MAX_DIMENSIONS,
    ANL_TIER_INJECTION = ANL_MAX_TIERS,
    ANL_TIER_EJECTION,
    ANL_NUM_TIERS
};

struct anl_channel_class {
    double rate;       // worms over all lanes of the class, or of one such set in the class form
    double link_rate;  // worms over one of its links, of all classes together
    double count;      // how many sets of lanes it stands for
    uint32_t lanes;    // lanes, of all its links; 0: no head ever waits (class form)
    uint32_t links;    // links over which the lanes are spread: 1 or 2
    bool resampled;    // of two links, a head tries one at random in each cycle, else both
    uint32_t tier;     // dimension or level, 0 of links of a graph, ANL_TIER_INJECTION,
                       // ANL_TIER_EJECTION
    uint32_t link;     // number of its first link; ANL_NO_PORT in the class form
    uint32_t vcs;      // mask of the lanes of each link; 0 in the class form
};

// Worms that go on from the lanes of one class to those of another.
struct anl_channel_flow {
    uint32_t from, to;
    double probability;  // that a worm in `from` goes to `to`
    double same_lane;  // rate out of one lane of `from`, times lanes of `to`, over the rate of `to`
    double same_link;  // part of the worms in `to` that come over the same link
    double mates;      // worms in other classes of the link of `to` that come over other links
};

struct anl_rates {
    struct anl_channel_class *classes;  // [num_classes]
    struct anl_channel_flow *flows;     // [num_flows] ascending by `from`
    uint32_t num_classes, num_flows;
    uint32_t tiers;    // of the network: dimensions, or levels up and levels down; 1 of a graph
    double hops;       // links between switches of a worm, mean
    double bisection;  // highest mean rate over the links between the halves of the network
                       // (anl_in_upper_half()), of both directions; 0: there are none
};

// Follows the worms of every pair of terminals through the network. ANL_ERR_ARGUMENT: the network
// has more than ANL_CDG_ROUTES switches times terminals, or the process has no pattern;
// ANL_ERR_MEMORY. On success the caller frees *rates with anl_rates_free(), on failure it is empty.
enum anl_status anl_rates_walk(const struct anl_workload *workload, struct anl_rates *rates,
                               struct anl_error *error);

// A unidirectional k-ary n-cube with pairs of virtual channels, or a binary hypercube (k = 2).
// Dimensions are routed from 0 on, as everywhere in this library.
struct anl_uniform_cube {
    uint32_t k, n;
    uint32_t lanes[2];     // of a link: for worms that still have to wrap, and for the others;
                           // hypercube: lanes[0]
    uint32_t end_lanes;    // of an ejection link
    double self;           // part of the worms that go to their own source
    const double *spread;  // [n + 1] hypercube: probability of each distance; NULL: uniform
    bool many_ports;  // injection has a channel for each dimension, ejection is never waited for
};

// Makes the rates of a cube from formulas, in the class form. Errors as above; ANL_ERR_ARGUMENT: a
// value is out of range.
enum anl_status anl_rates_cube(const struct anl_uniform_cube *cube, struct anl_rates *rates,
                               struct anl_error *error);

// Frees what the rates hold; they may be empty.
void anl_rates_free(struct anl_rates *rates);

// --- model and solution ---

struct anl_model {
    double length, length_variance;  // flits of a worm
    double flit_cycles;  // cycles between two flits in a lane that nobody delays: mean, 2 if depth
                         // is 1
    double depth;        // flits of a lane; 0: worms are always longer
    double slack;        // flits by which lanes are deeper than full rate needs
    double more_stages;  // cycles that a flit takes through a switch, less 1
    bool bernoulli;      // a terminal creates at most one worm a cycle; else Poisson arrivals
    double
        source_spread;  // standard deviation of the service of a source, over what the paper takes
    double relief;  // part of the worms of a head's own lane that do not delay those ahead of it; 0
                    // in the paper
    double overlap;  // 0: cycles lost on several shared links add up, as for the paper's pairs, and
                     // no offers are refused; else these cycles overlap, and a worm loses at most
                     // this part of its cycles
};

// Returns the model of the paper's switch: worms of one length, Poisson arrivals. With `calibrated`
// it has the two corrections of papers/draper_ghosh/README.md, which were fitted to the engine.
struct anl_model anl_model_of_paper(double length, bool calibrated);

// A prediction. Times are means in cycles; tiers are numbered as in struct anl_channel_class.
struct anl_prediction {
    bool saturated;  // the load is beyond what the model can carry: only `at` holds
    uint32_t at;     // class that is nearest to its capacity
    double latency;  // sum of all waits, sharing and transfer
    double source_wait, wait[ANL_NUM_TIERS];
    double sharing;   // cycles in which other lanes of the links move
    double transfer;  // latency of a worm that nobody delays
    double mean_use[ANL_NUM_TIERS], most_use[ANL_NUM_TIERS];  // flits per cycle of a link
    uint32_t sweeps;  // until nothing changed by more than a part of 1e-13
};

struct anl_channel_time {
    double service;  // from the cycle in which a head enters a lane until the next head may
    double shared;   // the same with what other lanes of the link take
    double wait;     // of a head that comes at any time
};

// Solves the model for `worms` per terminal and cycle. times[num_classes] receives the times of all
// classes; it may be NULL. ANL_ERR_MEMORY.
enum anl_status anl_model_solve(const struct anl_model *model, const struct anl_rates *rates,
                                double worms, struct anl_channel_time *times,
                                struct anl_prediction *prediction);

// *worms receives the least number of worms per terminal and cycle at which the model is saturated.
// ANL_ERR_MEMORY.
enum anl_status anl_model_saturation(const struct anl_model *model, const struct anl_rates *rates,
                                     double *worms);

// --- a scenario ---

enum anl_predict_form { ANL_FORM_ROUTES, ANL_FORM_CLASSES };

struct anl_predictor {
    struct anl_rates rates;
    struct anl_model model;
    enum anl_predict_form form;
    double saturation;       // load at which the model saturates: flits per terminal and cycle
    double channel_bound;    // load at which the busiest link is full
    double bisection_bound;  // load at which the links between the halves of the network are full
                             // (anl_in_upper_half()); INFINITY: nothing crosses them
};

// Prepares the prediction of a scenario; its load has no meaning. On success the caller frees
// *predictor with anl_predictor_free(). ANL_ERR_ARGUMENT: the model does not reach so far, and
// *error says why; ANL_ERR_MEMORY.
enum anl_status anl_predictor_create(const struct anl_scenario *scenario,
                                     struct anl_predictor *predictor, struct anl_error *error);
void anl_predictor_free(struct anl_predictor *predictor);

// Returns the load at which the busiest link is full, or of wide links the busiest lane, whatever
// creates the worms; it is known of more scenarios than the model is. NAN: routes depend on the
// traffic, on the source, on the input port or on the class, or rates on the terminal, or the
// network is too large to be walked (anl_rates_walk()).
double anl_predict_ceiling(const struct anl_scenario *scenario);

// Predicts for a load. ANL_ERR_MEMORY.
enum anl_status anl_predictor_at(const struct anl_predictor *predictor, double load,
                                 struct anl_prediction *prediction);

// Returns the largest error of the latency, in percent, that was measured for scenarios like this
// one up to this part of the predicted saturation load; 0: none was, the answer is extrapolated.
uint32_t anl_predict_validated(const struct anl_scenario *scenario, double part);

// Returns the same of the predicted saturation load, which was held against the load at which 1 %
// of all flits are left behind (docs/sweep.md); 0: none was measured.
uint32_t anl_predict_validated_saturation(const struct anl_scenario *scenario);

#ifdef __cplusplus
}
#endif

#endif
