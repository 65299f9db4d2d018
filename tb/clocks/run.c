// SPDX-License-Identifier: Apache-2.0
//
// Each domain with switches has an engine of the golden model, a part of the network. In an edge of
// its clock the engine decides what leaves; what the RTL has shown is compared with that; and what
// comes out of crossings in the RTL is told to the engine in the name of its peers.

#include "run_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// FIRST: edges of each clock in a reset that all domains have in common. PATIENCE: edges of all
// clocks in which nothing moves, for each domain.
enum { FIRST = 3, PATIENCE = 4000 };

// ---------------------------------------------------------------- an edge

static enum anl_status create_worms(struct run *run)
{
    size_t count = 0;
    const struct anl_new_worm *worms = anl_traffic_cycle(run->traffic, cycle_of(run), &count);
    for (size_t i = 0; i < count; i++) {
        struct anl_worm worm = {.id = run->harness.worms.count,
                                .source = worms[i].source,
                                .destination = worms[i].destination,
                                .length = worms[i].length,
                                .created = cycle_of(run),
                                .route = worms[i].route,
                                .route_length = worms[i].route_length,
                                .path = worms[i].path,
                                .has_path = worms[i].has_path,
                                .class_ = worms[i].class_,
                                .role = worms[i].role,
                                .dependencies = worms[i].dependencies};
        worm.path = anl_path_of(run->config, run->scenario->run.seed, &worm);
        enum anl_status status = worms_add(&run->harness.worms, &worm);
        for (uint32_t d = 0; d < run->domains.with_switches && !status; d++)
            status = anl_engine_enqueue_worm(run->models[d].engine, &worm, NULL);
        if (status) return status;
        anl_referee_worm(run->referee, &worm);
    }
    return ANL_OK;
}

static void ask_referee(struct run *run)
{
    if (differs(run) ||
        anl_referee_flits(run->referee, run->result->edges, run->flits, run->num_flits))
        return;
    const struct anl_violation *violation = anl_referee_violation(run->referee);
    clocks_note(run, violation ? violation->link : 0, NOWHERE,
                violation ? anl_rule_name(violation->rule) : "referee", "the rules kept",
                violation ? violation->text : "out of memory");
}

// What has crossed in this edge is on its way, or at terminals.
static void pass(struct run *run)
{
    history_add(&run->history, run->result->edges, run->flits, run->num_flits);
    for (size_t i = 0; i < run->num_flits; i++) {
        clocks_go_in(run, &run->flits[i]);
        if (run->at_link[run->flits[i].link] == NOWHERE) clocks_arrive(run, &run->flits[i]);
    }
    run->result->flits += run->num_flits;
    run->still = run->num_flits ? 0 : run->still + 1;
    anl_traffic_delivered(run->traffic, run->delivered, run->num_delivered);
}

static enum anl_status edge_in_run(struct run *run, struct anl_error *error)
{
    const bool has_model = run->at < run->domains.with_switches;
    enum anl_status status = run->at == 0 ? create_worms(run) : ANL_OK;
    run->num_flits = run->num_delivered = 0;
    if (status) return status;
    observed_clear(&run->harness.observed);
    clocked_low(run->rtl, run->at);
    clocked_show(run->rtl, run->at);
    clocks_check_sinks(run);
    if (has_model)
        status = clocks_step_model(run, error);
    else
        clocks_step_terminal(run);
    if (!status && !differs(run)) clocks_check_late(run);
    if (status || differs(run)) return status;
    ask_referee(run);
    pass(run);
    clocked_pulse(run->rtl, run->at);
    run->domains.clock[run->at].edges++;
    clocks_check_registers(run);
    clocks_note_failure(run);
    return ANL_OK;
}

static enum anl_status edge(struct run *run, struct anl_error *error)
{
    run->at = domains_next(&run->domains);
    run->result->edges++;
    struct domain_clock *clock = &run->domains.clock[run->at];
    if (!clock->held) return edge_in_run(run, error);
    clocked_low(run->rtl, run->at);
    clocked_pulse(run->rtl, run->at);
    if (--clock->held == 0) clocked_reset(run->rtl, run->at, false);
    return ANL_OK;
}

