// SPDX-License-Identifier: Apache-2.0
//
// Legal worms over every kind of network. Each path was derived by hand from docs/networks.md:
// links are written switch * P + port, the first is the injection link S * P + source.

#ifndef REFEREE_LEGAL_H
#define REFEREE_LEGAL_H

#include "referee_trace.h"

// Versions of clang-format set macros that are braces differently.
// clang-format off
#define NETWORK(topology_, k_, n_, num_vcs_, depth_, routing_, flow_control_)                         \
    {                                                                                              \
        .topology = topology_, .k = k_, .n = n_, .num_vcs = num_vcs_, .depth = depth_,             \
        .flit_width_bits = 64, .routing = routing_, .arbiter = ANL_ROUND_ROBIN, .flow_control = flow_control_  \
    }

#define NETWORK_WITH(topology_, k_, n_, num_vcs_, routing_, ...)                                   \
    {                                                                                              \
        .topology = topology_, .k = k_, .n = n_, .num_vcs = num_vcs_, .depth = 2,                  \
        .flit_width_bits = 64, .routing = routing_, .arbiter = ANL_ROUND_ROBIN, __VA_ARGS__              \
    }
// clang-format on

#define MESH_4X4(num_vcs, depth, flow_control)                                                     \
    NETWORK(ANL_MESH, 4, 2, num_vcs, depth, ANL_DIMENSION_ORDER, flow_control)

// 0(0,0) +0 to 1(1,0), +0 to 2(2,0), +1 to 6(2,1). S = 16, P = 5.
#define MESH_0_TO_6(lane)                                                                          \
    {{80 + 0, lane}, {0 * 5 + 0, lane}, {1 * 5 + 0, lane}, {2 * 5 + 2, lane}, {6 * 5 + 4, lane}}, 5

#define TREE(n, num_vcs, depth, routing, flow_control)                                             \
    NETWORK(ANL_FAT_TREE, 4, n, num_vcs, depth, routing, flow_control)

// Two levels, S = 6, P = 6: 0(1,0) u1 to 5(2,1), d3 to 3(1,3), d2 is terminal 14.
#define TREE_1_TO_14(lane)                                                                         \
    {{36 + 1, lane}, {0 * 6 + 5, lane}, {5 * 6 + 3, lane}, {3 * 6 + 2, lane}}, 4

// Three levels, S = 28, m = 16, 8, 4: 1(1,1) u1 to 16(2,0), u1 to 26(3,2), d3 to 22(2,6), d2 to
// 14(1,14), d2 is terminal 58.
#define TREE_5_TO_58(lane)                                                                         \
    {{168 + 5, lane},    {1 * 6 + 5, lane},  {16 * 6 + 5, lane},                                   \
     {26 * 6 + 3, lane}, {22 * 6 + 2, lane}, {14 * 6 + 2, lane}},                                  \
        6

