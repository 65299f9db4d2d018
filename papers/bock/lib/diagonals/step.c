// SPDX-License-Identifier: Apache-2.0
//
// One step: all heads decide, then all worms move. A register is free for a head if no flit is in
// it once every worm that moves has left its last register.

#include "diagonals.h"

#include <string.h>

// --- when ---

// Returns the phase of a step of a batch, counted from the start of its stage or its delivery.
static struct phase phase_of(const struct anl_diagonals_config *config, uint64_t step,
                             bool delivers)
{
    const uint32_t around = config->n + config->length;
    const uint32_t lengths[] = {around, around, around, config->c + 2 * config->length};
    if (delivers) return (struct phase){DELIVERY, (uint32_t)step, 0};
    for (uint32_t phase = DISTRIBUTION; phase < PHASE_2; phase++) {
        if (step < lengths[phase])
            return (struct phase){(enum stage_phase)phase, (uint32_t)step, 0};
        step -= lengths[phase];
    }
    return (struct phase){PHASE_2, (uint32_t)(step % config->round_cycles),
                          (uint32_t)(step / config->round_cycles)};
}

// --- worms ---

// Takes the last flit of a worm that moves out of its register, if all are in the network.
static void free_last(struct anl_diagonals *machine, const struct traveller *worm)
{
    const uint32_t length = machine->config.length;
    if (worm->moved == length)
        machine->owners[*diagonals_trail(machine, worm, length - 1 - worm->drained)] = ANL_NO_WORM;
}

static void collide(struct anl_diagonals *machine, uint32_t link, uint32_t worm)
{
    if (machine->fault.happened) return;
    const uint32_t other = machine->travellers[machine->owners[link]].worm;
    machine->fault = (struct anl_diagonals_fault){true, machine->cycle, link, {other, worm}};
}

static void note(struct anl_diagonals *machine, const struct traveller *worm, uint32_t index,
                 uint32_t from, uint32_t to)
{
    if (machine->fault.happened) return;  // where two flits are in one register
    machine->moves[machine->num_moves++] = (struct anl_diagonals_move){worm->worm, index, from, to};
}

// Records that all flits of a worm have gone on by one register; `last` is the one that its tail
// was in, if all of them had been in the network.
static void record_move(struct anl_diagonals *machine, const struct traveller *worm, bool whole,
                        uint32_t last)
{
    const uint32_t in = whole ? worm->moved : worm->moved - 1;
    for (uint32_t i = 0; i < worm->moved; i++) {
        const uint32_t behind =
            i + 1 < machine->config.length ? *diagonals_trail(machine, worm, i + 1) : last;
        note(machine, worm, i, i < in ? behind : ANL_DIAGONALS_OUTSIDE,
             *diagonals_trail(machine, worm, i));
    }
}

// Records that the first flit of a worm that leaves has gone, and all others have followed.
static void record_drain(struct anl_diagonals *machine, const struct traveller *worm)
{
    uint32_t to = ANL_DIAGONALS_OUTSIDE;
    for (uint32_t i = worm->drained - 1; i < worm->moved; i++) {
        const uint32_t from = *diagonals_trail(machine, worm, i + 1 - worm->drained);
        note(machine, worm, i, from, to);
        to = from;
    }
}

// Moves the head of a worm to the register at the end of a link, and the others behind it.
static void enter(struct anl_diagonals *machine, const struct batch *batch, struct traveller *worm,
                  enum side side)
{
    const bool on_y = side >= Y_PLUS;
    const uint32_t dim = batch->stage + on_y;
    uint32_t *coordinate = on_y ? &worm->y : &worm->x;
    worm->node = diagonals_neighbour(machine, worm->node, dim, *coordinate, side);
    *coordinate = diagonals_step_to(machine->config.n, *coordinate, side);
    worm->side = side;
    const bool whole = worm->moved == machine->config.length;
    const uint32_t last = *diagonals_trail(machine, worm, machine->config.length - 1);
    worm->first = worm->first == 0 ? machine->config.length - 1 : worm->first - 1;
    const uint32_t link = diagonals_register(machine, worm->node, dim, side);
    *diagonals_trail(machine, worm, 0) = link;
    if (worm->moved < machine->config.length) worm->moved++;
    machine->totals.moves += worm->moved;
    if (machine->owners[link] != ANL_NO_WORM) collide(machine, link, worm->worm);
    machine->owners[link] = (uint32_t)(worm - machine->travellers);
    if (machine->moves) record_move(machine, worm, whole, last);
}

