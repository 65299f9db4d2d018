// SPDX-License-Identifier: Apache-2.0
//
// The rules, checked one flit at a time. A flit is checked against the state at the start of the
// cycle (on chained links, also against the flits that leave in it), so the order of the flits of a
// cycle does not matter; of two flits on one link the second is named. If a flit breaks several
// rules, the first in this order is named: bad_link, link_busy, unknown_worm, a worm already
// delivered or too short (out_of_order), bad_marks, then where the flit comes from, then the lane
// to which it goes.
#include "referee.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_injection(const struct anl_referee *referee, uint32_t link)
{
    return link >= referee->shape.switches * referee->shape.ports;
}

// Returns the switch that a flit on a link leaves; link is no injection link.
static uint32_t start_of(const struct anl_referee *referee, uint32_t link)
{
    return link / referee->shape.ports;
}

static bool is_ejection(const struct anl_referee *referee, uint32_t link)
{
    return referee->links[link].end >= referee->shape.switches;
}

static struct referee_lane *lane_of(const struct anl_referee *referee, uint32_t link, uint8_t vc)
{
    return &referee->lanes[(size_t)link * referee->shape.config.num_vcs + vc];
}

static bool is_wide(const struct anl_referee *referee)
{
    return referee->shape.config.link == ANL_WIDE;
}

// --- lanes ---

bool referee_is_chained(const struct anl_referee *referee, const struct anl_flit *flit)
{
    return referee->links[flit->link].is_chained && !(is_wide(referee) && flit->head);
}

// Returns the visit from which a flit comes if it is where its worm should be; 0 otherwise, and if
// it comes from its source.
static uint32_t origin_of(const struct anl_referee *referee, const struct anl_flit *flit)
{
    if (flit->link >= referee->shape.links || flit->vc >= referee->shape.config.num_vcs) return 0;
    const struct referee_visit *visit =
        &referee->visits[lane_of(referee, flit->link, flit->vc)->back];
    if (flit->index > 0) return visit->worm == flit->worm ? visit->before : 0;
    const struct referee_worm *worm = referee_worms_find(&referee->worms, flit->worm);
    return worm ? worm->at : 0;
}

void referee_note_origins(struct anl_referee *referee)
{
    for (size_t i = 0; i < referee->count; i++) {
        const uint32_t origin = origin_of(referee, &referee->flits[i]);
        const struct referee_visit *visit = &referee->visits[origin];
        if (origin) lane_of(referee, visit->link, visit->vc)->tried = referee->now;
    }
}

// Returns true if the front flit of the lane leaves it in this cycle, or tries to and is refused;
// link is no ejection link. A worm passes a switch once, so any flit of the front worm that leaves
// the switch comes from this lane.
static bool front_leaves(const struct anl_referee *referee, uint32_t link,
                         const struct referee_lane *lane)
{
    const uint32_t ports = referee->shape.ports;
    const struct referee_link *out = &referee->links[referee->links[link].end * ports];
    if (lane->left == referee->now) return true;
    if (is_wide(referee)) return lane->tried == referee->now;
    for (uint32_t p = 0; p < ports && lane->front; p++)
        if (out[p].tried == referee->now && out[p].trier == referee->visits[lane->front].worm)
            return true;
    return false;
}

// Notes in the bits of a lane that a flit entered it or left it; last is the time at which one did
// so before.
static uint32_t with_now(const struct anl_referee *referee, uint32_t bits, uint64_t last)
{
    const uint64_t past = referee->now - last;
    return (past < 32 ? bits << past : 0) | 1;
}

// Returns how many of the last cycles, with the current one, have a bit; last is the time of bit 0.
static uint32_t lately(const struct anl_referee *referee, uint32_t bits, uint64_t last,
                       uint32_t cycles)
{
    const uint64_t past = referee->now - last;
    if (last > referee->now || past >= cycles) return 0;
    return (uint32_t)__builtin_popcount(bits << past & ((1u << cycles) - 1));
}

uint32_t referee_left_lately(const struct anl_referee *referee, const struct referee_lane *lane,
                             uint32_t cycles)
{
    return lately(referee, lane->exits, lane->left, cycles);
}

