// SPDX-License-Identifier: Apache-2.0
//
// The machine from creation to its end, its worms, and what it shows of itself.

#include "discard.h"

#include <stdlib.h>

static bool allocate(struct anl_discard *machine)
{
    const size_t lanes = anl_discard_lanes(machine);
    const size_t nodes = (size_t)machine->levels * machine->columns;
    machine->tails = calloc(lanes, sizeof *machine->tails);
    machine->passages = calloc(lanes, sizeof *machine->passages);
    machine->standing = calloc(nodes, sizeof *machine->standing);
    machine->front_columns = calloc(nodes, sizeof *machine->front_columns);
    machine->fronts = calloc(machine->levels, sizeof *machine->fronts);
    return machine->tails && machine->passages && machine->standing && machine->front_columns &&
           machine->fronts;
}

static bool is_shape(const struct anl_discard_shape *shape)
{
    return shape->levels >= 1 && shape->levels <= ANL_DISCARD_MAX_LEVELS && shape->passes >= 1 &&
           shape->passes <= ANL_DISCARD_MAX_PASSES && shape->num_vcs >= 1 &&
           shape->num_vcs <= ANL_MAX_VCS;
}

enum anl_status anl_discard_create(const struct anl_discard_shape *shape,
                                   struct anl_discard **machine)
{
    *machine = NULL;
    if (!is_shape(shape)) return ANL_ERR_ARGUMENT;
    struct anl_discard *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;
    made->shape = *shape;
    made->columns = 1u << shape->levels;
    made->levels = shape->levels * shape->passes;
    if (!allocate(made)) {
        anl_discard_destroy(made);
        return ANL_ERR_MEMORY;
    }
    for (uint32_t level = 0; level < made->levels; level++)
        made->fronts[level].columns = made->front_columns + (size_t)level * made->columns;
    *machine = made;
    return ANL_OK;
}

void anl_discard_destroy(struct anl_discard *machine)
{
    if (!machine) return;
    void *const all[] = {machine->tails, machine->passages,  machine->standing,     machine->fronts,
                         machine->worms, machine->discarded, machine->front_columns};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(machine);
}

void anl_discard_reset(struct anl_discard *machine)
{
    for (uint32_t level = 0; level < machine->levels; level++) {
        struct front *front = &machine->fronts[level];
        for (uint32_t i = 0; i < front->count; i++)
            machine->standing[level * machine->columns + front->columns[i]] = 0;
        front->count = 0;
    }
    if (machine->last > machine->tick) machine->tick = machine->last;
    machine->zero = machine->last = machine->tick;
    machine->num_discarded = 0;
    machine->next = machine->heads = 0;
    machine->totals = (struct anl_discard_totals){0};
}

// --- worms ---

static bool may_enqueue(const struct anl_discard *machine, const struct anl_discard_worm *worm)
{
    const uint64_t enqueued = machine->totals.enqueued;
    const uint64_t before = enqueued ? machine->worms[enqueued - 1].record.start : 0;
    return worm->source < machine->columns && worm->destination < machine->columns &&
           worm->intermediate < (machine->shape.passes > 1 ? machine->columns : 1) &&
           worm->length > 0 && worm->start > anl_discard_steps(machine) && worm->start >= before &&
           worm->start < UINT64_MAX / 4 && enqueued < UINT32_MAX;
}

static bool make_room(struct anl_discard *machine)
{
    if (machine->totals.enqueued < machine->room) return true;
    const size_t room = machine->room ? 2 * machine->room : machine->columns;
    struct worm *worms = realloc(machine->worms, room * sizeof *worms);
    if (!worms) return false;
    machine->worms = worms;
    uint32_t *discarded = realloc(machine->discarded, room * sizeof *discarded);
    if (!discarded) return false;
    machine->discarded = discarded;
    machine->room = room;
    return true;
}

enum anl_status anl_discard_enqueue(struct anl_discard *machine,
                                    const struct anl_discard_worm *worm, uint32_t *id)
{
    if (!may_enqueue(machine, worm)) return ANL_ERR_ARGUMENT;
    if (!make_room(machine)) return ANL_ERR_MEMORY;
    const uint32_t number = (uint32_t)machine->totals.enqueued++;
    machine->worms[number] = (struct worm){.record = *worm, .fate = ANL_DISCARD_UNDECIDED};
    if (id) *id = number;
    return ANL_OK;
}

