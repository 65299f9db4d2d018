// SPDX-License-Identifier: Apache-2.0
//
// Terminals that refuse (docs/switch.md, "Requests and replies"), played by hand between two
// switches. Then one thing is changed: a flit is sent to a lane that a refusal keeps full, a credit
// comes back for a flit that no sink takes, or a reply is created in another cycle.

#include "referee_play.h"

// The way from terminal 0 to 1, and back. Links 0 to 5 leave the switches (ports +0, -0, T).
static const uint32_t ways[2][3] = {{6, 0, 5}, {7, 4, 2}};
enum { EJECT_1 = 5, INJECT_1 = 7 };

static const struct anl_config row = {.topology = ANL_MESH,
                                      .k = 2,
                                      .n = 1,
                                      .num_vcs = 1,
                                      .depth = 2,
                                      .flit_width_bits = 32,
                                      .reply_queue = 1};

enum { NEVER = 1000 };  // a cycle behind the last one

// Adds a worm with the next number. Returns its number.
static uint32_t create(struct play *play, enum anl_role role, uint32_t source, uint16_t length,
                       uint64_t created)
{
    const uint32_t id = (uint32_t)play->trace.num_worms;
    add_worm(&play->trace, id, source, 1 - source, length, created);
    play->trace.worms[id].role = (uint8_t)role;
    return id;
}

// The flit crosses the three links of its way in the cycles given and is taken in the last one.
// Each credit comes back at once.
static void send(struct play *play, uint32_t id, uint16_t index, uint8_t vc,
                 const uint64_t cycles[4])
{
    const struct anl_worm *worm = &play->trace.worms[id];
    for (size_t hop = 0; hop < 3; hop++) {
        const uint32_t link = ways[worm->source][hop];
        if (cycles[hop] < NEVER) add_flit(&play->trace, cycles[hop], link, vc, worm, index);
        if (cycles[hop + 1] < NEVER) add_credit(play, cycles[hop + 1], link, vc);
    }
}
#define SEND(play, id, index, vc, ...) send(play, id, index, vc, (const uint64_t[4]){__VA_ARGS__})

static void set_class(struct play *play, uint32_t id, uint8_t class_)
{
    play->trace.worms[id].class_ = class_;
}

enum { FIRST, SECOND, BEHIND, LATER, REPLY_1, REPLY_2 };  // worms of crowded()

// Terminal 1 has one reservation, and its lane holds two flits. It takes the first request in cycle
// 13 and refuses the second one in 14 and 15. The tail of the first reply is injected in 15, so the
// second request is taken in 16, and the flit behind it in 17. A fourth flit finds room in 17.
static struct play crowded(void)
{
    struct play play = {.trace = {.config = row}};
    create(&play, ANL_REQUEST, 0, 1, 10);
    create(&play, ANL_REQUEST, 0, 1, 10);
    create(&play, ANL_PLAIN, 0, 1, 10);
    create(&play, ANL_PLAIN, 0, 1, 10);
    create(&play, ANL_REPLY, 1, 1, 13);
    create(&play, ANL_REPLY, 1, 1, 16);
    SEND(&play, FIRST, 0, 0, 10, 11, 12, 13);
    SEND(&play, SECOND, 0, 0, 11, 12, 13, 16);
    SEND(&play, BEHIND, 0, 0, 12, 13, 14, 17);
    SEND(&play, LATER, 0, 0, 13, 14, 17, 18);
    SEND(&play, REPLY_1, 0, 0, 15, 16, 17, 18);
    SEND(&play, REPLY_2, 0, 0, 18, 19, 20, 21);
    return play;
}

// Moves the flit of a one-flit worm on a link, and the credit of the lane that it leaves.
static void move(struct play *play, uint32_t worm, uint32_t link, uint64_t from, uint64_t to,
                 uint32_t left)
{
    find_event(&play->trace, worm, link, 0)->cycle = to;
    find_credit(play, from, left, 0)->cycle = to;
}

// --- one class ---

static void a_request_waits_until_there_is_a_reservation(void **state)
{
    (void)state;
    struct play play = crowded();
    expect_fine(&play);
    expect_legal(&play.trace, "crowded");  // without the cycles in which nothing crosses a link
    find_credit(&play, 18, EJECT_1, 0)->cycle = 25;  // a credit may come late
    expect_fine(&play);
}

