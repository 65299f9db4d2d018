// SPDX-License-Identifier: Apache-2.0
//
// The scenarios of docs/lessons.md show what the page says.

#include "lesson.h"

static uint64_t unblocked(const struct anl_config *config, const struct anl_worm *worm)
{
    const uint64_t links = anl_distance(config, worm->source, worm->destination) + 2u;
    return config->flow_control == ANL_STORE_AND_FORWARD ? links * worm->length
                                                         : links + worm->length - 1;
}

static bool ends_in_a_circle(const struct lesson *lesson, const uint32_t *worms, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (anl_blocking_held_by(lesson->blocking, worms[i]) != worms[(i + 1) % count])
            return false;
    return count > 1;
}

static struct lesson run(const char *name, const char *const *settings)
{
    struct lesson lesson = lesson_load(name, settings);
    lesson_run(&lesson);
    return lesson;
}

static void same_messages(const struct lesson *a, const struct lesson *b)
{
    assert_int_equal(a->scenario.run.seed, b->scenario.run.seed);
    assert_int_equal(a->scenario.num_messages, b->scenario.num_messages);
    for (size_t i = 0; i < a->scenario.num_messages; i++) {
        const struct anl_message *x = &a->scenario.messages[i], *y = &b->scenario.messages[i];
        assert_int_equal(x->cycle, y->cycle);
        assert_int_equal(x->source, y->source);
        assert_int_equal(x->destination, y->destination);
        assert_int_equal(x->length, y->length);
    }
}

// ---------------------------------------------------------------- deadlock and its cure

// Every worm of the circle wants one link, and all lanes of it belong to worms of the circle.
static void every_lane_is_taken_by_the_circle(const struct lesson *lesson)
{
    const uint32_t vcs = lesson->scenario.network.num_vcs;
    size_t count;
    const uint32_t *circle = anl_blocking_circle(lesson->blocking, &count);
    for (size_t i = 0; i < count; i++) {
        struct anl_life life;
        assert_true(anl_blocking_life(lesson->blocking, circle[i], &life));
        assert_int_equal(life.wait, ANL_BOUND_ELSEWHERE);
        const struct anl_buffer buffer = anl_blocking_buffer(lesson->blocking, life.buffer);
        for (uint32_t vc = 0; vc < vcs; vc++) {
            const uint32_t lane = buffer.wants * vcs + vc;
            const uint32_t owner = anl_blocking_buffer(lesson->blocking, lane).owner;
            if (vc == 0) assert_int_equal(owner, circle[(i + 1) % count]);
            assert_int_not_equal(owner, ANL_NOTHING);
            assert_int_not_equal(owner, circle[i]);
        }
    }
}

// In the end a worm has been delivered, or is dead, or is in a queue behind a dead worm.
static void whatever_is_left_is_dead_or_queued(const struct lesson *lesson)
{
    uint32_t *dead;
    size_t count;
    assert_int_equal(anl_blocking_dead(lesson->blocking, &dead, &count), ANL_OK);
    size_t i = 0;
    for (uint32_t id = 0; id < lesson->result.totals.enqueued; id++) {
        struct anl_life life;
        if (id < lesson->num_lives && lesson->lives[id].worm.length) continue;
        assert_true(anl_blocking_life(lesson->blocking, id, &life));
        if (i < count && dead[i] == id)
            i++;
        else
            assert_int_equal(life.wait, ANL_QUEUED);
    }
    assert_int_equal(i, count);
    free(dead);
}

static void deadlocks(const char *name)
{
    struct lesson lesson = run(name, NULL);
    const uint64_t patience = 4 * lesson.scenario.network.depth + 64;
    size_t count;
    const uint32_t *circle = anl_blocking_circle(lesson.blocking, &count);

    assert_int_equal(lesson.result.end, ANL_RUN_STALLED);
    assert_true(anl_blocking_deadlocked(lesson.blocking) + patience < lesson.result.cycles);
    assert_true(ends_in_a_circle(&lesson, circle, count));
    every_lane_is_taken_by_the_circle(&lesson);
    whatever_is_left_is_dead_or_queued(&lesson);
    lesson_free(&lesson);
}

static void delivers_everything(const char *name, const char *const *settings)
{
    struct lesson lesson = run(name, settings);
    assert_int_equal(lesson.result.end, ANL_RUN_COMPLETE);
    assert_true(anl_blocking_deadlocked(lesson.blocking) == UINT64_MAX);
    lesson_free(&lesson);
}

