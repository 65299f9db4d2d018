// SPDX-License-Identifier: Apache-2.0
//
// The machine without buffers. In a step every node looks at the flits that came to it and at its
// own worm, sends each flit on or consumes it, and all registers are written at the end.

#include "schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EAST, WEST, SOUTH, NORTH, HERE };
_Static_assert((int)HERE == (int)SIDES, "consuming is one more way to go on");

static const struct flit none = {ANL_NO_NODE, 0};

static size_t nodes_of(const struct machine *machine)
{
    return (size_t)machine->permutation->n * machine->permutation->n;
}

static bool is_flit(struct flit flit) { return flit.worm != ANL_NO_NODE; }

static void clear(struct flit *registers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        registers[i] = none;
}

static uint32_t steps_between(uint32_t n, uint32_t a, uint32_t b)
{
    return (uint32_t)(abs((int)(a / n) - (int)(b / n)) + abs((int)(a % n) - (int)(b % n)));
}

enum anl_status machine_begin(const struct anl_permutation *permutation, uint32_t k,
                              const uint32_t *starts, struct machine *machine)
{
    const uint32_t n = permutation->n;
    *machine = (struct machine){.permutation = permutation, .starts = starts, .k = k};
    const size_t nodes = nodes_of(machine);
    machine->now = calloc(nodes * SIDES, sizeof *machine->now);
    machine->next = calloc(nodes * SIDES, sizeof *machine->next);
    machine->latches = calloc(nodes * SIDES, sizeof *machine->latches);
    machine->injects = calloc(nodes, sizeof *machine->injects);
    machine->consumed = calloc(nodes, sizeof *machine->consumed);
    machine->due = calloc(nodes, sizeof *machine->due);
    if (!machine->now || !machine->next || !machine->latches || !machine->injects ||
        !machine->consumed || !machine->due)
        return ANL_ERR_MEMORY;
    clear(machine->now, nodes * SIDES);
    for (uint32_t worm = 0; worm < nodes; worm++)
        if (permutation->destinations[worm] != ANL_NO_NODE)
            machine->due[worm] =
                starts[worm] + steps_between(n, worm, permutation->destinations[worm]);
    return ANL_OK;
}

void machine_free(struct machine *machine)
{
    free(machine->now);
    free(machine->next);
    free(machine->latches);
    free(machine->injects);
    free(machine->consumed);
    free(machine->due);
}

// --- one flit ---

static bool refuse(const struct machine *machine, enum anl_schedule_rule rule, uint32_t node,
                   int side, uint32_t first, uint32_t second, struct anl_schedule_fault *fault)
{
    *fault =
        (struct anl_schedule_fault){rule, machine->step, node, "EWSNT" [side], { first, second }};
    return false;
}

// Returns where a head goes on from a node.
static int way(const struct machine *machine, uint32_t node, uint32_t worm)
{
    const uint32_t n = machine->permutation->n, to = machine->permutation->destinations[worm];
    if (node % n < to % n) return EAST;
    if (node % n > to % n) return WEST;
    if (node / n < to / n) return SOUTH;
    return node / n > to / n ? NORTH : HERE;
}

// Returns the neighbour on a side; ANL_NO_NODE beyond the edge of the mesh.
static uint32_t neighbour(uint32_t n, uint32_t node, int side)
{
    switch (side) {
    case EAST:
        return node % n + 1 < n ? node + 1 : ANL_NO_NODE;
    case WEST:
        return node % n > 0 ? node - 1 : ANL_NO_NODE;
    case SOUTH:
        return node / n + 1 < n ? node + n : ANL_NO_NODE;
    default:
        return node / n > 0 ? node - n : ANL_NO_NODE;
    }
}

static bool send(struct machine *machine, uint32_t node, int side, struct flit flit,
                 struct anl_schedule_fault *fault)
{
    const uint32_t to = neighbour(machine->permutation->n, node, side);
    if (to == ANL_NO_NODE)
        return refuse(machine, ANL_SCHEDULE_NO_IDLE, node, side, flit.worm, ANL_NO_NODE, fault);
    struct flit *place = &machine->next[(size_t)to * SIDES + (size_t)side];
    if (is_flit(*place))
        return refuse(machine, ANL_SCHEDULE_ONE_FLIT, node, side, place->worm, flit.worm, fault);
    *place = flit;
    return true;
}

