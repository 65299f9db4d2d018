// SPDX-License-Identifier: Apache-2.0
//
// A slow network, written from docs/switch.md, docs/networks.md and docs/random.md alone: plain
// loops over every lane of every switch in every cycle. First all is decided from the state at the
// start of the cycle, then all moves. It shares nothing with the engine but struct anl_config, the
// records of flits and worms, and the mix of docs/random.md.

#ifndef ANNELID_NET_JUDGE_H
#define ANNELID_NET_JUDGE_H

#include "unit.h"

#include <annelid/flit.h>
#include <annelid/random.h>
#include <string.h>

enum {
    MAX_SWITCHES = 32,
    MAX_PORTS = 7,
    VCS = 8,
    MAX_DEPTH = 10,
    MAX_WORMS = 4000,
};

struct place {
    bool bound;  // or owned
    uint32_t port, vc;
};

struct input_lane {
    struct {
        uint32_t worm, index;
    } flit[MAX_DEPTH];  // front first
    uint32_t count;
    struct place bound;
};

struct output_lane {
    uint32_t credit;
    struct place owner;
};

struct terminal {
    uint32_t queue[MAX_WORMS], first, last, sent;  // worms; flits sent of the first
    struct place bound;
    struct output_lane injection[VCS];
    struct input_lane ejection[VCS];
};

// What an input port offers; granted to at most one port of an output.
struct offer {
    bool made, granted;
    uint32_t lane, port, out_lane;
};

struct judge {
    struct anl_config c;
    uint32_t switches, ports, cycle, num_worms;
    struct anl_worm worms[MAX_WORMS];
    struct input_lane in[MAX_SWITCHES][MAX_PORTS][VCS];
    struct output_lane out[MAX_SWITCHES][MAX_PORTS][VCS];
    uint32_t in_ptr[MAX_SWITCHES][MAX_PORTS], out_ptr[MAX_SWITCHES][MAX_PORTS];
    uint32_t random[MAX_SWITCHES];
    struct terminal terminals[MAX_SWITCHES];
    struct anl_flit flits[MAX_SWITCHES * (MAX_PORTS + 1)];
    size_t num_flits;
};

// ---------------------------------------------------------------- networks.md

static uint32_t weight(const struct judge *j, uint32_t dimension)
{
    return dimension == 0 ? 1 : j->c.k * weight(j, dimension - 1);
}

static uint32_t coordinate(const struct judge *j, uint32_t node, uint32_t dimension)
{
    return node / weight(j, dimension) % j->c.k;
}

static bool two_ways(const struct judge *j)
{
    return j->c.topology == ANL_MESH || j->c.topology == ANL_TORUS;
}

static bool minus(const struct judge *j, uint32_t port) { return two_ways(j) && port % 2 == 1; }

// The switch on the side of a port that is not the terminal's; of a mesh it must exist.
static uint32_t neighbour(const struct judge *j, uint32_t node, uint32_t port)
{
    const uint32_t d = two_ways(j) ? port / 2 : port, x = coordinate(j, node, d);
    const uint32_t y = (minus(j, port) ? x + j->c.k - 1 : x + 1) % j->c.k;
    return node - x * weight(j, d) + y * weight(j, d);
}

// Port at the other end of a link. It serves both ways: input to output and output to input.
static uint32_t facing(const struct judge *j, uint32_t port)
{
    if (!two_ways(j)) return port;
    return minus(j, port) ? port - 1 : port + 1;
}

// The switch that sends to an input port: with links of one direction, the one before.
static uint32_t upstream(const struct judge *j, uint32_t node, uint32_t port)
{
    if (j->c.topology != ANL_UNIDIRECTIONAL_TORUS) return neighbour(j, node, port);
    uint32_t other = 0;
    while (neighbour(j, other, port) != node)
        other++;
    return other;
}