// Returns the flits of a lane that are still on the link, or in a switch for fewer cycles than it
// has stages.
static uint32_t on_their_way(const struct anl_referee *referee, uint32_t link,
                             const struct referee_lane *lane)
{
    return lately(referee, lane->entries, lane->used, referee->links[link].passage);
}

// Returns the slots of a lane that the sender could not use at the start of this cycle: those of
// flits in the lane and on the link, and those whose credits were not back.
static uint32_t taken_at_start(const struct anl_referee *referee, uint32_t link,
                               const struct referee_lane *lane)
{
    const uint32_t cycles = referee->links[link].cycles;
    if (cycles == 1) return lane->count + (lane->left == referee->now);
    return lane->count + referee_left_lately(referee, lane, cycles);
}

// Returns the slots of the lane that the sender may use: those that are free at the start of this
// cycle and, on a chained link, the one that becomes free in it.
static uint32_t room(const struct anl_referee *referee, const struct anl_flit *flit)
{
    const struct referee_lane *lane = lane_of(referee, flit->link, flit->vc);
    const uint32_t at_start = taken_at_start(referee, flit->link, lane);
    const bool more = referee_is_chained(referee, flit) && front_leaves(referee, flit->link, lane);
    return referee->shape.config.depth - at_start + more;
}

// Takes a visit out of the queue of its lane: the one in front, or any where worms overtake.
static void release(struct anl_referee *referee, struct referee_lane *lane, uint32_t visit)
{
    uint32_t before = 0;
    for (uint32_t at = lane->front; at && at != visit; at = referee->visits[at].behind)
        before = at;
    if (before)
        referee->visits[before].behind = referee->visits[visit].behind;
    else
        lane->front = referee->visits[visit].behind;
    if (lane->back == visit) lane->back = before;
    referee->visits[visit].behind = referee->free_visit;
    referee->free_visit = visit;
}

void referee_release_front(struct anl_referee *referee, struct referee_lane *lane)
{
    release(referee, lane, lane->front);
}

// Takes a flit out of the lane of the visit from which it comes.
static void leave(struct anl_referee *referee, const struct anl_flit *flit, uint32_t from)
{
    const struct referee_visit *visit = &referee->visits[from];
    struct referee_lane *lane = lane_of(referee, visit->link, visit->vc);
    lane->count--;
    lane->exits = with_now(referee, lane->exits, lane->left);
    lane->left = referee->now;
    if (!lane->due) lane->due = lane->left;
    if (flit->tail) release(referee, lane, from);
}

// Puts a flit into the lane in which its worm has the last visit.
static void enter(struct anl_referee *referee, const struct anl_flit *flit)
{
    struct referee_link *link = &referee->links[flit->link];
    struct referee_lane *lane = lane_of(referee, flit->link, flit->vc);
    struct referee_visit *visit = &referee->visits[lane->back];

    link->used = referee->now;
    lane->entries = with_now(referee, lane->entries, lane->used);
    lane->used = referee->now;
    visit->last = referee->now;
    visit->entered++;
    lane->spent++;
    if (is_injection(referee, flit->link) && flit->tail) referee_sinks_injected(referee, visit);
    if (!is_ejection(referee, flit->link)) {
        lane->count++;
        return;
    }
    referee_sinks_enter(referee, flit);
    if (!flit->tail) return;
    referee_note_delivery(referee, flit->worm);
    referee_worms_remove(&referee->worms, flit->worm);
}

// --- what is wrong with a flit that is not where its worm should be ---

// Returns true if the flit enters the switch that it leaves in this same cycle.
static bool enters_now(const struct anl_referee *referee, const struct anl_flit *flit)
{
    for (size_t i = 0; i < referee->count; i++) {
        const struct anl_flit *other = &referee->flits[i];
        if (other->worm == flit->worm && other->index == flit->index &&
            other->link < referee->shape.links &&
            referee->links[other->link].end == start_of(referee, flit->link))
            return true;
    }
    return false;
}

