// SPDX-License-Identifier: Apache-2.0
//
// The oracle of the engine: a slow network, written from docs/switch.md, docs/networks.md and
// docs/random.md alone. Plain loops go over every lane of every switch in every cycle. First
// everything is decided from the state at the start of the cycle; with space chained also from the
// credits that come back in it, so the root level decides first and the terminals last. Then
// everything moves. The oracle shares nothing with the engine but struct anl_config, the records of
// flits and worms, and the mix of docs/random.md.

#ifndef ANNELID_NET_ORACLE_H
#define ANNELID_NET_ORACLE_H

#include "oracle_options.h"

// The offer of an input port: one lane, offered to each output port whose bit is set in ports. At
// port o it would take output lane vc[o].
struct offer {
    bool made, granted;
    uint32_t lane, ports, vc[MAX_PORTS];
    uint32_t port;  // output port that granted the offer
};

// ---------------------------------------------------------------- switch.md, rules 1 to 5

static uint32_t credits(const struct output_lane *lane) { return lane->credit + lane->returning; }

static bool is_empty(const struct oracle *j, const struct output_lane *lane)
{
    return credits(lane) == j->c.depth;
}

static bool takeable(const struct oracle *j, const struct output_lane *lane, uint32_t length)
{
    const uint32_t need = j->c.admission == ANL_WORMHOLE ? 1 : length;
    return !lane->owner.bound && credits(lane) >= need;
}

// Lanes of a port that belong to one class and are counted from 0 in it, as masks: those that a
// head may take, and those that are atomic.
struct set {
    uint32_t lanes, atomic, class_;
};

// Rule 5: selects *lane. Returns false if no lane of the set is takeable.
static bool take(const struct oracle *j, const struct output_lane *lanes, struct set set,
                 uint32_t length, uint32_t *lane)
{
    const uint32_t first = set.class_ * j->c.num_vcs;
    lanes += first;
    for (uint32_t w = 0; w < j->c.num_vcs; w++)
        if (set.lanes >> w & 1 && takeable(j, &lanes[w], length) && is_empty(j, &lanes[w]))
            return *lane = first + w, true;
    for (uint32_t w = 0; w < j->c.num_vcs; w++)
        if ((set.lanes & ~set.atomic) >> w & 1 && takeable(j, &lanes[w], length))
            return *lane = first + w, true;
    return false;
}

static bool holds_tail(const struct oracle *j, const struct input_lane *lane)
{
    for (uint32_t i = 0; i < lane->count; i++)
        if (lane->flit[i].index + 1 == j->worms[lane->flit[i].worm].length) return true;
    return false;
}

// Considers some lanes of each option, and asks for the one that the selection chooses of the open
// ones. Returns false if none is open.
static bool ask(const struct oracle *j, uint32_t s, uint32_t p, const struct anl_worm *worm,
                struct set considered, struct offer *offer)
{
    struct option options[MAX_PORTS], open[MAX_PORTS];
    const uint32_t count = options_of(j, s, p, worm, options);
    uint32_t num_open = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t o = options[i].port;
        const struct set set = {options[i].lanes & considered.lanes, considered.atomic,
                                considered.class_};
        if (take(j, j->out[s][o], set, worm->length, &offer->vc[o])) open[num_open++] = options[i];
    }
    if (num_open == 0) return false;
    offer->ports = 1u << open[choose(j, s, p, considered.class_, open, num_open)].port;
    return true;
}

// The same as offer_head() where heads have options.
static void offer_option(const struct oracle *j, uint32_t s, uint32_t p,
                         const struct anl_worm *worm, struct offer *offer)
{
    const uint32_t class_ = worm->class_, atomic = atomic_lanes(j, class_);
    const uint32_t all = lanes_between(0, j->c.num_vcs), escapes = escape_lanes(j, class_);
    if (is_home(j, s, worm->destination))
        ask(j, s, p, worm, (struct set){all, 0, class_}, offer);
    else if (!ask(j, s, p, worm, (struct set){all & ~escapes, atomic, class_}, offer))
        ask(j, s, p, worm, (struct set){escapes, atomic, class_}, offer);
}

