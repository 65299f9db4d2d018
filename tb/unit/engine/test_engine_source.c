// SPDX-License-Identifier: Apache-2.0
//
// The engine with routing source. On random graphs with random traffic, worms whose lists are those
// of a table move as they do in the network with this table: the same flits, links, lanes and
// cycles, whether the lists are computed or given with each worm. And worms with lists that no
// table gives go where these lead.

#include "unit_engine.h"
#include "unit_graph.h"

#include <string.h>

enum { CYCLES = 400 };

// One network in three forms: by table, by computed lists, and by lists that each worm brings.
struct forms {
    struct anl_graph *graphs[3];
    struct anl_engine *nets[3];
    uint32_t longest_worm;
};
enum { BY_TABLE, COMPUTED, OWN };

// Draws the same graph for each seed.
static struct anl_graph *draw_graph(uint64_t seed, struct anl_config *config)
{
    struct anl_rng rng = anl_rng_seed(seed, 7);
    const enum anl_routing paths = (enum anl_routing)unit_draw(&rng, ANL_SHORTEST, ANL_TABLE);
    struct anl_graph *graph =
        random_graph(&rng, unit_draw(&rng, 1, 12), unit_draw(&rng, 2, 7), 20, paths != ANL_UP_DOWN);
    *config = graph_config(graph, paths, unit_draw(&rng, 1, 4));
    config->depth = unit_draw(&rng, 1, 5);
    config->arbiter = (enum anl_arbiter)unit_draw(&rng, ANL_FIXED, ANL_LAST_ARBITER);
    config->flow_control =
        (enum anl_flow_control)unit_draw(&rng, ANL_WORMHOLE, ANL_STORE_AND_FORWARD);
    config->flit_width_bits = ANL_MAX_FLIT_WIDTH_BITS;
    config->paths = paths;
    if (paths != ANL_TABLE) return graph;
    random_table(&rng, graph, config->num_vcs);
    for (size_t i = 0; i < (size_t)graph->switches * graph->terminals; i++)
        if (graph->table[i].vcs) graph->table[i].vcs = (uint8_t)((1u << config->num_vcs) - 1);
    return graph;
}

static void make_forms(uint64_t seed, struct forms *forms)
{
    for (int form = BY_TABLE; form <= OWN; form++) {
        struct anl_config config;
        struct anl_graph *graph = forms->graphs[form] = draw_graph(seed, &config);
        if (form == BY_TABLE) {
            assert_int_equal(anl_graph_route(graph, config.paths, config.num_vcs, NULL), ANL_OK);
        } else {
            config.routing = ANL_SOURCE;
            assert_int_equal(anl_graph_route_source(graph, config.paths, config.num_vcs, NULL),
                             ANL_OK);
        }
        forms->nets[form] = make(&config);
        forms->longest_worm = anl_longest_worm(&config);
        anl_engine_reset(forms->nets[form], seed);
    }
}

// The lists of the worms of a run, which must stay until the worms are delivered.
struct lists {
    uint8_t ports[CYCLES * 20][64];
    size_t count;
};

static void enqueue_to_all(struct forms *forms, struct lists *lists, struct anl_worm worm)
{
    const struct anl_config config = graph_config(forms->graphs[OWN], ANL_SOURCE, 1);
    uint32_t length;
    for (int form = BY_TABLE; form <= OWN; form++) {
        if (form == OWN) {
            worm.route = anl_source_list(&config, &worm, lists->ports[lists->count++], &length);
            worm.route_length = (uint16_t)length;
        }
        assert_int_equal(anl_engine_enqueue_worm(forms->nets[form], &worm, NULL), ANL_OK);
    }
}

static void expect_same_flits(const struct forms *forms)
{
    size_t expected_count, count;
    const struct anl_flit *expected = anl_engine_flits(forms->nets[BY_TABLE], &expected_count);
    for (int form = COMPUTED; form <= OWN; form++) {
        const struct anl_flit *flits = anl_engine_flits(forms->nets[form], &count);
        assert_int_equal(count, expected_count);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(flits[i].link, expected[i].link);
            assert_int_equal(flits[i].vc, expected[i].vc);
            assert_int_equal(flits[i].worm, expected[i].worm);
            assert_int_equal(flits[i].index, expected[i].index);
        }
    }
}

