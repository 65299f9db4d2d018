// SPDX-License-Identifier: Apache-2.0
//
// The equations of docs/predict.md. A class is solved after those to which its worms go on; only
// where routes close circles are several sweeps over the classes needed.

#include "predict.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SWEEPS = 1000, MOST_STEPS = 200 };
static const double tolerance = 1e-13;
static const double reach_of_slack = 1.25;  // calibrated

// What is known of a class while the equations are solved. Times are in cycles.
struct state {
    double excess;   // what blocked heads ahead add to the time that a lane is held
    double chance;   // probability that they add anything
    double added;    // what flits of other lanes add on all links ahead, if these cycles add up
    double clear;    // part of the cycles in which no other lane of a link ahead moves
    double felt;     // the same, without what the lanes between take in
    double service;  // x: hold, excess and what flits of other lanes add
    double shared;   // x with what flits of other lanes add on the link of the class itself
    double busy;     // probability that a head finds all lanes taken
    double wait;     // W: of a head that comes at any time
    double mates, same_link;  // of its flows, means over the worms of the class
    double refused;           // offers of its link that are refused, per cycle
    double refused_before;    // the same of the links before it, mean over the worms of the class
    uint32_t first, end;      // its flows
};

struct solver {
    const struct anl_model *model;
    const struct anl_rates *rates;
    double worms;         // per terminal and cycle
    double hold;          // cycles that a worm holds a lane if nobody delays it
    double reach;         // part of the cycles lost on shared links that is felt one lane behind
    struct state *state;  // [classes]
    uint32_t *order;      // [classes] those ahead come first
    bool saturated;
    uint32_t at;     // class that is nearest to its capacity
    double nearest;  // the part of its capacity that is used
};

// --- order ---

// Visits the classes depth first. The stack has the classes on the way, `seen` how many flows of
// each were followed.
static void sort_from(struct solver *solver, uint32_t root, uint32_t *stack, uint32_t *seen,
                      uint32_t *count)
{
    uint32_t depth = 0;
    stack[depth++] = root;
    seen[root] = 0;
    while (depth > 0) {
        const uint32_t top = stack[depth - 1];
        const struct state *state = &solver->state[top];
        if (state->first + seen[top] == state->end) {
            solver->order[(*count)++] = top;
            depth--;
            continue;
        }
        const uint32_t next = solver->rates->flows[state->first + seen[top]++].to;
        if (seen[next] != UINT32_MAX) continue;
        seen[next] = 0;
        stack[depth++] = next;
    }
}

static bool sort_classes(struct solver *solver)
{
    const uint32_t classes = solver->rates->num_classes;
    uint32_t *stack = malloc(2 * sizeof *stack * (classes + (size_t)1)), count = 0;
    if (!stack) return false;
    uint32_t *seen = stack + classes;
    for (uint32_t i = 0; i < classes; i++)
        seen[i] = UINT32_MAX;
    for (uint32_t i = 0; i < classes; i++)
        if (seen[i] == UINT32_MAX) sort_from(solver, i, stack, seen, &count);
    free(stack);
    return true;
}

// Returns the part of the worms of a class that come by a flow into it.
static double part_of(const struct anl_rates *rates, const struct anl_channel_flow *flow)
{
    const struct anl_channel_class *from = &rates->classes[flow->from],
                                   *to = &rates->classes[flow->to];
    return from->rate * from->count * flow->probability / (to->rate * to->count);
}

static void prepare_states(struct solver *solver)
{
    const struct anl_rates *rates = solver->rates;
    for (uint32_t i = 0; i < rates->num_classes; i++)
        solver->state[i].clear = solver->state[i].felt = 1;
    for (uint32_t i = rates->num_flows; i-- > 0;) {
        const struct anl_channel_flow *flow = &rates->flows[i];
        const double part = part_of(rates, flow);
        struct state *state = &solver->state[flow->from], *next = &solver->state[flow->to];
        state->first = i;
        if (!state->end) state->end = i + 1;
        next->mates += part * flow->mates;
        next->same_link += part * flow->same_link;
    }
}

// --- refused offers ---
//
// A link with several lanes offers one of them to the switch at its end in each cycle, and the
// cycle is lost to all of its lanes if the flit is refused.

static uint32_t lanes_of_link(const struct anl_channel_class *class_)
{
    return class_->lanes / class_->links;
}

