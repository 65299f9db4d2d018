// SPDX-License-Identifier: Apache-2.0
//
// Sliding diagonals as an engine: the model of annelid/diagonals.h behind its functions. It gets
// worms in loads. Cycle t is step t - 1, and the step before a load allocates.

#ifndef ANNELID_DIAGONALS_MACHINE_H
#define ANNELID_DIAGONALS_MACHINE_H

#include <annelid/diagonals.h>
#include <annelid/engine.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ANL_DIAGONALS_NO_WAY = 0xff };  // in a latch: nothing
// What papers/bock/diagonals.md, "Lock-step", compares, as it stands at the start of the
// current cycle. A node has 2 n links; register 2 n s + p is that of node s and port p.
struct anl_diagonals_nodes {
    struct anl_diagonals_register *registers;  // [nodes * 2 n]; worm is an id
    uint8_t *latches;  // [nodes * 2 n]: a port, 2 n to leave the network, or ANL_DIAGONALS_NO_WAY
    uint8_t *taken;    // [nodes]: bit s if its turn node of stage s is taken
    bool failed;       // some worm has failed
};
// Fills the caller's arrays.
void anl_engine_diagonals(const struct anl_engine *engine, struct anl_diagonals_nodes *nodes);

#ifdef __cplusplus
}
#endif

#endif
