// SPDX-License-Identifier: Apache-2.0
//
// Common part of the tests of Greenberg and Oh's room.

#ifndef ANNELID_UNIT_GREENBERG_OH_H
#define ANNELID_UNIT_GREENBERG_OH_H

#include "unit_traffic.h"

static inline struct anl_config tree_of(uint32_t n)
{
    return (struct anl_config){.topology = ANL_FAT_TREE,
                               .k = 4,
                               .n = n,
                               .num_vcs = 1,
                               .depth = 2,
                               .flit_width_bits = 32,
                               .routing = ANL_UP_DOWN_FIXED,
                               .scan = ANL_RANDOM};
}

#endif