// Consumes a flit. *taken is the worm of which the node has consumed a flit in this step.
static bool consume(struct machine *machine, uint32_t node, struct flit flit, uint32_t *taken,
                    struct anl_schedule_fault *fault)
{
    if (*taken != ANL_NO_NODE)
        return refuse(machine, ANL_SCHEDULE_ONE_ARRIVAL, node, HERE, *taken, flit.worm, fault);
    *taken = flit.worm;
    if (machine->permutation->destinations[flit.worm] != node ||
        machine->consumed[flit.worm] != flit.index ||
        machine->step != machine->due[flit.worm] + flit.index)
        return refuse(machine, ANL_SCHEDULE_ON_TIME, node, HERE, flit.worm, ANL_NO_NODE, fault);
    machine->consumed[flit.worm]++;
    machine->on_links--;
    return true;
}

// Sends on what came to a node, or consumes it.
static bool forward(struct machine *machine, uint32_t node, struct anl_schedule_fault *fault)
{
    uint32_t taken = ANL_NO_NODE;
    for (size_t side = 0; side < SIDES; side++) {
        const struct flit flit = machine->now[(size_t)node * SIDES + side];
        uint8_t *latch = &machine->latches[(size_t)node * SIDES + side];
        if (!is_flit(flit)) continue;
        if (flit.index == 0) *latch = (uint8_t)way(machine, node, flit.worm);
        const bool good = *latch == HERE ? consume(machine, node, flit, &taken, fault)
                                         : send(machine, node, *latch, flit, fault);
        if (!good) return false;
    }
    return true;
}

// Sends the flit of a node's own worm that is to leave in this step.
static bool inject(struct machine *machine, uint32_t node, struct anl_schedule_fault *fault)
{
    const uint32_t to = machine->permutation->destinations[node], start = machine->starts[node];
    if (to == ANL_NO_NODE || to == node) return true;
    if (machine->step < start || machine->step >= start + machine->k) return true;
    const struct flit flit = {node, machine->step - start};
    if (flit.index == 0) machine->injects[node] = (uint8_t)way(machine, node, node);
    machine->on_links++;
    return send(machine, node, machine->injects[node], flit, fault);
}

// --- after a step ---

static bool none_is_lost(const struct machine *machine, struct anl_schedule_fault *fault)
{
    uint64_t found = 0;
    for (size_t i = 0; i < nodes_of(machine) * SIDES; i++)
        found += is_flit(machine->next[i]);
    if (found == machine->on_links) return true;
    return refuse(machine, ANL_SCHEDULE_NO_IDLE, 0, HERE, ANL_NO_NODE, ANL_NO_NODE, fault);
}

// Returns whether the flits that crossed one link in two steps, one after the other, may follow
// each other: a flit that is no tail has the next one behind it, and one that is no head has the
// one before it in front.
static bool may_follow(struct flit first, struct flit second, uint32_t k)
{
    const bool goes_on = is_flit(first) && first.index + 1 < k;
    const bool went_on = is_flit(second) && second.index > 0;
    if (!goes_on && !went_on) return true;
    return goes_on && went_on && first.worm == second.worm && first.index + 1 == second.index;
}

static bool all_follow(const struct machine *machine, struct anl_schedule_fault *fault)
{
    for (size_t i = 0; i < nodes_of(machine) * SIDES; i++) {
        const struct flit first = machine->now[i], second = machine->next[i];
        if (may_follow(first, second, machine->k)) continue;
        const uint32_t worm = is_flit(first) ? first.worm : second.worm;
        return refuse(machine, ANL_SCHEDULE_CONTIGUOUS, (uint32_t)(i / SIDES), HERE, worm,
                      ANL_NO_NODE, fault);
    }
    return true;
}

bool machine_step(struct machine *machine, struct anl_schedule_fault *fault)
{
    machine->step++;
    clear(machine->next, nodes_of(machine) * SIDES);
    for (uint32_t node = 0; node < nodes_of(machine); node++)
        if (!forward(machine, node, fault) || !inject(machine, node, fault)) return false;
    if (!none_is_lost(machine, fault) || !all_follow(machine, fault)) return false;
    struct flit *const now = machine->now;
    machine->now = machine->next;
    machine->next = now;
    return true;
}

