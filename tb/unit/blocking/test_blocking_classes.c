// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis with classes of messages and terminals that refuse (docs/worms.md,
// "Terminals that refuse"): sources of each class, who waits for whom at a terminal, that the dead
// never move and all that stand still for good are dead, and that a cycle which cannot be true is
// undone.

#include "unit.h"
#include "unit_draw.h"

#include <annelid/blocking.h>
#include <annelid/engine.h>
#include <annelid/scenario.h>
#include <annelid/workload.h>
#include <stdlib.h>
#include <string.h>

struct play {
    struct anl_config config;
    struct anl_engine *net;
    struct anl_blocking *blocking;
};

static struct play begin_on(const struct anl_config *config,
                            const struct anl_blocking_listener *listener)
{
    struct play play = {.config = *config};
    assert_int_equal(anl_engine_create(&play.config, &play.net), ANL_OK);
    assert_int_equal(anl_blocking_create(&play.config, listener, &play.blocking), ANL_OK);
    anl_engine_record(play.net, true);
    return play;
}

// Two switches in a row. The ejection link of terminal 1 is number 5: port 2 of switch 1.
static struct play begin(uint32_t num_vcs, uint32_t classes,
                         const struct anl_blocking_listener *listener)
{
    const struct anl_config config = {.topology = ANL_MESH,
                                      .k = 2,
                                      .n = 1,
                                      .num_vcs = num_vcs,
                                      .classes = classes,
                                      .reply_queue = 1,
                                      .depth = 4,
                                      .flit_width_bits = 32,
                                      .arbiter = ANL_ROUND_ROBIN};
    return begin_on(&config, listener);
}

static void end(struct play *play)
{
    anl_engine_destroy(play->net);
    anl_blocking_destroy(play->blocking);
}

static uint32_t enqueue(struct play *play, const struct anl_worm *worm)
{
    uint32_t id;
    assert_int_equal(anl_engine_enqueue_worm(play->net, worm, &id), ANL_OK);
    assert_int_equal(anl_blocking_feed_worm(play->blocking, anl_engine_worm(play->net, id), NULL),
                     ANL_OK);
    return id;
}

static void step(struct play *play)
{
    size_t count;
    struct anl_error error = {0};
    const uint64_t now = anl_engine_cycle(play->net);
    anl_engine_step(play->net);
    const struct anl_flit *flits = anl_engine_flits(play->net, &count);
    if (anl_blocking_feed_flits(play->blocking, now, flits, count, &error))
        fail_msg("%s", error.text);
}

static void says(const struct play *play, uint32_t buffer, const char *expected)
{
    char text[256];
    anl_blocking_text(play->blocking, buffer, text, sizeof text);
    assert_string_equal(text, expected);
}

enum { EJECTION = 5, LINKS = 8, TERMINALS = 2 };

static const struct anl_worm request = {
    .source = 0, .destination = 1, .length = 2, .role = ANL_REQUEST};

static void a_lane_waits_for_the_replies(void **state)
{
    (void)state;
    struct play play = begin(2, 2, NULL);
    const uint32_t lane = EJECTION * 2, source = LINKS * 2 + 1 * TERMINALS + 1;
    char name[64];
    anl_buffer_name(&play.config, source, name, sizeof name);
    assert_string_equal(name, "source of T1 class 1");
    assert_int_equal(anl_blocking_num_buffers(play.blocking), LINKS * 2 + 2 * TERMINALS);
    for (uint32_t i = 0; i < 4; i++)
        enqueue(&play, &request);
    while (anl_engine_cycle(play.net) < 20)
        step(&play);
    struct anl_buffer buffer = anl_blocking_buffer(play.blocking, lane);
    assert_int_equal(buffer.wait, ANL_REFUSED);
    assert_int_equal(buffer.worm, 1);
    assert_int_equal(buffer.index, 1);
    assert_int_equal(buffer.flits, 4);
    assert_int_equal(buffer.terminal, 1);
    assert_int_equal(buffer.next, ANL_NOTHING);
    says(&play, lane, "refused by T1 until a reply leaves");

    // The tail of the last request, in the lane before, waits for a credit of this lane.
    struct anl_life life;
    assert_true(anl_blocking_life(play.blocking, 3, &life));
    assert_int_equal(life.wait, ANL_NO_CREDIT);
    assert_int_equal(anl_blocking_buffer(play.blocking, life.buffer).next, lane);
    assert_int_equal(anl_blocking_root_blocker(play.blocking, life.buffer), ANL_NOTHING);
    assert_false(anl_blocking_life(play.blocking, 1, &life));  // it is delivered

    // Nobody has created the replies, so nothing is known of when they leave.
    uint32_t *dead;
    size_t count;
    assert_int_equal(anl_blocking_dead(play.blocking, &dead, &count), ANL_OK);
    assert_int_equal(count, 0);
    free(dead);

    const uint32_t reply = enqueue(
        &play, &(struct anl_worm){.source = 1, .length = 3, .class_ = 1, .role = ANL_REPLY});
    step(&play);
    buffer = anl_blocking_buffer(play.blocking, lane);
    assert_int_equal(buffer.next, source);
    assert_int_equal(buffer.distance, 1);
    says(&play, lane, "refused by T1 until a reply leaves, behind worm 4");
    assert_true(anl_blocking_life(play.blocking, 3, &life));
    assert_int_equal(anl_blocking_root_blocker(play.blocking, life.buffer), reply);
    step(&play);
    step(&play);  // the tail of the reply leaves in cycle 22
    assert_int_equal(anl_blocking_buffer(play.blocking, lane).wait, ANL_REFUSED);
    step(&play);
    says(&play, lane, "taken by T1");
    assert_int_equal(anl_blocking_deadlocked(play.blocking), UINT64_MAX);
    end(&play);
}

