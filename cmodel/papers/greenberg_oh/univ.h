// SPDX-License-Identifier: Apache-2.0
//
// UNIV: the store-and-forward algorithm of Leighton, Maggs and Rao (1988) for levelled networks, on
// the butterfly fat-tree. docs/papers/greenberg-oh.md has the rules and says why it stands alone.

#ifndef GREENBERG_OH_UNIV_H
#define GREENBERG_OH_UNIV_H

#include <annelid/network.h>

struct univ_packet {
    uint32_t source, destination;
};

struct univ_result {
    uint32_t steps;       // packet-steps until the last packet has crossed its delivery edge
    uint32_t delivered;   // packets; fewer than given: most_steps was too few
    uint32_t congestion;  // packets over one edge, at most
    uint32_t dilation;    // edges of the longest path
};

// network: a fat-tree, of which topology and n count. packets: at most one per source. ranks:
// packets draw from 0 … ranks - 1. ANL_ERR_ARGUMENT: two packets of one source, a terminal out of
// range, ranks 0; ANL_ERR_MEMORY.
enum anl_status univ_run(const struct anl_config *network, const struct univ_packet *packets,
                         uint32_t num_packets, uint32_t ranks, uint64_t seed, uint32_t most_steps,
                         struct univ_result *result);

#endif
