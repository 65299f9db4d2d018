// SPDX-License-Identifier: Apache-2.0
//
// Worms of the caller's own (docs/own_traffic.md). His functions say when they are asked next; each
// worm that they emit is checked, so that the engine is handed none that it refuses.

#include "workload.h"

#include <annelid/network.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

enum anl_status emit_create(struct anl_emit *emit, const struct anl_workload *workload)
{
    const struct anl_config *network = workload->network;
    const bool open_loop = anl_process_is_open_loop(workload->traffic->process);
    *emit = (struct anl_emit){.from = workload->own, .workload = workload, .next = ANL_NEVER};
    if (!workload->own) return ANL_OK;
    emit->terminals = anl_shape_of(network).terminals;
    emit->end = open_loop ? workload->cycles : ANL_NEVER;
    emit->next = emit->end ? 0 : ANL_NEVER;
    if (!anl_has(network, ANL_TRAIT_STARTS)) return ANL_OK;
    emit->free_from = calloc(emit->terminals, sizeof *emit->free_from);
    return emit->free_from ? ANL_OK : ANL_ERR_MEMORY;
}

void emit_destroy(struct anl_emit *emit) { free(emit->free_from); }

// --- errors: the first one counts ---

static void fail(struct anl_emit *emit, enum anl_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void fail(struct anl_emit *emit, enum anl_status status, const char *format, ...)
{
    char text[400];
    va_list rest;
    if (emit->status) return;
    va_start(rest, format);
    vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    emit->status = anl_fail(&emit->error, status, "", 0, "own traffic, cycle %" PRIu64 ": %s",
                            emit->cycle, text);
}

void anl_emit_error(struct anl_emit *emit, const char *reason)
{
    fail(emit, ANL_ERR_ARGUMENT, "%s", reason);
}

// Refuses a number of the worm that would be next.
static bool refuse(struct anl_emit *emit, const char *field, uint64_t found, uint64_t least,
                   uint64_t most, const char *unit)
{
    fail(emit, ANL_ERR_ARGUMENT,
         "worm %" PRIu64 ": %s: found %" PRIu64 ", expected %" PRIu64 "..%" PRIu64 "%s",
         emit->created, field, found, least, most, unit);
    return false;
}

// --- checks ---

// Returns how many flits a worm may have at most.
static uint32_t longest(const struct anl_emit *emit)
{
    const uint32_t most = anl_longest_worm(emit->workload->network), said = emit->from->longest;
    return said && said < most ? said : most;
}

static bool check_fields(struct anl_emit *emit, const struct anl_new_worm *worm)
{
    const struct anl_config *network = emit->workload->network;
    const struct {
        const char *name;
        uint64_t found, least, most;
        const char *unit;
    } fields[] = {
        {"source", worm->source, 0, emit->terminals - 1, " (a terminal)"},
        {"destination", worm->destination, 0, emit->terminals - 1, " (a terminal)"},
        {"length", worm->length, 1, longest(emit), " (flits)"},
        {"class", worm->class_, 0, anl_num_classes(network) - 1, ""},
        {"role", worm->role, 0, ANL_REPLY, ""},
        {"path", worm->has_path ? worm->path : 0, 0, anl_num_paths(network) - 1, ""},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].found < fields[i].least || fields[i].found > fields[i].most)
            return refuse(emit, fields[i].name, fields[i].found, fields[i].least, fields[i].most,
                          fields[i].unit);
    return true;
}

static bool check_route(struct anl_emit *emit, const struct anl_new_worm *worm)
{
    struct anl_error reason = {0};
    const struct anl_worm routed = {.source = worm->source,
                                    .destination = worm->destination,
                                    .route = worm->route,
                                    .route_length = worm->route_length};
    if (!worm->route) return true;
    if (emit->workload->no_routes)
        fail(emit, ANL_ERR_ARGUMENT, "worm %" PRIu64 ": route: found one, expected none: %s",
             emit->created, emit->workload->no_routes);
    else if (anl_own_route_check(emit->workload->network, &routed, &reason))
        fail(emit, ANL_ERR_ARGUMENT, "worm %" PRIu64 ": route: %s", emit->created, reason.text);
    return !emit->status;
}