// A lane that is not shown waits for the one that is.
static void a_lane_waits_for_the_lane_that_is_shown(void **state)
{
    (void)state;
    struct play play = begin(2, 1, NULL);
    const struct anl_worm one = {.source = 0, .destination = 1, .length = 1, .role = ANL_REQUEST};
    for (uint32_t i = 0; i < 3; i++)
        enqueue(&play, &one);
    enqueue(&play, &(struct anl_worm){.source = 1, .destination = 1, .length = 6});
    while (anl_engine_cycle(play.net) < 20)
        step(&play);
    bool refused = false, waits = false;
    for (uint32_t vc = 0; vc < 2; vc++) {
        const struct anl_buffer buffer = anl_blocking_buffer(play.blocking, EJECTION * 2 + vc);
        if (buffer.worm == ANL_NOTHING) continue;
        assert_int_equal(buffer.wait, ANL_REFUSED);
        refused |= buffer.next == ANL_NOTHING;
        waits |= buffer.next == EJECTION * 2 + (1 - vc);
    }
    assert_true(refused && waits);
    end(&play);
}

// Creates the replies to the requests that are taken in this cycle; returns how many there are.
static uint32_t answer(struct play *play, uint16_t length)
{
    struct anl_worm taken[32];
    size_t count;
    uint32_t replies = 0;
    const struct anl_worm *all = anl_engine_taken(play->net, &count);
    assert_true(count <= sizeof taken / sizeof *taken);
    if (count) memcpy(taken, all, count * sizeof *taken);
    for (size_t i = 0; i < count; i++)
        if (taken[i].role == ANL_REQUEST && ++replies)
            enqueue(play, &(struct anl_worm){.source = taken[i].destination,
                                             .destination = taken[i].source,
                                             .length = length,
                                             .class_ = (uint8_t)(play->config.classes - 1),
                                             .role = ANL_REPLY});
    return replies;
}

// --- the time of each worm ---

struct ledger {
    uint64_t delivered;
};

static void book(void *user, const struct anl_life *life)
{
    uint64_t sum = 0;
    for (int wait = 0; wait < ANL_WAITS; wait++)
        sum += life->cycles[wait];
    assert_int_equal(sum, life->delivered - life->worm.created + 1);
    ((struct ledger *)user)->delivered++;
}

static void every_cycle_of_a_worm_is_counted(void **state)
{
    (void)state;
    struct ledger ledger = {0};
    const struct anl_blocking_listener listener = {.delivered = book, .user = &ledger};
    struct play play = begin(4, 2, &listener);
    struct anl_rng rng = anl_rng_seed(6, 0);
    uint64_t enqueued = 0;
    for (uint32_t cycle = 0; cycle < 600; cycle++) {
        enqueued += answer(&play, 5);
        if (cycle < 300 && anl_rng_below(&rng, 3) == 0 && ++enqueued)
            enqueue(&play, &(struct anl_worm){.source = anl_rng_below(&rng, 2),
                                              .destination = anl_rng_below(&rng, 2),
                                              .length = 3,
                                              .role = ANL_REQUEST});
        step(&play);
    }
    while (!anl_engine_idle(play.net))
        step(&play);
    assert_true(enqueued > 100);
    assert_true(ledger.delivered > 100 && ledger.delivered <= enqueued);
    end(&play);
}

// --- the dead ---

enum { RANDOM_RUNS = 2000, CREATION_CYCLES = 60, QUIET = 40, MOST_WORMS = 4096 };

struct random_run {
    struct play play;
    bool dead[MOST_WORMS];
    uint32_t worms, quiet;  // worms created, last cycles in which nothing has moved
    bool closed;            // a deadlock was reported
    uint32_t terminals;     // in its circle
};

