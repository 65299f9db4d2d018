// SPDX-License-Identifier: Apache-2.0
//
// Where the heads go in a mesh of supernodes: by the static map, but in choosing cells at certain
// times. The time of a supernode is the number of the step in the round, and one more in even ones.
// A superstep is four cycles of the trains: review, balance, extraction and transmission, queueing.
// Worms are consumed after the last superstep of a round, or after each of them.

#include "common/common.h"
#include "snakes.h"

#include <stdlib.h>
#include <string.h>

// AFTER: in a superstep with consumption, all that is behind the four cycles.
enum { REVIEW, BALANCE, EXTRACTION, QUEUEING, CYCLES, AFTER = CYCLES };

// A head as its supernode sees it.
struct sight {
    const struct snakes *snakes;
    const struct layout *layout;
    struct supernode *supernode;
    bool even;
    uint32_t cell, in, worm;
    uint32_t to_supernode, to_cell;  // its destination
    int64_t time;                    // of the supernode
    int64_t cycle;                   // of the superstep
    int64_t at;                      // steps from the time when slot 0 meets its first processor
};

// --- time ---

static bool is_even(const struct snakes *snakes, uint32_t supernode)
{
    return (supernode / snakes->n + supernode % snakes->n) % 2 == 0;
}

static int64_t time_of(const struct snakes *snakes, uint32_t supernode, uint64_t step)
{
    return (int64_t)(step - snakes->begun) + snakes->rules.lead[is_even(snakes, supernode)];
}

// Where a time is in the round.
struct moment {
    int64_t superstep;  // -1: before the first one
    int64_t cycle;      // of the superstep
    int64_t at;         // steps since the cycle began
};

// Returns the steps of all joined cycles of a consumption.
static uint32_t consumption_of(const struct layout *layout) { return 4 * layout->half; }

static uint32_t superstep_of(const struct snakes *snakes)
{
    return CYCLES * snakes->layout->period +
           (snakes->consumes ? consumption_of(snakes->layout) : 0);
}

// A cycle is taken to begin one step before its slot 0 is at a processor, which is when the first
// worm may leave a buffer for it.
static struct moment moment_of(const struct snakes *snakes, int64_t time)
{
    const int64_t since = time - snakes->rules.first + 1, period = snakes->layout->period;
    const int64_t superstep = superstep_of(snakes), in = since % superstep;
    if (since < 0) return (struct moment){-1, AFTER, 0};
    const int64_t cycle = in / period < AFTER ? in / period : AFTER;
    return (struct moment){since / superstep, cycle, in - cycle * period - 1};
}

uint64_t snakes_boundary(const struct snakes *snakes, uint32_t superstep)
{
    const struct layout *layout = snakes->layout;
    return (uint64_t)superstep_of(snakes) * superstep + snakes->rules.first +
           CYCLES * layout->period - layout->m - 1;
}

// Returns whether worms are consumed: after a superstep, or after the last one, from the time when
// slot 0 would turn from storage into the lane.
static bool is_consuming(const struct snakes *snakes, int64_t time)
{
    const struct layout *layout = snakes->layout;
    const int64_t cycles = (int64_t)CYCLES * layout->period;
    const int64_t begin = snakes->rules.first + cycles - layout->m + 1;
    if (!snakes->consumes) return time >= begin + cycles * ((int64_t)snakes->supersteps - 1);
    return time >= begin && (time - begin) % superstep_of(snakes) < consumption_of(layout);
}

// Returns the slot whose head is `offset` steps behind the first processor, or MOST_SLOTS.
static uint32_t slot_at(const struct sight *sight, int64_t offset)
{
    const int64_t since = sight->at - offset, k = sight->layout->k;
    if (since < 0 || since % k || since / k >= sight->layout->slots) return MOST_SLOTS;
    return (uint32_t)(since / k);
}

// Returns whether worms leave the buffers `offset` steps before this one.
static bool transmits(const struct sight *sight, int64_t offset)
{
    return sight->cycle == EXTRACTION && sight->at - offset == sight->snakes->rules.transmission;
}

static bool delays(const struct sight *sight) { return sight->snakes->rules.delays[sight->even]; }

// Returns whether a worm that arrives is to turn into its buffer now.
static bool arrives(const struct sight *sight) { return transmits(sight, sight->layout->s + 1); }

// Returns whether a worm that arrives is `steps` steps before that, and has to wait.
static bool waits(const struct sight *sight, int64_t steps)
{
    return delays(sight) && transmits(sight, sight->layout->s + 1 - steps);
}

