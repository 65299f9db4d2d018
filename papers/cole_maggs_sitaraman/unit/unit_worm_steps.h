// SPDX-License-Identifier: Apache-2.0
//
// The oracle of greedy runs: worms as the paper sees them, a counter for each. A worm that has
// moved x times has its flit j behind link min(d, x - j) of its path; it moves as a whole, or
// stands still because no lane of its next link was free at the start of the step.

#ifndef ANNELID_UNIT_WORM_STEPS_H
#define ANNELID_UNIT_WORM_STEPS_H

#include "unit.h"

#include <annelid/colour.h>
#include <stdbool.h>

// Who comes first where heads meet. BY_MESSAGE is how the printed numbers were found: the lower
// message, and the last link of a path frees its lane one step sooner, since what crosses it is
// delivered at once. BY_PORT is the switch: the lower input port, then the lower lane; behind the
// last link comes an ejection link of the message's own.
enum meeting { BY_MESSAGE, BY_PORT };

struct worm_steps {
    const struct anl_instance *instance;
    uint32_t vcs, length;
    enum meeting meeting;
    uint32_t *moved;    // [messages] x
    uint32_t *lanes;    // [hops] the lane that a worm has on each link of its path
    uint32_t *holders;  // [links * vcs] 1 + the worm that has a lane; 0: it is free
    uint32_t *ports;    // [links] the input port at the end of a link
    uint32_t *order;    // [messages]
};

static size_t hops_of(const struct worm_steps *worms, uint32_t m)
{
    return worms->instance->paths.begin[m + 1] - worms->instance->paths.begin[m];
}

static uint32_t link_of_hop(const struct worm_steps *worms, uint32_t m, size_t hop)
{
    return worms->instance->paths.on[worms->instance->paths.begin[m] + hop];
}

// A source comes behind all links, and the sources of a switch by their messages.
static uint64_t rank_of(const struct worm_steps *worms, uint32_t m)
{
    const uint32_t x = worms->moved[m];
    if (worms->meeting == BY_MESSAGE) return m;
    if (x == 0 || x > hops_of(worms, m)) return UINT64_C(1) << 40 | m;
    const size_t hop = worms->instance->paths.begin[m] + x - 1;
    return (uint64_t)worms->ports[worms->instance->paths.on[hop]] << 32 | worms->lanes[hop];
}

// Sorts by insertion: most worms keep their places from one step to the next.
static void sort_worms(const struct worm_steps *worms)
{
    for (uint32_t i = 1; i < worms->instance->paths.messages; i++)
        for (uint32_t j = i;
             j > 0 && rank_of(worms, worms->order[j]) < rank_of(worms, worms->order[j - 1]); j--) {
            const uint32_t kept = worms->order[j];
            worms->order[j] = worms->order[j - 1];
            worms->order[j - 1] = kept;
        }
}

// Returns the lowest lane of the worm's next link that was free at the start of the step and that
// nobody has taken in it; vcs: none.
static uint32_t free_lane(const struct worm_steps *worms, uint32_t m)
{
    const uint32_t *of_link =
        worms->holders + (size_t)link_of_hop(worms, m, worms->moved[m]) * worms->vcs;
    uint32_t lane = 0;
    while (lane < worms->vcs && of_link[lane])
        lane++;
    return lane;
}

// The number of moves after which a worm gives back the lane of a link.
static uint64_t release_of(const struct worm_steps *worms, uint32_t m, size_t hop)
{
    const bool at_once = worms->meeting == BY_MESSAGE && hop + 1 == hops_of(worms, m);
    return hop + worms->length + !at_once;
}

static uint64_t moves_of(const struct worm_steps *worms, uint32_t m)
{
    return hops_of(worms, m) + worms->length - (worms->meeting == BY_MESSAGE);
}

// Gives back the lanes that the tail has left with this move. It happens after all heads have
// moved, so the lanes are free from the next step on.
static void give_back(const struct worm_steps *worms, uint32_t m)
{
    for (size_t hop = 0; hop < hops_of(worms, m); hop++)
        if (worms->moved[m] == release_of(worms, m, hop)) {
            const uint32_t lane = worms->lanes[worms->instance->paths.begin[m] + hop];
            worms->holders[(size_t)link_of_hop(worms, m, hop) * worms->vcs + lane] = 0;
        }
}

// Moves all worms that can. Returns how many are not yet over.
static uint32_t step_worms(const struct worm_steps *worms, bool *has_moved)
{
    const uint32_t messages = worms->instance->paths.messages;
    uint32_t left = 0;
    sort_worms(worms);
    for (uint32_t i = 0; i < messages; i++) {
        const uint32_t m = worms->order[i];
        has_moved[m] = worms->moved[m] < moves_of(worms, m);
        if (worms->moved[m] >= hops_of(worms, m)) continue;
        const uint32_t lane = free_lane(worms, m);
        has_moved[m] = lane < worms->vcs;
        if (!has_moved[m]) continue;
        worms->lanes[worms->instance->paths.begin[m] + worms->moved[m]] = lane;
        worms->holders[(size_t)link_of_hop(worms, m, worms->moved[m]) * worms->vcs + lane] = m + 1;
    }
    for (uint32_t m = 0; m < messages; m++) {
        worms->moved[m] += has_moved[m];
        if (has_moved[m]) give_back(worms, m);
        left += worms->moved[m] < moves_of(worms, m);
    }
    return left;
}

// Returns the steps of a greedy run in which all messages start at once.
static inline uint64_t count_worm_steps(const struct anl_instance *instance, uint32_t vcs,
                                        uint32_t length, enum meeting meeting)
{
    const uint32_t messages = instance->paths.messages, links = instance->paths.links;
    struct worm_steps worms = {
        .instance = instance, .vcs = vcs, .length = length, .meeting = meeting};
    worms.moved = calloc(messages, sizeof *worms.moved);
    worms.lanes = calloc(instance->paths.begin[messages], sizeof *worms.lanes);
    worms.holders = calloc((size_t)links * vcs, sizeof *worms.holders);
    worms.ports = calloc(links, sizeof *worms.ports);
    worms.order = calloc(messages, sizeof *worms.order);
    uint32_t *ins = calloc(instance->switches, sizeof *ins);
    bool *has_moved = calloc(messages, sizeof *has_moved);
    for (uint32_t l = 0; l < links; l++)
        worms.ports[l] = ins[instance->to[l]]++;
    for (uint32_t m = 0; m < messages; m++)
        worms.order[m] = m;
    uint64_t steps = 1;
    while (step_worms(&worms, has_moved))
        steps++;
    free(worms.moved);
    free(worms.lanes);
    free(worms.holders);
    free(worms.ports);
    free(worms.order);
    free(ins);
    free(has_moved);
    return steps - (meeting == BY_PORT);  // without the ejection link
}

#endif
