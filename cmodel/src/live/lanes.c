// SPDX-License-Identifier: Apache-2.0
//
// Finds out which flit of which worm crosses a link, by its data, and keeps which flits are in
// which lane. On an injection link flits are new. On another link the next flit of the worm that is
// entering the lane is expected, or a head at the front of an input lane of the switch. If the data
// are not those of such a flit, a flit with these data is looked for elsewhere, so that the referee
// can say what is wrong with it.

#include "live.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

static const struct live_name nobody = {ANL_NOTHING, 0};

static struct live_lane *lane_of(const struct anl_live *live, uint32_t link, uint32_t vc)
{
    return &live->lanes[(size_t)link * live->config->num_vcs + vc];
}

// Returns the place of a flit of a lane, number 0 is the front.
static struct live_name *place_of(const struct anl_live *live, const struct live_lane *lane,
                                  uint32_t number)
{
    const uint32_t depth = live->config->depth;
    return &live->places[(size_t)(lane - live->lanes) * depth + (lane->first + number) % depth];
}

static bool is_injection(const struct anl_live *live, uint32_t link)
{
    return link >= live->shape.switches * live->shape.ports;
}

// Returns true if a flit has entered the network with the data on the wire.
static bool has_data(const struct anl_live *live, struct live_name name,
                     const struct live_wire *wire)
{
    const struct live_worm *worm = live_worm_find(live, name.worm);
    if (!worm || name.index >= worm->entered || name.index >= worm->worm.length) return false;
    const uint32_t *data = &worm->data[(size_t)name.index * live->words];
    return memcmp(data, wire->data, live->words * sizeof *data) == 0;
}

// Returns a flit of a worm that has the data on the wire.
static struct live_name find_in_worm(const struct anl_live *live, uint32_t id,
                                     const struct live_wire *wire)
{
    const struct live_worm *worm = live_worm_find(live, id);
    for (uint32_t index = 0; worm && index < worm->entered; index++)
        if (has_data(live, (struct live_name){id, (uint16_t)index}, wire))
            return (struct live_name){id, (uint16_t)index};
    return nobody;
}

static struct live_name find_anywhere(const struct anl_live *live, const struct live_wire *wire)
{
    for (size_t i = 0; i < live->worms.count; i++) {
        const struct live_name name = find_in_worm(live, live->worms.first + (uint32_t)i, wire);
        if (name.worm != ANL_NOTHING) return name;
    }
    return nobody;
}

uint32_t live_stands_at(const struct anl_live *live, struct live_name name)
{
    const uint32_t num_vcs = live->config->num_vcs;
    for (uint32_t lane = 0; name.worm != ANL_NOTHING && lane < live->shape.links * num_vcs;
         lane++) {
        const struct live_lane *at = &live->lanes[lane];
        const struct live_name *front = place_of(live, at, 0);
        if (at->count && front->worm == name.worm && front->index == name.index)
            return lane / num_vcs;
    }
    return ANL_NOTHING;
}

// --- injection links ---

static struct live_name name_injected(struct anl_live *live, uint32_t link,
                                      const struct live_wire *wire)
{
    const struct live_lane *lane = lane_of(live, link, wire->vc);
    const uint32_t terminal = link - live->shape.switches * live->shape.ports;
    struct live_worm *worm =
        wire->head ? live_worm_begin(live, terminal, wire) : live_worm_find(live, lane->entering);
    if (live->over) return nobody;
    if (!worm) {
        live_hint_displaced(live, link, find_anywhere(live, wire));
        live_break(live, "made_up_flit", link, ANL_NOTHING,
                   "a flit that is no head enters in lane %" PRIu32
                   ", in which no worm is entering",
                   wire->vc);
        return nobody;
    }
    const uint16_t index = wire->head ? 0 : (uint16_t)(lane->last.index + 1);
    if (index < worm->worm.length) {
        memcpy(&worm->data[(size_t)index * live->words], wire->data,
               live->words * sizeof *wire->data);
        worm->entered = index + 1u;
    }
    return (struct live_name){worm->worm.id, index};
}