static uint32_t by_map(const struct sight *sight)
{
    return layout_way(sight->layout, sight->cell, sight->in);
}

// --- what command processors know ---

// Both processors forget what they know when a review begins, and decide when it ends.
static void command(struct snakes *snakes, uint32_t supernode, uint64_t step)
{
    struct command *commands = snakes->supernodes[supernode].commands;
    const struct moment moment = moment_of(snakes, time_of(snakes, supernode, step));
    if (moment.superstep < 0 || moment.at != -1 || moment.superstep >= snakes->supersteps) return;
    for (int i = 0; i < (int)PROCESSORS; i++)
        if (moment.cycle == REVIEW)
            command_forget(&commands[i]);
        else if (moment.cycle == BALANCE)
            snakes->overflowed |=
                !command_decide(snakes, supernode, (uint32_t)moment.superstep, &commands[i]);
    if (memcmp(&commands[0], &commands[1], sizeof *commands) != 0) snakes->disagreed = true;
}

// --- choosing cells in a superstep ---

static const uint8_t right_of[] = {ANL_SOUTH, ANL_NORTH, ANL_WEST, ANL_EAST};

// Returns the way of a head of a train at a processor: into a buffer beside it, or on.
static uint32_t review(const struct sight *sight, enum processor processor, int side, uint32_t slot)
{
    static const uint8_t sent[PROCESSORS][2] = {{ANL_WEST, ANL_NORTH}, {ANL_SOUTH, ANL_EAST}};
    struct command *command = &sight->supernode->commands[processor];
    if (sight->cycle == REVIEW) command->slots[side][slot] = sight->worm;
    const uint32_t worm = command->slots[side][slot];
    if (sight->cycle != EXTRACTION || worm == NO_WORM) return by_map(sight);
    if (command->out[sent[processor][0]] == worm) return ANL_WEST;
    if (command->out[sent[processor][1]] == worm) return ANL_EAST;
    return by_map(sight);
}

static uint32_t choose_processor(const struct sight *sight, enum processor processor)
{
    const uint32_t outer = processor == PROCESSOR_TOP ? ANL_NORTH : ANL_SOUTH, inner = outer ^ 1;
    const int first = processor == PROCESSOR_TOP ? SIDE_RIGHT : SIDE_LEFT;
    if (sight->in == ANL_EAST || sight->in == ANL_WEST) return transmits(sight, 1) ? outer : inner;
    const bool is_first = sight->in == outer;
    if (is_first ? arrives(sight) && !delays(sight) : arrives(sight) && delays(sight))
        return right_of[inner];
    if (is_first && waits(sight, 2)) return inner;
    const uint32_t slot = slot_at(sight, is_first ? 0 : 2);
    if (slot == MOST_SLOTS) return ANL_NO_WAY;
    return review(sight, processor, is_first ? first : 1 - first, slot);
}

static uint32_t choose_centre(const struct sight *sight)
{
    if (waits(sight, 1)) return sight->in;
    const uint32_t slot = slot_at(sight, 1);
    const bool swaps = sight->cycle == BALANCE && slot != MOST_SLOTS &&
                       sight->supernode->commands[PROCESSOR_TOP].swaps[slot];
    return swaps ? sight->in : by_map(sight);
}

// The cells beside the centre, west and east of it; outer is the port away from it.
static uint32_t choose_arm(const struct sight *sight, uint32_t outer)
{
    const uint32_t inner = outer ^ 1;
    if (sight->in == ANL_NORTH || sight->in == ANL_SOUTH)
        return transmits(sight, 1) ? outer : sight->in;
    if (arrives(sight) && (sight->in == inner) == delays(sight)) return right_of[inner];
    return sight->in == outer && waits(sight, 2) ? inner : ANL_NO_WAY;
}

static uint32_t choose_entry(const struct sight *sight, enum corner corner)
{
    static const uint8_t sends[] = {ANL_SOUTH, ANL_WEST, ANL_EAST, ANL_NORTH};
    const uint32_t last = corner < BOTTOM_LEFT ? ANL_NORTH : ANL_SOUTH;
    const uint32_t inner = corner % 2 ? ANL_WEST : ANL_EAST;
    const uint32_t around = layout_way(sight->layout, sight->cell, last);
    const int processor = corner < BOTTOM_LEFT ? PROCESSOR_TOP : PROCESSOR_BOTTOM;
    const uint32_t gap =
        sight->supernode->commands[processor].gaps[corner] + sight->snakes->rules.gap_error;
    if (sight->in == inner && sight->cycle == EXTRACTION && slot_at(sight, 1) != MOST_SLOTS &&
        sight->snakes->rules.delays_first)
        return last ^ 1;
    if (sight->in != last) return around;
    if (transmits(sight, 0)) return sends[corner];
    const bool leaves =
        sight->cycle == QUEUEING && sight->at == (int64_t)(gap * sight->layout->k) - 1;
    return leaves ? inner : around;
}

