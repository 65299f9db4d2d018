// SPDX-License-Identifier: Apache-2.0
//
// The story of blocked worms: directed cases with known causes, and what must hold in every run
// (docs/worms.md).

#include "story_teller.h"

#include <stdio.h>

static const struct anl_config row = {
    .topology = ANL_MESH,
    .k = 3,
    .n = 1,
    .num_vcs = 1,
    .depth = 4,
    .flit_width_bits = 64,
    .routing = ANL_DIMENSION_ORDER,
    .scan = ANL_FIXED,
};
enum { EAST = 0, WEST = 1, HOME = 2 };  // output ports of a row

static void expect_text(const struct teller *teller, uint32_t place, const char *expected)
{
    char text[160];
    anl_story_text(teller->story, place, text, sizeof text);
    assert_string_equal(text, expected);
}

static struct anl_life life_of(const struct teller *teller, uint32_t worm)
{
    struct anl_life life;
    assert_true(anl_story_life(teller->story, worm, &life));
    return life;
}

// ---------------------------------------------------------------- known cases

static struct anl_life last_lives[64];
static void keep_life(void *user, const struct anl_life *life)
{
    (void)user;
    if (life->worm.id < 64) last_lives[life->worm.id] = *life;
}

// The table of docs/switch.md: flits wait for the link in turns, but no leading flit ever does.
static void two_worms_share_a_link(void **state)
{
    (void)state;
    struct anl_config config = row;
    config.num_vcs = config.depth = 2;
    config.scan = ANL_ROTATING;
    const struct anl_story_listener listener = {.delivered = keep_life};
    struct teller teller = teller_create(&config, 0, &listener);
    const uint32_t a = lane_of(&config, 0, EAST, 0), b = injection_lane(&config, 1, 0);

    teller_offer(&teller, 0, 2, 3);
    teller_offer(&teller, 1, 2, 3);
    for (int cycle = 0; cycle < 2; cycle++)
        teller_step(&teller);
    expect_text(&teller, b, "moves to lane 0 of 1(1).+0");
    teller_step(&teller);  // cycle 2
    expect_text(&teller, a, "moves to lane 1 of 1(1).+0");
    expect_text(&teller, b, "lost 1(1).+0 to worm 0");
    assert_int_equal(anl_story_place(teller.story, b).next, a);
    assert_int_equal(anl_story_place(teller.story, b).distance, 1);
    assert_int_equal(anl_story_mover(teller.story, b), 0);
    assert_int_equal(anl_story_place(teller.story, b).since, 2);
    teller_step(&teller);  // cycle 3
    expect_text(&teller, a, "lost 1(1).+0 to worm 1");
    expect_text(&teller, lane_of(&config, 1, EAST, 1), "moves to lane 1 of 2(2).T");
    while (teller.num_cycles < 8)
        teller_step(&teller);
    assert_int_equal(last_lives[0].cycles[ANL_MOVING], 8);
    assert_int_equal(last_lives[1].cycles[ANL_MOVING], 7);
    assert_int_equal(last_lives[0].longest.worm, ANL_NOTHING);
    assert_int_equal(anl_story_totals(teller.story).congestion, 2);
    assert_int_equal(anl_story_totals(teller.story).dilation, 4);
    assert_int_equal(anl_story_totals(teller.story).delivered, 2);
    teller_destroy(&teller);
}

