// SPDX-License-Identifier: Apache-2.0
//
// Prints the blocking analysis of a whole run as text: one sentence, the run, the deadlock, the
// longest stalls.

#include "worms.h"

#include <annelid/network.h>
#include <inttypes.h>

// --- in one sentence ---

// Prints which worms, and which terminals that refuse, hold each other.
static void print_who_hold(const struct deadlock *deadlock)
{
    uint32_t terminal = ANL_NOTHING;
    size_t terminals = 0;
    for (size_t i = 0; i < deadlock->count; i++) {
        if (deadlock->circle[i].terminal == ANL_NOTHING) continue;
        terminal = deadlock->circle[i].terminal;
        terminals++;
    }
    if (deadlock->count == 1)
        printf("a worm");
    else
        printf("%zu worms", deadlock->count);
    if (terminals == 1)
        printf(" and T%" PRIu32 ", which refuses requests,", terminal);
    else if (terminals)
        printf(" and %zu terminals, which refuse requests,", terminals);
    printf(deadlock->count + terminals == 1 ? " holds itself" : " hold each other");
    puts(deadlock->count == 1 ? ", and its head can never move again."
                              : ", and none of their heads can ever move again.");
}

static void print_deadlock_verdict(const struct findings *findings)
{
    const struct deadlock *deadlock = &findings->deadlock;
    printf("DEADLOCK, closed in cycle %" PRIu64 ": ", deadlock->cycle);
    print_who_hold(deadlock);
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

// Prints the worms whose flits want one link, and when they could start.
static void print_meeting(const struct findings *findings, size_t first, size_t end)
{
    struct table table = {.align = "llllll"};
    printf("In cycle %" PRIu64 ", %zu flit%s link %s and %s lost:\n", findings->last, end - first,
           end - first == 1 ? " wants" : "s want",
           name_of_link(findings, findings->lost[first].link).text,
           end - first == 1 ? "is" : "are");
    for (size_t i = first; i < end; i++) {
        const struct lost_flit *lost = &findings->lost[i];
        const uint64_t good = first_good_start(findings, lost->worm);
        struct anl_life life;
        if (!anl_blocking_life(findings->analysed.blocking, lost->worm, &life)) continue;
        table_row(&table, "worm %" PRIu32 "\t%s\tstarts in %" PRIu64 "\tflit %u\tin %s", lost->worm,
                  name_of_ends(&life.worm).text, life.worm.created, lost->index,
                  name_of_buffer(findings, lost->buffer).text);
        if (good == UINT64_MAX)
            table_add(&table, "-");
        else
            table_add(&table, "meets nobody if it starts in %" PRIu64, good);
    }
    table_print(&table, 2);
}

void worms_print_lost(const struct findings *findings)
{
    for (size_t i = 0, end, shown = 0; i < findings->num_lost; i = end) {
        for (end = i + 1; end < findings->num_lost; end++)
            if (findings->lost[end].link != findings->lost[i].link) break;
        if (shown++ < findings->question->top) print_meeting(findings, i, end);
    }
}

static void print_fault_verdict(const struct findings *findings)
{
    const uint64_t left = findings->totals.worms - findings->totals.delivered;
    if (findings->num_lost)
        puts("FAULT: worms meet, and there is no buffer in which one of them could wait.");
    else if (left)
        printf("No fault: nobody waits, and %" PRIu64 " worm%s under way.\n", left,
               left == 1 ? " is" : "s are");
    else
        puts("No fault: every worm was delivered, and none ever waits without buffers.");
    worms_print_lost(findings);
}

static void print_verdict(const struct findings *findings)
{
    const uint64_t left = findings->totals.worms - findings->totals.delivered;
    if (worms_are_lost(findings)) {
        print_fault_verdict(findings);
        return;
    }
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

// Prints the link over which most worms went: of several the busiest.
static void print_congested(const struct findings *findings)
{
    const uint32_t most = findings->totals.congestion;
    uint32_t link = ANL_NOTHING, others = 0;
    for (size_t i = 0; most && i < findings->num_loads; i++) {
        if (findings->loads[i].worms != most) continue;
        others += link != ANL_NOTHING;
        if (link == ANL_NOTHING) link = findings->loads[i].link;
    }
    printf("%s", link == ANL_NOTHING ? "one link" : name_of_link(findings, link).text);
    if (others) printf(" and %" PRIu32 " other%s", others, plural(others));
}

static void print_run(const struct findings *findings)
{
    const struct anl_config *network = &findings->analysed.scenario.network;
    const struct anl_blocking_totals *totals = &findings->totals;
    printf("network     %s, %s\n", cli_network_name(network, " ").text,
           cli_switch_words(network).text);
    printf("run         seed %" PRIu64 ", %" PRIu64 " cycles\n",
           findings->analysed.scenario.run.seed, findings->analysed.cycles);
    printf("worms       %" PRIu64 " created, %" PRIu64 " delivered\n", totals->worms,
           totals->delivered);
    printf("paths       congestion c = %" PRIu32 " (worms over ", totals->congestion);
    print_congested(findings);
    printf("), dilation d = %" PRIu32 " (links under one worm)\n", totals->dilation);
}

static const char *const meanings[ANL_WAITS] = {
    [ANL_MOVING] = "the leading flit moved",
    [ANL_BOUND_ELSEWHERE] = "the lanes that it may take belonged to other worms",
    [ANL_NO_CREDIT] = "the lane that it needed was full",
    [ANL_LOST_ARBITRATION] = "another flit was let go first",
    [ANL_NOT_YET] = "waited for its tail, or for an earlier worm to begin",
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

// Prints what stands in the lanes of the terminal that refuses what the worm sends.
static void print_refused(const struct findings *findings, const struct deadlocked_worm *dead)
{
    struct table table = {.align = "llll"};
    for (size_t i = 0; i < dead->num_lanes; i++) {
        const struct refused_lane *lane = &dead->lanes[i];
        table_row(&table, "%s\t%s", i ? "" : "full   ",
                  name_of_buffer(findings, lane->buffer).text);
        if (lane->at.owner == ANL_NOTHING)
            table_add(&table, "held by nobody");
        else
            table_add(&table, "held by worm %" PRIu32, lane->at.owner);
        if (lane->at.worm == ANL_NOTHING)
            table_add(&table, "empty");
        else
            table_add(&table, "worm %" PRIu32 " %s", lane->at.worm, lane->text);
    }
    table_print(&table, 4);
}

// Says by what a worm of the circle is held: by the next one, or by a terminal that waits for it.
static void print_holder(const struct deadlocked_worm *dead, bool is_last)
{
    printf("    held by  ");
    if (dead->terminal != ANL_NOTHING)
        printf("T%" PRIu32
               ", which refuses requests until a reply leaves its source, and there by ",
               dead->terminal);
    printf("worm %" PRIu32 "%s\n", dead->held_by,
           is_last ? ", the first one: deadlock" : ", the next one");
}

static void print_deadlocked(const struct findings *findings, size_t i)
{
    const struct deadlock *deadlock = &findings->deadlock;
    const struct deadlocked_worm *dead = &deadlock->circle[i];
    printf("  worm %" PRIu32 "  %s\n", dead->worm.id, name_of_ends(&dead->worm).text);
    print_head(findings, dead);
    print_holds(findings, dead);
    print_refused(findings, dead);
    print_holder(dead, i + 1 == deadlock->count);
}

// The circle shows one lane of each set that a head may take. This sentence says that the others
// are no way out.
static void print_choice(const struct deadlock *deadlock)
{
    for (size_t i = 0; i < deadlock->count; i++) {
        const struct anl_buffer *head = &deadlock->circle[i].head;
        const uint32_t vcs = head->wants_vcs, ports = head->options.ports;
        if (!(vcs & (vcs - 1)) && !(ports & (ports - 1))) continue;
        puts("  Where a head may take one of several lanes, all of them are stuck.");
        return;
    }
}

// Says why a worm may be held by one that its terminal sends.
static void print_refusal(const struct anl_config *network)
{
    if (network->reply_queue)
        printf("  Terminals refuse requests while %" PRIu32 " repl%s their sources; what comes to "
               "one that refuses is held by the worm that is first in the source of its replies.\n",
               network->reply_queue, network->reply_queue == 1 ? "y waits in" : "ies wait in");
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
    print_refusal(&findings->analysed.scenario.network);
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

// Prints the links that carried most flits, those of terminals too: where worms wait, the cause is
// often a link far from them that is full.
static void print_busiest(const struct findings *findings)
{
    enum { MOST = 5 };
    struct table table = {.align = "lrrr"};
    if (!findings->num_loads || !findings->loads[0].flits) return;
    table_row(&table, "link\tflits\tper cycle\tworms");
    for (size_t i = 0; i < MOST && i < findings->num_loads; i++) {
        const struct link_load *load = &findings->loads[i];
        if (!load->flits) break;
        table_row(&table, "%s\t%" PRIu64 "\t%.3f\t%" PRIu32,
                  name_of_link(findings, load->link).text, load->flits,
                  (double)load->flits / (double)findings->analysed.cycles, load->worms);
    }
    printf("\nBusiest links, in all cycles of the run (%s carries at most 1 flit per cycle)\n",
           findings->analysed.scenario.network.link == ANL_WIDE ? "each lane" : "a link");
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
    if (findings->analysed.reader) return;  // plots are of scenarios
    printf("      annelid plot --what links -o links.svg");
    const bool gone = cli_print_given(&findings->question->given);
    printf(" for what each link carries");
    cli_print_saved(gone);
    putchar('\n');
}

static void print_summary(const struct findings *findings)
{
    print_verdict(findings);
    putchar('\n');
    print_run(findings);
    print_deadlock(findings);
    print_longest(findings);
    if (!worms_are_lost(findings)) print_times(findings);
    if (!worms_are_lost(findings)) print_busiest(findings);
    print_hints(findings);
}

void worms_print_text(const struct findings *findings)
{
    const struct worms_question *question = findings->question;
    if (question->has_at)
        worms_print_state(findings);
    else if (question->has_worm)
        worms_print_life(findings);
    else
        print_summary(findings);
}
