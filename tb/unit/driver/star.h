// SPDX-License-Identifier: Apache-2.0
//
// A switch in C that is nobody's: a terminal at each port, any style of links, and faults that it
// commits once. It is written from docs/link.md and shares no code with the engine.

#ifndef ANNELID_STAR_H
#define ANNELID_STAR_H

#include "unit.h"

#include <annelid/driver.h>
#include <string.h>

enum { STAR_PORTS = 4, STAR_VCS = 2, STAR_DEPTH = 4 };

enum star_fault {
    STAR_NONE,
    STAR_LOST,     // a body flit that comes is dropped
    STAR_DOUBLED,  // a body flit is sent twice
    STAR_EARLY,    // before it may: a credit when its flit comes; a flit against a stop; an offer
                   // taken back
    STAR_LATE,  // after it must: a credit never; a stop not at all; another flit offered in between
    STAR_WRONG_LANE,  // a body flit leaves in the other lane
    STAR_NUM_FAULTS
};

struct star_flit {
    uint32_t wires[ANL_WIRE_WORDS];
    uint32_t destination;  // of the worm
    bool head, tail;
};

struct star_lane {
    struct star_flit flits[64];
    unsigned count;
    uint32_t destination;  // of the worm that is entering
};

struct star_output {
    int owner[STAR_VCS];  // input lane whose worm has the lane; -1: none
    uint32_t credits[STAR_VCS], stopped;
    unsigned turn;
    int offer;  // input lane whose front is offered until it is taken; -1: none
    uint32_t offer_vc;
    bool valid;
    uint32_t vc;
    struct star_flit flit;
};

struct star {
    const struct anl_link_description *links;
    const struct anl_config *config;
    struct anl_driver *drive;
    struct star_lane lanes[STAR_PORTS * STAR_VCS];
    struct star_output outputs[STAR_PORTS];
    uint32_t back[STAR_PORTS];            // what it drives on its input links
    uint32_t owed[STAR_PORTS][STAR_VCS];  // credits that go back
    enum star_fault fault;
    uint64_t from;   // first cycle in which the fault may be committed
    uint64_t cycle;  // in which a rule is then broken; UINT64_MAX: it was not committed yet
    bool committed;
    bool admits;                              // cut-through: a head goes to a lane that is empty
    bool full_before[STAR_PORTS * STAR_VCS];  // at the start of the cycle
    bool gap;              // STAR_EARLY of ready: nothing is offered in the next cycle
    uint32_t wrong_lane;   // input lane of the flit that is sent in the wrong lane
    uint32_t early;        // lane of an output port whose flit was taken for one that had crossed
    uint32_t held;         // STAR_EARLY of credits: input lane that nothing leaves
    uint32_t lost_behind;  // flits that stand before it there
    uint32_t lost_lane;    // STAR_LOST: the next flit of this input lane breaks the rule
};

static inline void star_create(struct star *star, struct anl_driver *drive)
{
    star->drive = drive;
    star->links = anl_live_links(anl_driver_live(drive));
    star->cycle = UINT64_MAX;
    star->lost_lane = star->wrong_lane = star->early = star->held = UINT32_MAX;
    for (unsigned p = 0; p < STAR_PORTS; p++) {
        star->outputs[p].offer = -1;
        for (unsigned v = 0; v < STAR_VCS; v++) {
            star->outputs[p].owner[v] = -1;
            star->outputs[p].credits[v] = STAR_DEPTH;
        }
    }
}

// Returns whether the fault is to be committed now, and notes the cycle.
static inline bool star_commits(struct star *star, enum star_fault fault, uint64_t now)
{
    if (star->committed || star->fault != fault || now < star->from) return false;
    star->committed = true;
    return true;
}

static inline bool star_has_ready(const struct star *star)
{
    return star->links->style == ANL_STYLE_READY_VALID ||
           star->links->style == ANL_STYLE_READY_VALID_PER_LANE;
}

static inline bool star_has_credits(const struct star *star)
{
    return star->links->style <= ANL_STYLE_CREDIT_PULSE_SHARED;
}

static inline void star_pop(struct star *star, unsigned lane)
{
    struct star_lane *from = &star->lanes[lane];
    memmove(from->flits, from->flits + 1, --from->count * sizeof *from->flits);
}

// What it drives on an input link: a function of its lanes.
static inline void star_answer(struct star *star, unsigned port)
{
    uint32_t room = 0, full = 0;
    for (unsigned v = 0; v < STAR_VCS; v++) {
        const unsigned count = star->lanes[port * STAR_VCS + v].count;
        room |= (uint32_t)(count < STAR_DEPTH) << v;
        full |= (uint32_t)(count + 2 > STAR_DEPTH) << v;
    }
    uint32_t *back = &star->back[port];
    *back = 0;
    const uint64_t now = anl_live_now(anl_driver_live(star->drive));
    if (star->links->style == ANL_STYLE_STOP_GO)
        *back = star->fault == STAR_LATE && now >= star->from ? 0 : full;
    if (star->links->style == ANL_STYLE_READY_VALID_PER_LANE) *back = room;
    if (star->links->style == ANL_STYLE_READY_VALID) *back = room == (1u << STAR_VCS) - 1;
    for (unsigned v = 0; star_has_credits(star) && v < STAR_VCS; v++) {
        if (!star->owed[port][v]) continue;
        if (star->links->style == ANL_STYLE_CREDIT) *back |= 1u << v;
        if (star->links->style == ANL_STYLE_CREDIT_PULSE_SHARED) *back = 2 | v;
        star->owed[port][v]--;
        if (star->links->style == ANL_STYLE_CREDIT_PULSE_SHARED) break;
    }
}