// Worm 0 takes terminal 2 for itself; 1 and 2 come from terminal 1 and wait for it in one lane, 3
// is stuck in the source and 4 behind it.
static void causes_one_behind_the_other(void **state)
{
    (void)state;
    const uint32_t first = lane_of(&row, 1, EAST, 0), second = injection_lane(&row, 1, 0);
    const uint32_t third = source_of(&row, 1);
    struct teller teller = teller_create(&row, 0, NULL);

    teller_offer(&teller, 2, 2, 30);
    teller_step(&teller);
    teller_offer(&teller, 1, 2, 2);
    for (int i = 0; i < 3; i++)
        teller_offer(&teller, 1, 2, 6);
    while (teller.num_cycles < 16)
        teller_step(&teller);
    expect_text(&teller, injection_lane(&row, 2, 0), "moves to lane 0 of 2(2).T");
    expect_text(&teller, lane_of(&row, 2, HOME, 0), "taken by T2");
    expect_text(&teller, first, "waits: lane 0 of 2(2).T held by worm 0");
    expect_text(&teller, second, "waits: no credit for lane 0 of 1(1).+0, behind worm 1");
    expect_text(&teller, third, "waits: no credit for lane 0 of T1.inject, behind worm 2");
    expect_text(&teller, lane_of(&row, 0, EAST, 0), "empty");
    assert_int_equal(anl_story_place(teller.story, third).distance, 3);
    assert_int_equal(anl_story_mover(teller.story, third), 0);

    const struct anl_life one = life_of(&teller, 1), two = life_of(&teller, 2);
    const struct anl_life three = life_of(&teller, 3), four = life_of(&teller, 4);
    assert_int_equal(one.wait, ANL_BOUND_ELSEWHERE);
    assert_int_equal(one.stay.begin, 3);
    assert_int_equal(one.stay.blocker, 0);
    assert_int_equal(one.cycles[ANL_MOVING], 2);
    assert_int_equal(one.cycles[ANL_BOUND_ELSEWHERE], 13);
    assert_int_equal(two.wait, ANL_BEHIND);
    assert_int_equal(two.place, first);
    assert_int_equal(two.stay.blocker, 1);
    assert_int_equal(two.stay.mover, 0);
    assert_int_equal(three.wait, ANL_NO_CREDIT);
    assert_int_equal(three.stay.blocker, 2);
    assert_int_equal(three.num_delays, 1);
    assert_int_equal(three.delays[0].by, 0);
    assert_int_equal(three.delays[0].cycles, three.cycles[ANL_NO_CREDIT]);
    assert_int_equal(four.wait, ANL_QUEUED);
    assert_int_equal(four.cycles[ANL_QUEUED], 15);

    struct anl_run_of_flits runs[4];
    assert_int_equal(anl_story_runs(teller.story, first, runs, 4), 2);
    assert_int_equal(runs[0].worm, 1);
    assert_int_equal(runs[1].worm, 2);
    assert_int_equal(runs[1].first, 0);
    assert_int_equal(runs[1].flits, 2);
    uint32_t body[4] = {0};
    assert_int_equal(anl_story_body(teller.story, 2, body, 4), 2);
    assert_int_equal(body[0], first);
    assert_int_equal(body[1], second);
    teller_destroy(&teller);
}

// A head waits in every switch for its tail, and so for itself.
static void store_and_forward_waits_for_the_tail(void **state)
{
    (void)state;
    struct anl_config config = row;
    config.admission = ANL_STORE_AND_FORWARD;
    const struct anl_story_listener listener = {.delivered = keep_life};
    struct teller teller = teller_create(&config, 0, &listener);

    teller_offer(&teller, 0, 1, 3);
    for (int cycle = 0; cycle < 3; cycle++)
        teller_step(&teller);
    const struct anl_place place = anl_story_place(teller.story, injection_lane(&config, 0, 0));
    assert_int_equal(place.wait, ANL_NOT_YET);
    assert_int_equal(place.next, source_of(&config, 0));
    expect_text(&teller, injection_lane(&config, 0, 0), "waits for its tail");
    const struct anl_life life = life_of(&teller, 0);
    assert_int_equal(life.num_delays, 1);
    assert_int_equal(life.delays[0].by, 0);
    assert_int_equal(life.delays[0].cycles, 2);
    while (teller.num_cycles < 9)
        teller_step(&teller);
    assert_int_equal(last_lives[0].delivered, 8);
    assert_int_equal(last_lives[0].cycles[ANL_NOT_YET], 4);
    assert_int_equal(last_lives[0].cycles[ANL_MOVING], 5);
    teller_destroy(&teller);
}

// Worm 2 finds the lane free, with room for one flit but not for three.
static void cut_through_needs_room_for_all(void **state)
{
    (void)state;
    struct anl_config config = row;
    config.admission = ANL_CUT_THROUGH;
    struct teller teller = teller_create(&config, 0, NULL);

    teller_offer(&teller, 2, 2, 4);
    teller_step(&teller);
    teller_offer(&teller, 1, 2, 3);
    teller_offer(&teller, 1, 2, 3);
    while (teller.num_cycles < 6)
        teller_step(&teller);
    const uint32_t lane = lane_of(&config, 1, EAST, 0);
    assert_int_equal(anl_story_place(teller.story, lane).owner, ANL_NOTHING);
    assert_int_equal(anl_story_place(teller.story, lane).flits, 3);
    expect_text(&teller, injection_lane(&config, 1, 0),
                "waits: no credit for lane 0 of 1(1).+0, behind worm 1");
    assert_int_equal(life_of(&teller, 2).wait, ANL_NO_CREDIT);
    teller_destroy(&teller);
}