static struct anl_config draw_crowded(struct anl_rng *rng)
{
    struct anl_config config = {
        .topology = (enum anl_topology)unit_draw(rng, ANL_MESH, ANL_UNIDIRECTIONAL_TORUS),
        .k = unit_draw(rng, 2, 4),
        .n = unit_draw(rng, 1, 2),
        .classes = unit_draw(rng, 1, 3) == 1 ? unit_draw(rng, 2, 3) : 1,
        .reply_queue = unit_draw(rng, 1, 2),
        .depth = unit_draw(rng, 1, 8),
        .flit_width_bits = 64,
        .arbiter = (enum anl_arbiter)unit_draw(rng, ANL_FIXED, ANL_LAST_ARBITER),
        .stages = unit_draw(rng, 1, 2)};
    if (unit_draw(rng, 0, 2) == 0)
        config.flow_control =
            (enum anl_flow_control)unit_draw(rng, ANL_CUT_THROUGH, ANL_STORE_AND_FORWARD);
    if (config.k == 4) config.n = 1;
    config.num_vcs = config.classes * unit_draw(rng, 1, 2);
    return config;
}

// A terminal that stands between two worms of the circle refuses what is in one of its lanes, and
// the second worm is in front of its replies.
static void ask_for_the_terminal(const struct play *play, uint32_t terminal, uint32_t next)
{
    const struct anl_config *config = &play->config;
    const uint32_t vcs = config->num_vcs, terminals = anl_shape_of(config).terminals;
    bool refuses = false;
    if (terminal == ANL_NOTHING) return;
    assert_true(terminal < terminals);
    for (uint32_t vc = 0; vc < vcs; vc++)
        refuses |=
            anl_blocking_buffer(play->blocking, anl_ejection_link(config, terminal) * vcs + vc)
                .wait == ANL_REFUSED;
    assert_true(refuses);
    const uint32_t source =
        anl_shape_of(config).links * vcs + (anl_num_classes(config) - 1) * terminals + terminal;
    assert_int_equal(anl_blocking_buffer(play->blocking, source).worm, next);
}

// Asks for the dead at the start of the cycle that was run: they must be those that were dead
// before and perhaps others, none of them moves its head or is delivered in this cycle, and the
// deadlock is that of the first cycle that has some.
static void ask_for_the_dead(struct random_run *run)
{
    const struct play *play = &run->play;
    const uint64_t cycle = anl_engine_cycle(play->net) - 1;
    uint32_t *dead, known = 0;
    size_t count;
    assert_int_equal(anl_blocking_dead(play->blocking, &dead, &count), ANL_OK);
    for (size_t i = 0; i < count; i++)
        run->dead[dead[i]] = true;
    free(dead);
    for (uint32_t w = 0; w < run->worms; w++)
        known += run->dead[w];
    assert_int_equal(known, count);
    if (known > 0 && !run->closed) {
        assert_int_equal(anl_blocking_deadlocked(play->blocking), cycle);
        const uint32_t *circle = anl_blocking_circle(play->blocking, &count);
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++) {
            const uint32_t next = circle[(i + 1) % count];
            assert_int_equal(anl_blocking_held_by(play->blocking, circle[i]), next);
            const uint32_t terminal = anl_blocking_circle_terminals(play->blocking)[i];
            ask_for_the_terminal(play, terminal, next);
            run->terminals += terminal != ANL_NOTHING;
        }
    }
    run->closed = known > 0;
    if (!run->closed) assert_int_equal(anl_blocking_deadlocked(play->blocking), UINT64_MAX);
    const struct anl_flit *flits = anl_engine_flits(play->net, &count);
    for (size_t i = 0; i < count; i++)
        assert_false(run->dead[flits[i].worm] && flits[i].head);
    const struct anl_worm *delivered = anl_engine_delivered(play->net, &count);
    for (size_t i = 0; i < count; i++)
        assert_false(run->dead[delivered[i].id]);
}

static void create_some(struct random_run *run, struct anl_rng *rng, uint32_t longest)
{
    struct play *play = &run->play;
    const uint32_t last = anl_shape_of(&play->config).terminals - 1;
    run->worms += answer(play, (uint16_t)unit_draw(rng, 1, longest));
    for (uint32_t t = 0; t <= last && anl_engine_cycle(play->net) < CREATION_CYCLES; t++) {
        if (unit_draw(rng, 0, 4) > 0) continue;
        struct anl_worm worm = {.source = t,
                                .destination = unit_draw(rng, 0, last),
                                .length = (uint16_t)unit_draw(rng, 1, longest),
                                .role = unit_draw(rng, 0, 4) ? ANL_REQUEST : ANL_PLAIN};
        // All but the replies may have any class but theirs, if there is another one.
        if (play->config.classes > 1)
            worm.class_ = (uint8_t)unit_draw(rng, 0, play->config.classes - 2);
        enqueue(play, &worm);
        run->worms++;
    }
    assert_true(run->worms < MOST_WORMS);
}

