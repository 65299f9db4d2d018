// SPDX-License-Identifier: Apache-2.0
//
// A referee of the butterfly that discards, beside that of a trace (annelid/referee.h).
// It has the rules of papers/cole_maggs_sitaraman/discard.md, "Rules of the game". It sees which
// flits cross links, and shares no code with the model:
//
//   unknown_flit  the flit belongs to no worm, its marks are wrong, or there is no such lane
//   one_flit      I1: two flits are in one lane
//   path          I2: the link is not on the path of the worm
//   on_time       I2: flit j crosses the link of level i in another step than s + i + j
//   from_nowhere  I2: a head crosses a link, and did not cross the one before
//   contiguous    I1, whole, lane: a flit does not follow the one before it in its lane, or a
//                 worm in a lane does not go on
//   full          the head of a worm does not cross a link in which fewer than B flits cross

#ifndef ANNELID_DISCARDING_REFEREE_H
#define ANNELID_DISCARDING_REFEREE_H

#include <annelid/base.h>
#include <annelid/records.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_discard_referee;

enum anl_discard_rule {
    ANL_DISCARD_KEPT,
    ANL_DISCARD_UNKNOWN_FLIT,
    ANL_DISCARD_ONE_FLIT,
    ANL_DISCARD_PATH,
    ANL_DISCARD_ON_TIME,
    ANL_DISCARD_FROM_NOWHERE,
    ANL_DISCARD_CONTIGUOUS,
    ANL_DISCARD_FULL,
};
struct anl_discard_violation {
    enum anl_discard_rule rule;
    uint64_t step;
    uint32_t link, vc;  // of full: the link that the head needs, and vc 0
    uint32_t worm, index;
};

// Makes a referee for butterflies of 2^levels columns, 1 or 2 passes, and num_vcs lanes a link. On
// success the caller frees *referee with anl_discard_referee_destroy(). ANL_ERR_ARGUMENT or
// ANL_ERR_MEMORY: *referee is NULL.
enum anl_status anl_discard_referee_create(uint32_t levels, uint32_t passes, uint32_t num_vcs,
                                           struct anl_discard_referee **referee);
void anl_discard_referee_destroy(struct anl_discard_referee *referee);  // may be NULL

// Takes a worm, before its start: source, destination and path are columns, path the intermediate
// one with two passes; created is the start, which is not before that of the worm taken last. Worms
// have the numbers 0, 1, … in the order of these calls. ANL_ERR_ARGUMENT: something of this is not
// so, or length is 0; ANL_ERR_MEMORY.
enum anl_status anl_discard_referee_worm(struct anl_discard_referee *referee,
                                         const struct anl_worm *worm);

// Takes the flits that cross links in a step, in any order; the link is 2 * node + output link.
// Steps are 1, 2, …, none left out. Returns true as long as no rule is broken, and looks no further
// then.
bool anl_discard_referee_step(struct anl_discard_referee *referee, uint64_t step,
                              const struct anl_flit *flits, size_t count);
// Ends the run behind the last step. Returns true if no rule is broken: no worm was on its way.
bool anl_discard_referee_end(struct anl_discard_referee *referee);

// Returns how many worms were seen to be discarded, and how many heads crossed the last link.
void anl_discard_referee_count(const struct anl_discard_referee *referee, uint64_t *discarded,
                               uint64_t *delivered);

// Returns the first violation, which the referee owns; its rule is ANL_DISCARD_KEPT if there is
// none.
const struct anl_discard_violation *
anl_discard_referee_violation(const struct anl_discard_referee *referee);
// Returns the rule's name as above, "kept" if no rule is broken.
const char *anl_discard_rule_name(enum anl_discard_rule rule);

#ifdef __cplusplus
}
#endif

#endif
