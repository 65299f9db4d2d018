// SPDX-License-Identifier: Apache-2.0
//
// Constants and byte order shared by digest, writer and reader. Format: docs/trace.md.

#ifndef ANL_TRACE_FORMAT_H
#define ANL_TRACE_FORMAT_H

#include <stdint.h>

#define ANL_TRACE_MAGIC                                                                            \
    "\x89"                                                                                         \
    "ANLT\r\n\x01"
#define ANL_TRACE_FIRST_LINE "annelid-trace 1"

enum {
    ANL_TRACE_MAGIC_BYTES = 8,    // the last one is the version
    ANL_TRACE_HEADER_BYTES = 20,  // magic, seed, length of the scenario
    ANL_TRACE_RECORD_BYTES = 64,  // no binary record is longer
    ANL_TRACE_WINDOW_LOG = 23,    // a zstd frame that needs a larger window is refused
};

enum anl_trace_tag { ANL_TAG_WORM = 1, ANL_TAG_FLIT = 2, ANL_TAG_ADVANCE = 3, ANL_TAG_END = 4 };

// Writes the low bytes of value, lowest first; returns the place behind them.
static inline uint8_t *anl_put_bytes(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> (8 * i));
    return to + bytes;
}

static inline uint64_t anl_get_bytes(const uint8_t *from, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

#endif
