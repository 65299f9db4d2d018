// SPDX-License-Identifier: Apache-2.0
//
// Sliding diagonals: worms to random destinations on a torus whose nodes hold nothing, after Bock,
// Meyer auf der Heide and Scheideler (1996). Rules: papers/bock/diagonals.md.
//
//   anl_diagonals_create(&config, &machine, &error)
//   anl_diagonals_load(machine, worms, count, &error)
//   anl_diagonals_step(machine) until anl_diagonals_done(machine)
//   anl_diagonals_destroy(machine)
//
// anl_diagonals_route() does all that for one worm from each node or for any other set of worms,
// with clean-up batches. The machine is deterministic. anl_diagonals_step() allocates nothing. One
// thread at a time may use a machine; machines share nothing.

#ifndef ANNELID_DIAGONALS_H
#define ANNELID_DIAGONALS_H

#include <annelid/base.h>
#include <annelid/records.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ANL_DIAGONALS_MAX_D = 8, ANL_DIAGONALS_MAX_LENGTH = 4096 };
enum { ANL_DIAGONALS_MAX_NODES = 1 << 24 };

// Sizes, in nodes, flits and steps. papers/bock/diagonals.md has what must hold between them.
struct anl_diagonals_config {
    uint32_t n, d;          // side of the torus, dimensions
    uint32_t length;        // L, flits of every worm
    uint32_t a, b, c;       // rows and L columns between worms; columns of a block
    uint32_t rounds;        // R
    uint32_t forward;       // F
    uint32_t round_cycles;  // Z, steps of a round
};

// Set rounds, forward and round_cycles to those of the paper, to the short ones, or to those of
// six short rounds, which were enough for a million worms (papers/bock/README.md), for the other
// fields as they are.
void anl_diagonals_paper_rounds(struct anl_diagonals_config *config);
void anl_diagonals_short_rounds(struct anl_diagonals_config *config);
void anl_diagonals_least_rounds(struct anl_diagonals_config *config);

// Returns the parameters of a network of kind diagonals.
struct anl_diagonals_config anl_diagonals_of(const struct anl_config *network);

// Returns ANL_OK if all conditions hold; ANL_ERR_ARGUMENT, and *error says which one does not.
enum anl_status anl_diagonals_check(const struct anl_diagonals_config *config,
                                    struct anl_error *error);

// Return how many steps a stage, the delivery, and so many batches take; config must be valid.
uint64_t anl_diagonals_stage_cycles(const struct anl_diagonals_config *config);
uint64_t anl_diagonals_delivery_cycles(const struct anl_diagonals_config *config);
uint64_t anl_diagonals_cycles(const struct anl_diagonals_config *config, uint32_t batches);

// --- worms ---

enum anl_diagonals_state {
    ANL_DIAGONALS_WAITING,         // its batch has not begun
    ANL_DIAGONALS_ON_LINKS,        // some of its flits are in the network
    ANL_DIAGONALS_DELIVERED,       // its tail has left the network at its destination
    ANL_DIAGONALS_ROW_FULL,        // failed: no free slot in its row
    ANL_DIAGONALS_RESERVOIR_FULL,  // failed: no room in the reservoir of its column
    ANL_DIAGONALS_LEFT,            // failed: it was still in its row behind the last round
    ANL_DIAGONALS_STATES,
};
// Returns a name of a state, a constant text.
const char *anl_diagonals_state_name(enum anl_diagonals_state state);

struct anl_diagonals_worm {
    uint32_t source, destination;  // nodes; the caller's
    uint32_t batch;                // the caller's; 0 is the first
    // What became of it, the machine's:
    enum anl_diagonals_state state;
    uint32_t node;    // where it left the network, if it did
    uint64_t cycle;   // the step in which its tail left, from 0
    uint32_t rounds;  // rounds of phase 2 up to the one in which it took its column, the largest
    bool strayed;     // in some stage it turned into a column outside its block
};

// Gives batches to worms in the order of their sources, and returns how many there are.
// ANL_ERR_ARGUMENT: a source is no node; ANL_ERR_MEMORY.
enum anl_status anl_diagonals_batch(const struct anl_diagonals_config *config,
                                    struct anl_diagonals_worm *worms, size_t count,
                                    uint32_t *batches);

// Returns how many batches one worm from each node makes; config must be valid.
uint32_t anl_diagonals_usual_batches(const struct anl_diagonals_config *config);

// Gives batches to worms as papers/bock/diagonals.md says of a load. Returns what
// anl_diagonals_batch() does.
enum anl_status anl_diagonals_batch_load(const struct anl_diagonals_config *config,
                                         struct anl_diagonals_worm *worms, size_t count,
                                         uint32_t *batches);

