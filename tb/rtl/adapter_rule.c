// SPDX-License-Identifier: Apache-2.0

#include "adapter_rule.h"

// The directed run: lanes fill and are emptied, and from RATE_BEGINS on one lane alone is counted.
enum {
    FILLING = 2 * ADAPTER_LANES * ADAPTER_DEPTH,
    RATE_BEGINS = 3000,
    RATE_COUNTED = 3200,
    RATE_CYCLES = 6 * 64
};

struct sizes {
    unsigned num_vcs, depth, vc, flit;
};

static struct sizes sizes_of(const int *p)
{
    return (struct sizes){.num_vcs = (unsigned)p[0],
                          .depth = (unsigned)p[1],
                          .vc = index_width((unsigned)p[0]),
                          .flit = (unsigned)p[2] + 2};
}

static unsigned held(const struct adapter *s, unsigned v)
{
    return s->lanes[v].entered - s->lanes[v].left;
}

// Credits that the sender of our link has, at the end of which the flits lie.
static unsigned credits(const struct adapter *s, const struct sizes *size, unsigned v)
{
    return size->depth - s->lanes[v].entered + s->lanes[v].returned;
}

static uint64_t lanes_that_hold(const struct adapter *s, const struct sizes *size)
{
    uint64_t lanes = 0;
    for (unsigned v = 0; v < size->num_vcs; v++)
        lanes |= (uint64_t)(held(s, v) > 0) << v;
    return lanes;
}

static uint64_t lanes_with_credit(const struct adapter *s, const struct sizes *size)
{
    uint64_t lanes = 0;
    for (unsigned v = 0; v < size->num_vcs; v++)
        lanes |= (uint64_t)(credits(s, size, v) > 0) << v;
    return lanes;
}

static uint64_t random_lanes(const struct sizes *size, unsigned percent_from)
{
    uint64_t lanes = 0;
    for (unsigned v = 0; v < size->num_vcs; v++)
        lanes |= (uint64_t)chance(mood(percent_from + v)) << v;
    return lanes;
}

// Returns one of a set of lanes, or any lane if the set is empty.
static unsigned one_of(const struct sizes *size, uint64_t lanes)
{
    const unsigned first = (unsigned)random_below(size->num_vcs);
    for (unsigned i = 0; i < size->num_vcs; i++)
        if (lanes >> (first + i) % size->num_vcs & 1) return (first + i) % size->num_vcs;
    return first;
}

static void put_link(struct bits *in, const struct sizes *size, bool valid, unsigned vc,
                     uint64_t flit)
{
    put(in, 1, valid);
    put(in, size->vc, vc);
    put(in, size->flit, flit);
}

// The wires that go back: those that let the lanes go, in the way of the style.
static void put_back(const struct adapter *s, struct bits *in, const struct sizes *size,
                     uint64_t go)
{
    if (s->style == READY_VALID)
        put(in, 1, go);
    else
        put(in, size->num_vcs, s->style == STOP_GO ? ~go : go);
}

// A lane that could go whenever another one went is passed by others less often than there are
// lanes. Cycles in which none goes do not let it wait anew.
static void count_passed(struct adapter *s, const struct sizes *size, uint64_t could, bool goes,
                         unsigned vc)
{
    unsigned most = 0;
    for (unsigned v = 0; goes && v < size->num_vcs; v++) {
        s->lanes[v].passed = v == vc || !(could >> v & 1) ? 0 : s->lanes[v].passed + 1;
        if (s->lanes[v].passed > most) most = s->lanes[v].passed;
    }
    require("passed by fewer than there are", most < size->num_vcs, true);
}

// Of the flits that cross in the directed run, those of one lane whose neighbours are fast.
static void count_rate(struct adapter *s, const struct sizes *size, bool crosses, unsigned way)
{
    if (!bench_directed() || bench_cycle() < RATE_COUNTED) return;
    if (bench_cycle() < RATE_COUNTED + RATE_CYCLES) s->counted += crosses;
    const unsigned each = size->depth < way ? size->depth : way;
    if (bench_cycle() == RATE_COUNTED + RATE_CYCLES)
        require("flits at full rate", s->counted, RATE_CYCLES / way * each);
}

// --- from our link ---

void from_credit_drive(void *state, const int *p, struct bits *in)
{
    const struct adapter *s = state;
    const struct sizes size = sizes_of(p);
    const uint64_t able = lanes_with_credit(s, &size);

    put_link(in, &size, able && chance(mood(0)), one_of(&size, able), random_bits(size.flit));
    put_back(s, in, &size, s->style == READY_VALID ? chance(mood(1)) : random_lanes(&size, 1));
}

