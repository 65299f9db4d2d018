// SPDX-License-Identifier: Apache-2.0
//
// Common part of the tests of the lock-step: a net of the golden model and, in step with it, the
// worms, the history, the state and the blocking analysis.

#ifndef ANNELID_UNIT_LOCKSTEP_SCENE_H
#define ANNELID_UNIT_LOCKSTEP_SCENE_H

#include "unit.h"

#include "compare/history.h"
#include "compare/observed.h"
#include "compare/worms.h"

#include <annelid/annelid.h>
#include <annelid/blocking.h>
#include <stdlib.h>

struct scene {
    struct anl_config config;
    struct anl_engine *net;
    struct worms worms;
    struct history history;         // of all cycles before this one
    struct anl_state state;         // at the start of this cycle
    struct anl_blocking *blocking;  // of all cycles before this one
};

// The parts keep the address of scene->config, so the scene must not move.
static inline void scene_create(struct scene *scene, struct anl_config config)
{
    *scene = (struct scene){.config = config};
    assert_int_equal(anl_engine_create(&scene->config, &scene->net), ANL_OK);
    assert_int_equal(worms_create(&scene->worms, &scene->config), ANL_OK);
    assert_int_equal(history_create(&scene->history, &scene->config), ANL_OK);
    assert_int_equal(state_create(&scene->state, &scene->config), ANL_OK);
    assert_int_equal(anl_blocking_create(&scene->config, NULL, &scene->blocking), ANL_OK);
    anl_engine_record(scene->net, true);
    anl_engine_state(scene->net, &scene->state);
}

static inline void scene_destroy(struct scene *scene)
{
    anl_blocking_destroy(scene->blocking);
    state_destroy(&scene->state);
    history_destroy(&scene->history);
    worms_destroy(&scene->worms);
    anl_engine_destroy(scene->net);
}

static inline void scene_enqueue_worm(struct scene *scene, struct anl_worm worm)
{
    worm.created = anl_engine_cycle(scene->net);
    assert_int_equal(anl_engine_enqueue_worm(scene->net, &worm, &worm.id), ANL_OK);
    assert_int_equal(worms_add(&scene->worms, &worm), ANL_OK);
    assert_int_equal(anl_blocking_feed_worm(scene->blocking, &worm, NULL), ANL_OK);
}

static inline void scene_enqueue(struct scene *scene, uint32_t source, uint32_t destination,
                                 uint16_t length)
{
    scene_enqueue_worm(
        scene, (struct anl_worm){.source = source, .destination = destination, .length = length});
}

// Every terminal enqueues a worm to the terminal `shift` further.
static inline void scene_enqueue_all(struct scene *scene, uint32_t shift, uint16_t length)
{
    uint32_t terminals = anl_shape_of(&scene->config).terminals;
    for (uint32_t t = 0; t < terminals; t++)
        scene_enqueue(scene, t, (t + shift) % terminals, length);
}

static inline void scene_step(struct scene *scene, int cycles)
{
    for (; cycles > 0; cycles--) {
        uint64_t cycle = anl_engine_cycle(scene->net);
        size_t count;
        anl_engine_step(scene->net);
        const struct anl_flit *flits = anl_engine_flits(scene->net, &count);
        history_add(&scene->history, cycle, flits, count);
        assert_int_equal(anl_blocking_feed_flits(scene->blocking, cycle, flits, count, NULL),
                         ANL_OK);
        anl_engine_state(scene->net, &scene->state);
    }
}

#endif
