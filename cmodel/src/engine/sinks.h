// SPDX-License-Identifier: Apache-2.0
//
// Terminals that can refuse (docs/switch.md, "Requests and replies"; sinks.c).

#ifndef ANL_ENGINE_SINKS_H
#define ANL_ENGINE_SINKS_H

#include "engine.h"

// Terminals that can refuse (docs/switch.md, "Requests and replies").
struct sinks {
    uint16_t *reservations;  // [terminals] those that are taken
    uint8_t *shown;          // [terminals * classes] the lane of which a sink shows the front flit;
                             // NO_LANE: none
    uint8_t *refusing;       // [terminals] mask of the classes whose sinks refuse in this cycle
    struct anl_worm *taken;  // [terminals * classes] the worms whose tails are taken in this cycle
    size_t num_taken;
};

// Make and free the sinks; returns false if memory runs out (sinks.c).
bool engine_make_sinks(struct anl_engine *engine);
void engine_free_sinks(struct anl_engine *engine);
void engine_reset_sinks(struct anl_engine *engine);
// Adds a worm to a lane of a terminal that its head has entered.
void engine_arrive(const struct anl_engine *engine, uint32_t port, uint32_t vc, uint32_t worm);
// Notes that the tail of a reply has left the terminal: its reservation is free from the next cycle
// on.
void engine_free_reservation(const struct anl_engine *engine, uint32_t terminal);
// Lets the sinks take the flits listed in ejecting.
void engine_take_flits(const struct anl_engine *engine);
// Lists in ejecting what the sinks take in the next cycle.
void engine_choose_flits(struct anl_engine *engine);

#endif
