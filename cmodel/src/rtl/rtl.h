// SPDX-License-Identifier: Apache-2.0

#ifndef RTL_PRIVATE_H
#define RTL_PRIVATE_H

#include <annelid/rtl.h>

// Returns for each input port, switch * ports + port, the set of output ports to which a route from
// some terminal to some terminal leads from it. The caller frees it; NULL: no memory.
uint32_t *rtl_turns(const struct anl_graph *graph);

#endif
