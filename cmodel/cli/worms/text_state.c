// SPDX-License-Identifier: Apache-2.0
//
// The state in one cycle: who waits, the chain, the map; and the deadlock as it closed.

#include "worms.h"

#include <inttypes.h>
#include <unistd.h>

static void print_counts(const struct tale *tale)
{
    printf("Cycle %" PRIu64 ": %" PRIu32 " worm%s %s, %" PRIu32 " move%s, %" PRIu32
           " queued at the sources; %" PRIu64 " of %" PRIu64 " delivered.\n",
           tale->last, tale->waiting, plural(tale->waiting), tale->waiting == 1 ? "waits" : "wait",
           tale->moving, tale->moving == 1 ? "s" : "", tale->queued, tale->totals.delivered,
           tale->totals.worms);
    const struct deadlock *deadlock = &tale->deadlock;
    if (deadlock->cycle == UINT64_MAX) return;
    printf("DEADLOCK since cycle %" PRIu64 " (proved, not a time-out): %zu worms are dead.\n",
           deadlock->cycle, deadlock->num_dead);
}

// --- worms that wait ---

static void print_waiters(const struct tale *tale)
{
    static const char *const titles[] = {"worm",    "from",       "to",    "since", "cycles",
                                         "blocker", "delayed by", "where", "why",   NULL};
    const struct waiters *waiters = &tale->waiters;
    struct table table = {.align = "rllrrrrll"};
    if (!waiters->count) return;
    printf("\nLongest waiting, %zu of %" PRIu32 " (cycles so far)\n", waiters->count,
           tale->waiting);
    for (const char *const *title = titles; *title; title++)
        table_add(&table, "%s", *title);
    for (size_t i = 0; i < waiters->count; i++) {
        const struct waiter *waiter = &waiters->list[i];
        struct anl_life life;
        if (!anl_blocking_life(tale->analysed.blocking, waiter->worm.id, &life)) continue;
        const struct hold_up hold_up = hold_up_of(tale, &life);
        table_add(&table, "%" PRIu32, waiter->worm.id);
        table_add(&table, "T%" PRIu32, waiter->worm.source);
        table_add(&table, "T%" PRIu32, waiter->worm.destination);
        table_add(&table, "%" PRIu64, waiter->stall.begin);
        table_add(&table, "%" PRIu64, stall_cycles(&waiter->stall));
        table_add(&table, "%s", name_of_worm(hold_up.blocker).text);
        table_add(&table, "%s", name_of_worm(hold_up.root_blocker).text);
        table_add(&table, "%s", name_of_buffer(tale, life.buffer).text);
        table_add(&table, "%s", anl_wait_name(life.wait));
    }
    table_print(&table, 2);
}

// --- the chain ---

static void print_worm_now(const struct tale *tale)
{
    const struct anl_life *life = &tale->worm.life;
    const struct anl_worm *worm = &life->worm;
    printf("\nWorm %" PRIu32 ", T%" PRIu32 " -> T%" PRIu32 ", %u flit%s, created in cycle %" PRIu64,
           worm->id, worm->source, worm->destination, worm->length, plural(worm->length),
           worm->created);
    if (tale->worm.gone && life->delivered < tale->last)
        printf(", was delivered in cycle %" PRIu64 ": it is not there any more", life->delivered);
    else if (life->wait == ANL_QUEUED)
        printf(", is queued in the %s", name_of_buffer(tale, life->buffer).text);
    else if (life->wait == ANL_MOVING)
        printf(", moves");
    else if (life->stall.worm != ANL_NOTHING)
        printf(", waits since cycle %" PRIu64 " (%s)", life->stall.begin,
               anl_wait_name(life->wait));
    puts(is_dead(tale, worm->id) ? "; it is dead." : ".");
}

static void print_chain_end(const struct tale *tale)
{
    const struct chain *chain = &tale->chain;
    const struct anl_buffer last =
        anl_blocking_buffer(tale->analysed.blocking, chain->buffers[chain->count - 1]);
    if (chain->back != SIZE_MAX)
        printf("  which waits for line %zu: a circle, nothing on it moves%s\n", chain->back + 1,
               is_dead(tale, last.worm) ? ", ever: deadlock" : " in this cycle");
    else if (last.wait != ANL_MOVING)
        puts("  which waits for no worm");
    else if (last.worm != tale->chain_worm)
        printf("  which moves: worm %" PRIu32 " delays worm %" PRIu32 "\n", last.worm,
               tale->chain_worm);
    else if (chain->count > 1)
        puts("  which moves: its own flits");
}

static void print_chain_title(const struct tale *tale)
{
    struct anl_life life;
    const bool there = anl_blocking_life(tale->analysed.blocking, tale->chain_worm, &life);
    if (there && life.wait == ANL_MOVING)
        printf("\nNobody holds worm %" PRIu32 " up: it moves\n", tale->chain_worm);
    else
        printf("\nWho holds worm %" PRIu32 " up, buffer by buffer\n", tale->chain_worm);
}

static void print_chain(const struct tale *tale)
{
    static const char *const titles[] = {"", "worm", "flits", "where", "since", "", NULL};
    const struct chain *chain = &tale->chain;
    struct table table = {.align = "rrrlrl"};
    if (!chain->count) return;
    print_chain_title(tale);
    for (const char *const *title = titles; *title; title++)
        table_add(&table, "%s", *title);
    for (size_t i = 0; i < chain->count; i++) {
        const struct anl_buffer buffer =
            anl_blocking_buffer(tale->analysed.blocking, chain->buffers[i]);
        char text[TABLE_CELL_BYTES];
        anl_blocking_text(tale->analysed.blocking, chain->buffers[i], text, sizeof text);
        table_add(&table, "%zu", i + 1);
        table_add(&table, "%s", name_of_worm(buffer.worm).text);
        table_add(&table, "%" PRIu32, buffer.flits);
        table_add(&table, "%s", name_of_buffer(tale, chain->buffers[i]).text);
        table_add(&table, "%" PRIu64, buffer.since);
        table_add(&table, "%s", text);
    }
    table_print(&table, 2);
    print_chain_end(tale);
}

// --- all of it ---

// A map stands by itself on a terminal that is wide enough.
static bool wants_map(const struct tale *tale)
{
    const struct anl_config *network = &tale->analysed.scenario.network;
    if (tale->question->map) return true;
    return isatty(STDOUT_FILENO) && worms_can_map(network) &&
           worms_map_columns(network) <= cli_columns();
}

void worms_print_state(const struct tale *tale)
{
    print_counts(tale);
    if (tale->question->has_worm)
        print_worm_now(tale);
    else
        print_waiters(tale);
    print_chain(tale);
    if (wants_map(tale)) worms_print_map(tale);
}

// --- the deadlock worm by worm, lane by lane, as it stood in the cycle in which it closed ---

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
