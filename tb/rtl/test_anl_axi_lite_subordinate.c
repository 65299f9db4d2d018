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

static void drive(void *state, const int *p, struct bits *in)
{
    const struct axi_port port = port_of(p);
    axi_port_drive(state, &port, in);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    const struct axi_port port = port_of(p);
    axi_port_check(state, &port, in, out);
}

int main(void)
{
    const struct bench_module module = {
        .name = "anl_axi_lite_subordinate",
        .parameters = "Bursts, Reorder, Rows, IdW, AddrW, DataW, DstW",
        .state_bytes = axi_port_bytes(),
        .cycles = 8192,
        .drive = drive,
        .check = check,
    };
    const int failed = bench_main(&module);
    const struct axi_port port = {.lite = true, .slots = 1};  // some instance has them
    return axi_port_end(&port) | failed;
}