// Rules 1 and 2 for a head at the front of lane v of input port p.
static void offer_head(const struct oracle *j, uint32_t s, uint32_t p, uint32_t v,
                       const struct anl_worm *worm, struct offer *offer)
{
    if (selects(j)) {
        offer_option(j, s, p, worm, offer);
        return;
    }
    struct way way = way_of(j, s, p, v, worm);
    const struct set set = {way.lanes, 0, worm->class_};
    if (way.ports == 2 && j->c.routing == ANL_UP_DOWN_RANDOM) {
        way.port += j->random[s] >> p & 1;
        way.ports = 1;
    }
    for (uint32_t o = way.port; o < way.port + way.ports; o++)
        if (take(j, j->out[s][o], set, worm->length, &offer->vc[o])) offer->ports |= 1u << o;
}

// Returns the offer that lane v of port p would make.
static struct offer eligible(const struct oracle *j, uint32_t s, uint32_t p, uint32_t v)
{
    const struct input_lane *lane = &j->in[s][p][v];
    const struct place *to = &lane->bound;
    struct offer offer = {.lane = v};
    if (lane->count == 0) return offer;
    if (lane->flit[0].index > 0) {
        assert_true(to->bound);
        offer.vc[to->port] = to->vc;
        if (credits(&j->out[s][to->port][to->vc]) > 0) offer.ports = 1u << to->port;
    } else if (j->c.admission != ANL_STORE_AND_FORWARD || holds_tail(j, lane)) {
        offer_head(j, s, p, v, &j->worms[lane->flit[0].worm], &offer);
    }
    offer.made = offer.ports != 0;
    return offer;
}

static bool older(uint32_t a, uint32_t b) { return ((a - b) & 0x8000) != 0; }

// Returns the rank of the worm at the front of a lane, or 0 if the scan compares none.
static uint32_t key_of(const struct oracle *j, uint32_t s, uint32_t p, uint32_t v)
{
    const struct anl_worm *worm = &j->worms[j->in[s][p][v].flit[0].worm];
    if (j->c.scan == ANL_OLDEST) return (uint32_t)worm->created & 0xffff;
    return j->c.scan == ANL_FARTHEST ? distance_of(j, worm) : 0;
}

static bool comes_first(const struct oracle *j, uint32_t key, uint32_t best)
{
    if (j->c.scan == ANL_OLDEST) return older(key, best);
    return key > best;
}

// Returns the winner among n candidates, or n if there is none. Cyclic scans begin at start.
static uint32_t scan(const struct oracle *j, const bool *candidate, const uint32_t *keys,
                     uint32_t start, uint32_t n)
{
    uint32_t best = n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t here = (start + i) % n;
        if (!candidate[here]) continue;
        if (best == n || comes_first(j, keys[here], keys[best])) best = here;
    }
    return best;
}

// Returns the candidate that was served least recently, or n if there is none.
static uint32_t least_recent(const bool *candidate, const uint32_t *served, uint32_t n)
{
    uint32_t best = n;
    for (uint32_t i = 0; i < n; i++)
        if (candidate[i] && (best == n || served[i] < served[best])) best = i;
    return best;
}

// Returns the first lane that fits, of a class with n lanes, in cyclic order from start; n: none.
static uint32_t first_lane_from(const bool *fits, uint32_t start, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (fits[(start + i) % n]) return (start + i) % n;
    return n;
}

// Leaves of the candidates of a class the one that asks, if it is one, and moves the favoured lane.
static void favour_lane(struct oracle *j, uint32_t s, uint32_t p, uint32_t c, bool *candidate)
{
    const uint32_t n = j->c.num_vcs;
    bool held[VCS], others[VCS], asked;
    for (uint32_t i = 0; i < n; i++)
        held[i] = j->in[s][p][c * n + i].count > 0;
    const uint32_t asks = first_lane_from(held, j->in_ptr[s][p][c], n);
    if (asks == n) return;
    asked = candidate[asks];
    memcpy(others, candidate, sizeof others);
    others[asks] = false;
    const uint32_t other = first_lane_from(others, asks, n);
    j->next[s][p][c] = other == n ? asks : other;
    j->in_ptr[s][p][c] = asked ? asks : j->next[s][p][c];
    memset(candidate, 0, n * sizeof *candidate);
    candidate[asks] = asked;
}

