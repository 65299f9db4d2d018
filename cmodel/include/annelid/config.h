// SPDX-License-Identifier: Apache-2.0
//
// What a network is made of: topology and switch. Rules: docs/networks.md, docs/switch.md.

#ifndef ANNELID_CONFIG_H
#define ANNELID_CONFIG_H

#include <annelid/status.h>
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
};

// The numbers of scan and admission are those of the RTL parameters; for topology and routing
// together there is anl_rtl_kind().
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
    enum anl_space space;  // chained: fat_tree
};

// ANL_OK, or ANL_ERR_ARGUMENT with the reason in error->text (error may be NULL).
enum anl_status anl_config_check(const struct anl_config *config, struct anl_error *error);

// Bits of a terminal's label (docs/networks.md).
uint32_t anl_label_bits(const struct anl_config *config);

// Bits of a head that the switches read (docs/link.md): destination, length, stamp or distance,
// path. config need not be valid in flit_width_bits.
uint32_t anl_head_bits(const struct anl_config *config);

// Parameter Kind of the RTL (docs/rtl.md): network and routing in one number.
uint32_t anl_rtl_kind(const struct anl_config *config);

// True if the switches have a random generator (docs/random.md).
bool anl_config_reads_random(const struct anl_config *config);

// Names as in scenario files ("torus", "dateline", …); "?" if the value is out of range.
const char *anl_topology_name(enum anl_topology topology);
const char *anl_routing_name(enum anl_routing routing);
const char *anl_scan_name(enum anl_scan scan);
const char *anl_admission_name(enum anl_admission admission);
const char *anl_space_name(enum anl_space space);

#ifdef __cplusplus
}
#endif

#endif
