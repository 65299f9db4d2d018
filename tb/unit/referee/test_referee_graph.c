// SPDX-License-Identifier: Apache-2.0
//
// The referee on graphs. On random graphs it must read every link, entry and name as the network
// does, find nothing wrong with runs of the model, and name the head that leaves a route by one
// entry. Routes that were derived by hand decide where page and both readers could differ.

#include "unit_graph.h"
#include "unit_referee.h"

#include <annelid/engine.h>

enum { GRAPHS = 200, LANES = 3 };

// --- dependencies, by walks and a search in depth ---

// follows[a * lanes + b]: a worm may hold lane a and want lane b.
struct walks {
    uint32_t lanes;
    uint8_t *follows, *colour;
};

static void note(struct walks *walks, uint32_t num_vcs, uint32_t link, uint32_t set, uint32_t next,
                 uint32_t next_set)
{
    for (uint32_t v = 0; v < num_vcs; v++)
        for (uint32_t w = 0; w < num_vcs; w++)
            if (set >> v & 1 && next_set >> w & 1)
                walks->follows[(size_t)(link * num_vcs + v) * walks->lanes + next * num_vcs + w] =
                    1;
}

// Follows the heads from one terminal to another, and holds the distance to their links.
static void walk(const struct anl_config *config, struct walks *walks, uint32_t from, uint32_t to)
{
    const struct anl_shape shape = anl_shape_of(config);
    uint32_t link = shape.switches * shape.ports + from;
    uint32_t set = anl_injection_vcs(config, from, to), links = 0;
    struct anl_end end = anl_end_of(config, link);
    for (; !end.is_terminal && links < shape.links; links++) {
        const struct anl_input_lane at = {end.node, end.port, (uint32_t)__builtin_ctz(set)};
        const struct anl_way way = anl_first_way(anl_route_at(config, at, to));
        const uint32_t next = end.node * shape.ports + way.port;
        note(walks, config->num_vcs, link, set, next, way.vcs);
        link = next;
        set = way.vcs;
        end = anl_end_of(config, link);
        assert_true(end.exists);
    }
    assert_true(end.is_terminal && end.node == to);
    assert_int_equal(anl_distance(config, from, to), links - 1);
}

// Returns whether a cycle is found from a lane on: one that is grey (1) is met again.
static bool comes_back(struct walks *walks, uint32_t lane)
{
    walks->colour[lane] = 1;
    for (uint32_t next = 0; next < walks->lanes; next++) {
        if (!walks->follows[(size_t)lane * walks->lanes + next]) continue;
        if (walks->colour[next] == 1) return true;
        if (walks->colour[next] == 0 && comes_back(walks, next)) return true;
    }
    walks->colour[lane] = 2;
    return false;
}

static bool has_cycle(const struct anl_config *config)
{
    const struct anl_shape shape = anl_shape_of(config);
    struct walks walks = {.lanes = shape.links * config->num_vcs};
    bool found = false;
    walks.follows = calloc(walks.lanes, walks.lanes);
    walks.colour = calloc(walks.lanes, 1);
    assert_true(walks.follows && walks.colour);
    for (uint32_t from = 0; from < shape.terminals; from++)
        for (uint32_t to = 0; to < shape.terminals; to++)
            walk(config, &walks, from, to);
    for (uint32_t lane = 0; lane < walks.lanes && !found; lane++)
        found = walks.colour[lane] == 0 && comes_back(&walks, lane);
    free(walks.follows);
    free(walks.colour);
    return found;
}

static bool is_acyclic(const struct anl_config *config)
{
    struct anl_cdg *cdg;
    bool acyclic;
    assert_int_equal(anl_cdg_of(config, &cdg), ANL_OK);
    assert_int_equal(anl_cdg_is_acyclic(cdg, &acyclic), ANL_OK);
    anl_cdg_destroy(cdg);
    return acyclic;
}

// --- runs ---

// The model of one network, and the referee, which may be told another one.
struct match {
    struct anl_engine *net;
    struct anl_referee *referee;
};

static struct match match_of(const struct anl_config *played, const struct anl_config *judged)
{
    struct match match;
    assert_int_equal(anl_engine_create(played, &match.net), ANL_OK);
    assert_int_equal(anl_referee_create(judged, &match.referee), ANL_OK);
    anl_engine_record(match.net, true);
    anl_engine_reset(match.net, 1);
    return match;
}

