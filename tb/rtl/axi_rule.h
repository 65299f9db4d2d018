// SPDX-License-Identifier: Apache-2.0
//
// The byte lanes of a transfer of AXI4, by the addresses of its bytes (docs/axi.md, "Rules").

#ifndef ANL_TB_AXI_RULE_H
#define ANL_TB_AXI_RULE_H

#include <stdint.h>

enum { AXI_FIXED, AXI_INCR, AXI_WRAP };

// Returns the byte lanes that transfer n of a burst may write, bit l for lane l of data_bytes, 64
// at most. A transfer has (1 << size) bytes and the burst len + 1 transfers.
static inline uint64_t axi_write_lanes(uint64_t addr, unsigned size, unsigned type, unsigned len,
                                       unsigned n, unsigned data_bytes)
{
    const uint64_t bytes = UINT64_C(1) << size, whole = addr / bytes * bytes;
    uint64_t begin = addr,
             end = whole + bytes;  // of the bytes of the transfer, end behind the last
    if (type != AXI_FIXED && n > 0) begin = whole + n * bytes, end = begin + bytes;
    if (type == AXI_WRAP) {
        const uint64_t all = (len + 1) * bytes, top = addr / all * all + all;
        while (begin >= top)
            begin -= all;
        end = begin + bytes;
    }
    uint64_t lanes = 0;
    for (uint64_t byte = begin; byte < end; byte++)
        lanes |= UINT64_C(1) << byte % data_bytes;
    return lanes;
}

#endif
