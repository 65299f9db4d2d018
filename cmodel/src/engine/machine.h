// SPDX-License-Identifier: Apache-2.0
//
// Machines of other kinds behind the functions of the engine, a struct of functions each
// (papers/<paper>/lib/machine/engine.c), and the room batch.

#ifndef ANL_ENGINE_MACHINE_H
#define ANL_ENGINE_MACHINE_H

#include "engine.h"

// A machine of another kind behind the functions of the engine: it has all of the state but cycle,
// totals, and what crossed and was delivered in the last step. The functions do what those of
// annelid/engine.h do.
struct engine_machine {
    // Makes it for an engine of which only the copy of the network is filled; NULL: its own room
    // does (engine_create_run()). ANL_ERR_MEMORY: what was made is freed with the engine.
    enum anl_status (*make)(struct anl_engine *engine);
    void (*reset)(struct anl_engine *engine);
    enum anl_status (*enqueue)(struct anl_engine *engine, const struct anl_worm *new_worm,
                               uint32_t *id);
    void (*step)(struct anl_engine *engine);  // everything but to count the cycle
    const struct anl_worm *(*worm)(const struct anl_engine *engine, uint32_t id);
    bool (*fault)(const struct anl_engine *engine, char *text, size_t size);  // NULL: it has none
    enum anl_status (*rides)(struct anl_engine *engine, const struct anl_ride **rides,
                             size_t *count);     // NULL: it sends no loads
    void (*destroy)(struct anl_engine *engine);  // also after a failure to make it; NULL: nothing
};

// Makes an engine of which another room is the machine: it has a copy of the network, and room for
// the flits and deliveries of a cycle. The machine keeps the worms. The caller frees it with
// anl_engine_destroy(). ANL_ERR_MEMORY: *engine is NULL (engine.c).
enum anl_status engine_create_run(const struct anl_network *network,
                                  const struct engine_machine *machine, struct anl_engine **engine);
// Of such an engine: checks a worm that is created now, gives it the next id, counts it, and fills
// in what the machine keeps of it. ANL_ERR_ARGUMENT: nothing has changed (enqueue.c).
enum anl_status engine_make_worm(struct anl_engine *engine, const struct anl_worm *new_worm,
                                 struct record *record, struct head *head);
// Returns a worm that was delivered in the last step; NULL: it was not (state.c).
const struct anl_worm *engine_find_delivered(const struct anl_engine *engine, uint32_t id);

#endif