// A worm wants the terminal of its own switch and loses it, for hundreds of cycles, to one worm of
// one flit after the other.
static void delays_by_many_are_counted(void **state)
{
    (void)state;
    enum { CYCLES = 420 };
    uint32_t expected[CYCLES] = {0}, kinds = 0;
    struct teller teller = teller_create(&row, 0, NULL);
    for (int i = 0; i < 4; i++)
        teller_offer(&teller, 1, 2, 1);
    teller_step(&teller);
    teller_step(&teller);
    const uint32_t starving = (uint32_t)anl_net_totals(teller.net).offered;
    teller_offer(&teller, 2, 2, 1);
    while (teller.num_cycles < CYCLES) {
        teller_offer(&teller, 1, 2, 1);
        teller_step(&teller);
        const struct anl_life life = life_of(&teller, starving);
        if (life.wait == ANL_MOVING) continue;
        const uint32_t mover = anl_story_mover(teller.story, life.place);
        if (mover != ANL_NOTHING) expected[mover]++;
    }
    const struct anl_life life = life_of(&teller, starving);
    for (uint32_t i = 0; i < CYCLES; i++)
        kinds += expected[i] > 0;
    assert_true(kinds > 300);
    assert_int_equal(life.num_delays, kinds);
    for (size_t i = 0; i < kinds; i++) {
        assert_int_equal(life.delays[i].cycles, expected[life.delays[i].by]);
        assert_true(i == 0 || life.delays[i - 1].by < life.delays[i].by);
    }
    teller_destroy(&teller);
}

// ---------------------------------------------------------------- what holds in every run

struct sums {
    uint64_t stays[ANL_WAITS], lives[ANL_WAITS], delivered;
    uint32_t most_links;
};

static void sum_stay(void *user, const struct anl_stay *stay)
{
    struct sums *sums = user;
    uint64_t cycles = 0;
    for (int i = 0; i < ANL_WAITS; i++) {
        cycles += stay->cycles[i];
        sums->stays[i] += stay->cycles[i];
    }
    assert_int_equal(cycles, stay->end - stay->begin + 1);
    assert_int_equal(stay->cycles[ANL_MOVING] + stay->cycles[ANL_QUEUED], 0);
}

static void sum_life(void *user, const struct anl_life *life)
{
    struct sums *sums = user;
    uint64_t cycles = 0, delays = 0, waits = 0;
    for (int i = 0; i < ANL_WAITS; i++) {
        cycles += life->cycles[i];
        sums->lives[i] += life->cycles[i];
        if (i != ANL_MOVING && i != ANL_QUEUED) waits += life->cycles[i];
    }
    assert_int_equal(cycles, life->delivered - life->worm.created + 1);
    for (size_t i = 0; i < life->num_delays; i++) {
        delays += life->delays[i].cycles;
        assert_true(i == 0 || life->delays[i - 1].by < life->delays[i].by);
    }
    assert_true(delays <= waits);
    assert_true(life->longest.worm == ANL_NOTHING ? waits == 0 : waits > 0);
    assert_int_equal(life->stay.worm, ANL_NOTHING);
    sums->delivered++;
    if (life->links > sums->most_links) sums->most_links = life->links;
}

static void sum_living(void *user, uint32_t worm)
{
    const struct teller *teller = ((void **)user)[0];
    struct sums *sums = ((void **)user)[1];
    const struct anl_life life = life_of(teller, worm);
    if (life.delivered != UINT64_MAX) return;
    uint64_t cycles = 0;
    for (int i = 0; i < ANL_WAITS; i++) {
        cycles += life.cycles[i];
        sums->lives[i] += life.cycles[i];
    }
    assert_int_equal(cycles, teller->num_cycles - life.worm.created);
}

static void expect_sums(struct teller *teller, struct sums *sums)
{
    const struct anl_story_totals totals = anl_story_totals(teller->story);
    uint32_t *heads = calloc(anl_shape_of(&teller->config).links, sizeof *heads), most = 0;
    for (uint64_t t = 0; t < teller->num_cycles; t++)
        for (size_t i = 0; i < teller->cycles[t].num_flits; i++) {
            const struct anl_flit *flit = &teller->cycles[t].flits[i];
            if (flit->head && ++heads[flit->link] > most) most = heads[flit->link];
        }
    free(heads);
    assert_int_equal(totals.congestion, most);
    assert_true(totals.dilation >= sums->most_links);
    assert_int_equal(totals.delivered, sums->delivered);
    assert_int_equal(totals.worms, anl_net_totals(teller->net).offered);

    void *user[] = {teller, sums};
    anl_story_worms(teller->story, sum_living, user);
    assert_int_equal(anl_story_end(teller->story, teller->num_cycles, NULL), ANL_OK);
    for (int i = 0; i < ANL_WAITS; i++) {
        assert_int_equal(totals.cycles[i], sums->lives[i]);
        if (i != ANL_MOVING && i != ANL_QUEUED) assert_int_equal(totals.cycles[i], sums->stays[i]);
    }
}

static bool is_safe(const struct anl_config *config)
{
    return config->topology == ANL_MESH || config->topology == ANL_HYPERCUBE ||
           config->routing == ANL_DATELINE;
}

