// SPDX-License-Identifier: Apache-2.0
//
// What the tests of snakes share: a watch that looks at each flit in each step, and knows nothing
// but worms and links.

#ifndef ANNELID_UNIT_SNAKES_H
#define ANNELID_UNIT_SNAKES_H

#include "unit_papers.h"

#include "papers/roberts_symvonis/snakes.h"

#include <string.h>

enum { MOST_WORMS = 2048, MOST_FLITS = 36, NOWHERE = -1 };

struct watch {
    uint32_t n;                              // nodes of a row
    int32_t now[MOST_WORMS][MOST_FLITS];     // link on which a flit is, or NOWHERE
    int32_t before[MOST_WORMS][MOST_FLITS];  // one step ago
    uint32_t consumed[MOST_WORMS];           // flits
    uint32_t finished;                       // worms below this number are consumed
    uint64_t moves;
    uint32_t most;       // flits in a node at once
    const char *broken;  // the first rule that was broken, or NULL
    uint64_t step;       // in which
    uint32_t worm;
};

static inline void watch_start(struct watch *watch, const struct snakes *snakes)
{
    memset(watch, 0, sizeof *watch);
    memset(watch->now, 0xff, sizeof watch->now);
    watch->n = snakes->n * snakes->layout->side;
    anl_bufferless_record(snakes->machine, true);
}

static inline void watch_hold(struct watch *watch, bool good, const char *rule, uint32_t worm)
{
    if (good || watch->broken) return;
    watch->broken = rule;
    watch->worm = worm;
}

// Returns the node to which a link leads.
static inline uint32_t watch_head(const struct watch *watch, int32_t link)
{
    const uint32_t node = (uint32_t)link / ANL_BUFFERLESS_PORTS;
    const uint32_t steps[] = {1, UINT32_MAX, watch->n, UINT32_MAX - watch->n + 1, 0};
    return node + steps[(uint32_t)link % ANL_BUFFERLESS_PORTS];
}

static inline void watch_flit(struct watch *watch, const struct snakes *snakes,
                              const struct anl_flit *flit)
{
    const struct anl_worm *worm = anl_bufferless_worm(snakes->machine, flit->worm);
    const int32_t was = watch->before[flit->worm][flit->index];
    const uint32_t from = was == NOWHERE ? worm->source : watch_head(watch, was);
    const uint32_t node = flit->link / ANL_BUFFERLESS_PORTS;
    watch_hold(watch, from == node, "a flit moves to a neighbour in each step", flit->worm);
    watch_hold(watch, was != NOWHERE || watch->step == worm->created + flit->index,
               "a flit is born in its step", flit->worm);
    if (flit->index > 0)
        watch_hold(watch, watch->before[flit->worm][flit->index - 1] == (int32_t)flit->link,
                   "a flit goes where the one before it went one step ago", flit->worm);
    watch->now[flit->worm][flit->index] = (int32_t)flit->link;
    watch->moves++;
    if (flit->link % ANL_BUFFERLESS_PORTS != ANL_TERMINAL_PORT) return;
    watch_hold(watch, node == worm->destination, "a worm is consumed at its destination",
               flit->worm);
    watch_hold(watch, watch->consumed[flit->worm] == flit->index, "flits are consumed in order",
               flit->worm);
    watch->consumed[flit->worm]++;
}

// Looks at the step that was made last.
static inline void watch_step(struct watch *watch, const struct snakes *snakes)
{
    const uint64_t worms = anl_bufferless_totals(snakes->machine).offered;
    size_t count;
    const struct anl_flit *flits = anl_bufferless_flits(snakes->machine, &count);
    assert_true(worms <= MOST_WORMS);
    if (!watch->broken) watch->step = anl_bufferless_steps(snakes->machine);
    const uint32_t first = watch->finished;
    memcpy(watch->before[first], watch->now[first], (worms - first) * sizeof *watch->now);
    memset(watch->now[first], 0xff, (worms - first) * sizeof *watch->now);
    for (size_t i = 0, together = 0; i < count; i++) {
        const uint32_t node = flits[i].link / ANL_BUFFERLESS_PORTS;
        together = i > 0 && flits[i - 1].link / ANL_BUFFERLESS_PORTS == node ? together + 1 : 1;
        if (together > watch->most) watch->most = (uint32_t)together;
        watch_hold(watch, i == 0 || flits[i - 1].link != flits[i].link, "a link carries one flit",
                   flits[i].worm);
        watch_flit(watch, snakes, &flits[i]);
    }
    for (uint32_t worm = first; worm < worms; worm++)
        for (uint32_t i = 0; i < snakes->layout->k; i++) {
            const int32_t was = watch->before[worm][i];
            if (was != NOWHERE && was % ANL_BUFFERLESS_PORTS != ANL_TERMINAL_PORT)
                watch_hold(watch, watch->now[worm][i] != NOWHERE, "no flit is lost", worm);
        }
    while (watch->finished < worms && watch->consumed[watch->finished] == snakes->layout->k)
        watch->finished++;
}

// Returns whether the head of a worm went into a cell of a supernode in the step that was made
// last.
static inline bool watch_is_at(const struct watch *watch, const struct snakes *snakes,
                               uint32_t worm, uint32_t supernode, uint32_t cell)
{
    const int32_t link = watch->now[worm][0];
    return link != NOWHERE && watch_head(watch, link) == snakes_node(snakes, supernode, cell);
}

// Returns the supernode in which the head of a worm is, or NO_WORM if it is nowhere.
static inline uint32_t watch_supernode(const struct watch *watch, const struct snakes *snakes,
                                       uint32_t worm)
{
    const int32_t link = watch->now[worm][0];
    if (link == NOWHERE) return NO_WORM;
    const uint32_t node = watch_head(watch, link), side = snakes->layout->side;
    return node / watch->n / side * snakes->n + node % watch->n / side;
}

#endif
