// SPDX-License-Identifier: Apache-2.0
//
// The deadlock worm by worm, lane by lane, as it stood in the cycle in which it closed.

#include "worms.h"

#include <inttypes.h>

static void print_head(const struct tale *tale, const struct captive *captive)
{
    const struct anl_buffer *buffer = &captive->head;
    printf("    head     in %s", name_of_buffer(tale, captive->head_buffer).text);
    if (buffer->worm == captive->worm.id)
        printf(" since cycle %" PRIu64 ", wants %s\n", buffer->since,
               name_of_wish(tale, buffer).text);
    else
        printf(", behind flits of worm %" PRIu32 "\n", buffer->worm);
}

static void print_holds(const struct tale *tale, const struct captive *captive)
{
    struct table table = {.align = "llrl"};
    for (size_t i = 0; i < captive->num_holds; i++) {
        const uint32_t buffer = captive->holds[i];
        table_add(&table, "%s", i ? "" : "holds  ");
        table_add(&table, "%s", name_of_buffer(tale, buffer).text);
        table_add(&table, "%u", captive->flits[i]);
        table_add(&table, "flit%s%s", plural(captive->flits[i]),
                  buffer == captive->head_buffer ? ", its head first" : "");
    }
    table_print(&table, 4);
}

static void print_captive(const struct tale *tale, size_t i)
{
    const struct deadlock *deadlock = &tale->deadlock;
    const struct captive *captive = &deadlock->circle[i];
    printf("  worm %" PRIu32 "  T%" PRIu32 " -> T%" PRIu32 ", %u flit%s\n", captive->worm.id,
           captive->worm.source, captive->worm.destination, captive->worm.length,
           plural(captive->worm.length));
    print_head(tale, captive);
    print_holds(tale, captive);
    printf("    held by  worm %" PRIu32 "%s\n", captive->held_by,
           i + 1 == deadlock->count ? ", the first one: deadlock" : ", the next one");
}

// A circle goes through one lane of each set, which could look as if another were a way out.
static void print_choice(const struct deadlock *deadlock)
{
    for (size_t i = 0; i < deadlock->count; i++) {
        const uint32_t vcs = deadlock->circle[i].head.wants_vcs;
        if (!(vcs & (vcs - 1))) continue;
        puts("  Where a head may take one of several lanes, all of them are stuck.");
        return;
    }
}

static bool is_captive(const struct deadlock *deadlock, uint32_t worm)
{
    for (size_t i = 0; i < deadlock->count; i++)
        if (deadlock->circle[i].worm.id == worm) return true;
    return false;
}

// Dead worms that are not of the circle: what they wait for ends in it.
static void print_others(const struct deadlock *deadlock)
{
    enum { MOST = 16 };
    const size_t others = deadlock->num_dead - deadlock->count;
    size_t shown = 0;
    if (!others) return;
    printf("  Dead too, held by these in the end: worm%s", plural(others));
    for (size_t i = 0; i < deadlock->num_dead && shown < MOST; i++)
        if (!is_captive(deadlock, deadlock->dead[i]))
            printf("%s %" PRIu32, shown++ ? "," : "", deadlock->dead[i]);
    if (others > shown) printf(" and %zu more", others - shown);
    putchar('\n');
}

void worms_print_deadlock(const struct tale *tale)
{
    const struct deadlock *deadlock = &tale->deadlock;
    if (deadlock->cycle == UINT64_MAX) return;
    printf("\nThe deadlock, as it closed in cycle %" PRIu64 "\n", deadlock->cycle);
    for (size_t i = 0; i < deadlock->count; i++)
        print_captive(tale, i);
    print_choice(deadlock);
    print_others(deadlock);
}