static uint32_t start_of(const struct oracle *j, uint32_t pointer, uint32_t random_byte, uint32_t n)
{
    if (j->c.scan == ANL_ROTATING) return pointer;
    if (j->c.scan == ANL_RANDOM || j->c.scan == ANL_FARTHEST) return random_byte * n >> 8;
    return 0;
}

// Returns the first class with a candidate, in cyclic order from the favoured one on; the number of
// classes if none has one.
static uint32_t scan_classes(const struct oracle *j, const struct favour_of *favour,
                             const bool *candidate)
{
    for (uint32_t i = 0; i < j->classes; i++)
        if (candidate[(favour->class_ + i) % j->classes]) return (favour->class_ + i) % j->classes;
    return j->classes;
}

static uint32_t weight_of(const struct oracle *j, uint32_t class_)
{
    return j->c.class_weights[class_];
}

// A flit has moved, of whichever class.
static void note_move(const struct oracle *j, struct favour_of *favour)
{
    favour->quota--;
    if (favour->quota > 0) return;
    favour->class_ = (favour->class_ + 1) % j->classes;
    favour->quota = weight_of(j, favour->class_);
}

static struct offer offer_of_port(struct oracle *j, uint32_t s, uint32_t p)
{
    struct offer offers[VCS][VCS + 1] = {0};
    bool candidate[VCS][VCS] = {0}, has_one[VCS] = {0};
    uint32_t keys[VCS][VCS] = {0};
    const uint32_t lanes = j->c.num_vcs;
    for (uint32_t v = 0; v < j->vcs; v++) {
        const uint32_t c = v / lanes, i = v % lanes;
        offers[c][i] = eligible(j, s, p, v);
        candidate[c][i] = offers[c][i].made;
        if (!candidate[c][i]) continue;
        keys[c][i] = key_of(j, s, p, v);
    }
    for (uint32_t c = 0; c < j->classes; c++) {
        if (j->c.scan == ANL_SCAN_FAVOUR) favour_lane(j, s, p, c, candidate[c]);
        has_one[c] = first_lane_from(candidate[c], 0, lanes) < lanes;
    }
    const uint32_t c = scan_classes(j, &j->favour[s][p], has_one);
    if (c == j->classes) return (struct offer){0};
    if (j->c.scan == ANL_SCAN_MATRIX)
        return offers[c][least_recent(candidate[c], &j->lane_served[s][p][c * lanes], lanes)];
    const uint32_t start = start_of(j, j->in_ptr[s][p][c], j->random[s] >> 16 & 0xff, lanes);
    return offers[c][scan(j, candidate[c], keys[c], start, lanes)];
}

static void grant(const struct oracle *j, uint32_t s, uint32_t o, struct offer *offers)
{
    bool candidate[MAX_PORTS];
    uint32_t keys[MAX_PORTS] = {0};
    for (uint32_t p = 0; p < j->ports; p++) {
        candidate[p] = offers[p].made && !offers[p].granted && (offers[p].ports >> o & 1);
        if (candidate[p]) keys[p] = key_of(j, s, p, offers[p].lane);
    }
    const uint32_t start = start_of(j, j->out_ptr[s][o], j->random[s] >> 8 & 0xff, j->ports);
    const uint32_t winner = anl_keeps_order(&j->c)
                                ? least_recent(candidate, j->port_served[s][o], j->ports)
                                : scan(j, candidate, keys, start, j->ports);
    if (winner == j->ports) return;
    offers[winner].granted = true;
    offers[winner].port = o;
}

// ---------------------------------------------------------------- switch.md, space

// Returns the output lane at the beginning of the link into port p.
static struct output_lane *feeder(struct oracle *j, uint32_t s, uint32_t p, uint32_t v)
{
    const struct side *from = &j->from[s][p];
    assert_true(from->what != NOBODY);
    if (from->what == TERMINAL) return &j->terminal[from->node].injection[v];
    return &j->out[from->node][from->port][v];
}

static bool chained_into(const struct oracle *j, uint32_t s, uint32_t p)
{
    const struct side *from = &j->from[s][p];
    if (j->c.space != ANL_CHAINED) return false;
    return from->what == TERMINAL || is_butterfly(j) || from->port >= 4;
}