static void lists_move_as_tables_do(void **state)
{
    (void)state;
    struct lists *lists = malloc(sizeof *lists);
    uint64_t hops = 0;
    assert_non_null(lists);
    for (uint64_t seed = 1; seed <= unit_trials(120); seed++) {
        struct anl_rng rng = anl_rng_seed(seed, 8);
        struct forms forms;
        make_forms(seed, &forms);
        lists->count = 0;
        const uint32_t terminals = forms.graphs[0]->terminals;
        const uint32_t most = forms.longest_worm < 9 ? forms.longest_worm : 9;
        for (uint32_t cycle = 0; cycle < CYCLES; cycle++) {
            for (uint32_t t = 0; t < terminals; t++) {
                if (anl_rng_below(&rng, 12)) continue;
                enqueue_to_all(&forms, lists,
                               (struct anl_worm){.source = t,
                                                 .destination = anl_rng_below(&rng, terminals),
                                                 .length = (uint16_t)unit_draw(&rng, 1, most)});
            }
            for (int form = BY_TABLE; form <= OWN; form++)
                anl_engine_step(forms.nets[form]);
            expect_same_flits(&forms);
        }
        hops += anl_engine_totals(forms.nets[OWN]).flit_hops;
        for (int form = BY_TABLE; form <= OWN; form++) {
            anl_engine_destroy(forms.nets[form]);
            anl_graph_destroy(forms.graphs[form]);
        }
    }
    assert_true(hops > 1000 * unit_trials(120));
    free(lists);
}

// A ring of switches 0 … 3 whose port 0 leads to the next one and port 1 to the one before, with
// terminals at port 2. Worms go the long way round, one of them twice through a switch.
static void worms_go_where_their_lists_lead(void **state)
{
    (void)state;
    static const uint8_t there[] = {0, 0, 0, 2}, back[] = {1, 1, 1, 2}, again[] = {0, 1, 1, 2};
    static const uint8_t none[] = {2};
    static const struct {
        uint32_t source, destination;
        const uint8_t *route;
        uint16_t length;
    } worms[] = {{0, 3, there, 4}, {3, 0, back, 4}, {1, 0, again, 4}, {2, 2, none, 1}};
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(4, 3, 4, &graph, NULL), ANL_OK);
    for (uint32_t s = 0; s < 4; s++) {
        assert_int_equal(anl_graph_link(graph, 3 * s, 3 * ((s + 1) % 4) + 1, NULL), ANL_OK);
        assert_int_equal(anl_graph_link(graph, 3 * s + 1, 3 * ((s + 3) % 4), NULL), ANL_OK);
        assert_int_equal(anl_graph_attach(graph, s, 3 * s + 2, NULL), ANL_OK);
    }
    assert_int_equal(anl_graph_route_source(graph, ANL_SHORTEST, 2, NULL), ANL_OK);
    const struct anl_config config = graph_config(graph, ANL_SOURCE, 2);
    struct anl_engine *net = make(&config);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(
            anl_engine_enqueue_worm(net,
                                    &(struct anl_worm){.source = worms[i].source,
                                                       .destination = worms[i].destination,
                                                       .length = 5,
                                                       .route = worms[i].route,
                                                       .route_length = worms[i].length},
                                    NULL),
            ANL_OK);
    uint32_t passed[4] = {0}, at[4];
    for (uint32_t i = 0; i < 4; i++)
        at[i] = 3 * worms[i].source + 2;
    while (!anl_engine_idle(net)) {
        size_t count;
        anl_engine_step(net);
        const struct anl_flit *flits = anl_engine_flits(net, &count);
        for (size_t i = 0; i < count; i++) {
            const uint32_t w = flits[i].worm;
            if (!flits[i].head || flits[i].link >= 12) continue;
            assert_int_equal(flits[i].link, at[w] / 3 * 3 + worms[w].route[passed[w]++]);
            at[w] = graph->ends[flits[i].link];
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(passed[i], worms[i].length);
        assert_int_equal(at[i], 12 + worms[i].destination);
    }
    const struct anl_worm wrong = {.source = 0, .length = 1, .route = there, .route_length = 4};
    assert_int_equal(anl_engine_enqueue_worm(net, &wrong, NULL), ANL_ERR_ARGUMENT);
    anl_engine_destroy(net);
    anl_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_move_as_tables_do),
        cmocka_unit_test(worms_go_where_their_lists_lead),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
