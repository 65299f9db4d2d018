// SPDX-License-Identifier: Apache-2.0
//
// The machine from creation to its end, its sources, and what it shows of itself.

#include "bufferless.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool allocate(struct anl_bufferless *machine)
{
    const size_t nodes = machine->nodes, links = nodes * ANL_BUFFERLESS_LINKS;
    machine->places = calloc(nodes, sizeof *machine->places);
    machine->now.flits = calloc(links, sizeof *machine->now.flits);
    machine->next.flits = calloc(links, sizeof *machine->next.flits);
    machine->now.present = calloc(nodes, 1);
    machine->next.present = calloc(nodes, 1);
    machine->latches = calloc(nodes * ANL_BUFFERLESS_PORTS, 1);
    machine->bound = calloc(nodes, 1);
    machine->faults = calloc(nodes, 1);
    machine->due = calloc(nodes, sizeof *machine->due);
    machine->sources = calloc(nodes, sizeof *machine->sources);
    machine->record = calloc(nodes * ANL_BUFFERLESS_PORTS, sizeof *machine->record);
    return machine->places && machine->now.flits && machine->next.flits && machine->now.present &&
           machine->next.present && machine->latches && machine->bound && machine->faults &&
           machine->due && machine->sources && machine->record;
}

enum anl_status anl_bufferless_create(uint32_t n, struct anl_bufferless **machine)
{
    *machine = NULL;
    if (n < 1 || n > ANL_BUFFERLESS_MAX_N) return ANL_ERR_ARGUMENT;
    struct anl_bufferless *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;
    made->n = n;
    made->nodes = n * n;
    if (!allocate(made)) {
        anl_bufferless_destroy(made);
        return ANL_ERR_MEMORY;
    }
    for (uint32_t node = 0; node < made->nodes; node++)
        made->places[node] = (struct place){(uint16_t)(node / n), (uint16_t)(node % n)};
    anl_bufferless_reset(made);
    *machine = made;
    return ANL_OK;
}

void anl_bufferless_destroy(struct anl_bufferless *machine)
{
    if (!machine) return;
    void *const all[] = {machine->places,       machine->now.flits, machine->next.flits,
                         machine->now.present,  machine->latches,   machine->bound,
                         machine->next.present, machine->faults,    machine->due,
                         machine->sources,      machine->worms,     machine->record};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(machine);
}

void anl_bufferless_reset(struct anl_bufferless *machine)
{
    machine->step = 0;
    machine->recorded = 0;
    memset(machine->now.present, 0, machine->nodes);
    memset(machine->next.present, 0, machine->nodes);
    memset(machine->bound, 0, machine->nodes);
    memset(machine->faults, 0, machine->nodes);
    for (uint32_t node = 0; node < machine->nodes; node++) {
        machine->due[node] = NEVER;
        machine->sources[node] = (struct source){ANL_NO_WORM, ANL_NO_WORM, 0};
    }
    machine->fault = (struct anl_bufferless_fault){.cause = ANL_BUFFERLESS_NO_FAULT};
    machine->totals = (struct anl_bufferless_totals){0};
}

void anl_bufferless_policy(struct anl_bufferless *machine, anl_bufferless_way way, void *user)
{
    machine->way = way;
    machine->user = user;
}

// --- worms ---

// Returns the first step in which a source may begin another worm.
static uint64_t free_from(const struct anl_bufferless *machine, uint32_t node)
{
    const uint32_t last = machine->sources[node].last;
    if (last == ANL_NO_WORM) return machine->step + 1;
    const struct anl_worm *worm = &machine->worms[last].record;
    const uint64_t end = worm->created + worm->length;
    return end > machine->step ? end : machine->step + 1;
}

static bool may_enqueue(const struct anl_bufferless *machine, const struct anl_worm *worm)
{
    return worm->source < machine->nodes && worm->destination < machine->nodes &&
           worm->source != worm->destination && worm->length > 0 && worm->created < NEVER / 2 &&
           worm->created >= free_from(machine, worm->source) &&
           machine->totals.enqueued < UINT32_MAX;
}

static bool make_room(struct anl_bufferless *machine)
{
    if (machine->totals.enqueued < machine->room) return true;
    const size_t room = machine->room ? 2 * machine->room : machine->nodes;
    struct worm *worms = realloc(machine->worms, room * sizeof *worms);
    if (!worms) return false;
    machine->worms = worms;
    machine->room = room;
    return true;
}

// Puts a worm behind the others of its source.
static void append(struct anl_bufferless *machine, uint32_t id)
{
    const struct anl_worm *record = &machine->worms[id].record;
    struct source *source = &machine->sources[record->source];
    if (source->worm == ANL_NO_WORM) {
        source->worm = id;
        machine->due[record->source] = record->created;
    } else
        machine->worms[source->last].next = id;
    source->last = id;
}