static void end_match(struct match *match)
{
    anl_engine_destroy(match->net);
    anl_referee_destroy(match->referee);
}

static void send(struct match *match, uint32_t from, uint32_t to, uint16_t length)
{
    uint32_t id;
    assert_int_equal(anl_engine_enqueue(match->net, from, to, length, &id), ANL_OK);
    anl_referee_worm(match->referee, anl_engine_worm(match->net, id));
}

// Runs until all is delivered. Returns false if the referee finds a rule broken, and fails if
// nothing moves any more.
static bool play(struct match *match)
{
    uint32_t still = 0;
    while (!anl_engine_idle(match->net)) {
        const uint64_t cycle = anl_engine_cycle(match->net);
        size_t count;
        anl_engine_step(match->net);
        const struct anl_flit *flits = anl_engine_flits(match->net, &count);
        still = count ? 0 : still + 1;
        if (still > 100) fail_msg("nothing has moved for %u cycles", still);
        if (!anl_referee_flits(match->referee, cycle, flits, count)) return false;
    }
    return true;
}

static void expect_legal(struct match *match)
{
    const bool fair =
        play(match) && anl_referee_end(match->referee, anl_engine_cycle(match->net), true);
    if (!fair) fail_msg("%s", anl_referee_violation(match->referee)->text);
}

// Sends a worm from every terminal to every terminal: all at once, or one after the other where the
// network can deadlock.
static void every_pair(const struct anl_config *config, bool at_once, struct anl_rng *rng)
{
    struct match match = match_of(config, config);
    const uint32_t terminals = anl_shape_of(config).terminals;
    for (uint32_t from = 0; from < terminals; from++)
        for (uint32_t to = 0; to < terminals; to++) {
            send(&match, from, to, (uint16_t)unit_draw(rng, 1, 8));
            if (!at_once && !play(&match)) break;
        }
    expect_legal(&match);
    assert_int_equal(anl_engine_totals(match.net).delivered, (uint64_t)terminals * terminals);
    end_match(&match);
}

// --- a user's table that differs from the routing in one entry ---

// Makes the routes of a graph the user's table of a copy of it.
static struct anl_graph *copy_with_table(const struct anl_graph *graph)
{
    const size_t entries = (size_t)graph->switches * graph->terminals;
    const uint32_t links = graph->switches * graph->ports;
    struct anl_graph *copy;
    assert_int_equal(anl_graph_create(graph->switches, graph->ports, graph->terminals, &copy, NULL),
                     ANL_OK);
    for (uint32_t port = 0; port < links; port++)
        if (graph->ends[port] < links)
            assert_int_equal(anl_graph_link(copy, port, graph->ends[port], NULL), ANL_OK);
    for (uint32_t t = 0; t < graph->terminals; t++)
        assert_int_equal(anl_graph_attach(copy, t, graph->homes[t], NULL), ANL_OK);
    copy->table = malloc(entries * sizeof *copy->table);
    assert_non_null(copy->table);
    memcpy(copy->table, graph->routes, entries * sizeof *copy->table);
    return copy;
}

// Sends a worm from a terminal at switch s, in a network in which the entry (s, to) of `played` is
// another than that of `judged`, and expects that the referee names its head there.
static void expect_illegal(const struct anl_config *played, const struct anl_config *judged,
                           uint32_t from, uint32_t s, uint32_t to)
{
    struct match match = match_of(played, judged);
    const struct anl_route route = anl_route_at(played, (struct anl_input_lane){s, 0, 0}, to);
    const uint32_t link = s * anl_shape_of(played).ports + anl_first_way(route).port;
    send(&match, from, to, 3);
    assert_false(play(&match));
    const struct anl_violation *violation = anl_referee_violation(match.referee);
    if (violation->rule != ANL_RULE_ILLEGAL_ROUTE || violation->link != link ||
        violation->worm != 0)
        fail_msg("expected illegal_route on link %u, not %s", link, violation->text);
    end_match(&match);
}

static struct anl_table_hop *entry_of(struct anl_graph *graph, uint32_t s, uint32_t to)
{
    return &graph->table[(size_t)s * graph->terminals + to];
}