// Fills in offers[s][p] of all switches and marks those that are granted. Switches of the root
// level, or of the last level of a butterfly, have the highest numbers and decide first.
static void decide(struct oracle *j, struct offer offers[MAX_SWITCHES][MAX_PORTS])
{
    for (uint32_t s = j->switches; s-- > 0;) {
        for (uint32_t p = 0; p < j->ports; p++)
            offers[s][p] = offer_of_port(j, s, p);
        for (uint32_t o = 0; o < j->ports; o++)
            grant(j, s, o, offers[s]);
        for (uint32_t p = 0; p < j->ports; p++)
            if (offers[s][p].granted && chained_into(j, s, p))
                feeder(j, s, p, offers[s][p].lane)->returning = 1;
    }
}

// ---------------------------------------------------------------- switch.md, rule 6

static void see(struct oracle *j, struct anl_flit flit) { j->flits[j->num_flits++] = flit; }

static void enter(const struct oracle *j, struct anl_flit flit, struct input_lane *lane)
{
    assert_true(lane->count < j->c.depth + (j->c.space == ANL_CHAINED));
    lane->flit[lane->count].worm = flit.worm;
    lane->flit[lane->count++].index = flit.index;
}

static void act(struct oracle *j, const struct later *later)
{
    if (later->what == IS_SEEN) see(j, later->flit);
    if (later->what == ENTERS) enter(j, later->flit, later->lane);
    if (later->what == COMES_BACK) later->out->credit++;
    later->out->under_way -= later->what != IS_SEEN;
}

// Does it now, or so many cycles later.
static void after(struct oracle *j, uint32_t cycles, struct later later)
{
    later.cycle = j->cycle + cycles;
    later.out->under_way += later.what != IS_SEEN;
    assert_true(j->num_later < MAX_LATER);
    if (cycles == 0)
        act(j, &later);
    else
        j->later[j->num_later++] = later;
}

static int by_lane(const void *a, const void *b)
{
    const struct anl_flit *x = a, *y = b;
    return x->link == y->link ? (int)x->vc - (int)y->vc : x->link < y->link ? -1 : 1;
}

// Does what was to be done at the end of this cycle, and puts the flits in the order of a trace.
static void come(struct oracle *j)
{
    size_t kept = 0;
    for (size_t i = 0; i < j->num_later; i++)
        if (j->later[i].cycle == j->cycle)
            act(j, &j->later[i]);
        else
            j->later[kept++] = j->later[i];
    j->num_later = kept;
    qsort(j->flits, j->num_flits, sizeof *j->flits, by_lane);
}

// switch.md, "Two stages": what leaves a switch leaves it so many cycles later.
static uint32_t more_stages(const struct oracle *j)
{
    return j->c.stages > 1 ? j->c.stages - 1 : 0;
}

// link.md, "Links of several cycles": between switches.
static uint32_t more_cycles(const struct oracle *j)
{
    return j->c.link_cycles > 1 ? j->c.link_cycles - 1 : 0;
}

// Sends a flit over a link that is so many cycles away, and so many cycles long.
static struct anl_flit cross(struct oracle *j, struct anl_flit flit, uint32_t away, uint32_t length,
                             struct output_lane *out, struct input_lane *to)
{
    flit.head = flit.index == 0;
    flit.tail = flit.index + 1u == j->worms[flit.worm].length;
    after(j, away, (struct later){.what = IS_SEEN, .flit = flit, .out = out});
    after(j, away + length, (struct later){.what = ENTERS, .flit = flit, .lane = to, .out = out});
    out->credit--;
    return flit;
}

static void pop(struct input_lane *lane)
{
    lane->count--;
    memmove(lane->flit, lane->flit + 1, lane->count * sizeof lane->flit[0]);
}

// At both ends of a flit that is sent, a head binds and a tail unbinds.
static void bind_or_not(struct anl_flit flit, struct place *bound, struct output_lane *out,
                        struct place from, struct place to)
{
    if (flit.head) *bound = to, out->owner = from;
    if (flit.tail) *bound = out->owner = (struct place){0};
}