static inline bool star_may_send(const struct star *star, unsigned port, uint32_t vc)
{
    const struct star_output *output = &star->outputs[port];
    if (star_has_credits(star)) return output->credits[vc] > 0;
    if (star->links->style == ANL_STYLE_STOP_GO) return !(output->stopped >> vc & 1);
    return true;
}

// Chooses an input lane and a lane for an output port. Returns false if nothing can go.
static inline bool star_choose(struct star *star, unsigned port)
{
    struct star_output *output = &star->outputs[port];
    for (unsigned i = 0; i < STAR_PORTS * STAR_VCS; i++) {
        const unsigned lane = (output->turn + i) % (STAR_PORTS * STAR_VCS);
        const struct star_lane *from = &star->lanes[lane];
        if (!from->count || from->flits[0].destination != port || lane == star->held) continue;
        for (uint32_t v = 0; v < STAR_VCS; v++) {
            const bool mine = output->owner[v] == (int)lane;
            const bool free_ = output->owner[v] < 0 && from->flits[0].head;
            if (!mine && !free_) continue;
            if (!star_may_send(star, port, v)) continue;
            if (free_ && star->admits && output->credits[v] < STAR_DEPTH) continue;
            if (free_) {  // a head must not take a second lane
                bool elsewhere = false;
                for (uint32_t o = 0; o < STAR_VCS; o++)
                    elsewhere |= output->owner[o] == (int)lane;
                if (elsewhere) continue;
            }
            output->offer = (int)lane;
            output->offer_vc = v;
            return true;
        }
    }
    return false;
}

// What it drives on an output link.
static inline void star_offer(struct star *star, unsigned port, uint64_t now)
{
    struct star_output *output = &star->outputs[port];
    const int was = output->offer;
    output->valid = false;
    if (!star_has_ready(star)) output->offer = -1;
    if (star->gap && was >= 0) {  // the offer is taken back for this cycle
        star->gap = false;
        if (star->cycle == UINT64_MAX) star->cycle = now;
        return;
    }
    if (output->offer < 0 && !star_choose(star, port)) return;
    output->valid = true;
    output->vc = output->offer_vc;
    output->flit = star->lanes[output->offer].flits[0];
    if (star->early == port * STAR_VCS + output->vc && star->cycle == UINT64_MAX) star->cycle = now;
    const bool body = !output->flit.head && !output->flit.tail;
    if (body && (was < 0 || !star_has_ready(star)) && star_may_send(star, port, output->vc ^ 1) &&
        star_commits(star, STAR_WRONG_LANE, now)) {
        output->vc = output->offer_vc ^= 1;
        star->wrong_lane = (uint32_t)output->offer;  // the rule is broken when it crosses
    }
}

// A flit against a stop.
static inline void star_ignore_stop(struct star *star, unsigned port, uint64_t now)
{
    struct star_output *output = &star->outputs[port];
    if (star->links->style != ANL_STYLE_STOP_GO || output->valid || star->committed ||
        star->fault != STAR_EARLY || now < star->from)
        return;
    const uint32_t stopped = output->stopped;
    output->stopped = 0;
    if (star_choose(star, port) && stopped >> output->offer_vc & 1) {
        star->committed = true;
        star->cycle = now;
        output->valid = true;
        output->vc = output->offer_vc;
        output->flit = star->lanes[output->offer].flits[0];
    } else {
        output->offer = -1;
    }
    output->stopped = stopped;
}

