// SPDX-License-Identifier: Apache-2.0
//
// The port of AXI4-Lite. All its accesses have ID 0, so one that goes to another terminal waits for
// those before it.

#include "axi_port_rule.h"

enum { BURSTS, REORDER, ROWS, ID_W, ADDR_W, DATA_W, DST_W };

static struct axi_port port_of(const int *p)
{
    return (struct axi_port){.lite = true,
                             .bursts = (unsigned)(p[REORDER] ? p[REORDER] : p[BURSTS]),
                             .slots = (unsigned)p[REORDER],
                             .longest = 1,
                             .write_room = (unsigned)p[BURSTS],
                             .read_room = (unsigned)p[BURSTS],
                             .id = (unsigned)p[ID_W],
                             .addr = (unsigned)p[ADDR_W],
                             .data = (unsigned)p[DATA_W]};
}

int main(void)
{
    const struct bench_module module = {
        .name = "anl_axi_lite_subordinate",
        .parameters = "Bursts, Reorder, Rows, IdW, AddrW, DataW, DstW",
        .cycles = 8192,
    };
    return axi_port_main(module, port_of);
}
