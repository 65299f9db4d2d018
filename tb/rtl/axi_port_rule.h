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

struct axi_port_state;

size_t axi_port_bytes(void);
void axi_port_drive(void *state, const struct axi_port *port, struct bits *in);
void axi_port_check(void *state, const struct axi_port *port, struct bits *in, struct bits *out);

// Prints what the runs have seen. Returns 1 if one of the things that must happen did not; of a
// mutant (make mutate) nothing must.
int axi_port_end(const struct axi_port *port);

#endif
