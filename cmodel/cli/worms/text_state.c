// SPDX-License-Identifier: Apache-2.0
//
// Prints the state in one cycle (option --at): who waits, the delay chain, the map. Prints the
// deadlock as it was when it closed.

#include "worms.h"

#include <inttypes.h>
#include <unistd.h>

static void print_counts(const struct findings *findings)
{
    printf("Cycle %" PRIu64 ": %" PRIu32 " worm%s %s, %" PRIu32 " move%s, %" PRIu32
           " queued at the sources; %" PRIu64 " of %" PRIu64 " delivered.\n",
           findings->last, findings->waiting, plural(findings->waiting),
           findings->waiting == 1 ? "waits" : "wait", findings->moving,
           findings->moving == 1 ? "s" : "", findings->queued, findings->totals.delivered,
           findings->totals.worms);
    const struct deadlock *deadlock = &findings->deadlock;
    if (deadlock->cycle == UINT64_MAX) return;
    printf("DEADLOCK since cycle %" PRIu64 " (proved, not a time-out): %zu worms are dead.\n",
           deadlock->cycle, deadlock->num_dead);
}

// --- worms that wait ---

static void print_waiters(const struct findings *findings)
{
    static const char *const titles[] = {"worm",    "from",       "to",    "since", "cycles",
                                         "blocker", "delayed by", "where", "why",   NULL};
    const struct waiters *waiters = &findings->waiters;
    struct table table = {.align = "rllrrrrll"};
    if (!waiters->count) return;
    printf("\nLongest waiting, %zu of %" PRIu32 " (cycles so far)\n", waiters->count,
           findings->waiting);
    for (const char *const *title = titles; *title; title++)
        table_add(&table, "%s", *title);
    for (size_t i = 0; i < waiters->count; i++) {
        const struct waiter *waiter = &waiters->list[i];
        struct anl_life life;
        if (!anl_blocking_life(findings->analysed.blocking, waiter->worm.id, &life)) continue;
        const struct hold_up hold_up = hold_up_of(findings, &life);
        table_add(&table, "%" PRIu32, waiter->worm.id);
        table_add(&table, "T%" PRIu32, waiter->worm.source);
        table_add(&table, "T%" PRIu32, waiter->worm.destination);
        table_add(&table, "%" PRIu64, waiter->stall.begin);
        table_add(&table, "%" PRIu64, stall_cycles(&waiter->stall));
        table_add(&table, "%s", name_of_worm(hold_up.blocker).text);
        table_add(&table, "%s", name_of_worm(hold_up.root_blocker).text);
        table_add(&table, "%s", name_of_buffer(findings, life.buffer).text);
        table_add(&table, "%s", anl_wait_name(life.wait));
    }
    table_print(&table, 2);
}

// --- the chain ---

static void print_worm_now(const struct findings *findings)
{
    const struct anl_life *life = &findings->worm.life;
    const struct anl_worm *worm = &life->worm;
    printf("\nWorm %" PRIu32 ", T%" PRIu32 " -> T%" PRIu32 ", %u flit%s, created in cycle %" PRIu64,
           worm->id, worm->source, worm->destination, worm->length, plural(worm->length),
           worm->created);
    if (findings->worm.gone && life->delivered < findings->last)
        printf(", was delivered in cycle %" PRIu64 ": it is not there any more", life->delivered);
    else if (life->wait == ANL_QUEUED)
        printf(", is queued in the %s", name_of_buffer(findings, life->buffer).text);
    else if (life->wait == ANL_MOVING)
        printf(", moves");
    else if (life->stall.worm != ANL_NOTHING)
        printf(", waits since cycle %" PRIu64 " (%s)", life->stall.begin,
               anl_wait_name(life->wait));
    puts(is_dead(findings, worm->id) ? "; it is dead." : ".");
}

static void print_chain_end(const struct findings *findings)
{
    const struct chain *chain = &findings->chain;
    const struct anl_buffer last =
        anl_blocking_buffer(findings->analysed.blocking, chain->buffers[chain->count - 1]);
    if (chain->back != SIZE_MAX)
        printf("  which waits for line %zu: a circle, nothing on it moves%s\n", chain->back + 1,
               is_dead(findings, last.worm) ? ", ever: deadlock" : " in this cycle");
    else if (last.wait != ANL_MOVING)
        puts("  which waits for no worm");
    else if (last.worm != findings->chain_worm)
        printf("  which moves: worm %" PRIu32 " delays worm %" PRIu32 "\n", last.worm,
               findings->chain_worm);
    else if (chain->count > 1)
        puts("  which moves: its own flits");
}

static void print_chain_title(const struct findings *findings)
{
    struct anl_life life;
    const bool there = anl_blocking_life(findings->analysed.blocking, findings->chain_worm, &life);
    if (there && life.wait == ANL_MOVING)
        printf("\nNobody holds worm %" PRIu32 " up: it moves\n", findings->chain_worm);
    else
        printf("\nWho holds worm %" PRIu32 " up, buffer by buffer\n", findings->chain_worm);
}