// --- a whole schedule ---

static bool has_starts(const struct machine *machine, struct anl_schedule_fault *fault)
{
    for (uint32_t node = 0; node < nodes_of(machine); node++) {
        const bool is_worm = machine->permutation->destinations[node] != ANL_NO_NODE;
        if (is_worm != (machine->starts[node] > 0))
            return refuse(machine, ANL_SCHEDULE_NO_START, node, HERE, node, ANL_NO_NODE, fault);
    }
    return true;
}

// Returns the step in which the last tail must be consumed.
static uint32_t last_step(const struct machine *machine)
{
    uint32_t last = 0;
    for (uint32_t worm = 0; worm < nodes_of(machine); worm++) {
        const uint32_t to = machine->permutation->destinations[worm];
        if (to == ANL_NO_NODE || to == worm) continue;
        const uint32_t tail = machine->due[worm] + machine->k - 1;
        if (tail > last) last = tail;
    }
    return last;
}

static bool all_delivered(const struct machine *machine, struct anl_schedule_fault *fault)
{
    for (uint32_t worm = 0; worm < nodes_of(machine); worm++) {
        const uint32_t to = machine->permutation->destinations[worm];
        if (to != ANL_NO_NODE && to != worm && machine->consumed[worm] != machine->k)
            return refuse(machine, ANL_SCHEDULE_ON_TIME, to, HERE, worm, ANL_NO_NODE, fault);
    }
    return true;
}

// Makes all steps. Returns false if watch stopped them; a broken rule is in *fault.
static bool make_steps(struct machine *machine, const struct anl_schedule_watch *watch,
                       struct anl_schedule_fault *fault)
{
    const uint32_t last = last_step(machine);
    while (machine->step < last) {
        if (watch && !watch->go_on(watch->user, machine->step, last)) return false;
        if (!machine_step(machine, fault)) return true;
    }
    all_delivered(machine, fault);
    return true;
}

enum anl_status anl_schedule_check(const struct anl_permutation *permutation, uint32_t k,
                                   const uint32_t *starts, const struct anl_schedule_watch *watch,
                                   struct anl_schedule_fault *fault)
{
    struct machine machine;
    enum anl_status status = machine_begin(permutation, k, starts, &machine);
    *fault = (struct anl_schedule_fault){.rule = ANL_SCHEDULE_KEPT};
    if (!status && has_starts(&machine, fault) && !make_steps(&machine, watch, fault))
        status = ANL_ERR_STALLED;
    machine_free(&machine);
    return status;
}

// --- words ---

static const char *words_of(enum anl_schedule_rule rule)
{
    static const char *const words[] = {
        [ANL_SCHEDULE_KEPT] = "no rule is broken",
        [ANL_SCHEDULE_NO_START] = "has no start of 1 or later, or a start and no destination",
        [ANL_SCHEDULE_ONE_FLIT] = "want one link",
        [ANL_SCHEDULE_CONTIGUOUS] = "is not contiguous",
        [ANL_SCHEDULE_NO_IDLE] = "has a flit that waits or is lost",
        [ANL_SCHEDULE_ONE_ARRIVAL] = "arrive at one node",
        [ANL_SCHEDULE_ON_TIME] = "is not delivered in order and on time",
    };
    return words[rule];
}

void anl_schedule_fault_text(const struct anl_schedule_fault *fault, uint32_t n, char *text,
                             size_t size)
{
    char who[64] = "a worm", where[64];
    if (fault->rule == ANL_SCHEDULE_KEPT) {
        snprintf(text, size, "%s", words_of(fault->rule));
        return;
    }
    if (fault->worms[0] != ANL_NO_NODE && fault->worms[1] != ANL_NO_NODE)
        snprintf(who, sizeof who, "worms %" PRIu32 " and %" PRIu32, fault->worms[0],
                 fault->worms[1]);
    else if (fault->worms[0] != ANL_NO_NODE)
        snprintf(who, sizeof who, "worm %" PRIu32, fault->worms[0]);
    snprintf(where, sizeof where, "(%" PRIu32 ",%" PRIu32 ").%c", fault->node / n, fault->node % n,
             fault->port);
    snprintf(text, size, "step %" PRIu32 ", %s: %s %s", fault->step, where, who,
             words_of(fault->rule));
}
