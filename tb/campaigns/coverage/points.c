// SPDX-License-Identifier: Apache-2.0
//
// Names of the points. All points of a group have one meaning.

#include "points.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const lane_counts[LANE_COUNTS] = {"1", "2", "4", "8"};
static const char *const directions[DIRECTIONS] = {"torus+", "torus-", "oneway"};
static const char *const lengths[LENGTHS] = {"one_flit", "depth", "longer"};
static const char *const ups[UPS] = {"fixed.u0",  "fixed.u1",  "random.u0",
                                     "random.u1", "greedy.u0", "greedy.u1"};

static const char *const special_words[SPECIAL_WORDS] = {
    "deadbeef", "cafebabe", "baadf00d", "feedface", "deadc0de", "0badcafe", "c0ffee00", "facefeed",
    "12345678", "87654321", "01234567", "89abcdef", "aaaaaaaa", "55555555", "cccccccc", "33333333",
    "f0f0f0f0", "0f0f0f0f", "ff00ff00", "00ff00ff", "ffff0000", "0000ffff", "7fffffff", "80000000",
    "7f800000", "3f800000", "7fc00000", "00010001", "01010101", "80808080", "20202020", "0a0d0a0d",
};

// A group: the points from `first` on, whose names are the group's name and the words of their
// indices.
static const struct group {
    uint32_t first;
    const char *name, *meaning;
} groups[] = {
    {BLOCKED, "blocked",
     "the front flit of a switch's lane is blocked: arbiter, cause, lanes of a link"},
    {LOST_OFFER, "lost_offer", "it lost to another lane of its input port: arbiter"},
    {LOST_GRANT, "lost_grant", "it lost to another input port: arbiter"},
    {DELIVERED, "delivered", "a worm of 1 flit, of as many as a lane holds, of more: flow_control"},
    {BACK_TO_BACK, "back_to_back",
     "a head enters a lane in the cycle after another worm's tail: flow_control"},
    {NEXT_LANE, "next_lane",
     "a head enters a lane in the cycle after a tail entered another one of the same link"},
    {BIND_AND_UNBIND, "bind_and_unbind", "a head binds and a tail unbinds in one switch and cycle"},
    {PUSH_EMPTY, "push_empty",
     "a flit enters an empty lane (depth 2 or more, as all up to pop_full)"},
    {PUSH_FILLS, "push_fills", "a flit takes the last slot of a lane"},
    {POP_LAST, "pop_last", "the only flit of a lane leaves, none enters"},
    {POP_FULL, "pop_full", "a flit leaves a full lane, none enters"},
    {PUSH_POP_ONE, "push_pop_one", "the only flit of a lane leaves and another enters"},
    {CHAINED_INJECTION, "chained_injection",
     "a flit enters a full lane in the cycle in which one leaves: injection link"},
    {CHAINED_UP, "chained_up", "the same: up link of a fat-tree"},
    {CREDIT_ZERO, "credit_zero", "an output lane has no credit"},
    {CREDIT_ALL_CREDITS, "credit_home", "the last credit of an output lane comes home"},
    {ALL_BOUND, "all_bound", "all lanes of an input port are bound: lanes"},
    {ALL_OWNED, "all_owned", "all lanes of an output port have an owner: lanes"},
    {ALL_REQUEST, "all_request", "every input port of a switch has a flit for one output: lanes"},
    {TAKE_EMPTY, "take_empty", "a head takes an empty lane, a lower one that it could take is not"},
    {TAKE_NOT_EMPTY, "take_not_empty", "a head takes a lane that is not empty"},
    {IN_POINTER, "in_pointer", "the pointer of an input port comes round to 0"},
    {OUT_POINTER, "out_pointer", "the pointer of an output port comes round to 0"},
    {RANK_WRAPS, "stamp_wraps",
     "oldest: the worms stand on both sides of a multiple of 2^16 cycles"},
    {FARTHEST_WINS, "farthest_wins", "farthest: the winner comes from farther"},
    {FARTHEST_TIE, "farthest_tie", "farthest: both come equally far"},
    {AHEAD, "dateline_ahead", "a head takes a lane of class 0 on a link that does not wrap"},
    {CROSSES, "dateline_crosses", "a head takes a lane of class 0 on the link that wraps"},
    {BEYOND, "dateline_beyond", "a head takes a lane of class 1 behind it"},
    {NEVER, "dateline_never", "a head takes a lane of class 1, without such a link on its way"},
    {HALF_EVEN, "half_way.even", "half way round a torus, from an even coordinate"},
    {HALF_ODD, "half_way.odd", "half way round a torus, from an odd coordinate"},
    {UP, "up", "a head takes an up link of a fat-tree: routing, link"},
    {UP_BOTH, "up_greedy_both", "two heads take both up links of a switch in one cycle"},
    {DEADLOCK, "deadlock", "a deadlock closes"},
    {DATA_BIT, "data_bit",
     "a data bit has been 0 and 1 on every link that 64 body flits without a special pattern "
     "crossed: bit"},
    {SPECIAL_ZEROS, "special_zeros", "all data bits of a body flit are 0"},
    {SPECIAL_ONES, "special_ones", "all data bits of a body flit are 1"},
    {SPECIAL_ONE_BIT, "special_one_bit", "a bit of a body flit is unlike all others"},
    {SPECIAL_SMALL, "special_small", "the bits of a body flit above the lowest 8 are all equal"},
    {SPECIAL_WORD, "special_word", "the data of a body flit are one word over and over: word"},
};

