// SPDX-License-Identifier: Apache-2.0
//
// The mesh without buffers as an engine: the model of annelid/bufferless.h behind its functions.
// Cycle t is its step t, so nothing happens in cycle 0, and the cycle in which a worm is enqueued
// is its start.

#ifndef ANNELID_BUFFERLESS_MACHINE_H
#define ANNELID_BUFFERLESS_MACHINE_H

#include <annelid/bufferless.h>
#include <annelid/engine.h>

#ifdef __cplusplus
extern "C" {
#endif

// Fills the caller's arrays with the state at the start of the current cycle.
void anl_engine_nodes(const struct anl_engine *engine, struct anl_bufferless_state *state);

#ifdef __cplusplus
}
#endif

#endif
