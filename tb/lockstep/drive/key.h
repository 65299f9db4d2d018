// SPDX-License-Identifier: Apache-2.0
//
// The key, which names an RTL parameter set: what the network is made of (of our buffered switches
// cube, fat_tree, butterfly, graph, source or options), and the parameters of the RTL
// (anl_rtl_parameters()): "cube_K4_N2_Topology1_Routing1_NumVcs4_Depth4_FlitW32_Arbiter1". Of a
// graph it ends in the hash of wiring and routes, "_0123456789abcdef".

#ifndef ANL_LOCKSTEP_KEY_H
#define ANL_LOCKSTEP_KEY_H

#include <annelid/network.h>
#include <stddef.h>

enum { KEY_BYTES = 192 };

void key_of(const struct anl_config *config, char key[KEY_BYTES]);

#endif
