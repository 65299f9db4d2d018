// SPDX-License-Identifier: Apache-2.0
//
// Prints the blocking analysis as text: of a whole run (one sentence, the run, the deadlock, the
// longest stalls), of one worm (--worm) or of one cycle (--at).

#include "worms.h"

#include <annelid/network.h>
#include <inttypes.h>
#include <unistd.h>

// Returns the number of a cycle, or "-" for UINT64_MAX.
static struct name name_of_cycle(uint64_t cycle)
{
    struct name name = {"-"};
    if (cycle != UINT64_MAX) snprintf(name.text, sizeof name.text, "%" PRIu64, cycle);
    return name;
}

// Returns "T3 -> T0, 8 flits".
static struct name name_of_journey(const struct anl_worm *worm)
{
    struct name name;
    snprintf(name.text, sizeof name.text, "T%" PRIu32 " -> T%" PRIu32 ", %u flit%s", worm->source,
             worm->destination, worm->length, plural(worm->length));
    return name;
}

// --- in one sentence ---

static void print_deadlock_verdict(const struct findings *findings)
{
    const struct deadlock *deadlock = &findings->deadlock;
    printf("DEADLOCK, closed in cycle %" PRIu64
           ": %zu worms hold each other, and none of their heads can ever move again.\n",
           deadlock->cycle, deadlock->count);
    printf("Proved, not a time-out. In cycle %" PRIu64 "%s %zu worms are dead", findings->last,
           findings->analysed.ended ? ", the last," : "", deadlock->num_dead);
    if (findings->queued) printf(" and %" PRIu32 " more queued at the sources", findings->queued);
    puts(".");
}

static void print_first_blocker(const struct anl_stall *stall)
{
    if (stall->blocker == ANL_NOTHING) return;
    if (stall->blocker == stall->worm)
        printf(", at first for its own tail");
    else
        printf(", blocked by worm %" PRIu32 " at first", stall->blocker);
}

static void print_worst(const struct findings *findings)
{
    if (!findings->waiters.count) {
        puts("No worm ever waited.");
        return;
    }
    const struct waiter *worst = &findings->waiters.list[0];
    if (findings->question->by_waited)
        printf("Worm %" PRIu32 " waited most, %" PRIu64 " cycle%s in all. Its ", worst->worm.id,
               worst->waited, plural(worst->waited));
    else
        printf("The ");
    printf("longest stall: worm %" PRIu32 " waited %" PRIu64 " cycle%s in %s", worst->worm.id,
           stall_cycles(&worst->stall), plural(stall_cycles(&worst->stall)),
           name_of_buffer(findings, worst->stall.buffer).text);
    print_first_blocker(&worst->stall);
    puts(".");
}

// Says how many worms are not delivered although none is dead, and since when nothing moves.
static void print_undelivered(const struct findings *findings, uint64_t left)
{
    printf("No deadlock: no worm is dead, but %" PRIu64 " worm%s not delivered.\n", left,
           left == 1 ? " is" : "s are");
    if (findings->last_move == UINT64_MAX)
        puts("Nothing ever moved.");
    else if (findings->last_move < findings->last)
        printf("Nothing moved after cycle %" PRIu64 "; the last cycle is %" PRIu64 ".\n",
               findings->last_move, findings->last);
}

static void print_verdict(const struct findings *findings)
{
    const uint64_t left = findings->totals.worms - findings->totals.delivered;
    if (findings->deadlock.cycle != UINT64_MAX) {
        print_deadlock_verdict(findings);
        return;
    }
    if (findings->totals.worms == 0)
        puts("No worm was created.");
    else if (left == 0)
        puts("No deadlock: every worm was delivered.");
    else
        print_undelivered(findings, left);
    if (findings->totals.worms) print_worst(findings);
}

// --- the run ---

static void print_run(const struct findings *findings)
{
    const struct anl_config *network = &findings->analysed.scenario.network;
    const struct anl_blocking_totals *totals = &findings->totals;
    printf("network     %s, k %" PRIu32 ", n %" PRIu32 ", %" PRIu32 " lane%s of %" PRIu32
           " flit%s, %s, %s, %s%s\n",
           anl_topology_name(network->topology), network->k, network->n, network->num_vcs,
           plural(network->num_vcs), network->depth, plural(network->depth),
           anl_routing_name(network->routing), anl_scan_name(network->scan),
           anl_admission_name(network->admission),
           network->space == ANL_CHAINED ? ", space chained" : "");
    printf("run         seed %" PRIu64 ", %" PRIu64 " cycles\n",
           findings->analysed.scenario.run.seed, findings->analysed.cycles);
    printf("worms       %" PRIu64 " created, %" PRIu64 " delivered\n", totals->worms,
           totals->delivered);
    printf("paths       congestion c = %" PRIu32 " (worms over one link), dilation d = %" PRIu32
           " (links under one worm)\n",
           totals->congestion, totals->dilation);
}

