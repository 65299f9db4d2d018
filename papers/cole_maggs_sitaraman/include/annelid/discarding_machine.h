// SPDX-License-Identifier: Apache-2.0
//
// The butterfly that discards as an engine: the model of annelid/discard.h behind its functions.
// Cycle t is its step t + 1 or, where lanes share a link, a part of its step t / lanes + 1
// (papers/cole_maggs_sitaraman/discard.md).

#ifndef ANNELID_DISCARDING_MACHINE_H
#define ANNELID_DISCARDING_MACHINE_H

#include <annelid/discard.h>
#include <annelid/engine.h>

#ifdef __cplusplus
extern "C" {
#endif

// Returns the machine, which is the engine's; NULL with another kind. It has run the step of the
// last cycle, and is left behind while the engine is idle.
const struct anl_discard *anl_engine_discard(const struct anl_engine *engine);

#ifdef __cplusplus
}
#endif

#endif