static const struct legal_worm legal_worms[] = {
    {"mesh 4x4", MESH_4X4(2, 2, ANL_WORMHOLE), 0, 6, 4, 1, 1, MESH_0_TO_6(0)},
    {"mesh 4x4, lane 1, long worm", MESH_4X4(2, 4, ANL_WORMHOLE), 0, 6, 9, 1, 1, MESH_0_TO_6(1)},
    {"mesh 4x4, one-flit worm", MESH_4X4(1, 1, ANL_WORMHOLE), 0, 6, 1, 1, 1, MESH_0_TO_6(0)},
    {"mesh 4x4, depth 1", MESH_4X4(1, 1, ANL_WORMHOLE), 0, 6, 5, 1, 2, MESH_0_TO_6(0)},
    {"mesh 4x4, three cycles a switch", MESH_4X4(1, 4, ANL_WORMHOLE), 0, 6, 5, 3, 1,
     MESH_0_TO_6(0)},
    {"mesh 4x4, cut_through", MESH_4X4(2, 4, ANL_CUT_THROUGH), 0, 6, 4, 1, 1, MESH_0_TO_6(0)},
    {"mesh 4x4, store_and_forward", MESH_4X4(1, 4, ANL_STORE_AND_FORWARD), 0, 6, 4, 4, 1,
     MESH_0_TO_6(0)},
    {"mesh 4x4, store_and_forward, one flit", MESH_4X4(1, 1, ANL_STORE_AND_FORWARD), 0, 6, 1, 1, 1,
     MESH_0_TO_6(0)},
    {"mesh 4x4, to itself",
     MESH_4X4(2, 2, ANL_WORMHOLE),
     9,
     9,
     3,
     1,
     1,
     {{80 + 9, 0}, {9 * 5 + 4, 1}},
     2},
    // 26(2,2,2) -0 25, -0 24(0,2,2), -1 21(0,1,2), -2 12(0,1,1), -2 3(0,1,0). S = 27, P = 7.
    {"mesh 3x3x3",
     NETWORK(ANL_MESH, 3, 3, 1, 2, ANL_DIMENSION_ORDER, ANL_WORMHOLE),
     26,
     3,
     3,
     1,
     1,
     {{189 + 26, 0},
      {26 * 7 + 1, 0},
      {25 * 7 + 1, 0},
      {24 * 7 + 3, 0},
      {21 * 7 + 5, 0},
      {12 * 7 + 5, 0},
      {3 * 7 + 6, 0}},
     7},
    // 4(4,0) +0 over the wrap to 0(0,0), +0 to 1(1,0), -1 over the wrap to 21(1,4). S = 25, P = 5.
    {"torus 5x5, both wraps",
     NETWORK(ANL_TORUS, 5, 2, 2, 2, ANL_DATELINE, ANL_WORMHOLE),
     4,
     21,
     4,
     1,
     1,
     {{125 + 4, 1}, {4 * 5 + 0, 0}, {0 * 5 + 0, 1}, {1 * 5 + 3, 0}, {21 * 5 + 4, 1}},
     5},
    // 23(3,4) -0 to 22(2,4), -1 to 17(2,3): no wrap ahead, class 1.
    {"torus 5x5, minus without wrap",
     NETWORK(ANL_TORUS, 5, 2, 3, 2, ANL_DATELINE, ANL_WORMHOLE),
     23,
     17,
     3,
     1,
     1,
     {{125 + 23, 0}, {23 * 5 + 1, 2}, {22 * 5 + 3, 1}, {17 * 5 + 4, 0}},
     4},
    // Half way round a ring of four: from even c "+", from odd c "-". S = 4, P = 3.
    {"torus 4, tie from 2",
     NETWORK(ANL_TORUS, 4, 1, 2, 2, ANL_DATELINE, ANL_WORMHOLE),
     2,
     0,
     3,
     1,
     1,
     {{12 + 2, 0}, {2 * 3 + 0, 0}, {3 * 3 + 0, 0}, {0 * 3 + 2, 0}},
     4},
    {"torus 4, tie from 0",
     NETWORK(ANL_TORUS, 4, 1, 2, 2, ANL_DATELINE, ANL_WORMHOLE),
     0,
     2,
     3,
     1,
     1,
     {{12 + 0, 0}, {0 * 3 + 0, 1}, {1 * 3 + 0, 1}, {2 * 3 + 2, 0}},
     4},
    {"torus 4, tie from 1",
     NETWORK(ANL_TORUS, 4, 1, 3, 2, ANL_DATELINE, ANL_WORMHOLE),
     1,
     3,
     3,
     1,
     1,
     {{12 + 1, 2}, {1 * 3 + 1, 0}, {0 * 3 + 1, 0}, {3 * 3 + 2, 2}},
     4},
    {"torus 4, tie from 3",
     NETWORK(ANL_TORUS, 4, 1, 3, 2, ANL_DATELINE, ANL_WORMHOLE),
     3,
     1,
     3,
     1,
     1,
     {{12 + 3, 2}, {3 * 3 + 1, 1}, {2 * 3 + 1, 2}, {1 * 3 + 2, 2}},
     4},
    // Any lane is allowed, but the direction is that of the dateline rule.
    {"torus 4, dimension_order",
     NETWORK(ANL_TORUS, 4, 1, 2, 2, ANL_DIMENSION_ORDER, ANL_WORMHOLE),
     1,
     3,
     3,
     1,
     1,
     {{12 + 1, 0}, {1 * 3 + 1, 1}, {0 * 3 + 1, 0}, {3 * 3 + 2, 0}},
     4},
    {"torus 2, minus from 1",
     NETWORK(ANL_TORUS, 2, 1, 2, 2, ANL_DATELINE, ANL_WORMHOLE),
     1,
     0,
     3,
     1,
     1,
     {{6 + 1, 0}, {1 * 3 + 1, 1}, {0 * 3 + 2, 0}},
     3},
    // 2(2,0) +0 over the wrap to 0(0,0), +0 to 1(1,0), +1 to 4(1,1). S = 9, P = 3.
    {"unidirectional torus 3x3",
     NETWORK(ANL_UNIDIRECTIONAL_TORUS, 3, 2, 2, 2, ANL_DATELINE, ANL_WORMHOLE),
     2,
     4,
     3,
     1,
     1,
     {{27 + 2, 0}, {2 * 3 + 0, 0}, {0 * 3 + 0, 1}, {1 * 3 + 1, 1}, {4 * 3 + 2, 0}},
     5},
    // 1 +0 2 +0 3 +0 over the wrap to 0. S = 4, P = 2.
    {"unidirectional ring 4, dimension_order",
     NETWORK(ANL_UNIDIRECTIONAL_TORUS, 4, 1, 1, 3, ANL_DIMENSION_ORDER, ANL_WORMHOLE),
     1,
     0,
     6,
     1,
     1,
     {{8 + 1, 0}, {1 * 2 + 0, 0}, {2 * 2 + 0, 0}, {3 * 2 + 0, 0}, {0 * 2 + 1, 0}},
     5},
    // 5 = 101 bit 0 to 4 = 100, bit 1 to 6 = 110, bit 2 to 2 = 010. S = 8, P = 4.
    {"hypercube 3",
     NETWORK(ANL_HYPERCUBE, 2, 3, 1, 2, ANL_E_CUBE, ANL_WORMHOLE),
     5,
     2,
     3,
     1,
     1,
     {{32 + 5, 0}, {5 * 4 + 0, 0}, {4 * 4 + 1, 0}, {6 * 4 + 2, 0}, {2 * 4 + 3, 0}},
     5},
    {"hypercube 3, eight lanes",
     NETWORK(ANL_HYPERCUBE, 2, 3, 8, 16, ANL_E_CUBE, ANL_CUT_THROUGH),
     5,
     2,
     12,
     1,
     1,
     {{32 + 5, 7}, {5 * 4 + 0, 6}, {4 * 4 + 1, 5}, {6 * 4 + 2, 0}, {2 * 4 + 3, 7}},
     5},
    {"fat-tree 2, fixed", TREE(2, 2, 2, ANL_UP_DOWN_FIXED, ANL_WORMHOLE), 1, 14, 4, 1, 1,
     TREE_1_TO_14(0)},
    {"fat-tree 2, random", TREE(2, 1, 1, ANL_UP_DOWN_RANDOM, ANL_WORMHOLE), 1, 14, 4, 1, 2,
     TREE_1_TO_14(0)},
    {"fat-tree 3, fixed", TREE(3, 1, 2, ANL_UP_DOWN_FIXED, ANL_WORMHOLE), 5, 58, 3, 1, 1,
     TREE_5_TO_58(0)},
    {"fat-tree 3, greedy, cut_through", TREE(3, 3, 4, ANL_UP_DOWN_GREEDY, ANL_CUT_THROUGH), 5, 58,
     4, 1, 1, TREE_5_TO_58(1)},
    // Terminal 59 is the neighbour of 58; its two lowest bits are 1, so both ways up are u1.
    {"fat-tree 3, destination tag",
     TREE(3, 1, 2, ANL_DESTINATION_TAG, ANL_WORMHOLE),
     5,
     59,
     3,
     1,
     1,
     {{168 + 5, 0},
      {1 * 6 + 5, 0},
      {16 * 6 + 5, 0},
      {26 * 6 + 3, 0},
      {22 * 6 + 2, 0},
      {14 * 6 + 3, 0}},
     6},
    // Terminal 44 is d0 of 11(1,11): u1 to 20(2,4), u1 to 26(3,2), d0 to 16(2,0), d2 to 2(1,2),
    // whose d0 is terminal 8.
    {"fat-tree 3, zigzag",
     TREE(3, 2, 3, ANL_UP_DOWN_FIXED, ANL_STORE_AND_FORWARD),
     44,
     8,
     3,
     3,
     1,
     {{168 + 44, 0},
      {11 * 6 + 5, 1},
      {20 * 6 + 5, 0},
      {26 * 6 + 0, 1},
      {16 * 6 + 2, 0},
      {2 * 6 + 0, 1}},
     6},
    {"fat-tree 1, to itself",
     TREE(1, 1, 2, ANL_UP_DOWN_GREEDY, ANL_WORMHOLE),
     2,
     2,
     3,
     1,
     1,
     {{6 + 2, 0}, {0 * 6 + 2, 0}},
     2},
    // 0(0,0) +0 1, +1 5(1,1), +0 6, +1 10(2,2).
    {"mesh 4x4, west_first",
     NETWORK(ANL_MESH, 4, 2, 2, 2, ANL_WEST_FIRST, ANL_WORMHOLE),
     0,
     10,
     4,
     1,
     1,
     {{80 + 0, 1}, {0 * 5 + 0, 0}, {1 * 5 + 2, 1}, {5 * 5 + 0, 1}, {6 * 5 + 2, 0}, {10 * 5 + 4, 1}},
     6},
    // 12(0,3) -1 8, +0 9(1,2), -1 5, +0 6(2,1).
    {"mesh 4x4, north_last",
     NETWORK(ANL_MESH, 4, 2, 1, 2, ANL_NORTH_LAST, ANL_WORMHOLE),
     12,
     6,
     3,
     1,
     1,
     {{80 + 12, 0},
      {12 * 5 + 3, 0},
      {8 * 5 + 0, 0},
      {9 * 5 + 3, 0},
      {5 * 5 + 0, 0},
      {6 * 5 + 4, 0}},
     6},
    // 10(2,2) -0 9, -1 5(1,1), -0 4, -1 0(0,0).
    {"mesh 4x4, negative_first",
     NETWORK(ANL_MESH, 4, 2, 2, 4, ANL_NEGATIVE_FIRST, ANL_CUT_THROUGH),
     10,
     0,
     4,
     1,
     1,
     {{80 + 10, 0},
      {10 * 5 + 1, 0},
      {9 * 5 + 3, 1},
      {5 * 5 + 1, 1},
      {4 * 5 + 3, 0},
      {0 * 5 + 4, 1}},
     6},
    // In column 0 north and then east; in column 1 north until it is in its row: 0(0,0) +1 4, +0
    // 5(1,1), +1 9, +1 13(1,3), +0 14.
    {"mesh 4x4, odd_even",
     NETWORK(ANL_MESH, 4, 2, 2, 2, ANL_ODD_EVEN, ANL_WORMHOLE),
     0,
     14,
     4,
     1,
     1,
     {{80 + 0, 0},
      {0 * 5 + 2, 1},
      {4 * 5 + 0, 1},
      {5 * 5 + 2, 0},
      {9 * 5 + 2, 1},
      {13 * 5 + 0, 0},
      {14 * 5 + 4, 0}},
     7},
    // Lane 2 is the escape lane, by which only dimension order goes: 0(0,0) +1 4, +0 5(1,1) in it,
    // +1 9, +0 10(2,2) in it.
    {"mesh 4x4, adaptive",
     NETWORK_WITH(ANL_MESH, 4, 2, 3, ANL_ADAPTIVE, .atomic = ANL_ATOMIC_ADAPTIVE),
     0,
     10,
     4,
     1,
     1,
     {{80 + 0, 0}, {0 * 5 + 2, 1}, {4 * 5 + 0, 2}, {5 * 5 + 2, 0}, {9 * 5 + 0, 2}, {10 * 5 + 4, 2}},
     6},
    // 4(4,0) +1 9, +0 over the wrap in lane 2 to 5(0,1), +0 in lane 3 to 6(1,1), +1 in lane 3 to
    // 11(1,2).
    {"torus 5x5, adaptive",
     NETWORK_WITH(ANL_TORUS, 5, 2, 4, ANL_ADAPTIVE, .atomic = ANL_ATOMIC_ADAPTIVE),
     4,
     11,
     4,
     1,
     1,
     {{125 + 4, 3},
      {4 * 5 + 2, 0},
      {9 * 5 + 0, 2},
      {5 * 5 + 0, 3},
      {6 * 5 + 2, 3},
      {11 * 5 + 4, 1}},
     6},
    {"mesh 4x4, class 1 of 2", NETWORK_WITH(ANL_MESH, 4, 2, 4, ANL_DIMENSION_ORDER, .classes = 2),
     0, 6, 4, 1, 1, MESH_0_TO_6(3)},
    {"mesh 4x4, class 0 of 3", NETWORK_WITH(ANL_MESH, 4, 2, 3, ANL_DIMENSION_ORDER, .classes = 3),
     0, 6, 4, 1, 1, MESH_0_TO_6(0)},
    // 4 +0 over the wrap to 0, +0 to 1. Of lanes 3 to 5, lane 3 is for class 0 of the dateline
    // rule.
    {"torus 5, class 1 of 2",
     NETWORK_WITH(ANL_TORUS, 5, 1, 6, ANL_DATELINE, .classes = 2),
     4,
     1,
     5,
     1,
     1,
     {{15 + 4, 5}, {4 * 3 + 0, 3}, {0 * 3 + 0, 4}, {1 * 3 + 2, 3}},
     4},
    {"fat-tree 2, class 2 of 4",
     NETWORK_WITH(ANL_FAT_TREE, 4, 2, 4, ANL_UP_DOWN_RANDOM, .classes = 4), 1, 14, 4, 1, 1,
     TREE_1_TO_14(2)},
};

enum { NUM_LEGAL_WORMS = sizeof legal_worms / sizeof *legal_worms };

#endif