static void a_lane_that_a_refusal_keeps_full_takes_no_flit(void **state)
{
    (void)state;
    for (uint64_t early = 15; early < 17; early++) {
        struct play play = crowded();
        move(&play, LATER, EJECT_1, 17, early, 0);
        find_credit(&play, 18, EJECT_1, 0)->cycle = NEVER;
        expect(&play, ANL_RULE_OVERFLOW, early, EJECT_1, "the lane was full");
        assert_int_equal(judge(&play.trace, true, false).rule, ANL_RULE_OVERFLOW);
    }
}

static void a_refused_request_gives_no_credit(void **state)
{
    (void)state;
    for (uint64_t early = 14; early < 16; early++) {
        struct play play = crowded();
        find_credit(&play, 16, EJECT_1, 0)->cycle = early;
        expect(&play, ANL_RULE_EARLY_CREDIT, early, EJECT_1, "1(1).T lane 0 comes back");
    }
}

// The reservation is free in the cycle after that of the tail of the reply.
static void a_reservation_is_taken_until_the_reply_is_gone(void **state)
{
    (void)state;
    struct play play = crowded();
    find_event(&play.trace, REPLY_1, INJECT_1, 0)->cycle = 14;
    expect(&play, ANL_RULE_BAD_REPLY, 15, INJECT_1,
           "cycle 15: a terminal takes the tail of request 1, but in this cycle no reply is "
           "created from terminal 1 to 0");
    play = crowded();
    move(&play, REPLY_1, 4, 16, 17, INJECT_1);
    find_event(&play.trace, REPLY_1, INJECT_1, 0)->cycle = 16;
    expect(&play, ANL_RULE_BAD_REPLY, 16, INJECT_1, "a terminal creates reply 5");
}

static void every_reservation_counts(void **state)
{
    (void)state;
    struct play play = crowded();
    play.trace.config.reply_queue = 2;
    expect(&play, ANL_RULE_BAD_REPLY, 14, INJECT_1, "takes the tail of request 1");
    play.trace.worms[REPLY_2].created = 14;
    expect_fine(&play);
}

// Without a limit, the first two requests are taken in cycles 13 and 14.
static void without_a_limit_replies_come_after_delivery(void **state)
{
    (void)state;
    struct play play = crowded();
    play.trace.config.reply_queue = 0;
    play.trace.worms[REPLY_2].created = 14;
    expect_fine(&play);
    play.trace.worms[REPLY_2].created = 13;
    expect(&play, ANL_RULE_BAD_REPLY, 13, INJECT_1, "creates reply 5");
    play.trace.worms[REPLY_2].created = 15;
    expect(&play, ANL_RULE_BAD_REPLY, 14, INJECT_1, "takes the tail of request 1");
}

static void replies_are_created_when_requests_are_taken(void **state)
{
    (void)state;
    struct play play = crowded();
    play.trace.worms[REPLY_2].created = 15;
    expect(&play, ANL_RULE_BAD_REPLY, 15, INJECT_1,
           "cycle 15: a terminal creates reply 5, but in this cycle it takes no tail of a request "
           "that wants one from terminal 1 to 0");
    play.trace.worms[REPLY_2].created = 17;
    expect(&play, ANL_RULE_BAD_REPLY, 16, INJECT_1, "takes the tail of request 1");
    play = crowded();
    play.trace.worms[REPLY_2].role = ANL_PLAIN;
    expect(&play, ANL_RULE_BAD_REPLY, 16, INJECT_1, "takes the tail of request 1");
    play = crowded();
    play.trace.worms[REPLY_1].source = 0;  // to itself
    expect(&play, ANL_RULE_BAD_REPLY, 13, INJECT_1, "takes the tail of request 0");
    play = crowded();
    play.trace.worms[BEHIND].role = ANL_REPLY;  // from terminal 0, which received nothing
    expect(&play, ANL_RULE_BAD_REPLY, 10, 6, "creates reply 2");
}

// The worms of a run are known in the order of their numbers, which need not be that of cycles.
static void the_first_wrong_reply_is_named(void **state)
{
    (void)state;
    struct play play = crowded();
    create(&play, ANL_REPLY, 1, 1, 48);
    create(&play, ANL_REPLY, 1, 1, 40);
    expect(&play, ANL_RULE_BAD_REPLY, 40, INJECT_1, "creates reply 7");
}

