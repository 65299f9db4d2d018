// SPDX-License-Identifier: Apache-2.0
//
// Traces in which one rule is broken by hand, each with the cycle, link and worm that the referee
// must name. The worm of most of them is legal_worms[MESH]: it is number 0, its flit i crosses hop
// j in cycle START + i + j, and its links are T0.inject 80, 0.+0 0, 1.+0 5, 2.+1 12, 6.T 34.

#ifndef REFEREE_VIOLATIONS_H
#define REFEREE_VIOLATIONS_H

#include "referee_legal.h"

#include <string.h>

enum { MESH = 0, DEPTH_1 = 3, CUT_THROUGH = 5, STORE = 6, WRAPS = 10, TIE = 14 };
enum { DIMENSION_ORDER = 16, HYPERCUBE = 20 };

// Returns a legal worm by its name.
static const struct legal_worm *legal_worm_named(const char *name)
{
    for (int i = 0; i < NUM_LEGAL_WORMS; i++)
        if (strcmp(legal_worms[i].name, name) == 0) return &legal_worms[i];
    fail_msg("there is no legal worm %s", name);
    return NULL;
}

// The worm waits for 20 cycles in the lane at the end of link 5.
static void stop_in_switch_2(struct trace *trace, uint32_t depth)
{
    add_legal_worm(trace, &legal_worms[MESH], 0, START, 0);
    trace->config.depth = depth;
    for (size_t i = 0; i < trace->num_events; i++)
        if (trace->events[i].flit.link == 12 || trace->events[i].flit.link == 34)
            trace->events[i].cycle += 20;
}

static void mesh(struct trace *trace) { add_legal_worm(trace, &legal_worms[MESH], 0, START, 0); }

static struct event *mesh_flit(struct trace *trace, uint32_t link, uint16_t index)
{
    mesh(trace);
    return find_event(trace, 0, link, index);
}

static void stranger(struct trace *t) { mesh_flit(t, 5, 1)->flit.worm = 9; }
static void stranger_head(struct trace *t) { mesh_flit(t, 80, 0)->flit.worm = 1; }
static void not_created_yet(struct trace *t)
{
    mesh(t);
    t->worms[0].created = START + 1;
}
static void second_not_created_yet(struct trace *t)
{
    mesh(t);
    add_legal_worm(t, &legal_worms[MESH], 1, START + 6, 0);
    t->worms[1].created = START + 7;
}
static void no_such_terminal(struct trace *t)
{
    mesh(t);
    t->worms[0].destination = 16;
}
static void from_no_such_terminal(struct trace *t)
{
    mesh(t);
    t->worms[0].source = 16;
}
static void no_flits(struct trace *t)
{
    mesh(t);
    t->worms[0].length = 0;
}
static void same_number_twice(struct trace *t)
{
    mesh(t);
    add_worm(t, 0, 3, 4, 1, START + 1);
}

static void over_the_edge(struct trace *t) { mesh_flit(t, 0, 0)->flit.link = 15; }
static void behind_the_last_link(struct trace *t) { mesh_flit(t, 5, 2)->flit.link = 96; }
static void no_such_lane(struct trace *t) { mesh_flit(t, 5, 0)->flit.vc = 2; }

static void two_lanes_at_once(struct trace *t)
{
    mesh(t);
    add_legal_worm(t, &legal_worms[MESH], 1, START + 1, 1);
}
static void tail_beside_body(struct trace *t) { mesh_flit(t, 34, 3)->cycle--; }

static void injected_elsewhere(struct trace *t) { mesh_flit(t, 80, 0)->flit.link = 85; }
static void body_injected_elsewhere(struct trace *t) { mesh_flit(t, 80, 2)->flit.link = 85; }
static void from_nowhere(struct trace *t) { mesh_flit(t, 0, 0)->flit.link = 45; }
static void never_injected(struct trace *t)
{
    for (uint16_t i = 0; i < 4; i++) {
        if (i == 0) mesh(t);
        drop_event(t, find_event(t, 0, 80, i));
    }
}
static void tail_not_injected(struct trace *t) { drop_event(t, mesh_flit(t, 80, 3)); }
static void back_where_it_was(struct trace *t)
{
    *mesh_flit(t, 34, 3) = (struct event){START + 7, {0, 0, 3, 0, false, true}};
}

