// SPDX-License-Identifier: Apache-2.0

#include "switch_rules.h"

unsigned classes_of(const struct shape *shape) { return shape->classes ? shape->classes : 1; }

unsigned class_vcs(const struct shape *shape) { return shape->num_vcs / classes_of(shape); }

void switch_reset(struct switch_state *s)
{
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        s->favour[p] = (struct favour){0, s->shape.weights[0]};
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        for (unsigned w = 0; w < s->shape.num_vcs; w++)
            s->out[o][w].credits = s->shape.depth;
    s->seed = (uint32_t)random_bits(32) | 1;
    s->random = scan_draws(s->shape.scan) || s->shape.path == PATH_DRAWN ? s->seed : 0;
}

void set_classes(struct shape *shape, int classes)
{
    shape->classes = (unsigned)classes;
    for (unsigned c = 0; c < shape->classes; c++)
        shape->weights[c] = c % 2 ? 1 : 2 + c / 2;
}

bool flit_head(const struct shape *shape, uint64_t flit) { return flit >> (shape->flit_w + 1) & 1; }

bool flit_tail(const struct shape *shape, uint64_t flit) { return flit >> shape->flit_w & 1; }

static unsigned flit_length(const struct shape *shape, uint64_t flit)
{
    return (unsigned)(flit >> shape->dst_w & ones(7));
}

static unsigned rank_lsb(const struct shape *shape)
{
    return shape->dst_w + (says_length(shape->admission, shape->length_in_head) ? 7 : 0);
}

uint16_t flit_rank(const struct shape *shape, uint64_t flit)
{
    return (uint16_t)(flit >> rank_lsb(shape));
}

static unsigned path_lsb(const struct shape *shape)
{
    return rank_lsb(shape) + (scan_is_stamped(shape->scan) ? 16 : 0);
}

static uint64_t flit_path(const struct shape *shape, uint64_t flit)
{
    return flit >> path_lsb(shape) & ones(shape->path_w);
}

static uint64_t with_field(uint64_t flit, unsigned lsb, unsigned width, uint64_t value)
{
    return (flit & ~(ones(width) << lsb)) | value << lsb;
}

uint64_t flit_behind(const struct shape *shape, uint64_t flit)
{
    const unsigned lsb = path_lsb(shape);
    if (!flit_head(shape, flit)) return flit;
    return with_field(flit, lsb, shape->list_w,
                      (flit >> lsb & ones(shape->list_w)) >> shape->path_w);
}

// Most distances are equal for a while; the others differ from them in one bit, which then decides.
static uint64_t random_distance(void)
{
    const uint64_t usual = (mood(1) * 0x9E37u ^ mood(2) * 0x3C6Fu) & 0xffff;
    return chance(50) ? usual : usual ^ UINT64_C(1) << random_below(16);
}

// Returns a flit of a worm at port p. If *left is 0 it begins a new worm; otherwise *left flits of
// the present worm are still to come.
uint64_t random_flit(const struct switch_state *s, unsigned p, unsigned *left)
{
    const struct shape *shape = &s->shape;
    const unsigned longest = admits_whole(shape->admission) ? shape->depth : 6;
    const bool head = *left == 0;
    uint64_t flit = random_bits(shape->flit_w);
    unsigned lsb = shape->dst_w;

    if (head) {
        *left = 1 + (unsigned)random_below(longest);
        flit = with_field(flit, 0, shape->dst_w, s->destination(s, p));
        if (says_length(shape->admission, shape->length_in_head))
            flit = with_field(flit, lsb, 7, *left), lsb += 7;
        if (shape->scan == OLDEST)
            flit = with_field(flit, lsb, 16, (bench_cycle() - random_below(300)) & 0xffff);
        if (shape->scan == FARTHEST) flit = with_field(flit, lsb, 16, random_distance());
        if (shape->list_w)
            flit = with_field(flit, path_lsb(shape), shape->path_w, s->first_port(s, p));
    }
    (*left)--;
    return flit | (uint64_t)(*left == 0) << shape->flit_w | (uint64_t)head << (shape->flit_w + 1);
}

static bool holds_tail(const struct shape *shape, const struct input_lane *lane)
{
    for (unsigned i = 0; i < lane->count; i++)
        if (flit_tail(shape, lane->flits[i])) return true;
    return false;
}

// Returns the credits of lane w of port o that count in this cycle (docs/switch.md, "Space").
static unsigned credits_now(const struct switch_state *s, unsigned o, unsigned w)
{
    return s->out[o][w].credits + (unsigned)(s->returning >> (o * s->shape.num_vcs + w) & 1);
}

