// SPDX-License-Identifier: Apache-2.0

#include "switch_rules.h"

void switch_reset(struct switch_state *s)
{
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        for (unsigned w = 0; w < s->shape.num_vcs; w++)
            s->out[o][w].credits = s->shape.depth;
    s->seed = (uint32_t)random_bits(32) | 1;
    s->random = s->shape.scan == RANDOM ? s->seed : 0;
}

bool flit_head(const struct shape *shape, uint64_t flit) { return flit >> (shape->flit_w + 1) & 1; }

bool flit_tail(const struct shape *shape, uint64_t flit) { return flit >> shape->flit_w & 1; }

static unsigned flit_length(const struct shape *shape, uint64_t flit)
{
    return (unsigned)(flit >> shape->dst_w & ones(7));
}

static uint16_t flit_stamp(const struct shape *shape, uint64_t flit)
{
    return (uint16_t)(flit >> (shape->dst_w + (shape->admission == WORMHOLE ? 0 : 7)));
}

static uint64_t with_field(uint64_t flit, unsigned lsb, unsigned width, uint64_t value)
{
    return (flit & ~(ones(width) << lsb)) | value << lsb;
}

// The next flit of a worm of which *left flits are to come; 0: of a new worm.
uint64_t random_flit(const struct switch_state *s, unsigned *left)
{
    const struct shape *shape = &s->shape;
    const unsigned longest = shape->admission == WORMHOLE ? 6 : shape->depth;
    const bool head = *left == 0;
    uint64_t flit = random_bits(shape->flit_w);
    unsigned lsb = shape->dst_w;

    if (head) {
        *left = 1 + (unsigned)random_below(longest);
        flit = with_field(flit, 0, shape->dst_w, s->destination(s));
        if (shape->admission != WORMHOLE) flit = with_field(flit, lsb, 7, *left), lsb += 7;
        if (shape->scan == OLDEST)
            flit = with_field(flit, lsb, 16, (bench_cycle() - random_below(300)) & 0xffff);
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

static uint64_t lanes_for(const struct switch_state *s, const struct input_lane *lane,
                          unsigned *port)
{
    const struct shape *shape = &s->shape;
    const uint64_t front = lane->flits[0];
    struct admission a = {.rule = shape->admission, .head = flit_head(shape, front)};

    if (lane->count == 0) return 0;
    *port = lane->port;
    a.bound_vc = (int)lane->vc;
    if (a.head) {
        const struct route route = s->route(s, front & ones(shape->dst_w));
        *port = route.port;
        a.set = route.vcs;
        a.length = flit_length(shape, front);
        if (shape->admission == STORE_AND_FORWARD && !holds_tail(shape, lane)) return 0;
    }
    for (unsigned w = 0; w < shape->num_vcs; w++) {
        a.owned |= (uint64_t)s->out[*port][w].owned << w;
        a.credits[w] = s->out[*port][w].credits;
    }
    return admitting_lanes(shape->num_vcs, &a);
}

static uint64_t empty_lanes(const struct switch_state *s, unsigned port)
{
    uint64_t empty = 0;
    for (unsigned w = 0; w < s->shape.num_vcs; w++)
        empty |= (uint64_t)(s->out[port][w].credits == s->shape.depth) << w;
    return empty;
}

static int scan(const struct shape *shape, unsigned size, uint64_t requests, unsigned ptr,
                uint8_t random, const uint16_t *stamps)
{
    switch (shape->scan) {
    case ROTATING:
        return cyclic_first(size, requests, ptr);
    case RANDOM:
        return cyclic_first(size, requests, random_start(size, random));
    case OLDEST:
        return oldest_first(size, requests, stamps);
    default:
        return cyclic_first(size, requests, 0);
    }
}

struct offer offer_of(const struct switch_state *s, unsigned p, uint8_t random)
{
    const struct shape *shape = &s->shape;
    uint64_t eligible = 0, can[MAX_VCS];
    unsigned ports[MAX_VCS] = {0};
    uint16_t stamps[MAX_VCS] = {0};

    for (unsigned v = 0; v < shape->num_vcs; v++) {
        const struct input_lane *lane = &s->in[p][v];
        can[v] = lanes_for(s, lane, &ports[v]);
        eligible |= (uint64_t)(can[v] != 0) << v;
        stamps[v] =
            flit_head(shape, lane->flits[0]) ? flit_stamp(shape, lane->flits[0]) : lane->stamp;
    }
    const int v = scan(shape, shape->num_vcs, eligible, s->in_ptr[p], random, stamps);
    if (v < 0) return (struct offer){.lane = RULES_NONE};
    const int take = lane_taken(shape->num_vcs, can[v], empty_lanes(s, ports[v]));
    return (struct offer){v, ports[v], (unsigned)take, stamps[v], s->in[p][v].flits[0]};
}

int winner_of(const struct switch_state *s, unsigned o, const struct offer *offers, uint8_t random)
{
    uint64_t requests = 0;
    uint16_t stamps[MAX_PORTS];

    for (unsigned p = 0; p < s->shape.num_ports; p++) {
        requests |= (uint64_t)(offers[p].lane >= 0 && offers[p].port == o) << p;
        stamps[p] = offers[p].stamp;
    }
    return scan(&s->shape, s->shape.num_ports, requests, s->out_ptr[o], random, stamps);
}

void enter_lane(struct input_lane *lane, uint64_t flit) { lane->flits[lane->count++] = flit; }

void leave_lane(struct switch_state *s, unsigned p, const struct offer *offer)
{
    struct input_lane *lane = &s->in[p][offer->lane];
    const bool head = flit_head(&s->shape, offer->flit), tail = flit_tail(&s->shape, offer->flit);

    lane->count--;
    for (unsigned i = 0; i < lane->count; i++)
        lane->flits[i] = lane->flits[i + 1];
    if (head && !tail) {
        lane->bound = true;
        lane->port = offer->port;
        lane->vc = offer->take;
        lane->stamp = offer->stamp;
    }
    if (tail) lane->bound = false;
    if (s->shape.scan == ROTATING) s->in_ptr[p] = ((unsigned)offer->lane + 1) % s->shape.num_vcs;
}

void send(struct switch_state *s, unsigned p, const struct offer *offer)
{
    struct output_lane *lane = &s->out[offer->port][offer->take];
    const bool head = flit_head(&s->shape, offer->flit), tail = flit_tail(&s->shape, offer->flit);

    lane->credits--;
    if (head && !tail) *lane = (struct output_lane){lane->credits, true, p, (unsigned)offer->lane};
    if (tail) lane->owned = false;
    if (s->shape.scan == ROTATING) s->out_ptr[offer->port] = (p + 1) % s->shape.num_ports;
}

// Each input link carries the next flit of some lane that has room; each output lane that owes a
// credit may give it.
void drive_links(struct switch_state *s, struct bits *in)
{
    const struct shape *shape = &s->shape;
    uint64_t valid = 0, credit = 0, flits[MAX_PORTS];
    unsigned vcs[MAX_PORTS];

    for (unsigned p = 0; p < shape->num_ports; p++) {
        vcs[p] = (unsigned)random_below(shape->num_vcs);
        const bool room = s->in[p][vcs[p]].count < shape->depth && !bench_in_reset();
        const bool sends = room && chance(mood(p));
        flits[p] = sends ? random_flit(s, &s->left[p][vcs[p]]) : random_bits(shape->flit_w + 2);
        valid |= (uint64_t)sends << p;
    }
    for (unsigned l = 0; l < shape->num_ports * shape->num_vcs; l++) {
        const struct output_lane *lane = &s->out[l / shape->num_vcs][l % shape->num_vcs];
        credit |= (uint64_t)(lane->credits < shape->depth && chance(mood(l / 2 + 3))) << l;
    }
    put(in, 32, s->seed);
    put(in, shape->num_ports, valid);
    for (unsigned p = 0; p < shape->num_ports; p++)
        put(in, index_width(shape->num_vcs), vcs[p]);
    for (unsigned p = 0; p < shape->num_ports; p++)
        put(in, shape->flit_w + 2, flits[p]);
    put(in, shape->num_ports * shape->num_vcs, credit);
}

static void expect_if(bool meaningful, struct bits *out, const char *name, unsigned width,
                      uint64_t expected)
{
    if (meaningful)
        expect(out, name, width, expected);
    else
        ignore(out, name, width);
}

// Every lane of every port, for one field of its state.
#define FOR_LANES(s, p, v)                                                                         \
    for (unsigned p = 0; p < (s)->shape.num_ports; p++)                                            \
        for (unsigned v = 0; v < (s)->shape.num_vcs; v++)

static void check_state(const struct switch_state *s, struct bits *out)
{
    const unsigned port_w = index_width(s->shape.num_ports), vc_w = index_width(s->shape.num_vcs);
    const unsigned cnt_w = count_width(s->shape.depth);

    FOR_LANES(s, p, v) expect(out, "count", cnt_w, s->in[p][v].count);
    FOR_LANES(s, p, v) expect(out, "bound", 1, s->in[p][v].bound);
    FOR_LANES(s, p, v)
    expect_if(s->in[p][v].bound, out, "bound_port", port_w, s->in[p][v].port);
    FOR_LANES(s, p, v) expect_if(s->in[p][v].bound, out, "bound_vc", vc_w, s->in[p][v].vc);
    FOR_LANES(s, o, w) expect(out, "credit", cnt_w, s->out[o][w].credits);
    FOR_LANES(s, o, w) expect(out, "owned", 1, s->out[o][w].owned);
    FOR_LANES(s, o, w)
    expect_if(s->out[o][w].owned, out, "owner_port", port_w, s->out[o][w].port);
    FOR_LANES(s, o, w) expect_if(s->out[o][w].owned, out, "owner_vc", vc_w, s->out[o][w].vc);
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        expect(out, "in_ptr", vc_w, s->in_ptr[p]);
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        expect(out, "out_ptr", port_w, s->out_ptr[o]);
    expect(out, "random", 32, s->random);
}

static void check_links(const struct switch_state *s, const struct offer *offers,
                        const int *winners, struct bits *out)
{
    const unsigned num_ports = s->shape.num_ports, num_vcs = s->shape.num_vcs;
    uint64_t valid = 0, credit = 0;

    for (unsigned o = 0; o < num_ports; o++) {
        valid |= (uint64_t)(winners[o] >= 0) << o;
        if (winners[o] >= 0) credit |= onehot(winners[o] * (int)num_vcs + offers[winners[o]].lane);
    }
    expect(out, "valid", num_ports, valid);
    for (unsigned o = 0; o < num_ports; o++)
        expect_if(winners[o] >= 0, out, "vc", index_width(num_vcs), offers[winners[o] & 7].take);
    for (unsigned o = 0; o < num_ports; o++)
        expect_if(winners[o] >= 0, out, "flit", s->shape.flit_w + 2, offers[winners[o] & 7].flit);
    expect(out, "credit", num_ports * num_vcs, credit);
}

// Step of the generator if a lane of the switch holds a flit (docs/random.md).
static void step_random(struct switch_state *s)
{
    unsigned held = 0;
    uint32_t r = s->random;
    FOR_LANES(s, p, v) held += s->in[p][v].count;
    r ^= r << 13;
    r ^= r >> 17;
    r ^= r << 5;
    if (held) s->random = r;
}

static void take_links(struct switch_state *s, struct bits *in)
{
    const struct shape *shape = &s->shape;
    unsigned vcs[MAX_PORTS];

    take(in, "seed", 32);
    const uint64_t valid = take(in, "valid", shape->num_ports);
    for (unsigned p = 0; p < shape->num_ports; p++)
        vcs[p] = (unsigned)take(in, "vc", index_width(shape->num_vcs));
    for (unsigned p = 0; p < shape->num_ports; p++) {
        const uint64_t flit = take(in, "flit", shape->flit_w + 2);
        if (valid >> p & 1) enter_lane(&s->in[p][vcs[p]], flit);
    }
    const uint64_t credit = take(in, "credit", shape->num_ports * shape->num_vcs);
    FOR_LANES(s, o, w) s->out[o][w].credits += credit >> (o * shape->num_vcs + w) & 1;
}

void check_switch(struct switch_state *s, struct bits *in, struct bits *out)
{
    struct offer offers[8];
    int winners[MAX_PORTS];

    for (unsigned p = 0; p < s->shape.num_ports; p++)
        offers[p] = offer_of(s, p, (uint8_t)(s->random >> 16));
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        winners[o] = winner_of(s, o, offers, (uint8_t)(s->random >> 8));
    check_links(s, offers, winners, out);
    check_state(s, out);

    step_random(s);
    for (unsigned o = 0; o < s->shape.num_ports; o++) {
        if (winners[o] < 0) continue;
        leave_lane(s, (unsigned)winners[o], &offers[winners[o]]);
        send(s, (unsigned)winners[o], &offers[winners[o]]);
    }
    take_links(s, in);
}