static void head_in_no_time(struct trace *t) { mesh_flit(t, 0, 0)->cycle--; }
static void tail_in_no_time(struct trace *t) { mesh_flit(t, 12, 3)->cycle++; }
static void body_in_no_time(struct trace *t)
{
    add_legal_worm(t, &legal_worms[DEPTH_1], 0, START, 0);
    t->config.depth = 2;
    find_event(t, 0, 12, 2)->cycle--;
}

static void swapped(struct trace *t)
{
    mesh_flit(t, 5, 1)->cycle++;
    find_event(t, 0, 5, 2)->cycle--;
}
static void sent_again(struct trace *t) { add_flit(t, START + 4, 80, 0, (mesh(t), t->worms), 1); }
static void head_sent_again(struct trace *t)
{
    add_flit(t, START + 4, 80, 0, (mesh(t), t->worms), 0);
}
static void lost(struct trace *t) { drop_event(t, mesh_flit(t, 0, 1)); }
static void head_lost(struct trace *t)
{
    mesh(t);
    for (size_t i = t->num_events; i-- > 0;)
        if (t->events[i].flit.link != 80 || t->events[i].flit.head) drop_event(t, &t->events[i]);
}
static void made_up(struct trace *t)
{
    mesh(t);
    add_flit(t, START + 4, 80, 0, t->worms, 4)->flit.tail = true;
}
static void made_up_behind_the_tail(struct trace *t)
{
    stop_in_switch_2(t, 8);
    add_flit(t, START + 8, 5, 0, t->worms, 4);
}
static void injected_again(struct trace *t)
{
    stop_in_switch_2(t, 4);
    add_flit(t, START + 10, 80, 0, t->worms, 1);
}
static void after_delivery(struct trace *t) { add_flit(t, 30, 34, 0, (mesh(t), t->worms), 3); }

// Two one-flit worms are in one injection lane, the second on its way to 0.+1. Each leaves in the
// cycle given.
static void two_in_a_lane(struct trace *t, uint64_t first_leaves, uint64_t second_leaves)
{
    t->config = legal_worms[MESH].config;
    add_worm(t, 0, 0, 6, 1, START);
    add_worm(t, 1, 0, 4, 1, START);
    add_flit(t, START, 80, 0, &t->worms[0], 0);
    add_flit(t, START + 1, 80, 0, &t->worms[1], 0);
    add_flit(t, first_leaves, 0, 0, &t->worms[0], 0);
    add_flit(t, second_leaves, 2, 0, &t->worms[1], 0);
}
static void overtakes(struct trace *t) { two_in_a_lane(t, START + 3, START + 2); }
static void both_leave_at_once(struct trace *t) { two_in_a_lane(t, START + 3, START + 3); }

static void head_unmarked(struct trace *t) { mesh_flit(t, 0, 0)->flit.head = false; }
static void two_heads(struct trace *t) { mesh_flit(t, 12, 2)->flit.head = true; }
static void two_tails(struct trace *t) { mesh_flit(t, 80, 2)->flit.tail = true; }
static void tail_unmarked(struct trace *t) { mesh_flit(t, 34, 3)->flit.tail = false; }
static void head_is_tail(struct trace *t) { mesh_flit(t, 80, 0)->flit.tail = true; }

// The tail of worm 0 comes three cycles late on every link; worm 1 crosses link before it.
static void cut_in(struct trace *t, uint32_t source, uint32_t link, uint64_t cycle)
{
    mesh(t);
    for (size_t i = 0; i < t->num_events; i++)
        if (t->events[i].flit.tail) t->events[i].cycle += 3;
    const size_t w = add_worm(t, 1, source, 6, 2, START);
    if (link != 80 + source) add_flit(t, cycle - 1, 80 + source, 0, &t->worms[w], 0);
    add_flit(t, cycle, link, 0, &t->worms[w], 0);
}
static void cut_in_at_injection(struct trace *t) { cut_in(t, 0, 80, START + 4); }
static void cut_in_on_the_way(struct trace *t) { cut_in(t, 2, 12, START + 6); }