static void print_chain(const struct findings *findings)
{
    static const char *const titles[] = {"", "worm", "flits", "where", "since", "", NULL};
    const struct chain *chain = &findings->chain;
    struct table table = {.align = "rrrlrl"};
    if (!chain->count) return;
    print_chain_title(findings);
    for (const char *const *title = titles; *title; title++)
        table_add(&table, "%s", *title);
    for (size_t i = 0; i < chain->count; i++) {
        const struct anl_buffer buffer =
            anl_blocking_buffer(findings->analysed.blocking, chain->buffers[i]);
        char text[TABLE_CELL_BYTES];
        anl_blocking_text(findings->analysed.blocking, chain->buffers[i], text, sizeof text);
        table_add(&table, "%zu", i + 1);
        table_add(&table, "%s", name_of_worm(buffer.worm).text);
        table_add(&table, "%" PRIu32, buffer.flits);
        table_add(&table, "%s", name_of_buffer(findings, chain->buffers[i]).text);
        table_add(&table, "%" PRIu64, buffer.since);
        table_add(&table, "%s", text);
    }
    table_print(&table, 2);
    print_chain_end(findings);
}

// --- the state ---

// Returns whether to print a map: if the user asks for it, or on a terminal that is wide enough.
static bool wants_map(const struct findings *findings)
{
    const struct anl_config *network = &findings->analysed.scenario.network;
    if (findings->question->map) return true;
    return isatty(STDOUT_FILENO) && worms_can_map(network) &&
           worms_map_columns(network) <= cli_columns();
}

void worms_print_state(const struct findings *findings)
{
    print_counts(findings);
    if (findings->question->has_worm)
        print_worm_now(findings);
    else
        print_waiters(findings);
    print_chain(findings);
    if (wants_map(findings)) worms_print_map(findings);
}

// --- the deadlock in the cycle in which it closed, worm by worm and lane by lane ---

static void print_head(const struct findings *findings,
                       const struct deadlocked_worm *deadlocked_worm)
{
    const struct anl_buffer *buffer = &deadlocked_worm->head;
    printf("    head     in %s", name_of_buffer(findings, deadlocked_worm->head_buffer).text);
    if (buffer->worm == deadlocked_worm->worm.id)
        printf(" since cycle %" PRIu64 ", wants %s\n", buffer->since,
               name_of_wish(findings, buffer).text);
    else
        printf(", behind flits of worm %" PRIu32 "\n", buffer->worm);
}

static void print_holds(const struct findings *findings,
                        const struct deadlocked_worm *deadlocked_worm)
{
    struct table table = {.align = "llrl"};
    for (size_t i = 0; i < deadlocked_worm->num_holds; i++) {
        const uint32_t buffer = deadlocked_worm->holds[i];
        table_add(&table, "%s", i ? "" : "holds  ");
        table_add(&table, "%s", name_of_buffer(findings, buffer).text);
        table_add(&table, "%u", deadlocked_worm->flits[i]);
        table_add(&table, "flit%s%s", plural(deadlocked_worm->flits[i]),
                  buffer == deadlocked_worm->head_buffer ? ", its head first" : "");
    }
    table_print(&table, 4);
}

static void print_deadlocked(const struct findings *findings, size_t i)
{
    const struct deadlock *deadlock = &findings->deadlock;
    const struct deadlocked_worm *deadlocked_worm = &deadlock->circle[i];
    printf("  worm %" PRIu32 "  T%" PRIu32 " -> T%" PRIu32 ", %u flit%s\n",
           deadlocked_worm->worm.id, deadlocked_worm->worm.source,
           deadlocked_worm->worm.destination, deadlocked_worm->worm.length,
           plural(deadlocked_worm->worm.length));
    print_head(findings, deadlocked_worm);
    print_holds(findings, deadlocked_worm);
    printf("    held by  worm %" PRIu32 "%s\n", deadlocked_worm->held_by,
           i + 1 == deadlock->count ? ", the first one: deadlock" : ", the next one");
}

// The circle shows one lane of each set that a head may take. This sentence says that the others
// are no way out.
static void print_choice(const struct deadlock *deadlock)
{
    for (size_t i = 0; i < deadlock->count; i++) {
        const uint32_t vcs = deadlock->circle[i].head.wants_vcs;
        if (!(vcs & (vcs - 1))) continue;
        puts("  Where a head may take one of several lanes, all of them are stuck.");
        return;
    }
}

static bool is_in_circle(const struct deadlock *deadlock, uint32_t worm)
{
    for (size_t i = 0; i < deadlock->count; i++)
        if (deadlock->circle[i].worm.id == worm) return true;
    return false;
}

// Prints the dead worms outside the circle: their delay chains end in it.
static void print_others(const struct deadlock *deadlock)
{
    enum { MOST = 16 };
    const size_t others = deadlock->num_dead - deadlock->count;
    size_t shown = 0;
    if (!others) return;
    printf("  Dead too, held by these in the end: worm%s", plural(others));
    for (size_t i = 0; i < deadlock->num_dead && shown < MOST; i++)
        if (!is_in_circle(deadlock, deadlock->dead[i]))
            printf("%s %" PRIu32, shown++ ? "," : "", deadlock->dead[i]);
    if (others > shown) printf(" and %zu more", others - shown);
    putchar('\n');
}

void worms_print_deadlock(const struct findings *findings)
{
    const struct deadlock *deadlock = &findings->deadlock;
    if (deadlock->cycle == UINT64_MAX) return;
    printf("\nThe deadlock, as it closed in cycle %" PRIu64 "\n", deadlock->cycle);
    for (size_t i = 0; i < deadlock->count; i++)
        print_deadlocked(findings, i);
    print_choice(deadlock);
    print_others(deadlock);
}