enum anl_status anl_bufferless_enqueue(struct anl_bufferless *machine, const struct anl_worm *worm,
                                       uint32_t *id)
{
    if (!may_enqueue(machine, worm)) return ANL_ERR_ARGUMENT;
    if (!make_room(machine)) return ANL_ERR_MEMORY;
    const uint32_t number = (uint32_t)machine->totals.enqueued++;
    machine->worms[number] = (struct worm){.record = {.id = number,
                                                      .source = worm->source,
                                                      .destination = worm->destination,
                                                      .length = worm->length,
                                                      .created = worm->created},
                                           .to = machine->places[worm->destination],
                                           .next = ANL_NO_WORM};
    append(machine, number);
    if (id) *id = number;
    return ANL_OK;
}

const struct anl_worm *anl_bufferless_worm(const struct anl_bufferless *machine, uint32_t id)
{
    return id < machine->totals.enqueued ? &machine->worms[id].record : NULL;
}

// --- what it shows ---

uint64_t anl_bufferless_steps(const struct anl_bufferless *machine) { return machine->step; }

bool anl_bufferless_idle(const struct anl_bufferless *machine)
{
    for (uint32_t node = 0; node < machine->nodes; node++)
        if (machine->now.present[node] || machine->due[node] != NEVER) return false;
    return true;
}

enum anl_status anl_bufferless_skip(struct anl_bufferless *machine, uint64_t step)
{
    if (step < machine->step || machine->fault.cause) return ANL_ERR_ARGUMENT;
    for (uint32_t node = 0; node < machine->nodes; node++)
        if (machine->now.present[node] || machine->due[node] <= step) return ANL_ERR_ARGUMENT;
    if (step > machine->step) machine->recorded = 0;
    machine->step = step;
    return ANL_OK;
}

void anl_bufferless_record(struct anl_bufferless *machine, bool on) { machine->recording = on; }

const struct anl_flit *anl_bufferless_flits(const struct anl_bufferless *machine, size_t *count)
{
    *count = machine->recorded;
    return machine->record;
}

struct anl_bufferless_totals anl_bufferless_totals(const struct anl_bufferless *machine)
{
    struct anl_bufferless_totals totals = machine->totals;
    for (uint32_t node = 0; node < machine->nodes; node++)
        totals.on_links += (uint64_t)__builtin_popcount(machine->now.present[node]);
    return totals;
}

static struct anl_bufferless_register shown(const struct anl_bufferless *machine, uint32_t node,
                                            uint32_t port)
{
    if (!(machine->now.present[node] >> port & 1)) return (struct anl_bufferless_register){0};
    const struct flit flit = machine->now.flits[(size_t)node * ANL_BUFFERLESS_LINKS + port];
    return (struct anl_bufferless_register){flit.worm, flit.index, true, flit.tail};
}

void anl_bufferless_state(const struct anl_bufferless *machine, struct anl_bufferless_state *state)
{
    for (uint32_t node = 0; node < machine->nodes; node++) {
        for (uint32_t port = 0; port < ANL_BUFFERLESS_LINKS; port++)
            state->links[(size_t)node * ANL_BUFFERLESS_LINKS + port] = shown(machine, node, port);
        for (uint32_t port = 0; port < ANL_BUFFERLESS_PORTS; port++) {
            const size_t latch = (size_t)node * ANL_BUFFERLESS_PORTS + port;
            state->latches[latch] =
                machine->bound[node] >> port & 1 ? machine->latches[latch] : ANL_NO_WAY;
        }
    }
    memcpy(state->faults, machine->faults, machine->nodes);
}

struct anl_bufferless_fault anl_bufferless_fault(const struct anl_bufferless *machine)
{
    return machine->fault;
}

void anl_bufferless_fault_text(const struct anl_bufferless *machine,
                               const struct anl_bufferless_fault *fault, char *text, size_t size)
{
    static const char *const says[] = {
        [ANL_BUFFERLESS_COLLISION] = "collide",
        [ANL_BUFFERLESS_NO_WAY] = "has a flit without a way",
        [ANL_BUFFERLESS_BROKEN_WORM] = "a worm has no next flit",
    };
    const uint32_t *const worms = fault->worms;
    char who[40] = "";
    if (fault->cause == ANL_BUFFERLESS_NO_FAULT) {
        snprintf(text, size, "no fault");
        return;
    }
    if (fault->cause == ANL_BUFFERLESS_COLLISION)
        snprintf(who, sizeof who, "worms %" PRIu32 " and %" PRIu32 " ", worms[0], worms[1]);
    if (fault->cause == ANL_BUFFERLESS_NO_WAY)
        snprintf(who, sizeof who, "worm %" PRIu32 " ", worms[0]);
    snprintf(text, size, "step %" PRIu64 ", (%" PRIu32 ",%" PRIu32 ").%c: %s%s", fault->step,
             fault->node / machine->n, fault->node % machine->n, "EWSNT"[fault->port], who,
             says[fault->cause]);
}
