// SPDX-License-Identifier: Apache-2.0
//
// What the files of this room share. The machine moves whole worms: only heads decide, and the
// flits behind them follow, so a worm is its head and the registers that it stands in.

#ifndef ANL_DIAGONALS_PRIVATE_H
#define ANL_DIAGONALS_PRIVATE_H

#include <annelid/diagonals.h>

#define ANL_NO_WORM UINT32_MAX

// The direction of the register in which a head stands, in its stage; at the terminal of its
// source it is in none.
enum side { X_PLUS, X_MINUS, Y_PLUS, Y_MINUS, AT_TERMINAL };

enum move_kind { GO, STAND, LEAVE };
struct move {
    enum move_kind kind;
    enum side side;                    // GO
    enum anl_diagonals_state outcome;  // LEAVE
};

enum stage_phase { DISTRIBUTION, PHASE_1A, PHASE_1B, REORDER, PHASE_2, DELIVERY };
struct phase {
    enum stage_phase phase;
    uint32_t u;      // step of the phase; in phase 2, of its round
    uint32_t round;  // from 0
};

// A worm on its way. x and y are the coordinates of the node of its head in the dimensions of its
// stage. In PHASE_2 and behind it, a worm that stands stays where it is until the stage ends.
struct traveller {
    uint32_t node, register_;
    uint32_t x, y, to_x, to_y;
    uint32_t worm, moved, drained;  // moved: steps since its head left the terminal, up to L
    uint32_t first;                 // where the register of its head is in its trail
    enum side side;
    struct move move;  // of this step, if decided says so
    uint64_t decided;  // the step behind that in which it was decided
    bool leaving, at_rest;
};

struct batch {
    uint32_t stage;
    uint32_t *members;  // travellers that are under way; those at rest are behind `moving`
    size_t count, moving;
};

struct anl_diagonals {
    struct anl_diagonals_config config;
    uint32_t nodes, strides[ANL_DIAGONALS_MAX_D];
    uint32_t slots;     // n / (b L), the diagonals
    uint32_t *owners;   // [nodes * 2 d] the traveller that stands in a register
    uint32_t *taken;    // [nodes * d / 2] batch that took a turn node last, + 1
    uint32_t *rows;     // [nodes] worms of a row, while a stage begins
    uint32_t *trails;   // [travellers * L] registers, as rings
    uint32_t *members;  // [travellers] of all batches, by batch
    struct traveller *travellers;
    struct batch *batches;
    struct anl_diagonals_worm *worms;
    size_t count;
    uint32_t num_batches, oldest;  // batches before it are done
    uint64_t cycle, period, end;
    struct anl_diagonals_fault fault;
    struct anl_diagonals_totals totals;
    struct anl_diagonals_move *moves;  // [2 nodes * 2 d] of the last step; NULL: not recorded
    size_t num_moves;
};

// Returns the coordinate of a node in a dimension.
static inline uint32_t diagonals_coordinate(const struct anl_diagonals *machine, uint32_t node,
                                            uint32_t dim)
{
    return node / machine->strides[dim] % machine->config.n;
}

// Returns the register of a node that links of this side of a dimension lead to.
static inline uint32_t diagonals_register(const struct anl_diagonals *machine, uint32_t node,
                                          uint32_t dim, enum side side)
{
    return node * 2 * machine->config.d + 2 * dim + (side & 1);
}

// Returns the coordinate behind x in the direction of a side.
static inline uint32_t diagonals_step_to(uint32_t n, uint32_t x, enum side side)
{
    if (side & 1) return x == 0 ? n - 1 : x - 1;
    return x + 1 == n ? 0 : x + 1;
}

// Returns the node that a link of this side leads to; x is where `node` is in its dimension.
static inline uint32_t diagonals_neighbour(const struct anl_diagonals *machine, uint32_t node,
                                           uint32_t dim, uint32_t x, enum side side)
{
    const uint32_t to = diagonals_step_to(machine->config.n, x, side);
    return node + (to - x) * machine->strides[dim];
}

// Returns where the register of the flit that is `behind` places behind the first one is kept.
static inline uint32_t *diagonals_trail(const struct anl_diagonals *machine,
                                        const struct traveller *worm, uint32_t behind)
{
    const uint32_t length = machine->config.length, place = worm->first + behind;
    const size_t mine = (size_t)(worm - machine->travellers) * length;
    return &machine->trails[mine + (place < length ? place : place - length)];
}

// Returns the numbers of the worms in the order of their sources, which the caller frees; NULL: no
// memory (config.c).
uint32_t *diagonals_by_source(const struct anl_diagonals_worm *worms, size_t count, uint32_t nodes);

// Returns the row in which the first worm of the reservoir of row y stands (rules.c).
uint32_t diagonals_bottom(const struct anl_diagonals *machine, uint32_t y);

// Returns what a worm that is not leaving does in this step; it is decided once a step (rules.c).
struct move diagonals_decide(struct anl_diagonals *machine, const struct batch *batch,
                             struct phase phase, struct traveller *worm);

#endif
