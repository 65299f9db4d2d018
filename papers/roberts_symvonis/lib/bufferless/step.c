// SPDX-License-Identifier: Apache-2.0
//
// One step: every node reads its registers, decides, and writes those of its neighbours. Nothing
// that is written in a step is read in it.

#include "bufferless.h"

#include <string.h>

// What stands at the inputs of a node in a step, and who wants which output.
struct crossing {
    uint32_t node;
    struct flit flits[ANL_BUFFERLESS_PORTS];  // by input port
    uint8_t wants[ANL_BUFFERLESS_PORTS];      // by output port: mask of input ports
    uint32_t wanted;                          // mask of output ports that a flit wants
};

static void raise_fault(struct anl_bufferless *machine, enum anl_bufferless_cause cause,
                        uint32_t node, uint32_t port, uint32_t first, uint32_t second)
{
    machine->faults[node] = 1;
    if (machine->fault.cause == ANL_BUFFERLESS_NO_FAULT)
        machine->fault =
            (struct anl_bufferless_fault){cause, machine->step, node, port, {first, second}};
}

// Returns the way of a head: along the row first, then along the column.
static uint8_t one_bend(struct place here, struct place to)
{
    if (to.column != here.column) return to.column > here.column ? ANL_EAST : ANL_WEST;
    if (to.row != here.row) return to.row > here.row ? ANL_SOUTH : ANL_NORTH;
    return ANL_TERMINAL_PORT;
}

// Returns whether a way leads to a link of the mesh or to the terminal.
static bool is_wired(const struct anl_bufferless *machine, uint32_t node, uint32_t way)
{
    const struct place here = machine->places[node];
    const bool wired[] = {here.column + 1u < machine->n,
                          here.column > 0,
                          here.row + 1u < machine->n,
                          here.row > 0,
                          true,
                          false};
    return wired[way < ANL_NO_WAY ? way : ANL_NO_WAY];
}

// Returns the way of a head under the policy of the machine, or ANL_NO_WAY.
static uint8_t ask(const struct anl_bufferless *machine, uint32_t node, uint32_t port,
                   uint32_t worm)
{
    if (!machine->way) return one_bend(machine->places[node], machine->worms[worm].to);
    const struct anl_bufferless_head head = {machine->step, node, port, worm};
    const uint32_t way = machine->way(machine->user, &head);
    return is_wired(machine, node, way) ? (uint8_t)way : ANL_NO_WAY;
}

// Takes the flit that a source sends in this step, and notes when it sends the next one.
static struct flit send_next(struct anl_bufferless *machine, uint32_t node)
{
    struct source *source = &machine->sources[node];
    const struct worm *worm = &machine->worms[source->worm];
    const struct flit flit = {source->worm, source->index, source->index == 0,
                              source->index + 1 == worm->record.length};
    machine->due[node] = machine->step + 1;
    source->index++;
    if (!flit.tail) return flit;
    source->worm = worm->next;
    source->index = 0;
    machine->due[node] =
        worm->next == ANL_NO_WORM ? NEVER : machine->worms[worm->next].record.created;
    return flit;
}

// Rules 1 and 2 for the flit of an input port: its way, and what the latch then holds.
static void decide(struct anl_bufferless *machine, struct crossing *crossing, uint32_t port)
{
    const uint32_t node = crossing->node;
    const struct flit flit = crossing->flits[port];
    const uint8_t mask = (uint8_t)(1u << port);
    uint8_t *latch = &machine->latches[(size_t)node * ANL_BUFFERLESS_PORTS + port];
    const bool bound = machine->bound[node] & mask;

    if (bound && flit.head)
        raise_fault(machine, ANL_BUFFERLESS_BROKEN_WORM, node, port, flit.worm, ANL_NO_WORM);
    machine->bound[node] &= (uint8_t)~mask;
    if (flit.head) *latch = ask(machine, node, port, flit.worm);
    if (flit.head ? *latch == ANL_NO_WAY : !bound) {
        raise_fault(machine, ANL_BUFFERLESS_NO_WAY, node, port, flit.worm, ANL_NO_WORM);
        machine->totals.lost++;
        return;
    }
    if (!flit.tail) machine->bound[node] |= mask;
    crossing->wants[*latch] |= mask;
    crossing->wanted |= 1u << *latch;
}