static void changes_lane(struct trace *t) { mesh_flit(t, 5, 2)->flit.vc = 1; }
static void changes_injection_lane(struct trace *t) { mesh_flit(t, 80, 1)->flit.vc = 1; }
static void changes_port(struct trace *t) { mesh_flit(t, 0, 1)->flit.link = 2; }

static void depth_3_for_4_flits(struct trace *t) { stop_in_switch_2(t, 3); }
static void full_rate_at_depth_1(struct trace *t)
{
    struct legal_worm legal = legal_worms[DEPTH_1];
    legal.flit_cycles = 1;
    add_legal_worm(t, &legal, 0, START, 0);
}
// Two one-flit worms reach the ejection lane of switch 6 in successive cycles.
static void full_ejection_lane(struct trace *t)
{
    mesh(t);
    t->num_worms = t->num_events = 0;
    t->config.depth = 1;
    for (uint32_t w = 0; w < 2; w++) {
        add_worm(t, w, 6, 6, 1, START);
        add_flit(t, START + w, 86, (uint8_t)w, &t->worms[w], 0);
        add_flit(t, START + 1 + w, 34, 0, &t->worms[w], 0);
    }
}

static void column_first(struct trace *t) { mesh_flit(t, 0, 0)->flit.link = 2; }
static void past_its_column(struct trace *t) { mesh_flit(t, 12, 0)->flit.link = 10; }
static void wrong_class_before_the_wrap(struct trace *t)
{
    add_legal_worm(t, &legal_worms[WRAPS], 0, START, 0);
    find_event(t, 0, 20, 0)->flit.vc = 1;
}
static void wrong_class_after_the_wrap(struct trace *t)
{
    add_legal_worm(t, &legal_worms[WRAPS], 0, START, 0);
    find_event(t, 0, 0, 0)->flit.vc = 0;
}
static void wrong_side_of_a_tie(struct trace *t)
{
    add_legal_worm(t, &legal_worms[TIE], 0, START, 0);
    find_event(t, 0, 4, 0)->flit.link = 3;
}
static void the_long_way_round(struct trace *t)
{
    add_legal_worm(t, &legal_worms[DIMENSION_ORDER], 0, START, 0);
    find_event(t, 0, 4, 0)->flit.link = 3;
}
static void bit_1_first(struct trace *t)
{
    add_legal_worm(t, &legal_worms[HYPERCUBE], 0, START, 0);
    find_event(t, 0, 20, 0)->flit.link = 21;
}

// Diverts the head of a legal worm, which crosses a link, to another link and lane.
static void divert(struct trace *t, const char *name, uint32_t link, uint32_t to, uint8_t vc)
{
    add_legal_worm(t, legal_worm_named(name), 0, START, 0);
    struct event *event = find_event(t, 0, link, 0);
    event->flit.link = to;
    event->flit.vc = vc;
}
// West comes first: from 10(2,2) to 0(0,0) by -1.
static void west_later(struct trace *t)
{
    struct legal_worm turned = *legal_worm_named("mesh 4x4, negative_first");
    turned.config.routing = ANL_WEST_FIRST;
    turned.hops[1].link = 10 * 5 + 3;
    add_legal_worm(t, &turned, 0, START, 0);
}
// North comes last: from 0(0,0) to 14(2,3) by +1.
static void north_at_once(struct trace *t)
{
    struct legal_worm turned = *legal_worm_named("mesh 4x4, odd_even");
    turned.config.routing = ANL_NORTH_LAST;
    add_legal_worm(t, &turned, 0, START, 0);
}
// The negative direction comes first: from 12(0,3) to 6(2,1) by +0.
static void positive_first(struct trace *t)
{
    struct legal_worm turned = *legal_worm_named("mesh 4x4, north_last");
    turned.config.routing = ANL_NEGATIVE_FIRST;
    turned.hops[1].link = 12 * 5 + 0;
    add_legal_worm(t, &turned, 0, START, 0);
}
// From 9(1,2) to 10(2,2), in the even column of its destination but not in its row.
static void east_too_soon(struct trace *t) { divert(t, "mesh 4x4, odd_even", 47, 9 * 5 + 0, 1); }
static void escapes_elsewhere(struct trace *t) { divert(t, "mesh 4x4, adaptive", 2, 2, 2); }
static void escapes_by_class_1(struct trace *t) { divert(t, "torus 5x5, adaptive", 45, 45, 3); }
static void escapes_by_class_0(struct trace *t) { divert(t, "torus 5x5, adaptive", 25, 25, 2); }
static void away(struct trace *t) { divert(t, "mesh 4x4, adaptive", 20, 4 * 5 + 2 + 1, 0); }

