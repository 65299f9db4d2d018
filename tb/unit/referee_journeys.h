// SPDX-License-Identifier: Apache-2.0
//
// Journeys over every kind of network. Each path was derived by hand from docs/networks.md: links
// are written switch * P + port, the first is the injection link S * P + source.

#ifndef REFEREE_JOURNEYS_H
#define REFEREE_JOURNEYS_H

#include "referee_trace.h"

#define NETWORK(topology_, k_, n_, num_vcs_, depth_, routing_, admission_)                         \
    {                                                                                              \
        .topology = topology_, .k = k_, .n = n_, .num_vcs = num_vcs_, .depth = depth_,             \
        .flit_width_bits = 64, .routing = routing_, .scan = ANL_ROTATING, .admission = admission_  \
    }

#define MESH_4X4(num_vcs, depth, admission)                                                        \
    NETWORK(ANL_MESH, 4, 2, num_vcs, depth, ANL_DIMENSION_ORDER, admission)

// 0(0,0) +0 to 1(1,0), +0 to 2(2,0), +1 to 6(2,1). S = 16, P = 5.
#define MESH_0_TO_6(lane)                                                                          \
    {{80 + 0, lane}, {0 * 5 + 0, lane}, {1 * 5 + 0, lane}, {2 * 5 + 2, lane}, {6 * 5 + 4, lane}}, 5

static const struct journey journeys[] = {
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
    // Any lane, but the direction of the dateline rule.
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
};

enum { NUM_JOURNEYS = sizeof journeys / sizeof *journeys };

#endif
