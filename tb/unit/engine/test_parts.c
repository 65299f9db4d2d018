// SPDX-License-Identifier: Apache-2.0
//
// A network that is cut into parts does what the whole one does (docs/scale.md). Messages that lack
// something, come late, or are about another cut are refused; if they lie about it, the digest
// differs.

#include "parts.h"

// ---------------------------------------------------------------- tests

static void try_network(uint32_t trial)
{
    struct anl_rng rng = anl_rng_seed(29, trial);
    struct anl_scenario scenario = draw_scenario(&rng, part_network(trial));
    const struct outcome whole = run_whole(&scenario);
    struct parts parts = draw_parts_of(&rng, &scenario);
    for (int again = 0; again < 2; again++) {  // the second run shows that a reset forgets all
        const struct outcome cut = run_parts(&parts, &scenario);
        if (*parts.refused) fail_msg("trial %u: %s\n%s", trial, parts.refused, scenario.text);
        if (!is_same(&whole, &cut))
            fail_msg("trial %u, %u parts, run %d: digest %016llx, cycles %llu, expected %016llx, "
                     "%llu of\n%s",
                     trial, parts.count, again, (unsigned long long)cut.digest,
                     (unsigned long long)cut.cycles, (unsigned long long)whole.digest,
                     (unsigned long long)whole.cycles, scenario.text);
        for (uint32_t p = 0; p < parts.count; p++)
            anl_engine_reset(parts.engines[p], scenario.run.seed);
    }
    assert_true(whole.totals.delivered > 0);
    destroy_parts(&parts);
    anl_scenario_free(&scenario);
}

static void parts_do_what_the_whole_does(void **state)
{
    (void)state;
    const uint32_t trials = unit_trials(ALL_TRIALS);
    for (uint32_t trial = 0; trial < trials; trial++)
        try_network(trial);
}

// A worm that has gone on to another part is forgotten, so that a part remembers those of a moment.
static void what_has_gone_is_forgotten(void **state)
{
    struct anl_scenario scenario =
        scenario_of("network: {topology: mesh, k: 4, n: 1}\n"
                    "traffic: {process: batch, worms_per_terminal: 1000, pattern: complement}\n");
    uint32_t *part_of = calloc(4, sizeof *part_of);
    (void)state;
    assert_non_null(part_of);
    part_of[2] = 1;
    part_of[3] = 2;
    struct parts parts = make_parts(&scenario, 3, part_of);
    const uint32_t at_first = parts.engines[1]->worms_mask;
    for (uint32_t i = 0; i < 3 * at_first; i++) {
        const struct anl_worm worm = {.source = 0, .destination = 3, .length = 1};
        for (uint32_t p = 0; p < 3; p++)
            assert_int_equal(anl_engine_enqueue_worm(parts.engines[p], &worm, NULL), ANL_OK);
        step_parts(&parts);
    }
    assert_true(anl_engine_totals(parts.engines[2]).delivered > 2 * at_first);
    for (uint32_t p = 0; p < 3; p++)
        assert_int_equal(parts.engines[p]->worms_mask, at_first);
    destroy_parts(&parts);
    anl_scenario_free(&scenario);
}

// --- messages that are not what they should be ---

#define LOADED(fields)                                                                             \
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {depth: 2, num_vcs: 2" fields                  \
    "}\ntraffic: {load: 0.4, length: 4}\nrun: {cycles: 300}\n"
static const char *const loaded[] = {LOADED(""), LOADED(", link_cycles: 3")};

static const char *const chained[] = {
    "network: {topology: fat_tree, n: 2}\nswitch: {depth: 1, num_vcs: 2, credits: bypass}\n"
    "traffic: {load: 0.8, length: 4}\nrun: {cycles: 300}\n",
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {depth: 1, num_vcs: 2, link: wide, "
    "credits: bypass}\ntraffic: {load: 0.4, length: 8}\nrun: {cycles: 300}\n",
};

// Runs a network in three parts with a fault; returns whether the result is the right one. *refused
// says why a message was refused, "" if none was.
static bool run_with(const char *text, enum fault fault, uint64_t at, bool lies, char refused[512])
{
    struct anl_rng rng = anl_rng_seed(5, 0);
    struct anl_scenario scenario = scenario_of(text);
    const struct outcome whole = run_whole(&scenario);
    const uint32_t switches = anl_shape_of(&scenario.network).switches;
    struct parts parts = make_parts(&scenario, 3, draw_cut(&rng, switches, 3));
    parts.fault = fault;
    parts.fault_at = at;
    parts.lies = lies;
    const struct outcome cut = run_parts(&parts, &scenario);
    assert_int_equal(parts.fault, NO_FAULT);
    memcpy(refused, parts.refused, sizeof parts.refused);
    destroy_parts(&parts);
    anl_scenario_free(&scenario);
    return is_same(&whole, &cut);
}

static void expect_refused(const char *text, enum fault fault, const char *reason)
{
    char refused[512];
    run_with(text, fault, 40, false, refused);
    if (!strstr(refused, reason))
        fail_msg("fault %d: '%s' does not say '%s'", fault, refused, reason);
}

// A message that lies about it is not refused, but then the result is another one, unless nobody
// wanted what was lost.
static void expect_other_digest(const char *text, enum fault fault)
{
    char refused[512];
    bool same = true;
    for (uint64_t at = 40; at < 80 && same; at++) {
        same = run_with(text, fault, at, true, refused);
        assert_string_equal(refused, "");
    }
    assert_false(same);
}

static void what_is_lost_or_late_is_refused(void **state)
{
    static const enum fault faults[] = {LOST_CREDIT, LOST_FLIT, LATE_FLIT};
    char refused[512];
    (void)state;
    for (size_t n = 0; n < sizeof loaded / sizeof *loaded; n++) {
        assert_true(run_with(loaded[n], NO_FAULT, 0, false, refused));
        assert_string_equal(refused, "");
        for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
            expect_refused(loaded[n], faults[i], "flits or credits told before are missing");
        expect_refused(loaded[n], LATE_MESSAGE, "it is of another cycle");
    }
}

static void what_no_part_sends_is_refused(void **state)
{
    (void)state;
    expect_refused(*loaded, NO_SUCH_LINK, "a link or a lane that is not there");
    expect_refused(*loaded, NO_SUCH_LANE, "a link or a lane that is not there");
    expect_refused(*loaded, LOST_WORM, "each head must bring its worm");
}

static void false_messages_change_the_digest(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof loaded / sizeof *loaded; n++) {
        expect_other_digest(loaded[n], LOST_CREDIT);
        expect_other_digest(loaded[n], LATE_FLIT);
    }
}