// Lets each clock have some edges while all resets are 1.
static void reset(struct run *run)
{
    for (uint32_t d = 0; d < run->domains.count; d++)
        clocked_reset(run->rtl, d, true);
    for (int i = 0; i < FIRST; i++)
        for (uint32_t d = 0; d < run->domains.count; d++) {
            clocked_low(run->rtl, d);
            clocked_pulse(run->rtl, d);
        }
    run->harness.failure = (struct failure){0};
    observed_clear(&run->harness.observed);
}

// ---------------------------------------------------------------- the end

static bool is_over(const struct run *run)
{
    bool over = run->arrived == run->harness.worms.count && anl_traffic_done(run->traffic);
    for (size_t j = 0; j < run->num_journeys; j++)
        over = over && journey_is_over(&run->journeys[j]);
    return over;
}

static void check_stall(struct run *run)
{
    char seen[96];
    if (run->still < (uint64_t)PATIENCE * run->domains.count) return;
    snprintf(seen, sizeof seen, "%llu of %u worms, and nothing moves",
             (unsigned long long)run->arrived, run->harness.worms.count);
    uint32_t lost = 0;
    while (lost < run->num_journeys && journey_is_over(&run->journeys[lost]))
        lost++;
    clocks_note(run, lost < run->num_journeys ? run->journeys[lost].crossing->link : 0, NOWHERE,
                "stalled", "all worms delivered", seen);
}

// All lanes are empty and all credits are home; a few edges more let the last ones come.
static void check_rest(struct run *run)
{
    uint32_t number = 0, vc = 0;
    struct anl_links *const sides[] = {run->senders, run->receivers};
    for (int s = 0; s < 2 && !differs(run); s++)
        if (!anl_links_rest(sides[s], &number, &vc))
            clocks_note(run, run->journeys[number].crossing->link, vc, "lost_credit",
                        s ? "all credits given behind the crossing" : "all credits home",
                        "some are not");
    if (!differs(run) && !anl_referee_end(run->referee, run->result->edges + 1, true))
        clocks_note(run, 0, NOWHERE, "referee", "nothing left", "flits that have not arrived");
}

static enum anl_status loop(struct run *run, struct anl_error *error)
{
    enum { REST = 400 };  // edges for each domain, in which lanes empty and credits come home
    reset(run);
    for (uint64_t rest = 0; rest < (uint64_t)REST * run->domains.count;) {
        const enum anl_status status = edge(run, error);
        if (status || differs(run)) return status;
        rest = is_over(run) ? rest + 1 : 0;
        if (!rest) check_stall(run);
        if (differs(run)) return ANL_OK;
    }
    check_rest(run);
    return ANL_OK;
}

// ---------------------------------------------------------------- create and destroy

static enum anl_status create_model(struct run *run, uint32_t domain, struct anl_error *error)
{
    struct model *model = &run->models[domain];
    const struct anl_parts parts = {run->domains.of_switch, run->domains.of_terminal};
    enum anl_status status =
        anl_engine_create_inside(run->network, &parts, domain, &model->engine, error);
    if (status) return status;
    anl_engine_reset(model->engine, run->scenario->run.seed);
    anl_engine_record(model->engine, true);
    status = state_create(&model->state, run->config);
    const uint32_t peers = anl_engine_num_peers(model->engine);
    model->told = calloc(peers + 1, sizeof *model->told);
    if (status || !model->told) return ANL_ERR_MEMORY;
    // A crossing gives back a credit of each lane in a cycle.
    const size_t of_a_link =
        sizeof(struct anl_worm) + (1 + run->config->num_vcs) * sizeof(struct anl_crossing);
    for (uint32_t i = 0; i < peers; i++) {
        model->told[i] = calloc(1, sizeof(struct anl_border) + run->shape.links * of_a_link);
        if (!model->told[i]) return ANL_ERR_MEMORY;
    }
    clocks_read_model(run, domain);
    return ANL_OK;
}