// A source without a queue sends one worm at a time, and not to itself.
static bool check_start(struct anl_emit *emit, const struct anl_new_worm *worm)
{
    if (!emit->free_from) return true;
    uint64_t *free_from = &emit->free_from[worm->source];
    if (worm->destination == worm->source)
        fail(emit, ANL_ERR_ARGUMENT,
             "worm %" PRIu64 ": destination: found %" PRIu32
             ", expected another terminal than the source",
             emit->created, worm->destination);
    else if (emit->cycle == 0 || emit->cycle < *free_from)
        fail(emit, ANL_ERR_ARGUMENT,
             "worm %" PRIu64 ": source %" PRIu32
             ": found a worm in this cycle, expected none before cycle %" PRIu64
             ": such a source sends one worm at a time",
             emit->created, worm->source, *free_from ? *free_from : 1);
    *free_from = emit->cycle + worm->length;
    return !emit->status;
}

static bool check(struct anl_emit *emit, const struct anl_new_worm *worm)
{
    if (worm->dependencies)
        fail(emit, ANL_ERR_ARGUMENT,
             "worm %" PRIu64 ": dependencies: found some, expected none: emit the worm when it is "
             "due",
             emit->created);
    return !emit->status && check_fields(emit, worm) && check_route(emit, worm) &&
           check_start(emit, worm);
}

static bool make_room(struct anl_emit *emit)
{
    if (emit->count < emit->room) return true;
    const size_t room = 2 * emit->room + 16;
    struct anl_new_worm *larger = realloc(emit->worms, room * sizeof *larger);
    if (!larger) {
        fail(emit, ANL_ERR_MEMORY, "no memory for its worms");
        return false;
    }
    emit->worms = larger;
    emit->room = room;
    return true;
}

static uint64_t sign(uint64_t signature, const struct anl_new_worm *worm)
{
    const uint64_t ends = (uint64_t)worm->source << 32 | worm->destination;
    const uint64_t rest = (uint64_t)worm->length << 48 | (uint64_t)worm->class_ << 40 |
                          (uint64_t)worm->role << 36 | (uint64_t)worm->has_path << 32 | worm->path;
    return anl_mix(anl_mix(signature ^ ends) ^ rest);
}

bool anl_emit_worm(struct anl_emit *emit, const struct anl_new_worm *worm)
{
    if (!emit->asks)
        fail(emit, ANL_ERR_ARGUMENT, "worm %" PRIu64 ": found outside of create(), expected in it",
             emit->created);
    if (emit->status || !check(emit, worm) || !make_room(emit)) return false;
    emit->worms[emit->count++] = *worm;
    emit->created++;
    emit->signature = sign(emit->signature, worm);
    return true;
}

// --- when it is asked ---

// Notes that the caller wants to be asked in a cycle, which is `least` at the earliest.
static void ask_at(struct anl_emit *emit, const char *function, uint64_t cycle, uint64_t least)
{
    if (cycle < least)
        fail(emit, ANL_ERR_ARGUMENT,
             "%s() returned cycle %" PRIu64 ", expected %" PRIu64 " at the earliest, or ANL_NEVER",
             function, cycle, least);
    if (cycle < emit->end && cycle < emit->next) emit->next = cycle;
}

size_t emit_cycle(struct anl_emit *emit, uint64_t cycle, struct anl_new_worm **worms)
{
    emit->cycle = cycle;
    if (emit->status || cycle < emit->next) return 0;
    emit->worms = *worms;
    emit->count = 0;
    emit->next = ANL_NEVER;
    emit->asks = true;
    const uint64_t next = emit->from->create(emit->from->user, cycle, emit);
    emit->asks = false;
    *worms = emit->worms;
    if (!emit->status) ask_at(emit, "create", next, cycle + 1);
    emit->signature = anl_mix(emit->signature ^ cycle);
    return emit->status ? 0 : emit->count;
}

void emit_delivered(struct anl_emit *emit, uint64_t cycle, const struct anl_worm *worms,
                    size_t count)
{
    if (emit->status || !count || !emit->from->delivered) return;
    emit->cycle = cycle;
    const uint64_t next = emit->from->delivered(emit->from->user, cycle, worms, count);
    ask_at(emit, "delivered", next, cycle + 1);
}

void emit_taken(struct anl_emit *emit, uint64_t cycle, const struct anl_worm *worms, size_t count)
{
    if (emit->status || !count || !emit->from->taken) return;
    emit->cycle = cycle;
    ask_at(emit, "taken", emit->from->taken(emit->from->user, cycle, worms, count), cycle);
}

// --- state ---

void emit_pack(struct anl_emit *emit, struct anl_pack *pack)
{
    if (!emit->from) return;
    ANL_PACK(pack, emit->next);
    ANL_PACK(pack, emit->created);
    ANL_PACK(pack, emit->signature);
    emit->from->pack(emit->from->user, pack);
}
