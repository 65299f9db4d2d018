// SPDX-License-Identifier: Apache-2.0
//
// The butterfly fat-tree of docs/networks.md: what topology.c asks of it.

#ifndef ANL_FAT_TREE_H
#define ANL_FAT_TREE_H

#include <annelid/network.h>

enum { TREE_CHILDREN = 4, TREE_UP = 4, TREE_PORTS = 6 };  // TREE_UP: first of the two up ports

struct anl_shape tree_shape(const struct anl_config *config);
struct anl_end tree_link_end(const struct anl_config *config, uint32_t switch_, uint32_t port);
struct anl_route tree_route(const struct anl_config *config, uint32_t switch_,
                            uint32_t destination);
uint32_t tree_distance(uint32_t source, uint32_t destination);

#endif
