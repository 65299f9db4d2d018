// SPDX-License-Identifier: Apache-2.0
//
// Bench of a network: one worm at a time, from every terminal to every other, must come out at its
// destination, whole, in the cycle that the latency formula of docs/switch.md says, and nothing
// anywhere else.

#ifndef ANL_TB_LONE_WORM_H
#define ANL_TB_LONE_WORM_H

#include "bench.h"

enum { LONE_LENGTH = 4 };

struct lone_network {
    unsigned num_vcs, depth, flit_w, terminals, dst_w;
    int admission;
    uint64_t (*label)(const int *p, unsigned terminal);
    unsigned (*links)(const int *p, unsigned from, unsigned to);  // with injection and ejection
};

struct lone_worm {
    unsigned pair;  // number of the worm: source and destination
    unsigned source, destination, length;
    uint64_t flits[LONE_LENGTH];
    uint64_t start, first, last;  // cycles: head injected, head and tail ejected
    unsigned credits;             // that came back to the source
    bool under_way;
};

// Inputs inj_valid, inj_vc, inj_flit, ej_credit; outputs ej_valid, ej_vc, ej_flit, inj_credit.
// network describes parameters p.
void lone_drive(struct lone_worm *worm, const struct lone_network *network, const int *p,
                struct bits *in);
void lone_check(struct lone_worm *worm, const struct lone_network *network, struct bits *in,
                struct bits *out);

#endif