// Tries every other port of the entry (s, to) that also leads there. Returns how many there are.
static uint32_t try_ports(const struct anl_config *config, uint32_t from, uint32_t s, uint32_t to)
{
    struct anl_graph *graph = copy_with_table(config->graph);
    struct anl_table_hop *entry = entry_of(graph, s, to);
    const struct anl_table_hop right = *entry;
    struct anl_config wrong = graph_config(graph, ANL_TABLE, config->num_vcs);
    uint32_t tried = 0;
    for (entry->port = 0; entry->port < graph->ports; entry->port++) {
        if (entry->port == right.port) continue;
        if (anl_graph_route(graph, ANL_TABLE, config->num_vcs, NULL)) continue;
        expect_illegal(&wrong, config, from, s, to);
        tried++;
    }
    anl_graph_destroy(graph);
    return tried;
}

// The referee is told a table in which the head may not take lane 0, which it takes first.
static void try_lanes(const struct anl_config *config, uint32_t from, uint32_t s, uint32_t to)
{
    struct anl_graph *graph = copy_with_table(config->graph);
    struct anl_config other = graph_config(graph, ANL_TABLE, config->num_vcs);
    assert_int_equal(anl_graph_route(graph, ANL_TABLE, config->num_vcs, NULL), ANL_OK);
    struct match match = match_of(config, &other);
    send(&match, from, to, 3);
    expect_legal(&match);
    end_match(&match);
    entry_of(graph, s, to)->vcs = 2;
    expect_illegal(config, &other, from, s, to);
    anl_graph_destroy(graph);
}

// --- random graphs ---

struct tally {
    uint32_t cyclic, wrong_ports, layers, refused;
};

static void check(const struct anl_config *config, struct anl_rng *rng, struct tally *tally)
{
    struct referee_shape shape = referee_shape_of(config);
    same_links(config, &shape);
    same_routes(config, &shape);
    referee_shape_free(&shape);

    const bool cyclic = has_cycle(config);
    assert_int_equal(cyclic, !is_acyclic(config));
    if (config->routing == ANL_UP_DOWN || config->routing == ANL_LAYERED) assert_false(cyclic);
    tally->cyclic += cyclic;
    every_pair(config, !cyclic, rng);
    if (config->routing == ANL_LAYERED) return;

    const struct anl_graph *graph = config->graph;
    const uint32_t from = anl_rng_below(rng, graph->terminals);
    const uint32_t to = anl_rng_below(rng, graph->terminals);
    tally->wrong_ports += try_ports(config, from, graph->homes[from] / graph->ports, to);
    if (config->num_vcs > 1 && config->routing != ANL_TABLE)
        try_lanes(config, from, graph->homes[from] / graph->ports, to);
}

static void try_graph(uint32_t number, enum anl_routing routing, struct tally *tally)
{
    struct anl_rng rng = anl_rng_seed(23, number);
    const uint32_t switches = unit_draw(&rng, 3, 40), ports = unit_draw(&rng, 3, 8);
    struct anl_graph *graph = random_graph(&rng, switches, ports, 48, routing != ANL_UP_DOWN);
    const struct anl_config config = graph_config(graph, routing, unit_draw(&rng, 1, LANES));
    if (routing == ANL_TABLE) random_table(&rng, graph, config.num_vcs);
    print_message("graph %u: %u switches of %u ports, %u terminals, %s\n", number, switches, ports,
                  graph->terminals, anl_routing_name(routing));
    struct anl_error error;
    if (anl_graph_route(graph, routing, config.num_vcs, &error)) fail_msg("%s", error.text);
    check(&config, &rng, tally);
    anl_graph_destroy(graph);
}

// With too few lanes the referee refuses the network as the model does. Otherwise both use as many
// layers.
static void try_layers(uint32_t number, struct tally *tally)
{
    struct anl_rng rng = anl_rng_seed(23, number);
    const uint32_t switches = unit_draw(&rng, 3, 40), ports = unit_draw(&rng, 3, 8);
    struct anl_graph *graph = random_graph(&rng, switches, ports, 48, true);
    const struct anl_config config =
        graph_config(graph, ANL_LAYERED, unit_draw(&rng, 1, ANL_MAX_VCS));
    if (anl_graph_route(graph, ANL_LAYERED, config.num_vcs, NULL) == ANL_OK) {
        struct referee_shape shape = referee_shape_of(&config);
        assert_int_equal(shape.num_layers, graph->num_layers);
        tally->layers += graph->num_layers;
        referee_shape_free(&shape);
        check(&config, &rng, tally);
    } else {
        struct referee_shape shape;
        assert_int_equal(referee_shape_init(&shape, &config), ANL_ERR_ARGUMENT);
        referee_shape_free(&shape);
        tally->refused++;
    }
    anl_graph_destroy(graph);
}

