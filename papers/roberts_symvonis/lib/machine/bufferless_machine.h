// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: kind bufferless as a machine of the engine, a game of the
// referee and a row of the table of kinds (annelid/machine.h).

#ifndef ANL_BUFFERLESS_MACHINE_PRIVATE_H
#define ANL_BUFFERLESS_MACHINE_PRIVATE_H

#include "engine/machine.h"
#include "network/network.h"
#include "scenario/scenario.h"

#include <annelid/bufferless_machine.h>
#include <annelid/bufferless_referee.h>

extern const struct engine_machine engine_bufferless;    // engine.c
extern const struct referee_game referee_bufferless;     // the room of the referee, game.c
extern const struct anl_machine anl_machine_bufferless;  // machine.c

#endif
