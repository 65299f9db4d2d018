// SPDX-License-Identifier: Apache-2.0
//
// The referee of the mesh without buffers, on flits made by hand: it takes two worms that keep all
// rules, and for each rule it notices a game that breaks this rule, in the step and on the link
// where it is broken.

#include "unit.h"

#include <annelid/bufferless_referee.h>
#include <annelid/referee.h>
#include <string.h>

enum { PORTS = 5, T = 4, MOST = 8, STEPS = 10 };

// What is seen in a step: links before the mark, and consumed flits behind it.
struct scene {
    struct anl_flit standing[MOST], consumed[MOST];
    size_t stand, leave;
};

static const uint32_t worms[][3] = {{0, 2, 1}, {1, 5, 5}};  // source, destination, start: 3 flits

// The links of the paths in a 3 x 3 mesh.
static const uint32_t paths[][2] = {{0 * PORTS + 0, 1 * PORTS + 0}, {1 * PORTS + 0, 2 * PORTS + 2}};

static struct anl_flit flit(uint32_t link, uint32_t worm, uint16_t index)
{
    return (struct anl_flit){
        .link = link, .worm = worm, .index = index, .head = index == 0, .tail = index == 2};
}

// The game of papers/roberts_symvonis/bufferless.md without a collision: scenes[t] is what is seen
// in step t.
static void play(struct scene *scenes)
{
    memset(scenes, 0, STEPS * sizeof *scenes);
    for (uint32_t worm = 0; worm < 2; worm++)
        for (uint16_t index = 0; index < 3; index++) {
            const uint32_t start = worms[worm][2];
            for (uint32_t i = 0; i < 2; i++) {
                struct scene *scene = &scenes[start + i + index + 1];
                scene->standing[scene->stand++] = flit(paths[worm][i], worm, index);
            }
            struct scene *scene = &scenes[start + 2 + index];
            scene->consumed[scene->leave++] = flit(worms[worm][1] * PORTS + T, worm, index);
        }
}

static struct anl_bufferless_violation judge(const struct scene *scenes)
{
    struct anl_bufferless_referee *referee;
    assert_int_equal(anl_bufferless_referee_create(3, &referee), ANL_OK);
    for (uint32_t i = 0; i < 2; i++) {
        const struct anl_worm worm = {
            .source = worms[i][0], .destination = worms[i][1], .created = worms[i][2], .length = 3};
        assert_int_equal(anl_bufferless_referee_worm(referee, &worm), ANL_OK);
    }
    bool good = true;
    for (uint64_t step = 1; step < STEPS; step++)
        good = anl_bufferless_referee_step(referee, step, scenes[step].standing, scenes[step].stand,
                                           scenes[step].consumed, scenes[step].leave);
    good = anl_bufferless_referee_end(referee) && good;
    const struct anl_bufferless_violation violation = *anl_bufferless_referee_violation(referee);
    assert_int_equal(good, violation.rule == ANL_BUFFERLESS_KEPT);
    anl_bufferless_referee_destroy(referee);
    return violation;
}

static void expect(const struct scene *scenes, enum anl_bufferless_rule rule, uint64_t step,
                   uint32_t link)
{
    const struct anl_bufferless_violation violation = judge(scenes);
    assert_string_equal(anl_bufferless_rule_name(violation.rule), anl_bufferless_rule_name(rule));
    assert_int_equal(violation.step, step);
    assert_int_equal(violation.link, link);
}

static struct anl_flit *find(struct anl_flit *flits, size_t count, uint32_t worm, uint16_t index,
                             uint32_t link)
{
    for (size_t i = 0; i < count; i++)
        if (flits[i].worm == worm && flits[i].index == index && flits[i].link == link)
            return &flits[i];
    fail();
    return NULL;
}

static struct anl_flit *standing(struct scene *scene, uint32_t worm, uint16_t index, uint32_t link)
{
    return find(scene->standing, scene->stand, worm, index, link);
}

static void remove_standing(struct scene *scene, uint32_t worm, uint16_t index, uint32_t link)
{
    struct anl_flit *removed = standing(scene, worm, index, link);
    *removed = scene->standing[--scene->stand];
}

static void add(struct scene *scene, struct anl_flit added)
{
    scene->standing[scene->stand++] = added;
}

static void a_good_game_is_kept(void **state)
{
    (void)state;
    struct scene scenes[STEPS];
    play(scenes);
    assert_int_equal(judge(scenes).rule, ANL_BUFFERLESS_KEPT);
}

static void unknown_flits_are_seen(void **state)
{
    (void)state;
    const struct anl_flit bad[] = {
        flit(0, 2, 0),         flit(2 * PORTS, 0, 0), flit(3 * PORTS + 1, 0, 0),
        flit(9 * PORTS, 0, 0), flit(0, 0, 3),         flit(T, 0, 0)};
    struct scene scenes[STEPS];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        play(scenes);
        scenes[2].standing[0] = bad[i];
        expect(scenes, ANL_BUFFERLESS_UNKNOWN_FLIT, 2, bad[i].link);
    }
    play(scenes);
    scenes[2].standing[0].tail = true;
    expect(scenes, ANL_BUFFERLESS_UNKNOWN_FLIT, 2, 0);
}

// b0 joins the tail of a on the link (0,1).E, one step too early.
static void two_flits_on_a_link_are_seen(void **state)
{
    (void)state;
    struct scene scenes[STEPS];
    play(scenes);
    remove_standing(&scenes[6], 1, 0, 5);
    add(&scenes[5], flit(5, 1, 0));
    expect(scenes, ANL_BUFFERLESS_ONE_FLIT, 5, 5);
    play(scenes);
    add(&scenes[3], flit(0, 0, 0));  // a0 a second time where a1 stands
    expect(scenes, ANL_BUFFERLESS_ONE_FLIT, 3, 0);
}