const struct anl_discard_worm *anl_discard_worm(const struct anl_discard *machine, uint32_t id)
{
    return id < machine->totals.enqueued ? &machine->worms[id].record : NULL;
}

struct anl_discard_outcome anl_discard_outcome(const struct anl_discard *machine, uint32_t id)
{
    const struct worm *worm = &machine->worms[id];
    struct anl_discard_outcome outcome = {(enum anl_discard_fate)worm->fate, worm->level,
                                          worm->record.start + worm->level, worm->vc};
    if (worm->fate == ANL_DISCARD_DELIVERED) outcome.step += worm->record.length - UINT64_C(2);
    return outcome;
}

const uint32_t *anl_discard_discarded(const struct anl_discard *machine, size_t *count)
{
    *count = machine->num_discarded;
    return machine->discarded;
}

// --- steps ---

uint64_t anl_discard_steps(const struct anl_discard *machine)
{
    return machine->tick - machine->zero;
}

static bool is_empty(const struct anl_discard *machine)
{
    return machine->heads == 0 && machine->last <= machine->tick;
}

bool anl_discard_idle(const struct anl_discard *machine)
{
    return is_empty(machine) && machine->next == machine->totals.enqueued;
}

enum anl_status anl_discard_skip(struct anl_discard *machine, uint64_t step)
{
    const bool starts = machine->next < machine->totals.enqueued &&
                        machine->worms[machine->next].record.start <= step;
    if (!is_empty(machine) || starts || step < anl_discard_steps(machine)) return ANL_ERR_ARGUMENT;
    if (step > anl_discard_steps(machine)) machine->num_discarded = 0;
    machine->tick = machine->zero + step;
    return ANL_OK;
}

// Nothing is decided where no head stands, so the steps up to the next start, or those in which the
// last flits leave, are jumped over.
void anl_discard_run(struct anl_discard *machine)
{
    while (machine->heads || machine->next < machine->totals.enqueued) {
        if (!machine->heads) {
            const uint64_t start = machine->zero + machine->worms[machine->next].record.start;
            if (start > machine->tick + 1) machine->tick = start - 1;
        }
        anl_discard_step(machine);
    }
    if (machine->last > machine->tick) {
        machine->tick = machine->last;
        machine->num_discarded = 0;
    }
}

struct anl_discard_totals anl_discard_totals(const struct anl_discard *machine)
{
    return machine->totals;
}

// --- flits and state ---

uint32_t anl_discard_lanes(const struct anl_discard *machine)
{
    return machine->levels * machine->columns * LINKS * machine->shape.num_vcs;
}

// Returns whether a flit crossed in this lane in the last step, and which one.
static bool crossed(const struct anl_discard *machine, uint32_t lane, struct anl_flit *flit)
{
    const uint64_t tail = machine->tails[lane];
    if (tail < machine->tick || tail <= machine->zero) return false;
    const uint32_t worm = machine->passages[lane].worm;
    const uint16_t length = machine->worms[worm].record.length;
    const uint16_t index = (uint16_t)(length - 1u - (uint32_t)(tail - machine->tick));
    *flit = (struct anl_flit){.link = lane / machine->shape.num_vcs,
                              .vc = (uint8_t)(lane % machine->shape.num_vcs),
                              .worm = worm,
                              .index = index,
                              .head = index == 0,
                              .tail = tail == machine->tick};
    return true;
}

size_t anl_discard_flits(const struct anl_discard *machine, struct anl_flit *flits)
{
    const uint32_t lanes = anl_discard_lanes(machine);
    size_t count = 0;
    for (uint32_t lane = 0; lane < lanes; lane++)
        count += crossed(machine, lane, &flits[count]);
    return count;
}

static struct anl_discard_state shown(const struct anl_discard *machine, uint32_t lane)
{
    struct anl_flit flit;
    if (!crossed(machine, lane, &flit))
        return (struct anl_discard_state){.owner = ANL_DISCARD_NO_OWNER};
    return (struct anl_discard_state){.worm = flit.worm,
                                      .index = flit.index,
                                      .valid = true,
                                      .owner = flit.tail ? ANL_DISCARD_NO_OWNER
                                                         : machine->passages[lane].input};
}

void anl_discard_state(const struct anl_discard *machine, struct anl_discard_state *state)
{
    const uint32_t lanes = anl_discard_lanes(machine);
    for (uint32_t lane = 0; lane < lanes; lane++)
        state[lane] = shown(machine, lane);
}
