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

int main(void)
{
    const struct bench_module module = {
        .name = "anl_axi_subordinate",
        .parameters =
            "Bursts, MaxBeats, WriteRoom, ReadRoom, Reorder, Rows, IdW, AddrW, DataW, DstW",
        .cycles = 8192,
    };
    return axi_port_main(module, port_of);
}