static const struct group *group_of(uint32_t point)
{
    size_t i = sizeof groups / sizeof *groups - 1;
    while (groups[i].first > point)
        i--;
    return &groups[i];
}

uint32_t special_word(uint32_t i) { return (uint32_t)strtoul(special_words[i], NULL, 16); }

const char *point_meaning(uint32_t point) { return group_of(point)->meaning; }

static void blocked_name(uint32_t i, char *name, size_t size)
{
    snprintf(name, size, "blocked.%s.%s.%s",
             anl_arbiter_name((enum anl_arbiter)(i / LANE_COUNTS / CAUSES)),
             anl_wait_name((enum anl_wait)(ANL_BOUND_ELSEWHERE + i / LANE_COUNTS % CAUSES)),
             lane_counts[i % LANE_COUNTS]);
}

static bool delivered_name(uint32_t i, char *name, size_t size)
{
    const enum anl_flow_control flow_control = (enum anl_flow_control)(i / LENGTHS);
    snprintf(name, size, "delivered.%s.%s", anl_flow_control_name(flow_control),
             lengths[i % LENGTHS]);
    return flow_control == ANL_WORMHOLE || i % LENGTHS != 2;  // other worms must fit in a lane
}

bool point_name(uint32_t point, char *name, size_t size)
{
    const struct group *group = group_of(point);
    const uint32_t i = point - group->first;
    const char *word = NULL;
    char number[16];
    switch (group->first) {
    case BLOCKED:
        blocked_name(i, name, size);
        return true;
    case DELIVERED:
        return delivered_name(i, name, size);
    case LOST_OFFER:
    case LOST_GRANT:
        word = anl_arbiter_name((enum anl_arbiter)i);
        break;
    case BACK_TO_BACK:
        word = anl_flow_control_name((enum anl_flow_control)i);
        break;
    case ALL_BOUND:
    case ALL_OWNED:
    case ALL_REQUEST:
        word = lane_counts[i];
        break;
    case AHEAD:
    case CROSSES:
    case BEYOND:
    case NEVER:
        word = directions[i];
        break;
    case UP:
        word = ups[i];
        break;
    case DATA_BIT:
        snprintf(number, sizeof number, "%u", i);
        word = number;
        break;
    case SPECIAL_WORD:
        word = special_words[i];
        break;
    default:
        break;
    }
    snprintf(name, size, "%s%s%s", group->name, word ? "." : "", word ? word : "");
    return true;
}