// Output port for a worm; lanes *first .. *last - 1 of it are its set.
static uint32_t route(const struct judge *j, uint32_t here, uint32_t there, uint32_t *first,
                      uint32_t *last)
{
    const uint32_t k = j->c.k, half = j->c.num_vcs / 2;
    *first = 0;
    *last = j->c.num_vcs;
    uint32_t d = 0;
    while (d < j->c.n && coordinate(j, here, d) == coordinate(j, there, d))
        d++;
    if (d == j->c.n) return j->ports - 1;
    if (j->c.topology == ANL_HYPERCUBE) return d;

    const uint32_t c = coordinate(j, here, d), t = coordinate(j, there, d);
    const uint32_t f = (t + k - c) % k, b = k - f;
    bool plus = true;
    if (j->c.topology == ANL_MESH) plus = t > c;
    if (j->c.topology == ANL_TORUS) plus = f < b || (f == b && c % 2 == 0);
    if (j->c.routing == ANL_DATELINE) {
        const bool wraps = plus ? c > t : c < t;
        if (wraps) *last = half;
        if (!wraps) *first = half;
    }
    return two_ways(j) ? 2 * d + !plus : d;
}

// ---------------------------------------------------------------- switch.md, rules 1 to 5

static bool takeable(const struct judge *j, const struct output_lane *lane, uint32_t length)
{
    const uint32_t need = j->c.admission == ANL_WORMHOLE ? 1 : length;
    return !lane->owner.bound && lane->credit >= need;
}

// Rule 5; false if no lane of the set is takeable.
static bool take(const struct judge *j, const struct output_lane *lanes, uint32_t first,
                 uint32_t last, uint32_t length, uint32_t *lane)
{
    for (uint32_t w = first; w < last; w++)
        if (takeable(j, &lanes[w], length) && lanes[w].credit == j->c.depth) return *lane = w, true;
    for (uint32_t w = first; w < last; w++)
        if (takeable(j, &lanes[w], length)) return *lane = w, true;
    return false;
}

static bool holds_tail(const struct judge *j, const struct input_lane *lane)
{
    for (uint32_t i = 0; i < lane->count; i++)
        if (lane->flit[i].index + 1 == j->worms[lane->flit[i].worm].length) return true;
    return false;
}

// Rules 1 and 2 for one lane: what it would offer.
static struct offer eligible(const struct judge *j, uint32_t s, uint32_t p, uint32_t v)
{
    const struct input_lane *lane = &j->in[s][p][v];
    struct offer offer = {.lane = v, .port = lane->bound.port, .out_lane = lane->bound.vc};
    if (lane->count == 0) return offer;
    if (lane->flit[0].index > 0) {
        assert_true(lane->bound.bound);
        offer.made = j->out[s][offer.port][offer.out_lane].credit > 0;
        return offer;
    }
    const struct anl_worm *worm = &j->worms[lane->flit[0].worm];
    uint32_t first, last;
    offer.port = route(j, s, worm->destination, &first, &last);
    offer.made = take(j, j->out[s][offer.port], first, last, worm->length, &offer.out_lane);
    if (j->c.admission == ANL_STORE_AND_FORWARD && !holds_tail(j, lane)) offer.made = false;
    return offer;
}

static uint16_t stamp(const struct judge *j, uint32_t s, uint32_t p, uint32_t v)
{
    return (uint16_t)j->worms[j->in[s][p][v].flit[0].worm].created;
}

static bool older(uint16_t a, uint16_t b) { return ((uint16_t)(a - b) & 0x8000) != 0; }

// Index of the winner among n candidates, n if there is none. start: of the cyclic scans.
static uint32_t scan(const struct judge *j, const bool *candidate, const uint16_t *stamps,
                     uint32_t start, uint32_t n)
{
    uint32_t best = n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t here = j->c.scan == ANL_OLDEST ? i : (start + i) % n;
        if (!candidate[here]) continue;
        if (best == n || (j->c.scan == ANL_OLDEST && older(stamps[here], stamps[best])))
            best = here;
    }
    return best;
}

static uint32_t start_of(const struct judge *j, uint32_t pointer, uint32_t random_byte, uint32_t n)
{
    if (j->c.scan == ANL_ROTATING) return pointer;
    return j->c.scan == ANL_RANDOM ? random_byte * n >> 8 : 0;
}