static void note(struct anl_bufferless *machine, uint32_t node, uint32_t port, struct flit flit)
{
    if (machine->recording)
        machine->record[machine->recorded++] =
            (struct anl_flit){.link = node * ANL_BUFFERLESS_PORTS + port,
                              .worm = flit.worm,
                              .index = flit.index,
                              .head = flit.head,
                              .tail = flit.tail};
}

// Sends a flit over a link, or lets the terminal consume it.
static void send(struct anl_bufferless *machine, uint32_t node, uint32_t port, struct flit flit)
{
    note(machine, node, port, flit);
    if (port == ANL_TERMINAL_PORT) {
        machine->totals.consumed++;
        machine->totals.tails += flit.tail;
        return;
    }
    const uint32_t steps[] = {1, UINT32_MAX, machine->n, UINT32_MAX - machine->n + 1};
    const uint32_t to = node + steps[port], side = port ^ 1;  // the port on the other side
    machine->next.flits[(size_t)to * ANL_BUFFERLESS_LINKS + side] = flit;
    machine->next.present[to] |= (uint8_t)(1u << side);
    machine->totals.moves++;
}

static void collide(struct anl_bufferless *machine, const struct crossing *crossing, uint32_t port)
{
    const uint32_t wants = crossing->wants[port], others = wants & (wants - 1);
    const uint32_t first = (uint32_t)__builtin_ctz(wants), second = (uint32_t)__builtin_ctz(others);
    raise_fault(machine, ANL_BUFFERLESS_COLLISION, crossing->node, port,
                crossing->flits[first].worm, crossing->flits[second].worm);
    machine->totals.lost += (uint64_t)__builtin_popcount(wants);
}

// Rule 3: each output port sends the flit that alone wants it.
static void cross(struct anl_bufferless *machine, const struct crossing *crossing)
{
    for (uint32_t left = crossing->wanted; left; left &= left - 1) {
        const uint32_t port = (uint32_t)__builtin_ctz(left), wants = crossing->wants[port];
        if (wants & (wants - 1))
            collide(machine, crossing, port);
        else
            send(machine, crossing->node, port, crossing->flits[__builtin_ctz(wants)]);
    }
}

// Notices worms of which no flit is here although their tails have not passed.
static void miss(struct anl_bufferless *machine, uint32_t node, uint32_t missing)
{
    for (; missing; missing &= missing - 1)
        raise_fault(machine, ANL_BUFFERLESS_BROKEN_WORM, node, (uint32_t)__builtin_ctz(missing),
                    ANL_NO_WORM, ANL_NO_WORM);
}

static void step_node(struct anl_bufferless *machine, uint32_t node, uint32_t present)
{
    struct crossing crossing = {.node = node};
    const uint32_t missing = machine->bound[node] & ~present;
    machine->bound[node] &= (uint8_t)present;
    for (uint32_t left = present; left; left &= left - 1) {
        const uint32_t port = (uint32_t)__builtin_ctz(left);
        crossing.flits[port] = port == ANL_TERMINAL_PORT
                                   ? send_next(machine, node)
                                   : machine->now.flits[(size_t)node * ANL_BUFFERLESS_LINKS + port];
        decide(machine, &crossing, port);
    }
    cross(machine, &crossing);
    if (missing) miss(machine, node, missing);
}

void anl_bufferless_step(struct anl_bufferless *machine)
{
    machine->step++;
    machine->recorded = 0;
    for (uint32_t node = 0; node < machine->nodes; node++)
        machine->now.present[node] |=
            (uint8_t)((machine->due[node] == machine->step) << ANL_TERMINAL_PORT);
    for (uint32_t node = 0; node < machine->nodes; node++)
        if (machine->now.present[node] | machine->bound[node])
            step_node(machine, node, machine->now.present[node]);

    const struct registers now = machine->now;
    machine->now = machine->next;
    machine->next = now;
    memset(machine->next.present, 0, machine->nodes);
}