// The cycle in which the last request is taken may have no flit.
static void the_last_reply_is_missed_at_the_end(void **state)
{
    (void)state;
    struct play play = {.trace = {.config = row}};
    create(&play, ANL_REQUEST, 0, 1, 10);
    SEND(&play, 0, 0, 0, 10, 11, 12, 13);
    assert_int_equal(judge(&play.trace, true, false).rule, ANL_RULE_BAD_REPLY);
    assert_int_equal(judge(&play.trace, true, false).cycle, 13);
    create(&play, ANL_REPLY, 1, 1, 13);
    assert_int_equal(judge(&play.trace, false, false).rule, ANL_RULE_NONE);
}

// From cycle 16 to 24 no flit crosses a link, and the lane becomes empty.
static void sinks_take_flits_while_no_link_has_one(void **state)
{
    (void)state;
    struct play play = crowded();
    move(&play, REPLY_1, 2, 17, 31, 4);
    move(&play, REPLY_1, 4, 16, 30, INJECT_1);
    move(&play, LATER, EJECT_1, 17, 25, 0);
    for (uint32_t hop = 0; hop < 3; hop++)
        find_event(&play.trace, REPLY_2, ways[1][hop], 0)->cycle += 20;
    create(&play, ANL_PLAIN, 0, 1, 10);
    SEND(&play, 6, 0, 0, 14, 25, 26, 27);
    assert_int_equal(judge(&play.trace, true, false).rule, ANL_RULE_NONE);
}

// Requests and replies have several flits. The tail of the first request takes the reservation in
// cycle 15. The head of the second one is taken at once, in 16, and its tail waits. The tail of the
// reply is injected in 18, so the reservation is free in 19.
static void the_tail_takes_the_reservation(void **state)
{
    (void)state;
    struct play play = {.trace = {.config = row}};
    create(&play, ANL_REQUEST, 0, 3, 10);
    create(&play, ANL_REQUEST, 0, 2, 10);
    create(&play, ANL_REPLY, 1, 2, 15);
    create(&play, ANL_REPLY, 1, 1, 19);
    for (uint16_t i = 0; i < 3; i++)
        SEND(&play, 0, i, 0, 10u + i, 11u + i, 12u + i, 13u + i);
    SEND(&play, 1, 0, 0, 13, 14, 15, 16);
    SEND(&play, 1, 1, 0, 14, 15, 16, 19);
    SEND(&play, 2, 0, 0, 16, 17, 18, 19);
    SEND(&play, 2, 1, 0, 18, 19, 20, 21);
    SEND(&play, 3, 0, 0, 20, 21, 22, 23);
    expect_fine(&play);

    for (uint64_t early = 17; early < 19; early++) {
        find_credit(&play, 19, EJECT_1, 0)->cycle = early;
        expect(&play, ANL_RULE_EARLY_CREDIT, early, EJECT_1, "flits in the lane: 1");
        find_credit(&play, early, EJECT_1, 0)->cycle = 19;
    }
    play.trace.worms[2].created = 13;
    expect(&play, ANL_RULE_BAD_REPLY, 13, INJECT_1, "creates reply 2");
}

// The reply of the first request is never injected.
static void a_refusal_may_last(void **state)
{
    (void)state;
    struct play play = {.trace = {.config = row}};
    create(&play, ANL_REQUEST, 0, 1, 10);
    create(&play, ANL_REQUEST, 0, 1, 10);
    create(&play, ANL_PLAIN, 0, 1, 10);
    create(&play, ANL_REPLY, 1, 1, 13);
    SEND(&play, 0, 0, 0, 10, 11, 12, 13);
    SEND(&play, 1, 0, 0, 11, 12, 13, NEVER);
    SEND(&play, 2, 0, 0, 12, 13, 14, NEVER);
    expect_fine(&play);  // no credit is due
    add_credit(&play, 40, EJECT_1, 0);
    expect(&play, ANL_RULE_EARLY_CREDIT, 40, EJECT_1, "flits in the lane: 2");
}