static void a_gap_in_a_worm_is_seen(void **state)
{
    (void)state;
    struct scene scenes[STEPS];
    play(scenes);
    remove_standing(&scenes[3], 0, 1, 0);  // a1 does not follow a0
    expect(scenes, ANL_BUFFERLESS_CONTIGUOUS, 3, 0);
}

static void flits_that_wait_or_get_lost_are_seen(void **state)
{
    (void)state;
    struct scene scenes[STEPS];
    play(scenes);
    add(&scenes[2], flit(5, 1, 0));  // b0 long before its start
    expect(scenes, ANL_BUFFERLESS_NO_IDLE, 2, 5);
    play(scenes);
    *standing(&scenes[4], 0, 1, 5) = flit(0, 0, 1);  // a1 waits where it was
    remove_standing(&scenes[4], 0, 2, 0);
    expect(scenes, ANL_BUFFERLESS_NO_IDLE, 4, 0);
    play(scenes);
    remove_standing(&scenes[5], 0, 2, 5);  // a2 is lost behind (0,0).E
    expect(scenes, ANL_BUFFERLESS_NO_IDLE, 5, 0);
    play(scenes);
    scenes[3].leave = 0;  // a0 stood at its destination in 3 and is not consumed
    expect(scenes, ANL_BUFFERLESS_NO_IDLE, 4, 5);
    play(scenes);
    scenes[4].consumed[scenes[4].leave++] = flit(3 * PORTS + T, 0, 2);  // it does not stand there
    expect(scenes, ANL_BUFFERLESS_NO_IDLE, 4, 3 * PORTS + T);
}

static void two_arrivals_at_a_node_are_seen(void **state)
{
    (void)state;
    struct scene scenes[STEPS];
    play(scenes);
    scenes[3].consumed[scenes[3].leave++] = flit(2 * PORTS + T, 0, 1);
    expect(scenes, ANL_BUFFERLESS_ONE_ARRIVAL, 3, 2 * PORTS + T);
}

static void flits_elsewhere_or_missing_at_the_end_are_seen(void **state)
{
    (void)state;
    struct scene scenes[STEPS];
    play(scenes);
    scenes[2].consumed[scenes[2].leave++] = flit(1 * PORTS + T, 0, 0);  // a0 at (0,1)
    expect(scenes, ANL_BUFFERLESS_ON_TIME, 2, 1 * PORTS + T);
    play(scenes);
    scenes[9].leave = 0;  // b2 stands at its destination in the last step
    expect(scenes, ANL_BUFFERLESS_ON_TIME, 9, 5 * PORTS + T);
}

// b turns south at once.
static void a_second_bend_is_seen(void **state)
{
    (void)state;
    struct scene scenes[STEPS];
    play(scenes);
    *standing(&scenes[6], 1, 0, 5) = flit(1 * PORTS + 2, 1, 0);
    expect(scenes, ANL_BUFFERLESS_ONE_BEND, 6, 1 * PORTS + 2);
    play(scenes);
    *standing(&scenes[2], 0, 0, 0) = flit(0 * PORTS + 2, 0, 0);  // away from the row
    expect(scenes, ANL_BUFFERLESS_ONE_BEND, 2, 0 * PORTS + 2);
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    struct anl_bufferless_referee *referee;
    assert_int_equal(anl_bufferless_referee_create(0, &referee), ANL_ERR_ARGUMENT);
    assert_null(referee);
    assert_int_equal(anl_bufferless_referee_create(2, &referee), ANL_OK);
    const struct anl_worm bad[] = {
        {.source = 4, .length = 1}, {.destination = 4, .length = 1}, {.destination = 1}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(anl_bufferless_referee_worm(referee, &bad[i]), ANL_ERR_ARGUMENT);
    anl_bufferless_referee_destroy(referee);
}

static void rules_have_names_and_words(void **state)
{
    (void)state;
    for (int rule = ANL_BUFFERLESS_UNKNOWN_FLIT; rule <= ANL_BUFFERLESS_ONE_BEND; rule++) {
        assert_string_equal(anl_rule_name(ANL_RULE_OF(ANL_BUFFERLESS, rule)),
                            anl_bufferless_rule_name((enum anl_bufferless_rule)rule));
        assert_true(strlen(anl_rule_text(ANL_RULE_OF(ANL_BUFFERLESS, rule))) > 15);
    }
    assert_string_equal(anl_rule_name(ANL_RULE_OF(ANL_BUFFERLESS, ANL_BUFFERLESS_ONE_BEND)),
                        "one_bend");
    assert_string_equal(anl_rule_name(ANL_RULE_OF(ANL_BUFFERLESS, ANL_BUFFERLESS_ONE_BEND + 1)),
                        "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_game_is_kept),
        cmocka_unit_test(unknown_flits_are_seen),
        cmocka_unit_test(two_flits_on_a_link_are_seen),
        cmocka_unit_test(a_gap_in_a_worm_is_seen),
        cmocka_unit_test(flits_that_wait_or_get_lost_are_seen),
        cmocka_unit_test(two_arrivals_at_a_node_are_seen),
        cmocka_unit_test(flits_elsewhere_or_missing_at_the_end_are_seen),
        cmocka_unit_test(a_second_bend_is_seen),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(rules_have_names_and_words),
    };
    return cmocka_run_group_tests_name("referee_bufferless", tests, NULL, NULL);
}