// What has crossed an output link.
static inline void star_send(struct star *star, unsigned port, uint32_t back, uint64_t now)
{
    struct star_output *output = &star->outputs[port];
    const bool ready =
        star->links->style == ANL_STYLE_READY_VALID ? back & 1 : back >> output->vc & 1;
    const bool crosses = output->valid && (!star_has_ready(star) || ready);
    if (star->links->style == ANL_STYLE_STOP_GO) output->stopped = back;
    if (star->links->style == ANL_STYLE_CREDIT)
        for (unsigned v = 0; v < STAR_VCS; v++)
            output->credits[v] += back >> v & 1;
    if (star->links->style == ANL_STYLE_CREDIT_PULSE_SHARED && back & 2)
        output->credits[back & 1]++;
    if (output->valid && !crosses) {
        if (star->links->style == ANL_STYLE_READY_VALID && star_commits(star, STAR_EARLY, now))
            star->gap = true;
        if (star->links->style == ANL_STYLE_READY_VALID_PER_LANE && !output->flit.head &&
            !output->flit.tail && star_commits(star, STAR_EARLY, now)) {  // as if it had crossed
            star->early = port * STAR_VCS + output->vc;
            star_pop(star, (unsigned)output->offer);
            output->offer = -1;
            return;
        }
        if (star_commits(star, STAR_LATE, now)) {  // its data change while it waits
            star->lanes[output->offer].flits[0].wires[0] ^= 1u << 20;
            star->cycle = now + 1;
        }
    }
    if (!crosses) return;
    const unsigned lane = (unsigned)output->offer;
    const bool body = !output->flit.head && !output->flit.tail;
    if (star_has_credits(star)) output->credits[output->offer_vc]--;
    if (star->wrong_lane == lane && star->cycle == UINT64_MAX) star->cycle = now;
    if (star->lost_lane == lane && star->cycle == UINT64_MAX && !star->lost_behind--)
        star->cycle = now;
    output->offer = -1;
    output->turn = lane + 1;
    output->owner[output->offer_vc] = output->flit.tail ? -1 : (int)lane;
    if (star->committed && star->fault == STAR_DOUBLED && star->cycle == UINT64_MAX &&
        star->lost_lane == 1000 + lane)
        star->cycle = now;
    if (body && star_commits(star, STAR_DOUBLED, now)) {
        star->lost_lane = 1000 + lane;  // the second time is the one that breaks the rule
        return;
    }
    star_pop(star, lane);
    if (!star_has_credits(star)) return;
    if (star_commits(star, STAR_LATE, now)) {
        star->cycle = now;
        return;
    }
    star->owed[lane / STAR_VCS][lane % STAR_VCS]++;
}

static inline bool star_crosses_in(const struct star *star, unsigned port, bool valid, uint32_t vc)
{
    if (star->links->style == ANL_STYLE_READY_VALID) return valid && star->back[port] & 1;
    if (star->links->style == ANL_STYLE_READY_VALID_PER_LANE)
        return valid && star->back[port] >> vc & 1;
    return valid;
}

// What has crossed an input link.
static inline void star_take(struct star *star, unsigned port, uint32_t vc, const uint32_t *wires,
                             uint64_t now)
{
    const unsigned number = port * STAR_VCS + vc;
    struct star_lane *lane = &star->lanes[number];
    struct star_flit flit = {.head = wires[1] >> 1 & 1, .tail = wires[1] & 1};
    memcpy(flit.wires, wires, sizeof flit.wires);
    if (flit.head) lane->destination = anl_link_destination(star->links, star->config, wires);
    flit.destination = lane->destination;
    if (!flit.head && !flit.tail && star_commits(star, STAR_LOST, now)) {
        star->lost_lane = number;
        star->lost_behind = lane->count;
        return;
    }
    if (star_has_credits(star) && !lane->count && !star->owed[port][vc] &&
        star_commits(star, STAR_EARLY, now)) {
        star->held = number;  // it cannot leave in the cycle in which its credit goes back
        star->owed[port][vc]++;
        star->cycle = now + 1;
    }
    if (star->fault == STAR_LATE && star->links->style == ANL_STYLE_STOP_GO &&
        star->full_before[number] && star->cycle == UINT64_MAX) {
        star->committed = true;
        star->cycle = now;
    }
    lane->flits[lane->count++] = flit;
}

// Runs a cycle of switch, terminals and watch. Returns false if the run is over.
static inline bool star_cycle(struct star *star)
{
    struct anl_live *live = anl_driver_live(star->drive);
    const uint64_t now = anl_live_now(live);
    for (unsigned i = 0; i < STAR_PORTS * STAR_VCS; i++)
        star->full_before[i] = star->lanes[i].count >= STAR_DEPTH;
    for (unsigned p = 0; p < STAR_PORTS; p++) {
        star_answer(star, p);
        star_offer(star, p, now);
        star_ignore_stop(star, p, now);
    }
    for (unsigned p = 0; p < STAR_PORTS; p++) {
        uint32_t vc;
        const uint32_t *flit;
        const bool valid = anl_driver_sends(star->drive, p, &vc, &flit);
        const struct star_output *output = &star->outputs[p];
        const uint32_t takes = anl_driver_takes(star->drive, p);
        const struct anl_wires in = {valid, vc, star->back[p], flit};
        const struct anl_wires out = {output->valid, output->vc, takes, output->flit.wires};
        anl_live_wires(live, STAR_PORTS + p, &in, 0);
        anl_live_wires(live, p, &out, 0);
        const bool crosses = star_crosses_in(star, p, valid, vc);
        const struct star_output was = *output;
        star_send(star, p, takes, now);
        if (crosses) star_take(star, p, vc, flit, now);
        anl_driver_saw(star->drive, p, star->back[p], was.valid, was.vc, was.flit.wires);
    }
    return anl_driver_cycle(star->drive);
}

#endif