static void move(struct oracle *j, uint32_t s, uint32_t p, const struct offer *offer)
{
    const uint32_t v = offer->lane, o = offer->port, w = offer->vc[o];
    const struct side *end = &j->to[s][o];
    struct input_lane *from = &j->in[s][p][v];
    struct output_lane *out = &j->out[s][o][w];
    assert_true(end->what != NOBODY);
    const bool home = end->what == TERMINAL;
    struct anl_flit flit = {.link = s * j->ports + o,
                            .worm = from->flit[0].worm,
                            .index = (uint16_t)from->flit[0].index,
                            .vc = (uint8_t)w};
    flit = cross(j, flit, more_stages(j), home ? 0 : more_cycles(j), out,
                 home ? &j->terminal[end->node].ejection[w] : &j->in[end->node][end->port][w]);
    bind_or_not(flit, &from->bound, out, (struct place){true, p, v}, (struct place){true, o, w});
    pop(from);
    after(j, more_stages(j) + (j->from[s][p].what == SWITCH ? more_cycles(j) : 0),
          (struct later){.what = COMES_BACK, .out = feeder(j, s, p, v)});
    const uint32_t lanes = j->c.num_vcs;
    j->in_ptr[s][p][v / lanes] =
        j->c.scan == ANL_SCAN_FAVOUR ? j->next[s][p][v / lanes] : (v % lanes + 1) % lanes;
    j->lane_served[s][p][v] = j->port_served[s][o][p] = j->cycle + 1;
    note_move(j, &j->favour[s][p]);
    j->out_ptr[s][o] = (p + 1) % j->ports;
}

// ---------------------------------------------------------------- switch.md, terminals

// Returns whether a class could send a flit; *lane is the lane that it would go to.
static bool could_send(const struct oracle *j, const struct terminal *t, uint32_t class_,
                       uint32_t *lane)
{
    const struct class_of_terminal *queue = &t->class_[class_];
    *lane = queue->bound.vc;
    if (queue->first == NO_WORM_HERE) return false;
    if (queue->sent > 0) return credits(&t->injection[*lane]) > 0;
    const struct set all = {lanes_between(0, j->c.num_vcs), 0, class_};
    return take(j, t->injection, all, j->worms[queue->first].length, lane);
}

// Returns false if nothing is injected; otherwise *lane is the lane that the next flit goes to.
static bool injection(const struct oracle *j, const struct terminal *t, uint32_t *lane)
{
    uint32_t lanes[VCS + 1];
    bool could[VCS];
    for (uint32_t c = 0; c < j->classes; c++)
        could[c] = could_send(j, t, c, &lanes[c]);
    const uint32_t chosen = scan_classes(j, &t->favour, could);
    if (chosen == j->classes) return false;
    *lane = lanes[chosen];
    return true;
}

static void inject(struct oracle *j, uint32_t terminal, uint32_t vc)
{
    struct terminal *t = &j->terminal[terminal];
    const struct side *entry = &j->entry[terminal];
    struct class_of_terminal *queue = &t->class_[vc / j->c.num_vcs];
    const uint32_t worm = queue->first;
    struct anl_flit flit = {.link = j->switches * j->ports + terminal,
                            .worm = worm,
                            .index = (uint16_t)queue->sent++,
                            .vc = (uint8_t)vc};
    flit = cross(j, flit, 0, 0, &t->injection[vc], &j->in[entry->node][entry->port][vc]);
    bind_or_not(flit, &queue->bound, &t->injection[vc], (struct place){true, 0, 0},
                (struct place){true, entry->port, vc});
    note_move(j, &t->favour);
    if (queue->sent < j->worms[worm].length) return;
    queue->first = j->behind[worm];
    queue->sent = 0;
    if (j->worms[worm].role == ANL_REPLY) t->places--;
}

// ---------------------------------------------------------------- switch.md, requests and replies

// Returns the lane whose flit the sink of a class shows; NO_LANE_SHOWN if it shows none.
static uint32_t shown(const struct oracle *j, const struct terminal *t, uint32_t class_)
{
    if (t->class_[class_].shown != NO_LANE_SHOWN) return t->class_[class_].shown;
    for (uint32_t v = class_ * j->c.num_vcs; v < (class_ + 1) * j->c.num_vcs; v++)
        if (t->ejection[v].count > 0) return v;
    return NO_LANE_SHOWN;
}

