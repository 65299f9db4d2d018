// SPDX-License-Identifier: Apache-2.0
//
// Routing layered: layers against a slow reading of docs/networks.md, cycles of lanes by a search
// that knows no layers, and worms between all pairs of terminals.

#include "unit_graph.h"

#include <annelid/engine.h>
#include <annelid/referee.h>
#include <string.h>

enum { LANES = ANL_MAX_VCS };

// The dependencies between links, or between lanes, as a matrix.
struct depends {
    uint32_t size;
    uint8_t *on;      // [size * size]
    uint32_t *waits;  // [size] for the search
};

static struct depends depends_create(uint32_t size)
{
    struct depends depends = {size, calloc((size_t)size * size, 1), calloc(size, sizeof(uint32_t))};
    assert_non_null(depends.on);
    assert_non_null(depends.waits);
    return depends;
}

static void depends_destroy(struct depends *depends)
{
    free(depends->on);
    free(depends->waits);
}

// Takes away what depends on nothing that is left, until nothing more goes. Returns whether
// nothing is left.
static bool is_acyclic(const struct depends *depends)
{
    const uint32_t n = depends->size;
    uint32_t *waits = depends->waits, left = n;
    for (uint32_t a = 0; a < n; a++) {
        waits[a] = 0;
        for (uint32_t b = 0; b < n; b++)
            waits[a] += depends->on[a * n + b];
    }
    for (bool news = true; news;) {
        news = false;
        for (uint32_t b = 0; b < n; b++) {
            if (waits[b] != 0) continue;
            news = true;
            left--;
            waits[b] = UINT32_MAX;
            for (uint32_t a = 0; a < n; a++)
                if (waits[a] != UINT32_MAX) waits[a] -= depends->on[a * n + b];
        }
    }
    return left == 0;
}

// --- lanes ---

// Follows the head of a worm through all lanes that it may take. Returns how many links between
// switches it crosses.
static uint32_t travel(const struct anl_config *config, struct depends *lanes, uint32_t from,
                       uint32_t to)
{
    const struct anl_shape shape = anl_shape_of(config);
    uint32_t link = shape.switches * shape.ports + from, hops = 0;
    uint32_t vcs = anl_injection_vcs(config, from, to);
    struct anl_end end = anl_end_of(config, link);
    assert_int_not_equal(vcs, 0);
    for (; !end.is_terminal; hops++) {
        struct anl_way way = {0};
        for (uint32_t vc = 0; vc < LANES; vc++) {
            if (!(vcs >> vc & 1)) continue;
            assert_int_equal(anl_group_vcs(config, vc), vcs);
            const struct anl_input_lane at = {end.node, end.port, vc};
            way = anl_first_way(anl_route_at(config, at, to));
            assert_int_equal(way.vcs, vcs);
            for (uint32_t w = 0; w < LANES; w++)
                if (way.vcs >> w & 1)
                    lanes->on[(link * LANES + vc) * lanes->size +
                              (end.node * shape.ports + way.port) * LANES + w] = 1;
        }
        link = end.node * shape.ports + way.port;
        end = anl_end_of(config, link);
        assert_true(end.exists && hops <= shape.switches);
    }
    assert_int_equal(end.node, to);
    return hops - 1;
}

// Sends a worm from each terminal to each other one, by lanes with which the referee agrees.
static void deliver_all(const struct anl_config *config)
{
    struct anl_engine *engine;
    struct anl_referee *referee;
    uint32_t id;
    assert_int_equal(anl_engine_create(config, &engine), ANL_OK);
    assert_int_equal(anl_referee_create(config, &referee), ANL_OK);
    anl_engine_record(engine, true);
    for (uint32_t from = 0; from < config->k; from++)
        for (uint32_t to = 0; to < config->k; to++) {
            assert_int_equal(anl_engine_enqueue(engine, from, to, 7, &id), ANL_OK);
            assert_true(anl_referee_worm(referee, anl_engine_worm(engine, id)));
        }
    while (!anl_engine_idle(engine) && anl_engine_cycle(engine) < 1000000) {
        const uint64_t cycle = anl_engine_cycle(engine);
        size_t count;
        anl_engine_step(engine);
        const struct anl_flit *flits = anl_engine_flits(engine, &count);
        if (!anl_referee_flits(referee, cycle, flits, count))
            fail_msg("%s", anl_referee_violation(referee)->text);
    }
    assert_int_equal(anl_engine_totals(engine).delivered, config->k * config->k);
    anl_referee_destroy(referee);
    anl_engine_destroy(engine);
}