// --- other links ---

// Where heads with the same data stand at the fronts of input lanes of a switch.
struct fronts {
    struct live_name any, first, second;  // first, second: of those that the routing lets go here
};

static bool may_go(const struct anl_live *live, struct live_name name, uint32_t port, uint32_t in,
                   uint32_t in_vc, const struct live_wire *wire, uint32_t link)
{
    const struct anl_input_lane at = {link / live->shape.ports, in, in_vc};
    const struct anl_route route =
        anl_route_at(live->config, at, live_worm_find(live, name.worm)->worm.destination);
    return route.ports >> port & 1 && route.vcs[port] >> wire->vc & 1;
}

static void look_at_front(const struct anl_live *live, uint32_t link, uint32_t in, uint32_t in_vc,
                          struct fronts *fronts)
{
    const uint32_t ports = live->shape.ports;
    const struct live_wire *wire = &live->wires[link];
    const uint32_t into = live->into[link / ports * ports + in];
    const struct live_lane *lane = into == ANL_NOTHING ? NULL : lane_of(live, into, in_vc);
    if (!lane || !lane->count) return;
    const uint32_t looked_at = live->description.output_queues ? lane->count : 1;
    for (uint32_t number = 0; number < looked_at; number++) {
        const struct live_name name = *place_of(live, lane, number);
        if (!has_data(live, name, wire)) continue;
        if (fronts->any.worm == ANL_NOTHING) fronts->any = name;
        if (name.index || !may_go(live, name, link % ports, in, in_vc, wire, link)) continue;
        *(fronts->first.worm == ANL_NOTHING ? &fronts->first : &fronts->second) = name;
    }
}

static struct fronts look_at_fronts(const struct anl_live *live, uint32_t link)
{
    struct fronts fronts = {nobody, nobody, nobody};
    for (uint32_t in = 0; in < live->shape.ports; in++)
        for (uint32_t vc = 0; vc < live->config->num_vcs; vc++)
            look_at_front(live, link, in, vc, &fronts);
    return fronts;
}

static struct live_name name_displaced(struct anl_live *live, uint32_t link, struct live_name front)
{
    const struct live_wire *wire = &live->wires[link];
    struct live_name name = front;
    if (name.worm == ANL_NOTHING)
        name = find_in_worm(live, lane_of(live, link, wire->vc)->entering, wire);
    if (name.worm == ANL_NOTHING) name = find_anywhere(live, wire);
    if (name.worm == ANL_NOTHING)
        live_break_unknown(live, link);
    else
        live_hint_displaced(live, link, name);
    return name;
}

static struct live_name name_passed(struct anl_live *live, uint32_t link)
{
    const struct live_wire *wire = &live->wires[link];
    const struct live_lane *lane = lane_of(live, link, wire->vc);
    const struct live_name next = {lane->entering, (uint16_t)(lane->last.index + 1)};
    if (has_data(live, next, wire)) return next;
    const struct fronts fronts = look_at_fronts(live, link);
    if (fronts.second.worm != ANL_NOTHING) {
        live_break(live, "two_alike", link, fronts.first.worm,
                   "the head that crosses lane %" PRIu32 " may be that of worm %" PRIu32
                   " or %" PRIu32 ", which have the same data; give heads a number",
                   wire->vc, fronts.first.worm, fronts.second.worm);
        return nobody;
    }
    if (fronts.first.worm != ANL_NOTHING) return fronts.first;
    return name_displaced(live, link, fronts.any);
}

// --- all links ---

// Where no wire marks heads and tails, a flit that goes on is what it was when it came.
static void mark(const struct anl_live *live, struct live_wire *wire, struct live_name name)
{
    const struct live_worm *worm = live_worm_find(live, name.worm);
    if (!live->links || live->description.ends != ANL_ENDS_LENGTH || !worm) return;
    wire->head = name.index == 0;
    wire->tail = name.index + 1u == worm->worm.length;
}

