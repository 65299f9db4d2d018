// SPDX-License-Identifier: Apache-2.0
//
// The registers of nodes that discard, and the numbers of the step (match.h).

#include "papers/cole_maggs_sitaraman/lockstep/discarding_lockstep.h"
#include "papers/common/lockstep/unit/match.h"

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
    return &seen_discarding(&match->harness.observed)
                ->lanes[input * config->num_vcs + lane % config->num_vcs];
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
    match_create(&match, "papers/cole_maggs_sitaraman/scenarios/discard16_uniform.yaml",
                 &observed_discarding);
    const struct anl_shape *shape = &match.history.shape;
    const uint32_t vcs = match.scenario.network.num_vcs, lane = vcs + 1;
    const uint32_t between = match.harness.injections.outputs * vcs;
    const uint32_t all = between + shape->terminals * vcs;
    struct discard_lane *seen = seen_discarding(&match.harness.observed)->lanes,
                        *end = end_of(&match, lane);
    assert_true(vcs > 1 && all <= ALL && lane < between);
    for (uint32_t i = 0; i < all; i++)
        state[i].owner = ANL_DISCARD_NO_OWNER;
    state[lane] = (struct anl_discard_state){0, match_middle.index, true, OWNER};
    seen[lane].busy = true;
    seen[lane].owner = OWNER;
    end->valid = true;
    end->link.vc = (uint8_t)(lane % vcs);
    match_pack(&match, lane / vcs, &end->link);
    match.compare = lanes;
    match.expected = state;
    match_expect(&match, NULL);
    match_flit(&match, &end->link);
    for (uint32_t i = 0; i < all; i++) {
        if (i != lane) match_counts(&match, &seen[i].busy, "busy");
        if (i < between) match_counts(&match, &end_of(&match, i)->valid, "link register");
    }
    match_counts(&match, &seen[lane].owner, "owner");
    match_expect(&match, NULL);

    match.compare = discards;
    match.expected = none;
    for (uint32_t s = 0; s < shape->switches; s++) {
        match_counts(&match, &seen_discarding(&match.harness.observed)->discards[s].says,
                     "discard");
        match_counts(&match, &seen_discarding(&match.harness.observed)->discards[s].heads,
                     "discarded heads");
    }
    match_expect(&match, NULL);
    match_destroy(&match);
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
    match_create(&match, "papers/cole_maggs_sitaraman/scenarios/discard16_uniform.yaml",
                 &observed_discarding);
    match.compare = step;
    match.expected = numbers;
    match.harness.observed.step = numbers[0];
    match.harness.observed.turn = numbers[1];
    match_expect(&match, NULL);
    match_counts(&match, &match.harness.observed.step, "number of the step");
    match_counts(&match, &match.harness.observed.turn, "number of the lane");
    match_expect(&match, NULL);
    match_destroy(&match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_that_discard),
        cmocka_unit_test(numbers_of_the_step),
    };
    return cmocka_run_group_tests_name("discarding_registers", tests, NULL, NULL);
}
