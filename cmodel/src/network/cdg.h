// SPDX-License-Identifier: Apache-2.0
//
// A channel-dependency graph as cdg*.c see it.

#ifndef ANL_CDG_H
#define ANL_CDG_H

#include <annelid/network.h>

struct anl_cdg {
    struct anl_shape shape;
    uint32_t num_vcs;
    uint32_t lanes;
    uint32_t *end;   // [links] switch at the end; UINT32_MAX: none
    uint8_t *after;  // [lanes * ports] lanes of each output port of that switch (mask)
};

#endif
