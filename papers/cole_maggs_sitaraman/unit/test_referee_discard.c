// SPDX-License-Identifier: Apache-2.0
//
// The referee of the butterfly that discards: it takes what the model does, and for each rule it
// notices a game that breaks this rule, in the step and on the link where it is broken.

#include "unit.h"

#include <annelid/annelid.h>
#include <annelid/discard.h>
#include <annelid/discarding_referee.h>
#include <string.h>

enum { MOST = 64, STEPS = 12 };

struct scene {
    struct anl_flit flits[MOST];
    size_t count;
};

// The game of papers/cole_maggs_sitaraman/discard.md: source, destination, start, and 3 flits each.
// Worm b is discarded if there is one lane.
static const uint32_t worms[][3] = {{0, 3, 1}, {2, 3, 2}, {0, 3, 4}};

static void play(uint32_t num_vcs, struct scene *scenes)
{
    struct anl_discard *machine;
    const struct anl_discard_shape shape = {2, 1, num_vcs};
    assert_int_equal(anl_discard_create(&shape, &machine), ANL_OK);
    for (uint32_t i = 0; i < 3; i++) {
        const struct anl_discard_worm worm = {
            .start = worms[i][2], .source = worms[i][0], .destination = worms[i][1], .length = 3};
        assert_int_equal(anl_discard_enqueue(machine, &worm, NULL), ANL_OK);
    }
    memset(scenes, 0, STEPS * sizeof *scenes);
    for (uint32_t step = 1; step < STEPS; step++) {
        anl_discard_step(machine);
        scenes[step].count = anl_discard_flits(machine, scenes[step].flits);
    }
    anl_discard_destroy(machine);
}

static struct anl_discard_violation judge(uint32_t num_vcs, const struct scene *scenes)
{
    struct anl_discard_referee *referee;
    bool good = true;
    assert_int_equal(anl_discard_referee_create(2, 1, num_vcs, &referee), ANL_OK);
    for (uint32_t i = 0; i < 3; i++) {
        const struct anl_worm worm = {
            .source = worms[i][0], .destination = worms[i][1], .created = worms[i][2], .length = 3};
        assert_int_equal(anl_discard_referee_worm(referee, &worm), ANL_OK);
    }
    for (uint64_t step = 1; step < STEPS; step++)
        good = anl_discard_referee_step(referee, step, scenes[step].flits, scenes[step].count);
    good = anl_discard_referee_end(referee) && good;
    const struct anl_discard_violation violation = *anl_discard_referee_violation(referee);
    assert_int_equal(good, violation.rule == ANL_DISCARD_KEPT);
    if (good) {
        uint64_t discarded, delivered;
        anl_discard_referee_count(referee, &discarded, &delivered);
        assert_int_equal(discarded, num_vcs == 1);
        assert_int_equal(delivered, 3 - discarded);
    }
    anl_discard_referee_destroy(referee);
    return violation;
}

static void expect(uint32_t num_vcs, const struct scene *scenes, const char *rule, uint64_t step,
                   uint32_t link, uint32_t vc)
{
    const struct anl_discard_violation violation = judge(num_vcs, scenes);
    assert_string_equal(anl_discard_rule_name(violation.rule), rule);
    assert_int_equal(violation.step, step);
    assert_int_equal(violation.link, link);
    assert_int_equal(violation.vc, vc);
}

static struct anl_flit *find(struct scene *scene, uint32_t worm, uint16_t index, uint32_t link)
{
    for (size_t i = 0; i < scene->count; i++)
        if (scene->flits[i].worm == worm && scene->flits[i].index == index &&
            scene->flits[i].link == link)
            return &scene->flits[i];
    fail_msg("no flit %u of worm %u on link %u", index, worm, link);
    return NULL;
}

static struct anl_flit take_out(struct scene *scene, uint32_t worm, uint16_t index, uint32_t link)
{
    struct anl_flit *at = find(scene, worm, index, link), flit = *at;
    *at = scene->flits[--scene->count];
    return flit;
}

static void put_in(struct scene *scene, struct anl_flit flit)
{
    scene->flits[scene->count++] = flit;
}

static void it_takes_what_keeps_the_rules(void **state)
{
    (void)state;
    struct scene scenes[STEPS];
    for (uint32_t num_vcs = 1; num_vcs <= 2; num_vcs++) {
        play(num_vcs, scenes);
        expect(num_vcs, scenes, "kept", 0, 0, 0);
    }
}

