// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis of wide links (docs/worms.md, "Wide links"), beside the oracle
// (test_blocking_oracle.c): with one lane they are shared links; what cannot be true is refused,
// also where only the other flits of the cycle say so; and the texts.

#include "false_feeds.h"

enum { CYCLES = 60, LATE = 400 };

static struct anl_config mesh(enum anl_credit_return credits, uint32_t num_vcs, uint32_t depth)
{
    return (struct anl_config){.topology = ANL_MESH,
                               .k = 3,
                               .n = 1,
                               .num_vcs = num_vcs,
                               .depth = depth,
                               .flit_width_bits = 64,
                               .arbiter = ANL_ROUND_ROBIN,
                               .credits = credits,
                               .link = ANL_WIDE};
}

// ---------------------------------------------------------------- one lane

static void one_wide_lane_is_a_shared_link(void **state)
{
    (void)state;
    struct anl_config config = mesh(ANL_REGISTERED, 1, 2);
    for (uint64_t cycles = 1; cycles < LATE; cycles += 57) {
        config.link = ANL_WIDE;
        struct worker wide = busy(&config, 5, cycles);
        config.link = ANL_SHARED;
        struct worker shared = busy(&config, 5, cycles);
        const uint32_t worms = (uint32_t)anl_engine_totals(wide.net).enqueued;
        char *const a = all_of(wide.blocking, worms), *const b = all_of(shared.blocking, worms);
        assert_string_equal(a, b);
        free(a);
        free(b);
        worker_destroy(&wide);
        worker_destroy(&shared);
    }
}

// ---------------------------------------------------------------- what cannot be true

static void every_change_is_refused(void **state)
{
    (void)state;
    struct anl_config config = mesh(ANL_REGISTERED, 2, 2);
    change_every_flit(&config, 1, 20, CYCLES);  // port -0 of switch 0 has no link
    config = mesh(ANL_BYPASS, 2, 1);
    change_every_flit(&config, 1, 20, CYCLES);
}

// Returns whether a flit enters the lane in which another one stands at the front, though the lane
// is full.
static bool makes_room(const struct anl_blocking *blocking, const struct fed_cycle *fed,
                       const struct anl_flit *flit)
{
    const struct anl_config *config = anl_blocking_config(blocking);
    for (size_t i = 0; i < fed->num_flits; i++) {
        const uint32_t lane = fed->flits[i].link * config->num_vcs + fed->flits[i].vc;
        const struct anl_buffer at = anl_blocking_buffer(blocking, lane);
        if (at.worm == flit->worm && at.index == flit->index && at.flits == config->depth)
            return true;
    }
    return false;
}

// Returns whether a later worm of the same source begins in this cycle.
static bool leads_others(const struct anl_config *config, const struct fed_cycle *fed,
                         const struct anl_flit *flit)
{
    const struct anl_shape shape = anl_shape_of(config);
    bool leads = false;
    for (size_t i = 0; i < fed->num_flits; i++)
        leads |= fed->flits[i].link == flit->link && fed->flits[i].head &&
                 fed->flits[i].worm > flit->worm;
    return leads && flit->head && flit->link >= shape.switches * shape.ports;
}

// A flit that stays away is refused if, and only if, others cannot move without it.
static void leave_out_every_flit(const struct anl_config *config, uint32_t *room, uint32_t *order)
{
    struct worker worker = busy(config, 3, CYCLES);
    struct anl_flit flits[64];
    for (uint64_t cycle = 20; cycle < CYCLES; cycle++) {
        const struct fed_cycle *fed = &worker.cycles[cycle];
        struct anl_blocking *told = feed_again(&worker, cycle + 1);
        for (size_t i = 0; i < fed->num_flits; i++) {
            memcpy(flits, fed->flits, i * sizeof *flits);
            memcpy(&flits[i], &fed->flits[i + 1], (fed->num_flits - i - 1) * sizeof *flits);
            const bool full = makes_room(told, fed, &fed->flits[i]);
            const bool leads = leads_others(config, fed, &fed->flits[i]);
            *room += full;
            *order += leads;
            assert_int_equal(feed_instead(&worker, cycle, flits, fed->num_flits - 1),
                             full || leads ? ANL_ERR_FORMAT : ANL_OK);
        }
        anl_blocking_destroy(told);
    }
    worker_destroy(&worker);
}

static void what_others_need_cannot_stay_away(void **state)
{
    (void)state;
    struct anl_config config = mesh(ANL_BYPASS, 3, 1);
    uint32_t room = 0, order = 0;
    leave_out_every_flit(&config, &room, &order);
    assert_true(room > 20 && order > 0);
    room = order = 0;
    config = mesh(ANL_REGISTERED, 3, 2);
    leave_out_every_flit(&config, &room, &order);
    assert_true(room == 0 && order > 0);
}