static void random_layers(void **state)
{
    struct tally tally = {0};
    (void)state;
    for (uint32_t number = 0; number < unit_trials(GRAPHS); number++)
        try_layers(number, &tally);
    const uint32_t routed = unit_trials(GRAPHS) - tally.refused;
    print_message("%u graphs with %u layers, %u refused\n", routed, tally.layers, tally.refused);
    if (unit_trials(GRAPHS) == GRAPHS) assert_true(tally.refused > 0 && tally.layers > routed);
}

static void random_graphs(void **state)
{
    struct tally up_down = {0}, shortest = {0}, table = {0};
    (void)state;
    for (uint32_t number = 0; number < unit_trials(GRAPHS); number++) {
        try_graph(number, ANL_UP_DOWN, &up_down);
        try_graph(number, ANL_SHORTEST, &shortest);
        try_graph(number, ANL_TABLE, &table);
    }
    print_message("%u of shortest, %u of table can deadlock; %u, %u, %u wrong ports were named\n",
                  shortest.cyclic, table.cyclic, up_down.wrong_ports, shortest.wrong_ports,
                  table.wrong_ports);
    assert_true(shortest.cyclic > 0 && table.cyclic > 0);
    assert_true(up_down.wrong_ports > 0 && shortest.wrong_ports > 0 && table.wrong_ports > 0);
}

// --- by hand ---

static void pair(struct anl_graph *graph, uint32_t a, uint32_t b)
{
    assert_int_equal(anl_graph_link(graph, a, b, NULL), ANL_OK);
    assert_int_equal(anl_graph_link(graph, b, a, NULL), ANL_OK);
}

// A ring in which port 0 leads forwards, port 1 back, and port 2 has terminal s; ports 3 and 4 are
// free but for one more terminal, at switch 0.
static struct anl_graph *ring(uint32_t switches)
{
    struct anl_graph *graph;
    assert_int_equal(anl_graph_create(switches, 5, switches + 1, &graph, NULL), ANL_OK);
    for (uint32_t s = 0; s < switches; s++) {
        pair(graph, s * 5, (s + 1) % switches * 5 + 1);
        assert_int_equal(anl_graph_attach(graph, s, s * 5 + 2, NULL), ANL_OK);
    }
    assert_int_equal(anl_graph_attach(graph, switches, 3, NULL), ANL_OK);
    return graph;
}

static void expect_ports(struct anl_graph *graph, enum anl_routing routing, uint32_t terminal,
                         const char *ports)
{
    const struct anl_config config = graph_config(graph, routing, 1);
    assert_int_equal(anl_graph_route(graph, routing, 1, NULL), ANL_OK);
    struct referee_shape shape = referee_shape_of(&config);
    same_routes(&config, &shape);
    for (uint32_t s = 0; s < graph->switches; s++) {
        const struct referee_worm worm = {.destination = terminal, .length = 1};
        const struct referee_head head = {&worm, s, 0, 0};
        const struct referee_route route = referee_route(&shape, &head);
        for (uint32_t port = 0; port < graph->ports; port++)
            if ((route.lanes[port] != 0) != (port == (uint32_t)(ports[s] - '0')))
                fail_msg("%s: switch %u, terminal %u: port %u, expected %s",
                         anl_routing_name(routing), s, terminal, port, ports);
    }
    referee_shape_free(&shape);
}