// A second worm follows the first one as many cycles later.
static void follow(struct trace *t, const char *name, uint64_t cycles)
{
    add_legal_worm(t, legal_worm_named(name), 0, START, 0);
    add_legal_worm(t, legal_worm_named(name), 1, START + cycles, 0);
}
// The tail of the first worm is in the first adaptive lane in cycle 14, and leaves it in 15.
static void behind_a_tail(struct trace *t) { follow(t, "mesh 4x4, adaptive", 4); }
static void behind_a_tail_in_a_torus(struct trace *t) { follow(t, "torus 5x5, adaptive", 4); }

// Of class 1, lanes 3 and 4 are atomic.
static void behind_a_tail_of_class_1(struct trace *t)
{
    struct legal_worm second = *legal_worm_named("mesh 4x4, adaptive");
    second.config.num_vcs = 6;
    second.config.classes = 2;
    for (size_t i = 0; i < second.num_hops; i++)
        second.hops[i].vc += 3;
    add_legal_worm(t, &second, 0, START, 0);
    add_legal_worm(t, &second, 1, START + 4, 0);
}

static void class_of_others(struct trace *t)
{
    add_legal_worm(t, legal_worm_named("mesh 4x4, class 1 of 2"), 0, START, 0);
    t->worms[0].class_ = 0;
}
static void class_left_on_the_way(struct trace *t) { divert(t, "torus 5, class 1 of 2", 0, 0, 1); }
static void no_such_class(struct trace *t)
{
    add_legal_worm(t, legal_worm_named("mesh 4x4, class 1 of 2"), 0, START, 0);
    t->worms[0].class_ = 2;
}

static void behind_another_worm(struct trace *t)
{
    add_legal_worm(t, &legal_worms[CUT_THROUGH], 0, START, 0);
    add_legal_worm(t, &legal_worms[CUT_THROUGH], 1, START + 4, 0);
}
static void longer_than_a_lane(struct trace *t)
{
    add_legal_worm(t, &legal_worms[CUT_THROUGH], 0, START, 0);
    t->worms[0].length = 5;
}
static void before_its_tail(struct trace *t)
{
    struct legal_worm legal = legal_worms[STORE];
    legal.hop_cycles = 3;
    add_legal_worm(t, &legal, 0, START, 0);
}
static void cut_through_in_a_storing_switch(struct trace *t)
{
    add_legal_worm(t, &legal_worms[STORE], 0, START, 0);
    find_event(t, 0, 12, 0)->cycle -= 2;
}

static void ejected_at_once(struct trace *t) { mesh_flit(t, 0, 0)->flit.link = 4; }
static void ejected_next_door(struct trace *t) { mesh_flit(t, 12, 0)->flit.link = 14; }

static void tail_never_ejected(struct trace *t) { drop_event(t, mesh_flit(t, 34, 3)); }
static void only_created(struct trace *t)
{
    mesh(t);
    add_worm(t, 1, 7, 3, 5, START);
    add_worm(t, 2, 8, 3, 5, START);
}