// The second request waits in lane 1 from cycle 14 on. A flit comes to lane 0 in 15 and is not
// shown before 17. Then lane 0 comes first, and the third request waits for its reservation until
// 19.
static void a_refused_lane_stays_shown(void **state)
{
    (void)state;
    struct play play = {.trace = {.config = row}};
    play.trace.config.num_vcs = 2;
    create(&play, ANL_REQUEST, 0, 1, 10);
    create(&play, ANL_REQUEST, 0, 1, 10);
    create(&play, ANL_PLAIN, 0, 1, 10);
    create(&play, ANL_REQUEST, 0, 1, 10);
    create(&play, ANL_REPLY, 1, 1, 13);
    create(&play, ANL_REPLY, 1, 1, 16);
    create(&play, ANL_REPLY, 1, 1, 19);
    SEND(&play, 0, 0, 1, 10, 11, 12, 13);
    SEND(&play, 1, 0, 1, 11, 12, 13, 16);
    SEND(&play, 2, 0, 0, 12, 13, 14, 17);
    SEND(&play, 3, 0, 1, 13, 14, 15, 19);
    SEND(&play, 4, 0, 0, 15, 16, 17, 18);
    SEND(&play, 5, 0, 0, 18, 19, 20, 21);
    SEND(&play, 6, 0, 0, 20, 21, 22, 23);
    expect_fine(&play);

    for (uint64_t early = 15; early < 17; early++) {
        find_credit(&play, 17, EJECT_1, 0)->cycle = early;
        expect(&play, ANL_RULE_EARLY_CREDIT, early, EJECT_1, "1(1).T lane 0");
        find_credit(&play, early, EJECT_1, 0)->cycle = 17;
    }
    find_credit(&play, 19, EJECT_1, 1)->cycle = 18;
    expect(&play, ANL_RULE_EARLY_CREDIT, 18, EJECT_1, "1(1).T lane 1");
}

// --- two classes ---

// Lane 0 is of class 0, lane 1 of class 1. The second request of class 1 waits from cycle 14 on.
// The flits of class 0 pass it. The reservation that is free in 16 goes to the request of class 0
// that came last, and the next one, free in 18, to the one that waits.
static void sinks_of_classes_refuse_by_themselves(void **state)
{
    (void)state;
    struct play play = {.trace = {.config = row}};
    play.trace.config.num_vcs = play.trace.config.classes = 2;
    create(&play, ANL_REQUEST, 0, 1, 10);
    create(&play, ANL_REQUEST, 0, 1, 10);
    create(&play, ANL_PLAIN, 0, 1, 10);
    create(&play, ANL_REQUEST, 0, 1, 10);
    create(&play, ANL_REPLY, 1, 1, 13);
    create(&play, ANL_REPLY, 1, 1, 16);
    create(&play, ANL_REPLY, 1, 1, 18);
    set_class(&play, 0, 1);
    set_class(&play, 1, 1);
    SEND(&play, 0, 0, 1, 10, 11, 12, 13);
    SEND(&play, 1, 0, 1, 11, 12, 13, 18);
    SEND(&play, 2, 0, 0, 12, 13, 14, 15);
    SEND(&play, 3, 0, 0, 13, 14, 15, 16);
    SEND(&play, 4, 0, 0, 15, 16, 17, 18);
    SEND(&play, 5, 0, 0, 17, 18, 19, 20);
    SEND(&play, 6, 0, 0, 19, 20, 21, 22);
    expect_fine(&play);

    find_credit(&play, 18, EJECT_1, 1)->cycle = 16;
    expect(&play, ANL_RULE_EARLY_CREDIT, 16, EJECT_1, "1(1).T lane 1");
    find_credit(&play, 16, EJECT_1, 1)->cycle = 18;
    find_credit(&play, 16, EJECT_1, 0)->cycle = 15;
    play.trace.config.reply_queue = 8;
    expect(&play, ANL_RULE_BAD_REPLY, 14, INJECT_1, "takes the tail of request 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_waits_until_there_is_a_reservation),
        cmocka_unit_test(a_lane_that_a_refusal_keeps_full_takes_no_flit),
        cmocka_unit_test(a_refused_request_gives_no_credit),
        cmocka_unit_test(a_reservation_is_taken_until_the_reply_is_gone),
        cmocka_unit_test(every_reservation_counts),
        cmocka_unit_test(without_a_limit_replies_come_after_delivery),
        cmocka_unit_test(replies_are_created_when_requests_are_taken),
        cmocka_unit_test(the_first_wrong_reply_is_named),
        cmocka_unit_test(the_last_reply_is_missed_at_the_end),
        cmocka_unit_test(sinks_take_flits_while_no_link_has_one),
        cmocka_unit_test(the_tail_takes_the_reservation),
        cmocka_unit_test(a_refusal_may_last),
        cmocka_unit_test(a_refused_lane_stays_shown),
        cmocka_unit_test(sinks_of_classes_refuse_by_themselves),
    };
    return cmocka_run_group_tests_name("referee sinks", tests, NULL, NULL);
}