// Random games of the model, in which many worms are discarded, keep the rules.
static void it_takes_what_the_model_does(void **state)
{
    (void)state;
    enum { COLUMNS = 16, WORMS = 300 };
    static struct anl_flit flits[8 * COLUMNS * 2 * 4];
    struct anl_rng rng = anl_rng_seed(3, 0);
    for (uint32_t trial = 0; trial < 40; trial++) {
        const struct anl_discard_shape shape = {4, 1 + trial % 2, 1 + trial / 2 % 4};
        struct anl_discard *machine;
        struct anl_discard_referee *referee;
        uint64_t start = 1, discarded, delivered;
        assert_int_equal(anl_discard_create(&shape, &machine), ANL_OK);
        assert_int_equal(anl_discard_referee_create(4, shape.passes, shape.num_vcs, &referee),
                         ANL_OK);
        for (uint32_t i = 0; i < WORMS; i++) {
            start += anl_rng_below(&rng, 16) == 0;
            const struct anl_discard_worm worm = {
                start, anl_rng_below(&rng, COLUMNS),
                shape.passes == 2 ? anl_rng_below(&rng, COLUMNS) : 0, anl_rng_below(&rng, COLUMNS),
                (uint16_t)(1 + anl_rng_below(&rng, 5))};
            const struct anl_worm same = {.source = worm.source,
                                          .destination = worm.destination,
                                          .path = worm.intermediate,
                                          .created = worm.start,
                                          .length = worm.length};
            assert_int_equal(anl_discard_enqueue(machine, &worm, NULL), ANL_OK);
            assert_int_equal(anl_discard_referee_worm(referee, &same), ANL_OK);
        }
        while (!anl_discard_idle(machine)) {
            anl_discard_step(machine);
            const size_t count = anl_discard_flits(machine, flits);
            assert_true(
                anl_discard_referee_step(referee, anl_discard_steps(machine), flits, count));
        }
        assert_true(anl_discard_referee_end(referee));
        anl_discard_referee_count(referee, &discarded, &delivered);
        assert_int_equal(discarded, anl_discard_totals(machine).discarded);
        assert_int_equal(delivered, anl_discard_totals(machine).delivered);
        assert_true(discarded > 0);
        anl_discard_referee_destroy(referee);
        anl_discard_destroy(machine);
    }
}

// Links: <0,0>.1 is 1, <2,0>.1 is 5, <2,1>.0 is 12, and <2,1>.1 is 13.
static void it_notices_each_broken_rule(void **state)
{
    (void)state;
    struct scene scenes[STEPS];

    play(1, scenes);
    find(&scenes[2], 0, 1, 1)->tail = true;
    expect(1, scenes, "unknown_flit", 2, 1, 0);

    play(1, scenes);
    find(&scenes[3], 0, 2, 1)->vc = 1;
    expect(1, scenes, "unknown_flit", 3, 1, 1);

    play(2, scenes);  // the head of b in the lane of a
    find(&scenes[3], 1, 0, 13)->vc = 0;
    expect(2, scenes, "one_flit", 3, 13, 0);

    play(2, scenes);
    find(&scenes[3], 1, 0, 13)->link = 12;
    expect(2, scenes, "path", 3, 12, 1);

    play(1, scenes);  // c one step late
    put_in(&scenes[5], take_out(&scenes[4], 2, 0, 1));
    take_out(&scenes[5], 2, 1, 1);
    expect(1, scenes, "full", 4, 1, 0);

    play(1, scenes);  // the tail of c one step late
    put_in(&scenes[7], take_out(&scenes[6], 2, 2, 1));
    expect(1, scenes, "contiguous", 6, 1, 0);

    play(1, scenes);  // the tail of c one step early, beside the flit before it
    take_out(&scenes[5], 2, 1, 1);
    put_in(&scenes[5], take_out(&scenes[6], 2, 2, 1));
    expect(1, scenes, "on_time", 5, 1, 0);

    play(1, scenes);  // b crosses the last link, and did not cross the first one
    take_out(&scenes[2], 1, 0, 5);
    expect(1, scenes, "full", 2, 5, 0);

    play(2, scenes);  // a is discarded in step 1 by two worms that nobody knows of
    take_out(&scenes[1], 0, 0, 1);
    expect(2, scenes, "full", 1, 1, 0);

    play(2, scenes);  // b changes its lane
    find(&scenes[4], 1, 1, 13)->vc = 0;
    take_out(&scenes[4], 0, 2, 13);
    expect(2, scenes, "contiguous", 4, 13, 0);

    play(2, scenes);  // b ends without its tail
    take_out(&scenes[5], 1, 2, 13);
    expect(2, scenes, "contiguous", 5, 13, 1);

    play(1, scenes);  // b, discarded in 3, goes on in 4 in the place of the tail of a
    const struct anl_flit tail = take_out(&scenes[4], 0, 2, 13);
    put_in(&scenes[4], (struct anl_flit){.link = tail.link, .worm = 1, .index = 1});
    expect(1, scenes, "contiguous", 4, 13, 0);
}

