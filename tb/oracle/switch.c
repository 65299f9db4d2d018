// SPDX-License-Identifier: Apache-2.0

#include "oracle/switch.h"

unsigned oracle_classes(const struct oracle_shape *shape)
{
    return shape->classes ? shape->classes : 1;
}

unsigned oracle_class_vcs(const struct oracle_shape *shape)
{
    return shape->num_vcs / oracle_classes(shape);
}

static void reset_port(struct oracle_switch *s, unsigned p)
{
    const struct oracle_shape *shape = &s->shape;
    for (unsigned w = 0; w < shape->num_vcs; w++)
        s->out[p][w].credits = shape->depth;
    for (unsigned c = 0; c < oracle_classes(shape); c++)
        oracle_arbiter_reset(&s->offers[p][c], shape->arbiter, oracle_class_vcs(shape));
    oracle_arbiter_reset(&s->grants[p], shape->arbiter, shape->num_ports);
    s->favour[p] = (struct oracle_favour){0, shape->weights[0]};
}

void oracle_switch_reset(struct oracle_switch *s, uint32_t random)
{
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        reset_port(s, p);
    s->random = scan_draws(s->shape.arbiter) || s->shape.draws ? random : 0;
}

// ---------------------------------------------------------------- rules 1 and 2

static struct oracle_route selected(const struct oracle_switch *s, struct oracle_place at,
                                    const struct oracle_flit *head,
                                    const struct oracle_route *options)
{
    const struct oracle_shape *shape = &s->shape;
    struct oracle_selection selection = {.num_ports = shape->num_ports,
                                         .num_vcs = oracle_class_vcs(shape),
                                         .depth = shape->depth,
                                         .select = shape->select,
                                         .escapes = shape->escapes[at.class_],
                                         .terminals = shape->terminals,
                                         .straight = shape->straight[at.port],
                                         .random = (uint8_t)(s->random >> 24),
                                         .need = oracle_need(shape->flow_control, head->length)};
    selection.atomic = shape->atomic && selection.escapes > 0;
    for (unsigned o = 0; o < shape->num_ports; o++)
        selection.out[o] = &s->out[o][at.class_ * selection.num_vcs];
    uint64_t lanes;
    const int port = oracle_select(&selection, options, &lanes);
    return oracle_one_port(port == ORACLE_NONE ? 0 : (unsigned)port, lanes);
}

struct oracle_route oracle_front(const struct oracle_switch *s, unsigned p, unsigned v)
{
    const struct oracle_in_lane *lane = &s->in[p][v];
    const struct oracle_flit *flit = &lane->flit[0];
    if (!flit->head) return oracle_one_port(lane->port, onehot((int)lane->vc));
    const unsigned num_vcs = oracle_class_vcs(&s->shape);
    const struct oracle_place at = {p, v / num_vcs, v};
    struct oracle_route front = s->route(s, at, flit);
    if (s->shape.selects) front = selected(s, at, flit, &front);
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        front.lanes[o] = (uint8_t)(front.lanes[o] << at.class_ * num_vcs);
    return front;
}

static bool holds_tail(const struct oracle_in_lane *lane)
{
    for (unsigned i = 0; i < lane->count; i++)
        if (lane->flit[i].tail) return true;
    return false;
}

// With wide links a credit that comes back counts for flits that are not heads alone.
static bool counts_at_once(const struct oracle_switch *s, bool head)
{
    return !(s->shape.wide && head);
}

uint64_t oracle_admitting(const struct oracle_switch *s, unsigned p, unsigned v,
                          const struct oracle_route *front, unsigned o)
{
    const struct oracle_in_lane *lane = &s->in[p][v];
    const struct oracle_flit *flit = &lane->flit[0];
    const struct oracle_want want = {.set = front->lanes[o],
                                     .need = oracle_need(s->shape.flow_control, flit->length),
                                     .at_once = counts_at_once(s, flit->head)};
    if (!flit->head) return want.set ? oracle_bound(s->out[o], lane->vc, want.at_once) : 0;
    if (s->shape.flow_control == STORE_AND_FORWARD && !holds_tail(lane)) return 0;
    return oracle_takeable(s->out[o], s->shape.num_vcs, s->shape.depth, &want);
}

// ---------------------------------------------------------------- rules 3, 4 and 5

