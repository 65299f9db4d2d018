// SPDX-License-Identifier: Apache-2.0
//
// The referee and runs of the model on adaptive networks. It must find nothing wrong with them. If
// it is told another network than the one that was played, it must name the first head that breaks
// a rule: which one this is, an oracle of the test says. For turn models the oracle knows only
// which turns are forbidden, and searches for paths without them.

#include "referee_record.h"

enum { RUNS = 200 };

// --- networks ---

static enum anl_atomic atomic_for(const struct anl_config *config, struct anl_rng *rng)
{
    if (config->flow_control == ANL_WORMHOLE) return ANL_ATOMIC_ADAPTIVE;
    return anl_rng_below(rng, 2) ? ANL_ATOMIC_ADAPTIVE : ANL_ATOMIC_NONE;
}

// Returns a network that cannot deadlock.
static struct anl_config random_network(struct anl_rng *rng)
{
    struct anl_config config = {.topology = ANL_MESH, .n = 2, .flit_width_bits = 64};
    config.routing = (enum anl_routing)unit_draw(rng, ANL_WEST_FIRST, ANL_ADAPTIVE);
    if (config.routing == ANL_ADAPTIVE)
        config.topology = (enum anl_topology)anl_rng_below(rng, ANL_UNIDIRECTIONAL_TORUS + 1);
    if (config.routing == ANL_ADAPTIVE || config.routing == ANL_NEGATIVE_FIRST)
        config.n = unit_draw(rng, 1, 3);
    config.k = unit_draw(rng, 2, config.n == 3 ? 3 : 6);
    config.num_vcs = unit_draw(rng, config.routing == ANL_ADAPTIVE ? 3 : 1, 6);
    config.depth = unit_draw(rng, 1, 6);
    config.arbiter = (enum anl_arbiter)anl_rng_below(rng, ANL_LAST_ARBITER + 1);
    config.flow_control = (enum anl_flow_control)anl_rng_below(rng, ANL_STORE_AND_FORWARD + 1);
    config.select = (enum anl_select)anl_rng_below(rng, ANL_STRAIGHT_FIRST + 1);
    if (config.routing == ANL_ADAPTIVE) config.atomic = atomic_for(&config, rng);
    return config;
}

static void runs_of_the_model_are_legal(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < unit_trials(RUNS); i++) {
        struct anl_rng rng = anl_rng_seed(231, i);
        const struct anl_config config = random_network(&rng);
        struct referee_shape shape = referee_shape_of(&config);
        same_links(&config, &shape);
        same_routes(&config, &shape);
        referee_shape_free(&shape);
        struct record record = run(&config, true, &rng);
        expect_legal_record(&record, &config);
        forget(&record);
    }
}

// --- turns ---

// Ports of a mesh of two dimensions. A head that has come in by WEST goes to the east.
enum { EAST, WEST, NORTH, SOUTH, TERMINAL };

struct mesh {
    uint32_t k;
    enum anl_routing routing;
};

static bool is_vertical(uint32_t port) { return port == NORTH || port == SOUTH; }

// Returns whether the routing forbids to go on by a port in a column, after going `heading`.
static bool is_forbidden(enum anl_routing routing, uint32_t column, uint32_t heading, uint32_t port)
{
    switch (routing) {
    case ANL_WEST_FIRST:
        return is_vertical(heading) && port == WEST;
    case ANL_NORTH_LAST:
        return heading == NORTH && (port == EAST || port == WEST);
    case ANL_NEGATIVE_FIRST:
        return (heading == NORTH && port == WEST) || (heading == EAST && port == SOUTH);
    default:
        return column % 2 ? is_vertical(heading) && port == WEST
                          : heading == EAST && is_vertical(port);
    }
}

// Returns whether a head at (x, y) that goes by a port, after going `heading`, comes nearer to the
// destination and can come to it by turns that are allowed.
static bool is_allowed(const struct mesh *mesh, uint32_t here, uint32_t there, uint32_t heading,
                       uint32_t port)
{
    const uint32_t x = here % mesh->k, y = here / mesh->k;
    const uint32_t to_x = there % mesh->k, to_y = there / mesh->k;
    const bool nearer[] = {x<to_x, x> to_x, y<to_y, y> to_y};
    if (here == there) return port == TERMINAL;
    if (port == TERMINAL || !nearer[port] || is_forbidden(mesh->routing, x, heading, port))
        return false;
    const uint32_t next = port == EAST    ? here + 1
                          : port == WEST  ? here - 1
                          : port == NORTH ? here + mesh->k
                                          : here - mesh->k;
    for (uint32_t then = EAST; then <= TERMINAL; then++)
        if (is_allowed(mesh, next, there, port, then)) return true;
    return false;
}

// Holds all ports of a head against the oracle, and then those of the heads that it may become.
static void same_turns(const struct mesh *mesh, const struct referee_shape *shape, uint32_t here,
                       uint32_t there, uint32_t input)
{
    static const uint32_t heading_of[] = {WEST, EAST, SOUTH, NORTH, TERMINAL};
    const struct referee_worm worm = {.destination = there, .length = 1};
    const struct referee_head head = {&worm, here, input, 0};
    const struct referee_route route = referee_route(shape, &head);
    for (uint32_t port = EAST; port <= TERMINAL; port++) {
        const bool allowed = is_allowed(mesh, here, there, heading_of[input], port);
        if (allowed != (route.lanes[port] != 0))
            fail_msg("%s: from switch %u, input port %u, to %u: port %u is %s",
                     anl_routing_name(mesh->routing), here, input, there, port,
                     allowed ? "left out" : "wrong");
        const uint32_t link = here * shape->ports + port;
        if (allowed && port != TERMINAL)
            same_turns(mesh, shape, referee_link_end(shape, link), there,
                       referee_link_input(shape, link));
    }
}

