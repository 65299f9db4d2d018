// SPDX-License-Identifier: Apache-2.0
//
// Bench of a network with one worm at a time, from every terminal to every other. The worm must
// come out whole at its destination, in the cycle that the latency formula of docs/switch.md gives,
// and nothing may come out anywhere else.

#ifndef ANL_TB_LONE_WORM_H
#define ANL_TB_LONE_WORM_H

#include "bench.h"

enum { LONE_LENGTH = 4 };

struct lone_network {
    unsigned num_vcs, depth, flit_w, terminals, dst_w;
    int flow_control;
    uint64_t (*label)(const int *p, unsigned terminal);
    unsigned (*links)(const int *p, unsigned from, unsigned to);  // with injection and ejection
};

struct lone_worm {
    unsigned pair;  // number of the worm; gives its source and destination
    unsigned source, destination, length;
    uint64_t flits[LONE_LENGTH];
    uint64_t start, first, last;  // cycles: head injected, head ejected, tail ejected
    unsigned credits;             // credits that came back to the source
    bool under_way;
};

// The inputs are inj_valid, inj_vc, inj_flit, ej_credit; the outputs are ej_valid, ej_vc, ej_flit,
// inj_credit. network describes the network with the parameters p.
void lone_drive(struct lone_worm *worm, const struct lone_network *network, const int *p,
                struct bits *in);
void lone_check(struct lone_worm *worm, const struct lone_network *network, struct bits *in,
                struct bits *out);

#endif
