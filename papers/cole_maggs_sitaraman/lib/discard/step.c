// SPDX-License-Identifier: Apache-2.0
//
// One step: the heads of every node choose their lanes.

#include "discard.h"

// A head that chooses in a node.
struct chooser {
    uint32_t worm, level, column;
    uint8_t input;  // lane in which it stands
};

static uint32_t position(const struct anl_discard *machine, uint32_t level)
{
    return machine->shape.levels - 1 - level % machine->shape.levels;
}

// Returns the output link that a worm needs in a node of a level.
static uint32_t link_of(const struct anl_discard *machine, const struct anl_discard_worm *worm,
                        uint32_t level)
{
    const bool first = level + machine->shape.levels < machine->levels;
    return (first ? worm->intermediate : worm->destination) >> position(machine, level) & 1;
}

// Returns the first lane of an output link of a node.
static uint32_t lanes_of(const struct anl_discard *machine, uint32_t level, uint32_t column,
                         uint32_t link)
{
    return ((level * machine->columns + column) * LINKS + link) * machine->shape.num_vcs;
}

// Returns the lowest lane of a link that is free, or num_vcs.
static uint32_t free_vc(const struct anl_discard *machine, uint32_t lanes)
{
    uint32_t vc = 0;
    while (vc < machine->shape.num_vcs && machine->tails[lanes + vc] >= machine->tick)
        vc++;
    return vc;
}

static void discard(struct anl_discard *machine, const struct chooser *head)
{
    struct worm *worm = &machine->worms[head->worm];
    worm->fate = ANL_DISCARD_DISCARDED;
    machine->totals.discarded++;
    machine->totals.levels[head->level]++;
    machine->discarded[machine->num_discarded++] = head->worm;
}

// Lets a head stand in an input lane of the next level.
static void arrive(struct anl_discard *machine, const struct chooser *head, uint32_t link,
                   uint32_t vc)
{
    const uint32_t at = position(machine, head->level), from = head->column >> at & 1;
    const uint32_t column = (head->column & ~(1u << at)) | link << at, level = head->level + 1;
    uint16_t *standing = &machine->standing[level * machine->columns + column];
    if (!*standing) machine->fronts[level].columns[machine->fronts[level].count++] = column;
    *standing |= (uint16_t)(1u << (from * machine->shape.num_vcs + vc));
    machine->heads++;
}

static void deliver(struct anl_discard *machine, struct worm *worm, uint32_t vc)
{
    worm->fate = ANL_DISCARD_DELIVERED;
    worm->vc = (uint8_t)vc;
    machine->totals.delivered++;
}

// Rule 1 for one head, behind those of its node that choose before it.
static void choose(struct anl_discard *machine, const struct chooser *head)
{
    struct worm *worm = &machine->worms[head->worm];
    const uint32_t link = link_of(machine, &worm->record, head->level);
    const uint32_t lanes = lanes_of(machine, head->level, head->column, link);
    const uint32_t vc = free_vc(machine, lanes);
    const uint64_t tail = machine->tick + worm->record.length - 1;
    if (tail > machine->last) machine->last = tail;
    if (vc == machine->shape.num_vcs) {
        discard(machine, head);
        return;
    }
    machine->tails[lanes + vc] = tail;
    machine->passages[lanes + vc] = (struct passage){head->worm, head->input};
    machine->totals.moves += worm->record.length;
    worm->level++;
    if (worm->level == machine->levels)
        deliver(machine, worm, vc);
    else
        arrive(machine, head, link, vc);
}

// Returns the number of an input lane of a node: a lane of the link that ends there.
static uint32_t input_lane(const struct anl_discard *machine, uint32_t level, uint32_t column,
                           uint32_t input)
{
    const uint32_t num_vcs = machine->shape.num_vcs, at = position(machine, level - 1);
    const uint32_t from = (column & ~(1u << at)) | input / num_vcs << at;
    return lanes_of(machine, level - 1, from, column >> at & 1) + input % num_vcs;
}

static void step_node(struct anl_discard *machine, uint32_t level, uint32_t column)
{
    uint16_t *standing = &machine->standing[level * machine->columns + column];
    for (uint32_t left = *standing; left; left &= left - 1) {
        const uint32_t input = (uint32_t)__builtin_ctz(left);
        const uint32_t lane = input_lane(machine, level, column, input);
        const struct chooser head = {machine->passages[lane].worm, level, column, (uint8_t)input};
        machine->heads--;
        choose(machine, &head);
    }
    *standing = 0;
}

// The last level comes first, so that no head is moved twice.
void anl_discard_step(struct anl_discard *machine)
{
    const uint64_t step = ++machine->tick - machine->zero;
    machine->num_discarded = 0;
    for (uint32_t level = machine->levels - 1; level > 0; level--) {
        struct front *front = &machine->fronts[level];
        for (uint32_t i = 0; i < front->count; i++)
            step_node(machine, level, front->columns[i]);
        front->count = 0;
    }
    for (; machine->next < machine->totals.enqueued; machine->next++) {
        const struct anl_discard_worm *worm = &machine->worms[machine->next].record;
        if (worm->start != step) return;
        const struct chooser head = {machine->next, 0, worm->source, ANL_DISCARD_SOURCE};
        choose(machine, &head);
    }
}
