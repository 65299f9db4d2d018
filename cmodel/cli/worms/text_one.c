// SPDX-License-Identifier: Apache-2.0
//
// Prints what is asked about one worm (--worm: its history) or one cycle (--at: who waits, the
// delay chain, the map).

#include "worms.h"

#include <annelid/network.h>
#include <inttypes.h>
#include <unistd.h>

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
    printf("worm        %" PRIu32 ", %s\n", life->worm.id, name_of_ends(&life->worm).text);
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
    const uint32_t distance = anl_worm_distance(network, worm);
    struct table table = {.align = "lr"};
    uint64_t sum = 0;
    puts("\nWhere its time went (cycles)");
    for (enum anl_wait wait = 0; wait < ANL_WAITS; wait++) {
        sum += life->cycles[wait];
        if (!life->cycles[wait]) continue;
        table_row(&table, "%s\t%" PRIu64, anl_wait_name(wait), life->cycles[wait]);
    }
    table_row(&table, "%s\t%" PRIu64, life->delivered == UINT64_MAX ? "age" : "latency", sum);
    table_row(&table, "alone\t%" PRIu64, anl_latency_alone(network, distance, worm->length));
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

void worms_print_life(const struct findings *findings)
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
    printf("\nWorm %" PRIu32 ", %s, created in cycle %" PRIu64, worm->id, name_of_ends(worm).text,
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

// --- without buffers ---

struct listing {
    const struct findings *findings;
    struct table table;
    uint32_t count;
};

static void list_worm(void *user, uint32_t worm)
{
    struct listing *listing = user;
    const struct findings *findings = listing->findings;
    const struct anl_blocking *blocking = findings->analysed.blocking;
    struct anl_life life;
    char text[TABLE_CELL_BYTES];
    if (!anl_blocking_life(blocking, worm, &life)) return;
    anl_blocking_text(blocking, life.buffer, text, sizeof text);
    table_row(&listing->table, "%" PRIu32 "\t%s\t%" PRIu64 "\t%s\t%s", worm,
              name_of_ends(&life.worm).text, life.worm.created,
              name_of_buffer(findings, life.buffer).text, text);
    listing->count++;
}

// Lists the worms that are under way. None of them waits.
static void print_under_way(const struct findings *findings)
{
    struct listing listing = {.findings = findings, .table = {.align = "rlrll"}};
    table_row(&listing.table, "worm\t\tstart\tfirst flit under way\t");
    anl_blocking_worms(findings->analysed.blocking, list_worm, &listing);
    printf("Cycle %" PRIu64 ": %" PRIu32 " worm%s under way, %" PRIu64 " of %" PRIu64
           " delivered.\n",
           findings->last, listing.count, plural(listing.count), findings->totals.delivered,
           findings->totals.worms);
    table_print(&listing.table, 2);
}

void worms_print_state(const struct findings *findings)
{
    if (worms_are_lost(findings)) {
        print_under_way(findings);
        worms_print_lost(findings);
        if (wants_map(findings)) worms_print_map(findings);
        return;
    }
    print_counts(findings);
    if (findings->question->has_worm)
        print_worm_now(findings);
    else
        print_waiters(findings);
    print_chain(findings);
    if (wants_map(findings)) worms_print_map(findings);
}