static void drain(struct anl_diagonals *machine, struct traveller *worm)
{
    machine->totals.consumed++;
    machine->totals.moves += machine->config.length - ++worm->drained;
    if (machine->moves) record_drain(machine, worm);
}

// Notes what became of a worm whose tail has left.
static void finish(struct anl_diagonals *machine, const struct traveller *worm)
{
    struct anl_diagonals_worm *record = &machine->worms[worm->worm];
    record->state = worm->move.outcome;
    record->node = worm->node;
    record->cycle = machine->cycle;
    machine->totals.states[record->state]++;
    if (record->rounds > machine->totals.rounds) machine->totals.rounds = record->rounds;
}

// --- batches ---

static void swap(uint32_t *one, uint32_t *other)
{
    const uint32_t kept = *one;
    *one = *other;
    *other = kept;
}

// Lets a worm stand until it is woken: it is looked at no more.
static void rest(struct anl_diagonals *machine, struct batch *batch, size_t i)
{
    struct traveller *worm = &machine->travellers[batch->members[i]];
    worm->at_rest = true;
    swap(&batch->members[i], &batch->members[--batch->moving]);
    if (worm->side != Y_MINUS) return;
    const uint32_t deep = (worm->y - diagonals_bottom(machine, worm->y)) / machine->config.length;
    if (deep >= machine->totals.reservoir) machine->totals.reservoir = deep + 1;
}

static void wake(struct anl_diagonals *machine, struct batch *batch)
{
    for (; batch->moving < batch->count; batch->moving++)
        machine->travellers[batch->members[batch->moving]].at_rest = false;
}

static void discard(struct batch *batch, size_t i)
{
    swap(&batch->members[i], &batch->members[--batch->moving]);
    swap(&batch->members[batch->moving], &batch->members[--batch->count]);
}

// Makes the column of the last stage the row of the next one. Whoever stands in no column leaves.
static void turn_to(const struct anl_diagonals *machine, uint32_t stage, struct traveller *worm)
{
    const uint32_t to = machine->worms[worm->worm].destination;
    if (worm->side != Y_MINUS && worm->side != AT_TERMINAL) {
        worm->leaving = true;
        worm->move = (struct move){.kind = LEAVE, .outcome = ANL_DIAGONALS_LEFT};
        return;
    }
    if (worm->side == Y_MINUS) worm->side = X_MINUS;
    worm->x = diagonals_coordinate(machine, worm->node, stage);
    worm->y = diagonals_coordinate(machine, worm->node, stage + 1);
    worm->to_x = diagonals_coordinate(machine, to, stage);
    worm->to_y = diagonals_coordinate(machine, to, stage + 1);
}

// Counts the worms of the rows in which the worms of a batch now are.
static void count_rows(struct anl_diagonals *machine, const struct batch *batch)
{
    for (int add = 1; add >= 0; add--)
        for (size_t i = 0; i < batch->count; i++) {
            const struct traveller *worm = &machine->travellers[batch->members[i]];
            if (worm->leaving) continue;
            uint32_t *row = &machine->rows[worm->node - worm->x * machine->strides[batch->stage]];
            *row = add ? *row + 1 : 0;
            if (*row > machine->totals.row) machine->totals.row = *row;
        }
}

