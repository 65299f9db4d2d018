// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis with classes of messages and terminals that refuse (docs/worms.md,
// "Terminals that refuse"): sources of each class, who waits for whom at a terminal, and that a
// cycle which cannot be true is undone.

#include "unit.h"

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

// Two switches in a row. The ejection link of terminal 1 is number 5: port 2 of switch 1.
static struct play begin(uint32_t num_vcs, uint32_t classes,
                         const struct anl_blocking_listener *listener)
{
    struct play play = {.config = {.topology = ANL_MESH,
                                   .k = 2,
                                   .n = 1,
                                   .num_vcs = num_vcs,
                                   .classes = classes,
                                   .reply_queue = 1,
                                   .depth = 4,
                                   .flit_width_bits = 32,
                                   .scan = ANL_ROTATING}};
    assert_int_equal(anl_engine_create(&play.config, &play.net), ANL_OK);
    assert_int_equal(anl_blocking_create(&play.config, listener, &play.blocking), ANL_OK);
    anl_engine_record(play.net, true);
    return play;
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
        size_t count;
        const struct anl_worm *taken = anl_engine_taken(play.net, &count);
        struct anl_worm answered[8];
        assert_true(count <= 8);
        if (count) memcpy(answered, taken, count * sizeof *taken);
        for (size_t i = 0; i < count; i++)
            if (answered[i].role == ANL_REQUEST && ++enqueued)
                enqueue(&play, &(struct anl_worm){.source = answered[i].destination,
                                                  .destination = answered[i].source,
                                                  .length = 5,
                                                  .class_ = 1,
                                                  .role = ANL_REPLY});
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
        cmocka_unit_test(a_wrong_cycle_is_undone),
        cmocka_unit_test(a_worm_of_no_class_is_refused),
    };
    return cmocka_run_group_tests_name("blocking_classes", tests, NULL, NULL);
}