static bool name_flit(struct anl_live *live, uint32_t link)
{
    struct live_wire *wire = &live->wires[link];
    const bool injected = is_injection(live, link);
    const struct live_name name =
        injected ? name_injected(live, link, wire) : name_passed(live, link);
    if (live->over) return false;
    if (!injected) mark(live, wire, name);
    live->flits[link] = (struct anl_flit){.link = link,
                                          .worm = name.worm,
                                          .index = name.index,
                                          .vc = (uint8_t)wire->vc,
                                          .head = wire->head,
                                          .tail = wire->tail};
    return true;
}

// Injection links come first: a flit that goes on in the same cycle is then known.
static bool name_all(struct anl_live *live)
{
    const uint32_t first = live->shape.switches * live->shape.ports;
    for (uint32_t link = first; link < live->shape.links; link++)
        if (live->wires[link].valid && !name_flit(live, link)) return false;
    for (uint32_t link = 0; link < first; link++)
        if (live->wires[link].valid && !name_flit(live, link)) return false;
    return true;
}

size_t live_name_flits(struct anl_live *live)
{
    size_t count = 0;
    if (!live->num_wires || !name_all(live)) return 0;
    for (uint32_t link = 0; link < live->shape.links; link++)
        if (live->wires[link].valid) live->flits[count++] = live->flits[link];
    return count;
}

// --- what flits do to lanes ---

// Returns the place of a flit in a lane from which it may leave: the front or, where worms
// overtake, any; the count of the lane if it has none.
static uint32_t place_in(const struct anl_live *live, const struct live_lane *lane,
                         const struct anl_flit *flit)
{
    const uint32_t most = live->description.output_queues ? lane->count : 1;
    for (uint32_t number = 0; number < most && number < lane->count; number++) {
        const struct live_name *name = place_of(live, lane, number);
        if (name->worm == flit->worm && name->index == flit->index) return number;
    }
    return lane->count;
}

// Returns the input lane of the switch from which the flit leaves; the referee has seen that there
// is one.
static struct live_lane *lane_before(const struct anl_live *live, const struct anl_flit *flit)
{
    const uint32_t ports = live->shape.ports, first = flit->link / ports * ports;
    const uint32_t num_vcs = live->config->num_vcs;
    struct live_lane *found = NULL;
    for (uint32_t i = 0; i < ports * num_vcs && !found; i++) {
        const uint32_t into = live->into[first + i / num_vcs];
        if (into == ANL_NOTHING) continue;
        struct live_lane *lane = lane_of(live, into, i % num_vcs);
        if (place_in(live, lane, flit) < lane->count) found = lane;
    }
    assert(found);
    return found;
}

static void leave(const struct anl_live *live, const struct anl_flit *flit)
{
    struct live_lane *lane = lane_before(live, flit);
    for (uint32_t number = place_in(live, lane, flit); number > 0; number--)
        *place_of(live, lane, number) = *place_of(live, lane, number - 1);
    lane->first = (lane->first + 1) % live->config->depth;
    lane->count--;
}

static void enter(struct anl_live *live, const struct anl_flit *flit)
{
    struct live_lane *lane = lane_of(live, flit->link, flit->vc);
    lane->entering = flit->tail ? ANL_NOTHING : flit->worm;
    lane->last = (struct live_name){flit->worm, flit->index};
    lane->last_cycle = live->now;
    if (anl_end_of(live->config, flit->link).is_terminal) {
        if (flit->tail) live_worm_remove(live, flit->worm);
        return;
    }
    *place_of(live, lane, lane->count++) = lane->last;
}

void live_move_flits(struct anl_live *live, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!is_injection(live, live->flits[i].link)) leave(live, &live->flits[i]);
    for (size_t i = 0; i < count; i++)
        enter(live, &live->flits[i]);
    live->flits_passed += count;
}