static bool shows_tail_of_request(const struct oracle *j, const struct input_lane *lane)
{
    const struct anl_worm *worm = &j->worms[lane->flit[0].worm];
    return lane->flit[0].index + 1 == worm->length && worm->role == ANL_REQUEST;
}

// Returns the mask of the classes whose sinks take a flit in this cycle. They have a place for a
// request only if one is free at the start of it, the lowest class first.
static uint32_t takers(const struct oracle *j, const struct terminal *t)
{
    uint32_t classes = 0, places = t->places;
    for (uint32_t c = 0; c < j->classes; c++) {
        const uint32_t v = shown(j, t, c);
        if (v == NO_LANE_SHOWN) continue;
        if (j->c.reply_queue && shows_tail_of_request(j, &t->ejection[v])) {
            if (places == j->c.reply_queue) continue;
            places++;
        }
        classes |= 1u << c;
    }
    return classes;
}

// Carries out what the sinks of a terminal do.
static void drain_sinks(struct oracle *j, uint32_t terminal, uint32_t classes)
{
    struct terminal *t = &j->terminal[terminal];
    const struct side *home = &j->home[terminal];
    for (uint32_t c = 0; c < j->classes; c++) {
        const uint32_t v = shown(j, t, c);
        t->class_[c].shown = v;
        if (v == NO_LANE_SHOWN || !(classes >> c & 1)) continue;
        t->class_[c].shown = NO_LANE_SHOWN;
        if (j->c.reply_queue) t->places += shows_tail_of_request(j, &t->ejection[v]);
        pop(&t->ejection[v]);
        j->out[home->node][home->port][v].credit++;
    }
}

static bool holds_flit(const struct oracle *j, uint32_t s)
{
    for (uint32_t p = 0; p < j->ports; p++)
        for (uint32_t v = 0; v < j->vcs; v++)
            if (j->in[s][p][v].count > 0) return true;
    return false;
}

// The step of docs/random.md.
static uint32_t next_random(uint32_t r)
{
    r ^= r << 13;
    r ^= r >> 17;
    return r ^ r << 5;
}

// At the end of the cycle, the flits of every lane, its credits, and what is on its way must add up
// to Depth.
static void settle_accounts(struct oracle *j)
{
    for (uint32_t v = 0; v < j->vcs; v++) {
        for (uint32_t s = 0; s < j->switches; s++)
            for (uint32_t p = 0; p < j->ports; p++) {
                j->out[s][p][v].returning = 0;
                if (j->from[s][p].what == NOBODY) continue;
                const struct output_lane *out = feeder(j, s, p, v);
                assert_int_equal(out->credit + out->under_way + j->in[s][p][v].count, j->c.depth);
            }
        for (uint32_t t = 0; t < j->terminals; t++)
            j->terminal[t].injection[v].returning = 0;
    }
}

// Returns whether a policy needs the generator (docs/random.md).
static bool draws_bits(const struct oracle *j)
{
    return j->c.scan == ANL_RANDOM || j->c.scan == ANL_FARTHEST ||
           j->c.routing == ANL_UP_DOWN_RANDOM || (selects(j) && j->c.select == ANL_SELECT_RANDOM);
}

static void step(struct oracle *j)
{
    static struct offer offers[MAX_SWITCHES][MAX_PORTS];
    uint32_t lanes[MAX_TERMINALS], taking[MAX_TERMINALS];
    bool sends[MAX_TERMINALS];
    decide(j, offers);
    for (uint32_t t = 0; t < j->terminals; t++) {
        sends[t] = injection(j, &j->terminal[t], &lanes[t]);
        taking[t] = takers(j, &j->terminal[t]);
    }
    for (uint32_t t = 0; t < j->terminals; t++)
        drain_sinks(j, t, taking[t]);
    for (uint32_t s = 0; s < j->switches; s++)
        if (holds_flit(j, s)) j->random[s] = next_random(j->random[s]);
    j->num_flits = 0;
    for (uint32_t s = 0; s < j->switches; s++)
        for (uint32_t o = 0; o < j->ports; o++)
            for (uint32_t p = 0; p < j->ports; p++)
                if (offers[s][p].granted && offers[s][p].port == o) move(j, s, p, &offers[s][p]);
    for (uint32_t t = 0; t < j->terminals; t++)
        if (sends[t]) inject(j, t, lanes[t]);
    come(j);
    settle_accounts(j);
    j->cycle++;
}