// Returns how many steps after a batch the next one begins; config must be valid.
uint64_t anl_diagonals_period(const struct anl_diagonals_config *config);

// --- the machine ---

struct anl_diagonals;

// Makes an empty machine. On success the caller frees *machine with anl_diagonals_destroy().
// ANL_ERR_ARGUMENT: a condition of anl_diagonals_check() does not hold; ANL_ERR_MEMORY. *machine is
// then NULL.
enum anl_status anl_diagonals_create(const struct anl_diagonals_config *config,
                                     struct anl_diagonals **machine, struct anl_error *error);
void anl_diagonals_destroy(struct anl_diagonals *machine);  // may be NULL

// Empties the network and gives it worms, which stay the caller's, and which the machine writes to
// until the next load. The number of the next step is 0. ANL_ERR_ARGUMENT: a node is out of range,
// there are 2^32 - 1 worms or more, or two sources of one batch in one row are less than L nodes
// apart; ANL_ERR_MEMORY.
enum anl_status anl_diagonals_load(struct anl_diagonals *machine, struct anl_diagonals_worm *worms,
                                   size_t count, struct anl_error *error);

// Runs one step. Nothing happens once all batches are done, or after a fault.
void anl_diagonals_step(struct anl_diagonals *machine);
// Returns the number of the next step.
uint64_t anl_diagonals_next(const struct anl_diagonals *machine);
// Returns whether all batches are done, or a fault ended the run.
bool anl_diagonals_done(const struct anl_diagonals *machine);

// Two flits in one register: it never happens, unless the rules are wrong.
struct anl_diagonals_fault {
    bool happened;
    uint64_t cycle;
    uint32_t link;      // the register
    uint32_t worms[2];  // numbers in the array of the last load
};
// Returns the first fault since the last load; if there is none, its `happened` is false.
struct anl_diagonals_fault anl_diagonals_fault(const struct anl_diagonals *machine);

// A register has the number node * 2 d + 2 dimension + (0 for +, 1 for -), where node is the one at
// the end of its link.
struct anl_diagonals_register {
    uint32_t worm, index;
    bool valid;  // it holds a flit; otherwise the other fields are 0
};
// Fills the caller's array [n^d * 2 d] with what stands on links at the start of the next step.
void anl_diagonals_registers(const struct anl_diagonals *machine,
                             struct anl_diagonals_register *registers);

// A flit that moved in the last step.
struct anl_diagonals_move {
    uint32_t worm, index;
    uint32_t from, to;  // registers; ANL_DIAGONALS_OUTSIDE: it came in, or left the network
};
#define ANL_DIAGONALS_OUTSIDE UINT32_MAX

// Switches the recording of moves on or off; it is off in a new machine. ANL_ERR_MEMORY.
enum anl_status anl_diagonals_record(struct anl_diagonals *machine, bool on);
// Returns the moves of the last step, in no particular order; none if recording is off. They are
// owned by the machine and valid until the next step or load.
const struct anl_diagonals_move *anl_diagonals_moves(const struct anl_diagonals *machine,
                                                     size_t *count);

struct anl_diagonals_totals {
    uint64_t moves;      // flits that went to a register, since the load
    uint64_t consumed;   // flits that left the network
    uint32_t rounds;     // largest of all worms
    uint32_t reservoir;  // most worms that stood in one
    uint32_t row;        // most worms in one row of a stage behind the first, of one batch
    uint32_t states[ANL_DIAGONALS_STATES];  // worms
    uint32_t strayed;
};
// Returns the totals behind the last step.
struct anl_diagonals_totals anl_diagonals_totals(const struct anl_diagonals *machine);

// --- whole runs ---

struct anl_diagonals_run {
    uint32_t batches;       // of the worms
    uint64_t cycles;        // steps of these batches, as anl_diagonals_cycles() says
    uint32_t passes;        // how often worms that failed were put into clean-up batches
    uint64_t clean_cycles;  // steps of all clean-up batches
    struct anl_diagonals_totals totals;  // without the clean-up, but for moves and consumed
};

// Routes worms, whose batches are as given, until every one is delivered, with clean-up batches. At
// the end worms have the results of the last batch that they were in, and their sources are
// unchanged. The machine is empty then. Returns what load() does, and ANL_ERR_STALLED after a
// fault, or if a thousand passes were not enough.
enum anl_status anl_diagonals_route(struct anl_diagonals *machine, struct anl_diagonals_worm *worms,
                                    size_t count, struct anl_diagonals_run *run,
                                    struct anl_error *error);

#ifdef __cplusplus
}
#endif

#endif
