// SPDX-License-Identifier: Apache-2.0

#include "terminals.h"

#include <stdlib.h>

enum anl_status terminals_create(struct terminals *terminals, const struct anl_config *config)
{
    const uint32_t number = anl_shape_of(config).terminals;
    *terminals = (struct terminals){.config = config, .number = number};
    terminals->classes = anl_num_classes(config);
    terminals->held = calloc((size_t)number * config->num_vcs, sizeof *terminals->held);
    terminals->sink = calloc((size_t)number * terminals->classes, sizeof *terminals->sink);
    terminals->taken = calloc((size_t)number * terminals->classes, sizeof *terminals->taken);
    terminals->reservations = calloc(number, sizeof *terminals->reservations);
    terminals->takes = calloc(number, sizeof *terminals->takes);
    const bool whole = terminals->held && terminals->sink && terminals->taken &&
                       terminals->reservations && terminals->takes;
    return whole ? ANL_OK : ANL_ERR_MEMORY;
}

void terminals_destroy(struct terminals *terminals)
{
    free(terminals->held);
    free(terminals->sink);
    free(terminals->taken);
    free(terminals->reservations);
    free(terminals->takes);
    *terminals = (struct terminals){0};
}

bool terminals_refuse(const struct terminals *terminals)
{
    return terminals->config->reply_queue > 0;
}

// Returns the lane of a sink: the one that it refused in the last cycle, or the lowest one of its
// class that holds a flit; num_vcs: none does.
static uint32_t lane_of(const struct terminals *terminals, uint32_t terminal, uint32_t class_)
{
    const struct sink *sink = &terminals->sink[terminal * terminals->classes + class_];
    const uint32_t num_vcs = terminals->config->num_vcs, lanes = num_vcs / terminals->classes;
    if (sink->refuses) return sink->vc;
    for (uint32_t vc = class_ * lanes; vc < (class_ + 1) * lanes; vc++)
        if (terminals->held[terminal * num_vcs + vc]) return vc;
    return num_vcs;
}

static struct sink sink_of(const struct terminals *terminals, const struct history *history,
                           uint32_t terminal, uint32_t class_)
{
    const uint32_t num_vcs = terminals->config->num_vcs;
    const uint32_t vc = lane_of(terminals, terminal, class_);
    if (vc == num_vcs) return (struct sink){0};
    const struct passage *front =
        history_last(history, anl_ejection_link(terminals->config, terminal), vc,
                     terminals->held[terminal * num_vcs + vc]);
    if (!front) return (struct sink){0};
    return (struct sink){.worm = front->worm,
                         .index = front->index,
                         .vc = (uint8_t)vc,
                         .tail = front->tail,
                         .shows = true};
}

// A sink takes the tail of a request with a reservation. Lower classes come first.
static void decide(struct terminals *terminals, const struct history *history,
                   const struct worms *worms, uint32_t terminal)
{
    terminals->takes[terminal] = 0;
    for (uint32_t c = 0; c < terminals->classes; c++) {
        struct sink *sink = &terminals->sink[terminal * terminals->classes + c];
        *sink = sink_of(terminals, history, terminal, c);
        if (!sink->shows) continue;
        const struct anl_worm *worm = &worms->worm[sink->worm].worm;
        if (worm->role == ANL_REQUEST && sink->tail) {
            const uint32_t used = terminals->reservations[terminal] + terminals->takes[terminal];
            sink->refuses = used >= terminals->config->reply_queue;
            terminals->takes[terminal] += !sink->refuses;
        }
        if (sink->tail && !sink->refuses) terminals->taken[terminals->num_taken++] = *worm;
    }
}

void terminals_decide(struct terminals *terminals, const struct history *history,
                      const struct worms *worms)
{
    terminals->num_taken = 0;
    if (!terminals_refuse(terminals)) return;
    for (uint32_t t = 0; t < terminals->number; t++)
        decide(terminals, history, worms, t);
}

uint32_t terminals_ready(const struct terminals *terminals, uint32_t terminal)
{
    uint32_t ready = UINT32_MAX;
    for (uint32_t c = 0; c < terminals->classes; c++)
        ready &= ~((uint32_t)terminals->sink[terminal * terminals->classes + c].refuses << c);
    return ready;
}

// Takes the flits that are shown and not refused. Returns how many there are.
static size_t take_shown(struct terminals *terminals, uint32_t terminal)
{
    size_t count = 0;
    for (uint32_t c = 0; c < terminals->classes; c++) {
        const struct sink *sink = &terminals->sink[terminal * terminals->classes + c];
        if (!sink->shows || sink->refuses) continue;
        terminals->held[terminal * terminals->config->num_vcs + sink->vc]--;
        count++;
    }
    terminals->reservations[terminal] += terminals->takes[terminal];
    return count;
}

size_t terminals_pass(struct terminals *terminals, const struct worms *worms,
                      const struct anl_flit *flits, size_t count)
{
    const struct anl_config *config = terminals->config;
    size_t taken = 0;
    if (!terminals_refuse(terminals)) return 0;
    for (uint32_t t = 0; t < terminals->number; t++)
        taken += take_shown(terminals, t);
    for (size_t i = 0; i < count; i++) {
        const struct anl_worm *worm = &worms->worm[flits[i].worm].worm;
        if (flits[i].link == anl_ejection_link(config, worm->destination))
            terminals->held[worm->destination * config->num_vcs + flits[i].vc]++;
        if (flits[i].link == anl_injection_link(config, worm->source) && flits[i].tail &&
            worm->role == ANL_REPLY)
            terminals->reservations[worm->source]--;
    }
    return taken;
}
