// SPDX-License-Identifier: Apache-2.0
//
// What a command processor decides between review and balance: which worms leave, which slots the
// trains exchange, and which gaps are for the worms that come.

#include "snakes.h"

#include <string.h>

static bool is_sent(const struct command *command, uint32_t worm)
{
    for (uint32_t port = 0; port < DIRECTIONS; port++)
        if (command->out[port] == worm) return true;
    return false;
}

static bool is_gap(const struct command *command, int side, uint32_t slot)
{
    const uint32_t worm = command->slots[side][slot];
    return worm == NO_WORM || is_sent(command, worm);
}

static uint32_t count_gaps(const struct layout *layout, const struct command *command, int side)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < layout->slots; slot++)
        count += is_gap(command, side, slot);
    return count;
}

static void run_algorithm(const struct snakes *snakes, uint32_t supernode, uint32_t superstep,
                          struct command *command)
{
    uint32_t queue[MOST_QUEUE], count = 0;
    for (int side = 0; side < (int)SIDES; side++)
        for (uint32_t slot = 0; slot < snakes->layout->slots; slot++)
            if (command->slots[side][slot] != NO_WORM) queue[count++] = command->slots[side][slot];
    sort_worms(queue, count);
    const struct node_view view = {snakes->n, supernode, superstep, queue, count};
    snakes->algorithm(snakes->user, &view, command->out);
}

// Lets trains exchange slots until each has two gaps.
static void balance(const struct layout *layout, struct command *command)
{
    for (uint32_t slot = 0; slot < layout->slots; slot++)
        for (int side = 0; side < (int)SIDES; side++) {
            if (count_gaps(layout, command, side) >= 2 || is_gap(command, side, slot) ||
                !is_gap(command, 1 - side, slot))
                continue;
            const uint32_t worm = command->slots[side][slot];
            command->slots[side][slot] = command->slots[1 - side][slot];
            command->slots[1 - side][slot] = worm;
            command->swaps[slot] = true;
            break;
        }
}

// Gives the first two gaps of a train to two buffers. Returns whether there are two.
static bool assign(const struct layout *layout, struct command *command, int side,
                   enum corner first)
{
    uint32_t found = 0;
    for (uint32_t slot = 0; slot < layout->slots && found < 2; slot++)
        if (is_gap(command, side, slot)) command->gaps[first + found++] = slot;
    return found == 2;
}

bool command_decide(const struct snakes *snakes, uint32_t supernode, uint32_t superstep,
                    struct command *command)
{
    run_algorithm(snakes, supernode, superstep, command);
    if (snakes->rules.balances) balance(snakes->layout, command);
    const bool left = assign(snakes->layout, command, SIDE_LEFT, BOTTOM_LEFT);
    return assign(snakes->layout, command, SIDE_RIGHT, TOP_LEFT) && left;
}

uint32_t command_free_slot(const struct layout *layout, const struct command *command,
                           enum side side)
{
    const uint32_t *kept = &command->gaps[side == SIDE_LEFT ? BOTTOM_LEFT : TOP_LEFT];
    for (uint32_t slot = 0; slot < layout->slots; slot++)
        if (is_gap(command, side, slot) && slot != kept[0] && slot != kept[1]) return slot;
    return MOST_SLOTS;
}

void command_forget(struct command *command)
{
    memset(command, 0, sizeof *command);
    memset(command->slots, 0xff, sizeof command->slots);
    memset(command->out, 0xff, sizeof command->out);
}
