// SPDX-License-Identifier: Apache-2.0
//
// A watch looks at each flit in each step. It knows worms and links alone, and shares no code with
// what moves them.

#include "common/common.h"
#include "snakes.h"

#include <stdlib.h>
#include <string.h>

enum { NOWHERE = -1 };

void watch_start(struct watch *watch, const struct snakes *snakes)
{
    watch_free(watch);
    watch->n = snakes->n * snakes->layout->side;
    watch->k = snakes->layout->k;
    anl_bufferless_record(snakes->machine, true);
}

void watch_free(struct watch *watch)
{
    free(watch->now);
    free(watch->before);
    free(watch->consumed);
    *watch = (struct watch){0};
}

// Makes room for the worms that were offered.
static bool make_room(struct watch *watch, uint32_t worms)
{
    if (worms <= watch->room) return true;
    const uint32_t room = 2 * worms;
    const size_t old = (size_t)watch->room * watch->k, all = (size_t)room * watch->k;
    int32_t *now = realloc(watch->now, all * sizeof *now);
    if (now) watch->now = now;
    int32_t *before = realloc(watch->before, all * sizeof *before);
    if (before) watch->before = before;
    uint32_t *consumed = realloc(watch->consumed, room * sizeof *consumed);
    if (consumed) watch->consumed = consumed;
    if (!now || !before || !consumed) return false;
    memset(now + old, 0xff, (all - old) * sizeof *now);
    memset(before + old, 0xff, (all - old) * sizeof *before);
    memset(consumed + watch->room, 0, (room - watch->room) * sizeof *consumed);
    watch->room = room;
    return true;
}

static void hold(struct watch *watch, bool good, const char *rule, uint32_t worm)
{
    if (good || watch->broken) return;
    watch->broken = rule;
    watch->worm = worm;
}

// Returns the node to which a link leads.
static uint32_t head_of(const struct watch *watch, int32_t link)
{
    const uint32_t node = (uint32_t)link / ANL_BUFFERLESS_PORTS;
    const uint32_t steps[] = {1, UINT32_MAX, watch->n, UINT32_MAX - watch->n + 1, 0};
    return node + steps[(uint32_t)link % ANL_BUFFERLESS_PORTS];
}

static void look(struct watch *watch, const struct snakes *snakes, const struct anl_flit *flit)
{
    const struct anl_worm *worm = anl_bufferless_worm(snakes->machine, flit->worm);
    const size_t place = (size_t)flit->worm * watch->k + flit->index;
    const int32_t was = watch->before[place];
    const uint32_t from = was == NOWHERE ? worm->source : head_of(watch, was);
    const uint32_t node = flit->link / ANL_BUFFERLESS_PORTS;
    hold(watch, from == node, "a flit moves to a neighbour in each step", flit->worm);
    hold(watch, was != NOWHERE || watch->step == worm->created + flit->index,
         "a flit is born in its step", flit->worm);
    if (flit->index > 0)
        hold(watch, watch->before[place - 1] == (int32_t)flit->link,
             "a flit goes where the one before it went one step ago", flit->worm);
    watch->now[place] = (int32_t)flit->link;
    watch->moves++;
    if (flit->link % ANL_BUFFERLESS_PORTS != ANL_TERMINAL_PORT) return;
    hold(watch, node == worm->destination, "a worm is consumed at its destination", flit->worm);
    hold(watch, watch->consumed[flit->worm] == flit->index, "flits are consumed in order",
         flit->worm);
    watch->consumed[flit->worm]++;
}

// Looks for flits that were on a link in the step before, and are nowhere now.
static void look_for_lost(struct watch *watch, uint32_t first, uint32_t worms)
{
    for (size_t i = (size_t)first * watch->k; i < (size_t)worms * watch->k; i++) {
        const int32_t was = watch->before[i];
        if (was != NOWHERE && was % ANL_BUFFERLESS_PORTS != ANL_TERMINAL_PORT)
            hold(watch, watch->now[i] != NOWHERE, "no flit is lost", (uint32_t)(i / watch->k));
    }
}

enum anl_status watch_step(struct watch *watch, const struct snakes *snakes)
{
    const uint32_t worms = (uint32_t)anl_bufferless_totals(snakes->machine).enqueued;
    const uint32_t first = watch->finished;
    const size_t bytes = (size_t)(worms - first) * watch->k * sizeof *watch->now;
    size_t count;
    const struct anl_flit *flits = anl_bufferless_flits(snakes->machine, &count);
    if (!make_room(watch, worms)) return ANL_ERR_MEMORY;
    if (!watch->broken) watch->step = anl_bufferless_steps(snakes->machine);
    if (bytes) {
        memcpy(watch->before + (size_t)first * watch->k, watch->now + (size_t)first * watch->k,
               bytes);
        memset(watch->now + (size_t)first * watch->k, 0xff, bytes);
    }
    for (size_t i = 0, together = 0; i < count; i++) {
        const uint32_t node = flits[i].link / ANL_BUFFERLESS_PORTS;
        together = i > 0 && flits[i - 1].link / ANL_BUFFERLESS_PORTS == node ? together + 1 : 1;
        if (together > watch->most) watch->most = (uint32_t)together;
        hold(watch, i == 0 || flits[i - 1].link != flits[i].link, "a link carries one flit",
             flits[i].worm);
        look(watch, snakes, &flits[i]);
    }
    look_for_lost(watch, first, worms);
    while (watch->finished < worms && watch->consumed[watch->finished] == watch->k)
        watch->finished++;
    return ANL_OK;
}

bool watch_is_at(const struct watch *watch, const struct snakes *snakes, uint32_t worm,
                 uint32_t supernode, uint32_t cell)
{
    const int32_t link = watch->now[(size_t)worm * watch->k];
    return link != NOWHERE && head_of(watch, link) == snakes_node(snakes, supernode, cell);
}

uint32_t watch_supernode(const struct watch *watch, const struct snakes *snakes, uint32_t worm)
{
    const int32_t link = watch->now[(size_t)worm * watch->k];
    if (link == NOWHERE) return NO_WORM;
    const uint32_t node = head_of(watch, link), side = snakes->layout->side;
    return node / watch->n / side * snakes->n + node % watch->n / side;
}
