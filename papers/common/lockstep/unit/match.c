// SPDX-License-Identifier: Apache-2.0

#include "match.h"

const struct anl_flit match_middle = {.worm = 0, .index = 1};

void match_create(struct match *match, const char *path, const struct observed_kind *kind)
{
    const struct anl_config *config = &match->scenario.network;
    struct anl_error error;
    *match = (struct match){.harness.seed = 0};
    if (anl_scenario_load(path, &match->scenario, &error)) fail_msg("%s", error.text);
    assert_int_equal(observed_create(&match->harness.observed, config, kind), ANL_OK);
    assert_int_equal(injections_create(&match->harness.injections, config), ANL_OK);
    assert_int_equal(worms_create(&match->harness.worms, config), ANL_OK);
    assert_int_equal(history_create(&match->history, config), ANL_OK);
    const struct anl_worm worm = {.destination = 1, .length = 3};
    assert_int_equal(worms_add(&match->harness.worms, &worm), ANL_OK);
}

void match_destroy(struct match *match)
{
    observed_destroy(&match->harness.observed);
    injections_destroy(&match->harness.injections);
    worms_destroy(&match->harness.worms);
    history_destroy(&match->history);
    anl_scenario_free(&match->scenario);
}

void match_pack(const struct match *match, uint32_t link, struct wire *wire)
{
    flit_pack(&match->scenario.network, &match->harness.worms.worm[0].worm, match_middle.index,
              link, wire->flit);
}

void match_expect(struct match *match, const char *what)
{
    struct comparison comparison = {
        .harness = &match->harness, .history = &match->history, .difference = &match->difference};
    match->difference = (struct difference){0};
    match->compare(&comparison, match->expected);
    assert_int_equal(match->difference.count, what ? 1 : 0);
    if (what) assert_string_equal(match->difference.what, what);
}

void match_counts(struct match *match, void *seen, const char *what)
{
    *(uint8_t *)seen ^= 1;
    match_expect(match, what);
    *(uint8_t *)seen ^= 1;
}

void match_flit(struct match *match, struct wire *wire)
{
    for (uint32_t bit = 0; bit < match->scenario.network.flit_width_bits + 2; bit++) {
        wire->flit[bit / 32] ^= 1u << bit % 32;
        match_expect(match, "link register");
        wire->flit[bit / 32] ^= 1u << bit % 32;
    }
}

void match_node(struct match *match, uint32_t s)
{
    const struct anl_shape *shape = &match->history.shape;
    struct node *node = &nodes_of(&match->harness.observed)->node[s];
    for (uint32_t port = 0; port + 1 < shape->ports; port++) {
        match_counts(match, &node->latches[port], "latch");
        if (match->history.into[s * shape->ports + port] == NOWHERE) continue;
        node->present ^= (uint8_t)(1u << port);
        match_expect(match, "link register");
        node->present ^= (uint8_t)(1u << port);
    }
    match_counts(match, &node->fault, "fault");
}