// The story has a deadlock exactly if a search from nothing finds dead worms.
static void expect_deadlock(const struct teller *teller)
{
    uint32_t *dead;
    size_t count;
    assert_int_equal(anl_story_dead(teller->story, &dead, &count), ANL_OK);
    free(dead);
    assert_true((count > 0) == (anl_story_deadlocked(teller->story) != UINT64_MAX));
}

static struct anl_scenario random_scenario(struct anl_config config, uint32_t variant)
{
    const bool whole = variant % 3 != ANL_WORMHOLE;
    config.depth = whole ? 5 : 1 + variant % 4;
    config.admission = (enum anl_admission)(variant % 3);
    config.scan = (enum anl_scan)(variant / 3 % 4);
    config.flit_width_bits = 64;
    return (struct anl_scenario){
        .network = config,
        .traffic = {.process = ANL_BERNOULLI,
                    .load = 0.1 + 0.2 * (variant % 5),
                    .lengths = {1, 2, whole ? 5 : 12},
                    .num_lengths = 3},
        .run = {.seed = variant, .cycles = 150},
    };
}

static void run_and_sum(const struct anl_config *config, uint32_t variant)
{
    struct anl_scenario scenario = random_scenario(*config, variant);
    struct anl_traffic *traffic;
    struct sums sums = {0};
    const struct anl_story_listener listener = {sum_stay, sum_life, &sums};
    struct teller teller = teller_create(&scenario.network, variant, &listener);
    const bool safe = is_safe(config);
    uint64_t delivered = 0;

    assert_int_equal(anl_traffic_create(&scenario, &traffic), ANL_OK);
    do {
        delivered += teller_step_traffic(&teller, traffic);
        if (!safe || teller.num_cycles % 16 == 0) expect_deadlock(&teller);
    } while (teller.num_cycles < 400 && (teller.num_cycles < scenario.run.cycles ||
                                         delivered < anl_net_totals(teller.net).offered));
    if (safe) assert_true(anl_story_deadlocked(teller.story) == UINT64_MAX);
    expect_sums(&teller, &sums);
    anl_traffic_destroy(traffic);
    teller_destroy(&teller);
}

static void sums_agree_and_deadlocks_are_found(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < UNIT_NUM_NETWORKS; i++)
        for (uint32_t variant = 0; variant < 12; variant++)
            run_and_sum(&unit_networks[i], 12 * i + variant);
}

// One worm after the other at one terminal; another one, worm 0, may wait all the time.
static void pass_by(bool one_waits)
{
    enum { WORMS = 10000, EJECTION = 5, INJECTION = 7 };
    const struct anl_config pair = {
        .topology = ANL_MESH, .k = 2, .n = 1, .num_vcs = 1, .depth = 2, .flit_width_bits = 64};
    const uint32_t first = one_waits;
    struct anl_story *story;
    struct anl_life life;
    assert_int_equal(anl_story_create(&pair, NULL, &story), ANL_OK);
    const struct anl_worm waits = {.destination = 1, .length = 1};
    if (one_waits) assert_int_equal(anl_story_worm(story, &waits, NULL), ANL_OK);
    for (uint32_t t = 0; t < WORMS; t++) {
        const uint32_t id = first + t;
        const struct anl_worm worm = {id, 1, 1, 1, t, 0};
        const struct anl_flit flits[] = {{EJECTION, id - 1, 0, 0, true, true},
                                         {INJECTION, id, 0, 0, true, true}};
        assert_int_equal(anl_story_worm(story, &worm, NULL), ANL_OK);
        assert_int_equal(anl_story_flits(story, t, &flits[t == 0], t == 0 ? 1 : 2, NULL), ANL_OK);
        assert_true(anl_story_life(story, id, &life) && life.worm.created == t);
        assert_int_equal(anl_story_life(story, 0, &life), one_waits || t <= 1);
        if (t > 1) assert_false(anl_story_life(story, id - 2, &life) && id - 2 >= first);
        assert_false(anl_story_life(story, id + 1, &life));
    }
    assert_int_equal(anl_story_totals(story).delivered, WORMS - 1);
    anl_story_destroy(story);
}

static void worms_are_found_by_number(void **state)
{
    (void)state;
    pass_by(false);
    pass_by(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_worms_share_a_link),
        cmocka_unit_test(causes_one_behind_the_other),
        cmocka_unit_test(store_and_forward_waits_for_the_tail),
        cmocka_unit_test(cut_through_needs_room_for_all),
        cmocka_unit_test(delays_by_many_are_counted),
        cmocka_unit_test(sums_agree_and_deadlocks_are_found),
        cmocka_unit_test(worms_are_found_by_number),
    };
    return cmocka_run_group_tests_name("story", tests, NULL, NULL);
}