// Switch 0 is the root; the order is 0 1 5 2 4 3. From switch 3 two ways of equal length lead to
// switch 0, and the number of the terminal decides.
static void routes_of_a_ring(void **state)
{
    (void)state;
    struct anl_graph *graph = ring(6);
    expect_ports(graph, ANL_SHORTEST, 0, "211000");
    expect_ports(graph, ANL_SHORTEST, 6, "311000");
    expect_ports(graph, ANL_SHORTEST, 1, "021110");
    expect_ports(graph, ANL_SHORTEST, 3, "100211");
    expect_ports(graph, ANL_UP_DOWN, 0, "211000");
    expect_ports(graph, ANL_UP_DOWN, 2, "002100");
    expect_ports(graph, ANL_UP_DOWN, 3, "100211");
    expect_ports(graph, ANL_UP_DOWN, 4, "111021");
    anl_graph_destroy(graph);
}

// A link from a switch to itself is none to another switch, so the root is switch 0, and the link
// from switch 3 to 4 leads up.
static void loops_make_no_root(void **state)
{
    (void)state;
    struct anl_graph *graph = ring(5);
    pair(graph, 2 * 5 + 3, 2 * 5 + 4);
    expect_ports(graph, ANL_UP_DOWN, 4, "11102");
    anl_graph_destroy(graph);
}

static void expect_text(const struct anl_config *config, uint32_t to, uint32_t link,
                        const char *text)
{
    const struct anl_worm worm = {.id = 0, .source = 0, .destination = to, .length = 2};
    struct anl_flit flit = {.link = 6 * 5, .head = true};
    struct anl_referee *referee;
    assert_int_equal(anl_referee_create(config, &referee), ANL_OK);
    assert_true(anl_referee_worm(referee, &worm));
    assert_true(anl_referee_flits(referee, 0, &flit, 1));
    flit.link = link;
    assert_false(anl_referee_flits(referee, 1, &flit, 1));
    assert_string_equal(anl_referee_violation(referee)->text, text);
    anl_referee_destroy(referee);
}

static void violations_are_worded_for_people(void **state)
{
    (void)state;
    struct anl_graph *graph = ring(6);
    graph_name_switches(graph);
    const struct anl_config six = graph_config(graph, ANL_UP_DOWN, 1);
    assert_int_equal(anl_graph_route(graph, ANL_UP_DOWN, 1, NULL), ANL_OK);
    expect_text(&six, 2, 1,
                "cycle 1: flit 0 of worm 0 (0->2, 2 flits) crosses 0(na0).1 lane 0, but its route "
                "is 0(na0).0 lanes 0x1");
    expect_text(&six, 2, 3,
                "cycle 1: flit 0 of worm 0 (0->2, 2 flits) crosses 0(na0).3 lane 0, but this is "
                "not its destination");
    expect_text(&six, 2, 4,
                "cycle 1: flit 0 of worm 0 (0->2, 2 flits) crosses 0(na0).4 lane 0, but there is "
                "no such link");
    anl_graph_destroy(graph);
}

// In a ring of five the route from switch 4 to 1 is in layer 1 of 2 (test_referee_routes.c).
static void worms_enter_by_the_lanes_of_their_layer(void **state)
{
    (void)state;
    struct anl_graph *graph = ring(5);
    const struct anl_config config = graph_config(graph, ANL_LAYERED, 3);
    assert_int_equal(anl_graph_route(graph, ANL_LAYERED, 3, NULL), ANL_OK);
    for (uint8_t vc = 0; vc < 3; vc++) {
        const struct anl_worm worm = {.source = 4, .destination = 1, .length = 2};
        const struct anl_flit flit = {.link = 5 * 5 + 4, .vc = vc, .head = true};
        struct anl_referee *referee;
        assert_int_equal(anl_referee_create(&config, &referee), ANL_OK);
        assert_true(anl_referee_worm(referee, &worm));
        assert_int_equal(anl_referee_flits(referee, 3, &flit, 1), vc > 0);
        if (vc == 0)
            assert_string_equal(anl_referee_violation(referee)->text,
                                "cycle 3: flit 0 of worm 0 (4->1, 2 flits) crosses T4.inject "
                                "lane 0, but its layer has lanes 0x6");
        anl_referee_destroy(referee);
    }
    anl_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_of_a_ring),
        cmocka_unit_test(loops_make_no_root),
        cmocka_unit_test(violations_are_worded_for_people),
        cmocka_unit_test(worms_enter_by_the_lanes_of_their_layer),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(random_layers),
    };
    return cmocka_run_group_tests_name("referee_graph", tests, NULL, NULL);
}