static bool too_early(struct anl_referee *referee, const struct anl_flit *flit)
{
    if (referee->shape.config.link_cycles > 1)
        return referee_breaks(referee, ANL_RULE_TOO_EARLY, flit, "it is still on its way there");
    if (referee->shape.config.stages > 1 && !enters_now(referee, flit))
        return referee_breaks(referee, ANL_RULE_TOO_EARLY, flit,
                              "it entered the switch in the cycle before, and that has two stages");
    return referee_breaks(referee, ANL_RULE_TOO_EARLY, flit,
                          "it enters that switch in this same cycle");
}

static bool not_here(struct anl_referee *referee, const struct anl_flit *flit)
{
    char name[REFEREE_NAME_BYTES];
    if (enters_now(referee, flit)) return too_early(referee, flit);
    referee_switch_name(&referee->shape, start_of(referee, flit->link), name);
    return referee_breaks(referee, ANL_RULE_BROKEN_PATH, flit, "it is not in switch %s", name);
}

// Records out_of_order; expected is the number of flits of the worm that have crossed the link.
static bool not_next(struct anl_referee *referee, const struct anl_flit *flit, uint32_t expected)
{
    if (flit->index < expected)
        return referee_breaks(referee, ANL_RULE_OUT_OF_ORDER, flit, "it has crossed it before");
    return referee_breaks(referee, ANL_RULE_OUT_OF_ORDER, flit,
                          "flit %" PRIu32 " has not crossed it", expected);
}

static bool splits(struct anl_referee *referee, const struct anl_flit *flit,
                   const struct referee_visit *visit)
{
    char name[REFEREE_NAME_BYTES];
    referee_link_name(&referee->shape, visit->link, name);
    return referee_breaks(referee, ANL_RULE_SPLIT_WORM, flit, "its head took %s lane %d", name,
                          visit->vc);
}

// Compares the flit with the visits of its worm, from the head backwards, and records the
// violation.
static bool misplaced(struct anl_referee *referee, const struct anl_flit *flit,
                      const struct referee_worm *worm)
{
    const bool injection = is_injection(referee, flit->link);
    const struct referee_visit *next = NULL;

    for (uint32_t at = worm->at; at; at = next->entered < next->length ? next->before : 0) {
        const struct referee_visit *visit = &referee->visits[at];
        if (visit->link == flit->link)
            return visit->vc == flit->vc ? not_next(referee, flit, visit->entered)
                                         : splits(referee, flit, visit);
        if (!injection && referee->links[visit->link].end == start_of(referee, flit->link))
            return next ? splits(referee, flit, next) : not_next(referee, flit, 0);
        next = visit;
    }
    if (!injection) return not_here(referee, flit);
    return not_next(referee, flit, worm->at ? worm->length : 0);
}

// --- the flit itself ---

// Returns the worm of the flit if it is on its way and long enough; otherwise records the violation
// and returns NULL.
static struct referee_worm *worm_of(struct anl_referee *referee, const struct anl_flit *flit)
{
    struct referee_worm *worm = referee_worms_find(&referee->worms, flit->worm);
    if (worm && worm->created < referee->now && flit->index < worm->length) return worm;

    if (worm && worm->created >= referee->now)
        referee_breaks(referee, ANL_RULE_UNKNOWN_WORM, flit,
                       "the worm is only created in cycle %" PRIu64, worm->created);
    else if (worm)
        referee_breaks(referee, ANL_RULE_OUT_OF_ORDER, flit, "the worm has no such flit");
    else if (flit->worm < referee->next_worm)
        referee_breaks(referee, ANL_RULE_OUT_OF_ORDER, flit, "the worm is already delivered");
    else
        referee_breaks(referee, ANL_RULE_UNKNOWN_WORM, flit, "the worm was not created");
    return NULL;
}

static bool marks_fit(struct anl_referee *referee, const struct anl_flit *flit, uint16_t length)
{
    if (flit->head == (flit->index == 0) && flit->tail == (flit->index == length - 1)) return true;
    return referee_breaks(referee, ANL_RULE_BAD_MARKS, flit, "its marks are%s%s%s",
                          flit->head ? " head" : "", flit->tail ? " tail" : "",
                          flit->head || flit->tail ? "" : " those of a body flit");
}