void from_credit_directed(void *state, const int *p, struct bits *in)
{
    const struct adapter *s = state;
    const struct sizes size = sizes_of(p);
    const bool rate = bench_cycle() >= RATE_BEGINS;
    const uint64_t able =
        lanes_with_credit(s, &size) & (rate ? UINT64_C(1) << (size.num_vcs - 1) : UINT64_MAX);
    const bool filling = !rate && bench_cycle() % FILLING < FILLING / 2;

    put_link(in, &size, able != 0 && (filling || rate), one_of(&size, able),
             random_bits(size.flit));
    // While lanes fill, the highest one alone goes, if lanes can go alone; so no other lane holds
    // it up.
    const uint64_t alone = s->style == READY_VALID ? 0 : UINT64_C(1) << (size.num_vcs - 1);
    put_back(s, in, &size, filling ? alone : UINT64_MAX);
}

// Returns the lanes that could go, whatever is offered.
static uint64_t from_credit_could(const struct adapter *s, const struct sizes *size, uint64_t back)
{
    const uint64_t holds = lanes_that_hold(s, size);
    if (s->style == READY_VALID) return holds;
    return holds & (s->style == STOP_GO ? ~s->stopped : back);
}

// Returns the lanes that may be offered. What was offered under ready_valid stays; under
// ready_valid_per_lane a lane that cannot go is offered if none can.
static uint64_t from_credit_may(const struct adapter *s, const struct sizes *size, uint64_t could)
{
    if (s->style == READY_VALID && s->waits) return UINT64_C(1) << s->shown;
    return s->style == READY_VALID_PER_LANE && !could ? lanes_that_hold(s, size) : could;
}

void from_credit_check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct adapter *s = state;
    const struct sizes size = sizes_of(p);
    const unsigned enters = (unsigned)take(in, "valid", 1),
                   lane = (unsigned)take(in, "vc", size.vc);
    const uint64_t flit = take(in, "flit", size.flit);
    const uint64_t back = take(in, "back", s->style == READY_VALID ? 1 : size.num_vcs);
    const uint64_t could = from_credit_could(s, &size, back),
                   may = from_credit_may(s, &size, could);

    const uint64_t credit = take(out, "credit", size.num_vcs);
    const bool valid = expect(out, "valid", 1, may != 0);
    const unsigned vc = (unsigned)take(out, "vc", size.vc) % ADAPTER_LANES;
    if (valid) require("the lane may be offered", may >> vc & 1, 1);
    expect_if(valid, out, "flit", size.flit, s->lanes[vc].flits[s->lanes[vc].left % ADAPTER_DEPTH]);

    const bool ready = s->style == STOP_GO || (s->style == READY_VALID ? back : back >> vc & 1);
    const bool goes = valid && ready;
    const uint64_t crosses = (uint64_t)goes << vc;
    // Where the flit crosses is known by a wire of the receiver, the credit comes a cycle later.
    require("credit of what crosses", credit, s->style == STOP_GO ? crosses : s->crossed);
    count_passed(s, &size, could, goes, vc);
    count_rate(s, &size, goes, s->style == STOP_GO ? 2 : 3);

    for (unsigned v = 0; v < size.num_vcs; v++)
        s->lanes[v].returned += credit >> v & 1;
    s->lanes[vc].left += goes;
    if (enters) s->lanes[lane].flits[s->lanes[lane].entered++ % ADAPTER_DEPTH] = flit;
    s->crossed = crosses;
    s->stopped = back;
    s->waits = valid && !goes;
    s->shown = vc;
}

// --- to our link ---

// The sender offers a flit of a lane until it has crossed; under ready_valid it stays on the lane
// that it has offered.
static void put_offer(struct adapter *s, struct bits *in, const struct sizes *size, bool sends,
                      unsigned vc)
{
    if (s->style == READY_VALID && s->waits) sends = true, vc = s->shown;
    struct adapter_lane *lane = &s->lanes[vc];
    if (!lane->offers) lane->offered = random_bits(size->flit);
    lane->offers |= sends;
    put_link(in, size, sends, vc, lane->offered);
}

