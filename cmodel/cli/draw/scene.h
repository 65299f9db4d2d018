// SPDX-License-Identifier: Apache-2.0
//
// What moves in a picture: the bodies of the worms, what they wait for, the chain.

#ifndef ANNELID_DRAW_SCENE_H
#define ANNELID_DRAW_SCENE_H

#include "draw.h"

struct draw_scene {
    FILE *out;
    const struct anl_blocking *blocking;
    const struct anl_config *config;
    const struct anl_layout *layout;
    const struct draw_chain *chain;
    uint32_t *worms;  // in the network, ascending
    size_t num_worms;
    uint32_t *queued;   // worms behind others in the source of each terminal
    uint32_t *buffers;  // room for the body of one worm
    size_t most_buffers;
};

// "worm 12, T3 -> T40, 8 flits" and what it does in this cycle.
void draw_worm_words(const struct anl_blocking *blocking, uint32_t worm, char *text, size_t size);
void draw_state_words(const struct anl_blocking *blocking, uint32_t worm, uint32_t buffer,
                      char *text, size_t size);

enum anl_status draw_scene_open(struct draw_scene *scene);
void draw_scene_close(struct draw_scene *scene);

void draw_bodies(const struct draw_scene *scene);
void draw_queues(const struct draw_scene *scene);
void draw_arrows(const struct draw_scene *scene);  // of the chain, with the tags of its worms

#endif
