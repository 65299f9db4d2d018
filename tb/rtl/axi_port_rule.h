// SPDX-License-Identifier: Apache-2.0
//
// The rules of a subordinate port of AXI4 or AXI4-Lite (docs/axi.md: "Packets", "Ordering",
// "Address map"), for its benches. C is the manager of the user, and the network with all memories.

#ifndef ANL_TB_AXI_PORT_RULE_H
#define ANL_TB_AXI_PORT_RULE_H

#include "bench.h"

// What the parameters of the module say. Rows is 4 and DstW is 3.
struct axi_port {
    bool lite;  // accesses of one beat, of the whole width, and of ID 0; no stalls are told
    unsigned bursts, longest, write_room, read_room;
    unsigned slots;           // of the reorder buffer, which bursts says, too; 0: none
    unsigned id, addr, data;  // bits
};

// Runs the bench of such a module, whose functions and state are filled in here; port_of reads its
// parameters. Prints what the runs have seen. Returns the exit status: 1 also if one of the things
// that must happen did not; of a mutant (make mutate) nothing must.
int axi_port_main(struct bench_module module, struct axi_port (*port_of)(const int *p));

#endif