static const struct violation {
    const char *name;
    void (*commit)(struct trace *trace);
    enum anl_rule rule;
    uint64_t cycle;
    uint32_t link;
    uint32_t worm;
} violations[] = {
    {"stranger", stranger, ANL_RULE_UNKNOWN_WORM, 13, 5, 9},
    {"stranger head", stranger_head, ANL_RULE_UNKNOWN_WORM, 10, 80, 1},
    {"not created yet", not_created_yet, ANL_RULE_UNKNOWN_WORM, 10, 80, 0},
    {"second not created yet", second_not_created_yet, ANL_RULE_UNKNOWN_WORM, 16, 80, 1},
    {"no such terminal", no_such_terminal, ANL_RULE_UNKNOWN_WORM, 10, 80, 0},
    {"from no such terminal", from_no_such_terminal, ANL_RULE_UNKNOWN_WORM, 10, 96, 0},
    {"no flits", no_flits, ANL_RULE_UNKNOWN_WORM, 10, 80, 0},
    {"same number twice", same_number_twice, ANL_RULE_UNKNOWN_WORM, 11, 83, 0},
    {"over the edge", over_the_edge, ANL_RULE_BAD_LINK, 11, 15, 0},
    {"behind the last link", behind_the_last_link, ANL_RULE_BAD_LINK, 14, 96, 0},
    {"no such lane", no_such_lane, ANL_RULE_BAD_LINK, 12, 5, 0},
    {"two lanes at once", two_lanes_at_once, ANL_RULE_LINK_BUSY, 11, 80, 0},
    {"tail beside body", tail_beside_body, ANL_RULE_LINK_BUSY, 16, 34, 0},
    {"injected elsewhere", injected_elsewhere, ANL_RULE_BROKEN_PATH, 10, 85, 0},
    {"body injected elsewhere", body_injected_elsewhere, ANL_RULE_BROKEN_PATH, 12, 85, 0},
    {"from nowhere", from_nowhere, ANL_RULE_BROKEN_PATH, 11, 45, 0},
    {"never injected", never_injected, ANL_RULE_BROKEN_PATH, 11, 0, 0},
    {"tail not injected", tail_not_injected, ANL_RULE_BROKEN_PATH, 14, 0, 0},
    {"back where it was", back_where_it_was, ANL_RULE_BROKEN_PATH, 17, 0, 0},
    {"head in no time", head_in_no_time, ANL_RULE_TOO_EARLY, 10, 0, 0},
    {"tail in no time", tail_in_no_time, ANL_RULE_TOO_EARLY, 17, 34, 0},
    {"body in no time", body_in_no_time, ANL_RULE_TOO_EARLY, 16, 12, 0},
    {"swapped", swapped, ANL_RULE_OUT_OF_ORDER, 13, 5, 0},
    {"sent again", sent_again, ANL_RULE_OUT_OF_ORDER, 14, 80, 0},
    {"head sent again", head_sent_again, ANL_RULE_OUT_OF_ORDER, 14, 80, 0},
    {"lost", lost, ANL_RULE_OUT_OF_ORDER, 13, 0, 0},
    {"head lost", head_lost, ANL_RULE_OUT_OF_ORDER, 11, 80, 0},
    {"made up", made_up, ANL_RULE_OUT_OF_ORDER, 14, 80, 0},
    {"made up behind the tail", made_up_behind_the_tail, ANL_RULE_OUT_OF_ORDER, 18, 5, 0},
    {"injected again", injected_again, ANL_RULE_OUT_OF_ORDER, 20, 80, 0},
    {"after delivery", after_delivery, ANL_RULE_OUT_OF_ORDER, 30, 34, 0},
    {"overtakes", overtakes, ANL_RULE_OUT_OF_ORDER, 12, 2, 1},
    {"both leave at once", both_leave_at_once, ANL_RULE_OUT_OF_ORDER, 13, 2, 1},
    {"head unmarked", head_unmarked, ANL_RULE_BAD_MARKS, 11, 0, 0},
    {"two heads", two_heads, ANL_RULE_BAD_MARKS, 15, 12, 0},
    {"two tails", two_tails, ANL_RULE_BAD_MARKS, 12, 80, 0},
    {"tail unmarked", tail_unmarked, ANL_RULE_BAD_MARKS, 17, 34, 0},
    {"head is tail", head_is_tail, ANL_RULE_BAD_MARKS, 10, 80, 0},
    {"cut in at injection", cut_in_at_injection, ANL_RULE_LANE_SHARED, 14, 80, 1},
    {"cut in on the way", cut_in_on_the_way, ANL_RULE_LANE_SHARED, 16, 12, 1},
    {"changes lane", changes_lane, ANL_RULE_SPLIT_WORM, 14, 5, 0},
    {"changes injection lane", changes_injection_lane, ANL_RULE_SPLIT_WORM, 11, 80, 0},
    {"changes port", changes_port, ANL_RULE_SPLIT_WORM, 12, 2, 0},
    {"depth 3 for 4 flits", depth_3_for_4_flits, ANL_RULE_OVERFLOW, 15, 5, 0},
    {"full rate at depth 1", full_rate_at_depth_1, ANL_RULE_OVERFLOW, 11, 80, 0},
    {"full ejection lane", full_ejection_lane, ANL_RULE_OVERFLOW, 12, 34, 1},
    {"column first", column_first, ANL_RULE_ILLEGAL_ROUTE, 11, 2, 0},
    {"past its column", past_its_column, ANL_RULE_ILLEGAL_ROUTE, 13, 10, 0},
    {"class before the wrap", wrong_class_before_the_wrap, ANL_RULE_ILLEGAL_ROUTE, 11, 20, 0},
    {"class after the wrap", wrong_class_after_the_wrap, ANL_RULE_ILLEGAL_ROUTE, 12, 0, 0},
    {"wrong side of a tie", wrong_side_of_a_tie, ANL_RULE_ILLEGAL_ROUTE, 11, 3, 0},
    {"the long way round", the_long_way_round, ANL_RULE_ILLEGAL_ROUTE, 11, 3, 0},
    {"bit 1 first", bit_1_first, ANL_RULE_ILLEGAL_ROUTE, 11, 21, 0},
    {"west later", west_later, ANL_RULE_ILLEGAL_ROUTE, 11, 53, 0},
    {"north at once", north_at_once, ANL_RULE_ILLEGAL_ROUTE, 11, 2, 0},
    {"positive first", positive_first, ANL_RULE_ILLEGAL_ROUTE, 11, 60, 0},
    {"east too soon", east_too_soon, ANL_RULE_ILLEGAL_ROUTE, 14, 45, 0},
    {"escapes elsewhere", escapes_elsewhere, ANL_RULE_ILLEGAL_ROUTE, 11, 2, 0},
    {"escapes by class 1", escapes_by_class_1, ANL_RULE_ILLEGAL_ROUTE, 12, 45, 0},
    {"escapes by class 0", escapes_by_class_0, ANL_RULE_ILLEGAL_ROUTE, 13, 25, 0},
    {"away", away, ANL_RULE_ILLEGAL_ROUTE, 12, 23, 0},
    {"behind a tail", behind_a_tail, ANL_RULE_NOT_EMPTY, 15, 2, 1},
    {"behind a tail in a torus", behind_a_tail_in_a_torus, ANL_RULE_NOT_EMPTY, 15, 22, 1},
    {"behind a tail of class 1", behind_a_tail_of_class_1, ANL_RULE_NOT_EMPTY, 15, 2, 1},
    {"class of others", class_of_others, ANL_RULE_WRONG_CLASS, 10, 80, 0},
    {"class left on the way", class_left_on_the_way, ANL_RULE_WRONG_CLASS, 12, 0, 0},
    {"no such class", no_such_class, ANL_RULE_UNKNOWN_WORM, 10, 80, 0},
    {"behind another worm", behind_another_worm, ANL_RULE_NOT_ADMITTED, 14, 80, 1},
    {"longer than a lane", longer_than_a_lane, ANL_RULE_NOT_ADMITTED, 10, 80, 0},
    {"before its tail", before_its_tail, ANL_RULE_NOT_ADMITTED, 13, 0, 0},
    {"cut through, not stored", cut_through_in_a_storing_switch, ANL_RULE_NOT_ADMITTED, 20, 12, 0},
    {"ejected at once", ejected_at_once, ANL_RULE_WRONG_TERMINAL, 11, 4, 0},
    {"ejected next door", ejected_next_door, ANL_RULE_WRONG_TERMINAL, 13, 14, 0},
    {"tail never ejected", tail_never_ejected, ANL_RULE_UNDELIVERED, 1000, 34, 0},
    {"only created", only_created, ANL_RULE_UNDELIVERED, 1000, 87, 1},
};
enum { NUM_VIOLATIONS = sizeof violations / sizeof *violations };

#endif
