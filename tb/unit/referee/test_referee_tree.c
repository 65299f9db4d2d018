// SPDX-License-Identifier: Apache-2.0
//
// The referee in a fat-tree: heads that leave their path at any hop by any other port, and lanes
// that are entered while they are full, registered and chained. Links and paths are as in
// referee_legal.h.

#include "referee_legal.h"

#include <string.h>

enum { UP = 4, PORTS = 6 };

static void expect(const struct trace *trace, const char *name, enum anl_rule rule, uint64_t cycle,
                   uint32_t link, uint32_t worm)
{
    for (int backwards = 0; backwards < 2; backwards++) {
        const struct anl_violation verdict = judge(trace, true, backwards);
        if (verdict.rule != rule || verdict.cycle != cycle || verdict.link != link ||
            verdict.worm != worm)
            fail_msg("%s: expected %s in cycle %lu on link %u by worm %u, not %s: %s", name,
                     anl_rule_name(rule), (unsigned long)cycle, link, worm,
                     anl_rule_name(verdict.rule), verdict.text);
    }
}

// --- ways ---

static bool is_tree(const struct legal_worm *legal)
{
    return legal->config.topology == ANL_FAT_TREE;
}

// Adds the legal worm up to the hop j of the head, which takes another port there.
static void astray(struct trace *trace, const struct legal_worm *legal, size_t j, uint32_t port)
{
    add_legal_worm(trace, legal, 0, START, 0);
    const uint64_t cycle = START + j * legal->hop_cycles;
    for (size_t i = trace->num_events; i-- > 0;) {
        struct event *event = &trace->events[i];
        const bool is_hop = event->flit.link == legal->hops[j].link;
        if (event->cycle > cycle || (event->cycle == cycle && !is_hop))
            drop_event(trace, event);
        else if (is_hop)
            event->flit.link += port - event->flit.link % PORTS;
    }
}

// Returns the rule that a head breaks if it leaves the switch of a hop by port; level is that of
// the switch, and up says whether the head had to go up.
static enum anl_rule expected(const struct legal_worm *legal, size_t level, bool up, uint32_t port)
{
    if (level == legal->config.n && port >= UP) return ANL_RULE_BAD_LINK;
    if (level == 1 && port < UP) return ANL_RULE_WRONG_TERMINAL;
    const bool either =
        legal->config.routing == ANL_UP_DOWN_RANDOM || legal->config.routing == ANL_UP_DOWN_GREEDY;
    if (up && port >= UP && either) return ANL_RULE_NONE;
    return ANL_RULE_ILLEGAL_ROUTE;
}

static void try_port(const struct legal_worm *legal, size_t j, uint32_t port)
{
    const uint32_t link = legal->hops[j].link, at = link - link % PORTS + port;
    const size_t half = legal->num_hops / 2;  // hops 1 to half - 1 go up
    const size_t level = j <= half ? j : legal->num_hops - j;
    const enum anl_rule rule = expected(legal, level, j < half, port);
    struct trace trace = {0};
    astray(&trace, legal, j, port);
    if (rule != ANL_RULE_NONE)
        expect(&trace, legal->name, rule, START + j * legal->hop_cycles, at, 0);
    else
        assert_int_equal(judge(&trace, false, false).rule, ANL_RULE_NONE);
}

// Heads that go up too early, too late, or after down, to the wrong child, or not by their path.
static void every_other_port_is_refused(void **state)
{
    (void)state;
    unsigned tried = 0;
    for (int i = 0; i < NUM_LEGAL_WORMS; i++) {
        if (!is_tree(&legal_worms[i])) continue;
        for (size_t j = 1; j < legal_worms[i].num_hops; j++)
            for (uint32_t port = 0; port < PORTS; port++)
                if (port != legal_worms[i].hops[j].link % PORTS) {
                    try_port(&legal_worms[i], j, port);
                    tried++;
                }
    }
    assert_true(tried >= 100);
}

static void the_other_path_belongs_to_another_worm(void **state)
{
    (void)state;
    for (int i = 0; i < NUM_LEGAL_WORMS; i++) {
        if (!is_tree(&legal_worms[i]) || legal_worms[i].config.n == 1) continue;
        struct trace trace = {0};
        add_legal_worm(&trace, &legal_worms[i], 0, START, 0);
        trace.worms[0].path ^= 1;
        if (legal_worms[i].config.routing != ANL_UP_DOWN_FIXED) {
            expect_legal(&trace, legal_worms[i].name);
            continue;
        }
        expect(&trace, legal_worms[i].name, ANL_RULE_ILLEGAL_ROUTE,
               START + legal_worms[i].hop_cycles, legal_worms[i].hops[1].link, 0);
    }
}

