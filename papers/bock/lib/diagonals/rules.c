// SPDX-License-Identifier: Apache-2.0
//
// What a head does in a step, decided from the registers as they are at the start of the step. The
// rules are those of papers/bock/diagonals.md, phase by phase.

#include "diagonals.h"

// --- where heads are ---

// Returns whether a head stands in the register of +y at the node of this worm.
static bool is_head_on_y(const struct anl_diagonals *machine, const struct batch *batch,
                         const struct traveller *worm)
{
    const uint32_t owner =
        machine->owners[diagonals_register(machine, worm->node, batch->stage + 1, Y_PLUS)];
    if (owner == ANL_NO_WORM) return false;
    const struct traveller *other = &machine->travellers[owner];
    return other->side == Y_PLUS && other->node == worm->node && !other->leaving;
}

// Returns whether a node is a slot.
static bool is_slot(const struct anl_diagonals *machine, uint32_t x, uint32_t y)
{
    const struct anl_diagonals_config *config = &machine->config;
    const uint32_t sum = (x + y) % config->n, apart = config->b * config->length;
    return sum % apart == 0 && sum / apart % config->a == y % config->a;
}

static bool is_turn_node(const struct anl_diagonals *machine, uint32_t x, uint32_t y)
{
    return is_slot(machine, (x + machine->config.length) % machine->config.n, y);
}

// --- row blocks ---

static uint32_t row_block(const struct anl_diagonals *machine, uint32_t y)
{
    const uint32_t height = machine->config.c * machine->config.length;
    return y - y % height;
}

static uint32_t top_row(const struct anl_diagonals *machine, uint32_t y)
{
    const uint32_t top = row_block(machine, y) + machine->config.c * machine->config.length - 1;
    return top < machine->config.n ? top : machine->config.n - 1;
}

uint32_t diagonals_bottom(const struct anl_diagonals *machine, uint32_t y)
{
    const uint32_t first = row_block(machine, y);
    return first + (top_row(machine, y) - first) % machine->config.length;
}

// --- decisions ---

static struct move go(enum side side) { return (struct move){.kind = GO, .side = side}; }

static struct move leave(enum anl_diagonals_state outcome)
{
    return (struct move){.kind = LEAVE, .outcome = outcome};
}

static const struct move stand = {.kind = STAND};

static struct move distribute(struct anl_diagonals *machine, const struct batch *batch,
                              struct phase phase, struct traveller *worm)
{
    if (worm->side == AT_TERMINAL) return go(X_MINUS);
    if (worm->side == X_PLUS) return is_slot(machine, worm->x, worm->y) ? stand : go(X_PLUS);
    uint32_t *taken =
        &machine->taken[(size_t)worm->node * (machine->config.d / 2) + batch->stage / 2];
    const uint32_t mark = (uint32_t)(batch - machine->batches) * machine->config.d + batch->stage;
    if (is_turn_node(machine, worm->x, worm->y) && *taken != mark + 1) {
        *taken = mark + 1;
        return go(X_PLUS);
    }
    return phase.u < machine->config.n ? go(X_MINUS) : leave(ANL_DIAGONALS_ROW_FULL);
}

static struct move slide(struct anl_diagonals *machine, const struct batch *batch,
                         struct phase phase, struct traveller *worm)
{
    const uint32_t c = machine->config.c;
    if (worm->side == Y_PLUS) return go(Y_PLUS);
    const bool wants = phase.phase == PHASE_1B || worm->x / c == worm->to_x / c;
    if (phase.u >= machine->config.n || !wants || is_head_on_y(machine, batch, worm))
        return go(X_PLUS);
    if (phase.phase == PHASE_1B) {
        machine->worms[worm->worm].strayed = true;
        machine->totals.strayed++;
    }
    return go(Y_PLUS);
}

// Returns whether the flit in the register that −y leads to, if there is one, stands in this step.
static bool is_held(struct anl_diagonals *machine, const struct batch *batch, struct phase phase,
                    const struct traveller *worm)
{
    const uint32_t dim = batch->stage + 1;
    const uint32_t node = diagonals_neighbour(machine, worm->node, dim, worm->y, Y_MINUS);
    const uint32_t owner = machine->owners[diagonals_register(machine, node, dim, Y_MINUS)];
    if (owner == ANL_NO_WORM) return false;
    struct traveller *other = &machine->travellers[owner];
    return !other->leaving && diagonals_decide(machine, batch, phase, other).kind == STAND;
}

// Returns whether a worm in this row may take the column: it is below the top row, or the
// reservoir has room.
static bool is_open(struct anl_diagonals *machine, const struct batch *batch, struct phase phase,
                    const struct traveller *worm)
{
    if (worm->y != top_row(machine, worm->y)) return true;
    return worm->y != diagonals_bottom(machine, worm->y) && !is_held(machine, batch, phase, worm);
}

// Returns the way of a head that has its column.
static struct move climb(struct anl_diagonals *machine, struct traveller *worm)
{
    return go(worm->y == top_row(machine, worm->y) ? Y_MINUS : Y_PLUS);
}

static struct move search(struct anl_diagonals *machine, const struct batch *batch,
                          struct phase phase, struct traveller *worm)
{
    const uint32_t forward = machine->config.forward, length = machine->config.length;
    if (phase.u >= 2 * forward + 2 * length) return stand;
    if (phase.u >= 2 * forward + length) return go(X_PLUS);
    if (phase.u >= forward) return go(X_MINUS);
    if (worm->x != worm->to_x || is_head_on_y(machine, batch, worm) ||
        !is_open(machine, batch, phase, worm))
        return go(X_PLUS);
    struct anl_diagonals_worm *record = &machine->worms[worm->worm];
    if (record->rounds <= phase.round) record->rounds = phase.round + 1;
    return climb(machine, worm);
}

static struct move settle(struct anl_diagonals *machine, const struct batch *batch,
                          struct phase phase, struct traveller *worm)
{
    if (worm->side < Y_PLUS) return search(machine, batch, phase, worm);
    if (worm->side == Y_MINUS)
        return worm->y == diagonals_bottom(machine, worm->y) || is_held(machine, batch, phase, worm)
                   ? stand
                   : go(Y_MINUS);
    return is_open(machine, batch, phase, worm) ? climb(machine, worm)
                                                : leave(ANL_DIAGONALS_RESERVOIR_FULL);
}

static struct move by_phase(struct anl_diagonals *machine, const struct batch *batch,
                            struct phase phase, struct traveller *worm)
{
    switch (phase.phase) {
    case DISTRIBUTION:
        return distribute(machine, batch, phase, worm);
    case PHASE_1A:
    case PHASE_1B:
        return slide(machine, batch, phase, worm);
    case REORDER:
        return go(phase.u < machine->config.c + machine->config.length ? X_MINUS : X_PLUS);
    case PHASE_2:
        return settle(machine, batch, phase, worm);
    case DELIVERY:
        break;
    }
    return worm->y == worm->to_y ? leave(ANL_DIAGONALS_DELIVERED) : go(Y_MINUS);
}

struct move diagonals_decide(struct anl_diagonals *machine, const struct batch *batch,
                             struct phase phase, struct traveller *worm)
{
    if (worm->at_rest) return stand;
    if (worm->decided == machine->cycle + 1) return worm->move;
    worm->move = by_phase(machine, batch, phase, worm);
    worm->decided = machine->cycle + 1;
    return worm->move;
}