uint64_t last_of_each(const struct shape *shape, unsigned count)
{
    const unsigned num_vcs = class_vcs(shape);
    uint64_t mask = 0;
    for (unsigned v = 0; v < shape->num_vcs; v++)
        if (v % num_vcs >= num_vcs - count) mask |= onehot((int)v);
    return mask;
}

// Returns how many lanes of a class are escape lanes. They are its last ones.
static unsigned escapes_of_class(const struct switch_state *s, unsigned class_)
{
    const unsigned num_vcs = class_vcs(&s->shape);
    return (unsigned)__builtin_popcountll(s->escapes >> class_ * num_vcs & ones(num_vcs));
}

// Returns the selected option of the head at the front of a lane, without lanes if none is open.
static struct route selected_route(const struct switch_state *s, struct place at, uint64_t front)
{
    const struct shape *shape = &s->shape;
    const unsigned num_vcs = class_vcs(shape);  // the others are not looked at
    const unsigned first = at.class_ * num_vcs, escapes = escapes_of_class(s, at.class_);
    struct options options = s->options(s, at, front & ones(shape->dst_w));
    for (unsigned v = 0, keeps = (unsigned)s->keeps[at.vc]; keeps && v < shape->num_ports; v++)
        options.vcs[v] &= (uint8_t)keeps;
    uint8_t owned[MAX_PORTS] = {0};
    unsigned credits[MAX_PORTS * MAX_VCS];
    for (unsigned l = 0; l < shape->num_ports * num_vcs; l++) {
        const struct output_lane *lane = &s->out[l / num_vcs][first + l % num_vcs];
        owned[l / num_vcs] |= (uint8_t)(lane->owned << l % num_vcs);
        credits[l] = lane->credits;
    }
    const struct selection selection = {
        .num_ports = shape->num_ports,
        .num_vcs = num_vcs,
        .depth = shape->depth,
        .select = s->select,
        .atomic = s->atomic && escapes > 0,
        .escapes = escapes,
        .terminals = s->terminals,
        .straight = s->straight[at.port],
        .random = (uint8_t)(s->random >> 24),
        .need = admits_whole(shape->admission) ? flit_length(shape, front) : 1,
        .sets = options.vcs,
        .owned = owned,
        .credits = credits};
    uint64_t vcs;
    const int port = selected_option(&selection, &vcs);
    return (struct route){.port = port < 0 ? 0 : (unsigned)port, .vcs = vcs};
}

struct route route_of_front(const struct switch_state *s, unsigned p, const struct input_lane *lane)
{
    const uint64_t front = lane->flits[0];

    if (!flit_head(&s->shape, front)) return (struct route){.port = lane->port};
    const unsigned vc = (unsigned)(lane - s->in[p]), num_vcs = class_vcs(&s->shape);
    const struct place at = {p, vc / num_vcs, vc};
    struct route route;
    if (s->options) {
        route = selected_route(s, at, front);
    } else {
        route = s->route(s, at, front & ones(s->shape.dst_w), flit_path(&s->shape, front));
        if (s->keeps[vc]) route.vcs &= s->keeps[vc];
    }
    route.vcs <<= at.class_ * num_vcs;
    return route;
}

uint64_t lanes_admitting(const struct switch_state *s, const struct input_lane *lane,
                         const struct route *route, unsigned o)
{
    const struct shape *shape = &s->shape;
    const uint64_t front = lane->flits[0];
    struct admission a = {.rule = shape->admission,
                          .head = flit_head(shape, front),
                          .length = flit_length(shape, front),
                          .set = route->vcs,
                          .bound_vc = (int)lane->vc};

    if (a.head && shape->admission == STORE_AND_FORWARD && !holds_tail(shape, lane)) return 0;
    for (unsigned w = 0; w < shape->num_vcs; w++) {
        a.owned |= (uint64_t)s->out[o][w].owned << w;
        a.credits[w] = credits_now(s, o, w);
    }
    return admitting_lanes(shape->num_vcs, &a);
}

static uint64_t empty_lanes(const struct switch_state *s, unsigned port)
{
    uint64_t empty = 0;
    for (unsigned w = 0; w < s->shape.num_vcs; w++)
        empty |= (uint64_t)(credits_now(s, port, w) == s->shape.depth) << w;
    return empty;
}

