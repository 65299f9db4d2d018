// SPDX-License-Identifier: Apache-2.0
//
// The records that rooms hand to each other: the configuration of a network, worms and flits. This
// header has types only; the functions that compute with them are in network.h.

#ifndef ANNELID_RECORDS_H
#define ANNELID_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ANL_MAX_VCS = 8,
    ANL_MAX_DEPTH = 64,
    ANL_MAX_DIMENSIONS = 10,
    ANL_MAX_PORTS = 2 * ANL_MAX_DIMENSIONS + 1,
    ANL_MAX_TERMINALS = 1 << 20,
    ANL_MAX_FLIT_WIDTH_BITS = 512,
    ANL_MAX_WORM_LENGTH = 65535,
    ANL_MAX_SCENARIO_BYTES = 1 << 20,  // of the scenario's text, in its file and in a trace
};

// The numbers of scan equal the values of the RTL parameter. The RTL has one number for topology
// and routing together, anl_rtl_kind(), and one for admission and length_in_head,
// anl_rtl_admission().
enum anl_topology {
    ANL_MESH = 0,
    ANL_TORUS = 1,
    ANL_UNIDIRECTIONAL_TORUS = 2,
    ANL_HYPERCUBE = 3,
    ANL_FAT_TREE = 4,
};

enum anl_routing {
    ANL_DIMENSION_ORDER = 0,
    ANL_DATELINE = 1,
    ANL_E_CUBE = 2,
    ANL_UP_DOWN_FIXED = 3,
    ANL_UP_DOWN_RANDOM = 4,
    ANL_UP_DOWN_GREEDY = 5,
};

enum anl_scan {
    ANL_FIXED = 0,
    ANL_ROTATING = 1,
    ANL_RANDOM = 2,
    ANL_OLDEST = 3,
    ANL_FARTHEST = 4,
};

enum anl_admission { ANL_WORMHOLE = 0, ANL_CUT_THROUGH = 1, ANL_STORE_AND_FORWARD = 2 };

enum anl_space { ANL_REGISTERED = 0, ANL_CHAINED = 1 };

enum anl_answer { ANL_NO = 0, ANL_YES = 1 };

struct anl_config {
    enum anl_topology topology;
    uint32_t k;        // switches per dimension, 1..512; torus kinds >= 2; hypercube 2; fat_tree 4
    uint32_t n;        // dimensions or levels, 1..ANL_MAX_DIMENSIONS; k^n <= ANL_MAX_TERMINALS
    uint32_t num_vcs;  // lanes per link, 1..ANL_MAX_VCS; dateline needs 2
    uint32_t depth;    // flits per lane, 1..ANL_MAX_DEPTH
    uint32_t flit_width_bits;  // data bits of a flit, anl_head_bits()..ANL_MAX_FLIT_WIDTH_BITS
    enum anl_routing routing;  // dimension_order: mesh, tori; dateline: tori; e_cube: hypercube;
                               // up_down_*: fat_tree
    enum anl_scan scan;
    enum anl_admission admission;
    enum anl_answer length_in_head;  // under wormhole: whether heads carry the length of their worm
    enum anl_space space;            // chained: fat_tree only
    uint32_t first_id;               // id that the data of the flits of worm 0 carry (docs/link.md)
};

struct anl_worm {
    uint32_t id;           // number in order of creation, from 0
    uint32_t source;       // terminal
    uint32_t destination;  // terminal
    uint16_t length;       // flits, >= 1
    uint64_t created;      // cycle
    uint32_t path;         // up_down_fixed: bit l - 1 is the up link at level l; otherwise 0
};

// A flit that crosses a link in a cycle; the cycle stands beside it, not in it.
struct anl_flit {
    uint32_t link;   // number of the link, docs/networks.md
    uint32_t worm;   // id of its worm
    uint16_t index;  // position in its worm, head = 0
    uint8_t vc;      // lane that it enters at the end of the link
    bool head;
    bool tail;
};

enum { ANL_FLIT_WORDS = ANL_MAX_FLIT_WIDTH_BITS / 32 };

#ifdef __cplusplus
}
#endif

#endif