// Returns the offers that an output refuses of an input, and likewise of all other inputs, per
// cycle. An input whose flits cross the output at a rate offers that rate and what is refused, and
// of two offers in one cycle, half of the refusals are its own: x = (own + x) (others + x) / 2. Two
// heads are not both offered for the same lane.
static double refusals(uint32_t lanes, double own, double others)
{
    if (lanes < 2 || !(own > 0)) return 0;
    const double half = (2 / (1 - 1.0 / lanes) - own - others) / 2;
    return half - sqrt(fmax(0, half * half - own * others));
}

// Finds the refused offers of each link, from those of the flits of each flow.
static void count_refusals(struct solver *solver)
{
    const struct anl_rates *rates = solver->rates;
    const double flits = solver->worms * solver->model->length;
    for (uint32_t i = 0; i < rates->num_flows; i++) {
        const struct anl_channel_flow *flow = &rates->flows[i];
        const struct anl_channel_class *from = &rates->classes[flow->from],
                                       *to = &rates->classes[flow->to];
        const double others = to->rate / to->links * (1 - flow->same_link) + flow->mates;
        const double own = to->link_rate - others;
        const double refused = refusals(lanes_of_link(to), flits * own, flits * others);
        if (refused > 0)
            solver->state[flow->from].refused +=
                flow->probability * refused / own * from->link_rate;
    }
}

// Returns the refused offers of a link, per cycle, that are of other lanes than that of a worm.
static double refused_of(const struct solver *solver, uint32_t class_)
{
    const uint32_t lanes = lanes_of_link(&solver->rates->classes[class_]);
    return lanes < 2 ? 0 : solver->state[class_].refused * (1 - 1.0 / lanes);
}

static void prepare_refusals(struct solver *solver)
{
    const struct anl_rates *rates = solver->rates;
    if (!(solver->model->overlap > 0)) return;
    count_refusals(solver);
    for (uint32_t i = 0; i < rates->num_flows; i++) {
        const struct anl_channel_flow *flow = &rates->flows[i];
        solver->state[flow->to].refused_before +=
            part_of(rates, flow) * refused_of(solver, flow->from);
    }
}

static void end(struct solver *solver)
{
    free(solver->state);
    free(solver->order);
}

static bool begin(struct solver *solver)
{
    const size_t classes = solver->rates->num_classes + (size_t)1;
    solver->state = calloc(classes, sizeof *solver->state);
    solver->order = calloc(classes, sizeof *solver->order);
    solver->hold = solver->model->length * solver->model->flit_cycles;
    solver->reach = exp(-reach_of_slack * solver->model->slack / solver->model->length);
    if (!solver->state || !solver->order) return false;
    prepare_states(solver);
    prepare_refusals(solver);
    return sort_classes(solver);
}

// --- one class ---

// Returns the probability that an arrival finds all servers busy, if they carry `load` in all
// (Erlang's C formula).
static double all_busy(uint32_t servers, double load)
{
    double lost = 1;  // Erlang's B formula, server by server
    for (uint32_t i = 1; i <= servers; i++)
        lost = load * lost / ((double)i + load * lost);
    return lost / (1 - load / servers * (1 - lost));
}

static double choose(uint32_t n, uint32_t k)
{
    double ways = 1;
    for (uint32_t i = 1; i <= k; i++)
        ways = ways * (n - k + i) / i;
    return ways;
}

// Returns the cycles that a head loses since it tries one of two links at random in each cycle, if
// their lanes carry `load` in all: one cycle if all lanes of one of them are taken, but not of
// both. Of the busy lanes, any are as likely.
static double retries(const struct anl_channel_class *class_, double load)
{
    const uint32_t lanes = class_->lanes / 2;
    double weight = 1, sum = 0, one_full = 0;
    if (!class_->resampled) return 0;
    for (uint32_t busy = 0; busy < class_->lanes; weight *= load / ++busy) {
        sum += weight;
        if (busy >= lanes)
            one_full += weight * 2 * choose(lanes, busy - lanes) / choose(class_->lanes, busy);
    }
    return one_full / (sum + weight / (1 - load / class_->lanes));
}

