// SPDX-License-Identifier: Apache-2.0
//
// Worms that wait for others (docs/scenario.md, "Messages that wait for others"): a worm is created
// in the first cycle that is not before the earliest one of its message and in which, for each worm
// that it waits for, the given number of cycles have passed since its tail crossed its ejection
// link.

#include "referee.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void anl_referee_remember(struct anl_referee *referee) { referee->deliveries.kept = true; }

void anl_referee_allow_overtaking(struct anl_referee *referee) { referee->overtaking = true; }

static bool make_room(struct referee_deliveries *deliveries, uint32_t worm)
{
    size_t room = deliveries->room ? deliveries->room : 1024;
    if (worm < deliveries->room) return true;
    while (room <= worm)
        room *= 2;
    uint64_t *times = realloc(deliveries->times, room * sizeof *times);
    if (!times) return false;
    memset(times + deliveries->room, 0, (room - deliveries->room) * sizeof *times);
    deliveries->times = times;
    deliveries->room = room;
    return true;
}

void referee_note_delivery(struct anl_referee *referee, uint32_t worm)
{
    struct referee_deliveries *deliveries = &referee->deliveries;
    if (!deliveries->kept) return;
    if (make_room(deliveries, worm))
        deliveries->times[worm] = referee->now;
    else
        referee->status = ANL_ERR_MEMORY;
}

// Returns the time at which a worm was delivered; 0: not yet.
static uint64_t delivery_of(const struct anl_referee *referee, uint32_t worm)
{
    return worm < referee->deliveries.room ? referee->deliveries.times[worm] : 0;
}

static bool breaks_order(struct anl_referee *referee, const struct anl_worm *worm, const char *but)
{
    const uint32_t injection = referee->shape.switches * referee->shape.ports;
    referee->violation = (struct anl_violation){.rule = ANL_RULE_WRONG_CYCLE,
                                                .cycle = worm->created,
                                                .link = injection + worm->source,
                                                .worm = worm->id};
    referee_blames(&referee->violation, worm->source, worm->destination, worm->length);
    snprintf(referee->violation.text, sizeof referee->violation.text,
             "cycle %" PRIu64 ": worm %" PRIu32 " (%" PRIu32 "->%" PRIu32 ") is created, but %s",
             worm->created, worm->id, worm->source, worm->destination, but);
    return false;
}

bool referee_check_created(struct anl_referee *referee, const struct anl_worm *worm)
{
    const struct anl_dependencies *waited = worm->dependencies;
    if (!waited) return true;
    uint64_t expected = waited->earliest;
    char but[128];
    for (uint32_t i = 0; i < waited->count; i++) {
        const struct anl_after *after = &waited->after[i];
        const uint64_t time = delivery_of(referee, after->worm);
        snprintf(but, sizeof but, "worm %" PRIu32 ", for which it waits, is not delivered",
                 after->worm);
        if (time == 0) return breaks_order(referee, worm, but);
        const uint64_t allowed = time - 1 + after->cycles;  // a time is a cycle + 1
        if (allowed > expected) expected = allowed;
    }
    snprintf(but, sizeof but, "what it waits for allows it in cycle %" PRIu64, expected);
    return worm->created == expected || breaks_order(referee, worm, but);
}