// Returns the offer that lane v would make; its lane is ORACLE_NONE if it is not eligible.
static struct oracle_offer offer_of_lane(const struct oracle_switch *s, unsigned p, unsigned v)
{
    const struct oracle_in_lane *lane = &s->in[p][v];
    struct oracle_offer offer = {.lane = ORACLE_NONE, .flit = lane->flit[0]};
    if (lane->count == 0) return offer;
    const struct oracle_route front = oracle_front(s, p, v);
    const bool at_once = counts_at_once(s, offer.flit.head);
    for (unsigned o = 0; o < s->shape.num_ports; o++) {
        const uint64_t can = oracle_admitting(s, p, v, &front, o);
        if (!can) continue;
        const uint64_t empty = oracle_empty(s->out[o], s->shape.num_vcs, s->shape.depth, at_once);
        offer.lane = (int)v;
        offer.ports |= onehot((int)o);
        offer.take[o] = (unsigned)oracle_lane_taken(s->shape.num_vcs, can, empty);
    }
    offer.rank = offer.flit.head ? offer.flit.rank : lane->rank;
    return offer;
}

// Returns the lane of a class, counted from 0, that is offered if the class is chosen; ORACLE_NONE:
// the class has no candidate. The masks are those of the lanes of the port.
static int lane_of_class(const struct oracle_switch *s, unsigned p, unsigned class_,
                         const struct oracle_offer *offers, uint64_t held, uint64_t eligible,
                         uint8_t random)
{
    const unsigned num_vcs = oracle_class_vcs(&s->shape), first = class_ * num_vcs;
    const uint64_t here = eligible >> first & first_of(num_vcs);
    uint16_t ranks[ORACLE_LANES];
    if (s->shape.arbiter == REGISTERED_PRIORITY) {
        const int asks = oracle_lane_that_asks(num_vcs, held >> first & first_of(num_vcs),
                                               s->offers[p][class_].ptr);
        return here & onehot(asks) ? asks : ORACLE_NONE;
    }
    for (unsigned v = 0; v < num_vcs; v++)
        ranks[v] = offers[first + v].rank;
    return oracle_arbiter_first(&s->offers[p][class_], here, random, ranks);
}

struct oracle_offer oracle_offer(const struct oracle_switch *s, unsigned p, uint8_t random)
{
    const unsigned classes = oracle_classes(&s->shape), num_vcs = oracle_class_vcs(&s->shape);
    struct oracle_offer offers[ORACLE_LANES];
    uint64_t held = 0, eligible = 0, candidates = 0;
    int lanes[ORACLE_LANES];
    for (unsigned v = 0; v < s->shape.num_vcs; v++) {
        offers[v] = offer_of_lane(s, p, v);
        if (s->in[p][v].count > 0) held |= onehot((int)v);
        if (offers[v].lane != ORACLE_NONE) eligible |= onehot((int)v);
    }
    for (unsigned c = 0; c < classes; c++) {
        lanes[c] = lane_of_class(s, p, c, offers, held, eligible, random);
        if (lanes[c] != ORACLE_NONE) candidates |= onehot((int)c);
    }
    const int class_ = oracle_class_first(classes, candidates, &s->favour[p]);
    struct oracle_offer offer = {.lane = ORACLE_NONE};
    if (class_ != ORACLE_NONE) offer = offers[(unsigned)class_ * num_vcs + (unsigned)lanes[class_]];
    offer.held = held;
    offer.eligible = eligible;
    return offer;
}

int oracle_winner(const struct oracle_switch *s, unsigned o, const struct oracle_offer *offers,
                  uint8_t random)
{
    uint64_t candidates = 0;
    uint16_t ranks[ORACLE_PORTS];
    for (unsigned p = 0; p < s->shape.num_ports; p++) {
        if (offers[p].ports >> o & 1) candidates |= onehot((int)p);
        ranks[p] = offers[p].rank;
    }
    return oracle_arbiter_first(&s->grants[o], candidates, random, ranks);
}

// Ports grant in ascending order: an offer that one has granted is no longer there for the next.
void oracle_decide(const struct oracle_switch *s, struct oracle_decisions *d)
{
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        d->offers[p] = oracle_offer(s, p, (uint8_t)(s->random >> 16));
    for (unsigned o = 0; o < s->shape.num_ports; o++) {
        d->winners[o] = oracle_winner(s, o, d->offers, (uint8_t)(s->random >> 8));
        if (d->winners[o] != ORACLE_NONE) d->offers[d->winners[o]].ports = 0;
    }
}