static void both_ways_up_lead_there(void **state)
{
    (void)state;
    const struct legal_worm other = {.config = TREE(2, 1, 2, ANL_UP_DOWN_RANDOM, ANL_WORMHOLE),
                                     .source = 1,
                                     .destination = 14,
                                     .length = 3,
                                     .hop_cycles = 1,
                                     .flit_cycles = 1,
                                     .hops = {{37, 0}, {4, 0}, {4 * 6 + 3, 0}, {3 * 6 + 2, 0}},
                                     .num_hops = 4};
    struct trace trace = {0};
    add_legal_worm(&trace, &other, 0, START, 0);
    expect_legal(&trace, "u0");
}

// --- words ---

static void routes_are_worded_for_people(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t hop;
        uint32_t port;
        const char *text;
    } cases[] = {
        {"fat-tree 3, fixed", 2, 4,
         "cycle 12: flit 0 of worm 0 (5->58, 3 flits) crosses 16(2,0).u0 lane 0, but its route is "
         "16(2,0).u1 lanes 0x1"},
        {"fat-tree 3, greedy, cut_through", 1, 3,
         "cycle 11: flit 0 of worm 0 (5->58, 4 flits) crosses 1(1,1).d3 lane 1, but this is not "
         "its "
         "destination"},
        {"fat-tree 3, greedy, cut_through", 2, 3,
         "cycle 12: flit 0 of worm 0 (5->58, 4 flits) crosses 16(2,0).d3 lane 1, but its route is "
         "16(2,0).u0 lanes 0x7 or 16(2,0).u1 lanes 0x7"},
        {"fat-tree 3, fixed", 3, 5,
         "cycle 13: flit 0 of worm 0 (5->58, 3 flits) crosses 26(3,2).u1 lane 0, but there is no "
         "such link"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int i = 0; i < NUM_LEGAL_WORMS; i++) {
            if (strcmp(legal_worms[i].name, cases[c].name) != 0) continue;
            struct trace trace = {0};
            astray(&trace, &legal_worms[i], cases[c].hop, cases[c].port);
            assert_string_equal(judge(&trace, true, false).text, cases[c].text);
        }
}

static void terminals_are_counted(void **state)
{
    (void)state;
    struct trace trace = {.config = TREE(2, 1, 1, ANL_UP_DOWN_RANDOM, ANL_WORMHOLE)};
    add_worm(&trace, 0, 15, 16, 1, START);
    expect(&trace, "no terminal 16", ANL_RULE_UNKNOWN_WORM, START, 36 + 15, 0);
    trace.worms[0].destination = 15;
    assert_int_equal(judge(&trace, false, false).rule, ANL_RULE_NONE);
}

// --- full lanes ---

// One-flit worms from terminal 1 to 14 with lanes of one flit; worm w crosses hop j in cycle
// cycles[w][j].
static void convoy(struct trace *trace, enum anl_credit_return credits, uint32_t worms,
                   const int *cycles)
{
    static const uint32_t hops[] = {36 + 1, 0 * 6 + 5, 5 * 6 + 3, 3 * 6 + 2};
    *trace = (struct trace){.config = TREE(2, 1, 1, ANL_UP_DOWN_RANDOM, ANL_WORMHOLE)};
    trace->config.credits = credits;
    for (uint32_t w = 0; w < worms; w++) {
        const size_t at = add_worm(trace, w, 1, 14, 1, START);
        for (uint32_t j = 0; j < 4; j++)
            add_flit(trace, (uint64_t)cycles[4 * w + j], hops[j], 0, &trace->worms[at], 0);
    }
}

static void a_chained_lane_is_entered_as_its_front_leaves(void **state)
{
    (void)state;
    // In cycle 13 the up lane is full and its front waits, so worm 2 waits in its own lane.
    static const int cycles[3][4] = {{10, 11, 12, 13}, {11, 12, 14, 15}, {12, 14, 16, 17}};
    struct trace trace;
    convoy(&trace, ANL_BYPASS, 3, *cycles);
    expect_legal(&trace, "bypass");
    convoy(&trace, ANL_REGISTERED, 3, *cycles);
    expect(&trace, "registered", ANL_RULE_OVERFLOW, 11, 36 + 1, 1);
}

static void up_links_are_chained_too(void **state)
{
    (void)state;
    static const int cycles[2][4] = {{10, 11, 13, 14}, {12, 13, 15, 16}};
    struct trace trace;
    convoy(&trace, ANL_BYPASS, 2, *cycles);
    expect_legal(&trace, "bypass");
    convoy(&trace, ANL_REGISTERED, 2, *cycles);
    expect(&trace, "registered", ANL_RULE_OVERFLOW, 13, 5, 1);
}

