// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share: kind discarding as a machine of the engine, a game of the
// referee and a row of the table of kinds (annelid/machine.h).

#ifndef ANL_DISCARDING_MACHINE_PRIVATE_H
#define ANL_DISCARDING_MACHINE_PRIVATE_H

#include "engine/machine.h"
#include "network/network.h"
#include "scenario/scenario.h"

#include <annelid/discarding_machine.h>
#include <annelid/discarding_referee.h>

extern const struct engine_machine engine_discarding;    // engine.c
extern const struct referee_game referee_discarding;     // the room of the referee, game.c
extern const struct anl_machine anl_machine_discarding;  // machine.c

#endif