static void destroy_model(struct model *model)
{
    for (uint32_t i = 0; model->told && i < anl_engine_num_peers(model->engine); i++)
        free(model->told[i]);
    free(model->told);
    state_destroy(&model->state);
    anl_engine_destroy(model->engine);
}

static enum anl_status create_journeys(struct run *run)
{
    run->num_journeys = clocked_num_crossings(run->rtl);
    run->journeys = calloc(run->num_journeys + 1, sizeof *run->journeys);
    run->at_link = calloc(run->shape.links, sizeof *run->at_link);
    if (!run->journeys || !run->at_link) return ANL_ERR_MEMORY;
    for (uint32_t link = 0; link < run->shape.links; link++)
        run->at_link[link] = NOWHERE;
    for (uint32_t j = 0; j < run->num_journeys; j++) {
        const struct crossing *crossing = clocked_crossing(run->rtl, j);
        uint32_t rank = 0;
        for (uint32_t i = 0; i < j; i++) {
            const struct crossing *other = clocked_crossing(run->rtl, i);
            rank += other->sender.domain == crossing->sender.domain &&
                    other->receiver.domain == crossing->receiver.domain;
        }
        run->at_link[crossing->link] = j;
        if (journey_create(&run->journeys[j], crossing, rank)) return ANL_ERR_MEMORY;
    }
    static const struct anl_link_description style = {
        .style = ANL_STYLE_CREDIT, .width = 8, .ends = ANL_ENDS_LENGTH};
    const uint32_t number = (uint32_t)run->num_journeys;
    if (anl_links_create(&style, number, run->config->num_vcs, run->config->depth, &run->senders))
        return ANL_ERR_MEMORY;
    return anl_links_create(&style, number, run->config->num_vcs, run->config->depth,
                            &run->receivers);
}

static enum anl_status create_harness(struct run *run)
{
    struct harness *harness = &run->harness;
    const uint32_t lanes = run->shape.terminals * run->config->num_vcs;
    harness->seed = run->scenario->run.seed;
    run->flits = calloc(run->shape.links, sizeof *run->flits);
    run->delivered = calloc(run->shape.links, sizeof *run->delivered);
    run->sources =
        calloc((size_t)run->shape.terminals * anl_num_classes(run->config), sizeof *run->sources);
    run->lanes = calloc(lanes, sizeof *run->lanes);
    if (!run->flits || !run->delivered || !run->sources || !run->lanes) return ANL_ERR_MEMORY;
    for (uint32_t l = 0; l < lanes; l++)
        if (!(run->lanes[l].flits = calloc(run->config->depth, sizeof *run->lanes[l].flits)))
            return ANL_ERR_MEMORY;
    enum anl_status status = worms_create(&harness->worms, run->config);
    if (!status) status = observed_create(&harness->observed, run->config, NULL);
    if (!status) status = terminals_create(&harness->terminals, run->config);
    if (!status) status = injections_create(&harness->injections, run->config);
    if (!status) status = history_create(&run->history, run->config);
    if (!status) status = state_create(&run->expected, run->config);
    if (!status) status = anl_referee_create(run->config, &run->referee);
    if (!status) status = anl_traffic_create(anl_scenario_workload(run->scenario), &run->traffic);
    return status;
}