static void a_torus_deadlocks_and_datelines_cure_it(void **state)
{
    (void)state;
    struct lesson ill = lesson_load("lesson_torus_deadlock", NULL);
    struct lesson cured = lesson_load("lesson_torus_dateline", NULL);
    same_messages(&ill, &cured);
    lesson_free(&ill);
    lesson_free(&cured);
    deadlocks("lesson_torus_deadlock");
    delivers_everything("lesson_torus_dateline", NULL);
}

static void it_is_the_rule_that_cures_not_the_lane(void **state)
{
    (void)state;
    const char *const dateline[] = {"switch.routing=dateline", NULL};
    deadlocks("lesson_torus_two_lanes");
    delivers_everything("lesson_torus_two_lanes", dateline);
}

// ---------------------------------------------------------------- head-of-line blocking

enum { HOL_LONG, HOL_BETWEEN, HOL_VICTIM };

static void a_lane_of_its_own_frees_the_victim(void **state)
{
    (void)state;
    struct lesson one = run("lesson_hol_1lane", NULL), four = run("lesson_hol_4lanes", NULL);
    const struct anl_life *victim = &one.lives[HOL_VICTIM], *cured = &four.lives[HOL_VICTIM];
    same_messages(&one, &four);

    for (uint32_t other = 0; other < HOL_VICTIM; other++)
        assert_int_not_equal(one.lives[other].worm.destination, victim->worm.destination);
    assert_true(victim->cycles[ANL_BEHIND] > victim->cycles[ANL_MOVING]);
    assert_int_equal(victim->longest.blocker, HOL_BETWEEN);
    assert_int_equal(victim->longest.root_blocker, HOL_LONG);
    uint64_t by_long = 0, by_all = 0;
    for (size_t i = 0; i < victim->num_delays; i++) {
        by_all += victim->delays[i].cycles;
        if (victim->delays[i].by == HOL_LONG) by_long = victim->delays[i].cycles;
    }
    assert_true(2 * by_long > by_all);

    assert_int_equal(cured->cycles[ANL_BEHIND], 0);
    assert_true(lesson_latency(cured) < unblocked(&four.scenario.network, &cured->worm) + 4);
    assert_true(lesson_latency(victim) > 4 * lesson_latency(cured));
    lesson_free(&one);
    lesson_free(&four);
}

// ---------------------------------------------------------------- tree saturation

enum { TREE_SAMPLE = 50, TREE_SAMPLES = 21, TREE_ROOT = 27 };

struct tree {
    const struct lesson *lesson;
    uint32_t waiting, elsewhere;  // chains that end at the hotspot; other destinations
    uint32_t samples[TREE_SAMPLES];
    uint32_t samples_elsewhere[TREE_SAMPLES];
};

static bool goes_to_the_root(const struct lesson *lesson, uint32_t worm)
{
    struct anl_life life;
    return worm != ANL_NOTHING && anl_blocking_life(lesson->blocking, worm, &life) &&
           life.worm.destination == TREE_ROOT;
}

static void count_if_in_the_tree(void *user, uint32_t worm)
{
    struct tree *tree = user;
    struct anl_life life;
    assert_true(anl_blocking_life(tree->lesson->blocking, worm, &life));
    if (life.wait == ANL_MOVING || life.wait == ANL_QUEUED) return;
    if (!goes_to_the_root(tree->lesson,
                          anl_blocking_root_blocker(tree->lesson->blocking, life.buffer)))
        return;
    tree->waiting++;
    tree->elsewhere += life.worm.destination != TREE_ROOT;
}

static bool sample_the_tree(struct lesson *lesson, const struct anl_engine *net)
{
    struct tree *tree = lesson->user;
    const uint64_t cycle = anl_engine_cycle(net) - 1;
    if (cycle % TREE_SAMPLE || cycle / TREE_SAMPLE >= TREE_SAMPLES) return true;
    tree->lesson = lesson;
    tree->waiting = tree->elsewhere = 0;
    anl_blocking_worms(lesson->blocking, count_if_in_the_tree, tree);
    tree->samples[cycle / TREE_SAMPLE] = tree->waiting;
    tree->samples_elsewhere[cycle / TREE_SAMPLE] = tree->elsewhere;
    return true;
}

