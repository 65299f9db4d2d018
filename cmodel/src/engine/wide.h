// SPDX-License-Identifier: Apache-2.0
//
// Links of which every lane has wires of its own (docs/switch.md, "Wide links"; wide.c).

#ifndef ANL_ENGINE_WIDE_H
#define ANL_ENGINE_WIDE_H

#include "engine.h"

// A lane of an injection link that is wide, and the worm that is being sent on it.
struct sending {
    uint32_t worm;          // id; NO_WORM: none, the lane is idle
    uint32_t begins;        // id of the worm whose head is to cross the link in this cycle
    uint16_t length, sent;  // flits of the worm, and how many of them have left
};

// Where links are wide (docs/switch.md, "Wide links").
struct wide {
    struct sending *sendings;  // [terminals * V]
    uint32_t *owners;          // [switch_links * V] of an output lane that a worm owns: the number
                               // of the input lane from which it comes
    uint8_t *leaving;  // [links] mask of the lanes of an input port whose front flit leaves in this
                       // cycle; NULL without credit bypass
};

// Returns what a lane of a wide injection link sends.
static inline struct sending *sending_on(const struct anl_engine *engine, uint32_t link,
                                         uint32_t vc)
{
    const size_t terminal = link - engine->switch_links;
    return &engine->wide->sendings[terminal * engine->config.num_vcs + vc];
}

// Where links are wide (wide.c). Make and free what the engine needs for it; returns false if
// memory runs out.
bool engine_make_wide(struct anl_engine *engine);
void engine_free_wide(struct anl_engine *engine);
void engine_reset_wide(struct anl_engine *engine);
// List the moves out of ports begin … end - 1, all ports of some switches, ascending by link and
// lane, and return how many there are.
size_t engine_decide_wide(const struct anl_engine *engine, uint32_t begin, uint32_t end,
                          struct move *moves);
// Lists the moves of the flits that follow others over chained links, from a move on.
void engine_follow_wide(struct anl_engine *engine, size_t from);
// A flit leaves a full lane at the end of a chained link. If the worm that owns the lane has a flit
// behind it, lists the move of this flit, which follows in the same cycle.
void engine_follow_flit(struct anl_engine *engine, uint32_t link, uint32_t vc);
// Lists the moves over injection links.
void engine_inject_wide(struct anl_engine *engine);
// Forgets which flits left in the cycle before, whose moves are still listed.
void engine_forget_wide(struct anl_engine *engine);

#endif