// --- where it comes from ---

static bool starts_at_source(struct anl_referee *referee, const struct anl_flit *flit,
                             uint32_t source)
{
    if (flit->link - referee->shape.switches * referee->shape.ports == source) return true;
    return referee_breaks(referee, ANL_RULE_BROKEN_PATH, flit,
                          "this is not the terminal of its source");
}

// Returns true if the flit is in the visited lane and arrived in an earlier cycle.
static bool has_arrived(struct anl_referee *referee, const struct anl_flit *flit, uint32_t from)
{
    const struct referee_visit *visit = &referee->visits[from];
    const struct referee_lane *lane = lane_of(referee, visit->link, visit->vc);
    if (visit->entered <= flit->index) return not_here(referee, flit);
    const bool before = visit->last < referee->now || visit->entered > flit->index + 1;
    if (before && lane->count > on_their_way(referee, visit->link, lane)) return true;
    return too_early(referee, flit);
}

// Returns true if the flit is the next to leave: a lane is a queue and gives one flit a cycle.
static bool is_in_front(struct anl_referee *referee, const struct anl_flit *flit, uint32_t from)
{
    const struct referee_visit *visit = &referee->visits[from];
    const struct referee_lane *lane = lane_of(referee, visit->link, visit->vc);
    char name[REFEREE_NAME_BYTES];

    if (referee->overtaking) return true;
    if (lane->front == from && lane->left != referee->now) return true;
    referee_link_name(&referee->shape, visit->link, name);
    return referee_breaks(referee, ANL_RULE_OUT_OF_ORDER, flit,
                          "another worm is in front of it in %s lane %d", name, visit->vc);
}

static bool head_may_start(struct anl_referee *referee, const struct anl_flit *flit,
                           const struct referee_worm *worm)
{
    if (is_injection(referee, flit->link)) {
        if (!starts_at_source(referee, flit, worm->source)) return false;
        return worm->at ? misplaced(referee, flit, worm) : true;
    }
    const struct referee_visit *visit = &referee->visits[worm->at];
    if (!worm->at || referee->links[visit->link].end != start_of(referee, flit->link))
        return misplaced(referee, flit, worm);
    return has_arrived(referee, flit, worm->at) && is_in_front(referee, flit, worm->at);
}

// --- where it goes ---

static bool keeps_class(struct anl_referee *referee, const struct anl_flit *flit,
                        const struct referee_worm *worm)
{
    const uint32_t lanes = referee_class_lanes(&referee->shape, worm);
    if (lanes >> flit->vc & 1) return true;
    return referee_breaks(referee, ANL_RULE_WRONG_CLASS, flit,
                          "its class is %d, which has lanes 0x%" PRIx32, worm->class_, lanes);
}

static bool is_injected_well(struct anl_referee *referee, const struct anl_flit *flit,
                             const struct referee_worm *worm)
{
    const uint32_t lanes = referee_injection_lanes(&referee->shape, worm);
    if (lanes >> flit->vc & 1) return true;
    return referee_breaks(referee, ANL_RULE_ILLEGAL_ROUTE, flit, "its layer has lanes 0x%" PRIx32,
                          lanes);
}

// Records illegal_route; route is what the head may do at the switch.
static bool leaves_route(struct anl_referee *referee, const struct anl_flit *flit,
                         const struct referee_route *route)
{
    const uint32_t ports = referee->shape.ports, first = start_of(referee, flit->link) * ports;
    char text[sizeof referee->violation.text] = "", name[REFEREE_NAME_BYTES];
    size_t used = 0;
    for (uint32_t port = 0; port < ports && used < sizeof text; port++) {
        if (!route->lanes[port]) continue;
        referee_link_name(&referee->shape, first + port, name);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s lanes 0x%x",
                                 used ? " or " : "", name, route->lanes[port]);
    }
    return referee_breaks(referee, ANL_RULE_ILLEGAL_ROUTE, flit, "its route is %s",
                          used ? text : "nowhere");
}