// The cells where a trail enters the vertical lane and the other one leaves it; outer is the port
// to the end of the lane.
static uint32_t choose_lane(const struct sight *sight, uint32_t outer)
{
    if (sight->in == outer) return outer ^ 1;
    if (sight->in == (outer ^ 1) && transmits(sight, sight->layout->m - 1)) return outer;
    return by_map(sight);
}

static uint32_t in_superstep(const struct sight *sight)
{
    const struct layout *layout = sight->layout;
    const uint32_t cell = sight->cell;
    for (uint32_t corner = 0; corner < CORNERS; corner++)
        if (cell == layout->entries[corner]) return choose_entry(sight, (enum corner)corner);
    if (cell == layout->top) return choose_processor(sight, PROCESSOR_TOP);
    if (cell == layout->bottom) return choose_processor(sight, PROCESSOR_BOTTOM);
    if (cell == layout->centre) return choose_centre(sight);
    if (cell == layout->west) return choose_arm(sight, ANL_WEST);
    if (cell == layout->east) return choose_arm(sight, ANL_EAST);
    if (cell == layout->starts[SIDE_LEFT]) return choose_lane(sight, ANL_SOUTH);
    if (cell == layout->starts[SIDE_RIGHT]) return choose_lane(sight, ANL_NORTH);
    return by_map(sight);
}

// --- consumption ---

// Where the destination is, from the centre.
struct offset {
    int x, y;
};

static struct offset offset_of(const struct layout *layout, uint32_t cell)
{
    return (struct offset){(int)(cell % layout->side) - (int)layout->m,
                           (int)(cell / layout->side) - (int)layout->m};
}

// The start of the left trail below the centre, and that of the right one above it: the joined
// cycle goes straight on, and to the cells of the lane on this side the way turns.
static uint32_t consume_start(const struct sight *sight, struct offset to, enum side side)
{
    const bool left = side == SIDE_LEFT;
    const uint32_t inner = left ? ANL_NORTH : ANL_SOUTH;
    if (sight->in != (left ? ANL_WEST : ANL_EAST)) return by_map(sight);
    if (to.x == 0 && (to.y > 0) == left)
        return abs(to.y) == (int)sight->layout->m ? inner ^ 1 : inner;
    return sight->in ^ 1;
}

// The cell in which a trail crosses the horizontal lane.
static uint32_t consume_crossing(const struct sight *sight, struct offset here, struct offset to)
{
    const bool own = to.y == 0 && here.x * to.x > 0 && abs(to.x) < abs(here.x);
    return own ? (here.x < 0 ? ANL_EAST : ANL_WEST) : by_map(sight);
}

// The storage cell and the buffer cell by which a worm turns into a buffer.
static uint32_t consume_branch(const struct sight *sight, struct offset here, struct offset to)
{
    const int w = (int)sight->layout->w;
    const enum anl_bufferless_port outer = here.x < 0 ? ANL_WEST : ANL_EAST;
    if (abs(here.x) == w) {
        const bool enters = sight->in == outer;
        return layout_way(sight->layout, sight->cell, enters ? outer ^ 1 : sight->in);
    }
    const bool own = here.x * to.x > 0 && here.y * to.y > 0 && abs(to.x) <= w && abs(to.y) <= w;
    return own ? outer ^ 1 : by_map(sight);
}

// A worm of another supernode stays on the joined cycle.
static uint32_t pass_consumption(const struct sight *sight)
{
    const uint32_t *starts = sight->layout->starts;
    const bool joins = (sight->cell == starts[SIDE_LEFT] && sight->in == ANL_WEST) ||
                       (sight->cell == starts[SIDE_RIGHT] && sight->in == ANL_EAST);
    return joins ? sight->in ^ 1 : by_map(sight);
}

