// SPDX-License-Identifier: Apache-2.0
//
// The referee and runs of the model on tables with several options or by input port. It must read
// them as the network does and find nothing wrong with the runs. If a lane is taken out of an
// entry, it must name the first head that has taken it.

#include "referee_record.h"

enum { RUNS = 200 };

// Gives the heads for a terminal at an input port random options that lead to input ports which
// have some. Returns whether there are any.
static bool add_options(struct anl_rng *rng, struct anl_graph *graph, const uint8_t *has,
                        uint32_t at, uint32_t t, uint32_t num_vcs)
{
    const uint32_t ports = graph->switches * graph->ports, s = at / graph->ports;
    struct anl_table_hop *options =
        &graph->table[((size_t)at * graph->terminals + t) * graph->options];
    uint32_t count = 0;
    for (uint32_t port = 0; port < graph->ports && count < graph->options; port++) {
        const uint32_t end = graph->ends[s * graph->ports + port];
        if (end >= ports || !has[end] || anl_rng_below(rng, 2)) continue;
        options[count++] =
            (struct anl_table_hop){(uint8_t)port, (uint8_t)unit_draw(rng, 1, (1u << num_vcs) - 1)};
    }
    return count > 0;
}

// Gives a graph a table by input port in which a head may pass a switch several times. Input ports
// that are left without options are those to which no head comes.
static void random_rounds(struct anl_rng *rng, struct anl_graph *graph, uint32_t num_vcs)
{
    const uint32_t ports = graph->switches * graph->ports;
    uint8_t *has = calloc(ports, 1);
    graph->by_input = true;
    graph->options = unit_draw(rng, 1, 3);
    graph->table = calloc((size_t)ports * graph->terminals * graph->options, sizeof *graph->table);
    assert_true(graph->table && has);
    for (uint32_t t = 0; t < graph->terminals; t++) {
        for (uint32_t at = 0; at < ports; at++)
            has[at] = at / graph->ports == graph->homes[t] / graph->ports;
        for (uint32_t tries = 0; tries < 200 * ports; tries++) {
            const uint32_t at = anl_rng_below(rng, ports);
            if (!has[at]) has[at] = add_options(rng, graph, has, at, t, num_vcs);
        }
    }
    free(has);
}

// A head as it leaves an input port of a switch.
struct step {
    const struct event *event;
    uint32_t input;  // switch * ports + port
};

// Returns the first head of a run that leaves the input port (if it counts, else the switch) of
// another one, for the same terminal, by the same port and lane.
static const struct event *first_like(const struct record *record, const struct anl_graph *graph,
                                      struct step like)
{
    uint32_t inputs[WORMS];
    const uint32_t wanted = record->worms[like.event->flit.worm].destination;
    for (size_t i = 0; i < record->num_events; i++) {
        const struct anl_flit *flit = &record->events[i].flit;
        if (!flit->head) continue;
        const struct anl_worm *worm = &record->worms[flit->worm];
        const bool same = flit->link == like.event->flit.link && flit->vc == like.event->flit.vc &&
                          worm->destination == wanted;
        if (same && (!graph->by_input || inputs[flit->worm] == like.input))
            return &record->events[i];
        const bool injection = flit->link >= graph->switches * graph->ports;
        inputs[flit->worm] = injection ? graph->homes[worm->source] : graph->ends[flit->link];
    }
    return NULL;
}

// Returns a random head of a run that goes from switch to switch; no event: none does.
static struct step random_step(const struct record *record, const struct anl_graph *graph,
                               struct anl_rng *rng)
{
    const uint32_t links = graph->switches * graph->ports;
    uint32_t inputs[WORMS], count = 0;
    struct step chosen = {0};
    for (size_t i = 0; i < record->num_events; i++) {
        const struct anl_flit *flit = &record->events[i].flit;
        if (!flit->head) continue;
        const bool injection = flit->link >= links;
        if (!injection && graph->ends[flit->link] < links && anl_rng_below(rng, ++count) == 0)
            chosen = (struct step){&record->events[i], inputs[flit->worm]};
        inputs[flit->worm] =
            injection ? graph->homes[record->worms[flit->worm].source] : graph->ends[flit->link];
    }
    return chosen;
}

// Takes the lane that a head took out of its entry, and expects that the referee names the first
// head that took it. Returns whether there is one.
static bool without_a_lane(const struct record *record, const struct anl_config *config,
                           struct anl_graph *graph, struct anl_rng *rng)
{
    const struct step step = random_step(record, graph, rng);
    if (!step.event) return false;
    const struct anl_flit *flit = &step.event->flit;
    const uint32_t row = graph->by_input ? step.input : flit->link / graph->ports;
    const size_t entry = (size_t)row * graph->terminals + record->worms[flit->worm].destination;
    for (uint32_t i = 0; i < graph->options; i++) {
        struct anl_table_hop *option = &graph->table[entry * graph->options + i];
        if (option->port == flit->link % graph->ports)
            option->vcs = (uint8_t)(option->vcs & ~(1u << flit->vc));
    }
    return expect_named(record, config, ANL_RULE_ILLEGAL_ROUTE, first_like(record, graph, step));
}