// from is the visit that the head leaves, 0 at injection.
static bool keeps_route(struct anl_referee *referee, const struct anl_flit *flit,
                        const struct referee_worm *worm, uint32_t from)
{
    const struct referee_shape *shape = &referee->shape;
    if (!from) return is_injected_well(referee, flit, worm);

    const uint32_t end = referee->links[flit->link].end;
    if (end >= shape->switches && end - shape->switches != worm->destination)
        return referee_breaks(referee, ANL_RULE_WRONG_TERMINAL, flit,
                              "this is not its destination");

    const struct referee_link *entered = &referee->links[referee->visits[from].link];
    const uint32_t vc = referee->visits[from].vc;
    const struct referee_head head = {worm, entered->end, entered->input, vc};
    const struct referee_route route = referee_route(shape, &head);
    if (route.lanes[flit->link % shape->ports] >> flit->vc & 1) return true;
    return leaves_route(referee, flit, &route);
}

static bool lane_is_free(struct anl_referee *referee, const struct anl_flit *flit)
{
    const struct referee_visit *visit =
        &referee->visits[lane_of(referee, flit->link, flit->vc)->back];
    if (visit->entered == visit->length) return true;
    return referee_breaks(referee, ANL_RULE_LANE_SHARED, flit,
                          "worm %" PRIu32 " still enters this lane", visit->worm);
}

static bool has_room(struct anl_referee *referee, const struct anl_flit *flit)
{
    if (room(referee, flit) > 0) return true;
    return referee_breaks(referee, ANL_RULE_OVERFLOW, flit,
                          "the lane was full at the start of the cycle (depth %" PRIu32 ")%s",
                          referee->shape.config.depth,
                          referee_is_chained(referee, flit) ? " and its front stays" : "");
}

// Returns true if heads may enter the lane only when it is empty: it is an adaptive lane of a link
// between switches, and the scenario says so.
static bool is_atomic(const struct anl_referee *referee, uint32_t link, uint8_t vc)
{
    const struct referee_shape *all = &referee->shape;
    const struct referee_shape *shape = referee_class_shape(all, vc / all->lanes);
    if (shape->config.atomic != ANL_ATOMIC_ADAPTIVE || shape->escapes == 0) return false;
    if (is_injection(referee, link) || is_ejection(referee, link)) return false;
    return referee_adaptive_lanes(shape) >> vc % shape->lanes & 1;
}

static bool is_empty_if_atomic(struct anl_referee *referee, const struct anl_flit *flit)
{
    const struct referee_lane *lane = lane_of(referee, flit->link, flit->vc);
    const uint32_t at_start = taken_at_start(referee, flit->link, lane);
    if (at_start == 0 || !is_atomic(referee, flit->link, flit->vc)) return true;
    return referee_breaks(referee, ANL_RULE_NOT_EMPTY, flit,
                          "the lane is atomic, and flits were in it at the start of the cycle: "
                          "%" PRIu32,
                          at_start);
}

// Checks the flow control rule. from is the visit that the head leaves, 0 at injection.
static bool is_admitted(struct anl_referee *referee, const struct anl_flit *flit, uint16_t length,
                        uint32_t from)
{
    const struct anl_config *config = &referee->shape.config;
    const struct referee_visit *visit = &referee->visits[from];

    if (config->flow_control == ANL_WORMHOLE) return true;
    const uint32_t slots = room(referee, flit);
    if (slots < length)
        return referee_breaks(referee, ANL_RULE_NOT_ADMITTED, flit,
                              "only %" PRIu32 " flits fit into the lane", slots);
    if (config->flow_control == ANL_CUT_THROUGH || !from) return true;
    if (visit->entered == length &&
        visit->last + referee->links[visit->link].passage <= referee->now)
        return true;
    return referee_breaks(referee, ANL_RULE_NOT_ADMITTED, flit,
                          "the tail of the worm had not arrived when its head was granted");
}

// --- one flit ---

