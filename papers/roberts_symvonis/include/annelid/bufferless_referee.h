// SPDX-License-Identifier: Apache-2.0
//
// A referee of the mesh without buffers, beside that of a trace (annelid/referee.h).
// It has the rules of papers/roberts_symvonis/bufferless.md, "Rules of the game". It sees which
// flits stand at the ends of links and which are consumed, and shares no code with the model:
//
//   unknown_flit  the flit belongs to no worm, its marks are wrong, or there is no such link
//   one_flit      I1: two flits are on one link
//   contiguous    I2: flit j + 1 does not cross a link one step after flit j
//   no_idle       I3: a flit waits, is lost, or comes from nowhere
//   one_arrival   I4: a node consumes two flits in a step
//   on_time       I5: a flit is not consumed at its destination in the step start + d + j
//   one_bend      a flit leaves the one-bend path of its worm

#ifndef ANNELID_BUFFERLESS_REFEREE_H
#define ANNELID_BUFFERLESS_REFEREE_H

#include <annelid/base.h>
#include <annelid/records.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_bufferless_referee;

enum anl_bufferless_rule {
    ANL_BUFFERLESS_KEPT,
    ANL_BUFFERLESS_UNKNOWN_FLIT,
    ANL_BUFFERLESS_ONE_FLIT,
    ANL_BUFFERLESS_CONTIGUOUS,
    ANL_BUFFERLESS_NO_IDLE,
    ANL_BUFFERLESS_ONE_ARRIVAL,
    ANL_BUFFERLESS_ON_TIME,
    ANL_BUFFERLESS_ONE_BEND,
};
struct anl_bufferless_violation {
    enum anl_bufferless_rule rule;
    uint64_t step;
    uint32_t link;  // by which the flit came: node * 5 + port; port 4 is the terminal
    uint32_t worm, index;
};

// Makes a referee for an n x n mesh, n from 1 to 512. On success the caller frees *referee with
// anl_bufferless_referee_destroy(). ANL_ERR_ARGUMENT or ANL_ERR_MEMORY: *referee is NULL.
enum anl_status anl_bufferless_referee_create(uint32_t n, struct anl_bufferless_referee **referee);
void anl_bufferless_referee_destroy(struct anl_bufferless_referee *referee);  // may be NULL

// Lets worms take any path, before the first step: one_bend asks nothing, and on_time asks that the
// flits of a worm are consumed at its destination, in order, one a step.
void anl_bufferless_referee_any_path(struct anl_bufferless_referee *referee);

// Takes a worm: source, destination, length and created, which is its start. Worms have the numbers
// 0, 1, … in the order of these calls. ANL_ERR_ARGUMENT: there is no such node, or length is 0;
// ANL_ERR_MEMORY.
enum anl_status anl_bufferless_referee_worm(struct anl_bufferless_referee *referee,
                                            const struct anl_worm *worm);

// Takes the flits that stand in link registers at the start of a step, by the link that they have
// crossed, and those that are consumed in this step, by the link of port 4 of the node. Steps are
// 1, 2, …, none left out. Returns true as long as no rule is broken, and looks no further then.
bool anl_bufferless_referee_step(struct anl_bufferless_referee *referee, uint64_t step,
                                 const struct anl_flit *standing, size_t num_standing,
                                 const struct anl_flit *consumed, size_t num_consumed);
// Ends the run behind the last step. Returns true if no rule is broken: every flit was consumed.
bool anl_bufferless_referee_end(struct anl_bufferless_referee *referee);

// Returns the first violation, which the referee owns; its rule is ANL_BUFFERLESS_KEPT if there is
// none.
const struct anl_bufferless_violation *
anl_bufferless_referee_violation(const struct anl_bufferless_referee *referee);
// Returns the rule's name as above, "kept" if no rule is broken.
const char *anl_bufferless_rule_name(enum anl_bufferless_rule rule);

#ifdef __cplusplus
}
#endif

#endif
