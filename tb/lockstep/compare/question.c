// SPDX-License-Identifier: Apache-2.0

#include "question.h"

#include "chain.h"

#include <string.h>

enum { BODY_PLACES = 64 };

// The place at an input of the switch whose front flit is of this worm; ANL_NOTHING: none.
static uint32_t front_at_switch(const struct anl_story *story, uint32_t switch_, uint32_t worm)
{
    const struct anl_config *config = anl_story_config(story);
    uint32_t body[BODY_PLACES];
    size_t count = anl_story_body(story, worm, body, BODY_PLACES);
    for (size_t i = 0; i < count && i < BODY_PLACES; i++) {
        struct anl_place place = anl_story_place(story, body[i]);
        if (place.worm != worm || place.link == ANL_NOTHING) continue;
        struct anl_end end = anl_end_of(config, place.link);
        if (!end.is_terminal && end.node == switch_) return body[i];
    }
    return ANL_NOTHING;
}

static uint32_t place_of_lane(const struct history *history, uint32_t link, uint32_t vc)
{
    bool exists = link < history->shape.links && vc < history->config->num_vcs;
    return exists ? link * history->config->num_vcs + vc : ANL_NOTHING;
}

uint32_t question_place(const struct anl_story *story, const struct history *history,
                        const struct difference *difference)
{
    if (difference->worm != NOWHERE) {
        uint32_t place = ANL_NOTHING;
        if (difference->switch_ != NOWHERE)
            place = front_at_switch(story, difference->switch_, difference->worm);
        return place != ANL_NOTHING ? place : chain_find_worm(story, difference->worm);
    }
    if (difference->link == NOWHERE) return chain_find_oldest(story);
    if (difference->vc == NOWHERE) return ANL_NOTHING;
    bool input = strncmp(difference->place, "input", 5) == 0 && difference->switch_ != NOWHERE;
    uint32_t at = difference->switch_ * history->shape.ports + difference->port;
    return place_of_lane(history, input ? history->into[at] : difference->link, difference->vc);
}