// Returns the offer of lane v of port p; its lane is RULES_NONE if the lane is not eligible.
static struct offer offer_of_lane(const struct switch_state *s, unsigned p, unsigned v)
{
    const struct input_lane *lane = &s->in[p][v];
    const uint64_t front = lane->flits[0];
    struct offer offer = {.lane = RULES_NONE, .flit = front};

    if (lane->count == 0) return offer;
    const struct route route = route_of_front(s, p, lane);
    for (unsigned o = route.port; o <= route.port + route.either; o++) {
        const uint64_t can = lanes_admitting(s, lane, &route, o);
        const int take = lane_taken(s->shape.num_vcs, can, empty_lanes(s, o));
        if (take == RULES_NONE) continue;
        offer.lane = (int)v;
        offer.ports |= onehot((int)o);
        offer.take[o] = (unsigned)take;
    }
    offer.rank = flit_head(&s->shape, front) ? flit_rank(&s->shape, front) : lane->rank;
    return offer;
}

static uint64_t eligible_lanes(const struct switch_state *s, unsigned p, unsigned class_)
{
    const unsigned num_vcs = class_vcs(&s->shape);
    uint64_t lanes = 0;
    for (unsigned v = 0; v < num_vcs; v++)
        lanes |= (uint64_t)(offer_of_lane(s, p, class_ * num_vcs + v).lane >= 0) << v;
    return lanes;
}

// Returns the lane of a class that asks under the policy favour, or RULES_NONE.
static int lane_that_asks(const struct switch_state *s, unsigned p, unsigned class_)
{
    const unsigned num_vcs = class_vcs(&s->shape);
    uint64_t held = 0;
    for (unsigned v = 0; v < num_vcs; v++)
        held |= (uint64_t)(s->in[p][class_ * num_vcs + v].count > 0) << v;
    return cyclic_first(num_vcs, held, s->in_ptr[p][class_]);
}

static void move_favour(struct switch_state *s, unsigned p, unsigned class_)
{
    const int ask = lane_that_asks(s, p, class_);
    if (ask == RULES_NONE) return;
    const uint64_t eligible = eligible_lanes(s, p, class_);
    const int other = cyclic_first(class_vcs(&s->shape), eligible & ~onehot(ask), (unsigned)ask);
    const unsigned next = (unsigned)(other == RULES_NONE ? ask : other);
    s->in_ptr_granted[p][class_] = next;
    s->in_ptr[p][class_] = eligible >> ask & 1 ? (unsigned)ask : next;
}

void move_favours(struct switch_state *s, unsigned p)
{
    if (s->shape.scan != FAVOUR) return;
    for (unsigned c = 0; c < classes_of(&s->shape); c++)
        move_favour(s, p, c);
}

// Returns the offer that port p makes of the lanes of one class.
static struct offer offer_of_class(const struct switch_state *s, unsigned p, unsigned class_,
                                   uint8_t random)
{
    const unsigned num_vcs = class_vcs(&s->shape), first = class_ * num_vcs;
    struct offer offers[MAX_VCS];
    uint16_t ranks[MAX_VCS] = {0};
    uint64_t eligible = 0;

    for (unsigned v = 0; v < num_vcs; v++) {
        offers[v] = offer_of_lane(s, p, first + v);
        eligible |= (uint64_t)(offers[v].lane >= 0) << v;
        ranks[v] = offers[v].rank;
    }
    if (s->shape.scan == FAVOUR) {
        const int ask = lane_that_asks(s, p, class_);
        eligible &= ask == RULES_NONE ? 0 : onehot(ask);
    }
    const struct scan scan = {s->shape.scan, s->in_ptr[p][class_], random, ranks,
                              &s->lane_served[p][first]};
    const int v = scan_first(num_vcs, eligible, &scan);
    return v < 0 ? (struct offer){.lane = RULES_NONE} : offers[v];
}

struct offer offer_of(const struct switch_state *s, unsigned p, uint8_t random)
{
    const unsigned classes = classes_of(&s->shape);
    struct offer offer = {.lane = RULES_NONE};
    for (unsigned i = 0; i < classes && offer.lane < 0; i++)
        offer = offer_of_class(s, p, (s->favour[p].class_ + i) % classes, random);
    return offer;
}

// A flit of port p has moved.
static void count_flit(struct switch_state *s, unsigned p)
{
    struct favour *favour = &s->favour[p];
    if (classes_of(&s->shape) == 1 || --favour->quota > 0) return;
    favour->class_ = (favour->class_ + 1) % classes_of(&s->shape);
    favour->quota = s->shape.weights[favour->class_];
}

