// SPDX-License-Identifier: Apache-2.0
//
// Terminals that refuse against docs/switch.md, "Requests and replies".

#include "unit.h"

#include "compare/terminals.h"

enum { HERE = 5, THERE = 2, VCS = 4 };

struct play {
    struct anl_config config;
    struct terminals terminals;
    struct history history;
    struct worms worms;
    uint64_t cycle;
};

static void create(struct play *play, uint32_t classes, uint32_t reservations)
{
    *play = (struct play){.config = unit_networks[6]};
    play->config.num_vcs = VCS;
    play->config.depth = 4;
    play->config.flit_width_bits = 64;
    play->config.classes = classes;
    play->config.reply_queue = reservations;
    assert_int_equal(terminals_create(&play->terminals, &play->config), ANL_OK);
    assert_int_equal(history_create(&play->history, &play->config), ANL_OK);
    assert_int_equal(worms_create(&play->worms, &play->config), ANL_OK);
}

static void destroy(struct play *play)
{
    terminals_destroy(&play->terminals);
    history_destroy(&play->history);
    worms_destroy(&play->worms);
}

static uint32_t add(struct play *play, enum anl_role role, uint8_t class_, uint16_t length)
{
    const bool reply = role == ANL_REPLY;
    const struct anl_worm worm = {.id = play->worms.count,
                                  .source = reply ? HERE : THERE,
                                  .destination = reply ? THERE : HERE,
                                  .length = length,
                                  .class_ = class_,
                                  .role = (uint8_t)role};
    assert_int_equal(worms_add(&play->worms, &worm), ANL_OK);
    return worm.id;
}

static struct anl_flit flit(const struct play *play, uint32_t link, uint32_t id, uint32_t index,
                            uint8_t vc)
{
    return (struct anl_flit){.link = link,
                             .worm = id,
                             .index = (uint16_t)index,
                             .vc = vc,
                             .head = index == 0,
                             .tail = index + 1u == play->worms.worm[id].worm.length};
}

// Flits that come to the terminal HERE, and that leave it.
static struct anl_flit comes(const struct play *play, uint32_t id, uint32_t index, uint8_t vc)
{
    return flit(play, anl_ejection_link(&play->config, HERE), id, index, vc);
}

static struct anl_flit leaves(const struct play *play, uint32_t id, uint32_t index, uint8_t vc)
{
    return flit(play, anl_injection_link(&play->config, HERE), id, index, vc);
}

// Runs a cycle: the sinks must take what bit c of ready says for class c, and count flits.
static void cycle(struct play *play, uint32_t ready, size_t taken, const struct anl_flit *flits,
                  size_t count)
{
    const uint32_t classes = (1u << play->terminals.classes) - 1;
    terminals_decide(&play->terminals, &play->history, &play->worms);
    assert_int_equal(terminals_ready(&play->terminals, HERE) & classes, ready);
    assert_int_equal(terminals_ready(&play->terminals, THERE) & classes, classes);
    assert_int_equal(terminals_pass(&play->terminals, &play->worms, flits, count), taken);
    history_add(&play->history, play->cycle++, flits, count);
}

static void without_reservations_all_is_taken(void **unused)
{
    (void)unused;
    struct play play;
    create(&play, 2, 0);
    const uint32_t id = add(&play, ANL_PLAIN, 0, 1);
    const struct anl_flit flits[] = {comes(&play, id, 0, 0)};
    assert_false(terminals_refuse(&play.terminals));
    cycle(&play, 3, 0, flits, 1);
    cycle(&play, 3, 0, NULL, 0);
    destroy(&play);
}