static enum anl_status create(struct run *run, struct anl_error *error)
{
    const uint64_t seed = run->scenario->run.seed;
    enum anl_status status = create_harness(run);
    if (!status) status = anl_network_create(run->config, &run->network);
    if (!status)
        status = domains_create(&run->domains, run->config, run->options->regions,
                                run->options->alone, seed);
    if (status) return status;
    const struct clocked_cut cut = {run->domains.of_switch, run->domains.of_terminal,
                                    run->options->sync_stages};
    run->rtl = clocked_create(run->config, &cut, &run->harness, seed, error);
    if (!run->rtl) return ANL_ERR_IO;
    run->models = calloc(run->domains.with_switches, sizeof *run->models);
    if (!run->models) return ANL_ERR_MEMORY;
    for (uint32_t d = 0; d < run->domains.with_switches && !status; d++)
        status = create_model(run, d, error);
    return status ? status : create_journeys(run);
}

static void destroy(struct run *run)
{
    for (uint32_t d = 0; run->models && d < run->domains.with_switches; d++)
        destroy_model(&run->models[d]);
    for (size_t j = 0; run->journeys && j < run->num_journeys; j++)
        journey_destroy(&run->journeys[j]);
    for (uint32_t l = 0; run->lanes && l < run->shape.terminals * run->config->num_vcs; l++)
        free(run->lanes[l].flits);
    anl_links_destroy(run->senders);
    anl_links_destroy(run->receivers);
    free(run->models);
    free(run->journeys);
    free(run->at_link);
    free(run->lanes);
    free(run->sources);
    free(run->flits);
    free(run->delivered);
    clocked_destroy(run->rtl);
    domains_destroy(&run->domains);
    anl_traffic_destroy(run->traffic);
    anl_referee_destroy(run->referee);
    state_destroy(&run->expected);
    history_destroy(&run->history);
    injections_destroy(&run->harness.injections);
    terminals_destroy(&run->harness.terminals);
    observed_destroy(&run->harness.observed);
    worms_destroy(&run->harness.worms);
    anl_network_destroy(run->network);
}

const char *clocks_refuse(const struct anl_scenario *scenario, const struct clocks_options *options)
{
    const struct anl_config *config = &scenario->network;
    if (!anl_has(config, ANL_TRAIT_WAITS)) return "expected switches of kind buffered";
    if (config->link == ANL_WIDE) return "expected shared links, not wide ones";
    if (config->credits != ANL_REGISTERED) return "expected registered credits, not chained ones";
    if (anl_hop_cycles(config) > 1) return "expected links of one cycle and switches of one stage";
    if (config->reply_queue) return "expected terminals that cannot refuse";
    if (anl_arbiter_has(config->arbiter, ANL_ARBITER_STAMPS))
        return "expected an arbiter that compares no stamps: those of several clocks do not "
               "compare";
    if (config->num_vcs * config->depth > MOST_UNDER_WAY)
        return "expected fewer lanes or less depth";
    if (options->regions < 1 || options->regions > anl_shape_of(config).switches)
        return "expected a region of switches at least, and a switch in each of them";
    if (options->regions == 1 && !options->alone)
        return "expected --terminals or several --regions: nothing crosses else";
    return NULL;
}

enum anl_status clocks_run(const struct anl_scenario *scenario,
                           const struct clocks_options *options, struct clocks_result *result,
                           struct anl_error *error)
{
    struct run run = {.scenario = scenario,
                      .config = &scenario->network,
                      .options = options,
                      .result = result,
                      .shape = anl_shape_of(&scenario->network)};
    run.switch_links = run.shape.switches * run.shape.ports;
    *result = (struct clocks_result){0};
    enum anl_status status = create(&run, error);
    if (!status) status = loop(&run, error);
    result->worms = run.harness.worms.count;
    result->domains = run.domains.count;
    result->crossings = (uint32_t)run.num_journeys;
    result->pass = !status && !differs(&run);
    if (differs(&run)) {
        result->cycle = run.difference.cycle;
        result->edge = result->edges;
        snprintf(result->where, sizeof result->where, "%s", run.difference.where);
        snprintf(result->what, sizeof result->what, "%s", run.difference.what);
        snprintf(result->expected, sizeof result->expected, "%s", run.difference.expected);
        snprintf(result->seen, sizeof result->seen, "%s", run.difference.seen);
    }
    destroy(&run);
    return status;
}