// Returns what remains of an excess behind a lane that takes in `slack` flits meanwhile. Where
// there is an excess, its length is taken to be exponential.
static double absorbed(const struct state *state, double slack, double *chance)
{
    const bool some = slack > 0 && state->excess > 0;
    const double part = some ? exp(-slack * state->chance / state->excess) : 1;
    *chance = state->chance * part;
    return state->excess * part;
}

// Returns the part of the cycles that a worm of a class loses to other lanes while it moves: those
// of the class's link that send, and those of the link before it whose offers are refused. Lanes
// that come over the same link as the worm do not disturb it otherwise.
static double others_of(const struct solver *solver, uint32_t class_, double mates,
                        double same_link, double refused)
{
    const struct anl_channel_class *to = &solver->rates->classes[class_];
    const struct state *state = &solver->state[class_];
    const double length = solver->model->length;
    double others = 0;
    if (to->lanes > to->links && state->shared > 0)
        others = (solver->worms * to->rate - state->busy / state->shared) *
                 (to->lanes / to->links - 1) / (to->lanes - 1);
    // Lanes that send in every second cycle only find each other's gaps half of the time.
    others /= solver->model->flit_cycles;
    const double flits = length * (solver->worms * mates + fmax(0, others) * (1 - same_link));
    if (!(solver->model->overlap > 0)) return flits;
    const double use = solver->worms * length * to->link_rate;
    return flits * (1 + same_link * use / (1 - use)) + refused;
}

// Adds a link on which other lanes send `others` flits per cycle.
static struct state with_link(const struct solver *solver, const struct state *state, double others)
{
    const double overlap = solver->model->overlap;
    struct state with = *state;
    with.added += solver->model->length * others;
    if (!(overlap > 0)) return with;
    const double rest = fmax(0, 1 - others / overlap);
    with.clear *= rest;
    with.felt *= rest;
    return with;
}

// Returns the cycles that flits of other lanes add, of which the worm's own lane does not move in a
// part `clear`.
static double sharing_of(const struct solver *solver, const struct state *state, double clear)
{
    const double overlap = solver->model->overlap;
    if (!(overlap > 0)) return state->added;
    return solver->model->length * (1 / (1 - overlap * (1 - clear)) - 1);
}

// Returns half of the second moment of a service time whose standard deviation, beside that of the
// lengths, is given.
static double half_moment(const struct solver *solver, double mean, double deviation)
{
    const struct anl_model *model = solver->model;
    const double cycles = model->flit_cycles;
    const double lengths = model->length_variance * cycles * cycles;
    return (mean * mean + deviation * deviation + lengths) / 2;
}

static void note_use(struct solver *solver, uint32_t class_, double part)
{
    if (!(part < 1)) solver->saturated = true;
    if (part <= solver->nearest) return;
    solver->nearest = part;
    solver->at = class_;
}

// Solves the source queue of an injection class. A source sends one worm at a time, but with
// several lanes the next worm need not stand behind the one that is blocked. A worm that fits into
// its lane need not hold the source while it loses cycles, and one of one flit never does; the
// lanes together pass a flit on in each cycle in which the offer of their link is not refused.
static void solve_source(struct solver *solver, uint32_t class_)
{
    const struct anl_model *model = solver->model;
    const struct anl_channel_class *source = &solver->rates->classes[class_];
    struct state *state = &solver->state[class_];
    const double rate = solver->worms * source->rate;
    double chance, excess = state->excess;
    if (source->lanes > 1) excess = absorbed(state, model->slack, &chance);
    double sharing = sharing_of(solver, state, state->felt);
    if (rate > 0 && source->lanes > 1 && model->length <= model->depth) {
        const double part = (model->length - 1) / model->depth;
        const double refused = solver->hold * state->refused / (rate * model->length);
        sharing = part * sharing + (1 - part) * refused;
    }
    state->shared = solver->hold + excess + sharing;
    state->busy = rate * state->shared;
    note_use(solver, class_, state->busy);
    const double spread = model->source_spread * (state->shared - solver->hold);
    const double moment = half_moment(solver, state->shared, spread);
    state->wait = rate * (moment - (model->bernoulli ? state->shared / 2 : 0)) / (1 - state->busy);
}

