// SPDX-License-Identifier: Apache-2.0
//
// Worms, flits, and the data bits of a flit as a function of worm and index (docs/link.md).

#ifndef ANNELID_FLIT_H
#define ANNELID_FLIT_H

#include <annelid/config.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_worm {
    uint32_t id;           // number in order of creation, from 0
    uint32_t source;       // terminal
    uint32_t destination;  // terminal
    uint16_t length;       // flits, >= 1
    uint64_t created;      // cycle
    uint32_t path;         // up links, bit l - 1 at level l (up_down_fixed; else 0)
};

// The path of worm id in a run with this seed (docs/random.md); 0 unless the routing is
// up_down_fixed.
uint32_t anl_worm_path(const struct anl_config *config, uint64_t seed, uint32_t id);

// A flit crosses a link in a cycle.
struct anl_flit {
    uint32_t link;   // docs/networks.md
    uint32_t worm;   // id
    uint16_t index;  // in its worm, head = 0
    uint8_t vc;      // lane at the end of the link
    bool head;
    bool tail;
};

enum { ANL_FLIT_WORDS = ANL_MAX_FLIT_WIDTH_BITS / 32 };

// Writes the flit_width_bits data bits of flit index of *worm into words (32 bits each, lowest
// first, ceil(flit_width_bits / 32) of them); bits above flit_width_bits are 0. config must be
// valid.
void anl_flit_data(const struct anl_config *config, const struct anl_worm *worm, uint16_t index,
                   uint32_t *words);

#ifdef __cplusplus
}
#endif

#endif