static void down_and_ejection_links_are_registered(void **state)
{
    (void)state;
    static const int down[2][4] = {{10, 11, 12, 14}, {11, 12, 14, 15}};
    static const int ejection[2][4] = {{10, 11, 12, 14}, {11, 12, 15, 16}};
    struct trace trace;
    convoy(&trace, ANL_BYPASS, 2, *down);
    expect(&trace, "down", ANL_RULE_OVERFLOW, 14, 5 * 6 + 3, 1);
    convoy(&trace, ANL_BYPASS, 2, *ejection);
    expect_legal(&trace, "ejection in time");

    convoy(&trace, ANL_BYPASS, 2, *ejection);
    struct anl_worm *local = &trace.worms[1];
    local->source = 13;  // 3(1,3) d1: on the way to 14 without going up
    trace.num_events = 4;
    add_flit(&trace, 12, 36 + 13, 0, local, 0);
    add_flit(&trace, 15, 3 * 6 + 2, 0, local, 0);
    expect(&trace, "ejection", ANL_RULE_OVERFLOW, 15, 3 * 6 + 2, 1);
}

static void a_full_chained_lane_whose_front_stays_is_full(void **state)
{
    (void)state;
    static const int injection[2][4] = {{10, 12, 13, 14}, {11, 13, 15, 16}};
    static const int up[2][4] = {{10, 11, 13, 14}, {11, 12, 14, 15}};
    struct trace trace;
    convoy(&trace, ANL_BYPASS, 2, *injection);
    expect(&trace, "injection", ANL_RULE_OVERFLOW, 11, 36 + 1, 1);
    convoy(&trace, ANL_BYPASS, 2, *up);
    expect(&trace, "up", ANL_RULE_OVERFLOW, 12, 5, 1);
}

// Neither another worm that leaves the switch nor another flit that enters it makes room.
static void only_its_own_front_makes_room(void **state)
{
    (void)state;
    static const int cycles[2][4] = {{10, 12, 13, 14}, {11, 13, 15, 16}};
    struct trace trace;
    convoy(&trace, ANL_BYPASS, 2, *cycles);
    const size_t w = add_worm(&trace, 2, 2, 3, 1, START);
    add_flit(&trace, 10, 36 + 2, 0, &trace.worms[w], 0);
    add_flit(&trace, 11, 3, 0, &trace.worms[w], 0);
    expect(&trace, "another worm", ANL_RULE_OVERFLOW, 11, 36 + 1, 1);
}

// Lanes have depth 3 and worms 3 flits, so the second head needs all slots. The tail of the first
// worm leaves the injection lane in cycle 13.
static void flow_control_counts_the_slot_that_comes_free(void **state)
{
    (void)state;
    struct legal_worm legal = {.config = TREE(2, 1, 3, ANL_UP_DOWN_RANDOM, ANL_CUT_THROUGH),
                               .source = 1,
                               .destination = 14,
                               .length = 3,
                               .hop_cycles = 1,
                               .flit_cycles = 1,
                               .hops = {{37, 0}, {5, 0}, {33, 0}, {20, 0}},
                               .num_hops = 4};
    for (int credits = ANL_REGISTERED; credits <= ANL_BYPASS; credits++) {
        struct trace trace = {0};
        legal.config.credits = (enum anl_credit_return)credits;
        add_legal_worm(&trace, &legal, 0, START, 0);
        add_legal_worm(&trace, &legal, 1, START + 4, 0);
        expect_legal(&trace, "down link");
    }
    for (int credits = ANL_REGISTERED; credits <= ANL_BYPASS; credits++) {
        struct trace trace = {0};
        legal.config.credits = (enum anl_credit_return)credits;
        add_legal_worm(&trace, &legal, 0, START, 0);
        const size_t w = add_worm(&trace, 1, 1, 14, 3, START);
        add_flit(&trace, START + 3, 37, 0, &trace.worms[w], 0);
        if (credits == ANL_BYPASS)
            assert_int_equal(judge(&trace, false, false).rule, ANL_RULE_NONE);
        else
            expect(&trace, "registered", ANL_RULE_NOT_ADMITTED, START + 3, 37, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_other_port_is_refused),
        cmocka_unit_test(the_other_path_belongs_to_another_worm),
        cmocka_unit_test(both_ways_up_lead_there),
        cmocka_unit_test(routes_are_worded_for_people),
        cmocka_unit_test(terminals_are_counted),
        cmocka_unit_test(a_chained_lane_is_entered_as_its_front_leaves),
        cmocka_unit_test(up_links_are_chained_too),
        cmocka_unit_test(down_and_ejection_links_are_registered),
        cmocka_unit_test(a_full_chained_lane_whose_front_stays_is_full),
        cmocka_unit_test(only_its_own_front_makes_room),
        cmocka_unit_test(flow_control_counts_the_slot_that_comes_free),
    };
    return cmocka_run_group_tests_name("referee_tree", tests, NULL, NULL);
}