// ---------------------------------------------------------------- rule 6

// A flit of lane v of port p is granted: the arbiter of its class, and the favoured class. The
// favoured lane moves by a rule of its own.
static void serve_input(struct oracle_switch *s, unsigned p, unsigned v)
{
    const unsigned num_vcs = oracle_class_vcs(&s->shape);
    if (s->shape.arbiter != REGISTERED_PRIORITY)
        oracle_arbiter_serve(&s->offers[p][v / num_vcs], v % num_vcs);
    oracle_class_moved(oracle_classes(&s->shape), s->shape.weights, &s->favour[p]);
}

// Arbiter registered_priority: lane v of the port was granted, or none was (v: ORACLE_NONE).
static void move_favoured_lanes(struct oracle_switch *s, unsigned p, int v,
                                const struct oracle_offer *offer)
{
    const unsigned num_vcs = oracle_class_vcs(&s->shape);
    for (unsigned c = 0; c < oracle_classes(&s->shape); c++) {
        const uint64_t held = offer->held >> c * num_vcs & first_of(num_vcs);
        const uint64_t eligible = offer->eligible >> c * num_vcs & first_of(num_vcs);
        const bool granted = v != ORACLE_NONE && (unsigned)v / num_vcs == c;
        unsigned *favoured = &s->offers[p][c].ptr;
        *favoured = oracle_next_favoured(num_vcs, held, eligible, *favoured, granted);
    }
}

void oracle_end_input(struct oracle_switch *s, unsigned p, int o, const struct oracle_offer *offer)
{
    if (s->shape.arbiter == REGISTERED_PRIORITY)
        move_favoured_lanes(s, p, o == ORACLE_NONE ? ORACLE_NONE : offer->lane, offer);
    if (o == ORACLE_NONE) return;
    oracle_pop(&s->in[p][offer->lane], (unsigned)o, offer->take[o]);
    serve_input(s, p, (unsigned)offer->lane);
}

void oracle_end_output(struct oracle_switch *s, unsigned o, unsigned p,
                       const struct oracle_offer *offer)
{
    oracle_spend(&s->out[o][offer->take[o]], &offer->flit, p, (unsigned)offer->lane);
    oracle_arbiter_serve(&s->grants[o], p);
}

// Returns the output port that grants the offer of port p, or ORACLE_NONE.
static int granted_by(const struct oracle_switch *s, const struct oracle_decisions *d, unsigned p)
{
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        if (d->winners[o] == (int)p) return (int)o;
    return ORACLE_NONE;
}

static void show_granted(const struct oracle_switch *s, const struct oracle_decisions *d,
                         struct oracle_links *links)
{
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        links->valid[p] = links->credit[p] = 0;
    for (unsigned p = 0; p < s->shape.num_ports; p++) {
        const struct oracle_offer *offer = &d->offers[p];
        const int o = granted_by(s, d, p);
        if (o == ORACLE_NONE) continue;
        links->valid[o] = onehot((int)offer->take[o]);
        links->flit[o][offer->take[o]] = offer->flit;
        links->credit[p] = onehot(offer->lane);
    }
}

void oracle_show(const struct oracle_switch *s, const struct oracle_decisions *d,
                 struct oracle_links *links)
{
    if (s->shape.stages > 1)
        *links = s->registered;
    else
        show_granted(s, d, links);
}

void oracle_register(struct oracle_switch *s, const struct oracle_decisions *d)
{
    if (s->shape.stages > 1) show_granted(s, d, &s->registered);
}

void oracle_step_random(struct oracle_switch *s)
{
    bool holds = false;
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        for (unsigned v = 0; v < s->shape.num_vcs; v++)
            if (s->in[p][v].count > 0) holds = true;
    if (holds) s->random = oracle_next_random(s->random);
}

void oracle_move(struct oracle_switch *s, const struct oracle_decisions *d)
{
    oracle_step_random(s);
    oracle_register(s, d);
    for (unsigned p = 0; p < s->shape.num_ports; p++) {
        const int o = granted_by(s, d, p);
        oracle_end_input(s, p, o, &d->offers[p]);
        if (o != ORACLE_NONE) oracle_end_output(s, (unsigned)o, p, &d->offers[p]);
    }
}