static uint32_t in_consumption(const struct sight *sight)
{
    const struct layout *layout = sight->layout;
    const struct offset here = offset_of(layout, sight->cell);
    const struct offset to = offset_of(layout, sight->to_cell);
    const int w = (int)layout->w;
    if (sight->cell == sight->to_cell) return ANL_TERMINAL_PORT;
    if (sight->cell == layout->starts[SIDE_LEFT]) return consume_start(sight, to, SIDE_LEFT);
    if (sight->cell == layout->starts[SIDE_RIGHT]) return consume_start(sight, to, SIDE_RIGHT);
    if (here.y == 0 && abs(here.x) == (int)layout->m) return consume_crossing(sight, here, to);
    if (abs(here.y) == 1 && (abs(here.x) == w || abs(here.x) == w + 1))
        return consume_branch(sight, here, to);
    return by_map(sight);
}

// --- the policy ---

static uint32_t supernode_of(const struct snakes *snakes, uint32_t node, uint32_t *cell)
{
    const uint32_t side = snakes->layout->side, width = side * snakes->n;
    const uint32_t x = node % width, y = node / width;
    *cell = y % side * side + x % side;
    return y / side * snakes->n + x / side;
}

// Returns the way of a worm that is not yet on its trail, or is there now. A worm that comes to its
// trail at the first command processor is reviewed there all the same.
static uint32_t be_born(const struct sight *sight, enum side side)
{
    const struct births *births = &sight->snakes->births[side];
    const enum processor first = side == SIDE_LEFT ? PROCESSOR_BOTTOM : PROCESSOR_TOP;
    if (births->path[sight->cell] == 0 && births->lead[sight->cell] == 0)
        sight->supernode->commands[first].slots[side][sight->supernode->slot] = sight->worm;
    return births->ways[sight->cell];
}

static uint32_t policy(void *user, const struct anl_bufferless_head *head)
{
    const struct snakes *snakes = user;
    const struct layout *layout = snakes->layout;
    struct sight sight = {.snakes = snakes, .layout = layout};
    const uint32_t supernode = supernode_of(snakes, head->node, &sight.cell);
    const struct anl_worm *worm = anl_bufferless_worm(snakes->machine, head->worm);
    sight.to_supernode = supernode_of(snakes, worm->destination, &sight.to_cell);
    sight.supernode = &snakes->supernodes[supernode];
    sight.even = is_even(snakes, supernode);
    sight.in = head->port;
    sight.worm = head->worm;
    sight.time = time_of(snakes, supernode, head->step);
    if (head->port == ANL_TERMINAL_PORT) return be_born(&sight, layout_side(layout, sight.cell));
    const bool is_new = sight.worm == sight.supernode->born;
    if (is_new && sight.time <= sight.supernode->joined)
        return be_born(&sight, sight.supernode->side);
    if (is_consuming(snakes, sight.time)) {
        // A worm that is born early goes through a superstep before it is consumed.
        const bool passes = supernode != sight.to_supernode ||
                            (snakes->consumes && is_new && sight.time < sight.supernode->review);
        if (!passes) return in_consumption(&sight);
        return snakes->consumes ? pass_consumption(&sight) : ANL_NO_WAY;
    }
    const struct moment moment = moment_of(snakes, sight.time);
    if (moment.superstep < 0) return by_map(&sight);
    sight.cycle = moment.cycle;
    sight.at = moment.at;
    return in_superstep(&sight);
}

// --- the mesh ---

struct rules rules_of(const struct layout *layout)
{
    return (struct rules){.lead = {0, 1},
                          .delays = {true, false},
                          .delays_first = true,
                          .balances = true,
                          .first = layout->period + 2 * layout->s,
                          .transmission = layout->train + 3};
}

enum anl_status snakes_create(const struct layout *layout, uint32_t n, packet_algorithm *algorithm,
                              void *user, struct snakes *snakes, struct anl_error *error)
{
    *snakes = (struct snakes){
        .layout = layout, .n = n, .rules = rules_of(layout), .algorithm = algorithm, .user = user};
    enum anl_status status = births_create(layout, SIDE_LEFT, &snakes->births[SIDE_LEFT], error);
    if (!status) status = births_create(layout, SIDE_RIGHT, &snakes->births[SIDE_RIGHT], error);
    snakes->supernodes = calloc((size_t)n * n, sizeof *snakes->supernodes);
    if (!status && !snakes->supernodes) status = ANL_ERR_MEMORY;
    if (!status) status = anl_bufferless_create(n * layout->side, &snakes->machine);
    if (status) {
        snakes_free(snakes);
        return cli_fail(status, error);
    }
    anl_bufferless_policy(snakes->machine, policy, snakes);
    return ANL_OK;
}

void snakes_free(struct snakes *snakes)
{
    for (int side = 0; side < (int)SIDES; side++)
        births_free(&snakes->births[side]);
    free(snakes->supernodes);
    anl_bufferless_destroy(snakes->machine);
    *snakes = (struct snakes){0};
}

