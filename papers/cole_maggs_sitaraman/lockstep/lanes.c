// SPDX-License-Identifier: Apache-2.0
//
// The registers of switches that discard, and what they discard
// (papers/cole_maggs_sitaraman/discard.md, "What is compared").

#include "discarding_lockstep.h"

enum { LINKS = 2 };  // of a node

// Returns the owner of a lane as the RTL has it. On level 0 it is the injection lane of the worm.
static uint32_t owner_of(const struct comparison *comparison, const struct anl_discard_state *state)
{
    if (state->owner != ANL_DISCARD_SOURCE) return state->owner;
    return comparison->harness->injections.worms[state->worm].lane % INJECTIONS;
}

static void compare_owner(struct comparison *comparison, uint32_t link, uint32_t vc,
                          const struct anl_discard_state *expected, const struct discard_lane *seen)
{
    const bool busy = expected->owner != ANL_DISCARD_NO_OWNER;
    const struct field fields[] = {
        {"output", "busy", busy, seen->busy},
        {"output", "owner", busy ? owner_of(comparison, expected) : 0, busy ? seen->owner : 0},
    };
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++)
        compare_field(comparison, &fields[f], link / LINKS, link % LINKS, vc);
}

static bool is_tail(const struct comparison *comparison, const struct anl_discard_state *state)
{
    return state->index + 1 == comparison->harness->worms.worm[state->worm].worm.length;
}

// Compares the register at the end of a lane, which is that of an input lane of the next node.
static void compare_end(struct comparison *comparison, uint32_t link, uint32_t vc,
                        const struct anl_discard_state *expected)
{
    const struct anl_config *config = comparison->history->config;
    const struct anl_end end = anl_end_of(config, link);
    const size_t input = (size_t)(end.node * LINKS + end.port) * config->num_vcs + vc;
    const struct discard_lane *seen =
        &seen_discarding(&comparison->harness->observed)->lanes[input];
    const struct anl_flit flit = {.link = link,
                                  .worm = expected->worm,
                                  .index = expected->index,
                                  .vc = (uint8_t)vc,
                                  .head = expected->index == 0,
                                  .tail = expected->valid && is_tail(comparison, expected)};
    compare_register(comparison, end.node, end.port, expected->valid ? &flit : NULL,
                     seen->valid ? &seen->link : NULL);
}

void compare_lanes(struct comparison *comparison, const struct anl_discard_state *expected)
{
    const struct injections *injections = &comparison->harness->injections;
    const uint32_t num_vcs = injections->config->num_vcs;
    const uint32_t links = injections->outputs + comparison->history->shape.terminals;
    for (uint32_t lane = 0; lane < links * num_vcs; lane++) {
        const uint32_t link = lane / num_vcs, vc = lane % num_vcs;
        if (link < injections->outputs) compare_end(comparison, link, vc, &expected[lane]);
        compare_owner(comparison, link, vc, &expected[lane],
                      &seen_discarding(&comparison->harness->observed)->lanes[lane]);
    }
}

void compare_discards(struct comparison *comparison, const struct discards *expected)
{
    const struct anl_shape *shape = &comparison->history->shape;
    for (uint32_t node = 0; node < shape->switches; node++) {
        const struct discards *seen =
            &seen_discarding(&comparison->harness->observed)->discards[node];
        const struct field says = {"switch", "discard", expected[node].says, seen->says};
        const struct field heads = {"switch", "discarded heads", expected[node].heads, seen->heads};
        compare_field(comparison, &says, node, shape->ports - 1, NOWHERE);
        if (!comparison->unwatched)
            compare_field(comparison, &heads, node, shape->ports - 1, NOWHERE);
    }
}
