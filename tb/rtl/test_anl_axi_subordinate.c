// SPDX-License-Identifier: Apache-2.0
//
// The port of AXI4, with its counters of stalls.

#include "axi_port_rule.h"

enum { BURSTS, MAX_BEATS, WRITE_ROOM, READ_ROOM, REORDER, ROWS, ID_W, ADDR_W, DATA_W, DST_W };

static struct axi_port port_of(const int *p)
{
    return (struct axi_port){.bursts = (unsigned)(p[REORDER] ? p[REORDER] : p[BURSTS]),
                             .slots = (unsigned)p[REORDER],
                             .longest = (unsigned)p[MAX_BEATS],
                             .write_room = (unsigned)p[WRITE_ROOM],
                             .read_room = (unsigned)p[READ_ROOM],
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
        .name = "anl_axi_subordinate",
        .parameters =
            "Bursts, MaxBeats, WriteRoom, ReadRoom, Reorder, Rows, IdW, AddrW, DataW, DstW",
        .state_bytes = axi_port_bytes(),
        .cycles = 8192,
        .drive = drive,
        .check = check,
    };
    const int failed = bench_main(&module);
    const struct axi_port port = {.slots = 1};  // some instance has them
    return axi_port_end(&port) | failed;
}
