// SPDX-License-Identifier: Apache-2.0
//
// Common part of the tests of the butterfly fat-tree.

#ifndef ANNELID_UNIT_TREE_H
#define ANNELID_UNIT_TREE_H

#include "unit.h"

#include <annelid/network.h>
#include <stdlib.h>
#include <string.h>

enum { PORTS = 6, CHILDREN = 4, PARENTS = 2, MOST_LEVELS = 5 };

struct anl_config tree(uint32_t n, enum anl_routing routing);
uint32_t power(uint32_t base, uint32_t exponent);
// Returns the level of a switch.
uint32_t level_of(const struct anl_config *config, uint32_t switch_);
uint32_t switch_at(const struct anl_config *config, uint32_t level, uint32_t address);

#endif