void snakes_begin(struct snakes *snakes, uint32_t supersteps)
{
    snakes->begun = anl_bufferless_steps(snakes->machine);
    snakes->supersteps = supersteps;
    for (uint32_t i = 0; i < snakes->n * snakes->n; i++)
        snakes->supernodes[i].born = NO_WORM;
}

uint32_t snakes_round_steps(const struct layout *layout, uint32_t supersteps)
{
    return layout->period + 2 * layout->s + CYCLES * layout->period * supersteps +
           consumption_of(layout) - 1 - layout->m;
}

uint64_t snakes_steps(const struct snakes *snakes)
{
    const uint32_t supersteps = snakes->supersteps;
    const uint64_t more = snakes->consumes && supersteps ? supersteps - 1 : 0;
    return snakes_round_steps(snakes->layout, supersteps) + more * consumption_of(snakes->layout);
}

uint32_t snakes_node(const struct snakes *snakes, uint32_t supernode, uint32_t cell)
{
    const uint32_t side = snakes->layout->side;
    const uint32_t y = supernode / snakes->n * side + cell / side;
    return y * side * snakes->n + supernode % snakes->n * side + cell % side;
}

// Enqueues a worm that is born in a cell at a time of its supernode.
static enum anl_status enqueue(struct snakes *snakes, uint32_t supernode, uint32_t cell,
                               uint64_t time, uint32_t destination, uint32_t *worm)
{
    const uint32_t lead = snakes->rules.lead[is_even(snakes, supernode)];
    const struct anl_worm new_worm = {.source = snakes_node(snakes, supernode, cell),
                                      .destination = destination,
                                      .length = (uint16_t)snakes->layout->k,
                                      .created = snakes->begun + time - lead};
    return anl_bufferless_enqueue(snakes->machine, &new_worm, worm);
}

// Enqueues a worm that is in a slot in the review of a superstep.
static enum anl_status bear(struct snakes *snakes, uint32_t superstep, uint32_t supernode,
                            uint32_t cell, uint32_t slot, uint32_t destination, uint32_t *worm)
{
    struct supernode *parent = &snakes->supernodes[supernode];
    parent->side = layout_side(snakes->layout, cell);
    parent->slot = slot;
    const struct births *births = &snakes->births[parent->side];
    const uint64_t begin = (uint64_t)superstep_of(snakes) * superstep + snakes->rules.first;
    const uint64_t review = begin + slot * snakes->layout->k, time = review - births->lead[cell];
    parent->review = (int64_t)review;
    parent->joined = (int64_t)time + births->path[cell];
    const enum anl_status status = enqueue(snakes, supernode, cell, time, destination, worm);
    parent->born = status ? NO_WORM : *worm;
    return status;
}

enum anl_status snakes_bear(struct snakes *snakes, uint32_t supernode, uint32_t cell,
                            uint32_t destination, uint32_t *worm)
{
    return bear(snakes, 0, supernode, cell, 0, destination, worm);
}

enum anl_status snakes_bear_early(struct snakes *snakes, uint32_t superstep, uint32_t supernode,
                                  uint32_t cell, uint32_t destination, uint32_t *worm)
{
    const struct layout *layout = snakes->layout;
    const struct command *command = &snakes->supernodes[supernode].commands[PROCESSOR_TOP];
    const uint32_t slot = command_free_slot(layout, command, layout_side(layout, cell));
    *worm = NO_WORM;
    if (slot == MOST_SLOTS) return ANL_OK;
    return bear(snakes, superstep, supernode, cell, slot, destination, worm);
}

uint32_t snakes_door(const struct layout *layout, enum side side)
{
    return layout_next(layout, layout->starts[side], side == SIDE_LEFT ? ANL_WEST : ANL_EAST);
}

enum anl_status snakes_load(struct snakes *snakes, uint32_t supernode, enum side side,
                            uint32_t slot, uint32_t destination, uint32_t *worm)
{
    const struct layout *layout = snakes->layout;
    const uint32_t cell = snakes_door(layout, side);
    const uint32_t time = snakes->rules.first + slot * layout->k - snakes->births[side].lead[cell];
    return enqueue(snakes, supernode, cell, time, destination, worm);
}

void snakes_step(struct snakes *snakes)
{
    const uint64_t step = anl_bufferless_steps(snakes->machine) + 1;
    for (uint32_t supernode = 0; supernode < snakes->n * snakes->n; supernode++)
        command(snakes, supernode, step);
    anl_bufferless_step(snakes->machine);
}
