// SPDX-License-Identifier: Apache-2.0
//
// The comparison of the registers of other kinds of switches against compare.h: nodes without
// buffers, of sliding diagonals, and such as discard. All are empty but for one link register,
// which holds a flit in the middle of its worm; any one register that is seen otherwise is the one
// difference.

#include "unit.h"

#include "papers/bock/lockstep/diagonals_lockstep.h"
#include "papers/cole_maggs_sitaraman/lockstep/discarding_lockstep.h"
#include "papers/roberts_symvonis/lockstep/bufferless_lockstep.h"

#include <annelid/scenario.h>
#include <string.h>

// A network, what its model has, and what the probes would have seen.
struct match {
    struct anl_scenario scenario;
    struct harness harness;
    struct history history;
    struct difference difference;
    void (*compare)(struct comparison *comparison, const void *expected);
    const void *expected;
};

static const struct anl_flit middle = {.worm = 0, .index = 1};

static void create(struct match *match, const char *path)
{
    const struct anl_config *config = &match->scenario.network;
    struct anl_error error;
    *match = (struct match){.harness.seed = 0};
    if (anl_scenario_load(path, &match->scenario, &error)) fail_msg("%s", error.text);
    assert_int_equal(observed_create(&match->harness.observed, config), ANL_OK);
    assert_int_equal(injections_create(&match->harness.injections, config), ANL_OK);
    assert_int_equal(worms_create(&match->harness.worms, config), ANL_OK);
    assert_int_equal(history_create(&match->history, config), ANL_OK);
    const struct anl_worm worm = {.destination = 1, .length = 3};
    assert_int_equal(worms_add(&match->harness.worms, &worm), ANL_OK);
}

static void destroy(struct match *match)
{
    observed_destroy(&match->harness.observed);
    injections_destroy(&match->harness.injections);
    worms_destroy(&match->harness.worms);
    history_destroy(&match->history);
    anl_scenario_free(&match->scenario);
}

// Packs the flit in the middle as a link register shows it.
static void pack(const struct match *match, uint32_t link, struct wire *wire)
{
    flit_pack(&match->scenario.network, &match->harness.worms.worm[0].worm, middle.index, link,
              wire->flit);
}

static void expect(struct match *match, const char *what)
{
    struct comparison comparison = {
        .harness = &match->harness, .history = &match->history, .difference = &match->difference};
    match->difference = (struct difference){0};
    match->compare(&comparison, match->expected);
    assert_int_equal(match->difference.count, what ? 1 : 0);
    if (what) assert_string_equal(match->difference.what, what);
}

// A byte or a bool is seen otherwise.
static void counts(struct match *match, void *seen, const char *what)
{
    *(uint8_t *)seen ^= 1;
    expect(match, what);
    *(uint8_t *)seen ^= 1;
}

// So is any bit of a flit.
static void flit_counts(struct match *match, struct wire *wire)
{
    for (uint32_t bit = 0; bit < match->scenario.network.flit_width_bits + 2; bit++) {
        wire->flit[bit / 32] ^= 1u << bit % 32;
        expect(match, "link register");
        wire->flit[bit / 32] ^= 1u << bit % 32;
    }
}

// Counts what a node shows of a register that is there, by input port.
static void node_counts(struct match *match, uint32_t s)
{
    const struct anl_shape *shape = &match->history.shape;
    struct node *node = &match->harness.observed.nodes[s];
    for (uint32_t port = 0; port < ANL_BUFFERLESS_LINKS; port++) {
        counts(match, &node->latches[port], "latch");
        if (match->history.into[s * shape->ports + port] == NOWHERE) continue;
        node->present ^= (uint8_t)(1u << port);
        expect(match, "link register");
        node->present ^= (uint8_t)(1u << port);
    }
    counts(match, &node->fault, "fault");
}

enum { NODE = 5, PORT = 2, OTHER = 3 };  // a link leads to input port PORT of the node

static void bufferless(struct comparison *comparison, const void *expected)
{
    compare_nodes(comparison, expected);
}

static void nodes_without_buffers(void **unused)
{
    (void)unused;
    enum { NODES = 16, PORTS = ANL_BUFFERLESS_PORTS, LINKS = ANL_BUFFERLESS_LINKS };
    static struct anl_bufferless_register links[NODES * LINKS];
    static uint8_t latches[NODES * PORTS], faults[NODES];
    const struct anl_bufferless_state state = {links, latches, faults};
    struct match match;
    create(&match, "papers/roberts_symvonis/scenarios/bufferless4_early.yaml");
    match.compare = bufferless;
    match.expected = &state;
    memset(latches, ANL_NO_WAY, sizeof latches);
    latches[NODE * PORTS + PORT] = OTHER;
    links[NODE * LINKS + PORT] = (struct anl_bufferless_register){0, middle.index, true, false};
    struct node *node = &match.harness.observed.nodes[NODE];
    node->present = 1u << PORT;
    node->latches[PORT] = 1u << OTHER;
    pack(&match, match.history.into[NODE * PORTS + PORT], &node->links[PORT]);
    expect(&match, NULL);
    for (uint32_t s = 0; s < NODES; s++) {
        node_counts(&match, s);
        counts(&match, &match.harness.observed.nodes[s].latches[ANL_TERMINAL_PORT], "latch");
    }
    flit_counts(&match, &node->links[PORT]);
    expect(&match, NULL);
    destroy(&match);
}