// Prepares the worms of a batch for a stage, or for the delivery, in which y stays the dimension.
static void begin_stage(struct anl_diagonals *machine, struct batch *batch, uint32_t stage)
{
    wake(machine, batch);
    batch->stage = stage;
    for (size_t i = 0; i < batch->count; i++) {
        struct traveller *worm = &machine->travellers[batch->members[i]];
        machine->worms[worm->worm].state = ANL_DIAGONALS_ON_LINKS;
        turn_to(machine, stage, worm);
    }
    if (stage > 0) count_rows(machine, batch);
}

// Lets those leave that stand in no column.
static void begin_delivery(struct anl_diagonals *machine, struct batch *batch)
{
    wake(machine, batch);
    for (size_t i = 0; i < batch->count; i++) {
        struct traveller *worm = &machine->travellers[batch->members[i]];
        if (worm->side == Y_MINUS) continue;
        worm->leaving = true;
        worm->move = (struct move){.kind = LEAVE, .outcome = ANL_DIAGONALS_LEFT};
    }
}

// Nothing that other worms read is written before all have decided.
static void decide_all(struct anl_diagonals *machine, struct batch *batch, struct phase phase)
{
    for (size_t i = 0; i < batch->moving; i++) {
        struct traveller *worm = &machine->travellers[batch->members[i]];
        if (!worm->leaving) diagonals_decide(machine, batch, phase, worm);
    }
    for (size_t i = 0; i < batch->moving; i++) {
        struct traveller *worm = &machine->travellers[batch->members[i]];
        worm->leaving |= worm->move.kind == LEAVE;
    }
}

static void move_all(struct anl_diagonals *machine, struct batch *batch)
{
    for (size_t i = 0; i < batch->moving; i++) {
        const struct traveller *worm = &machine->travellers[batch->members[i]];
        if (worm->leaving || worm->move.kind == GO) free_last(machine, worm);
    }
    for (size_t i = 0; i < batch->moving; i++) {
        struct traveller *worm = &machine->travellers[batch->members[i]];
        if (worm->leaving)
            drain(machine, worm);
        else if (worm->move.kind == GO)
            enter(machine, batch, worm, worm->move.side);
    }
}

// Takes those out of the list that have gone, or that stand until the stage or the phase ends.
static void tidy(struct anl_diagonals *machine, struct batch *batch, enum stage_phase phase)
{
    for (size_t i = batch->moving; i-- > 0;) {
        const struct traveller *worm = &machine->travellers[batch->members[i]];
        if (worm->drained == machine->config.length) {
            finish(machine, worm);
            discard(batch, i);
        } else if (!worm->leaving && worm->move.kind == STAND &&
                   (phase == DISTRIBUTION || worm->side == Y_MINUS)) {
            rest(machine, batch, i);
        }
    }
}

static void step_batch(struct anl_diagonals *machine, struct batch *batch, uint64_t step)
{
    const struct anl_diagonals_config *config = &machine->config;
    const uint64_t stage = anl_diagonals_stage_cycles(config);
    const uint32_t number = (uint32_t)(step / stage);
    const bool delivers = number == config->d - 1;
    const struct phase phase = phase_of(config, step % stage, delivers);
    if (step % stage == 0 && !delivers) begin_stage(machine, batch, number);
    if (step % stage == 0 && delivers) begin_delivery(machine, batch);
    if (phase.phase == PHASE_1A && phase.u == 0) wake(machine, batch);
    decide_all(machine, batch, phase);
    move_all(machine, batch);
    tidy(machine, batch, phase.phase);
}

void anl_diagonals_step(struct anl_diagonals *machine)
{
    machine->num_moves = 0;
    if (anl_diagonals_done(machine)) return;
    const uint64_t lasts = (machine->config.d - 1) * anl_diagonals_stage_cycles(&machine->config) +
                           anl_diagonals_delivery_cycles(&machine->config);
    for (uint32_t i = machine->oldest; i < machine->num_batches; i++) {
        const uint64_t begin = i * machine->period;
        if (begin > machine->cycle) break;
        if (machine->cycle - begin < lasts)
            step_batch(machine, &machine->batches[i], machine->cycle - begin);
        else
            machine->oldest = i + 1;
    }
    machine->cycle++;
}