static const char *const meanings[ANL_WAITS] = {
    [ANL_MOVING] = "the leading flit crossed a link",
    [ANL_BOUND_ELSEWHERE] = "the lanes that it may take belonged to other worms",
    [ANL_NO_CREDIT] = "the lane that it needed was full",
    [ANL_LOST_ARBITRATION] = "another flit was let go first",
    [ANL_NOT_YET] = "store and forward: its tail was not there yet",
    [ANL_BEHIND] = "in a lane behind flits of another worm",
    [ANL_QUEUED] = "in a source queue behind another worm",
};

static void print_times(const struct findings *findings)
{
    uint64_t all = 0;
    struct table table = {.align = "lrrl"};
    for (int wait = 0; wait < ANL_WAITS; wait++)
        all += findings->totals.cycles[wait];
    if (!all) return;
    puts("\nWhere the worms' time went, from creation to delivery (cycles, all worms together)");
    for (enum anl_wait wait = 0; wait < ANL_WAITS; wait++) {
        const uint64_t cycles = findings->totals.cycles[wait];
        table_row(&table, "%s\t%" PRIu64 "\t%.1f %%\t%s", anl_wait_name(wait), cycles,
                  100 * (double)cycles / (double)all, meanings[wait]);
    }
    table_print(&table, 2);
}

// --- the deadlock in the cycle in which it closed, worm by worm and lane by lane ---

static void print_head(const struct findings *findings, const struct deadlocked_worm *dead)
{
    const struct anl_buffer *buffer = &dead->head;
    printf("    head     in %s", name_of_buffer(findings, dead->head_buffer).text);
    if (buffer->worm == dead->worm.id)
        printf(" since cycle %" PRIu64 ", wants %s\n", buffer->since,
               name_of_wish(findings, buffer).text);
    else
        printf(", behind flits of worm %" PRIu32 "\n", buffer->worm);
}

static void print_holds(const struct findings *findings, const struct deadlocked_worm *dead)
{
    struct table table = {.align = "llrl"};
    for (size_t i = 0; i < dead->num_holds; i++) {
        const uint32_t buffer = dead->holds[i];
        table_row(&table, "%s\t%s\t%u\tflit%s%s", i ? "" : "holds  ",
                  name_of_buffer(findings, buffer).text, dead->flits[i], plural(dead->flits[i]),
                  buffer == dead->head_buffer ? ", its head first" : "");
    }
    table_print(&table, 4);
}