// The tail of the second request waits until the tail of the first reply has left, a cycle ago.
static void a_reservation_is_free_after_the_reply(void **unused)
{
    (void)unused;
    struct play play;
    create(&play, 2, 1);
    const uint32_t one = add(&play, ANL_REQUEST, 0, 2), two = add(&play, ANL_REQUEST, 0, 2);
    const uint32_t reply = add(&play, ANL_REPLY, 1, 2);
    cycle(&play, 3, 0, (struct anl_flit[]){comes(&play, one, 0, 0)}, 1);
    cycle(&play, 3, 1, (struct anl_flit[]){comes(&play, one, 1, 0)}, 1);
    cycle(&play, 3, 1, (struct anl_flit[]){comes(&play, two, 0, 1)}, 1);
    assert_int_equal(play.terminals.num_taken, 1);
    assert_int_equal(play.terminals.taken[0].id, one);
    assert_int_equal(play.terminals.reservations[HERE], 1);
    cycle(&play, 3, 1, (struct anl_flit[]){comes(&play, two, 1, 1)}, 1);
    assert_int_equal(play.terminals.num_taken, 0);
    cycle(&play, 2, 0, (struct anl_flit[]){leaves(&play, reply, 0, 2)}, 1);
    cycle(&play, 2, 0, (struct anl_flit[]){leaves(&play, reply, 1, 2)}, 1);
    assert_int_equal(play.terminals.reservations[HERE], 0);
    cycle(&play, 3, 1, NULL, 0);
    assert_int_equal(play.terminals.taken[0].id, two);
    destroy(&play);
}

// A lower lane does not take the place of the one whose flit was refused, and another class goes
// on.
static void a_refused_flit_stays_shown(void **unused)
{
    (void)unused;
    struct play play;
    create(&play, 2, 1);
    const uint32_t one = add(&play, ANL_REQUEST, 0, 1), two = add(&play, ANL_REQUEST, 0, 1);
    const uint32_t low = add(&play, ANL_REPLY, 0, 1), other = add(&play, ANL_REPLY, 1, 1);
    play.worms.worm[low].worm.destination = play.worms.worm[other].worm.destination = HERE;
    play.worms.worm[low].worm.source = play.worms.worm[other].worm.source = THERE;
    cycle(&play, 3, 0, (struct anl_flit[]){comes(&play, one, 0, 1)}, 1);
    cycle(&play, 3, 1, (struct anl_flit[]){comes(&play, two, 0, 1)}, 1);
    cycle(&play, 2, 0, (struct anl_flit[]){comes(&play, low, 0, 0)}, 1);
    cycle(&play, 2, 0, (struct anl_flit[]){comes(&play, other, 0, 3)}, 1);
    cycle(&play, 2, 1, NULL, 0);
    assert_int_equal(play.terminals.sink[HERE * 2].vc, 1);
    cycle(&play, 2, 0, NULL, 0);
    destroy(&play);
}

// Two classes show tails of requests, and one reservation is free: the lower class takes its one.
static void the_lowest_class_gets_the_reservation(void **unused)
{
    (void)unused;
    struct play play;
    create(&play, 2, 1);
    const uint32_t high = add(&play, ANL_REQUEST, 1, 1), low = add(&play, ANL_REQUEST, 0, 2);
    cycle(&play, 3, 0, (struct anl_flit[]){comes(&play, low, 0, 1)}, 1);
    cycle(&play, 3, 1, (struct anl_flit[]){comes(&play, low, 1, 1)}, 1);
    play.terminals.reservations[HERE] = 1;  // both wait
    history_add(&play.history, play.cycle, (struct anl_flit[]){comes(&play, high, 0, 2)}, 1);
    play.terminals.held[HERE * VCS + 2]++;
    cycle(&play, 0, 0, NULL, 0);
    play.terminals.reservations[HERE] = 0;
    cycle(&play, 1, 1, NULL, 0);
    assert_int_equal(play.terminals.taken[0].id, low);
    destroy(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_reservations_all_is_taken),
        cmocka_unit_test(a_reservation_is_free_after_the_reply),
        cmocka_unit_test(a_refused_flit_stays_shown),
        cmocka_unit_test(the_lowest_class_gets_the_reservation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