// ---------------------------------------------------------------- names and texts

static void expect_text(const struct anl_blocking *blocking, uint32_t buffer, const char *form,
                        const char *lane)
{
    char text[160], expected[160];
    const uint32_t by =
        anl_blocking_buffer(blocking, anl_blocking_buffer(blocking, buffer).next).worm;
    anl_blocking_text(blocking, buffer, text, sizeof text);
    snprintf(expected, sizeof expected, form, lane, by);
    assert_string_equal(text, expected);
}

// The lane that a head lost is one that it wanted, and that the front of its next buffer took.
static void expect_lost_lane(const struct anl_blocking *blocking, uint32_t buffer)
{
    const struct anl_config *config = anl_blocking_config(blocking);
    const struct anl_buffer at = anl_blocking_buffer(blocking, buffer),
                            next = anl_blocking_buffer(blocking, at.next);
    char lane[96];
    assert_true(at.index == 0 && next.index == 0 && next.wants == at.wants);
    assert_true(at.wants_vcs >> next.took & 1);
    anl_buffer_name(config, next.wants * config->num_vcs + next.took, lane, sizeof lane);
    expect_text(blocking, buffer, "lost %s to worm %u", lane);
}

static void expect_in_order(const struct anl_blocking *blocking, uint32_t buffer)
{
    const struct anl_buffer at = anl_blocking_buffer(blocking, buffer);
    struct anl_life life;
    assert_true(anl_blocking_life(blocking, at.worm, &life));
    assert_int_equal(life.wait, ANL_NOT_YET);
    assert_true(anl_blocking_buffer(blocking, at.next).worm < at.worm);
    expect_text(blocking, buffer, "waits for worm %s%u to begin", "");
}

// Whole worms need so many credits that long ones hold up short ones behind them.
static void texts_say_who_was_first(void **state)
{
    (void)state;
    struct anl_config config = mesh(ANL_REGISTERED, 4, 6);
    config.flow_control = ANL_CUT_THROUGH;
    uint32_t lost = 0, later = 0;
    for (uint64_t cycles = 40; cycles < LATE; cycles += 7) {
        struct worker worker = busy(&config, 9, cycles);
        for (uint32_t i = 0; i < anl_blocking_num_buffers(worker.blocking); i++) {
            const enum anl_wait wait = anl_blocking_buffer(worker.blocking, i).wait;
            if (wait == ANL_LOST_ARBITRATION) expect_lost_lane(worker.blocking, i), lost++;
            if (wait == ANL_NOT_YET) expect_in_order(worker.blocking, i), later++;
        }
        worker_destroy(&worker);
    }
    assert_true(lost > 0 && later > 0);
}

// Three worms of three flits leave T0: two at once, and the third when a sender is free.
static void a_worm_keeps_its_sender_until_its_tail_has_left(void **state)
{
    (void)state;
    const struct anl_config config = mesh(ANL_REGISTERED, 2, 4);
    struct worker worker = worker_create(&config, 1, NULL);
    const uint32_t first = source_of(&config, 0), second = first + 3;
    const uint32_t at_senders[5][2] = {{0, 1}, {0, 1}, {0, 1}, {2, ANL_NOTHING}, {2, ANL_NOTHING}};
    char name[64];
    for (int i = 0; i < 3; i++)
        worker_enqueue(&worker, 0, 2, 3);
    for (int cycle = 0; cycle < 5; cycle++) {
        struct anl_life third;
        worker_step(&worker);
        const struct anl_buffer a = anl_blocking_buffer(worker.blocking, first),
                                b = anl_blocking_buffer(worker.blocking, second);
        assert_int_equal(a.worm, at_senders[cycle][0]);
        assert_int_equal(b.worm, at_senders[cycle][1]);
        assert_true(a.terminal == 0 && b.terminal == 0 && a.vc == 0 && b.vc == 1);
        assert_true(anl_blocking_life(worker.blocking, 2, &third));
        assert_int_equal(third.wait, cycle < 3 ? ANL_QUEUED : ANL_MOVING);
    }
    assert_int_equal(anl_blocking_num_buffers(worker.blocking), first + 2 * 3);
    anl_buffer_name(&config, second, name, sizeof name);
    assert_string_equal(name, "source of T0 sender 1");
    worker_destroy(&worker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_wide_lane_is_a_shared_link),
        cmocka_unit_test(every_change_is_refused),
        cmocka_unit_test(what_others_need_cannot_stay_away),
        cmocka_unit_test(texts_say_who_was_first),
        cmocka_unit_test(a_worm_keeps_its_sender_until_its_tail_has_left),
    };
    return cmocka_run_group_tests_name("blocking_wide", tests, NULL, NULL);
}
