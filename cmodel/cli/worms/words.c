// SPDX-License-Identifier: Apache-2.0
//
// Names of buffers, links and worms, and small questions, which text, JSON and map share.

#include "worms.h"

#include <annelid/network.h>
#include <inttypes.h>
#include <stdlib.h>

struct name name_of_buffer(const struct findings *findings, uint32_t buffer)
{
    struct name name;
    anl_buffer_name(&findings->analysed.scenario.network, buffer, name.text, sizeof name.text);
    return name;
}

struct name name_of_link(const struct findings *findings, uint32_t link)
{
    struct name name;
    anl_link_name(&findings->analysed.scenario.network, link, name.text, sizeof name.text);
    return name;
}

struct name name_of_worm(uint32_t worm)
{
    struct name name = {"-"};
    if (worm != ANL_NOTHING) snprintf(name.text, sizeof name.text, "%" PRIu32, worm);
    return name;
}

struct name name_of_cycle(uint64_t cycle)
{
    struct name name = {"-"};
    if (cycle != UINT64_MAX) snprintf(name.text, sizeof name.text, "%" PRIu64, cycle);
    return name;
}

struct name name_of_ends(const struct anl_worm *worm)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "T%" PRIu32 " -> T%" PRIu32 ", %u flit%s%s", worm->source,
             worm->destination, worm->length, plural(worm->length), cli_message_name(worm).text);
    return name;
}

struct name name_of_wish(const struct findings *findings, const struct anl_buffer *buffer)
{
    struct name name;
    anl_buffer_wish(&findings->analysed.scenario.network, buffer, name.text, sizeof name.text);
    return name;
}

struct hold_up hold_up_of(const struct findings *findings, const struct anl_life *life)
{
    const struct anl_blocking *blocking = findings->analysed.blocking;
    struct hold_up hold_up = {ANL_NOTHING, ANL_NOTHING};
    if (life->wait == ANL_MOVING) return hold_up;
    const struct anl_buffer buffer = anl_blocking_buffer(blocking, life->buffer);
    hold_up.root_blocker = anl_blocking_root_blocker(blocking, life->buffer);
    if (life->wait == ANL_BEHIND || life->wait == ANL_QUEUED)
        hold_up.blocker = buffer.worm;
    else if (buffer.next != ANL_NOTHING)
        hold_up.blocker = anl_blocking_buffer(blocking, buffer.next).worm;
    return hold_up;
}

uint64_t stall_cycles(const struct anl_stall *stall) { return stall->end - stall->begin + 1; }

enum anl_wait main_cause(const struct anl_stall *stall)
{
    enum anl_wait cause = ANL_BOUND_ELSEWHERE;
    for (enum anl_wait wait = ANL_BOUND_ELSEWHERE; wait < ANL_QUEUED; wait++)
        if (stall->cycles[wait] > stall->cycles[cause]) cause = wait;
    return cause;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

bool is_dead(const struct findings *findings, uint32_t worm)
{
    const struct deadlock *deadlock = &findings->deadlock;
    return deadlock->num_dead &&
           bsearch(&worm, deadlock->dead, deadlock->num_dead, sizeof worm, by_number);
}