static struct offer offer_of_port(const struct judge *j, uint32_t s, uint32_t p)
{
    struct offer offers[VCS + 1] = {0};
    bool candidate[VCS] = {0};
    uint16_t stamps[VCS] = {0};
    for (uint32_t v = 0; v < j->c.num_vcs; v++) {
        offers[v] = eligible(j, s, p, v);
        candidate[v] = offers[v].made;
        if (candidate[v]) stamps[v] = stamp(j, s, p, v);
    }
    const uint32_t start = start_of(j, j->in_ptr[s][p], j->random[s] >> 16 & 0xff, j->c.num_vcs);
    return offers[scan(j, candidate, stamps, start, j->c.num_vcs)];
}

// offers[s][p] of all switches, the granted ones marked.
static void decide(const struct judge *j, struct offer offers[MAX_SWITCHES][MAX_PORTS])
{
    for (uint32_t s = 0; s < j->switches; s++) {
        for (uint32_t p = 0; p < j->ports; p++)
            offers[s][p] = offer_of_port(j, s, p);
        for (uint32_t o = 0; o < j->ports; o++) {
            bool candidate[MAX_PORTS];
            uint16_t stamps[MAX_PORTS] = {0};
            for (uint32_t p = 0; p < j->ports; p++) {
                candidate[p] = offers[s][p].made && offers[s][p].port == o;
                if (candidate[p]) stamps[p] = stamp(j, s, p, offers[s][p].lane);
            }
            const uint32_t start =
                start_of(j, j->out_ptr[s][o], j->random[s] >> 8 & 0xff, j->ports);
            const uint32_t winner = scan(j, candidate, stamps, start, j->ports);
            if (winner < j->ports) offers[s][winner].granted = true;
        }
    }
}

// ---------------------------------------------------------------- switch.md, rule 6

static void cross(struct judge *j, uint32_t link, uint32_t worm, uint32_t index, uint32_t vc,
                  struct input_lane *to)
{
    assert_true(to->count < j->c.depth);
    to->flit[to->count].worm = worm;
    to->flit[to->count++].index = index;
    j->flits[j->num_flits++] = (struct anl_flit){
        .link = link,
        .worm = worm,
        .index = (uint16_t)index,
        .vc = (uint8_t)vc,
        .head = index == 0,
        .tail = index + 1 == j->worms[worm].length,
    };
}

static void pop(struct input_lane *lane)
{
    lane->count--;
    memmove(lane->flit, lane->flit + 1, lane->count * sizeof lane->flit[0]);
}

// Head binds, tail unbinds, both ends of a crossing; the flit is the last one sent.
static void bind_or_not(struct judge *j, struct place *bound, struct output_lane *out,
                        struct place from, struct place to)
{
    const struct anl_flit *flit = &j->flits[j->num_flits - 1];
    if (flit->head) *bound = to, out->owner = from;
    if (flit->tail) *bound = out->owner = (struct place){0};
}

static void move(struct judge *j, uint32_t s, uint32_t p, const struct offer *offer)
{
    const uint32_t v = offer->lane, o = offer->port, w = offer->out_lane;
    struct input_lane *from = &j->in[s][p][v];
    struct output_lane *out = &j->out[s][o][w];
    struct input_lane *to = &j->terminals[s].ejection[w];
    if (o < j->ports - 1) to = &j->in[neighbour(j, s, o)][facing(j, o)][w];
    cross(j, s * j->ports + o, from->flit[0].worm, from->flit[0].index, w, to);
    out->credit--;
    bind_or_not(j, &from->bound, out, (struct place){true, p, v}, (struct place){true, o, w});
    pop(from);
    if (p == j->ports - 1)
        j->terminals[s].injection[v].credit++;
    else
        j->out[upstream(j, s, p)][facing(j, p)][v].credit++;
    j->in_ptr[s][p] = (v + 1) % j->c.num_vcs;
    j->out_ptr[s][o] = (p + 1) % j->ports;
}

// ---------------------------------------------------------------- switch.md, terminals