// Returns how many heads of a run leave a switch of at most 32 that they have left before.
static uint32_t come_again(const struct record *record, const struct anl_graph *graph)
{
    uint32_t left[WORMS] = {0}, count = 0;
    for (size_t i = 0; i < record->num_events; i++) {
        const struct anl_flit *flit = &record->events[i].flit;
        const uint32_t s = flit->link / graph->ports;
        if (!flit->head || s >= graph->switches) continue;
        count += left[flit->worm] >> s & 1;
        left[flit->worm] |= 1u << s;
    }
    return count;
}

enum table { BY_SWITCH, BY_INPUT, ROUNDS };

struct tally {
    uint32_t named, again;
};

static void try_table(uint32_t number, enum table kind, struct tally *tally)
{
    struct anl_rng rng = anl_rng_seed(235 + kind, number);
    const uint32_t num_vcs = unit_draw(&rng, 1, 4), switches = unit_draw(&rng, 3, 20);
    struct anl_graph *graph = random_graph(&rng, switches, unit_draw(&rng, 3, 8), 24, true);
    if (kind == ROUNDS)
        random_rounds(&rng, graph, num_vcs);
    else
        random_options(&rng, graph, num_vcs, kind == BY_INPUT);
    struct anl_error error;
    if (anl_graph_route(graph, ANL_TABLE, num_vcs, &error)) fail_msg("%s", error.text);
    struct anl_config config = graph_config(graph, ANL_TABLE, num_vcs);
    config.select = (enum anl_select)anl_rng_below(&rng, ANL_STRAIGHT_FIRST);

    struct referee_shape shape = referee_shape_of(&config);
    same_links(&config, &shape);
    same_routes(&config, &shape);
    referee_shape_free(&shape);
    struct record record = run(&config, false, &rng);
    expect_legal_record(&record, &config);
    tally->again += come_again(&record, graph);
    tally->named += without_a_lane(&record, &config, graph, &rng);
    forget(&record);
    anl_graph_destroy(graph);
}

static void tables_with_several_options(void **state)
{
    (void)state;
    for (int kind = BY_SWITCH; kind <= ROUNDS; kind++) {
        struct tally tally = {0};
        for (uint32_t i = 0; i < unit_trials(RUNS); i++)
            try_table(i, (enum table)kind, &tally);
        assert_true(tally.named > unit_trials(RUNS) / 2);
        assert_int_equal(tally.again > 0, kind == ROUNDS);
    }
}

// --- escape lanes ---

// Returns a tree, in which no routes close a cycle, with the shortest ones as its table.
static struct anl_graph *tree_with_table(struct anl_rng *rng, uint32_t num_vcs)
{
    const uint32_t switches = unit_draw(rng, 3, 8);
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(switches, 5, switches, &graph, NULL), ANL_OK);
    graph_add_tree(rng, graph);
    graph_add_terminals(rng, graph);
    assert_int_equal(anl_graph_route(graph, ANL_SHORTEST, num_vcs, NULL), ANL_OK);
    const size_t bytes = (size_t)switches * switches * sizeof *graph->table;
    graph->table = malloc(bytes);
    assert_non_null(graph->table);
    memcpy(graph->table, graph->routes, bytes);
    assert_int_equal(anl_graph_route(graph, ANL_TABLE, num_vcs, NULL), ANL_OK);
    return graph;
}

static void all_but_escape_lanes_may_be_atomic(void **state)
{
    (void)state;
    uint32_t named = 0;
    for (uint32_t i = 0; i < unit_trials(RUNS); i++) {
        struct anl_rng rng = anl_rng_seed(238, i);
        const uint32_t num_vcs = unit_draw(&rng, 2, 4);
        struct anl_graph *graph = tree_with_table(&rng, num_vcs);
        struct anl_config config = graph_config(graph, ANL_TABLE, num_vcs);
        config.escape_vcs = unit_draw(&rng, 1, num_vcs - 1);
        struct record record = run(&config, true, &rng);
        expect_legal_record(&record, &config);
        config.atomic = ANL_ATOMIC_ADAPTIVE;
        named += expect_named(&record, &config, ANL_RULE_NOT_EMPTY,
                              first_not_empty(&record, &config, config.escape_vcs));
        forget(&record);
        anl_graph_destroy(graph);
    }
    assert_true(named > unit_trials(RUNS) / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_with_several_options),
        cmocka_unit_test(all_but_escape_lanes_may_be_atomic),
    };
    return cmocka_run_group_tests_name("referee_tables", tests, NULL, NULL);
}