// Returns an unused visit; 0 if memory runs out.
static uint32_t take_visit(struct anl_referee *referee)
{
    uint32_t taken = referee->free_visit;
    if (taken) {
        referee->free_visit = referee->visits[taken].behind;
        return taken;
    }
    const uint32_t larger = referee->num_visits * 2;
    struct referee_visit *visits = realloc(referee->visits, larger * sizeof *visits);
    if (!visits) return 0;
    for (uint32_t i = referee->num_visits + 1; i < larger; i++)
        visits[i] = (struct referee_visit){.behind = i + 1 < larger ? i + 1 : 0};
    taken = referee->num_visits;
    referee->free_visit = taken + 1;
    referee->visits = visits;
    referee->num_visits = larger;
    return taken;
}

// Puts the worm at the end of the queue of the lane.
static bool begin_visit(struct anl_referee *referee, const struct anl_flit *flit,
                        struct referee_worm *worm)
{
    struct referee_lane *lane = lane_of(referee, flit->link, flit->vc);
    const uint32_t visit = take_visit(referee);
    if (!visit) {
        referee->status = ANL_ERR_MEMORY;
        return false;
    }
    referee->visits[visit] = (struct referee_visit){
        .worm = flit->worm,
        .link = flit->link,
        .before = worm->at,
        .source = worm->source,
        .length = worm->length,
        .role = worm->role,
        .vc = flit->vc,
    };
    if (lane->back)
        referee->visits[lane->back].behind = visit;
    else
        lane->front = visit;
    lane->back = visit;
    worm->at = visit;
    worm->passed++;
    return true;
}

static bool check_head(struct anl_referee *referee, const struct anl_flit *flit)
{
    struct referee_worm *worm = worm_of(referee, flit);
    if (!worm || !marks_fit(referee, flit, worm->length)) return false;

    const uint32_t from = worm->at;
    if (!head_may_start(referee, flit, worm) || !keeps_class(referee, flit, worm) ||
        !keeps_route(referee, flit, worm, from) || !lane_is_free(referee, flit) ||
        !has_room(referee, flit) || !is_empty_if_atomic(referee, flit) ||
        !is_admitted(referee, flit, worm->length, from) || !begin_visit(referee, flit, worm))
        return false;

    if (from) leave(referee, flit, from);
    enter(referee, flit);
    return true;
}

// Records what is wrong with a flit that does not continue the worm that entered its lane last.
static bool check_stray(struct anl_referee *referee, const struct anl_flit *flit)
{
    const struct referee_worm *worm = worm_of(referee, flit);
    if (!worm || !marks_fit(referee, flit, worm->length)) return false;
    if (is_injection(referee, flit->link) && !starts_at_source(referee, flit, worm->source))
        return false;
    return misplaced(referee, flit, worm);
}

static bool check_follower(struct anl_referee *referee, const struct anl_flit *flit)
{
    const struct referee_visit *visit =
        &referee->visits[lane_of(referee, flit->link, flit->vc)->back];
    if (visit->worm != flit->worm || visit->entered != flit->index ||
        visit->entered == visit->length)
        return check_stray(referee, flit);

    const uint32_t from = visit->before;
    if (!marks_fit(referee, flit, visit->length)) return false;
    if (from && !has_arrived(referee, flit, from)) return false;
    if (!has_room(referee, flit)) return false;

    if (from) leave(referee, flit, from);
    enter(referee, flit);
    return true;
}

bool referee_check_flit(struct anl_referee *referee, const struct anl_flit *flit)
{
    if (flit->link >= referee->shape.links || referee->links[flit->link].end == REFEREE_NO_LINK)
        return referee_breaks(referee, ANL_RULE_BAD_LINK, flit, "there is no such link");
    if (flit->vc >= referee->shape.config.num_vcs)
        return referee_breaks(referee, ANL_RULE_BAD_LINK, flit, "there is no such lane");
    if (!is_wide(referee) && referee->links[flit->link].used == referee->now)
        return referee_breaks(referee, ANL_RULE_LINK_BUSY, flit,
                              "another flit crosses it in this cycle");
    if (is_wide(referee) && lane_of(referee, flit->link, flit->vc)->used == referee->now)
        return referee_breaks(referee, ANL_RULE_LINK_BUSY, flit,
                              "another flit crosses it in this lane in this cycle");
    return flit->index == 0 ? check_head(referee, flit) : check_follower(referee, flit);
}
