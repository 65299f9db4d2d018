// SPDX-License-Identifier: Apache-2.0
//
// The blocking analysis for machines: one JSON object with all that the text says. Keys:
// docs/worms.md. Names hold no character that JSON would want escaped, but the text of a buffer
// might one day.

#include "worms.h"

#include <inttypes.h>

static void print_string(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

static void print_buffer(const char *key, const struct tale *tale, uint32_t buffer)
{
    printf("\"%s\": ", key);
    print_string(name_of_buffer(tale, buffer).text);
}

// A worm, or null.
static void print_worm_key(const char *key, uint32_t worm)
{
    if (worm == ANL_NOTHING)
        printf(", \"%s\": null", key);
    else
        printf(", \"%s\": %" PRIu32, key, worm);
}

// A cycle, or null if it has not come.
static void print_cycle_key(const char *key, uint64_t cycle)
{
    if (cycle == UINT64_MAX)
        printf(", \"%s\": null", key);
    else
        printf(", \"%s\": %" PRIu64, key, cycle);
}

static void print_cycles(const char *key, const uint64_t *cycles)
{
    printf(", \"%s\": {", key);
    for (enum anl_wait wait = 0; wait < ANL_WAITS; wait++)
        printf("%s\"%s\": %" PRIu64, wait ? ", " : "", anl_wait_name(wait), cycles[wait]);
    putchar('}');
}

static void print_worm(const struct anl_worm *worm)
{
    printf("\"worm\": %" PRIu32 ", \"source\": %" PRIu32 ", \"destination\": %" PRIu32
           ", \"length\": %u, \"created\": %" PRIu64,
           worm->id, worm->source, worm->destination, worm->length, worm->created);
}

// --- the run ---

static void print_run(const struct tale *tale)
{
    const struct anl_config *network = &tale->analysed.scenario.network;
    const struct anl_blocking_totals *totals = &tale->totals;
    printf("\"network\": {\"topology\": \"%s\", \"k\": %" PRIu32 ", \"n\": %" PRIu32
           ", \"num_vcs\": %" PRIu32 ", \"depth\": %" PRIu32
           ", \"routing\": \"%s\", \"scan\": \"%s\", \"admission\": \"%s\""
           ", \"space\": \"%s\"}",
           anl_topology_name(network->topology), network->k, network->n, network->num_vcs,
           network->depth, anl_routing_name(network->routing), anl_scan_name(network->scan),
           anl_admission_name(network->admission), anl_space_name(network->space));
    printf(",\n \"seed\": %" PRIu64 ", \"cycles\": %" PRIu64 ", \"ended\": %s",
           tale->analysed.scenario.run.seed, tale->analysed.cycles,
           tale->analysed.ended ? "true" : "false");
    print_cycle_key("last_move", tale->last_move);
    printf(",\n \"created\": %" PRIu64 ", \"delivered\": %" PRIu64 ", \"waiting\": %" PRIu32
           ", \"moving\": %" PRIu32 ", \"queued\": %" PRIu32,
           totals->worms, totals->delivered, tale->waiting, tale->moving, tale->queued);
    printf(",\n \"congestion\": %" PRIu32 ", \"dilation\": %" PRIu32, totals->congestion,
           totals->dilation);
    print_cycles("worm_cycles", totals->cycles);
}

// --- the deadlock ---

static void print_captive(const struct tale *tale, const struct captive *captive)
{
    printf("{");
    print_worm(&captive->worm);
    printf(",\n   \"head\": {");
    print_buffer("buffer", tale, captive->head_buffer);
    printf(", \"since\": %" PRIu64, captive->head.since);
    if (captive->head.worm == captive->worm.id)
        printf(", \"wants\": \"%s\"}", name_of_wish(tale, &captive->head).text);
    else
        printf(", \"wants\": null}");
    printf(",\n   \"holds\": [");
    for (size_t i = 0; i < captive->num_holds; i++) {
        printf(i ? ", {" : "{");
        print_buffer("buffer", tale, captive->holds[i]);
        printf(", \"flits\": %u}", captive->flits[i]);
    }
    putchar(']');
    print_worm_key("held_by", captive->held_by);
    putchar('}');
}

static void print_deadlock(const struct tale *tale)
{
    const struct deadlock *deadlock = &tale->deadlock;
    if (deadlock->cycle == UINT64_MAX) {
        printf(",\n \"deadlock\": null");
        return;
    }
    printf(",\n \"deadlock\": {\"cycle\": %" PRIu64 ", \"worms\": [", deadlock->cycle);
    for (size_t i = 0; i < deadlock->count; i++) {
        printf(i ? ",\n  " : "\n  ");
        print_captive(tale, &deadlock->circle[i]);
    }
    printf("],\n  \"dead\": [");
    for (size_t i = 0; i < deadlock->num_dead; i++)
        printf("%s%" PRIu32, i ? ", " : "", deadlock->dead[i]);
    printf("]}");
}

// --- stays ---

static void print_stall(const struct tale *tale, const struct anl_stall *stall)
{
    printf("\"begin\": %" PRIu64 ", \"end\": %" PRIu64 ", \"cycles\": %" PRIu64 ", ", stall->begin,
           stall->end, stall_cycles(stall));
    print_buffer("buffer", tale, stall->buffer);
    printf(", \"cause\": \"%s\"", anl_wait_name(main_cause(stall)));
    print_worm_key("blocker", stall->blocker);
    print_worm_key("root_blocker", stall->root_blocker);
    print_cycles("waits", stall->cycles);
}

// What holds it up now; with --at only.
static void print_now(const struct tale *tale, uint32_t worm)
{
    struct anl_life life;
    if (!anl_blocking_life(tale->analysed.blocking, worm, &life)) return;
    const struct hold_up hold_up = hold_up_of(tale, &life);
    printf(", \"now\": {\"wait\": \"%s\"", anl_wait_name(life.wait));
    print_worm_key("blocker", hold_up.blocker);
    print_worm_key("root_blocker", hold_up.root_blocker);
    putchar('}');
}

static void print_waiters(const struct tale *tale)
{
    const struct waiters *waiters = &tale->waiters;
    printf(",\n \"longest\": [");
    for (size_t i = 0; i < waiters->count; i++) {
        const struct waiter *waiter = &waiters->list[i];
        printf(i ? ",\n  {" : "\n  {");
        print_worm(&waiter->worm);
        printf(", ");
        print_stall(tale, &waiter->stall);
        print_worm_key("delayed_most_by", waiter->most.by);
        printf(", \"delayed_most_cycles\": %" PRIu64 ", \"waited\": %" PRIu64, waiter->most.cycles,
               waiter->waited);
        if (tale->question->has_at) print_now(tale, waiter->worm.id);
        putchar('}');
    }
    putchar(']');
}

// --- one worm ---

static void print_path(const struct tale *tale, const struct biography *worm)
{
    printf(",\n  \"path\": [");
    for (size_t i = 0; i < worm->num_path; i++) {
        const struct crossing *crossing = &worm->path[i];
        printf("%s{\"link\": \"%s\", \"lane\": %u, \"head\": %" PRIu64, i ? ", " : "",
               name_of_link(tale, crossing->link).text, crossing->vc, crossing->head);
        print_cycle_key("tail", crossing->tail);
        putchar('}');
    }
    putchar(']');
}

static void print_life(const struct tale *tale)
{
    const struct biography *worm = &tale->worm;
    const struct anl_life *life = &worm->life;
    printf(",\n \"worm\": {");
    print_worm(&life->worm);
    print_cycle_key("injected", life->injected);
    print_cycle_key("delivered", life->delivered);
    printf(", \"wait\": \"%s\", ", anl_wait_name(life->wait));
    print_buffer("buffer", tale, life->buffer);
    printf(", \"dead\": %s", is_dead(tale, life->worm.id) ? "true" : "false");
    print_cycles("cycles", life->cycles);
    print_path(tale, worm);
    printf(",\n  \"stalls\": [");
    for (size_t i = 0; i < worm->num_stalls; i++) {
        printf(i ? ",\n   {" : "\n   {");
        print_stall(tale, &worm->stalls[i]);
        putchar('}');
    }
    printf("],\n  \"delays\": [");
    for (size_t i = 0; i < life->num_delays; i++)
        printf("%s{\"by\": %" PRIu32 ", \"cycles\": %" PRIu64 "}", i ? ", " : "",
               worm->delays[i].by, worm->delays[i].cycles);
    printf("]}");
}

// --- one cycle ---

static void print_buffer_now(const struct tale *tale, uint32_t number)
{
    const struct anl_buffer buffer = anl_blocking_buffer(tale->analysed.blocking, number);
    char text[256];
    anl_blocking_text(tale->analysed.blocking, number, text, sizeof text);
    printf("{");
    print_buffer("buffer", tale, number);
    printf(", \"flits\": %" PRIu32, buffer.flits);
    print_worm_key("worm", buffer.worm);
    print_worm_key("owner", buffer.owner);
    if (buffer.worm != ANL_NOTHING)
        printf(", \"index\": %u, \"since\": %" PRIu64 ", \"wait\": \"%s\"", buffer.index,
               buffer.since, anl_wait_name(buffer.wait));
    printf(", \"text\": ");
    print_string(text);
    putchar('}');
}

static void print_state(const struct tale *tale)
{
    const struct anl_blocking *blocking = tale->analysed.blocking;
    const struct chain *chain = &tale->chain;
    printf(",\n \"at\": %" PRIu64 ",\n \"chain\": {", tale->last);
    if (chain->count && chain->back != SIZE_MAX)
        printf("\"back\": %zu", chain->back);
    else
        printf("\"back\": null");
    print_worm_key("of", chain->count ? tale->chain_worm : ANL_NOTHING);
    printf(", \"buffers\": [");
    for (size_t i = 0; i < chain->count; i++) {
        printf(i ? ",\n  " : "\n  ");
        print_buffer_now(tale, chain->buffers[i]);
    }
    printf("]},\n \"buffers\": [");
    bool first = true;
    for (uint32_t number = 0; number < anl_blocking_num_buffers(blocking); number++) {
        const struct anl_buffer buffer = anl_blocking_buffer(blocking, number);
        if (buffer.worm == ANL_NOTHING && buffer.owner == ANL_NOTHING) continue;
        printf(first ? "\n  " : ",\n  ");
        print_buffer_now(tale, number);
        first = false;
    }
    putchar(']');
}

void worms_print_json(const struct tale *tale)
{
    putchar('{');
    print_run(tale);
    print_deadlock(tale);
    print_waiters(tale);
    if (tale->question->has_worm) print_life(tale);
    if (tale->question->has_at) print_state(tale);
    puts("}");
}