static struct offer injection(const struct judge *j, const struct terminal *t)
{
    struct offer offer = {.lane = t->bound.vc};
    if (t->first == t->last) return offer;
    if (t->sent == 0)
        offer.made = take(j, t->injection, 0, j->c.num_vcs, j->worms[t->queue[t->first]].length,
                          &offer.lane);
    else
        offer.made = t->injection[t->bound.vc].credit > 0;
    return offer;
}

static void inject(struct judge *j, uint32_t terminal, uint32_t vc)
{
    struct terminal *t = &j->terminals[terminal];
    const uint32_t p = j->ports - 1, worm = t->queue[t->first];
    cross(j, j->switches * j->ports + terminal, worm, t->sent++, vc, &j->in[terminal][p][vc]);
    t->injection[vc].credit--;
    bind_or_not(j, &t->bound, &t->injection[vc], (struct place){true, 0, 0},
                (struct place){true, p, vc});
    if (t->sent < j->worms[worm].length) return;
    t->first++;
    t->sent = 0;
}

// The lane that the terminal takes a flit out of; num_vcs if all are empty.
static uint32_t taken(const struct judge *j, const struct terminal *t)
{
    uint32_t v = 0;
    while (v < j->c.num_vcs && t->ejection[v].count == 0)
        v++;
    return v;
}

static bool holds_flit(const struct judge *j, uint32_t s)
{
    for (uint32_t p = 0; p < j->ports; p++)
        for (uint32_t v = 0; v < j->c.num_vcs; v++)
            if (j->in[s][p][v].count > 0) return true;
    return false;
}

// docs/random.md
static uint32_t next_random(uint32_t r)
{
    r ^= r << 13;
    r ^= r >> 17;
    return r ^ r << 5;
}

static void step(struct judge *j)
{
    static struct offer offers[MAX_SWITCHES][MAX_PORTS], injections[MAX_SWITCHES];
    uint32_t ejections[MAX_SWITCHES];
    decide(j, offers);
    for (uint32_t s = 0; s < j->switches; s++) {
        injections[s] = injection(j, &j->terminals[s]);
        ejections[s] = taken(j, &j->terminals[s]);
        if (holds_flit(j, s)) j->random[s] = next_random(j->random[s]);
    }
    j->num_flits = 0;
    for (uint32_t s = 0; s < j->switches; s++)
        for (uint32_t o = 0; o < j->ports; o++)
            for (uint32_t p = 0; p < j->ports; p++)
                if (offers[s][p].granted && offers[s][p].port == o) move(j, s, p, &offers[s][p]);
    for (uint32_t t = 0; t < j->switches; t++) {
        if (injections[t].made) inject(j, t, injections[t].lane);
        if (ejections[t] == j->c.num_vcs) continue;
        pop(&j->terminals[t].ejection[ejections[t]]);
        j->out[t][j->ports - 1][ejections[t]].credit++;
    }
    j->cycle++;
}

static void reset(struct judge *j, const struct anl_config *config, uint64_t seed)
{
    memset(j, 0, sizeof *j);
    j->c = *config;
    j->switches = weight(j, config->n);
    j->ports = two_ways(j) ? 2 * config->n + 1 : config->n + 1;
    assert_true(j->switches <= MAX_SWITCHES && j->ports <= MAX_PORTS);
    for (uint32_t s = 0; s < j->switches; s++) {
        for (uint32_t v = 0; v < VCS; v++) {
            for (uint32_t p = 0; p < j->ports; p++)
                j->out[s][p][v].credit = config->depth;
            j->terminals[s].injection[v].credit = config->depth;
        }
        const uint64_t z = anl_mix(seed + (s + 1) * 0x9E3779B97F4A7C15) >> 32;
        j->random[s] = z == 0 ? 1 : (uint32_t)z;
    }
}

static void offer(struct judge *j, uint32_t source, uint32_t destination, uint16_t length)
{
    const uint32_t id = j->num_worms++;
    assert_true(id < MAX_WORMS);
    j->worms[id] = (struct anl_worm){id, source, destination, length, j->cycle, 0};
    j->terminals[source].queue[j->terminals[source].last++] = id;
}

#endif