static double mean_latency_elsewhere(const struct lesson *lesson)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < lesson->num_lives; i++) {
        const struct anl_life *life = &lesson->lives[i];
        if (!life->worm.length || life->worm.destination == TREE_ROOT) continue;
        sum += (double)lesson_latency(life);
        count++;
    }
    assert_true(count > 500);
    return sum / count;
}

static struct lesson run_with_samples(const char *name, struct tree *tree)
{
    struct lesson lesson = lesson_load(name, NULL);
    lesson.look = sample_the_tree;
    lesson.user = tree;
    lesson_run(&lesson);
    printf("%s: worms in the tree every %d cycles (of them, not going there):", name, TREE_SAMPLE);
    for (size_t i = 0; i < TREE_SAMPLES; i++)
        printf(" %u(%u)", (unsigned)tree->samples[i], (unsigned)tree->samples_elsewhere[i]);
    printf("; mean latency elsewhere %.1f\n", mean_latency_elsewhere(&lesson));
    return lesson;
}

static void a_hotspot_grows_a_tree_that_holds_up_all(void **state)
{
    (void)state;
    struct tree hot = {0}, even = {0};
    struct lesson tree = run_with_samples("lesson_hotspot_tree", &hot);
    struct lesson uniform = run_with_samples("lesson_hotspot_uniform", &even);

    assert_true(tree.scenario.traffic.load <= uniform.scenario.traffic.load);
    assert_true(mean_latency_elsewhere(&tree) > 5 * mean_latency_elsewhere(&uniform));
    assert_true(hot.samples[2] < hot.samples[6]);
    assert_true(hot.samples[6] < hot.samples[18]);
    assert_true(hot.samples_elsewhere[18] > hot.samples[18] / 3);
    for (size_t i = 0; i < TREE_SAMPLES; i++)
        assert_true(even.samples[i] < 5);
    lesson_free(&tree);
    lesson_free(&uniform);
}

// ---------------------------------------------------------------- a worm longer than the network

struct span {
    bool seen;
    size_t buffers;
    uint32_t at_source;
};

// Looks at worm 0 in the cycle in which its head crosses the ejection link.
static bool look_at_the_long_worm(struct lesson *lesson, const struct anl_engine *net)
{
    struct span *span = lesson->user;
    struct anl_life life;
    uint32_t buffers[64];
    (void)net;
    if (span->seen || !anl_blocking_life(lesson->blocking, 0, &life)) return true;
    if (life.links < life.worm.destination % 4 + life.worm.destination / 4 + 2) return true;
    span->seen = true;
    span->buffers = anl_blocking_body(lesson->blocking, 0, buffers, 64);
    const struct anl_buffer source =
        anl_blocking_buffer(lesson->blocking, buffers[span->buffers - 1]);
    assert_int_equal(source.link, ANL_NOTHING);
    span->at_source = source.flits;
    return true;
}

static bool is_delayed_by(const struct anl_life *life, uint32_t worm)
{
    for (size_t i = 0; i < life->num_delays; i++)
        if (life->delays[i].by == worm) return true;
    return false;
}

static void a_long_worm_closes_its_whole_way(void **state)
{
    (void)state;
    struct span span = {0};
    struct lesson lesson = lesson_load("lesson_long_worm", NULL);
    lesson.look = look_at_the_long_worm;
    lesson.user = &span;
    lesson_run(&lesson);
    const struct anl_life *lives = lesson.lives;
    const struct anl_config *config = &lesson.scenario.network;

    assert_true(lives[0].worm.length > lives[0].links * config->depth);
    assert_int_equal(lesson_latency(&lives[0]), unblocked(config, &lives[0].worm));
    assert_true(span.seen);
    assert_true(span.at_source > lives[0].worm.length / 2);
    assert_int_equal(span.buffers, lives[0].links);  // seven lanes and the source queue

    unsigned delayed = 0, through_others = 0, free_ones = 0;
    for (uint32_t id = 1; id < lesson.result.totals.enqueued; id++) {
        const bool alone = lesson_latency(&lives[id]) == unblocked(config, &lives[id].worm);
        assert_int_equal(is_delayed_by(&lives[id], 0), !alone);
        free_ones += alone;
        delayed += !alone;
        through_others += !alone && lives[id].longest.blocker != 0;
    }
    assert_true(delayed >= 3 && through_others >= 1 && free_ones >= 2);
    lesson_free(&lesson);
}

// ---------------------------------------------------------------- the race

