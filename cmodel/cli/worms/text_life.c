// SPDX-License-Identifier: Apache-2.0
//
// Prints the history of one worm: option --worm.

#include "worms.h"

#include <annelid/network.h>
#include <inttypes.h>

static void add_cycle(struct table *table, uint64_t cycle)
{
    if (cycle == UINT64_MAX)
        table_add(table, "-");
    else
        table_add(table, "%" PRIu64, cycle);
}

static void print_titles(struct table *table, const char *const *titles)
{
    for (; *titles; titles++)
        table_add(table, "%s", *titles);
}

// --- dates ---

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
    printf("worm        %" PRIu32 ", T%" PRIu32 " -> T%" PRIu32 ", %u flit%s\n", life->worm.id,
           life->worm.source, life->worm.destination, life->worm.length, plural(life->worm.length));
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
        table_add(&table, "%s", anl_wait_name(wait));
        table_add(&table, "%" PRIu64, life->cycles[wait]);
    }
    table_add(&table, "%s", life->delivered == UINT64_MAX ? "age" : "latency");
    table_add(&table, "%" PRIu64, sum);
    table_add(&table, "alone");
    table_add(&table, "%" PRIu64, cli_latency_alone(network, distance, worm->length));
    table_print(&table, 2);
}

// --- path, stalls, delays ---

static void print_path(const struct findings *findings)
{
    static const char *const titles[] = {"link", "lane", "head", "tail", NULL};
    const struct worm_history *worm = &findings->worm;
    struct table table = {.align = "lrrr"};
    if (!worm->num_path) return;
    puts("\nPath (cycles in which head and tail crossed the link)");
    print_titles(&table, titles);
    for (size_t i = 0; i < worm->num_path; i++) {
        table_add(&table, "%s", name_of_link(findings, worm->path[i].link).text);
        table_add(&table, "%u", worm->path[i].vc);
        add_cycle(&table, worm->path[i].head);
        add_cycle(&table, worm->path[i].tail);
    }
    table_print(&table, 2);
}

static void add_causes(struct table *table, const struct anl_stall *stall)
{
    char text[TABLE_CELL_BYTES] = "";
    int used = 0;
    for (enum anl_wait wait = 0; wait < ANL_WAITS; wait++) {
        if (!stall->cycles[wait] || used >= TABLE_CELL_BYTES) continue;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s %" PRIu64, used ? ", " : "",
                         anl_wait_name(wait), stall->cycles[wait]);
    }
    table_add(table, "%s", text);
}

static void print_stalls(const struct findings *findings)
{
    static const char *const titles[] = {"begin",      "end",   "cycles", "blocker",
                                         "delayed by", "where", "why",    NULL};
    const struct worm_history *worm = &findings->worm;
    struct table table = {.align = "rrrrrll"};
    if (!worm->num_stalls) return;
    puts("\nStalls (blocker and delayed by: in the first cycle)");
    print_titles(&table, titles);
    for (size_t i = 0; i < worm->num_stalls; i++) {
        const struct anl_stall *stall = &worm->stalls[i];
        add_cycle(&table, stall->begin);
        add_cycle(&table, stall->end);
        add_cycle(&table, stall_cycles(stall));
        table_add(&table, "%s", name_of_worm(stall->blocker).text);
        table_add(&table, "%s", name_of_worm(stall->root_blocker).text);
        table_add(&table, "%s", name_of_buffer(findings, stall->buffer).text);
        add_causes(&table, stall);
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
            table_add(&table, "its own flits");
        else
            table_add(&table, "worm %" PRIu32, delay->by);
        table_add(&table, "%" PRIu64, delay->cycles);
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