// Finds the time that a lane is taken, which depends on how many others are.
static void solve_sharing(const struct solver *solver, uint32_t class_, double rate)
{
    const struct anl_channel_class *own = &solver->rates->classes[class_];
    struct state *state = &solver->state[class_];
    state->shared = fmax(state->shared, state->service);
    for (int i = 0; i < MOST_STEPS && rate * state->shared < own->lanes; i++) {
        const double before = state->shared;
        state->busy = all_busy(own->lanes, rate * before);
        const double others =
            others_of(solver, class_, state->mates, state->same_link, state->refused_before);
        const struct state with = with_link(solver, state, others);
        state->shared = solver->hold + state->excess + sharing_of(solver, &with, with.felt);
        if (fabs(state->shared - before) <= tolerance * before) break;
    }
}

// Solves the wait for a lane.
static void solve_lanes(struct solver *solver, uint32_t class_)
{
    const struct anl_channel_class *own = &solver->rates->classes[class_];
    struct state *state = &solver->state[class_];
    const double rate = solver->worms * own->rate;
    state->shared = state->service;
    if (!own->lanes) return;
    solve_sharing(solver, class_, rate);
    const double load = rate * state->shared;
    note_use(solver, class_, load / own->lanes);
    state->busy = all_busy(own->lanes, load);
    const double moment = half_moment(solver, state->shared, state->shared - solver->hold);
    state->wait = state->busy * moment / state->shared / (own->lanes - load);
}

// Returns the wait of the worms of a flow. A part of those ahead would have to come from their own
// lane, which cannot be.
static double wait_at(const struct solver *solver, const struct anl_channel_flow *flow)
{
    const struct anl_channel_class *to = &solver->rates->classes[flow->to];
    const struct state *state = &solver->state[flow->to];
    const double own = fmin(1, flow->same_lane), load = solver->worms * to->rate * state->shared;
    if (!to->lanes || !(load > 0)) return 0;  // in a circle, the next class may be still unsolved
    const double felt = load * (1 - solver->model->relief * own);
    const double moment = half_moment(solver, state->shared, state->shared - solver->hold);
    const double queue =
        all_busy(to->lanes, felt) * load / felt * moment / state->shared / (to->lanes - felt);
    return (1 - own) * queue + (1 - own / to->links) * retries(to, load);
}

// Adds up what a worm meets ahead of its lane of a class.
static void look_ahead(const struct solver *solver, struct state *state)
{
    state->excess = state->chance = state->added = 0;
    state->clear = state->felt = state->first == state->end;
    for (uint32_t i = state->first; i < state->end; i++) {
        const struct anl_channel_flow *flow = &solver->rates->flows[i];
        const struct state *next = &solver->state[flow->to];
        const double stands = next->busy * fmax(0, 1 - flow->same_lane);
        struct state behind = *next;
        behind.felt = 1 - solver->reach * (1 - next->felt);
        const double others = others_of(solver, flow->to, flow->mates, flow->same_link,
                                        refused_of(solver, flow->from));
        const struct state with = with_link(solver, &behind, others);
        double chance;
        const double excess = absorbed(next, solver->model->slack, &chance);
        state->excess += flow->probability * (wait_at(solver, flow) + excess);
        state->chance += flow->probability * (1 - (1 - stands) * (1 - chance));
        state->added += flow->probability * with.added;
        state->clear += flow->probability * with.clear;
        state->felt += flow->probability * with.felt;
    }
    state->service = solver->hold + state->excess + sharing_of(solver, state, state->felt);
}

// --- all classes ---

// Solves each class once. Returns by which part a time changed most.
static double sweep(struct solver *solver)
{
    double most = 0;
    solver->nearest = 0;
    for (uint32_t i = 0; i < solver->rates->num_classes && !solver->saturated; i++) {
        const uint32_t class_ = solver->order[i];
        struct state *state = &solver->state[class_];
        const double before = state->shared, clear = state->clear;
        note_use(solver, class_,
                 solver->worms * solver->rates->classes[class_].link_rate * solver->model->length +
                     state->refused);
        look_ahead(solver, state);
        const bool source = solver->rates->classes[class_].tier == ANL_TIER_INJECTION;
        (source ? solve_source : solve_lanes)(solver, class_);
        most = fmax(most, fabs(state->shared - before) / state->shared);
        most = fmax(most, fabs(state->clear - clear));
    }
    return most;
}

// Sweeps until nothing changes. What never settles is beyond what the model can carry.
static uint32_t settle(struct solver *solver)
{
    for (uint32_t sweeps = 1; sweeps <= MOST_SWEEPS; sweeps++)
        if (sweep(solver) <= tolerance || solver->saturated) return sweeps;
    solver->saturated = true;
    return MOST_SWEEPS;
}