enum { RACE_ALONE, RACE_CROSSED, RACE_BYSTANDER = 4, RACE_HELD_UP = 230 };

struct race {
    uint64_t alone, crossed, bystander;  // latencies in cycles
    uint64_t bystander_alone;            // latency by the formula
    uint64_t not_yet;                    // cycles of the racer when it is alone
    size_t lanes;                        // lanes that hold flits of the racer in cycle RACE_HELD_UP
    uint32_t bystander_blocker;
};

static bool look_at_the_racer(struct lesson *lesson, const struct anl_engine *net)
{
    struct race *race = lesson->user;
    uint32_t buffers[64];
    if (anl_engine_cycle(net) - 1 != RACE_HELD_UP) return true;
    const size_t count = anl_blocking_body(lesson->blocking, RACE_CROSSED, buffers, 64);
    for (size_t i = 0; i < count; i++) {
        const struct anl_buffer buffer = anl_blocking_buffer(lesson->blocking, buffers[i]);
        race->lanes += buffer.link != ANL_NOTHING && buffer.flits > 0;
    }
    return true;
}

static struct race run_race(const char *name, const char *const *settings)
{
    struct race race = {0};
    struct lesson lesson = lesson_load(name, settings);
    lesson.look = look_at_the_racer;
    lesson.user = &race;
    lesson_run(&lesson);
    const struct anl_life *lives = lesson.lives;
    const struct anl_config *config = &lesson.scenario.network;

    race.alone = lesson_latency(&lives[RACE_ALONE]);
    race.crossed = lesson_latency(&lives[RACE_CROSSED]);
    race.bystander = lesson_latency(&lives[RACE_BYSTANDER]);
    race.bystander_alone = unblocked(config, &lives[RACE_BYSTANDER].worm);
    race.bystander_blocker = lives[RACE_BYSTANDER].longest.blocker;
    race.not_yet = lives[RACE_ALONE].cycles[ANL_NOT_YET];
    assert_int_equal(race.alone, unblocked(config, &lives[RACE_ALONE].worm));
    assert_true(race.crossed > race.alone);
    printf("%s, depth %u: alone %u, crossed %u over %u lanes, bystander %u\n", name, config->depth,
           (unsigned)race.alone, (unsigned)race.crossed, (unsigned)race.lanes,
           (unsigned)race.bystander);
    lesson_free(&lesson);
    return race;
}

static void store_and_forward_pays_at_every_link(void **state)
{
    (void)state;
    enum { D = 8, L = 16 };
    const struct race race = run_race("lesson_race_store_and_forward", NULL);
    assert_int_equal(race.alone, D * L);
    assert_int_equal(race.not_yet, (D - 1) * (L - 1));
    assert_int_equal(run_race("lesson_race_wormhole", NULL).alone, D + L - 1);
    assert_int_equal(run_race("lesson_race_cut_through", NULL).alone, D + L - 1);
}

static void a_wormhole_that_is_held_up_holds_up_others(void **state)
{
    (void)state;
    const char *const deep[] = {"switch.depth=16", NULL};
    const struct race wormhole = run_race("lesson_race_wormhole", NULL);
    const struct race cut = run_race("lesson_race_cut_through", NULL);
    const struct race deep_wormhole = run_race("lesson_race_wormhole", deep);

    assert_int_equal(wormhole.lanes, 4);
    assert_true(wormhole.bystander > wormhole.bystander_alone);
    assert_int_equal(wormhole.bystander_blocker, RACE_CROSSED);
    assert_int_equal(cut.lanes, 1);
    assert_int_equal(cut.bystander, cut.bystander_alone);
    assert_int_equal(deep_wormhole.lanes, 1);
    assert_int_equal(deep_wormhole.bystander, deep_wormhole.bystander_alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_torus_deadlocks_and_datelines_cure_it),
        cmocka_unit_test(it_is_the_rule_that_cures_not_the_lane),
        cmocka_unit_test(a_lane_of_its_own_frees_the_victim),
        cmocka_unit_test(a_hotspot_grows_a_tree_that_holds_up_all),
        cmocka_unit_test(a_long_worm_closes_its_whole_way),
        cmocka_unit_test(store_and_forward_pays_at_every_link),
        cmocka_unit_test(a_wormhole_that_is_held_up_holds_up_others),
    };
    return cmocka_run_group_tests_name("lessons", tests, NULL, NULL);
}
