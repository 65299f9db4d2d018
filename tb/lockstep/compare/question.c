// SPDX-License-Identifier: Apache-2.0

#include "question.h"

enum { BODY_BUFFERS = 64 };

// Returns the buffer at an input of the switch whose front flit belongs to the worm; ANL_NOTHING:
// none.
static uint32_t front_at_switch(const struct anl_blocking *blocking, uint32_t switch_,
                                uint32_t worm)
{
    const struct anl_config *config = anl_blocking_config(blocking);
    uint32_t body[BODY_BUFFERS];
    size_t count = anl_blocking_body(blocking, worm, body, BODY_BUFFERS);
    for (size_t i = 0; i < count && i < BODY_BUFFERS; i++) {
        struct anl_buffer buffer = anl_blocking_buffer(blocking, body[i]);
        if (buffer.worm != worm || buffer.link == ANL_NOTHING) continue;
        struct anl_end end = anl_end_of(config, buffer.link);
        if (!end.is_terminal && end.node == switch_) return body[i];
    }
    return ANL_NOTHING;
}

static uint32_t buffer_of_lane(const struct history *history, uint32_t link, uint32_t vc)
{
    bool exists = link < history->shape.links && vc < history->config->num_vcs;
    return exists ? link * history->config->num_vcs + vc : ANL_NOTHING;
}

uint32_t question_buffer(const struct anl_blocking *blocking, const struct history *history,
                         const struct difference *difference)
{
    if (difference->worm != NOWHERE) {
        uint32_t buffer = ANL_NOTHING;
        if (difference->switch_ != NOWHERE)
            buffer = front_at_switch(blocking, difference->switch_, difference->worm);
        return buffer != ANL_NOTHING ? buffer : anl_blocking_leading(blocking, difference->worm);
    }
    if (difference->link == NOWHERE) return anl_blocking_oldest(blocking);
    if (difference->vc == NOWHERE) return ANL_NOTHING;
    return buffer_of_lane(history, difference->link, difference->vc);
}