static void check_lanes(struct anl_graph *graph)
{
    struct anl_config config = graph_config(graph, ANL_LAYERED, LANES);
    struct depends lanes = depends_create(anl_shape_of(&config).links * LANES);
    struct anl_cdg *cdg;
    bool acyclic;
    assert_int_equal(anl_config_check(&config, NULL), ANL_OK);
    for (uint32_t from = 0; from < graph->terminals; from++)
        for (uint32_t to = 0; to < graph->terminals; to++)
            assert_int_equal(travel(&config, &lanes, from, to), anl_distance(&config, from, to));
    assert_true(is_acyclic(&lanes));
    assert_int_equal(anl_cdg_of(&config, &cdg), ANL_OK);
    assert_int_equal(anl_cdg_is_acyclic(cdg, &acyclic), ANL_OK);
    assert_true(acyclic);
    uint64_t count = 0;
    for (size_t i = 0; i < (size_t)lanes.size * lanes.size; i++)
        count += lanes.on[i];
    assert_int_equal(anl_cdg_dependencies(cdg), count);
    anl_cdg_destroy(cdg);
    depends_destroy(&lanes);
    for (int link = ANL_SHARED; link <= ANL_WIDE; link++) {
        config.link = (enum anl_link)link;
        deliver_all(&config);
    }
}

static void random_graphs_are_acyclic(void **state)
{
    (void)state;
    uint32_t layered = 0;
    for (uint32_t number = 0; number < unit_trials(200); number++) {
        struct anl_rng rng = anl_rng_seed(23, number);
        struct anl_graph *graph =
            random_graph(&rng, unit_draw(&rng, 3, 40), unit_draw(&rng, 3, 7), 40, false);
        assert_int_equal(anl_graph_route(graph, ANL_LAYERED, LANES, NULL), ANL_OK);
        layered += graph->num_layers > 1;
        check_lanes(graph);
        anl_graph_destroy(graph);
    }
    assert_true(layered > 0);
}

// --- layers ---

// Sets or clears the dependencies of the routes from a switch to the terminals of another one;
// count has how many routes of the layer have each.
static void count_routes(const struct anl_graph *graph, uint32_t from, uint32_t to, int change,
                         uint16_t *count, struct depends *links)
{
    for (uint32_t t = 0; t < graph->terminals; t++) {
        if (graph->homes[t] / graph->ports != to) continue;
        uint32_t last = from * graph->ports + graph->routes[from * graph->terminals + t].port;
        while (graph->ends[last] / graph->ports != to) {
            const uint32_t s = graph->ends[last] / graph->ports;
            const uint32_t next = s * graph->ports + graph->routes[s * graph->terminals + t].port;
            const size_t at = (size_t)last * links->size + next;
            count[at] = (uint16_t)(count[at] + change);
            links->on[at] = count[at] > 0;
            last = next;
        }
    }
}

static bool has_terminal(const struct anl_graph *graph, uint32_t s)
{
    for (uint32_t t = 0; t < graph->terminals; t++)
        if (graph->homes[t] / graph->ports == s) return true;
    return false;
}

static void expect_layer(const struct anl_graph *graph, uint32_t from, uint32_t to, uint32_t layer)
{
    for (uint32_t t = 0; t < graph->terminals; t++)
        if (graph->homes[t] / graph->ports == to)
            assert_int_equal(graph->layers[from * graph->terminals + t], layer);
}

static void check_layers(const struct anl_graph *graph)
{
    enum { MOST = 32 };
    struct depends layers[MOST];
    uint16_t *counts[MOST];
    uint32_t num_layers = 0;
    const uint32_t links = graph->switches * graph->ports;
    for (uint32_t i = 0; i < graph->switches * graph->switches; i++) {
        const uint32_t from = i / graph->switches, to = i % graph->switches;
        if (!has_terminal(graph, from) || !has_terminal(graph, to)) continue;
        uint32_t layer = 0;
        for (; from != to; layer++) {
            assert_true(layer < MOST);
            if (layer == num_layers) {
                layers[num_layers] = depends_create(links);
                counts[num_layers++] = calloc((size_t)links * links, sizeof **counts);
            }
            count_routes(graph, from, to, 1, counts[layer], &layers[layer]);
            if (is_acyclic(&layers[layer])) break;
            count_routes(graph, from, to, -1, counts[layer], &layers[layer]);
        }
        expect_layer(graph, from, to, layer);
    }
    assert_int_equal(graph->num_layers, num_layers ? num_layers : 1);
    for (uint32_t i = 0; i < num_layers; i++) {
        depends_destroy(&layers[i]);
        free(counts[i]);
    }
}

