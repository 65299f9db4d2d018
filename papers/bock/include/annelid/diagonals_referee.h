// SPDX-License-Identifier: Apache-2.0
//
// A referee of sliding diagonals, beside that of a trace (annelid/referee.h).
// It has the rules of papers/bock/diagonals.md, "Rules of the game". It sees which flits
// stand in registers and which leave, and shares no code with the model:
//
//   unknown_flit  the flit belongs to no worm, its marks are wrong, there is no such register, or
//                 it is in two places
//   one_flit      two flits are in one register
//   enters        a flit comes from a terminal in another step, or to another register
//   contiguous    a flit does not follow the one before it
//   distribution, phase_1, reorder, phase_2, delivery
//                 a head goes where its phase does not lead it
//   reservoir     the same in a column before the stage ends
//   lost          a flit is not seen again, or is in the network at the end

#ifndef ANNELID_DIAGONALS_REFEREE_H
#define ANNELID_DIAGONALS_REFEREE_H

#include <annelid/base.h>
#include <annelid/records.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_diagonals_referee;

enum anl_diagonals_rule {
    ANL_DIAGONALS_KEPT,
    ANL_DIAGONALS_UNKNOWN_FLIT,
    ANL_DIAGONALS_ONE_FLIT,
    ANL_DIAGONALS_ENTERS,
    ANL_DIAGONALS_CONTIGUOUS,
    ANL_DIAGONALS_DISTRIBUTION,
    ANL_DIAGONALS_PHASE_1,
    ANL_DIAGONALS_REORDER,
    ANL_DIAGONALS_PHASE_2,
    ANL_DIAGONALS_RESERVOIR,
    ANL_DIAGONALS_DELIVERY,
    ANL_DIAGONALS_LOST,
};
struct anl_diagonals_violation {
    enum anl_diagonals_rule rule;
    uint64_t step;
    uint32_t link;  // the register in which the flit is; of lost, in which it was
    uint32_t worm, index;
};

// The parameters of papers/bock/diagonals.md.
struct anl_diagonals_torus {
    uint32_t n, d, length, a, b, c, rounds, forward, round_cycles;
};

// Makes a referee of a torus. On success the caller frees *referee with
// anl_diagonals_referee_destroy(). ANL_ERR_ARGUMENT: no such torus, or not the parameters of one;
// ANL_ERR_MEMORY: *referee is NULL.
enum anl_status anl_diagonals_referee_create(const struct anl_diagonals_torus *torus,
                                             struct anl_diagonals_referee **referee);
void anl_diagonals_referee_destroy(struct anl_diagonals_referee *referee);  // may be NULL

// Takes a worm, before the first step: source, destination, length, which is L, and created, the
// step in which its batch begins. Worms have the numbers 0, 1, … in the order of these calls.
// ANL_ERR_ARGUMENT: something of this is not so, or no batch begins in that step; ANL_ERR_MEMORY.
enum anl_status anl_diagonals_referee_worm(struct anl_diagonals_referee *referee,
                                           const struct anl_worm *worm);

// Takes the flits that stand in registers at the start of a step, and those that leave in it. A
// register has the number node * 2 d + 2 dimension + (0 for +, 1 for -), where node is
// the one at the end of its link. Steps are 0, 1, …, none left out. Returns true as long as no rule
// is broken, and looks no further then.
bool anl_diagonals_referee_step(struct anl_diagonals_referee *referee, uint64_t step,
                                const struct anl_flit *standing, size_t num_standing,
                                const struct anl_flit *leaving, size_t num_leaving);
// Ends the run behind the last step. Returns true if no rule is broken: every flit has left.
bool anl_diagonals_referee_end(struct anl_diagonals_referee *referee);

// Returns how many worms were delivered, and how many left the network elsewhere.
void anl_diagonals_referee_count(const struct anl_diagonals_referee *referee, uint64_t *delivered,
                                 uint64_t *failed);

// Returns the first violation, which the referee owns; its rule is ANL_DIAGONALS_KEPT if there is
// none.
const struct anl_diagonals_violation *
anl_diagonals_referee_violation(const struct anl_diagonals_referee *referee);
// Returns the rule's name as above, "kept" if no rule is broken.
const char *anl_diagonals_rule_name(enum anl_diagonals_rule rule);

#ifdef __cplusplus
}
#endif

#endif