// --- what follows ---

// Adds up what the worms of a class meet next, by tiers. All waits are means over all worms.
static void add_waits(const struct solver *solver, const struct state *state, double worms,
                      struct anl_prediction *prediction)
{
    for (uint32_t i = state->first; i < state->end; i++) {
        const struct anl_channel_flow *flow = &solver->rates->flows[i];
        const uint32_t tier = solver->rates->classes[flow->to].tier;
        prediction->wait[tier] += worms * flow->probability * wait_at(solver, flow);
    }
}

static void add_use(const struct solver *solver, const struct anl_channel_class *class_,
                    double links[ANL_NUM_TIERS], struct anl_prediction *prediction)
{
    const double flits = solver->worms * solver->model->length;
    const double *mean = &prediction->mean_use[class_->tier];
    links[class_->tier] += class_->count * class_->rate / class_->link_rate;
    prediction->mean_use[class_->tier] = *mean + flits * class_->rate * class_->count;
    prediction->most_use[class_->tier] =
        fmax(prediction->most_use[class_->tier], flits * class_->link_rate);
}

static void conclude(const struct solver *solver, struct anl_prediction *prediction)
{
    const struct anl_rates *rates = solver->rates;
    const struct anl_model *model = solver->model;
    double links[ANL_NUM_TIERS] = {0}, sources = 0;
    for (uint32_t i = 0; i < rates->num_classes; i++)
        if (rates->classes[i].tier == ANL_TIER_INJECTION)
            sources += rates->classes[i].count * rates->classes[i].rate;
    for (uint32_t i = 0; i < rates->num_classes; i++) {
        const struct anl_channel_class *class_ = &rates->classes[i];
        const struct state *state = &solver->state[i];
        const double worms = class_->count * class_->rate / sources;
        add_waits(solver, state, worms, prediction);
        add_use(solver, class_, links, prediction);
        if (class_->tier != ANL_TIER_INJECTION) continue;
        prediction->source_wait += worms * state->wait;
        prediction->sharing += worms * sharing_of(solver, state, state->clear);
    }
    prediction->transfer = rates->hops + 2 + model->more_stages * (rates->hops + 1) +
                           model->flit_cycles * (model->length - 1);
    prediction->latency = prediction->source_wait + prediction->sharing + prediction->transfer;
    for (uint32_t i = 0; i < ANL_NUM_TIERS; i++) {
        prediction->latency += prediction->wait[i];
        if (links[i] > 0) prediction->mean_use[i] /= links[i];
    }
}

static void copy_times(const struct solver *solver, struct anl_channel_time *times)
{
    for (uint32_t i = 0; i < solver->rates->num_classes; i++)
        times[i] = (struct anl_channel_time){solver->state[i].service, solver->state[i].shared,
                                             solver->state[i].wait};
}

enum anl_status anl_model_solve(const struct anl_model *model, const struct anl_rates *rates,
                                double worms, struct anl_channel_time *times,
                                struct anl_prediction *prediction)
{
    struct solver solver = {.model = model, .rates = rates, .worms = worms};
    *prediction = (struct anl_prediction){0};
    const bool memory = begin(&solver);
    if (memory) {
        prediction->sweeps = settle(&solver);
        prediction->saturated = solver.saturated;
        prediction->at = solver.at;
        if (!solver.saturated) conclude(&solver, prediction);
        if (times) copy_times(&solver, times);
    }
    end(&solver);
    return memory ? ANL_OK : ANL_ERR_MEMORY;
}

enum anl_status anl_model_saturation(const struct anl_model *model, const struct anl_rates *rates,
                                     double *worms)
{
    double busiest = 0;
    for (uint32_t i = 0; i < rates->num_classes; i++)
        busiest = fmax(busiest, rates->classes[i].link_rate);
    double low = 0, high = 1 / (busiest * model->length);
    while (high - low > 1e-8 * high) {
        struct anl_prediction prediction;
        const double middle = (low + high) / 2;
        const enum anl_status status = anl_model_solve(model, rates, middle, NULL, &prediction);
        if (status) return status;
        *(prediction.saturated ? &high : &low) = middle;
    }
    *worms = high;
    return ANL_OK;
}