static void routes_are_all_that_the_turns_allow(void **state)
{
    (void)state;
    for (int routing = ANL_WEST_FIRST; routing <= ANL_ODD_EVEN; routing++) {
        const struct mesh mesh = {6, (enum anl_routing)routing};
        const struct anl_config config = {
            .topology = ANL_MESH, .k = mesh.k, .n = 2, .num_vcs = 1, .routing = mesh.routing};
        struct referee_shape shape = referee_shape_of(&config);
        for (uint32_t from = 0; from < shape.switches; from++)
            for (uint32_t to = 0; to < shape.switches; to++)
                same_turns(&mesh, &shape, from, to, TERMINAL);
        referee_shape_free(&shape);
    }
}

// Returns the first head of a run on a mesh that makes a wrong turn; NULL: none does.
static const struct event *first_wrong_turn(const struct record *record, const struct mesh *mesh)
{
    uint32_t heading[WORMS];
    for (size_t i = 0; i < record->num_events; i++) {
        const struct anl_flit *flit = &record->events[i].flit;
        const uint32_t port = flit->link % 5, here = flit->link / 5;
        if (!flit->head) continue;
        if (here >= mesh->k * mesh->k) {
            heading[flit->worm] = TERMINAL;
            continue;
        }
        if (!is_allowed(mesh, here, record->worms[flit->worm].destination, heading[flit->worm],
                        port))
            return &record->events[i];
        heading[flit->worm] = port;
    }
    return NULL;
}

// Links of injection begin after those of the switches, which have 5 ports each.
static void wrong_turns_are_named(void **state)
{
    (void)state;
    uint32_t named = 0;
    for (uint32_t i = 0; i < unit_trials(RUNS); i++) {
        struct anl_rng rng = anl_rng_seed(232, i);
        struct anl_config config = {.topology = ANL_MESH,
                                    .k = unit_draw(&rng, 2, 6),
                                    .n = 2,
                                    .num_vcs = 3,
                                    .depth = 2,
                                    .flit_width_bits = 64,
                                    .routing = ANL_ADAPTIVE,
                                    .atomic = ANL_ATOMIC_ADAPTIVE,
                                    .select = (enum anl_select)anl_rng_below(&rng, 3)};
        struct record record = run(&config, true, &rng);
        config.atomic = ANL_ATOMIC_NONE;
        for (int routing = ANL_WEST_FIRST; routing <= ANL_ODD_EVEN; routing++) {
            const struct mesh mesh = {config.k, (enum anl_routing)routing};
            config.routing = mesh.routing;
            named += expect_named(&record, &config, ANL_RULE_ILLEGAL_ROUTE,
                                  first_wrong_turn(&record, &mesh));
        }
        forget(&record);
    }
    assert_true(named > unit_trials(RUNS));
}

// --- atomic lanes ---

// With cut_through no deadlock can happen where no lane is atomic.
static void lanes_that_are_not_empty_are_named(void **state)
{
    (void)state;
    uint32_t named = 0;
    for (uint32_t i = 0; i < unit_trials(RUNS); i++) {
        struct anl_rng rng = anl_rng_seed(233, i);
        const bool torus = anl_rng_below(&rng, 2);
        struct anl_config config = {.topology = torus ? ANL_TORUS : ANL_MESH,
                                    .k = unit_draw(&rng, 2, 5),
                                    .n = 2,
                                    .num_vcs = unit_draw(&rng, 3, 4),
                                    .depth = 8,
                                    .flit_width_bits = 64,
                                    .flow_control = ANL_CUT_THROUGH,
                                    .routing = ANL_ADAPTIVE};
        struct record record = run(&config, true, &rng);
        expect_legal_record(&record, &config);
        config.atomic = ANL_ATOMIC_ADAPTIVE;
        named += expect_named(&record, &config, ANL_RULE_NOT_EMPTY,
                              first_not_empty(&record, &config, torus ? 2 : 1));
        forget(&record);
    }
    assert_true(named > unit_trials(RUNS) / 2);
}

// --- classes ---

// A run without classes is one of worms of class 0, which must not take the upper lanes.
static void lanes_of_another_class_are_named(void **state)
{
    (void)state;
    uint32_t named = 0;
    for (uint32_t i = 0; i < unit_trials(RUNS); i++) {
        struct anl_rng rng = anl_rng_seed(234, i);
        struct anl_config config = {.topology = ANL_MESH,
                                    .k = unit_draw(&rng, 2, 5),
                                    .n = 2,
                                    .num_vcs = 4,
                                    .depth = 2,
                                    .flit_width_bits = 64,
                                    .routing = ANL_ODD_EVEN};
        struct record record = run(&config, true, &rng);
        config.classes = 2u << anl_rng_below(&rng, 2);
        const struct event *first = NULL;
        for (size_t e = record.num_events; e-- > 0;)
            if (record.events[e].flit.head && record.events[e].flit.vc >= 4 / config.classes)
                first = &record.events[e];
        named += expect_named(&record, &config, ANL_RULE_WRONG_CLASS, first);
        forget(&record);
    }
    assert_true(named > unit_trials(RUNS) / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_the_model_are_legal),
        cmocka_unit_test(routes_are_all_that_the_turns_allow),
        cmocka_unit_test(wrong_turns_are_named),
        cmocka_unit_test(lanes_that_are_not_empty_are_named),
        cmocka_unit_test(lanes_of_another_class_are_named),
    };
    return cmocka_run_group_tests_name("referee_adaptive", tests, NULL, NULL);
}