// Nothing moves any more: all that wait are dead, but for those behind the first worms of sources.
static void all_are_dead(const struct random_run *run)
{
    for (uint32_t w = 0; w < run->worms; w++) {
        struct anl_life life;
        if (!anl_blocking_life(run->play.blocking, w, &life)) continue;
        assert_int_equal(run->dead[w], life.wait != ANL_QUEUED);
    }
}

static void the_dead_are_those_that_never_move_again(void **state)
{
    (void)state;
    static struct random_run run;
    const uint32_t trials = unit_trials(RANDOM_RUNS);
    uint32_t deadlocks = 0, with_terminals = 0;
    for (uint32_t number = 0; number < trials; number++) {
        struct anl_rng rng = anl_rng_seed(61, number);
        const struct anl_config config = draw_crowded(&rng);
        const uint32_t longest = config.flow_control == ANL_WORMHOLE ? 12 : config.depth;
        print_message("run %u: topology %d k %u n %u, %u lanes of %u, %u classes, %u reservations, "
                      "arbiter %d, flow_control %d, stages %u\n",
                      number, (int)config.topology, config.k, config.n, config.num_vcs,
                      config.depth, config.classes, config.reply_queue, (int)config.arbiter,
                      (int)config.flow_control, config.stages);
        run = (struct random_run){.play = begin_on(&config, NULL)};
        while (run.quiet < QUIET) {
            create_some(&run, &rng, longest);
            step(&run.play);
            ask_for_the_dead(&run);
            const struct anl_engine_totals totals = anl_engine_totals(run.play.net);
            run.quiet = totals.moved || totals.taken ? 0 : run.quiet + 1;
        }
        all_are_dead(&run);
        assert_int_equal(run.closed, !anl_engine_idle(run.play.net));
        deadlocks += run.closed;
        with_terminals += run.terminals > 0;
        end(&run.play);
    }
    print_message("%u of %u random runs deadlocked, %u with a terminal in the circle\n", deadlocks,
                  trials, with_terminals);
    assert_true(with_terminals > trials / 50 && with_terminals < deadlocks);
    assert_true(deadlocks >= trials / 4 && deadlocks <= trials * 3 / 4);
}

// --- what cannot be true ---

static void a_wrong_cycle_is_undone(void **state)
{
    (void)state;
    for (uint64_t at = 1; at < 25; at++) {
        struct play play = begin(2, 2, NULL);
        for (uint32_t i = 0; i < 4; i++)
            enqueue(&play, &request);
        while (anl_engine_cycle(play.net) < at) {
            if (anl_engine_cycle(play.net) == 12)
                enqueue(&play, &(struct anl_worm){
                                   .source = 1, .length = 1, .class_ = 1, .role = ANL_REPLY});
            step(&play);
        }
        struct anl_buffer before[LINKS * 2 + 2 * TERMINALS];
        const uint32_t count = anl_blocking_num_buffers(play.blocking);
        for (uint32_t i = 0; i < count; i++)
            before[i] = anl_blocking_buffer(play.blocking, i);
        const struct anl_flit wrong = {.link = EJECTION, .worm = 3, .index = 9};
        assert_int_equal(anl_blocking_feed_flits(play.blocking, at, &wrong, 1, NULL),
                         ANL_ERR_FORMAT);
        for (uint32_t i = 0; i < count; i++) {
            const struct anl_buffer after = anl_blocking_buffer(play.blocking, i);
            assert_int_equal(after.flits, before[i].flits);
            assert_int_equal(after.worm, before[i].worm);
            assert_int_equal(after.wait, before[i].wait);
            assert_int_equal(after.next, before[i].next);
            assert_int_equal(after.took, before[i].took);
            assert_int_equal(after.owner, before[i].owner);
        }
        end(&play);
    }
}

static void a_worm_of_no_class_is_refused(void **state)
{
    (void)state;
    struct play play = begin(2, 2, NULL);
    struct anl_error error;
    const struct anl_worm worm = {.length = 1, .class_ = 2};
    assert_int_equal(anl_blocking_feed_worm(play.blocking, &worm, &error), ANL_ERR_FORMAT);
    assert_string_equal(error.text, "worm 0 has class 2, expected 0..1");
    end(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lane_waits_for_the_replies),
        cmocka_unit_test(a_lane_waits_for_the_lane_that_is_shown),
        cmocka_unit_test(every_cycle_of_a_worm_is_counted),
        cmocka_unit_test(the_dead_are_those_that_never_move_again),
        cmocka_unit_test(a_wrong_cycle_is_undone),
        cmocka_unit_test(a_worm_of_no_class_is_refused),
    };
    return cmocka_run_group_tests_name("blocking_classes", tests, NULL, NULL);
}