// A head that crosses a link must have crossed the one before: b does not, since a third worm and a
// have both lanes of its first link.
static void a_head_comes_from_somewhere(void **state)
{
    (void)state;
    struct anl_discard_referee *referee;
    assert_int_equal(anl_discard_referee_create(2, 1, 1, &referee), ANL_OK);
    for (uint32_t i = 0; i < 2; i++) {
        const struct anl_worm worm = {.destination = i, .created = 1, .length = 1};
        assert_int_equal(anl_discard_referee_worm(referee, &worm), ANL_OK);
    }
    const struct anl_flit first = {.link = 0, .worm = 0, .head = true, .tail = true};
    const struct anl_flit second = {.link = 9, .worm = 1, .head = true, .tail = true};
    assert_true(anl_discard_referee_step(referee, 1, &first, 1));
    assert_false(anl_discard_referee_step(referee, 2, &second, 1));
    assert_int_equal(anl_discard_referee_violation(referee)->rule, ANL_DISCARD_FROM_NOWHERE);
    anl_discard_referee_destroy(referee);
}

static void a_run_that_ends_too_early_is_seen(void **state)
{
    (void)state;
    struct anl_discard_referee *referee;
    assert_int_equal(anl_discard_referee_create(2, 2, 1, &referee), ANL_OK);
    const struct anl_worm worm = {.path = 2, .destination = 1, .created = 1, .length = 1};
    assert_int_equal(anl_discard_referee_worm(referee, &worm), ANL_OK);
    const struct anl_flit flit = {.link = 1, .head = true, .tail = true};
    assert_true(anl_discard_referee_step(referee, 1, &flit, 1));
    assert_false(anl_discard_referee_end(referee));
    assert_int_equal(anl_discard_referee_violation(referee)->rule, ANL_DISCARD_FULL);
    assert_int_equal(anl_discard_referee_violation(referee)->link, 12);
    anl_discard_referee_destroy(referee);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct anl_discard_referee *referee;
    assert_int_equal(anl_discard_referee_create(0, 1, 1, &referee), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_discard_referee_create(17, 1, 1, &referee), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_discard_referee_create(2, 3, 1, &referee), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_discard_referee_create(2, 1, 9, &referee), ANL_ERR_ARGUMENT);
    assert_null(referee);
    assert_int_equal(anl_discard_referee_create(2, 1, 1, &referee), ANL_OK);
    static const struct anl_worm bad[] = {{.source = 4, .created = 1, .length = 1},
                                          {.destination = 4, .created = 1, .length = 1},
                                          {.path = 1, .created = 1, .length = 1},
                                          {.created = 0, .length = 1},
                                          {.created = 1, .length = 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(anl_discard_referee_worm(referee, &bad[i]), ANL_ERR_ARGUMENT);
    anl_discard_referee_destroy(referee);
    anl_discard_referee_destroy(NULL);
}

static void rules_have_names_and_words(void **state)
{
    (void)state;
    for (int rule = ANL_DISCARD_UNKNOWN_FLIT; rule <= ANL_DISCARD_FULL; rule++) {
        assert_string_equal(anl_rule_name(ANL_RULE_OF(ANL_DISCARDING, rule)),
                            anl_discard_rule_name((enum anl_discard_rule)rule));
        assert_true(strlen(anl_rule_text(ANL_RULE_OF(ANL_DISCARDING, rule))) > 15);
    }
    assert_string_equal(anl_rule_name(ANL_RULE_OF(ANL_DISCARDING, ANL_DISCARD_FULL)), "full");
    assert_string_equal(anl_rule_name(ANL_RULE_OF(ANL_DISCARDING, ANL_DISCARD_FULL + 1)), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_takes_what_keeps_the_rules),
        cmocka_unit_test(it_takes_what_the_model_does),
        cmocka_unit_test(it_notices_each_broken_rule),
        cmocka_unit_test(a_head_comes_from_somewhere),
        cmocka_unit_test(a_run_that_ends_too_early_is_seen),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(rules_have_names_and_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