static void print_deadlocked(const struct findings *findings, size_t i)
{
    const struct deadlock *deadlock = &findings->deadlock;
    const struct deadlocked_worm *dead = &deadlock->circle[i];
    printf("  worm %" PRIu32 "  %s\n", dead->worm.id, name_of_journey(&dead->worm).text);
    print_head(findings, dead);
    print_holds(findings, dead);
    printf("    held by  worm %" PRIu32 "%s\n", dead->held_by,
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

static void print_deadlock(const struct findings *findings)
{
    const struct deadlock *deadlock = &findings->deadlock;
    if (deadlock->cycle == UINT64_MAX) return;
    printf("\nThe deadlock, as it closed in cycle %" PRIu64 "\n", deadlock->cycle);
    for (size_t i = 0; i < deadlock->count; i++)
        print_deadlocked(findings, i);
    print_choice(deadlock);
    print_others(deadlock);
}

// --- the longest stalls ---

static void print_delayed_most(struct table *table, const struct waiter *waiter)
{
    if (waiter->most.by == ANL_NOTHING)
        table_add(table, "-");
    else if (waiter->most.by == waiter->worm.id)
        table_add(table, "itself, %" PRIu64, waiter->most.cycles);
    else
        table_add(table, "worm %" PRIu32 ", %" PRIu64, waiter->most.by, waiter->most.cycles);
}

static void print_longest(const struct findings *findings)
{
    const struct waiters *waiters = &findings->waiters;
    struct table table = {.align = "rllrrrrlrll"};
    if (!waiters->count) return;
    printf("\n%s: %zu worm%s, each with its longest stall and all that it waited (cycles)\n",
           waiters->by_waited ? "Waited most" : "Longest stalls", waiters->count,
           plural(waiters->count));
    table_row(&table, "worm\tfrom\tto\tbegin\tend\tcycles\twaited\twhy\tblocker\twhere"
                      "\tdelayed most by");
    for (size_t i = 0; i < waiters->count; i++) {
        const struct waiter *waiter = &waiters->list[i];
        const struct anl_stall *stall = &waiter->stall;
        table_row(&table,
                  "%" PRIu32 "\tT%" PRIu32 "\tT%" PRIu32 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
                  "\t%" PRIu64 "\t%s\t%s\t%s",
                  waiter->worm.id, waiter->worm.source, waiter->worm.destination, stall->begin,
                  stall->end, stall_cycles(stall), waiter->waited, anl_wait_name(main_cause(stall)),
                  name_of_worm(stall->blocker).text, name_of_buffer(findings, stall->buffer).text);
        print_delayed_most(&table, waiter);
    }
    table_print(&table, 2);
}

static void print_hints(const struct findings *findings)
{
    if (!findings->waiters.count) return;
    const struct waiter *worst = &findings->waiters.list[0];
    const uint64_t middle = worst->stall.begin + (stall_cycles(&worst->stall) - 1) / 2;
    printf("\nMore: --worm %" PRIu32 " for its life, --at %" PRIu64
           " for who waits for whom in that cycle\n",
           worst->worm.id, middle);
}

static void print_summary(const struct findings *findings)
{
    print_verdict(findings);
    putchar('\n');
    print_run(findings);
    print_deadlock(findings);
    print_longest(findings);
    print_times(findings);
    print_hints(findings);
}

// --- the life of a worm ---

static void print_end(const struct findings *findings)
{
    const struct anl_life *life = &findings->worm.life;
    if (life->delivered != UINT64_MAX) {
        printf("delivered   cycle %" PRIu64 ", latency %" PRIu64 " cycles\n", life->delivered,
               life->delivered - life->worm.created + 1);
        return;
    }
    printf("delivered   not by cycle %" PRIu64, findings->last);
    if (is_dead(findings, life->worm.id))
        puts(", and never will be: it is dead");
    else if (life->wait == ANL_QUEUED)
        puts(": queued at its source behind another worm");
    else if (life->wait != ANL_MOVING)
        printf(": waits (%s) in %s\n", anl_wait_name(life->wait),
               name_of_buffer(findings, life->buffer).text);
    else
        puts(": on its way");
}

static void print_dates(const struct findings *findings)
{
    const struct anl_life *life = &findings->worm.life;
    printf("worm        %" PRIu32 ", %s\n", life->worm.id, name_of_journey(&life->worm).text);
    printf("created     cycle %" PRIu64 "\n", life->worm.created);
    if (life->injected == UINT64_MAX)
        printf("injected    not by cycle %" PRIu64 "\n", findings->last);
    else
        printf("injected    cycle %" PRIu64 "\n", life->injected);
    print_end(findings);
}

static void print_cycles(const struct findings *findings)
{
    const struct anl_life *life = &findings->worm.life;
    const struct anl_worm *worm = &life->worm;
    const struct anl_config *network = &findings->analysed.scenario.network;
    const uint32_t distance = anl_distance(network, worm->source, worm->destination);
    struct table table = {.align = "lr"};
    uint64_t sum = 0;
    puts("\nWhere its time went (cycles)");
    for (enum anl_wait wait = 0; wait < ANL_WAITS; wait++) {
        sum += life->cycles[wait];
        if (!life->cycles[wait]) continue;
        table_row(&table, "%s\t%" PRIu64, anl_wait_name(wait), life->cycles[wait]);
    }
    table_row(&table, "%s\t%" PRIu64, life->delivered == UINT64_MAX ? "age" : "latency", sum);
    table_row(&table, "alone\t%" PRIu64, cli_latency_alone(network, distance, worm->length));
    table_print(&table, 2);
}

// --- path, stalls, delays ---

static void print_path(const struct findings *findings)
{
    const struct worm_history *worm = &findings->worm;
    struct table table = {.align = "lrrr"};
    if (!worm->num_path) return;
    puts("\nPath (cycles in which head and tail crossed the link)");
    table_row(&table, "link\tlane\thead\ttail");
    for (size_t i = 0; i < worm->num_path; i++) {
        const struct crossing *crossing = &worm->path[i];
        table_row(&table, "%s\t%u\t%s\t%s", name_of_link(findings, crossing->link).text,
                  crossing->vc, name_of_cycle(crossing->head).text,
                  name_of_cycle(crossing->tail).text);
    }
    table_print(&table, 2);
}

// Returns the causes of a stall with their cycles: "no_credit 3, lost_arbitration 1".
static struct name name_of_causes(const struct anl_stall *stall)
{
    struct name name = {""};
    int used = 0;
    for (enum anl_wait wait = 0; wait < ANL_WAITS; wait++) {
        if (!stall->cycles[wait] || used >= NAME_BYTES) continue;
        used += snprintf(name.text + used, NAME_BYTES - (size_t)used, "%s%s %" PRIu64,
                         used ? ", " : "", anl_wait_name(wait), stall->cycles[wait]);
    }
    return name;
}

static void print_stalls(const struct findings *findings)
{
    const struct worm_history *worm = &findings->worm;
    struct table table = {.align = "rrrrrll"};
    if (!worm->stalls.count) return;
    puts("\nStalls (blocker and delayed by: in the first cycle)");
    table_row(&table, "begin\tend\tcycles\tblocker\tdelayed by\twhere\twhy");
    for (size_t i = 0; i < worm->stalls.count; i++) {
        const struct anl_stall *stall = &worm->stalls.list[i];
        table_row(&table, "%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s\t%s\t%s", stall->begin,
                  stall->end, stall_cycles(stall), name_of_worm(stall->blocker).text,
                  name_of_worm(stall->root_blocker).text,
                  name_of_buffer(findings, stall->buffer).text, name_of_causes(stall).text);
    }
    table_print(&table, 2);
}

static void print_delays(const struct worm_history *worm)
{
    struct table table = {.align = "lr"};
    if (!worm->life.num_delays) return;
    puts("\nDelayed by (cycles in which that worm moved at the end of its chain)");
    for (size_t i = 0; i < worm->life.num_delays; i++) {
        const struct anl_delay *delay = &worm->delays[i];
        if (delay->by == worm->life.worm.id)
            table_row(&table, "its own flits\t%" PRIu64, delay->cycles);
        else
            table_row(&table, "worm %" PRIu32 "\t%" PRIu64, delay->by, delay->cycles);
    }
    table_print(&table, 2);
}

static void print_life(const struct findings *findings)
{
    print_dates(findings);
    print_path(findings);
    print_stalls(findings);
    print_delays(&findings->worm);
    print_cycles(findings);
}

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
    const struct waiters *waiters = &findings->waiters;
    struct table table = {.align = "rllrrrrll"};
    if (!waiters->count) return;
    printf("\nLongest waiting, %zu of %" PRIu32 " (cycles so far)\n", waiters->count,
           findings->waiting);
    table_row(&table, "worm\tfrom\tto\tsince\tcycles\tblocker\tdelayed by\twhere\twhy");
    for (size_t i = 0; i < waiters->count; i++) {
        const struct waiter *waiter = &waiters->list[i];
        struct anl_life life;
        if (!anl_blocking_life(findings->analysed.blocking, waiter->worm.id, &life)) continue;
        const struct hold_up hold_up = hold_up_of(findings, &life);
        table_row(&table,
                  "%" PRIu32 "\tT%" PRIu32 "\tT%" PRIu32 "\t%" PRIu64 "\t%" PRIu64
                  "\t%s\t%s\t%s\t%s",
                  waiter->worm.id, waiter->worm.source, waiter->worm.destination,
                  waiter->stall.begin, stall_cycles(&waiter->stall),
                  name_of_worm(hold_up.blocker).text, name_of_worm(hold_up.root_blocker).text,
                  name_of_buffer(findings, life.buffer).text, anl_wait_name(life.wait));
    }
    table_print(&table, 2);
}

// --- the chain ---

static void print_worm_now(const struct findings *findings)
{
    const struct anl_life *life = &findings->worm.life;
    const struct anl_worm *worm = &life->worm;
    printf("\nWorm %" PRIu32 ", %s, created in cycle %" PRIu64, worm->id,
           name_of_journey(worm).text, worm->created);
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
    const struct chain *chain = &findings->chain;
    struct table table = {.align = "rrrlrl"};
    if (!chain->count) return;
    print_chain_title(findings);
    table_row(&table, "\tworm\tflits\twhere\tsince\t");
    for (size_t i = 0; i < chain->count; i++) {
        const struct anl_buffer buffer =
            anl_blocking_buffer(findings->analysed.blocking, chain->buffers[i]);
        char text[TABLE_CELL_BYTES];
        anl_blocking_text(findings->analysed.blocking, chain->buffers[i], text, sizeof text);
        table_row(&table, "%zu\t%s\t%" PRIu32 "\t%s\t%" PRIu64 "\t%s", i + 1,
                  name_of_worm(buffer.worm).text, buffer.flits,
                  name_of_buffer(findings, chain->buffers[i]).text, buffer.since, text);
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

static void print_state(const struct findings *findings)
{
    print_counts(findings);
    if (findings->question->has_worm)
        print_worm_now(findings);
    else
        print_waiters(findings);
    print_chain(findings);
    if (wants_map(findings)) worms_print_map(findings);
}

// --- all of it ---

void worms_print_text(const struct findings *findings)
{
    const struct worms_question *question = findings->question;
    if (question->has_at)
        print_state(findings);
    else if (question->has_worm)
        print_life(findings);
    else
        print_summary(findings);
}