static void diagonals(struct comparison *comparison, const void *expected)
{
    compare_diagonals(comparison, expected);
}

// The model names ports by the direction in which flits move, the probes by that from which they
// come.
static void nodes_of_diagonals(void **unused)
{
    (void)unused;
    enum { NODES = 64, LINKS = ANL_BUFFERLESS_LINKS, INPUT = PORT ^ 1 };
    static struct anl_diagonals_register registers[NODES * LINKS];
    static uint8_t latches[NODES * LINKS], taken[NODES];
    const struct anl_diagonals_nodes nodes = {registers, latches, taken, false};
    struct match match;
    create(&match, "papers/bock/scenarios/diagonals8_uniform.yaml");
    match.compare = diagonals;
    match.expected = &nodes;
    match.scenario.network.diagonals.length = 3;
    memset(latches, ANL_DIAGONALS_NO_WAY, sizeof latches);
    latches[NODE * LINKS + PORT] = OTHER;
    registers[NODE * LINKS + PORT] = (struct anl_diagonals_register){0, middle.index, true};
    struct node *node = &match.harness.observed.nodes[NODE];
    node->present = 1u << PORT;
    node->latches[PORT] = 1u << OTHER;
    pack(&match, match.history.into[NODE * match.history.shape.ports + INPUT], &node->links[PORT]);
    expect(&match, NULL);
    for (uint32_t s = 0; s < NODES; s++) {
        node_counts(&match, s);
        counts(&match, &match.harness.observed.nodes[s].taken, "turn node taken");
    }
    flit_counts(&match, &node->links[PORT]);
    counts(&match, &match.harness.observed.failed, "failed");
    expect(&match, NULL);
    destroy(&match);
}

static void lanes(struct comparison *comparison, const void *expected)
{
    compare_lanes(comparison, expected);
}

static void discards(struct comparison *comparison, const void *expected)
{
    compare_discards(comparison, expected);
}

// Returns what is seen at the input lane to which a lane of a link leads.
static struct discard_lane *end_of(struct match *match, uint32_t lane)
{
    const struct anl_config *config = &match->scenario.network;
    const struct anl_end end = anl_end_of(config, lane / config->num_vcs);
    const uint32_t input = end.node * match->history.shape.ports + end.port;
    return &match->harness.observed.lanes[input * config->num_vcs + lane % config->num_vcs];
}

// Lanes of links between switches have a link register at their ends; lanes of all links have an
// owner.
static void nodes_that_discard(void **unused)
{
    (void)unused;
    enum { ALL = 1024, OWNER = 1 };
    static struct anl_discard_state state[ALL];
    static struct discards none[ALL];
    struct match match;
    create(&match, "papers/cole_maggs_sitaraman/scenarios/discard16_uniform.yaml");
    const struct anl_shape *shape = &match.history.shape;
    const uint32_t vcs = match.scenario.network.num_vcs, lane = vcs + 1;
    const uint32_t between = match.harness.injections.outputs * vcs;
    const uint32_t all = between + shape->terminals * vcs;
    struct discard_lane *seen = match.harness.observed.lanes, *end = end_of(&match, lane);
    assert_true(vcs > 1 && all <= ALL && lane < between);
    for (uint32_t i = 0; i < all; i++)
        state[i].owner = ANL_DISCARD_NO_OWNER;
    state[lane] = (struct anl_discard_state){0, middle.index, true, OWNER};
    seen[lane].busy = true;
    seen[lane].owner = OWNER;
    end->valid = true;
    end->link.vc = (uint8_t)(lane % vcs);
    pack(&match, lane / vcs, &end->link);
    match.compare = lanes;
    match.expected = state;
    expect(&match, NULL);
    flit_counts(&match, &end->link);
    for (uint32_t i = 0; i < all; i++) {
        if (i != lane) counts(&match, &seen[i].busy, "busy");
        if (i < between) counts(&match, &end_of(&match, i)->valid, "link register");
    }
    counts(&match, &seen[lane].owner, "owner");
    expect(&match, NULL);

    match.compare = discards;
    match.expected = none;
    for (uint32_t s = 0; s < shape->switches; s++) {
        counts(&match, &match.harness.observed.discards[s].says, "discard");
        counts(&match, &match.harness.observed.discards[s].heads, "discarded heads");
    }
    expect(&match, NULL);
    destroy(&match);
}

static void step(struct comparison *comparison, const void *expected)
{
    const uint32_t *numbers = expected;
    compare_step(comparison, numbers[0], numbers[1]);
}

static void numbers_of_the_step(void **unused)
{
    (void)unused;
    static const uint32_t numbers[] = {70000, 3};
    struct match match;
    create(&match, "papers/cole_maggs_sitaraman/scenarios/discard16_uniform.yaml");
    match.compare = step;
    match.expected = numbers;
    match.harness.observed.step = numbers[0];
    match.harness.observed.turn = numbers[1];
    expect(&match, NULL);
    counts(&match, &match.harness.observed.step, "number of the step");
    counts(&match, &match.harness.observed.turn, "number of the lane");
    expect(&match, NULL);
    destroy(&match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_without_buffers),
        cmocka_unit_test(nodes_of_diagonals),
        cmocka_unit_test(nodes_that_discard),
        cmocka_unit_test(numbers_of_the_step),
    };
    return cmocka_run_group_tests_name("compare_nodes", tests, NULL, NULL);
}
