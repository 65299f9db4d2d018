// SPDX-License-Identifier: Apache-2.0
//
// The referee and runs of the model with routing source: worms take the routes of the scenario or
// bring their own, which may pass a switch several times. Told another port of one route, the
// referee must name its head where it leaves the route.

#include "referee_record.h"

enum { RUNS = 200, PORTS = 24 };

// The routes of the worms of a run.
struct lists {
    uint8_t ports[WORMS][PORTS];
};

// Walks at random from the switch of a terminal by links that the walk has not passed, and goes to
// a terminal of a switch that it comes to. Returns the number of ports; 0: it has come to none.
static uint16_t walk(const struct anl_graph *graph, uint32_t source, struct anl_rng *rng,
                     uint8_t *ports, uint32_t *destination)
{
    const uint32_t links = graph->switches * graph->ports;
    uint32_t passed[PORTS], s = graph->homes[source] / graph->ports;
    for (uint16_t count = 0; count < PORTS;) {
        const uint32_t link = s * graph->ports + anl_rng_below(rng, graph->ports);
        const uint32_t end = graph->ends[link];
        bool again = false;
        for (uint32_t i = 0; i < count; i++)
            again |= passed[i] == link;
        if (end == ANL_NO_PORT || (again && anl_rng_below(rng, 8))) continue;
        if (again) return 0;
        passed[count] = link;
        ports[count++] = (uint8_t)(link % graph->ports);
        if (end >= links) {
            *destination = end - links;
            return count;
        }
        s = end / graph->ports;
    }
    return 0;
}

// Runs until the worm is delivered.
static void deliver(struct record *record, struct anl_engine *net)
{
    for (uint32_t i = 0; i < STILL && !anl_engine_idle(net); i++) {
        const uint64_t cycle = anl_engine_cycle(net);
        size_t count;
        anl_engine_step(net);
        const struct anl_flit *flits = anl_engine_flits(net, &count);
        keep(record, cycle, flits, count);
    }
    assert_true(anl_engine_idle(net));
}

// Sends worms one after the other: some with a route of their own.
static struct record play(const struct anl_config *config, struct lists *lists, struct anl_rng *rng)
{
    struct record record = {.worms = calloc(WORMS, sizeof *record.worms)};
    const uint32_t terminals = config->graph->terminals;
    struct anl_engine *net;
    assert_non_null(record.worms);
    assert_int_equal(anl_engine_create(config, &net), ANL_OK);
    anl_engine_record(net, true);
    anl_engine_reset(net, 1);
    while (record.num_worms < WORMS) {
        uint8_t *ports = lists->ports[record.num_worms];
        struct anl_worm worm = {.source = anl_rng_below(rng, terminals),
                                .destination = anl_rng_below(rng, terminals),
                                .length = (uint16_t)unit_draw(rng, 1, 8)};
        worm.route_length = walk(config->graph, worm.source, rng, ports, &worm.destination);
        if (worm.route_length) worm.route = ports;
        uint32_t id;
        assert_int_equal(anl_engine_enqueue_worm(net, &worm, &id), ANL_OK);
        record.worms[record.num_worms++] = *anl_engine_worm(net, id);
        deliver(&record, net);
    }
    anl_engine_destroy(net);
    return record;
}

// Gives a worm another route of its own than it has taken, and expects that the referee names its
// head at the first port that differs. Returns whether another route was found.
static bool told_another_route(struct record *record, const struct anl_config *config,
                               struct anl_rng *rng)
{
    struct anl_worm *worm = &record->worms[anl_rng_below(rng, WORMS)];
    uint8_t ports[PORTS];
    uint32_t destination = ANL_NO_PORT, at = 0, hops = 0;
    uint16_t length = 0;
    for (uint32_t i = 0; i < 100 && destination != worm->destination; i++)
        length = walk(config->graph, worm->source, rng, ports, &destination);
    if (!worm->route || !length || destination != worm->destination) return false;
    while (at < length && at < worm->route_length && ports[at] == worm->route[at])
        at++;
    if (at == length) return false;
    const struct event *guilty = NULL;
    for (size_t i = 0; i < record->num_events && !guilty; i++) {
        const struct anl_flit *flit = &record->events[i].flit;
        if (flit->head && flit->worm == worm->id && hops++ == at + 1) guilty = &record->events[i];
    }
    worm->route = ports;
    worm->route_length = length;
    return expect_named(record, config, ANL_RULE_ILLEGAL_ROUTE, guilty);
}