// Returns the lanes on which the sender may send.
static uint64_t sendable(const struct adapter *s, const struct sizes *size)
{
    uint64_t told = 0;
    for (unsigned v = 0; v < size->num_vcs; v++)
        told |= (uint64_t)(s->lanes[v].entered - s->lanes[v].pulsed < size->depth) << v;
    if (s->style == CREDIT_PULSE_SHARED) return told;
    return ones(size->num_vcs) & (s->style == STOP_GO ? ~s->stopped : UINT64_MAX);
}

static void put_sender(struct adapter *s, struct bits *in, const struct sizes *size, bool sends,
                       uint64_t lanes)
{
    const uint64_t may = lanes & sendable(s, size);
    put_offer(s, in, size, sends && may, one_of(size, may));
}

void to_credit_drive(void *state, const int *p, struct bits *in)
{
    struct adapter *s = state;
    const struct sizes size = sizes_of(p);

    put_sender(s, in, &size, chance(mood(0)), UINT64_MAX);
    put(in, size.num_vcs, lanes_that_hold(s, &size) & random_lanes(&size, 1));
}

void to_credit_directed(void *state, const int *p, struct bits *in)
{
    struct adapter *s = state;
    const struct sizes size = sizes_of(p);
    const bool rate = bench_cycle() >= RATE_BEGINS;
    const bool filling = !rate && bench_cycle() % FILLING < FILLING / 2;

    put_sender(s, in, &size, filling || rate,
               rate ? UINT64_C(1) << (size.num_vcs - 1) : UINT64_MAX);
    // All lanes give back a credit in the same cycle, but while they fill.
    put(in, size.num_vcs, filling ? 0 : lanes_that_hold(s, &size));
}

// Returns the lanes to which a flit can go in this cycle. A sender may send on a lane that was not
// stopped in the cycle before. So a lane is stopped if it has no credit, or if its last one may be
// spent in this cycle.
static uint64_t expect_back(struct adapter *s, struct bits *out, const struct sizes *size,
                            unsigned vc)
{
    const uint64_t able = lanes_with_credit(s, size);
    uint64_t stop = ~able & ones(size->num_vcs);
    for (unsigned v = 0; v < size->num_vcs; v++)
        stop |= (uint64_t)(credits(s, size, v) == 1 && !(s->stopped >> v & 1)) << v;
    if (s->style == READY_VALID)
        expect(out, "ready", 1, able >> vc & 1);
    else
        expect(out, "back", size->num_vcs, s->style == STOP_GO ? stop : able);
    s->stopped = stop;
    return able;
}

// Pulses tell of the credits that have come before, one a cycle.
static void expect_pulse(struct adapter *s, struct bits *out, const struct sizes *size)
{
    uint64_t waits = 0;
    for (unsigned v = 0; v < size->num_vcs; v++)
        waits |= (uint64_t)(s->lanes[v].returned > s->lanes[v].pulsed) << v;
    const bool pulse = expect(out, "pulse", 1, waits != 0);
    const unsigned lane = (unsigned)take(out, "lane", size->vc) % ADAPTER_LANES;
    if (pulse) require("a credit of the lane waits", waits >> lane & 1, 1);
    count_passed(s, size, waits, pulse, lane);
    s->lanes[lane].pulsed += pulse;
}

void to_credit_check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct adapter *s = state;
    const struct sizes size = sizes_of(p);
    const bool offers = take(in, "valid", 1);
    const unsigned vc = (unsigned)take(in, "vc", size.vc);
    const uint64_t flit = take(in, "flit", size.flit), credit = take(in, "credit", size.num_vcs);

    const bool pulses = s->style == CREDIT_PULSE_SHARED;
    if (pulses) expect_pulse(s, out, &size);
    const uint64_t able = pulses ? UINT64_MAX : expect_back(s, out, &size, vc);
    const bool goes = expect(out, "valid", 1, offers && (able >> vc & 1));
    expect_if(goes, out, "vc", size.vc, vc);
    expect_if(goes, out, "flit", size.flit, flit);
    if (goes) require("credits of the lane", credits(s, &size, vc) > 0, true);
    count_rate(s, &size, goes, s->style == STOP_GO || pulses ? 3 : 2);

    s->waits = offers && !goes;
    s->shown = vc;
    s->lanes[vc].offers = s->waits || (s->lanes[vc].offers && !offers);
    s->lanes[vc].entered += goes;
    for (unsigned v = 0; v < size.num_vcs; v++) {
        s->lanes[v].left += credit >> v & 1;
        s->lanes[v].returned += credit >> v & 1;
    }
}