static void reset_classes(struct oracle *j)
{
    const struct favour_of favour = {0, weight_of(j, 0)};
    for (uint32_t s = 0; s < j->switches; s++)
        for (uint32_t p = 0; p < j->ports; p++)
            j->favour[s][p] = favour;
    for (uint32_t t = 0; t < j->terminals; t++) {
        j->terminal[t].favour = favour;
        for (uint32_t v = 0; v < VCS; v++)
            j->terminal[t].sending[v].worm = NO_WORM_HERE;
        for (uint32_t c = 0; c < j->classes; c++)
            j->terminal[t].class_[c] =
                (struct class_of_terminal){.first = NO_WORM_HERE, .shown = NO_LANE_SHOWN};
    }
}

// Gives each class its own routing and graph of routes, or that of all.
static void give_routings(struct oracle *j)
{
    const struct anl_graph *graph = j->c.graph;
    for (uint32_t c = 0; c < j->classes; c++) {
        j->own[c] = j->c;
        j->own[c].graph = graph;
        if (j->c.num_class_routings) j->own[c].routing = (enum anl_routing)j->c.class_routing[c];
        if (graph && graph->next) graph = graph->next;
    }
}

static void reset(struct oracle *j, const struct anl_config *config, uint64_t seed)
{
    memset(j, 0, sizeof *j);
    j->c = *config;
    j->vcs = config->num_vcs;
    j->classes = config->classes ? config->classes : 1;
    j->c.num_vcs = j->vcs / j->classes;
    for (uint32_t c = 0; c < j->classes; c++)
        if (j->c.class_weights[c] == 0) j->c.class_weights[c] = 1;
    give_routings(j);
    j->seed = seed;
    wire(j);
    reset_classes(j);
    for (uint32_t v = 0; v < VCS; v++) {
        for (uint32_t s = 0; s < j->switches; s++)
            for (uint32_t p = 0; p < j->ports; p++)
                j->out[s][p][v].credit = config->depth;
        for (uint32_t t = 0; t < j->terminals; t++)
            j->terminal[t].injection[v].credit = config->depth;
    }
    for (uint32_t s = 0; s < j->switches; s++) {
        const uint64_t z = anl_mix(seed + (s + 1) * 0x9E3779B97F4A7C15) >> 32;
        j->random[s] = z == 0 ? 1 : (uint32_t)z;
    }
}

// Returns how many paths a worm can have; 1 if heads carry none.
static uint32_t num_paths(const struct oracle *j)
{
    const bool fixed = j->c.routing == ANL_UP_DOWN_FIXED, valiant = j->c.routing == ANL_VALIANT;
    if (!fixed && !valiant && j->c.passes != 2) return 1;
    return power(fixed ? 2 : j->c.k, j->c.n - !valiant);
}

// Returns the path of a worm that is given none (docs/random.md, "Paths").
static uint32_t path_of(const struct oracle *j, uint32_t id)
{
    return (uint32_t)(anl_mix(anl_mix(j->seed) + id + 1) >> 32) % num_paths(j);
}

// Source, destination, length, class, role and the given path of *worm are read.
static void enqueue(struct oracle *j, const struct anl_worm *worm)
{
    const uint32_t id = j->num_worms++;
    struct class_of_terminal *queue = &j->terminal[worm->source].class_[worm->class_];
    assert_true(id < MAX_WORMS);
    j->worms[id] = *worm;
    j->worms[id].id = id;
    j->worms[id].created = j->cycle;
    if (!worm->has_path) j->worms[id].path = path_of(j, id);
    j->behind[id] = NO_WORM_HERE;
    if (queue->first == NO_WORM_HERE)
        queue->first = id;
    else
        j->behind[queue->last] = id;
    queue->last = id;
}

#endif