static void layers_are_those_of_the_page(void **state)
{
    (void)state;
    uint32_t layered = 0;
    for (uint32_t number = 0; number < unit_trials(100); number++) {
        struct anl_rng rng = anl_rng_seed(24, number);
        struct anl_graph *graph =
            random_graph(&rng, unit_draw(&rng, 3, 32), unit_draw(&rng, 3, 7), 60, number % 3 == 0);
        graph_add_more(&rng, graph, graph->switches, number % 2 == 0);
        assert_int_equal(anl_graph_route(graph, ANL_LAYERED, LANES, NULL), ANL_OK);
        layered += graph->num_layers > 1;
        check_layers(graph);
        anl_graph_destroy(graph);
    }
    assert_true(layered > 0);
}

// A one-way ring of n switches, each with a terminal at port 1.
static struct anl_graph *one_way_ring(uint32_t n)
{
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(n, 2, n, &graph, NULL), ANL_OK);
    for (uint32_t s = 0; s < n; s++) {
        assert_int_equal(anl_graph_link(graph, s * 2, (s + 1) % n * 2, NULL), ANL_OK);
        assert_int_equal(anl_graph_attach(graph, s, s * 2 + 1, NULL), ANL_OK);
    }
    return graph;
}

// Layer 0 has no route that crosses link 4 and then link 0. Those that do go to layer 1, until the
// route from 4 to 3 would close the circle there as well.
static void a_ring_has_three_layers(void **state)
{
    (void)state;
    struct anl_graph *graph = one_way_ring(5);
    struct anl_error error;
    assert_int_equal(anl_graph_route(graph, ANL_LAYERED, 2, &error), ANL_ERR_ARGUMENT);
    assert_string_equal(error.text, "routing layered expects at least 3 lanes for a worm on this "
                                    "graph, one for each layer, found 2");
    assert_null(graph->routes);
    assert_null(graph->layers);
    assert_int_equal(anl_graph_route(graph, ANL_LAYERED, 7, NULL), ANL_OK);
    assert_int_equal(graph->num_layers, 3);
    const struct anl_config config = graph_config(graph, ANL_LAYERED, 7);
    static const uint8_t expected[5][5] = {
        {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {0, 1, 1, 0, 0}, {0, 1, 1, 2, 0}};
    static const uint8_t lanes[] = {0x03, 0x0c, 0x70};
    for (uint32_t from = 0; from < 5; from++)
        for (uint32_t to = 0; to < 5; to++) {
            assert_int_equal(graph->layers[from * 5 + to], expected[from][to]);
            assert_int_equal(anl_injection_vcs(&config, from, to), lanes[expected[from][to]]);
        }
    anl_graph_destroy(graph);
}

// Leaves other bytes than 0 in the memory that the next allocation of this size may get.
static void leave_traces(size_t bytes)
{
    void *memory = malloc(bytes);
    assert_non_null(memory);
    memset(memory, 0x5a, bytes);
    free(memory);
}

// No terminal is at the switch in the middle of the line, so no worm has a layer from there on. The
// hash names the program of a network, so two programs must find the same one.
static void the_hash_is_of_nothing_else(void **state)
{
    (void)state;
    enum { SWITCHES = 3, PORTS = 10, TERMINALS = 16 };
    uint64_t hashes[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct anl_graph *graph;
        assert_int_equal(anl_graph_create(SWITCHES, PORTS, TERMINALS, &graph, NULL), ANL_OK);
        for (uint32_t s = 0; s + 1 < SWITCHES; s++) {
            const uint32_t right = s * PORTS, left = right + PORTS + 1;
            assert_int_equal(anl_graph_link(graph, right, left, NULL), ANL_OK);
            assert_int_equal(anl_graph_link(graph, left, right, NULL), ANL_OK);
        }
        for (uint32_t t = 0; t < TERMINALS; t++)
            assert_int_equal(anl_graph_attach(graph, t, t % 2 * 2 * PORTS + 2 + t / 2, NULL),
                             ANL_OK);
        if (i == 1) leave_traces(SWITCHES * TERMINALS);
        assert_int_equal(anl_graph_route(graph, ANL_LAYERED, 4, NULL), ANL_OK);
        hashes[i] = graph->hash;
        for (uint32_t t = 0; t < TERMINALS; t++)
            assert_int_equal(graph->layers[1 * TERMINALS + t], 0);
        anl_graph_destroy(graph);
    }
    assert_true(hashes[0] == hashes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_are_acyclic),
        cmocka_unit_test(layers_are_those_of_the_page),
        cmocka_unit_test(a_ring_has_three_layers),
        cmocka_unit_test(the_hash_is_of_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