int winner_of(const struct switch_state *s, unsigned o, const struct offer *offers, uint8_t random)
{
    uint64_t requests = 0;
    uint16_t ranks[MAX_PORTS];

    for (unsigned p = 0; p < s->shape.num_ports; p++) {
        requests |= (offers[p].ports >> o & 1) << p;
        ranks[p] = offers[p].rank;
    }
    const struct scan scan = {s->shape.scan, s->out_ptr[o], random, ranks, s->port_served[o]};
    return scan_first(s->shape.num_ports, requests, &scan);
}

// Ports decide in ascending order: an offer that one port has granted is not there for the next.
void decide(const struct switch_state *s, struct decisions *d)
{
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        d->offers[p] = offer_of(s, p, (uint8_t)(s->random >> 16));
    for (unsigned o = 0; o < s->shape.num_ports; o++) {
        const int winner = winner_of(s, o, d->offers, (uint8_t)(s->random >> 8));
        d->winners[o] = winner;
        if (winner >= 0) d->offers[winner].ports = onehot((int)o);
    }
}

void enter_lane(struct input_lane *lane, uint64_t flit) { lane->flits[lane->count++] = flit; }

void leave_lane(struct switch_state *s, unsigned p, unsigned o, const struct offer *offer)
{
    struct input_lane *lane = &s->in[p][offer->lane];
    const bool head = flit_head(&s->shape, offer->flit), tail = flit_tail(&s->shape, offer->flit);

    lane->count--;
    for (unsigned i = 0; i < lane->count; i++)
        lane->flits[i] = lane->flits[i + 1];
    if (head && !tail) {
        lane->bound = true;
        lane->port = o;
        lane->vc = offer->take[o];
        lane->rank = offer->rank;
    }
    if (tail) lane->bound = false;
    const unsigned num_vcs = class_vcs(&s->shape), vc = (unsigned)offer->lane;
    if (scan_points(s->shape.scan)) s->in_ptr[p][vc / num_vcs] = (vc % num_vcs + 1) % num_vcs;
    if (s->shape.scan == FAVOUR) s->in_ptr[p][vc / num_vcs] = s->in_ptr_granted[p][vc / num_vcs];
    s->lane_served[p][vc] = ++s->services;
    count_flit(s, p);
}

void send(struct switch_state *s, unsigned p, unsigned o, const struct offer *offer)
{
    struct output_lane *lane = &s->out[o][offer->take[o]];
    const bool head = flit_head(&s->shape, offer->flit), tail = flit_tail(&s->shape, offer->flit);

    lane->credits--;
    if (head && !tail) *lane = (struct output_lane){lane->credits, true, p, (unsigned)offer->lane};
    if (tail) lane->owned = false;
    if (scan_points(s->shape.scan)) s->out_ptr[o] = (p + 1) % s->shape.num_ports;
    s->port_served[o][p] = ++s->services;
}

// The port of a destination that spells out its route.
struct shape shape_of_parameters(const int *p)
{
    return (struct shape){.num_ports = (unsigned)p[0],
                          .num_vcs = (unsigned)p[1],
                          .depth = (unsigned)p[2],
                          .flit_w = (unsigned)p[3],
                          .dst_w = (unsigned)p[4],
                          .scan = p[5],
                          .admission = p[6],
                          .length_in_head = p[7] != 0,
                          .path = p[8],
                          .path_w = (unsigned)p[9]};
}

static unsigned spelled_port(const struct switch_state *s, uint64_t dst, uint64_t path)
{
    return (unsigned)((dst + path) % s->shape.num_ports);
}

struct route spelled_route(const struct switch_state *s, struct place at, uint64_t dst,
                           uint64_t path)
{
    const unsigned port = spelled_port(s, dst, path);
    const bool either = s->shape.path == PATH_GREEDY && port == s->shape.num_ports - 2;
    (void)at;
    return (struct route){port, ones(s->shape.num_vcs), either};
}

uint64_t spelled_destination(const struct switch_state *s, unsigned p)
{
    uint64_t dst;
    (void)p;
    do
        dst = random_bits(s->shape.dst_w);
    while (s->shape.path == PATH_GREEDY && spelled_port(s, dst, 0) == s->shape.num_ports - 1);
    return dst;
}

void spelled_reset(struct switch_state *s, const int *p)
{
    s->shape = shape_of_parameters(p);
    s->route = spelled_route;
    s->destination = spelled_destination;
    switch_reset(s);
}