static void worms_keep_to_their_routes(void **state)
{
    (void)state;
    struct lists *lists = malloc(sizeof *lists);
    uint32_t named = 0, own = 0;
    assert_non_null(lists);
    for (uint32_t i = 0; i < unit_trials(RUNS); i++) {
        struct anl_rng rng = anl_rng_seed(240, i);
        const enum anl_routing paths = anl_rng_below(&rng, 2) ? ANL_SHORTEST : ANL_UP_DOWN;
        struct anl_graph *graph =
            random_graph(&rng, unit_draw(&rng, 3, 16), unit_draw(&rng, 3, 8), 24, false);
        struct anl_config config = graph_config(graph, ANL_SOURCE, unit_draw(&rng, 1, 4));
        config.paths = paths;
        config.flit_width_bits = ANL_MAX_FLIT_WIDTH_BITS;
        struct anl_error error;
        if (anl_graph_route_source(graph, paths, config.num_vcs, &error))
            fail_msg("%s", error.text);
        struct record record = play(&config, lists, &rng);
        expect_legal_record(&record, &config);
        for (size_t w = 0; w < WORMS; w++)
            own += record.worms[w].route != NULL;
        named += told_another_route(&record, &config, &rng);
        forget(&record);
        anl_graph_destroy(graph);
    }
    free(lists);
    assert_true(own > 0 && named > 0);
}

// Two switches: port 0 leads to the other one, port 1 to the terminal.
static void a_worm_without_a_way_is_refused(void **state)
{
    (void)state;
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(2, 2, 2, &graph, NULL), ANL_OK);
    assert_int_equal(anl_graph_link(graph, 0, 2, NULL), ANL_OK);
    assert_int_equal(anl_graph_link(graph, 2, 0, NULL), ANL_OK);
    assert_int_equal(anl_graph_attach(graph, 0, 1, NULL), ANL_OK);
    assert_int_equal(anl_graph_attach(graph, 1, 3, NULL), ANL_OK);
    assert_int_equal(anl_graph_route_source(graph, ANL_SHORTEST, 1, NULL), ANL_OK);
    const struct anl_config config = graph_config(graph, ANL_SOURCE, 1);
    static const uint8_t there[] = {0, 1}, back[] = {0, 0, 1};
    struct anl_worm worm = {.destination = 1, .length = 1, .route = there, .route_length = 2};
    struct anl_referee *referee;
    assert_int_equal(anl_referee_create(&config, &referee), ANL_OK);
    assert_true(anl_referee_worm(referee, &worm));
    worm = (struct anl_worm){
        .id = 1, .destination = 1, .length = 1, .created = 4, .route = back, .route_length = 3};
    assert_false(anl_referee_worm(referee, &worm));
    assert_int_equal(anl_referee_violation(referee)->rule, ANL_RULE_UNKNOWN_WORM);
    assert_string_equal(anl_referee_violation(referee)->text,
                        "cycle 4: worm 1 (0->1) is created, but its own route of 3 ports does not "
                        "lead to its destination, or passes a link twice");
    anl_referee_destroy(referee);
    anl_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worms_keep_to_their_routes),
        cmocka_unit_test(a_worm_without_a_way_is_refused),
    };
    return cmocka_run_group_tests_name("referee_source", tests, NULL, NULL);
}