// The same of messages about space that is used in the same cycle.
static void space_that_is_lost_or_late_is_noticed(void **state)
{
    char refused[512];
    (void)state;
    for (size_t n = 0; n < sizeof chained / sizeof *chained; n++) {
        assert_true(run_with(chained[n], NO_FAULT, 0, false, refused));
        assert_string_equal(refused, "");
        expect_refused(chained[n], LOST_SPACE, "flits or credits told before are missing");
        expect_refused(chained[n], LATE_SPACE, "flits or credits told before are missing");
        expect_refused(chained[n], EARLY_ROUND, "it is of another cycle, or of another time in it");
        expect_other_digest(chained[n], LOST_SPACE);
        expect_other_digest(chained[n], LATE_SPACE);
        expect_refused(chained[n], LOST_FLIT, "flits or credits told before are missing");
        expect_refused(chained[n], LOST_CREDIT, "flits or credits told before are missing");
    }
}

// One part has been told another cut than the others.
static void another_cut_is_refused(void **state)
{
    (void)state;
    for (uint32_t moved = 0; moved < 2; moved++) {
        struct anl_scenario scenario = scenario_of(*loaded);
        uint32_t *part_of = calloc(16, sizeof *part_of);
        assert_non_null(part_of);
        for (uint32_t s = 0; s < 16; s++)
            part_of[s] = s / 8;
        struct parts parts = make_parts(&scenario, 2, part_of);
        part_of[7 + moved] ^= 1;
        anl_engine_destroy(parts.engines[1]);
        make_part(&parts, 1, part_of, scenario.run.seed);
        run_parts(&parts, &scenario);
        assert_non_null(strstr(parts.refused, "the network is cut in another way there"));
        destroy_parts(&parts);
        anl_scenario_free(&scenario);
    }
}

static void expect_refusal(const char *text, const uint32_t *part_of, uint32_t part,
                           const char *reason)
{
    struct anl_scenario scenario = scenario_of(text);
    struct anl_network *network;
    struct anl_engine *engine;
    struct anl_error error = {0};
    assert_int_equal(anl_network_create(&scenario.network, &network), ANL_OK);
    assert_int_equal(anl_engine_create_part(network, part_of, part, &engine, &error),
                     ANL_ERR_ARGUMENT);
    assert_null(engine);
    if (!strstr(error.text, reason)) fail_msg("'%s' does not say '%s'", error.text, reason);
    anl_network_destroy(network);
    anl_scenario_free(&scenario);
}

static void what_cannot_be_cut_is_refused(void **state)
{
    static const uint32_t half[12] = {0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
    (void)state;
    expect_refusal("network: {topology: mesh, k: 3, n: 2}\n", half, 2, "part 2 has no switch");
    expect_refusal("network: {topology: butterfly, k: 2, n: 3}\nswitch: {num_vcs: 2, classes: 2, "
                   "credits: registered}\n"
                   "traffic: {process: request_reply, worms_per_terminal: 1, reply_queue: 1}\n",
                   half, 0, "reply_queue needs both links of a terminal in one part");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_do_what_the_whole_does),
        cmocka_unit_test(what_has_gone_is_forgotten),
        cmocka_unit_test(what_is_lost_or_late_is_refused),
        cmocka_unit_test(what_no_part_sends_is_refused),
        cmocka_unit_test(false_messages_change_the_digest),
        cmocka_unit_test(space_that_is_lost_or_late_is_noticed),
        cmocka_unit_test(another_cut_is_refused),
        cmocka_unit_test(what_cannot_be_cut_is_refused),
    };
    return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
